/* SPDX-License-Identifier: Apache-2.0 */
/* Target slinky: the objects of slurm-operator. What goes where: doc/design/kubernetes.md. */
#include <string.h>

#include "model/kube_stack.h"
#include "slinky/slinky.h"

static const char slinky_api[] = "slinky.slurm.net/v1beta1";

static struct plumb_node *object(struct plumb_bundle *b, const char *kind, const char *name,
                                 const char *component)
{
    return plumb_bundle_object(b, slinky_api, kind, name, component);
}

static void put_pod(struct plumb_bundle *b, struct plumb_node *spec)
{
    if (plumb_bundle_tolerates(b, NULL))
        plumb_bundle_tolerations(b,
                                 plumb_bundle_map(b, plumb_bundle_map(b, spec, "template"), "spec"),
                                 "tolerations", NULL);
}

struct plumb_node *plumb_slinky_config_map(struct plumb_bundle *b)
{
    struct plumb_node *root = plumb_bundle_object(
        b, "v1", "ConfigMap", plumb_bundle_named(b, "config-extra"), "slurmctld");
    struct plumb_node *data = plumb_bundle_map(b, root, "data");

    plumb_node_set_string(b->a, data, "cgroup.conf", plumb_slinky_cgroup_conf(b));
    plumb_node_set_string(b->a, data, "gres.conf", plumb_bundle_gres_conf(b));
    return root;
}

static void put_persistence(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_node *to = plumb_bundle_map(b, spec, "persistence");

    plumb_node_set_bool(b->a, to, "enabled", true);
    if (b->plan->claim.v != NULL)
        plumb_bundle_text(b, to, "existingClaim", &b->plan->claim);
    else if (plumb_usable(b->plan->state_bytes) || b->plan->storage_class.v != NULL ||
             b->plan->storage_access.v != NULL)
        plumb_bundle_storage(b, to);
}

bool plumb_slinky_has_database(const struct plumb_bundle *b)
{
    return plumb_dbd(b->m)->count > 0;
}

/* Alerts about drained nodes look at what slurmctld answers: the operator has Prometheus ask. */
static void put_metrics(struct plumb_bundle *b, struct plumb_node *spec)
{
    const struct plumb_kube_stack *stack = b->m->kube_stack;
    struct plumb_node *metrics = NULL;

    if (!plumb_usable(b->plan->metrics))
        return;
    metrics = plumb_bundle_map(b, spec, "metrics");
    plumb_node_set(b->a, metrics, "enabled",
                   plumb_node_bool(b->a, b->plan->metrics.v, b->plan->metrics.at));
    if (stack != NULL && plumb_usable(stack->alerts) && stack->alerts.v && b->plan->metrics.v)
        plumb_node_set(b->a, plumb_bundle_map(b, metrics, "serviceMonitor"), "enabled",
                       plumb_node_bool(b->a, true, stack->alerts.at));
}

struct plumb_node *plumb_slinky_controller(struct plumb_bundle *b)
{
    struct plumb_node *root = object(b, "Controller", b->plan->name.v, "slurmctld");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec");
    struct plumb_node *files = plumb_node_sequence(b->a, b->plan->at);
    struct plumb_node *file = plumb_node_mapping(b->a, b->plan->at);

    if (b->m->cluster.v != NULL && strlen(b->m->cluster.v) > 40)
        plumb_bundle_refuse(b, b->m->cluster.at,
                            "the webhook of Slinky takes names of clusters of up to 40 characters");
    plumb_bundle_text(b, spec, "clusterName", &b->m->cluster);
    plumb_bundle_secret(b, spec, "slurmKeyRef", &b->plan->slurm_key);
    plumb_bundle_secret(b, spec, "jwtKeyRef", &b->plan->jwt_key);
    if (plumb_slinky_has_database(b))
        plumb_bundle_name_ref(b, spec, "accountingRef", b->plan->name.v);
    plumb_bundle_image(b, spec, "slurmctld", &b->plan->controller_image);
    put_persistence(b, spec);
    if (b->plan->backup)
        plumb_node_set_bool(b->a, plumb_bundle_map(b, spec, "ha"), "enabled", true);
    put_metrics(b, spec);
    plumb_node_set_string(b->a, file, "name", plumb_bundle_named(b, "config-extra"));
    plumb_node_append(b->a, files, file);
    plumb_node_set(b->a, spec, "configFileRefs", files);
    plumb_node_set_string(b->a, spec, "extraConf", plumb_slinky_extra_conf(b));
    put_pod(b, spec);
    return root;
}

static void put_setting(struct plumb_bundle *b, struct plumb_node *to, const char *key,
                        enum plumb_param_id id)
{
    const struct plumb_setting *s = plumb_setting(plumb_dbd(b->m), id);

    if (s != NULL)
        plumb_node_set(b->a, to, key,
                       plumb_node_string(b->a,
                                         plumb_arena_strndup(b->a, s->value.text, s->value.len),
                                         s->value.at));
}

struct plumb_node *plumb_slinky_accounting(struct plumb_bundle *b)
{
    struct plumb_node *root = object(b, "Accounting", b->plan->name.v, "slurmdbd");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *storage = NULL;
    struct plumb_u64 port =
        plumb_setting_u64(plumb_dbd(b->m), PLUMB_P_DBD_STORAGEPORT, b->m->release);

    plumb_bundle_secret(b, spec, "slurmKeyRef", &b->plan->slurm_key);
    plumb_bundle_secret(b, spec, "jwtKeyRef", &b->plan->jwt_key);
    storage = plumb_bundle_map(b, spec, "storageConfig");
    put_setting(b, storage, "host", PLUMB_P_DBD_STORAGEHOST);
    if (port.origin == PLUMB_GIVEN)
        plumb_node_set(b->a, storage, "port", plumb_node_u64(b->a, port.v, port.at));
    put_setting(b, storage, "database", PLUMB_P_DBD_STORAGELOC);
    put_setting(b, storage, "username", PLUMB_P_DBD_STORAGEUSER);
    plumb_bundle_secret(b, storage, "passwordKeyRef", &b->plan->password);
    plumb_bundle_image(b, spec, "slurmdbd", &b->plan->database_image);
    plumb_node_set_string(b->a, spec, "extraConf", plumb_bundle_dbd_conf(b));
    put_pod(b, spec);
    return root;
}

/* GPUs and memory: the image turns the memory that the pod lacks into MemSpecLimit. */
static void put_limits(struct plumb_bundle *b, struct plumb_node *slurmd,
                       const struct plumb_nodes *n)
{
    uint64_t gpus = plumb_bundle_gpus(b, n);
    struct plumb_u64 spare =
        plumb_setting_u64(&n->settings, PLUMB_P_NODE_MEMSPECLIMIT, b->m->release);
    bool memory =
        plumb_usable(n->real_memory_mib) && plumb_usable(spare) && spare.v < n->real_memory_mib.v;
    struct plumb_node *limits = NULL;

    if (gpus == 0 && !memory)
        return;
    limits = plumb_bundle_map(b, plumb_bundle_map(b, slurmd, "resources"), "limits");
    if (memory)
        plumb_node_set(b->a, limits, "memory",
                       plumb_node_string(b->a,
                                         plumb_bundle_quantity(b, n->real_memory_mib.v - spare.v),
                                         n->real_memory_mib.at));
    if (gpus > 0)
        plumb_node_set(b->a, limits, "nvidia.com/gpu", plumb_node_u64(b->a, gpus, n->gres_at));
}

static void put_class(struct plumb_bundle *b, struct plumb_node *pod, const struct plumb_set *set)
{
    plumb_node_set(
        b->a, pod, "hostname",
        plumb_node_string(b->a, plumb_arena_printf(b->a, "%s-", set->name), set->nodes->at));
    plumb_bundle_selector(b, pod, set->class);
    plumb_bundle_tolerations(b, pod, "tolerations", set->class);
}

struct plumb_node *plumb_slinky_nodeset(struct plumb_bundle *b, const struct plumb_set *set)
{
    const char *name = plumb_bundle_named(b, plumb_arena_printf(b->a, "worker-%s", set->name));
    struct plumb_node *root = object(b, "NodeSet", name, "slurmd");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *slurmd = NULL;

    plumb_bundle_name_ref(b, spec, "controllerRef", b->plan->name.v);
    plumb_node_set(b->a, spec, "replicas", plumb_node_u64(b->a, set->count, set->hosts->at));
    plumb_node_set_string(b->a, spec, "extraConf", plumb_slinky_words(b, set));
    slurmd = plumb_node_mapping(b->a, set->nodes->at);
    plumb_bundle_text(b, slurmd, "image", &b->plan->worker_image);
    put_limits(b, slurmd, set->nodes);
    if (slurmd->count > 0)
        plumb_node_set(b->a, spec, "slurmd", slurmd);
    put_class(b, plumb_bundle_map(b, plumb_bundle_map(b, spec, "template"), "spec"), set);
    return root;
}

static void put_root_keys(struct plumb_bundle *b, struct plumb_node *spec)
{
    const struct plumb_plan_names *keys = &b->plan->root_keys;
    struct plumb_buf lines = plumb_buf_in(b->a);

    for (size_t i = 0; i < keys->count; i++)
        plumb_buf_printf(&lines, "%s\n", keys->items[i].v);
    if (keys->count > 0)
        plumb_node_set_string(b->a, spec, "rootSshAuthorizedKeys", plumb_buf_text(&lines));
}

struct plumb_node *plumb_slinky_loginset(struct plumb_bundle *b)
{
    struct plumb_node *root = object(b, "LoginSet", plumb_bundle_named(b, "login"), "login");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec");

    plumb_bundle_name_ref(b, spec, "controllerRef", b->plan->name.v);
    plumb_bundle_secret(b, spec, "sssdConfRef", &b->plan->sssd);
    plumb_node_set(b->a, spec, "replicas",
                   plumb_node_u64(b->a, b->m->login_hosts->count, b->m->login_hosts->at));
    plumb_bundle_image(b, spec, "login", &b->plan->login_image);
    put_root_keys(b, spec);
    if (b->plan->login_service.v != NULL)
        plumb_bundle_text(b, plumb_bundle_map(b, plumb_bundle_map(b, spec, "service"), "spec"),
                          "type", &b->plan->login_service);
    put_pod(b, spec);
    return root;
}

struct plumb_node *plumb_slinky_rest_api(struct plumb_bundle *b)
{
    struct plumb_node *root = object(b, "RestApi", b->plan->name.v, "slurmrestd");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec");

    plumb_bundle_name_ref(b, spec, "controllerRef", b->plan->name.v);
    plumb_bundle_image(b, spec, "slurmrestd", &b->plan->rest_image);
    put_pod(b, spec);
    return root;
}

static void emit_slinky(const struct plumb_emit *em)
{
    struct plumb_bundle b;

    if (!plumb_bundle_begin(&b, em, PLUMB_OF_SLINKY))
        return;
    /* Worker pods are privileged: the levels baseline and restricted refuse them. */
    plumb_bundle_add(&b, "00-namespace.yaml", plumb_bundle_namespace(&b, "privileged"));
    if (b.plan->claim.v != NULL && plumb_usable(b.plan->state_bytes))
        plumb_bundle_add(&b, "10-claim.yaml", plumb_bundle_claim(&b, "slurmctld"));
    plumb_bundle_add(&b, "20-config.yaml", plumb_slinky_config_map(&b));
    if (plumb_slinky_has_database(&b))
        plumb_bundle_add(&b, "30-accounting.yaml", plumb_slinky_accounting(&b));
    plumb_bundle_add(&b, "40-controller.yaml", plumb_slinky_controller(&b));
    for (size_t i = 0; i < b.set_count; i++)
        plumb_bundle_add(&b, plumb_arena_printf(b.a, "50-nodeset-%s.yaml", b.sets[i].name),
                         plumb_slinky_nodeset(&b, &b.sets[i]));
    if (b.m->login_hosts != NULL)
        plumb_bundle_add(&b, "60-login.yaml", plumb_slinky_loginset(&b));
    if (plumb_usable(b.plan->rest) && b.plan->rest.v)
        plumb_bundle_add(&b, "70-restapi.yaml", plumb_slinky_rest_api(&b));
    plumb_bundle_write(&b);
}

static const char *const slinky_files[] = {
    "kubernetes/NN-*.yaml",
    "kubernetes/kustomization.yaml",
};

const struct plumb_target plumb_target_slinky = {
    .name = "slinky",
    .summary = "objects for slurm-operator, where the section kubernetes asks for them",
    .consumer = "slurm-operator 1.2 and later, by kubectl apply -k",
    .files = slinky_files,
    .file_count = PLUMB_COUNT(slinky_files),
    .emit = emit_slinky,
};
