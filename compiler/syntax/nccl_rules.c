/* SPDX-License-Identifier: Apache-2.0 */
/* What an NCCL topology file can have wrong by itself; the readers report these. */
#include "syntax/nccl_xml.h"

const struct plumb_rule plumb_nccl_rows[PLUMB_NCCL_ROW_COUNT] = {
    [PLUMB_NCCL_UNREADABLE] =
        {
            .code = "NCCL004",
            .name = "nccl-unreadable",
            .severity = PLUMB_ERROR,
            .summary = "NCCL's reader stops at the file",
            .why = "It is no XML parser: declarations, tabs, text and tags of several lines end "
                   "every job that uses the file.",
            .ref = "NCCL src/graph/xml.cc, xmlGetNode",
            .bad = "# nccl.xml\n"
                   "<?xml version=\"1.0\"?>\n"
                   "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" affinity=\"00ff00ff\" arch=\"x86_64\" "
                   "vendor=\"AuthenticAMD\"/>\n"
                   "</system>",
            .good = "# nccl.xml\n"
                    "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" affinity=\"00ff00ff\" arch=\"x86_64\" "
                    "vendor=\"AuthenticAMD\"/>\n"
                    "</system>",
        },
    [PLUMB_NCCL_IGNORED] =
        {
            .code = "NCCL005",
            .name = "nccl-passed-over",
            .severity = PLUMB_WARNING,
            .summary = "NCCL passes over part of the file",
            .why = "Elements in the wrong place or of another library, and attributes beyond the "
                   "16th, are dropped with a line that only NCCL_DEBUG=INFO shows.",
            .ref = "NCCL src/graph/xml.cc, xmlLoadSub",
            .bad = "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                   "    <gpu dev=\"0\"/>\n"
                   "  </cpu>\n"
                   "</system>",
            .good = "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                    "    <pci busid=\"0000:0a:00.0\" class=\"0x030200\"><gpu dev=\"0\"/></pci>\n"
                    "  </cpu>\n"
                    "</system>",
        },
    [PLUMB_NCCL_QUOTES] =
        {
            .code = "NCCL006",
            .name = "nccl-single-quotes",
            .severity = PLUMB_WARNING,
            .summary = "a value in single quotes",
            .why = "NCCL before 2.27 ends the job at such a value; containers bring releases of "
                   "their own.",
            .ref = "NCCL src/graph/xml.cc, xmlGetValue",
            .bad = "<system version=\"1\">\n"
                   "  <cpu numaid='0' affinity='ff' arch='x86_64' vendor='AuthenticAMD'/>\n"
                   "</system>",
            .good =
                "<system version=\"1\">\n"
                "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
                "</system>",
        },
    [PLUMB_NCCL_SIZE] =
        {
            .code = "NCCL007",
            .name = "nccl-size",
            .severity = PLUMB_WARNING,
            .summary = "the file has as many elements as NCCL takes, or nearly",
            .why = "NCCL adds the GPUs, links and NICs that it finds itself, of all ranks of a "
                   "node, to those of the file; above the limit no communicator starts.",
            .ref = "NCCL src/graph/xml.cc, xmlLoadSub; src/graph/xml.h, MAX_SUBS",
        },
    [PLUMB_NCCL_ROOT] =
        {
            .code = "NCCL008",
            .name = "nccl-root",
            .severity = PLUMB_WARNING,
            .summary = "the file has no element 'system' at its top",
            .why = "NCCL reads no element, detects the machine itself, and says nothing.",
            .ref = "NCCL src/graph/xml.cc, ncclTopoGetXmlFromFile",
            .bad = "# nccl-topo.xml\n"
                   "<graphs version=\"1\">\n"
                   "  <graph id=\"0\"/>\n"
                   "</graphs>",
            .good =
                "# nccl-topo.xml\n"
                "<system version=\"1\">\n"
                "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
                "</system>",
        },
    [PLUMB_NCCL_REQUIRED] =
        {
            .code = "NCCL009",
            .name = "nccl-required",
            .severity = PLUMB_ERROR,
            .summary = "an attribute that NCCL cannot do without is missing or wrong",
            .why = "NCCL fills in what the running system tells; the rest it needs from the file, "
                   "and ends the job without it.",
            .ref = "NCCL src/graph/topo.cc, ncclTopoAddPci and ncclTopoAddCpu",
            .bad = "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                   "    <pci busid=\"ffff:ff:01.0\" class=\"0x060400\">\n"
                   "      <pci busid=\"0000:0a:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s "
                   "PCIe\" link_width=\"16\"/>\n"
                   "    </pci>\n"
                   "  </cpu>\n"
                   "</system>",
            .good = "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                    "    <pci busid=\"ffff:ff:01.0\" class=\"0x060400\" link_speed=\"32.0 GT/s "
                    "PCIe\" link_width=\"16\">\n"
                    "      <pci busid=\"0000:0a:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s "
                    "PCIe\" link_width=\"16\"/>\n"
                    "    </pci>\n"
                    "  </cpu>\n"
                    "</system>",
        },
    [PLUMB_NCCL_CLASS] =
        {
            .code = "NCCL010",
            .name = "nccl-class",
            .severity = PLUMB_ERROR,
            .summary = "a device is of another class than what is in it",
            .why = "A pci element with the class of a bridge is read as a bridge: the GPU in it is "
                   "not found, and the job ends.",
            .ref = "NCCL src/graph/topo.cc, ncclTopoAddPci",
            .bad = "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                   "    <pci busid=\"0000:01:00.0\" class=\"0x030200\">\n"
                   "      <pci busid=\"0000:0a:00.0\" class=\"0x030200\"/>\n"
                   "    </pci>\n"
                   "  </cpu>\n"
                   "</system>",
            .good = "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                    "    <pci busid=\"0000:01:00.0\" class=\"0x060400\">\n"
                    "      <pci busid=\"0000:0a:00.0\" class=\"0x030200\"/>\n"
                    "    </pci>\n"
                    "  </cpu>\n"
                    "</system>",
        },
    [PLUMB_NCCL_NUMA] =
        {
            .code = "NCCL011",
            .name = "nccl-numaid",
            .severity = PLUMB_WARNING,
            .summary = "the NUMA node of a cpu element is unknown or not its own",
            .why = "Two elements of one node are one for NCCL, and -1 is a node of its own that no "
                   "device of the running system belongs to; virtual machines crashed over it.",
            .ref = "NCCL src/graph/topo.cc, ncclTopoAddCpu",
            .bad =
                "<system version=\"1\">\n"
                "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
                "  <cpu numaid=\"0\" affinity=\"ff00\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
                "</system>",
            .good =
                "<system version=\"1\">\n"
                "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
                "  <cpu numaid=\"1\" affinity=\"ff00\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
                "</system>",
        },
    [PLUMB_NCCL_ARCH] =
        {
            .code = "NCCL012",
            .name = "nccl-arch",
            .severity = PLUMB_WARNING,
            .summary = "arch or vendor is no word that NCCL knows",
            .why = "The processor then has no class of bandwidth, and NCCL plans its rings as if "
                   "sockets were connected without any limit.",
            .ref = "NCCL src/graph/topo.cc, kvDictCpuArch",
            .bad = "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" arch=\"aarch64\"/>\n"
                   "</system>",
            .good = "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" arch=\"arm64\"/>\n"
                    "</system>",
        },
    [PLUMB_NCCL_HOST_HASH] =
        {
            .code = "NCCL013",
            .name = "nccl-host-hash",
            .severity = PLUMB_WARNING,
            .summary = "host_hash of the machine that was dumped",
            .why = "NCCL 2.21 to 2.26 takes the value as it is, and so puts the processors of "
                   "every other machine on another host.",
            .ref = "NCCL src/graph/topo.cc, ncclTopoAddCpu",
            .bad = "<system version=\"1\">\n"
                   "  <cpu host_hash=\"0x1\" numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" "
                   "vendor=\"AuthenticAMD\"/>\n"
                   "</system>",
            .good =
                "<system version=\"1\">\n"
                "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
                "</system>",
        },
    [PLUMB_NCCL_BUS_ID] =
        {
            .code = "NCCL014",
            .name = "nccl-bus-id",
            .severity = PLUMB_WARNING,
            .summary = "a bus id is not as the system writes it, or is used twice",
            .why = "NCCL finds the devices of the running system by the text of the bus id; what "
                   "it does not find it drops, without a message.",
            .ref = "NCCL src/graph/xml.cc, ncclTopoGetPciNode",
            .bad = "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                   "    <pci busid=\"0000:1B:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s "
                   "PCIe\" link_width=\"16\"/>\n"
                   "  </cpu>\n"
                   "</system>",
            .good = "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                    "    <pci busid=\"0000:1b:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s "
                    "PCIe\" link_width=\"16\"/>\n"
                    "  </cpu>\n"
                    "</system>",
        },
    [PLUMB_NCCL_LINK_SPEED] =
        {
            .code = "NCCL015",
            .name = "nccl-link-speed",
            .severity = PLUMB_WARNING,
            .summary = "link_speed or link_width is no value that NCCL knows",
            .why = "An unknown speed counts as that of 8 GT/s, an unknown width as 16 lanes.",
            .ref = "NCCL src/graph/topo.cc, kvDictPciGen",
            .bad = "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                   "    <pci busid=\"0000:1b:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s\" "
                   "link_width=\"16\"/>\n"
                   "  </cpu>\n"
                   "</system>",
            .good = "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                    "    <pci busid=\"0000:1b:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s "
                    "PCIe\" link_width=\"16\"/>\n"
                    "  </cpu>\n"
                    "</system>",
        },
    [PLUMB_NCCL_OTHER_MACHINE] =
        {
            .code = "NCCL020",
            .name = "nccl-dump-of-another",
            .severity = PLUMB_WARNING,
            .summary = "a dump of NCCL and the captures beside it are of different machines",
            .why = "A folder of captures is one machine; the other captures count, the dump is not "
                   "used. A dump shows what the file given to that job said, right or wrong.",
            .ref = "NCCL documentation, NCCL_TOPO_DUMP_FILE",
            .bad = "# captures/g/nccl-topo-dump.xml\n"
                   "<system version=\"1\">\n"
                   "  <cpu numaid=\"0\" affinity=\"3\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                   "    <pci busid=\"0000:06:00.0\" class=\"0x030200\"><gpu dev=\"0\" sm=\"90\" "
                   "rank=\"0\" gdr=\"1\"/></pci>\n"
                   "  </cpu>\n"
                   "</system>\n"
                   "# captures/g/hwloc.xml\n"
                   "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 [10de:2335] "
                   "[10de:18be] a1\" pci_link_speed=\"63\"/>",
            .good = "# captures/g/nccl-topo-dump.xml\n"
                    "<system version=\"1\">\n"
                    "  <cpu numaid=\"0\" affinity=\"3\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                    "    <pci busid=\"0000:1b:00.0\" class=\"0x030200\"><gpu dev=\"0\" sm=\"90\" "
                    "rank=\"0\" gdr=\"1\"/></pci>\n"
                    "  </cpu>\n"
                    "</system>\n"
                    "# captures/g/hwloc.xml\n"
                    "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 "
                    "[10de:2335] [10de:18be] a1\" pci_link_speed=\"63\"/>",
        },
};

const struct plumb_rule_family plumb_nccl_file_rules = {
    .prefix = "NCCL",
    .title = "NCCL topology files",
    .rules = plumb_nccl_rows,
    .count = PLUMB_NCCL_ROW_COUNT,
};
