/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the clients of Slurm show parameters: under which name, and what they make of the value.
 * scontrol prints most of them as a file would have them; the rows here are the exceptions.
 */
#ifndef PLUMB_SCHEMA_SHOWN_H
#define PLUMB_SCHEMA_SHOWN_H

#include "schema/param.h"

/* Who shows it. */
enum plumb_client {
    PLUMB_CLIENT_NODE,           /* scontrol show node */
    PLUMB_CLIENT_NODE_JSON,      /* the same with --json */
    PLUMB_CLIENT_PARTITION,      /* scontrol show partition */
    PLUMB_CLIENT_PARTITION_JSON, /* the same with --json; keys are paths, "maximums/time" */
    PLUMB_CLIENT_SINFO,          /* headers */
};

/* A key that a client prints. */
struct plumb_shown_key {
    const char *key;
    int param;      /* enum plumb_param_id; -1: no parameter */
    bool free_text; /* may hold blanks and equals signs: goes on to the end of its line */
};

/*
 * NULL: the client has no such key. For scontrol show partition this tells what is named otherwise
 * than in a file: other keys are looked up by name, as those of scontrol show config are.
 */
const struct plumb_shown_key *plumb_shown_key(enum plumb_client client, const char *key,
                                              size_t len);

/* The rows of a client, for a reader that guesses which one comes next. */
const struct plumb_shown_key *plumb_shown_keys(enum plumb_client client, size_t *count);

/* What a value shown is to the value of the file. */
enum plumb_shown_as {
    PLUMB_SHOWN_PLAIN,    /* the same, by its type */
    PLUMB_SHOWN_NEVER,    /* nothing follows from it */
    PLUMB_SHOWN_LEVEL,    /* a log level, as a word */
    PLUMB_SHOWN_USER,     /* a user, with the number behind it */
    PLUMB_SHOWN_CLOSED,   /* a list, with what its words bring along */
    PLUMB_SHOWN_BASE,     /* a list, with the default of the table always there */
    PLUMB_SHOWN_NO_LIMIT, /* 0 is unlimited */
    PLUMB_SHOWN_PER,      /* a word with a number behind a colon, "FORCE:4", which has a default */
    PLUMB_SHOWN_NAMES,    /* a list of names, in any order */
    PLUMB_SHOWN_PART,     /* some of what is set is not shown */
    PLUMB_SHOWN_SET_ONLY, /* what is not set, is computed */
};

struct plumb_shown {
    int param;
    enum plumb_shown_as as;
    const char *unset; /* what is shown where nothing is set, beside "(null)" and its like; NULL */
    const char *ref;
};

/* NULL: PLUMB_SHOWN_PLAIN. */
const struct plumb_shown *plumb_shown_of(const struct plumb_param *p);

/* The parameter that is shown in the place of another: DefMemPerNode for DefMemPerCPU; -1. */
int plumb_shown_instead(unsigned param);

/*
 * Words that a word of a PLUMB_SHOWN_CLOSED list brings along, separated by commas; with '=' before
 * them they are shown in its place. Of a PLUMB_SHOWN_BASE list: words that may come with it. NULL.
 */
const char *plumb_shown_brings(const struct plumb_param *p, const char *word, size_t len);

/*
 * A word, without case, that is shown as one of another parameter by releases that have that one:
 * OverSubscribe=EXCLUSIVE is Exclusive=NODE.
 */
struct plumb_shown_move {
    int from, to;
    const char *word, *becomes;
};
extern const struct plumb_shown_move plumb_shown_moves[];
extern const size_t plumb_shown_move_count;

/* "(null)", "N/A", "none", "(null type)", "NONE", "Unknown", "": nothing is set. */
bool plumb_shown_nothing(const char *text, size_t len);

#endif
