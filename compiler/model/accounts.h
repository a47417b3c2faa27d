/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What slurmdbd holds about a cluster, as far as files beside slurm.conf tell it: lists of
 * sacctmgr commands, or the output of `sacctmgr dump`. Reservations, from scontrol commands,
 * are kept here too: they decide in the same way who may use what.
 */
#ifndef PLUMB_MODEL_ACCOUNTS_H
#define PLUMB_MODEL_ACCOUNTS_H

#include "base/span.h"
#include "model/hostlist.h"

/* A limit on one trackable resource; mem in MiB. */
struct plumb_tres {
    const char *name; /* "cpu", "mem", "node", "gres/gpu", "gres/gpu:h100"; interned */
    uint64_t v;
    struct plumb_span at;
};
struct plumb_tres_list {
    struct plumb_tres *items;
    size_t count, cap;
};

enum plumb_tres_limit {
    PLUMB_MAX_TRES_JOB,
    PLUMB_MAX_TRES_NODE,
    PLUMB_MAX_TRES_USER,
    PLUMB_MAX_TRES_ACCOUNT,
    PLUMB_MIN_TRES_JOB,
    PLUMB_GRP_TRES,
    PLUMB_GRP_TRES_MINS,
    PLUMB_GRP_TRES_RUN_MINS,
    PLUMB_MAX_TRES_MINS_JOB,
    PLUMB_TRES_LIMIT_COUNT,
};

struct plumb_limits {
    struct plumb_tres_list tres[PLUMB_TRES_LIMIT_COUNT];
    struct plumb_u64 max_wall;   /* minutes */
    struct plumb_u64 max_submit; /* jobs of one user, or below one association */
    struct plumb_u64 grp_submit;
    struct plumb_u64 max_jobs; /* that may run; of a user, an account or all */
};

struct plumb_names {
    const char **items; /* interned */
    size_t count, cap;
};

/* A QOS list that may add to that of the parent. */
struct plumb_qos_list {
    struct plumb_names names;
    struct plumb_span at;
    bool set;
};

struct plumb_qos {
    const char *name;
    struct plumb_span at;
    struct plumb_limits limits;
    bool deny_on_limit, over_part_qos;
    bool needs_reservation;
    bool part_max_node, part_min_node, part_time_limit; /* the partition's limit may be passed */
};

/* An account, or a user in an account (for one partition or all). */
struct plumb_assoc {
    const char *account;
    const char *user;      /* NULL: the account itself */
    const char *partition; /* NULL: every one */
    const char *parent;    /* of an account; NULL: root */
    struct plumb_span at;
    struct plumb_limits limits;
    struct plumb_qos_list qos;
    const char *default_qos; /* NULL: as the parent says */
};

struct plumb_user {
    const char *name;
    const char *default_account; /* NULL: not told */
    bool admin;                  /* operator or administrator: limits of users do not hold */
};

struct plumb_reservation {
    const char *name;
    struct plumb_span at;
    struct plumb_names users, accounts; /* empty: not limited by it */
    struct plumb_span users_at, accounts_at;
    struct plumb_hostlist *nodes; /* NULL: not told, or ALL */
    const char *partition;
};

struct plumb_accounts {
    struct plumb_qos *qos;
    size_t qos_count, qos_cap;
    struct plumb_assoc *assocs;
    size_t assoc_count, assoc_cap;
    struct plumb_user *users;
    size_t user_count, user_cap;
    struct plumb_reservation *reservations;
    size_t reservation_count, reservation_cap;
    bool known;     /* accounts and users were told */
    bool qos_known; /* and every QOS: a dump names them only */
    bool reservations_known;
};

const struct plumb_qos *plumb_qos_find(const struct plumb_accounts *a, const char *name);
const struct plumb_user *plumb_user_find(const struct plumb_accounts *a, const char *name);
/* user NULL: the account; partition NULL: the one for every partition. NULL: there is none. */
const struct plumb_assoc *plumb_assoc_find(const struct plumb_accounts *a, const char *account,
                                           const char *user, const char *partition);
const struct plumb_reservation *plumb_reservation_find(const struct plumb_accounts *a,
                                                       const char *name);
bool plumb_names_has(const struct plumb_names *names, const char *name); /* without case */

#endif
