/* SPDX-License-Identifier: Apache-2.0 */
/* Every target, in the order in which they run. */
#include "gitops/gitops.h"
#include "gpu_stack/gpu_stack.h"
#include "jobs/jobs.h"
#include "nccl/nccl.h"
#include "report/page.h"
#include "slinky/slinky.h"
#include "slurm/slurm.h"
#include "soperator/soperator.h"
#include "sunk/sunk.h"

/* One a line, so that two that are added at a time do not meet. */
/* clang-format off */
const struct plumb_target *const plumb_targets[] = {
    &plumb_target_slurm,
    &plumb_target_slinky,
    &plumb_target_slinky_values,
    &plumb_target_soperator,
    &plumb_target_sunk,
    &plumb_target_sunk_values,
    &plumb_target_gpu_stack,
    &plumb_target_gitops,
    &plumb_target_nccl,
    &plumb_target_jobs,
    &plumb_target_report,
};
/* clang-format on */
const size_t plumb_target_count = PLUMB_COUNT(plumb_targets);
