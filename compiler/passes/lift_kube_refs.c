/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References between objects: rows of paths, and what happens when nothing is there. Facts:
 * slurm-operator v1.2.1 (controller_webhook.go, controller_config.go, controller_app.go,
 * worker_app.go), soperator 4.1.7; core/v1 for pods.
 */
#include <string.h>

#include "passes/lift_kube.h"

#define WAITS    "the pod waits for ever for its volume"
#define PENDING  "the pod stays Pending"
#define NO_WORDS "the operator does nothing with the object and says so in its log alone"

struct row {
    enum plumb_kube_flavour flavour;
    const char *from, *path; /* kind; path of the reference, [] for each item of a list */
    const char *kind;        /* of what is named */
    const char *name, *key;  /* fields of the reference; name NULL: it is the name itself */
    const char *then;
    bool always;
};

static const struct row rows[] = {
    {PLUMB_OF_SLINKY, "Controller", "spec/slurmKeyRef", "Secret", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "Controller", "spec/jwtKeyRef", "Secret", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "Controller", "spec/jwtHs256KeyRef", "Secret", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "Controller", "spec/jwksKeyRef", "ConfigMap", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "Controller", "spec/configFileRefs[]", "ConfigMap", "name", NULL,
     "the webhook refuses the Controller", false},
    {PLUMB_OF_SLINKY, "Controller", "spec/prologScriptRefs[]", "ConfigMap", "name", NULL,
     "the operator cannot build slurm.conf", false},
    {PLUMB_OF_SLINKY, "Controller", "spec/epilogScriptRefs[]", "ConfigMap", "name", NULL,
     "the operator cannot build slurm.conf", false},
    {PLUMB_OF_SLINKY, "Controller", "spec/prologSlurmctldScriptRefs[]", "ConfigMap", "name", NULL,
     "the operator cannot build slurm.conf", false},
    {PLUMB_OF_SLINKY, "Controller", "spec/epilogSlurmctldScriptRefs[]", "ConfigMap", "name", NULL,
     "the operator cannot build slurm.conf", false},
    {PLUMB_OF_SLINKY, "Controller", "spec/accountingRef", "Accounting", "name", NULL,
     "the operator writes accounting_storage/none without a word", true},
    {PLUMB_OF_SLINKY, "Controller", "spec/persistence/existingClaim", "PersistentVolumeClaim", NULL,
     NULL, PENDING, false},
    {PLUMB_OF_SLINKY, "NodeSet", "spec/controllerRef", "Controller", "name", NULL, NO_WORDS, false},
    {PLUMB_OF_SLINKY, "NodeSet", "spec/ssh/sssdConfRef", "Secret", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "LoginSet", "spec/controllerRef", "Controller", "name", NULL, NO_WORDS,
     false},
    {PLUMB_OF_SLINKY, "LoginSet", "spec/sssdConfRef", "Secret", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "RestApi", "spec/controllerRef", "Controller", "name", NULL, NO_WORDS, false},
    {PLUMB_OF_SLINKY, "Accounting", "spec/slurmKeyRef", "Secret", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "Accounting", "spec/jwtKeyRef", "Secret", "name", "key", WAITS, false},
    {PLUMB_OF_SLINKY, "Accounting", "spec/storageConfig/passwordKeyRef", "Secret", "name", "key",
     "the operator cannot write slurmdbd.conf", false},
    {PLUMB_OF_SLINKY, "Token", "spec/jwtKeyRef", "Secret", "name", "key",
     "the operator cannot sign the token", false},
    {PLUMB_OF_SOPERATOR, "NodeSet", "spec/slurmd/volumes/jail/persistentVolumeClaim/claimName",
     "PersistentVolumeClaim", NULL, NULL, PENDING, false},
    {PLUMB_OF_SOPERATOR, "NodeSet", "spec/slurmd/volumes/spool/persistentVolumeClaim/claimName",
     "PersistentVolumeClaim", NULL, NULL, PENDING, false},
    {PLUMB_OF_SOPERATOR, "SlurmCluster", "spec/volumeSources[]/persistentVolumeClaim/claimName",
     "PersistentVolumeClaim", NULL, NULL, PENDING, false},
    {PLUMB_OF_SOPERATOR, "SlurmCluster", "spec/partitionConfiguration/partitions[]/nodeSetRefs[]",
     "NodeSet", NULL, NULL, "slurmctld refuses the partition", false},
    {PLUMB_OF_SUNK, "NodeSet", "spec/clusterRef", "SlurmCluster", "name", NULL, NO_WORDS, false},
    {PLUMB_OF_SUNK, "ReservationBinding", "spec/clusterRef", "SlurmCluster", "name", NULL, NO_WORDS,
     false},
    {PLUMB_OF_SUNK, "Login", "spec/clusterRef", "SlurmCluster", "name", NULL, NO_WORDS, false},
    {PLUMB_OF_SUNK, "Login", "spec/sshKeysSecret", "Secret", NULL, NULL, WAITS, false},
    {PLUMB_OF_SUNK, "SlurmConfig", "spec/clusterRef", "SlurmCluster", "name", NULL, NO_WORDS,
     false},
    {PLUMB_OF_SUNK, "SlurmClusterAccount", "spec/clusterRef", "SlurmCluster", "name", NULL,
     NO_WORDS, false},
    {PLUMB_OF_SUNK, "SlurmClusterUser", "spec/clusterRef", "SlurmCluster", "name", NULL, NO_WORDS,
     false},
    {PLUMB_OF_SUNK, "SlurmCluster", "spec/login/sshKeysSecret", "Secret", NULL, NULL, WAITS, false},
    {PLUMB_OF_SUNK, "SlurmCluster", "spec/prologEpilog/configMap", "ConfigMap", NULL, NULL, WAITS,
     false},
};

/* Those of pods, below a pod spec. */
static const struct row pod_rows[] = {
    {PLUMB_OF_K8S, NULL, "volumes[]/secret/secretName", "Secret", NULL, NULL, WAITS, false},
    {PLUMB_OF_K8S, NULL, "volumes[]/configMap", "ConfigMap", "name", NULL, WAITS, false},
    {PLUMB_OF_K8S, NULL, "volumes[]/persistentVolumeClaim/claimName", "PersistentVolumeClaim", NULL,
     NULL, PENDING, false},
    {PLUMB_OF_K8S, NULL, "containers[]/env[]/valueFrom/secretKeyRef", "Secret", "name", "key",
     "the container does not start", false},
    {PLUMB_OF_K8S, NULL, "containers[]/env[]/valueFrom/configMapKeyRef", "ConfigMap", "name", "key",
     "the container does not start", false},
    {PLUMB_OF_K8S, NULL, "containers[]/envFrom[]/secretRef", "Secret", "name", NULL,
     "the container does not start", false},
    {PLUMB_OF_K8S, NULL, "containers[]/envFrom[]/configMapRef", "ConfigMap", "name", NULL,
     "the container does not start", false},
};

static const char *shown_path(struct plumb_kube_lifter *l, const struct row *row)
{
    char *text = plumb_arena_printf(l->a, "%s", row->path);

    for (char *c = text; *c != '\0'; c++) {
        if (*c == '/')
            *c = '.';
    }
    return text;
}

static void add(struct plumb_kube_lifter *l, const struct plumb_kube_thing *from,
                const struct row *row, const struct plumb_node *n)
{
    struct plumb_kube_model *m = l->to;
    struct plumb_text name =
        plumb_kube_text(l, row->name == NULL ? n : plumb_node_get(n, row->name));
    const char *optional = plumb_node_text(plumb_node_get(n, "optional"));

    if (name.v == NULL || name.v[0] == '\0')
        return;
    m->references = plumb_arena_grow(l->a, m->references, m->reference_count, &m->reference_cap,
                                     sizeof(*m->references));
    m->references[m->reference_count++] = (struct plumb_kube_reference){
        .from = from,
        .kind = row->kind,
        .name = name,
        .key = row->key == NULL ? (struct plumb_text){0}
                                : plumb_kube_text(l, plumb_node_get(n, row->key)),
        .field = shown_path(l, row),
        .then = row->then,
        .always = row->always,
        .optional = optional != NULL && strcmp(optional, "true") == 0,
    };
}

/* Each place that a path leads to. */
static void follow(struct plumb_kube_lifter *l, const struct plumb_kube_thing *from,
                   const struct row *row, const struct plumb_node *n, const char *path)
{
    size_t len = strcspn(path, "/");
    bool each = len > 2 && path[len - 1] == ']';
    const char *rest = path[len] == '/' ? path + len + 1 : NULL;
    const char *key = plumb_arena_strndup(l->session->scratch, path, each ? len - 2 : len);

    n = plumb_node_get(n, key);
    if (n == NULL)
        return;
    if (!each) {
        if (rest == NULL)
            add(l, from, row, n);
        else
            follow(l, from, row, n, rest);
        return;
    }
    for (uint32_t i = 0; n->kind == PLUMB_SEQUENCE && i < n->count; i++) {
        if (rest == NULL)
            add(l, from, row, n->items[i]);
        else
            follow(l, from, row, n->items[i], rest);
    }
}

/* Where the pods of an object are described. */
static const struct plumb_node *pod_of(const struct plumb_kube_object *o)
{
    static const char *const paths[] = {"spec/template/spec",
                                        "spec/jobTemplate/spec/template/spec"};

    if (strcmp(o->kind, "Pod") == 0)
        return plumb_node_get(o->root, "spec");
    for (size_t i = 0; i < PLUMB_COUNT(paths); i++) {
        const struct plumb_node *n = plumb_node_path(o->root, paths[i]);

        if (n != NULL)
            return n;
    }
    return NULL;
}

void plumb_kube_lift_refs(struct plumb_kube_lifter *l)
{
    for (size_t i = 0; i < l->run->kube->count; i++) {
        const struct plumb_kube_object *o = &l->run->kube->items[i];
        const struct plumb_kube_thing *t = &l->to->things[i];
        const struct plumb_node *pod = pod_of(o);

        if (o->row == NULL)
            continue; /* no table has it: its fields may mean something else */
        for (size_t k = 0; k < PLUMB_COUNT(rows); k++) {
            if (rows[k].flavour == t->flavour && strcmp(rows[k].from, o->kind) == 0)
                follow(l, t, &rows[k], o->root, rows[k].path);
        }
        for (size_t k = 0; pod != NULL && k < PLUMB_COUNT(pod_rows); k++)
            follow(l, t, &pod_rows[k], pod, pod_rows[k].path);
    }
}
