/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What jobs talk through: the adapters that `fabric` names, held against the captures, and what
 * NCCL is told of them. A name decides where one is written; else those nearest to the GPUs do.
 */
#include <inttypes.h>
#include <string.h>

#include "model/nccl_env.h"
#include "model/rails.h"
#include "passes/derive.h"
#include "spec/rules.h"

static bool is_from_topology(const struct plumb_spec_value *list)
{
    return list->count == 1 && plumb_slice_is(&list->items[0].text, "from-topology");
}

static const struct plumb_spec_value *usable(const struct plumb_spec_value *map, const char *name)
{
    const struct plumb_spec_value *v = plumb_spec_get(map, name);

    return v != NULL && plumb_usable(*v) ? v : NULL;
}

/* "mlx5_0" of "mlx5_0:1". */
static const char *device_of(struct plumb_arena *a, const struct plumb_spec_value *item)
{
    const char *colon = memchr(item->text.text, ':', item->text.len);
    size_t len = colon == NULL ? item->text.len : (size_t)(colon - item->text.text);

    return plumb_arena_strndup(a, item->text.text, len);
}

static const char *quoted(struct plumb_arena *a, const struct plumb_hardware *hw,
                          const uint32_t *nics, size_t count)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(&b, "%s'%s'", i > 0 ? ", " : "",
                         hw->nics[nics == NULL ? i : nics[i]].name);
    return plumb_buf_text(&b);
}

bool plumb_derive_adapter(struct plumb_derive *d, const struct plumb_spec_value *item,
                          const struct plumb_hw_nic **out)
{
    const struct plumb_hardware *hw = d->n->hardware;

    *out = NULL;
    if (hw == NULL || !plumb_hardware_names_adapters(hw))
        return true;
    *out = plumb_hardware_adapter(hw, device_of(d->a, item));
    if (*out != NULL)
        return true;
    plumb_diag_note(plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_NO_ADAPTER), item->at,
                                   "the capture of node class '%s' shows no RDMA device '%s', "
                                   "expected one of %s",
                                   d->n->class_name, device_of(d->a, item),
                                   quoted(d->a, hw, NULL, plumb_hardware_rdma(hw))),
                    hw->nics[0].at, "the first RDMA device of the capture");
    return false;
}

static bool is_rail(const struct plumb_hardware *hw, const struct plumb_rails *rails,
                    const struct plumb_hw_nic *nic)
{
    for (size_t i = 0; i < rails->count; i++) {
        if (&hw->nics[rails->nics[i]] == nic)
            return true;
    }
    return false;
}

static bool is_named(struct plumb_arena *a, const struct plumb_spec_value *hcas, const char *name)
{
    for (size_t i = 0; i < hcas->count; i++) {
        if (plumb_usable(hcas->items[i]) && strcmp(device_of(a, &hcas->items[i]), name) == 0)
            return true;
    }
    return false;
}

/* A name that is a device, but none between GPUs: storage and management go through it. */
static void check_kind(struct plumb_derive *d, const struct plumb_rails *rails,
                       const struct plumb_spec_value *item, const struct plumb_hw_nic *nic)
{
    const struct plumb_hardware *hw = d->n->hardware;

    if (rails->count == 0 || is_rail(hw, rails, nic))
        return;
    plumb_diag_note(plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_RAILS), item->at,
                                   "'%s' is none of the rails that the capture of node class "
                                   "'%s' shows, expected %s",
                                   nic->name, d->n->class_name,
                                   quoted(d->a, hw, rails->nics, rails->count)),
                    nic->at, "the device in the capture");
}

static void check_left_out(struct plumb_derive *d, const struct plumb_rails *rails,
                           const struct plumb_spec_value *hcas)
{
    const struct plumb_hardware *hw = d->n->hardware;
    uint32_t *lost = PLUMB_NEW_ARRAY(d->a, rails->count, uint32_t);
    size_t count = 0;

    for (size_t i = 0; i < rails->count; i++) {
        if (!is_named(d->a, hcas, hw->nics[rails->nics[i]].name))
            lost[count++] = rails->nics[i];
    }
    if (count == 0 || count == rails->count) /* none is named: told of each name */
        return;
    plumb_diag_note(plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_RAILS), hcas->at,
                                   "%zu of the %zu rails of node class '%s' are left out, "
                                   "expected %s too",
                                   count, rails->count, d->n->class_name,
                                   quoted(d->a, hw, lost, count)),
                    hw->nics[lost[0]].at, "the first of them in the capture");
}

/* False: the number was reported. */
static bool check_count(struct plumb_derive *d, const struct plumb_rails *rails,
                        const struct plumb_spec_value *count, const struct plumb_spec_value *hcas)
{
    const struct plumb_hardware *hw = d->n->hardware;

    if (rails->count > 0 && count->number != rails->count) {
        plumb_diag_note(plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_RAILS), count->at,
                                       "node class '%s' is said to have %" PRIu64
                                       " rails, the capture shows %zu: %s",
                                       d->n->class_name, count->number, rails->count,
                                       quoted(d->a, hw, rails->nics, rails->count)),
                        hw->nics[rails->nics[0]].at, "the first of them in the capture");
        return false;
    }
    if (rails->count > 0 || hcas == NULL || count->number == hcas->count)
        return true;
    plumb_diag_note(plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_RAILS), count->at,
                                   "node class '%s' is said to have %" PRIu64
                                   " rails, 'hcas' names %zu",
                                   d->n->class_name, count->number, hcas->count),
                    hcas->at, "the devices");
    return false;
}

static void check_fabric(struct plumb_derive *d, const struct plumb_rails *rails,
                         const struct plumb_spec_value *hcas, const struct plumb_spec_value *count)
{
    bool sound = true;

    for (size_t i = 0; hcas != NULL && i < hcas->count; i++) {
        const struct plumb_hw_nic *nic = NULL;

        if (!plumb_usable(hcas->items[i]))
            continue;
        sound &= plumb_derive_adapter(d, &hcas->items[i], &nic);
        if (nic != NULL)
            check_kind(d, rails, &hcas->items[i], nic);
    }
    if (count != NULL)
        sound &= check_count(d, rails, count, hcas);
    if (sound && hcas != NULL)
        check_left_out(d, rails, hcas);
}

/* "=mlx5_0,mlx5_1": as a whole, since mlx5_1 alone is mlx5_10 too (src/misc/socket.cc). */
static struct plumb_text names_text(struct plumb_derive *d, const struct plumb_spec_value *list)
{
    struct plumb_buf b = plumb_buf_in(d->a);

    for (size_t i = 0; i < list->count; i++) {
        if (plumb_usable(list->items[i]))
            plumb_buf_printf(&b, "%s%.*s", b.len == 0 ? "=" : ",", (int)list->items[i].text.len,
                             list->items[i].text.text);
    }
    return (struct plumb_text){
        .v = plumb_buf_text(&b),
        .at = list->at,
        .origin = b.len > 0 ? PLUMB_GIVEN : PLUMB_BAD,
    };
}

static struct plumb_text rails_text(struct plumb_derive *d, const struct plumb_rails *rails)
{
    const struct plumb_hardware *hw = d->n->hardware;
    struct plumb_buf b = plumb_buf_in(d->a);

    plumb_rails_text(hw, rails, &b);
    return (struct plumb_text){
        .v = plumb_buf_text(&b),
        .at = hw->nics[rails->nics[0]].at,
        .origin = PLUMB_DERIVED,
    };
}

static bool has_gpus(const struct plumb_derive *d)
{
    const struct plumb_spec_value *gpu = plumb_spec_path(d->class, "gres/gpu");

    return gpu != NULL || (d->n->hardware != NULL && d->n->hardware->gpu_count > 0);
}

/* Asked for by name, and no capture tells. */
static void report_untold(struct plumb_derive *d, const struct plumb_rails *rails,
                          const struct plumb_spec_value *asked)
{
    const struct plumb_hardware *hw = d->n->hardware;

    plumb_diag_note(plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_RAILS_UNTOLD),
                                   asked->items[0].at,
                                   "NCCL_IB_HCA of node class '%s' is not told by its captures: "
                                   "%s; expected 'fabric: {hcas: [...]}' in the class",
                                   d->n->class_name, hw == NULL ? "there is none" : rails->why),
                    d->n->at, "the node class");
}

static void choose_adapters(struct plumb_derive *d, const struct plumb_rails *rails,
                            const struct plumb_spec_value *hcas,
                            const struct plumb_spec_value *asked)
{
    if (asked != NULL && !is_from_topology(asked))
        d->n->ib_hca = names_text(d, asked);
    else if (hcas != NULL)
        d->n->ib_hca = names_text(d, hcas);
    else if (rails->count > 0)
        d->n->ib_hca = rails_text(d, rails);
    else if (asked != NULL && has_gpus(d))
        report_untold(d, rails, asked);
}

static bool stands_alone(struct plumb_derive *d, const struct plumb_spec_value *asked)
{
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->count == 1 || !plumb_slice_is(&asked->items[i].text, "from-topology"))
            continue;
        plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_EXCLUSIVE_KEYS), asked->items[i].at,
                       "'from-topology' stands beside names, expected it alone, or names alone");
        return false;
    }
    return true;
}

/* A name that is a device of some class is right: the list is one for all of them. */
static void check_asked(struct plumb_derive *d, const struct plumb_spec_value *asked)
{
    for (size_t i = 0; i < asked->count; i++) {
        const struct plumb_nodes *lacks = NULL;
        const struct plumb_hw_nic *nic = NULL;
        bool known = !plumb_usable(asked->items[i]);

        for (size_t n = 0; !known && n < d->m->node_count; n++) {
            const struct plumb_hardware *hw = d->m->nodes[n].hardware;

            if (hw == NULL || !plumb_hardware_names_adapters(hw))
                continue;
            known = plumb_hardware_adapter(hw, device_of(d->a, &asked->items[i])) != NULL;
            lacks = lacks == NULL ? &d->m->nodes[n] : lacks;
        }
        if (known || lacks == NULL)
            continue;
        d->n = &d->m->nodes[lacks - d->m->nodes];
        (void)plumb_derive_adapter(d, &asked->items[i], &nic);
    }
}

static struct plumb_text text_of(const struct plumb_spec_value *v, const char *text)
{
    return (struct plumb_text){.v = text, .at = v->at, .origin = PLUMB_GIVEN};
}

static void set_env(struct plumb_derive *d, const struct plumb_spec_value *nccl)
{
    const struct plumb_spec_value *debug = usable(nccl, "debug");
    const struct plumb_spec_value *gid = usable(nccl, "gid_index");
    const struct plumb_spec_value *dir = usable(nccl, "topo_dir");
    const struct plumb_spec_table *in = NULL;
    size_t at = 0;
    struct plumb_nccl_env *env = PLUMB_NEW(d->a, struct plumb_nccl_env);

    if (debug != NULL)
        env->debug = text_of(debug, debug->word->slurm);
    if (gid != NULL)
        env->gid_index = text_of(gid, plumb_arena_printf(d->a, "%" PRIu64, gid->number));
    if (dir != NULL)
        env->topo_dir = text_of(dir, dir->text.text);
    else
        env->topo_dir = (struct plumb_text){
            .v = plumb_spec_lookup("jobs.nccl.topo_dir", &in, &at)->def,
            .origin = PLUMB_DEFAULTED,
        };
    d->m->nccl_env = env;
}

void plumb_derive_nccl(struct plumb_run *r, struct plumb_derive *d)
{
    const struct plumb_spec_value *classes = plumb_spec_path(&r->spec->root, "nodes");
    const struct plumb_spec_value *nccl = plumb_spec_path(&r->spec->root, "jobs/nccl");
    const struct plumb_spec_value *asked = usable(nccl, "ib_hca");

    for (size_t i = 0; i < d->m->node_count; i++) {
        const struct plumb_spec_value *fabric = NULL;
        struct plumb_rails rails = {0};

        d->n = &d->m->nodes[i];
        d->class = plumb_spec_get(classes, d->n->class_name);
        fabric = usable(d->class, "fabric");
        if (d->n->hardware != NULL)
            rails = plumb_hardware_rails(d->a, d->n->hardware);
        check_fabric(d, &rails, usable(fabric, "hcas"), usable(fabric, "rails"));
        choose_adapters(d, &rails, usable(fabric, "hcas"), asked);
    }
    if (asked != NULL && !is_from_topology(asked) && stands_alone(d, asked))
        check_asked(d, asked);
    set_env(d, nccl);
}
