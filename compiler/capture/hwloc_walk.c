/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which elements of an hwloc file become objects, and where: types by the names of three formats,
 * NUMA nodes of 1.x above whose cores they stand, groups that slurmd does not see.
 */
#include <string.h>

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
    {"OSDev", PLUMB_HWLOC_T_IO, 5},        {"Socket", PLUMB_HWLOC_T_PACKAGE, 1},
};

static bool has_value(const struct plumb_xml *e, const char *name, const char *want)
{
    const char *v = plumb_xml_value(e, name);

    return v != NULL && strcmp(v, want) == 0;
}

/* 1.x has one type for all caches; cache_type 2 are those of instructions. */
static bool is_old_l3(const struct plumb_xml *e, const char *name)
{
    return strcmp(name, "Cache") == 0 && has_value(e, "depth", "3") &&
           !has_value(e, "cache_type", "2");
}

/*
 * lstopo puts a group around CPUs that some device is near to (HWLOC_GROUP_KIND_IO). slurmd looks
 * for no devices, so its own view of the machine has no such groups. Where a NUMA node hangs on it,
 * the node alone would have made a group.
 */
static bool is_io_group(const struct plumb_xml *e, enum plumb_hwloc_type type)
{
    if (type != PLUMB_HWLOC_T_GROUP || !has_value(e, "kind", "1000"))
        return false;
    for (uint32_t i = 0; i < e->child_count; i++) {
        if (has_value(e->children[i], "type", "NUMANode"))
            return false;
    }
    return true;
}

static enum plumb_hwloc_type type_of(const struct plumb_xml *e, const char *name, unsigned *rank)
{
    if (is_old_l3(e, name))
        name = "L3Cache";
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

/* A NUMA node whose CPUs are not those of the object above, in a file of 1.x. */
static bool needs_group(const struct plumb_hwloc_obj *node)
{
    const struct plumb_hwloc_set *own = &node->complete_cpus, *above = &node->parent->complete_cpus;

    return !plumb_hwloc_set_empty(own) && !plumb_hwloc_set_within(above, own);
}

/* A new object with what was read of another. */
static struct plumb_hwloc_obj *add_like(struct plumb_hwloc_reader *rd,
                                        const struct plumb_hwloc_obj *like,
                                        enum plumb_hwloc_type type, struct plumb_hwloc_obj *parent)
{
    struct plumb_hwloc_obj *o = plumb_hwloc_add(rd, like->e, type, parent);

    o->os_index = like->os_index;
    o->cpus = like->cpus;
    o->complete_cpus = like->complete_cpus;
    o->nodes = like->nodes;
    o->complete_nodes = like->complete_nodes;
    o->gp_index = like->gp_index;
    return o;
}

/*
 * In 1.x cores stand below their NUMA node; since 2.0 both stand below the object that has the
 * same CPUs, which may be a group made for that (hwloc__xml_import_object of 2.x). A node without
 * CPUs stays where it is; one without memory is only its group.
 */
static void enter_old_node(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                           struct plumb_hwloc_obj *parent)
{
    struct plumb_hwloc_obj node = {.type = PLUMB_HWLOC_T_NUMA, .e = e, .parent = parent};

    plumb_hwloc_object(rd, &node);
    if (needs_group(&node)) {
        parent = add_like(rd, &node, PLUMB_HWLOC_T_GROUP, parent);
        parent->made = true;
        parent->gp_index = plumb_hwloc_made_gp(rd);
        parent->os_index = UINT64_MAX;
    }
    if (!plumb_hwloc_set_empty(&node.nodes))
        (void)add_like(rd, &node, PLUMB_HWLOC_T_NUMA, parent);
    plumb_hwloc_walk(rd, e, parent, parent);
}

/* Puts the last child where its first CPU belongs; what has no CPUs stays last. */
static void sort_in_last(struct plumb_hwloc_obj *parent)
{
    struct plumb_hwloc_obj *o = parent->last, *before = NULL, *place = NULL;
    uint32_t first = plumb_hwloc_set_first(&o->complete_cpus);
    bool placed = false;

    for (struct plumb_hwloc_obj *c = parent->first; c != o; c = c->next) {
        placed = placed || (c->type != PLUMB_HWLOC_T_NUMA &&
                            plumb_hwloc_set_first(&c->complete_cpus) > first);
        if (!placed)
            place = c;
        before = c;
    }
    if (before == NULL || !placed || o->type == PLUMB_HWLOC_T_NUMA)
        return;
    before->next = NULL;
    parent->last = before;
    o->next = place == NULL ? parent->first : place->next;
    *(place == NULL ? &parent->first : &place->next) = o;
}

/* Children of two objects that were left out interleave where CPUs are numbered in turn. */
static bool out_of_order(const struct plumb_hwloc_obj *before, const struct plumb_hwloc_obj *o)
{
    return before != NULL &&
           (before->type == PLUMB_HWLOC_T_NUMA || plumb_hwloc_set_first(&before->complete_cpus) >
                                                      plumb_hwloc_set_first(&o->complete_cpus));
}

static void enter(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                  enum plumb_hwloc_type type, struct plumb_hwloc_obj *parent)
{
    const struct plumb_hwloc_obj *before = parent->last;
    struct plumb_hwloc_obj *o = plumb_hwloc_add(rd, e, type, parent);

    plumb_hwloc_object(rd, o);
    if (parent->passed && out_of_order(before, o))
        sort_in_last(parent);
    plumb_hwloc_walk(rd, e, o, o);
}

/*
 * What is in the group moves up, to where hwloc had it without the group; devices are near the
 * CPUs of the group all the same.
 */
static void pass_group(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                       struct plumb_hwloc_obj *parent)
{
    struct plumb_hwloc_obj *o = PLUMB_NEW(rd->s->arena, struct plumb_hwloc_obj);
    struct plumb_hwloc_obj *c = NULL;

    *o = (struct plumb_hwloc_obj){.type = PLUMB_HWLOC_T_GROUP, .e = e, .parent = parent};
    plumb_hwloc_object(rd, o);
    plumb_hwloc_walk(rd, e, o, o);
    parent->passed = true;
    for (c = o->first; c != NULL; c = o->first) {
        o->first = c->next;
        c->next = NULL;
        c->parent = parent;
        *(parent->last == NULL ? &parent->first : &parent->last->next) = c;
        parent->last = c;
        parent->has_memory = parent->has_memory || c->has_memory;
        sort_in_last(parent);
    }
}

void plumb_hwloc_walk(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                      struct plumb_hwloc_obj *parent, const struct plumb_hwloc_obj *near)
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

        enum plumb_hwloc_type type = type_of(child, name, &rank);

        if (type == PLUMB_HWLOC_T_SKIP) {
            parent->passed = parent->passed || child->child_count > 0;
            plumb_hwloc_walk(rd, child, parent, near);
        } else if (type == PLUMB_HWLOC_T_IO)
            plumb_hwloc_io(rd, child, PLUMB_HWLOC_NONE, near);
        else if (!fits(parent, type, rank))
            plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, child->at,
                              "object '%s' stands below '%s', expected it above or beside", name,
                              plumb_xml_value(parent->e, "type"));
        else if (is_io_group(child, type))
            pass_group(rd, child, parent);
        else if (type == PLUMB_HWLOC_T_NUMA && rd->major == 1)
            enter_old_node(rd, child, parent);
        else
            enter(rd, child, type, parent);
    }
}
