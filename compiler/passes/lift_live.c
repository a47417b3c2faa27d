/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass lift-live: records of live input to model/live.h. Names that follow each other become one
 * range, each with its own place, as those of node lines do.
 */
#include "passes/live.h"

#include <string.h>

#include "schema/shown.h"

static void add_setting(struct plumb_arena *a, struct plumb_settings *to,
                        const struct plumb_setting *one)
{
    to->items = plumb_arena_grow(a, to->items, to->count, &to->cap, sizeof(*to->items));
    to->items[to->count++] = *one;
    plumb_settings_note(to, one->param->id);
}

static struct plumb_settings settings_of(const struct plumb_live_record *r)
{
    struct plumb_settings s = {.items = r->items, .count = r->count, .cap = r->count};

    for (size_t i = 0; i < r->count; i++)
        plumb_settings_note(&s, r->items[i].param->id);
    return s;
}

static bool is_list(const struct plumb_slice *name)
{
    return memchr(name->text, '[', name->len) != NULL || memchr(name->text, ',', name->len) != NULL;
}

/* The names of a record. What cannot be read as one was reported. */
static struct plumb_hostlist *hosts_of(struct plumb_session *s, const struct plumb_live_record *r)
{
    struct plumb_hostlist *h = PLUMB_NEW(s->arena, struct plumb_hostlist);
    uint32_t *begins = plumb_arena_raw(s->arena, (r->more_count + 1) * sizeof(*begins));
    struct plumb_host_places *places = NULL;

    h->at = r->name.at;
    for (size_t i = 0; i <= r->more_count; i++) {
        const struct plumb_slice *name = i == 0 ? &r->name : &r->more[i - 1];

        if (!is_list(name)) {
            begins[i] = name->at.begin;
            plumb_hostlist_add_name(s->arena, s->intern, h, name, &begins[i], &places);
            continue;
        }

        const struct plumb_hostlist *more = plumb_hostlist_read(s, name, s->sink.release);

        places = NULL;
        if (more != NULL)
            plumb_hostlist_append(s->arena, h, more);
    }
    return h;
}

static void lift_nodes(struct plumb_session *s, struct plumb_live *live,
                       const struct plumb_live_file *f)
{
    static const struct plumb_hostlist none;
    struct plumb_arena *a = s->arena;

    for (size_t i = 0; i < f->nodes.count; i++) {
        const struct plumb_live_record *r = &f->nodes.items[i];
        struct plumb_hostlist *hosts = hosts_of(s, r);

        if (f->cut) /* a node stands in a row for each of its partitions */
            hosts = plumb_hostlist_union(a, hosts, &none);
        live->nodes = plumb_arena_grow(a, live->nodes, live->node_count, &live->node_cap,
                                       sizeof(*live->nodes));
        live->nodes[live->node_count++] = (struct plumb_live_nodes){
            .hosts = hosts,
            .shown = settings_of(r),
            .state = r->state,
            .reason = r->reason,
            .cut = f->cut,
        };
        if (live->all_nodes == NULL) {
            live->all_nodes = PLUMB_NEW(a, struct plumb_hostlist);
            live->nodes_at = r->name.at;
        }
        plumb_hostlist_append(a, live->all_nodes, hosts);
    }
    /* One node was asked for by its name. */
    live->nodes_whole = live->nodes_whole || (f->nodes.count > 0 && !f->cut && f->things > 1);
}

static void lift_partition(struct plumb_session *s, struct plumb_live *live,
                           const struct plumb_live_record *r, const struct plumb_slice *name,
                           bool cut)
{
    enum { LISTINGS = 16 }; /* of one partition that are looked at */
    struct plumb_arena *a = s->arena;
    struct plumb_live_partition p = {.name = *name, .shown = settings_of(r), .cut = cut};
    const struct plumb_setting *nodes = plumb_setting(&p.shown, PLUMB_P_PART_NODES);
    struct plumb_map_entry *e = plumb_map_entry(&live->by_name, name->text, name->len);

    p.before = (size_t)(uintptr_t)e->value;
    p.times = p.before == 0 ? 1 : live->partitions[p.before - 1].times + 1;
    if (p.times > LISTINGS)
        return;
    if (nodes != NULL) {
        p.nodes_text = nodes->value;
        p.nodes = plumb_shown_nothing(nodes->value.text, nodes->value.len)
                      ? PLUMB_NEW(a, struct plumb_hostlist)
                      : plumb_hostlist_read(s, &nodes->value, s->sink.release);
    }
    live->partitions = plumb_arena_grow(a, live->partitions, live->partition_count,
                                        &live->partition_cap, sizeof(p));
    live->partitions[live->partition_count++] = p;
    e->value = (void *)(uintptr_t)live->partition_count;
    if (live->partitions_at.file == 0)
        live->partitions_at = name->at;
}

static void lift_partitions(struct plumb_session *s, struct plumb_live *live,
                            const struct plumb_live_file *f)
{
    for (size_t i = 0; i < f->partitions.count; i++) {
        const struct plumb_live_record *r = &f->partitions.items[i];
        struct plumb_map seen = plumb_map_in(s->scratch); /* sinfo -N has a row for each node */

        for (size_t k = 0; k <= r->more_count; k++) {
            const struct plumb_slice *name = k == 0 ? &r->name : &r->more[k - 1];
            struct plumb_map_entry *e = plumb_map_entry(&seen, name->text, name->len);

            if (e->value == NULL)
                lift_partition(s, live, r, name, f->cut);
            e->value = live;
        }
    }
    live->partitions_whole =
        live->partitions_whole || (f->partitions.count > 0 && !f->cut && f->things > 1);
}

static void lift_file(struct plumb_session *s, struct plumb_live *live,
                      const struct plumb_live_file *f)
{
    if (live->version.len == 0 && f->version.len > 0)
        live->version = f->version;
    for (size_t i = 0; i < f->setting_count; i++) {
        unsigned file = f->settings[i].param->file;

        if (!live->config_shown[file]) /* the first answer counts */
            add_setting(s->arena, &live->config[file], &f->settings[i]);
    }
    for (int i = 0; i < PLUMB_FILE_COUNT; i++)
        live->config_shown[i] = live->config_shown[i] || f->sections[i];
    lift_nodes(s, live, f);
    lift_partitions(s, live, f);
}

/* The place of the first thing that Slurm's clients say; unknown: they say nothing. */
static struct plumb_span first_place(const struct plumb_live *live)
{
    if (live->node_count > 0)
        return live->nodes_at;
    if (live->partition_count > 0)
        return live->partitions_at;
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (live->config[f].count > 0)
            return live->config[f].items[0].value.at;
    }
    return (struct plumb_span){0};
}

/*
 * A specification for Kubernetes names machines, and slurmctld lists pods: nothing can be compared
 * but with the manifests.
 */
static void leave_pods(struct plumb_run *r, struct plumb_live *live)
{
    struct plumb_span at = first_place(live);
    const struct plumb_model *m = r->model;

    if (m->kube_plan == NULL || !plumb_span_known(at) ||
        (live->all_nodes != NULL &&
         plumb_hostlist_intersect(r->session->scratch, live->all_nodes, m->all_nodes)->count > 0))
        return;
    plumb_diag_new(&r->session->sink, &plumb_drift_source_rows[PLUMB_DRIFT_PODS], at,
                   "slurmctld lists pods, the specification names machines, expected the folder "
                   "'kubernetes' of 'plumb build' as the source");
    live->node_count = live->partition_count = 0;
    live->nodes_whole = live->partitions_whole = false;
    for (int f = 0; f < PLUMB_FILE_COUNT; f++)
        live->config_shown[f] = false;
}

void plumb_pass_lift_live(struct plumb_run *r)
{
    struct plumb_live *live = PLUMB_NEW(r->session->arena, struct plumb_live);

    live->release = r->live_release;
    live->by_name = plumb_map_in(r->session->arena);
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].live != NULL)
            lift_file(r->session, live, r->inputs[i].live);
    }
    plumb_lift_sacctmgr(r, live);
    leave_pods(r, live);
    plumb_model_of(r)->live = live;
}
