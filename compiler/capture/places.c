/* SPDX-License-Identifier: Apache-2.0 */
/* Places of nodes as a list, and the findings about them. */
#include "capture/places.h"

void plumb_net_place_add(struct plumb_session *s, struct plumb_net_places *to,
                         const struct plumb_net_place *place)
{
    to->items = plumb_arena_grow(s->arena, to->items, to->count, &to->cap, sizeof(*to->items));
    to->items[to->count++] = *place;
    if (!plumb_span_known(to->at))
        to->at = place->hosts.at;
}

#define MODEL_REF "topograph, docs/modeling.md; pkg/models/model.go"
#define LABEL_REF "topograph, docs/reference/node-labels.md"
/* The beginning of a Node object, up to its labels. */
#define NODE(name)                                                                                 \
    "- apiVersion: v1\n"                                                                           \
    "  kind: Node\n"                                                                               \
    "  metadata:\n"                                                                                \
    "    name: " name "\n"                                                                         \
    "    labels:\n"
#define NODES                                                                                      \
    "apiVersion: v1\n"                                                                             \
    "kind: List\n"                                                                                 \
    "items:\n"
#define TIER(number, value) "      fabric.topograph.run/tier-" number ": " value "\n"

const struct plumb_rule plumb_net_place_rows[PLUMB_NET_PLACE_ROW_COUNT] =
    {
        [PLUMB_NET_PLACE_MODEL] =
            {
                .code = "HW074",
                .name = "topograph-model",
                .severity = PLUMB_ERROR,
                .summary = "a part of a model of topograph is of another kind than it must be",
                .why = "topograph refuses the file as a whole; plumb leaves out the part.",
                .ref = MODEL_REF,
                .bad = "switches:\n"
                       "  spine:\n"
                       "    switches: [leaf1]\n"
                       "blocks:\n"
                       "- switch: leaf1\n"
                       "  nodes: n[1-4]\n",
                .good = "switches:\n"
                        "  spine:\n"
                        "    switches: [leaf1]\n"
                        "blocks:\n"
                        "- switch: leaf1\n"
                        "  nodes: [\"n[1-4]\"]\n",
            },
        [PLUMB_NET_PLACE_SWITCH] =
            {
                .code = "HW075",
                .name = "topograph-switches",
                .severity = PLUMB_ERROR,
                .summary = "the switches of a model of topograph are no tree",
                .why = "A switch has one switch above it or none, and a block is at one that is "
                       "there.",
                .ref = MODEL_REF,
                .bad = "switches:\n"
                       "  spine:\n"
                       "    switches: [leaf1]\n"
                       "blocks:\n"
                       "- switch: leaf2\n"
                       "  nodes: [\"n[1-4]\"]\n",
                .good = "switches:\n"
                        "  spine:\n"
                        "    switches: [leaf1, leaf2]\n"
                        "blocks:\n"
                        "- switch: leaf2\n"
                        "  nodes: [\"n[1-4]\"]\n",
            },
        [PLUMB_NET_PLACE_OTHER_TOP] =
            {
                .code = "HW076",
                .name = "fabric-two-parents",
                .severity = PLUMB_WARNING,
                .summary = "nodes at one switch tell of two switches above it",
                .why =
                    "A tree of Slurm has one. The labels are of two times, or two switches share a "
                    "name.",
                .ref = LABEL_REF "; topology.conf(5)",
                .bad = NODES NODE("n1") TIER("0", "leaf1") TIER("1", "spine1") NODE("n2")
                    TIER("0", "leaf1") TIER("1", "spine2"),
                .good = NODES NODE("n1") TIER("0", "leaf1") TIER("1", "spine1") NODE("n2")
                    TIER("0", "leaf1") TIER("1", "spine1"),
            },
        [PLUMB_NET_PLACE_GAP] =
            {
                .code = "HW077",
                .name = "fabric-tier-gap",
                .severity = PLUMB_WARNING,
                .summary = "a node has no label for a tier between two that it has labels for",
                .why = "What is above the gap is not used: nothing connects it with the node.",
                .ref = LABEL_REF,
                .bad = NODES NODE("n1") TIER("0", "leaf1") TIER("2", "core1"),
                .good = NODES NODE("n1") TIER("0", "leaf1") TIER("1", "spine1") TIER("2", "core1"),
            },
        [PLUMB_NET_PLACE_UNLABELLED] =
            {
                .code = "HW078",
                .name = "fabric-unlabelled",
                .severity = PLUMB_WARNING,
                .summary = "nodes with GPUs have no label of the network, others have",
                .why = "They get no place in the topology: whoever writes the labels did not reach "
                       "them, or they joined later.",
                .ref = LABEL_REF,
                .bad =
                    NODES NODE("n1") TIER("0", "leaf1") NODE("n2") "      nvidia.com/gpu.count: "
                                                                   "\"8\"\n"
                                                                   "  status:\n"
                                                                   "    capacity: {nvidia.com/gpu: "
                                                                   "\"8\"}\n",
                .good = NODES
                    NODE("n1")
                        TIER("0", "leaf1")
                            NODE(
                                "n2") TIER("0",
                                           "leaf1") "  status:\n"
                                                    "    capacity: {nvidia.com/gpu: \"8\"}\n",
            },
};

const struct plumb_rule_family plumb_net_place_rules = {
    .prefix = "HW",
    .title = "Places of nodes in the network",
    .rules = plumb_net_place_rows,
    .count = PLUMB_NET_PLACE_ROW_COUNT,
};
