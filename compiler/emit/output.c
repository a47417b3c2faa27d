/* SPDX-License-Identifier: Apache-2.0 */
/* The documents that targets make, as a list. */
#include "emit/output.h"

static struct plumb_doc *add_doc(const struct plumb_emit *em, const char *path)
{
    struct plumb_outputs *out = em->out;
    struct plumb_doc *doc = NULL;

    out->docs = plumb_arena_grow(em->session->arena, out->docs, out->doc_count, &out->doc_cap,
                                 sizeof(*out->docs));
    doc = &out->docs[out->doc_count++];
    *doc = (struct plumb_doc){.path = path, .mode = 0644, .target = em->target->name};
    return doc;
}

struct plumb_conf *plumb_emit_conf(const struct plumb_emit *em, enum plumb_file file, uint32_t mode)
{
    struct plumb_doc *doc =
        add_doc(em, plumb_arena_printf(em->session->arena, "slurm/%s", plumb_file_name(file)));

    doc->mode = mode;
    doc->kind = PLUMB_DOC_CONF;
    doc->conf = plumb_conf_new(em->session->arena, file);
    return doc->conf;
}

void plumb_emit_inner(const struct plumb_emit *em, struct plumb_conf *conf)
{
    struct plumb_outputs *out = em->out;

    out->inner = plumb_arena_grow(em->session->arena, out->inner, out->inner_count, &out->inner_cap,
                                  sizeof(struct plumb_conf *));
    out->inner[out->inner_count++] = conf;
}

void plumb_emit_xml(const struct plumb_emit *em, const char *path, struct plumb_xml *root,
                    enum plumb_xml_dialect dialect)
{
    struct plumb_doc *doc = add_doc(em, path);

    doc->kind = PLUMB_DOC_XML;
    doc->xml = root;
    doc->dialect = dialect;
}

void plumb_emit_yaml(const struct plumb_emit *em, const char *path, struct plumb_node *root)
{
    struct plumb_doc *doc = add_doc(em, path);

    doc->kind = PLUMB_DOC_YAML;
    doc->node = root;
}

void plumb_emit_lines(const struct plumb_emit *em, const char *path, struct plumb_lines *lines,
                      uint32_t mode)
{
    struct plumb_doc *doc = add_doc(em, path);

    doc->kind = PLUMB_DOC_LINES;
    doc->lines = lines;
    doc->mode = mode;
}

void plumb_emit_markdown(const struct plumb_emit *em, const char *path, const char *text)
{
    struct plumb_doc *doc = add_doc(em, path);

    doc->kind = PLUMB_DOC_MARKDOWN;
    doc->text = text;
}

void plumb_emit_page(const struct plumb_emit *em, const char *path, plumb_compose compose)
{
    struct plumb_doc *doc = add_doc(em, path);

    doc->kind = PLUMB_DOC_HTML;
    doc->compose = compose;
}

void plumb_emit_skip(const struct plumb_emit *em, const char *path, struct plumb_span at,
                     const char *reason)
{
    struct plumb_outputs *out = em->out;

    out->skips = plumb_arena_grow(em->session->arena, out->skips, out->skip_count, &out->skip_cap,
                                  sizeof(*out->skips));
    out->skips[out->skip_count++] = (struct plumb_skip){
        .target = em->target->name,
        .path = path,
        .at = at,
        .reason = reason,
    };
}

void plumb_emit_refuse(const struct plumb_emit *em, const char *path, struct plumb_span at,
                       const char *reason)
{
    plumb_emit_skip(em, path, at, reason);
    em->out->skips[em->out->skip_count - 1].whole = true;
}
