/* SPDX-License-Identifier: Apache-2.0 */
/* Node lines whose CPUs do not fit into the 16 bits that slurmctld has for them. */
#include <inttypes.h>

#include "rules/ask.h"
#include "rules/node.h"

#define N(name) PLUMB_P_NODE_##name

enum { KEPT = UINT16_MAX + 1 };

/* All numbers as they are written, or worked out from what is. */
struct shape {
    uint64_t boards, sockets, cores, threads; /* cores of a socket, threads of a core */
    uint64_t cpus;                            /* 0: not written */
    struct plumb_span at;                     /* of the first number that is written */
};

/* Takes a number that is written; false for one that was reported. */
static bool take(const struct plumb_check *ck, const struct plumb_nodes *n, enum plumb_param_id id,
                 uint64_t *value, struct plumb_span *at)
{
    struct plumb_u64 v = plumb_node_number(ck, n, id);

    if (plumb_written(v) && v.v > 0) {
        *value = v.v;
        if (!plumb_span_known(*at))
            *at = v.at;
    }
    return v.origin != PLUMB_BAD;
}

/* False where something cannot be used. */
static bool shape_of(const struct plumb_check *ck, const struct plumb_nodes *n, struct shape *out)
{
    uint64_t per_board = 0, sockets = 0;

    *out = (struct shape){.boards = 1, .cores = 1, .threads = 1};
    if (!take(ck, n, N(SOCKETS), &sockets, &out->at) ||
        !take(ck, n, N(BOARDS), &out->boards, &out->at) ||
        !take(ck, n, N(SOCKETSPERBOARD), &per_board, &out->at) ||
        !take(ck, n, N(CORESPERSOCKET), &out->cores, &out->at) ||
        !take(ck, n, N(THREADSPERCORE), &out->threads, &out->at) ||
        !take(ck, n, N(CPUS), &out->cpus, &out->at) || !take(ck, n, N(PROCS), &out->cpus, &out->at))
        return false;

    uint64_t of_socket = out->cores * out->threads;

    if (per_board > 0)
        out->sockets = out->boards * per_board;
    else if (sockets > 0)
        out->sockets = sockets;
    else if (out->cpus > 0 && out->cpus % of_socket == 0)
        out->sockets = out->cpus / of_socket;
    else
        out->sockets = out->boards;
    return plumb_span_known(out->at);
}

/* cons_tres and cons_res of 22.05 compares once more, with the cores in 16 bits too. */
static bool refused(const struct plumb_check *ck, const struct shape *s, uint64_t cpus)
{
    uint64_t cores = s->sockets * s->cores % KEPT;

    return !plumb_has_trait(ck, PLUMB_TRAIT_CPUS_MAY_BE_SOCKETS) && plumb_hands_out_cores(ck) &&
           cpus != cores && cpus != cores * s->threads;
}

static bool matches(const struct shape *s, uint64_t sockets, uint64_t cpus)
{
    return cpus == sockets || cpus == sockets * s->cores || cpus == sockets * s->cores * s->threads;
}

/* Boards that have more sockets in all than are kept. True: told. */
static bool sockets_wrap(const struct plumb_check *ck, const struct shape *s)
{
    uint64_t left = s->sockets % KEPT, cpus = s->cpus;

    if (left == s->sockets)
        return false;

    struct plumb_diag *d = plumb_report(ck, s->at,
                                        "%" PRIu64 " boards have %" PRIu64
                                        " sockets, expected at most %d; the node is left with "
                                        "%" PRIu64,
                                        s->boards, s->sockets, UINT16_MAX, left);

    if (cpus == 0)
        cpus = left * s->cores * s->threads % KEPT;
    if (left >= s->boards && matches(s, left, cpus))
        plumb_outcome_is(ck, d, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0);
    else
        plumb_outcome(ck, d, NULL);
    return true;
}

/* NODE044: read_config.c:_parse_nodename computes them into 16 bits, and compares */
static void cpus_wrap(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct shape s;
        uint64_t all = 0, cpus = 0;

        if (!shape_of(ck, n, &s) || sockets_wrap(ck, &s))
            continue;
        all = s.sockets * s.cores * s.threads;
        cpus = all % KEPT;
        if (all == cpus || matches(&s, s.sockets, s.cpus != 0 ? s.cpus : cpus))
            continue;
        if (s.cpus != 0 && !refused(ck, &s, cpus))
            continue; /* what is written was reset, which NODE001 tells */

        struct plumb_diag *d = plumb_report(ck, s.at,
                                            "a node of %" PRIu64 " sockets, %" PRIu64
                                            " cores each and %" PRIu64 " threads each has %" PRIu64
                                            " CPUs, expected at most %d; it is left with %" PRIu64,
                                            s.sockets, s.cores, s.threads, all, UINT16_MAX, cpus);

        if (refused(ck, &s, cpus)) {
            plumb_outcome_is(ck, d, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD);
            plumb_outcome_other(ck, d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
        } else
            plumb_outcome(ck, d, NULL);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE044",
        .name = "cpus-do-not-fit",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "boards, sockets, cores and threads make more than 65535 sockets or CPUs",
        .why = "CPUs of a node are counted in 16 bits: what is above them is lost.",
        .ref = "read_config.c:_parse_nodename",
        .bad = "NodeName=n Sockets=2 CoresPerSocket=65534",
        .good = "NodeName=n Sockets=2 CoresPerSocket=64",
        .needs = PLUMB_FACT_MODEL,
        .run = cpus_wrap,
    },
};

const struct plumb_rule_family plumb_node_wrap_rules = {
    .prefix = "NODE",
    .title = "CPUs that do not fit",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
