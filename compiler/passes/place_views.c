/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass place-views: what was found in a document within another (base/source.h, views) is moved to
 * where it stands in the file, before anyone looks at places.
 */
#include "passes/pass.h"

static void move_edit(const struct plumb_sources *m, struct plumb_edit *e)
{
    uint32_t file = e->at.file;

    for (size_t i = 0; i < e->again_count; i++)
        e->again[i] =
            plumb_source_outer(m, (struct plumb_span){file, e->again[i], e->again[i]}).begin;
    e->at = plumb_source_outer(m, e->at);
}

static void move(const struct plumb_sources *m, struct plumb_diag *d)
{
    d->at = plumb_source_outer(m, d->at);
    for (size_t i = 0; i < d->notes.count; i++)
        d->notes.items[i].at = plumb_source_outer(m, d->notes.items[i].at);
    for (size_t i = 0; i < d->edits.count; i++)
        move_edit(m, &d->edits.items[i]);
}

void plumb_pass_place_views(struct plumb_run *r)
{
    const struct plumb_sink *sink = &r->session->sink;

    for (size_t i = 0; i < sink->count; i++)
        move(&r->session->sources, sink->items[i]);
}
