/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A square of GPUs on a machine and on its norm, for the files that compare pairs of GPUs. One GPU
 * all of whose pairs differ by the same is one difference, and so is a machine all of whose pairs
 * do; what is left are pairs.
 */
#ifndef PLUMB_PASSES_AUDIT_TABLE_H
#define PLUMB_PASSES_AUDIT_TABLE_H

#include "passes/audit.h"

struct plumb_audit_table {
    size_t side;
    const char **own, **norm; /* side * side; cells of a pair stand at plumb_audit_cell() */
    const struct plumb_audit_fact *own_rows, *norm_rows;
    bool *open; /* pairs that differ and are not told yet */
};

/*
 * From as many rows of facts on both sides, in scratch memory. False: they are none, not as many,
 * or not square.
 */
bool plumb_audit_table(struct plumb_arena *scratch, const struct plumb_audit_fact *own,
                       size_t own_count, const struct plumb_audit_fact *norm, size_t norm_count,
                       struct plumb_audit_table *out);

/* Cells of one pair stand on both sides of the diagonal: the first counts. */
static inline size_t plumb_audit_cell(const struct plumb_audit_table *t, size_t i, size_t k)
{
    return i < k ? i * t->side + k : k * t->side + i;
}

/* Every pair of the machine is open, in the same way. */
bool plumb_audit_all_alike(const struct plumb_audit_table *t);
/* Every pair of one GPU is. */
bool plumb_audit_row_alike(const struct plumb_audit_table *t, size_t i);
void plumb_audit_close_row(struct plumb_audit_table *t, size_t i);

/* Pairs that the two machines link in another way. places: PCI relations count. */
size_t plumb_audit_open_links(const struct plumb_audit_pair *p, struct plumb_audit_table *out);

#endif
