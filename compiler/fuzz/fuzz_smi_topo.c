/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a matrix of nvidia-smi topo -m: read, bound to a machine, shown. */
#include "fuzz_captures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_capture(data, size, PLUMB_KIND_SMI_TOPO);
}
