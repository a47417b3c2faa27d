/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of family HW that captures and their merging report. */
#ifndef PLUMB_CAPTURE_RULES_H
#define PLUMB_CAPTURE_RULES_H

#include "base/rule.h"

enum plumb_hw_rule {
    PLUMB_HW_NOT_HWLOC,
    PLUMB_HW_VERSION,
    PLUMB_HW_OBJECT,
    PLUMB_HW_SETS,
    PLUMB_HW_REFUSED,
    PLUMB_HW_INCOMPLETE,
    PLUMB_HW_NO_IO,
    PLUMB_HW_CPU_HOLES,
    PLUMB_HW_DISTANCES,
    PLUMB_HW_UNKNOWN_NAME,
    PLUMB_HW_NOTHING,
    PLUMB_HW_UNREADABLE,
    PLUMB_HW_SECOND,
    PLUMB_HW_NO_NODE,
    PLUMB_HW_COUNT_TEXT,
    PLUMB_HW_SMI_LIST,
    PLUMB_HW_SMI_QUERY,
    PLUMB_HW_SLURMD_C,
    PLUMB_HW_GPU_COUNT,
    PLUMB_HW_GPU_NUMA,
    PLUMB_HW_GPU_CPUS,
    PLUMB_HW_NVLINK,
    PLUMB_HW_FLAT_NUMA,
    PLUMB_HW_GPU_NAME,
    PLUMB_HW_CORES,
    PLUMB_HW_MEMORY,
    PLUMB_HW_DISALLOWED,
    PLUMB_HW_NOT_LIVE,
    PLUMB_HW_NO_PACKAGES,
    PLUMB_HW_NO_CORES,
    PLUMB_HW_GROUP_LEVELS,
    PLUMB_HW_NUMA_GAP,
    PLUMB_HW_ONE_CORE,
    PLUMB_HW_ECORES,
    PLUMB_HW_SLURMD_G,
    PLUMB_HW_SLURMD_G_OTHER,
    PLUMB_HW_HOST,
    PLUMB_HW_NUMA_STOPS,
    PLUMB_HW_MIG_MINORS,
    PLUMB_HW_VERBS,
    PLUMB_HW_VERBS_OTHER,
    PLUMB_HW_RULE_COUNT,
};

extern const struct plumb_rule plumb_hw_rows[PLUMB_HW_RULE_COUNT];

#define plumb_hw_report(s, rule, at, ...)                                                          \
    plumb_diag_new(&(s)->sink, &plumb_hw_rows[rule], (at), __VA_ARGS__)

#endif
