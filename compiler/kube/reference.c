/* SPDX-License-Identifier: Apache-2.0 */
/* Documentation of a dialect that has no public schema: its kinds with every field, from the table.
 */
#include "kube/reference.h"

#include <string.h>

#include "kube/type.h"

static const char *const forms[] = {
    [PLUMB_KUBE_ANY] = "anything",
    [PLUMB_KUBE_OPEN] = "a mapping",
    [PLUMB_KUBE_STRING] = "text",
    [PLUMB_KUBE_INTEGER] = "a whole number",
    [PLUMB_KUBE_NUMBER] = "a number",
    [PLUMB_KUBE_BOOLEAN] = "true or false",
    [PLUMB_KUBE_INT_OR_STRING] = "a whole number or text",
    [PLUMB_KUBE_QUANTITY] = "a quantity",
    [PLUMB_KUBE_NUMBER_OR_QUANTITY] = "a number or a quantity",
};

static void write_value(struct plumb_buf *out, const struct plumb_kube_type *t)
{
    if (t->form == PLUMB_KUBE_LIST || t->form == PLUMB_KUBE_MAP) {
        plumb_buf_str(out, t->form == PLUMB_KUBE_LIST ? "a list of: " : "by free keys: ");
        write_value(out, t->of);
    } else if (t->form == PLUMB_KUBE_OBJECT && t->field_count == 1 &&
               strchr(t->name, '.') == NULL) {
        plumb_buf_printf(out, "`{%s: ...}`", t->fields[0].name);
    } else if (t->form == PLUMB_KUBE_OBJECT) {
        plumb_buf_printf(out, "`%s`", t->name);
    } else if (t->words != NULL) {
        for (const char *const *w = t->words; *w != NULL; w++)
            plumb_buf_printf(out, "%s`%s`", w == t->words ? "" : ", ", *w);
    } else {
        plumb_buf_str(out, forms[t->form]);
    }
}

/* A type of this dialect, not of Kubernetes: it is named after one of its kinds. */
static bool is_own(const struct plumb_kube_table *t, const struct plumb_kube_type *type)
{
    size_t len = type->name == NULL ? 0 : strcspn(type->name, ".");

    for (size_t i = 0; len > 0 && i < t->kind_count; i++) {
        if (strlen(t->kinds[i].kind) == len && strncmp(t->kinds[i].kind, type->name, len) == 0)
            return true;
    }
    return false;
}

/* The fields of a type, then those of its own types within. Depth is that of the dialect. */
static void write_type(struct plumb_buf *out, const struct plumb_kube_table *table,
                       const struct plumb_kube_type *t, unsigned depth)
{
    plumb_buf_printf(out, "\n`%s`\n\n| field | value |\n|---|---|\n", t->name);
    for (size_t i = 0; i < t->field_count; i++) {
        plumb_buf_printf(out, "| `%s`%s | ", t->fields[i].name,
                         t->fields[i].required ? " (required)" : "");
        write_value(out, t->fields[i].type);
        plumb_buf_str(out, " |\n");
    }
    for (size_t i = 0; i < t->field_count && depth > 0; i++) {
        const struct plumb_kube_type *inner = t->fields[i].type;

        while (inner->form == PLUMB_KUBE_LIST || inner->form == PLUMB_KUBE_MAP)
            inner = inner->of;
        if (inner->form == PLUMB_KUBE_OBJECT && is_own(table, inner))
            write_type(out, table, inner, depth - 1);
    }
}

static void write_kind(struct plumb_buf *out, const struct plumb_kube_table *t,
                       const struct plumb_kube_kind *kind)
{
    const struct plumb_kube_field *spec = plumb_kube_field_find(kind->type, "spec");

    plumb_buf_printf(
        out, "\n## %s\n\n`apiVersion: %s`. %s\n", kind->kind, kind->api,
        kind->type->ours
            ? "The guides name the kind and no field of it: this is a schema of plumb's."
            : "Fields are those that the guides show.");
    if (spec != NULL && spec->type->form == PLUMB_KUBE_OBJECT)
        write_type(out, t, spec->type, 4);
}

void plumb_kube_reference_sunk(struct plumb_buf *out)
{
    const struct plumb_kube_table *t = plumb_kube_table_find("sunk", NULL);

    plumb_buf_str(out,
                  "# The dialect of the SUNK guides\n\nMade from the table that reads it. The CRDs "
                  "are not public. Kinds that the guides name without a field have a\nschema of "
                  "plumb's here; target `sunk` writes it, and an operator has to read it so.\n");
    for (size_t i = 0; i < t->kind_count; i++) {
        if (t->kinds[i].type != NULL)
            write_kind(out, t, &t->kinds[i]);
    }
}
