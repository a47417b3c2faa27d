/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What rules ask of Slurm's files in YAML: toruses and block sizes of topology.yaml, the layers of
 * resources.yaml, the nodes and directories of namespace.yaml. Kinds of values were checked by
 * conf/nested_check.c; what is of another kind here is left out.
 */
#include "model/nested.h"

#include "base/num.h"
#include "conf/nested.h"
#include "passes/type.h"
#include "schema/value.h"

struct lifter {
    struct plumb_run *run;
    struct plumb_arena *a;
    struct plumb_nested_model *to;
};

static struct plumb_text text_of(struct lifter *l, const struct plumb_node *n)
{
    struct plumb_text t = {.v = ""};

    if (n == NULL || n->kind != PLUMB_SCALAR)
        return t;
    t.at = n->at;
    t.origin = PLUMB_GIVEN;
    t.v = plumb_intern_text(l->run->session->intern, n->scalar.text, n->scalar.len);
    return t;
}

static struct plumb_u64 number_of(const struct plumb_node *n, struct plumb_span key)
{
    struct plumb_u64 v = {.at = key};
    int64_t number = 0;

    if (n == NULL)
        return v;
    v.origin = PLUMB_BAD;
    if (n->kind != PLUMB_SCALAR || !plumb_nested_int(&n->scalar, &number) || number < 0)
        return v;
    v.at = n->at;
    v.origin = PLUMB_GIVEN;
    v.v = (uint64_t)number;
    return v;
}

/* A host list, as one text or as a list of them. */
static const struct plumb_hostlist *hosts_of(struct lifter *l, const struct plumb_node *n,
                                             enum plumb_param_id param, bool *bad)
{
    struct plumb_session *s = l->run->session;
    struct plumb_hostlist *all = NULL;

    if (n == NULL || n->kind == PLUMB_MAPPING)
        return NULL;
    if (n->kind == PLUMB_SCALAR) {
        if (plumb_node_is_null(n))
            return NULL;
        all = plumb_read_hosts(s, &n->scalar, param, l->run->model->release);
        *bad = *bad || all == NULL;
        return all;
    }
    all = PLUMB_NEW(l->a, struct plumb_hostlist);
    all->at = n->at;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct plumb_hostlist *one =
            n->items[i]->kind != PLUMB_SCALAR
                ? NULL
                : plumb_read_hosts(s, &n->items[i]->scalar, param, l->run->model->release);

        if (one == NULL)
            *bad = true;
        else
            plumb_hostlist_append(l->a, all, one);
    }
    return *bad ? NULL : all;
}

/* ---- topology.yaml ---- */

static struct plumb_dims dims_of(const struct plumb_node *above, const char *key, bool *bad)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct plumb_pair *pair = plumb_node_pair(above, key);
    struct plumb_dims d = {.at = above->at};

    if (pair == NULL)
        return d;
    d.at = pair->key->at;
    d.origin = PLUMB_GIVEN;
    if (pair->value->kind != PLUMB_MAPPING) {
        *bad = true;
        return d;
    }
    for (size_t i = 0; i < PLUMB_COUNT(axes); i++) {
        struct plumb_u64 v = number_of(plumb_node_get(pair->value, axes[i]), d.at);

        *bad = *bad || v.origin == PLUMB_BAD || v.v > UINT16_MAX;
        d.v[i] = v.v;
    }
    return d;
}

static struct plumb_torus_part part_of(struct lifter *l, const struct plumb_node *n, bool region,
                                       bool *bad)
{
    struct plumb_torus_part p = {.at = n->at, .dims = dims_of(n, "dims", bad)};

    p.anchor = dims_of(n, region ? "anchor" : "anchor_seed", bad);
    if (!region)
        p.spacing = dims_of(n, "anchor_spacing", bad);
    else
        p.nodes = hosts_of(l, plumb_node_get(n, "nodes"), PLUMB_P_REGION_NODES, &p.bad);
    return p;
}

static struct plumb_torus_part *parts_of(struct lifter *l, const struct plumb_node *torus,
                                         const char *key, size_t *count, bool *bad)
{
    struct plumb_nested_entries e = plumb_nested_entries(l->a, plumb_node_get(torus, key));
    struct plumb_torus_part *parts = PLUMB_NEW_ARRAY(l->a, e.count + 1u, struct plumb_torus_part);

    for (uint32_t i = 0; i < e.count; i++) {
        if (e.items[i]->kind == PLUMB_MAPPING)
            parts[(*count)++] = part_of(l, e.items[i], key[0] == 'r', bad);
        else
            *bad = true;
    }
    return parts;
}

static void lift_torus(struct lifter *l, size_t *cap, struct plumb_node *n, size_t topology)
{
    const struct plumb_pair *nodes = plumb_node_pair(n, "nodes");
    const struct plumb_pair *regions = plumb_node_pair(n, "regions");
    struct plumb_torus t = {.topology = topology, .name = text_of(l, plumb_node_get(n, "name"))};

    if (n->kind != PLUMB_MAPPING || n->from_alias)
        return;
    t.dims = dims_of(n, "dims", &t.bad);
    t.nodes_at = nodes != NULL ? nodes->key->at : t.nodes_at;
    t.regions_at = regions != NULL ? regions->key->at : t.regions_at;
    t.nodes = hosts_of(l, nodes == NULL ? NULL : nodes->value, PLUMB_P_TORUS_NODES, &t.bad);
    t.placements = parts_of(l, n, "placements", &t.placement_count, &t.bad);
    t.regions = parts_of(l, n, "regions", &t.region_count, &t.bad);
    l->to->toruses =
        plumb_arena_grow(l->a, l->to->toruses, l->to->torus_count, cap, sizeof(struct plumb_torus));
    l->to->toruses[l->to->torus_count++] = t;
}

static void lift_sizes(struct lifter *l, struct plumb_node *sizes, size_t topology)
{
    struct plumb_block_sizes *to = &l->to->sizes[l->to->size_count];
    struct plumb_nested_entries e = plumb_nested_entries(l->a, sizes);

    if (sizes == NULL || sizes->kind == PLUMB_MAPPING)
        return;
    if (sizes->kind == PLUMB_SCALAR) {
        e.items = &sizes;
        e.count = 1;
    }
    *to = (struct plumb_block_sizes){.topology = topology};
    to->items = PLUMB_NEW_ARRAY(l->a, e.count + 1u, struct plumb_u64);
    for (uint32_t i = 0; i < e.count; i++) {
        int64_t number = 0;

        if (e.items[i]->kind != PLUMB_SCALAR || !plumb_nested_int(&e.items[i]->scalar, &number))
            return; /* reported: the file is refused before any size is looked at */
        to->items[i] = number_of(e.items[i], e.items[i]->at);
        to->items[i].at = e.items[i]->at;
    }
    to->count = e.count;
    l->to->size_count++;
}

static void lift_topologies(struct lifter *l, const struct plumb_nested *tree)
{
    struct plumb_nested_entries e =
        plumb_nested_entries(l->a, (struct plumb_node *)(uintptr_t)tree->root);
    size_t cap = 0;

    l->to->sizes = PLUMB_NEW_ARRAY(l->a, e.count + 1u, struct plumb_block_sizes);
    for (uint32_t i = 0; i < e.count; i++) {
        struct plumb_nested_entries toruses =
            plumb_nested_entries(l->a, plumb_node_path(e.items[i], "torus3d/toruses"));

        lift_sizes(l, plumb_node_path(e.items[i], "block/block_sizes"), i);
        for (uint32_t k = 0; k < toruses.count; k++)
            lift_torus(l, &cap, toruses.items[k], i);
    }
}

/* ---- resources.yaml ---- */

static struct plumb_u64 base_of(const struct plumb_node *layer)
{
    const struct plumb_pair *base = plumb_node_pair(layer, "base");
    struct plumb_u64 sum = {.origin = PLUMB_ABSENT};

    if (base == NULL)
        return sum;
    sum.at = base->key->at;
    sum.origin = PLUMB_GIVEN;
    for (uint32_t i = 0; base->value->kind == PLUMB_SEQUENCE && i < base->value->count; i++) {
        struct plumb_u64 v = number_of(plumb_node_get(base->value->items[i], "value"), sum.at);

        if (v.origin == PLUMB_BAD || v.v > UINT32_MAX || sum.v > UINT32_MAX)
            sum.origin = PLUMB_BAD;
        else
            sum.v += v.v;
    }
    return sum;
}

/* H_RESOURCE_MODE_FLAG: of several words the last one counts. */
static struct plumb_text mode_of(struct lifter *l, struct plumb_node *n)
{
    struct plumb_text mode = {.v = ""};
    uint32_t count = n != NULL && n->kind == PLUMB_SEQUENCE ? n->count : n != NULL;

    for (uint32_t i = 0; i < count; i++) {
        const struct plumb_node *word = n->kind == PLUMB_SEQUENCE ? n->items[i] : n;
        const struct plumb_param *p = plumb_param(PLUMB_P_RESOURCE_MODE);

        if (word->kind == PLUMB_SCALAR &&
            plumb_param_value(p, word->scalar.text, word->scalar.len) != NULL)
            mode = text_of(l, word);
    }
    return mode;
}

static void lift_resource(struct lifter *l, struct plumb_node *n)
{
    struct plumb_hres *r = &l->to->resources[l->to->resource_count];
    struct plumb_node *layers = plumb_node_get(n, "layers");
    const struct plumb_node *variables = plumb_node_get(n, "variables");

    if (n->kind != PLUMB_MAPPING || n->from_alias || layers == NULL ||
        layers->kind != PLUMB_SEQUENCE)
        return;
    r->name = text_of(l, plumb_node_get(n, "resource"));
    r->mode = mode_of(l, plumb_node_get(n, "mode"));
    r->topology = text_of(l, plumb_node_get(n, "topology"));
    r->has_variables =
        variables != NULL && variables->kind == PLUMB_SEQUENCE && variables->count > 0;
    r->layers = PLUMB_NEW_ARRAY(l->a, layers->count + 1u, struct plumb_hres_layer);
    for (uint32_t i = 0; i < layers->count; i++) {
        const struct plumb_node *layer = layers->items[i];
        const struct plumb_node *nodes = plumb_node_get(layer, "nodes");
        bool bad = false;

        if (layer->kind != PLUMB_MAPPING)
            continue;
        r->layers[r->layer_count++] = (struct plumb_hres_layer){
            .at = nodes != NULL ? nodes->at : layer->at,
            .nodes = hosts_of(l, nodes, PLUMB_P_LAYER_NODES, &bad),
            .count = number_of(plumb_node_get(layer, "count"), layer->at),
            .base = base_of(layer),
        };
    }
    l->to->resource_count++;
}

/* ---- namespace.yaml ---- */

static void lift_dirs(struct lifter *l, struct plumb_namespace *to, struct plumb_node *options)
{
    struct plumb_node *dirs = plumb_node_get(options, "dirs");
    struct plumb_nested_entries listed =
        plumb_nested_entries(l->a, plumb_node_get(options, "dir_confs"));
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    size_t cap = 0;

    if (plumb_param_at(plumb_param(PLUMB_P_NSOPTION_DIR_CONFS), l->run->model->release)->life ==
        PLUMB_LIFE_NONE)
        listed.count = 0;
    for (uint32_t i = 0; i < listed.count; i++) {
        struct plumb_text path = text_of(l, plumb_node_get(listed.items[i], "path"));

        to->dirs = plumb_arena_grow(l->a, to->dirs, to->dir_count, &cap, sizeof(*to->dirs));
        to->dirs[to->dir_count++] = (struct plumb_private_dir){path, true};
    }
    to->has_dirs = listed.count > 0 || plumb_node_text(dirs) != NULL;
    while (listed.count == 0 && plumb_node_text(dirs) != NULL &&
           plumb_list_next(&dirs->scalar, ',', &c, &item)) {
        struct plumb_text path = {
            .v = plumb_intern_text(l->run->session->intern, item.text, item.len),
            .at = item.at,
            .origin = PLUMB_GIVEN};

        to->dirs = plumb_arena_grow(l->a, to->dirs, to->dir_count, &cap, sizeof(*to->dirs));
        to->dirs[to->dir_count++] = (struct plumb_private_dir){path, false};
    }
}

static void lift_namespace(struct lifter *l, struct plumb_node *options, const struct plumb_node *n)
{
    struct plumb_namespace *to = &l->to->namespaces[l->to->namespace_count];
    bool bad = false;

    if (options == NULL || options->kind != PLUMB_MAPPING)
        return;
    to->at = options->at;
    to->defaults = n == NULL;
    if (n != NULL)
        to->nodes = hosts_of(l, plumb_node_get(n, "nodes"), PLUMB_P_NODECONF_NODES, &bad);
    to->base_path = text_of(l, plumb_node_get(options, "base_path"));
    lift_dirs(l, to, options);
    l->to->namespace_count++;
}

static void lift_namespaces(struct lifter *l, const struct plumb_nested *tree)
{
    struct plumb_nested_entries confs =
        plumb_nested_entries(l->a, plumb_node_get(tree->root, "node_confs"));

    l->to->namespace_at = (struct plumb_span){tree->src->id, 0, tree->src->len > 0};
    l->to->namespaces = PLUMB_NEW_ARRAY(l->a, confs.count + 2u, struct plumb_namespace);
    lift_namespace(l, plumb_node_get(tree->root, "defaults"), NULL);
    for (uint32_t i = 0; i < confs.count; i++)
        lift_namespace(l, plumb_node_get(confs.items[i], "options"), confs.items[i]);
}

/* The tree of a file that some daemon of the release reads; NULL: none. */
static const struct plumb_nested *tree_of(const struct plumb_run *r, enum plumb_file f)
{
    const struct plumb_nested *tree = r->nested[f];

    return tree != NULL && tree->root != NULL && !tree->twice && plumb_file_is_read(r, f) ? tree
                                                                                          : NULL;
}

void plumb_lift_nested(struct plumb_run *r)
{
    struct lifter l = {.run = r, .a = r->session->arena};
    const struct plumb_nested *topology = tree_of(r, PLUMB_TOPOLOGY_YAML);
    const struct plumb_nested *resources = tree_of(r, PLUMB_RESOURCES_YAML);
    const struct plumb_nested *namespaces = tree_of(r, PLUMB_NAMESPACE_YAML);

    l.to = PLUMB_NEW(l.a, struct plumb_nested_model);
    r->model->nested = l.to;
    if (topology != NULL)
        lift_topologies(&l, topology);
    if (resources != NULL && resources->root->kind == PLUMB_SEQUENCE) {
        l.to->resources = PLUMB_NEW_ARRAY(l.a, resources->root->count + 1u, struct plumb_hres);
        for (uint32_t i = 0; i < resources->root->count; i++)
            lift_resource(&l, resources->root->items[i]);
    }
    if (namespaces != NULL)
        lift_namespaces(&l, namespaces);
}
