/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What objects of a bundle say of the same thing, where nobody compares them: GPUs that Slurm is
 * never told of, and files of one name.
 */
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "model/kube.h"
#include "rules/ask.h"
#include "schema/compound.h"

/* ---- GPUs that Slurm is not told of ---- */

static const struct plumb_kube_amount *gpus_of(const struct plumb_kube_nodeset *set)
{
    for (size_t i = 0; i < set->ask_count; i++) {
        const char *resource = set->asks[i].resource;

        if (set->asks[i].milli > 0 && (strcmp(resource, "nvidia.com/gpu") == 0 ||
                                       plumb_starts_with(resource, "nvidia.com/mig-") ||
                                       strcmp(resource, "amd.com/gpu") == 0))
            return &set->asks[i];
    }
    return NULL;
}

static bool tells_gpus(const struct plumb_kube_nodeset *set)
{
    const struct plumb_kube_word *w = plumb_kube_word(&set->conf, "Gres");
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (w != NULL && plumb_gres_next(&w->value, &c, &item)) {
        struct plumb_gres_text text;

        if (plumb_value_gres(&item, &text) != PLUMB_GRES_NO_NAME &&
            plumb_slice_is(&text.name, "gpu"))
            return true;
    }
    return false;
}

/* slurmd.c:_insert_gpu_conf of 26.05 adds what it finds to the line of a dynamic node. */
static const struct plumb_era found_rows[] = {
    {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0, false},
    {PLUMB_26_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0, true},
};
static const struct plumb_eras found = PLUMB_ERAS(found_rows);

/* KUBE071 */
static void gpus_untold(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        const struct plumb_kube_amount *gpus = gpus_of(set);
        bool dynamic = set->thing->flavour == PLUMB_OF_SLINKY;

        if (gpus == NULL || set->thing->flavour == PLUMB_OF_SUNK || tells_gpus(set) ||
            (dynamic && plumb_era_quiet(ck, &found)))
            continue;
        plumb_report(ck, gpus->at,
                     "the pods of NodeSet '%s' hold %s of %s, and Slurm is told of none, expected "
                     "Gres=gpu:%s in %s; no job can ask for them",
                     set->thing->name.v, gpus->text, gpus->resource, gpus->text,
                     dynamic ? "'spec.extraConf'" : "'spec.nodeConfig.static'");
    }
}

/* ---- files of one name ---- */

static bool is_mounted(const struct plumb_kube_reference *ref)
{
    static const char *const fields[] = {
        "spec.configFileRefs[]",
        "spec.prologScriptRefs[]",
        "spec.epilogScriptRefs[]",
        "spec.prologSlurmctldScriptRefs[]",
        "spec.epilogSlurmctldScriptRefs[]",
    };

    for (size_t i = 0; i < PLUMB_COUNT(fields); i++) {
        if (strcmp(ref->field, fields[i]) == 0)
            return true;
    }
    return false;
}

static void note_keys(const struct plumb_check *ck, struct plumb_map *seen,
                      const struct plumb_kube_reference *ref)
{
    const struct plumb_kube_thing *t =
        plumb_kube_find(ck->model->kube, ref->kind, ref->from->space, ref->name.v);

    for (size_t i = 0; t != NULL && i < t->key_count; i++) {
        const struct plumb_kube_key *key = &t->keys[i];
        const char *name = plumb_arena_printf(ck->scratch, "%s/%s", ref->from->name.v, key->name.v);
        const struct plumb_kube_key *first = plumb_map_get(seen, name);
        struct plumb_diag *d = NULL;

        if (first == NULL) {
            plumb_map_set(seen, name, (void *)(uintptr_t)key);
            continue;
        }
        if (first == key)
            continue; /* one ConfigMap, named twice */
        d = plumb_report(ck, key->name.at,
                         "file '%s' is in two ConfigMaps of Controller '%s', expected one; they "
                         "are put into one folder and the later hides the other without a word",
                         key->name.v, ref->from->name.v);
        plumb_diag_note(d, first->name.at, "the other");
    }
}

/* KUBE072: the volume of /etc/slurm is projected from all of them (controller_app.go). */
static void file_twice(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < m->reference_count; i++) {
        const struct plumb_kube_reference *ref = &m->references[i];

        if (ref->from->flavour == PLUMB_OF_SLINKY && ref->name.v != NULL && is_mounted(ref))
            note_keys(ck, &seen, ref);
    }
}

#define CONTROLLER(refs)                                                                           \
    "# manifests.yaml\napiVersion: slinky.slurm.net/v1beta1\nkind: Controller\n"                   \
    "metadata: {name: slurm}\nspec:\n  slurmKeyRef: {name: auth, key: slurm.key}\n"                \
    "  jwtKeyRef: {name: auth, key: jwt.key}\n" refs
#define MAP(name, key)                                                                             \
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name "}\ndata:\n  " key              \
    ": \"#!/bin/sh\"\n"
#define SET(words)                                                                                 \
    "# plumb check --slurm 25.11\n# manifests.yaml\napiVersion: slinky.slurm.net/v1beta1\nkind: "  \
    "NodeSet\n"                                                                                    \
    "metadata: {name: gpu}\nspec:\n  controllerRef: {name: slurm}\n  extraConf: " words            \
    "\n  slurmd: {resources: {limits: {nvidia.com/gpu: 8}}}\n"
static const struct plumb_rule rows[] = {
    {
        .code = "KUBE071",
        .name = "gpus-untold",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "pods hold GPUs of which Slurm is told nothing",
        .why = "No operator makes Gres of what a pod is given. From 26.05 on slurmd of a dynamic "
               "node adds what it finds.",
        .ref = "slurm-operator, NodeSet extraConf; soperator, nodeConfig.static; "
               "slurmd.c:_insert_gpu_conf",
        .bad = SET("Weight=1"),
        .good = SET("Gres=gpu:8"),
        .run = gpus_untold,
    },
    {
        .code = "KUBE072",
        .name = "config-file-twice",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "two ConfigMaps of a Controller have a file of one name",
        .why = "All of them become one folder, /etc/slurm: one of the two files is nowhere.",
        .ref = "controller_app.go; Kubernetes, Projected Volumes",
        .bad = CONTROLLER("  prologScriptRefs: [{name: a}]\n  epilogScriptRefs: [{name: b}]\n")
            MAP("a", "check.sh") MAP("b", "check.sh"),
        .good = CONTROLLER("  prologScriptRefs: [{name: a}]\n  epilogScriptRefs: [{name: b}]\n")
            MAP("a", "prolog-check.sh") MAP("b", "epilog-check.sh"),
        .run = file_twice,
    },
};

const struct plumb_rule_family plumb_kube_bundle_rules = {
    .prefix = "KUBE",
    .title = "Objects of a bundle about one thing",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
