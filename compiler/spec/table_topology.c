/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the section topology: switches and blocks as rows, or a capture that shows them. */
#include "spec/table.h"

static const struct plumb_spec_word plugin_words[] = {
    {.name = "tree", .slurm = "topology/tree"},
    {.name = "block", .slurm = "topology/block"},
    {0},
};

static const struct plumb_spec_word file_words[] = {
    {.name = "topology.conf", .slurm = "topology.conf"},
    {.name = "topology.yaml", .slurm = "topology.yaml"},
    {0},
};

#define EACH                                                                                       \
    {                                                                                              \
        .name = "each", .kind = PLUMB_K_NUMBER, .min = 1,                                          \
        .doc = "so many to each of several names, in order; the last one takes the rest",          \
        .why = "without it they are divided evenly, and must come out even", .example = "18",      \
    }

static const struct plumb_spec_key switch_keys[] = {
    {
        .name = "name",
        .kind = PLUMB_K_TEXT,
        .required = true,
        .doc = "name of the switch, or a list of names for a row of alike ones",
        .example = "leaf[1-4]",
    },
    {
        .name = "nodes",
        .kind = PLUMB_K_HOSTS,
        .doc = "nodes at a leaf switch: hosts or classes; divided in order among several names",
        .example = "gpu-[01-16]",
    },
    {
        .name = "switches",
        .kind = PLUMB_K_HOSTS,
        .doc = "switches below this one, instead of nodes; divided in the same way",
        .example = "leaf[1-4]",
    },
    EACH,
};

static const struct plumb_spec_table switch_table = {
    .title = "switches", .keys = switch_keys, .count = PLUMB_COUNT(switch_keys)};

static const struct plumb_spec_key block_keys[] = {
    {
        .name = "name",
        .kind = PLUMB_K_TEXT,
        .required = true,
        .doc = "name of the block, or a list of names for a row of alike ones",
        .example = "rack[1-4]",
    },
    {
        .name = "nodes",
        .kind = PLUMB_K_HOSTS,
        .required = true,
        .doc = "nodes of the block: hosts or classes; divided in order among several names",
        .example = "gpu-[01-72]",
    },
    EACH,
};

static const struct plumb_spec_table block_table = {
    .title = "blocks", .keys = block_keys, .count = PLUMB_COUNT(block_keys)};

static const struct plumb_spec_key topology_keys[] = {
    {
        .name = "switches",
        .kind = PLUMB_K_MAP,
        .of = &switch_table,
        .list = true,
        .doc = "the switches of topology/tree",
        .example = "[{name: \"leaf[1-4]\", nodes: \"gpu-[01-16]\"}, "
                   "{name: spine, switches: \"leaf[1-4]\"}]",
    },
    {
        .name = "blocks",
        .kind = PLUMB_K_MAP,
        .of = &block_table,
        .list = true,
        .doc = "the blocks of topology/block (23.11 on), near ones side by side",
        .why = "slurmctld makes larger blocks of neighbours in this order; beside switches it "
               "needs topology.yaml, from 25.05 on",
        .example = "[{name: \"rack[1-4]\", nodes: \"gpu-[01-72]\"}]",
    },
    {
        .name = "block_sizes",
        .kind = PLUMB_K_NUMBER,
        .list = true,
        .min = 1,
        .doc = "sizes in which blocks are planned: the base, and powers of two times it",
        .why = "without it the smallest block and its doubles up to all blocks; 24.05 and 24.11 "
               "refuse a block that is smaller than the base",
        .example = "[18, 36, 72]",
    },
    {
        .name = "fabric",
        .kind = PLUMB_K_TEXT,
        .doc = "instead of rows: a file that shows the fabric: ibnetdiscover, a model of "
               "topograph, labels of Node objects",
        .example = "captures/ibnetdiscover.txt",
    },
    {
        .name = "plugin",
        .kind = PLUMB_K_WORD,
        .words = plugin_words,
        .doc = "what is made of the fabric; of switches and blocks, the default of the cluster",
        .why = "without it a tree, or blocks where there are no switches",
        .example = "block",
    },
    {
        .name = "file",
        .kind = PLUMB_K_WORD,
        .words = file_words,
        .doc = "the file that is written",
        .why = "without it topology.conf, but topology.yaml (25.05 on) for switches and blocks "
               "together; its topologies are named tree and block",
        .example = "topology.yaml",
    },
};

const struct plumb_spec_table plumb_spec_topology = {
    .title = "topology", .keys = topology_keys, .count = PLUMB_COUNT(topology_keys)};
