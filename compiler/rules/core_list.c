/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of cores as bitstring.c reads them when they are no such list. */
#include "rules/core_list.h"

#include <string.h>

#include "schema/compound.h"

bool plumb_core_list_beyond(const struct plumb_slice *list, uint64_t total)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (memchr(list->text, ':', list->len) != NULL)
        return false;
    while (plumb_list_next_any(list, ',', &c, &item)) {
        uint64_t lo = 0, hi = 0;

        plumb_value_core_lax(&item, &lo, &hi);
        /* They are kept in 32 bits: what does not fit is another number, or a negative one; -1
         * ends the list. */
        if ((lo & UINT32_MAX) == UINT32_MAX)
            return false;
        if ((lo & UINT32_MAX) >= total || (hi & UINT32_MAX) >= total)
            return true;
    }
    return false;
}
