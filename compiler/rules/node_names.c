/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about names of nodes and node sets, and about node lines that are missing. */
#include <inttypes.h>
#include <string.h>

#include "rules/ask.h"
#include "rules/ranges.h"

#define N(name) PLUMB_P_NODE_##name

/* The range of a node line that was defined before the other: by place, else by its number. */
static bool is_above(struct plumb_span at, size_t seq, struct plumb_span other, size_t other_seq)
{
    return at.file == other.file && at.begin != other.begin ? at.begin < other.begin
                                                            : seq < other_seq;
}

/* One range of a line against the ranges above it. */
static void duplicate_range(const struct plumb_check *ck, const struct plumb_range_index *index,
                            const struct plumb_hostlist *hosts, size_t r, size_t seq,
                            struct plumb_fold *faults)
{
    struct plumb_range_cursor c = plumb_range_from(index, &hosts->ranges[r]);
    struct plumb_host_range again = hosts->ranges[r];
    struct plumb_hostlist names = {.ranges = &again, .range_count = 1, .cap = 1};
    struct plumb_fold_item *f;

    while (plumb_range_next(&c)) {
        struct plumb_span at = plumb_host_range_at(&hosts->ranges[r], c.lo);
        struct plumb_span other = plumb_host_range_at(c.found, c.lo);

        if (c.seq == seq || !is_above(other, c.seq, at, seq))
            continue;
        again.lo = c.lo;
        again.hi = c.hi;
        names.count = c.hi - c.lo + 1;
        at = plumb_span_known(at) ? at : hosts->at;
        f = plumb_fold_add(
            faults,
            plumb_arena_printf(ck->scratch, "%" PRIu32 ":%" PRIu32 " %zu", at.file, at.begin, seq),
            at, &names);
        f->second = plumb_span_known(other) ? other : ck->model->nodes[c.owner].at;
        f->what = f->alike = "node";
        if (hosts->ranges[r].places == NULL)
            return;
    }
}

/* NODE001: every daemon that loads the node table stops at the second one. */
static void duplicates(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_range_index *index = plumb_index_nodes(ck);
    struct plumb_fold faults = plumb_fold_in(ck);
    size_t seq = 0;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_hostlist *hosts = m->nodes[i].hosts;

        for (size_t r = 0; hosts != NULL && r < hosts->range_count; r++, seq++)
            duplicate_range(ck, index, hosts, r, seq, &faults);
    }
    faults = plumb_fold_squeeze(ck, &faults);
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        bool many = f->hosts->count > 1;
        struct plumb_diag *d =
            plumb_report(ck, f->at, "node%s '%s' %s defined twice, expected one NodeName line each",
                         many ? "s" : "", plumb_fold_hosts(ck, f->hosts), many ? "are" : "is");

        plumb_diag_note(d, f->second, "first defined here");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* NODE010: S299 */
static void no_nodes(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
        {PLUMB_23_02, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *dynamic = plumb_global(ck, PLUMB_P_SLURM_MAXNODECOUNT);

    if (m->node_count != 0 || m->nodes_unread || !m->present[PLUMB_SLURM_CONF] ||
        dynamic != NULL) /* nodes that register by themselves; SCHED019 says what they need */
        return;
    plumb_outcome(ck,
                  plumb_report(ck, m->file_at[PLUMB_SLURM_CONF],
                               "there is no node, expected a NodeName line"),
                  &eras);
}

/* NODE011: S297 */
static void nodeset_is_node(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
        {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->nodeset_count && m->all_nodes != NULL; i++) {
        const struct plumb_text *name = &m->nodesets[i].name;

        if (!plumb_usable(*name) || name->v == NULL || !plumb_hostlist_has(m->all_nodes, name->v))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, name->at,
                                   "NodeSet '%s' has the name of a node, expected another name",
                                   name->v),
                      &eras);
    }
}

/* NODE012: a feature that no node has. */
static void empty_nodeset(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (m->nodes_unread)
        return;
    for (size_t i = 0; i < m->nodeset_count; i++) { /* that of an operator may have no pods yet */
        const struct plumb_nodeset *s = &m->nodesets[i];
        const struct plumb_setting *f = plumb_setting(&s->settings, PLUMB_P_NODESET_FEATURE);

        if (f == NULL || f->value.lead == PLUMB_SLICE_MADE ||
            (s->nodes != NULL && s->nodes->count > 0) ||
            plumb_setting(&s->settings, PLUMB_P_NODESET_NODES) != NULL)
            continue;
        plumb_report(ck, f->value.at, "NodeSet '%s' is empty, as no node has feature '%s'",
                     s->name.v != NULL ? s->name.v : "?", f->value.text);
    }
}

/* NODE013: templates that were not filled in: "<NODES>", "{{ nodes }}", "${nodes}", "@NODES@". */
static bool is_placeholder(const char *name)
{
    return strchr(name, '<') != NULL || strchr(name, '{') != NULL || strchr(name, '$') != NULL ||
           strchr(name, '@') != NULL;
}

static void placeholders_in(const struct plumb_check *ck, const struct plumb_hostlist *hosts,
                            const char *what)
{
    for (size_t r = 0; hosts != NULL && r < hosts->range_count; r++) {
        if (!is_placeholder(hosts->ranges[r].prefix))
            continue;
        plumb_report(ck, plumb_span_known(hosts->ranges[r].at) ? hosts->ranges[r].at : hosts->at,
                     "%s '%s' is a placeholder of a template, expected host names", what,
                     hosts->ranges[r].prefix);
    }
}

static void placeholders(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->node_count; i++)
        placeholders_in(ck, ck->model->nodes[i].hosts, "NodeName");
    for (size_t i = 0; i < ck->model->partition_count; i++)
        placeholders_in(ck, ck->model->partitions[i].nodes, "Nodes");
}

/* How many a list has; 0 when it cannot be read. "6000-6007" stands for "[6000-6007]". */
static uint64_t count_of(const struct plumb_check *ck, const struct plumb_slice *list, bool ports)
{
    struct plumb_slice text = *list;
    const struct plumb_hostlist *read = NULL;

    if (ports && memchr(list->text, '[', list->len) == NULL) {
        text.text = plumb_arena_printf(ck->scratch, "[%s]", list->text);
        text.len = (uint32_t)strlen(text.text);
    }
    read = plumb_hosts_read(ck, &text);
    return read == NULL ? 0 : read->count;
}

/* NODE015: node_conf.c:expand_nodeline_info pairs the lists with the names one by one. */
static void addresses(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {N(NODEADDR), N(NODEHOSTNAME), N(BCASTADDR), N(PORT)};
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        for (size_t k = 0; n->hosts != NULL && k < PLUMB_COUNT(ids); k++) {
            const struct plumb_setting *s = plumb_setting(&n->settings, ids[k]);
            uint64_t count =
                s == NULL || s->value.len == 0 ? 0 : count_of(ck, &s->value, ids[k] == N(PORT));

            if (count <= 1 || count == n->hosts->count)
                continue;

            struct plumb_diag *d = plumb_report(
                ck, s->value.at,
                "%s of '%s' has %" PRIu64 " values for %" PRIu64 " nodes, expected one or one each",
                plumb_param(ids[k])->name, plumb_fold_hosts(ck, n->hosts), count, n->hosts->count);

            plumb_diag_note(d, n->hosts->at, "the nodes");
            plumb_outcome(ck, d, NULL);
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE001",
        .name = "node-duplicate",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "two NodeName lines define one node",
        .why = "Every daemon that loads the node table ends.",
        .ref = "slurm.conf(5), NodeName; read_config.c:_push_to_hashtbls",
        .bad = "NodeName=c[1-4]\nNodeName=c4",
        .good = "NodeName=c[1-3]\nNodeName=c4",
        .needs = PLUMB_FACT_MODEL,
        .run = duplicates,
    },
    {
        .code = "NODE010",
        .name = "no-node",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "no node at all",
        .why = "22.05 does not start; later releases wait for nodes that register by themselves.",
        .ref = "slurmctld/read_config.c:read_slurm_conf",
        .bad = "ClusterName=demo\n"
               "SlurmctldHost=cp-01\n"
               "PartitionName=p Nodes=\"\" Default=YES",
        .good = "ClusterName=demo\n"
                "SlurmctldHost=cp-01\n"
                "NodeName=c[1-4] CPUs=32\n"
                "PartitionName=p Nodes=ALL Default=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = no_nodes,
    },
    {
        .code = "NODE011",
        .name = "nodeset-is-node",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a NodeSet has the name of a node",
        .why = "Nobody can tell which of them a partition means.",
        .ref = "slurm.conf(5), NodeSet; read_config.c:_validate_conf_nodeset_vs_nodenames",
        .bad = "NodeSet=gpu-1 Feature=h100\n"
               "NodeName=gpu-[1-4] CPUs=32 Feature=h100",
        .good = "NodeSet=h100 Feature=h100\n"
                "NodeName=gpu-[1-4] CPUs=32 Feature=h100",
        .needs = PLUMB_FACT_MODEL,
        .run = nodeset_is_node,
    },
    {
        .code = "NODE012",
        .name = "nodeset-empty",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a NodeSet of a feature that no node has",
        .why = "Partitions of this set have no nodes, and no daemon says so.",
        .ref = "slurm.conf(5), NodeSet",
        .bad = "NodeSet=fast Feature=h200\nNodeName=g Feature=h100",
        .good = "NodeSet=fast Feature=h100\nNodeName=g Feature=h100",
        .needs = PLUMB_FACT_MODEL,
        .run = empty_nodeset,
    },
    {
        .code = "NODE013",
        .name = "node-placeholder",
        PLUMB_OUTCOME(ERROR, NONE, SLURMCTLD),
        .summary = "a node name is a placeholder of a template",
        .why = "The daemons take it for the name of one host that never answers.",
        .ref = "slurm.conf(5), NodeName",
        .bad = "NodeName=<NODES>",
        .good = "NodeName=c[01-04]",
        .needs = PLUMB_FACT_MODEL,
        .run = placeholders,
    },
    {
        .code = "NODE015",
        .name = "node-address-count",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a list of addresses, host names or ports is not as long as the node list",
        .why = "The lists are paired with the names one by one; only a single value is for all.",
        .ref = "slurm.conf(5), NodeAddr; node_conf.c:expand_nodeline_info",
        .bad = "NodeName=c[1-4] NodeAddr=10.0.0.[1-3]",
        .good = "NodeName=c[1-4] NodeAddr=10.0.0.[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = addresses,
    },
};

const struct plumb_rule_family plumb_node_identity_rules = {
    .prefix = "NODE",
    .title = "Node lines: names, node sets, addresses",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
