/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Section kubernetes for Soperator: one SlurmCluster with NodeSets. Names of Secrets and of the
 * database are the operator's own (internal/naming, internal/consts of 4.1.7), and what its
 * SlurmCluster has no field for is refused.
 */
#include <string.h>

#include "kube/check.h"
#include "passes/resolve_kube.h"

#define NO_FIELD "Soperator has no field for %s of slurmdbd.conf, so this would be lost"

static const struct plumb_plan_unread unread[] = {
    {"slurm_key", "Soperator runs munge and no auth/slurm, so 'slurm_key' is read by nobody: "
                  "expected 'munge_key'"},
    {"ssh_keys", "Soperator takes keys with which root logs in as text and from no secret, "
                 "expected 'root_keys'"},
};

/* The operator calls the cluster as the SlurmCluster (generateSlurmConfig, ClusterName). */
static void resolve_name(struct plumb_resolve *rs, struct plumb_kube_plan *p)
{
    const struct plumb_text *cluster = &rs->m->cluster;

    if (!plumb_usable(*cluster))
        return;
    if (plumb_kube_name_fault(PLUMB_KUBE_LABEL_NAME, cluster->v, strlen(cluster->v)) != SIZE_MAX)
        NOT_IN_FLAVOUR(rs, cluster->at,
                       "Soperator calls the cluster as its SlurmCluster, for which '%s' is no "
                       "name: expected lower-case letters, digits and '-'",
                       cluster->v);
    else if (p->name.origin == PLUMB_GIVEN && strcmp(p->name.v, cluster->v) != 0)
        NOT_IN_FLAVOUR(rs, p->name.at,
                       "Soperator calls the cluster as its SlurmCluster, so it cannot be '%s' and "
                       "'%s': expected no 'name'",
                       p->name.v, cluster->v);
    p->name = *cluster;
}

static void resolve_controllers(struct plumb_resolve *rs, const struct plumb_kube_table *t)
{
    if (rs->m->controller_count > 1)
        NOT_IN_FLAVOUR(rs, rs->m->controllers[1].name.at,
                       "Soperator %s runs one controller, and so does every release that plumb "
                       "knows: the backup would be lost, expected one host",
                       t->release);
}

/* ---- secrets and images ---- */

/* A Secret whose name and key the operator does not ask for. */
static void check_fixed(struct plumb_resolve *rs, const struct plumb_spec_value *secret,
                        const char *what, const char *name, const char *key)
{
    struct plumb_text given = plumb_plan_text(rs, secret, "secret");
    struct plumb_text part = plumb_plan_text(rs, secret, "key");

    if (given.v != NULL && strcmp(given.v, name) != 0)
        NOT_IN_FLAVOUR(rs, given.at, "Soperator reads %s from Secret '%s', not from '%s'", what,
                       name, given.v);
    if (part.v != NULL && strcmp(part.v, key) != 0)
        NOT_IN_FLAVOUR(rs, part.at, "Soperator reads %s from key '%s' of its Secret, not from '%s'",
                       what, key, part.v);
}

static void need_image(struct plumb_resolve *rs, const struct plumb_kube_plan *p,
                       const struct plumb_text *image, const char *key)
{
    if (image->v == NULL)
        NOT_IN_FLAVOUR(rs, p->at,
                       "Soperator has no image of its own for its pods: expected "
                       "'kubernetes.images.%s'",
                       key);
}

/* A NodeSet names repository and tag apart. */
static void need_tag(struct plumb_resolve *rs, const struct plumb_text *image)
{
    const char *name = NULL;

    if (image->v == NULL)
        return;
    name = strrchr(image->v, '/');
    if (strchr(name == NULL ? image->v : name, ':') == NULL)
        NOT_IN_FLAVOUR(rs, image->at,
                       "a NodeSet of Soperator takes images by tag, '%s' has none: expected "
                       "'NAME:TAG'",
                       image->v);
}

static void resolve_images(struct plumb_resolve *rs, const struct plumb_kube_plan *p)
{
    need_image(rs, p, &p->controller_image, "controller");
    need_image(rs, p, &p->worker_image, "worker");
    need_image(rs, p, &p->login_image, "login");
    need_image(rs, p, &p->munge_image, "munge");
    need_image(rs, p, &p->jail_image, "jail");
    need_image(rs, p, &p->config_image, "config");
    if (rs->m->settings[PLUMB_SLURMDBD_CONF].count > 0)
        need_image(rs, p, &p->database_image, "database");
    if (plumb_usable(p->rest) && p->rest.v)
        need_image(rs, p, &p->rest_image, "rest");
    if (p->sssd.name.v != NULL)
        need_image(rs, p, &p->sssd_image, "sssd");
    need_tag(rs, &p->worker_image);
    need_tag(rs, &p->munge_image);
    need_tag(rs, &p->sssd_image);
}

static void resolve_secrets(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                            struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *database = plumb_plan_get(&rs->spec->root, "database");
    const struct plumb_spec_value *sssd = plumb_plan_get(map, "sssd");

    check_fixed(rs, plumb_plan_get(map, "munge_key"), "the key of munge",
                plumb_arena_printf(rs->a, "%s-munge", p->name.v), "munge.key");
    check_fixed(rs, plumb_plan_get(map, "jwt_key"), "the key of tokens",
                plumb_arena_printf(rs->a, "%s-rest-jwt-key", p->name.v), "rest_jwt.key");
    p->sssd = plumb_plan_secret(rs, sssd, NULL, "sssd.conf", map->key_at);
    if (p->sssd.name.v != NULL)
        check_fixed(rs, sssd, "the configuration of sssd", p->sssd.name.v, "sssd.conf");
    p->password = plumb_plan_secret(rs, plumb_plan_get(database, "storage/password"), NULL,
                                    "password", map->key_at);
    if (database != NULL && p->password.name.v == NULL)
        NOT_IN_FLAVOUR(rs, database->key_at,
                       "slurmdbd of Soperator needs the password of its database, expected a "
                       "reference to it as 'database.storage.password'");
}

/* ---- volumes and services ---- */

static void resolve_volumes(struct plumb_resolve *rs, struct plumb_kube_plan *p)
{
    if (p->claim.v == NULL && !plumb_usable(p->state_bytes))
        NOT_IN_FLAVOUR(rs, p->at,
                       "slurmctld of Soperator keeps its state on a volume, expected "
                       "'kubernetes.storage.state' or 'kubernetes.storage.claim'");
    if (p->jail_claim.v == NULL && !plumb_usable(p->jail_bytes))
        NOT_IN_FLAVOUR(rs, p->at,
                       "all pods of Soperator share a root file system, expected "
                       "'kubernetes.storage.jail' with its size or claim");
    if (p->jail_claim.v == NULL)
        p->jail_claim = (struct plumb_text){
            .v = plumb_arena_printf(rs->a, "%s-jail", p->name.v),
            .at = p->at,
            .origin = PLUMB_DEFAULTED,
        };
    if (p->jail_class.v == NULL)
        p->jail_class = p->storage_class;
}

/* SshdServiceType and SshdServiceNodePort of internal/values/validate.go: with another one, the
 * operator does nothing at all. */
static void resolve_service(struct plumb_resolve *rs, const struct plumb_kube_plan *p)
{
    bool port = plumb_usable(p->login_port);

    if (p->login_service.v == NULL)
        NOT_IN_FLAVOUR(rs, p->at,
                       "Soperator makes a Service for its login pods in any case, expected "
                       "'kubernetes.service.login' as LoadBalancer or NodePort");
    else if (strcmp(p->login_service.v, "ClusterIP") == 0)
        NOT_IN_FLAVOUR(rs, p->login_service.at,
                       "Soperator refuses a SlurmCluster whose login pods have a Service of kind "
                       "'ClusterIP', expected LoadBalancer or NodePort");
    else if (strcmp(p->login_service.v, "NodePort") == 0 && !port)
        NOT_IN_FLAVOUR(rs, p->login_service.at,
                       "Soperator takes NodePort with the number of the port alone, expected "
                       "'login_port'");
    else if (strcmp(p->login_service.v, "NodePort") != 0 && port)
        NOT_IN_FLAVOUR(rs, p->login_port.at,
                       "only a Service of kind NodePort has a port of each "
                       "node, expected 'login: NodePort' or no "
                       "'login_port'");
    if (port && (p->login_port.v < 30000 || p->login_port.v > 32767))
        NOT_IN_FLAVOUR(rs, p->login_port.at,
                       "port %llu is none that Kubernetes opens on each node, expected 30000 to "
                       "32767",
                       (unsigned long long)p->login_port.v);
}

/* ReconcileREST of internal/controller/clustercontroller/rest.go */
static void resolve_rest(struct plumb_resolve *rs, const struct plumb_kube_plan *p)
{
    if (plumb_usable(p->rest) && p->rest.v && rs->m->settings[PLUMB_SLURMDBD_CONF].count == 0)
        NOT_IN_FLAVOUR(rs, p->rest.at,
                       "Soperator runs slurmrestd beside slurmdbd alone, expected a section "
                       "'database'");
}

/* The operator writes MetricsType unless it is told not to; a release without it ends there. */
static void resolve_metrics(struct plumb_resolve *rs, struct plumb_kube_plan *p)
{
    if (plumb_param_known(rs->s->table, PLUMB_P_SLURM_METRICSTYPE, rs->m->release))
        return;
    if (plumb_usable(p->metrics) && p->metrics.v)
        NOT_IN_FLAVOUR(rs, p->metrics.at,
                       "Slurm %s has no MetricsType, which Soperator writes for metrics: expected "
                       "a later release, or 'metrics: false'",
                       plumb_release_name(rs->m->release));
    p->metrics = (struct plumb_bool){.v = false, .at = p->at, .origin = PLUMB_DERIVED};
}

static void refuse_topology(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *topology = plumb_plan_get(&rs->spec->root, "topology");

    if (topology != NULL)
        NOT_IN_FLAVOUR(rs, topology->key_at,
                       "section 'topology' places machines, Soperator takes the place of a pod "
                       "from the labels 'topologyconf.slurm.nebius.ai/tier-1' and so on of its "
                       "Node: the units would be lost");
}

/* ---- settings ---- */

static bool is_given(const struct plumb_setting *s)
{
    return s->origin == PLUMB_GIVEN;
}

static struct plumb_span place_of(const struct plumb_setting *s)
{
    return plumb_span_known(s->key_at) ? s->key_at : s->value.at;
}

static void check_database(struct plumb_resolve *rs, const struct plumb_kube_plan *p)
{
    const struct plumb_settings *all = &rs->m->settings[PLUMB_SLURMDBD_CONF];
    const struct plumb_kube_writes *w = p->writes;
    const struct plumb_setting *name = plumb_setting(all, PLUMB_P_DBD_STORAGELOC);

    if (name != NULL && !plumb_slice_is_exact(&name->value, "slurm_acct_db"))
        NOT_IN_FLAVOUR(rs, name->value.at,
                       "slurmdbd of Soperator uses database 'slurm_acct_db', not '%.*s'",
                       (int)name->value.len, name->value.text);
    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_setting *s = &all->items[i];
        const struct plumb_kube_slot *slot =
            plumb_kube_slot(w->slots_dbd, w->slot_dbd_count, s->param->name);

        if (!is_given(s) ||
            plumb_kube_own(w->owned_dbd, w->owned_dbd_count, s->param->name) != NULL)
            continue;
        if (slot == NULL)
            NOT_IN_FLAVOUR(rs, place_of(s), NO_FIELD, s->param->name);
        else if (plumb_kube_slot_text(rs->a, slot, &s->value) == NULL)
            NOT_IN_FLAVOUR(rs, s->value.at,
                           "field '%s' of Soperator does not take '%.*s': expected %s", slot->path,
                           (int)s->value.len, s->value.text, slot->takes);
    }
}

/* What has a field and can stand nowhere else. */
static void check_fields(struct plumb_resolve *rs, const struct plumb_kube_plan *p)
{
    const struct plumb_settings *all = &rs->m->settings[PLUMB_SLURM_CONF];
    const struct plumb_kube_writes *w = p->writes;

    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_setting *s = &all->items[i];
        const struct plumb_kube_owned *own =
            plumb_kube_own(w->owned, w->owned_count, s->param->name);
        const struct plumb_kube_slot *slot =
            plumb_kube_slot(w->slots, w->slot_count, s->param->name);

        if (!is_given(s) || own == NULL || slot == NULL || strcmp(own->advice, "error") != 0)
            continue;
        if (plumb_kube_slot_text(rs->a, slot, &s->value) == NULL)
            NOT_IN_FLAVOUR(rs, s->value.at,
                           "field '%s' of Soperator does not take '%.*s': expected %s", slot->path,
                           (int)s->value.len, s->value.text, slot->takes);
        for (size_t k = i + 1; k < all->count; k++) {
            if (all->items[k].param == s->param && is_given(&all->items[k]))
                NOT_IN_FLAVOUR(
                    rs, all->items[k].value.at,
                    "field '%s' of Soperator has room for one %s, this one would be lost",
                    slot->path, s->param->name);
        }
    }
}

static void resolve_soperator(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                              const struct plumb_kube_table *t, struct plumb_kube_plan *p)
{
    resolve_name(rs, p);
    resolve_controllers(rs, t);
    resolve_secrets(rs, map, p);
    resolve_images(rs, p);
    resolve_volumes(rs, p);
    resolve_service(rs, p);
    resolve_rest(rs, p);
    resolve_metrics(rs, p);
    refuse_topology(rs);
    check_database(rs, p);
    check_fields(rs, p);
}

const struct plumb_plan_flavour plumb_plan_soperator = {
    .name = "soperator",
    .says = "Soperator",
    .flavour = PLUMB_OF_SOPERATOR,
    .unread = unread,
    .unread_count = PLUMB_COUNT(unread),
    .resolve = resolve_soperator,
};
