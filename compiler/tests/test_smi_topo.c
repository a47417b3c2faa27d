/* SPDX-License-Identifier: Apache-2.0 */
/* The text of `nvidia-smi topo -m`: every trap of real captures. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "syntax/smi_topo.h"

#define HEAD2 "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
#define PEERS " \tGPU0\tGPU1\t\n"
#define GOOD0 "GPU0\t X \tNV4\t0-3\t0\t\tN/A\n"
#define GOOD1 "GPU1\tNV4\t X \t4-7\t1\t\tN/A\n"

static void faults_are_found_at_their_place(void **state)
{
    static const struct {
        const char *text;
        const char *code; /* NULL: read without a finding */
        uint32_t line, column;
    } rows[] = {
        {HEAD2 GOOD0 GOOD1, NULL, 0, 0},
        {"\x1b[4m" HEAD2 "\x1b[0m" GOOD0 GOOD1, NULL, 0, 0},
        {"[4m" HEAD2 GOOD0 GOOD1, NULL, 0, 0},
        {"GPU Topology:\n" HEAD2 GOOD0 GOOD1 "\nroot@host:~# \n", NULL, 0, 0},
        {"\tGPU0\r\nGPU0\t X \r\n", NULL, 0, 0},
        {"  \tGPU0\tGPU1\tCPU Affinity\n  GPU0\t X \tPIX\t0\n  GPU1\tPIX\t X \t0\n", NULL, 0, 0},
        {"hello\n", "HW050", 1, 1},
        {"", "HW050", 1, 1},
        /* a tab was eaten: case 56 of topology_cases.tsv */
        {HEAD2 GOOD0 "GPU1\tNV4NODE\t4-7\t1\t\tN/A\n", "HW051", 3, 6},
        {HEAD2 GOOD0 "GPU1\tNV4\n", "HW051", 3, 1},
        {HEAD2 GOOD0 "GPU1\tNV4\t X \tSYS\t4-7\t1\t\tN/A\n", "HW051", 3, 14},
        {HEAD2 GOOD0 "GPU1\tNVX\t X \t4-7\t1\t\tN/A\n", "HW052", 3, 6},
        {HEAD2 GOOD0, "HW053", 1, 7},
        {HEAD2 GOOD1, "HW053", 1, 2},
        {HEAD2 GOOD0 "NIC0\tNV4\t X \n", "HW054", 3, 1},
        {HEAD2 GOOD0 GOOD1 GOOD1, "HW054", 4, 1},
        {HEAD2 GOOD0 "GPU1\tNV4\tSYS\t4-7\t1\t\tN/A\n", "HW055", 3, 10},
        {HEAD2 GOOD0 "GPU1\tNV2\t X \t4-7\t1\t\tN/A\n", "HW056", 3, 6},
        {"\tGPU0GPU1\tCPU Affinity\n" GOOD0 GOOD1, "HW057", 1, 2},
        {"\tGPU0\tGPU2\tCPU Affinity\n" GOOD0 GOOD1, "HW057", 1, 7},
        {"\tGPU0\tGPU0\tCPU Affinity\n" GOOD0 GOOD1, "HW057", 1, 7},
        {"\tGPU0\tNIC0\tGPU1\tCPU Affinity\n", "HW057", 1, 12},
        {HEAD2 GOOD0 "GPU1\tNV4\t X \tfour\t1\t\tN/A\n", "HW058", 3, 14},
        {HEAD2 GOOD0 GOOD1 "\n" HEAD2 GOOD0 GOOD1, "HW059", 5, 2},
        /* peer matrices: blanks in front of the names, a tab behind the last cell */
        {PEERS " GPU0\tX\tOK\t\n GPU1\tOK\tX\t\n", NULL, 0, 0},
        {PEERS " GPU0\tX\tNS\t\n GPU1\tOK\tX\t\n", NULL, 0, 0},
        {PEERS " GPU0\tX\tOK\t\n GPU1\tOK\t\n", "HW051", 3, 2},
        {PEERS " GPU0\tX\tOK\t\n GPU1\tOKX\t\n", "HW051", 3, 7},
        {PEERS " GPU0\tX\tOK\tOK\t\n GPU1\tOK\tX\t\n", "HW051", 2, 12},
        {PEERS " GPU0\tX\tOK\t\n GPU1\tNV4\tX\t\n", "HW052", 3, 7},
        {PEERS " GPU0\tX\tOK\t\n", "HW053", 1, 8},
        {PEERS " GPU0\tX\tOK\t\n GPU1\tOK\tGNS\t\n", "HW055", 3, 10},
        {"\tGPU0\tNIC0\tNIC1\tCPU Affinity\nGPU0\t X \tPIX\tPIX\t0\nNIC0\tPIX\t X \tPIX\n"
         "NIC1\tPIX\tPIX\t X \n\nNIC Legend:\n\n  NIC0: mlx5_0\n",
         "HW061", 4, 1},
        {HEAD2 GOOD0 "0-3\t0\t\tN/A\n" GOOD1, "HW062", 3, 1},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_source *src = fx_source(fx, "topo-m.txt", rows[i].text);

        fx_row(fx, i, rows[i].text);
        (void)plumb_smi_topo_read(&fx->session, src);
        if (rows[i].code != NULL)
            fx_expect_at(fx, rows[i].code, rows[i].line, rows[i].column);
        fx_expect_nothing_else(fx);
    }
}

static void independent_faults_are_all_reported(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "topo-m.txt",
                                         HEAD2 "GPU0\t X \tFOO\t0-3\t0\t\tN/A\n"
                                               "GPU1\tNV4 X\t4-7\t1\t\tN/A\n");

    assert_null(plumb_smi_topo_read(&fx->session, src));
    fx_expect_at(fx, "HW052", 2, 10);
    fx_expect_at(fx, "HW051", 3, 6);
    fx_expect_nothing_else(fx);
    assert_true(fx->session.sink.incomplete);
}

static void affinity_cells_are_told_apart(void **state)
{
    static const struct {
        const char *heads, *tail;
        const char *cpus, *numa, *id;
    } rows[] = {
        {"\tCPU Affinity", "\t0-3", "0-3", "", ""},
        {"\tCPU Affinity\tNUMA Affinity", "\t0-3\t0", "0-3", "0", ""},
        {"\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID", "\t0-3\t0\t\tN/A", "0-3", "0", "N/A"},
        /* in a job's cgroup the CPU cell is empty; it must not take its neighbour's value */
        {"\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID", "\t\t1\t\tN/A", "", "1", "N/A"},
        {"\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID", "\t0-71\t0,3-9,11-17\t\t2", "0-71",
         "0,3-9,11-17", "2"},
        /* cut after 12 characters */
        {"\tCPU Affinity\tNUMA Affinity", "\t10,12,14,16,\t0", "10,12,14,16,", "0", ""},
        {"  CPU Affinity  NUMA Affinity", "   0-3   N/A", "0-3", "N/A", ""},
        /* with blanks an empty cell cannot be told from the next: nothing is read */
        {"  CPU Affinity  NUMA Affinity", "   1", "", "", ""},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        bool tabs = rows[i].heads[0] == '\t';
        const char *text =
            plumb_arena_printf(fx->arena, "%sGPU0%s\nGPU0%s%s\n", tabs ? "\t" : "        ",
                               rows[i].heads, tabs ? "\t X " : "     X  ", rows[i].tail);
        struct plumb_smi_topo *t =
            plumb_smi_topo_read(&fx->session, fx_source(fx, "topo-m.txt", text));

        fx_row(fx, i, text);
        assert_non_null(t);
        if (rows[i].cpus[0] != '\0')
            assert_string_equal(t->rows[0].cpu_affinity.text, rows[i].cpus);
        assert_int_equal(t->rows[0].cpu_affinity.len, strlen(rows[i].cpus));
        assert_int_equal(t->rows[0].numa_affinity.len, strlen(rows[i].numa));
        assert_int_equal(t->rows[0].gpu_numa_id.len, strlen(rows[i].id));
    }
}

/* Blanks up to tab stops, as a terminal copies them: an empty cell is where a stop is left out. */
static void affinity_of_copies_is_told_by_tab_stops(void **state)
{
#define HEADS "        GPU0    GPU1    CPU Affinity    NUMA Affinity   GPU NUMA ID\n"
    static const struct {
        const char *text;
        const char *cpus, *numa, *id; /* of the first GPU */
    } rows[] = {
        {HEADS "GPU0     X      NV4             0               N/A\n"
               "GPU1    NV4      X      56      1               N/A\n",
         "", "0", "N/A"},
        {HEADS "GPU0     X      NV4     0,64    0               N/A\n"
               "GPU1    NV4      X              1               N/A\n",
         "0,64", "0", "N/A"},
        {HEADS "GPU0     X      NV4     0-95\n"
               "GPU1    NV4      X      96-191\n",
         "0-95", "", ""},
        /* indented with what it was pasted into */
        {"    " HEADS "    GPU0     X      NV4             7\n"
         "    GPU1    NV4      X              6\n",
         "", "7", ""},
        /* with a byte order mark and the line ends of Windows */
        {"\xef\xbb\xbf"
         "\tGPU0\tGPU1\tCPU Affinity\r\nGPU0\t X \tNV4\t0-3\r\n"
         "GPU1\tNV4\t X \t4-7\r\n",
         "0-3", "", ""},
        /* not at stops: nothing is read */
        {HEADS "GPU0     X      NV4         0       N/A\n"
               "GPU1    NV4      X          0       N/A\n",
         "", "", ""},
        /* tabs that somebody added to make columns even */
        {"\t\tGPU0\tGPU1\tCPU Affinity    NUMA Affinity\n"
         "GPU0\t X \t\tNV4\t    \t0-23,48-71\t\t0\n"
         "GPU1\tNV4\t \t X \t\t24-47,72-95\t1\n",
         "0-23,48-71", "0", ""},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_smi_topo *t =
            plumb_smi_topo_read(&fx->session, fx_source(fx, "topo-m.txt", rows[i].text));

        fx_row(fx, i, rows[i].text);
        fx_expect_nothing_else(fx);
        assert_non_null(t);
        assert_string_equal(t->rows[0].cells[1].text.text, "NV4");
        assert_int_equal(t->rows[0].cpu_affinity.len, strlen(rows[i].cpus));
        assert_int_equal(t->rows[0].numa_affinity.len, strlen(rows[i].numa));
        assert_int_equal(t->rows[0].gpu_numa_id.len, strlen(rows[i].id));
        if (rows[i].cpus[0] != '\0')
            assert_string_equal(t->rows[0].cpu_affinity.text, rows[i].cpus);
        if (rows[i].numa[0] != '\0')
            assert_string_equal(t->rows[0].numa_affinity.text, rows[i].numa);
    }
}

struct capture {
    const char *file;
    size_t gpus, columns; /* 0: refused */
    const char *code;     /* of every finding */
    uint32_t line;        /* of the first */
    size_t findings;
};

/* What each capture shows is in its PROVENANCE and in the facts about its machine. */
static const struct capture captures[] = {
    {"6gpu-2x24-ansi-before-tab.txt", 6, 6, NULL, 0, 0},
    {"a100-4-intel-2x24-1nic.txt", 4, 5, NULL, 0, 0},
    {"a100-4-job-0-64-numa-range.txt", 4, 5, NULL, 0, 0},
    {"a100-4-nv12-asymmetric-sockets.txt", 4, 4, NULL, 0, 0},
    {"a100-8gpu-vm-clipped.txt", 0, 0, "HW051", 2, 8},
    {"a100-pcie-4-nvlink-pairs-2x52.txt", 4, 4, NULL, 0, 0},
    {"dgx-a100-12nic-mlx5names-nps4.txt", 8, 20, NULL, 0, 0},
    {"dgx-a100-8gpu-nonic-2x24.txt", 8, 8, NULL, 0, 0},
    {"dgx-h100-12nic.txt", 8, 20, NULL, 0, 0},
    {"dgx1p-8xp100-soc-broken-header.txt", 0, 0, "HW057", 1, 1},
    {"dgx1v-8xv100-4nic-reordered-columns.txt", 8, 12, NULL, 0, 0},
    {"dgx2-16xv100-10nic-first-rows.txt", 0, 0, "HW053", 1, 1},
    {"gb200-4gpu-8nic.txt", 4, 12, NULL, 0, 0},
    {"gb200-4gpu-truncated-capture.txt", 0, 0, "HW053", 1, 1},
    {"gcp-8gpu-nv18-208cpu-1nic.txt", 8, 9, NULL, 0, 0},
    {"hgx-8gpu-in-job-cgroup-empty-affinity.txt", 8, 14, NULL, 0, 0},
    {"hgx-8gpu-nv18-8nic-2x48.txt", 8, 16, NULL, 0, 0},
    {"hgx-8gpu-nv18-9nic-ansi-bond.txt", 8, 17, NULL, 0, 0},
    {"hgx-a100-8gpu-4nic.txt", 8, 12, NULL, 0, 0},
    {"hgx-b200-8gpu-16nic.txt", 8, 24, NULL, 0, 0},
    {"hgx-h200-8gpu-8nic-epyc9534.txt", 8, 16, NULL, 0, 0},
    {"k80-4gpu-mlx4-spaces.txt", 4, 5, NULL, 0, 0},
    {"p2p-rw-2gpu-gns.txt", 2, 2, NULL, 0, 0},
    {"pcie-4gpu-4nic-spaces.txt", 4, 8, NULL, 0, 0},
    {"pcie-8gpu-12nic-interleaved-truncated-affinity.txt", 8, 20, NULL, 0, 0},
    {"polaris-4xa100-2slingshot-nps4.txt", 4, 6, NULL, 0, 0},
    {"rtx-2gpu-nvlink-numa-na.txt", 2, 2, NULL, 0, 0},
    {"rtx4090-8gpu-2nic-all-sys.txt", 8, 10, NULL, 0, 0},
    {"rtx5090-2gpu-threadripper.txt", 2, 2, NULL, 0, 0},
    {"v100-8gpu-vm-phb-flat.txt", 8, 8, NULL, 0, 0},
};

static void check_capture(struct fixture *fx, const struct capture *c, const char *path)
{
    struct plumb_source *src = NULL;
    const struct plumb_sink *sink = &fx->session.sink;

    assert_int_equal(plumb_source_load(&fx->session.sources, path, c->file, &src), PLUMB_OK);
    assert_true(plumb_smi_topo_sniff(src->bytes, src->len));

    struct plumb_smi_topo *t = plumb_smi_topo_read(&fx->session, src);

    if (sink->count != c->findings)
        fail_msg("%s: %zu findings, expected %zu", c->file, sink->count, c->findings);
    for (size_t i = 0; i < sink->count; i++)
        assert_string_equal(sink->items[i]->rule->code, c->code);
    if (c->findings > 0) {
        assert_int_equal(plumb_source_place(&fx->session.sources, sink->items[0]->at).line,
                         c->line);
        assert_null(t);
        return;
    }
    assert_non_null(t);
    assert_int_equal(t->gpu_count, c->gpus);
    assert_int_equal(t->column_count, c->columns);
    assert_int_equal(t->row_count, c->columns);
}

/* Each status that nvidia-smi topo -p2p r, w, n, a, p and rw show, and a machine of one GPU. */
static void peer_matrices_are_told_apart(void **state)
{
    static const char *const codes[] = {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U", NULL};
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(codes); i++) {
        static const char legend[] = "\nLegend:\n\n  X    = Self\n  OK   = Status Ok\n";
        const char *c = codes[i];
        const char *text =
            c == NULL ? plumb_arena_printf(fx->arena, " \tGPU0\t\n GPU0\tX\t\n%s", legend)
                      : plumb_arena_printf(fx->arena, PEERS " GPU0\tX\t%s\t\n GPU1\tOK\tX\t\n", c);
        struct plumb_source *src =
            plumb_source_add(&fx->session.sources, "p2p", text, strlen(text));
        struct plumb_smi_topo *t = NULL;

        fx_row(fx, i, c == NULL ? "one GPU" : c);
        assert_true(plumb_smi_topo_sniff(src->bytes, src->len));
        t = plumb_smi_topo_read(&fx->session, src);
        assert_non_null(t);
        assert_true(t->peers);
        assert_int_equal(t->gpu_count, c == NULL ? 1 : 2);
        if (c != NULL)
            assert_string_equal(t->rows[0].cells[1].text.text, c);
        fx_expect_nothing_else(fx);
    }
    assert_false(plumb_smi_peers_sniff(HEAD2 GOOD0 GOOD1, strlen(HEAD2 GOOD0 GOOD1)));
}

static void real_captures_are_read_or_refused(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(captures); i++) {
        const char *path = fx_shared(
            fx->arena, plumb_arena_printf(fx->arena, "corpus/topologies/nvidia-smi-topo/%s",
                                          captures[i].file));
        struct plumb_source *probe = NULL;

        if (i == 0 && plumb_source_load(&fx->session.sources, path, "probe", &probe) != PLUMB_OK) {
            print_message("skipped: no capture at %s\n", path);
            skip();
        }
        fx_row(fx, i, captures[i].file);
        check_capture(fx, &captures[i], path);
    }
}

static void nics_are_named_by_the_legend(void **state)
{
    struct fixture *fx = *state;
    struct plumb_smi_topo *t = plumb_smi_topo_read(
        &fx->session,
        fx_source(fx, "topo-m.txt",
                  "\tGPU0\tNIC0\tCPU Affinity\nGPU0\t X \tPIX\t0\nNIC0\tPIX\t X \t\n\nLegend:\n\n"
                  "  X    = Self\n\nNIC Legend:\n\n  NIC0: mlx5_bond_0\n"));

    assert_non_null(t);
    assert_string_equal(t->rows[1].device, "mlx5_bond_0");
    assert_string_equal(t->rows[1].name.text, "NIC0");
    fx_expect_nothing_else(fx);
}

static void other_files_are_not_taken_for_a_matrix(void **state)
{
    static const char *const texts[] = {
        "",
        "NodeName=gpu1 Gres=gpu:8\n",
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\nGPU 1: NVIDIA H100\n",
        "<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n",
        "  GPU0=1\n  GPU1=2\n",
    };

    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(texts); i++)
        assert_false(plumb_smi_topo_sniff(texts[i], strlen(texts[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(faults_are_found_at_their_place, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(independent_faults_are_all_reported, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(affinity_cells_are_told_apart, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(affinity_of_copies_is_told_by_tab_stops, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(nics_are_named_by_the_legend, fx_setup, fx_teardown),
        cmocka_unit_test(other_files_are_not_taken_for_a_matrix),
        cmocka_unit_test_setup_teardown(peer_matrices_are_told_apart, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(real_captures_are_read_or_refused, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("syntax/smi_topo", tests, NULL, NULL);
}
