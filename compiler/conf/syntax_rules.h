/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of Slurm key=value files reports. The rows stand in syntax_rules.c. */
#ifndef PLUMB_CONF_SYNTAX_RULES_H
#define PLUMB_CONF_SYNTAX_RULES_H

#include <stdarg.h>

#include "base/diag.h"
#include "schema/param.h"

enum plumb_conf_fault {
    PLUMB_CONF_NOT_A_PAIR,
    PLUMB_CONF_NO_VALUE,
    PLUMB_CONF_LEFT_OVER,
    PLUMB_CONF_OPEN_QUOTE,
    PLUMB_CONF_LITERAL_QUOTE,
    PLUMB_CONF_BEHIND_QUOTE,
    PLUMB_CONF_SWALLOWED_PAIR,
    PLUMB_CONF_OPERATOR,
    PLUMB_CONF_BYTE_ORDER_MARK,
    PLUMB_CONF_NUL_BYTE,
    PLUMB_CONF_INCLUDE_MISSING,
    PLUMB_CONF_INCLUDE_INDENTED,
    PLUMB_CONF_INCLUDE_PATTERN,
    PLUMB_CONF_INCLUDE_CLUSTER,
    PLUMB_CONF_INCLUDE_LOOP,
    PLUMB_CONF_INCLUDE_LIMIT,
    PLUMB_CONF_INCLUDE_LEFT_OVER,
    PLUMB_CONF_INCLUDE_MODE,
    PLUMB_CONF_INCLUDE_NOT_FOLLOWED,
    PLUMB_CONF_INCLUDE_SIGN,
    PLUMB_CONF_BACKSLASH_DROPPED,
    PLUMB_CONF_COMMENT_CUTS_VALUE,
    PLUMB_CONF_SECOND_FILE,
    PLUMB_CONF_PLUGSTACK,
    PLUMB_CONF_PLUGSTACK_MISSING,
    PLUMB_CONF_FAULT_COUNT,
};

/* CONF030 to CONF059; the rows of the table engine are in rules.c. */
extern const struct plumb_rule plumb_conf_syntax_rows[PLUMB_CONF_FAULT_COUNT];

/*
 * Reports a syntax fault of a file of this kind. A row that says STOPS gets the daemons that
 * read the file and what they do about it.
 */
struct plumb_diag *plumb_conf_fault(struct plumb_sink *sink, enum plumb_conf_fault fault,
                                    enum plumb_file file, struct plumb_span at, const char *fmt,
                                    ...) PLUMB_PRINTF(5, 6);
struct plumb_diag *plumb_conf_vfault(struct plumb_sink *sink, enum plumb_conf_fault fault,
                                     enum plumb_file file, struct plumb_span at, const char *fmt,
                                     va_list args) PLUMB_PRINTF(5, 0);

#endif
