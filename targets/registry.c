/* SPDX-License-Identifier: Apache-2.0 */
/* Every target, in the order in which they run. */
#include "nccl/nccl.h"
#include "slurm/slurm.h"

const struct plumb_target *const plumb_targets[] = {
    &plumb_target_slurm,
    &plumb_target_nccl,
};
const size_t plumb_target_count = PLUMB_COUNT(plumb_targets);
