/* SPDX-License-Identifier: Apache-2.0 */
/* hwloc XML: what is refused and where, and what real machines are. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "capture/hwloc.h"

#define HEAD "<topology version=\"2.0\">\n"
#define SETS(c)                                                                                    \
    "cpuset=\"" c "\" complete_cpuset=\"" c "\" nodeset=\"0x1\" complete_nodeset=\"0x1\""
#define MACHINE "<object type=\"Machine\" os_index=\"0\" " SETS("0x3") " gp_index=\"1\">\n"
#define NUMA                                                                                       \
    "<object type=\"NUMANode\" os_index=\"0\" " SETS("0x3") " gp_index=\"2\" "                     \
                                                            "local_memory=\"1073741824\"/>\n"
#define CORE(pkg, os, c, gp, pu)                                                                   \
    "<object type=\"Package\" " SETS(c) " gp_index=\"" pkg "\"><object type=\"Core\" " SETS(       \
        c) " gp_index=\"" gp "\"><object type=\"PU\" os_index=\"" os                               \
           "\" " SETS(c) " gp_index=\"" pu "\"/></object></object>\n"
#define CORE0 CORE("13", "0", "0x1", "3", "4")
#define CORE1 CORE("15", "1", "0x2", "5", "6")
#define GPU                                                                                        \
    "<object type=\"Bridge\" gp_index=\"7\" bridge_type=\"0-1\" bridge_pci=\"0000:[00-01]\">"      \
    "<object type=\"PCIDev\" gp_index=\"8\" pci_busid=\"0000:01:00.0\" "                           \
    "pci_type=\"0302 [10de:2330] [10de:16c1] a1\" pci_link_speed=\"63.015385\"/></object>\n"
#define TAIL  "</object>\n</topology>\n"
#define WHOLE HEAD MACHINE NUMA CORE0 CORE1 GPU TAIL

static const struct {
    const char *text;
    const char *code; /* NULL: read without a finding */
    uint32_t line;
} faults[] = {
    {WHOLE, NULL, 0},
    {"<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n" WHOLE, NULL, 0},
    {"<html/>\n", "HW001", 1},
    {HEAD "</topology>\n", "HW001", 1},
    {HEAD "<object type=\"Core\"/>\n</topology>\n", "HW001", 2},
    {"<topology version=\"4.0\">\n" MACHINE NUMA CORE0 CORE1 GPU TAIL, "HW002", 1},
    {"<topology version=\"2\">\n" MACHINE NUMA CORE0 CORE1 GPU TAIL, "HW002", 1},
    {"<topology>\n" MACHINE NUMA CORE0 CORE1 GPU TAIL, NULL, 0},
    {"<topology version=\"1.0\">\n" MACHINE NUMA CORE0 CORE1 GPU TAIL, NULL, 0},
    {"<topology version=\"3.0\">\n" MACHINE NUMA CORE0 CORE1 GPU TAIL, NULL, 0},
    /* sets of 1.x may be left out, those of later formats not; the machine has its own */
    {"<topology>\n<object type=\"System\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
     "nodeset=\"0x1\" complete_nodeset=\"0x1\">\n"
     "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" nodeset=\"0x1\">\n"
     "<object type=\"Socket\" os_index=\"0\" cpuset=\"0x1\"><object type=\"Core\" "
     "os_index=\"0\" cpuset=\"0x1\"><object type=\"PU\" os_index=\"0\" "
     "cpuset=\"0x1\"/></object></object></object>" GPU TAIL,
     NULL, 0},
    {"<topology version=\"3.0\">\n" MACHINE NUMA CORE0 CORE1 GPU
     "<object type=\"OSDev\" name=\"mlx5_0\" osdev_type=\"48\"/>\n" TAIL,
     NULL, 0},
    {"<topology version=\"3.0\">\n" MACHINE NUMA CORE0 CORE1 GPU
     "<object type=\"OSDev\" name=\"mlx5_0\" osdev_type=\"0\"/>\n" TAIL,
     "HW003", 7},
    {HEAD MACHINE NUMA CORE0 CORE1 GPU
     "<object type=\"OSDev\" name=\"mlx5_0\" osdev_type=\"48\"/>\n" TAIL,
     "HW003", 7},
    {HEAD "<object type=\"Machine\" gp_index=\"1\" cpuset=\"0x3\" complete_cpuset=\"0x3\" "
          "nodeset=\"0x1\">\n" NUMA CORE0 TAIL,
     "HW003", 2},
    {HEAD MACHINE NUMA "<object type=\"Core\" gp_index=\"3\" " SETS("0xzz") "/>\n" TAIL, "HW003",
     4},
    {HEAD MACHINE NUMA "<object type=\"Core\" gp_index=\"3\" " SETS("0xf...f") "/>\n" TAIL, "HW003",
     4},
    {HEAD MACHINE NUMA CORE0 CORE0 TAIL, "HW004", 5}, /* shares CPUs */
    {HEAD MACHINE NUMA CORE1 CORE0 TAIL, "HW004", 5}, /* out of order */
    {HEAD MACHINE NUMA "<object type=\"Core\" gp_index=\"3\" " SETS("0x4") "/>\n" TAIL, "HW004", 4},
    {HEAD MACHINE NUMA "<object type=\"PU\" os_index=\"1\" " SETS("0x1") " gp_index=\"9\"/>\n" TAIL,
     "HW004", 4},
    {HEAD MACHINE CORE0 CORE1 TAIL, "HW003", 2}, /* no NUMA node */
    {HEAD MACHINE NUMA TAIL, "HW003", 2},        /* no CPU */
    {HEAD MACHINE NUMA CORE0 "<object gp_index=\"9\"/>\n" CORE1 TAIL, "HW003", 5},
    {HEAD MACHINE NUMA CORE0 CORE1 NUMA TAIL, "HW003", 6}, /* gp_index twice */
    {HEAD MACHINE NUMA CORE0 CORE1 TAIL, "HW007", 2},
    {HEAD MACHINE NUMA CORE0 CORE1 GPU
     "<object type=\"PCIDev\" gp_index=\"9\" pci_busid=\"0000:01:00.0\"/>\n" TAIL,
     "HW003", 7},
    {HEAD MACHINE NUMA CORE0 CORE1
     "<object type=\"PCIDev\" gp_index=\"8\" pci_busid=\"1:0\"/>\n" TAIL,
     "HW003", 6},
    {HEAD "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0xf\" "
          "nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"1\">\n" NUMA CORE0 CORE1 GPU TAIL,
     "HW006", 2},
    {HEAD MACHINE NUMA CORE0 CORE1 GPU
     "</object>\n<distances2 type=\"OSDev\" name=\"NVLinkBandwidth\" nbobjs=\"2\">"
     "<indexes>8</indexes></distances2></topology>\n",
     "HW009", 8},
};

static void faults_are_found_at_their_place(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(faults); i++) {
        struct plumb_source *src = fx_source(fx, "hwloc.xml", faults[i].text);
        const struct plumb_sink *sink = &fx->session.sink;

        fx_row(fx, i, faults[i].text);
        (void)plumb_hwloc_read(&fx->session, src);
        if (faults[i].code == NULL) {
            fx_expect_nothing_else(fx);
            continue;
        }
        if (sink->count == 0)
            fail_msg("row %zu: expected %s, nothing was reported", i, faults[i].code);
        assert_string_equal(sink->items[0]->rule->code, faults[i].code);
        assert_int_equal(plumb_source_place(&fx->session.sources, sink->items[0]->at).line,
                         faults[i].line);
    }
}

/* Wherever the file was cut: a part of a machine is none, and what it lacks is no finding. */
static void cut_files_are_no_machines(void **state)
{
    static const char whole[] = WHOLE;
    struct fixture *fx = *state;

    for (size_t len = sizeof(HEAD MACHINE NUMA CORE0) - 1; len < sizeof(whole) - 2; len += 7) {
        const char *text = plumb_arena_strndup(fx->arena, whole, len);

        fx_row(fx, len, text);
        assert_null(plumb_hwloc_read(&fx->session, fx_source(fx, "hwloc.xml", text)));
        for (; fx->seen < fx->session.sink.count; fx->seen++)
            assert_true(plumb_starts_with(fx->session.sink.items[fx->seen]->rule->code, "XML"));
    }
}

static void places_are_those_of_the_file(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "hwloc.xml", WHOLE);
    struct plumb_hwloc *h = plumb_hwloc_read(&fx->session, src);

    assert_non_null(h);
    assert_int_equal(h->core_count, 2);
    assert_int_equal(h->pu_count, 2);
    assert_int_equal(plumb_source_place(&fx->session.sources, h->cores[1].at).line, 5);
    assert_int_equal(plumb_source_place(&fx->session.sources, h->pci[0].at).line, 6);
    assert_string_equal(h->pci[0].bus_id, "0000:01:00.0");
    assert_int_equal(h->pci[0].link_mbytes, 63015);
    assert_int_equal(h->pci[0].subsystem_device, 0x16c1);
    assert_int_equal(h->numa[0].memory_bytes, 1073741824);
    fx_expect_nothing_else(fx);
}

/* What stands for the speed of a link, in GB/s, and what it is in MB/s; 0: unknown. */
static void speeds_of_links_are_read(void **state)
{
    static const struct {
        const char *text;
        uint32_t mbytes;
    } rows[] = {{"63.015385", 63015},  {"63", 63000},  {"0.25", 250}, {"7.8769", 7876},
                {"123456", 123456000}, {"1234567", 0}, {"63.", 0},    {".5", 0},
                {"63.0x", 0},          {"", 0},        {"-1", 0},     {"6e1", 0}};
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *text =
            plumb_arena_printf(fx->arena,
                               HEAD MACHINE NUMA CORE0 CORE1
                               "<object type=\"PCIDev\" gp_index=\"8\" pci_busid=\"0000:01:00.0\" "
                               "pci_type=\"0302 [10de:2330]\" pci_link_speed=\"%s\"/>\n" TAIL,
                               rows[i].text);

        fx_row(fx, i, rows[i].text);
        assert_int_equal(
            plumb_hwloc_read(&fx->session, fx_source(fx, "hwloc.xml", text))->pci[0].link_mbytes,
            rows[i].mbytes);
        fx_expect_nothing_else(fx);
    }
}

/* Text of so many cores of two threads below each other, from a CPU on, each on a line. */
static void put_cores(struct plumb_buf *b, unsigned *cpu, unsigned cores)
{
    for (; cores > 0; cores--, *cpu += 2) {
        plumb_buf_printf(b,
                         "<object type=\"Core\" cpuset=\"0x%x\" complete_cpuset=\"0x%x\" "
                         "nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"%u\">",
                         3u << *cpu, 3u << *cpu, 100 + *cpu);
        for (unsigned k = *cpu; k < *cpu + 2; k++)
            plumb_buf_printf(b,
                             "<object type=\"PU\" os_index=\"%u\" cpuset=\"0x%x\" "
                             "complete_cpuset=\"0x%x\" nodeset=\"0x1\" "
                             "complete_nodeset=\"0x1\" gp_index=\"%u\"/>",
                             k, 1u << k, 1u << k, 200 + k);
        plumb_buf_str(b, "</object>\n");
    }
}

/* Packages of so many cores each. */
static struct plumb_hwloc *read_packages_of(struct fixture *fx, const unsigned *cores, size_t count)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);
    unsigned all = 0, cpu = 0;

    for (size_t i = 0; i < count; i++)
        all += 2 * cores[i];
    plumb_buf_printf(&b,
                     HEAD "<object type=\"Machine\" cpuset=\"0x%x\" "
                          "complete_cpuset=\"0x%x\" nodeset=\"0x1\" "
                          "complete_nodeset=\"0x1\" gp_index=\"1\">\n"
                          "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x%x\" "
                          "complete_cpuset=\"0x%x\" nodeset=\"0x1\" "
                          "complete_nodeset=\"0x1\" gp_index=\"2\"/>\n",
                     (1u << all) - 1, (1u << all) - 1, (1u << all) - 1, (1u << all) - 1);
    for (size_t i = 0; i < count; i++) {
        unsigned set = ((1u << 2 * cores[i]) - 1) << cpu;

        plumb_buf_printf(&b,
                         "<object type=\"Package\" os_index=\"%zu\" cpuset=\"0x%x\" "
                         "complete_cpuset=\"0x%x\" nodeset=\"0x1\" "
                         "complete_nodeset=\"0x1\" gp_index=\"%zu\">\n",
                         i, set, set, 10 + i);
        put_cores(&b, &cpu, cores[i]);
        plumb_buf_str(&b, "</object>\n");
    }
    plumb_buf_str(&b, TAIL);
    return plumb_hwloc_read(&fx->session, fx_source(fx, "hwloc.xml", plumb_buf_text(&b)));
}

/* libhwloc is shown two cores of a package; all of them come back, each at its place. */
static void every_core_of_a_package_is_read(void **state)
{
    static const unsigned cores[] = {1, 2, 3, 7};
    struct fixture *fx = *state;
    struct plumb_hwloc *h = read_packages_of(fx, cores, PLUMB_COUNT(cores));
    size_t at = 0;

    assert_non_null(h);
    assert_int_equal(h->package_count, PLUMB_COUNT(cores));
    assert_int_equal(h->core_count, 1 + 2 + 3 + 7);
    assert_int_equal(h->pu_count, 2 * (1 + 2 + 3 + 7));
    assert_int_equal(h->threads_per_core, 2);
    for (size_t p = 0; p < PLUMB_COUNT(cores); p++) {
        assert_int_equal(h->packages[p].first_core, at);
        assert_int_equal(h->packages[p].core_count, cores[p]);
        for (size_t i = 0; i < cores[p]; i++, at++) {
            assert_int_equal(h->cores[at].package, p);
            assert_int_equal(h->cores[at].cpus.words[0], 3u << 2 * at);
            /* behind three lines, a line for each package that begins, and for each that ends */
            assert_int_equal(plumb_source_place(&fx->session.sources, h->cores[at].at).line,
                             3 + 2 * p + 1 + at + 1);
        }
    }
}

/* Two GPUs with six links each to switches, as hwloc 2.5 and later write it; a CPU is no switch. */
static void links_through_switches_are_added_up(void **state)
{
    static const char *const rows[][2] = {
        {"OSDev:20 OSDev:21 PCIDev:30 PCIDev:31 Package:9",
         "0 0 75000 75000 40000  0 0 50000 75000 40000  0 0 0 0 0  0 0 0 0 0  0 0 0 0 0"},
        {"OSDev:20 OSDev:21 Package:9 Package:8 Package:7",
         "0 125000 40000 40000 0  125000 0 40000 40000 0  0 0 0 0 0  0 0 0 0 0  0 0 0 0 0"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *text = plumb_arena_printf(
            fx->arena,
            HEAD MACHINE NUMA CORE0 CORE1 GPU
            "<object type=\"OSDev\" gp_index=\"20\" name=\"nvml0\" osdev_type=\"1\"/>\n"
            "<object type=\"OSDev\" gp_index=\"21\" name=\"nvml1\" osdev_type=\"1\"/>\n"
            "</object>\n<distances2hetero name=\"NVLinkBandwidth\" nbobjs=\"5\">"
            "<indexes>%s</indexes><u64values>%s</u64values></distances2hetero></topology>\n",
            rows[i][0], rows[i][1]);

        fx_row(fx, i, rows[i][0]);

        struct plumb_hwloc *h = plumb_hwloc_read(&fx->session, fx_source(fx, "hwloc.xml", text));

        fx_expect_nothing_else(fx);
        assert_non_null(h);
        assert_int_equal(h->nvlink_count, 5);
        assert_int_equal(h->nvlink_mbytes[1], 125000);
        assert_int_equal(h->nvlink_mbytes[5], 125000);
        assert_int_equal(h->nvlink[2], PLUMB_HWLOC_NONE);
    }
}

static struct plumb_hwloc *read_seed(struct fixture *fx, const char *name)
{
    struct plumb_source *src = NULL;
    const char *path =
        plumb_arena_printf(fx->arena, "%s/testdata/fuzz/hwloc/%s", PLUMB_SOURCE_DIR, name);

    assert_int_equal(plumb_source_load(&fx->session.sources, path, name, &src), PLUMB_OK);

    struct plumb_hwloc *h = plumb_hwloc_read(&fx->session, src);

    assert_non_null(h);
    return h;
}

/* Cores stand below the nodes there; the second node has no memory, the third no CPUs. */
static void nodes_of_a_file_of_1_x_are_raised(void **state)
{
    struct fixture *fx = *state;
    struct plumb_hwloc *h = read_seed(fx, "old.xml");

    fx_expect_at(fx, "HW033", 4, 3);
    fx_expect_nothing_else(fx);
    assert_int_equal(h->package_count, 1);
    assert_int_equal(h->core_count, 2);
    assert_int_equal(h->threads_per_core, 2);
    assert_int_equal(h->numa_count, 2);
    assert_int_equal(h->numa[0].os_index.n, 0);
    assert_int_equal(h->numa[0].cpus.words[0], 0x3);
    assert_int_equal(h->numa[1].os_index.n, 2);
    assert_int_equal(h->numa[1].cpus.words[0], 0);
    assert_int_equal(h->numa[1].memory_bytes, 536870912);
    assert_int_equal(h->by_numa.count, 2);
    assert_int_equal(h->by_l3.count, 1); /* of the first node alone */
    assert_int_equal(h->osdevs[0].locality.words[0], 0x3);
}

/* Grace: the memory of GPUs and nodes kept for MIG hang beside the node of the cores. */
static void nodes_of_gpu_memory_have_no_cpus(void **state)
{
    struct fixture *fx = *state;
    struct plumb_hwloc *h = read_seed(fx, "grace.xml");

    fx_expect_nothing_else(fx);
    assert_int_equal(h->numa_count, 6);
    for (size_t i = 0; i < h->numa_count; i++) {
        uint64_t cpus = h->numa[i].os_index.n == 0 ? 0x3 : h->numa[i].os_index.n == 1 ? 0xc : 0;

        assert_int_equal(h->numa[i].cpus.word_count == 0 ? 0 : h->numa[i].cpus.words[0], cpus);
    }
    assert_int_equal(h->by_numa.count, 2);
    assert_false(h->by_numa.uneven);
}

/* lstopo's group of the packages 0 and 2, which are near a NIC, is none of slurmd's. */
static void groups_for_devices_are_no_boards(void **state)
{
    struct fixture *fx = *state;
    struct plumb_hwloc *h = read_seed(fx, "three.xml");

    fx_expect_at(fx, "HW028", 4, 104);
    fx_expect_nothing_else(fx);
    assert_int_equal(h->boards, 1);
    assert_int_equal(h->package_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(h->packages[i].os_index, i);
    assert_int_equal(h->osdevs[0].kind, PLUMB_HWLOC_OPENFABRICS);
    assert_int_equal(h->osdevs[0].locality.words[0], 0x5);
    assert_string_equal(h->arch, "x86_64");
}

/*
 * Two caches of two cores each whose CPUs are numbered in turn: slurmd asks for no caches, and then
 * libhwloc has the cores in the order of their first CPU (lstopo --no-caches shows it).
 */
static void cores_of_caches_are_in_order_of_cpus(void **state)
{
#define CORE_OF(os, c)                                                                             \
    "<object type=\"Core\" " SETS(c) " gp_index=\"1" os "\"><object type=\"PU\" os_index=\"" os    \
                                     "\" " SETS(c) " gp_index=\"2" os "\"/></object>\n"
#define CACHE(c, gp) "<object type=\"L2Cache\" " SETS(c) " gp_index=\"" gp "\">\n"
    struct fixture *fx = *state;
    const char *text = HEAD "<object type=\"Machine\" os_index=\"0\" " SETS(
        "0xf") " gp_index=\"1\">\n"
               "<object type=\"Package\" os_index=\"0\" " SETS(
                   "0xf") " gp_index=\"2\">\n"
                          "<object type=\"NUMANode\" os_index=\"0\" " SETS(
                              "0xf") " gp_index=\"3\"/>\n" CACHE("0x5", "4") CORE_OF("0", "0x1")
                              CORE_OF("2", "0x4") "</object>\n" CACHE("0xa", "5")
                                  CORE_OF("1", "0x2")
                                      CORE_OF("3", "0x8") "</object>\n</object>\n" TAIL;
    struct plumb_hwloc *h = plumb_hwloc_read(&fx->session, fx_source(fx, "hwloc.xml", text));

    fx_expect_at(fx, "HW007", 2, 1);
    fx_expect_nothing_else(fx);
    assert_non_null(h);
    assert_int_equal(h->core_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(h->cores[i].cpus.words[0], 1u << i);
}

/* Packages, cores, threads and sockets: the machines' own data, as lstopo draws them. */
struct machine {
    const char *file;
    const char *code; /* of the first finding; NULL: none */
    bool refused;
    size_t packages, cores;
    uint32_t threads_per_core;
    size_t numa;
    uint32_t by_numa, by_l3; /* sockets */
};

static const struct machine machines[] = {
    {"v1-chimera-threadripper-mixed-gpu.xml", "HW033", false, 1, 32, 2, 2, 4, 8},
    {"v1-knl-snc4-flat.xml", NULL, false, 1, 68, 4, 8, 4, 1},
    {"v1-rzansel-p9-4xv100.xml", NULL, false, 2, 44, 4, 6, 2, 24},
    {"v2-2pkg-4die-16numa.xml", "HW007", false, 4, 32, 2, 16, 16, 8},
    {"v2-corona-epyc-8numa.xml", NULL, false, 2, 48, 2, 8, 8, 16},
    {"v2-corona-epyc-nps1-8gpu.xml", NULL, false, 2, 48, 2, 2, 2, 16},
    {"v2-cxlmem-dax.xml", NULL, false, 1, 4, 1, 1, 1, 1},
    {"v2-g4dn-metal-8xt4-nvml.xml", NULL, false, 2, 48, 2, 2, 2, 2},
    {"v2-lassen-p9-4xv100-nvml.xml", "HW006", false, 2, 40, 4, 2, 2, 20},
    {"v2-mi300a-4apu-spx.xml", NULL, false, 4, 96, 2, 4, 4, 12},
    {"v2-offline-cpu0-node0.xml", "HW006", false, 2, 17, 1, 1, 2, 2},
    {"v2-p9-gpu-memory-numa-nodes.xml", "HW008", false, 2, 8, 4, 2, 2, 4},
    {"v2-pascal-broadwell-2xp100.xml", NULL, false, 2, 36, 2, 2, 2, 2},
    {"v2-r740-2gpu-nvml.xml", NULL, false, 2, 40, 1, 2, 2, 2},
    {"v2-spr-2x8480-snc4-4xh100-xe8640.xml", NULL, false, 2, 112, 2, 8, 8, 2},
    {"v2-tioga-trento-nps4-8xmi250.xml", NULL, false, 1, 64, 2, 4, 4, 8},
    {"v2-turin-2x9555-nps4-4xh200-nvml.xml", NULL, false, 2, 128, 2, 8, 8, 16},
    {"v2-vm-176core-5numa-ib.xml", NULL, false, 2, 176, 1, 4, 4, 24},
    {"v3-cxlmem-dax.xml", NULL, false, 1, 4, 1, 1, 1, 1},
    {"v3-dgx-spark-gb10.xml", "HW007", false, 1, 20, 1, 1, 1, 2},
    {"v3-dgx2-16xv100-nvml-vm.xml", "HW008", false, 2, 4, 1, 2, 2, 2},
    {"v3-heteromem.xml", "HW007", false, 1, 16, 4, 8, 4, 4},
    {"v3-irregular-disallowed.xml", "HW028", false, 8, 64, 1, 8, 8, 8},
    {"v3-manyvfs.xml", NULL, false, 2, 16, 1, 2, 2, 2},
    {"v3-pcilocality.xml", NULL, false, 4, 40, 1, 4, 4, 4},
    {"v3-power8-gpudistances.xml", "HW008", false, 2, 8, 2, 2, 2, 8},
    {"v3-sandybridge-cuda-mlx5-whole.xml", "HW003", true, 0, 0, 0, 0, 0, 0},
    {"v3-spr-2xmax9460.xml", "HW029", false, 2, 80, 2, 1, 1, 2},
    {"v3-zen1-2x7451.xml", "HW029", false, 2, 48, 2, 1, 1, 16},
    {"v3-zen3-2x7763.xml", "HW029", false, 2, 128, 1, 1, 1, 16},
};

static void check_machine(struct fixture *fx, const struct machine *m, struct plumb_source *src)
{
    const struct plumb_sink *sink = &fx->session.sink;

    assert_true(plumb_hwloc_sniff(src->bytes, src->len));

    struct plumb_hwloc *h = plumb_hwloc_read(&fx->session, src);

    if (m->code == NULL)
        fx_expect_nothing_else(fx);
    else if (sink->count == 0)
        fail_msg("%s: expected %s, nothing was reported", m->file, m->code);
    else
        assert_string_equal(sink->items[0]->rule->code, m->code);
    assert_int_equal(h == NULL, m->refused);
    if (h == NULL)
        return;
    assert_int_equal(h->package_count, m->packages);
    assert_int_equal(h->core_count, m->cores);
    assert_int_equal(h->threads_per_core, m->threads_per_core);
    assert_int_equal(h->numa_count, m->numa);
    assert_int_equal(h->by_numa.count, m->by_numa);
    assert_int_equal(h->by_l3.count, m->by_l3);
}

static void real_machines_are_read_or_refused(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(machines); i++) {
        const char *path =
            fx_shared(fx->arena, plumb_arena_printf(fx->arena, "corpus/topologies/hwloc/%s",
                                                    machines[i].file));
        struct plumb_source *src = NULL;

        if (plumb_source_load(&fx->session.sources, path, machines[i].file, &src) != PLUMB_OK) {
            print_message("skipped: no capture at %s\n", path);
            skip();
        }
        fx_row(fx, i, machines[i].file);
        check_machine(fx, &machines[i], src);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(faults_are_found_at_their_place, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(cut_files_are_no_machines, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(places_are_those_of_the_file, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(speeds_of_links_are_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_core_of_a_package_is_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(links_through_switches_are_added_up, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(nodes_of_a_file_of_1_x_are_raised, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(nodes_of_gpu_memory_have_no_cpus, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(groups_for_devices_are_no_boards, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(cores_of_caches_are_in_order_of_cpus, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(real_machines_are_read_or_refused, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("capture/hwloc", tests, NULL, NULL);
}
