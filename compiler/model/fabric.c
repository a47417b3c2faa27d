/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the tree of a fabric. */
#include "model/fabric.h"

size_t plumb_fabric_group_of(const struct plumb_fabric *f, const char *host)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->groups[i].hosts != NULL && plumb_hostlist_has(f->groups[i].hosts, host))
            return i;
    }
    return PLUMB_FABRIC_NONE;
}

size_t plumb_fabric_root_of(const struct plumb_fabric *f, size_t group)
{
    while (f->groups[group].parent != PLUMB_FABRIC_NONE)
        group = f->groups[group].parent;
    return group;
}

size_t plumb_fabric_parts(const struct plumb_fabric *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->count; i++)
        n += f->groups[i].parent == PLUMB_FABRIC_NONE;
    return n;
}

/* Groups by their first leaf: those below one group are then in the order of the leaves. */
static size_t *by_first_leaf(const struct plumb_fabric *f, struct plumb_arena *a)
{
    bool *taken = PLUMB_NEW_ARRAY(a, f->count, bool);
    size_t *order = PLUMB_NEW_ARRAY(a, f->count, size_t), count = 0;

    for (size_t i = 0; i < f->count; i++) {
        for (size_t g = i; g != PLUMB_FABRIC_NONE && !taken[g]; g = f->groups[g].parent) {
            taken[g] = true;
            order[count++] = g;
        }
    }
    return order;
}

size_t *plumb_fabric_leaves(const struct plumb_fabric *f, struct plumb_arena *a, size_t *count)
{
    size_t *first = PLUMB_NEW_ARRAY(a, f->count + 1, size_t); /* by parent + 1: a child + 1 */
    size_t *next = PLUMB_NEW_ARRAY(a, f->count + 1, size_t);  /* the next one below the same */
    size_t *todo = PLUMB_NEW_ARRAY(a, f->count + 1, size_t), left = 0;
    size_t *leaves = PLUMB_NEW_ARRAY(a, f->count, size_t), *order = by_first_leaf(f, a);

    for (size_t k = 0; k < f->count; k++) {
        size_t i = order[k];
        size_t parent = f->groups[i].parent == PLUMB_FABRIC_NONE ? 0 : f->groups[i].parent + 1;

        next[i] = first[parent];
        first[parent] = i + 1;
    }
    *count = 0;
    todo[left++] = 0;
    while (left > 0) { /* children go on the stack last one first, so they come off in order */
        size_t at = todo[--left];

        if (at > 0 && f->groups[at - 1].hosts != NULL)
            leaves[(*count)++] = at - 1;
        for (size_t child = first[at]; child > 0; child = next[child - 1])
            todo[left++] = child;
    }
    return leaves;
}

static const struct plumb_fabric_block *leaves_as_blocks(const struct plumb_fabric *f,
                                                         struct plumb_arena *a, size_t *count)
{
    size_t *leaves = plumb_fabric_leaves(f, a, count);
    struct plumb_fabric_block *blocks = PLUMB_NEW_ARRAY(a, *count, struct plumb_fabric_block);

    for (size_t i = 0; i < *count; i++) {
        const struct plumb_fabric_group *g = &f->groups[leaves[i]];

        blocks[i] = (struct plumb_fabric_block){g->name, g->hosts, g->at};
    }
    return blocks;
}

/*
 * The base is the smallest block: 24.05 and 24.11 refuse a block with fewer nodes, later ones never
 * fill it (block_record.c:block_record_validate). A size that no set of whole blocks has is left
 * out.
 */
size_t plumb_block_sizes(uint64_t base, size_t blocks, uint64_t sizes[16])
{
    size_t count = 0;

    while (count < 16 && (size_t)1 << count <= blocks) {
        sizes[count] = base << count;
        count++;
    }
    return count;
}

struct plumb_block_plan plumb_fabric_blocks(const struct plumb_fabric *f, struct plumb_arena *a)
{
    struct plumb_block_plan plan = {.blocks = f->blocks, .count = f->block_count};
    uint64_t base = UINT64_MAX;

    if (plan.count == 0)
        plan.blocks = leaves_as_blocks(f, a, &plan.count);
    for (size_t i = 0; i < plan.count; i++) {
        uint64_t n = plan.blocks[i].hosts->count;

        base = n < base ? n : base;
    }
    plan.size_count = plumb_block_sizes(base, plan.count, plan.sizes);
    return plan;
}
