/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the running cluster says of itself, beside what the model says it is. Settings are those of
 * the parameter table, as clients print their values (schema/shown.h). Made by
 * passes/lift_live.c; every text points at what was captured.
 */
#ifndef PLUMB_MODEL_LIVE_H
#define PLUMB_MODEL_LIVE_H

#include "model/accounts.h"
#include "model/model.h"

/* Nodes that show the same. */
struct plumb_live_nodes {
    struct plumb_hostlist *hosts;
    struct plumb_settings shown;
    struct plumb_slice state, reason; /* no text: not shown */
    bool cut;                         /* a value may be cut to the width of its column */
};

struct plumb_live_partition {
    struct plumb_slice name;
    struct plumb_settings shown;
    struct plumb_hostlist *nodes; /* NULL: not shown */
    struct plumb_slice nodes_text;
    bool cut;
    size_t before; /* the listing before this one that has the name, from 1; 0: none */
    size_t times;  /* how many these are */
};

/* Columns that a listing of sacctmgr has: what it does not have is not known. */
struct plumb_live_columns {
    const char **items; /* names of sacctmgr's options, interned: "GrpTRES" */
    size_t count, cap;
};

enum plumb_live_accounts {
    PLUMB_LIVE_HAS_QOS = 1,
    PLUMB_LIVE_HAS_ASSOCS = 2,
    PLUMB_LIVE_HAS_USERS = 4,
    PLUMB_LIVE_HAS_TRES = 8,
    PLUMB_LIVE_HAS_CLUSTERS = 16,
    PLUMB_LIVE_HAS_ACCOUNTS = 32,
};

struct plumb_live {
    struct plumb_settings config[PLUMB_FILE_COUNT];
    bool config_shown[PLUMB_FILE_COUNT];
    struct plumb_slice version; /* "24.11.5"; no text: not told */
    enum plumb_release release; /* PLUMB_RELEASE_NONE: not known */

    struct plumb_live_nodes *nodes;
    size_t node_count, node_cap;
    struct plumb_hostlist *all_nodes; /* NULL: no nodes were listed */
    bool nodes_whole;                 /* a node that is not listed is not there */
    struct plumb_span nodes_at;       /* where a listing begins */

    struct plumb_live_partition *partitions;
    size_t partition_count, partition_cap;
    struct plumb_map by_name; /* name -> the last of partitions that has it, from 1 */
    bool partitions_whole;
    struct plumb_span partitions_at;

    const struct plumb_accounts *accounts; /* what slurmdbd holds; NULL: not told */
    unsigned accounts_shown;               /* bits of enum plumb_live_accounts */
    struct plumb_live_columns qos_columns, assoc_columns;
    struct plumb_text *tres; /* "cpu", "gres/gpu" */
    size_t tres_count, tres_cap;
    struct plumb_text *clusters;
    size_t cluster_count, cluster_cap;
    struct plumb_span accounts_at; /* where the listing begins that tells of them */
};

#endif
