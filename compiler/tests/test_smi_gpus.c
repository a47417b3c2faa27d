/* SPDX-License-Identifier: Apache-2.0 */
/* nvidia-smi -L, nvidia-smi -q -x and slurmd -C: what is read, what is refused, what is merged. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "capture/rules.h"
#include "capture/slurmd_c.h"
#include "capture/smi_gpus.h"
#include "passes/captures.h"
#include "passes/sniff.h"

#define GPU0 "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
#define NODE "NodeName=n CPUs=32 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=2 "

static void lists_are_read(void **state)
{
    static const struct {
        const char *text;
        size_t gpus;           /* 0: refused */
        const char *name;      /* of the last GPU */
        size_t migs;           /* of the last GPU */
        unsigned line, column; /* of the finding */
    } rows[] = {
        {GPU0, 1, "NVIDIA H100 80GB HBM3", 0, 0, 0},
        {"$ nvidia-smi -L\r\n" GPU0 "GPU 1: A100 (40GB) (UUID: GPU-2)\r\n", 2, "A100 (40GB)", 0, 0,
         0},
        {GPU0 "  MIG 1g.10gb     Device  0: (UUID: MIG-1)\n"
              "  MIG 1g.10gb+me  Device  1: (UUID: MIG-2)",
         1, "NVIDIA H100 80GB HBM3", 2, 0, 0},
        {GPU0 "GPU 2: H100 (UUID: GPU-3)\n", 0, NULL, 0, 2, 1},
        {GPU0 "GPU 1: H100 (UUID: GPU-3\n", 0, NULL, 0, 2, 1},
        {GPU0 "GPU 1: (UUID: GPU-3)\n", 0, NULL, 0, 2, 1},
        {GPU0 "  MIG 1g.10gb Device 0\n", 0, NULL, 0, 2, 3},
        {"  MIG 1g.10gb Device 0: (UUID: MIG-1)\n" GPU0, 0, NULL, 0, 1, 3},
        {"No devices found.\n", 0, NULL, 0, 1, 1},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);

        struct plumb_smi_gpus *l =
            plumb_smi_list_read(&fx->session, fx_source(fx, "smi-L.txt", rows[i].text));

        if (rows[i].gpus == 0) {
            assert_null(l);
            fx_expect_at(fx, "HW016", rows[i].line, rows[i].column);
        } else {
            assert_non_null(l);
            assert_int_equal(l->count, rows[i].gpus);
            assert_string_equal(l->items[l->count - 1].name.text, rows[i].name);
            assert_int_equal(l->items[l->count - 1].mig_count, rows[i].migs);
        }
        fx_expect_nothing_else(fx);
    }
}

static void node_lines_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t memory;
        bool gpus_told;
        uint64_t gpus;
        const char *parameters;
        unsigned line, column; /* of the finding; 0: none */
    } rows[] = {
        {NODE "RealMemory=257700\nUpTime=3-04:05:06\n", 257700, false, 0, NULL, 0, 0},
        {"slurmd: " NODE "RealMemory=1 Parameters=numa_node_as_socket Gres=gpu:h100:8\n", 1, true,
         8, "numa_node_as_socket", 0, 0},
        {NODE "RealMemory=1 Gres=gpu:a:2,shard:16,gpu:b:1", 1, true, 3, NULL, 0, 0},
        /* instances are no GPUs */
        {NODE "RealMemory=1 Gres=gpu:nvidia_h100_80gb_hbm3_1g.10gb:7", 1, false, 0, NULL, 0, 0},
        {NODE "RealMemory=0x10\n", 0, false, 0, NULL, 1, 92},
        {NODE "RealMemory=0\n", 0, false, 0, NULL, 1, 92},
        {NODE "\n", 0, false, 0, NULL, 1, 1},
        {NODE "RealMemory=1\n" NODE "RealMemory=1\n", 0, false, 0, NULL, 2, 1},
        {"UpTime=1-00:00:00\n", 0, false, 0, NULL, 1, 1},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);

        struct plumb_slurmd_c *c =
            plumb_slurmd_c_read(&fx->session, fx_source(fx, "slurmd-C.txt", rows[i].text));

        if (rows[i].line > 0) {
            assert_null(c);
            fx_expect_at(fx, "HW018", rows[i].line, rows[i].column);
            fx_expect_nothing_else(fx);
            continue;
        }
        fx_expect_nothing_else(fx);
        assert_non_null(c);
        assert_int_equal(c->cpus.v, 32);
        assert_int_equal(c->sockets_per_board.v, 2);
        assert_int_equal(c->memory_mib.v, rows[i].memory);
        assert_int_equal(plumb_usable(c->gpus), rows[i].gpus_told);
        assert_int_equal(c->gpus.v, rows[i].gpus);
        if (rows[i].parameters != NULL)
            assert_string_equal(c->parameters.text, rows[i].parameters);
    }
}

#define QUERY(id, minor)                                                                           \
    "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n"        \
    "<nvidia_smi_log>\n<gpu id=\"" id "\"><product_name>NVIDIA H100</product_name>"                \
    "<uuid>GPU-1</uuid><minor_number>" minor "</minor_number>"                                     \
    "<mig_mode><current_mig>Enabled</current_mig></mig_mode></gpu>\n</nvidia_smi_log>\n"

static void queries_are_read(void **state)
{
    static const struct {
        const char *text, *bus_id; /* bus_id NULL: refused */
        uint32_t minor;
    } rows[] = {
        {QUERY("00000000:1B:00.0", "3"), "0000:1b:00.0", 3},
        {QUERY("00010000:C5:00.0", "N/A"), "10000:c5:00.0", PLUMB_NO_INDEX},
        {QUERY("1B:00.0", "3"), NULL, 0},
        {QUERY("00000000:1G:00.0", "3"), NULL, 0},
        {QUERY("00000000:1B:00.0", "70000"), NULL, 0},
        {"<nvidia_smi_log></nvidia_smi_log>", NULL, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);

        struct plumb_smi_gpus *l =
            plumb_smi_query_read(&fx->session, fx_source(fx, "smi-q.xml", rows[i].text));

        if (rows[i].bus_id == NULL) {
            assert_null(l);
            assert_int_equal(fx->session.sink.count, 1);
            assert_string_equal(fx->session.sink.items[0]->rule->code, "HW017");
            continue;
        }
        fx_expect_nothing_else(fx);
        assert_int_equal(l->count, 1);
        assert_string_equal(l->items[0].bus_id, rows[i].bus_id);
        assert_int_equal(l->items[0].minor.n, rows[i].minor);
        assert_int_equal(l->items[0].mig_mode, PLUMB_MIG_ON);
    }
}

/* Some GPUs are not all: a cut file would make a smaller machine. */
static void cut_queries_show_no_gpus(void **state)
{
    static const char whole[] = QUERY("00000000:1B:00.0", "3");
    struct fixture *fx = *state;
    const char *text = plumb_arena_strndup(fx->arena, whole, sizeof(whole) - 1 - 10);

    assert_null(plumb_smi_query_read(&fx->session, fx_source(fx, "q.xml", text)));
    assert_true(fx->session.sink.count > 0);
}

static void captures_are_known_by_their_content(void **state)
{
    static const struct {
        const char *name, *text;
        enum plumb_source_kind kind;
    } rows[] = {
        {"a.txt", GPU0, PLUMB_KIND_SMI_LIST},
        {"a.xml", QUERY("00000000:1B:00.0", "3"), PLUMB_KIND_SMI_QUERY},
        {"a.txt", NODE "RealMemory=1\nUpTime=0-00:01:00\n", PLUMB_KIND_SLURMD_C},
        {"a.txt", NODE "RealMemory=1 UpTime=0-00:01:00\n", PLUMB_KIND_SLURMD_C},
        {"a.txt",
         NODE "RealMemory=1 Gres=gpu:nvidia_l4:1\nFound gpu:nvidia_l4:1 with Autodetect=nvml "
              "(Substring of gpu name may be used instead)\n",
         PLUMB_KIND_SLURMD_C},
        /* under the name of the capture a part of it is enough, as is the beginning of one */
        {"n1/slurmd-C.txt", NODE "RealMemory=1 Gres=gpu:nvidia_l4:1\n", PLUMB_KIND_SLURMD_C},
        {"n1/topo-m.txt", "GPU0GPU1CPU Affinity\n", PLUMB_KIND_SMI_TOPO},
        {"n1/topo-m.txt", "nvidia-smi: command not found\n", PLUMB_KIND_UNKNOWN},
        /* with a byte order mark, as Windows writes it */
        {"a.txt", "\xef\xbb\xbf" GPU0, PLUMB_KIND_SMI_LIST},
        {"a.txt", "\xef\xbb\xbf" NODE "RealMemory=1\r\nUpTime=0-00:01:00\r\n", PLUMB_KIND_SLURMD_C},
        /* with the prompt of the shell it was copied from, which is no JSON */
        {"a.txt", "[root@n ~]# slurmd -C\n" NODE "RealMemory=1\nUpTime=0-00:01:00\n",
         PLUMB_KIND_SLURMD_C},
        {"a.txt", "[root@n ~]# nvidia-smi -L\n" GPU0, PLUMB_KIND_SMI_LIST},
        {"a.txt", "[u@n ~]$ srun nvidia-smi topo -m\n\tGPU0\tCPU Affinity\nGPU0\t X \t0-3\n",
         PLUMB_KIND_SMI_TOPO},
        {"a.txt", "GPU0 GPU1 CPU Affinity\nGPU0 X NV1 0-3\nGPU1 NV1 X 4-7\n", PLUMB_KIND_SMI_TOPO},
        {"a.json", "[1, 2]\n", PLUMB_KIND_UNKNOWN},
        /* a node line that somebody keeps for slurm.conf is no capture */
        {"nodes.txt", NODE "RealMemory=1\n", PLUMB_KIND_UNKNOWN},
        {"slurm.conf", NODE "RealMemory=1\nPartitionName=p Nodes=n\n", PLUMB_KIND_CONF},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_input in = {.path = rows[i].name,
                                 .shown = rows[i].name,
                                 .src = fx_source(fx, rows[i].name, rows[i].text)};

        fx_row(fx, i, rows[i].name);
        plumb_sniff(&in);
        assert_int_equal(in.kind, rows[i].kind);
    }
}

/* One machine of files of one folder; text NULL: that kind is left out. */
static struct plumb_hardware *bind(struct fixture *fx, struct plumb_run *r, const char *list,
                                   const char *query, const char *slurmd, const char *matrix)
{
    const struct {
        const char *name, *text;
        enum plumb_source_kind kind;
    } files[] = {
        {"m/slurmd-C.txt", slurmd, PLUMB_KIND_SLURMD_C},
        {"m/smi-L.txt", list, PLUMB_KIND_SMI_LIST},
        {"m/smi-q.xml", query, PLUMB_KIND_SMI_QUERY},
        {"m/topo-m.txt", matrix, PLUMB_KIND_SMI_TOPO},
    };
    struct plumb_input *inputs = PLUMB_NEW_ARRAY(fx->arena, PLUMB_COUNT(files), struct plumb_input);

    *r = (struct plumb_run){.session = &fx->session, .inputs = inputs};
    r->model = PLUMB_NEW(fx->arena, struct plumb_model);
    for (size_t i = 0; i < PLUMB_COUNT(files); i++) {
        if (files[i].text != NULL)
            inputs[r->input_count++] =
                (struct plumb_input){.path = files[i].name,
                                     .shown = files[i].name,
                                     .kind = files[i].kind,
                                     .src = fx_source(fx, files[i].name, files[i].text),
                                     .group = "m"};
    }
    plumb_pass_read_captures(r);
    plumb_pass_bind_hardware(r);
    assert_int_equal(r->model->hardware_count, 1);
    return r->model->hardware[0];
}

static void slurmd_decides_where_hwloc_is_missing(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r;
    struct plumb_hardware *hw = bind(
        fx, &r, NULL, NULL, NODE "RealMemory=257700 Gres=gpu:h100:4\nUpTime=1-00:00:00\n", NULL);

    fx_expect_nothing_else(fx);
    assert_int_equal(hw->core_count.v, 16);
    assert_int_equal(hw->thread_count.v, 32);
    assert_int_equal(hw->threads_per_core.v, 2);
    assert_int_equal(hw->sockets[PLUMB_SOCKET_PACKAGE].sockets, 2);
    assert_int_equal(hw->sockets[PLUMB_SOCKET_PACKAGE].cores_per_socket, 8);
    assert_int_equal(hw->memory_bytes.v, (uint64_t)257700 << 20);
    assert_int_equal(hw->gpu_count, 4);
    assert_int_equal(plumb_source_place(&fx->session.sources, hw->memory_bytes.at).column, 92);

    hw = bind(fx, &r, NULL, NULL,
              NODE "RealMemory=1 Parameters=numa_node_as_socket\nUpTime=1-00:00:00\n", NULL);
    assert_int_equal(hw->sockets[PLUMB_SOCKET_PACKAGE].sockets, 0);
    assert_int_equal(hw->sockets[PLUMB_SOCKET_NUMA].sockets, 2);
}

static void lists_name_the_gpus_of_other_captures(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r;
    struct plumb_hardware *hw =
        bind(fx, &r, GPU0 "  MIG 1g.10gb Device 0: (UUID: MIG-1)\n", NULL, NULL,
             "\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \t0-31\t0\n");

    fx_expect_nothing_else(fx);
    assert_int_equal(hw->gpu_count, 1);
    assert_string_equal(hw->gpus[0].model, "NVIDIA H100 80GB HBM3");
    assert_string_equal(hw->gpus[0].uuid, "GPU-1");
    assert_true(hw->gpus[0].mig);
    assert_int_equal(hw->gpus[0].mig_count, 1);
    assert_string_equal(hw->gpus[0].migs[0].profile, "1g.10gb");
    assert_int_equal(hw->gpus[0].numa.n, 0);
}

static void contradicting_lists_are_shown_with_both_places(void **state)
{
    static const struct {
        const char *list, *query, *slurmd;
        const char *code; /* NULL: none */
    } rows[] = {
        {"GPU 0: NVIDIA H100 (UUID: GPU-1)\n", QUERY("00000000:1B:00.0", "3"), NULL, NULL},
        {"GPU 0: H100 (UUID: GPU-1)\n", QUERY("00000000:1B:00.0", "3"), NULL, NULL},
        {"GPU 0: NVIDIA H200 (UUID: GPU-1)\n", QUERY("00000000:1B:00.0", "3"), NULL, "HW025"},
        {"GPU 0: NVIDIA H100 (UUID: GPU-2)\n", QUERY("00000000:1B:00.0", "3"), NULL, "HW025"},
        {GPU0 "GPU 1: NVIDIA H100 (UUID: GPU-2)\n", QUERY("00000000:1B:00.0", "3"), NULL, "HW020"},
        {GPU0, NULL, NODE "RealMemory=1 Gres=gpu:h100:1", NULL},
        {GPU0, NULL, NODE "RealMemory=1 Gres=gpu:h100:2", "HW020"},
        {GPU0 "MIG 1g.10gb Device 0: (UUID: M)", NULL, NODE "RealMemory=1 Gres=gpu:1g.10gb:7",
         NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_run r;

        fx_row(fx, i, rows[i].list);
        (void)bind(fx, &r, rows[i].list, rows[i].query, rows[i].slurmd, NULL);
        if (rows[i].code != NULL) {
            const struct plumb_diag *d = fx->session.sink.items[0];

            assert_int_equal(fx->session.sink.count, 1);
            assert_string_equal(d->rule->code, rows[i].code);
            assert_int_equal(d->notes.count, 1);
            assert_int_not_equal(d->notes.items[0].at.file, d->at.file);
        } else {
            fx_expect_nothing_else(fx);
        }
    }
}

/* Recorded output: read without a finding, and what a person sees in it. */
static void recorded_output_is_read(void **state)
{
    static const struct {
        const char *file;
        size_t gpus;
        const char *model; /* of the first; NULL: none */
        size_t migs;       /* of all */
        uint64_t threads, memory_mib;
    } rows[] = {
        {"nvidia-smi-L/a100-80g-pcie-2x3g40.txt", 1, "NVIDIA A100 80GB PCIe", 2, 0, 0},
        {"nvidia-smi-L/a100-sxm-4.txt", 4, "NVIDIA A100-SXM4-80GB", 0, 0, 0},
        {"nvidia-smi-L/dgx-station-a100-display-gpu-mig.txt", 5, "NVIDIA A100-SXM4-80GB", 3, 0, 0},
        {"nvidia-smi-L/h100-mixed-3g-2g-1g-1g.txt", 1, "NVIDIA H100 80GB HBM3", 4, 0, 0},
        {"nvidia-smi-L/h100-pcie-7x1g10.txt", 1, "NVIDIA H100 PCIe", 7, 0, 0},
        {"nvidia-smi-L/l40s-1.txt", 1, "NVIDIA L40S", 0, 0, 0},
        {"slurmd-C/aws-c5-36.txt", 0, NULL, 0, 36, 70305},
        {"slurmd-C/h100-8-2x48.txt", 0, NULL, 0, 192, 2063853},
        {"slurmd-C/l40s-4-interleaved.txt", 0, NULL, 0, 128, 1031051},
        {"nvidia-smi-xml/a100-sxm4-v12.xml", 1, "NVIDIA A100-SXM4-80GB", 4, 0, 0},
        {"nvidia-smi-xml/rtx-3080-v13.xml", 1, "NVIDIA GeForce RTX 3080", 0, 0, 0},
        {"nvidia-smi-xml/tesla-t4.xml", 1, "Tesla T4", 0, 0, 0},
    };
    struct fixture *fx = *state;
    struct plumb_span nowhere = {0};

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_run r = {.session = &fx->session};
        struct plumb_source *src = NULL;
        const char *path = fx_shared(
            fx->arena, plumb_arena_printf(fx->arena, "corpus/topologies/%s", rows[i].file));
        size_t migs = 0;

        if (plumb_source_load(&fx->session.sources, path, NULL, &src) != PLUMB_OK) {
            print_message("skipped: no recorded output at %s\n", path);
            skip();
        }
        fx_row(fx, i, rows[i].file);
        r.model = PLUMB_NEW(fx->arena, struct plumb_model);
        assert_non_null(plumb_captures_open(&r, path, nowhere));
        plumb_pass_bind_hardware(&r);
        fx_expect_nothing_else(fx);

        const struct plumb_hardware *hw = r.model->hardware[0];

        assert_int_equal(hw->gpu_count, rows[i].gpus);
        for (size_t g = 0; g < hw->gpu_count; g++)
            migs += hw->gpus[g].mig_count;
        if (rows[i].model != NULL)
            assert_string_equal(hw->gpus[0].model, rows[i].model);
        assert_int_equal(migs, rows[i].migs);
        assert_int_equal(hw->thread_count.v, rows[i].threads);
        assert_int_equal(hw->memory_bytes.v >> 20, rows[i].memory_mib);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fx_setup, fx_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lists_are_read),
        TEST(node_lines_are_read),
        TEST(queries_are_read),
        TEST(cut_queries_show_no_gpus),
        TEST(captures_are_known_by_their_content),
        TEST(slurmd_decides_where_hwloc_is_missing),
        TEST(lists_name_the_gpus_of_other_captures),
        TEST(contradicting_lists_are_shown_with_both_places),
        TEST(recorded_output_is_read),
    };

    return cmocka_run_group_tests_name("smi_gpus", tests, NULL, NULL);
}
