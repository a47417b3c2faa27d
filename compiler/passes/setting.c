/* SPDX-License-Identifier: Apache-2.0 */
/* Adding settings to the model. */
#include "passes/setting.h"

#include <string.h>

struct plumb_slice plumb_made_slice(const char *text, struct plumb_span at)
{
    return (struct plumb_slice){
        .text = text,
        .len = (uint32_t)strlen(text),
        .lead = PLUMB_SLICE_MADE,
        .at = at,
    };
}

/* Room for one more entry, and the one behind the last. */
static void grow_map(struct plumb_made *m, size_t count)
{
    m->map = plumb_arena_grow(m->text.arena, m->map, count, &m->map_cap, sizeof(*m->map));
}

void plumb_made_add(struct plumb_made *m, const char *text, struct plumb_span at)
{
    size_t from = m->text.len, len = strlen(text);

    if (!plumb_span_known(m->at) && plumb_span_known(at)) {
        m->at = at;
        for (size_t i = 0; i < from; i++)
            m->map[i] = at.begin;
    }
    if (at.file != m->at.file)
        at = m->at;
    plumb_buf_str(&m->text, text);
    for (size_t i = 0; i < len; i++) {
        grow_map(m, from + i);
        m->map[from + i] = at.begin;
    }
    if (len > 0 && at.end > at.begin)
        m->map[from + len - 1] = at.end - 1;
    grow_map(m, from + len);
    m->map[from + len] = at.end;
}

struct plumb_slice plumb_made_done(struct plumb_made *m)
{
    if (!plumb_span_known(m->at) || m->text.len == 0)
        return plumb_made_slice(plumb_buf_text(&m->text), m->at);
    return (struct plumb_slice){
        .text = plumb_buf_text(&m->text),
        .len = (uint32_t)m->text.len,
        .at = m->at,
        .map = m->map,
    };
}

void plumb_setting_add(struct plumb_arena *a, struct plumb_settings *to, enum plumb_param_id id,
                       struct plumb_slice value, struct plumb_span key_at, enum plumb_origin origin)
{
    to->items = plumb_arena_grow(a, to->items, to->count, &to->cap, sizeof(*to->items));
    to->items[to->count++] = (struct plumb_setting){
        .param = plumb_param(id),
        .value = value,
        .key_at = key_at,
        .origin = origin,
    };
    plumb_settings_note(to, (unsigned)id);
}

void plumb_setting_add_text(struct plumb_arena *a, struct plumb_settings *to,
                            enum plumb_param_id id, const char *text, struct plumb_span at,
                            enum plumb_origin origin)
{
    plumb_setting_add(a, to, id, plumb_made_slice(text, at), (struct plumb_span){0}, origin);
}

bool plumb_setting_there(const struct plumb_settings *s, enum plumb_param_id id)
{
    for (size_t i = 0; plumb_settings_may_have(s, id) && i < s->count; i++) {
        if (s->items[i].param->id == (unsigned)id)
            return true;
    }
    return false;
}
