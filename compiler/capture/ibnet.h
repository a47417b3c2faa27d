/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of ibnetdiscover (and of ibsim's network files, which have its grammar): switches and
 * channel adapters with their ports. Records begin "Switch 65 "S-..." # "name"", ports are
 * "[1] "H-..."[1](guid) # "gpu001 mlx5_0" lid 6 4xNDR".
 */
#ifndef PLUMB_CAPTURE_IBNET_H
#define PLUMB_CAPTURE_IBNET_H

#include "base/session.h"

struct plumb_ibnet_node {
    const char *id; /* "S-fc6a1c0300000002", interned */
    bool is_switch;
    bool sharp;       /* an aggregation node of a switch, no host */
    const char *name; /* of a switch: its own; of an adapter: the host; interned, NULL: not told */
    struct plumb_span name_at;
    struct plumb_span at;
    uint32_t *peers; /* positions of nodes, in the order of ports; one may occur again */
    size_t peer_count, peer_cap;
};

struct plumb_ibnet {
    const struct plumb_source *src;
    struct plumb_ibnet_node *nodes;
    size_t count, cap;
    size_t switch_count;
    struct plumb_span at; /* the first record */
};

/* NULL when the text holds no switch; every fault is a finding. */
struct plumb_ibnet *plumb_ibnet_read(struct plumb_session *s, const struct plumb_source *src);

/* True when the first records look like these. */
bool plumb_ibnet_sniff(const char *text, size_t len);

enum plumb_ibnet_row {
    PLUMB_IBNET_NO_SWITCH,
    PLUMB_IBNET_NO_HOST,
    PLUMB_IBNET_LINE,
    PLUMB_IBNET_NAMELESS,
    PLUMB_IBNET_FEWER_LEAVES,
    PLUMB_IBNET_ROW_COUNT,
};

extern const struct plumb_rule plumb_ibnet_rows[PLUMB_IBNET_ROW_COUNT];
extern const struct plumb_rule_family plumb_ibnet_rules; /* family HW */

#define plumb_ibnet_report(s, row, at, ...)                                                        \
    plumb_diag_new(&(s)->sink, &plumb_ibnet_rows[row], (at), __VA_ARGS__)

#endif
