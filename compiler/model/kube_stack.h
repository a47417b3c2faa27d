/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the section kubernetes asks for beside the objects of a flavor: the stack of NVIDIA's GPU
 * operator with its alerts, how secrets come into the cluster, and how keys are changed. Made by
 * passes/resolve_kube_stack.c; parts that are absent were not asked for.
 */
#ifndef PLUMB_MODEL_KUBE_STACK_H
#define PLUMB_MODEL_KUBE_STACK_H

#include "model/model.h"

/* A key of a Secret that some object refers to; the value is never here. */
enum plumb_kube_purpose {
    PLUMB_FOR_SLURM_KEY, /* auth/slurm: slurm.key, slurm.jwks */
    PLUMB_FOR_MUNGE,
    PLUMB_FOR_TOKENS, /* the key that signs JWT */
    PLUMB_FOR_DATABASE,
    PLUMB_FOR_USERS, /* sssd.conf */
    PLUMB_FOR_SSH,
    PLUMB_PURPOSES,
};

struct plumb_kube_credential {
    enum plumb_kube_purpose purpose;
    struct plumb_text name, key;
    bool made; /* the operator makes the Secret: nothing is written for it */
};

enum plumb_kube_secret_style {
    PLUMB_SECRETS_BY_HAND,
    PLUMB_SECRETS_EXTERNAL,
    PLUMB_SECRETS_SEALED
};

struct plumb_kube_stack {
    struct plumb_span at;    /* the key of the section kubernetes */
    struct plumb_text space; /* its namespace */

    /* gpu_operator, monitoring */
    bool gpus;                   /* the stack is asked for */
    struct plumb_text gpu_space; /* namespace of the GPU operator */
    struct plumb_text release;   /* of its chart */
    struct plumb_bool driver, toolkit;
    struct plumb_bool dcgm, alerts, metrics;

    /* gitops */
    bool gitops;
    struct plumb_span gitops_at;
    enum plumb_kube_secret_style style;
    struct plumb_text store, store_kind, path;
    struct plumb_text *resources; /* of the user, for the kustomization */
    size_t resource_count;
    struct plumb_u64 refresh_sec;
    struct plumb_kube_credential *credentials;
    size_t credential_count;

    /* rotation */
    struct plumb_u64 rollout_sec; /* until the last pod is a new one */
    struct plumb_u64 overlap_sec; /* for which daemons take the old key beside the new one */
};

/*
 * The plan asks for the GPU operator, and no class has instances of MIG of two kinds, nor whole
 * GPUs beside them: each instance is one nvidia.com/gpu (MIG strategy single).
 */
bool plumb_kube_mig_single(const struct plumb_model *m);

/* The credential of a purpose; NULL: the specification has none. */
const struct plumb_kube_credential *plumb_kube_credential_of(const struct plumb_kube_stack *stack,
                                                             enum plumb_kube_purpose purpose);

/*
 * Seconds for which a credential holds between daemons: AuthInfo=ttl=, else what the plugin has
 * (slurm.conf(5), AuthInfo): 60 of auth/slurm, typically 300 of munge. slurm: the pods run
 * auth/slurm, whatever slurm.conf says.
 */
uint64_t plumb_kube_credential_sec(const struct plumb_model *m, bool slurm);

/* How long after a change of a Secret the kubelet has brought it to the last pod (kubelet,
 * --sync-frequency, and the cache of its watch). */
enum { PLUMB_KUBE_SECRET_SYNC_SEC = 120 };

#endif
