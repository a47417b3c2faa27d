/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of NCCL as captures, and the way round: dump, machine, skeleton, and that read again keeps
 * every GPU and NIC with its bus id, class, NUMA node and the CPUs of that.
 */
#include "fixture.h"

#include <dirent.h>
#include <string.h>

#include "base/text.h"
#include "capture/nccl.h"
#include "nccl/nccl.h"
#include "nccl_dialect.h"
#include "passes/captures.h"

static struct plumb_hardware *bind_dump(struct fixture *fx, struct plumb_source *src)
{
    struct plumb_model *model = PLUMB_NEW(fx->arena, struct plumb_model);
    struct plumb_input *in = PLUMB_NEW(fx->arena, struct plumb_input);
    struct plumb_run run = {
        .session = &fx->session, .model = model, .inputs = in, .input_count = 1};

    *in = (struct plumb_input){
        .path = src->path, .shown = src->path, .kind = PLUMB_KIND_NCCL_DUMP, .src = src};
    plumb_pass_read_captures(&run);
    plumb_pass_bind_hardware(&run);
    return model->hardware_count == 1 ? model->hardware[0] : NULL;
}

static const struct plumb_nccl_pci *find(const struct plumb_nccl *n, const char *bus_id)
{
    for (size_t i = 0; i < n->pci_count; i++) {
        if (plumb_usable(n->pci[i].bus_id) && strcmp(n->pci[i].bus_id.v, bus_id) == 0)
            return &n->pci[i];
    }
    return NULL;
}

/* The same CPUs in other digits: "c0c0" and "0000c0c0". */
static bool same_mask(struct fixture *fx, const char *a, const char *b)
{
    uint64_t *x = NULL, *y = NULL;
    uint32_t m = 0, n = 0;

    if (!plumb_nccl_mask(fx->arena, a, &x, &m) || !plumb_nccl_mask(fx->arena, b, &y, &n))
        return false;
    for (uint32_t i = 0; i < m || i < n; i++) {
        if ((i < m ? x[i] : 0) != (i < n ? y[i] : 0))
            return false;
    }
    return true;
}

static void check_device(struct fixture *fx, const char *file, const struct plumb_nccl *was,
                         const struct plumb_nccl_pci *p, const struct plumb_nccl *is)
{
    const struct plumb_nccl_pci *q = find(is, p->bus_id.v);
    const struct plumb_nccl_numa *from = &was->cpus[p->numa], *to = NULL;

    if (q == NULL)
        fail_msg("%s: %s is lost", file, p->bus_id.v);
    to = &is->cpus[q->numa];
    if (p->class_code != 0 && p->class_code != q->class_code)
        fail_msg("%s: %s has class %x, expected %x", file, p->bus_id.v, q->class_code,
                 p->class_code);
    if (p->is_gpu != q->is_gpu || p->is_nic != q->is_nic)
        fail_msg("%s: %s is another kind of device", file, p->bus_id.v);
    if (from->numaid.v != to->numaid.v)
        fail_msg("%s: %s is at another NUMA node", file, p->bus_id.v);
    if (plumb_usable(from->affinity) && !same_mask(fx, from->affinity.v, to->affinity.v))
        fail_msg("%s: NUMA node %u has mask %s, expected %s", file, (unsigned)to->numaid.v,
                 to->affinity.v, from->affinity.v);
    if (from->arch != NULL && from->family != 0 &&
        (strcmp(from->arch, to->arch) != 0 || from->model != to->model))
        fail_msg("%s: NUMA node %u has another processor", file, (unsigned)to->numaid.v);
    /* Devices that shared a switch still do. */
    if (p->parent != PLUMB_NCCL_NONE &&
        (q->parent == PLUMB_NCCL_NONE ||
         strcmp(was->pci[p->parent].bus_id.v, is->pci[q->parent].bus_id.v) != 0))
        fail_msg("%s: %s hangs below another bridge", file, p->bus_id.v);
}

/* Files that make no skeleton, with the reason. */
static const struct {
    const char *file, *reason;
} none[] = {
    {"azure-ndv2-8xv100-samemask-BAD.xml", "NUMA nodes 0 and 1 share CPUs"},
    {"azure-ndv4-8xa100-numaswapped-BAD.xml", "NUMA nodes 0 and 1 share CPUs"},
    {"aws-g5-8xa10g.xml", "no GPUs"}, /* nothing tells the class of a device */
    {"aws-p5-2023.xml", "no GPUs"},
};

static const char *reason_for(const char *file)
{
    for (size_t i = 0; i < PLUMB_COUNT(none); i++) {
        if (strcmp(none[i].file, file) == 0)
            return none[i].reason;
    }
    return NULL;
}

static void go_round(struct fixture *fx, const char *file, const char *path)
{
    struct plumb_source *src = NULL, *made = NULL;
    const struct plumb_nccl *was = NULL, *is = NULL;
    struct plumb_hardware *hw = NULL;
    struct plumb_xml *root = NULL;
    struct plumb_buf text = plumb_buf_in(fx->arena);
    const char *reason = NULL, *fault = NULL;

    assert_int_equal(plumb_source_load(&fx->session.sources, path, NULL, &src), PLUMB_OK);
    hw = bind_dump(fx, src);
    assert_non_null(hw);
    was = plumb_nccl_read(&fx->session, src, false);
    root = plumb_nccl_tree(fx->arena, hw, &reason);
    if (root == NULL) {
        if (reason == NULL && hw->gpu_count == 0)
            reason = "no GPUs";
        if (reason_for(file) == NULL || strcmp(reason_for(file), reason) != 0)
            fail_msg("%s: no skeleton: %s", file, reason);
        return;
    }
    plumb_xml_write(&text, root, "skeleton", PLUMB_XML_BARE, NULL);
    fault = nd_check(plumb_buf_text(&text), PLUMB_NEW(fx->arena, struct nd));
    if (fault != NULL)
        fail_msg("%s: %s in\n%s", file, fault, plumb_buf_text(&text));
    made = plumb_source_add(&fx->session.sources, "made", text.text, text.len);
    is = plumb_nccl_read(&fx->session, made, true);
    for (size_t i = 0; i < was->pci_count; i++) {
        if (was->pci[i].is_gpu || (was->pci[i].is_nic && !was->pci[i].plain))
            check_device(fx, file, was, &was->pci[i], is);
    }
}

static void every_dump_goes_round(void **state)
{
    struct fixture *fx = *state;
    const char *folder = fx_shared(fx->arena, "corpus/topologies/nccl");
    DIR *dir = NULL;
    size_t count = 0;

    dir = opendir(folder);
    if (dir == NULL) {
        print_message("skipped: no captures at '%s'\n", folder);
        skip();
    }
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        if (!plumb_ends_with(e->d_name, ".xml") || plumb_starts_with(e->d_name, "rccl-") ||
            plumb_ends_with(e->d_name, "-graph.xml"))
            continue; /* of another vendor, or no topology */
        go_round(fx, e->d_name, plumb_arena_printf(fx->arena, "%s/%s", folder, e->d_name));
        count++;
    }
    (void)closedir(dir);
    assert_true(count >= 14);
}

#define GPU(bus, dev, links)                                                                       \
    "<pci busid=\"0000:" bus ":00.0\" class=\"0x030200\"><gpu dev=\"" dev                          \
    "\" sm=\"80\" rank=\"0\">" links "</gpu></pci>\n"
#define LINK(bus, count, class)                                                                    \
    "<nvlink target=\"0000:" bus ":00.0\" count=\"" count "\" tclass=\"" class "\"/>"
#define SYSTEM(devices)                                                                            \
    "<system version=\"1\">\n<cpu numaid=\"0\" affinity=\"ff\">\n" devices "</cpu>\n</system>\n"

static void links_are_counted_by_their_far_end(void **state)
{
    static const struct {
        const char *text;
        bool nvswitch;
        uint32_t links;
        const char *detected; /* Links= of GPU 0 */
    } rows[] = {
        {SYSTEM(GPU("0a", "0", LINK("0b", "4", "0x030200"))
                    GPU("0b", "1", LINK("0a", "4", "0x030200"))),
         false, 4, "-1,4"},
        {SYSTEM(GPU("0a", "0", LINK("1a", "5", "0x068000") LINK("1b", "4", "0x068000"))
                    GPU("0b", "1", LINK("1a", "5", "0x068000") LINK("1b", "4", "0x068000"))),
         true, 9, "-1,0"},
        {SYSTEM(GPU("0a", "0", "") GPU("0b", "1", "")), false, 0, "-1,0"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_buf links = plumb_buf_in(fx->arena);
        struct plumb_hardware *hw = bind_dump(
            fx, plumb_source_add(&fx->session.sources, "in", rows[i].text, strlen(rows[i].text)));

        fx_row(fx, i, rows[i].detected);
        assert_non_null(hw);
        assert_int_equal(hw->gpu_count, 2);
        assert_int_equal(hw->nvswitch, rows[i].nvswitch);
        assert_int_equal(plumb_hardware_links(hw, (struct plumb_gpu){0}, (struct plumb_gpu){1}),
                         rows[i].links);
        assert_int_equal(hw->links_known, rows[i].links > 0);
        plumb_hardware_links_text(hw, (struct plumb_gpu){0}, &links);
        assert_string_equal(plumb_buf_text(&links), rows[i].detected);
        assert_false(plumb_usable(hw->gpu_count_value)); /* a job may use some of them */
    }
}

/* A job on the network alone leaves a dump without GPUs; the list beside it knows no bus. */
static void gpus_that_the_dump_lacks_are_connected_in_no_known_way(void **state)
{
    static const char list[] = "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                               "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)\n";
    static const char dump[] =
        SYSTEM("<pci busid=\"0000:18:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\" dev=\"0\" "
               "speed=\"400000\" port=\"1\" guid=\"0x1\" maxconn=\"1\" gdr=\"1\"/></nic></pci>\n");
    struct fixture *fx = *state;
    struct plumb_model *model = PLUMB_NEW(fx->arena, struct plumb_model);
    struct plumb_input in[] = {
        {.path = "n/nccl-dump.xml",
         .shown = "n/nccl-dump.xml",
         .group = "n",
         .kind = PLUMB_KIND_NCCL_DUMP,
         .src = fx_source(fx, "n/nccl-dump.xml", dump)},
        {.path = "n/smi-L.txt",
         .shown = "n/smi-L.txt",
         .group = "n",
         .kind = PLUMB_KIND_SMI_LIST,
         .src = fx_source(fx, "n/smi-L.txt", list)},
    };
    struct plumb_run run = {
        .session = &fx->session, .model = model, .inputs = in, .input_count = 2};

    plumb_pass_read_captures(&run);
    plumb_pass_bind_hardware(&run);
    assert_int_equal(model->hardware_count, 1);
    assert_int_equal(model->hardware[0]->gpu_count, 2);
    assert_int_equal(model->hardware[0]->nic_count, 1);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(plumb_hardware_cell(model->hardware[0], i / 3, i % 3)->relation,
                         i % 4 == 0 ? PLUMB_REL_SELF : PLUMB_REL_UNKNOWN);
}

/* As on BM.GPU.H100.8 of OCI, where NCCL_IB_HCA names both ports of each adapter. */
static void ports_of_an_adapter_are_devices(void **state)
{
#define NET(name, speed)                                                                           \
    "<net name=\"" name "\" dev=\"0\" speed=\"" speed "\" port=\"1\" guid=\"0x1\" "                \
    "maxconn=\"1\" gdr=\"1\"/>"
    static const char dump[] =
        SYSTEM(GPU("0a", "0", "") "<pci busid=\"0000:0c:00.0\" class=\"0x020000\"><nic>" NET(
            "mlx5_0", "180000") NET("mlx5_1", "200000") "</nic></pci>\n");
    struct fixture *fx = *state;
    struct plumb_hardware *hw = bind_dump(fx, fx_source(fx, "nccl-dump.xml", dump));

    assert_non_null(hw);
    assert_int_equal(hw->nic_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(hw->nics[i].name, i == 0 ? "mlx5_0" : "mlx5_1");
        assert_string_equal(hw->nics[i].bus_id, "0000:0c:00.0");
        assert_int_equal(hw->nics[i].speed_mbits, i == 0 ? 180000 : 200000);
        assert_true(hw->nics[i].infiniband);
    }
    assert_int_equal(plumb_hardware_cell(hw, 1, 2)->relation, PLUMB_REL_PIX);
}

/* The rates of the PCI Express Base Specification, as hwloc shows them: 63.015385 GB/s for 16
 * lanes. */
static void pci_links_have_the_rates_of_their_generation(void **state)
{
    static const struct {
        const char *speed, *width;
        uint32_t mbytes;
    } rows[] = {
        {"2.5 GT/s PCIe", "1", 250},
        {"5.0 GT/s PCIe", "8", 4000},
        {"8.0 GT/s PCIe", "16", 15754},
        {"16.0 GT/s PCIe", "16", 31508},
        {"32.0 GT/s PCIe", "16", 63015},
        {"32 GT/s", "32", 126031},
        {"32.0 GT/s PCIe", "0", 0},
        {"32.0 GT/s PCIe", "33", 0},
        {"Unknown", "16", 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *text = plumb_arena_printf(
            fx->arena,
            SYSTEM("<pci busid=\"0000:0a:00.0\" class=\"0x030200\" link_speed=\"%s\" "
                   "link_width=\"%s\"/>\n"),
            rows[i].speed, rows[i].width);
        const struct plumb_nccl *n =
            plumb_nccl_read(&fx->session, fx_source(fx, "in", text), false);

        fx_row(fx, i, rows[i].speed);
        assert_non_null(n);
        assert_int_equal(n->pci_count, 1);
        assert_int_equal(n->pci[0].link_mbytes, rows[i].mbytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_dump_goes_round, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(links_are_counted_by_their_far_end, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(gpus_that_the_dump_lacks_are_connected_in_no_known_way,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(ports_of_an_adapter_are_devices, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(pci_links_have_the_rates_of_their_generation, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("nccl dumps", tests, NULL, NULL);
}
