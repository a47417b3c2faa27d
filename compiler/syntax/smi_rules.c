/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about the text of `nvidia-smi topo -m`. */
#include "syntax/smi_read.h"

const struct plumb_rule plumb_smi_rows[PLUMB_SMI_RULE_COUNT] = {
    [PLUMB_SMI_NO_MATRIX] =
        {
            .code = "HW050",
            .name = "smi-no-matrix",
            .severity = PLUMB_ERROR,
            .summary = "the text holds no matrix of 'nvidia-smi topo -m'",
            .why = "Without the line of device names no cell can be given to a pair of devices.",
            .ref = "nvidia-smi topo -m, heading line",
            .bad = "# plumb check --as topo topo-m.txt\n"
                   "all eight GPUs are connected with NV18",
            .good = "# plumb check --as topo topo-m.txt\n"
                    "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_SMI_ROW_CELLS] =
        {
            .code = "HW051",
            .name = "smi-row-cells",
            .severity = PLUMB_ERROR,
            .summary = "a row has fewer or more cells than the heading has columns",
            .why = "Terminals and web pages eat tabs. Every cell behind the lost tab then belongs "
                   "to another pair, so the row cannot be used.",
            .ref = "nvidia-smi topo -m, one cell per device column",
            .bad = "\tGPU0\tGPU1\tCPU Affinity\n"
                   "GPU0\t X \tNV4\t0-3\n"
                   "GPU1\tNV4 X \t4-7",
            .good = "\tGPU0\tGPU1\tCPU Affinity\n"
                    "GPU0\t X \tNV4\t0-3\n"
                    "GPU1\tNV4\t X \t4-7",
        },
    [PLUMB_SMI_UNKNOWN_CODE] =
        {
            .code = "HW052",
            .name = "smi-unknown-code",
            .severity = PLUMB_ERROR,
            .summary = "a cell holds no connection code",
            .why = "Only X, NV<n>, PIX, PXB, PHB, NODE, SYS (SOC before 2017) have a meaning.",
            .ref = "nvidia-smi topo -m, Legend",
            .bad = "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNVL\n"
                   "GPU1\tNVL\t X ",
            .good = "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_SMI_ROWS_MISSING] =
        {
            .code = "HW053",
            .name = "smi-rows-missing",
            .severity = PLUMB_ERROR,
            .summary = "the matrix has fewer rows than columns",
            .why = "A clipped capture does not show the machine: affinity and links of the missing "
                   "rows are unknown.",
            .ref = "nvidia-smi topo -m, rows repeat the order of the columns",
            .bad = "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNV4",
            .good = "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_SMI_ROW_NAME] =
        {
            .code = "HW054",
            .name = "smi-row-name",
            .severity = PLUMB_ERROR,
            .summary = "a row is named twice or is not among the columns",
            .why = "Rows repeat the columns; one that does not was pasted from elsewhere.",
            .ref = "nvidia-smi topo -m, rows repeat the order of the columns",
            .bad = "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNV4\n"
                   "GPU2\tNV4\t X ",
            .good = "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_SMI_DIAGONAL] =
        {
            .code = "HW055",
            .name = "smi-diagonal",
            .severity = PLUMB_ERROR,
            .summary = "the cell of a device with itself is not X, or X stands elsewhere",
            .why = "Cells have moved: the row does not belong to the columns above it.",
            .ref = "nvidia-smi topo -m, X = Self",
            .bad = "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNV4\n"
                   "GPU1\tNV4\tNV4",
            .good = "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_SMI_ASYMMETRIC] =
        {
            .code = "HW056",
            .name = "smi-asymmetric",
            .severity = PLUMB_ERROR,
            .summary = "two cells of one pair differ",
            .why = "A connection is the same both ways; one of the two rows is damaged.",
            .ref = "nvidia-smi topo -m, the matrix is symmetric",
            .bad = "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNV4\n"
                   "GPU1\tSYS\t X ",
            .good = "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_SMI_HEADING] =
        {
            .code = "HW057",
            .name = "smi-heading",
            .severity = PLUMB_ERROR,
            .summary = "the line of device names is damaged",
            .why = "Names that have run together, or GPUs out of order, make columns ambiguous.",
            .ref = "nvidia-smi topo -m, heading line: GPUs first, then NICs",
            .bad = "\tGPU0\tGPU2\n"
                   "GPU0\t X \tNV4\n"
                   "GPU2\tNV4\t X ",
            .good = "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_SMI_AFFINITY] =
        {
            .code = "HW058",
            .name = "smi-affinity",
            .severity = PLUMB_WARNING,
            .summary = "an affinity cell is no list of numbers",
            .why = "The place of the GPU is then taken from other captures, or stays unknown.",
            .ref = "nvidia-smi topo -m, CPU Affinity and NUMA Affinity",
            .bad = "\tGPU0\tGPU1\tCPU Affinity\n"
                   "GPU0\t X \tNV4\tfirst\n"
                   "GPU1\tNV4\t X \tsecond",
            .good = "\tGPU0\tGPU1\tCPU Affinity\n"
                    "GPU0\t X \tNV4\t0-3\n"
                    "GPU1\tNV4\t X \t4-7",
        },
    [PLUMB_SMI_SECOND] =
        {
            .code = "HW059",
            .name = "smi-second-matrix",
            .severity = PLUMB_WARNING,
            .summary = "a file holds more than one matrix",
            .why = "A capture describes one machine; what follows the first matrix is not used.",
            .ref = "nvidia-smi topo -m",
            .bad = "\tGPU0\tGPU1\tCPU Affinity\n"
                   "GPU0\t X \tNV4\t0-3\n"
                   "GPU1\tNV4\t X \t4-7\n"
                   "\n"
                   "\tGPU0\tGPU1\tCPU Affinity\n"
                   "GPU0\t X \tSYS\t0-3\n"
                   "GPU1\tSYS\t X \t4-7",
            .good = "\tGPU0\tGPU1\tCPU Affinity\n"
                    "GPU0\t X \tNV4\t0-3\n"
                    "GPU1\tNV4\t X \t4-7",
        },
    [PLUMB_SMI_LEGEND] =
        {
            .code = "HW061",
            .name = "smi-nic-legend",
            .severity = PLUMB_WARNING,
            .summary = "a NIC column is missing from the NIC legend",
            .why = "NIC numbers are not device names: without the legend no HCA can be named.",
            .ref = "nvidia-smi topo -m, NIC Legend",
            .bad = "\tGPU0\tNIC0\tNIC1\n"
                   "GPU0\t X \tPIX\tSYS\n"
                   "NIC0\tPIX\t X \tSYS\n"
                   "NIC1\tSYS\tSYS\t X \n"
                   "\n"
                   "NIC Legend:\n"
                   "  NIC0: mlx5_0",
            .good = "\tGPU0\tNIC0\tNIC1\n"
                    "GPU0\t X \tPIX\tSYS\n"
                    "NIC0\tPIX\t X \tSYS\n"
                    "NIC1\tSYS\tSYS\t X \n"
                    "\n"
                    "NIC Legend:\n"
                    "  NIC0: mlx5_0\n"
                    "  NIC1: mlx5_1",
        },
    [PLUMB_SMI_NOISE] =
        {
            .code = "HW062",
            .name = "smi-text-in-matrix",
            .severity = PLUMB_ERROR,
            .summary = "a line between the rows is no row",
            .why = "A terminal has wrapped the rows, or text was pasted into the matrix.",
            .ref = "nvidia-smi topo -m",
            .bad = "\tGPU0\tGPU1\tCPU Affinity\n"
                   "GPU0\t X \tNV4\t0-3\n"
                   ",8-11\n"
                   "GPU1\tNV4\t X \t4-7",
            .good = "\tGPU0\tGPU1\tCPU Affinity\n"
                    "GPU0\t X \tNV4\t0-3,8-11\n"
                    "GPU1\tNV4\t X \t4-7",
        },
};

const struct plumb_rule_family plumb_smi_rules = {
    .prefix = "HW",
    .title = "Captures: nvidia-smi topo -m",
    .rules = plumb_smi_rows,
    .count = PLUMB_SMI_RULE_COUNT,
};
