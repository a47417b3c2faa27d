/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Section kubernetes for values of the chart of SUNK. What the chart has no value for is refused.
 * Facts: its parameter reference, coreweave/sunk-anywhere, a copy of the chart of 2023
 * (schema/kube/sunk-chart-8.3.yaml).
 */
#include <string.h>

#include "base/text.h"
#include "passes/resolve_kube.h"

/* What has no value, and what is to be done instead. */
static const struct {
    const char *path, *reason;
} valueless[] = {
    {"storage/claim", "the chart makes the claim of the controller itself, expected 'class' and "
                      "'state', from which it is made"},
    {"slurm_key", "the pods of SUNK run munge and no auth/slurm, the key would be read by nobody: "
                  "expected 'munge_key'"},
    {"ssh_keys", "the chart has no value for keys with which somebody logs in, they would not "
                 "work: expected no 'ssh_keys'; 'form: objects' has them"},
    {"sssd", "the chart has no sssd from 8.0 on, nobody could log in by it: expected none; flavor "
             "slinky has one"},
    {"hooks", "the chart takes scripts of prolog and epilog from a ConfigMap each, those of one "
              "would run twice: expected no 'hooks'; 'form: objects' has them"},
    {"gitops", PLUMB_PLAN_NO_GITOPS},
    {"monitoring/metrics", "the chart has no value for metrics of slurmctld, the syncer tells "
                           "them: expected none"},
};

static void refuse_valueless(struct plumb_resolve *rs, const struct plumb_spec_value *map)
{
    const struct plumb_spec_value *topology = plumb_plan_get(&rs->spec->root, "topology");
    const struct plumb_spec_value *identity = plumb_plan_get(&rs->spec->root, "login/identity");

    for (size_t i = 0; i < PLUMB_COUNT(valueless); i++) {
        const struct plumb_spec_value *v = plumb_plan_get(map, valueless[i].path);

        if (v != NULL && !(v->row->kind == PLUMB_K_BOOL && v->number == 0))
            NOT_IN_FLAVOUR(rs, v->key_at, "%s", valueless[i].reason);
    }
    if (topology != NULL)
        NOT_IN_FLAVOUR(rs, topology->key_at,
                       "section 'topology' places machines, SUNK takes the places of pods from "
                       "labels of Nodes: the units would be lost, expected none");
    if (identity != NULL)
        NOT_IN_FLAVOUR(rs, identity->key_at,
                       "the users of the chart come by nsscache, a directory service would be "
                       "asked by nobody: expected no 'identity'; 'form: objects' has it");
}

static void resolve_values(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                           const struct plumb_kube_table *t, struct plumb_kube_plan *p)
{
    const struct plumb_setting *auth = plumb_setting(plumb_slurm(rs->m), PLUMB_P_SLURM_AUTHTYPE);
    const struct plumb_spec_value *database = plumb_plan_get(&rs->spec->root, "database");
    const struct plumb_spec_value *storage = plumb_plan_get(database, "storage");

    (void)t;
    refuse_valueless(rs, map);
    if (rs->m->controller_count > 1)
        NOT_IN_FLAVOUR(rs, rs->m->controllers[1].name.at,
                       "the chart of SUNK runs one slurmctld, the backup would be lost: expected "
                       "one host, or 'form: objects'");
    if (!plumb_usable(p->state_bytes) || p->storage_class.v == NULL)
        NOT_IN_FLAVOUR(rs, map->key_at,
                       "the volume of the controller needs a class and a size, expected 'class' "
                       "and 'state' in 'kubernetes.storage'");
    if (p->storage_access.v != NULL && strcmp(p->storage_access.v, "ReadWriteOnce") != 0)
        NOT_IN_FLAVOUR(rs, p->storage_access.at,
                       "the volume of the controller is ReadWriteOnce, expected this");
    if (auth != NULL && auth->origin == PLUMB_GIVEN && !plumb_slice_is(&auth->value, "auth/munge"))
        NOT_IN_FLAVOUR(rs, auth->value.at,
                       "the pods of SUNK run munge alone, expected 'auth: munge'");
    p->munge_key = plumb_plan_secret(rs, plumb_plan_get(map, "munge_key"), NULL, NULL, map->key_at);
    p->jwt_key = plumb_plan_secret(rs, plumb_plan_get(map, "jwt_key"), NULL, NULL, map->key_at);
    if (database == NULL)
        return;
    if (!plumb_usable(p->database_bytes))
        NOT_IN_FLAVOUR(rs, storage != NULL ? storage->key_at : database->key_at,
                       "the chart of SUNK runs a database of its own, what is in this one would be "
                       "lost: expected 'kubernetes.storage.database', the size of the chart's; "
                       "flavor slinky takes one that is there");
    else if (storage != NULL)
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_COMPILED), storage->key_at,
                       "the chart of SUNK runs a database of its own, so this goes to the files of "
                       "target slurm alone");
}

static const char *const compiles[] = {"kubernetes/storage/database", "kubernetes/hooks", NULL};

const struct plumb_plan_flavour plumb_plan_sunk_values = {
    .name = "sunk-chart",
    .says = "the chart of SUNK",
    .flavour = PLUMB_OF_SUNK_CHART,
    .compiles = compiles, /* hooks are refused above, with another way */
    .resolve = resolve_values,
};
