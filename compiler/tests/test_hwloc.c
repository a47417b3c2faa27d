/* SPDX-License-Identifier: Apache-2.0 */
/* hwloc XML: what is refused and where, and what real machines are. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "capture/hwloc.h"

#define HEAD "<topology version=\"2.0\">\n"
#define SETS(c)                                                                                    \
    "cpuset=\"" c "\" complete_cpuset=\"" c "\" nodeset=\"0x1\" complete_nodeset=\"0x1\""
#define MACHINE "<object type=\"Machine\" os_index=\"0\" " SETS("0x3") " gp_index=\"1\">\n"
#define NUMA                                                                                       \
    "<object type=\"NUMANode\" os_index=\"0\" " SETS("0x3") " gp_index=\"2\" "                     \
                                                            "local_memory=\"1073741824\"/>\n"
#define CORE0                                                                                      \
    "<object type=\"Core\" os_index=\"0\" " SETS(                                                  \
        "0x1") " gp_index=\"3\">"                                                                  \
               "<object type=\"PU\" os_index=\"0\" " SETS("0x1") " gp_index=\"4\"/></object>\n"
#define CORE1                                                                                      \
    "<object type=\"Core\" os_index=\"1\" " SETS(                                                  \
        "0x2") " gp_index=\"5\">"                                                                  \
               "<object type=\"PU\" os_index=\"1\" " SETS("0x2") " gp_index=\"6\"/></object>\n"
#define GPU                                                                                        \
    "<object type=\"Bridge\" gp_index=\"7\" bridge_type=\"0-1\" bridge_pci=\"0000:[00-01]\">"      \
    "<object type=\"PCIDev\" gp_index=\"8\" pci_busid=\"0000:01:00.0\" "                           \
    "pci_type=\"0302 [10de:2330] [10de:16c1] a1\" pci_link_speed=\"63.015385\"/></object>\n"
#define TAIL  "</object>\n</topology>\n"
#define WHOLE HEAD MACHINE NUMA CORE0 CORE1 GPU TAIL

static void faults_are_found_at_their_place(void **state)
{
    static const struct {
        const char *text;
        const char *code; /* NULL: read without a finding */
        uint32_t line;
    } rows[] = {
        {WHOLE, NULL, 0},
        {"<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n" WHOLE, NULL, 0},
        {"<html/>\n", "HW001", 1},
        {HEAD "</topology>\n", "HW001", 1},
        {HEAD "<object type=\"Core\"/>\n</topology>\n", "HW001", 2},
        {"<topology>\n" MACHINE TAIL, "HW002", 1},
        {"<topology version=\"3.0\">\n" MACHINE TAIL, "HW002", 1},
        {HEAD "<object type=\"Machine\" gp_index=\"1\" cpuset=\"0x3\" complete_cpuset=\"0x3\" "
              "nodeset=\"0x1\">\n" NUMA CORE0 TAIL,
         "HW003", 2},
        {HEAD MACHINE NUMA "<object type=\"Core\" gp_index=\"3\" " SETS("0xzz") "/>\n" TAIL,
         "HW003", 4},
        {HEAD MACHINE NUMA "<object type=\"Core\" gp_index=\"3\" " SETS("0xf...f") "/>\n" TAIL,
         "HW003", 4},
        {HEAD MACHINE NUMA CORE0 CORE0 TAIL, "HW004", 5}, /* shares CPUs */
        {HEAD MACHINE NUMA CORE1 CORE0 TAIL, "HW004", 5}, /* out of order */
        {HEAD MACHINE NUMA "<object type=\"Core\" gp_index=\"3\" " SETS("0x4") "/>\n" TAIL, "HW004",
         4},
        {HEAD MACHINE NUMA
         "<object type=\"PU\" os_index=\"1\" " SETS("0x1") " gp_index=\"9\"/>\n" TAIL,
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
        {HEAD
         "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0xf\" "
         "nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"1\">\n" NUMA CORE0 CORE1 GPU TAIL,
         "HW006", 2},
        {HEAD MACHINE NUMA CORE0 CORE1 GPU
         "</object>\n<distances2 type=\"OSDev\" name=\"NVLinkBandwidth\" nbobjs=\"2\">"
         "<indexes>8</indexes></distances2></topology>\n",
         "HW009", 8},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_source *src = fx_source(fx, "hwloc.xml", rows[i].text);
        const struct plumb_sink *sink = &fx->session.sink;

        fx_row(fx, i, rows[i].text);
        (void)plumb_hwloc_read(&fx->session, src);
        if (rows[i].code == NULL) {
            fx_expect_nothing_else(fx);
            continue;
        }
        if (sink->count == 0)
            fail_msg("row %zu: expected %s, nothing was reported", i, rows[i].code);
        assert_string_equal(sink->items[0]->rule->code, rows[i].code);
        assert_int_equal(plumb_source_place(&fx->session.sources, sink->items[0]->at).line,
                         rows[i].line);
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
    {"v1-chimera-threadripper-mixed-gpu.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v1-knl-snc4-flat.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v1-rzansel-p9-4xv100.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
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
    {"v3-cxlmem-dax.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-dgx-spark-gb10.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-dgx2-16xv100-nvml-vm.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-heteromem.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-irregular-disallowed.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-manyvfs.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-pcilocality.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-power8-gpudistances.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-sandybridge-cuda-mlx5-whole.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-spr-2xmax9460.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-zen1-2x7451.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
    {"v3-zen3-2x7763.xml", "HW002", true, 0, 0, 0, 0, 0, 0},
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
    const char *shared = getenv("PLUMB_SHARED");

    if (shared == NULL)
        shared = PLUMB_SOURCE_DIR "/../shared";
    for (size_t i = 0; i < PLUMB_COUNT(machines); i++) {
        const char *path = plumb_arena_printf(fx->arena, "%s/corpus/topologies/hwloc/%s", shared,
                                              machines[i].file);
        struct plumb_source *src = NULL;

        if (plumb_source_load(&fx->session.sources, path, machines[i].file, &src) != PLUMB_OK) {
            print_message("skipped: no captures under %s\n", shared);
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
        cmocka_unit_test_setup_teardown(places_are_those_of_the_file, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(links_through_switches_are_added_up, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(real_machines_are_read_or_refused, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("capture/hwloc", tests, NULL, NULL);
}
