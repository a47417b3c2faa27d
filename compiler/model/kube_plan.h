/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the section kubernetes of a specification asks for, for the targets that write manifests.
 * Made by passes/resolve_kube.c; texts that are absent have no default.
 */
#ifndef PLUMB_MODEL_KUBE_PLAN_H
#define PLUMB_MODEL_KUBE_PLAN_H

#include "base/release.h"
#include "base/span.h"
#include "model/kube.h"

/* A key of a Secret. */
struct plumb_kube_secret {
    struct plumb_text name, key;
};

/* A toleration, or a label, as Kubernetes spells it; parts that are absent are not written. */
struct plumb_kube_tolerance {
    struct plumb_text key, op, value, effect;
    struct plumb_span at;
};
struct plumb_kube_pick {
    struct plumb_text label, value;
};

struct plumb_kube_tolerances {
    struct plumb_kube_tolerance *items;
    size_t count;
};

/* The same machines as a class of nodes; by its place in model->nodes. */
struct plumb_kube_class {
    struct plumb_kube_pick *selector;
    size_t selector_count;
    struct plumb_kube_tolerances tolerations;
};

/* A list of names, each at its place. */
struct plumb_plan_names {
    struct plumb_text *items;
    size_t count;
};

/* A reservation of the specification. */
struct plumb_plan_reservation {
    struct plumb_text name;
    const struct plumb_hostlist *nodes; /* NULL: bad, and reported */
    struct plumb_text start, duration;  /* as scontrol reads them */
    struct plumb_plan_names accounts, users;
    struct plumb_text partition;
    struct plumb_kube_tolerance taint; /* key, value and effect; at unknown: there is none */
    struct plumb_kube_pick *selector;
    size_t selector_count;
};

/* An account of the specification. */
struct plumb_plan_limit {
    const char *option;     /* of sacctmgr: "GrpTRES" */
    struct plumb_text text; /* "gres/gpu=32" */
};
struct plumb_plan_account {
    struct plumb_text name, parent, organization, description;
    struct plumb_u64 fairshare;
    struct plumb_plan_limit *limits;
    size_t limit_count;
    struct plumb_plan_names qos, users;
};

struct plumb_kube_plan {
    enum plumb_kube_flavour flavour;
    struct plumb_span at;    /* the key of the section */
    struct plumb_text space; /* namespace */
    struct plumb_text name;  /* of the controller, and of everything that hangs on it */
    struct plumb_text controller_image, worker_image, login_image, database_image, rest_image;
    struct plumb_text munge_image, jail_image, config_image, sssd_image;
    struct plumb_text storage_class, storage_access, claim;
    struct plumb_u64 state_bytes;
    struct plumb_u64 database_bytes;
    struct plumb_kube_secret slurm_key, jwt_key, sssd, password, ssh_keys, munge_key;
    struct plumb_text identity, identity_host, hooks;
    struct plumb_text jail_class, jail_claim; /* of the root file system that all pods share */
    struct plumb_u64 jail_bytes;
    struct plumb_text host_keys; /* name of a Secret */
    struct plumb_plan_names root_keys;
    struct plumb_text login_service;
    struct plumb_u64 login_port;
    struct plumb_bool rest, metrics;
    struct plumb_u64 logins; /* pods for logins, where manifests were read */
    bool backup;             /* a second controller is asked for, and the release has it */
    struct plumb_kube_tolerances tolerations;
    struct plumb_kube_class *classes;
    const struct plumb_plan_reservation *reservations;
    size_t reservation_count;
    const struct plumb_plan_account *accounts;
    size_t account_count;

    const struct plumb_kube_writes *writes; /* of the release of the operator */
};

/* The row of a parameter, without case; NULL: the operator does not write it. */
const struct plumb_kube_owned *plumb_kube_own(const struct plumb_kube_owned *rows, size_t count,
                                              const char *key);

/* The row of a parameter that the operator writes and takes from nobody else; NULL. */
const struct plumb_kube_owned *plumb_kube_keeps(const struct plumb_kube_owned *rows, size_t count,
                                                const char *key);

/* The field that says a parameter; NULL: there is none. */
const struct plumb_kube_slot *plumb_kube_slot(const struct plumb_kube_slot *rows, size_t count,
                                              const char *key);

/* Operators write values of fields without quotes: no blank, quote, '#' or '\\' in it. */
bool plumb_kube_is_plain(const struct plumb_slice *value);

/* "spec/slurmConfig/messageTimeout": where it stands in the object. */
const char *plumb_kube_slot_path(struct plumb_arena *a, const struct plumb_kube_slot *slot);

bool plumb_kube_slot_is_number(const struct plumb_kube_slot *slot);

/* A value in the spelling of the field; NULL: the field does not take it. */
const char *plumb_kube_slot_text(struct plumb_arena *a, const struct plumb_kube_slot *slot,
                                 const struct plumb_slice *value);

/* Of a list that another line replaces (advice superset): the operator's words, as a comma list,
 * that value does not say, whatever is behind their '='. */
const char *plumb_kube_unsaid(struct plumb_arena *a, const struct plumb_kube_owned *own,
                              const struct plumb_slice *value);

#endif
