/* SPDX-License-Identifier: Apache-2.0 */
/* Why an output line is there. */
#include "base/cause.h"

void plumb_cause_add(struct plumb_causes *c, uint32_t line, struct plumb_span at)
{
    if (!plumb_span_known(at))
        return;
    if (c->count > 0) {
        const struct plumb_cause *last = &c->items[c->count - 1];

        if (last->line == line && last->at.file == at.file && last->at.begin == at.begin &&
            last->at.end == at.end)
            return;
    }
    c->items = plumb_arena_grow(c->arena, c->items, c->count, &c->cap, sizeof(*c->items));
    c->items[c->count++] = (struct plumb_cause){.line = line, .at = at};
}
