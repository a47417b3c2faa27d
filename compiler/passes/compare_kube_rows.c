/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of family DRIFT about objects of Kubernetes. */
#include "passes/compare_kube.h"

#define SET                                                                                        \
    "# nodeset.yaml\n"                                                                             \
    "apiVersion: slinky.slurm.net/v1beta1\n"                                                       \
    "kind: NodeSet\n"                                                                              \
    "metadata: {name: h100}\n"                                                                     \
    "spec:\n"                                                                                      \
    "  controllerRef: {name: slurm}\n"                                                             \
    "  replicas: 4\n"                                                                              \
    "  slurmd: {resources: {limits: {nvidia.com/gpu: 8}}}\n"                                       \
    "  template: {spec: {nodeSelector: {pool: h100}}}\n"
#define LIVE "# live/objects.yaml\napiVersion: v1\nkind: List\nitems:\n"
#define LIVE_SET(name, replicas, ready)                                                            \
    "- apiVersion: slinky.slurm.net/v1beta1\n"                                                     \
    "  kind: NodeSet\n"                                                                            \
    "  metadata: {name: " name "}\n"                                                               \
    "  spec:\n"                                                                                    \
    "    controllerRef: {name: slurm}\n"                                                           \
    "    replicas: " replicas "\n"                                                                 \
    "    slurmd: {resources: {limits: {nvidia.com/gpu: \"8\"}}}\n"                                 \
    "    template: {spec: {nodeSelector: {pool: h100}}}\n"                                         \
    "  status: {readyReplicas: " ready "}\n"
#define LIVE_NODE(pool, gpus)                                                                      \
    "- apiVersion: v1\n"                                                                           \
    "  kind: Node\n"                                                                               \
    "  metadata: {name: n1, labels: {pool: " pool "}}\n"                                           \
    "  status: {allocatable: {nvidia.com/gpu: \"" gpus "\"}}\n"

#define CLAIM                                                                                      \
    "# claim.yaml\n"                                                                               \
    "apiVersion: v1\n"                                                                             \
    "kind: PersistentVolumeClaim\n"                                                                \
    "metadata: {name: state}\n"                                                                    \
    "spec:\n"                                                                                      \
    "  storageClassName: shared\n"                                                                 \
    "  accessModes: [ReadWriteMany]\n"                                                             \
    "  resources: {requests: {storage: 64Gi}}\n"
#define LIVE_CLAIM(class)                                                                          \
    "- apiVersion: v1\n"                                                                           \
    "  kind: PersistentVolumeClaim\n"                                                              \
    "  metadata: {name: state}\n"                                                                  \
    "  spec:\n"                                                                                    \
    "    storageClassName: " class "\n"                                                            \
                                   "    accessModes: [ReadWriteMany]\n"                            \
                                   "    resources: {requests: {storage: 64Gi}}\n"

const struct plumb_rule plumb_drift_kube_rows[PLUMB_DRIFT_KUBE_COUNT] = {
    [PLUMB_DRIFT_KUBE_MISSING] =
        {
            .code = "DRIFT050",
            .name = "object-only-source",
            .severity = PLUMB_WARNING,
            .summary = "the cluster does not have an object of the source",
            .why = "What the object is for does not happen.",
            .ref = "kubectl(1), get",
            .bad = SET LIVE LIVE_SET("cpu", "4", "4") LIVE_SET("a100", "2", "2"),
            .good = SET LIVE LIVE_SET("h100", "4", "4") LIVE_SET("a100", "2", "2"),
        },
    [PLUMB_DRIFT_KUBE_UNKNOWN] =
        {
            .code = "DRIFT051",
            .name = "object-only-live",
            .severity = PLUMB_WARNING,
            .summary = "the cluster has an object of the operator that the source does not have",
            .why = "Nobody keeps it up to date, and whoever sets up the cluster anew loses it.",
            .ref = "kubectl(1), get",
            .bad = SET LIVE LIVE_SET("h100", "4", "4") LIVE_SET("test", "1", "1"),
            .good = SET LIVE LIVE_SET("h100", "4", "4"),
        },
    [PLUMB_DRIFT_KUBE_DIFFERS] =
        {
            .code = "DRIFT052",
            .name = "object-differs",
            .severity = PLUMB_WARNING,
            .summary = "an object of the cluster has another value than the source",
            .why =
                "The operator does what the object says; the next 'kubectl apply' undoes what was "
                "changed by hand.",
            .ref = "kubectl(1), get, diff",
            .bad = SET LIVE LIVE_SET("h100", "3", "3"),
            .good = SET LIVE LIVE_SET("h100", "4", "4"),
        },
    [PLUMB_DRIFT_KUBE_PODS] =
        {
            .code = "DRIFT053",
            .name = "pods-not-ready",
            .severity = PLUMB_WARNING,
            .summary = "a set of nodes has fewer ready pods than it should have",
            .why = "Slurm has no node where there is no pod.",
            .ref = "NodeSet, status.readyReplicas",
            .bad = SET LIVE LIVE_SET("h100", "4", "3"),
            .good = SET LIVE LIVE_SET("h100", "4", "4"),
        },
    [PLUMB_DRIFT_KUBE_ALLOCATABLE] =
        {
            .code = "DRIFT054",
            .name = "allocatable-below-promise",
            .severity = PLUMB_WARNING,
            .summary = "a node can give less than the source promises of it",
            .why = "A pod that asks for more than the node has stays Pending; a slurmd that finds "
                   "fewer "
                   "devices than its node line says is drained.",
            .ref = "Kubernetes, Reserve Compute Resources; Node, status.allocatable",
            .bad = SET LIVE LIVE_SET("h100", "4", "4") LIVE_NODE("h100", "7"),
            .good = SET LIVE LIVE_SET("h100", "4", "4") LIVE_NODE("h100", "8"),
        },
    [PLUMB_DRIFT_KUBE_NO_NODE] =
        {
            .code = "DRIFT055",
            .name = "no-node-for-set",
            .severity = PLUMB_WARNING,
            .summary = "no node of the cluster has the labels that a set of nodes asks for",
            .why = "Its pods stay Pending.",
            .ref = "Kubernetes, Assigning Pods to Nodes, nodeSelector",
            .bad = SET LIVE LIVE_SET("h100", "4", "4") LIVE_NODE("a100", "8"),
            .good = SET LIVE LIVE_SET("h100", "4", "4") LIVE_NODE("h100", "8"),
        },
    [PLUMB_DRIFT_KUBE_FROZEN] =
        {
            .code = "DRIFT056",
            .name = "object-cannot-change",
            .severity = PLUMB_ERROR,
            .summary = "an object of the cluster has another value in a field that cannot change",
            .why =
                "'kubectl apply' is refused for this object as a whole, so that whatever else is "
                "new in it does not arrive either; or the operator takes it and changes nothing.",
            .ref = "Kubernetes, pkg/apis validation of updates; slurm-operator internal/webhook, "
                   "ValidateUpdate, and objectutils/patch.go",
            .bad = CLAIM LIVE LIVE_CLAIM("fast"),
            .good = CLAIM LIVE LIVE_CLAIM("shared"),
        },
};

const struct plumb_rule_family plumb_drift_kube_rules = {
    .prefix = "DRIFT",
    .title = "A running cluster against its source",
    .rules = plumb_drift_kube_rows,
    .count = PLUMB_DRIFT_KUBE_COUNT,
};
