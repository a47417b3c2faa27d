/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of the section kubernetes, of the section of that name in a class of nodes, and of
 * reservations, which are objects of some operators.
 */
#include "spec/table.h"

static const struct plumb_spec_word flavor_words[] = {
    {.name = "slinky"}, {.name = "soperator"}, {.name = "sunk"}, {0}};

static const struct plumb_spec_word form_words[] = {{.name = "objects"}, {.name = "values"}, {0}};

static const struct plumb_spec_word access_words[] = {
    {.name = "ReadWriteMany"}, {.name = "ReadWriteOnce"}, {.name = "ReadWriteOncePod"}, {0}};

static const struct plumb_spec_word service_words[] = {
    {.name = "ClusterIP"}, {.name = "LoadBalancer"}, {.name = "NodePort"}, {0}};

static const struct plumb_spec_word operator_words[] = {{.name = "Equal"}, {.name = "Exists"}, {0}};

static const struct plumb_spec_word effect_words[] = {
    {.name = "NoExecute"}, {.name = "NoSchedule"}, {.name = "PreferNoSchedule"}, {0}};

#define IMAGE(key, text)                                                                           \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_TEXT, .doc = "image of " text,                              \
        .example = "registry.example.org/" key ":26.05"                                            \
    }

static const struct plumb_spec_key image_keys[] = {
    IMAGE("controller", "slurmctld"),
    IMAGE("worker", "slurmd"),
    IMAGE("login", "the login pods"),
    IMAGE("database", "slurmdbd"),
    IMAGE("rest", "slurmrestd"),
    IMAGE("munge", "munged, beside each daemon of Soperator"),
    IMAGE("jail", "the root file system that all pods of Soperator share"),
    IMAGE("config", "the pod of Soperator that writes files of Slurm into it"),
    IMAGE("sssd", "sssd, beside pods of Soperator"),
};

static const struct plumb_spec_table image_table = {
    .title = "images", .keys = image_keys, .count = PLUMB_COUNT(image_keys)};

static const struct plumb_spec_key jail_keys[] = {
    {
        .name = "class",
        .kind = PLUMB_K_NAME,
        .doc = "its storage class",
        .why = "without it that of the state; all pods write it, so the class must let many nodes",
        .example = "weka-rwx",
    },
    {
        .name = "size",
        .kind = PLUMB_K_SIZE,
        .doc = "its size; the PersistentVolumeClaim is written where it is told, else it is there",
        .example = "2 TiB",
    },
    {
        .name = "claim",
        .kind = PLUMB_K_NAME,
        .doc = "name of the PersistentVolumeClaim; CLUSTER-jail where nothing is said",
        .example = "tenant-foo-jail",
    },
};

static const struct plumb_spec_table jail_table = {
    .title = "jail", .keys = jail_keys, .count = PLUMB_COUNT(jail_keys)};

static const struct plumb_spec_key storage_keys[] = {
    {
        .name = "class",
        .kind = PLUMB_K_NAME,
        .doc = "storage class of the volume that holds the state of slurmctld",
        .why = "without it the cluster's default class is taken",
        .example = "weka-rwx",
    },
    {
        .name = "access",
        .kind = PLUMB_K_WORD,
        .words = access_words,
        .doc = "access mode of that volume",
        .why = "two controllers need ReadWriteMany; Kubernetes' own word, ReadWriteOnce without it",
        .example = "ReadWriteMany",
    },
    {
        .name = "state",
        .kind = PLUMB_K_SIZE,
        .doc = "size of that volume",
        .example = "50 GiB",
    },
    {
        .name = "claim",
        .kind = PLUMB_K_NAME,
        .doc = "name of the PersistentVolumeClaim; it is written where state tells its size, else "
               "it is one that is there",
        .why = "without it the operator makes a claim of its own",
        .example = "slurm-state",
    },
    {
        .name = "jail",
        .kind = PLUMB_K_MAP,
        .of = &jail_table,
        .doc = "volume with the root file system that all pods of Soperator share",
    },
    {
        .name = "database",
        .kind = PLUMB_K_SIZE,
        .by_flavor = true,
        .doc = "size of the volume of the database that the operator runs",
        .example = "100 GiB",
    },
};

static const struct plumb_spec_table storage_table = {
    .title = "storage", .keys = storage_keys, .count = PLUMB_COUNT(storage_keys)};

static const struct plumb_spec_key service_keys[] = {
    {
        .name = "login",
        .kind = PLUMB_K_WORD,
        .words = service_words,
        .doc = "kind of the Service in front of the login pods",
        .example = "LoadBalancer",
    },
    {
        .name = "login_port",
        .kind = PLUMB_K_NUMBER,
        .doc = "port of each node that leads to the login pods of Soperator, for NodePort",
        .example = "30022",
    },
};

static const struct plumb_spec_table service_table = {
    .title = "service", .keys = service_keys, .count = PLUMB_COUNT(service_keys)};

static const struct plumb_spec_key monitoring_keys[] = {
    {
        .name = "metrics",
        .kind = PLUMB_K_BOOL,
        .doc = "whether slurmctld answers to Prometheus",
        .example = "true",
    },
    {
        .name = "dcgm",
        .kind = PLUMB_K_BOOL,
        .doc = "whether Prometheus is told of GPUs by NVIDIA's DCGM exporter",
        .why = "the list of metrics has what the alerts look at",
        .example = "true",
    },
    {
        .name = "alerts",
        .kind = PLUMB_K_BOOL,
        .doc = "whether alerts about GPUs, and nodes that Slurm has drained, are written",
        .example = "true",
    },
};

static const struct plumb_spec_table monitoring_table = {
    .title = "monitoring", .keys = monitoring_keys, .count = PLUMB_COUNT(monitoring_keys)};

static const struct plumb_spec_key toleration_keys[] = {
    {.name = "key", .kind = PLUMB_K_TEXT, .doc = "key of the taint", .example = "reserved.tenant"},
    {
        .name = "operator",
        .kind = PLUMB_K_WORD,
        .words = operator_words,
        .doc = "Exists for any value of the key; Equal without it",
        .example = "Exists",
    },
    {.name = "value", .kind = PLUMB_K_TEXT, .doc = "value of the taint", .example = "tenant-foo"},
    {
        .name = "effect",
        .kind = PLUMB_K_WORD,
        .words = effect_words,
        .doc = "effect of the taint; every effect without it",
        .example = "NoSchedule",
    },
};

static const struct plumb_spec_table toleration_table = {
    .title = "tolerations", .keys = toleration_keys, .count = PLUMB_COUNT(toleration_keys)};

#define TOLERATIONS(text)                                                                          \
    {                                                                                              \
        .name = "tolerations", .kind = PLUMB_K_MAP, .of = &toleration_table, .list = true,         \
        .doc = "taints that " text " may run beside",                                              \
        .example = "[{key: nvidia.com/gpu, operator: Exists}]"                                     \
    }

#define SECRET(key, text, sample)                                                                  \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_SECRET, .doc = (text), .example = (sample)                  \
    }

static const struct plumb_spec_key kubernetes_keys[] = {
    {
        .name = "flavor",
        .kind = PLUMB_K_WORD,
        .words = flavor_words,
        .required = true,
        .doc = "operator that runs the cluster; it chooses the target that writes its objects",
        .example = "slinky",
    },
    {
        .name = "release",
        .kind = PLUMB_K_TEXT,
        .doc = "release of the operator; without it the newest that plumb knows",
        .example = "\"1.2.1\"",
    },
    {
        .name = "form",
        .kind = PLUMB_K_WORD,
        .words = form_words,
        .def = "objects",
        .doc =
            "objects that the operator reads, or values of its chart, which makes them: slinky and "
            "sunk have both",
        .example = "values",
    },
    {
        .name = "namespace",
        .kind = PLUMB_K_NAME,
        .def = "slurm",
        .doc = "namespace of all objects",
        .example = "tenant-foo",
    },
    {
        .name = "name",
        .kind = PLUMB_K_NAME,
        .def = "slurm",
        .doc = "name of the controller, from which the other objects have theirs",
        .example = "slurm",
    },
    {.name = "images", .kind = PLUMB_K_MAP, .of = &image_table, .doc = "images of the pods"},
    {.name = "storage", .kind = PLUMB_K_MAP, .of = &storage_table, .doc = "volumes"},
    SECRET("slurm_key", "key of auth/slurm; NAME-auth-slurm, key slurm.key, where nothing is said",
           "{secret: slurm-auth-slurm, key: slurm.key}"),
    SECRET("jwt_key", "key of tokens; NAME-auth-jwt, key jwt.key, where nothing is said",
           "{secret: slurm-auth-jwt, key: jwt.key}"),
    SECRET("munge_key",
           "key of munge; Slinky has no munge, Soperator reads CLUSTER-munge, key munge.key",
           "{secret: munge-key}"),
    SECRET("ssh_keys",
           "keys with which root logs in; Slinky and Soperator take them as root_keys alone",
           "{secret: ssh-keys}"),
    {
        .name = "root_keys",
        .kind = PLUMB_K_TEXT,
        .list = true,
        .doc = "public keys with which root logs in to login pods, as lines of authorized_keys",
        .example = "[ssh-ed25519 AAAAC3Nz... admin@example.org]",
    },
    SECRET("host_keys", "keys that login pods of Soperator tell as their own; it makes them else",
           "{secret: sshd-keys}"),
    SECRET("sssd", "sssd.conf of the login pods", "{secret: sssd, key: sssd.conf}"),
    {
        .name = "hooks",
        .kind = PLUMB_K_NAME,
        .by_flavor = true,
        .doc = "ConfigMap with the scripts of prolog and epilog",
        .example = "tenant-foo-hooks",
    },
    {.name = "service", .kind = PLUMB_K_MAP, .of = &service_table, .doc = "who reaches the pods"},
    TOLERATIONS("all pods"),
    {
        .name = "rest",
        .kind = PLUMB_K_BOOL,
        .doc = "whether slurmrestd runs",
        .example = "true",
    },
    {.name = "monitoring",
     .kind = PLUMB_K_MAP,
     .of = &monitoring_table,
     .doc = "what is told to Prometheus"},
    {.name = "gpu_operator",
     .kind = PLUMB_K_MAP,
     .of = &plumb_spec_gpu_operator,
     .if_given = true,
     .doc = "NVIDIA's GPU operator, which runs MIG manager, device plugin and DCGM exporter"},
    {.name = "gitops",
     .kind = PLUMB_K_MAP,
     .of = &plumb_spec_gitops,
     .if_given = true,
     .doc = "how manifests and secrets come into the cluster"},
    {.name = "rotation",
     .kind = PLUMB_K_MAP,
     .of = &plumb_spec_rotation,
     .doc = "how long a change of a key takes"},
};

const struct plumb_spec_table plumb_spec_kubernetes = {
    .title = "kubernetes", .keys = kubernetes_keys, .count = PLUMB_COUNT(kubernetes_keys)};

static const struct plumb_spec_key label_row = {
    .name = "LABEL",
    .kind = PLUMB_K_TEXT,
    .doc = "value of a label",
    .example = "NVIDIA-H100-80GB-HBM3",
};

static const struct plumb_spec_table label_table = {
    .title = "selector", .keys = NULL, .count = 0, .other = &label_row};

static const struct plumb_spec_key class_keys[] = {
    {
        .name = "selector",
        .kind = PLUMB_K_MAP,
        .of = &label_table,
        .doc = "labels of the Kubernetes nodes of this class",
        .example = "{nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}",
    },
    TOLERATIONS("pods of this class"),
    {
        .name = "allocatable",
        .kind = PLUMB_K_TEXT,
        .doc = "capture of the Node objects: kubectl get nodes -o json",
        .example = "captures/k8s-nodes.json",
    },
};

const struct plumb_spec_table plumb_spec_class_kubernetes = {
    .title = "kubernetes", .keys = class_keys, .count = PLUMB_COUNT(class_keys)};

/* ---- reservations ---- */

static const struct plumb_spec_key taint_keys[] = {
    {
        .name = "key",
        .kind = PLUMB_K_TEXT,
        .required = true,
        .doc = "key of the taint",
        .example = "reserved.tenant",
    },
    {.name = "value", .kind = PLUMB_K_TEXT, .doc = "its value", .example = "tenant-foo"},
    {
        .name = "effect",
        .kind = PLUMB_K_WORD,
        .words = effect_words,
        .required = true,
        .doc = "what becomes of pods that do not tolerate it",
        .example = "NoSchedule",
    },
};

static const struct plumb_spec_table taint_table = {
    .title = "taint", .keys = taint_keys, .count = PLUMB_COUNT(taint_keys)};

static const struct plumb_spec_key reservation_kube_keys[] = {
    {
        .name = "selector",
        .kind = PLUMB_K_MAP,
        .of = &label_table,
        .doc = "labels of the machines that are tainted",
        .why = "without it those of the classes of its nodes, which are those of all their "
               "machines: a part of a class needs labels of its own",
        .example = "{workload-type: training}",
    },
};

static const struct plumb_spec_table reservation_kube_table = {
    .title = "kubernetes",
    .keys = reservation_kube_keys,
    .count = PLUMB_COUNT(reservation_kube_keys)};

static const struct plumb_spec_key reservation_keys[] = {
    {
        .name = "nodes",
        .kind = PLUMB_K_HOSTS,
        .required = true,
        .list = true,
        .doc = "nodes or classes that are reserved",
        .example = "gpu-[01-12]",
    },
    {
        .name = "start",
        .kind = PLUMB_K_TEXT,
        .def = "now",
        .doc = "when it begins, as scontrol reads it",
        .example = "2027-01-31T08:00:00",
    },
    {
        .name = "duration",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .unlimited = true,
        .required = true,
        .doc = "how long it lasts",
        .why = "one without an end keeps its nodes from everyone else, busy or not",
        .example = "48 h",
    },
    {
        .name = "accounts",
        .kind = PLUMB_K_NAME,
        .list = true,
        .doc = "accounts that may use it",
        .why = "slurmctld refuses a reservation for no account and no user",
        .example = "[tenant-foo]",
    },
    {
        .name = "users",
        .kind = PLUMB_K_NAME,
        .list = true,
        .doc = "users that may use it; without it all of the accounts",
        .example = "[alice]",
    },
    {
        .name = "partition",
        .kind = PLUMB_K_NAME,
        .doc = "partition whose jobs may use it",
        .example = "training",
    },
    {
        .name = "taint",
        .kind = PLUMB_K_MAP,
        .of = &taint_table,
        .doc = "taint of its machines, which keeps other pods of Kubernetes away",
    },
    {
        .name = "kubernetes",
        .kind = PLUMB_K_MAP,
        .of = &reservation_kube_table,
        .doc = "which machines are tainted",
    },
};

const struct plumb_spec_table plumb_spec_reservation = {
    .title = "reservations", .keys = reservation_keys, .count = PLUMB_COUNT(reservation_keys)};
