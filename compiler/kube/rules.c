/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the family KUBE that the readers and the engine report: KUBE001 to KUBE039. */
#include "kube/rules.h"

/* What the examples change, or add to. */
#define NODE_SET                                                                                   \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu}\nspec:\n"          \
    "  controllerRef: {name: slurm}"
#define CONFIG_MAP "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}"

const struct plumb_rule plumb_kube_rows[PLUMB_KUBE_RULE_COUNT] = {
    [PLUMB_KUBE_UNKNOWN_FIELD] =
        {
            .code = "KUBE001",
            .name = "unknown-field",
            .severity = PLUMB_ERROR,
            .summary = "an object has a field that its kind does not have",
            .why = "The API server drops it without a word, unless the client asks for strict "
                   "validation, which refuses the object. What it should have said is not there.",
            .ref = "CRD of the release; Kubernetes, field validation",
            .bad = NODE_SET "\n  gres: gpu:h100:8",
            .good = NODE_SET "\n  extraConf: Gres=gpu:h100:8",
        },
    [PLUMB_KUBE_MISSING] =
        {
            .code = "KUBE002",
            .name = "field-missing",
            .severity = PLUMB_ERROR,
            .summary = "an object lacks a field that its kind needs",
            .why = "The API server refuses the object.",
            .ref = "CRD of the release, required",
            .bad = "apiVersion: slinky.slurm.net/v1beta1\n"
                   "kind: NodeSet\n"
                   "metadata: {name: gpu}\n"
                   "spec: {replicas: 2}",
            .good = NODE_SET "\n  replicas: 2",
        },
    [PLUMB_KUBE_WRONG_TYPE] =
        {
            .code = "KUBE003",
            .name = "field-type",
            .severity = PLUMB_ERROR,
            .summary = "a field holds a value of another type",
            .why = "The API server refuses the object. Text that looks like a number or a boolean "
                   "is one in YAML. A null is taken away where a client creates or patches, and "
                   "refused where the server applies (Flux, Helm 4).",
            .ref = "CRD of the release, type",
            .bad = NODE_SET "\n  replicas: \"4\"",
            .good = NODE_SET "\n  replicas: 4",
        },
    [PLUMB_KUBE_NOT_IN_SET] =
        {
            .code = "KUBE004",
            .name = "field-value",
            .severity = PLUMB_ERROR,
            .summary = "a field holds a word that is not in its set",
            .why = "The API server refuses the object, or what the operator makes of it.",
            .ref = "CRD of the release, enum; Kubernetes, validation",
            .bad = NODE_SET "\n  scalingMode: daemonset",
            .good = NODE_SET "\n  scalingMode: DaemonSet",
        },
    [PLUMB_KUBE_PATTERN] =
        {
            .code = "KUBE005",
            .name = "field-form",
            .severity = PLUMB_ERROR,
            .summary = "text is not of the form that its field wants",
            .why = "The API server refuses the object.",
            .ref = "CRD of the release, pattern",
            .bad = NODE_SET "\n  partition: {enabled: true, config: \"MaxTime=1\\nState=UP\"}",
            .good = NODE_SET "\n  partition: {enabled: true, config: MaxTime=1 State=UP}",
        },
    [PLUMB_KUBE_OUT_OF_RANGE] =
        {
            .code = "KUBE006",
            .name = "field-range",
            .severity = PLUMB_ERROR,
            .summary = "a number, a length or a count is out of its range",
            .why = "The API server refuses the object.",
            .ref = "CRD of the release, minimum, maxLength, minItems",
            .bad = NODE_SET "\n  replicas: 3000000000",
            .good = NODE_SET "\n  replicas: 3000",
        },
    [PLUMB_KUBE_TWICE] =
        {
            .code = "KUBE007",
            .name = "item-twice",
            .severity = PLUMB_ERROR,
            .summary = "two items of a list have the same key",
            .why = "The API server refuses the object.",
            .ref = "Kubernetes, x-kubernetes-list-map-keys; validation.go",
            .bad = NODE_SET "\n  template:\n"
                            "    spec:\n"
                            "      volumes:\n"
                            "        - {name: a, emptyDir: {}}\n"
                            "        - {name: a, emptyDir: {}}",
            .good = NODE_SET "\n  template:\n"
                             "    spec:\n"
                             "      volumes:\n"
                             "        - {name: a, emptyDir: {}}\n"
                             "        - {name: b, emptyDir: {}}",
        },
    [PLUMB_KUBE_BAD_QUANTITY] =
        {
            .code = "KUBE008",
            .name = "quantity",
            .severity = PLUMB_ERROR,
            .summary = "text is no quantity",
            .why = "The API server, or the operator, refuses the object: GB, gb and KB are no "
                   "units of Kubernetes.",
            .ref = "Kubernetes, resource/quantity.go",
            .bad = NODE_SET "\n  slurmd: {resources: {limits: {memory: 512GB}}}",
            .good = NODE_SET "\n  slurmd: {resources: {limits: {memory: 512G}}}",
        },
    [PLUMB_KUBE_NOT_SERVED] =
        {
            .code = "KUBE009",
            .name = "kind-not-served",
            .severity = PLUMB_ERROR,
            .summary = "the release does not serve this kind, or not in this version",
            .why = "The object is refused as a whole.",
            .ref = "CRD of the release, versions; Kubernetes, deprecated API migration guide",
            .bad = "apiVersion: slinky.slurm.net/v1alpha1\n"
                   "kind: NodeSet\n"
                   "metadata: {name: gpu}\n"
                   "spec:\n"
                   "  controllerRef: {name: slurm}",
            .good = NODE_SET,
        },
    [PLUMB_KUBE_NO_KIND] =
        {
            .code = "KUBE010",
            .name = "kind-missing",
            .severity = PLUMB_ERROR,
            .summary = "a document is no object of Kubernetes",
            .why = "kubectl refuses the file.",
            .ref = "Kubernetes, API conventions",
            .bad = CONFIG_MAP "\n---\nkind: ConfigMap\nmetadata: {name: other}",
            .good = CONFIG_MAP "\n---\n"
                               "apiVersion: v1\n"
                               "kind: ConfigMap\n"
                               "metadata: {name: other}",
        },
    [PLUMB_KUBE_UNCHECKED] =
        {
            .code = "KUBE011",
            .name = "kind-unchecked",
            .severity = PLUMB_INFO,
            .summary = "the fields of a kind are not known",
            .why = "What is misspelt in it is not told.",
            .ref = "plumb, tables of kinds",
            .bad = "apiVersion: cert-manager.io/v1\n"
                   "kind: Certificate\n"
                   "metadata: {name: slurm}",
            .good = CONFIG_MAP,
        },
    [PLUMB_KUBE_CEL] =
        {
            .code = "KUBE012",
            .name = "fields-together",
            .severity = PLUMB_ERROR,
            .summary = "fields of an object contradict each other",
            .why = "The API server refuses the object, or the pods that are made of it.",
            .ref = "CRD of the release, x-kubernetes-validations; Kubernetes, validation of pods",
            .bad = "apiVersion: slinky.slurm.net/v1beta1\n"
                   "kind: Controller\n"
                   "metadata: {name: slurm}\n"
                   "spec:\n"
                   "  slurmKeyRef: {name: auth, key: slurm.key}",
            .good = "apiVersion: slinky.slurm.net/v1beta1\n"
                    "kind: Controller\n"
                    "metadata: {name: slurm}\n"
                    "spec:\n"
                    "  slurmKeyRef: {name: auth, key: slurm.key}\n"
                    "  jwtKeyRef: {name: auth, key: jwt.key}",
        },
    [PLUMB_KUBE_NAME] =
        {
            .code = "KUBE013",
            .name = "object-name",
            .severity = PLUMB_ERROR,
            .summary = "a name of an object is none of Kubernetes",
            .why = "The API server refuses the object. Names of Slurm may have capitals and "
                   "underscores, those of Kubernetes may not.",
            .ref = "Kubernetes, Object Names and IDs",
            .bad = "apiVersion: v1\n"
                   "kind: ConfigMap\n"
                   "metadata: {name: Slurm_Conf}",
            .good = CONFIG_MAP,
        },
    [PLUMB_KUBE_LABEL] =
        {
            .code = "KUBE014",
            .name = "label",
            .severity = PLUMB_ERROR,
            .summary = "a label has a key or value that Kubernetes refuses",
            .why = "The API server refuses the object, or the pods made of it. Names of products "
                   "have blanks; GPU feature discovery writes dashes for them.",
            .ref = "Kubernetes, Labels and Selectors",
            .bad = "apiVersion: v1\n"
                   "kind: ConfigMap\n"
                   "metadata: {name: conf, labels: {gpu: NVIDIA H100}}",
            .good = "apiVersion: v1\n"
                    "kind: ConfigMap\n"
                    "metadata: {name: conf, labels: {gpu: NVIDIA-H100}}",
        },
    [PLUMB_KUBE_ANNOTATIONS] =
        {
            .code = "KUBE015",
            .name = "annotations-size",
            .severity = PLUMB_ERROR,
            .summary = "annotations of an object are too long",
            .why = "The API server refuses the object.",
            .ref = "Kubernetes, api/validation/objectmeta.go, ValidateAnnotationsSize",
        },
    [PLUMB_KUBE_DATA_SIZE] =
        {
            .code = "KUBE016",
            .name = "data-size",
            .severity = PLUMB_ERROR,
            .summary = "a ConfigMap or Secret is too large",
            .why = "The API server refuses more than 1 MiB; kubectl apply keeps a copy in an "
                   "annotation, which has room for 256 KiB.",
            .ref = "Kubernetes, core/validation, MaxSecretSize",
        },
    [PLUMB_KUBE_DATA_KEY] =
        {
            .code = "KUBE017",
            .name = "data-key",
            .severity = PLUMB_ERROR,
            .summary = "a key of a ConfigMap or Secret is no file name",
            .why = "The API server refuses the object.",
            .ref = "Kubernetes, validation.go, IsConfigMapKey",
            .bad = CONFIG_MAP "\ndata: {\"etc/gres.conf\": \"\"}",
            .good = CONFIG_MAP "\ndata: {gres.conf: \"\"}",
        },
    [PLUMB_KUBE_NULL] =
        {
            .code = "KUBE018",
            .name = "field-null",
            .severity = PLUMB_INFO,
            .summary = "a field has no value",
            .why = "It counts as if it were not there. A value may have been lost, or a line below "
                   "it is not indented.",
            .ref = "Kubernetes, JSON decoding",
            .bad = "apiVersion: v1\n"
                   "kind: PersistentVolumeClaim\n"
                   "metadata: {name: c}\n"
                   "spec:\n"
                   "  storageClassName:",
            .good = "apiVersion: v1\n"
                    "kind: PersistentVolumeClaim\n"
                    "metadata: {name: c}\n"
                    "spec:\n"
                    "  storageClassName: fast",
        },
    [PLUMB_KUBE_DROPPED_FIELD] =
        {
            .code = "KUBE019",
            .name = "field-dropped",
            .severity = PLUMB_ERROR,
            .summary = "a field that the CRD leaves open holds one that the operator does not know",
            .why = "The API server keeps it, so that not even strict validation tells; the "
                   "operator reads a container or a pod and drops it.",
            .ref = "slurm-operator, api/v1beta1; Kubernetes, core/v1",
            .bad = NODE_SET "\n  template:\n"
                            "    spec:\n"
                            "      nodeSelectors: {pool: gpu}",
            .good = NODE_SET "\n  template:\n"
                             "    spec:\n"
                             "      nodeSelector: {pool: gpu}",
        },
    [PLUMB_KUBE_CHART_VALUE] =
        {
            .code = "KUBE020",
            .name = "chart-value",
            .severity = PLUMB_ERROR,
            .summary = "a value is none of the chart",
            .why = "The chart has no schema: the value is passed over without a word.",
            .ref = "slurm-operator, helm/slurm/values.yaml",
            .bad = "# values.yaml\n"
                   "controller:\n"
                   "  extraConfig: MaxArraySize=10000\n"
                   "nodesets:\n"
                   "  gpu: {replicas: 4}",
            .good = "# values.yaml\n"
                    "controller:\n"
                    "  extraConf: PartitionName=all Nodes=ALL\n"
                    "nodesets:\n"
                    "  gpu: {replicas: 4}",
        },
    [PLUMB_KUBE_NOT_BASE64] =
        {
            .code = "KUBE021",
            .name = "secret-base64",
            .severity = PLUMB_ERROR,
            .summary = "a value of a Secret is no base64, or no text",
            .why = "The API server refuses the object. stringData takes plain text.",
            .ref = "Kubernetes, core/v1, Secret",
            .secret = true,
            .bad = "apiVersion: v1\n"
                   "kind: Secret\n"
                   "metadata: {name: s}\n"
                   "data: {note: \"not base64!\"}",
            .good = "apiVersion: v1\n"
                    "kind: Secret\n"
                    "metadata: {name: s}\n"
                    "data: {note: \"\"}",
        },
    [PLUMB_KUBE_TEMPLATE] =
        {
            .code = "KUBE022",
            .name = "template-unread",
            .severity = PLUMB_INFO,
            .summary = "a file is a template of a chart",
            .why = "It is not read: what it renders to can be checked.",
            .ref = "Helm, helm template",
            .bad = "apiVersion: v1\n"
                   "kind: ConfigMap\n"
                   "metadata:\n"
                   "  name: {{ .Release.Name }}",
            .good = CONFIG_MAP,
        },
    [PLUMB_KUBE_ASSUMED] =
        {
            .code = "KUBE023",
            .name = "release-assumed",
            .severity = PLUMB_INFO,
            .summary = "nothing tells the release of the operator",
            .why = "The newest one that plumb knows is taken. A label helm.sh/chart or the option "
                   "--kubernetes tells it.",
            .ref = "plumb, command line",
            .bad = "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu}\n"
                   "spec: {controllerRef: {name: slurm}}",
            .good = "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu, "
                    "labels: {helm.sh/chart: slurm-1.2.1}}\nspec: {controllerRef: {name: slurm}}",
        },
    [PLUMB_KUBE_CHART_MAP] =
        {
            .code = "KUBE024",
            .name = "chart-map-unused",
            .severity = PLUMB_WARNING,
            .summary = "a mapping of the chart is switched off by a text beside it",
            .why = "extraConf and config take the place of extraConfMap and configMap: nothing of "
                   "the mapping reaches Slurm.",
            .ref = "slurm-operator, helm/slurm/templates",
            .bad = "# values.yaml\nnodesets:\n  gpu:\n    extraConf: Weight=1\n"
                   "    extraConfMap: {Gres: gpu:h100:8}",
            .good = "# values.yaml\nnodesets:\n  gpu:\n"
                    "    extraConfMap: {Gres: gpu:h100:8, Weight: 1}",
        },
    [PLUMB_KUBE_CHART_PARTITION] =
        {
            .code = "KUBE025",
            .name = "chart-partition",
            .severity = PLUMB_ERROR,
            .summary = "a partition of the chart has no nodes, or is made twice",
            .why = "The templates of the chart stop at a nodeset that is not there; two lines of "
                   "one partition stop slurmctld.",
            .ref = "slurm-operator, helm/slurm/templates; "
                   "read_config.c:_build_single_partitionline_info",
            .bad = "# values.yaml\nnodesets:\n  gpu: {replicas: 4}\npartitions:\n"
                   "  all: {enabled: true, nodesets: [gpus]}",
            .good = "# values.yaml\nnodesets:\n  gpu: {replicas: 4}\npartitions:\n"
                    "  all: {enabled: true, nodesets: [gpu]}",
        },
    [PLUMB_KUBE_CHART_ENTRY] =
        {
            .code = "KUBE026",
            .name = "chart-entry-lost",
            .severity = PLUMB_WARNING,
            .summary = "an entry of a mapping of the chart does not reach Slurm as it is written",
            .why = "Helm regards 0, false and the empty text as nothing; the chart joins entries "
                   "with ';' and takes them apart again.",
            .ref = "slurm-operator, helm/slurm/templates/_helpers.tpl",
            .bad = "# values.yaml\nnodesets:\n  gpu:\n    extraConfMap: {Weight: 0}",
            .good = "# values.yaml\nnodesets:\n  gpu:\n    extraConfMap: {Weight: \"0\"}",
        },
};

const struct plumb_rule_family plumb_kube_rules = {
    .prefix = "KUBE",
    .title = "Kubernetes manifests",
    .rules = plumb_kube_rows,
    .count = PLUMB_COUNT(plumb_kube_rows),
};
