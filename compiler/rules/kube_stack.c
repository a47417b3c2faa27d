/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands beside Slurm on the same GPUs: layouts of the MIG manager and configurations of the
 * device plugin against the nodes that choose them and what Slurm is told; alerts against the
 * list of metrics.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "model/kube.h"
#include "model/mig.h"
#include "rules/ask.h"
#include "schema/compound.h"

/* ---- alerts ---- */

static bool in_name(char c)
{
    char low = plumb_lower(c);

    return (low >= 'a' && low <= 'z') || plumb_is_digit(c) || c == '_' || c == ':';
}

/* A line of a list of metrics begins with this field. */
static bool lists(const struct plumb_slice *list, const char *name, size_t len)
{
    for (size_t at = 0; at < list->len;) {
        const char *nl = memchr(list->text + at, '\n', list->len - at);
        size_t end = nl == NULL ? list->len : (size_t)(nl - list->text), to = 0;

        while (at < end && plumb_is_blank(list->text[at]))
            at++;
        for (to = at; to < end && in_name(list->text[to]);)
            to++;
        if (to - at == len && memcmp(list->text + at, name, len) == 0)
            return true;
        at = end + 1;
    }
    return false;
}

/* A key that the exporter or the operator reads as a list of metrics. */
static bool is_list(const struct plumb_kube_key *key)
{
    return (strcmp(key->name.v, "metrics") == 0 || plumb_ends_with(key->name.v, ".csv")) &&
           plumb_slice_holds(&key->value, "DCGM_FI_");
}

/* The list that has it; else the last one that has not (*known false); NULL: there is no list. */
static const struct plumb_kube_thing *list_of(const struct plumb_kube_model *m, const char *name,
                                              size_t len, bool *known)
{
    const struct plumb_kube_thing *last = NULL;

    for (size_t i = 0; i < m->thing_count; i++) {
        for (size_t k = 0; k < m->things[i].key_count; k++) {
            if (!is_list(&m->things[i].keys[k]))
                continue;
            last = &m->things[i];
            *known = lists(&m->things[i].keys[k].value, name, len);
            if (*known)
                return last;
        }
    }
    return last;
}

static void check_metric(const struct plumb_check *ck, const struct plumb_kube_alert *alert,
                         size_t begin, size_t end)
{
    bool known = true;
    const struct plumb_kube_thing *list =
        list_of(ck->model->kube, alert->expr.text + begin, end - begin, &known);

    if (list == NULL || known)
        return;
    plumb_diag_note(plumb_report(ck, plumb_slice_span(&alert->expr, begin, end),
                                 "alert '%s' looks at %.*s, which no list of metrics has, expected "
                                 "a line for it: the alert never fires",
                                 alert->name.v == NULL ? "?" : alert->name.v, (int)(end - begin),
                                 alert->expr.text + begin),
                    list->name.at, "a list of metrics");
}

/* KUBE092: names outside of texts in quotes. */
static void alerts_have_metrics(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->alert_count; i++) {
        const struct plumb_slice *expr = &m->alerts[i].expr;
        char quote = '\0';

        for (size_t at = 0; at < expr->len; at++) {
            size_t end = at;

            if (quote != '\0' || expr->text[at] == '"' || expr->text[at] == '\'') {
                quote = quote == '\0' ? expr->text[at] : quote == expr->text[at] ? '\0' : quote;
                continue;
            }
            while (end < expr->len && in_name(expr->text[end]))
                end++;
            if (end - at > strlen("DCGM_") && memcmp(expr->text + at, "DCGM_", 5) == 0)
                check_metric(ck, &m->alerts[i], at, end);
            at = end > at ? end - 1 : at;
        }
    }
}

/* ---- labels that choose ---- */

static const struct plumb_kube_label *label(const struct plumb_kube_node *n, const char *key)
{
    for (size_t i = 0; i < n->label_count; i++) {
        if (strcmp(n->labels[i].key.v, key) == 0)
            return &n->labels[i];
    }
    return NULL;
}

static const struct plumb_kube_layout *layout_of(const struct plumb_kube_model *m, const char *name)
{
    for (size_t i = 0; i < m->layout_count; i++) {
        if (m->layouts[i].name.v != NULL && strcmp(m->layouts[i].name.v, name) == 0)
            return &m->layouts[i];
    }
    return NULL;
}

static const struct plumb_kube_sharing *sharing_of(const struct plumb_kube_model *m,
                                                   const char *name)
{
    for (size_t i = 0; i < m->sharing_count; i++) {
        if (strcmp(m->sharings[i].name.v, name) == 0)
            return &m->sharings[i];
    }
    return NULL;
}

/* The same text was chosen by a node before. */
static bool chosen_before(const struct plumb_kube_model *m, size_t node, const char *key,
                          const char *value)
{
    for (size_t i = 0; i < node; i++) {
        const struct plumb_kube_label *l = label(&m->nodes[i], key);

        if (l != NULL && strcmp(l->value.v, value) == 0)
            return true;
    }
    return false;
}

/* KUBE093 */
static void layout_exists(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->node_count && m->layout_count > 0; i++) {
        const struct plumb_kube_label *l = label(&m->nodes[i], "nvidia.com/mig.config");

        if (l == NULL || layout_of(m, l->value.v) != NULL ||
            chosen_before(m, i, "nvidia.com/mig.config", l->value.v))
            continue;
        plumb_diag_note(plumb_report(ck, l->value.at,
                                     "node '%s' is to have MIG layout '%s', which no configuration "
                                     "has, expected the name of one; the MIG manager ends with "
                                     "state failed",
                                     m->nodes[i].name.v, l->value.v),
                        m->layouts[0].name.at, "the layouts begin here");
    }
}

/* KUBE095: the config manager of v0.20.0 ends; a missing label takes the fallback. */
static void sharing_exists(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->node_count && m->sharing_count > 0; i++) {
        const struct plumb_kube_label *l = label(&m->nodes[i], "nvidia.com/device-plugin.config");

        if (l == NULL || l->value.v[0] == '\0' || sharing_of(m, l->value.v) != NULL ||
            chosen_before(m, i, "nvidia.com/device-plugin.config", l->value.v))
            continue;
        plumb_diag_note(plumb_report(ck, l->value.at,
                                     "node '%s' is to have configuration '%s' of the device "
                                     "plugin, which no ConfigMap has, expected a key of one; the "
                                     "plugin of the node ends",
                                     m->nodes[i].name.v, l->value.v),
                        m->sharings[0].thing->name.at, "the configurations");
    }
}

/* ---- MIG ---- */

/* What KUBE062 tells of any product. */
static bool too_many_slices(const struct plumb_kube_layout *layout)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < layout->count; i++) {
        if (plumb_usable(layout->items[i].count) && layout->items[i].count.v <= 100)
            sum += plumb_mig_slices(layout->items[i].profile.v) * layout->items[i].count.v;
    }
    return sum > 7;
}

static void check_layout(const struct plumb_check *ck, const struct plumb_kube_layout *layout,
                         const struct plumb_kube_label *product)
{
    const struct plumb_mig_card *card = plumb_mig_card(product->value.v);
    struct plumb_mig_want *wants =
        PLUMB_NEW_ARRAY(ck->scratch, layout->count, struct plumb_mig_want);
    size_t count = 0;

    if (card == NULL || layout->filtered)
        return;
    for (size_t i = 0; i < layout->count; i++) {
        uint8_t part = 0;
        const char *text = plumb_mig_of_type(layout->items[i].profile.v);
        const struct plumb_mig_profile *p =
            text == NULL ? NULL : plumb_mig_profile(card, text, &part);

        if (p == NULL) {
            plumb_diag_note(plumb_report(ck, layout->items[i].profile.at,
                                         "'%s' has no instance %s, expected one of %s; the MIG "
                                         "manager ends with state failed",
                                         product->value.v, layout->items[i].profile.v,
                                         plumb_mig_names(ck->arena, card)),
                            product->value.at, "this product chooses the layout");
            return;
        }
        if (plumb_usable(layout->items[i].count))
            wants[count++] = (struct plumb_mig_want){p, layout->items[i].count.v};
    }
    if (count == 0 || too_many_slices(layout) || plumb_mig_fits(ck->scratch, card, 1, wants, count))
        return;
    plumb_diag_note(plumb_report(ck, layout->items[0].profile.at,
                                 "the instances of layout '%s' have no room on one '%s', expected "
                                 "fewer; the MIG manager ends with state failed",
                                 layout->name.v, product->value.v),
                    product->value.at, "this product chooses the layout");
}

/* KUBE094 */
static void layout_of_product(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_label *chosen = label(&m->nodes[i], "nvidia.com/mig.config");
        const struct plumb_kube_label *product = label(&m->nodes[i], "nvidia.com/gpu.product");

        if (chosen == NULL || product == NULL ||
            chosen_before(m, i, "nvidia.com/mig.config", chosen->value.v))
            continue;
        for (size_t k = 0; k < m->layout_count; k++) {
            if (m->layouts[k].name.v != NULL && strcmp(m->layouts[k].name.v, chosen->value.v) == 0)
                check_layout(ck, &m->layouts[k], product);
        }
    }
}

/* ---- sharing ---- */

/* KUBE096: replicas.go, UnmarshalJSON of ReplicatedResource. */
static void replicas_are_several(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->sharing_count; i++) {
        const struct plumb_kube_sharing *s = &m->sharings[i];

        if (plumb_usable(s->replicas) && s->replicas.v < 2)
            plumb_report(ck, s->replicas.at,
                         "%" PRIu64 " replicas of nvidia.com/gpu, expected at least 2, or no "
                         "section %s: the device plugin ends",
                         s->replicas.v, s->strategy);
    }
}

/* The configuration of the nodes of a set: the one that they choose, or the only one. */
static const struct plumb_kube_sharing *sharing_of_set(const struct plumb_kube_model *m,
                                                       const struct plumb_kube_nodeset *set)
{
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_label *l = label(&m->nodes[i], "nvidia.com/device-plugin.config");

        if (plumb_kube_selects(set, &m->nodes[i]))
            return l != NULL                     ? sharing_of(m, l->value.v)
                   : m->plugin_default.v != NULL ? sharing_of(m, m->plugin_default.v)
                                                 : NULL;
    }
    return m->node_count == 0 && m->sharing_count == 1 ? &m->sharings[0] : NULL;
}

static bool is_shared(const struct plumb_kube_sharing *s)
{
    return s != NULL && plumb_usable(s->replicas) && s->replicas.v > 1;
}

/* KUBE097: rm.go, ValidateRequest. */
static void pod_takes_several(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        const struct plumb_kube_sharing *s = sharing_of_set(m, set);
        const struct plumb_kube_amount *gpus =
            plumb_kube_amount_of(set->asks, set->ask_count, "nvidia.com/gpu");

        if (!is_shared(s) || !s->one_at_a_time || gpus == NULL || gpus->milli <= 1000)
            continue;
        plumb_diag_note(plumb_report(ck, gpus->at,
                                     "pods of NodeSet '%s' ask for %s GPUs, expected 1: the device "
                                     "plugin shares them (%s) and gives one share to a pod, so "
                                     "that they end with UnexpectedAdmissionError",
                                     set->thing->name.v, gpus->text, s->strategy),
                        s->one_at, "failRequestsGreaterThanOne");
    }
}

/* Items of one name in Gres=, added up; false: there are none, or they were reported. */
static bool gres_of(const struct plumb_kube_nodeset *set, const char *name, uint64_t *count,
                    struct plumb_span *at)
{
    const struct plumb_kube_word *w = plumb_kube_word(&set->conf, "Gres");
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    bool found = false;

    while (w != NULL && plumb_gres_next(&w->value, &c, &item)) {
        struct plumb_gres_text text;
        enum plumb_gres_fault fault = plumb_value_gres(&item, &text);

        if (fault == PLUMB_GRES_NO_NAME || !plumb_slice_is(&text.name, name))
            continue;
        if (fault == PLUMB_GRES_COUNT || text.number > UINT32_MAX)
            return false;
        *count += text.number;
        *at = item.at;
        found = true;
    }
    return found;
}

/* KUBE098 */
static void shares_agree(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_sharing *s = sharing_of_set(m, &m->nodesets[i]);
        const char *name =
            s != NULL && s->strategy != NULL && strcmp(s->strategy, "mps") == 0 ? "mps" : "shard";
        uint64_t gpus = 0, shares = 0;
        struct plumb_span at = {0}, gpu_at = {0};

        if (!is_shared(s) || !gres_of(&m->nodesets[i], "gpu", &gpus, &gpu_at) || gpus == 0 ||
            !gres_of(&m->nodesets[i], name, &shares, &at) || shares == gpus * s->replicas.v)
            continue;
        plumb_diag_note(plumb_report(ck, at,
                                     "Slurm is told of %" PRIu64 " shares of %" PRIu64
                                     " GPUs, the device plugin makes %" PRIu64
                                     " of each, expected %" PRIu64,
                                     shares, gpus, s->replicas.v, gpus * s->replicas.v),
                        s->replicas.at, "replicas of a GPU");
    }
}

#define ALERT(metric)                                                                              \
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: list}\ndata:\n"                             \
    "  dcgm-metrics.csv: |\n    DCGM_FI_DEV_GPU_TEMP,gauge,temperature\n---\n"                     \
    "apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: {name: a}\n"            \
    "spec:\n  groups:\n    - name: gpu\n      rules:\n        - {alert: Gpu, expr: " metric        \
    " > 0}\n"
#define CONFIG(key, text)                                                                          \
    "# config.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  " key           \
    ": |\n    version: v1\n" text
#define LAYOUT(profile)                                                                            \
    CONFIG("config.yaml", "    mig-configs:\n      half:\n        - {devices: all, "               \
                          "mig-enabled: true, mig-devices: {\"" profile "\": 2}}\n")
#define SHARED(rest) CONFIG("shared", "    sharing:\n      timeSlicing:\n" rest)
#define NODE(labels)                                                                               \
    "# nodes.json\n{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": "         \
    "\"n1\",\n  \"labels\": {\"pool\": \"gpu\", " labels "}},\n \"status\": {\"capacity\": {}}}\n"
#define SET(gres)                                                                                  \
    "---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu}\nspec:\n"     \
    "  controllerRef: {name: slurm}\n  extraConf: Gres=" gres                                      \
    "\n  slurmd: {resources: {limits: {nvidia.com/gpu: 8}}}\n"
#define REPLICAS(n) "        resources: [{name: nvidia.com/gpu, replicas: " n "}]\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE092",
        .name = "alert-without-metric",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "an alert looks at a metric that the DCGM exporter is not asked for",
        .why = "An expression without series is no error to Prometheus: the alert stays quiet for "
               "ever.",
        .ref = "dcgm-exporter, internal/pkg/counters/counter_config.go; Prometheus, Alerting rules",
        .bad = ALERT("DCGM_FI_DEV_ROW_REMAP_PENDING"),
        .good = ALERT("DCGM_FI_DEV_GPU_TEMP"),
        .run = alerts_have_metrics,
    },
    {
        .code = "KUBE093",
        .name = "mig-layout-missing",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a node chooses a MIG layout that there is not",
        .why = "The manager takes the GPUs out of service before it looks for the layout.",
        .ref = "GPU operator, label nvidia.com/mig.config; mig-parted",
        .bad = LAYOUT("3g.40gb") NODE("\"nvidia.com/mig.config\": \"all\""),
        .good = LAYOUT("3g.40gb") NODE("\"nvidia.com/mig.config\": \"half\""),
        .run = layout_exists,
    },
    {
        .code = "KUBE094",
        .name = "mig-layout-of-product",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a MIG layout does not suit the product of the nodes that choose it",
        .why = "Names of instances tell their memory, which depends on the product; where they "
               "may begin, too.",
        .ref = "NVIDIA Multi-Instance GPU User Guide, Supported profiles; mig-parted",
        .bad = LAYOUT("3g.20gb") NODE("\"nvidia.com/mig.config\": \"half\", "
                                      "\"nvidia.com/gpu.product\": \"NVIDIA-H100-80GB-HBM3\""),
        .good = LAYOUT("3g.40gb") NODE("\"nvidia.com/mig.config\": \"half\", "
                                       "\"nvidia.com/gpu.product\": \"NVIDIA-H100-80GB-HBM3\""),
        .run = layout_of_product,
    },
    {
        .code = "KUBE095",
        .name = "plugin-config-missing",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a node chooses a configuration of the device plugin that there is not",
        .why = "The plugin ends, and the node has no GPUs to allocate. A node without the label "
               "takes the default.",
        .ref = "k8s-device-plugin, cmd/config-manager",
        .bad = SHARED(REPLICAS("4")) NODE("\"nvidia.com/device-plugin.config\": \"share\""),
        .good = SHARED(REPLICAS("4")) NODE("\"nvidia.com/device-plugin.config\": \"shared\""),
        .run = sharing_exists,
    },
    {
        .code = "KUBE096",
        .name = "plugin-replicas",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "the device plugin is told of fewer than two replicas",
        .why = "It refuses its configuration. A GPU that is not shared needs no section sharing.",
        .ref = "k8s-device-plugin, api/config/v1/replicas.go",
        .bad = SHARED(REPLICAS("1")),
        .good = SHARED(REPLICAS("2")),
        .run = replicas_are_several,
    },
    {
        .code = "KUBE097",
        .name = "several-shares",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "pods of slurmd ask for several GPUs of which a pod gets one share",
        .why = "failRequestsGreaterThanOne, which MPS has without saying so, refuses the pod. One "
               "slurmd has all GPUs of its node, so it is false there.",
        .ref = "k8s-device-plugin, internal/rm/rm.go, ValidateRequest",
        .bad = SHARED("        failRequestsGreaterThanOne: true\n" REPLICAS("4")) SET("gpu:8"),
        .good = SHARED("        failRequestsGreaterThanOne: false\n" REPLICAS("4")) SET("gpu:8"),
        .run = pod_takes_several,
    },
    {
        .code = "KUBE098",
        .name = "shares-agree",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "Slurm and the device plugin share GPUs in different numbers",
        .why = "Jobs of Slurm and pods of Kubernetes get other parts of the same GPU.",
        .ref = "gres.conf(5), shard and MPS; k8s-device-plugin, sharing",
        .bad = SHARED(REPLICAS("4")) SET("gpu:8,shard:16"),
        .good = SHARED(REPLICAS("4")) SET("gpu:8,shard:32"),
        .run = shares_agree,
    },
};

const struct plumb_rule_family plumb_kube_stack_rules = {
    .prefix = "KUBE",
    .title = "GPUs beside Slurm",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
