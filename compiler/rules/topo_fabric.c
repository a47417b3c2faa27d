/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topologies against what captures tell of the fabric: which nodes are there, which leaves they
 * share, what is connected at all. slurmctld believes the file; a wrong one places jobs across slow
 * or absent paths.
 */
#include "model/fabric.h"
#include "rules/ask.h"
#include "rules/topo.h"

/* Hosts of the capture, to the position of their group + 1. */
static struct plumb_map groups_by_host(const struct plumb_check *ck)
{
    const struct plumb_fabric *f = ck->model->fabric;
    struct plumb_map map = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < f->count; i++) {
        struct plumb_host_cursor c = {0};
        struct plumb_buf name = plumb_buf_in(ck->scratch);

        while (f->groups[i].hosts != NULL && plumb_hostlist_next(f->groups[i].hosts, &c, &name)) {
            plumb_map_set(&map, plumb_arena_strdup(ck->scratch, plumb_buf_text(&name)),
                          (void *)(uintptr_t)(i + 1));
            name = plumb_buf_in(ck->scratch);
        }
    }
    return map;
}

static size_t group_of(const struct plumb_map *map, const char *host)
{
    void *at = plumb_map_get(map, host);

    return at == NULL ? PLUMB_FABRIC_NONE : (size_t)(uintptr_t)at - 1;
}

static bool asked(const struct plumb_check *ck)
{
    return ck->model->fabric != NULL && ck->model->fabric->host_count > 0;
}

/* All hosts of the capture. */
static struct plumb_hostlist hosts_of(const struct plumb_check *ck)
{
    const struct plumb_fabric *f = ck->model->fabric;
    struct plumb_hostlist all = {0};

    for (size_t i = 0; i < f->count; i++) {
        if (f->groups[i].hosts != NULL)
            plumb_hostlist_append(ck->scratch, &all, f->groups[i].hosts);
    }
    for (size_t i = 0; f->count == 0 && i < f->block_count; i++)
        plumb_hostlist_append(ck->scratch, &all, f->blocks[i].hosts);
    return all;
}

/* TOPO050: labels may be those of some nodes only. */
static void not_in_fabric(const struct plumb_check *ck)
{
    struct plumb_hostlist hosts;

    if (!asked(ck) || ck->model->fabric->partial)
        return;
    hosts = hosts_of(ck);
    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_hostlist *lost = NULL;

        if (u->nodes == NULL)
            continue;
        lost = plumb_hostlist_minus(ck->arena, u->nodes, &hosts);
        if (lost->count == 0)
            continue;
        plumb_diag_note(
            plumb_report(ck, lost->ranges[0].at, "%s does not have %s of '%s', expected its hosts",
                         ck->model->fabric->source, plumb_hostlist_str(ck->arena, lost), u->name.v),
            ck->model->fabric->at, "the capture");
    }
}

/* TOPO051: with a slurm.conf the rule about nodes in no switch says it. */
static void not_in_topology(const struct plumb_check *ck)
{
    struct plumb_hostlist hosts, nodes;
    const struct plumb_hostlist *lost = NULL;

    if (!asked(ck) || ck->model->topo_unit_count == 0 || ck->model->node_count > 0)
        return;
    hosts = hosts_of(ck);
    nodes = plumb_topo_nodes(ck, 0, ck->model->topo_unit_count);
    lost = plumb_hostlist_minus(ck->arena, &hosts, &nodes);
    if (lost->count > 0)
        plumb_diag_note(
            plumb_report(ck, ck->model->topo_units[0].at, "%s %s %s, no %s here has",
                         ck->model->fabric->source, ck->model->fabric->partial ? "have" : "has",
                         plumb_hostlist_str(ck->arena, lost),
                         ck->model->topo_units[0].scope == PLUMB_SCOPE_SWITCH ? "switch" : "block"),
            lost->ranges[0].at, "the first of them");
}

/* Counts of nodes by group, for one list after another. */
struct tally {
    uint64_t *counts; /* of each group; all zero between lists */
    size_t *seen;     /* the groups that have some */
    size_t seen_count;
};

/* Counts the nodes of a list, and gives the group that most are in; NONE when none is in any. */
static size_t most_of(const struct plumb_check *ck, const struct plumb_map *map,
                      const struct plumb_hostlist *nodes, struct tally *t)
{
    size_t best = PLUMB_FABRIC_NONE;
    struct plumb_host_cursor c = {0};
    struct plumb_buf name = plumb_buf_in(ck->scratch);

    while (plumb_hostlist_next(nodes, &c, &name)) {
        size_t g = group_of(map, plumb_buf_text(&name));

        if (g != PLUMB_FABRIC_NONE && t->counts[g]++ == 0)
            t->seen[t->seen_count++] = g;
        if (g != PLUMB_FABRIC_NONE && (best == PLUMB_FABRIC_NONE || t->counts[g] > t->counts[best]))
            best = g;
        name = plumb_buf_in(ck->scratch);
    }
    return best;
}

/* The hosts of all groups that were counted but one; the tally is empty then. */
static struct plumb_hostlist others(const struct plumb_check *ck, struct tally *t, size_t most)
{
    struct plumb_hostlist all = {0};

    for (size_t i = 0; i < t->seen_count; i++) {
        if (t->seen[i] != most)
            plumb_hostlist_append(ck->scratch, &all, ck->model->fabric->groups[t->seen[i]].hosts);
        t->counts[t->seen[i]] = 0;
    }
    t->seen_count = 0;
    return all;
}

/* TOPO052 */
static void other_leaf(const struct plumb_check *ck)
{
    const struct plumb_fabric *f = ck->model->fabric;
    struct plumb_map map;
    struct tally t = {0};

    if (!asked(ck))
        return;
    map = groups_by_host(ck);
    t.counts = PLUMB_NEW_ARRAY(ck->scratch, f->count, uint64_t);
    t.seen = PLUMB_NEW_ARRAY(ck->scratch, f->count, size_t);
    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_hostlist *away = NULL;
        struct plumb_hostlist hosts;
        size_t most = PLUMB_FABRIC_NONE;

        if (u->nodes == NULL || u->scope != PLUMB_SCOPE_SWITCH)
            continue;
        most = most_of(ck, &map, u->nodes, &t);
        if (most == PLUMB_FABRIC_NONE)
            continue;
        hosts = others(ck, &t, most);
        away = plumb_hostlist_intersect(ck->arena, u->nodes, &hosts);
        if (away->count > 0)
            plumb_diag_note(plumb_report(ck, away->ranges[0].at,
                                         "%s %s other leaves than most nodes of '%s', expected "
                                         "nodes at the leaves of '%s'",
                                         plumb_hostlist_str(ck->arena, away),
                                         away->count == 1 ? "is at" : "are at", u->name.v,
                                         f->groups[most].name),
                            f->groups[most].at, "the first leaf of the others");
    }
}

/* The NVLink domain that most nodes of a list are in; NULL: none. */
static const struct plumb_fabric_block *most_in(const struct plumb_check *ck,
                                                const struct plumb_hostlist *nodes)
{
    const struct plumb_fabric *f = ck->model->fabric;
    const struct plumb_fabric_block *best = NULL;
    uint64_t most = 0;

    for (size_t i = 0; i < f->block_count; i++) {
        uint64_t n = plumb_hostlist_intersect(ck->scratch, nodes, f->blocks[i].hosts)->count;

        best = n > most ? &f->blocks[i] : best;
        most = n > most ? n : most;
    }
    return best;
}

/* TOPO054 */
static void other_domain(const struct plumb_check *ck)
{
    const struct plumb_fabric *f = ck->model->fabric;
    struct plumb_hostlist told = {0};

    if (f == NULL || f->block_count == 0)
        return;
    for (size_t i = 0; i < f->block_count; i++)
        plumb_hostlist_append(ck->scratch, &told, f->blocks[i].hosts);
    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_fabric_block *most =
            u->nodes == NULL || u->scope != PLUMB_SCOPE_BLOCK ? NULL : most_in(ck, u->nodes);
        const struct plumb_hostlist *away = NULL;

        if (most == NULL)
            continue;
        away = plumb_hostlist_minus(
            ck->arena, plumb_hostlist_intersect(ck->scratch, u->nodes, &told), most->hosts);
        if (away->count > 0)
            plumb_diag_note(plumb_report(ck, away->ranges[0].at,
                                         "%s %s in another NVLink domain than most nodes of block "
                                         "'%s', expected nodes of '%s'",
                                         plumb_hostlist_str(ck->arena, away),
                                         away->count == 1 ? "is" : "are", u->name.v, most->name),
                            most->at, "the domain of the others");
    }
}

/* The root of the fabric below a unit; NONE: unknown, or *split is set. */
static size_t root_below(const struct plumb_check *ck, const struct plumb_map *map,
                         const struct plumb_topo_unit *u, int level, bool *split)
{
    const struct plumb_fabric *f = ck->model->fabric;
    size_t root = PLUMB_FABRIC_NONE;
    struct plumb_host_cursor c = {0};
    struct plumb_buf name = plumb_buf_in(ck->scratch);

    while (u->nodes != NULL && plumb_hostlist_next(u->nodes, &c, &name)) {
        size_t g = group_of(map, plumb_buf_text(&name));
        size_t at = g == PLUMB_FABRIC_NONE ? g : plumb_fabric_root_of(f, g);

        *split = *split || (root != PLUMB_FABRIC_NONE && at != PLUMB_FABRIC_NONE && at != root);
        root = root == PLUMB_FABRIC_NONE ? at : root;
        name = plumb_buf_in(ck->scratch);
    }
    for (size_t i = 0; level < 20 && u->children != NULL && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *child = &ck->model->topo_units[i];
        size_t at = PLUMB_FABRIC_NONE;

        if (child == u || child->topology != u->topology || !plumb_usable(child->name) ||
            !plumb_hostlist_has(u->children, child->name.v))
            continue;
        at = root_below(ck, map, child, level + 1, split);
        *split = *split || (root != PLUMB_FABRIC_NONE && at != PLUMB_FABRIC_NONE && at != root);
        root = root == PLUMB_FABRIC_NONE ? at : root;
    }
    return root;
}

/* TOPO053: the lowest switches that span parts; those above follow from them. */
static void spans_parts(const struct plumb_check *ck)
{
    struct plumb_map map;

    if (!asked(ck) || plumb_fabric_parts(ck->model->fabric) < 2)
        return;
    map = groups_by_host(ck);
    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        bool split = false, below = false;

        if (u->children == NULL || !plumb_usable(u->name))
            continue;
        (void)root_below(ck, &map, u, 0, &split);
        for (size_t k = 0; split && k < ck->model->topo_unit_count; k++) {
            const struct plumb_topo_unit *child = &ck->model->topo_units[k];

            if (child != u && child->children != NULL && plumb_usable(child->name) &&
                plumb_hostlist_has(u->children, child->name.v))
                (void)root_below(ck, &map, child, 0, &below);
        }
        if (split && !below)
            plumb_diag_note(plumb_report(ck, u->name.at,
                                         "'%s' is above switches that the fabric does not connect, "
                                         "expected a tree for each of its %zu parts",
                                         u->name.v, plumb_fabric_parts(ck->model->fabric)),
                            ck->model->fabric->at, "the capture");
    }
}

#define ROW(number, text, summary_text, why_text, bad_text, good_text, function)                   \
    {                                                                                              \
        .code = "TOPO" number, .name = (text), .severity = PLUMB_WARNING,                          \
        .summary = (summary_text), .why = (why_text), .ref = "topology.conf(5); ibnetdiscover(8)", \
        .bad = (bad_text), .good = (good_text), .needs = PLUMB_FACT_MODEL, .run = (function),      \
    }

/* A part of the fabric for examples: a leaf with the hosts n1 and n2. */
#define LEAF                                                                                       \
    "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"                                               \
    "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"                                                \
    "[2] \"H-2\"[1] # \"n2 mlx5_0\" lid 12 4xNDR\n"

/* A block of a model of topograph. */
#define DOMAIN(nodes, domain)                                                                      \
    "- nodes: [\"" nodes "\"]\n"                                                                   \
    "  annotations: {accelerator.topology.test/domain: " domain "}\n"

static const struct plumb_rule rows[] = {
    ROW("050", "topology-node-not-in-fabric", "a node of a switch is not in the fabric",
        "It was down when the fabric was captured, has another name there, or is no longer there: "
        "slurmctld counts on it for every placement.",
        "SwitchName=leaf1 Nodes=n[1-3]\n"
        "# ibnetdiscover.txt\n" LEAF,
        "SwitchName=leaf1 Nodes=n[1-2]\n"
        "# ibnetdiscover.txt\n" LEAF,
        not_in_fabric),
    ROW("051", "topology-lacks-host", "a host of the fabric is in no switch",
        "Nodes that the topology does not have run jobs alone, or with others that it does not "
        "have.",
        "SwitchName=leaf1 Nodes=n1\n"
        "# ibnetdiscover.txt\n" LEAF,
        "SwitchName=leaf1 Nodes=n[1-2]\n"
        "# ibnetdiscover.txt\n" LEAF,
        not_in_topology),
    ROW("052", "topology-other-leaf", "nodes of one switch are at different leaves",
        "slurmctld packs jobs below one switch because it takes the path for short; here it is "
        "not. A node was moved, or cabled to the wrong switch.",
        "SwitchName=leaf1 Nodes=n[1-3]\n"
        "# ibnetdiscover.txt\n" LEAF "Switch 65 \"S-2\" # \"MF0;leaf2:MQM9701/U1\"\n"
        "[1] \"H-3\"[1] # \"n3 mlx5_0\" lid 13 4xNDR\n",
        "SwitchName=leaf1 Nodes=n[1-2]\n"
        "SwitchName=leaf2 Nodes=n3\n"
        "# ibnetdiscover.txt\n" LEAF "Switch 65 \"S-2\" # \"MF0;leaf2:MQM9701/U1\"\n"
        "[1] \"H-3\"[1] # \"n3 mlx5_0\" lid 13 4xNDR\n",
        other_leaf),
    ROW("053", "topology-split-fabric", "a switch is above parts that are not connected",
        "Jobs are spread over nodes that cannot reach each other; separate trees keep them apart.",
        "SwitchName=leaf1 Nodes=n[1-2]\n"
        "SwitchName=leaf2 Nodes=n3\n"
        "SwitchName=spine Switches=leaf[1-2]\n"
        "# ibnetdiscover.txt\n" LEAF "Switch 65 \"S-2\" # \"MF0;leaf2:MQM9701/U1\"\n"
        "[1] \"H-3\"[1] # \"n3 mlx5_0\" lid 13 4xNDR\n",
        "SwitchName=leaf1 Nodes=n[1-2]\n"
        "SwitchName=leaf2 Nodes=n3\n"
        "# ibnetdiscover.txt\n" LEAF "Switch 65 \"S-2\" # \"MF0;leaf2:MQM9701/U1\"\n"
        "[1] \"H-3\"[1] # \"n3 mlx5_0\" lid 13 4xNDR\n",
        spans_parts),
    ROW("054", "block-other-domain", "nodes of one block are in different NVLink domains",
        "slurmctld gives a job whole blocks because it takes their nodes to be near; these are in "
        "different racks of NVLink, and a node that NCCL expects behind NVLink is not.",
        "BlockName=b1 Nodes=n[1-3]\n"
        "BlockSizes=3\n"
        "# topograph.yaml\n"
        "blocks:\n" DOMAIN("n[1-2]", "nvl1") DOMAIN("n3", "nvl2"),
        "BlockName=b1 Nodes=n[1-2]\n"
        "BlockName=b2 Nodes=n3\n"
        "BlockSizes=1\n"
        "# topograph.yaml\n"
        "blocks:\n" DOMAIN("n[1-2]", "nvl1") DOMAIN("n3", "nvl2"),
        other_domain),
};

const struct plumb_rule_family plumb_topo_fabric_rules = {
    .prefix = "TOPO",
    .title = "Topologies against the fabric",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
