/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of sbatch, srun and salloc by release. The rows are schema/slurm/options.yaml; an
 * option whose form changed has one row for each form.
 */
#ifndef PLUMB_SCHEMA_OPTION_H
#define PLUMB_SCHEMA_OPTION_H

#include "base/release.h"
#include "plumb_options.h"
#include "schema/param.h"

/* The commands, as bits; schema/generate_options.c writes them as numbers. */
enum plumb_job_command {
    PLUMB_SBATCH = 1,
    PLUMB_SRUN = 2,
    PLUMB_SALLOC = 4,
};

enum plumb_option_arg {
    PLUMB_ARG_NONE,
    PLUMB_ARG_OPTIONAL, /* only behind '=', or glued to the letter */
    PLUMB_ARG_REQUIRED,
};

/* How a value is read. */
enum plumb_option_kind {
    PLUMB_KIND_OF_TEXT,
    PLUMB_KIND_OF_COUNT,  /* a number from 1 on: proc_args.c:parse_int */
    PLUMB_KIND_OF_MEMORY, /* MiB, or with K M G T */
    PLUMB_KIND_OF_TIME,   /* time_str2mins */
    PLUMB_KIND_OF_NODES,  /* min[-max] */
    PLUMB_KIND_OF_ARRAY,
    PLUMB_KIND_OF_GRES, /* name[:type][:count], comma list */
    PLUMB_KIND_OF_GPUS, /* [type:]count, comma list */
    PLUMB_KIND_OF_SIGNAL,
    PLUMB_KIND_OF_GPU_BIND,
    PLUMB_KIND_OF_GPU_FREQ,
    PLUMB_KIND_OF_DEPENDENCY,
    PLUMB_KIND_OF_DISTRIBUTION,
    PLUMB_KIND_OF_WORD,  /* one of the row's words, without case */
    PLUMB_KIND_OF_WORDS, /* a comma list of them */
};

struct plumb_option {
    uint16_t id;      /* enum plumb_option_id */
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    uint8_t arg, kind, commands;
    uint8_t first, last; /* releases, inclusive; last PLUMB_RELEASE_OPEN: still there */
    const struct plumb_value *words;
    uint16_t word_count;
};

extern const struct plumb_option plumb_options[];
extern const size_t plumb_option_count;

/* A variable of the environment that a command reads as an option. */
struct plumb_option_variable {
    const char *name;
    uint16_t option; /* enum plumb_option_id */
    uint8_t command; /* enum plumb_job_command */
    uint8_t first, last;
};
extern const struct plumb_option_variable plumb_option_variables[];
extern const size_t plumb_option_variable_count;

const char *plumb_job_command_name(enum plumb_job_command c); /* "sbatch" */

/*
 * By long name, or the start of one name alone, as getopt_long(3) takes it. NULL: unknown;
 * *ambiguous then tells that several names begin so.
 */
const struct plumb_option *plumb_option_find(enum plumb_job_command c, enum plumb_release r,
                                             const char *name, size_t len, bool *ambiguous);
const struct plumb_option *plumb_option_letter(enum plumb_job_command c, enum plumb_release r,
                                               char letter);

/* The row of this exact name for any command and release, the nearest in time; NULL. */
const struct plumb_option *plumb_option_elsewhere(enum plumb_job_command c, const char *name,
                                                  size_t len);

/* A variable that the command of the release reads, by exact name; NULL. */
const struct plumb_option_variable *
plumb_option_variable(enum plumb_job_command c, enum plumb_release r, const char *name, size_t len);
/* The row of an id that a command of the release takes; NULL. */
const struct plumb_option *plumb_option_row(enum plumb_job_command c, enum plumb_release r,
                                            enum plumb_option_id id);

/* The nearest name that this command of the release takes; NULL. */
const char *plumb_option_suggest(enum plumb_job_command c, enum plumb_release r, const char *name);

#endif
