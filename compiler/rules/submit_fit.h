/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the question whether nodes can hold a job: submit_fit.c, submit_node.c, submit_blame.c.
 */
#ifndef PLUMB_RULES_SUBMIT_FIT_H
#define PLUMB_RULES_SUBMIT_FIT_H

#include "rules/submit.h"

/* Demands, in the order of trying; bits of a mask. */
enum plumb_demand {
    PLUMB_D_LIST,     /* --nodelist, --exclude, --reservation */
    PLUMB_D_FEATURES, /* --constraint */
    PLUMB_D_SHAPE,    /* sockets, cores, threads */
    PLUMB_D_DISK,
    PLUMB_D_GRES,
    PLUMB_D_CPUS,
    PLUMB_D_MEMORY,
    PLUMB_D_GPU_CPUS,
    PLUMB_D_GPU_MEMORY,
    PLUMB_D_BINDING,
    PLUMB_D_WHOLE,
    PLUMB_D_COUNT,
};

/* A node line, as far as its nodes are in the partition. */
struct plumb_fit_line {
    const struct plumb_nodes *nodes;
    const struct plumb_hostlist *hosts;
    uint64_t count, cores, threads, cpus, memory;
};

struct plumb_fit {
    struct plumb_submit *s;
    const struct plumb_need *n;
    struct plumb_fit_line *lines;
    size_t line_count;
    const char *constraint;
    size_t choice; /* of a bracket */
    unsigned mask;
    size_t only_gres; /* SIZE_MAX: all items */
};

/* GPUs of a node that the job can take, and what they allow in tasks. */
struct plumb_fit_devices {
    uint64_t gpus;     /* of the job as a whole: at most from this node */
    uint64_t per_node; /* that every node must give */
    uint64_t tasks;
};

bool plumb_fit_asks(const struct plumb_fit *f, enum plumb_demand d);

/* The lines together hold the job under the demands of a mask. */
bool plumb_fits(struct plumb_fit *f, unsigned mask);

/* How many a node of the line has; type NULL: of any. */
uint64_t plumb_fit_available(const struct plumb_nodes *n, const char *name, const char *type);

/* CPUs that the job may use of a node. */
uint64_t plumb_fit_cpus(const struct plumb_fit *f, const struct plumb_fit_line *sh);

/* Tasks that a node of this line can take under the demands of the mask; 0: none. */
uint64_t plumb_fit_tasks(const struct plumb_fit *f, const struct plumb_fit_line *sh,
                         struct plumb_fit_devices *d);

/* Reports that demand d cannot be met beside those of the mask before it. */
void plumb_fit_blame(struct plumb_fit *f, enum plumb_demand d, unsigned before);

/* The options that make a demand; each list ends with PLUMB_O_COUNT. */
extern const enum plumb_option_id plumb_fit_places[PLUMB_D_COUNT][6];

#endif
