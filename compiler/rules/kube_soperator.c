/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the schema of Soperator's kinds takes and the operator makes something else of. Facts:
 * soperator 4.1.7 (api/v1/slurmcluster_types.go, internal/render/common/configmap.go).
 */
#include <string.h>

#include "model/kube.h"
#include "rules/ask.h"

/* KUBE085: encoding/json gives up the whole object, and with it the list that it stands in. */
static void fields_hold(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->cluster_count; i++) {
        const struct plumb_kube_cluster *c = &m->clusters[i];

        for (size_t k = 0; k < c->unheld_count; k++) {
            const struct plumb_kube_number *n = &c->unheld[k];

            plumb_report(ck, n->at,
                         "'spec.%s' is %s, expected -32768 to 32767: the API server takes it, and "
                         "Soperator cannot read the SlurmCluster any more",
                         n->slot->path, n->text);
        }
    }
}

/* KUBE086: slurm.conf has DefMemPerNode of the field, 0 too, before what is custom. */
static void memory_per_cpu(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->cluster_count; i++) {
        const struct plumb_kube_cluster *c = &m->clusters[i];

        for (size_t k = 0; c->thing->flavour == PLUMB_OF_SOPERATOR && k < c->conf.count; k++) {
            const struct plumb_kube_word *w = &c->conf.items[k];

            if (w->first && w->sign && plumb_slice_is(&w->key, "DefMemPerCPU"))
                plumb_outcome(
                    ck,
                    plumb_report(ck, w->at,
                                 "Soperator always writes DefMemPerNode, which wins over "
                                 "DefMemPerCPU, expected it in 'config' of each partition"),
                    NULL);
        }
    }
}

#define CLUSTER(spec, accounting, partition)                                                       \
    "apiVersion: slurm.nebius.ai/v1\nkind: SlurmCluster\nmetadata: {name: c, namespace: c}\n"      \
    "spec:\n" spec "  k8sNodeFilters: [{name: s}]\n  populateJail: {image: \"r/jail:4.1.7\", "     \
    "k8sNodeFilterName: s}\n  secrets: {}\n  volumeSources: [{name: jail, hostPath: {path: "       \
    "/jail}}]\n  partitionConfiguration:\n    configType: structured\n    partitions:\n"           \
    "    - {name: main, isAll: true, config: \"Default=YES" partition "\"}\n"                      \
    "  slurmNodes:\n    accounting:\n      enabled: true\n      k8sNodeFilterName: s\n"            \
    "      slurmConfig: {priorityWeightAge: " accounting "}\n"                                     \
    "    controller:\n      k8sNodeFilterName: s\n"                                                \
    "      slurmctld: {image: \"r/slurmctld:4.1.7\"}\n      munge: {image: \"r/munge:4.1.7\"}\n"   \
    "      volumes: {spool: {volumeSourceName: jail}, jail: {volumeSourceName: jail}}\n"           \
    "    exporter: {k8sNodeFilterName: s}\n    login:\n      k8sNodeFilterName: s\n"               \
    "      sshd: {image: \"r/sshd:4.1.7\"}\n      munge: {image: \"r/munge:4.1.7\"}\n"             \
    "      sshRootPublicKeys: []\n      sshdServiceType: LoadBalancer\n"                           \
    "      volumes: {jail: {volumeSourceName: jail}}\n    rest: {k8sNodeFilterName: s}\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE085",
        .name = "number-unheld",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a number is beyond what Soperator's field holds",
        .why = "The operator has 16 bits for it, and the CRD says no bound, so that the API server "
               "takes it. The operator then cannot read the SlurmCluster: nothing in it has an "
               "effect any more. customSlurmConfig takes a larger weight.",
        .ref = "soperator, api/v1/slurmcluster_types.go: ClusterAccountingSlurmConfig, "
               "ClusterAccountingSlurmdbdConfig",
        .bad = CLUSTER("", "100000", ""),
        .good = CLUSTER("  customSlurmConfig: PriorityWeightAge=100000\n", "1000", ""),
        .run = fields_hold,
    },
    {
        .code = "KUBE086",
        .name = "memory-per-cpu-lost",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD | PLUMB_SLURMD),
        .needs = PLUMB_FACT_KUBE,
        .summary = "customSlurmConfig sets DefMemPerCPU, which loses against DefMemPerNode",
        .why = "Soperator writes DefMemPerNode of its field, 0 where the field says nothing, and "
               "0 too wins: jobs get all memory of a node. A partition may have its own.",
        .ref = "soperator, internal/render/common/configmap.go:generateSlurmConfig; "
               "slurm.conf(5), DefMemPerCPU",
        .bad = CLUSTER("  customSlurmConfig: DefMemPerCPU=4000\n", "0", ""),
        .good = CLUSTER("", "0", " DefMemPerCPU=4000"),
        .run = memory_per_cpu,
    },
};

const struct plumb_rule_family plumb_kube_soperator_rules = {
    .prefix = "KUBE",
    .title = "Soperator",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
