/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of a bundle and what they say of each other: references, twice the same object, entries
 * of a kustomization, secrets in plain text.
 */
#include <string.h>

#include "base/map.h"
#include "base/path.h"
#include "base/text.h"
#include "model/kube.h"
#include "passes/pass.h"
#include "rules/check.h"

/* ---- references ---- */

static void suggest(struct plumb_diag *d, const struct plumb_kube_model *m, const char *kind,
                    const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);

    for (size_t i = 0; i < m->thing_count; i++) {
        if (strcmp(m->things[i].makes, kind) == 0 && m->things[i].name.v != NULL)
            plumb_nearest_offer(&near, m->things[i].name.v);
    }
    if (near.best != NULL)
        plumb_diag_help(d, "did you mean '%s'?", near.best);
}

/*
 * KUBE040. Secrets and volumes are often made by hand: where a bundle has none of the kind, it is
 * not the bundle that says what there is.
 */
static void reference_there(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->reference_count; i++) {
        const struct plumb_kube_reference *r = &m->references[i];
        struct plumb_diag *d = NULL;

        if (r->optional || !m->whole ||
            (!r->always && !plumb_kube_has(m, r->kind, r->from->space)) ||
            plumb_kube_find(m, r->kind, r->from->space, r->name.v) != NULL)
            continue;
        d = plumb_report(ck, r->name.at, "%s names no %s '%s' of this bundle%s%s; %s", r->field,
                         r->kind, r->name.v, r->from->space[0] == '\0' ? "" : " in namespace ",
                         r->from->space, r->then);
        suggest(d, m, r->kind, r->name.v);
    }
}

static const struct plumb_kube_key *key_of(const struct plumb_kube_thing *t, const char *name)
{
    for (size_t i = 0; i < t->key_count; i++) {
        if (strcmp(t->keys[i].name.v, name) == 0)
            return &t->keys[i];
    }
    return NULL;
}

/* KUBE041 */
static void key_there(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->reference_count; i++) {
        const struct plumb_kube_reference *r = &m->references[i];
        const struct plumb_kube_thing *t = plumb_kube_find(m, r->kind, r->from->space, r->name.v);
        struct plumb_diag *d = NULL;

        if (t == NULL || r->key.v == NULL || r->optional || t->open_keys ||
            key_of(t, r->key.v) != NULL)
            continue;
        if (t->key_count == 1)
            d = plumb_report(ck, r->key.at, "%s '%s' has no key '%s', expected '%s'; %s", r->kind,
                             r->name.v, r->key.v, t->keys[0].name.v, r->then);
        else
            d = plumb_report(ck, r->key.at, "%s '%s' has no key '%s' among its %zu; %s", r->kind,
                             r->name.v, r->key.v, t->key_count, r->then);
        plumb_diag_note(d, t->name.at, "this %s", t->kind);
    }
}

/* ---- twice ---- */

/* The position of the file of an object in the kustomization; behind all: it is not in it. */
static size_t rank(const struct plumb_kube_model *m, const struct plumb_kube_thing *t)
{
    for (size_t i = 0; i < m->entry_count; i++) {
        if (plumb_ends_with(t->path, m->entries[i].path.v))
            return i;
    }
    return m->entry_count;
}

/*
 * KUBE042: the id of kustomize and of the API server: group, kind, namespace and name. In one
 * folder: several may be overlays, or of several clusters.
 */
static void object_once(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < m->thing_count; i++) {
        const struct plumb_kube_thing *t = &m->things[i];
        const char *slash = strchr(t->api, '/');
        const char *id =
            t->name.v == NULL || t->name.v[0] == '\0' || t->generated || t->patch
                ? NULL
                : plumb_arena_printf(ck->scratch, "%.*s/%s/%s/%s/%s",
                                     slash == NULL ? 0 : (int)(slash - t->api), t->api, t->kind,
                                     t->space, t->name.v, plumb_path_folder(ck->scratch, t->path));
        struct plumb_map_entry *e = id == NULL ? NULL : plumb_map_entry(&seen, id, strlen(id));
        struct plumb_diag *d = NULL;
        size_t first = 0;

        if (e == NULL)
            continue;
        if (e->value == NULL) {
            e->value = &m->things[i];
            continue;
        }
        first = (size_t)((const struct plumb_kube_thing *)e->value - m->things);
        if (rank(m, &m->things[first]) >
            rank(m, t)) { /* kustomize reads them the other way round */
            t = &m->things[first];
            first = i;
        }
        d = plumb_report(ck, t->name.at,
                         "%s '%s'%s%s is there twice; kustomize stops, and kubectl apply leaves "
                         "what it reads last",
                         t->kind, t->name.v, t->space[0] == '\0' ? "" : " of namespace ", t->space);
        plumb_diag_note(d, m->things[first].name.at, "first here");
    }
}

/* KUBE043 */
static void entry_there(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->entry_count; i++) {
        if (m->entries[i].missing)
            plumb_report(
                ck, m->entries[i].path.at,
                "there is no file or folder '%s' beside the kustomization; kustomize stops",
                m->entries[i].path.v);
    }
}

/* ---- secrets ---- */

/* KUBE044 */
static void secret_hidden(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->thing_count; i++) {
        if (plumb_span_known(m->things[i].secret))
            plumb_report(ck, m->things[i].secret,
                         "Secret '%s' has its value in the manifest, expected an ExternalSecret, a "
                         "SealedSecret or a file encrypted with SOPS; base64 hides nothing",
                         m->things[i].name.v);
    }
}

/* KUBE045 */
static void password_hidden(const struct plumb_check *ck)
{
    static const char *const keys[] = {"StoragePass", "AccountingStoragePass", "JobCompPass"};
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->accounting_count + m->cluster_count; i++) {
        const struct plumb_kube_words *w = i < m->accounting_count
                                               ? &m->accounting[i]
                                               : &m->clusters[i - m->accounting_count].conf;

        for (size_t k = 0; k < PLUMB_COUNT(keys); k++) {
            const struct plumb_kube_word *word = plumb_kube_word(w, keys[k]);

            if (word != NULL && word->value.len > 0)
                plumb_report(ck, word->value.at,
                             "'%s' is a password that everyone can read who may read the custom "
                             "resource, and overrides the one of passwordKeyRef, expected "
                             "passwordKeyRef alone",
                             keys[k]);
        }
    }
}

#define AUTH(name)                                                                                 \
    "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: " name             \
    "}\nspec:\n  data:\n    - {secretKey: slurm.key, remoteRef: {key: a}}\n---\n"
#define CONTROLLER                                                                                 \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: slurm}\nspec:\n"     \
    "  jwtKeyRef: {name: auth, key: slurm.key}\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE040",
        .name = "reference-missing",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "an object names another that is not there",
        .why = "No schema tells. Depending on the field a pod waits for ever, the webhook refuses "
               "the object, or the operator goes on as if nothing were named.",
        .ref = "slurm-operator, controller_webhook.go, controller_config.go, controller_app.go",
        .bad = AUTH("auth") CONTROLLER "  slurmKeyRef: {name: auht, key: slurm.key}",
        .good = AUTH("auth") CONTROLLER "  slurmKeyRef: {name: auth, key: slurm.key}",
        .run = reference_there,
    },
    {
        .code = "KUBE041",
        .name = "reference-key",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "an object names a key that the Secret or ConfigMap does not have",
        .why = "The volume of the pod cannot be made.",
        .ref = "slurm-operator, controller_app.go:controllerVolumes; Kubernetes, projected volumes",
        .bad = AUTH("auth") CONTROLLER "  slurmKeyRef: {name: auth, key: slurm_key}",
        .good = AUTH("auth") CONTROLLER "  slurmKeyRef: {name: auth, key: slurm.key}",
        .run = key_there,
    },
    {
        .code = "KUBE042",
        .name = "object-twice",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "two objects of a bundle are the same one",
        .why =
            "kustomize stops at an id that is registered already; with plain apply the later one "
            "overwrites the other without a word.",
        .ref = "kustomize, resmap: may not add resource with an already registered id",
        .bad = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\n---\napiVersion: v1\n"
               "kind: ConfigMap\nmetadata: {name: conf}",
        .good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\n---\napiVersion: v1\n"
                "kind: ConfigMap\nmetadata: {name: conf-2}",
        .run = object_once,
    },
    {
        .code = "KUBE043",
        .name = "kustomization-entry",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a kustomization lists a file that is not there",
        .why = "kustomize stops: nothing of the folder is made.",
        .ref = "kustomize, resources",
        .bad = "# kustomization.yaml\nresources: [conf-map.yaml]\n# conf.yaml\napiVersion: v1\n"
               "kind: ConfigMap\nmetadata: {name: conf}",
        .good = "# kustomization.yaml\nresources: [conf.yaml]\n# conf.yaml\napiVersion: v1\n"
                "kind: ConfigMap\nmetadata: {name: conf}",
        .run = entry_there,
    },
    {
        .code = "KUBE044",
        .name = "secret-in-manifest",
        .severity = PLUMB_WARNING,
        .secret = true,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a Secret has its value in the manifest",
        .why = "Whoever can read the repository has it. base64 is no encryption.",
        .ref = "Kubernetes, Good practices for Secrets",
        .bad = "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {note: x}",
        .good = "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: db}\n"
                "spec:\n  data:\n    - {secretKey: note, remoteRef: {key: db}}",
        .run = secret_hidden,
    },
    {
        .code = "KUBE045",
        .name = "password-in-conf",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "extraConf holds a password",
        .why = "Custom resources are no Secrets: they are readable for more people, and stand in "
               "dumps and repositories. The operator writes the password of passwordKeyRef itself.",
        .ref = "slurm-operator, accounting_config.go:buildSlurmdbdConf",
        .secret = true,
        .bad = "apiVersion: slinky.slurm.net/v1beta1\nkind: Accounting\nmetadata: {name: slurm}\n"
               "spec:\n  slurmKeyRef: {name: auth, key: slurm.key}\n"
               "  jwtKeyRef: {name: auth, key: jwt.key}\n  extraConf: StoragePass=x",
        .good = "apiVersion: slinky.slurm.net/v1beta1\nkind: Accounting\nmetadata: {name: slurm}\n"
                "spec:\n  slurmKeyRef: {name: auth, key: slurm.key}\n"
                "  jwtKeyRef: {name: auth, key: jwt.key}\n  extraConf: ArchiveJobs=yes",
        .run = password_hidden,
    },
};

const struct plumb_rule_family plumb_kube_ref_rules = {
    .prefix = "KUBE",
    .title = "References between objects",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
