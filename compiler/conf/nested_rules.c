/* SPDX-License-Identifier: Apache-2.0 */
/* Rows CONF060 to CONF069: whole files, and Slurm's files in YAML. */
#include "conf/nested.h"

const struct plumb_rule plumb_nested_rows[PLUMB_NESTED_RULE_COUNT] = {
    [PLUMB_NESTED_MISSING] =
        {
            .code = "CONF060",
            .name = "required-key-missing",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "a key is missing without which the file is refused",
            .why = "The daemon that reads the file ends.",
            .ref = "data_parser, parsing.c:_parser_linked; switch_record.c, block_record.c; "
                   "nonstop.conf(5), ControlAddr",
            .bad = "# resources.yaml\n- resource: bandwidth\n  layers:\n"
                   "    - {nodes: n1, count: 10}\n",
            .good = "# resources.yaml\n- resource: bandwidth\n  mode: MODE_1\n  layers:\n"
                    "    - {nodes: n1, count: 10}\n",
        },
    [PLUMB_NESTED_ALIAS] =
        {
            .code = "CONF061",
            .name = "yaml-alias-unread",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "a YAML file of Slurm uses an alias",
            .why = "Slurm's reader knows no aliases and refuses the file, sound as it is for every "
                   "other YAML reader.",
            .ref = "serializer_yaml.c:_on_parse_event",
            .bad = "# topology.yaml\n- topology: &name a\n  flat: true\n- topology: *name\n"
                   "  flat: true\n",
            .good = "# topology.yaml\n- topology: a\n  flat: true\n",
        },
    [PLUMB_NESTED_DOCUMENTS] =
        {
            .code = "CONF062",
            .name = "several-documents",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "a YAML file of Slurm holds several documents",
            .why = "Slurm's reader ends behind the first document: the others are not there for "
                   "it.",
            .ref = "serializer_yaml.c:_yaml_to_data",
            .bad = "# topology.yaml\n- topology: a\n  flat: true\n---\n- topology: b\n"
                   "  flat: true\n",
            .good = "# topology.yaml\n- topology: a\n  flat: true\n- topology: b\n"
                    "  flat: true\n",
        },
    [PLUMB_NESTED_OTHER_RELEASE] =
        {
            .code = "CONF063",
            .name = "file-of-other-release",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a file that no daemon of the chosen release reads",
            .why = "Nobody opens the file: what stands in it does not happen.",
            .ref = "release notes",
            .bad = "# nonstop.conf\nControlAddr=ctl\n",
            .good = "# topology.yaml\n- topology: a\n  flat: true\n",
        },
    [PLUMB_NESTED_KIND] =
        {
            .code = "CONF064",
            .name = "topology-kind",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a topology of topology.yaml has no kind, or two of them",
            .why = "The kind tells which plugin lays out the nodes: without one, or with two, the "
                   "file is refused.",
            .ref = "topology.yaml(5); interfaces/topology.c:_get_plugin_index_by_type",
            .bad = "# topology.yaml\n- topology: a\n  flat: true\n  block:\n    blocks:\n"
                   "      - {block: b, nodes: n1}\n",
            .good = "# topology.yaml\n- topology: a\n  block:\n    blocks:\n"
                    "      - {block: b, nodes: n1}\n",
        },
    [PLUMB_NESTED_EMPTY] =
        {
            .code = "CONF065",
            .name = "topology-list-empty",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "topology.yaml has no topology, or a topology nothing in it",
            .why = "slurmctld ends: there is nothing to lay out nodes with.",
            .ref = "topology.yaml(5); switch_record.c, block_record.c, ring_record.c",
            .bad = "# topology.yaml\n- topology: a\n  tree:\n    switches: []\n",
            .good = "# topology.yaml\n- topology: a\n  tree:\n    switches:\n"
                    "      - {switch: s, nodes: n1}\n",
        },
    [PLUMB_NESTED_TWICE] =
        {
            .code = "CONF066",
            .name = "topology-twice",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "two topologies have one name, or both are the default",
            .why =
                "The first one is found by its name, so nothing can ask for the second; which of "
                "two defaults counts is a matter of sorting.",
            .ref = "interfaces/topology.c:_get_tctx_index_by_name, _cmp_tctx",
            .bad = "# topology.yaml\n- topology: a\n  flat: true\n- topology: a\n  flat: true\n",
            .good = "# topology.yaml\n- topology: a\n  flat: true\n- topology: b\n  flat: true\n",
        },
};

const struct plumb_rule_family plumb_nested_rules = {
    .prefix = "CONF",
    .title = "Whole files, and files in YAML",
    .rules = plumb_nested_rows,
    .count = PLUMB_COUNT(plumb_nested_rows),
};
