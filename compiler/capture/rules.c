/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of family HW: captures that cannot be used, and captures that contradict each other. */
#include "capture/rules.h"

#include "capture/capture.h"

/* Parts of the examples. */
#define CORE0                                                                                      \
    "<object type=\"Core\" cpuset=\"0x1\"><object type=\"PU\" os_index=\"0\" "                     \
    "cpuset=\"0x1\"/></object>\n"
#define CORE1                                                                                      \
    "<object type=\"Core\" cpuset=\"0x2\"><object type=\"PU\" os_index=\"1\" "                     \
    "cpuset=\"0x2\"/></object>\n"
#define NUMA                                                                                       \
    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" local_memory=\"1073741824\"/>\n"
#define GPU0                                                                                       \
    "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 [10de:2335] [10de:18be] "  \
    "a1\" pci_link_speed=\"63\">\n"                                                                \
    "  <object type=\"OSDev\" gp_index=\"8\" name=\"nvml0\" subtype=\"NVML\" "                     \
    "osdev_type=\"1\"/></object>\n"
#define GPU1                                                                                       \
    "<object type=\"PCIDev\" pci_busid=\"0000:1c:00.0\" pci_type=\"0302 [10de:2335] [10de:18be] "  \
    "a1\" pci_link_speed=\"63\">\n"                                                                \
    "  <object type=\"OSDev\" gp_index=\"9\" name=\"nvml1\" subtype=\"NVML\" "                     \
    "osdev_type=\"1\"/></object>\n"
#define NVLINKS                                                                                    \
    "<distances2 type=\"OSDev\" nbobjs=\"2\" kind=\"9\" name=\"NVLinkBandwidth\" "                 \
    "indexing=\"gp\">\n"
#define MATRIX                                                                                     \
    "\tGPU0\tGPU1\n"                                                                               \
    "GPU0\t X \tNV4\n"                                                                             \
    "GPU1\tNV4\t X \n"

const struct plumb_rule plumb_hw_rows[PLUMB_HW_RULE_COUNT] = {
    [PLUMB_HW_NOT_HWLOC] =
        {
            .code = "HW001",
            .name = "hwloc-root",
            .severity = PLUMB_ERROR,
            .summary = "the XML is not what lstopo writes",
            .why = "Only a file of 'lstopo file.xml' tells sockets, cores and PCI devices.",
            .ref = "hwloc2.dtd, element topology",
            .bad = "<topology version=\"2.0\">\n"
                   "<object type=\"Core\"/>\n"
                   "</topology>",
            .good = "<topology version=\"2.0\">\n"
                    "<object type=\"Machine\" cpuset=\"0x3\">",
        },
    [PLUMB_HW_VERSION] =
        {
            .code = "HW002",
            .name = "hwloc-version",
            .severity = PLUMB_ERROR,
            .summary = "the hwloc XML is of a version that is not read",
            .why =
                "hwloc changed its format with 2.0 and 3.0; formats up to 3.x are known. A later "
                "lstopo writes that of 2.x when asked to.",
            .ref = "hwloc ChangeLog 2.0, 3.0; hwloc_look_xml",
            .bad = "<topology version=\"4.0\">",
            .good = "<topology version=\"2.0\">",
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
            .bad = "<object type=\"PCIDev\" pci_busid=\"1:0\" pci_type=\"0302 [10de:2330]\"/>",
            .good = "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 "
                    "[10de:2330] [10de:16c1] a1\" pci_link_speed=\"63\"/>",
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
            .bad = "<object type=\"Package\" cpuset=\"0x3\">\n"
                   "  <object type=\"Core\" cpuset=\"0x4\"><object type=\"PU\" os_index=\"2\" "
                   "cpuset=\"0x4\"/></object>\n"
                   "</object>",
            .good = "<object type=\"Package\" cpuset=\"0x3\">\n"
                    "  " CORE0 "  " CORE1 "</object>",
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
            .bad = "<object type=\"Machine\" cpuset=\"0x3\" complete_cpuset=\"0xf\">",
            .good = "<object type=\"Machine\" cpuset=\"0x3\" complete_cpuset=\"0x3\">",
        },
    [PLUMB_HW_NO_IO] =
        {
            .code = "HW007",
            .name = "hwloc-no-io",
            .severity = PLUMB_WARNING,
            .summary = "the capture shows no PCI devices",
            .why = "GPUs and NICs are missing: lstopo was told --no-io, or had no access to them.",
            .ref = "lstopo(1), --no-io and --whole-io",
            .bad = "<!-- lstopo without I/O: no object of type PCIDev -->",
            .good = "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 "
                    "[10de:2330] [10de:16c1] a1\" pci_link_speed=\"63\"/>",
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
            .bad = "<object type=\"Machine\" cpuset=\"0x5\">\n"
                   "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x5\" "
                   "local_memory=\"1073741824\"/>\n"
                   "<object type=\"Package\" cpuset=\"0x5\">\n"
                   "  " CORE0 "  <object type=\"Core\" cpuset=\"0x4\"><object type=\"PU\" "
                   "os_index=\"2\" cpuset=\"0x4\"/></object>\n"
                   "</object>",
            .good = "<object type=\"Machine\" cpuset=\"0x3\">\n" NUMA
                    "<object type=\"Package\" cpuset=\"0x3\">\n"
                    "  " CORE0 "  " CORE1 "</object>",
        },
    [PLUMB_HW_DISTANCES] =
        {
            .code = "HW009",
            .name = "hwloc-distances",
            .severity = PLUMB_WARNING,
            .summary = "a distance matrix of the hwloc XML is damaged",
            .why = "NVLinks are then taken from other captures, or stay unknown.",
            .ref = "hwloc2.dtd, element distances2",
            .bad =
                GPU0 GPU1 "</object>\n" NVLINKS "  <indexes length=\"2\">8 </indexes>\n"
                          "  <u64values length=\"29\">1000000 150000 150000 1000000 </u64values>\n"
                          "</distances2>",
            .good =
                GPU0 GPU1 "</object>\n" NVLINKS "  <indexes length=\"4\">8 9 </indexes>\n"
                          "  <u64values length=\"29\">1000000 150000 150000 1000000 </u64values>\n"
                          "</distances2>",
        },
    [PLUMB_HW_UNKNOWN_NAME] =
        {
            .code = "HW010",
            .name = "capture-name",
            .severity = PLUMB_ERROR,
            .summary = "a capture has no such folder, file or built-in reference",
            .why = "What the hardware is comes from captures; without one nothing can be derived.",
            .ref = "plumb topology references",
            .bad = "nodes:\n"
                   "  dgx: {hosts: \"dgx-[1-4]\", topology: dgx-h1000, gres: {gpu: {type: h100}}}",
            .good = "nodes:\n"
                    "  dgx: {hosts: \"dgx-[1-4]\", topology: dgx-h100, gres: {gpu: {type: h100}}}",
        },
    [PLUMB_HW_NOTHING] =
        {
            .code = "HW011",
            .name = "capture-empty",
            .severity = PLUMB_ERROR,
            .summary = "a folder holds no capture",
            .why =
                "None of its files is hwloc XML, output of nvidia-smi (topo -m, -L, -q -x) or of "
                "slurmd (-C, -G), or a Kubernetes Node.",
            .ref = "plumb topology references",
            .bad = "# cluster.yaml\n"
                   "plumb: 1\n"
                   "cluster: demo\n"
                   "control: {hosts: [cp-01]}\n"
                   "nodes: {dgx: {hosts: \"dgx-[1-4]\", topology: ./hardware/dgx}}\n"
                   "partitions: {all: {nodes: all}}\n"
                   "# hardware/dgx/notes.txt\n"
                   "Ask Anna for the lstopo files.",
            .good = "# cluster.yaml\n"
                    "plumb: 1\n"
                    "cluster: demo\n"
                    "control: {hosts: [cp-01]}\n"
                    "nodes: {dgx: {hosts: \"dgx-[1-4]\", topology: ./hardware/dgx}}\n"
                    "partitions: {all: {nodes: all}}\n"
                    "# hardware/dgx/slurmd-C.txt\n"
                    "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 "
                    "ThreadsPerCore=1 RealMemory=257700",
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
            .bad = "# captures/g/smi-L.txt\n"
                   "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
                   "# captures/g/smi-L-old.txt\n"
                   "GPU 0: NVIDIA H200 (UUID: GPU-1)",
            .good = "# captures/g/smi-L.txt\n"
                    "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        },
    [PLUMB_HW_NO_NODE] =
        {
            .code = "HW014",
            .name = "kube-no-node",
            .severity = PLUMB_ERROR,
            .summary = "the Kubernetes objects hold no Node",
            .why = "Only Node objects tell what the cluster can allocate.",
            .ref = "Kubernetes API, core/v1 Node",
            .bad = "# node.json\n"
                   "{\"apiVersion\": \"v1\", \"kind\": \"NodeList\", \"items\": []}",
            .good = "# node.json\n"
                    "{\"apiVersion\": \"v1\", \"kind\": \"NodeList\", \"items\": [{\"metadata\": "
                    "{\"name\": \"g\"}}]}",
        },
    [PLUMB_HW_COUNT_TEXT] =
        {
            .code = "HW015",
            .name = "kube-count",
            .severity = PLUMB_ERROR,
            .summary = "a device count of a Node is no whole number",
            .why = "Extended resources are whole numbers; the kubelet accepts nothing else.",
            .ref = "Kubernetes API, extended resources",
            .bad = "# node.json\n"
                   "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\"},\n"
                   " \"status\": {\"allocatable\": {\"nvidia.com/gpu\": \"eight\"}}}",
            .good =
                "# node.json\n"
                "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\"},\n"
                " \"status\": {\"allocatable\": {\"nvidia.com/gpu\": \"8\"}}}",
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
            .bad = "# smi-L.txt\n"
                   "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
                   "GPU 2: NVIDIA H200 (UUID: GPU-3)",
            .good = "# smi-L.txt\n"
                    "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
                    "GPU 1: NVIDIA H200 (UUID: GPU-2)",
        },
    [PLUMB_HW_SMI_QUERY] =
        {
            .code = "HW017",
            .name = "smi-query-element",
            .severity = PLUMB_ERROR,
            .summary = "an element of 'nvidia-smi -q -x' is missing or cannot be read",
            .why = "Bus ids and minor numbers tie /dev/nvidia<minor> to a place in the machine.",
            .ref = "nvidia-smi -q -x, nvsmi_device DTD",
            .bad = "# smi-q.xml\n"
                   "<nvidia_smi_log>\n"
                   "  <gpu id=\"first\">\n"
                   "    <product_name>NVIDIA H200</product_name>\n"
                   "    <minor_number>0</minor_number>\n"
                   "  </gpu>\n"
                   "</nvidia_smi_log>",
            .good = "# smi-q.xml\n"
                    "<nvidia_smi_log>\n"
                    "  <gpu id=\"00000000:1B:00.0\">\n"
                    "    <product_name>NVIDIA H200</product_name>\n"
                    "    <minor_number>0</minor_number>\n"
                    "  </gpu>\n"
                    "</nvidia_smi_log>",
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
            .bad = "# slurmd-C.txt\n"
                   "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=two CoresPerSocket=8 "
                   "ThreadsPerCore=1 RealMemory=257700",
            .good = "# slurmd-C.txt\n"
                    "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 "
                    "ThreadsPerCore=1 RealMemory=257700",
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
            .bad = "# smi-L.txt\n"
                   "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
                   "# topo-m.txt\n"
                   "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNV4\n"
                   "GPU1\tNV4\t X ",
            .good = "# smi-L.txt\n"
                    "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
                    "GPU 1: NVIDIA H200 (UUID: GPU-2)\n"
                    "# topo-m.txt\n"
                    "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_HW_GPU_NUMA] =
        {
            .code = "HW021",
            .name = "captures-gpu-numa",
            .severity = PLUMB_ERROR,
            .summary = "two captures place a GPU at different NUMA nodes",
            .why = "Cores= from the wrong one would bind jobs to far cores.",
            .ref = "nvidia-smi topo -m, NUMA Affinity; lstopo(1)",
            .bad = "# topo-m.txt\n"
                   "\tGPU0\tCPU Affinity\tNUMA Affinity\n"
                   "GPU0\t X \t0-1\t1\n"
                   "# hwloc.xml\n"
                   "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" "
                   "local_memory=\"1073741824\"/>",
            .good = "# topo-m.txt\n"
                    "\tGPU0\tCPU Affinity\tNUMA Affinity\n"
                    "GPU0\t X \t0-1\t0\n"
                    "# hwloc.xml\n"
                    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" "
                    "local_memory=\"1073741824\"/>",
        },
    [PLUMB_HW_GPU_CPUS] =
        {
            .code = "HW022",
            .name = "captures-gpu-cpus",
            .severity = PLUMB_ERROR,
            .summary = "two captures give a GPU different CPUs",
            .why = "Cores= from the wrong one would bind jobs to far cores.",
            .ref = "nvidia-smi topo -m, CPU Affinity; lstopo(1)",
            .bad = "# topo-m.txt\n"
                   "hwloc.xml shows GPU 0 at CPUs 0-3,8-11 and GPU 2 at CPUs 4-7,12-15\n"
                   "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\n"
                   "GPU0\t X \tNV18\tNV18\tNV18\t4-7,12-15\n"
                   "GPU1\tNV18\t X \tNV18\tNV18\t4-7,12-15\n"
                   "GPU2\tNV18\tNV18\t X \tNV18\t0-3,8-11\n"
                   "GPU3\tNV18\tNV18\tNV18\t X \t0-3,8-11",
            .good = "# topo-m.txt\n"
                    "hwloc.xml shows GPU 0 at CPUs 0-3,8-11 and GPU 2 at CPUs 4-7,12-15\n"
                    "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\n"
                    "GPU0\t X \tNV18\tNV18\tNV18\t0-3,8-11\n"
                    "GPU1\tNV18\t X \tNV18\tNV18\t0-3,8-11\n"
                    "GPU2\tNV18\tNV18\t X \tNV18\t4-7,12-15\n"
                    "GPU3\tNV18\tNV18\tNV18\t X \t4-7,12-15",
        },
    [PLUMB_HW_NVLINK] =
        {
            .code = "HW023",
            .name = "captures-nvlink",
            .severity = PLUMB_ERROR,
            .summary = "two captures show different NVLinks between two GPUs",
            .why = "Links= from the wrong one would group the wrong GPUs.",
            .ref = "nvidia-smi topo -m; hwloc NVLinkBandwidth",
            .bad = "# topo-m.txt\n" MATRIX "# hwloc.xml\n" GPU0 GPU1 "</object>\n" NVLINKS
                   "  <indexes length=\"4\">8 9 </indexes>\n"
                   "  <u64values length=\"29\">1000000 150000 150000 1000000 </u64values>\n"
                   "</distances2>",
            .good = "# topo-m.txt\n"
                    "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV6\n"
                    "GPU1\tNV6\t X \n"
                    "# hwloc.xml\n" GPU0 GPU1 "</object>\n" NVLINKS
                    "  <indexes length=\"4\">8 9 </indexes>\n"
                    "  <u64values length=\"29\">1000000 150000 150000 1000000 </u64values>\n"
                    "</distances2>",
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
            .bad = NUMA "<object type=\"Package\" os_index=\"0\" cpuset=\"0x1\">\n"
                        "  " CORE0 "</object>\n"
                        "<object type=\"Package\" os_index=\"1\" cpuset=\"0x2\">\n"
                        "  " CORE1 "</object>",
            .good = "<object type=\"Machine\" cpuset=\"0x3\" nodeset=\"0x3\">\n"
                    "<object type=\"Package\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\">\n"
                    "  <object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\" "
                    "local_memory=\"1073741824\"/>\n"
                    "  <object type=\"Core\" cpuset=\"0x1\" nodeset=\"0x1\"><object type=\"PU\" "
                    "os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\"/></object>\n"
                    "</object>\n"
                    "<object type=\"Package\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\">\n"
                    "  <object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\" "
                    "local_memory=\"1073741824\"/>\n"
                    "  <object type=\"Core\" cpuset=\"0x2\" nodeset=\"0x2\"><object type=\"PU\" "
                    "os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\"/></object>\n"
                    "</object>",
        },
    [PLUMB_HW_GPU_NAME] =
        {
            .code = "HW025",
            .name = "captures-gpu-identity",
            .severity = PLUMB_ERROR,
            .summary = "two captures show different GPUs at one place",
            .why = "They were taken on different machines, or before and after a repair.",
            .ref = "nvidia-smi -L; nvidia-smi -q -x; lstopo(1)",
            .bad = "# smi-L.txt\n"
                   "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
                   "# smi-q.xml\n"
                   "<nvidia_smi_log>\n"
                   "  <gpu id=\"00000000:1B:00.0\">\n"
                   "    <product_name>NVIDIA H100 80GB HBM3</product_name>\n"
                   "    <minor_number>0</minor_number>\n"
                   "    <pci><pci_bus_id>00000000:1B:00.0</pci_bus_id></pci>\n"
                   "  </gpu>\n"
                   "</nvidia_smi_log>",
            .good = "# smi-L.txt\n"
                    "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
                    "# smi-q.xml\n"
                    "<nvidia_smi_log>\n"
                    "  <gpu id=\"00000000:1B:00.0\">\n"
                    "    <product_name>NVIDIA H200</product_name>\n"
                    "    <minor_number>0</minor_number>\n"
                    "    <pci><pci_bus_id>00000000:1B:00.0</pci_bus_id></pci>\n"
                    "  </gpu>\n"
                    "</nvidia_smi_log>",
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
            .bad = "# slurmd-C.txt\n"
                   "NodeName=g CPUs=4 Boards=1 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1 "
                   "RealMemory=1000\n"
                   "# hwloc.xml\n"
                   "<object type=\"Package\" cpuset=\"0x3\">\n"
                   "  " CORE0 "  " CORE1 "</object>",
            .good = "# slurmd-C.txt\n"
                    "NodeName=g CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 "
                    "ThreadsPerCore=1 RealMemory=1000\n"
                    "# hwloc.xml\n"
                    "<object type=\"Package\" cpuset=\"0x3\">\n"
                    "  " CORE0 "  " CORE1 "</object>",
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
            .bad = "# slurmd-C.txt\n"
                   "NodeName=g CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 "
                   "RealMemory=1000\n"
                   "# hwloc.xml\n"
                   "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" "
                   "local_memory=\"2147483648\"/>",
            .good = "# slurmd-C.txt\n"
                    "NodeName=g CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 "
                    "ThreadsPerCore=1 RealMemory=1000\n"
                    "# hwloc.xml\n"
                    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" "
                    "local_memory=\"1073741824\"/>",
        },
    [PLUMB_HW_DISALLOWED] =
        {
            .code = "HW028",
            .name = "hwloc-disallowed",
            .severity = PLUMB_WARNING,
            .summary = "the capture was taken where only some of the CPUs may be used",
            .why =
                "All CPUs are told, so the node line is right. Where slurmd is in the same cgroup "
                "it warns of restricted CPUs, and jobs cannot be bound to them.",
            .ref = "hwloc.h, allowed_cpuset; src/slurmd/common/xcpuinfo.c:_check_full_access",
            .bad = "<object type=\"Machine\" cpuset=\"0x3\" allowed_cpuset=\"0x1\">",
            .good = "<object type=\"Machine\" cpuset=\"0x3\" allowed_cpuset=\"0x3\">",
        },
    [PLUMB_HW_NOT_LIVE] =
        {
            .code = "HW029",
            .name = "hwloc-not-live",
            .severity = PLUMB_WARNING,
            .summary = "the capture was not taken from a running system",
            .why =
                "lstopo can draw machines from a description, or from the processors' own words. "
                "Neither tells which memory and devices the machine has, and where.",
            .ref = "hwloc.h, info attribute Backend; lstopo(1), --input",
            .bad = "<info name=\"Backend\" value=\"Synthetic\"/>",
            .good = "<info name=\"Backend\" value=\"Linux\"/>",
        },
    [PLUMB_HW_NO_PACKAGES] =
        {
            .code = "HW030",
            .name = "hwloc-no-packages",
            .severity = PLUMB_WARNING,
            .summary = "the capture shows no processor packages",
            .why =
                "Some virtual machines do not tell them. slurmd then counts one socket, whatever "
                "the machine below has.",
            .ref = "src/slurmd/common/xcpuinfo.c:xcpuinfo_hwloc_topo_get",
            .bad = CORE0 "<object type=\"Core\" cpuset=\"0x2\"><object type=\"PU\" os_index=\"1\" "
                         "cpuset=\"0x2\"/></object>",
            .good = "<object type=\"Package\" cpuset=\"0x3\">\n"
                    "  " CORE0 "  " CORE1 "</object>",
        },
    [PLUMB_HW_NO_CORES] =
        {
            .code = "HW031",
            .name = "hwloc-no-cores",
            .severity = PLUMB_WARNING,
            .summary = "the capture shows CPUs that belong to no cores",
            .why = "Sockets, cores and threads cannot be told then, and no node line is derived.",
            .ref = "src/slurmd/common/xcpuinfo.c:xcpuinfo_hwloc_topo_get",
            .bad = "<object type=\"Package\" cpuset=\"0x3\">\n"
                   "  <object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/>\n"
                   "  <object type=\"PU\" os_index=\"1\" cpuset=\"0x2\"/>\n"
                   "</object>",
            .good = "<object type=\"Package\" cpuset=\"0x3\">\n"
                    "  " CORE0 "  " CORE1 "</object>",
        },
    [PLUMB_HW_GROUP_LEVELS] =
        {
            .code = "HW032",
            .name = "hwloc-group-levels",
            .severity = PLUMB_INFO,
            .summary = "NUMA nodes cannot be sockets on this machine",
            .why =
                "With numa_node_as_socket slurmd asks for the level of the objects on which NUMA "
                "nodes hang. Groups on several levels have none, and slurmd ends.",
            .ref = "src/slurmd/common/xcpuinfo.c:xcpuinfo_hwloc_topo_get; "
                   "hwloc.h, HWLOC_TYPE_DEPTH_MULTIPLE",
            .bad = "<object type=\"Machine\" cpuset=\"0x7\" nodeset=\"0x7\">\n"
                   "<object type=\"Package\" cpuset=\"0x7\" nodeset=\"0x7\">\n"
                   "  <object type=\"Group\" kind=\"900\" cpuset=\"0x3\" nodeset=\"0x3\">\n"
                   "    <object type=\"Group\" kind=\"1001\" cpuset=\"0x1\" nodeset=\"0x1\">\n"
                   "      <object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\" "
                   "local_memory=\"1073741824\"/>\n"
                   "      <object type=\"Core\" cpuset=\"0x1\" nodeset=\"0x1\"><object type=\"PU\" "
                   "os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\"/></object>\n"
                   "    </object>\n"
                   "    <object type=\"Group\" kind=\"1001\" cpuset=\"0x2\" nodeset=\"0x2\">\n"
                   "      <object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\" "
                   "local_memory=\"1073741824\"/>\n"
                   "      <object type=\"Core\" cpuset=\"0x2\" nodeset=\"0x2\"><object type=\"PU\" "
                   "os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\"/></object>\n"
                   "    </object>\n"
                   "  </object>\n"
                   "  <object type=\"Group\" kind=\"1001\" cpuset=\"0x4\" nodeset=\"0x4\">\n"
                   "    <object type=\"NUMANode\" os_index=\"2\" cpuset=\"0x4\" nodeset=\"0x4\" "
                   "local_memory=\"1073741824\"/>\n"
                   "    <object type=\"Core\" cpuset=\"0x4\" nodeset=\"0x4\"><object type=\"PU\" "
                   "os_index=\"2\" cpuset=\"0x4\" nodeset=\"0x4\"/></object>\n"
                   "  </object>\n"
                   "</object>",
            .good = "<object type=\"Machine\" cpuset=\"0x3\" nodeset=\"0x3\">\n"
                    "<object type=\"Package\" cpuset=\"0x3\" nodeset=\"0x3\">\n"
                    "  <object type=\"Group\" kind=\"1001\" cpuset=\"0x1\" nodeset=\"0x1\">\n"
                    "    <object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\" "
                    "local_memory=\"1073741824\"/>\n"
                    "    <object type=\"Core\" cpuset=\"0x1\" nodeset=\"0x1\"><object type=\"PU\" "
                    "os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\"/></object>\n"
                    "  </object>\n"
                    "  <object type=\"Group\" kind=\"1001\" cpuset=\"0x2\" nodeset=\"0x2\">\n"
                    "    <object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\" "
                    "local_memory=\"1073741824\"/>\n"
                    "    <object type=\"Core\" cpuset=\"0x2\" nodeset=\"0x2\"><object type=\"PU\" "
                    "os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\"/></object>\n"
                    "  </object>\n"
                    "</object>",
        },
    [PLUMB_HW_NUMA_GAP] =
        {
            .code = "HW033",
            .name = "hwloc-numa-gap",
            .severity = PLUMB_INFO,
            .summary = "some CPUs are in no NUMA node",
            .why = "They have no memory of their own, by design or since a module failed, or a "
                   "hypervisor left the node out.",
            .ref = "hwloc.h, NUMANode",
            .bad = "<object type=\"Package\" cpuset=\"0x3\" nodeset=\"0x1\">\n"
                   "  <object type=\"Group\" kind=\"1001\" subkind=\"0\" cpuset=\"0x1\" "
                   "nodeset=\"0x1\">\n"
                   "    <object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" "
                   "local_memory=\"1073741824\"/>\n"
                   "    " CORE0 "  </object>\n"
                   "  <object type=\"Core\" cpuset=\"0x2\" nodeset=\"0x0\"><object type=\"PU\" "
                   "os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x0\"/></object>\n"
                   "</object>",
            .good = "<object type=\"Package\" cpuset=\"0x3\">\n"
                    "  " NUMA "  " CORE0 "  " CORE1 "</object>",
        },
    [PLUMB_HW_ONE_CORE] =
        {
            .code = "HW034",
            .name = "one-core-sockets",
            .severity = PLUMB_WARNING,
            .summary = "every socket of the capture has a single core",
            .why = "No server is made so: it is what virtual machines and containers show when "
                   "nobody told them the sockets. Binding to sockets and to the cores near a GPU "
                   "then means nothing.",
            .ref = "slurm.conf(5), CoresPerSocket",
            .bad = "# slurmd-C.txt\n"
                   "NodeName=g CPUs=12 Boards=1 SocketsPerBoard=12 CoresPerSocket=1 "
                   "ThreadsPerCore=1 RealMemory=64000",
            .good = "# slurmd-C.txt\n"
                    "NodeName=g CPUs=12 Boards=1 SocketsPerBoard=1 CoresPerSocket=12 "
                    "ThreadsPerCore=1 RealMemory=64000",
        },
    [PLUMB_HW_ECORES] =
        {
            .code = "HW035",
            .name = "hwloc-e-cores",
            .severity = PLUMB_INFO,
            .summary = "slurmd leaves efficient cores out",
            .why = "Since 23.02 slurmd uses only Intel's P-cores, unless SlurmdParameters has "
                   "allow_ecores.",
            .ref = "slurm.conf(5), allow_ecores; src/slurmd/common/xcpuinfo.c:_remove_ecores",
            .bad = "</object>\n"
                   "<cpukind cpuset=\"0x1\" forced_efficiency=\"-1\"><info name=\"CoreType\" "
                   "value=\"IntelCore\"/></cpukind>\n"
                   "<cpukind cpuset=\"0x2\" forced_efficiency=\"-1\"><info name=\"CoreType\" "
                   "value=\"IntelAtom\"/></cpukind>",
            .good = "</object>\n"
                    "<cpukind cpuset=\"0x3\" forced_efficiency=\"-1\"><info name=\"CoreType\" "
                    "value=\"IntelCore\"/></cpukind>",
        },
    [PLUMB_HW_SLURMD_G] =
        {
            .code = "HW036",
            .name = "slurmd-g-line",
            .severity = PLUMB_ERROR,
            .summary = "a line of 'slurmd -G' lacks a value or has a wrong one",
            .why = "slurmd prints name and count of every resource that it holds; a line without "
                   "one was edited or cut.",
            .ref = "slurmd(8), -G; src/interfaces/gres.c:_log_gres_slurmd_conf",
            .bad = "# slurmd-G.txt\n"
                   "Gres Name=gpu Type=nvidia_l4 Count=two ID=7696487",
            .good = "# slurmd-G.txt\n"
                    "Gres Name=gpu Type=nvidia_l4 Count=1 ID=7696487",
        },
    [PLUMB_HW_SLURMD_G_OTHER] =
        {
            .code = "HW037",
            .name = "slurmd-g-differs",
            .severity = PLUMB_WARNING,
            .summary = "slurmd holds other Cores or Links for a GPU than the captures give",
            .why = "Either gres.conf says so by hand, and jobs are bound to far cores or the wrong "
                   "GPUs, or slurmd ran on another machine.",
            .ref = "slurmd(8), -G; gres.conf(5), Cores, Links",
            .bad = "# slurmd-G.txt\n"
                   "Gres Name=gpu Type=nvidia_h200 Count=1 Index=0 ID=7696487 File=/dev/nvidia0 "
                   "Links=-1,2\n"
                   "Gres Name=gpu Type=nvidia_h200 Count=1 Index=1 ID=7696487 File=/dev/nvidia1 "
                   "Links=2,-1\n"
                   "# topo-m.txt\n"
                   "\tGPU0\tGPU1\n"
                   "GPU0\t X \tNV4\n"
                   "GPU1\tNV4\t X ",
            .good = "# slurmd-G.txt\n"
                    "Gres Name=gpu Type=nvidia_h200 Count=1 Index=0 ID=7696487 File=/dev/nvidia0 "
                    "Links=-1,4\n"
                    "Gres Name=gpu Type=nvidia_h200 Count=1 Index=1 ID=7696487 File=/dev/nvidia1 "
                    "Links=4,-1\n"
                    "# topo-m.txt\n"
                    "\tGPU0\tGPU1\n"
                    "GPU0\t X \tNV4\n"
                    "GPU1\tNV4\t X ",
        },
    [PLUMB_HW_HOST] =
        {
            .code = "HW038",
            .name = "captures-host",
            .severity = PLUMB_WARNING,
            .summary = "two captures of one machine were taken on different hosts",
            .why = "A group is one machine. Two machines of one model may have their GPUs and NICs "
                   "in other places, or another firmware.",
            .ref = "slurmd(8), -C; hwloc.h, info attribute HostName",
            .bad = "# slurmd-C.txt\n"
                   "NodeName=g2 CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 "
                   "ThreadsPerCore=1 RealMemory=1000\n"
                   "# hwloc.xml\n"
                   "<object type=\"Machine\" cpuset=\"0x3\">\n"
                   "<info name=\"HostName\" value=\"g1\"/>",
            .good = "# slurmd-C.txt\n"
                    "NodeName=g1 CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 "
                    "ThreadsPerCore=1 RealMemory=1000\n"
                    "# hwloc.xml\n"
                    "<object type=\"Machine\" cpuset=\"0x3\">\n"
                    "<info name=\"HostName\" value=\"g1\"/>",
        },
    [PLUMB_HW_NUMA_STOPS] =
        {
            .code = "HW039",
            .name = "numa-sockets-stop",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURMD,
            .summary = "numa_node_as_socket is set, and slurmd stops with it on a machine",
            .why =
                "slurmd asks for the level of the objects on which NUMA nodes hang. Where groups "
                "stand in groups there is no such level, and slurmd ends: can not handle "
                "nobj[SOCKET] = -1.",
            .ref = "slurm.conf(5), numa_node_as_socket; "
                   "src/slurmd/common/xcpuinfo.c:xcpuinfo_hwloc_topo_get, seen with slurmd 26.05.5",
            .bad = "SlurmdParameters=numa_node_as_socket\n"
                   "NodeName=g Sockets=1 CoresPerSocket=6   # lstopo shows NUMA nodes in groups in "
                   "groups",
            .good = "NodeName=g Sockets=1 CoresPerSocket=6",
        },
    [PLUMB_HW_MIG_MINORS] =
        {
            .code = "HW040",
            .name = "mig-minors-line",
            .severity = PLUMB_ERROR,
            .summary = "a line of the driver's table of MIG capabilities cannot be read",
            .why = "It ties /dev/nvidia-caps/nvidia-cap<minor> to an instance; one line less is a "
                   "device less.",
            .ref = "/proc/driver/nvidia-caps/mig-minors; gpu_nvml.c:_nvml_get_mig_minor_numbers",
            .bad = "# mig-minors.txt\n"
                   "config 1\n"
                   "gpu0/gi1/access 12\n"
                   "gpu0/gi1/ci0/access",
            .good = "# mig-minors.txt\n"
                    "config 1\n"
                    "gpu0/gi1/access 12\n"
                    "gpu0/gi1/ci0/access 13",
        },
    [PLUMB_HW_VERBS] =
        {
            .code = "HW047",
            .name = "verbs-line",
            .severity = PLUMB_ERROR,
            .summary = "a line of the listing of RDMA device files cannot be used",
            .why = "It ties /dev/infiniband/uverbs<n> to a device; a job that is given the file of "
                   "another device talks through that.",
            .ref = "/sys/class/infiniband_verbs/uverbs<n>/ibdev",
            .bad = "# infiniband-verbs.txt\n"
                   "/sys/class/infiniband_verbs/uverbs0/ibdev:mlx5_0\n"
                   "/sys/class/infiniband_verbs/uverbs1/ibdev:mlx5_0",
            .good = "# infiniband-verbs.txt\n"
                    "/sys/class/infiniband_verbs/uverbs0/ibdev:mlx5_0\n"
                    "/sys/class/infiniband_verbs/uverbs1/ibdev:mlx5_1",
        },
    [PLUMB_HW_VERBS_OTHER] =
        {
            .code = "HW048",
            .name = "verbs-other",
            .severity = PLUMB_WARNING,
            .summary = "the listing of RDMA device files names a device that hwloc does not show",
            .why = "Files are numbered as drivers probe: with a device more or less they are those "
                   "of others. The listing is of another machine, or of another day.",
            .ref = "/sys/class/infiniband_verbs/uverbs<n>/ibdev",
            .bad = "# infiniband-verbs.txt\nuverbs0/ibdev:mlx5_7",
            .good = "# infiniband-verbs.txt\nuverbs0/ibdev:mlx5_0",
        },
};

const struct plumb_rule_family plumb_capture_rules = {
    .prefix = "HW",
    .title = "Captures of hardware",
    .rules = plumb_hw_rows,
    .count = PLUMB_HW_RULE_COUNT,
};
