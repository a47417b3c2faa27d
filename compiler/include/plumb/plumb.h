/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libplumb: the compiler and linter as a library. No function prints, exits, or reads the
 * environment; a session holds no state outside itself, so any number may run in parallel
 * threads. Everything handed out is const and lives until the session ends.
 */
#ifndef PLUMB_PLUMB_H
#define PLUMB_PLUMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plumb_handle plumb_handle;

/* Exit codes of the command, and results of plumb_run(). The highest applies. */
enum plumb_result {
    PLUMB_RESULT_CLEAN = 0,      /* nothing at or above the level that fails */
    PLUMB_RESULT_FINDINGS = 1,   /* findings at or above it, or stale output */
    PLUMB_RESULT_USAGE = 2,      /* wrong usage */
    PLUMB_RESULT_INCOMPLETE = 3, /* an input could not be read or parsed at all */
    PLUMB_RESULT_INTERNAL = 4,   /* out of memory, cannot write */
};

struct plumb_options {
    const char *directory;  /* -C: relative paths start here; NULL: the current one */
    const char *slurm;      /* "24.11"; NULL: what the source says, else the newest */
    const char *kubernetes; /* "slinky=1.2.1,..."; NULL: what the manifests say, else the newest */
    const char *table;      /* a file of rows that adds a release or corrects one; NULL */
    const char *from; /* "22.05": only what changes when the files go from there to slurm; NULL */
    const char *reference_dir; /* folder of built-in captures; NULL: the installed one */
    const char *select;        /* comma list of codes, names or families; NULL: all */
    const char *ignore;
    const char *severity; /* "RULE=LEVEL,..." */
    const char *as;       /* "slurm.conf": what the first path is, whatever its name */
    const char *today;    /* "2027-01-31": ends suppressions with until=; NULL: none ends */
    const char *targets;  /* comma list; NULL: all that apply */
    const char *user;     /* who submits the job scripts; NULL: nothing is said about accounts */
    const char *topology; /* "tree" or "block": what a fabric is written as; NULL: as captured */
    const char *with;     /* "nvme", "hca", "all": what "spec" and "gres" have beside GPUs; NULL */
    bool drift;           /* show what differs from plumb_add_live() alone */
    bool only_jobs;       /* show findings about job scripts alone */
    bool outputs;         /* make outputs too (build) */
    bool force;           /* make outputs although errors were found */
    bool overwrite;       /* replace files in the way that plumb has not written */
};

/* NULL when memory is out. */
plumb_handle *plumb_open(const struct plumb_options *options);
void plumb_close(plumb_handle *h); /* NULL is allowed */

/*
 * Why an option was refused ("unknown release '24.99', ..."), or a path could not be read;
 * NULL when all is well.
 */
const char *plumb_problem(const plumb_handle *h);

/*
 * Adds a file, or a folder with everything in it that plumb can read. "-" is not special. False:
 * plumb_problem() tells why; the run goes on with the rest and ends with PLUMB_RESULT_INCOMPLETE.
 */
bool plumb_add_path(plumb_handle *h, const char *path);

/* Adds a job script, whatever it looks like. */
bool plumb_add_job(plumb_handle *h, const char *path);
bool plumb_add_job_text(plumb_handle *h, const char *name, const char *bytes, size_t len);

/*
 * Adds what a running cluster says of itself, to be compared with the rest: a file, a folder, or
 * text. See the option drift.
 */
bool plumb_add_live(plumb_handle *h, const char *path);
bool plumb_add_live_text(plumb_handle *h, const char *name, const char *bytes, size_t len);

/* The same as plumb_add_path(), or the name of a built-in reference where no such path exists. For
 * plumb_run_captures(). */
bool plumb_add_capture(plumb_handle *h, const char *name);

/*
 * Adds the captures of a fleet: a folder with one folder a machine, or files named after machines;
 * or a file that holds what another run has read of it ("partial" of plumb_topology()). A handle
 * takes one of both kinds. For plumb_run_fleet().
 */
bool plumb_add_fleet(plumb_handle *h, const char *path);
bool plumb_add_partial(plumb_handle *h, const char *path);

/* Adds text from memory under a name. */
bool plumb_add_text(plumb_handle *h, const char *name, const char *bytes, size_t len);

/* Reads, checks and, when asked, makes outputs. fail_on: "error", "warning", "info", "never". */
enum plumb_result plumb_run_all(plumb_handle *h, const char *fail_on);

/*
 * Instead of plumb_run_all(): reads captures only, and merges those of one folder. Findings are
 * about the captures; plumb_topology() then tells what they say.
 */
enum plumb_result plumb_run_captures(plumb_handle *h, const char *fail_on);

/*
 * The machines of plumb_run_captures() as "text", "json" or "svg" (which has topology files too);
 * what follows from them as "spec" (a specification), "gres" (lines of slurm.conf and gres.conf for
 * the release) or "nccl". Never NULL.
 */
const char *plumb_topology(plumb_handle *h, const char *format, size_t *len);

/*
 * Instead of plumb_run_all(): reads the captures of a fleet with so many threads, groups machines
 * into classes, and reports what the odd ones have that others have not. The result is the same for
 * any number of threads. plumb_topology() then gives "text", "json", "spec" or "partial".
 */
enum plumb_result plumb_run_fleet(plumb_handle *h, unsigned threads, const char *fail_on);

/* Writes the outputs of the run: all or none. */
enum plumb_result plumb_write(plumb_handle *h, const char *directory);

/* Text in one of the formats human, compact, gcc, json, jsonl, sarif, github, gitlab, junit,
 * checkstyle, rdjson; colour only for human. Never NULL. */
const char *plumb_render(plumb_handle *h, const char *format, bool colour, size_t max_findings,
                         size_t *len);

/* One finding, as a plain record. Lines and columns count from 1; ends are behind the last one. */
struct plumb_finding {
    const char *code, *name;
    const char *severity; /* "error", "warning", "info" */
    const char *effect;   /* "stops", "complains", "drains", "ignored", "none" */
    const char *message;
    const char *file; /* NULL: no place */
    unsigned line, column, end_line, end_column;
};

/* The findings that are shown, in order. False: there is none with this index. */
size_t plumb_finding_count(const plumb_handle *h);
bool plumb_finding_at(plumb_handle *h, size_t index, struct plumb_finding *out);

/* One file of the output tree, as made by the run: path within the tree, bytes, permission bits. */
struct plumb_file_made {
    const char *path;
    const char *bytes;
    size_t len;
    unsigned mode;
};

size_t plumb_made_count(const plumb_handle *h);
bool plumb_made_at(const plumb_handle *h, size_t index, struct plumb_file_made *out);

/*
 * Compares the outputs of the run with a folder that was written before, and writes nothing.
 * PLUMB_RESULT_FINDINGS when something differs; each such file is then told.
 */
enum plumb_result plumb_compare(plumb_handle *h, const char *directory);

struct plumb_difference {
    const char *path;
    const char *state; /* "missing", "stale", "edited" (by hand), "left over" */
};

size_t plumb_difference_count(const plumb_handle *h);
bool plumb_difference_at(const plumb_handle *h, size_t index, struct plumb_difference *out);

const char *plumb_version(void); /* "0.1.0" */

#ifdef __cplusplus
}
#endif

#endif
