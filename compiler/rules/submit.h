/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request held against the cluster: what slurmctld would say to it, in the order in which
 * it looks (slurmctld/job_mgr.c:_job_create). Each question is a function that adds faults to
 * a list; submit.c asks them for every partition of a request and decides which are told.
 */
#ifndef PLUMB_RULES_SUBMIT_H
#define PLUMB_RULES_SUBMIT_H

#include "model/accounts.h"
#include "model/request.h"
#include "rules/check.h"

/* Rows of the family, in the order of their codes. */
enum plumb_submit_row {
    PLUMB_SUBMIT_PARTITION,
    PLUMB_SUBMIT_STATE,
    PLUMB_SUBMIT_ACCESS,
    PLUMB_SUBMIT_ACCOUNT,
    PLUMB_SUBMIT_QOS,
    PLUMB_SUBMIT_RESERVATION,
    PLUMB_SUBMIT_TIME,
    PLUMB_SUBMIT_NODES,
    PLUMB_SUBMIT_NODE_NAME,
    PLUMB_SUBMIT_FEATURE,
    PLUMB_SUBMIT_LICENSE,
    PLUMB_SUBMIT_ARRAY,
    PLUMB_SUBMIT_GRES_NAME,
    PLUMB_SUBMIT_GRES_TYPE,
    PLUMB_SUBMIT_GRES_COUNT,
    PLUMB_SUBMIT_CPUS,
    PLUMB_SUBMIT_MEMORY,
    PLUMB_SUBMIT_SHAPE,
    PLUMB_SUBMIT_TOGETHER,
    PLUMB_SUBMIT_MEMORY_LIMIT,
    PLUMB_SUBMIT_LIMIT,
    PLUMB_SUBMIT_WALL,
    PLUMB_SUBMIT_COUNT_LIMIT,
    PLUMB_SUBMIT_SHARE,
    PLUMB_SUBMIT_PRIVILEGE,
    PLUMB_SUBMIT_WHOLE_MEMORY,
    PLUMB_SUBMIT_WHOLE_NODE,
    PLUMB_SUBMIT_ANY_TYPE,
    PLUMB_SUBMIT_MIG_TYPES,
    PLUMB_SUBMIT_UNSOUND,
    PLUMB_SUBMIT_FAR,
    PLUMB_SUBMIT_UNTOLD,
    PLUMB_SUBMIT_SIZE,
    PLUMB_SUBMIT_ROW_COUNT,
};
extern const struct plumb_rule plumb_submit_rows[]; /* submit_rules.c */

/* Asks about every request of the job scripts: the function of the first row. */
void plumb_submit_judge_all(const struct plumb_check *ck);

struct plumb_fault {
    enum plumb_submit_row row;
    struct plumb_span at;
    const char *message;
    struct plumb_span note_at; /* unknown: none */
    const char *note;
    const char *fact; /* NULL */
    bool enforced;    /* with EnforcePartLimits=NO slurmctld takes the job, and it pends */
    bool passes;      /* someone ends it: a warning */
    bool waits;       /* slurmctld takes the job whatever it is set to, and it pends */
};
struct plumb_faults {
    struct plumb_fault *items;
    size_t count, cap;
};

/* EnforcePartLimits: which partitions of a list must take the job. */
enum plumb_enforce {
    PLUMB_ENFORCE_NO,
    PLUMB_ENFORCE_ANY,
    PLUMB_ENFORCE_ALL,
};

/* One request in one partition. */
struct plumb_submit {
    const struct plumb_check *ck;
    const struct plumb_request *rq;
    const struct plumb_partition *part; /* NULL: not known, as in a call whose script we lack */
    enum plumb_enforce enforce;

    const struct plumb_accounts *accounts; /* NULL: not told */
    bool enforce_assocs, enforce_limits, enforce_qos;
    const char *user, *account;             /* NULL: not known */
    const struct plumb_assoc *assoc;        /* of the user; else of the account; NULL: not known */
    const struct plumb_qos *qos, *part_qos; /* NULL: none, or not known */
    const struct plumb_reservation *reservation;

    struct plumb_faults faults;
};

/* The question without a partition and without faults. */
struct plumb_submit plumb_submit_begin(const struct plumb_check *ck,
                                       const struct plumb_request *rq);
/* The one partition that a request runs in; NULL: several, or not known. */
const struct plumb_partition *plumb_submit_one_partition(const struct plumb_model *m,
                                                         const struct plumb_request *rq);

/* Adds a fault; its span falls back to the request. */
struct plumb_fault *plumb_fault(struct plumb_submit *s, enum plumb_submit_row row,
                                struct plumb_span at, const char *fmt, ...) PLUMB_PRINTF(4, 5);

/* The place of the first of these options that is given; else of the request. Ends with COUNT. */
struct plumb_span plumb_submit_at(const struct plumb_submit *s, const enum plumb_option_id *ids);
/* The hosts of --nodelist or --exclude; NULL: none, not known, a file, or no list. */
struct plumb_hostlist *plumb_submit_hosts(const struct plumb_check *ck,
                                          const struct plumb_request *rq, enum plumb_option_id id);
/* The partition (NULL: any) has some of the nodes. */
bool plumb_submit_has_nodes(const struct plumb_check *ck, const struct plumb_partition *p,
                            const struct plumb_nodes *n);
/* Adds the types of a device in a partition (NULL: any), "'a100', 'h100'"; how many. */
size_t plumb_submit_types(const struct plumb_check *ck, const struct plumb_partition *p,
                          const char *name, struct plumb_buf *out);
/* A partition number: its setting, else absent. */
struct plumb_u64 plumb_submit_limit(const struct plumb_submit *s, enum plumb_param_id id);
/* The setting of the partition, else the one of the cluster; absent when it is 0 or no limit. */
struct plumb_u64 plumb_submit_default(const struct plumb_submit *s, enum plumb_param_id part,
                                      enum plumb_param_id global);
const char *plumb_submit_time(const struct plumb_submit *s, uint64_t minutes);

/* What the request comes to, defaults of the partition and the cluster included. */
struct plumb_need {
    uint64_t min_nodes, max_nodes;       /* max 0: as many as it takes */
    uint64_t tasks;                      /* of the job; at least one a node */
    uint64_t tasks_per_node;             /* exactly; 0: free */
    uint64_t cpus_per_task, node_cpus;   /* node_cpus: at least, on each node */
    uint64_t threads;                    /* of a core that are used; 0: all */
    uint64_t tasks_per_core;             /* 0: free */
    uint64_t mem_node, mem_cpu, mem_gpu; /* MiB; one of them, or none */
    bool mem_given;                      /* asked for; else a default */
    uint64_t other_node; /* with --mem-per-gpu: the default of a node that counts beside it */
    bool other_whole;    /* the same: nothing says how much */
    bool whole_memory;   /* nothing says how much: all of the node */
    struct plumb_span mem_default_at;
    uint64_t cpus_per_gpu; /* 0: free */
    uint64_t gpus;         /* of the job as a whole */
    bool whole_node;
};
struct plumb_need plumb_need_of(const struct plumb_submit *s);

/* submit_access.c: who may use what. The first also finds account, association and QOS. */
void plumb_submit_accounts(struct plumb_submit *s);
void plumb_submit_partition(struct plumb_submit *s);
void plumb_submit_reservation(struct plumb_submit *s);

/* submit_names.c: names and counts that do not depend on the partition. */
void plumb_submit_names(struct plumb_submit *s);

/* submit_limits.c: limits of the partition, the QOS and the association. */
void plumb_submit_partition_limits(struct plumb_submit *s, const struct plumb_need *n);
void plumb_submit_limits(struct plumb_submit *s, const struct plumb_need *n);

/* submit_fit.c: can the nodes of the partition hold it. */
void plumb_submit_fit(struct plumb_submit *s, const struct plumb_need *n);
/* submit_bind.c: --gres-flags=enforce-binding; else a job that it does not hold for runs, slowly.
 */
bool plumb_submit_enforces_binding(const struct plumb_submit *s);
/* The CPUs are on the sockets of so many GPUs of a node, as far as that is told. */
bool plumb_submit_binds(const struct plumb_submit *s, const struct plumb_need *n,
                        const struct plumb_nodes *nodes, uint64_t per_node);
/* The most GPUs of --gpus that a node gives under it with --cpus-per-gpu; UINT64_MAX: any number.
 */
uint64_t plumb_submit_bound_gpus(const struct plumb_submit *s, const struct plumb_need *n,
                                 const struct plumb_nodes *nodes);
/* submit_feature.c: names of features are known to some node; expression of --constraint. */
void plumb_submit_features(struct plumb_submit *s);

/* submit_meant.c: what it gets is not what it says. */
void plumb_submit_meant(struct plumb_submit *s, const struct plumb_need *n);

/* The expression of --constraint holds for a node with these features; see submit_feature.c. */
bool plumb_feature_matches(const char *expression, const struct plumb_slice *features,
                           size_t choice);
/* How many ways a bracket "[a|b]" leaves; 1 without one. */
size_t plumb_feature_choices(const char *expression);
/* The next name from *at on, and the number behind its '*' (0: none). False at the end. */
bool plumb_feature_next(const char *expression, size_t *at, size_t *begin, size_t *end,
                        uint64_t *count);

#endif
