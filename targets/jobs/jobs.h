/* SPDX-License-Identifier: Apache-2.0 */
/* Target jobs: submission templates. */
#ifndef PLUMB_TARGETS_JOBS_H
#define PLUMB_TARGETS_JOBS_H

#include "emit/output.h"
#include "model/binding.h"

extern const struct plumb_target plumb_target_jobs;

/*
 * How jobs on nodes of a class stay near their GPUs, with what the class reserves. False: *reason
 * is one sentence part.
 */
bool plumb_jobs_ask(const struct plumb_emit *em, const struct plumb_nodes *n,
                    struct plumb_binding_ask *ask, const char **reason);

/* Where a job for nodes of a class goes. Texts are NULL where nothing is to be said. */
struct plumb_jobs_place {
    const struct plumb_partition *partition;
    uint64_t nodes;         /* of the class in it */
    const char *qos;        /* the partition takes no other */
    const char *account;    /* an example: the cluster has accounts */
    const char *accounts;   /* all that the partition takes, for people */
    const char *constraint; /* other nodes of the partition have such GPUs too */
    uint64_t minutes;       /* run time to ask for */
};

struct plumb_jobs_size {
    uint64_t nodes, cpus; /* CPUs of each node */
    bool whole;           /* all GPUs, with all cores of their sockets */
};

/* A partition that takes such jobs. False: there is none. */
bool plumb_jobs_place_of(const struct plumb_emit *em, const struct plumb_nodes *n,
                         const struct plumb_jobs_size *size, struct plumb_jobs_place *out);

#endif
