/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run whose own invariants broke. */
#include "base/base.h"

#include <stdlib.h>

_Noreturn void plumb_assert_failed(const char *cond, const char *file, int line)
{
    /* The three values stay readable in a core dump; the library prints nothing. */
    const char *volatile what = cond;
    const char *volatile where = file;
    volatile int at = line;

    (void)what;
    (void)where;
    (void)at;
    abort();
}
