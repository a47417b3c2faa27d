/* SPDX-License-Identifier: Apache-2.0 */
/* Every command, once. */
#include "cli/cli.h"

static const char *const host_words[] = {"fold",  "expand",    "count", "diff",
                                         "union", "intersect", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};

const struct cli_command cli_commands[CMD_COUNT] = {
    [CMD_CHECK] =
        {
            .id = CMD_CHECK,
            .name = "check",
            .synopsis = "[OPTION...] [PATH...]",
            .summary = "read specifications, captures, Slurm files and manifests of Kubernetes, "
                       "alone and against each other",
            .text = "PATH is a file, a folder, or '-' for standard input. What a file is follows "
                    "from its content first and its name second. A folder is read as one "
                    "configuration set, so that rules across files see everything. Without PATH "
                    "cluster.yaml is read, or the whole folder when there is none. Nothing is "
                    "written. With --cluster the arguments are job scripts. Their directives, "
                    "and calls of srun, sbatch and salloc, are held against the cluster: its "
                    "nodes, partitions, and the accounts that sacctmgr commands or a dump of "
                    "sacctmgr beside its files tell. "
                    "With --from the same files are read for two releases, and only what differs "
                    "is told: findings that appear or go away, defaults of parameters that are not "
                    "set, values that mean something else, and whether the state can be taken "
                    "over in one step.",
            .examples =
                "plumb check /etc/slurm\tthe files that a cluster runs with\n"
                "plumb check cluster.yaml\ta specification and the captures it names\n"
                "plumb check --slurm 22.05 slurm.conf\tas the daemons of 22.05 read it\n"
                "plumb check --from 23.02 --slurm 25.05 /etc/slurm\twhat an upgrade changes\n"
                "ssh ctl cat /etc/slurm/slurm.conf | plumb check - --stdin-name "
                "slurm.conf\tfrom standard input\n"
                "plumb check --format human --format json=findings.json .\tfor people and "
                "for programs\n"
                "plumb check train.sbatch --cluster /etc/slurm --user alice\twould slurmctld "
                "take the job, can it ever run\n"
                "plumb check --kubernetes slinky=1.2.1 manifests\twould the API server and the "
                "operator take them\n"
                "plumb check --select GRES,NUMA --fail-on warning .\ttwo families, strictly",
            .files = true,
            .run = cli_check,
        },
    [CMD_BUILD] =
        {
            .id = CMD_BUILD,
            .name = "build",
            .synopsis = "[OPTION...] [SPEC] -o DIR",
            .summary = "compile a specification to the files of a cluster: all files or none",
            .text = "SPEC is cluster.yaml unless it is given. Nothing is written when an error was "
                    "found, and files that did not change are not touched. With --check nothing "
                    "is written at all: every file that is not what would be written is listed, "
                    "stale (the inputs changed) told apart from edited by hand.",
            .examples = "plumb build -o out\tcompile cluster.yaml\n"
                        "plumb build site/cluster.yaml -o out --target slurm\tonly slurm.conf and "
                        "its company\n"
                        "plumb build -o out --check\tin a CI job: is the tree up to date?",
            .files = true,
            .run = cli_build,
        },
    [CMD_EXPLAIN] =
        {
            .id = CMD_EXPLAIN,
            .name = "explain",
            .synopsis = "[OPTION...] CODE|NAME|FAMILY|PARAMETER|KEY",
            .summary = "explain a rule, a Slurm parameter by release, or a key of the "
                       "specification",
            .text = "A rule is named by its code or its name, a parameter as in the Slurm file, a "
                    "key of the specification by its path with dots.",
            .examples = "plumb explain GRES003\ta rule with a bad and a good example\n"
                        "plumb explain SlurmdTimeout\ta parameter in every release\n"
                        "plumb explain --slurm 22.05 CgroupPlugin\tthe same for one release\n"
                        "plumb explain --spec nodes.memory\ta key of the specification",
            .run = cli_explain,
        },
    [CMD_RULES] =
        {
            .id = CMD_RULES,
            .name = "rules",
            .synopsis = "[--format FORMAT] [FAMILY...]",
            .summary = "list every rule with its severity and summary",
            .text = "With FAMILY only the rules of these families are listed.",
            .examples = "plumb rules GRES MIG\ttwo families\n"
                        "plumb rules --format json\tfor programs",
            .run = cli_rules,
        },
    [CMD_TARGETS] =
        {
            .id = CMD_TARGETS,
            .name = "targets",
            .synopsis = "[--format FORMAT]",
            .summary = "list what build can make",
            .text = "Each target makes a set of files for one kind of consumer.",
            .examples = "plumb targets\ttheir names and files",
            .run = cli_targets,
        },
    [CMD_SCHEMA] =
        {
            .id = CMD_SCHEMA,
            .name = "schema",
            .synopsis = "",
            .summary = "print the JSON Schema of the specification",
            .text = "Editors use it to complete and check a cluster.yaml while it is typed.",
            .examples = "plumb schema > cluster.schema.json\tfor an editor",
            .run = cli_schema,
        },
    [CMD_TOPO] =
        {
            .id = CMD_TOPO,
            .name = "topo",
            .synopsis = "[OPTION...] CAPTURE...|--audit DIR...|--merge FILE...",
            .summary = "show what captures say: sockets, NUMA nodes, GPUs, links, NICs, and the "
                       "Cores= and Links= that follow",
            .text =
                "CAPTURE is a folder of dumps of one machine, or a file: hwloc XML, the output "
                "of 'nvidia-smi topo -m', '-p2p r', '-L' or '-q -x', 'slurmd -C' or 'slurmd -G', "
                "ibstat, a dump of NCCL's topology, a Kubernetes Node; or of a fabric: "
                "ibnetdiscover, a model of topograph, Nodes with labels, topology.conf. "
                "Where nothing has that name, it is a built-in reference.\n\n"
                "With --audit, DIR holds captures of many machines: a folder for each, or files "
                "named after it. Machines of the same hardware are a class, the largest class of "
                "a product is its norm, and what others have that the norm has not is told.",
            .examples =
                "plumb topo captures/h100\tone machine from all of its dumps\n"
                "plumb topo dgx-h100\ta built-in reference\n"
                "nvidia-smi topo -m | plumb topo -\tthe machine at hand\n"
                "plumb topo --format json captures/h100\tfor programs\n"
                "plumb topo --format svg=h100.svg captures/h100\ta picture of it\n"
                "plumb topo --format svg=fabric.svg topology.conf\ta picture of the fabric\n"
                "plumb topo --format topology.yaml topology.conf\tone topology file as the other\n"
                "plumb topo --format gres --slurm 24.11 dgx-h100\tNodeName and gres.conf\n"
                "plumb topo --format gres --with nvme captures/h100\tthe drives as a resource\n"
                "plumb topo --format nccl.conf dgx-h100\tNCCL_IB_HCA: the adapters near GPUs\n"
                "plumb topo --audit captures\twhich machines of a fleet are not like the others\n"
                "plumb topo --audit --format spec captures\tits node classes as a specification",
            .files = true,
            .run = cli_topo,
        },
    [CMD_DRIFT] =
        {
            .id = CMD_DRIFT,
            .name = "drift",
            .synopsis = "[OPTION...] SOURCE LIVE...",
            .summary = "show what differs between a source and what the running cluster says",
            .text =
                "SOURCE is what check takes: a specification, a folder of Slurm files, manifests. "
                "LIVE is a file, a folder, or '-' with the output of 'scontrol show config', 'show "
                "node' or 'show partition' (also with -o or --json), of sinfo with its header, of "
                "'sacctmgr -P show', or of 'kubectl get -o json'; what it is follows from its "
                "content. Nodes that differ alike are one finding, and each tells which side must "
                "change. Nothing is asked of the cluster. The exit code is 1 when something "
                "differs.",
            .examples =
                "scontrol show config | plumb drift /etc/slurm -\tdoes slurmctld run what the "
                "files "
                "say\n"
                "plumb drift cluster.yaml live\ta folder with the output of several commands\n"
                "plumb drift --format json /etc/slurm nodes.txt config.txt\tfor programs\n"
                "plumb drift cluster.yaml nodes.json\tof kubectl get nodes,nodesets -o json",
            .files = true,
            .run = cli_drift,
        },
    [CMD_HOSTS] =
        {
            .id = CMD_HOSTS,
            .name = "hosts",
            .synopsis = "fold|expand|count|diff|union|intersect [OPTION...] [LIST...]",
            .summary = "work with host lists as Slurm reads them",
            .text = "fold and expand keep the order of the names, as scontrol does; sets are "
                    "sorted. diff takes the names of the later lists out of the first one. "
                    "Without LIST the lists are read from standard input, for diff and intersect "
                    "one a line.",
            .examples = "plumb hosts fold gpu-1 gpu-2 gpu-3\tgpu-[1-3]\n"
                        "plumb hosts expand 'gpu-[01-03]'\tone name a line\n"
                        "plumb hosts diff 'gpu-[01-16]' 'gpu-[05,09]'\twhat is left\n"
                        "sinfo -hN -t idle -o %N | plumb hosts fold --sort\tfrom another program",
            .words = host_words,
            .run = cli_hosts,
        },
    [CMD_COMPLETION] =
        {
            .id = CMD_COMPLETION,
            .name = "completion",
            .synopsis = "bash|zsh|fish",
            .summary = "print the completions of a shell",
            .text = "The shell then completes commands, options and their words.",
            .examples = "source <(plumb completion bash)\tfor this session\n"
                        "plumb completion fish > ~/.config/fish/completions/plumb.fish\tfor good",
            .words = shells,
            .run = cli_completion,
        },
    [CMD_VERSION] =
        {
            .id = CMD_VERSION,
            .name = "version",
            .synopsis = "[--format FORMAT]",
            .summary = "show the version and the releases of Slurm that are known",
            .text = "",
            .examples = "plumb version --format json\tfor programs",
            .run = cli_version,
        },
    [CMD_HELP] =
        {
            .id = CMD_HELP,
            .name = "help",
            .synopsis = "[COMMAND]",
            .summary = "show the commands, or what one of them does",
            .text = "",
            .examples = "plumb help check\tthe same as plumb check --help",
            .run = cli_help_command,
        },
    [CMD_DOCS] =
        {
            .id = CMD_DOCS,
            .name = "docs",
            .synopsis = "DIR",
            .summary = "write the generated documentation below the source folder DIR",
            .text = "",
            .examples = "plumb docs .\tin the source folder",
            .hidden = true,
            .run = cli_docs,
        },
};

const char *const cli_environment[][2] = {
    {"NO_COLOR", "when set and not empty, no colour unless --color always"},
    {"SOURCE_DATE_EPOCH", "seconds since 1970 that stand for today, for until= of suppressions"},
    {NULL, NULL},
};

const char *const cli_exit_codes[][2] = {
    {"0", "nothing at or above --fail-on; output up to date; no difference"},
    {"1", "findings, stale output, or a difference"},
    {"2", "wrong usage, unknown rule"},
    {"3", "an input could not be read or parsed at all, so the result is incomplete"},
    {"4", "out of resources or internal error"},
    {NULL, NULL},
};
