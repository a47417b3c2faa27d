/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The count of GPUs is told four times: to Slurm (Gres=), by gres.conf, by the pod's limits, and by
 * what the nodes can allocate. No operator compares them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "model/kube.h"
#include "rules/ask.h"
#include "schema/compound.h"

/* Items "gpu:h100:8" of Gres=, added up. */
struct promise {
    uint64_t count;
    const char *type;     /* of the first; NULL: none */
    struct plumb_span at; /* the value */
};

static struct promise promised(const struct plumb_check *ck, const struct plumb_kube_nodeset *set)
{
    const struct plumb_kube_word *w = plumb_kube_word(&set->conf, "Gres");
    struct plumb_list_cursor c = {0};
    struct promise p = {0};
    struct plumb_slice item;

    if (w == NULL)
        return p;
    p.at = w->value.at;
    while (plumb_gres_next(&w->value, &c, &item)) {
        struct plumb_gres_text text;
        enum plumb_gres_fault fault = plumb_value_gres(&item, &text);
        uint64_t each = text.number > UINT32_MAX ? UINT32_MAX : text.number;

        if (fault == PLUMB_GRES_NO_NAME || !plumb_slice_is(&text.name, "gpu"))
            continue;
        if (fault == PLUMB_GRES_COUNT)
            return (struct promise){0}; /* the daemon gives up the whole, which was reported */
        p.count += each * (text.type_count > 0 ? text.type_count : 1);
        if (p.type == NULL && text.type_count > 0)
            p.type = plumb_arena_strndup(ck->scratch, text.types[0].text, text.types[0].len);
    }
    return p;
}

/* ---- shared GPUs ---- */

static uint64_t replicas(const struct plumb_kube_node *n, struct plumb_span *at)
{
    uint64_t v = 1;

    for (size_t i = 0; i < n->label_count; i++) {
        const struct plumb_kube_label *l = &n->labels[i];

        if (strcmp(l->key.v, "nvidia.com/gpu.replicas") != 0)
            continue;
        *at = l->value.at;
        if (!plumb_read_u64(l->value.v, strlen(l->value.v), &v) || v == 0)
            v = 1;
    }
    return v;
}

/* A node of the set whose devices are counted several times over; NULL: there is none. */
static const struct plumb_kube_node *sharing_node(const struct plumb_check *ck,
                                                  const struct plumb_kube_nodeset *set,
                                                  const struct promise *p, uint64_t *devices,
                                                  struct plumb_span *at)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_node *n = &m->nodes[i];
        const struct plumb_kube_amount *a =
            plumb_kube_amount_of(n->allocatable, n->allocatable_count, "nvidia.com/gpu");
        uint64_t times = replicas(n, at);

        if (a == NULL || times < 2 || !plumb_kube_selects(set, n))
            continue;
        *devices = a->milli / 1000 / times;
        if (p->count > *devices)
            return n;
    }
    return NULL;
}

/* KUBE059 */
static void shares_are_no_gpus(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        struct promise p = promised(ck, set);
        struct plumb_span at = {0};
        uint64_t devices = 0;
        struct plumb_diag *d = NULL;

        if (p.count == 0 || sharing_node(ck, set, &p, &devices, &at) == NULL)
            continue;
        d = plumb_report(ck, p.at,
                         "%" PRIu64 " GPUs are told to Slurm, expected %" PRIu64
                         ": the nodes have as many devices, and time slicing counts each several "
                         "times",
                         p.count, devices);
        plumb_diag_note(d, at, "so often");
        plumb_outcome(ck, d, NULL);
    }
}

/* ---- gres.conf ---- */

/* A line is read by the nodes of the set: for all, or for the first of them by name. */
static bool is_read_by(const struct plumb_check *ck, const struct plumb_gres_line *line,
                       const struct plumb_kube_nodeset *set)
{
    return line->hosts == NULL ||
           plumb_hostlist_has(line->hosts,
                              plumb_arena_printf(ck->scratch, "%s-0", set->slurm_name));
}

static bool is_on(const struct plumb_setting *autodetect)
{
    return autodetect != NULL && !plumb_slice_is(&autodetect->value, "off");
}

/* slurmd finds the GPUs of some nodes itself: what gres.conf lists is not all that they have. */
static bool detects(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (is_on(plumb_setting(&m->settings[PLUMB_GRES_CONF], PLUMB_P_GRESGLOBAL_AUTODETECT)))
        return true;
    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];

        if (line->name == NULL && is_on(plumb_setting(&line->settings, PLUMB_P_GRES_AUTODETECT)))
            return true;
    }
    return false;
}

/*
 * slurm.conf and gres.conf of machines lie beside the objects of a cluster that has its own: the
 * run has the latter only where nothing else is there (passes/assemble.c).
 */
static bool has_other_files(const struct plumb_check *ck, const struct plumb_kube_nodeset *set)
{
    const struct plumb_model *m = ck->model;

    return m->present[PLUMB_SLURM_CONF] && !m->kube->assembled &&
           plumb_kube_cluster_of(m->kube, set) != NULL;
}

/* KUBE064: gres/gpu count reported lower than configured: node_mgr.c, gres.c. */
static void devices_as_promised(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (!m->present[PLUMB_GRES_CONF] || m->unread[PLUMB_GRES_CONF] || detects(ck))
        return;
    for (size_t i = 0; i < m->kube->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->kube->nodesets[i];
        struct promise p = promised(ck, set);
        const struct plumb_gres_line *last = NULL;
        struct plumb_span at = {0};
        uint64_t devices = 0;
        struct plumb_diag *d = NULL;

        if (p.count == 0 || set->thing->flavour != PLUMB_OF_SLINKY || set->daemonset ||
            has_other_files(ck, set) || sharing_node(ck, set, &p, &devices, &at) != NULL)
            continue;
        devices = 0;
        for (size_t k = 0; k < m->gres_line_count; k++) {
            const struct plumb_gres_line *line = &m->gres_lines[k];

            if (line->name == NULL || !plumb_same_nocase(line->name, "gpu") ||
                !is_read_by(ck, line, set) ||
                (line->type != NULL && p.type != NULL && !plumb_same_nocase(line->type, p.type)))
                continue;
            devices += plumb_usable(line->count) ? line->count.v : p.count;
            last = line;
        }
        if (devices >= p.count)
            continue;
        d = plumb_report(ck, p.at,
                         "%" PRIu64 " GPUs are told to Slurm, gres.conf has %" PRIu64
                         " for each node of NodeSet '%s', expected the same",
                         p.count, devices, set->thing->name.v);
        plumb_diag_note(d, last != NULL ? last->at : m->file_at[PLUMB_GRES_CONF],
                        last != NULL ? "the devices" : "gres.conf begins here");
        plumb_outcome(ck, d, NULL);
    }
}

/* ---- limits of the pod ---- */

static uint64_t held(const struct plumb_kube_nodeset *set, struct plumb_span *at)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < set->ask_count; i++) {
        if (strcmp(set->asks[i].resource, "nvidia.com/gpu") != 0 &&
            !plumb_starts_with(set->asks[i].resource, "nvidia.com/mig-"))
            continue;
        sum += set->asks[i].milli / 1000;
        *at = set->asks[i].at;
    }
    return sum;
}

/* KUBE065 */
static void pod_as_promised(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        struct promise p = promised(ck, set);
        struct plumb_span at = {0};
        uint64_t pod = held(set, &at);
        struct plumb_diag *d = NULL;

        if (p.count == 0 || pod == 0 || p.count == pod)
            continue;
        d = plumb_report(ck, p.at,
                         "%" PRIu64 " GPUs are told to Slurm, the pod of slurmd holds %" PRIu64
                         ", expected the same; %s",
                         p.count, pod,
                         p.count < pod
                             ? "the others of each node are never used"
                             : "Slurm gives jobs GPUs that Kubernetes may give to others");
        plumb_diag_note(d, at, "the limit of the pod");
    }
}

#define SET(gres, gpus)                                                                            \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu}\nspec:\n"          \
    "  controllerRef: {name: slurm}\n  extraConf: Gres=gpu:" gres                                  \
    "\n  slurmd: {resources: {limits: {nvidia.com/gpu: " gpus "}}}\n"                              \
    "  partition: {enabled: true, config: Default=YES}\n"                                          \
    "  template: {spec: {nodeSelector: {pool: gpu}}}\n"
#define NODE(replicas)                                                                             \
    "# nodes.json\n{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": "         \
    "\"n1\",\n  \"labels\": {\"pool\": \"gpu\", \"nvidia.com/gpu.replicas\": \"" replicas          \
    "\"}},\n \"status\": {\"capacity\": {\"nvidia.com/gpu\": \"8\"}, \"allocatable\": "            \
    "{\"nvidia.com/gpu\": \"8\"}}}\n# set.yaml\n"
#define CONTROLLER(files)                                                                          \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: slurm}\nspec:\n"     \
    "  slurmKeyRef: {name: auth, key: slurm.key}\n  jwtKeyRef: {name: auth, key: jwt.key}\n"       \
    "  extraConf: GresTypes=gpu\n  configFileRefs: [{name: conf}]\n---\napiVersion: v1\n"          \
    "kind: ConfigMap\nmetadata: {name: conf}\ndata:\n  gres.conf: Name=gpu File=/dev/nvidia" files \
    "\n---\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE059",
        .name = "shared-gpus",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMD),
        .needs = PLUMB_FACT_KUBE,
        .summary = "replicas of time slicing are told to Slurm as GPUs",
        .why = "The device plugin counts each GPU several times; the machine has as many device "
               "files as GPUs. Sharing in Slurm is a matter of shard or MPS.",
        .ref = "k8s-device-plugin, sharing.timeSlicing; node_mgr.c, gres/gpu count reported lower "
               "than configured",
        .bad = NODE("4") SET("8", "8"),
        .good = NODE("1") SET("8", "8"),
        .run = shares_are_no_gpus,
    },
    {
        .code = "KUBE064",
        .name = "gres-conf-of-nodeset",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMD),
        .needs = PLUMB_FACT_KUBE | PLUMB_FACT_CONF,
        .summary = "gres.conf has fewer GPUs than a NodeSet promises",
        .why = "The node registers with fewer than slurmctld was told, and is drained.",
        .ref = "node_mgr.c, gres/gpu count reported lower than configured; gres.conf(5), File",
        .bad = CONTROLLER("[0-3]") SET("8", "8"),
        .good = CONTROLLER("[0-7]") SET("8", "8"),
        .run = devices_as_promised,
    },
    {
        .code = "KUBE065",
        .name = "gpus-of-pod",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "Slurm is told of another count of GPUs than the pod of slurmd holds",
        .why = "What the pod holds beyond it is used by nobody; what it does not hold may be given "
               "to other pods.",
        .ref =
            "Kubernetes, Extended Resources; gres.c, more configured than expected in slurm.conf",
        .bad = SET("4", "8"),
        .good = SET("8", "8"),
        .run = pod_as_promised,
    },
};

const struct plumb_rule_family plumb_kube_gres_rules = {
    .prefix = "KUBE",
    .title = "GPUs told several times",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
