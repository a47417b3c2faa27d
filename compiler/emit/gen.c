/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of family GEN: about the files that a build makes. */
#include "emit/print.h"

static const struct plumb_rule rows[] = {
    [PLUMB_GEN_UNWRITABLE] =
        {
            .code = "GEN001",
            .name = "gen-unwritable-value",
            .severity = PLUMB_ERROR,
            .summary = "a value cannot be written in the grammar of the generated file",
            .why = "Slurm's key=value files know no escape for a double quote inside quotes, and a "
                   "value ends with its line: the daemon would read another value than was meant. "
                   "No file is written.",
            .ref = "src/common/parse_config.c:_keyvalue_regex_init",
            .bad = "overrides: {slurm.conf: {MailDomain: 'a \"b'}}",
            .good = "overrides: {slurm.conf: {MailDomain: example.org}}",
        },
    [PLUMB_GEN_CLASH] =
        {
            .code = "GEN002",
            .name = "gen-path-clash",
            .severity = PLUMB_ERROR,
            .summary = "two generated files would have the same path",
            .why = "One of the two would be lost. No file is written.",
            .ref = "output tree of build",
        },
    [PLUMB_GEN_LEFT_OUT] =
        {
            .code = "GEN003",
            .name = "gen-left-out",
            .severity = PLUMB_INFO,
            .summary = "a file is not made because the captures do not say enough",
            .why =
                "A topology file that is wrong slows NCCL down without a message, and a template "
                "with wrong numbers binds tasks far from their GPUs: neither is made from a "
                "capture that does not show what it must hold.",
            .ref = "NCCL user guide, NCCL_TOPO_FILE; srun(1), --cpu-bind",
            .bad = "# cluster.yaml\n"
                   "plumb: 1\n"
                   "cluster: demo\n"
                   "control: {hosts: [cp-01]}\n"
                   "nodes: {gpu: {hosts: \"gpu-[1-4]\", cpus: 16, memory: 64 GiB, topology: "
                   "./hardware/gpu}}\n"
                   "partitions: {all: {nodes: all}}\n"
                   "# hardware/gpu/topo-m.txt\n"
                   "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNV4\n"
                   "GPU1\tNV4\t X ",
            .good = "nodes: {dgx: {hosts: \"dgx-[1-4]\", topology: dgx-h100, gres: {gpu: {type: "
                    "h100}}}}",
        },
};

const struct plumb_rule *plumb_gen_rule(enum plumb_gen_row row)
{
    return &rows[row];
}

const struct plumb_rule_family plumb_gen_rules = {
    .prefix = "GEN",
    .title = "Generated files",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
