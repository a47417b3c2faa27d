/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What rules share: questions to the model that several families ask, outcomes that differ by
 * release as data, and rules that are one row of data.
 */
#ifndef PLUMB_RULES_ASK_H
#define PLUMB_RULES_ASK_H

#include "passes/pass.h"
#include "rules/check.h"
#include "rules/fold.h"

/* Parts of rule rows. */
#define PLUMB_OUTCOME(how_bad, what, who)                                                          \
    .severity = PLUMB_##how_bad, .effect = PLUMB_EFFECT_##what, .daemons = PLUMB_##who
#define PLUMB_COMBO(which) .needs = PLUMB_FACT_MODEL, .run = plumb_combo_run, .data = &(which)

/* What the daemons of a release do about a fault, from one release on until the next row. */
struct plumb_era {
    enum plumb_release since;
    enum plumb_severity severity;
    enum plumb_effect effect;
    unsigned daemons;
    bool quiet; /* no fault: the rule does not run */
};

/* Rows oldest first; a release before the first row has the outcome of the rule's own row. */
struct plumb_eras {
    const struct plumb_era *items;
    size_t count;
};

#define PLUMB_ERAS(rows)                                                                           \
    {                                                                                              \
        .items = (rows), .count = PLUMB_COUNT(rows)                                                \
    }

/* The row of the model's release; NULL: what the rule's own row says. eras may be NULL. */
const struct plumb_era *plumb_era_now(const struct plumb_check *ck, const struct plumb_eras *eras);
bool plumb_era_quiet(const struct plumb_check *ck, const struct plumb_eras *eras);

/*
 * Gives a finding the outcome of its release and appends it to the message: "...; slurmctld
 * 24.11 stops".
 */
void plumb_outcome(const struct plumb_check *ck, struct plumb_diag *d,
                   const struct plumb_eras *eras);
/* The same with an outcome that is known at the place of the report. */
void plumb_outcome_is(const struct plumb_check *ck, struct plumb_diag *d,
                      enum plumb_severity severity, enum plumb_effect effect, unsigned daemons);
/* Behind an outcome: "..., slurmd complains". For a daemon that does something else than others. */
void plumb_outcome_other(const struct plumb_check *ck, struct plumb_diag *d,
                         enum plumb_effect effect, enum plumb_daemon daemon);

/* Rules that are data: settings which exclude or need each other. */
enum plumb_test {
    PLUMB_TEST_END,
    PLUMB_TEST_SET,      /* there, and not bad */
    PLUMB_TEST_WRITTEN,  /* there, bad or not, and without the text */
    PLUMB_TEST_SAYS,     /* there, bad or not, with the text in it, letter by letter */
    PLUMB_TEST_OTHER,    /* there, bad or not, and not this text, letter by letter */
    PLUMB_TEST_UNSET,    /* nowhere */
    PLUMB_TEST_WORD,     /* a comma list holds the word; "key=" finds an item with a value */
    PLUMB_TEST_NO_WORD,  /* not set, or without the word */
    PLUMB_TEST_HOLDS,    /* the text stands anywhere in the value, as the daemon searches it */
    PLUMB_TEST_LACKS,    /* not set, or without the text */
    PLUMB_TEST_IS,       /* plugin or word, without prefix: "cgroup" for proctrack/cgroup */
    PLUMB_TEST_IS_NOT,   /* set, and another plugin or word */
    PLUMB_TEST_YES,      /* true as the release reads it, its default included */
    PLUMB_TEST_NO,       /* the same, false */
    PLUMB_TEST_POSITIVE, /* a number above 0, written down */
    PLUMB_TEST_ZERO,     /* 0, written down */
};

struct plumb_term {
    enum plumb_param_id param; /* of global scope */
    enum plumb_test test;
    const char *text;
};

struct plumb_combo {
    enum plumb_release since;  /* releases before it do not mind */
    struct plumb_term when[5]; /* all must hold; the first gives the place, others notes */
    const char *message;       /* found and expected; the outcome is appended */
    const char *help;          /* NULL */
};

/* .data of a rule with .run = plumb_combo_run: the first row that holds is reported. */
struct plumb_combos {
    const struct plumb_combo *items;
    size_t count;
    struct plumb_eras eras;
};

void plumb_combo_run(const struct plumb_check *ck);

const struct plumb_settings *plumb_settings_of(const struct plumb_check *ck,
                                               enum plumb_param_id id);
const struct plumb_setting *plumb_global(const struct plumb_check *ck, enum plumb_param_id id);
/* Some occurrence was reported as bad: say nothing about its absence. */
bool plumb_setting_bad(const struct plumb_settings *s, enum plumb_param_id id);
/* A number of slurm.conf or another file as its daemon reads it. */
struct plumb_u64 plumb_global_u64(const struct plumb_check *ck, enum plumb_param_id id);
/* Written down and usable. */
bool plumb_written(struct plumb_u64 v);

/* For messages: "?" where the name could not be read. */
const char *plumb_part_name(const struct plumb_partition *p);

/* The release has the key, or the word of its set. */
bool plumb_knows(const struct plumb_check *ck, enum plumb_param_id id);
bool plumb_knows_word(const struct plumb_check *ck, enum plumb_param_id id, const char *word);

/* A value is the plugin, with or without its prefix "kind/", without case. */
bool plumb_is_plugin(const struct plumb_slice *value, const char *name);
/* The plugin in force, defaults of the release included: SelectType, PriorityType, ... */
bool plumb_plugin_in_force(const struct plumb_check *ck, enum plumb_param_id id, const char *name);
/* SelectType is select/cons_tres, or select/cons_res where there is one. */
bool plumb_hands_out_cores(const struct plumb_check *ck);
bool plumb_has_slurmdbd(const struct plumb_check *ck);
/* Memory is a consumable resource. */
bool plumb_memory_consumable(const struct plumb_check *ck);
/*
 * A specification leaves these nodes to a capture that is missing, which was reported: their
 * sizes are defaults that nobody meant.
 */
bool plumb_shapeless(const struct plumb_check *ck, const struct plumb_nodes *n);

const char *plumb_plural(uint64_t n); /* "s", "" for 1 */

/*
 * A list of hosts in scratch memory, read without a word: whoever reads it for the model reports.
 * NULL: it cannot be read.
 */
struct plumb_hostlist *plumb_hosts_read(const struct plumb_check *ck,
                                        const struct plumb_slice *text);

/* A list that could not be read may name one of these hosts: some begin as its items do. */
bool plumb_may_name(const struct plumb_slice *unread, const struct plumb_hostlist *hosts);

/*
 * Names without those that a NodeName line may define whose list could not be read: such a line
 * is taken to hold whatever begins as its items do.
 */
struct plumb_hostlist *plumb_surely(const struct plumb_check *ck,
                                    const struct plumb_hostlist *names);

/* Names that are surely no nodes of slurm.conf, in scratch memory; of NULL none. */
struct plumb_hostlist *plumb_no_nodes(const struct plumb_check *ck,
                                      const struct plumb_hostlist *names);

#endif
