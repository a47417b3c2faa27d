/* SPDX-License-Identifier: Apache-2.0 */
/* Captures and topology files as one picture. */
#include "api/internal.h"
#include "emit/svg.h"
#include "emit/svg_draw.h"

bool plumb_is_fabric_file(const struct plumb_input *in)
{
    return (in->kind == PLUMB_KIND_CONF && in->conf_file == PLUMB_TOPOLOGY_CONF) ||
           (in->kind == PLUMB_KIND_NESTED && in->conf_file == PLUMB_TOPOLOGY_YAML);
}

/* Other files of Slurm are no captures: they are left to the command check. */
void plumb_topology_fabric(struct plumb_run *r)
{
    bool found = false;

    for (size_t i = 0; i < r->input_count; i++) {
        struct plumb_input *in = &r->inputs[i];

        if (plumb_is_fabric_file(in))
            found = true;
        else if (in->kind == PLUMB_KIND_CONF || in->kind == PLUMB_KIND_NESTED ||
                 in->kind == PLUMB_KIND_PLUGSTACK)
            in->kind = PLUMB_KIND_OTHER;
    }
    if (!found)
        return;
    plumb_pass_read_conf(r);
    plumb_pass_lift(r);
}

void plumb_topology_picture(struct plumb_handle *h, struct plumb_buf *out)
{
    const struct plumb_model *m = h->run.model;
    const struct plumb_fabric *captured = h->run.fabric;
    size_t fabrics = 0, machines = m == NULL ? 0 : m->hardware_count, count = 0;
    struct plumb_xml *root = NULL, *last = NULL;
    const char *desc = NULL;

    fabrics = m == NULL ? 0 : plumb_svg_fabric_count(m);
    count = machines + fabrics + (captured != NULL);
    if (count == 0)
        return;
    desc = plumb_arena_printf(h->arena, "%zu pictures, one below the other", count);
    if (count > 1)
        root = plumb_svg_new(h->arena, NULL, "Machines and fabrics", desc);
    for (size_t i = 0; i < machines; i++)
        last = plumb_svg_node(h->arena, root, m->hardware[i]);
    for (size_t i = 0; i < fabrics; i++)
        last = plumb_svg_fabric(h->arena, root, m, i);
    if (captured != NULL)
        last = plumb_svg_captured_fabric(h->arena, root, captured);
    if (root != NULL)
        plumb_svg_stack(h->arena, root);
    plumb_svg_print(out, root != NULL ? root : last);
}
