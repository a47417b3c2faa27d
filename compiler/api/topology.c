/* SPDX-License-Identifier: Apache-2.0 */
/* What captures say on their own: the passes that read and merge them, without a cluster. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "api/internal.h"
#include "emit/topo.h"
#include "passes/captures.h"
#include "syntax/json.h"

/* A path counts before a reference of the same name, as in a specification. */
bool plumb_topology_add(struct plumb_handle *h, const char *name)
{
    struct plumb_string_list *l = &h->references;
    const char *nearest = NULL, *known = NULL;
    struct stat st;

    if (strchr(name, '/') != NULL || stat(plumb_walk_path(h, name), &st) == 0 || errno != ENOENT)
        return plumb_walk(h, name);
    if (!plumb_reference_find(&h->run, name, &nearest, &known)) {
        if (nearest != NULL)
            known = nearest;
        return plumb_walk_fail(
            h, name,
            plumb_arena_printf(h->arena, "does not exist, and is no built-in reference%s%s%s",
                               known[0] == '\0'  ? ""
                               : nearest != NULL ? "; did you mean '"
                                                 : "; those are ",
                               known, nearest != NULL ? "'?" : ""));
    }
    l->items = plumb_arena_grow(h->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count++] = name;
    return true;
}

void plumb_topology_run(struct plumb_handle *h)
{
    struct plumb_run *r = &h->run;

    r->model = PLUMB_NEW(h->arena, struct plumb_model);
    r->model->release = r->forced_release == PLUMB_RELEASE_NONE
                            ? (enum plumb_release)PLUMB_RELEASE_NEWEST
                            : r->forced_release;
    r->model->all_nodes = PLUMB_NEW(h->arena, struct plumb_hostlist);
    plumb_pass_sort_inputs(r);
    plumb_pass_read_captures(r);
    for (size_t i = 0; i < h->references.count; i++)
        (void)plumb_reference_open(r, h->references.items[i]);
    plumb_arena_reset(h->scratch);
    plumb_pass_bind_hardware(r);
    plumb_arena_reset(h->scratch);
    plumb_pass_suppress(r);
}

void plumb_topology_render(struct plumb_handle *h, bool json, struct plumb_buf *out)
{
    static const struct plumb_span nowhere;
    const struct plumb_model *m = h->run.model;
    struct plumb_node *list = plumb_node_sequence(h->arena, nowhere);

    for (size_t i = 0; m != NULL && i < m->hardware_count; i++) {
        if (json) {
            plumb_node_append(h->arena, list, plumb_topo_json(h->arena, m->hardware[i]));
            continue;
        }
        if (i > 0)
            plumb_buf_char(out, '\n');
        plumb_topo_text(out, m->hardware[i]);
    }
    if (json)
        plumb_json_write(out, list, NULL);
}
