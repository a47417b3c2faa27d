/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target slinky-values: values of the chart `slurm` of slurm-operator, from which its templates
 * make the objects of target slinky (helm/slurm/templates, 1.2.1). So they are made of these
 * objects: what a template takes as it is moves to its key. Partitions are lines of extraConf, as
 * there: the chart puts its own behind, and a node set of the objects is called as its key.
 */
#include <string.h>

#include "slinky/slinky.h"

/* The key of the one set of login pods: its object is NAME-login-KEY. */
static const char logins[] = "main";

static const struct plumb_node *spec_of(const struct plumb_node *object)
{
    return plumb_node_get(object, "spec");
}

static void take(struct plumb_bundle *b, struct plumb_node *to, const struct plumb_node *from,
                 const char *key)
{
    struct plumb_node *value = plumb_node_get(from, key);

    if (value != NULL)
        plumb_node_set(b->a, to, key, value);
}

/* The span [begin, end) of an image as a part of its value. */
static void put_part(struct plumb_bundle *b, struct plumb_node *to, const char *key,
                     const char *begin, const char *end, struct plumb_span at)
{
    if (end > begin)
        plumb_node_set(
            b->a, to, key,
            plumb_node_string(b->a, plumb_arena_strndup(b->a, begin, (size_t)(end - begin)), at));
}

/* "registry/name:tag@sha256:..." as the chart takes it apart. */
static struct plumb_node *image_of(struct plumb_bundle *b, const struct plumb_node *image)
{
    const char *text = plumb_node_text(image), *end = text + strlen(text);
    const char *digest = strchr(text, '@'), *slash = strrchr(text, '/'), *tag = NULL;
    struct plumb_node *to = plumb_node_mapping(b->a, image->at);

    if (digest == NULL)
        digest = end;
    tag = memchr(slash == NULL ? text : slash, ':',
                 (size_t)(digest - (slash == NULL ? text : slash)));
    if (tag == NULL)
        tag = digest;
    put_part(b, to, "repository", text, tag, image->at);
    put_part(b, to, "tag", tag + (tag < digest), digest, image->at);
    put_part(b, to, "digest", digest + (digest < end), end, image->at);
    return to;
}

/* A container: its image in parts, the rest as it is. */
static void take_container(struct plumb_bundle *b, struct plumb_node *to,
                           const struct plumb_node *spec, const char *key)
{
    const struct plumb_node *from = plumb_node_get(spec, key);
    const struct plumb_node *image = plumb_node_get(from, "image");
    struct plumb_node *container = NULL;

    if (from == NULL)
        return;
    container = plumb_bundle_map(b, to, key);
    if (image != NULL)
        plumb_node_set(b->a, container, "image", image_of(b, image));
    take(b, container, from, "resources");
}

/* The chart writes the host name of the pods of a node set itself, and it is the same. */
static void take_pod(struct plumb_bundle *b, struct plumb_node *to, const struct plumb_node *spec)
{
    const struct plumb_node *from = plumb_node_path(spec, "template/spec");
    struct plumb_node *pod = plumb_node_mapping(b->a, b->plan->at);

    take(b, pod, from, "nodeSelector");
    take(b, pod, from, "tolerations");
    if (pod->count > 0)
        plumb_node_set(b->a, to, "podSpec", pod);
}

/* ---- parts ---- */

/* A key that is made by the chart would be another one on each rendering. */
static void put_key(struct plumb_bundle *b, struct plumb_node *root, const char *key,
                    const struct plumb_kube_secret *secret)
{
    struct plumb_node *to = plumb_bundle_map(b, root, key);

    plumb_node_set_bool(b->a, to, "create", false);
    plumb_bundle_secret(b, to, "secretRef", secret);
}

static void put_controller(struct plumb_bundle *b, struct plumb_node *root)
{
    const struct plumb_node *spec = spec_of(plumb_slinky_controller(b));
    struct plumb_node *to = plumb_bundle_map(b, root, "controller");

    take_container(b, to, spec, "slurmctld");
    take(b, to, spec, "persistence");
    take(b, to, spec, "metrics");
    take(b, to, spec, "extraConf");
    take_pod(b, to, spec);
}

static void put_accounting(struct plumb_bundle *b, struct plumb_node *root)
{
    struct plumb_node *to = plumb_bundle_map(b, root, "accounting");
    const struct plumb_node *spec = NULL;

    plumb_node_set_bool(b->a, to, "enabled", plumb_slinky_has_database(b));
    if (!plumb_slinky_has_database(b))
        return;
    spec = spec_of(plumb_slinky_accounting(b));
    take(b, to, spec, "storageConfig");
    take_container(b, to, spec, "slurmdbd");
    take(b, to, spec, "extraConf");
    take_pod(b, to, spec);
}

/* The chart makes a RestApi in any case: one without pods where nobody asks for it. */
static void put_rest(struct plumb_bundle *b, struct plumb_node *root)
{
    struct plumb_node *to = plumb_bundle_map(b, root, "restapi");
    bool on = plumb_usable(b->plan->rest) && b->plan->rest.v;
    const struct plumb_node *spec = NULL;

    plumb_node_set_u64(b->a, to, "replicas", on ? 1 : 0);
    if (!on)
        return;
    spec = spec_of(plumb_slinky_rest_api(b));
    take_container(b, to, spec, "slurmrestd");
    take_pod(b, to, spec);
}

static void put_logins(struct plumb_bundle *b, struct plumb_node *root)
{
    const struct plumb_node *spec = NULL;
    struct plumb_node *to = NULL;

    if (b->m->login_hosts == NULL)
        return;
    spec = spec_of(plumb_slinky_loginset(b));
    plumb_bundle_secret(b, plumb_bundle_map(b, root, "sssd"), "secretRef", &b->plan->sssd);
    to = plumb_bundle_map(b, plumb_bundle_map(b, root, "loginsets"), logins);
    plumb_node_set_bool(b->a, to, "enabled", true);
    take(b, to, spec, "replicas");
    take_container(b, to, spec, "login");
    take(b, to, spec, "rootSshAuthorizedKeys");
    take(b, to, spec, "service");
    take_pod(b, to, spec);
}

static void put_sets(struct plumb_bundle *b, struct plumb_node *root)
{
    struct plumb_node *all = plumb_bundle_map(b, root, "nodesets");

    for (size_t i = 0; i < b->set_count; i++) {
        const struct plumb_node *spec = spec_of(plumb_slinky_nodeset(b, &b->sets[i]));
        struct plumb_node *to = plumb_bundle_map(b, all, b->sets[i].name);

        plumb_node_set_bool(b->a, to, "enabled", true);
        take(b, to, spec, "replicas");
        take_container(b, to, spec, "slurmd");
        take(b, to, spec, "extraConf");
        take_pod(b, to, spec);
    }
}

/* A claim that the controller shares is no value of the chart: it goes beside its objects. */
static void put_claim(struct plumb_bundle *b, struct plumb_node *root)
{
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    if (b->plan->claim.v == NULL || !plumb_usable(b->plan->state_bytes))
        return;
    plumb_node_append(b->a, list, plumb_bundle_claim(b, "slurmctld"));
    plumb_node_set(b->a, root, "extraObjects", list);
}

static void emit_values(const struct plumb_emit *em)
{
    struct plumb_node *root = NULL;
    struct plumb_bundle b;

    if (!plumb_bundle_begin(&b, em, PLUMB_OF_SLINKY_CHART))
        return;
    root = plumb_node_mapping(b.a, b.plan->at);
    plumb_bundle_text(&b, root, "fullnameOverride", &b.plan->name);
    plumb_bundle_text(&b, root, "namespaceOverride", &b.plan->space);
    plumb_bundle_text(&b, root, "clusterName", &b.m->cluster);
    put_key(&b, root, "slurmKey", &b.plan->slurm_key);
    put_key(&b, root, "jwtKey", &b.plan->jwt_key);
    plumb_node_set(b.a, root, "configFiles", plumb_node_get(plumb_slinky_config_map(&b), "data"));
    put_controller(&b, root);
    put_accounting(&b, root);
    put_rest(&b, root);
    put_logins(&b, root);
    put_sets(&b, root);
    put_claim(&b, root);
    plumb_bundle_write_values(&b, root);
}

static const char *const values_files[] = {"kubernetes/values.yaml"};

const struct plumb_target plumb_target_slinky_values = {
    .name = "slinky-values",
    .summary = "values of slurm-operator's chart slurm, where the section kubernetes asks for "
               "'form: values'",
    .consumer = "the chart slurm of slurm-operator 1.2, by helm install -f",
    .files = values_files,
    .file_count = PLUMB_COUNT(values_files),
    .emit = emit_values,
};
