/* SPDX-License-Identifier: Apache-2.0 */
/* Target sunk: the objects of the dialect. What goes where: doc/design/kubernetes.md. */
#include <string.h>

#include "base/text.h"
#include "sunk/sunk.h"

static const char sunk_api[] = "slurm.coreweave.com/v1alpha1";

/* ---- names ---- */

const char *plumb_sunk_label(struct plumb_bundle *b, const char *name)
{
    struct plumb_buf out = plumb_buf_in(b->a);

    for (const char *c = name; *c != '\0'; c++) {
        char low = plumb_lower(*c);

        plumb_buf_char(&out, (low >= 'a' && low <= 'z') || plumb_is_digit(low) ? low : '-');
    }
    while (out.len > 0 && out.text[out.len - 1] == '-')
        out.len--;
    return plumb_arena_strndup(b->a, out.text == NULL ? "" : out.text, out.len);
}

/* An object of this kind and name is there already. */
static bool is_taken(const struct plumb_bundle *b, const char *kind, const char *name)
{
    for (size_t i = 0; i < b->file_count; i++) {
        const struct plumb_node *root = b->files[i].root;

        if (strcmp(plumb_node_text(plumb_node_get(root, "kind")), kind) == 0 &&
            strcmp(plumb_node_text(plumb_node_path(root, "metadata/name")), name) == 0)
            return true;
    }
    return false;
}

struct plumb_node *plumb_sunk_object(struct plumb_bundle *b, const char *kind, const char *name,
                                     const char *component)
{
    const char *label = plumb_sunk_label(b, name);

    if (label[0] == '\0' || label[0] == '-')
        plumb_bundle_refuse(
            b, b->plan->at,
            plumb_arena_printf(b->a, "'%s' cannot become the name of an object", name));
    if (is_taken(b, kind, label))
        plumb_bundle_refuse(b, b->plan->at,
                            plumb_arena_printf(b->a,
                                               "'%s' and another name would both become the "
                                               "object '%s' of kind %s",
                                               name, label, kind));
    return plumb_bundle_object(b, sunk_api, kind, label, component);
}

/* ---- the cluster ---- */

static void put_size(struct plumb_bundle *b, struct plumb_node *m, const struct plumb_u64 *bytes)
{
    if (plumb_usable(*bytes))
        plumb_node_set(b->a, m, "size",
                       plumb_node_string(b->a,
                                         plumb_bundle_quantity(b, (bytes->v + 1048575) / 1048576),
                                         bytes->at));
}

static void put_controller(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_node *to = plumb_bundle_map(b, spec, "controller"), *pvc = NULL;

    plumb_node_set(
        b->a, to, "replicas",
        plumb_node_u64(b->a, b->plan->backup ? 2 : 1,
                       b->m->controller_count > 0 ? b->m->controllers[0].name.at : b->plan->at));
    plumb_bundle_text(b, to, "image", &b->plan->controller_image);
    pvc = plumb_bundle_map(b, plumb_bundle_map(b, to, "stateSaveLocation"), "pvc");
    plumb_bundle_text(b, pvc, "storageClassName", &b->plan->storage_class);
    put_size(b, pvc, &b->plan->state_bytes);
}

static void put_database(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_node *to = plumb_bundle_map(b, spec, "database");
    bool there = plumb_dbd(b->m)->count > 0;

    plumb_node_set_bool(b->a, to, "enabled", there);
    if (!there)
        return;
    plumb_bundle_text(b, to, "storageClass", &b->plan->storage_class);
    put_size(b, to, &b->plan->database_bytes);
}

static void put_login(struct plumb_bundle *b, struct plumb_node *to)
{
    plumb_node_set(b->a, to, "replicas",
                   plumb_node_u64(b->a, b->m->login_hosts->count, b->m->login_hosts->at));
    plumb_bundle_text(b, to, "image", &b->plan->login_image);
    plumb_bundle_text(b, to, "sshKeysSecret", &b->plan->ssh_keys.name);
}

/* A Service of its own kind is what login of a SlurmCluster has no field for. */
static bool login_apart(const struct plumb_bundle *b)
{
    return b->m->login_hosts != NULL && b->plan->login_service.v != NULL;
}

static struct plumb_node *cluster(struct plumb_bundle *b)
{
    struct plumb_node *root = plumb_sunk_object(b, "SlurmCluster", b->plan->name.v, "slurmctld");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *to = NULL;

    plumb_bundle_text(b, spec, "clusterName", &b->m->cluster);
    put_controller(b, spec);
    put_database(b, spec);
    if (b->m->login_hosts != NULL && !login_apart(b))
        put_login(b, plumb_bundle_map(b, spec, "login"));
    if (b->plan->identity.v != NULL) {
        to = plumb_bundle_map(b, spec, "authConfig");
        plumb_bundle_text(b, to, "type", &b->plan->identity);
        plumb_bundle_text(b, to, "ldapHost", &b->plan->identity_host);
    }
    if (b->plan->hooks.v != NULL) {
        to = plumb_bundle_map(b, spec, "prologEpilog");
        plumb_node_set_bool(b->a, to, "enabled", true);
        plumb_bundle_text(b, to, "configMap", &b->plan->hooks);
    }
    return root;
}

static struct plumb_node *config(struct plumb_bundle *b)
{
    struct plumb_node *root = plumb_sunk_object(b, "SlurmConfig", b->plan->name.v, "slurmctld");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *fragments = NULL;

    plumb_bundle_name_ref(b, spec, "clusterRef", b->plan->name.v);
    fragments = plumb_bundle_map(b, spec, "fragments");
    plumb_node_set_string(b->a, fragments, "slurm.conf", plumb_sunk_slurm_conf(b));
    plumb_node_set_string(b->a, fragments, "gres.conf", plumb_bundle_gres_conf(b));
    plumb_node_set_string(b->a, fragments, "cgroup.conf", plumb_sunk_cgroup_conf(b));
    if (plumb_dbd(b->m)->count > 0)
        plumb_node_set_string(b->a, fragments, "slurmdbd.conf", plumb_bundle_dbd_conf(b));
    return root;
}

static struct plumb_node *login(struct plumb_bundle *b)
{
    struct plumb_node *root = plumb_sunk_object(b, "Login", b->plan->name.v, "login");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec");

    plumb_bundle_name_ref(b, spec, "clusterRef", b->plan->name.v);
    put_login(b, spec);
    plumb_bundle_text(b, plumb_bundle_map(b, spec, "service"), "type", &b->plan->login_service);
    return root;
}

/* ---- nodes ---- */

static void put_gres(struct plumb_bundle *b, struct plumb_node *resources,
                     const struct plumb_nodes *n)
{
    const struct plumb_setting *text = plumb_setting(&n->settings, PLUMB_P_NODE_GRES);
    struct plumb_node *list = plumb_node_sequence(b->a, n->gres_at);

    if (text != NULL && (memchr(text->value.text, '(', text->value.len) != NULL ||
                         strstr(text->value.text, "no_consume") != NULL))
        plumb_bundle_refuse(b, text->value.at,
                            "a gres of a NodeSet has a type, a model and a count, this says more");
    for (size_t i = 0; i < n->gres_count; i++) {
        const struct plumb_gres_item *g = &n->gres[i];
        struct plumb_node *one = plumb_node_mapping(b->a, g->at);

        plumb_node_set(b->a, one, "type", plumb_node_string(b->a, g->name, g->at));
        plumb_node_set(b->a, one, "count", plumb_node_u64(b->a, g->count, g->count_at));
        if (g->type != NULL)
            plumb_node_set(b->a, one, "model", plumb_node_string(b->a, g->type, g->type_at));
        plumb_node_append(b->a, list, one);
    }
    if (list->count > 0)
        plumb_node_set(b->a, resources, "gres", list);
}

static void put_resources(struct plumb_bundle *b, struct plumb_node *spec,
                          const struct plumb_nodes *n)
{
    struct plumb_node *to = plumb_bundle_map(b, spec, "resources");

    if (plumb_usable(n->cpus))
        plumb_node_set(b->a, to, "cpu", plumb_node_u64(b->a, n->cpus.v, n->cpus.at));
    if (plumb_usable(n->real_memory_mib))
        plumb_node_set(b->a, to, "memory",
                       plumb_node_string(b->a, plumb_bundle_quantity(b, n->real_memory_mib.v),
                                         n->real_memory_mib.at));
    (void)plumb_bundle_gpus(b, n); /* refuses instances of MIG */
    put_gres(b, to, n);
}

void plumb_sunk_features(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                         const struct plumb_nodes *n)
{
    const struct plumb_setting *s = plumb_node_features(n);
    struct plumb_node *list = plumb_node_sequence(b->a, n->at);
    size_t at = 0;

    while (s != NULL && at < s->value.len) {
        const char *comma = memchr(s->value.text + at, ',', s->value.len - at);
        size_t end = comma == NULL ? s->value.len : (size_t)(comma - s->value.text);

        plumb_node_append(b->a, list,
                          plumb_node_string(b->a,
                                            plumb_arena_strndup(b->a, s->value.text + at, end - at),
                                            plumb_slice_span(&s->value, at, end)));
        at = end + 1;
    }
    if (list->count > 0)
        plumb_node_set(b->a, m, key, list);
}

static void put_selector(struct plumb_bundle *b, struct plumb_node *spec,
                         const struct plumb_kube_class *class)
{
    struct plumb_node *labels = NULL;

    if (class->selector_count == 0)
        return;
    labels = plumb_bundle_map(b, plumb_bundle_map(b, spec, "nodeSelector"), "matchLabels");
    for (size_t i = 0; i < class->selector_count; i++)
        plumb_bundle_text(b, labels, class->selector[i].label.v, &class->selector[i].value);
}

static struct plumb_node *nodeset(struct plumb_bundle *b, const struct plumb_set *set)
{
    struct plumb_node *root =
        plumb_sunk_object(b, "NodeSet", plumb_arena_printf(b->a, "%s-nodes", set->name), "slurmd");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec");
    const struct plumb_setting *weight = plumb_setting(&set->nodes->settings, PLUMB_P_NODE_WEIGHT);
    struct plumb_u64 v =
        plumb_setting_u64(&set->nodes->settings, PLUMB_P_NODE_WEIGHT, b->m->release);

    plumb_bundle_name_ref(b, spec, "clusterRef", b->plan->name.v);
    plumb_node_set(b->a, spec, "replicas", plumb_node_u64(b->a, set->count, set->hosts->at));
    plumb_bundle_text(b, spec, "image", &b->plan->worker_image);
    put_selector(b, spec, set->class);
    plumb_bundle_tolerations(b, spec, "tolerations", set->class);
    plumb_sunk_reserved(b, spec, set);
    put_resources(b, spec, set->nodes);
    plumb_sunk_features(b, spec, "features", set->nodes);
    if (weight != NULL && plumb_usable(v))
        plumb_node_set(b->a, spec, "weight", plumb_node_u64(b->a, v.v, weight->value.at));
    return root;
}

static void emit_sunk(const struct plumb_emit *em)
{
    struct plumb_bundle b;

    if (!plumb_bundle_begin_numbered(&b, em, PLUMB_OF_SUNK))
        return;
    /* slurmd is privileged, enters the namespaces of its host and mounts its paths. */
    plumb_bundle_add(&b, "00-namespace.yaml", plumb_bundle_namespace(&b, "privileged"));
    plumb_bundle_add(&b, "20-config.yaml", config(&b));
    plumb_bundle_add(&b, "40-cluster.yaml", cluster(&b));
    for (size_t i = 0; i < b.set_count; i++)
        plumb_bundle_add(&b, plumb_arena_printf(b.a, "50-nodeset-%s.yaml", b.sets[i].name),
                         nodeset(&b, &b.sets[i]));
    if (login_apart(&b))
        plumb_bundle_add(&b, "60-login.yaml", login(&b));
    plumb_sunk_accounts(&b);
    plumb_sunk_bindings(&b);
    plumb_bundle_write(&b);
}

static const char *const sunk_files[] = {
    "kubernetes/NN-*.yaml",
    "kubernetes/kustomization.yaml",
};

const struct plumb_target plumb_target_sunk = {
    .name = "sunk",
    .summary =
        "objects in the dialect of the SUNK guides, where the section kubernetes asks for them",
    .consumer = "an operator for slurm.coreweave.com/v1alpha1, by kubectl apply -k",
    .files = sunk_files,
    .file_count = PLUMB_COUNT(sunk_files),
    .emit = emit_sunk,
};
