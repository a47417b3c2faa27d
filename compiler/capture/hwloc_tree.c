/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of an hwloc file: types, sets, order. libhwloc leaves these checks out ("hwloc never
 * generated such buggy XML, but users could create one", hwloc_look_xml) and prints or stops
 * where they fail, so they are made here.
 */
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "capture/hwloc_read.h"

void plumb_hwloc_fault(struct plumb_hwloc_reader *rd, enum plumb_hw_rule rule, struct plumb_span at,
                       const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const char *text = plumb_arena_vprintf(rd->s->arena, fmt, args);

    va_end(args);
    rd->faults++;
    plumb_hw_report(rd->s, rule, at, "%s", text);
}

/* A set that was read already, when its text is the same: most are those of the parent. */
static bool same_set(const struct plumb_slice *v, const struct plumb_hwloc_obj *o, const char *name)
{
    const struct plumb_xml_attr *a = o == NULL ? NULL : plumb_xml_attr(o->e, name);

    return a != NULL && a->value.len == v->len && memcmp(a->value.text, v->text, v->len) == 0;
}

static void set_of(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_obj *o, const char *name,
                   const struct plumb_hwloc_obj *like, const char *like_name,
                   const struct plumb_hwloc_set *like_set, struct plumb_hwloc_set *out)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(o->e, name);

    if (a == NULL && rd->major == 1 && like != NULL) /* 1.x leaves out what it does not know */
        *out = *like_set;
    else if (a == NULL)
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, o->e->at,
                          "object '%s' has no '%s', expected a set such as '0x0000ffff'",
                          plumb_xml_value(o->e, "type"), name);
    else if (same_set(&a->value, like, like_name))
        *out = *like_set;
    else if (!plumb_hwloc_set_read(rd->s->arena, &a->value, out))
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, a->value.at,
                          "'%s' is no set of at most %d numbers, expected one such as '0x0000ffff'",
                          a->value.len > 40 ? "..." : a->value.text, PLUMB_MAX_PUS);
}

static uint64_t number_of(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_obj *o,
                          const char *name, bool needed)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(o->e, name);
    uint64_t v = UINT64_MAX;

    if (a == NULL && needed)
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, o->e->at,
                          "object '%s' has no '%s', expected a number",
                          plumb_xml_value(o->e, "type"), name);
    else if (a != NULL && (!plumb_read_u64(a->value.text, a->value.len, &v) || v > UINT32_MAX)) {
        /* -1 is how old releases wrote an unknown index */
        v = UINT64_MAX;
        if (needed)
            plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, a->value.at, "'%s' is no number, expected one",
                              a->value.text);
    }
    return v;
}

static void report_set(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_obj *o,
                       const char *name, const struct plumb_hwloc_obj *other, const char *what)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(o->e, name);
    struct plumb_diag *d;

    rd->faults++;
    d = plumb_hw_report(rd->s, PLUMB_HW_SETS, a == NULL ? o->e->at : a->value.at,
                        "'%s' of this %s %s", name, plumb_xml_value(o->e, "type"), what);
    if (other != NULL)
        plumb_diag_note(d, other->e->at, "the other object");
}

static void check_inside(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_obj *o)
{
    const struct plumb_hwloc_obj *p = o->parent;

    if (!plumb_hwloc_set_within(&o->cpus, &o->complete_cpus))
        report_set(rd, o, "cpuset", NULL, "is not inside its 'complete_cpuset'");
    if (!plumb_hwloc_set_within(&o->nodes, &o->complete_nodes))
        report_set(rd, o, "nodeset", NULL, "is not inside its 'complete_nodeset'");
    if (p == NULL)
        return;
    if (!plumb_hwloc_set_within(&o->cpus, &p->cpus))
        report_set(rd, o, "cpuset", p, "is not inside that of its parent");
    if (!plumb_hwloc_set_within(&o->complete_cpus, &p->complete_cpus))
        report_set(rd, o, "complete_cpuset", p, "is not inside that of its parent");
    if (!plumb_hwloc_set_within(&o->nodes, &p->nodes))
        report_set(rd, o, "nodeset", p, "is not inside that of its parent");
    if (!plumb_hwloc_set_within(&o->complete_nodes, &p->complete_nodes))
        report_set(rd, o, "complete_nodeset", p, "is not inside that of its parent");
}

/* A PU is one CPU, a NUMA node one node, and both are named by their number. */
static void check_single(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_obj *o)
{
    bool pu = o->type == PLUMB_HWLOC_T_PU;
    const struct plumb_hwloc_set *set = pu ? &o->complete_cpus : &o->complete_nodes;
    const struct plumb_hwloc_set *now = pu ? &o->cpus : &o->nodes;

    if (!pu && o->type != PLUMB_HWLOC_T_NUMA)
        return;
    if (plumb_hwloc_set_count(set) != 1 || plumb_hwloc_set_first(set) != o->os_index ||
        (!pu && rd->major > 1 && plumb_hwloc_set_empty(now)))
        report_set(rd, o, pu ? "complete_cpuset" : "nodeset", NULL,
                   "is not just its own 'os_index'");
    *(pu ? &rd->pu_seen : &rd->numa_seen) += !plumb_hwloc_set_empty(now);
}

/* Siblings share nothing and stand in the order of their first CPU; those without come last. */
static void check_siblings(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_obj *parent)
{
    struct plumb_hwloc_set seen = {0};
    const struct plumb_hwloc_obj *before = NULL;

    if (parent->first == parent->last)
        return;
    seen.word_count = parent->complete_cpus.word_count;
    seen.words = PLUMB_NEW_ARRAY(rd->s->arena, seen.word_count, uint64_t);
    for (const struct plumb_hwloc_obj *o = parent->first; o != NULL; o = o->next) {
        if (o->type == PLUMB_HWLOC_T_NUMA)
            continue;
        if (plumb_hwloc_set_overlap(&o->complete_cpus, &seen))
            report_set(rd, o, "complete_cpuset", before, "shares CPUs with a sibling");
        else if (before != NULL && plumb_hwloc_set_first(&o->complete_cpus) <
                                       plumb_hwloc_set_first(&before->complete_cpus))
            report_set(rd, o, "complete_cpuset", before, "begins before that of the sibling above");
        for (uint32_t i = 0; i < o->complete_cpus.word_count && i < seen.word_count; i++)
            seen.words[i] |= o->complete_cpus.words[i];
        before = o;
    }
}

uint64_t plumb_hwloc_made_gp(struct plumb_hwloc_reader *rd)
{
    return ((uint64_t)1 << 32) + rd->made_count++;
}

uint64_t plumb_hwloc_gp(struct plumb_hwloc_reader *rd, const struct plumb_xml *e)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(e, "gp_index");
    uint64_t v = 0;
    uint32_t skip = 0;

    if (a == NULL) {
        a = plumb_xml_attr(e, "id");
        skip = a != NULL && plumb_starts_with(a->value.text, "obj") ? 3 : 0;
    }
    if (a == NULL)
        return plumb_hwloc_made_gp(rd);
    if (plumb_read_u64(a->value.text + skip, a->value.len - skip, &v) && v <= UINT32_MAX)
        return v;
    plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, a->value.at, "'%s' is no number, expected one",
                      a->value.text);
    return plumb_hwloc_made_gp(rd);
}

struct plumb_hwloc_obj *plumb_hwloc_add(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                                        enum plumb_hwloc_type type, struct plumb_hwloc_obj *parent)
{
    struct plumb_hwloc_obj *o = PLUMB_NEW(rd->s->arena, struct plumb_hwloc_obj);

    o->type = type;
    o->e = e;
    o->parent = parent;
    for (struct plumb_hwloc_obj *p = parent; p != NULL && type == PLUMB_HWLOC_T_NUMA; p = p->parent)
        p->has_memory = true;
    if (parent != NULL && parent->last != NULL)
        parent->last->next = o;
    else if (parent != NULL)
        parent->first = o;
    if (parent != NULL)
        parent->last = o;
    rd->by_gp =
        plumb_arena_grow(rd->s->arena, rd->by_gp, rd->obj_count, &rd->obj_cap, sizeof(*rd->by_gp));
    rd->by_gp[rd->obj_count++] = o;
    return o;
}

void plumb_hwloc_object(struct plumb_hwloc_reader *rd, struct plumb_hwloc_obj *o)
{
    const struct plumb_hwloc_obj *p = o->parent;
    size_t faults = rd->faults;

    o->gp_index = plumb_hwloc_gp(rd, o->e);
    o->os_index =
        number_of(rd, o, "os_index", o->type == PLUMB_HWLOC_T_PU || o->type == PLUMB_HWLOC_T_NUMA);
    set_of(rd, o, "cpuset", p, "cpuset", p == NULL ? NULL : &p->cpus, &o->cpus);
    set_of(rd, o, "complete_cpuset", o, "cpuset", &o->cpus, &o->complete_cpus);
    set_of(rd, o, "nodeset", p, "nodeset", p == NULL ? NULL : &p->nodes, &o->nodes);
    set_of(rd, o, "complete_nodeset", o, "nodeset", &o->nodes, &o->complete_nodes);
    if (faults == rd->faults) {
        check_inside(rd, o);
        check_single(rd, o);
    }
}

static int by_gp_index(const struct plumb_hwloc_obj *a, const struct plumb_hwloc_obj *b)
{
    return a->gp_index < b->gp_index ? -1 : a->gp_index > b->gp_index;
}

/* Merge sort: keeps the order of the file among equals, needs no recursion. */
static void sort_by_gp(struct plumb_hwloc_reader *rd)
{
    struct plumb_hwloc_obj **from = rd->by_gp;
    struct plumb_hwloc_obj **to =
        PLUMB_NEW_ARRAY(rd->s->arena, rd->obj_count, struct plumb_hwloc_obj *);

    for (size_t width = 1; width < rd->obj_count; width *= 2) {
        for (size_t begin = 0; begin < rd->obj_count; begin += 2 * width) {
            size_t middle = begin + width < rd->obj_count ? begin + width : rd->obj_count;
            size_t end = begin + 2 * width < rd->obj_count ? begin + 2 * width : rd->obj_count;

            for (size_t i = begin, j = middle, k = begin; k < end; k++)
                to[k] = i < middle && (j == end || by_gp_index(from[i], from[j]) <= 0) ? from[i++]
                                                                                       : from[j++];
        }

        struct plumb_hwloc_obj **swap = from;

        from = to;
        to = swap;
    }
    rd->by_gp = from;
}

static void check_gp_indexes(struct plumb_hwloc_reader *rd)
{
    sort_by_gp(rd);
    for (size_t i = 1; i < rd->obj_count; i++) {
        if (rd->by_gp[i]->gp_index != rd->by_gp[i - 1]->gp_index)
            continue;
        rd->faults++;
        plumb_diag_note(plumb_hw_report(rd->s, PLUMB_HW_OBJECT, rd->by_gp[i]->e->at,
                                        "'gp_index' %llu stands at two objects, expected one",
                                        (unsigned long long)rd->by_gp[i]->gp_index),
                        rd->by_gp[i - 1]->e->at, "the other object");
    }
}

static void check_numa_once(struct plumb_hwloc_reader *rd)
{
    struct plumb_hwloc_set seen = {.word_count = rd->root->complete_nodes.word_count};

    seen.words = PLUMB_NEW_ARRAY(rd->s->arena, seen.word_count, uint64_t);
    for (size_t i = 0; i < rd->obj_count; i++) {
        const struct plumb_hwloc_obj *o = rd->by_gp[i];

        if (o->type != PLUMB_HWLOC_T_NUMA)
            continue;
        if (plumb_hwloc_set_overlap(&o->nodes, &seen))
            report_set(rd, o, "nodeset", NULL, "is that of another NUMA node too");
        for (uint32_t w = 0; w < o->nodes.word_count && w < seen.word_count; w++)
            seen.words[w] |= o->nodes.words[w];
    }
}

void plumb_hwloc_tree(struct plumb_hwloc_reader *rd, const struct plumb_xml *root)
{
    rd->root = plumb_hwloc_add(rd, root, PLUMB_HWLOC_T_MACHINE, NULL);
    plumb_hwloc_object(rd, rd->root);
    plumb_hwloc_walk(rd, root, rd->root, rd->root);
    if (rd->faults > 0)
        return;
    if (rd->pu_seen == 0 || rd->numa_seen == 0)
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, root->at, "the machine has no %s, expected some",
                          rd->pu_seen == 0 ? "CPUs" : "NUMA nodes");
    for (size_t i = 0; i < rd->obj_count; i++)
        check_siblings(rd, rd->by_gp[i]);
    check_gp_indexes(rd);
    check_numa_once(rd);
}
