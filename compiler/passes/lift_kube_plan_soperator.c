/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of Soperator's objects: SlurmCluster, NodeSet, and the claims that they name. */
#include <string.h>

#include "passes/lift_kube_plan.h"

static const struct plumb_node *named(const struct plumb_node *list, const char *name)
{
    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++) {
        const char *is = plumb_node_text(plumb_node_get(list->items[i], "name"));

        if (is != NULL && strcmp(is, name) == 0)
            return list->items[i];
    }
    return NULL;
}

/* The claim of a volume: the source that it names. */
static struct plumb_text source_of(struct plumb_said *pl, const struct plumb_kube_object *o,
                                   const char *volume)
{
    const char *name =
        plumb_node_text(plumb_node_path(plumb_node_path(o->root, volume), "volumeSourceName"));
    const struct plumb_node *source =
        name == NULL ? NULL : named(plumb_assemble_at(o, "spec/volumeSources"), name);

    return plumb_kube_text(pl->l, plumb_node_path(source, "persistentVolumeClaim/claimName"));
}

static bool is_claim(const struct plumb_kube_object *o, const struct plumb_text *name)
{
    return name->v != NULL && !o->patch && strcmp(o->kind, "PersistentVolumeClaim") == 0 &&
           strcmp(o->name, name->v) == 0;
}

static void lift_storage(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    static const char spool[] = "spec/slurmNodes/controller/volumes/spool";
    const struct plumb_kube_objects *all = pl->l->run->kube;
    struct plumb_kube_plan *p = pl->p;
    struct plumb_said_claim state = plumb_said_claim(
        pl, plumb_node_path(plumb_node_path(cluster->root, spool), "volumeClaimTemplateSpec"));

    p->claim = source_of(pl, cluster, spool);
    p->jail_claim = source_of(pl, cluster, "spec/slurmNodes/controller/volumes/jail");
    for (size_t i = 0; i < all->count; i++) {
        struct plumb_said_claim c =
            plumb_said_claim(pl, plumb_node_path(all->items[i].root, "spec"));

        if (is_claim(&all->items[i], &p->claim)) {
            state = c;
        } else if (is_claim(&all->items[i], &p->jail_claim)) {
            p->jail_class = c.class;
            p->jail_bytes = c.bytes;
        }
    }
    p->storage_class = state.class;
    p->storage_access = state.access;
    p->state_bytes = state.bytes;
}

static void lift_logins(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    struct plumb_kube_plan *p = pl->p;

    p->login_image = plumb_said_text(pl, cluster, "spec/slurmNodes/login/sshd/image");
    p->login_service = plumb_said_text(pl, cluster, "spec/slurmNodes/login/sshdServiceType");
    p->login_port = plumb_said_count(cluster, "spec/slurmNodes/login/sshdServiceNodePort");
    p->logins = plumb_said_count(cluster, "spec/slurmNodes/login/size");
    if (p->logins.v == 0)
        p->logins = (struct plumb_u64){0}; /* none is asked for */
    p->root_keys = plumb_said_names(pl, cluster, "spec/slurmNodes/login/sshRootPublicKeys");
}

/* Tolerations of the filter by which pods of the controller are placed. */
static void lift_filter(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    const char *name =
        plumb_node_text(plumb_assemble_at(cluster, "spec/slurmNodes/controller/k8sNodeFilterName"));
    const struct plumb_node *filter =
        name == NULL ? NULL : named(plumb_assemble_at(cluster, "spec/k8sNodeFilters"), name);

    pl->p->tolerations = plumb_said_tolerations(pl, plumb_node_get(filter, "tolerations"));
}

static void lift_images(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    struct plumb_kube_plan *p = pl->p;

    p->controller_image =
        plumb_said_text(pl, cluster, "spec/slurmNodes/controller/slurmctld/image");
    p->munge_image = plumb_said_text(pl, cluster, "spec/slurmNodes/controller/munge/image");
    p->sssd_image = plumb_said_text(pl, cluster, "spec/slurmNodes/controller/sssd/image");
    p->database_image = plumb_said_text(pl, cluster, "spec/slurmNodes/accounting/slurmdbd/image");
    p->rest_image = plumb_said_text(pl, cluster, "spec/slurmNodes/rest/rest/image");
    p->jail_image = plumb_said_text(pl, cluster, "spec/populateJail/image");
    p->config_image = plumb_said_text(pl, cluster, "spec/sConfigController/container/image");
}

static void lift_class(struct plumb_said *pl, const struct plumb_kube_object *o,
                       struct plumb_kube_class *class)
{
    plumb_said_class(pl, class, plumb_assemble_at(o, "spec/nodeSelector"),
                     plumb_assemble_at(o, "spec/tolerations"));
    if (pl->p->worker_image.v == NULL)
        pl->p->worker_image = plumb_said_image(pl, plumb_assemble_at(o, "spec/slurmd/image"));
}

void plumb_said_soperator(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    struct plumb_kube_plan *p = pl->p;

    p->name = plumb_said_text(pl, cluster, "metadata/name");
    p->space = plumb_said_text(pl, cluster, "metadata/namespace");
    lift_filter(pl, cluster);
    lift_images(pl, cluster);
    lift_storage(pl, cluster);
    lift_logins(pl, cluster);
    p->host_keys = plumb_said_text(pl, cluster, "spec/secrets/sshdKeysName");
    p->sssd.name = plumb_said_text(pl, cluster, "spec/slurmNodes/controller/sssdConfSecretRefName");
    p->password = plumb_said_secret(pl, cluster,
                                    "spec/slurmNodes/accounting/externalDB/passwordSecretKeyRef");
    p->rest = plumb_said_bool(cluster, "spec/slurmNodes/rest/enabled");
    p->metrics = plumb_said_bool(cluster, "spec/slurmNodes/controller/openMetrics/enabled");
    plumb_said_classes(pl, lift_class);
}
