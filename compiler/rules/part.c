/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about partitions. Time limits against backfill are in sched.c, billing in acct.c. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"
#include "rules/ranges.h"

#define PART(name) PLUMB_P_PART_##name

static const char *name_of(const struct plumb_partition *p)
{
    return p->name.v != NULL ? p->name.v : "?";
}

static struct plumb_span place_of(const struct plumb_partition *p)
{
    return plumb_span_known(p->name.at) ? p->name.at : p->at;
}

/* The place of a name in Nodes=, else the whole value. */
static struct plumb_span nodes_place(const struct plumb_partition *p, struct plumb_span range)
{
    if (plumb_span_known(range))
        return range;
    return plumb_span_known(p->nodes_text.at) ? p->nodes_text.at : place_of(p);
}

/* A specification may name a class, or all nodes. */
static void suggest_class(const struct plumb_check *ck, struct plumb_diag *d, struct plumb_span at,
                          const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);

    plumb_nearest_offer(&near, "all");
    for (size_t i = 0; i < ck->model->node_count; i++) {
        if (ck->model->nodes[i].class_name != NULL)
            plumb_nearest_offer(&near, ck->model->nodes[i].class_name);
    }
    if (near.best == NULL)
        return;
    plumb_diag_help(d, "did you mean '%s'?", near.best);
    plumb_diag_edit(d, at, false, near.best);
}

/* PART001: _build_part_bitmaps */
static void unknown_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold seen = plumb_fold_in(ck);
    struct plumb_range_index nodes, all = {.arena = ck->scratch};
    static const struct plumb_hostlist none = {.range_count = 0};

    if (m->all_nodes == NULL || m->nodes_unread)
        return;
    nodes = plumb_index_nodes(ck);
    plumb_range_add(&all, m->all_nodes, 0);
    plumb_range_sort(&all);
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_hostlist *missing;
        const char *key, *names;

        if (p->nodes == NULL || p->all_nodes || plumb_range_covers(&nodes, p->nodes))
            continue;
        /* node-1[01-36] and node-[101-136] are one: sets have one spelling of each name. */
        missing = plumb_surely(
            ck, plumb_range_missing(&all, plumb_hostlist_union(ck->scratch, p->nodes, &none)));
        if (missing->range_count == 0)
            continue;

        struct plumb_span at = nodes_place(p, missing->ranges[0].at);

        key = plumb_arena_printf(ck->scratch, "%" PRIu32 ":%" PRIu32, at.file, at.begin);
        if (plumb_map_get(&seen.map, key) != NULL)
            continue; /* inherited from one DEFAULT line, or one node set */
        plumb_fold_add(&seen, key, at, NULL);
        names = plumb_hostlist_str(ck->arena, missing);

        struct plumb_diag *d =
            plumb_report(ck, at, "partition '%s' names node%s '%s', expected %s", name_of(p),
                         missing->count > 1 ? "s" : "", names,
                         m->from_spec ? "hosts of a node class, the name of a class, or 'all'"
                                      : "nodes that a NodeName line defines");

        if (m->from_spec && missing->count == 1)
            suggest_class(ck, d, at, names);
        plumb_diag_object(d, "node", names, missing->count > 1 ? missing->count : 0);
        plumb_outcome(ck, d, NULL);
    }
}

/* PART002: _build_single_partitionline_info */
static void duplicates(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_map first = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        const struct plumb_text *known;

        if (!plumb_usable(p->name) || p->name.v == NULL)
            continue;
        known = plumb_map_get(&first, p->name.v);
        if (known == NULL) {
            struct plumb_text *copy = PLUMB_NEW(ck->scratch, struct plumb_text);

            *copy = p->name;
            plumb_map_set(&first, p->name.v, copy);
            continue;
        }

        struct plumb_diag *d = plumb_report(
            ck, place_of(p), "partition '%s' is defined twice, expected one line", p->name.v);

        plumb_diag_note(d, known->at, "first defined here");
        plumb_outcome(ck, d, NULL);
    }
}

/* PART003 */
static void no_default(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (m->partition_count == 0 || m->partitions_unread || !m->present[PLUMB_SLURM_CONF])
        return;
    for (size_t i = 0; i < m->partition_count; i++) {
        if (m->partitions[i].is_default.origin == PLUMB_BAD ||
            (plumb_usable(m->partitions[i].is_default) && m->partitions[i].is_default.v))
            return;
    }

    struct plumb_diag *d =
        plumb_report(ck, place_of(&m->partitions[0]),
                     "no partition is the default, expected one with Default=YES");

    plumb_diag_fact(d, "a job that names no partition is refused");
    plumb_outcome(ck, d, NULL);
}

/* PART004 */
static void several_defaults(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_partition *first = NULL, *last = NULL;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (!plumb_usable(p->is_default) || !p->is_default.v)
            continue;
        if (first == NULL)
            first = p;
        else
            last = p;
    }
    if (last == NULL)
        return;

    struct plumb_diag *d =
        plumb_report(ck, first->is_default.at,
                     "partition '%s' is not the default, as '%s' is later in the file, expected "
                     "one Default=YES",
                     name_of(first), name_of(last));

    plumb_diag_note(d, last->is_default.at, "this one counts");
}

/* PART005: slurmctld drops the default. */
static void default_time(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (!plumb_usable(p->default_time_min) || !plumb_usable(p->max_time_min) ||
            p->default_time_min.v <= p->max_time_min.v)
            continue;

        struct plumb_buf found = plumb_buf_in(ck->scratch), limit = plumb_buf_in(ck->scratch);

        plumb_value_write_minutes(&found, p->default_time_min.v);
        plumb_value_write_minutes(&limit, p->max_time_min.v);

        struct plumb_diag *d = plumb_report(
            ck, p->default_time_min.at,
            "DefaultTime of partition '%s' is %s, above its MaxTime of %s, expected at most that",
            name_of(p),
            p->default_time_min.v == PLUMB_UNLIMITED ? "unlimited" : plumb_buf_text(&found),
            plumb_buf_text(&limit));

        plumb_diag_note(d, p->max_time_min.at, "MaxTime");
        plumb_outcome(ck, d, NULL);
    }
}

/* PART006: nothing can run there. Nodes="" is said on purpose. */
static void no_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count && m->present[PLUMB_SLURM_CONF]; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (p->all_nodes || p->nodes != NULL || m->from_spec ||
            plumb_setting(&p->settings, PART(NODES)) != NULL ||
            plumb_setting_bad(&p->settings, PART(NODES)))
            continue;
        plumb_report(ck, place_of(p), "partition '%s' has no nodes, expected Nodes=", name_of(p));
    }
}

/* PART007 */
static void no_partition(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
        {PLUMB_23_02, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;

    if (m->partition_count != 0 || m->partitions_unread || !m->present[PLUMB_SLURM_CONF])
        return;
    for (size_t i = 0; i < m->default_count; i++) {
        if (m->defaults[i].scope == PLUMB_SCOPE_PARTITION &&
            plumb_setting(&m->defaults[i].settings, PART(NODES)) != NULL) {
            plumb_outcome(ck,
                          plumb_report(ck, m->defaults[i].at,
                                       "a partition cannot be called 'default': this is the line "
                                       "of defaults, and there is no partition"),
                          &eras);
            return;
        }
    }
    plumb_outcome(ck,
                  plumb_report(ck, m->file_at[PLUMB_SLURM_CONF],
                               "there is no partition, expected a PartitionName line"),
                  &eras);
}

/* PART017: defaults hold for the lines below. */
static void defaults_last(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->default_count; i++) {
        const struct plumb_defaults *d = &m->defaults[i];
        bool node = d->scope == PLUMB_SCOPE_NODE;
        size_t records = node ? m->node_count : m->partition_count;

        if (d->before < records || records == 0 || d->settings.count < 2)
            continue;
        plumb_report(ck, d->at,
                     "no %s line follows, so these defaults hold for nothing, expected them above",
                     node ? "NodeName" : "PartitionName");
    }
}

/* PART018: _parse_partitionname reads these from the line of the partition alone. */
static void not_inherited(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {
        PART(DISABLEROOTJOBS), PART(EXCLUSIVEUSER),        PART(EXCLUSIVETOPO),
        PART(POWERDOWNONIDLE), PART(SELECTTYPEPARAMETERS), PART(SUSPENDTIME),
    };
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->default_count; i++) {
        for (size_t k = 0; k < PLUMB_COUNT(ids); k++) {
            const struct plumb_setting *s = plumb_setting(&m->defaults[i].settings, ids[k]);

            if (s == NULL || m->defaults[i].scope != PLUMB_SCOPE_PARTITION ||
                m->defaults[i].before >= m->partition_count)
                continue;
            plumb_outcome(ck,
                          plumb_report(ck, plumb_span_known(s->key_at) ? s->key_at : s->value.at,
                                       "%s is not inherited from a DEFAULT line, expected it on "
                                       "each partition",
                                       plumb_param(ids[k])->name),
                          NULL);
        }
    }
}

/* Settings of one partition that exclude each other: data. */
struct excludes {
    enum plumb_param_id one, other;
    enum { BOTH_SET, BOTH_POSITIVE, BOTH_YES } test;
    enum plumb_release since;
};

static bool excludes_holds(const struct plumb_settings *s, const struct excludes *e,
                           enum plumb_release r)
{
    const struct plumb_setting *a = plumb_setting(s, e->one), *b = plumb_setting(s, e->other);

    if (a == NULL || b == NULL)
        return false;
    if (e->test == BOTH_SET)
        return true;
    if (e->test == BOTH_POSITIVE) {
        struct plumb_u64 x = plumb_setting_u64(s, e->one, r), y = plumb_setting_u64(s, e->other, r);

        return plumb_usable(x) && plumb_usable(y) && x.v > 0 && y.v > 0;
    }

    struct plumb_bool x = plumb_setting_bool(s, e->one, r), y = plumb_setting_bool(s, e->other, r);

    return plumb_usable(x) && plumb_usable(y) && x.v && y.v;
}

struct exclusions {
    const struct excludes *items;
    size_t count;
};

static void excluded(const struct plumb_check *ck)
{
    const struct exclusions *all = ck->rule->data;
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_settings *s = &m->partitions[i].settings;

        for (size_t j = 0; j < all->count; j++) {
            const struct excludes *e = &all->items[j];

            if (e->since > m->release || !excludes_holds(s, e, m->release))
                continue;

            struct plumb_diag *d = plumb_report(
                ck, plumb_setting_at(s, e->other),
                "partition '%s' has %s beside %s, which wins, expected one of them",
                name_of(&m->partitions[i]), plumb_param(e->other)->name, plumb_param(e->one)->name);

            plumb_diag_note(d, plumb_setting_at(s, e->one), "this one counts");
            plumb_outcome(ck, d, NULL);
        }
    }
}

static const struct excludes allow_deny_rows[] = {
    {PART(ALLOWACCOUNTS), PART(DENYACCOUNTS), BOTH_SET, PLUMB_22_05},
    {PART(ALLOWQOS), PART(DENYQOS), BOTH_SET, PLUMB_22_05},
};
static const struct exclusions allow_deny = {allow_deny_rows, PLUMB_COUNT(allow_deny_rows)};

static const struct excludes memory_rows[] = {
    {PART(DEFMEMPERNODE), PART(DEFMEMPERCPU), BOTH_POSITIVE, PLUMB_22_05},
    {PART(MAXMEMPERNODE), PART(MAXMEMPERCPU), BOTH_POSITIVE, PLUMB_22_05},
};
static const struct exclusions memory_twice = {memory_rows, PLUMB_COUNT(memory_rows)};

static const struct excludes exclusive_rows[] = {
    {PART(EXCLUSIVETOPO), PART(EXCLUSIVEUSER), BOTH_YES, PLUMB_26_05},
};
static const struct exclusions exclusive_twice = {exclusive_rows, PLUMB_COUNT(exclusive_rows)};

/* PART011: gang scheduling is a matter of the whole cluster (_parse_partitionname). */
static void partition_gang(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0, true},
        {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;
    struct plumb_slice item;

    for (size_t i = 0; i < m->partition_count && !plumb_era_quiet(ck, &eras); i++) {
        if (!plumb_setting_has_word(&m->partitions[i].settings, PART(PREEMPTMODE), "GANG", &item))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "'GANG' in PreemptMode of partition '%s' is dropped, expected "
                                   "it in the PreemptMode of the cluster",
                                   name_of(&m->partitions[i])),
                      &eras);
    }
}

/* The first node line of a partition for which a test holds; NULL: none. */
static const struct plumb_nodes *
some_nodes(const struct plumb_check *ck, const struct plumb_range_index *index,
           const struct plumb_partition *p,
           bool (*test)(const struct plumb_check *, const struct plumb_nodes *, uint64_t),
           uint64_t value)
{
    const struct plumb_model *m = ck->model;

    for (size_t n = 0; p->all_nodes && n < m->node_count; n++) {
        if (test(ck, &m->nodes[n], value))
            return &m->nodes[n];
    }
    for (size_t i = 0; !p->all_nodes && p->nodes != NULL && i < p->nodes->range_count; i++) {
        struct plumb_range_cursor c = plumb_range_from(index, &p->nodes->ranges[i]);

        while (plumb_range_next(&c)) {
            if (test(ck, &m->nodes[c.owner], value))
                return &m->nodes[c.owner];
        }
    }
    return NULL;
}

static bool has_more_memory(const struct plumb_check *ck, const struct plumb_nodes *nodes,
                            uint64_t mib)
{
    (void)ck;
    return plumb_usable(nodes->real_memory_mib) && nodes->real_memory_mib.v > mib;
}

static bool has_fewer_cpus(const struct plumb_check *ck, const struct plumb_nodes *nodes,
                           uint64_t per_gpu)
{
    uint64_t gpus = plumb_gres_total(nodes, "gpu");

    return gpus > 0 && gpus <= UINT32_MAX && plumb_written(nodes->cpus) &&
           !plumb_shapeless(ck, nodes) && per_gpu * gpus > nodes->cpus.v;
}

/* PART012: --mem of a job without it is all of the node, more than the partition allows. */
static void max_mem_without_default(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_u64 global = plumb_global_u64(ck, PLUMB_P_SLURM_DEFMEMPERNODE);
    struct plumb_u64 per_cpu = plumb_global_u64(ck, PLUMB_P_SLURM_DEFMEMPERCPU);

    if (!plumb_memory_consumable(ck) || plumb_written(global) || plumb_written(per_cpu) ||
        global.origin == PLUMB_BAD || per_cpu.origin == PLUMB_BAD)
        return;

    struct plumb_range_index index = plumb_index_nodes(ck);

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_u64 max = plumb_setting_u64(&p->settings, PART(MAXMEMPERNODE), m->release);
        const struct plumb_nodes *larger;

        if (!plumb_written(max) || max.v == 0 || max.v == PLUMB_UNLIMITED ||
            plumb_setting(&p->settings, PART(DEFMEMPERNODE)) != NULL ||
            plumb_setting(&p->settings, PART(DEFMEMPERCPU)) != NULL ||
            plumb_setting_bad(&p->settings, PART(DEFMEMPERNODE)))
            continue;
        larger = some_nodes(ck, &index, p, has_more_memory, max.v);
        if (larger == NULL)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, max.at,
            "MaxMemPerNode of partition '%s' is %" PRIu64 " MiB, below the %" PRIu64
            " MiB of its nodes, so every job without --mem is refused, expected DefMemPerNode too",
            name_of(p), max.v, larger->real_memory_mib.v);

        plumb_diag_note(d, larger->real_memory_mib.at, "RealMemory");
    }
}

/* PART013 */
static void node_limits(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_u64 min = plumb_setting_u64(&p->settings, PART(MINNODES), m->release);
        struct plumb_u64 max = plumb_setting_u64(&p->settings, PART(MAXNODES), m->release);

        if (!plumb_written(min) || !plumb_written(max) || min.v <= max.v ||
            min.v == PLUMB_UNLIMITED)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, min.at, "MinNodes of partition '%s' is %" PRIu64 ", above its MaxNodes of %" PRIu64,
            name_of(p), min.v, max.v);

        plumb_diag_note(d, max.at, "MaxNodes");
    }
}

/* PART014 */
static void alternate(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_setting *s = plumb_setting(&m->partitions[i].settings, PART(ALTERNATE));
        bool known = s == NULL;

        for (size_t j = 0; j < m->partition_count && !known; j++)
            known = m->partitions[j].name.v != NULL &&
                    plumb_slice_is_exact(&s->value, m->partitions[j].name.v);
        if (!known)
            plumb_report(ck, s->value.at,
                         "Alternate partition '%s' does not exist, expected the "
                         "name of another partition",
                         s->value.text);
    }
}

/* PART015: jobs share memory that nobody counts. */
static void shared_memory(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (plumb_memory_consumable(ck) ||
        plumb_setting_bad(plumb_slurm(m), PLUMB_P_SLURM_SELECTTYPEPARAMETERS))
        return;
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_setting *s =
            plumb_setting(&m->partitions[i].settings, PART(OVERSUBSCRIBE));

        if (s == NULL || s->value.len < 3 ||
            (!plumb_slice_holds(&s->value, "YES") && !plumb_slice_holds(&s->value, "FORCE")))
            continue;
        plumb_report(ck, s->value.at,
                     "jobs of partition '%s' share cores, but memory is not allocated, so they can "
                     "use more than a node has, expected a '_Memory' mode in SelectTypeParameters",
                     name_of(&m->partitions[i]));
    }
}

/* PART016: a job for all GPUs of a node asks for more CPUs than the node has. */
static void cpus_per_gpu(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_u64 global = plumb_global_u64(ck, PLUMB_P_SLURM_DEFCPUPERGPU);
    struct plumb_range_index index = plumb_index_nodes(ck);

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_u64 def = plumb_setting_u64(&p->settings, PART(DEFCPUPERGPU), m->release);
        const struct plumb_nodes *small;

        if (!plumb_written(def))
            def = global;
        if (!plumb_written(def) || def.v == 0 || def.v > UINT32_MAX)
            continue;
        small = some_nodes(ck, &index, p, has_fewer_cpus, def.v);
        if (small == NULL)
            continue;

        uint64_t gpus = plumb_gres_total(small, "gpu");
        struct plumb_diag *d =
            plumb_report(ck, def.at,
                         "DefCpuPerGPU %" PRIu64 " times %" PRIu64 " GPUs is %" PRIu64
                         " CPUs, but nodes of partition '%s' have %" PRIu64
                         ", so a job for all GPUs of a node never starts",
                         def.v, gpus, def.v * gpus, name_of(p), small->cpus.v);

        plumb_diag_note(d, small->cpus.at, "CPUs of the nodes");
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "PART001",
        .name = "partition-unknown-node",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a partition names a node that is not defined",
        .why = "slurmctld ends with 'Invalid node names in partition'.",
        .ref =
            "slurm.conf(5), PARTITION CONFIGURATION; slurmctld/read_config.c:_build_part_bitmaps",
        .bad = "NodeName=c[1-4]\nPartitionName=p Nodes=c[1-5]",
        .good = "NodeName=c[1-5]\nPartitionName=p Nodes=c[1-5]",
        .needs = PLUMB_FACT_MODEL,
        .run = unknown_nodes,
    },
    {
        .code = "PART002",
        .name = "partition-duplicate",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "two lines define one partition",
        .why = "slurmctld ends.",
        .ref = "slurmctld/read_config.c:_build_single_partitionline_info",
        .bad = "PartitionName=p Nodes=a\nPartitionName=p Nodes=b",
        .good = "PartitionName=p Nodes=a,b",
        .needs = PLUMB_FACT_MODEL,
        .run = duplicates,
    },
    {
        .code = "PART003",
        .name = "no-default-partition",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "no partition has Default=YES",
        .why = "Jobs that name no partition are refused.",
        .ref = "slurm.conf(5), Default; slurmctld/read_config.c",
        .bad = "PartitionName=p Nodes=ALL",
        .good = "PartitionName=p Nodes=ALL Default=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = no_default,
    },
    {
        .code = "PART004",
        .name = "several-default-partitions",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "several partitions have Default=YES",
        .why = "The last one counts.",
        .ref = "slurm.conf(5), Default; slurmctld/read_config.c",
        .needs = PLUMB_FACT_MODEL,
        .run = several_defaults,
    },
    {
        .code = "PART005",
        .name = "default-time-above-max",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "DefaultTime above MaxTime",
        .why = "The default is dropped: jobs without --time get MaxTime.",
        .ref = "slurm.conf(5), DefaultTime; slurmctld/read_config.c",
        .bad = "PartitionName=p Nodes=ALL DefaultTime=2-0 MaxTime=1-0",
        .good = "PartitionName=p Nodes=ALL DefaultTime=1:00:00 MaxTime=1-0",
        .needs = PLUMB_FACT_MODEL,
        .run = default_time,
    },
    {
        .code = "PART006",
        .name = "partition-without-nodes",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "a partition without Nodes=",
        .why = "Jobs sent there wait for ever.",
        .ref = "slurm.conf(5), Nodes; partition_mgr.c:build_part_bitmap",
        .needs = PLUMB_FACT_MODEL,
        .run = no_nodes,
    },
    {
        .code = "PART007",
        .name = "no-partition",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "no partition at all",
        .why = "No job can be submitted. A partition called 'default', in any case, is the line of "
               "defaults.",
        .ref = "slurm.conf(5), PARTITION CONFIGURATION; slurmctld/read_config.c",
        .needs = PLUMB_FACT_MODEL,
        .run = no_partition,
    },
    {
        .code = "PART008",
        .name = "allow-and-deny",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "an Allow list beside the Deny list of the same kind",
        .why = "The Deny list is dropped.",
        .ref = "slurm.conf(5), AllowAccounts; read_config.c:_parse_partitionname",
        .bad = "PartitionName=p Nodes=ALL AllowAccounts=a DenyAccounts=b",
        .good = "PartitionName=p Nodes=ALL AllowAccounts=a",
        .needs = PLUMB_FACT_MODEL,
        .run = excluded,
        .data = &allow_deny,
    },
    {
        .code = "PART009",
        .name = "partition-memory-twice",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "memory per CPU beside memory per node on one partition",
        .why = "The one per CPU is dropped.",
        .ref = "slurm.conf(5), DefMemPerCPU; read_config.c:_parse_partitionname",
        .needs = PLUMB_FACT_MODEL,
        .run = excluded,
        .data = &memory_twice,
    },
    {
        .code = "PART010",
        .name = "exclusive-user-and-topo",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "ExclusiveUser beside ExclusiveTopo",
        .why = "ExclusiveUser is dropped.",
        .ref = "slurm.conf(5), ExclusiveTopo; read_config.c:_parse_partitionname",
        .needs = PLUMB_FACT_MODEL,
        .run = excluded,
        .data = &exclusive_twice,
    },
    {
        .code = "PART011",
        .name = "partition-gang",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "GANG in the PreemptMode of a partition",
        .why = "The word is dropped: jobs are not time-sliced.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_parse_partitionname",
        .needs = PLUMB_FACT_MODEL,
        .run = partition_gang,
    },
    {
        .code = "PART012",
        .name = "max-mem-without-default",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "MaxMemPerNode below node memory without DefMemPerNode",
        .why = "A job without --mem asks for the whole memory of a node, and is refused.",
        .ref = "slurm.conf(5), MaxMemPerNode, DefMemPerNode",
        .bad = "PartitionName=p Nodes=ALL MaxMemPerNode=100000",
        .good = "PartitionName=p Nodes=ALL MaxMemPerNode=100000 DefMemPerNode=10000",
        .needs = PLUMB_FACT_MODEL,
        .run = max_mem_without_default,
    },
    {
        .code = "PART013",
        .name = "min-nodes-above-max",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "MinNodes above MaxNodes",
        .why = "No job fits.",
        .ref = "slurm.conf(5), MinNodes, MaxNodes",
        .needs = PLUMB_FACT_MODEL,
        .run = node_limits,
    },
    {
        .code = "PART014",
        .name = "alternate-unknown",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Alternate names no partition",
        .why = "Jobs of a drained partition are refused instead of moved.",
        .ref = "slurm.conf(5), Alternate",
        .needs = PLUMB_FACT_MODEL,
        .run = alternate,
    },
    {
        .code = "PART015",
        .name = "oversubscribe-memory",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "OverSubscribe while memory is not allocated",
        .why = "Jobs on one core together use more memory than there is.",
        .ref = "slurm.conf(5), OverSubscribe",
        .needs = PLUMB_FACT_MODEL,
        .run = shared_memory,
    },
    {
        .code = "PART016",
        .name = "cpus-per-gpu",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "DefCpuPerGPU times the GPUs of a node is more than its CPUs",
        .why = "A job for all GPUs of a node never starts.",
        .ref = "slurm.conf(5), DefCpuPerGPU",
        .bad = "NodeName=g CPUs=64 Gres=gpu:8\nPartitionName=p Nodes=g DefCpuPerGPU=16",
        .good = "NodeName=g CPUs=64 Gres=gpu:8\nPartitionName=p Nodes=g DefCpuPerGPU=8",
        .needs = PLUMB_FACT_MODEL,
        .run = cpus_per_gpu,
    },
    {
        .code = "PART017",
        .name = "defaults-last",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a DEFAULT line with no record below it",
        .why = "Defaults hold for the lines below them only.",
        .ref = "slurm.conf(5), PARTITION CONFIGURATION, NODE CONFIGURATION",
        .bad = "PartitionName=p Nodes=ALL\nPartitionName=DEFAULT MaxTime=1-0",
        .good = "PartitionName=DEFAULT MaxTime=1-0\nPartitionName=p Nodes=ALL",
        .needs = PLUMB_FACT_MODEL,
        .run = defaults_last,
    },
    {
        .code = "PART018",
        .name = "default-not-inherited",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURM_ALL),
        .summary = "a key of PartitionName=DEFAULT that partitions do not inherit",
        .why = "Six keys are read from the line of the partition alone.",
        .ref = "slurm.conf(5), PARTITION CONFIGURATION; read_config.c:_parse_partitionname",
        .bad = "PartitionName=DEFAULT DisableRootJobs=yes\nPartitionName=p Nodes=ALL",
        .good = "PartitionName=p Nodes=ALL DisableRootJobs=yes",
        .needs = PLUMB_FACT_MODEL,
        .run = not_inherited,
    },
};

const struct plumb_rule_family plumb_part_rules = {
    .prefix = "PART",
    .title = "Partitions",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
