/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of the readers and of the engine for manifests: rows without a function. */
#ifndef PLUMB_KUBE_RULES_H
#define PLUMB_KUBE_RULES_H

#include "base/session.h"

enum plumb_kube_rule {
    PLUMB_KUBE_UNKNOWN_FIELD,
    PLUMB_KUBE_MISSING,
    PLUMB_KUBE_WRONG_TYPE,
    PLUMB_KUBE_NOT_IN_SET,
    PLUMB_KUBE_PATTERN,
    PLUMB_KUBE_OUT_OF_RANGE,
    PLUMB_KUBE_TWICE,
    PLUMB_KUBE_BAD_QUANTITY,
    PLUMB_KUBE_NOT_SERVED,
    PLUMB_KUBE_NO_KIND,
    PLUMB_KUBE_UNCHECKED,
    PLUMB_KUBE_CEL,
    PLUMB_KUBE_NAME,
    PLUMB_KUBE_LABEL,
    PLUMB_KUBE_ANNOTATIONS,
    PLUMB_KUBE_DATA_SIZE,
    PLUMB_KUBE_DATA_KEY,
    PLUMB_KUBE_NULL,
    PLUMB_KUBE_DROPPED_FIELD,
    PLUMB_KUBE_CHART_VALUE,
    PLUMB_KUBE_NOT_BASE64,
    PLUMB_KUBE_TEMPLATE,
    PLUMB_KUBE_ASSUMED,
    PLUMB_KUBE_CHART_MAP,
    PLUMB_KUBE_CHART_PARTITION,
    PLUMB_KUBE_CHART_ENTRY,
    PLUMB_KUBE_RULE_COUNT,
};

extern const struct plumb_rule plumb_kube_rows[PLUMB_KUBE_RULE_COUNT];
extern const struct plumb_rule_family plumb_kube_rules;

#define plumb_kube_report(s, row, at, ...)                                                         \
    plumb_diag_new(&(s)->sink, &plumb_kube_rows[row], (at), __VA_ARGS__)

#endif
