/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XML as NCCL reads it, which is less than XML and in places more: no declaration, no text, no
 * tab; one tag a line; either quote; entities stay as they are. What NCCL stops at is a
 * finding at that byte, and reading goes on behind it where it can (NCCL src/graph/xml.cc).
 */
#ifndef PLUMB_SYNTAX_NCCL_XML_H
#define PLUMB_SYNTAX_NCCL_XML_H

#include "syntax/xml.h"

enum plumb_nccl_row {
    PLUMB_NCCL_UNREADABLE,
    PLUMB_NCCL_IGNORED,
    PLUMB_NCCL_QUOTES,
    PLUMB_NCCL_SIZE,
    PLUMB_NCCL_ROOT,
    PLUMB_NCCL_REQUIRED,
    PLUMB_NCCL_CLASS,
    PLUMB_NCCL_NUMA,
    PLUMB_NCCL_ARCH,
    PLUMB_NCCL_HOST_HASH,
    PLUMB_NCCL_BUS_ID,
    PLUMB_NCCL_LINK_SPEED,
    PLUMB_NCCL_OTHER_MACHINE,
    PLUMB_NCCL_ROW_COUNT,
};

extern const struct plumb_rule plumb_nccl_rows[PLUMB_NCCL_ROW_COUNT];
extern const struct plumb_rule_family plumb_nccl_file_rules; /* family NCCL, of readers */

#define plumb_nccl_report(s, row, at, ...)                                                         \
    plumb_diag_new(&(s)->sink, &plumb_nccl_rows[row], (at), __VA_ARGS__)

struct plumb_nccl_xml {
    const struct plumb_source *src;
    struct plumb_xml *system; /* NULL: NCCL finds none, and looks at the machine itself */
    uint32_t elements;        /* that count against NCCL's limit */
    bool stopped;             /* something in the file ends NCCL; it was reported */
};

/* Never NULL. Elements that NCCL passes over are not in the tree; they are findings. */
struct plumb_nccl_xml *plumb_nccl_xml_read(struct plumb_session *s, const struct plumb_source *src);

#endif
