/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XML out, through libxml2's writer: one tag a line, two blanks of indent, double quotes, no
 * tabs. The bare dialect leaves out the declaration, which is fatal to NCCL's own reader
 * (NCCL, src/graph/xml.cc); values that it cannot take are the caller's business.
 */
#include <libxml/xmlwriter.h>
#include <string.h>

#include "base/text.h"
#include "syntax/xml.h"

struct writer {
    struct plumb_arena *arena;
    xmlTextWriterPtr xml;
    xmlBufferPtr buffer;
    struct plumb_causes *causes; /* or NULL */
    uint32_t line;
    size_t counted; /* bytes of the buffer whose line breaks are in line */
};

/* libxml2 writes the break before a tag together with the tag, so the line is known behind it. */
static void count_lines(struct writer *w)
{
    const xmlChar *text = NULL;
    size_t len = 0;

    (void)xmlTextWriterFlush(w->xml);
    text = xmlBufferContent(w->buffer);
    len = (size_t)xmlBufferLength(w->buffer);
    for (; w->counted < len; w->counted++)
        w->line += text[w->counted] == '\n';
}

/* Text with what XML 1.0 cannot hold (section 2.2) replaced by U+FFFD. */
static const xmlChar *clean(struct writer *w, const char *text)
{
    struct plumb_buf b = plumb_buf_in(w->arena);
    size_t len = strlen(text), step = 0;

    for (size_t i = 0; i < len; i += step) {
        bool valid = false;

        step = plumb_utf8_step(text + i, len - i, &valid);
        if (valid && ((unsigned char)text[i] >= 0x20 || plumb_is_blank(text[i])) &&
            text[i] != '\v' && text[i] != '\f')
            plumb_buf_add(&b, text + i, step);
        else
            plumb_buf_str(&b, "\xef\xbf\xbd");
    }
    return (const xmlChar *)plumb_buf_text(&b);
}

static void write_element(struct writer *w, const struct plumb_xml *e)
{
    (void)xmlTextWriterStartElement(w->xml, (const xmlChar *)e->name);
    if (w->causes != NULL) {
        count_lines(w);
        plumb_cause_add(w->causes, w->line, e->at);
    }
    for (uint32_t i = 0; i < e->attr_count; i++)
        (void)xmlTextWriterWriteAttribute(w->xml, (const xmlChar *)e->attrs[i].name,
                                          clean(w, e->attrs[i].value.text));
    if (e->text != NULL)
        (void)xmlTextWriterWriteString(w->xml, clean(w, e->text));
    for (uint32_t i = 0; i < e->child_count; i++)
        write_element(w, e->children[i]);
    (void)xmlTextWriterEndElement(w->xml);
}

/* A comment of one line per line of text; "--", which XML forbids inside, becomes "- -". */
static void write_comment(struct writer *w, const char *comment)
{
    struct plumb_buf b = plumb_buf_in(w->arena);

    if (comment == NULL)
        return;
    plumb_buf_char(&b, ' ');
    for (const char *p = comment; *p != '\0'; p++) {
        if (*p == '-' && b.text[b.len - 1] == '-')
            plumb_buf_char(&b, ' ');
        plumb_buf_char(&b, *p);
    }
    plumb_buf_char(&b, ' ');
    (void)xmlTextWriterWriteComment(w->xml, clean(w, plumb_buf_text(&b)));
}

void plumb_xml_write(struct plumb_buf *out, const struct plumb_xml *root, const char *comment,
                     enum plumb_xml_dialect dialect, struct plumb_causes *causes)
{
    struct writer w = {
        .arena = out->arena,
        .buffer = xmlBufferCreate(),
        .causes = causes,
        .line = 1,
    };

    w.xml = w.buffer == NULL ? NULL : xmlNewTextWriterMemory(w.buffer, 0);
    if (w.xml == NULL) {
        xmlBufferFree(w.buffer);
        (void)plumb_arena_raw(out->arena, SIZE_MAX); /* out of memory, as the session says */
    }
    (void)xmlTextWriterSetIndent(w.xml, 1);
    (void)xmlTextWriterSetIndentString(w.xml, (const xmlChar *)"  ");
    if (dialect == PLUMB_XML_STANDARD)
        (void)xmlTextWriterStartDocument(w.xml, NULL, "UTF-8", NULL);
    write_comment(&w, comment);
    write_element(&w, root);
    (void)xmlTextWriterEndDocument(w.xml);
    (void)xmlTextWriterFlush(w.xml);
    plumb_buf_add(out, (const char *)xmlBufferContent(w.buffer), (size_t)xmlBufferLength(w.buffer));
    xmlFreeTextWriter(w.xml);
    xmlBufferFree(w.buffer);
}
