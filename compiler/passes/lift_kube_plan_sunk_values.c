/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan of values of SUNK's chart. The namespace and the name of the release are those of who
 * installs it, and stand in no value.
 */
#include <string.h>

#include "kube/value.h"
#include "passes/lift_kube_plan.h"
#include "passes/sunk_entry.h"

static const struct plumb_node *at(const struct plumb_kube_object *values, const char *path)
{
    return plumb_assemble_at(values, path);
}

static void lift_images(struct plumb_said *pl, const struct plumb_kube_object *values)
{
    struct plumb_kube_plan *p = pl->p;

    p->controller_image = plumb_said_image(pl, at(values, "controller/image"));
    p->database_image = plumb_said_image(pl, at(values, "accounting/image"));
    p->login_image = plumb_said_image(pl, at(values, "login/image"));
    p->rest_image = plumb_said_image(pl, at(values, "rest/image"));
}

/* Database and state; the volume of the controller is ReadWriteOnce, which no value says. */
static void lift_storage(struct plumb_said *pl, const struct plumb_kube_object *values)
{
    struct plumb_kube_plan *p = pl->p;

    p->storage_class = plumb_said_text(pl, values, "controller/stateVolume/storageClassName");
    p->storage_access =
        (struct plumb_text){.v = "ReadWriteOnce", .at = values->name_at, .origin = PLUMB_DERIVED};
    p->state_bytes = plumb_said_bytes(values, "controller/stateVolume/size");
    if (plumb_kube_true(at(values, "moco/enabled")))
        p->database_bytes = plumb_said_bytes(values, "moco/mysqlCluster/persistence/size");
}

static void lift_rest(struct plumb_said *pl, const struct plumb_kube_object *values)
{
    const struct plumb_node *replicas = at(values, "rest/replicas");

    if (replicas != NULL)
        pl->p->rest = (struct plumb_bool){.v = plumb_assemble_count(values, "rest/replicas", 0) > 0,
                                          .at = replicas->at,
                                          .origin = PLUMB_GIVEN};
}

static void lift_logins(struct plumb_said *pl, const struct plumb_kube_object *values)
{
    struct plumb_kube_plan *p = pl->p;

    p->login_service = plumb_said_text(pl, values, "login/service/type");
    p->logins = plumb_said_count(values, "login/replicas");
    if (p->logins.v == 0)
        p->logins = (struct plumb_u64){0}; /* none is asked for */
}

/* ---- classes ---- */

static void lift_class(struct plumb_said *pl, const struct plumb_kube_object *values,
                       const struct plumb_pair *pair, struct plumb_kube_class *class)
{
    static const char terms[] = "affinity/nodeAffinity/"
                                "requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";
    struct plumb_sunk_entry e = plumb_sunk_entry(pl->l->a, values->root, pair);

    plumb_said_class(pl, class, NULL, plumb_sunk_list(pl->l->a, &e, "tolerations"));
    class->selector_count = plumb_said_term(pl, plumb_sunk_said(&e, terms), &class->selector);
    if (pl->p->worker_image.v == NULL)
        pl->p->worker_image = plumb_said_image(pl, plumb_sunk_said(&e, "image"));
}

/* The entry that the line of nodes was made of: its name stands where that of the line does. */
static const struct plumb_pair *entry_of(const struct plumb_node *entries,
                                         const struct plumb_nodes *n)
{
    for (uint32_t i = 0; entries != NULL && entries->kind == PLUMB_MAPPING && i < entries->count;
         i++) {
        const struct plumb_node *key = entries->pairs[i].key;

        if (key->at.file == n->at.file && key->at.begin == n->at.begin)
            return &entries->pairs[i];
    }
    return NULL;
}

void plumb_said_sunk_values(struct plumb_said *pl, const struct plumb_kube_object *values)
{
    const struct plumb_model *m = pl->l->run->model;
    struct plumb_kube_plan *p = pl->p;

    lift_images(pl, values);
    lift_storage(pl, values);
    lift_rest(pl, values);
    lift_logins(pl, values);
    p->munge_key.name = plumb_said_text(pl, values, "munge/existingSecret");
    p->jwt_key.name = plumb_said_text(pl, values, "jwt/existingSecret");
    p->tolerations = plumb_said_tolerations(pl, at(values, "controller/tolerations"));
    p->classes = PLUMB_NEW_ARRAY(pl->l->a, m->node_count, struct plumb_kube_class);
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_pair *pair = entry_of(at(values, "compute/nodes"), &m->nodes[i]);

        if (pair != NULL)
            lift_class(pl, values, pair, &p->classes[i]);
    }
}
