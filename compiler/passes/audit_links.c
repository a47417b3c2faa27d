/* SPDX-License-Identifier: Apache-2.0 */
/* Links between GPUs against those of the norm. */
#include <string.h>

#include "passes/audit_table.h"

static bool is_link(const char *cell)
{
    return (cell[0] == 'N' && cell[1] == 'V') || (cell[0] == 'X' && cell[1] == 'G');
}

/* PCI relations follow from the NUMA nodes where those are others. */
static size_t mark(struct plumb_audit_table *t, bool places)
{
    size_t count = 0;

    for (size_t i = 0; i < t->side; i++) {
        for (size_t k = i + 1; k < t->side; k++) {
            size_t at = plumb_audit_cell(t, i, k);

            t->open[at] = strcmp(t->own[at], t->norm[at]) != 0 && t->own[at][0] != '?' &&
                          t->norm[at][0] != '?' &&
                          (places || is_link(t->own[at]) || is_link(t->norm[at]));
            count += t->open[at];
        }
    }
    return count;
}

size_t plumb_audit_open_links(const struct plumb_audit_pair *p, struct plumb_audit_table *out)
{
    size_t own_count = 0, norm_count = 0;
    const struct plumb_audit_fact *own =
        plumb_audit_first(p->odd->record, PLUMB_AUDIT_LINKS, &own_count);
    const struct plumb_audit_fact *norm =
        plumb_audit_first(p->norm->record, PLUMB_AUDIT_LINKS, &norm_count);

    if (!plumb_audit_table(p->audit->session->scratch, own, own_count, norm, norm_count, out))
        return 0;
    return mark(out, p->places);
}

static void tell_row(const struct plumb_audit_pair *p, struct plumb_audit_table *t, size_t i)
{
    size_t at = plumb_audit_cell(t, i, i == 0 ? 1 : 0);

    plumb_audit_differ(p, PLUMB_FLEET_NVLINK, true, &t->own_rows[i], &t->norm_rows[i],
                       "GPU %s has %s to every other GPU, that of the norm %s",
                       t->own_rows[i].subject, t->own[at], t->norm[at]);
    plumb_audit_close_row(t, i);
}

static void tell_pairs(const struct plumb_audit_pair *p, const struct plumb_audit_table *t)
{
    for (size_t i = 0; i < t->side; i++) {
        for (size_t k = i + 1; k < t->side; k++) {
            size_t at = plumb_audit_cell(t, i, k);

            if (t->open[at])
                plumb_audit_differ(p, PLUMB_FLEET_NVLINK, true, &t->own_rows[i], &t->norm_rows[i],
                                   "GPUs %s and %s have %s to each other, those of the norm %s",
                                   t->own_rows[i].subject, t->own_rows[k].subject, t->own[at],
                                   t->norm[at]);
        }
    }
}

void plumb_audit_compare_links(const struct plumb_audit_pair *p)
{
    struct plumb_audit_table t = {0};
    size_t open = plumb_audit_open_links(p, &t);

    if (open > 0 && t.side > 2 && plumb_audit_all_alike(&t)) {
        plumb_audit_differ(p, PLUMB_FLEET_NVLINK, true, t.own_rows, t.norm_rows,
                           "all GPUs have %s to each other, those of the norm %s", t.own[1],
                           t.norm[1]);
    } else if (open > 0) {
        for (size_t i = 0; t.side > 2 && i < t.side; i++) {
            if (plumb_audit_row_alike(&t, i))
                tell_row(p, &t, i);
        }
        tell_pairs(p, &t);
    }
    plumb_arena_reset(p->audit->session->scratch);
}
