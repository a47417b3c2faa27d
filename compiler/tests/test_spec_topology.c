/* SPDX-License-Identifier: Apache-2.0 */
/* The section topology both ways: the files that it makes are read back as the same units. */
#include "fixture.h"

#include <string.h>

#include "emit/output.h"
#include "model/nested.h"
#include "passes/pass.h"

#define HEAD(release)                                                                              \
    "plumb: 1\ncluster: c\nslurm: \"" release "\"\ncontrol: {hosts: ctl}\n"                        \
    "nodes: {gpu: {hosts: \"gpu-[01-12]\", topology: dgx-h100}}\n"                                 \
    "partitions: {all: {nodes: all, default: true}}\n"                                             \
    "topology:\n"

static const char *const specs[] = {
    HEAD("22.05") "  switches: [{name: \"l[1-3]\", nodes: gpu}, {name: s, switches: \"l[1-3]\"}]\n",
    HEAD("24.11") "  switches:\n"
                  "    - {name: \"l[1-3]\", nodes: [\"gpu-[01-02],gpu-07\", \"gpu-[03-06]\", "
                  "\"gpu-[08-12]\"], each: 5}\n"
                  "    - {name: \"s[1-2]\", switches: [l1, \"l[2-3]\"], each: 2}\n"
                  "    - {name: top, switches: \"s[1-2]\"}\n",
    HEAD("24.11") "  blocks: [{name: \"r[08-11]\", nodes: gpu}]\n",
    HEAD("26.05") "  blocks: [{name: a, nodes: \"gpu-[01-04]\"}, {name: b, nodes: "
                  "\"gpu-[05-12]\"}]\n"
                  "  block_sizes: [4, 8]\n",
    HEAD("25.05") "  file: topology.yaml\n"
                  "  switches: [{name: \"l[1-3]\", nodes: gpu}, {name: s, switches: \"l[1-3]\"}]\n",
    HEAD("26.05") "  plugin: block\n"
                  "  switches: [{name: \"l[1-2]\", nodes: gpu}, {name: s, switches: \"l[1-2]\"}]\n"
                  "  blocks: [{name: \"r[1-2]\", nodes: gpu}]\n",
};

static struct plumb_run run_on(struct fixture *fx, struct plumb_input *inputs, size_t count,
                               enum plumb_release release)
{
    struct plumb_run r = {
        .session = &fx->session,
        .forced_release = release,
        .inputs = inputs,
        .input_count = count,
        .input_cap = count,
        .reference_dir = PLUMB_SOURCE_DIR "/topologies",
        .want_outputs = true,
    };

    plumb_pipeline_run(&r);
    return r;
}

static const char *list(struct fixture *fx, const struct plumb_hostlist *h)
{
    return h == NULL ? "-" : plumb_hostlist_str(fx->arena, h);
}

/* All units, sizes and names of topologies, a line each. */
static const char *units_of(struct fixture *fx, const struct plumb_model *m)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);
    const struct plumb_setting *sizes =
        plumb_setting(&m->settings[PLUMB_TOPOLOGY_CONF], PLUMB_P_TOPO_BLOCKSIZES);
    const struct plumb_setting *plugin =
        plumb_setting(&m->settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_TOPOLOGYPLUGIN);

    for (size_t i = 0; i < m->topology_count; i++)
        plumb_buf_printf(&b, "topology %s\n", m->topologies[i]);
    for (size_t i = 0; i < m->topo_unit_count; i++)
        plumb_buf_printf(&b, "%zu %d %s %s %s\n", m->topo_units[i].topology,
                         (int)m->topo_units[i].scope, m->topo_units[i].name.v,
                         list(fx, m->topo_units[i].nodes), list(fx, m->topo_units[i].children));
    for (size_t i = 0; m->nested != NULL && i < m->nested->size_count; i++) {
        for (size_t k = 0; k < m->nested->sizes[i].count; k++)
            plumb_buf_printf(&b, "%zu size %llu\n", m->nested->sizes[i].topology,
                             (unsigned long long)m->nested->sizes[i].items[k].v);
    }
    plumb_buf_printf(&b, "sizes %s plugin %s\n", sizes == NULL ? "-" : sizes->value.text,
                     plugin == NULL ? "-" : plugin->value.text);
    return plumb_buf_text(&b);
}

/* The files of Slurm that a build has made, as inputs. */
static size_t read_back(struct fixture *fx, const struct plumb_outputs *out,
                        struct plumb_input *inputs)
{
    size_t count = 0;

    for (size_t i = 0; i < out->file_count; i++) {
        const char *name = strrchr(out->files[i].path, '/');

        if (strncmp(out->files[i].path, "slurm/", 6) != 0)
            continue;
        inputs[count++] = (struct plumb_input){
            .path = name + 1,
            .shown = name + 1,
            .src = plumb_source_add(&fx->session.sources, name + 1, out->files[i].text,
                                    out->files[i].len),
            .listed = true,
        };
    }
    return count;
}

static void what_is_written_is_read_back_as_the_same_units(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(specs); i++) {
        struct plumb_input spec = {.path = "cluster.yaml", .shown = "cluster.yaml"}, files[16];
        struct plumb_run first, second;
        void *own = NULL; /* findings of one specification would stop the build of the next */
        struct fixture *fx = NULL;

        assert_int_equal(fx_setup(&own), 0);
        fx = own;
        spec.src = fx_source(fx, "cluster.yaml", specs[i]);
        first = run_on(fx, &spec, 1, PLUMB_RELEASE_NONE);
        for (size_t k = 0; first.outputs == NULL && k < fx->session.sink.count; k++)
            print_error("%zu: %s\n", i, fx->session.sink.items[k]->message);
        assert_non_null(first.outputs);
        assert_true(plumb_outputs_has(first.outputs, "slurm/topology.conf") !=
                    plumb_outputs_has(first.outputs, "slurm/topology.yaml"));
        second = run_on(fx, files, read_back(fx, first.outputs, files), first.model->release);
        assert_true(first.model->topo_unit_count >= 2);
        assert_string_equal(units_of(fx, second.model), units_of(fx, first.model));
        assert_int_equal(fx_teardown(&own), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_as_the_same_units),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
