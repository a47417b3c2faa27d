/* SPDX-License-Identifier: Apache-2.0 */
/* What all code of one run shares. */
#include "base/session.h"

void plumb_session_init(struct plumb_session *s, struct plumb_arena *arena,
                        struct plumb_arena *scratch)
{
    *s = (struct plumb_session){
        .arena = arena,
        .scratch = scratch,
        .intern = plumb_intern_new(arena),
        .sources = {.arena = arena},
        .sink = {.arena = arena, .release = (enum plumb_release)PLUMB_RELEASE_NEWEST},
    };
}
