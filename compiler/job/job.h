/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job scripts as sbatch reads them: the #SBATCH lines above the first command, one call for
 * each component of a heterogeneous job, and the calls of srun, sbatch and salloc below.
 * What the options ask for is told by passes/read_jobs.c; nothing here knows the cluster.
 */
#ifndef PLUMB_JOB_JOB_H
#define PLUMB_JOB_JOB_H

#include "base/session.h"
#include "schema/option.h"

/* A word of a line, quotes and escapes taken away. */
struct plumb_job_word {
    struct plumb_slice text;
    bool unknown; /* holds what only the shell can tell: a variable, a command, a pattern */
};
struct plumb_job_words {
    struct plumb_job_word *items;
    size_t count, cap;
};

/* One option of a call, in the order of writing. */
struct plumb_job_option {
    const struct plumb_option *row;
    struct plumb_slice value; /* empty when none was given */
    bool has_value, unknown;
    struct plumb_span at; /* the option and its value */
};

struct plumb_job_call {
    enum plumb_job_command command;
    struct plumb_span at; /* the command, or the first directive of the component */
    bool body;            /* a command of the script, not the script itself */
    struct plumb_job_option *options;
    size_t count, cap;
};

struct plumb_job {
    const struct plumb_source *src;
    struct plumb_job_call *calls; /* components of the script first, one at least */
    size_t count, cap;
};

struct plumb_job_read_options {
    enum plumb_release release;
    bool plugins; /* SPANK plugins are configured: options unknown here may be theirs */
};

/* Reads a script. Faults are findings of family JOB; the rest is read all the same. */
struct plumb_job *plumb_job_read(struct plumb_session *s, const struct plumb_source *src,
                                 const struct plumb_job_read_options *o);

/* The text begins as a script does and holds a directive or a call of srun. */
bool plumb_job_sniff(const char *bytes, size_t len);

/* A shell file as simple commands, for lists of sacctmgr and scontrol commands. */
struct plumb_job_commands {
    struct plumb_job_words *items;
    size_t count, cap;
};
void plumb_job_commands_read(struct plumb_session *s, const struct plumb_source *src,
                             struct plumb_job_commands *out);

/* Findings that have no rule with a function. */
enum plumb_job_fault {
    PLUMB_JOB_INTERPRETER,
    PLUMB_JOB_LINE_ENDS,
    PLUMB_JOB_UNKNOWN_OPTION,
    PLUMB_JOB_ARGUMENT,
    PLUMB_JOB_STRAY_WORD,
    PLUMB_JOB_LATE,
    PLUMB_JOB_QUOTE,
    PLUMB_JOB_VALUE,
    PLUMB_JOB_PAIR,
    PLUMB_JOB_FAULT_COUNT,
};
extern const struct plumb_rule plumb_job_script_rows[];
extern const struct plumb_rule_family plumb_job_script_rules;

#define plumb_job_report(s, fault, at, ...)                                                        \
    plumb_diag_new(&(s)->sink, &plumb_job_script_rows[fault], (at), __VA_ARGS__)

#endif
