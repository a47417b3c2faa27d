/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From classes to NodeSets. A partition takes whole NodeSets, since pods have other names than
 * machines; so a class is cut where a partition takes a part of it. A class that is not cut
 * keeps its name; a piece is named by its class and the first partition that takes it and not
 * the whole class.
 */
#include <string.h>

#include "base/text.h"
#include "bundle/bundle.h"
#include "model/kube_stack.h"
#include "model/mig.h"

enum { NAME_ROOM = 63 - sizeof("-99999") + 1 }; /* a DNS label holds the name and a number */

static struct plumb_set *add_set(struct plumb_bundle *b)
{
    b->sets = plumb_arena_grow(b->a, b->sets, b->set_count, &b->set_cap, sizeof(*b->sets));
    b->sets[b->set_count] = (struct plumb_set){0};
    return &b->sets[b->set_count++];
}

/* Cuts the sets from first on into what a partition takes and what it does not. */
static void cut_by(struct plumb_bundle *b, size_t first, const struct plumb_hostlist *taken)
{
    size_t end = b->set_count;

    for (size_t i = first; i < end; i++) {
        struct plumb_hostlist *in = plumb_hostlist_intersect(b->a, b->sets[i].hosts, taken);
        struct plumb_hostlist *out = plumb_hostlist_minus(b->a, b->sets[i].hosts, taken);
        struct plumb_set *piece = NULL;

        if (in->count == 0 || out->count == 0)
            continue;
        piece = add_set(b);
        *piece = b->sets[i];
        piece->hosts = out;
        b->sets[i].hosts = in;
    }
}

static bool cuts(const struct plumb_bundle *b, const struct plumb_partition *p,
                 const struct plumb_set *set)
{
    return !p->all_nodes && p->nodes != NULL &&
           plumb_hostlist_intersect(b->a, set->hosts, p->nodes)->count > 0 &&
           plumb_hostlist_minus(b->a, set->nodes->hosts, p->nodes)->count > 0;
}

/* Lower-case letters, digits and dashes of a name. */
static const char *as_label(struct plumb_arena *a, const char *name)
{
    struct plumb_buf out = plumb_buf_in(a);

    for (const char *c = name; *c != '\0'; c++) {
        char low = plumb_lower(*c);

        plumb_buf_char(&out, (low >= 'a' && low <= 'z') || plumb_is_digit(low) ? low : '-');
    }
    while (out.len > 0 && out.text[out.len - 1] == '-')
        out.len--;
    return plumb_arena_strndup(a, out.text == NULL ? "" : out.text, out.len);
}

/* "NAME-7" where a set has the name and so many pods: Slurm takes no node set named as a node. */
static bool is_pod_of(const char *name, const char *set, uint64_t count)
{
    size_t len = strlen(set);
    uint64_t number = 0;

    if (strncmp(name, set, len) != 0 || name[len] != '-' || name[len + 1] == '\0')
        return false;
    for (const char *c = name + len + 1; *c != '\0'; c++) {
        if (!plumb_is_digit(*c) || number > UINT32_MAX)
            return false;
        number = number * 10 + (uint64_t)(*c - '0');
    }
    return number < count;
}

static bool is_taken(const struct plumb_bundle *b, const char *name, size_t before)
{
    for (size_t i = 0; i < b->m->node_count; i++) {
        if (strcmp(b->m->nodes[i].class_name, name) == 0)
            return true;
    }
    for (size_t i = 0; i < before; i++) {
        if (strcmp(b->sets[i].name, name) == 0)
            return true;
    }
    return false;
}

static const char *piece_name(struct plumb_bundle *b, size_t i)
{
    const struct plumb_set *set = &b->sets[i];
    const char *base = plumb_arena_printf(b->a, "%s-rest", set->nodes->class_name);
    const char *name = NULL;

    for (size_t p = 0; p < b->m->partition_count; p++) {
        if (!cuts(b, &b->m->partitions[p], set))
            continue;
        base = plumb_arena_printf(b->a, "%s-%s", set->nodes->class_name,
                                  as_label(b->a, b->m->partitions[p].name.v));
        break;
    }
    name = base;
    for (unsigned n = 2; is_taken(b, name, i); n++)
        name = plumb_arena_printf(b->a, "%s-part%u", base, n);
    return name;
}

static void name_pods(struct plumb_bundle *b, struct plumb_set *set)
{
    struct plumb_slice text = {.lead = PLUMB_SLICE_MADE, .at = set->hosts->at};

    set->count = set->hosts->count;
    text.text = set->count == 1 ? plumb_arena_printf(b->a, "%s-0", set->name)
                                : plumb_arena_printf(b->a, "%s-[0-%llu]", set->name,
                                                     (unsigned long long)set->count - 1);
    text.len = (uint32_t)strlen(text.text);
    set->pods = plumb_hostlist_read(b->em->session, &text, b->m->release);
    if (set->pods == NULL || strlen(set->name) > NAME_ROOM)
        plumb_bundle_refuse(b, set->nodes->at, "the name of a NodeSet would be too long for a pod");
}

static void check_names(struct plumb_bundle *b)
{
    for (size_t i = 0; i < b->set_count; i++) {
        for (size_t j = 0; j < b->set_count; j++) {
            if (is_pod_of(b->sets[i].name, b->sets[j].name, b->sets[j].count))
                plumb_bundle_refuse(b, b->sets[i].nodes->at,
                                    "a NodeSet would have the name of a node of another one");
        }
    }
}

void plumb_bundle_cut(struct plumb_bundle *b)
{
    for (size_t i = 0; i < b->m->node_count; i++) {
        size_t first = b->set_count;
        struct plumb_set *set = NULL;

        if (b->m->nodes[i].hosts == NULL)
            continue;
        set = add_set(b);
        set->nodes = &b->m->nodes[i];
        set->class = &b->plan->classes[i];
        set->hosts = b->m->nodes[i].hosts;
        for (size_t p = 0; p < b->m->partition_count; p++) {
            if (!b->m->partitions[p].all_nodes && b->m->partitions[p].nodes != NULL)
                cut_by(b, first, b->m->partitions[p].nodes);
        }
        for (size_t s = first; s < b->set_count; s++) {
            b->sets[s].name = b->set_count == first + 1 ? set->nodes->class_name : piece_name(b, s);
            name_pods(b, &b->sets[s]);
        }
    }
    check_names(b);
}

/* ---- numbered nodes ---- */

static struct plumb_hostlist *read_pods(struct plumb_bundle *b, const char *text,
                                        struct plumb_span at)
{
    struct plumb_slice slice = {
        .text = text, .len = (uint32_t)strlen(text), .lead = PLUMB_SLICE_MADE, .at = at};

    return plumb_hostlist_read(b->em->session, &slice, b->m->release);
}

/* Two digits or more, as the guides for SUNK count: 01, 02, ... 99, 100. */
void plumb_bundle_number(struct plumb_bundle *b)
{
    for (size_t i = 0; i < b->m->node_count; i++) {
        const struct plumb_nodes *n = &b->m->nodes[i];
        struct plumb_set *set = NULL;

        if (n->hosts == NULL || n->hosts->count == 0)
            continue;
        set = add_set(b);
        *set = (struct plumb_set){
            .nodes = n,
            .class = &b->plan->classes[i],
            .hosts = n->hosts,
            .name = n->class_name,
            .count = n->hosts->count,
        };
        set->pods =
            read_pods(b,
                      set->count == 1 ? plumb_arena_printf(b->a, "%s-01", set->name)
                                      : plumb_arena_printf(b->a, "%s-[01-%02llu]", set->name,
                                                           (unsigned long long)set->count),
                      n->hosts->at);
        if (set->pods == NULL || strlen(set->name) > NAME_ROOM)
            plumb_bundle_refuse(b, n->at, "the name of a NodeSet would be too long for a pod");
    }
}

/* Adds the nodes lo to hi of a set, counted from 1. */
static void add_run(struct plumb_bundle *b, struct plumb_hostlist *pods,
                    const struct plumb_set *set, uint64_t lo, uint64_t hi)
{
    const char *text = plumb_arena_printf(b->a, "%s-[%02llu-%02llu]", set->name,
                                          (unsigned long long)lo, (unsigned long long)hi);
    struct plumb_hostlist *run = read_pods(b, text, pods->at);

    if (run != NULL)
        plumb_hostlist_append(b->a, pods, run);
}

/* The nodes of a set at the places of some hosts. */
static void add_numbered(struct plumb_bundle *b, struct plumb_hostlist *pods,
                         const struct plumb_set *set, const struct plumb_hostlist *hosts)
{
    struct plumb_host_cursor at = {0};
    struct plumb_buf name = plumb_buf_in(b->a);
    uint64_t number = 0, begin = 0; /* 0: no run is open */

    if (plumb_hostlist_minus(b->a, set->hosts, hosts)->count == 0) {
        plumb_hostlist_append(b->a, pods, set->pods);
        return;
    }
    while (plumb_hostlist_next(set->hosts, &at, &name)) {
        bool in = plumb_hostlist_has(hosts, plumb_buf_text(&name));

        number++;
        if (in && begin == 0)
            begin = number;
        if (!in && begin > 0) {
            add_run(b, pods, set, begin, number - 1);
            begin = 0;
        }
    }
    if (begin > 0)
        add_run(b, pods, set, begin, number);
}

const char *plumb_bundle_sets_of(struct plumb_bundle *b, const struct plumb_hostlist *hosts)
{
    struct plumb_buf out = plumb_buf_in(b->a);

    for (size_t i = 0; i < b->set_count; i++) {
        if (plumb_hostlist_intersect(b->a, b->sets[i].hosts, hosts)->count > 0)
            plumb_buf_printf(&out, "%s%s", out.len > 0 ? "," : "", b->sets[i].name);
    }
    return plumb_buf_text(&out);
}

/* The class that a list is all hosts of, as lines of gres.conf have it; NULL: another list. */
static const struct plumb_nodes *class_of(const struct plumb_bundle *b,
                                          const struct plumb_hostlist *hosts)
{
    for (size_t i = 0; i < b->m->node_count; i++) {
        if (b->m->nodes[i].hosts == hosts)
            return &b->m->nodes[i];
    }
    return NULL;
}

/* Some hosts of the set are in the list. A class has no host of another. */
static bool is_in(struct plumb_bundle *b, const struct plumb_set *set,
                  const struct plumb_nodes *class, const struct plumb_hostlist *hosts)
{
    if (class != NULL)
        return set->nodes == class;
    return plumb_hostlist_intersect(b->a, set->hosts, hosts)->count > 0;
}

struct plumb_hostlist *plumb_bundle_pods_of(struct plumb_bundle *b,
                                            const struct plumb_hostlist *hosts)
{
    struct plumb_hostlist *pods = PLUMB_NEW(b->a, struct plumb_hostlist);
    const struct plumb_nodes *class = class_of(b, hosts);

    pods->at = hosts->at;
    for (size_t i = 0; i < b->set_count; i++) {
        const struct plumb_set *set = &b->sets[i];

        if (set->pods == NULL || !is_in(b, set, class, hosts))
            continue;
        if (b->numbered)
            add_numbered(b, pods, set, hosts);
        else
            plumb_hostlist_append(b->a, pods, set->pods);
    }
    return pods;
}

uint64_t plumb_bundle_gpus(struct plumb_bundle *b, const struct plumb_nodes *n)
{
    bool single = plumb_kube_mig_single(b->m);

    for (size_t i = 0; i < n->gres_count; i++) {
        if (n->gres[i].type != NULL && plumb_mig_of_type(n->gres[i].type) != NULL && !single)
            plumb_bundle_refuse(b, n->gres[i].at,
                                "pods ask for instances of MIG as nvidia.com/gpu where "
                                "'kubernetes.gpu_operator' cuts all GPUs of a class alike, and "
                                "this does not say so");
    }
    return plumb_gres_total(n, "gpu");
}
