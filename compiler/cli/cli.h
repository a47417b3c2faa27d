/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line, as tables: one row per command (cli/commands.c), one row per option
 * (cli/options.c). The parser, --help, the completions, the manual page and the reference all
 * walk these rows. Commands are one file each, cmd_<name>.c.
 */
#ifndef PLUMB_CLI_CLI_H
#define PLUMB_CLI_CLI_H

#include "base/buf.h"
#include "base/session.h"
#include "plumb/plumb.h"

/* Commands, also as bits of the options that they take. */
enum cli_command_id {
    CMD_CHECK,
    CMD_BUILD,
    CMD_EXPLAIN,
    CMD_RULES,
    CMD_TARGETS,
    CMD_SCHEMA,
    CMD_TOPO,
    CMD_DRIFT,
    CMD_HOSTS,
    CMD_COMPLETION,
    CMD_VERSION,
    CMD_HELP,
    CMD_DOCS,
    CMD_COUNT,
};

enum cli_option_id {
    OPT_DIRECTORY,
    OPT_SLURM,
    OPT_KUBERNETES,
    OPT_FROM,
    OPT_TABLE,
    OPT_SELECT,
    OPT_IGNORE,
    OPT_SEVERITY,
    OPT_FAIL_ON,
    OPT_FORMAT,
    OPT_COLOR,
    OPT_MAX_FINDINGS,
    OPT_AS,
    OPT_CLUSTER,
    OPT_USER,
    OPT_STDIN_NAME,
    OPT_AUDIT,
    OPT_PARTIAL,
    OPT_MERGE,
    OPT_JOBS,
    OPT_TOPOLOGY,
    OPT_WITH,
    OPT_OUTPUT,
    OPT_TARGET,
    OPT_CHECK,
    OPT_FORCE,
    OPT_OVERWRITE,
    OPT_SPEC,
    OPT_SORT,
    OPT_SEPARATOR,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_TIMINGS,
    OPT_HELP,
    OPT_VERSION,
    OPT_COUNT,
};

struct cli_option {
    enum cli_option_id id;
    const char *name; /* without the dashes */
    char letter;      /* short form; 0: none */
    const char *arg;  /* what it takes, "DIR"; NULL: a flag */
    bool repeats;     /* may be given several times; values join with commas */
    unsigned commands;
    const char *const *choices; /* ends with NULL; NULL: any text. A FORMAT may have "=FILE" */
    const char *help;           /* one sentence part */
};

struct cli;

struct cli_command {
    enum cli_command_id id;
    const char *name;
    const char *synopsis;     /* behind the name */
    const char *summary;      /* one sentence part */
    const char *text;         /* a paragraph or two for --help and the manual */
    const char *examples;     /* lines "command\tcomment" */
    const char *const *words; /* what the first argument may be; ends with NULL; NULL: anything */
    bool files;               /* arguments are paths */
    bool hidden;              /* not for users */
    int (*run)(struct cli *c);
};

/* One --format: where a rendering goes. */
struct cli_sink {
    const char *format;
    const char *file; /* NULL: standard output */
};

/* One call of the command. Everything lives in the arena until the process ends. */
struct cli {
    struct plumb_arena *arena;
    const struct cli_command *command;
    const char *values[OPT_COUNT]; /* the last value; joined for those that repeat; NULL */
    unsigned flags[OPT_COUNT];     /* how often it was given */
    const char **args;             /* what is no option */
    size_t arg_count, arg_cap;
    struct cli_sink *sinks;
    size_t sink_count, sink_cap;
    struct plumb_buf out; /* for standard output, written at the end */
    int status;           /* raised by cli_raise */
};

extern const struct cli_command cli_commands[CMD_COUNT];
extern const struct cli_option cli_options[];
extern const size_t cli_option_count;
extern const char *const cli_environment[][2]; /* name, what it does; ends with NULL */
extern const char *const cli_exit_codes[][2];

/* options.c */
bool cli_takes(const struct cli_command *cmd, const struct cli_option *o);

/* parse.c: fills the call; 0, or the exit code of wrong usage (said on stderr). */
int cli_parse(struct cli *c, int argc, char **argv);

/* help.c */
void cli_help(const struct cli_command *cmd, struct plumb_buf *out); /* NULL: the overview */

/* io.c: talking. Messages get "plumb: " in front and a line break behind. */
void cli_error(const char *fmt, ...) PLUMB_PRINTF(1, 2);
void cli_note(const struct cli *c, const char *fmt, ...) PLUMB_PRINTF(2, 3); /* not with -q */
int cli_usage(const struct cli *c, const char *fmt, ...) PLUMB_PRINTF(2, 3); /* returns 2 */
/* Writes all of it; false (said, unless the reader has gone) when that fails. */
bool cli_write(int fd, const char *text, size_t len);
bool cli_write_file(const char *path, const char *text, size_t len);
/* All of standard input; false when it cannot be read (said). */
bool cli_read_stdin(struct plumb_arena *a, char **bytes, size_t *len);
bool cli_use_colour(const struct cli *c);

/* session.c: what check, build and topo share. */
plumb_handle *cli_open(struct cli *c, bool outputs);
/* Adds the arguments; without any, cluster.yaml or the folder. */
void cli_add_inputs(struct cli *c, plumb_handle *h, bool spec_only);
/* Adds the arguments as job scripts, and the cluster that --cluster names. */
void cli_add_jobs(struct cli *c, plumb_handle *h);
/* Adds the first argument, and the others as what a running cluster says. */
void cli_add_drift(struct cli *c, plumb_handle *h);
/* Adds the arguments, which may name built-in references. */
void cli_add_captures(struct cli *c, plumb_handle *h);
/* Renders the findings to every --format, tells the summary; the exit code so far. */
int cli_report(struct cli *c, plumb_handle *h, enum plumb_result result);
/* The higher of two exit codes. */
int cli_worst(int a, int b);
/* Seconds for --timings. */
double cli_clock(void);
void cli_timing(const struct cli *c, const char *what, double *since);
/* The path behind -C. */
const char *cli_path(const struct cli *c, const char *path);

/* The commands. */
int cli_check(struct cli *c);
int cli_build(struct cli *c);
int cli_explain(struct cli *c);
int cli_rules(struct cli *c);
int cli_targets(struct cli *c);
int cli_schema(struct cli *c);
int cli_topo(struct cli *c);
int cli_drift(struct cli *c);
int cli_audit(struct cli *c, plumb_handle *h); /* of topo */
int cli_hosts(struct cli *c);
int cli_completion(struct cli *c);
int cli_version(struct cli *c);
int cli_help_command(struct cli *c);
int cli_docs(struct cli *c);

/* explain_rule.c: a rule as text, and the page of a family; shared with the documentation. */
struct plumb_rule;
struct plumb_rule_family;
void cli_rule_text(const struct plumb_rule *rule, struct plumb_buf *out);

/* complete.c and manual.c: text from the tables. */
void cli_complete_bash(struct plumb_buf *out);
void cli_complete_zsh(struct plumb_buf *out);
void cli_complete_fish(struct plumb_buf *out);
void cli_manual(struct plumb_buf *out);

#endif
