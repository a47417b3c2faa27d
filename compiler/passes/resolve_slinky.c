/* SPDX-License-Identifier: Apache-2.0 */
/* Section kubernetes for slurm-operator: secrets, a second controller, and what it cannot do. */
#include <string.h>

#include "kube/value.h"
#include "passes/resolve_kube.h"

static const char slinky_api[] = "slinky.slurm.net/v1beta1";

#define NO_IMAGE(key)                                                                              \
    {                                                                                              \
        "images/" key, "Slinky starts no pod of image '" key "', expected none"                    \
    }

static const struct plumb_plan_unread unread[] = {
    {"munge_key", "Slinky runs auth/slurm and no munge, so 'munge_key' is read by nobody: "
                  "expected 'slurm_key'"},
    {"ssh_keys", "a LoginSet of Slinky takes keys of root as text and from no secret, "
                 "expected 'root_keys'"},
    {"host_keys", "a LoginSet of Slinky keeps keys of its sshd itself, expected no 'host_keys'"},
    {"storage/jail", "pods of Slinky share no root file system, expected no 'jail'"},
    {"service/login_port", "Kubernetes chooses the port of a LoginSet, expected no 'login_port'"},
    NO_IMAGE("munge"),
    NO_IMAGE("jail"),
    NO_IMAGE("config"),
    NO_IMAGE("sssd"),
};

static const struct plumb_kube_field *field_of(const struct plumb_kube_table *t, const char *key)
{
    return plumb_plan_field(t, slinky_api, "Controller", key);
}

static void resolve_backup(struct plumb_resolve *rs, const struct plumb_kube_table *t,
                           struct plumb_kube_plan *p)
{
    struct plumb_span second = {0};

    if (rs->m->controller_count < 2)
        return;
    second = rs->m->controllers[1].name.at;
    if (rs->m->controller_count > 2)
        NOT_IN_FLAVOUR(rs, rs->m->controllers[2].name.at,
                       "%zu controllers are asked for, Slinky is given one and one backup",
                       rs->m->controller_count);
    if (field_of(t, "ha") == NULL) {
        NOT_IN_FLAVOUR(rs, second,
                       "Slinky %s runs one controller, the backup would be lost: expected one "
                       "host, or release %s, which runs two on a ReadWriteMany claim",
                       t->release, plumb_plan_first_with("slinky", slinky_api, "Controller", "ha"));
        return;
    }
    p->backup = true;
    if (p->claim.v == NULL)
        NOT_IN_FLAVOUR(rs, second,
                       "two controllers share their state, which Slinky takes from an existing "
                       "claim: expected 'kubernetes.storage.claim'");
    else if (p->storage_access.v == NULL || strcmp(p->storage_access.v, "ReadWriteMany") != 0)
        NOT_IN_FLAVOUR(rs, plumb_usable(p->storage_access) ? p->storage_access.at : p->claim.at,
                       "two controllers share claim '%s', expected 'access: ReadWriteMany'",
                       p->claim.v);
}

static void resolve_secrets(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                            struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *database = plumb_plan_get(&rs->spec->root, "database");
    const struct plumb_spec_value *password = plumb_plan_get(database, "storage/password");

    p->slurm_key = plumb_plan_secret(rs, plumb_plan_get(map, "slurm_key"),
                                     plumb_arena_printf(rs->a, "%s-auth-slurm", p->name.v),
                                     "slurm.key", map->key_at);
    p->jwt_key = plumb_plan_secret(rs, plumb_plan_get(map, "jwt_key"),
                                   plumb_arena_printf(rs->a, "%s-auth-jwt", p->name.v), "jwt.key",
                                   map->key_at);
    p->sssd = plumb_plan_secret(rs, plumb_plan_get(map, "sssd"), NULL, "sssd.conf", map->key_at);
    p->password = plumb_plan_secret(rs, password, NULL, "password", map->key_at);
    if (rs->m->login_hosts != NULL && p->sssd.name.v == NULL)
        NOT_IN_FLAVOUR(rs, rs->m->login_hosts->at,
                       "a LoginSet of Slinky does not start without sssd.conf, expected a "
                       "reference to it as 'kubernetes.sssd'");
    if (database != NULL && p->password.name.v == NULL)
        NOT_IN_FLAVOUR(rs, database->key_at,
                       "an Accounting of Slinky needs the password of its database, expected a "
                       "reference to it as 'database.storage.password'");
}

/* Units name machines; pods have other names, and the operator has their places from Nodes. */
static void refuse_topology(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *topology = plumb_plan_get(&rs->spec->root, "topology");

    if (topology != NULL)
        NOT_IN_FLAVOUR(rs, topology->key_at,
                       "section 'topology' places machines, Slinky takes the place of a pod from "
                       "the annotation 'topology.slinky.slurm.net/spec' of its Node: the units "
                       "would be lost");
}

static void resolve_slinky(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                           const struct plumb_kube_table *t, struct plumb_kube_plan *p)
{
    resolve_secrets(rs, map, p);
    resolve_backup(rs, t, p);
    refuse_topology(rs);
}

const struct plumb_plan_flavour plumb_plan_slinky = {
    .name = "slinky",
    .says = "Slinky",
    .flavour = PLUMB_OF_SLINKY,
    .unread = unread,
    .unread_count = PLUMB_COUNT(unread),
    .resolve = resolve_slinky,
};

/* ---- values of the chart ---- */

/* The templates write it without quotes: "010" would arrive as a number. */
static void refuse_cluster(struct plumb_resolve *rs)
{
    const struct plumb_text *name = &rs->m->cluster;
    struct plumb_node plain = {.kind = PLUMB_SCALAR};

    if (name->v == NULL)
        return;
    plain.scalar = (struct plumb_slice){.text = name->v, .len = (uint32_t)strlen(name->v)};
    if (plumb_kube_json_of(&plain) != PLUMB_KUBE_IS_STRING)
        NOT_IN_FLAVOUR(rs, name->at,
                       "the chart of Slinky writes the name of the cluster without quotes, and "
                       "'%s' is no text in YAML then: expected another name, or 'form: objects'",
                       name->v);
}

static void resolve_values(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                           const struct plumb_kube_table *t, struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *gitops = plumb_plan_get(map, "gitops");

    resolve_slinky(rs, map, t, p);
    refuse_cluster(rs);
    if (gitops != NULL)
        NOT_IN_FLAVOUR(rs, gitops->key_at, "%s", PLUMB_PLAN_NO_GITOPS);
    if (p->backup)
        NOT_IN_FLAVOUR(rs, rs->m->controllers[1].name.at,
                       "the chart of Slinky 1.2 has no value for a second controller, the backup "
                       "would be lost: expected one host, or 'form: objects'");
}

const struct plumb_plan_flavour plumb_plan_slinky_values = {
    .name = "slinky-chart",
    .says = "the chart of Slinky",
    .flavour = PLUMB_OF_SLINKY_CHART,
    .unread = unread,
    .unread_count = PLUMB_COUNT(unread),
    .resolve = resolve_values,
};
