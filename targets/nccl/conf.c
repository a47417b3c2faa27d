/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nccl.conf: NAME=value a line, as src/misc/param.cc:setEnvFile reads it: the value is all behind
 * the first '=', without quotes, and variables of the job win. One file where all classes with
 * GPUs are told the same, else one for each.
 */
#include <string.h>

#include "model/nccl_env.h"
#include "nccl/nccl.h"
#include "schema/nccl.h"

enum { VARIABLES = 4 };

struct conf {
    const struct plumb_nodes *nodes;
    struct {
        const char *name, *value;
        struct plumb_span at;
    } items[VARIABLES];
    size_t count;
};

static void set(struct conf *c, const char *name, const struct plumb_text *value)
{
    if (!plumb_usable(*value))
        return;
    c->items[c->count].name = name;
    c->items[c->count].value = value->v;
    c->items[c->count++].at = value->at;
}

static bool same(const struct conf *x, const struct conf *y)
{
    bool equal = x->count == y->count;

    for (size_t i = 0; equal && i < x->count; i++)
        equal = strcmp(x->items[i].name, y->items[i].name) == 0 &&
                strcmp(x->items[i].value, y->items[i].value) == 0;
    return equal;
}

static bool uses_nccl(const struct plumb_nodes *n)
{
    const struct plumb_hardware *hw = n->hardware;

    if (hw != NULL && hw->gpu_count > 0)
        return plumb_hardware_vendor(&hw->gpus[0]) == PLUMB_GPU_NVIDIA;
    return plumb_gres_total(n, "gpu") > 0;
}

/* xml: the topology file of the class in the output tree; NULL: none is made. */
static struct conf conf_of(const struct plumb_emit *em, const struct plumb_nodes *n,
                           const char *xml)
{
    struct plumb_arena *a = em->session->arena;
    const struct plumb_nccl_env *env = em->model->nccl_env;
    struct conf c = {.nodes = n};
    struct plumb_text file = {.at = n->hardware_at, .origin = PLUMB_ABSENT};

    if (xml != NULL)
        file = (struct plumb_text){
            .v = plumb_arena_printf(a, "%s%s", env->topo_dir.v, strrchr(xml, '/')),
            .at = n->hardware_at,
            .origin = PLUMB_DERIVED,
        };
    set(&c, "NCCL_DEBUG", &env->debug);
    set(&c, "NCCL_IB_GID_INDEX", &env->gid_index);
    set(&c, "NCCL_IB_HCA", &n->ib_hca);
    set(&c, "NCCL_TOPO_FILE", &file);
    return c;
}

static void emit(const struct plumb_emit *em, const struct conf *c, const char *path, bool alone)
{
    struct plumb_lines *l = plumb_lines_new(em->session->arena, NULL);

    plumb_lines_comment(l, alone ? "to be /etc/nccl.conf on the nodes with GPUs"
                                 : plumb_arena_printf(em->session->arena,
                                                      "to be /etc/nccl.conf on the nodes of class "
                                                      "%s",
                                                      c->nodes->class_name));
    for (size_t i = 0; i < c->count; i++) {
        if (strlen(c->items[i].value) > PLUMB_NCCL_CONF_VALUE) {
            plumb_emit_skip(em, path, c->items[i].at,
                            plumb_arena_printf(em->session->arena,
                                               "%s would be cut, NCCL reads %d bytes of it",
                                               c->items[i].name, (int)PLUMB_NCCL_CONF_VALUE));
            return;
        }
        plumb_lines_pair(l, c->items[i].name, c->items[i].value, c->items[i].at);
    }
    plumb_emit_lines(em, path, l, 0644);
}

void plumb_nccl_confs(const struct plumb_emit *em, const char *const *xml)
{
    const struct plumb_model *m = em->model;
    struct conf *confs = PLUMB_NEW_ARRAY(em->session->arena, m->node_count, struct conf);
    size_t count = 0;
    bool alone = true;

    if (m->nccl_env == NULL)
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        if (uses_nccl(&m->nodes[i]))
            confs[count++] = conf_of(em, &m->nodes[i], xml[i]);
    }
    for (size_t i = 1; i < count; i++)
        alone = alone && same(&confs[0], &confs[i]);
    for (size_t i = 0; i < (alone && count > 0 ? 1 : count); i++) {
        if (confs[i].count > 0)
            emit(em, &confs[i],
                 alone ? "nccl/nccl.conf" : plumb_nccl_path(em, confs[i].nodes, "nccl-", ".conf"),
                 alone);
    }
}
