/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of ibstat for the NICs that other captures show. */
#include <string.h>

#include "capture/ibstat.h"
#include "passes/bind.h"

void plumb_bind_ibstat(struct plumb_bind *b)
{
    const struct plumb_ibstat *stat = b->g->ibstat;
    struct plumb_hardware *hw = b->hw;

    for (size_t i = 0; stat != NULL && i < stat->count; i++) {
        const struct plumb_ibstat_device *d = &stat->items[i];
        struct plumb_span at = {0};
        uint64_t rate = plumb_ibstat_rate(d, &at);

        for (size_t k = 0; k < hw->nic_count; k++) {
            if (strcmp(hw->nics[k].name, d->name.text) != 0 || rate == 0)
                continue;
            hw->nics[k].speed_mbits = rate;
            hw->nics[k].speed_at = at;
        }
    }
}
