/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps: calls of srun in a script against what its job asked for. A job may get more than it
 * asks for (whole cores, whole nodes), so each number here is the most that it can be given;
 * PLUMB_UNLIMITED where that cannot be told.
 */
#ifndef PLUMB_RULES_STEP_H
#define PLUMB_RULES_STEP_H

#include "rules/submit.h"

enum plumb_step_row {
    PLUMB_STEP_NODES,
    PLUMB_STEP_CPUS,
    PLUMB_STEP_GRES,
    PLUMB_STEP_MEMORY,
    PLUMB_STEP_COMPONENT,
    PLUMB_STEP_CPUS_PER_TASK,
    PLUMB_STEP_IGNORED,
    PLUMB_STEP_CONTRADICTS,
    PLUMB_STEP_IN_TURN,
    PLUMB_STEP_ROW_COUNT,
};
extern const struct plumb_rule plumb_step_rows[];

struct plumb_room {
    const struct plumb_request *job;
    const struct plumb_partition *part; /* NULL: one of several */
    uint64_t nodes;
    bool fixed_nodes;         /* that many, not fewer */
    uint64_t cpus, node_cpus; /* of the job, of one node of it */
    uint64_t memory;          /* MiB of a node */
    uint64_t threads;         /* of a core, the fewest of all nodes */
    bool whole;               /* whole nodes, and what is in them */
    bool memory_counts;       /* memory is given out at all */
};

struct plumb_room plumb_room_of(const struct plumb_check *ck, const struct plumb_request *job);

/* Devices of the job with this name and type (NULL: any): of a node, and in all. */
struct plumb_room_gres {
    uint64_t node, all;
    bool typed;   /* the job names a type, and never this one */
    bool untyped; /* the job names none */
    struct plumb_span at;
};
struct plumb_room_gres plumb_room_devices(const struct plumb_check *ck,
                                          const struct plumb_room *room, const char *name,
                                          const char *type);

struct plumb_step {
    const struct plumb_check *ck;
    const struct plumb_request *rq, *job; /* job: the component that it runs in */
    struct plumb_room room;
    uint64_t tasks, cpus_per_task; /* 0: not known */
    uint64_t nodes;                /* that it runs on at most; UNLIMITED: not known */
    bool inherited_tasks, inherited_cpus;
};

/* The value of an option, else the option, else the call. */
struct plumb_span plumb_step_place(const struct plumb_request *rq, enum plumb_option_id id);

/* "...; srun 24.11 cannot start the step" */
struct plumb_diag *plumb_step_report(const struct plumb_step *st, enum plumb_step_row row,
                                     struct plumb_span at, const char *text);
/* Notes the option of the job that decides, where it has one. */
void plumb_step_note_job(const struct plumb_step *st, struct plumb_diag *d,
                         enum plumb_option_id id);
/* The most CPUs on the nodes that the step may use; UNLIMITED: not known. */
uint64_t plumb_step_cpus(const struct plumb_step *st);
/* GPUs that a node gives to the step at least; 0: not known. */
uint64_t plumb_step_node_gpus(const struct plumb_step *st);

/* step_gpus.c: tasks and CPUs that follow from GPUs. */
void plumb_step_gpus(const struct plumb_step *st);
/* step_beside.c: options that the job hands on and that those of the step exclude. */
void plumb_step_contradictions(const struct plumb_step *st);
/* The earlier one runs in the background: true, and reported, when the later one waits for it. */
bool plumb_step_in_turn(const struct plumb_step *earlier, const struct plumb_step *later);

#endif
