/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data in ConfigMaps that somebody else reads: scripts, lists of metrics, layouts of MIG; volumes
 * that several pods share.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "model/kube.h"
#include "model/mig.h"
#include "passes/pass.h"
#include "rules/check.h"

/* ---- scripts ---- */

static void check_script(const struct plumb_check *ck, const struct plumb_kube_key *key)
{
    const struct plumb_slice *text = &key->value;
    const char *nl = text->len == 0 ? NULL : memchr(text->text, '\n', text->len);
    size_t line = nl == NULL ? text->len : (size_t)(nl - text->text);

    if (text->len == 0 || (text->len > 1 && memcmp(text->text, "#!", 2) == 0))
        return;
    plumb_report(ck, plumb_slice_span(text, 0, line),
                 "script '%s' does not begin with '#!', expected a line such as '#!/bin/bash'; "
                 "Slurm executes it directly, so that it fails and the node is drained",
                 key->name.v);
}

/* KUBE060 */
static void script_begins(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->reference_count; i++) {
        const struct plumb_kube_reference *r = &m->references[i];
        const struct plumb_kube_thing *t = NULL;

        if (strstr(r->field, "ScriptRefs") == NULL)
            continue;
        t = plumb_kube_find(m, r->kind, r->from->space, r->name.v);
        for (size_t k = 0; t != NULL && k < t->key_count; k++)
            check_script(ck, &t->keys[k]);
    }
}

/* ---- metrics ---- */

/* A line as Go's encoding/csv reads it: quotes count at the beginning of a field alone. */
struct csv {
    size_t begin[3], end[3];
    size_t count, bare; /* bare: a quote in a field without quotes; SIZE_MAX: none */
};

static struct csv read_csv(const char *text, size_t begin, size_t end)
{
    struct csv c = {.bare = SIZE_MAX};

    for (size_t at = begin; at <= end && c.bare == SIZE_MAX; c.count++) {
        size_t stop = at;
        bool quoted = at < end && text[at] == '"';

        if (quoted) {
            for (stop = at + 1; stop < end && (text[stop] != '"' || text[stop + 1] == '"'); stop++)
                stop += text[stop] == '"';
            stop += stop < end;
        }
        for (; stop < end && text[stop] != ','; stop++) {
            if (text[stop] == '"' && !quoted && c.bare == SIZE_MAX)
                c.bare = stop;
        }
        if (c.count < 3) {
            c.begin[c.count] = at;
            c.end[c.count] = stop;
        }
        at = stop + 1;
    }
    return c;
}

static bool is_metric_type(const char *text, size_t len)
{
    static const char *const types[] = {"gauge", "counter", "histogram", "summary", "label"};

    for (size_t i = 0; i < PLUMB_COUNT(types); i++) {
        if (strlen(types[i]) == len && memcmp(types[i], text, len) == 0)
            return true;
    }
    return false;
}

static void check_metric(const struct plumb_check *ck, const struct plumb_slice *text, size_t begin,
                         size_t end)
{
    struct csv c = read_csv(text->text, begin, end);
    size_t from = 0, to = 0;

    if (c.bare != SIZE_MAX) {
        plumb_report(ck, plumb_slice_span(text, c.bare, c.bare + 1),
                     "a quote stands inside of a field, expected it directly behind the comma; the "
                     "exporter ends");
        return;
    }
    if (c.count != 3) {
        plumb_report(ck, plumb_slice_span(text, begin, end),
                     "the line has %zu fields, expected three: the field of DCGM, the type and the "
                     "help; the exporter ends",
                     c.count);
        return;
    }
    from = c.begin[1];
    to = c.end[1];
    while (from < to && plumb_is_blank(text->text[from]))
        from++;
    while (to > from && plumb_is_blank(text->text[to - 1]))
        to--;
    if (!is_metric_type(text->text + from, to - from))
        plumb_report(
            ck, plumb_slice_span(text, from, to),
            "'%.*s' is no type of a metric, expected gauge, counter, histogram, summary or "
            "label; the exporter ends",
            (int)(to - from > 40 ? 40 : to - from), text->text + from);
}

static void check_metrics(const struct plumb_check *ck, const struct plumb_slice *text)
{
    for (size_t at = 0; at < text->len;) {
        const char *nl = memchr(text->text + at, '\n', text->len - at);
        size_t end = nl == NULL ? text->len : (size_t)(nl - text->text);

        if (end > at && text->text[at] != '#')
            check_metric(ck, text, at, end);
        at = end + 1;
    }
}

/* KUBE061: counter_config.go: Comment '#', no LazyQuotes, no TrimLeadingSpace. */
static void metrics_read(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->thing_count; i++) {
        for (size_t k = 0; k < m->things[i].key_count; k++) {
            const struct plumb_kube_key *key = &m->things[i].keys[k];

            /* the exporter's own key, and a file that the GPU operator mounts */
            if ((strcmp(key->name.v, "metrics") == 0 || plumb_ends_with(key->name.v, ".csv")) &&
                plumb_slice_holds(&key->value, "DCGM_FI_"))
                check_metrics(ck, &key->value);
        }
    }
}

/* ---- MIG ---- */

enum { COMPUTE = 7, MEMORY = 8 };

/* Slices of memory that an instance has at least: 3g takes half of them, 7g all. */
static uint64_t memory_of(uint64_t compute)
{
    return compute == 3 ? 4 : compute == 7 ? MEMORY : compute;
}

/* KUBE062 */
static void layout_fits(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->layout_count; i++) {
        const struct plumb_kube_layout *l = &m->layouts[i];
        uint64_t compute = 0, memory = 0;

        for (size_t k = 0; k < l->count; k++) {
            uint64_t each = plumb_mig_slices(l->items[k].profile.v), n = l->items[k].count.v;

            if (!plumb_usable(l->items[k].count) || each == 0)
                continue;
            n = n > 100 ? 100 : n;
            compute += each > 100 ? 100 : each * n;
            memory += each > 100 ? 100 : memory_of(each) * n;
            if (compute <= COMPUTE && memory <= MEMORY)
                continue;
            plumb_report(ck, l->items[k].profile.at,
                         "with %" PRIu64 " of %s layout '%s' takes %" PRIu64
                         " slices of compute and %" PRIu64 " of memory, expected at most %d and %d "
                         "of a GPU; the MIG manager ends with state failed",
                         l->items[k].count.v, l->items[k].profile.v, l->name.v, compute, memory,
                         COMPUTE, MEMORY);
            break;
        }
    }
}

/* ---- volumes ---- */

/* Block storage that one node at a time can mount. */
static bool is_block(const char *provisioner)
{
    static const char *const drivers[] = {
        "ebs.csi.aws.com",
        "kubernetes.io/aws-ebs",
        "pd.csi.storage.gke.io",
        "kubernetes.io/gce-pd",
        "disk.csi.azure.com",
        "kubernetes.io/azure-disk",
        "cinder.csi.openstack.org",
        "rbd.csi.ceph.com",
        "rook-ceph.rbd.csi.ceph.com",
        "dobs.csi.digitalocean.com",
        "csi.hetzner.cloud",
        "linodebs.csi.linode.com",
        "topolvm.io",
        "rancher.io/local-path",
        "openebs.io/local",
    };

    for (size_t i = 0; provisioner != NULL && i < PLUMB_COUNT(drivers); i++) {
        if (strcmp(drivers[i], provisioner) == 0)
            return true;
    }
    return false;
}

static void report_single(const struct plumb_check *ck, const struct plumb_kube_cluster *c,
                          const struct plumb_text *at, const struct plumb_kube_thing *t,
                          const char *what)
{
    struct plumb_diag *d =
        plumb_report(ck, at->at,
                     "%s '%s' %s, expected a volume that can be mounted ReadWriteMany: %" PRIu64
                     " slurmctld share their state; the backup never starts",
                     t->kind, t->name.v, what, c->replicas.v);

    plumb_diag_note(d, t->name.at, "this one");
    plumb_diag_note(d, c->replicas.at, "so many slurmctld");
}

/* KUBE063 */
static void state_shared(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->cluster_count; i++) {
        const struct plumb_kube_cluster *c = &m->clusters[i];
        const struct plumb_kube_thing *t = NULL;

        if (!plumb_usable(c->replicas) || c->replicas.v < 2)
            continue;
        if (c->storage_class.v != NULL &&
            (t = plumb_kube_find(m, "StorageClass", "", c->storage_class.v)) != NULL &&
            is_block(t->provisioner))
            report_single(ck, c, &c->storage_class, t, "is block storage for one node");
        if (c->claim.v != NULL &&
            (t = plumb_kube_find(m, "PersistentVolumeClaim", c->thing->space, c->claim.v)) !=
                NULL &&
            t->single)
            report_single(ck, c, &c->claim, t, "can be mounted by one node alone");
    }
}

#define MAP "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n"
#define PROLOG                                                                                     \
    "---\napiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: slurm}\n"       \
    "spec:\n  slurmKeyRef: {name: auth, key: slurm.key}\n"                                         \
    "  jwtKeyRef: {name: auth, key: jwt.key}\n  prologScriptRefs: [{name: m}]"
#define SUNK(count)                                                                                \
    "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: ebs}\n"                   \
    "provisioner: ebs.csi.aws.com\n---\napiVersion: slurm.coreweave.com/v1alpha1\n"                \
    "kind: SlurmCluster\nmetadata: {name: c}\nspec:\n  controller:\n    replicas: " count          \
    "\n    stateSaveLocation: {pvc: {storageClassName: ebs, size: 50Gi}}"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE060",
        .name = "script-shebang",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a prolog or epilog does not begin with '#!'",
        .why =
            "Slurm does not call a shell for it: it cannot be executed, and the first job drains "
            "its node.",
        .ref = "slurm.conf(5), Prolog; slurm-operator, buildPrologEpilogConf",
        .bad = MAP "  p.sh: |\n    exit 0\n" PROLOG,
        .good = MAP "  p.sh: |\n    #!/bin/bash\n    exit 0\n" PROLOG,
        .run = script_begins,
    },
    {
        .code = "KUBE061",
        .name = "dcgm-metrics",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a line of a metrics list stops the exporter of DCGM",
        .why =
            "The list is read once, at the start; one wrong line takes away all metrics of GPUs.",
        .ref = "dcgm-exporter, internal/pkg/counters/counter_config.go",
        .bad = MAP "  metrics: |\n    DCGM_FI_DEV_GPU_TEMP, guage, temperature",
        .good = MAP "  metrics: |\n    DCGM_FI_DEV_GPU_TEMP, gauge, temperature",
        .run = metrics_read,
    },
    {
        .code = "KUBE062",
        .name = "mig-layout",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a MIG layout does not fit on a GPU",
        .why =
            "The manager takes the GPUs out of service and then fails on the instance that has no "
            "room.",
        .ref = "NVIDIA Multi-Instance GPU User Guide, Supported profiles; mig-parted",
        .bad = MAP "  config.yaml: |\n    version: v1\n    mig-configs:\n      a:\n"
                   "        - {devices: all, mig-enabled: true, mig-devices: {\"3g.40gb\": 3}}",
        .good = MAP "  config.yaml: |\n    version: v1\n    mig-configs:\n      a:\n"
                    "        - {devices: all, mig-enabled: true, mig-devices: {\"3g.40gb\": 2}}",
        .run = layout_fits,
    },
    {
        .code = "KUBE063",
        .name = "state-not-shared",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "several slurmctld on a volume that one node can mount",
        .why = "The backup hangs in ContainerCreating with a multi-attach error: there is no "
               "fail-over.",
        .ref = "slurm.conf(5), StateSaveLocation; Kubernetes, Persistent Volumes, Access Modes",
        .bad = SUNK("2"),
        .good = SUNK("1"),
        .run = state_shared,
    },
};

const struct plumb_rule_family plumb_kube_data_rules = {
    .prefix = "KUBE",
    .title = "Data in manifests",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
