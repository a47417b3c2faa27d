/* SPDX-License-Identifier: Apache-2.0 */
/* What captures say on their own: the passes that read and merge them, without a cluster. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "api/internal.h"
#include "emit/topo.h"
#include "passes/captures.h"
#include "schema/trait.h"
#include "syntax/json.h"

/* A path counts before a reference of the same name, as in a specification. */
bool plumb_topology_add(struct plumb_handle *h, const char *name)
{
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
    plumb_string_list_add(h->arena, &h->references, name);
    return true;
}

void plumb_topology_run(struct plumb_handle *h)
{
    struct plumb_run *r = &h->run;

    (void)plumb_model_of(r);
    plumb_pass_sort_inputs(r);
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].kind == PLUMB_KIND_NCCL && r->inputs[i].listed)
            r->inputs[i].kind = PLUMB_KIND_NCCL_DUMP; /* what it shows is asked for */
    }
    plumb_pass_read_captures(r);
    plumb_pass_read_fabric(r);
    for (size_t i = 0; i < h->references.count; i++)
        (void)plumb_reference_open(r, h->references.items[i]);
    plumb_topology_fabric(r);
    plumb_arena_reset(h->scratch);
    plumb_pass_bind_hardware(r);
    plumb_arena_reset(h->scratch);
    plumb_pass_suppress(r);
}

/* The place of a file's first byte, for people. */
static const char *begin_of(struct plumb_handle *h, const struct plumb_input *in)
{
    return plumb_arena_printf(h->arena, "%s:1:1", in->shown);
}

const char *plumb_topology_nothing(struct plumb_handle *h)
{
    static const char machine[] = "expected a capture of a machine, or --format svg, topology.conf "
                                  "or topology.yaml";
    const struct plumb_run *r = &h->run;

    if (r->fabric != NULL)
        return plumb_arena_printf(h->arena, "the captures are of a fabric, %s", machine);
    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (plumb_is_fabric_file(in))
            return plumb_arena_printf(h->arena, "'%s' begins %s, %s", begin_of(h, in),
                                      plumb_file_name(in->conf_file), machine);
        if (in->listed && in->kind == PLUMB_KIND_OTHER)
            return plumb_arena_printf(h->arena,
                                      "'%s' begins no capture, expected one of a machine or a "
                                      "fabric; 'plumb check' reads configuration",
                                      begin_of(h, in));
    }
    return NULL;
}

void plumb_topology_render(struct plumb_handle *h, bool json, struct plumb_buf *out)
{
    static const struct plumb_span nowhere;
    const struct plumb_model *m = h->run.model;
    struct plumb_node *list = plumb_node_sequence(h->arena, nowhere);

    for (size_t i = 0; m != NULL && i < m->hardware_count; i++) {
        if (json) {
            plumb_node_append(h->arena, list,
                              plumb_topo_json(h->arena, m->hardware[i], &h->session));
            continue;
        }
        if (i > 0)
            plumb_buf_char(out, '\n');
        plumb_topo_text(out, m->hardware[i], &h->session);
    }
    if (json && (list->count > 0 || plumb_topology_nothing(h) == NULL))
        plumb_json_write(out, list, NULL);
    else if (!json && m != NULL && m->hardware_count == 0)
        plumb_topology_slurm(h, "topology.conf", out);
}

/* Which plugin the lines are for: the one that was asked for, else what the captures tell of. */
static bool form_of(struct plumb_handle *h, struct plumb_fabric_form *form)
{
    const struct plumb_fabric *f = h->run.fabric;
    const struct plumb_table *t = h->session.table;
    enum plumb_release r = h->run.model->release;

    form->block = h->topology != NULL ? strcmp(h->topology, "block") == 0 : f->count == 0;
    form->sizes =
        plumb_param_at(plumb_param_row(t, PLUMB_P_TOPO_BLOCKSIZES), r)->life == PLUMB_LIFE_OK;
    if (form->block &&
        !plumb_param_word_known(t, PLUMB_P_SLURM_TOPOLOGYPLUGIN, r, "topology/block")) {
        h->out_problem =
            plumb_arena_printf(h->arena, "Slurm %s has no topology/block", plumb_release_name(r));
        return false;
    }
    if (!form->block && f->count == 0) {
        h->out_problem = "the captures tell of NVLink domains, and of no switch: "
                         "use --topology block";
        return false;
    }
    return true;
}

static const struct plumb_input *topology_file(const struct plumb_run *r)
{
    const struct plumb_input *found = NULL;

    for (size_t i = 0; i < r->input_count; i++) {
        if (plumb_is_fabric_file(&r->inputs[i]))
            found = &r->inputs[i];
    }
    return found;
}

/* A topology file as the other one; written anew where it is the same. */
static void convert(struct plumb_handle *h, bool yaml, struct plumb_buf *out)
{
    const struct plumb_model *m = h->run.model;
    const struct plumb_input *in = topology_file(&h->run);
    const char *why = NULL;

    if (in == NULL)
        return;
    if (in->conf_file == PLUMB_TOPOLOGY_YAML && yaml)
        why = "it is topology.yaml already";
    else if (in->conf_file == PLUMB_TOPOLOGY_YAML &&
             plumb_trait_value(h->session.table, m->release, PLUMB_TRAIT_TOPOLOGY_YAML) == 0)
        why = plumb_arena_printf(h->arena, "Slurm %s reads no topology.yaml",
                                 plumb_release_name(m->release));
    else
        why = yaml ? plumb_units_yaml(m, h->topology, out) : plumb_units_conf(m, h->topology, out);
    if (why != NULL)
        h->out_problem = plumb_arena_printf(h->arena, "'%s': %s", begin_of(h, in), why);
}

void plumb_topology_slurm(struct plumb_handle *h, const char *format, struct plumb_buf *out)
{
    struct plumb_fabric_form form;
    bool yaml = strcmp(format, "topology.yaml") == 0;

    if (h->run.model == NULL)
        return;
    if (yaml &&
        plumb_trait_value(h->session.table, h->run.model->release, PLUMB_TRAIT_TOPOLOGY_YAML) == 0)
        h->out_problem = plumb_arena_printf(h->arena, "Slurm %s reads no topology.yaml",
                                            plumb_release_name(h->run.model->release));
    else if (h->run.fabric == NULL)
        convert(h, yaml, out);
    else if (!form_of(h, &form))
        return;
    else if (yaml)
        plumb_fabric_yaml(h->run.fabric, &form, out);
    else
        plumb_fabric_conf(h->run.fabric, &form, out);
}
