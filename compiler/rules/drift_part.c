/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions: what slurmctld shows against the partition lines. */
#include <string.h>

#include "base/text.h"
#include "rules/drift.h"
#include "rules/drift_rows.h"
#include "schema/shown.h"

/* The partitions of the model by their names. */
static struct plumb_map by_name(const struct plumb_check *ck)
{
    struct plumb_map m = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < ck->model->partition_count; i++) {
        struct plumb_partition *p = &ck->model->partitions[i];

        if (p->name.v != NULL && plumb_map_get(&m, p->name.v) == NULL)
            plumb_map_set(&m, p->name.v, p);
    }
    return m;
}

static const struct plumb_partition *find(const struct plumb_map *m, const struct plumb_slice *name)
{
    const struct plumb_map_entry *e = plumb_map_find(m, name->text, name->len);

    return e == NULL ? NULL : e->value;
}

/* A listing before this one shows the same of the partition. */
static bool shown_before(const struct plumb_live *live, const struct plumb_live_partition *shown,
                         enum plumb_param_id id)
{
    for (size_t i = shown->before; i > 0; i = live->partitions[i - 1].before) {
        if (plumb_setting(&live->partitions[i - 1].shown, id) != NULL)
            return true;
    }
    return false;
}

struct told {
    const struct plumb_partition *part;
    const struct plumb_live_partition *shown;
};

/* PreemptMode of a partition that has none is the cluster's (slurm.conf(5)). */
static bool is_inherited(const struct plumb_check *ck, const struct plumb_param *p,
                         const struct plumb_setting *want, const struct plumb_slice *got)
{
    const struct plumb_setting *global = NULL;

    if (p->id != PLUMB_P_PART_PREEMPTMODE || want != NULL)
        return false;
    global = plumb_global(ck, PLUMB_P_SLURM_PREEMPTMODE);
    return global == NULL || plumb_drift_compare(ck, plumb_param(PLUMB_P_SLURM_PREEMPTMODE),
                                                 &global->value, got, false) != PLUMB_DRIFT_OTHER;
}

static void tell_partition(const struct plumb_check *ck, const struct plumb_param *p,
                           const struct plumb_setting *want, const struct plumb_slice *got,
                           void *data)
{
    const struct told *told = data;
    const struct plumb_partition *part = told->part;
    const char *who = plumb_arena_printf(ck->arena, "partition '%s'", plumb_part_name(part));
    struct plumb_diag *d = NULL;

    if (is_inherited(ck, p, want, got) ||
        shown_before(ck->model->live, told->shown, (enum plumb_param_id)p->id))
        return;
    d = plumb_drift_report(ck, p, who, want, got);
    if (want == NULL)
        plumb_diag_note(d, part->at, "the line of the source");
    plumb_diag_object(d, "partition", plumb_part_name(part), 0);
    plumb_diag_fact(d, "somebody changed it with scontrol, or slurm.conf has changed since "
                       "slurmctld read it");
    plumb_drift_needs(d, p);
}

/* DRIFT030 */
void plumb_drift_partitions(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    struct plumb_map own = by_name(ck);

    for (size_t i = 0; i < live->partition_count; i++) {
        const struct plumb_live_partition *shown = &live->partitions[i];
        struct told told = {find(&own, &shown->name), shown};

        if (told.part != NULL)
            plumb_drift_settings(ck, &told.part->settings, &shown->shown, shown->cut,
                                 tell_partition, &told);
    }
}

static const struct plumb_hostlist *nodes_of(const struct plumb_check *ck,
                                             const struct plumb_partition *part)
{
    return part->all_nodes ? ck->model->all_nodes : part->nodes;
}

static void tell_nodes(const struct plumb_check *ck, const struct plumb_live_partition *shown,
                       const struct plumb_partition *part, const struct plumb_hostlist *hosts,
                       bool missing)
{
    struct plumb_diag *d = plumb_report(
        ck, shown->nodes_text.at,
        missing ? "partition '%s' is without %s, expected %s as in the source"
                : "partition '%s' has %s, expected it without %s as in the source",
        plumb_part_name(part), plumb_fold_hosts(ck, hosts), hosts->count == 1 ? "it" : "them");

    plumb_diag_note(d, plumb_span_known(part->nodes_text.at) ? part->nodes_text.at : part->at,
                    "the source has it here");
    plumb_diag_object(d, "partition", plumb_part_name(part), 0);
    plumb_drift_needs(d, plumb_param(PLUMB_P_PART_NODES));
}

/* Nodes of the source that only come when their slurmd registers, or that nobody knows. */
static bool may_be_dynamic(const struct plumb_check *ck)
{
    const struct plumb_setting *max = plumb_global(ck, PLUMB_P_SLURM_MAXNODECOUNT);

    return max != NULL;
}

/* DRIFT031 */
void plumb_drift_partition_nodes(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    struct plumb_map own = by_name(ck);

    for (size_t i = 0; i < live->partition_count; i++) {
        const struct plumb_live_partition *shown = &live->partitions[i];
        const struct plumb_partition *part = find(&own, &shown->name);
        const struct plumb_hostlist *want = part == NULL ? NULL : nodes_of(ck, part), *hosts = NULL;

        if (want == NULL || shown->nodes == NULL || ck->model->nodes_unread ||
            shown_before(live, shown, PLUMB_P_PART_NODES))
            continue;
        hosts = plumb_hostlist_minus(ck->arena, want, shown->nodes);
        if (live->nodes_whole) /* of others it is told that slurmctld does not know them */
            hosts = plumb_hostlist_intersect(ck->arena, hosts, live->all_nodes);
        if (hosts->count > 0)
            tell_nodes(ck, shown, part, hosts, true);
        hosts = plumb_hostlist_minus(ck->arena, shown->nodes, want);
        if (live->nodes_whole)
            hosts = plumb_hostlist_intersect(ck->arena, hosts, ck->model->all_nodes);
        if (hosts->count > 0 && !(part->all_nodes && may_be_dynamic(ck)))
            tell_nodes(ck, shown, part, hosts, false);
    }
}

/* DRIFT032 */
void plumb_drift_partition_unknown(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    struct plumb_map own = by_name(ck);

    for (size_t i = 0; i < live->partition_count; i++) {
        const struct plumb_live_partition *shown = &live->partitions[i];
        struct plumb_diag *d = NULL;

        if (ck->model->partitions_unread || ck->model->partition_count == 0 ||
            find(&own, &shown->name) != NULL || shown->before > 0)
            continue;
        d = plumb_report(ck, shown->name.at,
                         "partition '%s' is not in the source, expected a PartitionName line of "
                         "this name",
                         plumb_drift_text(ck, &shown->name));
        plumb_diag_fact(d, "it was made with scontrol, or slurm.conf has changed since slurmctld "
                           "read it");
    }
}

bool plumb_drift_is_hidden(const struct plumb_partition *p)
{
    const struct plumb_setting *hidden = plumb_setting(&p->settings, PLUMB_P_PART_HIDDEN);
    const struct plumb_setting *groups = plumb_setting(&p->settings, PLUMB_P_PART_ALLOWGROUPS);
    bool yes = false;

    if (groups != NULL && !plumb_slice_is(&groups->value, "ALL"))
        return true;
    return hidden != NULL && plumb_value_bool(&hidden->value, &yes) == PLUMB_VALUE_OK && yes;
}

bool plumb_drift_sees_all(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    bool any = false;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (p->name.v == NULL || !plumb_drift_is_hidden(p))
            continue;
        if (plumb_map_get(&m->live->by_name, p->name.v) != NULL)
            return true;
        any = true;
    }
    return !any;
}

/* DRIFT033 */
void plumb_drift_partition_missing(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    bool all = plumb_drift_sees_all(ck);

    for (size_t i = 0; live->partitions_whole && i < ck->model->partition_count; i++) {
        const struct plumb_partition *part = &ck->model->partitions[i];
        struct plumb_diag *d = NULL;

        if (part->name.v == NULL || (!all && plumb_drift_is_hidden(part)) ||
            plumb_map_get(&live->by_name, part->name.v) != NULL)
            continue;
        d = plumb_report(ck, part->name.at,
                         "slurmctld does not know partition '%s', expected it to be among the "
                         "partitions that it lists",
                         part->name.v);
        plumb_diag_note(d, live->partitions_at, "the listing begins here");
        plumb_drift_needs(d, plumb_param(PLUMB_P_SLURM_PARTITIONNAME));
    }
}
