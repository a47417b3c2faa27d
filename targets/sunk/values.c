/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target sunk-values: values of CoreWeave's chart `slurm`. Pods register their nodes, and a
 * partition takes entries of compute.nodes, so classes are cut as for Slinky. An entry is made of
 * the definition of its class, since the chart wants one of each entry that is enabled.
 */
#include <string.h>

#include "base/num.h"
#include "sunk/sunk.h"

/* ---- small parts ---- */

static struct plumb_node *with_text(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                                    const char *text, struct plumb_span at)
{
    plumb_node_set(b->a, m, key, plumb_node_string(b->a, text, at));
    return m;
}

/* "registry/name:tag" as repository and tag; a digest has no value. */
static void put_image(struct plumb_bundle *b, struct plumb_node *m, const struct plumb_text *image)
{
    const char *slash = image->v == NULL ? NULL : strrchr(image->v, '/');
    const char *colon = image->v == NULL ? NULL : strrchr(slash == NULL ? image->v : slash, ':');
    struct plumb_node *to = NULL;

    if (image->v == NULL)
        return;
    if (strchr(image->v, '@') != NULL)
        plumb_bundle_refuse(b, image->at, "an image of the chart has a tag and no digest");
    to = plumb_bundle_map(b, m, "image");
    with_text(b, to, "repository",
              colon == NULL ? image->v
                            : plumb_arena_strndup(b->a, image->v, (size_t)(colon - image->v)),
              image->at);
    if (colon != NULL)
        with_text(b, to, "tag", colon + 1, image->at);
}

static void put_volume(struct plumb_bundle *b, struct plumb_node *to, const struct plumb_u64 *bytes)
{
    plumb_bundle_text(b, to, "storageClassName", &b->plan->storage_class);
    if (plumb_usable(*bytes))
        with_text(b, to, "size", plumb_bundle_quantity(b, (bytes->v + 1048575) / 1048576),
                  bytes->at);
}

static bool has_database(const struct plumb_bundle *b)
{
    return plumb_dbd(b->m)->count > 0;
}

/* ---- daemons ---- */

static void put_controller(struct plumb_bundle *b, struct plumb_node *root)
{
    struct plumb_node *to = plumb_bundle_map(b, root, "controller");

    put_image(b, to, &b->plan->controller_image);
    put_volume(b, plumb_bundle_map(b, to, "stateVolume"), &b->plan->state_bytes);
    plumb_bundle_tolerations(b, to, "tolerations", NULL);
}

static void put_accounting(struct plumb_bundle *b, struct plumb_node *root)
{
    const struct plumb_kube_writes *w = b->plan->writes;
    struct plumb_settings left =
        plumb_bundle_without(b, plumb_dbd(b->m), w->owned_dbd, w->owned_dbd_count);
    struct plumb_node *to = plumb_bundle_map(b, root, "accounting"), *config = NULL;

    plumb_node_set_bool(b->a, to, "enabled", has_database(b));
    if (!has_database(b))
        return;
    put_image(b, to, &b->plan->database_image);
    plumb_bundle_tolerations(b, to, "tolerations", NULL);
    for (size_t i = 0; i < left.count; i++) {
        const struct plumb_setting *s = &left.items[i];

        if (config == NULL)
            config = plumb_bundle_map(b, to, "config");
        with_text(b, config, s->param->name, plumb_arena_strndup(b->a, s->value.text, s->value.len),
                  s->value.at);
    }
}

/* The chart's own database; the one of before 8.0 is off. */
static void put_databases(struct plumb_bundle *b, struct plumb_node *root)
{
    struct plumb_node *to = plumb_bundle_map(b, root, "moco");

    plumb_node_set_bool(b->a, to, "enabled", has_database(b));
    if (has_database(b))
        put_volume(b, plumb_bundle_map(b, plumb_bundle_map(b, to, "mysqlCluster"), "persistence"),
                   &b->plan->database_bytes);
    plumb_node_set_bool(b->a, plumb_bundle_map(b, root, "mysql"), "enabled", false);
}

/* Local is refused of a Service of type ClusterIP, so the chart's default is taken away there. */
static void put_login(struct plumb_bundle *b, struct plumb_node *root)
{
    const struct plumb_text *type = &b->plan->login_service;
    struct plumb_node *to = plumb_bundle_map(b, root, "login"), *service = NULL;

    plumb_node_set(b->a, to, "replicas",
                   plumb_node_u64(b->a, b->m->login_hosts == NULL ? 0 : b->m->login_hosts->count,
                                  b->m->login_hosts == NULL ? b->plan->at : b->m->login_hosts->at));
    put_image(b, to, &b->plan->login_image);
    plumb_bundle_tolerations(b, to, "tolerations", NULL);
    if (type->v == NULL)
        return;
    service = plumb_bundle_map(b, to, "service");
    plumb_bundle_text(b, service, "type", type);
    with_text(b, service, "externalTrafficPolicy", strcmp(type->v, "ClusterIP") == 0 ? "" : "Local",
              type->at);
}

static void put_rest(struct plumb_bundle *b, struct plumb_node *root)
{
    struct plumb_node *to = NULL;

    if (!plumb_usable(b->plan->rest))
        return;
    to = plumb_bundle_map(b, root, "rest");
    plumb_node_set(b->a, to, "replicas",
                   plumb_node_u64(b->a, b->plan->rest.v ? 1 : 0, b->plan->rest.at));
    put_image(b, to, &b->plan->rest_image);
    plumb_bundle_tolerations(b, to, "tolerations", NULL);
}

static void put_secrets(struct plumb_bundle *b, struct plumb_node *root)
{
    if (b->plan->munge_key.name.v != NULL)
        plumb_bundle_text(b, plumb_bundle_map(b, root, "munge"), "existingSecret",
                          &b->plan->munge_key.name);
    if (b->plan->jwt_key.name.v != NULL)
        plumb_bundle_text(b, plumb_bundle_map(b, root, "jwt"), "existingSecret",
                          &b->plan->jwt_key.name);
}

/* ---- nodes ---- */

/* What is a value, or what slurmd finds and registers. */
static const enum plumb_param_id known[] = {
    PLUMB_P_SLURM_NODENAME,      PLUMB_P_NODE_CPUS,
    PLUMB_P_NODE_REALMEMORY,     PLUMB_P_NODE_GRES,
    PLUMB_P_NODE_FEATURES,       PLUMB_P_NODE_FEATURE,
    PLUMB_P_NODE_SOCKETS,        PLUMB_P_NODE_CORESPERSOCKET,
    PLUMB_P_NODE_THREADSPERCORE, PLUMB_P_NODE_SOCKETSPERBOARD,
    PLUMB_P_NODE_BOARDS,         PLUMB_P_NODE_MEMSPECLIMIT,
};

static void refuse_words(struct plumb_bundle *b, const struct plumb_nodes *n)
{
    for (size_t i = 0; i < n->settings.count; i++) {
        const struct plumb_setting *s = &n->settings.items[i];

        if (!plumb_slurm_among(known, PLUMB_COUNT(known), s->param->id))
            plumb_bundle_refuse(b, s->value.at,
                                plumb_arena_printf(b->a,
                                                   "the chart has no value for %s of a node, it "
                                                   "would be lost; 'form: objects' has it",
                                                   s->param->name));
    }
}

/* "h100:8"; the chart has one kind of GPU for an entry, and no other GRES. */
static void put_gpu(struct plumb_bundle *b, struct plumb_node *to, const struct plumb_nodes *n)
{
    for (size_t i = 0; i < n->gres_count; i++) {
        const struct plumb_gres_item *g = &n->gres[i];

        if (strcmp(g->name, "gpu") != 0 || g->type == NULL || plumb_node_get(to, "gresGpu") != NULL)
            plumb_bundle_refuse(b, g->at,
                                "an entry of the chart has GPUs of one type and no other resource, "
                                "this one would be lost; 'form: objects' has it");
        else
            with_text(b, to, "gresGpu",
                      plumb_arena_printf(b->a, "%s:%llu", g->type, (unsigned long long)g->count),
                      g->at);
    }
}

static void put_resources(struct plumb_bundle *b, struct plumb_node *to,
                          const struct plumb_nodes *n)
{
    uint64_t gpus = plumb_bundle_gpus(b, n);
    struct plumb_node *limits = NULL;

    if (plumb_usable(n->cpus))
        with_text(b, to, "skuCpu", plumb_arena_printf(b->a, "%llu", (unsigned long long)n->cpus.v),
                  n->cpus.at);
    if (gpus == 0 && !plumb_usable(n->real_memory_mib))
        return;
    limits = plumb_bundle_map(b, plumb_bundle_map(b, to, "resources"), "limits");
    if (plumb_usable(n->real_memory_mib))
        with_text(b, limits, "memory", plumb_bundle_quantity(b, n->real_memory_mib.v),
                  n->real_memory_mib.at);
    if (gpus > 0)
        plumb_node_set(b->a, limits, "nvidia.com/gpu", plumb_node_u64(b->a, gpus, n->gres_at));
}

/* The operator looks at required affinity alone, at no nodeSelector. */
static void put_affinity(struct plumb_bundle *b, struct plumb_node *to,
                         const struct plumb_kube_class *class)
{
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    if (class->selector_count == 0)
        return;
    plumb_sunk_term(b, list, class->selector, class->selector_count);
    plumb_node_set(b->a,
                   plumb_bundle_map(
                       b, plumb_bundle_map(b, plumb_bundle_map(b, to, "affinity"), "nodeAffinity"),
                       "requiredDuringSchedulingIgnoredDuringExecution"),
                   "nodeSelectorTerms", list);
}

static const char *definition(struct plumb_bundle *b, const struct plumb_set *set)
{
    return plumb_arena_printf(b->a, "%s-definition", set->nodes->class_name);
}

static void put_definition(struct plumb_bundle *b, struct plumb_node *nodes,
                           const struct plumb_set *set)
{
    struct plumb_node *to = plumb_bundle_map(b, nodes, definition(b, set));

    refuse_words(b, set->nodes);
    plumb_node_set_bool(b->a, to, "enabled", false);
    put_image(b, to, &b->plan->worker_image);
    plumb_sunk_features(b, to, "staticFeatures", set->nodes);
    put_gpu(b, to, set->nodes);
    put_resources(b, to, set->nodes);
    put_affinity(b, to, set->class);
    plumb_bundle_tolerations(b, to, "tolerations", set->class);
}

static struct plumb_node *nodes_of(struct plumb_bundle *b)
{
    struct plumb_node *nodes = plumb_node_mapping(b->a, b->plan->at);

    for (size_t i = 0; i < b->set_count; i++) {
        const struct plumb_set *set = &b->sets[i];
        struct plumb_node *entry = NULL, *list = plumb_node_sequence(b->a, set->nodes->at);

        if (plumb_node_get(nodes, definition(b, set)) == NULL)
            put_definition(b, nodes, set);
        entry = plumb_bundle_map(b, nodes, set->name);
        plumb_node_set_bool(b->a, entry, "enabled", true);
        plumb_node_set(b->a, entry, "replicas", plumb_node_u64(b->a, set->count, set->hosts->at));
        plumb_node_append(b->a, list, plumb_node_string(b->a, definition(b, set), set->nodes->at));
        plumb_node_set(b->a, entry, "definitions", list);
    }
    return nodes;
}

/* One amount for all nodes: memory that no job gets. */
static const char *reserved_memory(struct plumb_bundle *b)
{
    uint64_t mib = 0;

    for (size_t i = 0; i < b->set_count; i++) {
        const struct plumb_settings *s = &b->sets[i].nodes->settings;
        const struct plumb_setting *given = plumb_setting(s, PLUMB_P_NODE_MEMSPECLIMIT);
        struct plumb_u64 v = plumb_setting_u64(s, PLUMB_P_NODE_MEMSPECLIMIT, b->m->release);
        uint64_t own = given != NULL && plumb_usable(v) ? v.v : 0;

        if (i > 0 && own != mib)
            plumb_bundle_refuse(b, given != NULL ? given->value.at : b->sets[i].nodes->at,
                                "the chart reserves one amount of memory for all nodes, and this "
                                "class differs; 'form: objects' has it by class");
        mib = own;
    }
    return mib == 0 ? "0" : plumb_bundle_quantity(b, mib);
}

/* ---- text of Slurm files ---- */

/*
 * The value that says a setting, and in which words; NULL: it has none, or the chart would not
 * look at it.
 */
static const char *in_value(struct plumb_bundle *b, const struct plumb_setting *s,
                            const struct plumb_kube_slot **slot)
{
    const struct plumb_kube_writes *w = b->plan->writes;

    *slot = plumb_kube_slot(w->slots, w->slot_count, s->param->name);
    if (*slot == NULL ||
        (s->param->id == PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE && !has_database(b)))
        return NULL;
    return plumb_kube_slot_text(b->a, *slot, &s->value);
}

static void put_value(struct plumb_bundle *b, struct plumb_node *root,
                      const struct plumb_setting *s)
{
    const struct plumb_kube_slot *slot = NULL;
    const char *text = in_value(b, s, &slot), *key = NULL;
    struct plumb_node *to = NULL;
    uint64_t number = 0;

    if (text == NULL)
        return;
    to = plumb_bundle_holder(b, root, slot->path, &key);
    if (plumb_kube_slot_is_number(slot) && plumb_read_digits(text, strlen(text), &number))
        plumb_node_set(b->a, to, key, plumb_node_u64(b->a, number, s->value.at));
    else
        with_text(b, to, key, text, s->value.at);
}

/* What no value says, without what the chart keeps for itself. */
static struct plumb_settings settings_of(struct plumb_bundle *b)
{
    const struct plumb_kube_writes *w = b->plan->writes;
    const struct plumb_kube_slot *slot = NULL;
    struct plumb_settings all =
        plumb_bundle_without(b, plumb_slurm(b->m), w->owned, w->owned_count);
    struct plumb_settings left = {0};

    plumb_bundle_node_count(b, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (in_value(b, &all.items[i], &slot) == NULL)
            plumb_bundle_set(b, &left, &all.items[i]);
    }
    return left;
}

static const char *extra_config(struct plumb_bundle *b)
{
    struct plumb_settings settings = settings_of(b);
    struct plumb_slurm_page page = plumb_bundle_page(b, b->em, PLUMB_SLURM_CONF);

    if (settings.count == 0)
        return NULL;
    plumb_slurm_globals(&page, &settings, plumb_slurm_conf_groups, plumb_slurm_conf_group_count);
    return plumb_bundle_print(b, &page);
}

static const char *partitions(struct plumb_bundle *b)
{
    struct plumb_model m = *b->m;
    struct plumb_emit em = *b->em;
    struct plumb_slurm_page page = plumb_bundle_page(b, &em, PLUMB_SLURM_CONF);

    if (m.down_node_count > 0)
        plumb_bundle_refuse(b, b->plan->at, "a DownNodes line names machines, pods have others");
    m.partitions = plumb_bundle_partitions(b);
    em.model = &m;
    plumb_slurm_partitions(&page);
    return plumb_bundle_print(b, &page);
}

static void put_slurm_config(struct plumb_bundle *b, struct plumb_node *root)
{
    const struct plumb_settings *cgroup = plumb_cgroup(b->m);
    const struct plumb_settings *slurm = plumb_slurm(b->m);
    struct plumb_node *to = plumb_bundle_map(b, root, "slurmConfig"), *map = NULL;

    for (size_t i = 0; i < slurm->count; i++) {
        if (plumb_setting(slurm, (enum plumb_param_id)slurm->items[i].param->id) ==
            &slurm->items[i])
            put_value(b, root, &slurm->items[i]);
    }
    for (size_t i = 0; i < cgroup->count; i++) {
        const struct plumb_setting *s = &cgroup->items[i];

        if (map == NULL)
            map = plumb_bundle_map(b, to, "cgroupConfig");
        with_text(b, map, s->param->name, plumb_arena_strndup(b->a, s->value.text, s->value.len),
                  s->value.at);
    }
    plumb_node_set_string(b->a, to, "extraConfig", extra_config(b));
}

/* ---- the whole ---- */

static struct plumb_node *values(struct plumb_bundle *b)
{
    struct plumb_node *root = plumb_node_mapping(b->a, b->plan->at), *compute = NULL;

    plumb_bundle_text(b, root, "clusterName", &b->m->cluster);
    put_controller(b, root);
    put_accounting(b, root);
    put_databases(b, root);
    put_login(b, root);
    put_rest(b, root);
    put_secrets(b, root);
    plumb_node_set_bool(b->a, plumb_bundle_map(b, root, "autoPartition"), "enabled", false);
    compute = plumb_bundle_map(b, root, "compute");
    plumb_node_set_string(b->a, compute, "reservedMemory", reserved_memory(b));
    plumb_node_set(b->a, compute, "nodes", nodes_of(b));
    plumb_node_set_string(b->a, compute, "partitions", partitions(b));
    put_slurm_config(b, root);
    return root;
}

static void emit_values(const struct plumb_emit *em)
{
    struct plumb_bundle b;
    struct plumb_node *root = NULL;

    if (!plumb_bundle_begin(&b, em, PLUMB_OF_SUNK_CHART))
        return;
    root = values(&b);
    plumb_bundle_write_values(&b, root);
}

static const char *const values_files[] = {"kubernetes/values.yaml"};

const struct plumb_target plumb_target_sunk_values = {
    .name = "sunk-values",
    .summary = "values of SUNK's chart slurm, where the section kubernetes asks for 'form: values'",
    .consumer = "the chart slurm of SUNK, by helm install -f",
    .files = values_files,
    .file_count = PLUMB_COUNT(values_files),
    .emit = emit_values,
};
