/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Section kubernetes, beside the objects of a flavor: NVIDIA's GPU operator, how secrets come into
 * the cluster, how long a change of a key takes. Any flavor has these.
 */
#include <string.h>

#include "base/text.h"
#include "kube/check.h"
#include "model/kube_stack.h"
#include "passes/resolve_kube.h"

enum { SECOND = 1000000 }; /* durations are kept in microseconds */

/* A text, else what it is without one. */
static struct plumb_text text_or(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                                 const char *path, const char *otherwise)
{
    struct plumb_text t = plumb_plan_text(rs, map, path);

    if (t.v == NULL)
        t = (struct plumb_text){.v = otherwise, .at = map->key_at, .origin = PLUMB_DEFAULTED};
    return t;
}

static struct plumb_u64 seconds_of(const struct plumb_spec_value *map, const char *path)
{
    const struct plumb_spec_value *v = plumb_plan_get(map, path);

    if (v == NULL)
        return (struct plumb_u64){0};
    return (struct plumb_u64){
        .v = (v->number + SECOND - 1) / SECOND, .at = v->at, .origin = PLUMB_GIVEN};
}

static void resolve_gpus(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                         struct plumb_kube_stack *to)
{
    const struct plumb_spec_value *gpu = plumb_plan_get(map, "gpu_operator");

    to->dcgm = plumb_plan_bool(map, "monitoring/dcgm");
    to->alerts = plumb_plan_bool(map, "monitoring/alerts");
    to->metrics = plumb_plan_bool(map, "monitoring/metrics");
    if (!plumb_usable(to->dcgm) && plumb_usable(to->alerts)) /* alerts look at metrics */
        to->dcgm =
            (struct plumb_bool){.v = to->alerts.v, .at = to->alerts.at, .origin = PLUMB_DEFAULTED};
    to->gpu_space = plumb_plan_name(rs, map, "gpu_operator/namespace", "gpu-operator");
    to->gpus = gpu != NULL || (plumb_usable(to->dcgm) && to->dcgm.v) ||
               (plumb_usable(to->alerts) && to->alerts.v);
    to->driver = plumb_plan_bool(map, "gpu_operator/driver");
    to->toolkit = plumb_plan_bool(map, "gpu_operator/toolkit");
    to->release = plumb_plan_text(rs, map, "gpu_operator/release");
    if (to->release.v != NULL && plumb_kube_table_find("gpu-operator-chart", to->release.v) == NULL)
        NOT_IN_FLAVOUR(rs, to->release.at,
                       "release '%s' of the GPU operator is in no table, expected one such as %s",
                       to->release.v, plumb_kube_table_find("gpu-operator-chart", NULL)->release);
}

/* The plan of a flavor has told the same. Names of classes are keys of ConfigMaps and labels. */
static void check_classes(struct plumb_resolve *rs, const struct plumb_kube_stack *to)
{
    for (size_t i = 0; i < rs->m->node_count && to->gpus && rs->m->kube_plan == NULL; i++) {
        const struct plumb_nodes *n = &rs->m->nodes[i];

        if (plumb_kube_name_fault(PLUMB_KUBE_LABEL_NAME, n->class_name, strlen(n->class_name)) !=
            SIZE_MAX)
            NOT_IN_FLAVOUR(rs, n->at,
                           "class '%s' names a configuration of the GPU operator, expected "
                           "lower-case letters, digits and '-'",
                           n->class_name);
    }
}

/* A name that Kubernetes gives to Secrets, and a key of data: both go into commands for people. */
static bool is_sound(struct plumb_resolve *rs, const struct plumb_text *name,
                     const struct plumb_text *key)
{
    bool sound = plumb_kube_name_fault(PLUMB_KUBE_SUBDOMAIN, name->v, strlen(name->v)) == SIZE_MAX;

    if (!sound)
        NOT_IN_FLAVOUR(rs, name->at,
                       "'%s' is no name for a Secret, expected lower-case letters, digits, '-' and "
                       "'.'",
                       name->v);
    for (const char *c = key->v; *c != '\0'; c++) {
        char low = plumb_lower(*c);

        if ((low >= 'a' && low <= 'z') || plumb_is_digit(low) || strchr("-._", low) != NULL)
            continue;
        NOT_IN_FLAVOUR(rs, key->at,
                       "'%s' is no key of a Secret, expected letters, digits, '-', '_' and '.'",
                       key->v);
        return false;
    }
    return sound;
}

static void add_credential(struct plumb_resolve *rs, struct plumb_kube_stack *to,
                           enum plumb_kube_purpose purpose, const struct plumb_text *name,
                           const struct plumb_text *key)
{
    if (name->v == NULL || key->v == NULL || !is_sound(rs, name, key))
        return;
    if (to->credentials == NULL)
        to->credentials = PLUMB_NEW_ARRAY(rs->a, PLUMB_PURPOSES, struct plumb_kube_credential);
    to->credentials[to->credential_count++] =
        (struct plumb_kube_credential){.purpose = purpose, .name = *name, .key = *key};
}

/* Keys that the operator of a flavor makes itself, under a name that nobody else chooses. */
static void add_operators_keys(struct plumb_resolve *rs, const struct plumb_kube_plan *plan,
                               struct plumb_kube_stack *to)
{
    static const struct {
        enum plumb_kube_flavour flavour;
        enum plumb_kube_purpose purpose;
        bool of_cluster; /* the name has that of the cluster before it */
        const char *name, *key;
        bool rest; /* where slurmrestd runs */
    } rows[] = {
        {PLUMB_OF_SUNK, PLUMB_FOR_MUNGE, false, "munge-key", "munge.key", false},
        {PLUMB_OF_SOPERATOR, PLUMB_FOR_MUNGE, true, "munge", "munge.key", false},
        {PLUMB_OF_SOPERATOR, PLUMB_FOR_TOKENS, true, "rest-jwt-key", "rest_jwt.key", true},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_text name = {.v = rows[i].name, .at = to->at, .origin = PLUMB_DEFAULTED};
        struct plumb_text key = {.v = rows[i].key, .at = to->at, .origin = PLUMB_DEFAULTED};
        size_t before = to->credential_count;

        if (rows[i].flavour != plan->flavour ||
            (rows[i].rest && !(plumb_usable(plan->rest) && plan->rest.v)))
            continue;
        if (rows[i].of_cluster)
            name.v = plumb_arena_printf(rs->a, "%s-%s", plan->name.v, rows[i].name);
        add_credential(rs, to, rows[i].purpose, &name, &key);
        if (to->credential_count > before)
            to->credentials[before].made = true;
    }
}

/* What the plan of a flavor refers to; else what the specification says. */
static void resolve_credentials(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                                struct plumb_kube_stack *to)
{
    static const struct {
        const char *path, *key; /* key: where the reference does not tell one */
        enum plumb_kube_purpose purpose;
        bool root; /* the path begins at the specification, not at the section */
    } rows[] = {
        {"slurm_key", "slurm.key", PLUMB_FOR_SLURM_KEY, false},
        {"munge_key", "munge.key", PLUMB_FOR_MUNGE, false},
        {"jwt_key", "jwt.key", PLUMB_FOR_TOKENS, false},
        {"database/storage/password", "password", PLUMB_FOR_DATABASE, true},
        {"sssd", "sssd.conf", PLUMB_FOR_USERS, false},
        {"ssh_keys", "authorized_keys", PLUMB_FOR_SSH, false},
    };
    const struct plumb_kube_plan *plan = rs->m->kube_plan;
    static const struct plumb_kube_secret none = {0}; /* see add_operators_keys() */
    const struct plumb_kube_secret *planned[PLUMB_PURPOSES] = {0};

    if (plan != NULL) { /* it has what its objects refer to, and no more */
        planned[PLUMB_FOR_SLURM_KEY] = &plan->slurm_key;
        planned[PLUMB_FOR_MUNGE] = &none;
        planned[PLUMB_FOR_TOKENS] = &plan->jwt_key;
        planned[PLUMB_FOR_DATABASE] = &plan->password;
        planned[PLUMB_FOR_USERS] = &plan->sssd;
        planned[PLUMB_FOR_SSH] = &plan->ssh_keys;
    }
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_spec_value *from =
            plumb_plan_get(rows[i].root ? &rs->spec->root : map, rows[i].path);
        const struct plumb_kube_secret *plans = planned[rows[i].purpose];
        struct plumb_text name = {0}, key = {0};

        if (plans != NULL) {
            name = plans->name;
            key = plans->key;
        } else if (from != NULL) {
            name = plumb_plan_text(rs, from, "secret");
            key = text_or(rs, from, "key", NULL);
        }
        if (key.v == NULL)
            key = (struct plumb_text){.v = rows[i].key, .at = name.at, .origin = PLUMB_DEFAULTED};
        add_credential(rs, to, rows[i].purpose, &name, &key);
    }
    if (plan != NULL)
        add_operators_keys(rs, plan, to);
}

static void resolve_resources(struct plumb_resolve *rs, const struct plumb_spec_value *gitops,
                              struct plumb_kube_stack *to)
{
    const struct plumb_spec_value *list = plumb_plan_get(gitops, "resources");

    if (list == NULL)
        return;
    to->resources = PLUMB_NEW_ARRAY(rs->a, list->count, struct plumb_text);
    for (size_t i = 0; i < list->count; i++) {
        const struct plumb_spec_value *v = &list->items[i];

        if (v->origin != PLUMB_BAD && v->shape == PLUMB_SHAPE_SCALAR)
            to->resources[to->resource_count++] = (struct plumb_text){
                .v = plumb_intern_text(rs->s->intern, v->text.text, v->text.len),
                .at = v->at,
                .origin = PLUMB_GIVEN,
            };
    }
}

static void resolve_gitops(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                           struct plumb_kube_stack *to)
{
    const struct plumb_spec_value *gitops = plumb_plan_get(map, "gitops");
    const struct plumb_spec_value *style = plumb_plan_get(gitops, "secrets");

    if (gitops == NULL)
        return;
    to->gitops = true;
    to->gitops_at = gitops->key_at;
    if (style != NULL && style->word != NULL)
        to->style = strcmp(style->word->name, "external-secrets") == 0 ? PLUMB_SECRETS_EXTERNAL
                    : strcmp(style->word->name, "sealed-secrets") == 0 ? PLUMB_SECRETS_SEALED
                                                                       : PLUMB_SECRETS_BY_HAND;
    to->store = plumb_plan_text(rs, gitops, "store");
    to->store_kind = text_or(rs, gitops, "store_kind", "ClusterSecretStore");
    to->path = text_or(rs, gitops, "path", to->space.v);
    to->refresh_sec = seconds_of(gitops, "refresh");
    resolve_resources(rs, gitops, to);
    if (style != NULL && to->style == PLUMB_SECRETS_EXTERNAL && to->store.v == NULL)
        NOT_IN_FLAVOUR(rs, style->at,
                       "an ExternalSecret takes its value out of a store, expected the name of "
                       "one as 'kubernetes.gitops.store'");
}

void plumb_resolve_kube_stack(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *map = plumb_plan_get(&rs->spec->root, "kubernetes");
    struct plumb_kube_stack *to = NULL;

    if (map == NULL || plumb_plan_get(map, "flavor") == NULL)
        return;
    to = PLUMB_NEW(rs->a, struct plumb_kube_stack);
    to->at = map->key_at;
    to->space = rs->m->kube_plan != NULL ? rs->m->kube_plan->space
                                         : plumb_plan_name(rs, map, "namespace", "slurm");
    resolve_gpus(rs, map, to);
    check_classes(rs, to);
    resolve_credentials(rs, map, to);
    resolve_gitops(rs, map, to);
    to->rollout_sec = seconds_of(map, "rotation/rollout");
    to->overlap_sec = seconds_of(map, "rotation/overlap");
    rs->m->kube_stack = to;
}
