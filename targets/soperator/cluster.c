/* SPDX-License-Identifier: Apache-2.0 */
/* The SlurmCluster: where pods run, volumes, daemons, partitions. */
#include <string.h>

#include "soperator/soperator.h"

/* The name by which all pods but workers are placed, and those of volumes; populateJail and the
 * controller of configurations look for a volume called jail (internal/consts/volume.go). */
static const char everywhere[] = "system";
static const char jail[] = "jail";
static const char spool[] = "controller-spool";

static void put_filter(struct plumb_bundle *b, struct plumb_node *to)
{
    plumb_node_set_string(b->a, to, "k8sNodeFilterName", everywhere);
}

static void put_filters(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);
    struct plumb_node *one = plumb_node_mapping(b->a, b->plan->at);

    plumb_node_set_string(b->a, one, "name", everywhere);
    plumb_bundle_tolerations(b, one, "tolerations", NULL);
    plumb_node_append(b->a, list, one);
    plumb_node_set(b->a, spec, "k8sNodeFilters", list);
}

static void add_source(struct plumb_bundle *b, struct plumb_node *list, const char *name,
                       const struct plumb_text *claim)
{
    struct plumb_node *one = plumb_node_mapping(b->a, claim->at);

    plumb_node_set_string(b->a, one, "name", name);
    plumb_bundle_text(b, plumb_bundle_map(b, one, "persistentVolumeClaim"), "claimName", claim);
    plumb_node_append(b->a, list, one);
}

static void put_sources(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    if (b->plan->claim.v != NULL)
        add_source(b, list, spool, &b->plan->claim);
    add_source(b, list, jail, &b->plan->jail_claim);
    plumb_node_set(b->a, spec, "volumeSources", list);
}

static void put_jail_volume(struct plumb_bundle *b, struct plumb_node *volumes)
{
    plumb_node_set_string(b->a, plumb_bundle_map(b, volumes, "jail"), "volumeSourceName", jail);
}

static void put_munge(struct plumb_bundle *b, struct plumb_node *to)
{
    plumb_bundle_image(b, to, "munge", &b->plan->munge_image);
}

static void put_sssd(struct plumb_bundle *b, struct plumb_node *to)
{
    if (b->plan->sssd.name.v == NULL)
        return;
    plumb_bundle_image(b, to, "sssd", &b->plan->sssd_image);
    plumb_bundle_text(b, to, "sssdConfSecretRefName", &b->plan->sssd.name);
}

/* ---- daemons ---- */

static void put_dbd_setting(struct plumb_bundle *b, struct plumb_node *to, const char *key,
                            enum plumb_param_id id)
{
    const struct plumb_setting *s = plumb_setting(plumb_dbd(b->m), id);

    if (s != NULL)
        plumb_node_set(b->a, to, key,
                       plumb_node_string(b->a,
                                         plumb_arena_strndup(b->a, s->value.text, s->value.len),
                                         s->value.at));
}

static void put_external_database(struct plumb_bundle *b, struct plumb_node *accounting)
{
    struct plumb_node *db = plumb_bundle_map(b, accounting, "externalDB");
    struct plumb_u64 port =
        plumb_setting_u64(plumb_dbd(b->m), PLUMB_P_DBD_STORAGEPORT, b->m->release);

    plumb_node_set_bool(b->a, db, "enabled", true);
    put_dbd_setting(b, db, "host", PLUMB_P_DBD_STORAGEHOST);
    if (port.origin == PLUMB_GIVEN)
        plumb_node_set(b->a, db, "port", plumb_node_u64(b->a, port.v, port.at));
    put_dbd_setting(b, db, "user", PLUMB_P_DBD_STORAGEUSER);
    plumb_bundle_secret(b, db, "passwordSecretKeyRef", &b->plan->password);
}

static void put_accounting(struct plumb_bundle *b, struct plumb_node *nodes)
{
    struct plumb_node *to = plumb_bundle_map(b, nodes, "accounting");

    plumb_node_set_bool(b->a, to, "enabled", plumb_soperator_accounts(b));
    put_filter(b, to);
    if (!plumb_soperator_accounts(b))
        return;
    plumb_bundle_image(b, to, "slurmdbd", &b->plan->database_image);
    put_munge(b, to);
    put_external_database(b, to);
}

static void put_controller(struct plumb_bundle *b, struct plumb_node *nodes)
{
    struct plumb_node *to = plumb_bundle_map(b, nodes, "controller"), *volumes = NULL;

    put_filter(b, to);
    plumb_bundle_image(b, to, "slurmctld", &b->plan->controller_image);
    put_munge(b, to);
    put_sssd(b, to);
    volumes = plumb_bundle_map(b, to, "volumes");
    if (b->plan->claim.v != NULL)
        plumb_node_set_string(b->a, plumb_bundle_map(b, volumes, "spool"), "volumeSourceName",
                              spool);
    else
        plumb_bundle_storage(b, plumb_bundle_map(b, plumb_bundle_map(b, volumes, "spool"),
                                                 "volumeClaimTemplateSpec"));
    put_jail_volume(b, volumes);
    if (plumb_usable(b->plan->metrics))
        plumb_node_set(b->a, plumb_bundle_map(b, to, "openMetrics"), "enabled",
                       plumb_node_bool(b->a, b->plan->metrics.v, b->plan->metrics.at));
}

static void put_login(struct plumb_bundle *b, struct plumb_node *nodes)
{
    struct plumb_node *to = plumb_bundle_map(b, nodes, "login");
    struct plumb_node *keys = plumb_node_sequence(b->a, b->plan->at);
    const struct plumb_hostlist *hosts = b->m->login_hosts;

    plumb_node_set(b->a, to, "size",
                   plumb_node_u64(b->a, hosts == NULL ? 0 : hosts->count,
                                  hosts == NULL ? b->plan->at : hosts->at));
    put_filter(b, to);
    plumb_bundle_image(b, to, "sshd", &b->plan->login_image);
    put_munge(b, to);
    put_sssd(b, to);
    for (size_t i = 0; i < b->plan->root_keys.count; i++)
        plumb_node_append(
            b->a, keys,
            plumb_node_string(b->a, b->plan->root_keys.items[i].v, b->plan->root_keys.items[i].at));
    plumb_node_set(b->a, to, "sshRootPublicKeys", keys);
    plumb_bundle_text(b, to, "sshdServiceType", &b->plan->login_service);
    if (plumb_usable(b->plan->login_port))
        plumb_node_set(b->a, to, "sshdServiceNodePort",
                       plumb_node_u64(b->a, b->plan->login_port.v, b->plan->login_port.at));
    put_jail_volume(b, plumb_bundle_map(b, to, "volumes"));
}

static void put_rest(struct plumb_bundle *b, struct plumb_node *nodes)
{
    struct plumb_node *to = plumb_bundle_map(b, nodes, "rest");
    bool on = plumb_usable(b->plan->rest) && b->plan->rest.v;

    plumb_node_set_bool(b->a, to, "enabled", on);
    if (on)
        plumb_node_set_u64(b->a, to, "size", 1);
    put_filter(b, to);
    if (on)
        plumb_bundle_image(b, to, "rest", &b->plan->rest_image);
}

static void put_exporter(struct plumb_bundle *b, struct plumb_node *nodes)
{
    struct plumb_node *to = plumb_bundle_map(b, nodes, "exporter");

    plumb_node_set_bool(b->a, to, "enabled", false);
    put_filter(b, to);
}

/* What writes files of Slurm into the root file system that all pods share. */
static void put_config_controller(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_node *to = plumb_bundle_map(b, spec, "sConfigController"), *node = NULL;

    plumb_bundle_image(b, to, "container", &b->plan->config_image);
    node = plumb_bundle_map(b, to, "node");
    plumb_node_set_u64(b->a, node, "size", 1);
    put_filter(b, node);
    plumb_node_set_string(b->a, to, "serviceAccountName",
                          plumb_bundle_named(b, "sconfigcontroller"));
}

/* ---- partitions ---- */

static struct plumb_node *set_names(struct plumb_bundle *b, const struct plumb_partition *p)
{
    const char *names = plumb_bundle_sets_of(b, p->nodes);
    struct plumb_node *list = plumb_node_sequence(b->a, p->nodes->at);

    while (*names != '\0') {
        size_t len = strcspn(names, ",");

        plumb_node_append(
            b->a, list,
            plumb_node_string(b->a, plumb_arena_strndup(b->a, names, len), p->nodes->at));
        names += len + (names[len] == ',');
    }
    return list;
}

static struct plumb_node *partition(struct plumb_bundle *b, const struct plumb_partition *p)
{
    struct plumb_node *one = plumb_node_mapping(b->a, p->at);
    const char *config = plumb_soperator_partition(b, p);

    plumb_bundle_text(b, one, "name", &p->name);
    if (p->all_nodes)
        plumb_node_set_bool(b->a, one, "isAll", true);
    else if (p->nodes != NULL && p->nodes->count > 0)
        plumb_node_set(b->a, one, "nodeSetRefs", set_names(b, p));
    else
        plumb_bundle_refuse(b, p->at, "the operator leaves a partition without nodes out");
    if (config[0] != '\0')
        plumb_node_set(b->a, one, "config", plumb_node_string(b->a, config, p->at));
    return one;
}

static void put_partitions(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_node *to = plumb_bundle_map(b, spec, "partitionConfiguration");
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    plumb_node_set_string(b->a, to, "configType", "structured");
    for (size_t i = 0; i < b->m->partition_count; i++) {
        if (plumb_usable(b->m->partitions[i].name))
            plumb_node_append(b->a, list, partition(b, &b->m->partitions[i]));
    }
    if (list->count == 0)
        plumb_bundle_refuse(b, b->plan->at, "the operator wants a partition, there is none");
    plumb_node_set(b->a, to, "partitions", list);
}

struct plumb_node *plumb_soperator_cluster(struct plumb_bundle *b)
{
    struct plumb_node *root =
        plumb_bundle_object(b, "slurm.nebius.ai/v1", "SlurmCluster", b->plan->name.v, "slurmctld");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *nodes = NULL, *populate = NULL;

    put_filters(b, spec);
    put_sources(b, spec);
    populate = plumb_bundle_map(b, spec, "populateJail");
    plumb_bundle_text(b, populate, "image", &b->plan->jail_image);
    put_filter(b, populate);
    plumb_bundle_text(b, plumb_bundle_map(b, spec, "secrets"), "sshdKeysName", &b->plan->host_keys);
    nodes = plumb_bundle_map(b, spec, "slurmNodes");
    put_accounting(b, nodes);
    put_controller(b, nodes);
    put_login(b, nodes);
    put_exporter(b, nodes);
    put_rest(b, nodes);
    put_config_controller(b, spec);
    put_partitions(b, spec);
    plumb_soperator_fields(b, spec);
    if (plumb_soperator_accounts(b))
        plumb_soperator_dbd_fields(b, spec);
    plumb_node_set_string(b->a, spec, "customSlurmConfig", plumb_soperator_custom_conf(b));
    plumb_node_set_string(b->a, spec, "customCgroupConfig", plumb_soperator_cgroup_conf(b));
    return root;
}
