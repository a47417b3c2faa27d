/* SPDX-License-Identifier: Apache-2.0 */
/* slurmd -G: its lines become GPUs, and are held against other captures. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "capture/slurmd_g.h"
#include "passes/captures.h"

#define FOUND "slurmd: gpu/nvml: _get_system_gpu_list_nvml: 2 GPU system device(s) detected\n"
#define LINE(minor, links)                                                                         \
    "slurmd: Gres Name=gpu Type=nvidia_l4 Count=1 Index=" minor                                    \
    " ID=7696487 File=/dev/nvidia" minor " Cores=0-7 CoreCnt=16 Links=" links " Flags=HAS_FILE\n"

static struct plumb_hardware *bind(struct fixture *fx, struct plumb_run *r, const char *gres,
                                   const char *list)
{
    struct plumb_input *inputs = PLUMB_NEW_ARRAY(fx->arena, 2, struct plumb_input);
    size_t count = 0;

    *r = (struct plumb_run){.session = &fx->session};
    r->model = PLUMB_NEW(fx->arena, struct plumb_model);
    inputs[count++] = (struct plumb_input){.path = "m/slurmd-G.txt",
                                           .shown = "m/slurmd-G.txt",
                                           .kind = PLUMB_KIND_SLURMD_G,
                                           .src = fx_source(fx, "m/slurmd-G.txt", gres),
                                           .group = "m"};
    if (list != NULL)
        inputs[count++] = (struct plumb_input){.path = "m/smi-L.txt",
                                               .shown = "m/smi-L.txt",
                                               .kind = PLUMB_KIND_SMI_LIST,
                                               .src = fx_source(fx, "m/smi-L.txt", list),
                                               .group = "m"};
    r->inputs = inputs;
    r->input_count = count;
    plumb_pass_read_captures(r);
    plumb_pass_bind_hardware(r);
    return r->model->hardware_count == 0 ? NULL : r->model->hardware[0];
}

/* The place of -1 is the index that NVML gave; the file has the minor number. */
static void links_tell_which_gpu_a_device_is(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r;
    struct plumb_hardware *hw = bind(fx, &r, FOUND LINE("0", "4,-1") LINE("1", "-1,4"), NULL);

    fx_expect_nothing_else(fx);
    assert_int_equal(hw->gpu_count, 2);
    assert_int_equal(hw->gpus[0].minor.n, 1);
    assert_int_equal(hw->gpus[1].minor.n, 0);
    assert_true(hw->links_known);
    assert_int_equal(plumb_hardware_links(hw, (struct plumb_gpu){0}, (struct plumb_gpu){1}), 4);
    assert_int_equal(plumb_cores_count(&hw->gpus[0].cores), 8);
}

/* Without the line of AutoDetect what is held may be written by hand. */
static void what_is_written_by_hand_proves_nothing(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r;
    struct plumb_hardware *hw = bind(fx, &r, LINE("0", "-1,4") LINE("1", "4,-1"), NULL);

    fx_expect_nothing_else(fx);
    assert_int_equal(hw->gpu_count, 2);
    assert_false(hw->links_known);
    assert_true(plumb_cores_empty(&hw->gpus[0].cores));
}

/* gpu_rsmi.c and gpu_oneapi.c give GPUs by their render device; numbers may have holes. */
static void render_devices_are_those_of_the_file(void **state)
{
#define RENDER(type, n, links)                                                                     \
    "slurmd: Gres Name=gpu Type=" type " Count=1 Index=" n " ID=7696487 File=/dev/dri/renderD" n   \
    " Cores=0-7 CoreCnt=16 Links=" links " Flags=HAS_FILE\n"
    struct fixture *fx = *state;
    struct plumb_run r;
    const struct plumb_hardware *hw = bind(
        fx, &r, RENDER("amd_instinct_mi300x", "128", "-1,0") RENDER("intel_gpu_max", "136", "0,-1"),
        NULL);

    fx_expect_nothing_else(fx);
    assert_int_equal(hw->gpu_count, 2);
    assert_string_equal(plumb_hardware_device(fx->arena, &hw->gpus[0]), "/dev/dri/renderD128");
    assert_string_equal(plumb_hardware_device(fx->arena, &hw->gpus[1]), "/dev/dri/renderD136");
    assert_int_equal(plumb_hardware_vendor(&hw->gpus[0]), PLUMB_GPU_AMD);
    assert_int_equal(plumb_hardware_vendor(&hw->gpus[1]), PLUMB_GPU_INTEL);
}

static void other_captures_are_compared(void **state)
{
    static const struct {
        const char *gres, *list;
        const char *code; /* NULL: none */
    } rows[] = {
        {LINE("0", "(null)"), "GPU 0: NVIDIA L4 (UUID: GPU-1)\n", NULL},
        {LINE("0", "-1"), "GPU 0: NVIDIA L40S (UUID: GPU-1)\n", NULL}, /* l4 is part of l40s */
        {LINE("0", "-1"), "GPU 0: NVIDIA H100 (UUID: GPU-1)\n", "HW025"},
        {LINE("0", "-1"), "GPU 0: NVIDIA L4 (UUID: GPU-1)\nGPU 1: NVIDIA L4 (UUID: GPU-2)\n",
         "HW020"},
        {"Gres Name=gpu Type=a100_1g.5gb Count=7 ID=1 Links=(null)\n",
         "GPU 0: NVIDIA A100 (UUID: GPU-1)\n", NULL},
        {"Gres Name=gpu Type=a100_1g.5gb ID=1 Links=(null)\n", NULL, "HW036"},
        {"Gres Name=gpu Count=-1 ID=1\n", NULL, "HW036"},
        {"slurmd: nothing\n", NULL, "HW036"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_run r;

        fx_row(fx, i, rows[i].gres);
        (void)bind(fx, &r, rows[i].gres, rows[i].list);
        if (rows[i].code == NULL) {
            fx_expect_nothing_else(fx);
            continue;
        }
        assert_int_equal(fx->session.sink.count, 1);
        assert_string_equal(fx->session.sink.items[0]->rule->code, rows[i].code);
    }
}

/* Recorded output; numbers as the text has them. */
static void recorded_output_is_read(void **state)
{
    static const struct {
        const char *file, *host;
        size_t records, files, cores;
        bool detected;
    } rows[] = {
        {"a6000-8-nvlink-pairs.txt", "", 9, 8, 8, true},
        {"h100-2full-2x4g-6x1g-mig.txt", "node001", 10, 10, 0, false},
        {"rtx4090-type-stripped.txt", "", 1, 1, 0, false},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_source *src = NULL;
        const char *path =
            fx_shared(fx->arena,
                      plumb_arena_printf(fx->arena, "corpus/topologies/slurmd-G/%s", rows[i].file));
        size_t files = 0, cores = 0;

        if (plumb_source_load(&fx->session.sources, path, rows[i].file, &src) != PLUMB_OK) {
            print_message("skipped: no capture at %s\n", path);
            skip();
        }
        fx_row(fx, i, rows[i].file);
        assert_true(plumb_slurmd_g_sniff(src->bytes, src->len));

        const struct plumb_slurmd_g *g = plumb_slurmd_g_read(&fx->session, src);

        fx_expect_nothing_else(fx);
        assert_non_null(g);
        for (size_t n = 0; n < g->count; n++) {
            files += g->items[n].file.len > 0;
            cores += g->items[n].cores.len > 0;
        }
        assert_int_equal(g->count, rows[i].records);
        assert_int_equal(files, rows[i].files);
        assert_int_equal(cores, rows[i].cores);
        assert_int_equal(plumb_span_known(g->detected_at), rows[i].detected);
        assert_string_equal(g->host.len > 0 ? g->host.text : "", rows[i].host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(links_tell_which_gpu_a_device_is, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_is_written_by_hand_proves_nothing, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(render_devices_are_those_of_the_file, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(other_captures_are_compared, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(recorded_output_is_read, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("capture/slurmd_g", tests, NULL, NULL);
}
