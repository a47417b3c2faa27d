/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about topology/block: the sizes of blocks. */
#include <inttypes.h>

#include "base/num.h"
#include "model/nested.h"
#include "rules/ask.h"
#include "rules/topo.h"

/* The numbers of BlockSizes; count 0: not set or not readable. */
struct sizes {
    uint64_t items[16];
    struct plumb_span places[16];
    struct plumb_span behind; /* text behind the digits of one; not known: none */
    struct plumb_span cut;    /* a number of which atoi keeps 32 bits; not known: none */
    size_t count;
    struct plumb_span at;
    bool bad;
};

/* What atoi makes of a number: 32 bits of 64, or -1. 0: nothing above 0. */
static uint64_t as_int(uint64_t n)
{
    uint32_t low = (uint32_t)(n & UINT32_MAX);

    return n > INT64_MAX || low > INT32_MAX ? 0 : low;
}

static struct sizes block_sizes(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_TOPO_BLOCKSIZES);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    struct sizes out = {0};

    if (s == NULL)
        return out;
    out.at = s->value.at;
    while (plumb_list_next(&s->value, ',', &c, &item) && out.count < PLUMB_COUNT(out.items)) {
        size_t digits = plumb_read_digits(item.text, item.len, &out.items[out.count]);

        uint64_t kept = as_int(out.items[out.count]);

        out.places[out.count] = item.at;
        if (digits == 0 || digits == SIZE_MAX || kept == 0) {
            out.bad = true;
            return out;
        }
        if (kept != out.items[out.count])
            out.cut = item.at;
        out.items[out.count] = kept;
        if (digits < item.len && !plumb_span_known(out.behind))
            out.behind = plumb_slice_span(&item, digits, item.len);
        out.count++;
    }
    return out;
}

static const struct plumb_era small_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, true},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_25_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, true},
};
static const struct plumb_eras small_eras = PLUMB_ERAS(small_rows);

/* Names that are no nodes are left out first (TOPO006); an unread NodeName line may have them. */
static uint64_t known_nodes(const struct plumb_check *ck, const struct plumb_hostlist *names)
{
    const struct plumb_model *m = ck->model;

    if (!m->present[PLUMB_SLURM_CONF] || m->nodes_unread || m->all_nodes == NULL)
        return names->count;
    return plumb_hostlist_minus(ck->scratch, names, plumb_no_nodes(ck, names))->count;
}

/* TOPO008: "children count lower than bblock_node_cnt". Without BlockSizes the first block counts.
 */
static void block_small(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct sizes sizes = block_sizes(ck);
    uint64_t base = 0;

    if (!plumb_topo_blocks(ck) || sizes.bad || plumb_era_quiet(ck, &small_eras) ||
        (sizes.count > 0 && sizes.items[0] > UINT16_MAX)) /* TOPO009 */
        return;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (u->scope != PLUMB_SCOPE_BLOCK || u->nodes == NULL)
            continue;

        uint64_t count = known_nodes(ck, u->nodes);

        if (base == 0)
            base = sizes.count > 0 ? sizes.items[0] : count;
        if (count >= base)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, u->nodes->at,
                         "block '%s' has %" PRIu64 " nodes, expected at least the %" PRIu64
                         " of the base block size",
                         u->name.v, count, base);

        plumb_diag_note(d, sizes.count > 0 ? sizes.places[0] : m->topo_units[0].at,
                        "the base block size");
        plumb_outcome(ck, d, &small_eras);
    }
}

/* From 25.05 on a block may be empty, but for all of them: block_record.c:block_record_validate. */
static const struct plumb_era empty_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, true},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_25_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_eras empty_eras = PLUMB_ERAS(empty_rows);

static bool is_empty(const struct plumb_topo_unit *u)
{
    return u->scope == PLUMB_SCOPE_BLOCK && !u->bad &&
           plumb_setting(&u->settings, PLUMB_P_BLOCK_NODES) == NULL;
}

/* TOPO017: block_record.c:_parse_block, "hasn't got nodes" */
static void block_empty(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    size_t blocks = 0, empty = 0;

    if (!plumb_topo_blocks(ck) || plumb_topo_from_yaml(ck) || plumb_era_quiet(ck, &empty_eras))
        return;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        blocks += m->topo_units[i].scope == PLUMB_SCOPE_BLOCK;
        empty += is_empty(&m->topo_units[i]);
    }
    if ((empty < blocks || plumb_global(ck, PLUMB_P_TOPO_BLOCKSIZES) == NULL) &&
        plumb_has_trait(ck, PLUMB_TRAIT_EMPTY_BLOCKS_TAKEN))
        return; /* without BlockSizes TOPO035 tells the worse */
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (is_empty(u))
            plumb_outcome(
                ck, plumb_report(ck, u->at, "block '%s' has no Nodes, expected some", u->name.v),
                &empty_eras);
    }
}

static bool power_of_two_times(uint64_t size, uint64_t base)
{
    uint64_t factor = size / base;

    return size % base == 0 && factor > 0 && factor <= 1u << 15 && (factor & (factor - 1)) == 0;
}

static const struct plumb_era sizes_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, true},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_eras sizes_eras = PLUMB_ERAS(sizes_rows);

/*
 * The first size is kept in 16 bits: what they cannot hold is 0, by which slurmctld divides and
 * crashes, or a number that the size is no multiple of (block_context_t, bblock_node_cnt). True:
 * reported.
 */
static bool base_too_large(const struct plumb_check *ck, uint64_t base, struct plumb_span at,
                           const struct plumb_eras *eras)
{
    if (base <= UINT16_MAX)
        return false;
    plumb_outcome(ck,
                  plumb_report(ck, at, "the base block size is %" PRIu64 ", expected at most %d%s",
                               base, UINT16_MAX,
                               base % (UINT16_MAX + 1) == 0
                                   ? ", as 16 bits hold of it 0, by which slurmctld divides"
                                   : ""),
                  eras);
    return true;
}

/* block_sizes of topology.yaml: block_record.c:block_record_validate */
static void yaml_sizes_wrong(const struct plumb_check *ck, const struct plumb_block_sizes *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct plumb_u64 *size = &s->items[i];

        if (!plumb_usable(*size) || size->v == 0) {
            plumb_outcome(
                ck, plumb_report(ck, size->at, "this is no block size, expected a number above 0"),
                NULL);
            return;
        }
        if (i == 0 && base_too_large(ck, size->v, size->at, NULL))
            return;
        if (i > 0 && !power_of_two_times(size->v, s->items[0].v))
            plumb_outcome(ck,
                          plumb_report(ck, size->at,
                                       "block size %" PRIu64 " is no multiple of the first, "
                                       "%" PRIu64 ", by a power of two, expected one such as "
                                       "%" PRIu64,
                                       size->v, s->items[0].v, s->items[0].v * 2),
                          NULL);
    }
}

/* TOPO009: block_record.c, _read_topo_file */
static void sizes_wrong(const struct plumb_check *ck)
{
    const struct plumb_nested_model *nested = ck->model->nested;

    struct sizes sizes = block_sizes(ck);

    for (size_t i = 0; nested != NULL && i < nested->size_count; i++)
        yaml_sizes_wrong(ck, &nested->sizes[i]);
    /* Without a block the sizes are read all the same. */
    if (plumb_topo_from_yaml(ck) || plumb_era_quiet(ck, &sizes_eras) ||
        !(ck->model->topo_unit_count == 0
              ? plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "block")
              : plumb_topo_blocks(ck)))
        return;
    if (sizes.bad) {
        plumb_outcome(ck,
                      plumb_report(ck, sizes.places[sizes.count],
                                   "this is no block size, expected a number above 0"),
                      &sizes_eras);
        return;
    }
    if (plumb_span_known(sizes.behind)) /* atoi reads the digits and does not look further */
        plumb_outcome_is(ck,
                         plumb_report(ck, sizes.behind,
                                      "a block size ends behind its digits, this is passed over, "
                                      "expected a number"),
                         PLUMB_WARNING, PLUMB_EFFECT_NONE, 0);
    if (plumb_span_known(sizes.cut))
        plumb_outcome_is(ck,
                         plumb_report(ck, sizes.cut,
                                      "of this block size 32 bits count, expected at most %d",
                                      INT32_MAX),
                         PLUMB_WARNING, PLUMB_EFFECT_NONE, 0);
    if (sizes.count > 0 && base_too_large(ck, sizes.items[0], sizes.places[0], &sizes_eras))
        return;
    for (size_t i = 1; i < sizes.count; i++) {
        if (power_of_two_times(sizes.items[i], sizes.items[0]))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, sizes.places[i],
                                   "block size %" PRIu64 " is no multiple of the first, %" PRIu64
                                   ", by a power of two, expected one such as %" PRIu64,
                                   sizes.items[i], sizes.items[0], sizes.items[0] * 2),
                      &sizes_eras);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO008",
        .name = "block-too-small",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a block has fewer nodes than the base block size",
        .why = "24.05 and 24.11 refuse the file; from 25.05 on the block is just never filled.",
        .ref = "topology.conf(5), BlockSizes; block_record.c",
        .bad = "TopologyPlugin=topology/block\n"
               "NodeName=n[1-6]\n"
               "# topology.conf\n"
               "BlockName=b1 Nodes=n[1-4]\n"
               "BlockName=b2 Nodes=n[5-6]\n"
               "BlockSizes=4",
        .good = "TopologyPlugin=topology/block\n"
                "NodeName=n[1-6]\n"
                "# topology.conf\n"
                "BlockName=b1 Nodes=n[1-3]\n"
                "BlockName=b2 Nodes=n[4-6]\n"
                "BlockSizes=3",
        .needs = PLUMB_FACT_MODEL,
        .run = block_small,
    },
    {
        .code = "TOPO009",
        .name = "block-sizes",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "BlockSizes are no powers of two times the first",
        .why = "Larger blocks are made of pairs of smaller ones.",
        .ref = "topology.conf(5), BlockSizes; block_record.c:_read_topo_file",
        .bad = "TopologyPlugin=topology/block\n"
               "NodeName=n[1-36]\n"
               "# topology.conf\n"
               "BlockName=b1 Nodes=n[1-18]\n"
               "BlockName=b2 Nodes=n[19-36]\n"
               "BlockSizes=18,54",
        .good = "TopologyPlugin=topology/block\n"
                "NodeName=n[1-36]\n"
                "# topology.conf\n"
                "BlockName=b1 Nodes=n[1-18]\n"
                "BlockName=b2 Nodes=n[19-36]\n"
                "BlockSizes=18,36",
        .needs = PLUMB_FACT_MODEL,
        .run = sizes_wrong,
    },
    {
        .code = "TOPO017",
        .name = "block-empty",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a block of topology.conf has no nodes",
        .why = "Up to 24.11 both daemons end; later they take it, but for a file without any node.",
        .ref = "topology.conf(5), BlockName, Nodes; block_record.c:_parse_block",
        .bad = "TopologyPlugin=topology/block\n"
               "NodeName=n[1-18]\n"
               "# topology.conf\n"
               "BlockName=b1\n"
               "BlockName=b2 Nodes=n[1-18]",
        .good = "TopologyPlugin=topology/block\n"
                "NodeName=n[1-18]\n"
                "# topology.conf\n"
                "BlockName=b1 Nodes=n[1-18]",
        .needs = PLUMB_FACT_MODEL,
        .run = block_empty,
    },
};

const struct plumb_rule_family plumb_topo_block_rules = {
    .prefix = "TOPO",
    .title = "Blocks of nodes",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
