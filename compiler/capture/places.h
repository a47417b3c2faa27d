/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where nodes are, as somebody else has found out: labels of Kubernetes Node objects, or a model of
 * topograph. Each place is a host, or hosts that are alike, with the switches above them and the
 * NVLink domain. passes/fabric_places.c makes a fabric of them.
 */
#ifndef PLUMB_CAPTURE_PLACES_H
#define PLUMB_CAPTURE_PLACES_H

#include "base/session.h"
#include "syntax/node.h"

/* Slurm has no deeper trees (switch_record.c). */
enum { PLUMB_MOST_TIERS = 20 };

struct plumb_net_place {
    struct plumb_slice hosts;  /* a name, or a host list */
    struct plumb_slice *tiers; /* names of switches, the closest first */
    size_t tier_count;
    struct plumb_slice domain; /* .len 0: not told */
};

struct plumb_net_places {
    const char *source;  /* "the model of topograph", for messages */
    bool partial;        /* it may show some of the nodes only */
    bool switch_is_name; /* a name is one switch; else switches of two tiers may share it */
    struct plumb_net_place *items;
    size_t count, cap;
    struct plumb_span at; /* the first of them */
};

void plumb_net_place_add(struct plumb_session *s, struct plumb_net_places *to,
                         const struct plumb_net_place *place);

/* What the labels of a Node object tell; nothing when there are none about the network. */
void plumb_net_place_of_node(struct plumb_session *s, struct plumb_net_places *to,
                             const struct plumb_node *node);

/*
 * A model of topograph (docs/modeling.md there): switches with those below them, and blocks of
 * nodes. Every fault is a finding, what it concerns is left out, and the rest is read. NULL: there
 * is no node in it.
 */
struct plumb_net_places *plumb_topograph_read(struct plumb_session *s,
                                              const struct plumb_node *root);

enum plumb_net_place_row {
    PLUMB_NET_PLACE_MODEL,     /* a model of topograph is not as it should be */
    PLUMB_NET_PLACE_SWITCH,    /* its switches are no tree */
    PLUMB_NET_PLACE_OTHER_TOP, /* two nodes tell of two switches above one */
    PLUMB_NET_PLACE_GAP,       /* a node has no label of a tier in between */
    PLUMB_NET_PLACE_UNLABELLED,
    PLUMB_NET_PLACE_ROW_COUNT,
};

extern const struct plumb_rule plumb_net_place_rows[PLUMB_NET_PLACE_ROW_COUNT];
extern const struct plumb_rule_family plumb_net_place_rules; /* family HW */

#define plumb_net_place_report(s, row, at, ...)                                                    \
    plumb_diag_new(&(s)->sink, &plumb_net_place_rows[row], (at), __VA_ARGS__)

#endif
