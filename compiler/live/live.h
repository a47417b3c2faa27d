/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a running cluster says of itself, as text of its clients: scontrol, sinfo, sacctmgr. A
 * reader makes records of it: a name, and settings of the parameter table with their places.
 * Things that show the same are one record. doc/design/drift.md tells what is known by what.
 */
#ifndef PLUMB_LIVE_LIVE_H
#define PLUMB_LIVE_LIVE_H

#include "base/session.h"
#include "schema/setting.h"

enum plumb_live_kind {
    PLUMB_LIVE_NONE,
    PLUMB_LIVE_CONFIG,     /* scontrol show config */
    PLUMB_LIVE_NODES,      /* scontrol show node */
    PLUMB_LIVE_PARTITIONS, /* scontrol show partition */
    PLUMB_LIVE_JSON,       /* either of these with --json */
    PLUMB_LIVE_SINFO,
    PLUMB_LIVE_SACCTMGR,
};

/* A node, a partition, a section of the configuration; or many that show the same. */
struct plumb_live_record {
    struct plumb_slice name;  /* of the first; a host list in the output of sinfo */
    struct plumb_slice *more; /* names of the others; one text may be several */
    size_t more_count, more_cap;
    struct plumb_setting *items; /* what is shown; origin given */
    size_t count;
    struct plumb_slice state, reason; /* of nodes; no text: not shown */
};

struct plumb_live_records {
    struct plumb_live_record *items;
    size_t count, cap;
    uint32_t *index; /* by what they show: 1-based positions, 0: free */
    size_t index_cap;
    size_t values, names; /* of all of them */
    bool full;            /* a limit was passed, which was reported */
};

/* A cell of sacctmgr: which column, and the text. */
struct plumb_live_row {
    struct plumb_slice *cells; /* as many as there are headers */
};

enum plumb_live_table {
    PLUMB_LIVE_QOS,
    PLUMB_LIVE_ASSOCS,
    PLUMB_LIVE_USERS,
    PLUMB_LIVE_ACCOUNTS,
    PLUMB_LIVE_CLUSTERS,
    PLUMB_LIVE_TRES,
    PLUMB_LIVE_TABLES,
};

struct plumb_live_file {
    const struct plumb_source *src;
    enum plumb_live_kind kind;
    struct plumb_slice version;                  /* of slurmctld, "24.11.5"; no text: not told */
    struct plumb_live_records nodes, partitions; /* of a listing */
    struct plumb_setting *settings;              /* of the configuration */
    size_t setting_count, setting_cap;
    bool sections[PLUMB_FILE_COUNT]; /* the configuration shows this file */
    bool cut;                        /* columns have a width: a value may be cut */
    size_t things;                   /* nodes or partitions in it */
    enum plumb_live_table table;     /* of sacctmgr */
    struct plumb_slice *headers;
    size_t header_count;
    struct plumb_live_row *rows;
    size_t row_count, row_cap;
};

/* Looks at the begin of a text. */
enum plumb_live_kind plumb_live_sniff(const struct plumb_source *src);

/* Reads all of it. What cannot be read is a finding (DRIFT002), and the rest counts. */
struct plumb_live_file *plumb_live_read(struct plumb_session *s, const struct plumb_source *src,
                                        enum plumb_live_kind kind);

/* The readers, one file each. */
void plumb_live_read_config(struct plumb_session *s, struct plumb_live_file *f);
void plumb_live_read_records(struct plumb_session *s, struct plumb_live_file *f);
void plumb_live_read_json(struct plumb_session *s, struct plumb_live_file *f);
void plumb_live_read_sinfo(struct plumb_session *s, struct plumb_live_file *f);
void plumb_live_read_sacctmgr(struct plumb_session *s, struct plumb_live_file *f);

/* Adds a record, or its name to the one that shows the same. */
void plumb_live_put(struct plumb_session *s, struct plumb_live_records *to,
                    const struct plumb_live_record *r);

/* Headers of sacctmgr; PLUMB_LIVE_TABLES: it is none. len is that of the line. */
enum plumb_live_table plumb_live_sacctmgr_table(const char *line, size_t len);
/* Headers of sinfo, whatever is between them. */
bool plumb_live_sinfo_header(const char *line, size_t len);

/* DRIFT002 */
void plumb_live_unread(struct plumb_session *s, struct plumb_span at, const char *fmt, ...)
    PLUMB_PRINTF(3, 4);

extern const struct plumb_rule_family plumb_live_rules;

#endif
