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

static const struct {
    const char *name;
    enum plumb_hwloc_type type;
    unsigned rank; /* a child's is higher than its parent's; 1 may stand below 1 */
} types[] = {
    {"Machine", PLUMB_HWLOC_T_MACHINE, 0}, {"Package", PLUMB_HWLOC_T_PACKAGE, 1},
    {"Group", PLUMB_HWLOC_T_GROUP, 1},     {"Die", PLUMB_HWLOC_T_DIE, 1},
    {"L3Cache", PLUMB_HWLOC_T_L3, 1},      {"Core", PLUMB_HWLOC_T_CORE, 2},
    {"PU", PLUMB_HWLOC_T_PU, 3},           {"NUMANode", PLUMB_HWLOC_T_NUMA, 4},
    {"Bridge", PLUMB_HWLOC_T_IO, 5},       {"PCIDev", PLUMB_HWLOC_T_IO, 5},
    {"OSDev", PLUMB_HWLOC_T_IO, 5},
};

static enum plumb_hwloc_type type_of(const char *name, unsigned *rank)
{
    for (size_t i = 0; i < PLUMB_COUNT(types); i++) {
        if (types[i].name[0] == name[0] && strcmp(types[i].name, name) == 0) {
            *rank = types[i].rank;
            return types[i].type;
        }
    }
    *rank = 0;
    return PLUMB_HWLOC_T_SKIP;
}

static unsigned rank_of(enum plumb_hwloc_type type)
{
    for (size_t i = 0; i < PLUMB_COUNT(types); i++) {
        if (types[i].type == type)
            return types[i].rank;
    }
    return 0;
}

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

static uint32_t hex_digit(char c)
{
    char low = plumb_lower(c);

    return plumb_is_digit(c)          ? (uint32_t)(c - '0')
           : low >= 'a' && low <= 'f' ? (uint32_t)(low - 'a' + 10)
                                      : 16;
}

/* One group: nothing, or 0x and up to eight digits. False for anything else. */
static bool read_group(const char *text, uint32_t len, uint64_t *bits)
{
    *bits = 0;
    if (len == 0)
        return true;
    if (len < 3 || len > 10 || text[0] != '0' || text[1] != 'x')
        return false;
    for (uint32_t i = 2; i < len; i++) {
        uint32_t digit = hex_digit(text[i]);

        if (digit > 15)
            return false;
        *bits = *bits << 4 | digit;
    }
    return true;
}

/* "0x0000ffff,,0x1": groups of 32 bits, highest first, an empty one is 0. */
static bool read_set(struct plumb_hwloc_reader *rd, const struct plumb_slice *v,
                     struct plumb_hwloc_set *out)
{
    uint32_t groups = 1, at = 0;

    for (uint32_t i = 0; i < v->len; i++)
        groups += v->text[i] == ',';
    if (groups > PLUMB_MAX_PUS / 32)
        return false;
    out->word_count = (groups + 1) / 2;
    out->words = PLUMB_NEW_ARRAY(rd->s->arena, out->word_count, uint64_t);
    for (uint32_t g = groups; g > 0; g--) {
        uint32_t end = at;
        uint64_t bits = 0;

        while (end < v->len && v->text[end] != ',')
            end++;
        if (!read_group(v->text + at, end - at, &bits))
            return false;
        out->words[(g - 1) / 2] |= bits << ((g - 1) % 2 * 32);
        at = end + 1;
    }
    return true;
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

    if (a == NULL)
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, o->e->at,
                          "object '%s' has no '%s', expected a set such as '0x0000ffff'",
                          plumb_xml_value(o->e, "type"), name);
    else if (same_set(&a->value, like, like_name))
        *out = *like_set;
    else if (!read_set(rd, &a->value, out))
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
        (!pu && plumb_hwloc_set_count(now) != 1))
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

static struct plumb_hwloc_obj *add_object(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                                          enum plumb_hwloc_type type,
                                          struct plumb_hwloc_obj *parent)
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

static void read_object(struct plumb_hwloc_reader *rd, struct plumb_hwloc_obj *o)
{
    const struct plumb_hwloc_obj *p = o->parent;
    size_t faults = rd->faults;

    o->gp_index = number_of(rd, o, "gp_index", true);
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

/* True when the type may stand below its parent's. */
static bool fits(const struct plumb_hwloc_obj *parent, enum plumb_hwloc_type type, unsigned rank)
{
    unsigned above = rank_of(parent->type);

    if (type == PLUMB_HWLOC_T_MACHINE || parent->type == PLUMB_HWLOC_T_NUMA)
        return false;
    for (const struct plumb_hwloc_obj *p = parent; p != NULL; p = p->parent) {
        if (p->type == type && type != PLUMB_HWLOC_T_GROUP)
            return false;
    }
    return rank > above || (rank == 1 && above == 1);
}

static void walk(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                 struct plumb_hwloc_obj *parent)
{
    for (uint32_t i = 0; i < e->child_count; i++) {
        const struct plumb_xml *child = e->children[i];
        const char *name = plumb_xml_value(child, "type");
        unsigned rank = 0;

        if (strcmp(child->name, "object") != 0)
            continue;
        if (name == NULL) {
            plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, child->at, "an object has no 'type'");
            continue;
        }

        enum plumb_hwloc_type type = type_of(name, &rank);

        if (type == PLUMB_HWLOC_T_SKIP) {
            walk(rd, child, parent);
        } else if (type == PLUMB_HWLOC_T_IO) {
            plumb_hwloc_io(rd, child, PLUMB_HWLOC_NONE, parent);
        } else if (!fits(parent, type, rank)) {
            plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, child->at,
                              "object '%s' stands below '%s', expected it above or beside", name,
                              plumb_xml_value(parent->e, "type"));
        } else {
            struct plumb_hwloc_obj *o = add_object(rd, child, type, parent);

            read_object(rd, o);
            walk(rd, child, o);
        }
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
    rd->root = add_object(rd, root, PLUMB_HWLOC_T_MACHINE, NULL);
    read_object(rd, rd->root);
    walk(rd, root, rd->root);
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
