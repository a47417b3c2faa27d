/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Section kubernetes for the dialect of the guides for SUNK. Its objects have few fields: what has
 * none is refused with the way that is left, never dropped. Facts: the guides; what the operator
 * writes itself is the section owned of schema/kube/sunk-guide.yaml.
 */
#include <string.h>

#include "base/text.h"
#include "passes/resolve_kube.h"

/* What has no field, why, and what is to be done instead. */
static const struct {
    const char *path, *reason;
} fieldless[] = {
    {"storage/claim", "the operator makes the claim of a SlurmCluster itself, expected 'class' and "
                      "'state', from which it is made"},
    {"slurm_key", "the pods of SUNK run munge and no auth/slurm, the key would be read by nobody: "
                  "expected 'munge_key'"},
    {"jwt_key", "a SlurmCluster has no field for a key of tokens, they would not work: expected no "
                "'jwt_key'; flavor slinky has one"},
    {"sssd", "a SlurmCluster has no field for sssd.conf, nobody could log in by it: expected "
             "'login.identity'; flavor slinky has one"},
    {"images/database", "a SlurmCluster has no field for the image of slurmdbd, the operator's "
                        "would run: expected none; flavor slinky has one"},
    {"images/rest", "there is no slurmrestd in this dialect, it would not run: expected none; "
                    "flavor slinky has one"},
    {"images/munge",
     "a SlurmCluster has no field for the image of munge, the operator's would run: "
     "expected none; flavor soperator has one"},
    {"images/sssd", "no pod of this dialect runs sssd beside it: expected none; flavor soperator "
                    "has one"},
    {"images/jail", "pods of this dialect share no root file system: expected none; flavor "
                    "soperator has one"},
    {"images/config", "pods of this dialect share no root file system: expected none; flavor "
                      "soperator has one"},
    {"storage/jail", "pods of this dialect share no root file system: expected no 'jail'; flavor "
                     "soperator has one"},
    {"root_keys", "login pods of SUNK take keys of root from a secret, these would be lost: "
                  "expected 'ssh_keys'"},
    {"host_keys", "a SlurmCluster has no field for keys of sshd, login pods would tell others: "
                  "expected none; flavor soperator has one"},
    {"service/login_port", "there is no field for the port of each node, Kubernetes would choose "
                           "it: expected no 'login_port'; flavor soperator has one"},
    {"tolerations", "a SlurmCluster has no field for tolerations, its pods would stay away from "
                    "the tainted machines: expected those of workers in their classes; flavor "
                    "slinky has them for all"},
    {"monitoring/metrics", "a SlurmCluster has no field for metrics, nothing would answer to "
                           "Prometheus: expected none; flavor slinky has one"},
};

static void refuse_fieldless(struct plumb_resolve *rs, const struct plumb_spec_value *map)
{
    const struct plumb_spec_value *rest = plumb_plan_get(map, "rest");

    for (size_t i = 0; i < PLUMB_COUNT(fieldless); i++) {
        const struct plumb_spec_value *v = plumb_plan_get(map, fieldless[i].path);

        if (v != NULL && !(v->row->kind == PLUMB_K_BOOL && v->number == 0))
            NOT_IN_FLAVOUR(rs, v->key_at, "%s", fieldless[i].reason);
    }
    if (rest != NULL && rest->number != 0)
        NOT_IN_FLAVOUR(rs, rest->key_at,
                       "there is no slurmrestd in this dialect, it would not run: expected no "
                       "'rest'; flavor slinky has one");
}

/* ---- the controller ---- */

static void resolve_state(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                          struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *storage = plumb_plan_get(map, "storage");

    p->backup = rs->m->controller_count == 2;
    if (rs->m->controller_count > 2)
        NOT_IN_FLAVOUR(rs, rs->m->controllers[2].name.at,
                       "%zu controllers are asked for, the guides for SUNK have one and one "
                       "backup: the others would be lost",
                       rs->m->controller_count);
    if (!plumb_usable(p->state_bytes) || p->storage_class.v == NULL)
        NOT_IN_FLAVOUR(rs, storage == NULL ? map->key_at : storage->key_at,
                       "the state of slurmctld would be lost with its pod, expected 'class' and "
                       "'state' in 'kubernetes.storage'");
    if (p->storage_access.v != NULL && strcmp(p->storage_access.v, "ReadWriteMany") != 0)
        NOT_IN_FLAVOUR(rs, p->storage_access.at,
                       "the claim of the operator is ReadWriteMany, expected this, and a class "
                       "that has it");
}

static void refuse_auth(struct plumb_resolve *rs)
{
    const struct plumb_setting *auth = plumb_setting(plumb_slurm(rs->m), PLUMB_P_SLURM_AUTHTYPE);

    if (auth != NULL && auth->origin == PLUMB_GIVEN && !plumb_slice_is(&auth->value, "auth/munge"))
        NOT_IN_FLAVOUR(rs, auth->value.at,
                       "the pods of SUNK run munge alone, expected 'auth: munge'");
}

/* The name of the Secret that the operator makes; no object has a field for it. */
static void resolve_secrets(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                            struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *munge = plumb_plan_get(map, "munge_key");
    const struct plumb_spec_value *ssh = plumb_plan_get(map, "ssh_keys");
    const struct plumb_spec_value *part = plumb_plan_get(ssh, "key");
    struct plumb_text name = plumb_plan_text(rs, munge, "secret");

    if (name.v != NULL && strcmp(name.v, "munge-key") != 0)
        NOT_IN_FLAVOUR(rs, name.at,
                       "the Secret of munge is the operator's and is called 'munge-key', expected "
                       "this name: a SlurmCluster has no field for another");
    p->ssh_keys = plumb_plan_secret(rs, ssh, NULL, NULL, map->key_at);
    if (part != NULL)
        NOT_IN_FLAVOUR(rs, part->key_at,
                       "login.sshKeysSecret names a Secret and no key of it, expected none");
}

/* ---- the database ---- */

static void resolve_database(struct plumb_resolve *rs, const struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *database = plumb_plan_get(&rs->spec->root, "database");
    const struct plumb_spec_value *storage = plumb_plan_get(database, "storage");
    const struct plumb_spec_value *backup = plumb_plan_get(database, "backup");

    if (database == NULL)
        return;
    if (backup != NULL)
        NOT_IN_FLAVOUR(rs, backup->key_at,
                       "a SlurmCluster has one slurmdbd, the backup would be lost: expected none");
    if (!plumb_usable(p->database_bytes))
        NOT_IN_FLAVOUR(rs, storage != NULL ? storage->key_at : database->key_at,
                       "the operator of SUNK runs a database of its own, what is in this one would "
                       "be lost: expected 'kubernetes.storage.database', the size of the "
                       "operator's; flavor slinky takes one that is there");
    else if (storage != NULL)
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_COMPILED), storage->key_at,
                       "the operator of SUNK runs a database of its own, so this goes to the files "
                       "of target slurm alone");
}

/* ---- the rest ---- */

static void resolve_identity(struct plumb_resolve *rs, struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *identity = plumb_plan_get(&rs->spec->root, "login/identity");

    p->identity = plumb_plan_text(rs, identity, "type");
    p->identity_host = plumb_plan_text(rs, identity, "host");
    if (p->identity.v != NULL && strcmp(p->identity.v, "ldap") != 0)
        NOT_IN_FLAVOUR(rs, p->identity.at,
                       "the guides for SUNK show 'ldap' alone as authConfig.type, expected this");
    else if (identity != NULL && p->identity_host.v == NULL)
        NOT_IN_FLAVOUR(rs, identity->key_at,
                       "authConfig needs ldapHost, expected 'host' in 'login.identity'");
}

static void refuse_topology(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *topology = plumb_plan_get(&rs->spec->root, "topology");

    if (topology != NULL)
        NOT_IN_FLAVOUR(rs, topology->key_at,
                       "section 'topology' places machines, and the operator of SUNK tells nobody "
                       "which machine is which node: the units would be lost, expected none");
}

/* All hosts of the class, or none of them, are reserved. */
static bool takes_whole(struct plumb_resolve *rs, const struct plumb_plan_reservation *r,
                        const struct plumb_nodes *n)
{
    size_t in = n->hosts == NULL ? 0 : plumb_hostlist_intersect(rs->a, n->hosts, r->nodes)->count;

    return n->hosts == NULL || in == 0 || in == n->hosts->count;
}

static void check_binding(struct plumb_resolve *rs, const struct plumb_kube_plan *p,
                          const struct plumb_plan_reservation *r)
{
    if (!plumb_span_known(r->taint.at)) {
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_COMPILED), r->name.at,
                       "reservation '%s' has no taint, and a ReservationBinding is made for one: "
                       "it is left to 'scontrol create reservation'",
                       r->name.v);
        return;
    }
    for (size_t i = 0; r->nodes != NULL && r->selector_count == 0 && i < rs->m->node_count; i++) {
        const struct plumb_nodes *n = &rs->m->nodes[i];
        size_t in =
            n->hosts == NULL ? 0 : plumb_hostlist_intersect(rs->a, n->hosts, r->nodes)->count;

        if (!takes_whole(rs, r, n))
            NOT_IN_FLAVOUR(rs, r->nodes->at,
                           "reservation '%s' takes %zu of the %zu nodes of class '%s', whose "
                           "labels all of them have: every one would be tainted, expected "
                           "'kubernetes.selector' of the reservation, or a class for these nodes",
                           r->name.v, in, (size_t)n->hosts->count, n->class_name);
        else if (in > 0 && p->classes[i].selector_count == 0)
            NOT_IN_FLAVOUR(rs, r->taint.at,
                           "class '%s' has no labels by which its machines could be tainted, "
                           "expected 'kubernetes.selector' of the class or of the reservation",
                           n->class_name);
    }
}

static void resolve_sunk(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                         const struct plumb_kube_table *t, struct plumb_kube_plan *p)
{
    (void)t; /* one table: no release has what another lacks */
    refuse_fieldless(rs, map);
    resolve_state(rs, map, p);
    refuse_auth(rs);
    resolve_secrets(rs, map, p);
    resolve_database(rs, p);
    resolve_identity(rs, p);
    refuse_topology(rs);
    plumb_plan_accounts(rs, p);
    for (size_t i = 0; i < p->reservation_count; i++)
        check_binding(rs, p, &p->reservations[i]);
}

static const char *const compiles[] = {
    "reservations",     "accounting/accounts",
    "login/identity",   "kubernetes/storage/database",
    "kubernetes/hooks", NULL,
};

const struct plumb_plan_flavour plumb_plan_sunk = {
    .name = "sunk",
    .says = "SUNK",
    .flavour = PLUMB_OF_SUNK,
    .compiles = compiles,
    .resolve = resolve_sunk,
};
