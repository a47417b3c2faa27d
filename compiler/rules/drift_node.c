/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes: what slurmctld shows against the node lines. Both sides are ranges of hosts; a group of
 * nodes that show the same is compared once with each line that it shares names with.
 */
#include <string.h>

#include "base/text.h"
#include "rules/drift.h"
#include "rules/drift_rows.h"
#include "rules/ranges.h"
#include "schema/shown.h"

/* Nodes of a group that belong to one line. */
struct share {
    const struct plumb_live_nodes *group;
    const struct plumb_nodes *nodes;
    struct plumb_hostlist *hosts;
};

struct shares {
    struct share *items;
    size_t count, cap;
};

static struct plumb_host_range part_of(const struct plumb_host_range *r, uint64_t lo, uint64_t hi)
{
    struct plumb_host_range out = *r;

    if (r->numbered) {
        out.lo = lo;
        out.hi = hi;
        if (lo == hi)
            out.at = plumb_host_range_at(r, lo);
    }
    return out;
}

static void add_range(const struct plumb_check *ck, struct plumb_hostlist *to,
                      const struct plumb_host_range *r)
{
    to->ranges =
        plumb_arena_grow(ck->scratch, to->ranges, to->range_count, &to->cap, sizeof(*to->ranges));
    to->ranges[to->range_count++] = *r;
    to->count += r->numbered ? r->hi - r->lo + 1 : 1;
}

/* The share of a line in the group that is looked at; last[owner]: the place of its last one,
 * from 1. */
static struct share *share_of(const struct plumb_check *ck, struct shares *all, size_t *last,
                              size_t first, const struct plumb_live_nodes *group, size_t owner)
{
    if (last[owner] > first)
        return &all->items[last[owner] - 1];
    all->items =
        plumb_arena_grow(ck->scratch, all->items, all->count, &all->cap, sizeof(*all->items));
    all->items[all->count] = (struct share){
        .group = group,
        .nodes = &ck->model->nodes[owner],
        .hosts = PLUMB_NEW(ck->scratch, struct plumb_hostlist),
    };
    last[owner] = ++all->count;
    return &all->items[all->count - 1];
}

static struct shares all_shares(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    const struct plumb_range_index *x = plumb_index_nodes(ck);
    size_t *last = PLUMB_NEW_ARRAY(ck->scratch, ck->model->node_count, size_t);
    struct shares all = {0};

    for (size_t g = 0; g < live->node_count; g++) {
        const struct plumb_live_nodes *group = &live->nodes[g];
        size_t first = all.count;

        for (size_t r = 0; r < group->hosts->range_count; r++) {
            struct plumb_range_cursor c = plumb_range_from(x, &group->hosts->ranges[r]);

            while (plumb_range_next(&c)) {
                struct plumb_host_range part = part_of(&group->hosts->ranges[r], c.lo, c.hi);

                add_range(ck, share_of(ck, &all, last, first, group, c.owner)->hosts, &part);
            }
        }
    }
    return all;
}

/* Each name once: several listings may show the same node. */
static const struct plumb_hostlist *once(const struct plumb_check *ck,
                                         const struct plumb_hostlist *hosts)
{
    static const struct plumb_hostlist none;

    return plumb_hostlist_union(ck->arena, hosts, &none);
}

/* ---- values ---- */

/* One difference: the same on many nodes is one finding. */
struct fault {
    const struct plumb_param *param;
    const struct plumb_setting *want;
    struct plumb_slice got;
    struct plumb_span line;    /* of the source */
    struct plumb_setting made; /* what want points at, when the model computed it */
};

struct node_pass {
    struct plumb_fold faults;
    const struct share *share;
};

/* slurmctld adds sockets where slurmd has registered, "gpu:h100:8(S:0-1)": the same on all nodes.
 */
static struct plumb_slice without_sockets(const struct plumb_check *ck,
                                          const struct plumb_slice *gres)
{
    struct plumb_buf out = plumb_buf_in(ck->arena);
    struct plumb_slice v = *gres;
    bool inside = false;

    for (uint32_t i = 0; i < gres->len; i++) {
        inside = inside || gres->text[i] == '(';
        if (!inside)
            plumb_buf_char(&out, gres->text[i]);
        inside = inside && gres->text[i] != ')';
    }
    if (out.len == 0)
        return v;
    v.text = plumb_buf_text(&out);
    v.len = (uint32_t)out.len;
    return v;
}

static void note_fault(const struct plumb_check *ck, const struct plumb_param *p,
                       const struct plumb_setting *want, const struct plumb_slice *got, void *data)
{
    struct node_pass *pass = data;
    struct plumb_slice gres = {0};
    const char *key = NULL;
    struct plumb_fold_item *item = NULL;
    struct fault *f = NULL;

    if (p->id == PLUMB_P_NODE_GRES) {
        gres = without_sockets(ck, got);
        got = &gres;
    }
    key = plumb_arena_printf(ck->scratch, "%u\n%.*s\n%.*s", p->id, (int)got->len, got->text,
                             want == NULL ? 0 : (int)want->value.len,
                             want == NULL ? "" : want->value.text);
    item = plumb_fold_add(&pass->faults, key, got->at, pass->share->hosts);
    if (item->what != NULL)
        return;
    f = PLUMB_NEW(ck->scratch, struct fault);
    f->param = p;
    f->line = pass->share->nodes->at;
    f->got = *got;
    if (want != NULL) {
        f->made = *want;
        f->want = &f->made;
    }
    item->what = f;
    item->alike = p->name;
}

/* What the model computes of several keys, as slurmctld does. */
static const struct plumb_u64 *derived(const struct plumb_nodes *n, unsigned param)
{
    switch (param) {
    case PLUMB_P_NODE_CPUS:
        return &n->cpus;
    case PLUMB_P_NODE_BOARDS:
        return &n->boards;
    case PLUMB_P_NODE_SOCKETS:
        return &n->sockets;
    case PLUMB_P_NODE_CORESPERSOCKET:
        return &n->cores_per_socket;
    case PLUMB_P_NODE_THREADSPERCORE:
        return &n->threads_per_core;
    case PLUMB_P_NODE_REALMEMORY:
        return &n->real_memory_mib;
    default:
        return NULL;
    }
}

static void check_number(const struct plumb_check *ck, const struct plumb_u64 *want,
                         const struct plumb_setting *got, bool cut, struct node_pass *pass)
{
    struct plumb_setting made = {.param = got->param, .origin = PLUMB_DERIVED};

    if (!plumb_usable(*want) || plumb_shapeless(ck, pass->share->nodes) ||
        plumb_drift_number(want->v, &got->value, cut) != PLUMB_DRIFT_OTHER)
        return;
    made.value.text = plumb_arena_printf(ck->scratch, "%llu", (unsigned long long)want->v);
    made.value.len = (uint32_t)strlen(made.value.text);
    made.value.at = plumb_span_known(want->at) ? want->at : pass->share->nodes->at;
    note_fault(ck, got->param, &made, &got->value, pass);
}

static void check_share(const struct plumb_check *ck, struct node_pass *pass)
{
    const struct share *s = pass->share;
    struct plumb_settings rest = {0};

    for (size_t i = 0; i < s->group->shown.count; i++) {
        const struct plumb_setting *got = &s->group->shown.items[i];
        const struct plumb_u64 *number = derived(s->nodes, got->param->id);

        /* Plugins for features add what slurmd reports. */
        if (got->param->id == PLUMB_P_NODE_FEATURES &&
            plumb_global(ck, PLUMB_P_SLURM_NODEFEATURESPLUGINS) != NULL)
            continue;
        if (number != NULL) {
            check_number(ck, number, got, s->group->cut, pass);
            continue;
        }
        rest.items = plumb_arena_grow(ck->scratch, rest.items, rest.count, &rest.cap, sizeof(*got));
        rest.items[rest.count++] = *got;
        plumb_settings_note(&rest, got->param->id);
    }
    plumb_drift_settings(ck, &s->nodes->settings, &rest, s->group->cut, note_fault, pass);
}

/* Several values of one parameter, more than anyone reads one by one, were made one. */
static bool is_sum(const struct plumb_fold *all, const struct plumb_fold_item *item)
{
    const struct plumb_map_entry *e = plumb_map_find(&all->map, item->key, strlen(item->key));
    const struct plumb_fold_item *first = e == NULL ? NULL : e->value;

    return first != NULL && item->hosts->count > first->hosts->count;
}

static void tell_fault(const struct plumb_check *ck, const struct plumb_fold *all,
                       const struct plumb_fold_item *item)
{
    const struct fault *f = item->what;
    const struct plumb_hostlist *hosts = once(ck, item->hosts);
    const char *who = plumb_fold_hosts(ck, hosts);
    struct plumb_diag *d = NULL;

    if (is_sum(all, item))
        who = plumb_arena_printf(ck->arena, "each of %s differs from the source, such as one that",
                                 who);
    d = plumb_drift_report(ck, f->param, who, f->want, &f->got);
    if (f->want == NULL)
        plumb_diag_note(d, f->line, "the line of the source");
    plumb_fold_object(ck, d, hosts);
    plumb_drift_needs(d, f->param);
}

/* DRIFT020 */
void plumb_drift_nodes(const struct plumb_check *ck)
{
    struct shares all = all_shares(ck);
    struct node_pass pass = {.faults = plumb_fold_in(ck)};
    struct plumb_fold few;

    for (size_t i = 0; i < all.count; i++) {
        pass.share = &all.items[i];
        check_share(ck, &pass);
    }
    few = plumb_fold_squeeze(ck, &pass.faults);
    for (size_t i = 0; i < few.map.count; i++)
        tell_fault(ck, &pass.faults, few.map.entries[i].value);
}

/* ---- nodes on one side only ---- */

static bool has_state(const struct plumb_slice *state, const char *word)
{
    struct plumb_slice found;

    return plumb_slice_find(state, word, &found);
}

static void tell_unknown(const struct plumb_check *ck, const struct plumb_hostlist *all,
                         bool dynamic)
{
    const struct plumb_hostlist *extra = NULL;
    struct plumb_diag *d = NULL;

    if (all->range_count == 0)
        return;
    extra = once(ck, all);
    d = plumb_report(ck, all->ranges[0].at, "%s %s not in the source, expected %s",
                     plumb_fold_hosts(ck, extra), extra->count == 1 ? "is" : "are",
                     dynamic ? "a node line: slurmctld made it of what 'slurmd -Z' told"
                             : "a NodeName line of this name");
    plumb_fold_object(ck, d, extra);
    plumb_diag_fact(d, dynamic ? "'scontrol delete NodeName=...' takes a dynamic node away"
                               : "slurmctld forgets a node that is no longer in slurm.conf when it "
                                 "reads the file anew");
}

/* DRIFT021 */
void plumb_drift_node_unknown(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    const struct plumb_range_index *x = plumb_index_nodes(ck);
    struct plumb_hostlist found[2] = {{0}, {0}};

    if (ck->model->nodes_unread || ck->model->node_count == 0)
        return;
    for (size_t g = 0; g < live->node_count; g++) {
        const struct plumb_live_nodes *group = &live->nodes[g];

        if (!plumb_range_covers(x, group->hosts))
            plumb_hostlist_append(ck->arena, &found[has_state(&group->state, "DYNAMIC")],
                                  plumb_range_missing(x, group->hosts));
    }
    for (int dynamic = 0; dynamic < 2; dynamic++)
        tell_unknown(ck, &found[dynamic], dynamic == 1);
}

/* Nodes of a list that are in partitions which not everybody sees. */
static const struct plumb_hostlist *without_hidden(const struct plumb_check *ck,
                                                   const struct plumb_hostlist *hosts)
{
    const struct plumb_model *m = ck->model;
    bool all = plumb_drift_sees_all(ck);

    for (size_t i = 0; !all && i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (plumb_drift_is_hidden(p) && (p->all_nodes || p->nodes != NULL))
            hosts = plumb_hostlist_minus(ck->arena, hosts, p->all_nodes ? m->all_nodes : p->nodes);
    }
    return hosts;
}

/* DRIFT022 */
void plumb_drift_node_missing(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    struct plumb_range_index x = {.arena = ck->scratch};

    if (!live->nodes_whole || live->all_nodes == NULL)
        return;
    plumb_range_add(&x, live->all_nodes, 0);
    plumb_range_sort(&x);
    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        const struct plumb_hostlist *gone = NULL;
        struct plumb_diag *d = NULL;

        /* Nodes of State=FUTURE, and those of a cloud that are powered down, are not listed. */
        if (n->hosts == NULL || n->cloud || plumb_range_covers(&x, n->hosts))
            continue;
        gone = without_hidden(ck, plumb_range_missing(&x, n->hosts));
        if (gone->count == 0)
            continue;
        d = plumb_report(ck, gone->ranges[0].at,
                         "slurmctld does not know %s, expected %s to be "
                         "among the nodes that it lists",
                         plumb_fold_hosts(ck, gone), gone->count == 1 ? "it" : "them");
        plumb_diag_note(d, live->nodes_at, "the listing begins here");
        plumb_fold_object(ck, d, gone);
        plumb_drift_needs(d, plumb_param(PLUMB_P_SLURM_NODENAME));
    }
}

/* ---- hardware below the line ---- */

/* Reasons that slurmctld gives itself: slurmctld/node_mgr.c:validate_node_specs, interfaces/gres.c.
 */
static const struct {
    const char *reason;
    unsigned param; /* what the line promises */
} reasons[] = {
    {"Low RealMemory", PLUMB_P_NODE_REALMEMORY},
    {"Low socket*core*thread count", PLUMB_P_NODE_SOCKETS},
    {"Low CPUs", PLUMB_P_NODE_CPUS},
    {"Low TmpDisk", PLUMB_P_NODE_TMPDISK},
    {"count reported lower than configured", PLUMB_P_NODE_GRES},
    {"count too low", PLUMB_P_NODE_GRES},
    {"reported but not configured", PLUMB_P_NODE_GRES},
    {"changed and jobs are using them", PLUMB_P_NODE_GRES},
    {"CoreSpec differ", PLUMB_P_NODE_CORESPECCOUNT},
    {"RestrictedCoresPerGPU", PLUMB_P_NODE_RESTRICTEDCORESPERGPU},
};

/* The row of a reason; PLUMB_COUNT(reasons): it is none of slurmctld's own. */
static size_t reason_of(const struct plumb_slice *reason)
{
    size_t i = 0;

    while (i < PLUMB_COUNT(reasons) && !plumb_slice_holds(reason, reasons[i].reason))
        i++;
    return i;
}

static const struct plumb_setting *promise(const struct plumb_nodes *n,
                                           const struct plumb_slice *reason, const char **key)
{
    size_t i = reason_of(reason);

    if (i == PLUMB_COUNT(reasons))
        return NULL;
    *key = plumb_param((enum plumb_param_id)reasons[i].param)->name;
    return plumb_setting(&n->settings, (enum plumb_param_id)reasons[i].param);
}

static void tell_drained(const struct plumb_check *ck, const struct plumb_fold_item *item)
{
    const struct share *s = item->what;
    const char *key = NULL, *what = "the line";
    const struct plumb_setting *line = promise(s->nodes, &s->group->reason, &key);
    const struct plumb_hostlist *hosts = once(ck, item->hosts);
    struct plumb_diag *d = NULL;

    if (line != NULL)
        what = plumb_arena_printf(ck->arena, "%s '%s'", key, plumb_drift_text(ck, &line->value));
    d = plumb_report(ck, item->at,
                     "%s is not what slurmd found on %s, expected what the machine has; slurmctld "
                     "drained %s: %s",
                     what, plumb_fold_hosts(ck, hosts), hosts->count == 1 ? "it" : "them",
                     plumb_drift_text(ck, &s->group->reason));
    plumb_diag_note(d, s->group->reason.at, "slurmctld's reason");
    plumb_diag_fact(d,
                    "the machine must be repaired, or the source must say what it has; 'slurmd -C' "
                    "and 'slurmd -G' show what is there");
    plumb_fold_object(ck, d, hosts);
}

/* DRIFT023 */
void plumb_drift_node_drained(const struct plumb_check *ck)
{
    struct shares all = all_shares(ck);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < all.count; i++) {
        const struct share *s = &all.items[i];
        const struct plumb_slice *reason = &s->group->reason;
        const struct plumb_setting *line = NULL;
        const char *key = NULL;
        struct plumb_span at = s->nodes->at;
        struct plumb_fold_item *item = NULL;

        if (reason->len == 0 ||
            (reason_of(reason) == PLUMB_COUNT(reasons) && !has_state(&s->group->state, "INVAL")))
            continue;
        line = promise(s->nodes, reason, &key);
        if (line != NULL)
            at = line->value.at;
        item = plumb_fold_add(
            &faults,
            plumb_arena_printf(ck->scratch, "%u:%u:%zu:%.*s", at.file, at.begin, reason_of(reason),
                               reason_of(reason) < PLUMB_COUNT(reasons) ? 0 : (int)reason->len,
                               reason->text),
            at, s->hosts);
        if (item->what == NULL)
            item->what = s;
    }
    for (size_t i = 0; i < faults.map.count; i++)
        tell_drained(ck, faults.map.entries[i].value);
}
