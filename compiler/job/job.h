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
    unsigned part;        /* of a call with ':' between its components, from 0 */
    /* Calls of the body with one wave have no 'wait' between them: they may run at once. */
    unsigned wave;
    unsigned pipe;   /* calls of one pipeline have one number */
    bool background; /* '&' behind it: the shell does not wait for its end */
    bool looped;     /* in a loop without 'wait' */
    bool named;      /* of sbatch: a script, or --wrap */
    bool merged;     /* of sbatch: its options are those of a text behind it */
    struct plumb_job_option *options;
    size_t count, cap;
};

bool plumb_job_call_has(const struct plumb_job_call *call, enum plumb_option_id id);

/* NAME=value in the body, or 'unset NAME': counts from one call on. */
struct plumb_job_assign {
    struct plumb_slice name, value;
    bool unknown; /* the value is the shell's to tell, or there is none any more */
    bool once;    /* in front of a command: for that alone */
    bool exported;
    size_t call; /* the first that sees it */
};

/* A script is a file, or a text in another script that a call of sbatch reads. */
struct plumb_job {
    const struct plumb_source *src;
    uint32_t begin, end; /* of its text */
    bool tabs;           /* the shell takes tabs away at the beginning of each line */
    bool expanded;       /* the shell replaces variables, and a backslash in front of '$' */
    unsigned depth;      /* 0: a file */
    bool foreign;        /* options that stand in it as those of PBS or LSF count too */
    struct plumb_job_call *calls; /* components of the script first, one at least */
    size_t count, cap;
    size_t components;
    struct plumb_job_assign *assigns;
    size_t assign_count, assign_cap;
    const struct plumb_job **texts; /* scripts in this one */
    size_t text_count, text_cap;
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
    PLUMB_JOB_NEARLY,
    PLUMB_JOB_VARIABLE,
    PLUMB_JOB_NUL,
    PLUMB_JOB_LENGTH,
    PLUMB_JOB_OLD_NAME,
    PLUMB_JOB_FOREIGN,
    PLUMB_JOB_FAULT_COUNT,
};
extern const struct plumb_rule plumb_job_script_rows[];
extern const struct plumb_rule_family plumb_job_script_rules;

#define plumb_job_report(s, fault, at, ...)                                                        \
    plumb_diag_new(&(s)->sink, &plumb_job_script_rows[fault], (at), __VA_ARGS__)

#endif
