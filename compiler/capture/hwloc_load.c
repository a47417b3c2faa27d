/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libhwloc's view: which levels a machine has after groups that bring no structure are gone,
 * the order of cores, and whose child the first NUMA node is. slurmd counts with the same
 * library (src/slurmd/common/xcpuinfo.c), so its answers are the ones that matter.
 */
#include <hwloc.h>
#include <string.h>

#include "capture/hwloc_read.h"

static const char *const type_names[] = {
    [PLUMB_HWLOC_T_MACHINE] = "Machine", [PLUMB_HWLOC_T_PACKAGE] = "Package",
    [PLUMB_HWLOC_T_GROUP] = "Group",     [PLUMB_HWLOC_T_DIE] = "Die",
    [PLUMB_HWLOC_T_L3] = "L3Cache",      [PLUMB_HWLOC_T_CORE] = "Core",
    [PLUMB_HWLOC_T_PU] = "PU",           [PLUMB_HWLOC_T_NUMA] = "NUMANode",
};

/* lead: ' name="', in one piece, because this is done some thousand times for one file. */
static void add_set(struct plumb_buf *b, const char *lead, const struct plumb_hwloc_set *s)
{
    plumb_buf_str(b, lead);
    plumb_hwloc_set_text(s, b);
    plumb_buf_char(b, '"');
}

/* A set and the set of all that could ever be in it, which mostly is the same. */
static void add_sets(struct plumb_buf *b, const char *lead, const struct plumb_hwloc_set *s,
                     const char *complete_lead, const struct plumb_hwloc_set *complete)
{
    size_t begin = b->len + strlen(lead), end = 0;

    add_set(b, lead, s);
    end = b->len;
    if (s->words != complete->words) {
        add_set(b, complete_lead, complete);
        return;
    }
    plumb_buf_str(b, complete_lead);
    plumb_buf_add(b, b->text + begin, end - begin); /* an arena keeps the text if it moves */
}

static void add_number(struct plumb_buf *b, const char *lead, uint64_t v)
{
    plumb_buf_str(b, lead);
    plumb_buf_u64(b, v);
    plumb_buf_char(b, '"');
}

/* A number attribute that is copied when it is one. */
static void copy_number(struct plumb_buf *b, const struct plumb_xml *e, const char *name)
{
    const char *v = plumb_xml_value(e, name);

    if (v != NULL && v[0] != '\0' && strlen(v) < 20 && strspn(v, "0123456789") == strlen(v))
        plumb_buf_printf(b, " %s=\"%s\"", name, v);
}

/*
 * Threads are most of a file and decide nothing that is asked below: where every core is made of
 * threads alone and nothing is hidden, each core is shown to libhwloc as its first thread, and
 * sets hold first threads only. Levels, their order and what hangs where stay the same, and so they
 * do when of cores beside each other only two are shown: one would be merged with what is above.
 */
static bool threads_tell_nothing(const struct plumb_hwloc_reader *rd)
{
    for (size_t i = 0; i < rd->obj_count; i++) {
        const struct plumb_hwloc_obj *o = rd->by_gp[i];

        if (o->cpus.words != o->complete_cpus.words || o->nodes.words != o->complete_nodes.words)
            return false;
        if (o->type == PLUMB_HWLOC_T_PU && (o->parent->type != PLUMB_HWLOC_T_CORE))
            return false;
        if (o->type == PLUMB_HWLOC_T_CORE && o->first == NULL)
            return false;
        if (o->parent != NULL && o->parent->type == PLUMB_HWLOC_T_CORE &&
            o->type != PLUMB_HWLOC_T_PU)
            return false;
    }
    return true;
}

static struct plumb_hwloc_set first_threads(struct plumb_hwloc_reader *rd)
{
    struct plumb_hwloc_set out = {.word_count = rd->root->cpus.word_count};

    out.words = PLUMB_NEW_ARRAY(rd->s->arena, out.word_count, uint64_t);
    for (size_t i = 0; i < rd->obj_count; i++) {
        const struct plumb_hwloc_obj *o = rd->by_gp[i];

        if (o->type == PLUMB_HWLOC_T_CORE) /* check_single: a thread's number is its only CPU */
            out.words[o->first->os_index / 64] |= (uint64_t)1 << o->first->os_index % 64;
    }
    return out;
}

struct writer {
    struct plumb_buf text;
    bool thin;
    bool part;                   /* only some of the CPUs count */
    struct plumb_hwloc_set kept; /* when thin or part: the CPUs that libhwloc is shown */
    struct plumb_hwloc_set work; /* as many words */
};

/* Nothing of the object counts though it has CPUs. NUMA nodes stay, as they do in slurmd. */
static bool is_hidden(const struct writer *w, const struct plumb_hwloc_obj *o)
{
    return w->part && o->type != PLUMB_HWLOC_T_NUMA && o->type != PLUMB_HWLOC_T_MACHINE &&
           !plumb_hwloc_set_empty(&o->cpus) && !plumb_hwloc_set_overlap(&o->cpus, &w->kept);
}

static void write_cpus(struct writer *w, const struct plumb_hwloc_obj *o)
{
    const struct plumb_hwloc_set *cpus = &o->cpus, *complete = &o->complete_cpus;

    if (w->thin || w->part) {
        w->work.word_count =
            o->cpus.word_count < w->kept.word_count ? o->cpus.word_count : w->kept.word_count;
        for (uint32_t i = 0; i < w->work.word_count; i++)
            w->work.words[i] = o->cpus.words[i] & w->kept.words[i];
        cpus = complete = &w->work;
    }
    add_sets(&w->text, " cpuset=\"", cpus, " complete_cpuset=\"", complete);
    if (o->parent == NULL) {
        add_set(&w->text, " allowed_cpuset=\"", cpus);
        add_set(&w->text, " allowed_nodeset=\"", &o->nodes);
    }
}

static void write_object(struct writer *w, const struct plumb_hwloc_obj *o)
{
    struct plumb_buf *b = &w->text;
    bool leaf = w->thin && o->type == PLUMB_HWLOC_T_CORE;
    uint64_t os_index = leaf ? o->first->os_index : o->os_index;

    if (leaf && o->stands_for == 0) /* another core stands for it, or none of its CPUs counts */
        return;
    if (is_hidden(w, o)) {
        for (const struct plumb_hwloc_obj *c = o->first; c != NULL; c = c->next)
            write_object(w, c);
        return;
    }
    plumb_buf_str(b, "<object type=\"");
    plumb_buf_str(b, type_names[leaf ? PLUMB_HWLOC_T_PU : o->type]);
    plumb_buf_char(b, '"');
    if (os_index != UINT64_MAX)
        add_number(b, " os_index=\"", os_index);
    write_cpus(w, o);
    /* What is left out libhwloc fills from the NUMA nodes above. */
    if (o->has_memory || o->type == PLUMB_HWLOC_T_NUMA) {
        add_sets(b, " nodeset=\"", &o->nodes, " complete_nodeset=\"", &o->complete_nodes);
    }
    add_number(b, " gp_index=\"", o->gp_index);
    if (o->type == PLUMB_HWLOC_T_L3)
        plumb_buf_str(b, " cache_size=\"0\" depth=\"3\" cache_linesize=\"64\""
                         " cache_associativity=\"0\" cache_type=\"0\"");
    if (o->type == PLUMB_HWLOC_T_NUMA)
        copy_number(b, o->e, "local_memory");
    if (o->made) {
        plumb_buf_str(b, " kind=\"1001\""); /* HWLOC_GROUP_KIND_MEMORY */
    } else if (o->type == PLUMB_HWLOC_T_GROUP) {
        copy_number(b, o->e, "kind");
        copy_number(b, o->e, "subkind");
        copy_number(b, o->e, "dont_merge");
    }
    if (leaf) {
        plumb_buf_str(b, "/>\n");
        return;
    }
    plumb_buf_str(b, ">\n");
    for (const struct plumb_hwloc_obj *c = o->first; c != NULL; c = c->next)
        write_object(w, c);
    plumb_buf_str(b, "</object>\n");
}

/* NULL when libhwloc refuses. The caller destroys it. */
static hwloc_topology_t load(const struct plumb_buf *text)
{
    hwloc_topology_t t = NULL;

    if (hwloc_topology_init(&t) != 0)
        return NULL;
    if (hwloc_topology_set_xmlbuffer(t, text->text, (int)(text->len + 1)) == 0 &&
        hwloc_topology_set_flags(
            t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                   HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS) == 0 &&
        hwloc_topology_load(t) == 0)
        return t;
    hwloc_topology_destroy(t);
    return NULL;
}

static const struct plumb_hwloc_obj *ours(const struct plumb_hwloc_reader *rd, hwloc_obj_t o)
{
    size_t lo = 0, hi = rd->obj_count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (rd->by_gp[mid]->gp_index < o->gp_index)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < rd->obj_count && rd->by_gp[lo]->gp_index == o->gp_index ? rd->by_gp[lo] : NULL;
}

static uint32_t count_of(hwloc_topology_t t, hwloc_obj_type_t type)
{
    int n = hwloc_get_nbobjs_by_type(t, type);

    return n > 0 ? (uint32_t)n : 0;
}

/* Position of the package above an object among those with cores. */
static uint32_t package_of(const struct plumb_hwloc *h, const struct plumb_hwloc_reader *rd,
                           hwloc_topology_t t, hwloc_obj_t o)
{
    hwloc_obj_t p = hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_PACKAGE, o);
    const struct plumb_hwloc_obj *own = p == NULL ? NULL : ours(rd, p);

    for (size_t i = 0; own != NULL && i < h->package_count; i++) {
        if (h->packages[i].at.begin == own->e->at.begin)
            return (uint32_t)i;
    }
    return PLUMB_HWLOC_NONE;
}

/* A machine without package objects is one package to slurmd. */
static uint32_t package_or_only(const struct plumb_hwloc *h, const struct plumb_hwloc_reader *rd,
                                hwloc_topology_t t, hwloc_obj_t o)
{
    uint32_t package = package_of(h, rd, t, o);

    return package == PLUMB_HWLOC_NONE && h->package_count == 1 ? 0 : package;
}

/* How many cores a core or, without those, a thread of libhwloc is. */
static uint32_t cores_at(const struct plumb_hwloc_reader *rd, hwloc_obj_t o)
{
    const struct plumb_hwloc_obj *own = ours(rd, o);

    return own != NULL && own->stands_for > 0 ? own->stands_for : 1;
}

static uint32_t all_cores(const struct plumb_hwloc_reader *rd, hwloc_topology_t t,
                          hwloc_obj_type_t core)
{
    uint32_t shown = count_of(t, core), all = 0;

    for (uint32_t i = 0; i < shown; i++)
        all += cores_at(rd, hwloc_get_obj_by_type(t, core, i));
    return all;
}

/* How many cores stand below each object of a depth, by its logical index. */
static uint32_t *cores_below(struct plumb_hwloc_reader *rd, hwloc_topology_t t, int depth,
                             hwloc_obj_type_t core)
{
    uint32_t cores = count_of(t, core);
    uint32_t *below = PLUMB_NEW_ARRAY(rd->s->arena, hwloc_get_nbobjs_by_depth(t, depth), uint32_t);

    for (uint32_t i = 0; i < cores; i++) {
        hwloc_obj_t c = hwloc_get_obj_by_type(t, core, i);
        hwloc_obj_t o = hwloc_get_ancestor_obj_by_depth(t, depth, c);

        if (o != NULL)
            below[o->logical_index] += cores_at(rd, c);
    }
    return below;
}

static void read_packages(struct plumb_hwloc_reader *rd, hwloc_topology_t t, hwloc_obj_type_t core)
{
    struct plumb_hwloc *h = rd->out;
    uint32_t count = count_of(t, HWLOC_OBJ_PACKAGE), first = 0, *below = NULL;

    if (count > 0)
        below = cores_below(rd, t, hwloc_get_type_depth(t, HWLOC_OBJ_PACKAGE), core);
    h->packages = PLUMB_NEW_ARRAY(rd->s->arena, (size_t)count + 1, struct plumb_hwloc_package);
    for (uint32_t i = 0; i < count; i++) {
        hwloc_obj_t o = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, i);
        const struct plumb_hwloc_obj *own = ours(rd, o);
        uint32_t cores = below[i];

        if (own == NULL || cores == 0) /* slurmd does not count objects without cores */
            continue;
        h->packages[h->package_count++] = (struct plumb_hwloc_package){
            .os_index = own->os_index == UINT64_MAX ? i : (uint32_t)own->os_index,
            .first_core = first,
            .core_count = cores,
            .at = own->e->at,
        };
        first += cores;
    }
    h->has_packages = h->package_count > 0;
    if (h->package_count == 0) /* some virtual machines have none; slurmd sees one socket */
        h->packages[h->package_count++] = (struct plumb_hwloc_package){
            .core_count = all_cores(rd, t, core),
            .at = rd->root->e->at,
        };
}

/* The core, and those that it stands for. */
static void add_cores(struct plumb_hwloc *h, const struct plumb_hwloc_obj *own, uint32_t package)
{
    uint32_t left = own->stands_for > 0 ? own->stands_for : 1;

    for (const struct plumb_hwloc_obj *o = own; left > 0; o = o->next) {
        if (o != own && !o->counts)
            continue;
        left--;
        h->cores[h->core_count++] = (struct plumb_hwloc_core){
            .package = package,
            .cpus = o->cpus,
            .at = o->e->at,
        };
    }
}

static void read_cores(struct plumb_hwloc_reader *rd, hwloc_topology_t t, hwloc_obj_type_t core)
{
    struct plumb_hwloc *h = rd->out;
    uint32_t shown = count_of(t, core);

    h->cores = PLUMB_NEW_ARRAY(rd->s->arena, all_cores(rd, t, core), struct plumb_hwloc_core);
    for (uint32_t i = 0; i < shown; i++) {
        hwloc_obj_t o = hwloc_get_obj_by_type(t, core, i);
        const struct plumb_hwloc_obj *own = ours(rd, o);

        if (own != NULL)
            add_cores(h, own, package_or_only(h, rd, t, o));
    }
}

/*
 * hwloc hangs a node without CPUs beside the one whose cores are nearest and gives it their CPUs
 * (HBM, CXL, the memory of a GPU on Grace). The node with the lowest number is the one of the CPUs.
 */
static bool is_memory_only(const struct plumb_hwloc_obj *node)
{
    const char *subtype = plumb_xml_value(node->e, "subtype");

    if (subtype != NULL && strcmp(subtype, "GPUMemory") == 0)
        return true;
    for (const struct plumb_hwloc_obj *o = node->parent->first; o != NULL; o = o->next) {
        if (o->type == PLUMB_HWLOC_T_NUMA && o->os_index < node->os_index)
            return true;
    }
    return false;
}

static void read_numa(struct plumb_hwloc_reader *rd, hwloc_topology_t t)
{
    struct plumb_hwloc *h = rd->out;
    uint32_t count = count_of(t, HWLOC_OBJ_NUMANODE);

    h->numa = PLUMB_NEW_ARRAY(rd->s->arena, count, struct plumb_hwloc_numa);
    for (uint32_t i = 0; i < count; i++) {
        hwloc_obj_t o = hwloc_get_obj_by_type(t, HWLOC_OBJ_NUMANODE, i);
        const struct plumb_hwloc_obj *own = ours(rd, o);

        if (own == NULL)
            continue;
        h->numa[h->numa_count++] = (struct plumb_hwloc_numa){
            .os_index = {(uint32_t)own->os_index},
            .cpus = is_memory_only(own) ? (struct plumb_hwloc_set){0}
                                        : plumb_hwloc_set_both(rd->s->arena, &own->cpus, &h->cpus),
            .package = package_or_only(h, rd, t, o),
            .memory_bytes = o->attr->numanode.local_memory,
            .memory_told = plumb_xml_value(own->e, "local_memory") != NULL,
            .at = own->e->at,
        };
    }
}

/*
 * Objects of one type that have cores, and whether they have equally many. slurmd takes a machine
 * without such objects for one socket, and stops where they are on several levels, as groups may
 * be (xcpuinfo_hwloc_topo_get).
 */
static struct plumb_hwloc_sockets sockets_of(struct plumb_hwloc_reader *rd, hwloc_topology_t t,
                                             hwloc_obj_type_t type, hwloc_obj_type_t core)
{
    struct plumb_hwloc_sockets s = {0};
    int depth = hwloc_get_type_depth(t, type);
    uint32_t expected = 0;
    unsigned count = depth < 0 ? 0 : hwloc_get_nbobjs_by_depth(t, depth);
    const uint32_t *below = depth < 0 ? NULL : cores_below(rd, t, depth, core);

    if (depth == HWLOC_TYPE_DEPTH_MULTIPLE)
        return s;
    for (unsigned i = 0; i < count; i++) {
        if (below[i] == 0)
            continue;
        if (s.count > 0 && below[i] != expected)
            s.uneven = true;
        expected = below[i];
        s.count++;
    }
    if (s.count == 0)
        s.count = 1;
    return s;
}

/* slurmd takes groups below the machine for boards. */
static uint32_t boards_of(hwloc_topology_t t)
{
    hwloc_obj_t root = hwloc_get_root_obj(t);

    if (root->arity == 0 || root->children[0]->type != HWLOC_OBJ_GROUP)
        return 1;
    return hwloc_get_nbobjs_by_depth(t, root->children[0]->depth);
}

/* numa_node_as_socket takes the kind of object that the first NUMA node hangs on. */
static void read_sockets(struct plumb_hwloc_reader *rd, hwloc_topology_t t, hwloc_obj_type_t core)
{
    struct plumb_hwloc *h = rd->out;
    hwloc_obj_t node = hwloc_get_obj_by_type(t, HWLOC_OBJ_NUMANODE, 0);

    h->by_numa = sockets_of(rd, t, node->parent->type, core);
    h->by_l3 = sockets_of(rd, t, HWLOC_OBJ_L3CACHE, core);
    h->boards = boards_of(t);
}

/* Cores beside each other are shown as two: the first, and one for all others. */
static void fold_cores(struct writer *w, const struct plumb_hwloc_obj *parent)
{
    struct plumb_hwloc_obj *second = NULL;
    uint32_t run = 0;

    for (struct plumb_hwloc_obj *o = parent->first; o != NULL; o = o->next) {
        o->counts = false;
        o->stands_for = 0;
        if (o->type != PLUMB_HWLOC_T_CORE) {
            run = 0;
            continue;
        }

        uint64_t *word = &w->kept.words[o->first->os_index / 64];
        uint64_t bit = (uint64_t)1 << o->first->os_index % 64;

        o->counts = (*word & bit) != 0;
        if (!o->counts)
            continue;
        if (++run <= 2) {
            o->stands_for = 1;
            second = o;
        } else {
            second->stands_for++;
            *word &= ~bit;
        }
    }
}

static void choose_cpus(struct plumb_hwloc_reader *rd, struct writer *w,
                        const struct plumb_hwloc_set *only)
{
    struct plumb_arena *a = rd->s->arena;

    if (!w->thin && !w->part)
        return;
    w->kept = w->thin ? first_threads(rd) : rd->root->cpus;
    if (w->part)
        w->kept = plumb_hwloc_set_both(a, &w->kept, only);
    for (size_t i = 0; w->thin && i < rd->obj_count; i++)
        fold_cores(w, rd->by_gp[i]);
    w->work.words = PLUMB_NEW_ARRAY(a, w->kept.word_count, uint64_t);
}

static void count_threads(struct plumb_hwloc_reader *rd, hwloc_topology_t t, const struct writer *w,
                          const struct plumb_hwloc_set *only)
{
    struct plumb_hwloc *h = rd->out;

    if (w->part)
        h->pu_count = plumb_hwloc_set_count(only);
    else
        h->pu_count = w->thin ? (uint32_t)rd->pu_seen : count_of(t, HWLOC_OBJ_PU);
    h->threads_per_core = h->core_count == 0 ? 0 : h->pu_count / (uint32_t)h->core_count;
}

void plumb_hwloc_load(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_set *only)
{
    struct writer w = {
        .text = plumb_buf_in(rd->s->arena), .thin = threads_tell_nothing(rd), .part = only != NULL};

    choose_cpus(rd, &w, only);
    plumb_buf_str(&w.text,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n");
    write_object(&w, rd->root);
    plumb_buf_str(&w.text, "</topology>\n");

    hwloc_topology_t t = load(&w.text);

    if (t == NULL) {
        plumb_hwloc_fault(rd, PLUMB_HW_REFUSED, rd->root->e->at,
                          "libhwloc makes no topology of this machine, expected what lstopo wrote");
        return;
    }

    hwloc_obj_type_t core =
        hwloc_get_type_depth(t, HWLOC_OBJ_CORE) >= 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;

    rd->out->cpus = only == NULL ? rd->root->cpus : *only;
    rd->out->has_cores = core == HWLOC_OBJ_CORE || w.thin;
    read_packages(rd, t, core);
    read_cores(rd, t, core);
    count_threads(rd, t, &w, only);
    read_numa(rd, t);
    read_sockets(rd, t, core);
    hwloc_topology_destroy(t);
}
