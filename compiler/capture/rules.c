/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of family HW: captures that cannot be used, and captures that contradict each other. */
#include "capture/rules.h"

#include "capture/capture.h"

const struct plumb_rule plumb_hw_rows[PLUMB_HW_RULE_COUNT] = {
    [PLUMB_HW_NOT_HWLOC] =
        {
            .code = "HW001",
            .name = "hwloc-root",
            .severity = PLUMB_ERROR,
            .summary = "the XML is not what lstopo writes",
            .why = "Only a file of 'lstopo file.xml' tells sockets, cores and PCI devices.",
            .ref = "hwloc2.dtd, element topology",
        },
    [PLUMB_HW_VERSION] =
        {
            .code = "HW002",
            .name = "hwloc-version",
            .severity = PLUMB_ERROR,
            .summary = "the hwloc XML is of a version that is not read",
            .why = "hwloc changed its format with 2.0 and 3.0, and one library reads only some of "
                   "them.",
            .ref = "hwloc ChangeLog 2.0, 3.0; hwloc_look_xml",
        },
    [PLUMB_HW_OBJECT] =
        {
            .code = "HW003",
            .name = "hwloc-object",
            .severity = PLUMB_ERROR,
            .summary = "an object of the hwloc XML lacks a value or has a wrong one",
            .why = "A topology with such an object cannot be loaded, so nothing in it can be "
                   "relied on.",
            .ref = "hwloc2.dtd, element object",
        },
    [PLUMB_HW_SETS] =
        {
            .code = "HW004",
            .name = "hwloc-sets",
            .severity = PLUMB_ERROR,
            .summary = "CPU sets of the hwloc XML contradict each other",
            .why = "A child has CPUs that its parent lacks, or two siblings share some: the file "
                   "was edited or damaged.",
            .ref = "hwloc.h, hwloc_obj cpuset",
        },
    [PLUMB_HW_REFUSED] =
        {
            .code = "HW005",
            .name = "hwloc-refused",
            .severity = PLUMB_ERROR,
            .summary = "libhwloc refuses the file",
            .why = "The file is well-formed, yet makes no topology.",
            .ref = "hwloc.h, hwloc_topology_load",
        },
    [PLUMB_HW_INCOMPLETE] =
        {
            .code = "HW006",
            .name = "hwloc-incomplete",
            .severity = PLUMB_WARNING,
            .summary = "the capture does not show all CPUs of the machine",
            .why = "Taken inside a job, a container, or with CPUs offline. A node line from it "
                   "would promise too little, and core numbers would be shifted.",
            .ref = "hwloc.h, complete_cpuset",
        },
    [PLUMB_HW_NO_IO] =
        {
            .code = "HW007",
            .name = "hwloc-no-io",
            .severity = PLUMB_WARNING,
            .summary = "the capture shows no PCI devices",
            .why = "GPUs and NICs are missing: lstopo was told --no-io, or had no access to them.",
            .ref = "lstopo(1), --no-io and --whole-io",
        },
    [PLUMB_HW_CPU_HOLES] =
        {
            .code = "HW008",
            .name = "hwloc-cpu-holes",
            .severity = PLUMB_WARNING,
            .summary = "CPU ids have holes",
            .why = "slurmd maps CPU ids at or above the number of threads to themselves, so cores "
                   "that it detects for a GPU are wrong.",
            .ref = "src/slurmd/common/xcpuinfo.c",
        },
    [PLUMB_HW_DISTANCES] =
        {
            .code = "HW009",
            .name = "hwloc-distances",
            .severity = PLUMB_WARNING,
            .summary = "a distance matrix of the hwloc XML is damaged",
            .why = "NVLinks are then taken from other captures, or stay unknown.",
            .ref = "hwloc2.dtd, element distances2",
        },
    [PLUMB_HW_UNKNOWN_NAME] =
        {
            .code = "HW010",
            .name = "capture-name",
            .severity = PLUMB_ERROR,
            .summary = "a capture has no such folder, file or built-in reference",
            .why = "What the hardware is comes from captures; without one nothing can be derived.",
            .ref = "plumb topology references",
        },
    [PLUMB_HW_NOTHING] =
        {
            .code = "HW011",
            .name = "capture-empty",
            .severity = PLUMB_ERROR,
            .summary = "a folder holds no capture",
            .why =
                "None of its files is hwloc XML, output of nvidia-smi (topo -m, -L, -q -x) or of "
                "slurmd -C, or a Kubernetes Node.",
            .ref = "plumb topology references",
        },
    [PLUMB_HW_UNREADABLE] =
        {
            .code = "HW012",
            .name = "capture-unreadable",
            .severity = PLUMB_ERROR,
            .summary = "a capture file cannot be opened",
            .why = "The result would be incomplete without it.",
            .ref = "plumb topology references",
        },
    [PLUMB_HW_SECOND] =
        {
            .code = "HW013",
            .name = "capture-second",
            .severity = PLUMB_WARNING,
            .summary = "a capture group holds two files of one kind",
            .why = "A group is one machine. The first file in the order of names is used.",
            .ref = "plumb topology references",
        },
    [PLUMB_HW_NO_NODE] =
        {
            .code = "HW014",
            .name = "kube-no-node",
            .severity = PLUMB_ERROR,
            .summary = "the Kubernetes objects hold no Node",
            .why = "Only Node objects tell what the cluster can allocate.",
            .ref = "Kubernetes API, core/v1 Node",
        },
    [PLUMB_HW_COUNT_TEXT] =
        {
            .code = "HW015",
            .name = "kube-count",
            .severity = PLUMB_ERROR,
            .summary = "a device count of a Node is no whole number",
            .why = "Extended resources are whole numbers; the kubelet accepts nothing else.",
            .ref = "Kubernetes API, extended resources",
        },
    [PLUMB_HW_SMI_LIST] =
        {
            .code = "HW016",
            .name = "smi-list-line",
            .severity = PLUMB_ERROR,
            .summary = "a line of 'nvidia-smi -L' cannot be read",
            .why =
                "Numbers and names of GPUs are taken from it. A list with a gap or a cut line is "
                "not the machine.",
            .ref = "nvidia-smi -L",
        },
    [PLUMB_HW_SMI_QUERY] =
        {
            .code = "HW017",
            .name = "smi-query-element",
            .severity = PLUMB_ERROR,
            .summary = "an element of 'nvidia-smi -q -x' is missing or cannot be read",
            .why = "Bus ids and minor numbers tie /dev/nvidia<minor> to a place in the machine.",
            .ref = "nvidia-smi -q -x, nvsmi_device DTD",
        },
    [PLUMB_HW_SLURMD_C] =
        {
            .code = "HW018",
            .name = "slurmd-c-line",
            .severity = PLUMB_ERROR,
            .summary = "the line of 'slurmd -C' lacks a value or has a wrong one",
            .why =
                "slurmd prints every value of the machine; a line without one was edited or cut.",
            .ref = "slurmd(8), -C",
        },
    [PLUMB_HW_GPU_COUNT] =
        {
            .code = "HW020",
            .name = "captures-gpu-count",
            .severity = PLUMB_ERROR,
            .summary = "two captures show different numbers of GPUs",
            .why = "One of them was taken inside a job or on another machine; GPU numbers cannot "
                   "be matched.",
            .ref = "nvidia-smi topo -m; lstopo(1)",
        },
    [PLUMB_HW_GPU_NUMA] =
        {
            .code = "HW021",
            .name = "captures-gpu-numa",
            .severity = PLUMB_ERROR,
            .summary = "two captures place a GPU at different NUMA nodes",
            .why = "Cores= from the wrong one would bind jobs to far cores.",
            .ref = "nvidia-smi topo -m, NUMA Affinity; lstopo(1)",
        },
    [PLUMB_HW_GPU_CPUS] =
        {
            .code = "HW022",
            .name = "captures-gpu-cpus",
            .severity = PLUMB_ERROR,
            .summary = "two captures give a GPU different CPUs",
            .why = "Cores= from the wrong one would bind jobs to far cores.",
            .ref = "nvidia-smi topo -m, CPU Affinity; lstopo(1)",
        },
    [PLUMB_HW_NVLINK] =
        {
            .code = "HW023",
            .name = "captures-nvlink",
            .severity = PLUMB_ERROR,
            .summary = "two captures show different NVLinks between two GPUs",
            .why = "Links= from the wrong one would group the wrong GPUs.",
            .ref = "nvidia-smi topo -m; hwloc NVLinkBandwidth",
        },
    [PLUMB_HW_FLAT_NUMA] =
        {
            .code = "HW024",
            .name = "hwloc-flat-numa",
            .severity = PLUMB_WARNING,
            .summary = "several packages share a single NUMA node",
            .why = "A kernel without NUMA shows every GPU as near to every core, so no cores can "
                   "be derived.",
            .ref = "hwloc.h, NUMANode; kernel option numa=off",
        },
    [PLUMB_HW_GPU_NAME] =
        {
            .code = "HW025",
            .name = "captures-gpu-identity",
            .severity = PLUMB_ERROR,
            .summary = "two captures show different GPUs at one place",
            .why = "They were taken on different machines, or before and after a repair.",
            .ref = "nvidia-smi -L; nvidia-smi -q -x; lstopo(1)",
        },
    [PLUMB_HW_CORES] =
        {
            .code = "HW026",
            .name = "captures-cores",
            .severity = PLUMB_ERROR,
            .summary = "slurmd -C and hwloc show different sockets, cores or threads",
            .why =
                "They were taken on different machines, or firmware settings changed in between. "
                "Node lines from the wrong one drain the node.",
            .ref = "slurmd(8), -C; src/slurmd/common/xcpuinfo.c",
        },
    [PLUMB_HW_MEMORY] =
        {
            .code = "HW027",
            .name = "captures-memory",
            .severity = PLUMB_WARNING,
            .summary = "slurmd -C and hwloc show very different memory",
            .why =
                "A few percent are the kernel's share; more is another machine or a lost module.",
            .ref = "slurmd(8), -C; hwloc.h, NUMANode",
        },
};

const struct plumb_rule_family plumb_capture_rules = {
    .prefix = "HW",
    .title = "Captures of hardware",
    .rules = plumb_hw_rows,
    .count = PLUMB_HW_RULE_COUNT,
};
