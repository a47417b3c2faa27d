/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a bundle of manifests says, for rules and targets: objects by kind and name, references
 * between them, clusters, sets of nodes with what their pods ask for and what Slurm is told, and
 * the nodes of a dump. Made by passes/lift_kube*.c; every text points at the manifest.
 */
#ifndef PLUMB_MODEL_KUBE_H
#define PLUMB_MODEL_KUBE_H

#include "base/arena.h"
#include "base/release.h"
#include "base/span.h"
#include "schema/kube_owned.h"

enum plumb_kube_flavour {
    PLUMB_OF_K8S,
    PLUMB_OF_SLINKY,
    PLUMB_OF_SOPERATOR,
    PLUMB_OF_SUNK,
    PLUMB_OF_SUNK_CHART,
    PLUMB_OF_SLINKY_CHART
};

/* A key of a ConfigMap or Secret. */
struct plumb_kube_key {
    struct plumb_text name;
    struct plumb_slice value; /* of a ConfigMap; empty for what is secret */
};

/* An object. */
struct plumb_kube_thing {
    const char *api, *kind, *space; /* interned; space "": the namespace is not said */
    const char *makes; /* the kind that a reference looks for: Secret for an ExternalSecret */
    struct plumb_text name;
    enum plumb_kube_flavour flavour;
    const char *path; /* of the file, as shown */
    struct plumb_kube_key *keys;
    size_t key_count;
    bool patch;                     /* a part of an object */
    bool open_keys;                 /* what keys it has is not in the manifest */
    struct plumb_span secret;       /* a Secret with data in plain text: its values; else unknown */
    struct plumb_text pod_security; /* Namespace: the level that it enforces */
    const char *provisioner;        /* StorageClass; NULL */
    bool single;                    /* PersistentVolumeClaim: no access mode lets two nodes write */
    bool generated;                 /* of a generator of kustomize: its name gets a hash */
};

/* One object names another. */
struct plumb_kube_reference {
    const struct plumb_kube_thing *from;
    const char *kind;            /* of what is named: "Secret" */
    struct plumb_text name, key; /* key absent: the object alone is named */
    const char *field;           /* "spec.jwtKeyRef" */
    const char *then;            /* what happens when it is not there */
    bool always; /* the operator's own kinds: also missing where none of that kind is there */
    bool optional;
};

/* "nvidia.com/gpu: 8", in thousandths. */
struct plumb_kube_amount {
    const char *resource;
    uint64_t milli;
    const char *text; /* as written */
    struct plumb_span at;
};

struct plumb_kube_label {
    struct plumb_text key, value;
};

/* Absent parts match everything, as Kubernetes has it. */
struct plumb_kube_toleration {
    const char *key, *value, *effect; /* "": not said */
    bool exists;                      /* operator Exists */
    struct plumb_span at, value_at;   /* its first value; that of value, else the same */
};

struct plumb_kube_taint {
    const char *key, *value, *effect;
};

/* A word of extraConf, or a pair of a line. */
struct plumb_kube_word {
    struct plumb_slice key, value;
    bool sign;            /* there is a '=' */
    struct plumb_span at; /* the word */
    bool first;           /* it begins a line */
};

struct plumb_kube_words {
    struct plumb_kube_word *items;
    size_t count, cap;
    struct plumb_span blank; /* a doubled, leading or trailing blank; unknown: none */
    struct plumb_span at;    /* the whole; unknown: there is none */
};

/* A number of a field, which the schema of the CRD takes and the operator does not. */
struct plumb_kube_number {
    const struct plumb_kube_slot *slot;
    const char *text;
    struct plumb_span at;
};

/* A controller: Controller, SlurmCluster. */
struct plumb_kube_cluster {
    const struct plumb_kube_thing *thing;
    struct plumb_text name;          /* clusterName */
    struct plumb_text image;         /* of slurmctld */
    struct plumb_u64 replicas;       /* of slurmctld */
    struct plumb_text storage_class; /* of the state of slurmctld */
    struct plumb_text claim;         /* the same, where it is there already */
    struct plumb_span
        stateless; /* SUNK: the controller, which has no volume; unknown: it has one */
    struct plumb_kube_words conf;         /* extraConf, customSlurmConfig */
    const struct plumb_kube_owned *owned; /* schema/kube_owned.h: what the operator writes */
    size_t owned_count;
    const struct plumb_kube_slot *slots; /* what its fields say */
    size_t slot_count;
    struct plumb_kube_number *unheld; /* Soperator: numbers that its fields do not hold */
    size_t unheld_count;
};

/* An item of resources.gres. */
struct plumb_kube_gres {
    struct plumb_text type, model;
    struct plumb_u64 count;
    struct plumb_span at; /* its first value */
};

/* What a NodeSet of SUNK says of the line of its nodes; a count is absent where it is not said. */
struct plumb_kube_tells {
    const char *base; /* its nodes are BASE-01, BASE-02 and so on */
    struct plumb_u64 cpus, memory_mib, weight;
    struct plumb_kube_gres *gres;
    size_t gres_count;
    struct plumb_text *features;
    size_t feature_count;
};

/* A NodeSet of any of the three. */
struct plumb_kube_nodeset {
    const struct plumb_kube_thing *thing;
    struct plumb_text cluster; /* the controller named; absent: that of the namespace */
    bool daemonset;
    const char *slurm_name;         /* of its partition, node set and nodes */
    struct plumb_text partition;    /* where it makes one: its name, at the place that says so */
    struct plumb_text image;        /* of slurmd */
    struct plumb_kube_words conf;   /* extraConf, nodeConfig.static */
    struct plumb_kube_amount *asks; /* limits, else requests, of the pod */
    size_t ask_count;
    struct plumb_kube_label *selector;
    size_t selector_count;
    bool affinity; /* it chooses nodes by an affinity, too */
    struct plumb_kube_toleration *tolerations;
    size_t toleration_count;
    struct plumb_span tolerations_at;     /* the first; else the set */
    const struct plumb_kube_tells *tells; /* SUNK alone; else NULL */
};

/* A Node of a dump. */
struct plumb_kube_node {
    struct plumb_text name;
    const char *override; /* annotation nodeset.slinky.slurm.net/hostname-override; NULL */
    struct plumb_kube_label *labels;
    size_t label_count;
    struct plumb_kube_taint *taints;
    size_t taint_count;
    struct plumb_kube_amount *allocatable;
    size_t allocatable_count;
};

/* An entry of resources: in a kustomization. */
struct plumb_kube_entry {
    struct plumb_text path; /* as written */
    bool missing;           /* no such file or folder beside it */
};

/* An expression of a term: key In [values]. */
struct plumb_kube_expression {
    const char *key, *op; /* "": not said */
    const char **values;
    size_t value_count;
};
struct plumb_kube_term {
    struct plumb_kube_expression *items; /* all of them hold; no node matches none */
    size_t count;
    struct plumb_span at; /* its first value */
};

/* A ReservationBinding of SUNK. */
struct plumb_kube_reservation {
    const struct plumb_kube_thing *thing;
    struct plumb_text cluster; /* the SlurmCluster named */
    struct plumb_text name, duration, partitions, accounts, users;
    struct plumb_kube_term *terms; /* one of them holds */
    size_t term_count;
    struct plumb_span taint; /* its first value; unknown: there is none */
};

/* "3g.40gb": 3, of a layout for NVIDIA's MIG manager. */
struct plumb_kube_slices {
    struct plumb_text profile;
    struct plumb_u64 count;
};
struct plumb_kube_layout {
    struct plumb_text name;
    struct plumb_kube_slices *items; /* none: whole GPUs */
    size_t count;
    bool filtered; /* it is for some products alone (device-filter) */
};

/* A configuration of NVIDIA's device plugin: a key of a ConfigMap. */
struct plumb_kube_sharing {
    const struct plumb_kube_thing *thing;
    struct plumb_text name;    /* of the key, which a label of the nodes chooses */
    const char *strategy;      /* "timeSlicing" or "mps"; NULL: GPUs are not shared */
    struct plumb_u64 replicas; /* of nvidia.com/gpu */
    bool one_at_a_time;        /* failRequestsGreaterThanOne, as the plugin has it */
    struct plumb_span one_at;  /* where it says so */
};

/* An alert of a PrometheusRule, or a recording rule. */
struct plumb_kube_alert {
    struct plumb_text name;
    struct plumb_slice expr;
};

struct plumb_kube_model {
    struct plumb_kube_thing *things;
    size_t thing_count;
    const struct plumb_kube_thing **named; /* those with a name, sorted: see plumb_kube_sort() */
    size_t named_count;
    struct plumb_kube_reference *references;
    size_t reference_count, reference_cap;
    bool assembled; /* the Slurm files of the run are those of its cluster */
    struct plumb_kube_cluster *clusters;
    size_t cluster_count;
    struct plumb_kube_nodeset *nodesets;
    size_t nodeset_count;
    struct plumb_kube_node *nodes;
    size_t node_count;
    struct plumb_kube_entry *entries;
    size_t entry_count, entry_cap;
    struct plumb_kube_words *accounting; /* extraConf of each Accounting */
    size_t accounting_count;
    struct plumb_kube_reservation *reservations;
    size_t reservation_count;
    struct plumb_text *accounts; /* that SlurmClusterAccounts of SUNK make */
    size_t account_count;
    struct plumb_kube_layout *layouts;
    size_t layout_count, layout_cap;
    struct plumb_kube_sharing *sharings;
    size_t sharing_count, sharing_cap;
    struct plumb_text plugin_default; /* the one that nodes without a label take; absent: unknown */
    struct plumb_kube_alert *alerts;
    size_t alert_count, alert_cap;
    bool whole; /* more than one manifest: what is not there is not kept elsewhere */
};

/* Sorts the things by kind and name, once all are there. */
void plumb_kube_sort(struct plumb_kube_model *m, struct plumb_arena *a);

/* The thing that a reference finds: by kind, name and namespace, the first; NULL. */
const struct plumb_kube_thing *plumb_kube_find(const struct plumb_kube_model *m, const char *kind,
                                               const char *space, const char *name);

/* Some thing that makes this kind is there, in a namespace or in one that is not said. */
bool plumb_kube_has(const struct plumb_kube_model *m, const char *kind, const char *space);

/* The cluster of a node set; NULL. */
const struct plumb_kube_cluster *plumb_kube_cluster_of(const struct plumb_kube_model *m,
                                                       const struct plumb_kube_nodeset *set);

/* The last word with this key; NULL. */
const struct plumb_kube_word *plumb_kube_word(const struct plumb_kube_words *w, const char *key);

/* An amount of a resource; NULL. */
const struct plumb_kube_amount *plumb_kube_amount_of(const struct plumb_kube_amount *list,
                                                     size_t count, const char *resource);

/* The nodes have every label of the selector of the set. */
bool plumb_kube_selects(const struct plumb_kube_nodeset *set, const struct plumb_kube_node *node);

/* Some term of the binding holds for the node. */
bool plumb_kube_binds(const struct plumb_kube_reservation *r, const struct plumb_kube_node *node);

#endif
