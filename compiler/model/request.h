/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job script asks the cluster for: one request for each component of a script and each
 * submission in its body. Values are those that slurmctld would receive; passes/type_request.c
 * reads them from the options.
 */
#ifndef PLUMB_MODEL_REQUEST_H
#define PLUMB_MODEL_REQUEST_H

#include "base/span.h"
#include "schema/option.h"

/* An option as last given. */
struct plumb_given {
    struct plumb_slice value;
    struct plumb_span at;
    bool set;
    bool unknown; /* the value is the shell's to tell */
};

/* What a count of devices is meant for. */
enum plumb_per {
    PLUMB_PER_NODE,
    PLUMB_PER_JOB,
    PLUMB_PER_TASK,
    PLUMB_PER_SOCKET,
};

struct plumb_request_gres {
    const char *name; /* interned */
    const char *type; /* interned; NULL: any */
    uint64_t count;   /* above 0 */
    enum plumb_per per;
    struct plumb_span at; /* the item */
    struct plumb_span name_at, type_at, count_at;
};

struct plumb_request {
    enum plumb_job_command command;
    struct plumb_span at;     /* the command, or the directives */
    struct plumb_span script; /* its text; empty where a shell changes it first */
    unsigned component;       /* of a heterogeneous job or step, from 0 */
    bool step;                /* srun in the body of a script: a part of the job */
    bool inner;               /* a command in the body of a script, not the script itself */
    bool partial;             /* sbatch in the body: its script may say more */
    size_t job;               /* of a step: the place of the first component of its job */
    unsigned components;      /* of a step: how many its job has */
    unsigned parts;           /* of a step: how many it has itself, divided by ':' */
    unsigned wave;            /* steps of a job with one wave have no 'wait' between them */
    unsigned pipe;            /* steps of a job with one pipe run at the same time */
    bool background;          /* of a step: the shell does not wait for its end */
    bool looped;              /* of a step: started again and again without a 'wait' */
    bool changed; /* of a step: variables of Slurm were unset, or set to what nobody knows */
    bool bad;     /* some value was reported: nothing is said about resources */
    struct plumb_given given[PLUMB_O_COUNT];

    struct plumb_u64 nodes_min, nodes_max; /* of --nodes; else absent */
    struct plumb_u64 ntasks, ntasks_per_node, ntasks_per_socket, ntasks_per_core, ntasks_per_gpu;
    struct plumb_u64 cpus_per_task, cpus_per_gpu, min_cpus;
    struct plumb_u64 sockets, cores, threads;            /* shape of a node that is asked for */
    struct plumb_u64 mem, mem_per_cpu, mem_per_gpu, tmp; /* MiB */
    struct plumb_u64 time, time_min;                     /* minutes; PLUMB_UNLIMITED */
    struct plumb_u64 array_last;                         /* the highest index */
    uint64_t array_tasks;                                /* how many; 0: no array */

    struct plumb_request_gres *gres; /* every --gres and --gpus* item */
    size_t gres_count;
    struct plumb_slice *partitions; /* --partition, names in order; none: the default one */
    size_t partition_count;
};

static inline const struct plumb_given *plumb_given(const struct plumb_request *rq,
                                                    enum plumb_option_id id)
{
    return rq->given[id].set ? &rq->given[id] : NULL;
}

#endif
