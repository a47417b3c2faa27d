/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generic resources and weights: GresTypes, what accounting tracks, TRESBillingWeights,
 * PriorityWeightTRES. slurmctld ends when a weight names a resource that is not tracked
 * (slurm_protocol_api.c:slurm_get_tres_weight_array), so whatever a weight names is tracked.
 */
#include <string.h>

#include "base/text.h"
#include "passes/resolve.h"

/* Resources of the language that are no gres. suffix is the unit of a memory weight. */
static const struct {
    const char *name, *slurm, *suffix;
    bool billing, priority;
} base_names[] = {
    {"billing", "Billing", "", false, true}, {"cpu", "CPU", "", true, true},
    {"energy", "Energy", "", true, true},    {"mem", "Mem", "", false, true},
    {"memory", "Mem", "", false, true},      {"memory_gib", "Mem", "G", true, false},
    {"memory_mib", "Mem", "", true, false},  {"memory_tib", "Mem", "T", true, false},
    {"node", "Node", "", true, true},
};

/* What is always tracked (slurmctld/controller.c:_init_tres); naming it again is harmless. */
static const char *const static_tres[] = {"billing", "cpu",  "energy", "fs/disk",
                                          "mem",     "node", "pages",  "vmem"};

static size_t class_count(const struct plumb_resolve *rs)
{
    const struct plumb_spec_value *nodes = plumb_spec_get(&rs->spec->root, "nodes");

    return nodes != NULL && nodes->shape == PLUMB_SHAPE_MAP ? nodes->count : 0;
}

static const struct plumb_spec_value *gres_of(const struct plumb_resolve *rs, size_t class)
{
    const struct plumb_spec_value *nodes = plumb_spec_get(&rs->spec->root, "nodes");
    const struct plumb_spec_value *gres = plumb_spec_get(&nodes->items[class], "gres");

    return gres != NULL && gres->shape == PLUMB_SHAPE_MAP ? gres : NULL;
}

/* "gpu", or "gpu:h100" where the type is one that a class has. */
static bool gres_known(const struct plumb_resolve *rs, const char *name)
{
    size_t len = strcspn(name, ":");

    for (size_t i = 0; i < class_count(rs); i++) {
        const struct plumb_spec_value *gres = gres_of(rs, i);

        for (size_t k = 0; gres != NULL && k < gres->count; k++) {
            if (strlen(gres->items[k].name) == len && memcmp(gres->items[k].name, name, len) == 0)
                return true;
        }
    }
    return false;
}

static bool part_there(const struct plumb_list_param *l, const char *text)
{
    for (size_t i = 0; i < l->count; i++) {
        if (plumb_same_nocase(l->parts[i].text, text))
            return true;
    }
    return false;
}

static void add_gres_types(struct plumb_resolve *rs)
{
    struct plumb_list_param *l = plumb_resolve_list(rs, PLUMB_P_SLURM_GRESTYPES);

    for (size_t i = 0; i < class_count(rs); i++) {
        const struct plumb_spec_value *gres = gres_of(rs, i);

        for (size_t k = 0; gres != NULL && k < gres->count; k++) {
            if (!part_there(l, gres->items[k].name))
                plumb_resolve_part(rs, l, gres->items[k].name, gres->items[k].key_at);
        }
    }
}

static void track(struct plumb_resolve *rs, const char *name, struct plumb_span at)
{
    struct plumb_list_param *l = NULL;

    if (plumb_spec_get(&rs->spec->root, "database") == NULL)
        return; /* only slurmdbd can track more than the static ones */
    l = plumb_resolve_list(rs, PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES);
    if (!part_there(l, name))
        plumb_resolve_part(rs, l, name, at);
}

static void unknown_resource(struct plumb_resolve *rs, const char *name, struct plumb_span at,
                             bool priority, bool stops)
{
    const struct plumb_spec_table *in = NULL;
    size_t unknown_at = 0;
    const struct plumb_spec_key *factors =
        priority ? plumb_spec_lookup("scheduling.priority.weights", &in, &unknown_at) : NULL;
    struct plumb_nearest near = plumb_nearest_to(name);
    struct plumb_diag *d = NULL;

    for (size_t i = 0; i < PLUMB_COUNT(base_names); i++) {
        if (priority ? base_names[i].priority : base_names[i].billing)
            plumb_nearest_offer(&near, base_names[i].name);
    }
    for (size_t i = 0; i < class_count(rs); i++) {
        const struct plumb_spec_value *gres = gres_of(rs, i);

        for (size_t k = 0; gres != NULL && k < gres->count; k++)
            plumb_nearest_offer(&near, gres->items[k].name);
    }
    for (size_t i = 0; factors != NULL && i < factors->of->count; i++)
        plumb_nearest_offer(&near, factors->of->keys[i].name);
    d = plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_UNKNOWN_RESOURCE), at,
                       "%s '%s', expected cpu, node, memory or a name under 'gres'",
                       priority ? "neither a factor of the priority nor a resource of a node class "
                                  "is called"
                                : "no node class has a resource",
                       name);
    if (!stops) {
        plumb_diag_severity(d, PLUMB_WARNING);
        plumb_diag_effect(d, PLUMB_EFFECT_NONE, 0);
    }
    if (near.best != NULL) {
        plumb_diag_fact(d, "did you mean '%s'?", near.best);
        plumb_diag_edit(d, at, false, near.best);
    }
}

/* "GRES/gpu" for "gpu" or "gres/gpu"; NULL when no node class has it. */
static const char *gres_weight(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    const char *name = plumb_starts_with(v->name, "gres/") ? v->name + 5 : v->name;

    if (plumb_starts_with(v->name, "license/")) {
        track(rs, v->name, v->key_at);
        return v->name;
    }
    if (!gres_known(rs, name))
        return NULL;
    track(rs, plumb_arena_printf(rs->a, "gres/%s", name), v->key_at);
    return plumb_arena_printf(rs->a, "GRES/%s", name);
}

static void unit_missing(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_UNIT_REQUIRED), v->key_at,
                   "the weight of '%s' needs its unit in the name: memory_mib, memory_gib or "
                   "memory_tib",
                   v->name);
}

/* One weight as Slurm writes it: "Mem=0.005G"; NULL when reported. */
static const char *weight_text(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                               bool priority)
{
    const char *gres = NULL;

    for (size_t i = 0; i < PLUMB_COUNT(base_names); i++) {
        if (strcmp(v->name, base_names[i].name) != 0)
            continue;
        if (priority ? base_names[i].priority : base_names[i].billing)
            return plumb_arena_printf(rs->a, "%s=%s%s", base_names[i].slurm, v->text.text,
                                      base_names[i].suffix);
        if (!priority && base_names[i].slurm[0] == 'M') {
            unit_missing(rs, v);
            return NULL;
        }
    }
    gres = gres_weight(rs, v);
    if (gres == NULL) {
        unknown_resource(rs, v->name, v->key_at, priority, true);
        return NULL;
    }
    return plumb_arena_printf(rs->a, "%s=%s", gres, v->text.text);
}

/* "Mem" of "Mem=0.005G": a partition's weight takes the place of the cluster's. */
static bool same_resource(const char *x, const char *y)
{
    size_t len = strcspn(x, "=");

    return strcspn(y, "=") == len && plumb_equal_nocase(x, y, len);
}

static void lay_over(struct plumb_resolve *rs, struct plumb_list_param *l, const char *text,
                     struct plumb_span at)
{
    for (size_t i = 0; i < l->count; i++) {
        if (!same_resource(l->parts[i].text, text))
            continue;
        l->parts[i] = (struct plumb_list_part){.text = text, .at = at};
        return;
    }
    plumb_resolve_part(rs, l, text, at);
}

static void add_weights(struct plumb_resolve *rs, struct plumb_list_param *l,
                        const struct plumb_spec_value *map, bool priority)
{
    for (size_t i = 0; map != NULL && map->shape == PLUMB_SHAPE_MAP && i < map->count; i++) {
        const struct plumb_spec_value *v = &map->items[i];
        const char *text = NULL;

        if (!plumb_usable(*v) || v->row->kind != PLUMB_K_DECIMAL)
            continue;
        text = weight_text(rs, v, priority);
        if (text != NULL)
            lay_over(rs, l, text, v->at);
    }
}

static struct plumb_list_param copy_parts(struct plumb_resolve *rs,
                                          const struct plumb_list_param *from)
{
    struct plumb_list_param copy = {.id = from->id};

    for (size_t i = 0; i < from->count; i++)
        plumb_resolve_part(rs, &copy, from->parts[i].text, from->parts[i].at);
    return copy;
}

static const struct plumb_spec_value *billing_of(const struct plumb_resolve *rs, const char *name)
{
    const struct plumb_spec_value *all = plumb_spec_get(&rs->spec->root, "partitions");

    return plumb_spec_get(plumb_spec_get(all, name), "billing");
}

static void add_billing(struct plumb_resolve *rs)
{
    struct plumb_list_param every = {.id = PLUMB_P_PART_TRESBILLINGWEIGHTS};

    add_weights(rs, &every, plumb_spec_path(&rs->spec->root, "accounting/billing"), false);
    for (size_t i = 0; i < rs->m->partition_count; i++) {
        struct plumb_partition *p = &rs->m->partitions[i];
        const struct plumb_spec_value *own = billing_of(rs, p->name.v);
        struct plumb_list_param l = copy_parts(rs, &every);
        struct plumb_slice value = {0};

        add_weights(rs, &l, own, false);
        if (l.count == 0)
            continue;
        value = plumb_resolve_join(rs, &l);
        plumb_setting_add(rs->a, &p->settings, l.id, value,
                          own != NULL ? own->key_at : (struct plumb_span){0},
                          plumb_resolve_checked(rs, plumb_param(l.id), &value,
                                                own != NULL ? PLUMB_GIVEN : PLUMB_DERIVED));
    }
}

static bool is_static(const char *name)
{
    for (size_t i = 0; i < PLUMB_COUNT(static_tres); i++) {
        if (strcmp(static_tres[i], name) == 0)
            return true;
    }
    return false;
}

static void track_given(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    const char *name = v->text.text;
    const char *gres = plumb_starts_with(name, "gres/") ? name + 5 : name;

    if (is_static(name))
        return;
    if (gres == name && strchr(name, '/') != NULL) {
        track(rs, name, v->at); /* fs/, ic/, license/, bb/ */
        return;
    }
    if (gres_known(rs, gres))
        track(rs, plumb_arena_printf(rs->a, "gres/%s", gres), v->at);
    else
        unknown_resource(rs, gres, v->at, false, false);
}

/* Without accounting.track, every gres of every class: jobs that hold GPUs are then seen. */
static void add_tracking(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *given = plumb_spec_path(&rs->spec->root, "accounting/track");

    for (size_t i = 0; given != NULL && given->shape == PLUMB_SHAPE_LIST && i < given->count; i++) {
        if (plumb_usable(given->items[i]))
            track_given(rs, &given->items[i]);
    }
    for (size_t i = 0; given == NULL && i < class_count(rs); i++) {
        const struct plumb_spec_value *gres = gres_of(rs, i);

        for (size_t k = 0; gres != NULL && k < gres->count; k++)
            track(rs, plumb_arena_printf(rs->a, "gres/%s", gres->items[k].name),
                  gres->items[k].key_at);
    }
}

void plumb_resolve_tres(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *weights =
        plumb_spec_path(&rs->spec->root, "scheduling/priority/weights");

    add_gres_types(rs);
    add_tracking(rs);
    add_billing(rs);
    add_weights(rs, plumb_resolve_list(rs, PLUMB_P_SLURM_PRIORITYWEIGHTTRES), weights, true);
}
