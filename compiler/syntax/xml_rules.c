/* SPDX-License-Identifier: Apache-2.0 */
/* Family XML: what an XML or JSON text can have wrong before its meaning is asked for. */
#include <string.h>

#include "syntax/xml_rows.h"

static const struct plumb_rule rows[] = {
    [PLUMB_XML_SYNTAX] =
        {
            .code = "XML001",
            .name = "xml-syntax",
            .severity = PLUMB_ERROR,
            .summary = "the text is no XML",
            .why = "What stands behind the fault cannot be read; hwloc and NCCL refuse the file.",
            .ref = "XML 1.0, https://www.w3.org/TR/xml/",
            .bad = "# smi-q.xml\n"
                   "<nvidia_smi_log>\n"
                   "  <gpu id=00000000:1B:00.0></gpu>\n"
                   "</nvidia_smi_log>",
            .good = "# smi-q.xml\n"
                    "<nvidia_smi_log>\n"
                    "  <gpu id=\"00000000:1B:00.0\"></gpu>\n"
                    "</nvidia_smi_log>",
        },
    [PLUMB_XML_UNCLOSED] =
        {
            .code = "XML002",
            .name = "xml-unclosed",
            .severity = PLUMB_ERROR,
            .summary = "an element is not closed, or another one is",
            .why = "The file was cut short, or its tags do not pair.",
            .ref = "XML 1.0, section 3 Logical Structures",
            .bad = "# smi-q.xml\n"
                   "<nvidia_smi_log>\n"
                   "  <gpu id=\"00000000:1B:00.0\">\n"
                   "</nvidia_smi_log>",
            .good = "# smi-q.xml\n"
                    "<nvidia_smi_log>\n"
                    "  <gpu id=\"00000000:1B:00.0\"></gpu>\n"
                    "</nvidia_smi_log>",
        },
    [PLUMB_XML_ENCODING] =
        {
            .code = "XML003",
            .name = "xml-encoding",
            .severity = PLUMB_ERROR,
            .summary = "the file is not UTF-8",
            .why = "hwloc, NCCL and Kubernetes write UTF-8; other encodings are not read.",
            .ref = "XML 1.0, section 4.3.3; RFC 8259, section 8.1",
        },
    [PLUMB_XML_ENTITY] =
        {
            .code = "XML004",
            .name = "xml-entity",
            .severity = PLUMB_ERROR,
            .summary = "the text declares or uses an entity",
            .why = "Entities can stand for other files and for billions of characters; no capture "
                   "needs one but the five that XML itself has.",
            .ref = "XML 1.0, section 4 Physical Structures",
            .bad = "# smi-q.xml\n"
                   "<nvidia_smi_log>\n"
                   "  <gpu id=\"&first;\"></gpu>\n"
                   "</nvidia_smi_log>",
            .good = "# smi-q.xml\n"
                    "<nvidia_smi_log>\n"
                    "  <gpu id=\"00000000:1B:00.0\"></gpu>\n"
                    "</nvidia_smi_log>",
        },
    [PLUMB_XML_DEPTH] =
        {
            .code = "XML005",
            .name = "xml-depth",
            .severity = PLUMB_ERROR,
            .summary = "elements or values are nested too deep",
            .why = "No capture nests like this; reading stops there.",
            .ref = "compiler/base/limits.h",
        },
    [PLUMB_XML_SIZE] =
        {
            .code = "XML006",
            .name = "xml-size",
            .severity = PLUMB_ERROR,
            .summary = "the document has too many elements or values",
            .why = "What follows is not read and not checked.",
            .ref = "compiler/base/limits.h",
        },
    [PLUMB_JSON_SYNTAX] =
        {
            .code = "XML007",
            .name = "json-syntax",
            .severity = PLUMB_ERROR,
            .summary = "the text is no JSON",
            .why = "Nothing of the file can be used.",
            .ref = "RFC 8259",
            .bad = "# node.json\n"
                   "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\"},}",
            .good = "# node.json\n"
                    "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\"}}",
        },
    [PLUMB_JSON_DUPLICATE_KEY] =
        {
            .code = "XML008",
            .name = "json-duplicate-key",
            .severity = PLUMB_WARNING,
            .summary = "a key is given twice in one object",
            .why = "One of the two values is lost, and readers do not agree which; the last one "
                   "counts here, as for most.",
            .ref = "RFC 8259, section 4 Objects",
            .bad = "# node.json\n"
                   "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\", "
                   "\"name\": \"g1\"}}",
            .good = "# node.json\n"
                    "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\"}}",
        },
};

_Static_assert(PLUMB_COUNT(rows) == PLUMB_XML_ROW_COUNT, "one row for each enum constant");

const struct plumb_rule_family plumb_xml_rules = {
    .prefix = "XML",
    .title = "XML and JSON syntax",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};

bool plumb_xml_other_encoding(struct plumb_session *s, const struct plumb_source *src)
{
    const char *b = src->bytes;
    bool marked = src->len >= 2 && (memcmp(b, "\xff\xfe", 2) == 0 || memcmp(b, "\xfe\xff", 2) == 0);
    bool zeros = src->len >= 2 && (b[0] == '\0' || b[1] == '\0');

    if (!marked && !zeros)
        return false;
    plumb_diag_new(&s->sink, plumb_xml_row(PLUMB_XML_ENCODING), (struct plumb_span){src->id, 0, 2},
                   "the file is UTF-16 or UTF-32 text, expected UTF-8; convert it");
    return true;
}
