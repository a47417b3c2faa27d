/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that read `nvidia-smi topo -m`: smi_topo.c reads lines, smi_check.c looks
 * at the whole, smi_rules.c holds the rows. Not for anyone else. */
#ifndef PLUMB_SYNTAX_SMI_READ_H
#define PLUMB_SYNTAX_SMI_READ_H

#include "base/map.h"
#include "base/rule.h"
#include "syntax/match.h"
#include "syntax/smi_topo.h"

enum plumb_smi_rule {
    PLUMB_SMI_NO_MATRIX,
    PLUMB_SMI_ROW_CELLS,
    PLUMB_SMI_UNKNOWN_CODE,
    PLUMB_SMI_ROWS_MISSING,
    PLUMB_SMI_ROW_NAME,
    PLUMB_SMI_DIAGONAL,
    PLUMB_SMI_ASYMMETRIC,
    PLUMB_SMI_HEADING,
    PLUMB_SMI_AFFINITY,
    PLUMB_SMI_SECOND,
    PLUMB_SMI_LEGEND,
    PLUMB_SMI_NOISE,
    PLUMB_SMI_RULE_COUNT,
};

extern const struct plumb_rule plumb_smi_rows[PLUMB_SMI_RULE_COUNT];

/* One line without escapes; map[i] is the byte offset of text[i], map[len] the one behind. */
struct plumb_smi_line {
    const char *text;
    const uint32_t *map;
    uint32_t len;
    uint32_t begin, end; /* in the source */
};

struct plumb_smi_legend {
    struct plumb_slice nic, device;
};

struct plumb_smi_reader {
    struct plumb_session *s;
    const struct plumb_source *src;
    struct plumb_smi_topo *topo;
    struct plumb_matcher *match;
    struct plumb_slice *columns; /* device names of the heading; NULL before it */
    size_t column_cap, row_cap;
    unsigned affinity_columns; /* 0 to 3, in their only order */
    struct plumb_smi_legend *legend;
    size_t legend_count, legend_cap;
    bool seen_blank, seen_legend; /* behind the matrix */
    bool stopped;                 /* a second matrix, or nothing to read */
    size_t faults;                /* that make the matrix unusable */
};

/* Reports; rows of severity error count as faults. */
struct plumb_diag *plumb_smi_report(struct plumb_smi_reader *rd, enum plumb_smi_rule rule,
                                    struct plumb_span at, const char *fmt, ...) PLUMB_PRINTF(4, 5);

/* Order of rows, diagonal, symmetry, legend. */
void plumb_smi_check(struct plumb_smi_reader *rd);

#endif
