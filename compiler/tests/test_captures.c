/* SPDX-License-Identifier: Apache-2.0 */
/* Captures become one machine: worked examples, contradictions, names. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "emit/topo.h"
#include "passes/captures.h"
#include "syntax/json.h"

static void run_init(struct fixture *fx, struct plumb_run *r)
{
    *r = (struct plumb_run){.session = &fx->session};
    r->model = PLUMB_NEW(fx->arena, struct plumb_model);
    r->reference_dir = PLUMB_SOURCE_DIR "/topologies";
}

static const char *text_of(struct fixture *fx, const struct plumb_bits *b)
{
    struct plumb_buf out = plumb_buf_in(fx->arena);

    plumb_bits_text(b, &out);
    return plumb_buf_text(&out);
}

/* One GPU: its node, its cores, and Cores= for the two ways of counting that matter. */
struct gpu {
    const char *cores;
    uint32_t numa; /* the system's number */
    const char *by_package, *by_numa;
};

struct example {
    const char *name; /* a reference, or a file of the shared captures */
    bool builtin;
    struct plumb_hw_sockets package, numa;
    uint32_t threads_per_core;
    bool nvswitch, incomplete;
    size_t gpu_count;
    struct gpu gpus[8];
    const char *links0; /* Links= of GPU 0; NULL: unknown */
};

/* Numbers of facts about cores and sockets, worked examples; machine table of references. */
static const struct example examples[] = {
    {"v2-turin-2x9555-nps4-4xh200-nvml.xml",
     false,
     {2, 64, false},
     {8, 16, false},
     2,
     false,
     false,
     4,
     {{"16-31", 1, "0-63", "16-31"},
      {"32-47", 2, "0-63", "32-47"},
      {"96-111", 6, "64-127", "96-111"},
      {"112-127", 7, "64-127", "112-127"}},
     "-1,6,6,6"},
    {"v2-spr-2x8480-snc4-4xh100-xe8640.xml",
     false,
     {2, 56, false},
     {8, 14, false},
     2,
     false,
     false,
     4,
     {{"42-55", 3, "0-55", "42-55"},
      {"14-27", 1, "0-55", "14-27"},
      {"98-111", 7, "56-111", "98-111"},
      {"70-83", 5, "56-111", "70-83"}},
     "-1,6,6,6"},
    {"v2-r740-2gpu-nvml.xml",
     false,
     {2, 20, false},
     {2, 20, false},
     1,
     false,
     false,
     2,
     {{"0-19", 0, "0-19", "0-19"}, {"20-39", 1, "20-39", "20-39"}},
     NULL},
    {"v2-lassen-p9-4xv100-nvml.xml",
     false,
     {2, 20, false},
     {2, 20, false},
     4,
     false,
     true,
     4,
     {{"0-19", 0, "0-19", "0-19"},
      {"0-19", 0, "0-19", "0-19"},
      {"20-39", 8, "20-39", "20-39"},
      {"20-39", 8, "20-39", "20-39"}},
     NULL},
    {"dgx-h100",
     true,
     {2, 56, false},
     {2, 56, false},
     2,
     true,
     false,
     8,
     {{"0-55", 0, "0-55", "0-55"},
      {"0-55", 0, "0-55", "0-55"},
      {"0-55", 0, "0-55", "0-55"},
      {"0-55", 0, "0-55", "0-55"},
      {"56-111", 1, "56-111", "56-111"},
      {"56-111", 1, "56-111", "56-111"},
      {"56-111", 1, "56-111", "56-111"},
      {"56-111", 1, "56-111", "56-111"}},
     "-1,0,0,0,0,0,0,0"},
    {"hgx-a100-8",
     true,
     {2, 64, false},
     {8, 16, false},
     2,
     true,
     false,
     8,
     {{"48-63", 3, "0-63", "48-63"},
      {"48-63", 3, "0-63", "48-63"},
      {"16-31", 1, "0-63", "16-31"},
      {"16-31", 1, "0-63", "16-31"},
      {"112-127", 7, "64-127", "112-127"},
      {"112-127", 7, "64-127", "112-127"},
      {"80-95", 5, "64-127", "80-95"},
      {"80-95", 5, "64-127", "80-95"}},
     "-1,0,0,0,0,0,0,0"},
};

static void check_sockets(const struct plumb_hw_sockets *got, const struct plumb_hw_sockets *want)
{
    assert_int_equal(got->sockets, want->sockets);
    assert_int_equal(got->cores_per_socket, want->cores_per_socket);
    assert_int_equal(got->uneven, want->uneven);
}

static void check_gpu(struct fixture *fx, const struct plumb_hardware *hw, uint32_t i,
                      const struct gpu *want)
{
    const struct plumb_hw_gpu *g = &hw->gpus[i];
    struct plumb_cores cores;

    assert_int_equal(g->index.n, i);
    assert_string_equal(text_of(fx, &g->cores.bits), want->cores);
    assert_int_equal(hw->numa[g->numa.n].os_index.n, want->numa);
    assert_true(plumb_hardware_gres_cores(hw, (struct plumb_gpu){i}, PLUMB_SOCKET_PACKAGE,
                                          fx->arena, &cores));
    assert_string_equal(text_of(fx, &cores.bits), want->by_package);
    assert_true(
        plumb_hardware_gres_cores(hw, (struct plumb_gpu){i}, PLUMB_SOCKET_NUMA, fx->arena, &cores));
    assert_string_equal(text_of(fx, &cores.bits), want->by_numa);
}

static void check_example(struct fixture *fx, const struct example *e,
                          const struct plumb_hardware *hw)
{
    struct plumb_buf links = plumb_buf_in(fx->arena);

    check_sockets(&hw->sockets[PLUMB_SOCKET_PACKAGE], &e->package);
    check_sockets(&hw->sockets[PLUMB_SOCKET_NUMA], &e->numa);
    assert_int_equal(hw->threads_per_core.v, e->threads_per_core);
    assert_int_equal(hw->nvswitch, e->nvswitch);
    assert_int_equal(hw->incomplete_cpus, e->incomplete);
    assert_int_equal(hw->gpu_count, e->gpu_count);
    for (uint32_t i = 0; i < e->gpu_count; i++)
        check_gpu(fx, hw, i, &e->gpus[i]);
    assert_int_equal(hw->links_known, e->links0 != NULL);
    plumb_hardware_links_text(hw, (struct plumb_gpu){0}, &links);
    if (e->links0 != NULL)
        assert_string_equal(plumb_buf_text(&links), e->links0);
}

static const char *shared_file(struct fixture *fx, const char *name)
{
    return fx_shared(fx->arena, plumb_arena_printf(fx->arena, "corpus/topologies/%s", name));
}

static bool have_shared(struct fixture *fx)
{
    struct plumb_source *src = NULL;

    return plumb_source_load(&fx->session.sources, shared_file(fx, "PROVENANCE.tsv"), "probe",
                             &src) == PLUMB_OK;
}

static void machines_are_those_of_the_worked_examples(void **state)
{
    struct fixture *fx = *state;
    bool shared = have_shared(fx);
    struct plumb_span nowhere = {0};

    for (size_t i = 0; i < PLUMB_COUNT(examples); i++) {
        const struct example *e = &examples[i];
        struct plumb_run r;

        if (!e->builtin && !shared)
            continue;
        run_init(fx, &r);
        fx_row(fx, i, e->name);

        const char *name =
            e->builtin ? e->name
                       : shared_file(fx, plumb_arena_printf(fx->arena, "hwloc/%s", e->name));
        struct plumb_capture_group *g = plumb_captures_open(&r, name, nowhere);

        assert_non_null(g);
        plumb_pass_bind_hardware(&r);
        assert_int_equal(r.model->hardware_count, 1);
        assert_ptr_equal(r.model->hardware[0], g->hardware);
        check_example(fx, e, g->hardware);
        if (e->builtin)
            fx_expect_nothing_else(fx);
    }
    if (!shared)
        print_message("skipped: the recorded machines, no captures under %s\n",
                      shared_file(fx, ""));
}

/* The matrix and the hwloc file of one reference, one of them with a word replaced. */
static const char *edited(struct fixture *fx, const char *file, const char *from, const char *to)
{
    struct plumb_source *src = NULL;
    const char *path = plumb_arena_printf(fx->arena, "%s/topologies/%s", PLUMB_SOURCE_DIR, file);
    struct plumb_buf out = plumb_buf_in(fx->arena);

    assert_int_equal(plumb_source_load(&fx->session.sources, path, NULL, &src), PLUMB_OK);
    if (from == NULL)
        return src->bytes;

    const char *at = strstr(src->bytes, from);

    assert_non_null(at);
    plumb_buf_add(&out, src->bytes, (size_t)(at - src->bytes));
    plumb_buf_str(&out, to);
    plumb_buf_str(&out, at + strlen(from));
    return plumb_buf_text(&out);
}

static struct plumb_hardware *bind_two(struct fixture *fx, struct plumb_run *r, const char *hwloc,
                                       const char *matrix)
{
    struct plumb_input *inputs = PLUMB_NEW_ARRAY(fx->arena, 2, struct plumb_input);
    struct plumb_source *xml = fx_source(fx, "m/hwloc.xml", hwloc);
    struct plumb_source *smi = fx_source(fx, "m/topo-m.txt", matrix);

    run_init(fx, r);
    inputs[0] = (struct plumb_input){.path = "m/hwloc.xml",
                                     .shown = "m/hwloc.xml",
                                     .kind = PLUMB_KIND_HWLOC,
                                     .src = xml,
                                     .group = "m"};
    inputs[1] = (struct plumb_input){.path = "m/topo-m.txt",
                                     .shown = "m/topo-m.txt",
                                     .kind = PLUMB_KIND_SMI_TOPO,
                                     .src = smi,
                                     .group = "m"};
    r->inputs = inputs;
    r->input_count = 2;
    plumb_pass_read_captures(r);
    plumb_pass_bind_hardware(r);
    assert_int_equal(r->model->hardware_count, 1);
    return r->model->hardware[0];
}

static void contradictions_are_shown_with_both_places(void **state)
{
    static const struct {
        const char *hwloc_from, *hwloc_to, *matrix_from, *matrix_to;
        const char *code; /* NULL: none */
        uint32_t line;    /* of the matrix */
    } rows[] = {
        {NULL, NULL, NULL, NULL, NULL, 0},
        /* GPU 0 said to be at node 1 */
        {NULL, NULL, "0-55,112-167\t0\t\tN/A", "56-111,168-223\t1\t\tN/A", "HW021", 2},
        /* a job's cgroup, a cut list, or nothing: no contradiction */
        {NULL, NULL, "0-55,112-167\t0\t\tN/A", "0\t0\t\tN/A", NULL, 0},
        {NULL, NULL, "0-55,112-167\t0\t\tN/A", "\t0\t\tN/A", NULL, 0},
        {NULL, NULL, "0-55,112-167\t0\t\tN/A", "0,2,4,6,8,10\t0\t\tN/A", NULL, 0},
        {NULL, NULL, "0-55,112-167\t0\t\tN/A", "0-55,112-167\t0-1\t\tN/A", NULL, 0},
        /* the same node, with CPUs that another machine has there */
        {NULL, NULL, "0-55,112-167\t0\t\tN/A", "0-19,40-59\t0\t\tN/A", "HW022", 2},
        /* without a node: the CPUs are those of the other node */
        {NULL, NULL, "0-55,112-167\t0\t\tN/A", "56-111,168-223\tN/A\t\tN/A", "HW022", 2},
        /* one GPU of the hwloc file is no NVIDIA device */
        {"0302 [10de:2330] [10de:16c1] a1", "0200 [15b3:1021] [15b3:0041] 00", NULL, NULL, NULL, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_run r;
        const char *xml = edited(fx, "dgx-h100/hwloc.xml", rows[i].hwloc_from, rows[i].hwloc_to);
        const char *smi = edited(fx, "dgx-h100/topo-m.txt", rows[i].matrix_from, rows[i].matrix_to);

        fx_row(fx, i, rows[i].matrix_to != NULL ? rows[i].matrix_to : "whole");

        struct plumb_hardware *hw = bind_two(fx, &r, xml, smi);

        assert_int_equal(hw->gpu_count, 8);
        /* what two captures tell differently is told by neither */
        assert_string_equal(text_of(fx, &hw->gpus[0].cores.bits),
                            rows[i].code != NULL ? "" : "0-55");
        if (rows[i].code != NULL) {
            const struct plumb_diag *d = fx->session.sink.items[0];

            assert_int_equal(fx->session.sink.count, 1);
            assert_string_equal(d->rule->code, rows[i].code);
            assert_int_equal(plumb_source_place(&fx->session.sources, d->at).line, rows[i].line);
            assert_int_equal(d->notes.count, 1);
            assert_int_not_equal(d->notes.items[0].at.file, d->at.file);
        } else {
            fx_expect_nothing_else(fx);
        }
    }
}

static void a_matrix_of_other_gpus_is_not_used(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r;
    struct plumb_hardware *hw =
        bind_two(fx, &r, edited(fx, "dgx-h100/hwloc.xml", NULL, NULL),
                 "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\t0\t1\n"
                 "GPU1\tNV18\t X \t0\t1\n");

    fx_expect_at(fx, "HW020", 3, 1);
    fx_expect_nothing_else(fx);
    assert_int_equal(hw->gpu_count, 8);
    assert_int_equal(hw->numa[hw->gpus[0].numa.n].os_index.n, 0);
    assert_int_equal(plumb_hardware_links(hw, (struct plumb_gpu){0}, (struct plumb_gpu){1}), 0);
}

static void links_of_two_captures_are_compared(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r;

    if (!have_shared(fx)) {
        print_message("skipped: no captures under %s\n", shared_file(fx, ""));
        skip();
    }

    struct plumb_source *src = NULL;
    const char *path = shared_file(fx, "hwloc/v2-turin-2x9555-nps4-4xh200-nvml.xml");

    assert_int_equal(plumb_source_load(&fx->session.sources, path, NULL, &src), PLUMB_OK);

    struct plumb_hardware *hw = bind_two(fx, &r, src->bytes,
                                         "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity\n"
                                         "GPU0\t X \tNV6\tNV6\tNV4\t16-31,144-159\t1\n"
                                         "GPU1\tNV6\t X \tNV6\tNV6\t32-47,160-175\t2\n"
                                         "GPU2\tNV6\tNV6\t X \tNV6\t96-111,224-239\t6\n"
                                         "GPU3\tNV4\tNV6\tNV6\t X \t112-127,240-255\t7\n");

    fx_expect_at(fx, "HW023", 2, 18);
    fx_expect_nothing_else(fx);
    assert_int_equal(plumb_hardware_links(hw, (struct plumb_gpu){0}, (struct plumb_gpu){1}), 6);
}

static void matrices_alone_tell_nodes_and_links(void **state)
{
    static const struct {
        const char *file;
        bool nvswitch;
        int numa0;         /* -1: unknown */
        const char *cpus0; /* of GPU 0 */
        const char *links0;
        const char *code; /* why the CPUs are not told; NULL */
        uint32_t column;
    } rows[] = {
        {"hgx-h200-8gpu-8nic-epyc9534.txt", true, 0, "0-63,128-191", "-1,0,0,0,0,0,0,0", NULL, 0},
        {"dgx1v-8xv100-4nic-reordered-columns.txt", false, -1, "0-19,40-59", "-1,1,1,2,2,0,0,0",
         NULL, 0},
        {"a100-4-intel-2x24-1nic.txt", false, 0, "0-23", "-1,4,4,4", NULL, 0},
        {"a100-pcie-4-nvlink-pairs-2x52.txt", false, 0, "0-51,104-155", "-1,12,0,0", NULL, 0},
        {"a100-4-nv12-asymmetric-sockets.txt", true, 0, "0-31,64-95", "-1,0,0,0", NULL, 0},
        {"gb200-4gpu-8nic.txt", true, 0, "0-71", "-1,0,0,0", NULL, 0},
        {"polaris-4xa100-2slingshot-nps4.txt", false, 3, "24-31,56-63", "-1,4,4,4", NULL, 0},
        {"dgx-a100-12nic-mlx5names-nps4.txt", true, 3, "48-63,176-191", "-1,0,0,0,0,0,0,0", NULL,
         0},
        {"a100-4-job-0-64-numa-range.txt", false, -1, "", "-1,4,4,4", "HW063", 26},
        {"hgx-8gpu-in-job-cgroup-empty-affinity.txt", true, 0, "", "-1,0,0,0,0,0,0,0", "HW063", 1},
        {"pcie-8gpu-12nic-interleaved-truncated-affinity.txt", false, 0, "", "-1,0,0,0,0,0,0,0",
         "HW064", 92},
        {"v100-8gpu-vm-phb-flat.txt", false, -1, "", "-1,1,1,2,2,0,0,0", NULL, 0},
    };
    struct fixture *fx = *state;
    struct plumb_span nowhere = {0};

    if (!have_shared(fx)) {
        print_message("skipped: no captures under %s\n", shared_file(fx, ""));
        skip();
    }
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_run r;
        struct plumb_buf links = plumb_buf_in(fx->arena);
        const char *name = plumb_arena_printf(fx->arena, "nvidia-smi-topo/%s", rows[i].file);

        run_init(fx, &r);
        fx_row(fx, i, rows[i].file);
        assert_non_null(plumb_captures_open(&r, shared_file(fx, name), nowhere));
        plumb_pass_bind_hardware(&r);

        const struct plumb_hardware *hw = r.model->hardware[0];
        const struct plumb_hw_gpu *g = &hw->gpus[0];

        assert_int_equal(hw->nvswitch, rows[i].nvswitch);
        assert_int_equal(!plumb_numa_known(g->numa) ? -1 : (int)hw->numa[g->numa.n].os_index.n,
                         rows[i].numa0);
        assert_string_equal(text_of(fx, &g->cpus.bits), rows[i].cpus0);
        plumb_hardware_links_text(hw, (struct plumb_gpu){0}, &links);
        assert_string_equal(plumb_buf_text(&links), rows[i].links0);
        if (rows[i].code != NULL)
            fx_expect_at(fx, rows[i].code, 2, rows[i].column);
        fx_expect_nothing_else(fx);
    }
}

static void names_lead_to_captures(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r;
    struct plumb_source *spec = fx_source(fx, "cluster.yaml", "topology: dgx-h10");
    struct plumb_span at = {spec->id, 10, 17};

    run_init(fx, &r);

    struct plumb_capture_group *g = plumb_captures_open(&r, "dgx-h100", at);

    assert_non_null(g);
    assert_true(g->builtin);
    assert_ptr_equal(plumb_captures_open(&r, "dgx-h100", at), g);
    assert_true((r.facts & PLUMB_FACT_CAPTURES) != 0);
    assert_string_equal(g->hwloc == NULL ? "" : g->first->path, "topologies/dgx-h100/hwloc.xml");
    assert_null(plumb_captures_open(&r, "dgx-h10", at));
    fx_expect(fx, "HW010", 10, 17);
    assert_string_equal(fx->session.sink.items[0]->help.items[0], "did you mean 'dgx-h100'?");
    assert_null(plumb_captures_open(&r, "dgx-h10", at)); /* once is enough */
    fx_expect_nothing_else(fx);
    assert_null(plumb_captures_open(&r, PLUMB_SOURCE_DIR "/topologies/README.md", at));
    fx_expect(fx, "HW011", 10, 17);
    assert_null(plumb_captures_open(&r, PLUMB_SOURCE_DIR "/doc/design", at));
    fx_expect(fx, "HW011", 10, 17);
    fx_expect_nothing_else(fx);
}

static void nodes_tell_what_can_be_allocated(void **state)
{
    static const struct {
        const char *text;
        const char *code; /* NULL: none */
        size_t nodes;
        uint64_t allocatable; /* of the first; UINT64_MAX: absent */
        const char *resource;
    } rows[] = {
        {"{\"kind\": \"Node\", \"metadata\": {\"name\": \"a\"}, \"status\": {\"allocatable\": "
         "{\"nvidia.com/gpu\": \"7\"}, \"capacity\": {\"nvidia.com/gpu\": 8}}}",
         NULL, 1, 7, "nvidia.com/gpu"},
        {"{\"kind\": \"List\", \"items\": [{\"kind\": \"Node\"}, {\"kind\": \"Pod\"}]}", NULL, 1,
         UINT64_MAX, NULL},
        {"{\"kind\": \"NodeList\", \"items\": [{\"metadata\": {}}, {\"metadata\": {}}]}", NULL, 2,
         UINT64_MAX, NULL},
        {"{\"kind\": \"Node\", \"status\": {\"allocatable\": {\"nvidia.com/gpu\": \"0\", "
         "\"nvidia.com/mig-1g.10gb\": \"7\"}}}",
         NULL, 1, 7, "nvidia.com/mig-1g.10gb"},
        {"{\"kind\": \"Node\", \"status\": {\"allocatable\": {\"nvidia.com/gpu\": \"eight\"}}}",
         "HW015", 1, UINT64_MAX, "nvidia.com/gpu"},
        {"kind: Node\nmetadata: {name: b}\nstatus: {allocatable: {nvidia.com/gpu: '4'}}\n", NULL, 1,
         4, "nvidia.com/gpu"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_input in = {.path = "n.json", .shown = "n.json", .kind = PLUMB_KIND_KUBE};
        struct plumb_run r;

        run_init(fx, &r);
        fx_row(fx, i, rows[i].text);
        in.src = fx_source(fx, "n.json", rows[i].text);
        r.inputs = &in;
        r.input_count = 1;
        plumb_pass_read_captures(&r);
        plumb_pass_bind_hardware(&r);
        assert_int_equal(r.model->hardware_count, 1);

        const struct plumb_hardware *hw = r.model->hardware[0];

        assert_int_equal(hw->kube_node_count, rows[i].nodes);
        if (rows[i].allocatable != UINT64_MAX)
            assert_int_equal(hw->kube_nodes[0].gpu_allocatable.v, rows[i].allocatable);
        else
            assert_false(plumb_usable(hw->kube_nodes[0].gpu_allocatable));
        if (rows[i].resource != NULL)
            assert_string_equal(hw->kube_nodes[0].gpu_resource, rows[i].resource);
        if (rows[i].code != NULL)
            assert_string_equal(fx->session.sink.items[fx->seen++]->rule->code, rows[i].code);
        fx_expect_nothing_else(fx);
    }
}

/* Facts: what was run with 22.05.8 to 26.05.5 on four sockets. */
static void the_socket_law_is_told_by_release(void **state)
{
    static const struct {
        const char *cores;
        const char *accepted;
    } rows[] = {
        {"0-15", "every release"}, {"16-31", "every release"},    {"0-63", "every release"},
        {"0-31", "up to 25.05"},   {"0-15,32-47", "up to 25.05"}, {"0-7", "up to 24.05"},
        {"0-16", "up to 24.05"},
    };
    struct fixture *fx = *state;
    struct plumb_hardware hw = {0};

    hw.sockets[PLUMB_SOCKET_PACKAGE] = (struct plumb_hw_sockets){4, 16, false};
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice text = fx_slice(fx, rows[i].cores);
        struct plumb_cores cores;
        size_t fault = 0;

        fx_row(fx, i, rows[i].cores);
        assert_true(plumb_cores_read(fx->arena, &text, &cores, &fault));
        assert_string_equal(
            plumb_hardware_accept_name(plumb_hardware_accepts(&hw, PLUMB_SOCKET_PACKAGE, &cores)),
            rows[i].accepted);
    }
}

static void the_text_says_what_to_write(void **state)
{
    static const char *const lines[] = {
        "  CPUs=256 Boards=1 SocketsPerBoard=2 CoresPerSocket=64 ThreadsPerCore=2 RealMemory=",
        "  CPUs=256 Boards=1 SocketsPerBoard=8 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=",
        "SlurmdParameters=numa_node_as_socket",
        "  0    48-63            up to 24.05  0-63 ",
        "  0    48-63            every release  48-63 ",
        "GPU6     NV12  NV12 ",
    };
    struct fixture *fx = *state;
    struct plumb_run r;
    struct plumb_span nowhere = {0};
    struct plumb_buf out = plumb_buf_in(fx->arena), json = plumb_buf_in(fx->arena);

    run_init(fx, &r);
    assert_non_null(plumb_captures_open(&r, "hgx-a100-8", nowhere));
    plumb_pass_bind_hardware(&r);
    plumb_topo_text(&out, r.model->hardware[0], &fx->session);
    for (size_t i = 0; i < PLUMB_COUNT(lines); i++) {
        if (strstr(plumb_buf_text(&out), lines[i]) == NULL)
            fail_msg("no line with '%s' in:\n%s", lines[i], plumb_buf_text(&out));
    }
    plumb_json_write(&json, plumb_topo_json(fx->arena, r.model->hardware[0], &fx->session), NULL);

    struct plumb_node *back =
        plumb_json_read(&fx->session, fx_source(fx, "topo.json", plumb_buf_text(&json)));

    assert_non_null(back);
    assert_string_equal(plumb_node_text(plumb_node_path(back, "slurm/threads_per_core")), "2");
    assert_int_equal(plumb_node_get(back, "gpus")->count, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(machines_are_those_of_the_worked_examples, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(contradictions_are_shown_with_both_places, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_matrix_of_other_gpus_is_not_used, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(links_of_two_captures_are_compared, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(matrices_alone_tell_nodes_and_links, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(names_lead_to_captures, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(nodes_tell_what_can_be_allocated, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_socket_law_is_told_by_release, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_text_says_what_to_write, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("captures", tests, NULL, NULL);
}
