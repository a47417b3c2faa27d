/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a job of one task for each GPU stays near its GPUs: which GPUs of an idle node it gets, how
 * many cores each task has, and which. Holds for the derived lines of gres.conf under
 * select/cons_tres with whole cores, and a step with --distribution=block:block --cpu-bind=cores
 * --gpu-bind=none (task/affinity), where the task takes the GPU that plumb_binding_place tells.
 * Seen with 22.05.8, 24.11.5 and 26.05.5 on every reference machine: .ci/daemons/derived.
 */
#ifndef PLUMB_MODEL_BINDING_H
#define PLUMB_MODEL_BINDING_H

#include "model/hardware.h"

struct plumb_binding_ask {
    const struct plumb_hardware *hw;
    enum plumb_hw_socket_kind kind; /* how slurmd counts sockets */
    struct plumb_cores reserved;    /* that jobs do not get; {0}: none */
    uint32_t spare; /* further cores that some socket may lack: nobody knows which */
    uint32_t cores; /* of each task; 0: all that are near */
    bool links;     /* the release prefers GPUs with links between them */
};

struct plumb_binding_task {
    struct plumb_gpu gpu;
    struct plumb_cores cores; /* Slurm's */
    struct plumb_cpus cpus;   /* the same as CPUs of the system; empty: not told */
};

struct plumb_binding {
    uint32_t gpus, cores_per_task;
    uint32_t cpus_per_task; /* as --cpus-per-task counts: with all threads */
    bool fills; /* all GPUs, and the tasks take all cores of the sockets that have some */
    struct plumb_slots devices;       /* Slurm's index of a GPU: position among its devices */
    struct plumb_binding_task *tasks; /* as many as GPUs, in the order of SLURM_LOCALID */
};

/*
 * Only where the daemons leave no choice that we have not seen them make: the GPUs of whole
 * sockets, or some of the first socket that has any. False: the captures do not decide it.
 */
bool plumb_binding_of(struct plumb_arena *a, const struct plumb_binding_ask *ask, uint32_t gpus,
                      struct plumb_binding *out);

/* Where the GPU of a task stands among those of the job, as CUDA_VISIBLE_DEVICES lists them. */
uint32_t plumb_binding_place(const struct plumb_binding_ask *ask, const struct plumb_binding *b,
                             uint32_t task);

/* The options of the step, as one text for people and scripts. */
extern const char plumb_binding_options[];

#endif
