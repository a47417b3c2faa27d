/* SPDX-License-Identifier: Apache-2.0 */
/* Writing settings of the model: for passes that make them from something else than a conf line. */
#ifndef PLUMB_PASSES_SETTING_H
#define PLUMB_PASSES_SETTING_H

#include "base/buf.h"
#include "model/model.h"

/* A value of ours: text in Slurm's notation, made from what stands at a place. */
struct plumb_slice plumb_made_slice(const char *text, struct plumb_span at);

/*
 * Text made of several values, each byte mapped to the value it came from: a finding about
 * one item of it points at that value. Values of other files than the first, and values
 * without a place, share the place of the first.
 */
struct plumb_made {
    struct plumb_buf text;
    uint32_t *map; /* one per byte of text, and one behind */
    size_t map_cap;
    struct plumb_span at; /* the first known place */
};

static inline struct plumb_made plumb_made_in(struct plumb_arena *a)
{
    return (struct plumb_made){.text = plumb_buf_in(a)};
}
void plumb_made_add(struct plumb_made *m, const char *text, struct plumb_span at);
struct plumb_slice plumb_made_done(struct plumb_made *m);

/* Adds a setting behind the others. */
void plumb_setting_add(struct plumb_arena *a, struct plumb_settings *to, enum plumb_param_id id,
                       struct plumb_slice value, struct plumb_span key_at,
                       enum plumb_origin origin);

/* Shorthand: made text without a key. */
void plumb_setting_add_text(struct plumb_arena *a, struct plumb_settings *to,
                            enum plumb_param_id id, const char *text, struct plumb_span at,
                            enum plumb_origin origin);

/* True when the parameter is set in any way, a bad value included: nothing may stand in for it. */
bool plumb_setting_there(const struct plumb_settings *s, enum plumb_param_id id);

#endif
