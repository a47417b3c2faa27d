/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slurm.conf, slurmdbd.conf, cgroup.conf and gres.conf as SUNK's chart `slurm` writes them: its own
 * lines, extraConfig, a node set for each entry of compute.nodes that is enabled,
 * compute.partitions (schema/kube/sunk-chart-8.3.yaml says what is public of it). Pods register
 * their nodes.
 */
#include <string.h>

#include "base/limits.h"
#include "kube/value.h"
#include "passes/assemble.h"
#include "passes/sunk_entry.h"

enum { MIB = 1048576 };

static const struct plumb_node *at(const struct plumb_assembly *as, const char *path)
{
    return plumb_assemble_at(as->cluster, path);
}

static bool is_off(const struct plumb_node *n)
{
    return n != NULL && plumb_kube_json_of(n) == PLUMB_KUBE_IS_BOOLEAN && !plumb_kube_true(n);
}

/* ---- nodes ---- */

static void add_words(struct plumb_assembly *as, struct plumb_buf *b, const struct plumb_node *list)
{
    const char *words = plumb_assemble_joined(as->a, list, NULL);

    if (words[0] != '\0')
        plumb_buf_printf(b, ",%s", words);
}

/* The name of the entry is the first feature of its nodes, by which the node set has them. */
static void add_features(struct plumb_assembly *as, struct plumb_conf_line *line,
                         const struct plumb_sunk_entry *e)
{
    static const char *const lists[] = {"staticFeatures", "features"};
    struct plumb_buf b = plumb_buf_in(as->a);
    struct plumb_span place = e->at;

    plumb_buf_str(&b, e->name);
    for (size_t i = 0; i < PLUMB_COUNT(lists); i++) {
        const struct plumb_node *list = plumb_sunk_list(as->a, e, lists[i]);

        add_words(as, &b, list);
        if (list != NULL)
            place = list->at;
    }
    plumb_conf_add(as->doc, line, PLUMB_P_NODE_FEATURES, plumb_buf_text(&b), place);
}

static void add_amount(struct plumb_assembly *as, struct plumb_conf_line *line,
                       enum plumb_param_id id, const struct plumb_node *n, uint64_t unit)
{
    uint64_t count = plumb_assemble_bytes(n) / unit;

    if (count > 0)
        plumb_conf_add_u64(as->doc, line, id, count, n->at);
}

/* What is not said, slurmd measures. */
static void add_node(struct plumb_assembly *as, const struct plumb_sunk_entry *e, uint64_t count)
{
    const struct plumb_node *gpu = plumb_sunk_said(e, "gresGpu");
    const struct plumb_node *memory = plumb_sunk_said(e, "resources/limits/memory");
    const char *prefix = plumb_arena_printf(as->a, "%s-", e->name);
    struct plumb_conf_line *line = plumb_conf_line(as->doc, PLUMB_SCOPE_NODE);

    if (memory == NULL)
        memory = plumb_sunk_said(e, "resources/requests/memory");
    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_NODENAME, plumb_assemble_pods(as, prefix, count, 0),
                   e->at);
    add_features(as, line, e);
    add_amount(as, line, PLUMB_P_NODE_CPUS, plumb_sunk_said(e, "skuCpu"), 1);
    add_amount(as, line, PLUMB_P_NODE_REALMEMORY, memory, MIB);
    if (memory != NULL)
        add_amount(as, line, PLUMB_P_NODE_MEMSPECLIMIT, at(as, "compute/reservedMemory"), MIB);
    if (plumb_node_text(gpu) != NULL && gpu->scalar.len > 0)
        plumb_conf_add(as->doc, line, PLUMB_P_NODE_GRES,
                       plumb_arena_printf(as->a, "gpu:%s", plumb_node_text(gpu)), gpu->at);
}

/* A partition of the name of each entry; whether there is one where nobody says is not known. */
static bool is_auto(struct plumb_assembly *as)
{
    const struct plumb_node *all = at(as, "autoPartition/enabled");
    const struct plumb_node *own = at(as, "compute/autoPartition/enabled");

    if (all == NULL && own == NULL)
        as->doc->partial = true;
    return plumb_kube_true(all) || plumb_kube_true(own);
}

static void add_partition(struct plumb_assembly *as, const struct plumb_sunk_entry *e)
{
    struct plumb_conf_line *line = plumb_conf_line(as->doc, PLUMB_SCOPE_PARTITION);

    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_PARTITIONNAME, e->name, e->at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_NODES, e->name, e->at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_DEFAULT, "no", e->at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_MAXTIME, "INFINITE", e->at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_STATE, "UP", e->at);
}

/* What a definition of the chart's own says of the nodes is not known. */
static void add_entry(struct plumb_assembly *as, const struct plumb_sunk_entry *e, bool partition)
{
    const struct plumb_node *replicas = plumb_sunk_said(e, "replicas");
    struct plumb_conf_line *line = NULL;
    int64_t count = -1;

    if (!plumb_kube_true(plumb_sunk_said(e, "enabled")))
        return;
    line = plumb_conf_line(as->doc, PLUMB_SCOPE_NODESET);
    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_NODESET, e->name, e->at);
    plumb_conf_add(as->doc, line, PLUMB_P_NODESET_FEATURE, e->name, e->at);
    if (partition)
        add_partition(as, e);
    if (replicas != NULL && plumb_kube_json_of(replicas) == PLUMB_KUBE_IS_INTEGER)
        count = plumb_kube_integer(replicas);
    if (!e->whole || count < 0 || count > PLUMB_MAX_HOST_RANGE)
        as->doc->partial = true;
    else if (count > 0)
        add_node(as, e, (uint64_t)count);
}

static void add_entries(struct plumb_assembly *as)
{
    const struct plumb_node *all = at(as, "compute/nodes");
    bool partition = is_auto(as);

    for (uint32_t i = 0; all != NULL && all->kind == PLUMB_MAPPING && i < all->count; i++) {
        struct plumb_sunk_entry e;

        if (all->pairs[i].key->kind != PLUMB_SCALAR || all->pairs[i].value->kind != PLUMB_MAPPING)
            continue;
        e = plumb_sunk_entry(as->a, as->cluster->root, &all->pairs[i]);
        add_entry(as, &e, partition);
    }
    /* Nodes of the other kind have lines in files that the syncer writes. */
    if (all == NULL || is_off(at(as, "compute/dynamic")))
        as->doc->partial = true;
}

/* ---- the files ---- */

/* Where what nobody said is told: extraConfig, else the section that would have it. */
static struct plumb_span place_of(const struct plumb_kube_object *o)
{
    const struct plumb_pair *section = plumb_node_pair(o->root, "slurmConfig");
    const struct plumb_pair *text =
        section == NULL ? NULL : plumb_node_pair(section->value, "extraConfig");

    if (text != NULL)
        return text->key->at;
    if (section != NULL)
        return section->key->at;
    return o->root->count > 0 ? o->root->pairs[0].key->at : o->name_at;
}

/* Words that stand behind the chart's own: another list of them replaces its default. */
static void add_parameters(struct plumb_assembly *as)
{
    const struct plumb_node *list = at(as, "slurmConfig/slurmCtld/additionalParameters");
    struct plumb_buf b = plumb_buf_in(as->a);

    if (list == NULL || list->kind != PLUMB_SEQUENCE)
        return;
    plumb_buf_str(&b, "cloud_dns");
    add_words(as, &b, list);
    plumb_conf_add(as->doc, plumb_conf_line(as->doc, PLUMB_SCOPE_GLOBAL),
                   PLUMB_P_SLURM_SLURMCTLDPARAMETERS, plumb_buf_text(&b), list->at);
}

static void assemble_slurm(struct plumb_assembly *as, struct plumb_span place)
{
    plumb_assemble_new(as, PLUMB_SLURM_CONF, place);
    as->doc->dynamic = true;
    plumb_assemble_own(as, as->cluster);
    add_parameters(as);
    plumb_assemble_lines(as, plumb_assemble_part(as, as->cluster, "slurmConfig/extraConfig"));
    add_entries(as);
    plumb_assemble_lines(as, plumb_assemble_part(as, as->cluster, "compute/partitions"));
    if (at(as, "compute/partitions") == NULL)
        as->doc->partial = true; /* the chart has partitions of its own */
}

/* cgroup.conf is there where processes are tracked by it, or somebody says what is in it. */
static void assemble_cgroup(struct plumb_assembly *as, struct plumb_span place)
{
    const struct plumb_node *tracks = at(as, "slurmConfig/slurmCtld/procTrackType");
    const char *type = plumb_node_text(tracks);

    if (at(as, "slurmConfig/cgroupConfig") == NULL &&
        (type == NULL || strcmp(type, "proctrack/cgroup") != 0))
        return;
    plumb_assemble_new(as, PLUMB_CGROUP_CONF, place);
    plumb_assemble_own(as, as->cluster);
    plumb_assemble_lines(as, plumb_assemble_part(as, as->cluster, "slurmConfig/cgroupConfig"));
}

/* Units are made of labels of the Nodes. */
static void assemble_topology(struct plumb_assembly *as, struct plumb_span place)
{
    plumb_assemble_new(as, PLUMB_TOPOLOGY_CONF, place);
    as->doc->partial = true;
}

static void assemble_gres(struct plumb_assembly *as, struct plumb_span place)
{
    plumb_assemble_new(as, PLUMB_GRES_CONF, place);
    if (is_off(at(as, "compute/dynamic")))
        as->doc->partial = true;
    else
        plumb_assemble_own(as, as->cluster);
}

void plumb_assemble_sunk_values(struct plumb_assembly *as)
{
    const struct plumb_node *on = at(as, "accounting/enabled");
    struct plumb_span place = place_of(as->cluster);

    if (!is_off(on)) {
        as->accounting_name = "slurm";
        as->accounting_at = on == NULL ? as->cluster->name_at : on->at;
    }
    assemble_slurm(as, place);
    assemble_cgroup(as, place);
    assemble_gres(as, place);
    assemble_topology(as, place);
    if (as->accounting_name == NULL || plumb_kube_true(at(as, "accounting/external/enabled")))
        return;
    plumb_assemble_new(as, PLUMB_SLURMDBD_CONF, as->accounting_at);
    plumb_assemble_own(as, as->cluster);
    plumb_assemble_lines(as, plumb_assemble_part(as, as->cluster, "accounting/config"));
}
