/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the table engine: what check.c (documents, keys) and check_value.c (values) share. */
#ifndef PLUMB_CONF_CHECK_H
#define PLUMB_CONF_CHECK_H

#include "conf/conf.h"

/* Rows of the table engine in rules.c, in the order of their codes. */
enum plumb_conf_rule {
    PLUMB_CONF_UNKNOWN,
    PLUMB_CONF_MISPLACED,
    PLUMB_CONF_REMOVED,
    PLUMB_CONF_NOT_YET,
    PLUMB_CONF_RENAMED,
    PLUMB_CONF_DEPRECATED,
    PLUMB_CONF_DEFUNCT,
    PLUMB_CONF_IGNORED_KEY,
    PLUMB_CONF_FATAL,
    PLUMB_CONF_WRONG_TYPE,
    PLUMB_CONF_OUT_OF_RANGE,
    PLUMB_CONF_NOT_IN_SET,
    PLUMB_CONF_UNKNOWN_WORD,
    PLUMB_CONF_WORD_OF_OTHER_RELEASE,
    PLUMB_CONF_REPEATED,
    PLUMB_CONF_REPEATED_IN_RECORD,
    PLUMB_CONF_NO_PLUGIN,
    PLUMB_CONF_NONE_DROPS_LIST,
    PLUMB_CONF_NOT_ALONE,
    PLUMB_CONF_BAD_CORES,
    PLUMB_CONF_BAD_LINKS,
    PLUMB_CONF_BAD_GRES,
    PLUMB_CONF_BAD_WEIGHT,
    PLUMB_CONF_BAD_TRES,
    PLUMB_CONF_RULE_COUNT,
};

extern const struct plumb_rule plumb_conf_rows[PLUMB_CONF_RULE_COUNT];

/* One check: where findings go and for which release. */
struct plumb_conf_check {
    struct plumb_sink *sink;
    enum plumb_release release;
    enum plumb_file file;
    const struct plumb_table *table;      /* of the session */
    const struct plumb_conf *doc;         /* NULL when a value is checked by itself */
    const struct plumb_slice *gres_types; /* GresTypes of doc; NULL: not set, or no doc */
    bool untaken; /* nobody looks at the value: what is found has no effect */
};

/* Says what the daemons do: "; slurmctld 24.11 stops". Nothing for an effect that nobody sees. */
void plumb_conf_does(const struct plumb_conf_check *ck, struct plumb_diag *d,
                     enum plumb_effect effect, unsigned daemons);

/* Behind a fault of the parser itself: what those do who parse the file and do not need it. */
void plumb_conf_logged(const struct plumb_conf_check *ck, struct plumb_diag *d);

/* Text of the input for a message: whole when it is short, else its beginning. */
const char *plumb_shown(const struct plumb_conf_check *ck, const struct plumb_slice *text);

/* Reports with this effect; severity follows from it: stops is an error, the rest is a warning. */
struct plumb_diag *plumb_conf_report(const struct plumb_conf_check *ck, enum plumb_conf_rule rule,
                                     struct plumb_span at, enum plumb_effect effect,
                                     unsigned daemons, const char *fmt, ...) PLUMB_PRINTF(6, 7);

/* The last value of a key that stands on a line of its own; NULL. */
const struct plumb_slice *plumb_conf_last_value(const struct plumb_conf *doc, unsigned id);

/* A value being held against its row. */
struct plumb_checked {
    const struct plumb_conf_check *ck;
    const struct plumb_param *param;
    const struct plumb_param_rev *rev;
    const struct plumb_slice *value;
};

/* The text of a value without its quotes. */
struct plumb_span plumb_checked_span(const struct plumb_slice *v);

/* What the daemon does about a value outside of range or set. */
enum plumb_effect plumb_bad_effect(const struct plumb_checked *c);

/* "at least 10000", "at most 100", "1 to 64". */
const char *plumb_range_text(const struct plumb_checked *c, bool has_min, uint64_t min,
                             bool has_max, uint64_t max);

/* Each reports what is wrong and returns false then. */
bool plumb_check_word(const struct plumb_checked *c);        /* the value is one word of the set */
bool plumb_check_word_list(const struct plumb_checked *c);   /* compared token by token */
bool plumb_check_option_list(const struct plumb_checked *c); /* searched for known words */
bool plumb_check_plugin_list(const struct plumb_checked *c); /* one plugin or several */
bool plumb_check_cores(const struct plumb_checked *c);
bool plumb_check_links(const struct plumb_checked *c);
bool plumb_check_count(const struct plumb_checked *c); /* Count= of gres.conf */
bool plumb_check_gres(const struct plumb_checked *c);  /* Gres= of a node line */
bool plumb_check_weights(const struct plumb_checked *c);
bool plumb_check_tres(const struct plumb_checked *c);       /* AccountingStorageTRES */
bool plumb_check_controller(const struct plumb_checked *c); /* SlurmctldHost */
bool plumb_check_ports(const struct plumb_checked *c);      /* Port= of a node line */

/* Holds a value against its row; false when something was reported. */
bool plumb_conf_value_sound(const struct plumb_conf_check *ck, const struct plumb_param *p,
                            const struct plumb_slice *value);

/* The same for what the parser itself reads, before anyone looks at what the value means. */
bool plumb_conf_type_sound(const struct plumb_conf_check *ck, const struct plumb_param *p,
                           const struct plumb_slice *value);

#endif
