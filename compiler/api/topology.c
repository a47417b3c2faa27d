/* SPDX-License-Identifier: Apache-2.0 */
/* What captures say on their own: the passes that read and merge them, without a cluster. */
#include <string.h>

#include "api/internal.h"
#include "emit/topo.h"
#include "syntax/json.h"

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
