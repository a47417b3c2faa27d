/* SPDX-License-Identifier: Apache-2.0 */
/* Every option, once. */
#include "cli/cli.h"

#define BIT(command) (1u << (command))
#define READERS      (BIT(CMD_CHECK) | BIT(CMD_BUILD) | BIT(CMD_TOPO) | BIT(CMD_DRIFT))
#define TABLES       (BIT(CMD_RULES) | BIT(CMD_TARGETS) | BIT(CMD_VERSION) | BIT(CMD_EXPLAIN))
#define EVERY        (~0u)

static const char *const levels[] = {"error", "warning", "info", "never", NULL};
static const char *const colours[] = {"auto", "always", "never", NULL};
static const char *const report_formats[] = {"human", "compact",    "gcc",    "json",
                                             "jsonl", "sarif",      "github", "gitlab",
                                             "junit", "checkstyle", "rdjson", NULL};
static const char *const table_formats[] = {"human", "json", NULL};
static const char *const topo_formats[] = {"text",          "json", "svg",       "spec",
                                           "gres",          "nccl", "nccl.conf", "topology.conf",
                                           "topology.yaml", NULL};
static const char *const extras[] = {"nvme", "hca", "all", NULL};
static const char *const topologies[] = {"tree", "block", NULL};
static const char *const releases[] = {"22.05", "23.02", "23.11", "24.05", "24.11",
                                       "25.05", "25.11", "26.05", NULL};

_Static_assert(PLUMB_COUNT(releases) == PLUMB_RELEASE_COUNT + 1, "one word per release");

const struct cli_option cli_options[] = {
    {
        .id = OPT_DIRECTORY,
        .name = "directory",
        .letter = 'C',
        .arg = "DIR",
        .commands = READERS,
        .help = "read and write relative to DIR",
    },
    {
        .id = OPT_SLURM,
        .name = "slurm",
        .arg = "SERIES",
        .commands = READERS | BIT(CMD_EXPLAIN) | BIT(CMD_HOSTS),
        .choices = releases,
        .help = "release series of Slurm; default: what the source says, else the newest",
    },
    {
        .id = OPT_KUBERNETES,
        .name = "kubernetes",
        .arg = "FLAVOUR=RELEASE",
        .repeats = true,
        .commands = READERS,
        .help = "release of an operator or of Kubernetes, such as slinky=1.2.1; default: what the "
                "manifests say, else the newest",
    },
    {
        .id = OPT_FROM,
        .name = "from",
        .arg = "SERIES",
        .commands = BIT(CMD_CHECK),
        .choices = releases,
        .help = "tell only what changes when Slurm goes from this release to that of --slurm",
    },
    {
        .id = OPT_TABLE,
        .name = "table",
        .arg = "FILE",
        .commands = BIT(CMD_CHECK) | BIT(CMD_BUILD) | BIT(CMD_EXPLAIN),
        .help = "rows that add the release behind the newest one, or correct a release",
    },
    {
        .id = OPT_SELECT,
        .name = "select",
        .arg = "RULES",
        .repeats = true,
        .commands = READERS,
        .help = "show only these rules: codes, names or families, divided by commas",
    },
    {
        .id = OPT_IGNORE,
        .name = "ignore",
        .arg = "RULES",
        .repeats = true,
        .commands = READERS,
        .help = "leave these rules out",
    },
    {
        .id = OPT_SEVERITY,
        .name = "severity",
        .arg = "RULE=LEVEL",
        .repeats = true,
        .commands = READERS,
        .help = "take a rule or a family as error, warning or info",
    },
    {
        .id = OPT_FAIL_ON,
        .name = "fail-on",
        .arg = "LEVEL",
        .commands = READERS,
        .choices = levels,
        .help = "least severity that makes the exit code 1 (default: error, of drift: warning)",
    },
    {
        .id = OPT_FORMAT,
        .name = "format",
        .arg = "FORMAT[=FILE]",
        .repeats = true,
        .commands = BIT(CMD_CHECK) | BIT(CMD_BUILD) | BIT(CMD_DRIFT),
        .choices = report_formats,
        .help = "how findings are shown, and where; may be given several times",
    },
    {
        .id = OPT_FORMAT,
        .name = "format",
        .arg = "FORMAT[=FILE]",
        .commands = TABLES,
        .choices = table_formats,
        .help = "text for people or json for programs",
    },
    {
        .id = OPT_FORMAT,
        .name = "format",
        .arg = "FORMAT[=FILE]",
        .commands = BIT(CMD_TOPO),
        .choices = topo_formats,
        .help =
            "text for people, json for programs, svg for a picture; spec, gres, nccl, "
            "nccl.conf: what follows for the cluster; topology.conf or topology.yaml of a fabric",
    },
    {
        .id = OPT_COLOR,
        .name = "color",
        .arg = "WHEN",
        .commands = READERS,
        .choices = colours,
        .help = "colour of the human format (default: auto, on a terminal)",
    },
    {
        .id = OPT_MAX_FINDINGS,
        .name = "max-findings",
        .arg = "N",
        .commands = READERS,
        .help = "show the first N findings and count the rest",
    },
    {
        .id = OPT_AS,
        .name = "as",
        .arg = "KIND",
        .commands = READERS,
        .help = "what the first PATH is, whatever its name: slurm.conf, gres.conf, ..., "
                "specification, hwloc, topo, kubernetes",
    },
    {
        .id = OPT_CLUSTER,
        .name = "cluster",
        .arg = "SOURCE",
        .commands = BIT(CMD_CHECK),
        .help = "take the arguments for job scripts and hold them against this cluster: a "
                "specification, or a folder of Slurm files",
    },
    {
        .id = OPT_USER,
        .name = "user",
        .arg = "NAME",
        .commands = BIT(CMD_CHECK),
        .help = "who submits the job scripts; without it associations are left out",
    },
    {
        .id = OPT_STDIN_NAME,
        .name = "stdin-name",
        .arg = "NAME",
        .commands = READERS,
        .help = "name of the text on standard input, for findings and for what it is",
    },
    {
        .id = OPT_AUDIT,
        .name = "audit",
        .commands = BIT(CMD_TOPO),
        .help = "group the machines of whole folders into classes and tell the odd ones",
    },
    {
        .id = OPT_PARTIAL,
        .name = "partial",
        .arg = "FILE",
        .commands = BIT(CMD_TOPO),
        .help = "with --audit: write what was read, for --merge, and show nothing",
    },
    {
        .id = OPT_MERGE,
        .name = "merge",
        .commands = BIT(CMD_TOPO),
        .help = "audit the machines of partial files instead of folders",
    },
    {
        .id = OPT_JOBS,
        .name = "jobs",
        .letter = 'j',
        .arg = "N",
        .commands = BIT(CMD_TOPO),
        .help = "with --audit: read with N threads (default: one for each processor)",
    },
    {
        .id = OPT_WITH,
        .name = "with",
        .arg = "GRES",
        .commands = BIT(CMD_TOPO),
        .choices = extras,
        .help = "spec and gres: drives or RDMA devices too, as resources that jobs ask for",
    },
    {
        .id = OPT_TOPOLOGY,
        .name = "topology",
        .arg = "KIND",
        .commands = BIT(CMD_TOPO),
        .choices = topologies,
        .help = "what a fabric is written as: tree of switches, or blocks of nodes (NVLink "
                "domains, else leaves)",
    },
    {
        .id = OPT_OUTPUT,
        .name = "output",
        .letter = 'o',
        .arg = "DIR",
        .commands = BIT(CMD_BUILD),
        .help = "folder of the output tree",
    },
    {
        .id = OPT_TARGET,
        .name = "target",
        .arg = "TARGETS",
        .repeats = true,
        .commands = BIT(CMD_BUILD),
        .help = "make only these targets, divided by commas ('plumb targets' lists them)",
    },
    {
        .id = OPT_CHECK,
        .name = "check",
        .commands = BIT(CMD_BUILD),
        .help = "write nothing; exit with 1 when the tree is not what would be written",
    },
    {
        .id = OPT_FORCE,
        .name = "force",
        .commands = BIT(CMD_BUILD),
        .help = "make outputs although errors were found",
    },
    {
        .id = OPT_OVERWRITE,
        .name = "overwrite",
        .commands = BIT(CMD_BUILD),
        .help = "replace files in the way that plumb has not written",
    },
    {
        .id = OPT_SPEC,
        .name = "spec",
        .commands = BIT(CMD_EXPLAIN),
        .help = "take WHAT for a key of the specification, whatever else has that name",
    },
    {
        .id = OPT_SORT,
        .name = "sort",
        .commands = BIT(CMD_HOSTS),
        .help = "sort the names and drop repetitions",
    },
    {
        .id = OPT_SEPARATOR,
        .name = "separator",
        .arg = "TEXT",
        .commands = BIT(CMD_HOSTS),
        .help = "what stands between the names of expand (default: a line break)",
    },
    {
        .id = OPT_QUIET,
        .name = "quiet",
        .letter = 'q',
        .commands = EVERY,
        .help = "no summary on standard error",
    },
    {
        .id = OPT_VERBOSE,
        .name = "verbose",
        .letter = 'v',
        .commands = EVERY,
        .help = "tell what each input was taken for",
    },
    {
        .id = OPT_TIMINGS,
        .name = "timings",
        .commands = READERS,
        .help = "tell how long each step took",
    },
    {
        .id = OPT_HELP,
        .name = "help",
        .letter = 'h',
        .commands = EVERY,
        .help = "show what the command does, with examples",
    },
    {
        .id = OPT_VERSION,
        .name = "version",
        .commands = EVERY,
        .help = "show the version",
    },
};

const size_t cli_option_count = PLUMB_COUNT(cli_options);

bool cli_takes(const struct cli_command *cmd, const struct cli_option *o)
{
    return cmd == NULL || (o->commands & BIT(cmd->id)) != 0;
}
