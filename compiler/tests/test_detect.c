/* SPDX-License-Identifier: Apache-2.0 */
/* MIG devices of captures: the driver's table, ids and files, and what slurmd makes of them. */
#include "fixture.h"

#include <string.h>

#include "capture/mig_minors.h"
#include "model/detect.h"
#include "passes/captures.h"

static void tables_of_capabilities_are_read(void **state)
{
    static const struct {
        const char *text;
        size_t count;  /* 0: refused */
        unsigned line; /* of the finding */
        uint32_t gpu, instance, part, minor;
    } rows[] = {
        {"config 1\nmonitor 2\ngpu0/gi7/access 66\n", 1, 0, 0, 7, PLUMB_NO_INDEX, 66},
        {"gpu1/gi0/access 138\ngpu1/gi0/ci2/access\t141", 2, 0, 1, 0, 2, 141},
        {"  gpu12/gi14/ci7/access 1757 \r\n", 1, 0, 12, 14, 7, 1757},
        {"config 1\ngpu0/gi7/access\n", 0, 2, 0, 0, 0, 0},
        {"gpu0/gi7/access66\n", 0, 1, 0, 0, 0, 0},
        {"gpu0/gi7/ci/access 66\n", 0, 1, 0, 0, 0, 0},
        {"gpu0/gi7/access 66 67\n", 0, 1, 0, 0, 0, 0},
        {"gpu0/gi7/access 1048576\n", 0, 1, 0, 0, 0, 0},
        {"gpu0/gi99999999999999999999/access 6\n", 0, 1, 0, 0, 0, 0},
        {"gpu/gi7/access 6\n", 0, 1, 0, 0, 0, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_mig_minor *last = NULL;

        fx_row(fx, i, rows[i].text);

        struct plumb_mig_minors *m =
            plumb_mig_minors_read(&fx->session, fx_source(fx, "mig-minors.txt", rows[i].text));

        if (rows[i].count == 0) {
            assert_null(m);
            fx_expect_at(fx, "HW040", rows[i].line, 1);
            continue;
        }
        fx_expect_nothing_else(fx);
        assert_true(plumb_mig_minors_sniff(rows[i].text, strlen(rows[i].text)));
        assert_int_equal(m->count, rows[i].count);
        last = &m->items[m->count - 1];
        assert_int_equal(last->gpu.n, rows[i].gpu);
        assert_int_equal(last->instance.n, rows[i].instance);
        assert_int_equal(last->part.n, rows[i].part);
        assert_int_equal(last->minor.n, rows[i].minor);
    }
}

#define MIG(instance, part, mib)                                                                   \
    "<mig_device><gpu_instance_id>" instance "</gpu_instance_id><compute_instance_id>" part        \
    "</compute_instance_id><fb_memory_usage><total>" mib                                           \
    " MiB</total></fb_memory_usage></mig_device>"
#define QUERY(minor, migs)                                                                         \
    "<nvidia_smi_log><gpu id=\"00000000:1B:00.0\"><product_name>NVIDIA A100-SXM4-40GB"             \
    "</product_name><uuid>GPU-1</uuid><minor_number>" minor "</minor_number>"                      \
    "<mig_mode><current_mig>Enabled</current_mig></mig_mode><mig_devices>" migs                    \
    "</mig_devices></gpu></nvidia_smi_log>"
#define GPU0    "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n"
#define MINORS  "gpu0/gi2/access 21\ngpu0/gi2/ci0/access 22\ngpu0/gi2/ci1/access 23\n"
#define L(name) "  MIG " name " Device 0: (UUID: MIG-1)\n"

/* One machine of three files; NULL: that one is missing. */
static struct plumb_hardware *machine(struct fixture *fx, const char *list, const char *query,
                                      const char *minors)
{
    const struct {
        const char *name, *text;
        enum plumb_source_kind kind;
    } files[] = {
        {"m/smi-L.txt", list, PLUMB_KIND_SMI_LIST},
        {"m/smi-q.xml", query, PLUMB_KIND_SMI_QUERY},
        {"m/mig-minors.txt", minors, PLUMB_KIND_MIG_MINORS},
    };
    struct plumb_input inputs[PLUMB_COUNT(files)];
    struct plumb_run r = {.session = &fx->session, .inputs = inputs};

    r.model = PLUMB_NEW(fx->arena, struct plumb_model);
    for (size_t i = 0; i < PLUMB_COUNT(files); i++) {
        if (files[i].text != NULL)
            inputs[r.input_count++] = (struct plumb_input){
                .path = files[i].name,
                .shown = files[i].name,
                .kind = files[i].kind,
                .src = fx_source(fx, files[i].name, files[i].text),
                .group = "m",
            };
    }
    plumb_pass_read_captures(&r);
    plumb_pass_bind_hardware(&r);
    fx_expect_nothing_else(fx);
    assert_int_equal(r.model->hardware_count, 1);
    return r.model->hardware[0];
}

/* Types, files and links as slurmd -G of 22.05.8, 24.11.5 and 26.05.5 printed them. */
static void devices_are_foretold(void **state)
{
    static const char one[] = "/dev/nvidia0,/dev/nvidia-caps/nvidia-cap21,"
                              "/dev/nvidia-caps/nvidia-cap22";
    static const struct {
        const char *list, *query, *minors;
        enum plumb_release release;
        const char *type, *files, *links; /* of the first device */
        size_t count;
    } rows[] = {
        {GPU0 L("3g.20gb"), QUERY("0", MIG("2", "0", "19968")), MINORS, PLUMB_24_11,
         "nvidia_a100_3g.20gb", one, NULL, 1},
        {GPU0 L("3g.20gb"), QUERY("0", MIG("2", "0", "19968")), MINORS, PLUMB_22_05,
         "nvidia_a100_3g.20gb", one, "-1", 1},
        {GPU0 L("1g.5gb+me"), QUERY("0", MIG("2", "0", "4864")), MINORS, PLUMB_26_05,
         "nvidia_a100_1g.5gb+me", one, NULL, 1},
        {GPU0 L("1g.5gb+me"), QUERY("0", MIG("2", "0", "4864")), MINORS, PLUMB_22_05,
         "nvidia_a100_1g.5gb", one, "-1", 1},
        {GPU0 L("1c.3g.20gb") L("1c.3g.20gb"),
         QUERY("0", MIG("2", "0", "19968") MIG("2", "1", "19968")), MINORS, PLUMB_24_11,
         "nvidia_a100_1c.3g.20gb", one, NULL, 2},
        {GPU0 L("1c.3g.20gb") L("1c.3g.20gb"),
         QUERY("0", MIG("2", "0", "19968") MIG("2", "1", "19968")), MINORS, PLUMB_22_05,
         "nvidia_a100_3g.20gb", one, "-1,0", 2},
        /* the memory decides up to 22.05: 11008 MiB are 11 GiB, whatever the driver calls them */
        {GPU0 L("1g.12gb"), QUERY("0", MIG("2", "0", "11008")), MINORS, PLUMB_22_05,
         "nvidia_a100_1g.11gb", one, "-1", 1},
        {GPU0 L("3g.20gb"), NULL, NULL, PLUMB_24_11, "nvidia_a100_3g.20gb", NULL, NULL, 1},
        /* an instance that the table lacks is left out, and the GPU is whole then */
        {GPU0 L("3g.20gb"), QUERY("0", MIG("5", "0", "19968")), MINORS, PLUMB_24_11,
         "nvidia_a100-sxm4-40gb", "/dev/nvidia0", NULL, 1},
        {GPU0, QUERY("0", ""), MINORS, PLUMB_24_11, "nvidia_a100-sxm4-40gb", "/dev/nvidia0", NULL,
         1},
        /* without a list nobody knows the profile */
        {NULL, QUERY("0", MIG("2", "0", "19968")), MINORS, PLUMB_24_11, NULL, one, NULL, 1},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].type != NULL ? rows[i].type : "no type");

        struct plumb_hardware *hw = machine(fx, rows[i].list, rows[i].query, rows[i].minors);
        struct plumb_detections found =
            plumb_detect(fx->arena, hw, PLUMB_DETECT_NVML, NULL, rows[i].release);
        const char *const want[] = {rows[i].type, rows[i].files, rows[i].links};
        const char *const got[] = {found.items[0].type, found.items[0].files, found.items[0].links};

        assert_int_equal(found.count, rows[i].count);
        for (size_t k = 0; k < PLUMB_COUNT(want); k++) {
            assert_int_equal(want[k] == NULL, got[k] == NULL);
            if (want[k] != NULL)
                assert_string_equal(want[k], got[k]);
        }
    }
}

/* AutoDetect=nvidia looks at the driver's files for GPUs: slices are none of its business. */
static void the_driver_shows_whole_gpus(void **state)
{
    struct fixture *fx = *state;
    struct plumb_hardware *hw =
        machine(fx, GPU0 L("3g.20gb"), QUERY("3", MIG("2", "0", "19968")), MINORS);
    struct plumb_detections found =
        plumb_detect(fx->arena, hw, PLUMB_DETECT_NVIDIA, NULL, PLUMB_24_11);

    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].type, "nvidia_a100-sxm4-40gb");
    assert_string_equal(found.items[0].files, "/dev/nvidia3");
    assert_null(found.items[0].links);
}

/*
 * gpu_rsmi.c and gpu_oneapi.c: files and order from the library, zeros as links, and the type that
 * the release makes of the name. The brand of a Vega card stands in its VBIOS alone.
 */
static void devices_of_other_makers_are_foretold(void **state)
{
    static const char name[] = "AMD Instinct MI300X OAM";
    static const struct {
        enum plumb_detector by;
        uint16_t vendor, device;
        enum plumb_release release;
        const char *type, *file; /* of the second device */
        bool cores;
    } rows[] = {
        {PLUMB_DETECT_RSMI, 0x1002, 0x74a1, PLUMB_24_11, "amd_instinct_mi300x_oam",
         "/dev/dri/renderD136", true},
        {PLUMB_DETECT_RSMI, 0x1002, 0x74a1, PLUMB_24_05, name, "/dev/dri/renderD136", true},
        {PLUMB_DETECT_RSMI, 0x1002, 0x66a1, PLUMB_24_11, NULL, "/dev/dri/renderD136", true},
        {PLUMB_DETECT_ONEAPI, 0x8086, 0x0bd5, PLUMB_23_02, "amd_instinct_mi300x_oam",
         "/dev/dri/renderD136", true},
        {PLUMB_DETECT_ONEAPI, 0x8086, 0x0bd5, PLUMB_22_05, "amd_instinct_mi300x_oam", NULL, false},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_hw_pci pci = {.vendor = rows[i].vendor, .device = rows[i].device};
        struct plumb_hw_gpu gpus[] = {
            {.index = {0}, .model = name, .pci = &pci, .render = "renderD128"},
            {.index = {1}, .model = name, .pci = &pci, .render = "renderD136"},
        };
        struct plumb_hardware hw = {.gpus = gpus, .gpu_count = 2};
        struct plumb_detections found =
            plumb_detect(fx->arena, &hw, rows[i].by, NULL, rows[i].release);

        fx_row(fx, i, rows[i].type != NULL ? rows[i].type : "no type");
        assert_int_equal(found.count, 2);
        assert_int_equal(rows[i].type == NULL, found.items[1].type == NULL);
        if (rows[i].type != NULL)
            assert_string_equal(found.items[1].type, rows[i].type);
        assert_int_equal(rows[i].file == NULL, found.items[1].files == NULL);
        if (rows[i].file != NULL)
            assert_string_equal(found.items[1].files, rows[i].file);
        assert_int_equal(found.items[1].has_cores, rows[i].cores);
        assert_string_equal(found.items[0].links, "-1,0");
        assert_string_equal(found.items[1].links, "0,-1");
        assert_int_equal(plumb_detector_of("full", &hw), rows[i].by);
        assert_int_equal(plumb_detect(fx->arena, &hw, PLUMB_DETECT_NVML, NULL, PLUMB_24_11).count,
                         0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_of_capabilities_are_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(devices_are_foretold, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_driver_shows_whole_gpus, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(devices_of_other_makers_are_foretold, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("model/detect", tests, NULL, NULL);
}
