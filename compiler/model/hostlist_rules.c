/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the findings about host lists. */
#include "model/hostlist_reader.h"

const struct plumb_rule plumb_host_rows[] = {
    [PLUMB_HOST_UNBALANCED] =
        {
            .code = "HOST001",
            .name = "host-bracket-open",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a bracket of a host list is not closed",
            .why = "From 23.11 on the whole list is invalid. Earlier releases take the text up to "
                   "the next comma, put a ']' in place of the '[' and go on with a name that no "
                   "machine has: slurmctld starts where nothing else speaks of the nodes meant.",
            .ref = "src/common/hostlist.c:hostlist_create",
            .bad = "NodeName=gpu-[01-16 CPUs=64",
            .good = "NodeName=gpu-[01-16] CPUs=64",
        },
    [PLUMB_HOST_BAD_RANGE] =
        {
            .code = "HOST002",
            .name = "host-range-syntax",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an item in brackets is neither a number nor a range of numbers",
            .why = "Brackets hold decimal numbers and ranges of them, divided by commas; there are "
                   "no letters, no steps, no negative numbers, and no empty items.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[01-16,x] CPUs=64",
            .good = "NodeName=gpu-[01-16],gpu-x CPUs=64",
        },
    [PLUMB_HOST_REVERSED] =
        {
            .code = "HOST003",
            .name = "host-range-reversed",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a range of a host list ends below its start",
            .why = "Slurm does not turn the range round; the whole list is invalid.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[16-01] CPUs=64",
            .good = "NodeName=gpu-[01-16] CPUs=64",
        },
    [PLUMB_HOST_RANGE_TOO_LARGE] =
        {
            .code = "HOST004",
            .name = "host-range-large",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a range of a host list has more than 65536 names",
            .why = "MAX_RANGE of Slurm is 65536; the whole list is invalid.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[0-100000] CPUs=64",
            .good = "NodeName=gpu-[0-1000] CPUs=64",
        },
    [PLUMB_HOST_TOO_MANY] =
        {
            .code = "HOST005",
            .name = "host-list-large",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a host list is larger than can be handled",
            .why = "A bracket holds at most 262144 ranges. Several brackets in one name are "
                   "multiplied, so that a short text can stand for more names than fit in memory.",
            .ref = "src/common/hostlist.c:_parse_range_list",
            .bad = "NodeName=r[1-9999]n[1-9999] CPUs=64",
            .good = "NodeName=r[1-99]n[1-99] CPUs=64",
        },
    [PLUMB_HOST_SUFFIX] =
        {
            .code = "HOST006",
            .name = "host-suffix",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "text stands behind the last bracket of a name, which needs release 23.11",
            .why = "Before 23.11 a bracket had to end the name; the whole list is invalid.",
            .ref = "src/common/hostlist.c:hostlist_create; RELEASE_NOTES 23.11",
            .bad = "SlurmctldHost=ctl\nNodeName=gpu[1-2]-ib CPUs=64   # with 22.05",
            .good = "NodeName=gpu1-ib,gpu2-ib CPUs=64",
        },
    [PLUMB_HOST_OPEN_RANGE] =
        {
            .code = "HOST007",
            .name = "host-range-no-end",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a range of a host list has no end and is read as one number",
            .why = "Slurm reads 'gpu-[1-]' as 'gpu-1' without a word.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[1-] CPUs=64",
            .good = "NodeName=gpu-[1-8] CPUs=64",
        },
    [PLUMB_HOST_SLOPPY_NUMBER] =
        {
            .code = "HOST008",
            .name = "host-number-blank",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a blank, a sign or text beside a number in brackets counts as padding",
            .why = "Slurm takes the width of the text before the '-' as the width of the names: "
                   "'gpu[1, 2]' is gpu1 and gpu02, 'gpu[1a-2]' is gpu[01-02].",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=\"gpu[1, 2]\" CPUs=64",
            .good = "NodeName=gpu[1,2] CPUs=64",
        },
    [PLUMB_HOST_BIG_NUMBER] =
        {
            .code = "HOST009",
            .name = "host-number-large",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a number of a host name does not fit in 64 bits and becomes another one",
            .why = "strtoul reads it as 18446744073709551615, and that is the name of the node.",
            .ref = "src/common/hostlist.c:_parse_single_range, src/common/hostlist.c:hostlist_push",
            .bad = "NodeName=n99999999999999999999 CPUs=64",
            .good = "NodeName=n9999 CPUs=64",
        },
    [PLUMB_HOST_STRAY_BRACKET] =
        {
            .code = "HOST010",
            .name = "host-bracket-stray",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a bracket without its partner becomes part of a host name",
            .why = "Slurm takes the bracket as a letter of the name, which then fits no machine.",
            .ref = "src/common/hostlist.c:hostlist_create",
            .bad = "NodeName=gpu-01-16] CPUs=64",
            .good = "NodeName=gpu-[01-16] CPUs=64",
        },
    [PLUMB_HOST_CONTROL] =
        {
            .code = "HOST011",
            .name = "host-name-control",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a host name holds a control character",
            .why = "Slurm takes any byte but the separators as part of the name, which then fits "
                   "no machine; a zero byte ends the text.",
            .ref = "src/common/hostlist.c:hostlist_create",
        },
};

const struct plumb_rule_family plumb_host_rules = {
    .prefix = "HOST",
    .title = "Host lists and names",
    .rules = plumb_host_rows,
    .count = PLUMB_COUNT(plumb_host_rows),
};
