/* SPDX-License-Identifier: Apache-2.0 */
/* Rows CONF001 to CONF029: what the table engine reports. Its effect depends on the release and
 * is set by the engine; a row holds the common case. */
#include "conf/check.h"

#define PARSER "parse_config.c:_parse_next_key"

const struct plumb_rule plumb_conf_rows[PLUMB_CONF_RULE_COUNT] = {
    [PLUMB_CONF_UNKNOWN] =
        {
            .code = "CONF001",
            .name = "unknown-parameter",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that no release reads in this place",
            .why = "The parser reports every unknown key of a file and then gives up: no daemon "
                   "and no command that reads the file starts.",
            .ref = PARSER,
            .bad = "ClusterName=demo\nSlurmdTimout=300\n",
            .good = "ClusterName=demo\nSlurmdTimeout=300\n",
        },
    [PLUMB_CONF_MISPLACED] =
        {
            .code = "CONF002",
            .name = "misplaced-parameter",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that belongs to another file or to another kind of line",
            .why = "Each file, and each kind of record line, has a table of keys of its own; a key "
                   "of another table is unknown there.",
            .ref = PARSER,
            .bad = "ConstrainCores=yes\n",
            .good = "ProctrackType=proctrack/cgroup\n",
        },
    [PLUMB_CONF_REMOVED] =
        {
            .code = "CONF003",
            .name = "removed-parameter",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that the chosen release does not read any more",
            .why = "A removed key is an unknown key: the daemons do not start after the upgrade.",
            .ref = PARSER,
            .bad = "CacheGroups=1\n",
            .good = "GroupUpdateTime=600\n",
        },
    [PLUMB_CONF_NOT_YET] =
        {
            .code = "CONF004",
            .name = "parameter-of-later-release",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that only later releases read",
            .why = "An older daemon knows the key as little as a misspelt one and does not start.",
            .ref = PARSER,
            .bad = "LicenseParameters=RemoteFuzzyMatch\n",
            .good = "Licenses=matlab:4\n",
        },
    [PLUMB_CONF_RENAMED] =
        {
            .code = "CONF005",
            .name = "older-spelling",
            .severity = PLUMB_INFO,
            .effect = PLUMB_EFFECT_NONE,
            .summary = "an older spelling that is still read",
            .why = "It works as before, but the manual does not mention it any more, and the newer "
                   "key wins where both are set.",
            .ref = "read_config.c",
            .bad = "NodeName=n1 Procs=8\n",
            .good = "NodeName=n1 CPUs=8\n",
        },
    [PLUMB_CONF_DEPRECATED] =
        {
            .code = "CONF006",
            .name = "deprecated-parameter",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_COMPLAINS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that is honoured with a complaint",
            .why = "It still works, the daemon writes an error or a warning at each start, and a "
                   "later release will drop it.",
            .ref = "read_config.c:_validate_and_set_defaults",
            .bad = "KeepAliveTime=60\n",
            .good = "CommunicationParameters=keepalivetime=60\n",
        },
    [PLUMB_CONF_DEFUNCT] =
        {
            .code = "CONF007",
            .name = "defunct-parameter",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_COMPLAINS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that is read, complained about and dropped",
            .why = "The feature is gone; the key is tolerated so that an upgrade does not fail on "
                   "it. Every daemon logs an error until the line is deleted.",
            .ref = "read_config.c:_defunct_option",
            .bad = "FastSchedule=1\n",
            .good = "ReturnToService=1\n",
        },
    [PLUMB_CONF_IGNORED_KEY] =
        {
            .code = "CONF008",
            .name = "ignored-parameter",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key whose value nothing reads",
            .why = "The parser takes it without a word and nobody asks for it: what the author "
                   "wanted does not happen.",
            .ref = "read_config.c",
            .bad = "BurstBufferParameters=x\n",
            .good = "ReturnToService=1\n",
        },
    [PLUMB_CONF_FATAL] =
        {
            .code = "CONF009",
            .name = "refused-parameter",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that is only read in order to be refused",
            .why = "The feature was removed and the daemon ends with a message of its own instead "
                   "of running without it.",
            .ref = "read_config.c:_validate_and_set_defaults",
            .bad = "AccountingStoreJobComment=yes\n",
            .good = "AccountingStoreFlags=job_comment\n",
        },
    [PLUMB_CONF_WRONG_TYPE] =
        {
            .code = "CONF010",
            .name = "wrong-type",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a value that cannot be read as what the key holds",
            .why = "Numbers take no unit letters but K, booleans only yes, up, true, 1 and no, "
                   "down, false, 0; anything else fails the whole file.",
            .ref = "parse_value.c",
            .bad = "SlurmdTimeout=300s\n",
            .good = "SlurmdTimeout=300\n",
        },
    [PLUMB_CONF_OUT_OF_RANGE] =
        {
            .code = "CONF011",
            .name = "out-of-range",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a number that is too small or too large",
            .why = "Depending on the key the daemon stops, logs an error and takes another value, "
                   "or takes a number that means something else.",
            .ref = "read_config.c:_validate_and_set_defaults",
            .bad = "SlurmctldTimeout=70000\n",
            .good = "SlurmctldTimeout=300\n",
        },
    [PLUMB_CONF_NOT_IN_SET] =
        {
            .code = "CONF012",
            .name = "not-in-set",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a word that is not among those which the key takes",
            .why = "Sets that are compared word by word are validated when the file is read.",
            .ref = "read_config.c",
            .bad = "EnforcePartLimits=MAYBE\n",
            .good = "EnforcePartLimits=ALL\n",
        },
    [PLUMB_CONF_UNKNOWN_WORD] =
        {
            .code = "CONF013",
            .name = "unknown-word",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a word that nothing looks for in a list of options",
            .why = "Such lists are searched for the words that Slurm knows; what is misspelt is "
                   "never found and never mentioned.",
            .ref = "read_config.c (xstrcasestr)",
            .bad = "SchedulerParameters=bf_contine\n",
            .good = "SchedulerParameters=bf_continue\n",
        },
    [PLUMB_CONF_WORD_OF_OTHER_RELEASE] =
        {
            .code = "CONF014",
            .name = "word-of-other-release",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a word that the chosen release does not know yet, or any more",
            .why = "In a validated set it stops the daemon like any unknown word; in a list of "
                   "options it is dropped without a word.",
            .ref = "release notes",
            .bad = "DebugFlags=Threads\n",
            .good = "DebugFlags=Gres\n",
        },
    [PLUMB_CONF_REPEATED] =
        {
            .code = "CONF015",
            .name = "repeated-parameter",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_COMPLAINS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that is set a second time",
            .why = "The last value counts; the daemon logs an error for each repetition.",
            .ref = "parse_config.c:_handle_common",
            .bad = "SlurmdTimeout=120\nSlurmdTimeout=240\n",
            .good = "SlurmdTimeout=240\n",
        },
    [PLUMB_CONF_REPEATED_IN_RECORD] =
        {
            .code = "CONF016",
            .name = "repeated-in-record",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_COMPLAINS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key that is set a second time on one line",
            .why = "The last value counts; the daemon logs an error for each repetition.",
            .ref = "parse_config.c:_handle_common",
            .bad = "NodeName=n1 CPUs=8 CPUs=16\n",
            .good = "NodeName=n1 CPUs=16\n",
        },
    [PLUMB_CONF_NO_PLUGIN] =
        {
            .code = "CONF017",
            .name = "no-such-plugin",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a plugin that the chosen release does not ship",
            .why = "The daemon that loads the plugin finds no file for it and ends.",
            .ref = "plugin.c:plugin_context_create",
            .bad = "SelectType=select/cons_res\n",
            .good = "SelectType=select/cons_tres\n",
        },
    [PLUMB_CONF_NONE_DROPS_LIST] =
        {
            .code = "CONF018",
            .name = "none-drops-list",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "'none' in a list of plugins drops the others too",
            .why = "From 23.11 a value that contains none counts as unset, so that the plugins "
                   "beside it are not loaded.",
            .ref = "read_config.c:_validate_and_set_defaults",
            .bad = "TaskPlugin=task/none,task/cgroup\n",
            .good = "TaskPlugin=task/cgroup\n",
        },
    [PLUMB_CONF_NOT_ALONE] =
        {
            .code = "CONF019",
            .name = "word-stands-alone",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a word that must be the whole value stands beside others",
            .why = "The daemon compares the whole value with the word first; in a list it does not "
                   "know it, or refuses the combination.",
            .ref = "slurm_rlimits_info.c:parse_rlimits",
            .bad = "PropagateResourceLimits=ALL,CORE\n",
            .good = "PropagateResourceLimits=ALL\n",
        },
    [PLUMB_CONF_BAD_CORES] =
        {
            .code = "CONF020",
            .name = "bad-core-list",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a list of cores with a part that is no number and no range",
            .why =
                "The reader leaves out whatever is no digit and says nothing: letters and empty "
                "parts count as core 0, a reversed range as no core, so that no job fits on the "
                "device. Where the cores that are left break a law for GPUs (NUMA001 to NUMA003), "
                "the node is drained.",
            .ref = "bitstring.c:bit_unfmt",
            .bad = "NodeName=n1 CPUs=8 CPUSpecList=0,a\n",
            .good = "NodeName=n1 CPUs=8 CPUSpecList=0,1\n",
        },
    [PLUMB_CONF_BAD_LINKS] =
        {
            .code = "CONF021",
            .name = "links-dropped",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_COMPLAINS,
            .daemons = PLUMB_SLURMD,
            .summary = "Links that is no comma list of numbers with one -1",
            .why = "slurmd logs an error and drops the list: the GPU stays, but jobs get any GPUs, "
                   "linked or not.",
            .ref = "gres.c:gres_links_validate",
            .bad = "NodeName=g Gres=gpu:2\n"
                   "# gres.conf\n"
                   "Name=gpu File=/dev/nvidia0 Links=-1:4\n"
                   "Name=gpu File=/dev/nvidia1 Links=4:-1",
            .good = "NodeName=g Gres=gpu:2\n"
                    "# gres.conf\n"
                    "Name=gpu File=/dev/nvidia0 Links=-1,4\n"
                    "Name=gpu File=/dev/nvidia1 Links=4,-1",
        },
    [PLUMB_CONF_BAD_GRES] =
        {
            .code = "CONF022",
            .name = "bad-gres",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_COMPLAINS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "an entry of Gres= that is not name, name:count or name:type:count",
            .why = "What begins with a digit must be a count; anything else becomes a type with a "
                   "count of 1, without a word.",
            .ref = "gres.c:_get_gres_cnt",
            .bad = "GresTypes=gpu\nNodeName=n1 CPUs=8 Gres=gpu:h100:eight\n",
            .good = "GresTypes=gpu\nNodeName=n1 CPUs=8 Gres=gpu:h100:8\n",
        },
    [PLUMB_CONF_BAD_WEIGHT] =
        {
            .code = "CONF023",
            .name = "bad-weight",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "a TRES weight without a number or with an unknown unit",
            .why =
                "Weights are read when partitions, nodes and the priority plugin are set up, and "
                "one bad entry ends slurmctld.",
            .ref = "slurm_protocol_api.c:_tres_weight_item",
            .bad = "PriorityWeightTRES=CPU=x\n",
            .good = "PriorityWeightTRES=CPU=1\n",
        },
    [PLUMB_CONF_BAD_TRES] =
        {
            .code = "CONF024",
            .name = "bad-tres",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "AccountingStorageTRES names a kind of TRES that does not exist",
            .why =
                "slurmctld registers every entry when it starts and ends at one that it does not "
                "know.",
            .ref = "controller.c:_init_tres",
            .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
                   "AccountingStorageTRES=gpu",
            .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                    "AccountingStorageTRES=gres/gpu",
        },
};

const struct plumb_rule_family plumb_conf_rules = {
    .prefix = "CONF",
    .title = "Parameters of Slurm files",
    .rules = plumb_conf_rows,
    .count = PLUMB_COUNT(plumb_conf_rows),
};
