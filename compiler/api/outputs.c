/* SPDX-License-Identifier: Apache-2.0 */
/* libplumb's functions about outputs: handed out, written, compared. */
#include "api/internal.h"

size_t plumb_made_count(const plumb_handle *h)
{
    return h->run.outputs == NULL ? 0 : h->run.outputs->file_count;
}

bool plumb_made_at(const plumb_handle *h, size_t index, struct plumb_file_made *out)
{
    if (index >= plumb_made_count(h))
        return false;

    const struct plumb_output *f = &h->run.outputs->files[index];

    *out =
        (struct plumb_file_made){.path = f->path, .bytes = f->text, .len = f->len, .mode = f->mode};
    return true;
}

struct output_call {
    const char *directory;
    enum plumb_result result;
};

static const char *write_fault(enum plumb_status status)
{
    switch (status) {
    case PLUMB_NOT_OURS:
        return "was not written by plumb and is left alone";
    case PLUMB_BUSY:
        return "is being written by another run";
    case PLUMB_NOT_A_FILE:
        return "is no regular file";
    case PLUMB_CANNOT_READ:
        return "cannot be read";
    default:
        return "cannot be written";
    }
}

static void write_outputs(struct plumb_handle *h, void *call)
{
    struct output_call *c = call;
    const char *path = NULL;
    enum plumb_status status = PLUMB_OK;

    h->run.outputs->overwrite = h->overwrite;
    status =
        plumb_outputs_write(&h->session, h->run.outputs, plumb_walk_path(h, c->directory), &path);
    if (status == PLUMB_OK)
        return;
    h->out_problem = plumb_arena_printf(h->arena, "'%s' %s", path == NULL ? c->directory : path,
                                        write_fault(status));
    c->result = PLUMB_RESULT_INTERNAL;
}

static void compare_outputs(struct plumb_handle *h, void *call)
{
    static const char *const states[] = {
        [PLUMB_FRESH] = NULL,      [PLUMB_MISSING] = "missing",     [PLUMB_STALE] = "stale",
        [PLUMB_EDITED] = "edited", [PLUMB_LEFT_OVER] = "left over",
    };
    struct output_call *c = call;
    struct plumb_freshness_item *items = NULL;
    size_t count = 0;

    h->difference_count = 0;
    if (plumb_outputs_compare(&h->session, h->run.outputs, plumb_walk_path(h, c->directory), &items,
                              &count) != PLUMB_OK) {
        h->out_problem = plumb_arena_printf(h->arena, "'%s' cannot be read", c->directory);
        c->result = PLUMB_RESULT_INCOMPLETE;
        return;
    }
    h->differences = PLUMB_NEW_ARRAY(h->arena, count, struct plumb_difference);
    for (size_t i = 0; i < count; i++) {
        if (states[items[i].state] != NULL)
            h->differences[h->difference_count++] =
                (struct plumb_difference){.path = items[i].path, .state = states[items[i].state]};
    }
    c->result = h->difference_count == 0 ? PLUMB_RESULT_CLEAN : PLUMB_RESULT_FINDINGS;
}

/* Without outputs there were errors: whoever ran has been told. */
static enum plumb_result with_outputs(plumb_handle *h, const char *directory,
                                      void (*work)(struct plumb_handle *h, void *call))
{
    struct output_call c = {.directory = directory};

    if (!h->exhausted && plumb_made_count(h) == 0)
        return PLUMB_RESULT_FINDINGS;
    return plumb_guard(h, work, &c) ? c.result : PLUMB_RESULT_INTERNAL;
}

enum plumb_result plumb_write(plumb_handle *h, const char *directory)
{
    return with_outputs(h, directory, write_outputs);
}

enum plumb_result plumb_compare(plumb_handle *h, const char *directory)
{
    return with_outputs(h, directory, compare_outputs);
}

size_t plumb_difference_count(const plumb_handle *h)
{
    return h->difference_count;
}

bool plumb_difference_at(const plumb_handle *h, size_t index, struct plumb_difference *out)
{
    if (index >= h->difference_count)
        return false;
    *out = h->differences[index];
    return true;
}
