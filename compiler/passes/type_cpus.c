/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPUs, boards, sockets, cores and threads of a node line, as read_config.c:_parse_nodename
 * derives them. The faults that the daemon logs meanwhile are rules; here only its result.
 */
#include "passes/type.h"
#include "schema/value.h"

/* What the line, or a default line, says. */
struct written {
    struct plumb_u64 cpus, boards, sockets, sockets_per_board, cores, threads;
};

static struct plumb_u64 written_u16(const struct plumb_nodes *n, enum plumb_param_id id,
                                    enum plumb_release r)
{
    struct plumb_u64 v = plumb_setting_u64(&n->settings, id, r);

    if (v.origin == PLUMB_DEFAULTED)
        return (struct plumb_u64){.origin = PLUMB_ABSENT};
    if (plumb_usable(v) && v.v == PLUMB_UNLIMITED)
        v.v = UINT16_MAX;
    return v;
}

/* Zero is reset to 1 (read_config.c:_parse_nodename); nothing reads as 1. */
static struct plumb_u64 or_one(struct plumb_u64 v, struct plumb_span at)
{
    if (v.origin == PLUMB_ABSENT)
        return (struct plumb_u64){.v = 1, .at = at, .origin = PLUMB_DEFAULTED};
    if (plumb_usable(v) && v.v == 0)
        return (struct plumb_u64){.v = 1, .at = v.at, .origin = PLUMB_DERIVED};
    return v;
}

static struct plumb_u64 bad(struct plumb_span at)
{
    return (struct plumb_u64){.at = at, .origin = PLUMB_BAD};
}

/* Boards times SocketsPerBoard, which is 1 when it is not written. */
static struct plumb_u64 sockets_of_boards(const struct plumb_nodes *n, struct plumb_u64 per_board)
{
    if (!plumb_usable(per_board) || !plumb_usable(n->boards))
        return bad(per_board.at);
    if (per_board.origin == PLUMB_DEFAULTED && n->boards.origin == PLUMB_DEFAULTED)
        return per_board;
    return plumb_u64_derived(per_board.v * n->boards.v,
                             per_board.origin == PLUMB_DEFAULTED ? n->boards.at : per_board.at);
}

/* CPUs without sockets tell them, when they divide evenly (S277). */
static bool sockets_of_cpus(struct plumb_nodes *n, const struct written *w)
{
    uint64_t per_socket = 0;

    if (w->cpus.origin == PLUMB_ABSENT)
        return false;
    if (!plumb_usable(w->cpus) || !plumb_usable(n->cores_per_socket) ||
        !plumb_usable(n->threads_per_core)) {
        n->sockets = bad(n->at);
        return true;
    }
    per_socket = n->cores_per_socket.v * n->threads_per_core.v;
    if (n->cpus.v < per_socket || n->cpus.v % per_socket != 0)
        return false;
    n->sockets = plumb_u64_derived(n->cpus.v / per_socket, n->cpus.at);
    return true;
}

/* SocketsPerBoard wins over Sockets (S273). */
static void derive_sockets(struct plumb_nodes *n, const struct written *w)
{
    if (w->sockets_per_board.origin != PLUMB_ABSENT)
        n->sockets = sockets_of_boards(n, or_one(w->sockets_per_board, n->at));
    else if (w->sockets.origin != PLUMB_ABSENT)
        n->sockets = or_one(w->sockets, n->at);
    else if (!sockets_of_cpus(n, w))
        n->sockets = sockets_of_boards(n, or_one(w->sockets_per_board, n->at));
}

/* CPUs must be the sockets, cores or threads of the node; else all threads (S275). */
static void derive_cpus(struct plumb_nodes *n)
{
    uint64_t cores = 0, threads = 0;

    if (!plumb_usable(n->sockets) || !plumb_usable(n->cores_per_socket) ||
        !plumb_usable(n->threads_per_core)) {
        if (n->cpus.origin == PLUMB_DEFAULTED)
            n->cpus = bad(n->at);
        return;
    }
    cores = n->sockets.v * n->cores_per_socket.v;
    threads = cores * n->threads_per_core.v;
    if (n->cpus.origin == PLUMB_DEFAULTED)
        n->cpus = plumb_u64_derived(threads, n->at);
    else if (plumb_usable(n->cpus) && n->cpus.v != n->sockets.v && n->cpus.v != cores &&
             n->cpus.v != threads)
        n->cpus = plumb_u64_derived(threads, n->cpus.at);
}

/* slurmd looks for these texts, and measures where none is there (slurmd.c:_dynamic_init). */
static bool is_measured(const struct plumb_nodes *n)
{
    static const enum plumb_param_id ids[] = {
        PLUMB_P_NODE_CPUS,           PLUMB_P_NODE_BOARDS,         PLUMB_P_NODE_SOCKETSPERBOARD,
        PLUMB_P_NODE_CORESPERSOCKET, PLUMB_P_NODE_THREADSPERCORE,
    };

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        if (plumb_setting(&n->settings, ids[i]) != NULL)
            return false;
    }
    return n->dynamic;
}

void plumb_type_cpus(struct plumb_nodes *n, enum plumb_release r)
{
    struct written w = {
        .cpus = written_u16(n, PLUMB_P_NODE_CPUS, r),
        .boards = written_u16(n, PLUMB_P_NODE_BOARDS, r),
        .sockets = written_u16(n, PLUMB_P_NODE_SOCKETS, r),
        .sockets_per_board = written_u16(n, PLUMB_P_NODE_SOCKETSPERBOARD, r),
        .cores = written_u16(n, PLUMB_P_NODE_CORESPERSOCKET, r),
        .threads = written_u16(n, PLUMB_P_NODE_THREADSPERCORE, r),
    };

    if (is_measured(n))
        return;
    if (w.cpus.origin == PLUMB_ABSENT)
        w.cpus = written_u16(n, PLUMB_P_NODE_PROCS, r);
    n->cpus = or_one(w.cpus, n->at);
    n->boards = or_one(w.boards, n->at);
    n->cores_per_socket = or_one(w.cores, n->at);
    n->threads_per_core = or_one(w.threads, n->at);
    derive_sockets(n, &w);
    derive_cpus(n);
    /* More boards than sockets: one board (S274). */
    if (plumb_usable(n->boards) && plumb_usable(n->sockets) && n->boards.v > n->sockets.v)
        n->boards = plumb_u64_derived(1, n->boards.at);
}
