/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of family FLEET: what the audit of a fleet finds. */
#include "passes/audit.h"

const struct plumb_rule plumb_fleet_rows[PLUMB_FLEET_RULE_COUNT] = {
    [PLUMB_FLEET_NOTHING] =
        {
            .code = "FLEET001",
            .name = "no-capture",
            .severity = PLUMB_ERROR,
            .summary = "a machine's captures cannot be read, or there are none",
            .why = "The machine is in no class, and whatever is wrong with it is not seen.",
            .ref = "doc/audit.md",
            .bad = "# gpu1/slurmd-C.txt\n"
                   "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=2062000\n"
                   "# gpu2/slurmd-C.txt\n"
                   "bash: slurmd: command not found",
            .good = "# gpu1/slurmd-C.txt\n"
                    "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000\n"
                    "# gpu2/slurmd-C.txt\n"
                    "NodeName=gpu2 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000",
        },
    [PLUMB_FLEET_TWICE] =
        {
            .code = "FLEET002",
            .name = "captured-twice",
            .severity = PLUMB_WARNING,
            .summary = "a machine has captures in two places",
            .why =
                "Only one of them is used; the other may be the newer one, or of another machine.",
            .ref = "doc/audit.md",
            .bad = "# row1/gpu1/slurmd-C.txt\n"
                   "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=2062000\n"
                   "# row2/gpu1/slurmd-C.txt\n"
                   "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=2062000",
            .good = "# row1/gpu1/slurmd-C.txt\n"
                    "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000\n"
                    "# row2/gpu2/slurmd-C.txt\n"
                    "NodeName=gpu2 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000",
        },
    [PLUMB_FLEET_ONE_HOST] =
        {
            .code = "FLEET003",
            .name = "one-host",
            .severity = PLUMB_WARNING,
            .summary = "captures of several machines were taken on one host",
            .why = "Files were copied, or a program ran many times on one node: the other machines "
                   "were not looked at.",
            .ref = "hwloc.h, info HostName; slurmd(8), -C",
            .bad = "# gpu1/slurmd-C.txt\n"
                   "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=2062000\n"
                   "# gpu2/slurmd-C.txt\n"
                   "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=2062000",
            .good = "# gpu1/slurmd-C.txt\n"
                    "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000\n"
                    "# gpu2/slurmd-C.txt\n"
                    "NodeName=gpu2 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000",
        },
    [PLUMB_FLEET_PRODUCT] =
        {
            .code = "FLEET004",
            .name = "other-product",
            .severity = PLUMB_WARNING,
            .summary = "a machine or a device is of another product than its equals",
            .why = "Jobs that ask for the type of the others do not run there, or run slower and "
                   "hold up the rest.",
            .ref = "gres.conf(5), Type",
            .bad = "# gpu1/nvidia-smi-L.txt\n"
                   "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                   "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                   "GPU 2: NVIDIA H100 80GB HBM3 (UUID: GPU-2)\n"
                   "# gpu2/nvidia-smi-L.txt\n"
                   "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                   "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                   "GPU 2: NVIDIA H100 NVL (UUID: GPU-2)",
            .good = "# gpu[1-2]/nvidia-smi-L.txt\n"
                    "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                    "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                    "GPU 2: NVIDIA H100 80GB HBM3 (UUID: GPU-2)",
        },
    [PLUMB_FLEET_CPUS] =
        {
            .code = "FLEET005",
            .name = "cpu-layout",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_DRAINS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "sockets, cores or threads are not those of the norm",
            .why = "A node that registers fewer CPUs than its line in slurm.conf says is drained; "
                   "switched off SMT or a disabled core is enough.",
            .ref = "slurm.conf(5), CPUs; node_mgr.c:validate_node_specs",
            .bad = "# gpu1/slurmd-C.txt\n"
                   "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=2062000\n"
                   "# gpu2/slurmd-C.txt\n"
                   "NodeName=gpu2 CPUs=112 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=1 RealMemory=2062000",
            .good = "# gpu1/slurmd-C.txt\n"
                    "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000\n"
                    "# gpu2/slurmd-C.txt\n"
                    "NodeName=gpu2 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000",
        },
    [PLUMB_FLEET_NUMA] =
        {
            .code = "FLEET006",
            .name = "numa-layout",
            .severity = PLUMB_WARNING,
            .summary = "the number of NUMA nodes is not that of the norm",
            .why = "NPS or SNC is set in another way in the firmware: cores near a GPU are others, "
                   "and Cores= of the class is wrong here.",
            .ref = "gres.conf(5), Cores; slurm.conf(5), numa_node_as_socket",
            .bad = "# gpu1/hwloc.xml\n"
                   "<object type=\"Machine\" cpuset=\"0x3\" nodeset=\"0x3\">\n"
                   "<object type=\"Package\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\"><object "
                   "type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\" "
                   "local_memory=\"1073741824\"/><object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" "
                   "nodeset=\"0x1\"/></object>\n"
                   "<object type=\"Package\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\"><object "
                   "type=\"NUMANode\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\" "
                   "local_memory=\"1073741824\"/><object type=\"PU\" os_index=\"1\" cpuset=\"0x2\" "
                   "nodeset=\"0x2\"/></object>\n"
                   "# gpu2/hwloc.xml\n"
                   "<object type=\"Machine\" cpuset=\"0x3\" nodeset=\"0x1\">\n"
                   "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" nodeset=\"0x1\" "
                   "local_memory=\"2147483648\"/>\n"
                   "<object type=\"Package\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\"><object "
                   "type=\"PU\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\"/></object>\n"
                   "<object type=\"Package\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x1\"><object "
                   "type=\"PU\" os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x1\"/></object>",
            .good = "# gpu[1-2]/hwloc.xml\n"
                    "<object type=\"Machine\" cpuset=\"0x3\" nodeset=\"0x3\">\n"
                    "<object type=\"Package\" os_index=\"0\" cpuset=\"0x1\" "
                    "nodeset=\"0x1\"><object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" "
                    "nodeset=\"0x1\" local_memory=\"1073741824\"/><object type=\"PU\" "
                    "os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\"/></object>\n"
                    "<object type=\"Package\" os_index=\"1\" cpuset=\"0x2\" "
                    "nodeset=\"0x2\"><object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x2\" "
                    "nodeset=\"0x2\" local_memory=\"1073741824\"/><object type=\"PU\" "
                    "os_index=\"1\" cpuset=\"0x2\" nodeset=\"0x2\"/></object>",
        },
    [PLUMB_FLEET_MEMORY] =
        {
            .code = "FLEET007",
            .name = "memory-size",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_DRAINS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "memory is not that of the norm",
            .why = "A node that registers less memory than RealMemory= says is drained; a module "
                   "may have failed.",
            .ref = "slurm.conf(5), RealMemory; node_mgr.c:validate_node_specs",
            .bad = "# gpu1/slurmd-C.txt\n"
                   "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=2062000\n"
                   "# gpu2/slurmd-C.txt\n"
                   "NodeName=gpu2 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                   "ThreadsPerCore=2 RealMemory=1933000",
            .good = "# gpu1/slurmd-C.txt\n"
                    "NodeName=gpu1 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2062000\n"
                    "# gpu2/slurmd-C.txt\n"
                    "NodeName=gpu2 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 "
                    "ThreadsPerCore=2 RealMemory=2061984",
        },
    [PLUMB_FLEET_GPUS] =
        {
            .code = "FLEET008",
            .name = "gpu-missing",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_DRAINS,
            .daemons = PLUMB_SLURMCTLD,
            .summary = "the number of GPUs is not that of the norm",
            .why = "A node that registers fewer GPUs than Gres= says is drained: one has fallen "
                   "off the bus, or is not seated.",
            .ref = "slurm.conf(5), Gres; gres.c:gres_node_config_validate",
            .bad = "# gpu1/nvidia-smi-L.txt\n"
                   "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                   "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                   "# gpu2/nvidia-smi-L.txt\n"
                   "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)",
            .good = "# gpu[1-2]/nvidia-smi-L.txt\n"
                    "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                    "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-1)",
        },
    [PLUMB_FLEET_NVLINK] =
        {
            .code = "FLEET009",
            .name = "gpu-links",
            .severity = PLUMB_WARNING,
            .summary = "GPUs are linked in another way than those of the norm",
            .why = "A link that is down takes its share of the bandwidth from every job that uses "
                   "the GPU, and slows all ranks that wait for it.",
            .ref = "nvidia-smi(1), topo -m",
            .bad = "# gpu1/topo-m.txt\n"
                   "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                   "GPU0\t X \tNV18\t0-55\t0\n"
                   "GPU1\tNV18\t X \t56-111\t1\n"
                   "# gpu2/topo-m.txt\n"
                   "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                   "GPU0\t X \tNV12\t0-55\t0\n"
                   "GPU1\tNV12\t X \t56-111\t1",
            .good = "# gpu[1-2]/topo-m.txt\n"
                    "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                    "GPU0\t X \tNV18\t0-55\t0\n"
                    "GPU1\tNV18\t X \t56-111\t1",
        },
    [PLUMB_FLEET_GPU_SPEED] =
        {
            .code = "FLEET010",
            .name = "gpu-pci-speed",
            .severity = PLUMB_INFO,
            .summary = "the PCI link of a GPU is not as fast as that of the norm",
            .why = "A link may have come up with fewer lanes or at an older generation. GPUs "
                   "without work lower the generation to save power, so look again under load.",
            .ref = "PCI Express Base Specification, link status; hwloc.h, linkspeed",
            .bad = "# gpu1/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 "
                   "[10de:2330]\" pci_link_speed=\"63.015385\"/>\n"
                   "# gpu2/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 "
                   "[10de:2330]\" pci_link_speed=\"31.507692\"/>",
            .good = "# gpu[1-2]/hwloc.xml\n"
                    "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 "
                    "[10de:2330]\" pci_link_speed=\"63.015385\"/>",
        },
    [PLUMB_FLEET_NICS] =
        {
            .code = "FLEET011",
            .name = "nic-missing",
            .severity = PLUMB_WARNING,
            .summary = "NICs are not those of the norm",
            .why = "NCCL loses a rail, and jobs over several nodes run at the speed of those that "
                   "are left.",
            .ref = "NCCL, NCCL_IB_HCA",
            .bad = "# gpu1/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                   "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                   "name=\"mlx5_0\" osdev_type=\"3\"/></object>\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:3c:00.0\" pci_type=\"0207 "
                   "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                   "name=\"mlx5_1\" osdev_type=\"3\"/></object>\n"
                   "# gpu2/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                   "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                   "name=\"mlx5_0\" osdev_type=\"3\"/></object>",
            .good = "# gpu[1-2]/hwloc.xml\n"
                    "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                    "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                    "name=\"mlx5_0\" osdev_type=\"3\"/></object>\n"
                    "<object type=\"PCIDev\" pci_busid=\"0000:3c:00.0\" pci_type=\"0207 "
                    "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                    "name=\"mlx5_1\" osdev_type=\"3\"/></object>",
        },
    [PLUMB_FLEET_NIC_SPEED] =
        {
            .code = "FLEET012",
            .name = "nic-pci-speed",
            .severity = PLUMB_WARNING,
            .summary = "the PCI link of a NIC is not as fast as that of the norm",
            .why = "A link at half width or an older generation halves what the port can carry, "
                   "and nothing reports an error.",
            .ref = "PCI Express Base Specification, link status; hwloc.h, linkspeed",
            .bad = "# gpu1/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                   "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                   "name=\"mlx5_0\" osdev_type=\"3\"/></object>\n"
                   "# gpu2/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                   "[15b3:1021]\" pci_link_speed=\"15.753846\"><object type=\"OSDev\" "
                   "name=\"mlx5_0\" osdev_type=\"3\"/></object>",
            .good = "# gpu[1-2]/hwloc.xml\n"
                    "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                    "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                    "name=\"mlx5_0\" osdev_type=\"3\"/></object>",
        },
    [PLUMB_FLEET_PORT] =
        {
            .code = "FLEET013",
            .name = "port",
            .severity = PLUMB_WARNING,
            .summary = "the port of an RDMA device is not as that of the norm",
            .why =
                "A port that is down, or has come up at a lower rate, slows each job that uses it.",
            .ref = "ibstat(8), State and Rate",
            .bad = "# gpu1/ibstat.txt\n"
                   "CA 'mlx5_0'\n"
                   "\tPort 1:\n"
                   "\t\tState: Active\n"
                   "\t\tRate: 400\n"
                   "# gpu2/ibstat.txt\n"
                   "CA 'mlx5_0'\n"
                   "\tPort 1:\n"
                   "\t\tState: Active\n"
                   "\t\tRate: 200",
            .good = "# gpu[1-2]/ibstat.txt\n"
                    "CA 'mlx5_0'\n"
                    "\tPort 1:\n"
                    "\t\tState: Active\n"
                    "\t\tRate: 400",
        },
    [PLUMB_FLEET_PLACE] =
        {
            .code = "FLEET014",
            .name = "device-place",
            .severity = PLUMB_WARNING,
            .summary = "a device is in another place than that of the norm",
            .why = "Cores= and the NCCL topology of the class are wrong for it: a card sits in "
                   "another slot, or a cable goes elsewhere.",
            .ref = "gres.conf(5), Cores",
            .bad = "# gpu1/topo-m.txt\n"
                   "\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity\n"
                   "GPU0\t X \tNV18\tNV18\t0-55\t0\n"
                   "GPU1\tNV18\t X \tNV18\t0-55\t0\n"
                   "GPU2\tNV18\tNV18\t X \t56-111\t1\n"
                   "# gpu2/topo-m.txt\n"
                   "\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity\n"
                   "GPU0\t X \tNV18\tNV18\t0-55\t0\n"
                   "GPU1\tNV18\t X \tNV18\t56-111\t1\n"
                   "GPU2\tNV18\tNV18\t X \t56-111\t1",
            .good = "# gpu[1-2]/topo-m.txt\n"
                    "\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity\n"
                    "GPU0\t X \tNV18\tNV18\t0-55\t0\n"
                    "GPU1\tNV18\t X \tNV18\t0-55\t0\n"
                    "GPU2\tNV18\tNV18\t X \t56-111\t1",
        },
    [PLUMB_FLEET_MIG] =
        {
            .code = "FLEET015",
            .name = "mig-mode",
            .severity = PLUMB_WARNING,
            .summary = "MIG is not as on the norm",
            .why = "The node has other GPU devices than its class says; an instance may have been "
                   "left behind.",
            .ref = "gres.conf(5), AutoDetect and MIG",
            .bad = "# gpu1/nvidia-smi-L.txt\n"
                   "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                   "# gpu2/nvidia-smi-L.txt\n"
                   "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                   "  MIG 1g.10gb     Device  0: (UUID: MIG-1)",
            .good = "# gpu[1-2]/nvidia-smi-L.txt\n"
                    "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)",
        },
    [PLUMB_FLEET_NAME] =
        {
            .code = "FLEET016",
            .name = "device-name",
            .severity = PLUMB_INFO,
            .summary = "a NIC has another name than that of the norm",
            .why = "NCCL_IB_HCA and scripts that name devices take another port there, or none.",
            .ref = "NCCL, NCCL_IB_HCA",
            .bad = "# gpu1/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                   "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                   "name=\"mlx5_0\" osdev_type=\"3\"/></object>\n"
                   "# gpu2/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                   "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                   "name=\"ibp23s0\" osdev_type=\"3\"/></object>",
            .good = "# gpu[1-2]/hwloc.xml\n"
                    "<object type=\"PCIDev\" pci_busid=\"0000:17:00.0\" pci_type=\"0207 "
                    "[15b3:1021]\" pci_link_speed=\"31.507692\"><object type=\"OSDev\" "
                    "name=\"mlx5_0\" osdev_type=\"3\"/></object>",
        },
    [PLUMB_FLEET_ALLOCATABLE] =
        {
            .code = "FLEET017",
            .name = "allocatable",
            .severity = PLUMB_WARNING,
            .summary = "Kubernetes can allocate other numbers of GPUs than on the norm",
            .why = "The device plugin has taken a GPU for unhealthy, or has not started.",
            .ref = "Kubernetes, Node v1, status.allocatable",
            .bad =
                "# gpu1/node.json\n"
                "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"gpu\"},\n"
                " \"status\": {\"capacity\": {\"nvidia.com/gpu\": \"8\"}, \"allocatable\": "
                "{\"nvidia.com/gpu\": \"8\"}}}\n"
                "# gpu2/node.json\n"
                "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"gpu\"},\n"
                " \"status\": {\"capacity\": {\"nvidia.com/gpu\": \"8\"}, \"allocatable\": "
                "{\"nvidia.com/gpu\": \"7\"}}}",
            .good =
                "# gpu[1-2]/node.json\n"
                "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"gpu\"},\n"
                " \"status\": {\"capacity\": {\"nvidia.com/gpu\": \"8\"}, \"allocatable\": "
                "{\"nvidia.com/gpu\": \"8\"}}}",
        },
    [PLUMB_FLEET_PARTIAL] =
        {
            .code = "FLEET018",
            .name = "capture-missing",
            .severity = PLUMB_INFO,
            .summary = "a capture, or a fact in it, is there that the norm does not have, or the "
                       "other way",
            .why = "What is not shown of a machine is not known, and was not compared.",
            .ref = "doc/audit.md",
            .bad = "# gpu[1-2]/nvidia-smi-L.txt\n"
                   "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                   "# gpu1/ibstat.txt\n"
                   "CA 'mlx5_0'\n"
                   "\tPort 1:\n"
                   "\t\tState: Active\n"
                   "\t\tRate: 400",
            .good = "# gpu[1-2]/nvidia-smi-L.txt\n"
                    "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n"
                    "# gpu[1-2]/ibstat.txt\n"
                    "CA 'mlx5_0'\n"
                    "\tPort 1:\n"
                    "\t\tState: Active\n"
                    "\t\tRate: 400",
        },
    [PLUMB_FLEET_PEERS] =
        {
            .code = "FLEET019",
            .name = "peer-access",
            .severity = PLUMB_WARNING,
            .summary = "GPUs reach each other's memory in another way than those of the norm",
            .why = "Without peer access data goes through the host's memory: a job on several "
                   "machines runs at the speed of this one. The cause is the driver, the fabric "
                   "manager, an IOMMU that is on, or access control of a PCI switch.",
            .ref = "nvidia-smi topo -p2p, Legend",
            .bad = "# gpu[1-2]/nvidia-smi-topo.txt\n"
                   "\tGPU0\tGPU1\n"
                   "GPU0\t X \tPIX\n"
                   "GPU1\tPIX\t X \n"
                   "# gpu1/nvidia-smi-p2p-r.txt\n"
                   " \tGPU0\tGPU1\t\n"
                   " GPU0\tX\tOK\t\n"
                   " GPU1\tOK\tX\t\n"
                   "# gpu2/nvidia-smi-p2p-r.txt\n"
                   " \tGPU0\tGPU1\t\n"
                   " GPU0\tX\tCNS\t\n"
                   " GPU1\tCNS\tX\t",
            .good = "# gpu[1-2]/nvidia-smi-topo.txt\n"
                    "\tGPU0\tGPU1\n"
                    "GPU0\t X \tPIX\n"
                    "GPU1\tPIX\t X \n"
                    "# gpu[1-2]/nvidia-smi-p2p-r.txt\n"
                    " \tGPU0\tGPU1\t\n"
                    " GPU0\tX\tOK\t\n"
                    " GPU1\tOK\tX\t",
        },
};

const struct plumb_rule_family plumb_fleet_rules = {
    .prefix = "FLEET",
    .title = "Machines of a fleet that are not like their equals",
    .rules = plumb_fleet_rows,
    .count = PLUMB_FLEET_RULE_COUNT,
};
