/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a handle, for the command and for tests. Not installed. */
#ifndef PLUMB_API_INTERNAL_H
#define PLUMB_API_INTERNAL_H

#include <setjmp.h>

#include "base/session.h"
#include "emit/output.h"
#include "emit/render.h"
#include "passes/pass.h"
#include "passes/policy.h"
#include "plumb/plumb.h"

struct plumb_handle {
    jmp_buf out_of_memory; /* set by plumb_guard() */
    struct plumb_arena *arena, *scratch;
    struct plumb_session session;
    struct plumb_run run;
    struct plumb_policy policy;

    struct plumb_audit *audit; /* passes/audit.h: of a fleet; NULL */
    struct plumb_handle *old;  /* the same inputs for the release of --from; NULL */

    const char *directory;   /* -C; NULL */
    const char *with;        /* "nvme", "hca" or "all": resources beside GPUs; NULL: none */
    const char *topology;    /* "tree" or "block": what a fabric becomes; NULL: what is told of */
    const char *as;          /* for the first input; NULL once used */
    const char *usage;       /* what is wrong with the options; NULL */
    const char *out_problem; /* why outputs could not be written; NULL */
    bool repeated;           /* a file was named twice */
    bool adding_live;        /* what is added is of a running cluster */
    struct plumb_string_list problems;   /* inputs that could not be read */
    struct plumb_string_list references; /* built-in ones that plumb_add_capture() was given */
    bool exhausted;                      /* memory ran out: nothing works any more */
    bool ran;
    bool overwrite;

    struct plumb_difference *differences; /* of plumb_compare */
    size_t difference_count;

    struct plumb_diag **shown; /* findings in order of showing, with their suppressed siblings */
    size_t shown_count;
    struct plumb_diag **suppressed;
    size_t suppressed_count;
};

/* Calls work behind the place to which control comes when memory runs out. False: it has. */
bool plumb_guard(struct plumb_handle *h, void (*work)(struct plumb_handle *h, void *call),
                 void *call);

/* api/options.c: what is refused makes h->usage, the first one counts. */
void plumb_options_read(struct plumb_handle *h, const struct plumb_options *o);
void plumb_options_refuse(struct plumb_handle *h, const char *why);

/* api/walk.c: adds a file or a folder. False: recorded in problems. */
bool plumb_walk(struct plumb_handle *h, const char *path);

/* Adds a file or a folder of what a running cluster says. False: recorded in problems. */
bool plumb_walk_live(struct plumb_handle *h, const char *path);

/* Adds one file as a job script. False: recorded in problems. */
bool plumb_walk_job(struct plumb_handle *h, const char *path);

/* Adds one input whose source is loaded. False: nobody knows what it is; recorded. */
bool plumb_walk_add(struct plumb_handle *h, struct plumb_input in);

/* Records an input that could not be read. Returns false. */
bool plumb_walk_fail(struct plumb_handle *h, const char *shown, const char *why);

/* The path to open for a path that the user named: behind the directory of -C. */
const char *plumb_walk_path(struct plumb_handle *h, const char *path);

/* api/topology.c: the captures alone. Adding: false: recorded in problems. */
bool plumb_topology_add(struct plumb_handle *h, const char *name);
void plumb_topology_run(struct plumb_handle *h);
void plumb_topology_render(struct plumb_handle *h, bool json, struct plumb_buf *out);

/* Why captures give nothing in the format that was asked for; NULL: there are none. */
const char *plumb_topology_nothing(struct plumb_handle *h);

/* api/picture.c: topology.conf or topology.yaml. */
bool plumb_is_fabric_file(const struct plumb_input *in);
/* Reads topology.conf and topology.yaml, where they are; the whole as SVG. */
void plumb_topology_fabric(struct plumb_run *r);
void plumb_topology_picture(struct plumb_handle *h, struct plumb_buf *out);

/* api/topology_lines.c: the same as "spec", "gres" or "nccl". */
void plumb_topology_lines(struct plumb_handle *h, const char *format, struct plumb_buf *out);

/* nccl.conf of one machine; out_problem when captures do not tell, or are of several. */
void plumb_topology_rails(struct plumb_handle *h, struct plumb_buf *out);
/* The captured fabric, or a topology file, as "topology.conf" or "topology.yaml"; nothing when
 * there is none. */
void plumb_topology_slurm(struct plumb_handle *h, const char *format, struct plumb_buf *out);

/* api/fleet.c: a fleet. Adding: a folder, or what another run has read. */
struct plumb_audit *plumb_fleet_of(struct plumb_handle *h);
bool plumb_fleet_add(struct plumb_handle *h, const char *path, bool partial);
void plumb_fleet_run(struct plumb_handle *h, unsigned threads);
void plumb_fleet_render(struct plumb_handle *h, const char *format, struct plumb_buf *out);
void plumb_fleet_close(struct plumb_handle *h);

/* api/upgrade.c: leaves the findings that h->old does not have, adds those that are gone. */
void plumb_upgrade_compare(struct plumb_handle *h);

/* api/report.c: sorts the findings into h->shown and h->suppressed. */
void plumb_report_collect(struct plumb_handle *h);
struct plumb_report plumb_report_of(const struct plumb_handle *h);

#endif
