/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter table: every parameter of every Slurm configuration file, by release.
 * The rows are const data generated at build time from schema/slurm/ (a base release and
 * one delta per later release). Adding a release is one file there.
 */
#ifndef PLUMB_SCHEMA_PARAM_H
#define PLUMB_SCHEMA_PARAM_H

#include "base/base.h"
#include "base/release.h"
#include "plumb_params.h" /* generated: enum plumb_param_id, PLUMB_P_<SCOPE>_<NAME>, PLUMB_P_COUNT */

enum plumb_file {
    PLUMB_SLURM_CONF,
    PLUMB_GRES_CONF,
    PLUMB_SLURMDBD_CONF,
    PLUMB_CGROUP_CONF,
    PLUMB_TOPOLOGY_CONF,
    PLUMB_ACCT_GATHER_CONF,
    PLUMB_MPI_CONF,
    PLUMB_JOB_CONTAINER_CONF,
    PLUMB_OCI_CONF,
    PLUMB_HELPERS_CONF,
    PLUMB_BURST_BUFFER_CONF,
    PLUMB_KNL_CRAY_CONF, /* knl.conf(5): each plugin has a file of its own */
    PLUMB_KNL_GENERIC_CONF,
    PLUMB_NONSTOP_CONF,
    PLUMB_EXT_SENSORS_CONF,
    PLUMB_TOPOLOGY_YAML,
    PLUMB_RESOURCES_YAML,
    PLUMB_NAMESPACE_YAML,
    PLUMB_FILE_COUNT,
};

/* Where in a file a parameter may stand: on a line of its own, or inside a record line. */
enum plumb_scope {
    PLUMB_SCOPE_GLOBAL,
    PLUMB_SCOPE_NODE,      /* slurm.conf NodeName= */
    PLUMB_SCOPE_PARTITION, /* slurm.conf PartitionName= */
    PLUMB_SCOPE_DOWNNODES,
    PLUMB_SCOPE_NODESET,
    PLUMB_SCOPE_FRONTEND,
    PLUMB_SCOPE_POWERACTION,
    PLUMB_SCOPE_GRES,   /* gres.conf Name= or NodeName= line */
    PLUMB_SCOPE_SWITCH, /* topology.conf SwitchName= */
    PLUMB_SCOPE_BLOCK,  /* topology.conf BlockName= */
    PLUMB_SCOPE_RING,   /* topology.conf RingName= */
    PLUMB_SCOPE_LINE,   /* job_container.conf, helpers.conf record lines */

    /* Mappings of the files in YAML. */
    PLUMB_SCOPE_TOPOLOGY, /* topology.yaml: one of the list */
    PLUMB_SCOPE_TREE,
    PLUMB_SCOPE_TREE_SWITCHES,
    PLUMB_SCOPE_BLOCK_TOPOLOGY,
    PLUMB_SCOPE_BLOCK_BLOCKS,
    PLUMB_SCOPE_FLAT,
    PLUMB_SCOPE_RING_TOPOLOGY,
    PLUMB_SCOPE_RING_RINGS,
    PLUMB_SCOPE_TORUS3D,
    PLUMB_SCOPE_TORUSES,
    PLUMB_SCOPE_DIMS,
    PLUMB_SCOPE_PLACEMENTS,
    PLUMB_SCOPE_REGIONS,
    PLUMB_SCOPE_RESOURCE, /* resources.yaml: one of the list */
    PLUMB_SCOPE_LAYERS,
    PLUMB_SCOPE_VARIABLES,
    PLUMB_SCOPE_NODE_CONFS, /* namespace.yaml */
    PLUMB_SCOPE_OPTIONS,
    PLUMB_SCOPE_DIR_CONFS,
    PLUMB_SCOPE_COUNT,
};

enum plumb_type {
    PLUMB_T_STRING, /* anything */
    PLUMB_T_BOOL,
    PLUMB_T_U16,
    PLUMB_T_U32,
    PLUMB_T_U64,
    PLUMB_T_LONG,
    PLUMB_T_FLOAT,
    PLUMB_T_TIME,         /* time_str2mins / time_str2secs notation */
    PLUMB_T_SUSPEND_TIME, /* plain seconds, INFINITE, -1, NONE: read_config.c:_parse_suspend_time */
    PLUMB_T_PURGE_AGE,    /* 12months: digits and a prefix of hours, days or months */
    PLUMB_T_PORT_RANGE,   /* 6817 or 60001-63000 */
    PLUMB_T_ENUM,         /* one word of the value set */
    PLUMB_T_ENUM_LIST,    /* comma list of words of the value set, token exact */
    PLUMB_T_WORD_LIST,    /* comma list searched by substring: unknown words are silent */
    PLUMB_T_KEY_LIST,     /* comma list of key or key=value, searched by substring */
    PLUMB_T_PLUGIN,       /* kind/name */
    PLUMB_T_PLUGIN_LIST,
    PLUMB_T_PATH,
    PLUMB_T_PATH_LIST, /* comma list, each absolute, or "none" */
    PLUMB_T_HOST,
    PLUMB_T_HOST_LIST, /* host list expression */
    PLUMB_T_CORE_LIST, /* bit list */
    PLUMB_T_GRES,      /* NodeName Gres= */
    PLUMB_T_LINKS,
    PLUMB_T_COUNT_SUFFIX, /* digits and K M G T P */
    PLUMB_T_TRES_WEIGHTS,
    PLUMB_T_TRES_LIST,    /* AccountingStorageTRES */
    PLUMB_T_PORT_LIST,    /* Port= of nodes: one for all or one each */
    PLUMB_T_RECORD,       /* the key that begins a record line */
    PLUMB_T_MAPPING,      /* YAML: keys of the scope that the row holds */
    PLUMB_T_MAPPINGS,     /* a list of mappings, or one mapping for a list of one */
    PLUMB_T_MAPPING_LIST, /* a list of mappings and nothing else */
    PLUMB_T_BOOL_OR_MAPPING,
    PLUMB_T_INT_LIST, /* whole numbers, or one for a list of one */
    PLUMB_T_COUNT,
};

/* How a release treats a key that its parser meets. */
enum plumb_life {
    PLUMB_LIFE_NONE,       /* not in this release: the parser does not know the key */
    PLUMB_LIFE_OK,         /* read and used */
    PLUMB_LIFE_DEPRECATED, /* used, with a complaint */
    PLUMB_LIFE_RENAMED,    /* an older spelling, still read without a word */
    PLUMB_LIFE_DEFUNCT,    /* parsed, one error in the log, value dropped */
    PLUMB_LIFE_IGNORED,    /* parsed, value never read, silent */
    PLUMB_LIFE_FATAL,      /* parsed in order to stop with a message of its own */
};

/* How a word of a value is compared with those of the set. */
enum plumb_match {
    PLUMB_MATCH_NOCASE,
    PLUMB_MATCH_CASE,
    PLUMB_MATCH_PREFIX, /* the word begins the value: xstrncasecmp with the length of the word */
};

/*
 * One word of an enumeration or list. "name=" takes a value behind the sign, "name*" begins
 * a word, "#" stands for any number.
 */
struct plumb_value {
    const char *word;
    uint8_t first, last; /* releases, inclusive; last PLUMB_RELEASE_OPEN: still there */
    bool takes_value;    /* "bf_window=" */
    bool gone;           /* known only to say what happens: no release takes it */
    bool alone;          /* no other word may stand beside it */
    bool deprecated;     /* taken, with a complaint */
    bool has_min, has_max;
    uint8_t bad; /* enum plumb_effect: of a number out of range, or outside of the releases */
    uint8_t bad_daemons; /* who does it; 0: those of the parameter */
    uint64_t min, max;   /* of the number behind the sign */
    const char *note;    /* may be NULL */
};

/* What holds from one release on, until the next revision. */
struct plumb_param_rev {
    uint8_t since; /* release */
    uint8_t life;  /* enum plumb_life */
    uint8_t type;  /* enum plumb_type */
    uint8_t match; /* enum plumb_match */
    bool repeats;  /* may stand several times, all count (Prolog from 24.05) */
    bool open;     /* sites add words of their own: plugins that Slurm does not ship */
    bool empty; /* "" counts as not set; without it, it is a word like any other, and no good one */
    bool none;  /* a value with "none" in it counts as not set, whatever else is in the list */
    bool has_bad;
    uint8_t bad;          /* enum plumb_effect: of a value out of range or not in the set */
    uint8_t bad_daemons;  /* who does it; 0: all that read the file */
    uint8_t life_daemons; /* who minds the key itself; 0: the same */
    bool has_min, has_max;
    uint64_t min, max;       /* for number types; in the parameter's own unit */
    const char *unit;        /* "seconds", "minutes", "MiB", "microseconds" ...; NULL */
    const char *def;         /* default as Slurm words it; NULL: none */
    const char *replaced_by; /* what to write instead; NULL */
    const char *note;        /* one sentence part; NULL */

    /* What the step to this release means to a configuration that stays as it is. */
    bool def_same;        /* the default is worded anew and does what it did */
    const char *def_keep; /* what to write to keep the old default; NULL: that; "": nothing does */
    const char *def_with; /* the new default differs only where this key is set; NULL */
    const char *meaning;  /* the same value does something else from here on; NULL */
    const char *meaning_of; /* only a value with this text in it; NULL: any */
};

struct plumb_param {
    uint16_t id;
    uint8_t file;                       /* enum plumb_file */
    uint8_t scope;                      /* enum plumb_scope */
    uint8_t holds;                      /* enum plumb_scope of a mapping below the key; 0: none */
    bool required;                      /* nothing starts without the key */
    const char *name;                   /* Slurm's spelling */
    const struct plumb_param_rev *revs; /* oldest first, at least one */
    uint8_t rev_count;
    const struct plumb_value *values; /* NULL: no set */
    uint16_t value_count;
    const char *restart; /* what a change needs, as facts word it; NULL */
    const char *ref;     /* manual section or source function */
};

/*
 * Rows that one run adds to the built-in ones or puts in their place: a row counts instead of
 * the built-in row with its id. Made by conf/overlay.c; a NULL table stands for the built-in
 * rows alone.
 */
struct plumb_trait_rev;

struct plumb_table {
    const struct plumb_param *const *rows;
    size_t count;
    size_t id_count;                      /* every id is below it */
    const struct plumb_trait_rev *traits; /* schema/trait.h: of one release */
    size_t trait_count;
    enum plumb_release newest; /* the last release that it knows */
};

/* How many ids there are: for arrays by id. */
size_t plumb_table_ids(const struct plumb_table *t);

const char *plumb_file_name(enum plumb_file f); /* "slurm.conf" */
unsigned plumb_file_daemons(enum plumb_file f); /* enum plumb_daemon: who reads the file */
/* Who parses the file besides them: what the parser refuses is logged there, and no more. */
unsigned plumb_file_loggers(const struct plumb_table *t, enum plumb_file f, enum plumb_release r);
bool plumb_file_is_yaml(enum plumb_file f); /* else it is key=value lines */

/* The kind of file that daemons look for under this name; PLUMB_FILE_COUNT: none. */
enum plumb_file plumb_file_named(const char *name);

/* First and last release that reads any key of the file; NONE for the last: all later ones. */
void plumb_file_span(const struct plumb_table *t, enum plumb_file f, enum plumb_release *first,
                     enum plumb_release *last);
const char *plumb_scope_name(enum plumb_scope s); /* the record key, "NodeName"; "" for global */
const char *plumb_type_name(enum plumb_type t);

/* The built-in row. */
const struct plumb_param *plumb_param(enum plumb_param_id id);

/* The row that counts, NULL above the last id. */
const struct plumb_param *plumb_param_row(const struct plumb_table *t, size_t id);

/* By file, scope and name without case, in any release; NULL. name need not end in NUL. */
const struct plumb_param *plumb_param_find(const struct plumb_table *t, enum plumb_file f,
                                           enum plumb_scope scope, const char *name, size_t len);

/* Same name in any other file or scope, for "belongs to": the next one after prev (NULL: first). */
const struct plumb_param *plumb_param_elsewhere(const struct plumb_table *t, const char *name,
                                                size_t len, const struct plumb_param *prev);

/* What the release makes of it; never NULL: .life is PLUMB_LIFE_NONE where it is unknown. */
const struct plumb_param_rev *plumb_param_at(const struct plumb_param *p, enum plumb_release r);

/* First and last release that reads the key at all; NONE for one that was gone before the oldest.
 */
void plumb_param_span(const struct plumb_param *p, enum plumb_release *first,
                      enum plumb_release *last);

/* A word of the value set, without case; NULL. Release is not looked at. */
const struct plumb_value *plumb_param_value(const struct plumb_param *p, const char *word,
                                            size_t len);

/* Whether the release takes the word. */
bool plumb_value_there(const struct plumb_value *v, enum plumb_release r);

/* Whether the parser of the release knows the key, and whether the key may be this word. */
bool plumb_param_known(const struct plumb_table *t, enum plumb_param_id id, enum plumb_release r);
bool plumb_param_word_known(const struct plumb_table *t, enum plumb_param_id id,
                            enum plumb_release r, const char *word);

/* The nearest known name that the release reads in this file and scope; NULL. */
const char *plumb_param_suggest(const struct plumb_table *t, enum plumb_file f,
                                enum plumb_scope scope, enum plumb_release r, const char *name);

#endif
