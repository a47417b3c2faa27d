/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of family SPEC: what the reader of specifications and the resolving passes report. */
#include "spec/rules.h"

#include "spec/spec.h"

#define REF "the specification language, "

static const struct plumb_rule spec_rules[PLUMB_SPEC_FAULT_COUNT] = {
    [PLUMB_SPEC_UNKNOWN_KEY] =
        {
            .code = "SPEC001",
            .name = "unknown-key",
            .severity = PLUMB_ERROR,
            .summary = "the section has no such key",
            .why = "a misspelt key would silently leave its default in place",
            .ref = REF "keys",
            .bad = "scheduling:\n  backfill: {windw: 7 days}\n",
            .good = "scheduling:\n  backfill: {window: 7 days}\n",
        },
    [PLUMB_SPEC_MISSING_KEY] =
        {
            .code = "SPEC002",
            .name = "missing-key",
            .severity = PLUMB_ERROR,
            .summary = "a key that the section needs is not there",
            .why = "there is no default that would be right for every cluster",
            .ref = REF "keys",
            .bad = "control: {auth: munge}\n",
            .good = "control: {hosts: [cp-01]}\n",
        },
    [PLUMB_SPEC_WRONG_KIND] =
        {
            .code = "SPEC003",
            .name = "wrong-kind",
            .severity = PLUMB_ERROR,
            .summary = "a mapping, a list or a single value stands where another is needed",
            .why = "the value cannot be given a meaning",
            .ref = REF "kinds of values",
            .bad = "nodes: gpu-[01-16]\n",
            .good = "nodes:\n  h100:\n    hosts: gpu-[01-16]\n",
        },
    [PLUMB_SPEC_NOT_A_NUMBER] =
        {
            .code = "SPEC004",
            .name = "not-a-number",
            .severity = PLUMB_ERROR,
            .summary = "a number is needed",
            .why = "numbers are written in decimal digits",
            .ref = REF "kinds of values",
            .bad = "weight: high\n",
            .good = "weight: 100\n",
        },
    [PLUMB_SPEC_UNIT_REQUIRED] =
        {
            .code = "SPEC005",
            .name = "unit-required",
            .severity = PLUMB_ERROR,
            .summary = "a number stands where its unit matters",
            .why = "one Slurm parameter counts minutes, the next seconds, a third microseconds",
            .ref = REF "units",
            .bad = "window: 7\n",
            .good = "window: 7 days\n",
        },
    [PLUMB_SPEC_UNKNOWN_UNIT] =
        {
            .code = "SPEC006",
            .name = "unknown-unit",
            .severity = PLUMB_ERROR,
            .summary = "the unit is not one of the language",
            .why = "a guess would be wrong by a factor",
            .ref = REF "units",
            .bad = "interval: 30 m\n",
            .good = "interval: 30 min\n",
        },
    [PLUMB_SPEC_OUT_OF_RANGE] =
        {
            .code = "SPEC007",
            .name = "number-out-of-range",
            .severity = PLUMB_ERROR,
            .summary = "the number is smaller or larger than the key allows",
            .why = "Slurm could not hold it",
            .ref = REF "kinds of values",
            .bad = "ports: {slurmd: 70000}\n",
            .good = "ports: {slurmd: 6818}\n",
        },
    [PLUMB_SPEC_UNKNOWN_WORD] =
        {
            .code = "SPEC008",
            .name = "word-not-in-set",
            .severity = PLUMB_ERROR,
            .summary = "the word is not one of those that the key takes",
            .why = "the value cannot be given a meaning",
            .ref = REF "kinds of values",
            .bad = "auth: mungee\n",
            .good = "auth: munge\n",
        },
    [PLUMB_SPEC_SECRET_VALUE] =
        {
            .code = "SPEC009",
            .name = "secret-value",
            .secret = true,
            .severity = PLUMB_ERROR,
            .summary = "a secret stands in the specification",
            .why =
                "a specification is kept, mailed and reviewed; no field of it takes a password or "
                "a key",
            .ref = REF "secrets",
            .bad = "password: hunter2\n",
            .good = "password: {secret: slurm-db, key: password}\n",
        },
    [PLUMB_SPEC_EMPTY] =
        {
            .code = "SPEC010",
            .name = "empty-value",
            .severity = PLUMB_ERROR,
            .summary = "the key has no value",
            .why = "leave the key out to get its default",
            .ref = REF "keys",
            .bad = "partitions:\n",
            .good = "partitions:\n  all: {nodes: all}\n",
        },
    [PLUMB_SPEC_DUPLICATE] =
        {
            .code = "SPEC011",
            .name = "duplicate-name",
            .severity = PLUMB_ERROR,
            .summary = "the same name stands twice in a list",
            .why = "one of the two must have been meant to be another",
            .ref = REF "kinds of values",
            .bad = "hosts: [cp-01, cp-01]\n",
            .good = "hosts: [cp-01, cp-02]\n",
        },
    [PLUMB_SPEC_VERSION] =
        {
            .code = "SPEC012",
            .name = "unsupported-version",
            .severity = PLUMB_ERROR,
            .summary = "the version of the language is not known",
            .why = "keys may mean something else there",
            .ref = REF "version",
            .bad = "plumb: 2\n",
            .good = "plumb: 1\n",
        },
    [PLUMB_SPEC_RELEASE] =
        {
            .code = "SPEC013",
            .name = "unknown-release",
            .severity = PLUMB_ERROR,
            .summary = "the Slurm release is not known",
            .why = "it decides which parameters exist and what they mean",
            .ref = REF "slurm",
            .bad = "slurm: \"24.12\"\n",
            .good = "slurm: \"24.11\"\n",
        },
    [PLUMB_SPEC_NOT_A_BOOLEAN] =
        {
            .code = "SPEC014",
            .name = "not-a-boolean",
            .severity = PLUMB_ERROR,
            .summary = "true or false is needed",
            .why = "the value cannot be given a meaning",
            .ref = REF "kinds of values",
            .bad = "default: maybe\n",
            .good = "default: true\n",
        },
    [PLUMB_SPEC_BAD_NAME] =
        {
            .code = "SPEC015",
            .name = "bad-name",
            .severity = PLUMB_ERROR,
            .summary = "a name or path holds what Slurm's files cannot, or is no path",
            .why = "blanks, commas, equal signs, quotes and '#' end or change a value in Slurm's "
                   "files",
            .ref = "slurm.conf(5), format of the file",
            .bad = "features: [\"h100,ib\"]\n",
            .good = "features: [h100, ib]\n",
        },
    [PLUMB_SPEC_NOT_IN_RELEASE] =
        {
            .code = "SPEC016",
            .name = "key-not-in-release",
            .severity = PLUMB_ERROR,
            .summary = "the chosen Slurm release has no parameter for the key or word",
            .why = "daemons of that release refuse or ignore it",
            .ref = "slurm.conf(5) and release notes",
            .bad = "slurm: \"22.05\"\ncontrol: {hosts: [cp-01], auth: slurm}\n",
            .good = "slurm: \"23.11\"\ncontrol: {hosts: [cp-01], auth: slurm}\n",
        },
    [PLUMB_SPEC_NOT_COMPILED] =
        {
            .code = "SPEC017",
            .name = "not-compiled-yet",
            .severity = PLUMB_INFO,
            .summary = "the key is known and read, but no file is made from it",
            .why = "it belongs to a target that this version of plumb does not have; QOS and "
                   "accounts are read all the same, and job scripts are checked against them",
            .ref = REF "sections",
            .bad = "jobs: {ssh: adopt}",
            .good = "timeouts: {node: 300 s}",
        },
    [PLUMB_SPEC_OVERRIDE_EQUAL] =
        {
            .code = "SPEC018",
            .name = "override-equal",
            .severity = PLUMB_INFO,
            .summary = "an override says what would be written without it",
            .why = "it hides what decides the value",
            .ref = REF "overrides",
            .bad = "overrides: {slurm.conf: {SelectType: select/cons_tres}}",
            .good = "overrides: {slurm.conf: {MailDomain: example.org}}",
        },
    [PLUMB_SPEC_OVERRIDE_TAKES] =
        {
            .code = "SPEC019",
            .name = "override-replaces",
            .severity = PLUMB_INFO,
            .summary = "an override replaces what would be written without it",
            .why = "the key that decided it no longer has an effect",
            .ref = REF "overrides",
            .bad = "timeouts: {node: 300 s}\n"
                   "overrides: {slurm.conf: {SlurmdTimeout: 60}}",
            .good = "timeouts: {node: 60 s}",
        },
    [PLUMB_SPEC_OVERRIDE_UNKNOWN] =
        {
            .code = "SPEC020",
            .name = "override-unknown",
            .severity = PLUMB_ERROR,
            .summary = "an override names a file or parameter that the release does not know",
            .why = "the daemons end or complain when they read it",
            .ref = "slurm.conf(5)",
            .bad = "overrides: {slurm.conf: {MinJobAeg: 300}}\n",
            .good = "overrides: {slurm.conf: {MinJobAge: 300}}\n",
        },
    [PLUMB_SPEC_UNKNOWN_RESOURCE] =
        {
            .code = "SPEC021",
            .name = "unknown-resource",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "a weight or a tracked resource names what no node has",
            .why = "slurmctld ends when a weight names a resource that is not tracked",
            .ref = "slurm_protocol_api.c:slurm_get_tres_weight_array",
            .bad = "billing: {gpus: 100}\n",
            .good = "billing: {gpu: 100}\n",
        },
    [PLUMB_SPEC_SECRET_APART] =
        {
            .code = "SPEC022",
            .name = "secret-not-written",
            .severity = PLUMB_INFO,
            .summary = "a generated file lacks a secret that its daemon needs",
            .why = "plumb never sees the value; whoever deploys the file adds it",
            .ref = "slurmdbd.conf(5), StoragePass",
            .bad =
                "database: {host: db-01, storage: {password: {secret: slurm-db, key: password}}}",
            .good = "slurm: \"25.11\"\n"
                    "database: {host: db-01, storage: {password_script: /etc/slurm/db-password}}",
        },
    [PLUMB_SPEC_EXCLUSIVE_KEYS] =
        {
            .code = "SPEC023",
            .name = "keys-exclude-each-other",
            .severity = PLUMB_ERROR,
            .summary = "two keys say different things about one Slurm parameter",
            .why = "only one of them could hold",
            .ref = REF "keys",
            .bad = "slurm: \"24.11\"\ntimeouts: {prolog: 30 s, epilog: 60 s}\n",
            .good = "slurm: \"25.05\"\ntimeouts: {prolog: 30 s, epilog: 60 s}\n",
        },
    [PLUMB_SPEC_NOT_WHOLE] =
        {
            .code = "SPEC024",
            .name = "not-whole",
            .severity = PLUMB_ERROR,
            .summary = "the value is no whole number of the unit in which Slurm counts",
            .why = "it would be rounded without a word",
            .ref = REF "units",
            .bad = "max_time: 90 s\n",
            .good = "max_time: 2 min\n",
        },
    [PLUMB_SPEC_NO_HARDWARE] =
        {
            .code = "SPEC025",
            .name = "hardware-unknown",
            .severity = PLUMB_WARNING,
            .summary = "a node class has neither a capture nor its CPUs and memory written down",
            .why = "Slurm takes 1 CPU and 1 MiB for such nodes, and no job fits",
            .ref = "slurm.conf(5), RealMemory",
            .bad = "nodes:\n  cpu:\n    hosts: cn-[01-04]\n",
            .good = "nodes:\n  cpu:\n    hosts: cn-[01-04]\n    cpus: 64\n    memory: 250 GiB\n",
        },
    [PLUMB_SPEC_UNEVEN] =
        {
            .code = "SPEC027",
            .name = "rows-uneven",
            .severity = PLUMB_ERROR,
            .summary = "nodes or switches cannot be divided among the names of a row",
            .why = "which of them get more is not ours to guess",
            .ref = REF "topology",
            .bad = "topology:\n"
                   "  switches: [{name: \"leaf[1-3]\", nodes: \"dgx-[1-4]\"}]\n",
            .good = "topology:\n"
                    "  switches:\n"
                    "    - {name: \"leaf[1-2]\", nodes: \"dgx-[1-4]\"}\n"
                    "    - {name: spine, switches: \"leaf[1-2]\"}\n",
        },
    [PLUMB_SPEC_SECOND] =
        {
            .code = "SPEC026",
            .name = "second-specification",
            .severity = PLUMB_ERROR,
            .summary = "a run has more than one specification",
            .why = "two files cannot both say what the cluster is; name the one that counts",
            .ref = REF "files",
            .bad = "plumb: 1\n"
                   "cluster: demo\n"
                   "control: {hosts: [cp-01]}\n"
                   "nodes: {dgx: {hosts: \"dgx-[1-4]\", topology: dgx-h100, gres: {gpu: {type: "
                   "h100}}}}\n"
                   "partitions: {all: {nodes: all}}\n"
                   "---\n"
                   "plumb: 1\n"
                   "cluster: test",
            .good = "plumb: 1\n"
                    "cluster: demo\n"
                    "control: {hosts: [cp-01]}\n"
                    "nodes: {dgx: {hosts: \"dgx-[1-4]\", topology: dgx-h100, gres: {gpu: {type: "
                    "h100}}}}\n"
                    "partitions: {all: {nodes: all}}",
        },
    [PLUMB_SPEC_NO_MIG_FILES] =
        {
            .code = "SPEC028",
            .name = "mig-files-unknown",
            .severity = PLUMB_ERROR,
            .summary = "MIG devices are counted, and nothing tells their files",
            .why = "each is three files, whose numbers the driver gives out; slurmd finds them "
                   "with autodetect: nvml, else the captures must hold nvidia-smi -L, -q -x and "
                   "the driver's table mig-minors",
            .ref = "gres.conf(5), MultipleFiles",
            .bad = "nodes:\n"
                   "  h100:\n"
                   "    hosts: g-[1-4]\n"
                   "    cpus: 64\n"
                   "    memory: 250 GiB\n"
                   "    gres: {gpu: {type: 3g.40gb, count: 2}}\n",
            .good = "nodes:\n"
                    "  h100:\n"
                    "    hosts: g-[1-4]\n"
                    "    cpus: 64\n"
                    "    memory: 250 GiB\n"
                    "    gres: {gpu: {type: 3g.40gb, count: 2}}\n"
                    "    autodetect: nvml\n",
        },
    [PLUMB_SPEC_NOT_IN_FLAVOUR] =
        {
            .code = "SPEC029",
            .name = "not-in-flavor",
            .severity = PLUMB_ERROR,
            .summary = "the operator cannot do what the specification asks for",
            .why = "manifests without it would make another cluster than the one that is described",
            .ref = REF "kubernetes",
            .bad = "control: {hosts: [cp-01, cp-02], state_dir: {path: /state, shared: true}}\n"
                   "kubernetes: {flavor: slinky, release: \"1.2.1\"}\n",
            .good = "control: {hosts: [cp-01]}\n"
                    "kubernetes: {flavor: slinky, release: \"1.2.1\"}\n",
        },
    [PLUMB_SPEC_PER_GPU] =
        {
            .code = "SPEC030",
            .name = "per-gpu-misplaced",
            .severity = PLUMB_ERROR,
            .summary = "per_gpu stands where there are no shares of GPUs to count",
            .why = "only mps and shard are shares of GPUs; their count is that of the node, which "
                   "per_gpu makes from the GPUs beside it",
            .ref = REF "nodes",
            .bad = "nodes:\n"
                   "  h100:\n"
                   "    hosts: g-[1-4]\n"
                   "    cpus: 64\n"
                   "    memory: 250 GiB\n"
                   "    gres: {nvme: {per_gpu: 1}}\n",
            .good = "nodes:\n"
                    "  h100:\n"
                    "    hosts: g-[1-4]\n"
                    "    cpus: 64\n"
                    "    memory: 250 GiB\n"
                    "    gres: {gpu: 8, shard: {per_gpu: 4}}\n",
        },
    [PLUMB_SPEC_RESERVED] =
        {
            .code = "SPEC035",
            .name = "reservation-unknown",
            .severity = PLUMB_ERROR,
            .summary = "a reservation names a node, partition or account that is not declared",
            .why = "slurmctld refuses the reservation: an account only where associations are "
                   "enforced, else nobody can use it",
            .ref = "reservation.c:create_resv",
            .bad = "partitions: {gpu: {nodes: all}}\n"
                   "reservations:\n"
                   "  r: {nodes: all, duration: 2 days, users: [alice], partition: training}\n",
            .good = "partitions: {gpu: {nodes: all}}\n"
                    "reservations:\n"
                    "  r: {nodes: all, duration: 2 days, users: [alice], partition: gpu}\n",
        },
    [PLUMB_SPEC_FOR_NOBODY] =
        {
            .code = "SPEC036",
            .name = "reservation-for-nobody",
            .severity = PLUMB_ERROR,
            .summary = "a reservation is for no account and no user",
            .why = "slurmctld refuses it",
            .ref = "reservation.c:create_resv, ESLURM_RESERVATION_EMPTY",
            .bad = "reservations:\n  r: {nodes: all, duration: 2 days}\n",
            .good = "reservations:\n  r: {nodes: all, duration: 2 days, users: [alice]}\n",
        },
    [PLUMB_SPEC_IMAGE] =
        {
            .code = "SPEC037",
            .name = "image-release",
            .severity = PLUMB_WARNING,
            .summary = "the tag of an image names another release of Slurm than 'slurm'",
            .why = "the daemons of the image read files that are written for the release of the "
                   "specification; a major step converts the database, and there is no way back",
            .ref = "Slurm, Upgrade Guide",
            .bad = "slurm: \"24.11\"\n"
                   "control: {hosts: [cp-01]}\n"
                   "kubernetes: {flavor: slinky, images: {controller: \"r/slurmctld:25.11-u\"}}\n",
            .good = "slurm: \"24.11\"\n"
                    "control: {hosts: [cp-01]}\n"
                    "kubernetes: {flavor: slinky, images: {controller: \"r/slurmctld:24.11-u\"}}\n",
        },
    [PLUMB_SPEC_NO_ADAPTER] =
        {
            .code = "SPEC041",
            .name = "adapter-unknown",
            .severity = PLUMB_ERROR,
            .summary = "a network adapter is named that the captures do not show",
            .why = "NCCL passes over a name that no device has, and falls back to sockets where "
                   "none is left; slurmd ends when the file of a resource is missing",
            .ref = REF "nodes",
            .bad = "nodes:\n"
                   "  dgx:\n"
                   "    hosts: dgx-[1-4]\n"
                   "    topology: dgx-h100\n"
                   "    gres: {gpu: {type: h100}}\n"
                   "    fabric: {hcas: [mlx5_0, mlx5_77]}\n",
            .good = "nodes:\n"
                    "  dgx:\n"
                    "    hosts: dgx-[1-4]\n"
                    "    topology: dgx-h100\n"
                    "    gres: {gpu: {type: h100}}\n"
                    "    fabric: {hcas: [mlx5_0, mlx5_3, mlx5_4, mlx5_5, "
                    "mlx5_6, mlx5_9, mlx5_10, mlx5_11]}\n",
        },
    [PLUMB_SPEC_NO_VERBS] =
        {
            .code = "SPEC042",
            .name = "verbs-unknown",
            .severity = PLUMB_WARNING,
            .summary = "the device file of a network adapter is told by no capture",
            .why = "the kernel numbers /dev/infiniband/uverbs<n> as drivers probe, which is not "
                   "always the number in mlx5_3; a guess would hand out another adapter, so the "
                   "resource is counted without File=",
            .ref = "gres.conf(5), File; /sys/class/infiniband_verbs",
            .bad = "nodes:\n"
                   "  dgx:\n"
                   "    hosts: dgx-[1-4]\n"
                   "    topology: dgx-h100\n"
                   "    gres: {gpu: {type: h100}, hca: {devices: [mlx5_0]}}\n",
            .good = "nodes:\n"
                    "  dgx:\n"
                    "    hosts: dgx-[1-4]\n"
                    "    topology: dgx-h100\n"
                    "    gres: {gpu: {type: h100}, hca: 1}\n",
        },
    [PLUMB_SPEC_RAILS] =
        {
            .code = "SPEC043",
            .name = "rails-differ",
            .severity = PLUMB_WARNING,
            .summary = "fabric names other adapters, or another number, than captures show near "
                       "GPUs",
            .why = "NCCL uses what it is told: a rail less is bandwidth less, and an adapter for "
                   "storage or management is slow and in the way of others",
            .ref = REF "nodes; NCCL user guide, NCCL_IB_HCA",
            .bad = "nodes:\n"
                   "  dgx:\n"
                   "    hosts: dgx-[1-4]\n"
                   "    topology: dgx-h100\n"
                   "    gres: {gpu: {type: h100}}\n"
                   "    fabric: {rails: 4}\n",
            .good = "nodes:\n"
                    "  dgx:\n"
                    "    hosts: dgx-[1-4]\n"
                    "    topology: dgx-h100\n"
                    "    gres: {gpu: {type: h100}}\n"
                    "    fabric: {rails: 8}\n",
        },
    [PLUMB_SPEC_RAILS_UNTOLD] =
        {
            .code = "SPEC044",
            .name = "rails-untold",
            .severity = PLUMB_WARNING,
            .summary = "adapters are to come from the topology, and no capture tells them",
            .why = "NCCL then takes every port that is up, storage and management among them",
            .ref = "NCCL user guide, NCCL_IB_HCA",
            .bad = "nodes: {gpu: {hosts: \"g-[1-4]\", cpus: 64, memory: 250 GiB, gres: {gpu: "
                   "8}}}\n"
                   "jobs: {nccl: {ib_hca: from-topology}}\n",
            .good = "nodes: {gpu: {hosts: \"g-[1-4]\", cpus: 64, memory: 250 GiB, gres: {gpu: "
                    "8},\n"
                    "  fabric: {hcas: [mlx5_0, mlx5_1]}}}\n"
                    "jobs: {nccl: {ib_hca: from-topology}}\n",
        },
};

const struct plumb_rule_family plumb_spec_rules = {
    .prefix = "SPEC",
    .title = "Specification",
    .rules = spec_rules,
    .count = PLUMB_SPEC_FAULT_COUNT,
};

const struct plumb_rule *plumb_spec_rule(enum plumb_spec_fault f)
{
    return &spec_rules[f];
}
