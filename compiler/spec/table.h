/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language, as tables: one table per section, one row per key. The reader, the JSON
 * Schema, the reference, `plumb explain` and "did you mean" all walk these rows, and the
 * resolving pass turns every row that names a Slurm parameter into a setting without
 * knowing the key. Adding a key that is one parameter is adding one row.
 */
#ifndef PLUMB_SPEC_TABLE_H
#define PLUMB_SPEC_TABLE_H

#include "base/base.h"
#include "schema/param.h"

enum plumb_spec_kind {
    PLUMB_K_TEXT,     /* any text */
    PLUMB_K_NAME,     /* letters, digits, '_', '-', '.' and ':' */
    PLUMB_K_PATH,     /* absolute path */
    PLUMB_K_RELEASE,  /* release series of Slurm */
    PLUMB_K_HOSTS,    /* host list, or a list of host lists */
    PLUMB_K_HOST,     /* name, or {name, address} */
    PLUMB_K_NUMBER,   /* whole number */
    PLUMB_K_DECIMAL,  /* number, with a fraction or not */
    PLUMB_K_BOOL,     /* true or false, yes or no */
    PLUMB_K_SIZE,     /* number and unit of memory; kept in bytes */
    PLUMB_K_DURATION, /* number and unit of time; kept in microseconds */
    PLUMB_K_AGE,      /* number and hours, days, months; what slurmdbd purges by */
    PLUMB_K_WORD,     /* one word of .words */
    PLUMB_K_CORES,    /* a count, or a list of core numbers */
    PLUMB_K_SECRET,   /* reference to a secret, never its value */
    PLUMB_K_MAP,      /* the keys of .of */
    PLUMB_K_ENTRIES,  /* any name, each with the keys of .of */
    PLUMB_K_RAW,      /* overrides: Slurm parameters with their values */
    PLUMB_K_ANY,      /* kept for later: read by nobody yet */
};

/* The unit in which a Slurm parameter counts: what a size or a duration is turned into. */
enum plumb_spec_unit {
    PLUMB_U_NONE,
    PLUMB_U_MICROSECONDS,
    PLUMB_U_SECONDS,
    PLUMB_U_MINUTES,
    PLUMB_U_MIB,
};

/* A word of the language and what Slurm calls it. */
struct plumb_spec_word {
    const char *name;
    const char *slurm; /* NULL: nothing is written for it */
    uint16_t sets;     /* PLUMB_SETS(...) when the word is a parameter of its own, set to slurm */
};

/* For .sets and .also: 0 means none, so that rows without a parameter need not say so. */
#define PLUMB_SETS(id) ((uint16_t)((id) + 1))

struct plumb_spec_key {
    const char *name;
    enum plumb_spec_kind kind;
    bool required;
    bool list;      /* a sequence of the kind; one value alone is taken as a list of one */
    bool later;     /* known, read for its structure, not compiled by this version */
    bool by_flavor; /* compiled where kubernetes has a flavor that has it: passes/resolve_kube.c */
    bool for_jobs;  /* later or by_flavor, but job scripts are held against it */
    bool unlimited; /* "unlimited" is a value too */
    bool address;   /* a name or an address of a machine */
    bool paths;     /* a host list of absolute paths */
    bool if_given;  /* a section whose defaults hold only when it is written */
    enum plumb_spec_unit unit;
    uint16_t sets;                       /* PLUMB_SETS of the parameter that the key is */
    uint16_t also;                       /* a second parameter that takes the same value */
    uint16_t instead;                    /* what to set in a release that does not know .sets */
    const char *item;                    /* the key is one item of a list parameter: "bf_window=" */
    const char *def;                     /* default, in this language; NULL: none, or Slurm's own */
    const struct plumb_spec_word *words; /* ends with a row without name */
    const struct plumb_spec_table *of;
    const char *shorthand; /* a scalar instead of the mapping means this key of .of */
    uint64_t min, max;     /* for numbers; max 0: no limit of ours */
    const char *doc;       /* one sentence part: what it is */
    const char *why;       /* why one would set it, or why the default is so; NULL */
    const char *example;   /* value as it would be typed; NULL */
};

struct plumb_spec_table {
    const char *title;
    const struct plumb_spec_key *keys; /* in the order of the documentation */
    size_t count;
    const struct plumb_spec_key *other; /* what any other key is: weights by TRES name; NULL */
};

/* What plumb always writes, without a key of its own; overrides reach it. */
struct plumb_spec_constant {
    uint16_t id; /* enum plumb_param_id */
    bool with_database;
    const char *value; /* in Slurm's notation */
    const char *why;
};

extern const struct plumb_spec_table plumb_spec_root;
extern const struct plumb_spec_constant plumb_spec_constants[];
extern const size_t plumb_spec_constant_count;

/* The sections, for the root table. */
extern const struct plumb_spec_table plumb_spec_control, plumb_spec_login, plumb_spec_database,
    plumb_spec_nodes, plumb_spec_partition, plumb_spec_scheduling, plumb_spec_accounting,
    plumb_spec_timeouts, plumb_spec_topology, plumb_spec_kubernetes, plumb_spec_class_kubernetes,
    plumb_spec_gpu_operator, plumb_spec_gitops, plumb_spec_rotation, plumb_spec_ignore,
    plumb_spec_weights, plumb_spec_jobs, plumb_spec_fabric, plumb_spec_reservation;

/* The keys inside a value of a row: those of .of, of a host, of a reference; NULL: none. */
const struct plumb_spec_table *plumb_spec_inside(const struct plumb_spec_key *row);

/* The row of a key; the table's .other when it has one; NULL. */
const struct plumb_spec_key *plumb_spec_find(const struct plumb_spec_table *t, const char *name);

/*
 * The row at a dotted path. The name of an entry may be left out or be anything:
 * "nodes.memory", "nodes.h100.memory". NULL when there is none; *at is then the byte
 * offset of the part that is unknown, *in the table that does not have it.
 */
const struct plumb_spec_key *plumb_spec_lookup(const char *path, const struct plumb_spec_table **in,
                                               size_t *at);

const char *plumb_spec_kind_name(enum plumb_spec_kind k); /* "a duration", for messages */
const char *plumb_spec_unit_name(enum plumb_spec_unit u); /* "minutes" */

#endif
