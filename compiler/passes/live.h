/* SPDX-License-Identifier: Apache-2.0 */
/* Live input: shared by read-live, lift-live and the files of lift-live. */
#ifndef PLUMB_PASSES_LIVE_H
#define PLUMB_PASSES_LIVE_H

#include "live/live.h"
#include "model/live.h"
#include "passes/pass.h"

/* Rows of passes/judge_source.c. */
enum plumb_drift_source_rule {
    PLUMB_DRIFT_UNSOUND, /* the source has errors */
    PLUMB_DRIFT_PODS,    /* the cluster lists pods, the source machines */
    PLUMB_DRIFT_SOURCE_COUNT,
};
extern const struct plumb_rule plumb_drift_source_rows[PLUMB_DRIFT_SOURCE_COUNT];

/* passes/lift_sacctmgr.c: tables of sacctmgr -> live->accounts. */
void plumb_lift_sacctmgr(struct plumb_run *r, struct plumb_live *live);

#endif
