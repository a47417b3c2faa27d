/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of GPUs that differ from those of the norm, and what they have in common. */
#include "passes/audit_table.h"

#include <string.h>

#include "base/limits.h"

/* Cuts a row into cells; false when it has not so many. */
static bool cut(struct plumb_arena *a, const char *row, size_t side, const char **out)
{
    size_t count = 0;

    while (*row != '\0') {
        size_t len = strcspn(row, " ");

        if (count == side)
            return false;
        out[count++] = plumb_arena_strndup(a, row, len);
        row += len + (row[len] == ' ');
    }
    return count == side;
}

bool plumb_audit_table(struct plumb_arena *scratch, const struct plumb_audit_fact *own,
                       size_t own_count, const struct plumb_audit_fact *norm, size_t norm_count,
                       struct plumb_audit_table *out)
{
    size_t side = own_count;

    if (side != norm_count || side < 2 || side > PLUMB_MAX_GPUS)
        return false;
    *out = (struct plumb_audit_table){.side = side, .own_rows = own, .norm_rows = norm};
    out->own = PLUMB_NEW_ARRAY(scratch, side * side, const char *);
    out->norm = PLUMB_NEW_ARRAY(scratch, side * side, const char *);
    out->open = PLUMB_NEW_ARRAY(scratch, side * side, bool);
    for (size_t i = 0; i < side; i++) {
        if (!cut(scratch, own[i].value, side, out->own + i * side) ||
            !cut(scratch, norm[i].value, side, out->norm + i * side))
            return false;
    }
    return true;
}

static bool alike(const struct plumb_audit_table *t, size_t x, size_t y)
{
    return strcmp(t->own[x], t->own[y]) == 0 && strcmp(t->norm[x], t->norm[y]) == 0;
}

bool plumb_audit_all_alike(const struct plumb_audit_table *t)
{
    for (size_t i = 0; i < t->side; i++) {
        for (size_t k = i + 1; k < t->side; k++) {
            size_t at = plumb_audit_cell(t, i, k);

            if (!t->open[at] || !alike(t, at, plumb_audit_cell(t, 0, 1)))
                return false;
        }
    }
    return true;
}

bool plumb_audit_row_alike(const struct plumb_audit_table *t, size_t i)
{
    size_t first = plumb_audit_cell(t, i, i == 0 ? 1 : 0);

    for (size_t k = 0; k < t->side; k++) {
        size_t at = plumb_audit_cell(t, i, k);

        if (k != i && (!t->open[at] || !alike(t, at, first)))
            return false;
    }
    return true;
}

void plumb_audit_close_row(struct plumb_audit_table *t, size_t i)
{
    for (size_t k = 0; k < t->side; k++) {
        if (k != i)
            t->open[plumb_audit_cell(t, i, k)] = false;
    }
}
