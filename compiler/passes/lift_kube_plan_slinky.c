/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of Slinky's objects: Controller, NodeSet, Accounting, LoginSet, RestApi, claims. */
#include <string.h>

#include "passes/lift_kube_plan.h"

static void lift_class(struct plumb_said *pl, const struct plumb_kube_object *o,
                       struct plumb_kube_class *class)
{
    plumb_said_class(pl, class, plumb_assemble_at(o, "spec/template/spec/nodeSelector"),
                     plumb_assemble_at(o, "spec/template/spec/tolerations"));
    if (pl->p->worker_image.v == NULL)
        pl->p->worker_image = plumb_said_text(pl, o, "spec/slurmd/image");
}

static void lift_storage(struct plumb_said *pl, const struct plumb_kube_object *o, const char *spec)
{
    struct plumb_said_claim c = plumb_said_claim(pl, plumb_node_path(o->root, spec));

    pl->p->storage_class = c.class;
    pl->p->storage_access = c.access;
    pl->p->state_bytes = c.bytes;
}

static void lift_controller(struct plumb_said *pl, const struct plumb_kube_object *o)
{
    struct plumb_kube_plan *p = pl->p;

    p->name = plumb_said_text(pl, o, "metadata/name");
    p->space = plumb_said_text(pl, o, "metadata/namespace");
    p->controller_image = plumb_said_text(pl, o, "spec/slurmctld/image");
    p->claim = plumb_said_text(pl, o, "spec/persistence/existingClaim");
    p->slurm_key = plumb_said_secret(pl, o, "spec/slurmKeyRef");
    p->jwt_key = plumb_said_secret(pl, o, "spec/jwtKeyRef");
    p->metrics = plumb_said_bool(o, "spec/metrics/enabled");
    p->backup = pl->l->run->model->controller_count > 1;
    p->tolerations =
        plumb_said_tolerations(pl, plumb_assemble_at(o, "spec/template/spec/tolerations"));
    lift_storage(pl, o, "spec/persistence");
}

static void lift_other(struct plumb_said *pl, const struct plumb_kube_object *o)
{
    struct plumb_kube_plan *p = pl->p;

    if (strcmp(o->kind, "Accounting") == 0) {
        p->database_image = plumb_said_text(pl, o, "spec/slurmdbd/image");
        p->password = plumb_said_secret(pl, o, "spec/storageConfig/passwordKeyRef");
    } else if (strcmp(o->kind, "LoginSet") == 0) {
        p->login_image = plumb_said_text(pl, o, "spec/login/image");
        p->login_service = plumb_said_text(pl, o, "spec/service/spec/type");
        p->sssd = plumb_said_secret(pl, o, "spec/sssdConfRef");
        p->logins = (struct plumb_u64){.v = plumb_assemble_count(o, "spec/replicas", 1),
                                       .at = o->name_at,
                                       .origin = PLUMB_GIVEN};
    } else if (strcmp(o->kind, "RestApi") == 0) {
        p->rest_image = plumb_said_text(pl, o, "spec/slurmrestd/image");
        p->rest = (struct plumb_bool){.v = true, .at = o->name_at, .origin = PLUMB_GIVEN};
    } else if (strcmp(o->kind, "PersistentVolumeClaim") == 0 && p->claim.v != NULL &&
               strcmp(o->name, p->claim.v) == 0) {
        lift_storage(pl, o, "spec");
    }
}

void plumb_said_slinky(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    const struct plumb_kube_objects *all = pl->l->run->kube;

    lift_controller(pl, cluster);
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i].patch && all->items[i].row != NULL)
            lift_other(pl, &all->items[i]);
    }
    plumb_said_classes(pl, lift_class);
}
