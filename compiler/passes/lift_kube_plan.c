/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section kubernetes of the cluster of a bundle (model/kube_plan.h), read back from the objects
 * of Slinky that say it: what target slinky writes, so that building and reading back is the same.
 */
#include <string.h>

#include "kube/value.h"
#include "model/kube_plan.h"
#include "passes/assemble.h"
#include "passes/lift_kube.h"

struct planner {
    struct plumb_kube_lifter *l;
    struct plumb_kube_plan *p;
};

static struct plumb_text text_at(struct planner *pl, const struct plumb_kube_object *o,
                                 const char *path)
{
    return plumb_kube_text(pl->l, plumb_node_path(o->root, path));
}

static struct plumb_bool bool_at(const struct plumb_kube_object *o, const char *path)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);

    if (n == NULL || plumb_kube_json_of(n) != PLUMB_KUBE_IS_BOOLEAN)
        return (struct plumb_bool){0};
    return (struct plumb_bool){.v = plumb_kube_true(n), .at = n->at, .origin = PLUMB_GIVEN};
}

static struct plumb_kube_secret secret_at(struct planner *pl, const struct plumb_kube_object *o,
                                          const char *path)
{
    const struct plumb_node *n = plumb_node_path(o->root, path);

    return (struct plumb_kube_secret){
        .name = plumb_kube_text(pl->l, plumb_node_get(n, "name")),
        .key = plumb_kube_text(pl->l, plumb_node_get(n, "key")),
    };
}

static struct plumb_kube_tolerances tolerances(struct planner *pl, const struct plumb_node *list)
{
    struct plumb_kube_tolerances all = {0};

    if (list == NULL || list->kind != PLUMB_SEQUENCE)
        return all;
    all.items = PLUMB_NEW_ARRAY(pl->l->a, list->count, struct plumb_kube_tolerance);
    for (uint32_t i = 0; i < list->count; i++)
        all.items[all.count++] = (struct plumb_kube_tolerance){
            .key = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "key")),
            .op = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "operator")),
            .value = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "value")),
            .effect = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "effect")),
            .at = list->items[i]->at,
        };
    return all;
}

static bool same(const struct plumb_text *a, const struct plumb_text *b)
{
    return a->v == b->v || (a->v != NULL && b->v != NULL && strcmp(a->v, b->v) == 0);
}

static bool same_tolerance(const struct plumb_kube_tolerance *a,
                           const struct plumb_kube_tolerance *b)
{
    return same(&a->key, &b->key) && same(&a->op, &b->op) && same(&a->value, &b->value) &&
           same(&a->effect, &b->effect);
}

/* Those of all pods come first; what is left is of the class. */
static void drop_common(struct plumb_kube_tolerances *own,
                        const struct plumb_kube_tolerances *common)
{
    size_t first = 0;

    while (first < own->count && first < common->count &&
           same_tolerance(&own->items[first], &common->items[first]))
        first++;
    own->items += own->items == NULL ? 0 : first;
    own->count -= first;
}

static void lift_class(struct planner *pl, const struct plumb_kube_object *o,
                       struct plumb_kube_class *class)
{
    const struct plumb_node *labels = plumb_assemble_at(o, "spec/template/spec/nodeSelector");

    class->tolerations = tolerances(pl, plumb_assemble_at(o, "spec/template/spec/tolerations"));
    drop_common(&class->tolerations, &pl->p->tolerations);
    if (labels == NULL || labels->kind != PLUMB_MAPPING)
        return;
    class->selector = PLUMB_NEW_ARRAY(pl->l->a, labels->count, struct plumb_kube_pick);
    for (uint32_t i = 0; i < labels->count; i++)
        class->selector[class->selector_count++] =
            (struct plumb_kube_pick){plumb_kube_text(pl->l, labels->pairs[i].key),
                                     plumb_kube_text(pl->l, labels->pairs[i].value)};
}

/* The set of a node line that was made of it: its name stands where that of the object does. */
static const struct plumb_kube_object *set_of(const struct planner *pl, const struct plumb_nodes *n)
{
    const struct plumb_kube_objects *all = pl->l->run->kube;

    for (size_t i = 0; n->hosts != NULL && i < all->count; i++) {
        const struct plumb_kube_object *o = &all->items[i];

        if (strcmp(o->kind, "NodeSet") == 0 && o->name_at.file == n->at.file &&
            o->name_at.begin == n->at.begin)
            return o;
    }
    return NULL;
}

static void lift_classes(struct planner *pl)
{
    struct plumb_model *m = pl->l->run->model;

    pl->p->classes = PLUMB_NEW_ARRAY(pl->l->a, m->node_count, struct plumb_kube_class);
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_object *o = set_of(pl, &m->nodes[i]);

        if (o == NULL)
            continue;
        lift_class(pl, o, &pl->p->classes[i]);
        if (pl->p->worker_image.v == NULL)
            pl->p->worker_image = text_at(pl, o, "spec/slurmd/image");
    }
}

static void lift_storage(struct planner *pl, const struct plumb_kube_object *o, const char *spec)
{
    const struct plumb_node *n = plumb_node_path(o->root, spec);
    const struct plumb_node *modes = plumb_node_get(n, "accessModes");
    const struct plumb_node *size = plumb_node_path(n, "resources/requests/storage");

    pl->p->storage_class = plumb_kube_text(pl->l, plumb_node_get(n, "storageClassName"));
    if (modes != NULL && modes->kind == PLUMB_SEQUENCE && modes->count > 0)
        pl->p->storage_access = plumb_kube_text(pl->l, modes->items[0]);
    if (size != NULL && plumb_assemble_bytes(size) > 0)
        pl->p->state_bytes = (struct plumb_u64){
            .v = plumb_assemble_bytes(size), .at = size->at, .origin = PLUMB_GIVEN};
}

static void lift_controller(struct planner *pl, const struct plumb_kube_object *o)
{
    struct plumb_kube_plan *p = pl->p;

    p->name = text_at(pl, o, "metadata/name");
    p->space = text_at(pl, o, "metadata/namespace");
    p->controller_image = text_at(pl, o, "spec/slurmctld/image");
    p->claim = text_at(pl, o, "spec/persistence/existingClaim");
    p->slurm_key = secret_at(pl, o, "spec/slurmKeyRef");
    p->jwt_key = secret_at(pl, o, "spec/jwtKeyRef");
    p->metrics = bool_at(o, "spec/metrics/enabled");
    p->backup = pl->l->run->model->controller_count > 1;
    p->tolerations = tolerances(pl, plumb_assemble_at(o, "spec/template/spec/tolerations"));
    lift_storage(pl, o, "spec/persistence");
}

static void lift_other(struct planner *pl, const struct plumb_kube_object *o)
{
    struct plumb_kube_plan *p = pl->p;

    if (strcmp(o->kind, "Accounting") == 0) {
        p->database_image = text_at(pl, o, "spec/slurmdbd/image");
        p->password = secret_at(pl, o, "spec/storageConfig/passwordKeyRef");
    } else if (strcmp(o->kind, "LoginSet") == 0) {
        p->login_image = text_at(pl, o, "spec/login/image");
        p->login_service = text_at(pl, o, "spec/service/spec/type");
        p->sssd = secret_at(pl, o, "spec/sssdConfRef");
        p->logins = (struct plumb_u64){.v = plumb_assemble_count(o, "spec/replicas", 1),
                                       .at = o->name_at,
                                       .origin = PLUMB_GIVEN};
    } else if (strcmp(o->kind, "RestApi") == 0) {
        p->rest_image = text_at(pl, o, "spec/slurmrestd/image");
        p->rest = (struct plumb_bool){.v = true, .at = o->name_at, .origin = PLUMB_GIVEN};
    } else if (strcmp(o->kind, "PersistentVolumeClaim") == 0 && p->claim.v != NULL &&
               strcmp(o->name, p->claim.v) == 0) {
        lift_storage(pl, o, "spec");
    }
}

void plumb_kube_lift_plan(struct plumb_kube_lifter *l)
{
    const struct plumb_kube_objects *all = l->run->kube;
    const struct plumb_kube_object *cluster = l->run->assembled[0];
    struct planner pl = {.l = l};
    const char *flavour = cluster == NULL ? NULL : plumb_kube_flavour_of(cluster->api);

    if (flavour == NULL || strcmp(flavour, "slinky") != 0 || l->run->model == NULL)
        return;
    pl.p = PLUMB_NEW(l->a, struct plumb_kube_plan);
    pl.p->flavour = PLUMB_OF_SLINKY;
    pl.p->at = cluster->name_at;
    pl.p->writes = plumb_kube_writes_of(l->run->kube_releases->of[PLUMB_KUBE_SLINKY]);
    lift_controller(&pl, cluster);
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i].patch && all->items[i].row != NULL)
            lift_other(&pl, &all->items[i]);
    }
    lift_classes(&pl);
    l->run->model->kube_said = pl.p;
}
