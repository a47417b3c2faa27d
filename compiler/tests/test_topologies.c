/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every collected capture against what its machine is (topologies.tsv: data sheets, and those who
 * took it), and doc/accuracy-topologies.md against the same table.
 */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "passes/captures.h"
#include "passes/sniff.h"

enum { COLUMNS = 11 };

struct row {
    const char *kind, *file;
    const char *packages, *cores, *threads, *nodes, *memory_nodes, *gpus, *rdma; /* "-": not told */
    const char *finding, *machine;
};

struct table {
    struct row *items;
    size_t count, cap;
};

static const struct {
    const char *word;
    enum plumb_source_kind kind;
} kinds[] = {
    {"hwloc", PLUMB_KIND_HWLOC},           {"topo", PLUMB_KIND_SMI_TOPO},
    {"nvidia-smi-L", PLUMB_KIND_SMI_LIST}, {"nvidia-smi-q", PLUMB_KIND_SMI_QUERY},
    {"slurmd-C", PLUMB_KIND_SLURMD_C},     {"slurmd-G", PLUMB_KIND_SLURMD_G},
    {"kubernetes", PLUMB_KIND_KUBE},       {"nccl", PLUMB_KIND_NCCL},
    {"topology.conf", PLUMB_KIND_CONF},
};

static const char *load(struct fixture *fx, const char *path)
{
    struct plumb_source *src = NULL;

    return plumb_source_load(&fx->session.sources, path, NULL, &src) == PLUMB_OK ? src->bytes
                                                                                 : NULL;
}

static void add_row(struct fixture *fx, struct table *t, char *line)
{
    const char *f[COLUMNS] = {0};

    for (size_t i = 0; i < COLUMNS; i++) {
        f[i] = fx_part(&line, "\t");
        if (f[i] == NULL)
            fail_msg("topologies.tsv: a row has %zu columns, expected %d", i, COLUMNS);
    }
    t->items = plumb_arena_grow(fx->arena, t->items, t->count, &t->cap, sizeof(*t->items));
    t->items[t->count++] =
        (struct row){f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10]};
}

static struct table read_table(struct fixture *fx)
{
    const char *text = load(fx, PLUMB_SOURCE_DIR "/compiler/tests/topologies.tsv");
    struct table t = {0};
    char *rest = NULL, *line = NULL;

    assert_non_null(text);
    rest = plumb_arena_strdup(fx->arena, text);
    while ((line = fx_part(&rest, "\n")) != NULL) {
        if (line[0] != '#' && !plumb_starts_with(line, "kind\t"))
            add_row(fx, &t, line);
    }
    assert_int_not_equal(t.count, 0);
    return t;
}

static const char *folder(struct fixture *fx)
{
    return fx_shared(fx->arena, "corpus/topologies");
}

static enum plumb_source_kind kind_of(const struct row *row)
{
    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        if (strcmp(kinds[i].word, row->kind) == 0)
            return kinds[i].kind;
    }
    return PLUMB_KIND_UNKNOWN;
}

/* "-": nobody tells. */
static void check_number(const struct row *row, const char *what, const char *want,
                         struct plumb_u64 got)
{
    uint64_t v = 0;
    bool told = plumb_read_u64(want, strlen(want), &v);

    if (told != plumb_usable(got) || (told && v != got.v))
        fail_msg("%s: %s %s, expected %s", row->file, what,
                 plumb_usable(got) ? "differ" : "are unknown", want);
}

static void check_count(const struct row *row, const char *what, const char *want, size_t got)
{
    uint64_t v = 0;

    if (plumb_read_u64(want, strlen(want), &v) && v != got)
        fail_msg("%s: %zu %s, expected %s", row->file, got, what, want);
}

static void check_machine(const struct row *row, const struct plumb_hardware *hw)
{
    size_t own = 0, rdma = 0;

    for (size_t i = 0; i < hw->numa_count; i++)
        own += !plumb_cpus_empty(&hw->numa[i].cpus);
    for (size_t i = 0; i < hw->nic_count; i++)
        rdma += hw->nics[i].infiniband;
    check_number(row, "packages", row->packages, hw->packages_count);
    check_number(row, "cores", row->cores, hw->core_count);
    check_number(row, "threads", row->threads, hw->thread_count);
    check_number(row, "GPUs", row->gpus, hw->gpu_count_value);
    check_count(row, "RDMA devices", row->rdma, rdma);
    if (strcmp(row->kind, "hwloc") == 0) {
        check_count(row, "nodes with CPUs", row->nodes, own);
        check_count(row, "nodes without CPUs", row->memory_nodes, hw->numa_count - own);
    } else { /* a matrix may name a node and not its CPUs */
        check_count(row, "nodes", row->nodes, hw->numa_count);
    }
}

/* "HW007", or "HW003:247" with the line; "-": none at all. */
static void check_finding(struct fixture *fx, const struct row *row)
{
    const struct plumb_sink *sink = &fx->session.sink;
    size_t code = strcspn(row->finding, ":");
    uint64_t line = 0;
    bool placed = row->finding[code] == ':';

    if (strcmp(row->finding, "-") == 0) {
        fx_expect_nothing_else(fx);
        return;
    }
    if (placed)
        assert_true(
            plumb_read_u64(row->finding + code + 1, strlen(row->finding) - code - 1, &line));
    for (size_t i = 0; i < sink->count; i++) {
        const struct plumb_diag *d = sink->items[i];

        if (strncmp(d->rule->code, row->finding, code) == 0 &&
            (!placed || plumb_source_place(&fx->session.sources, d->at).line == line))
            return;
    }
    fail_msg("%s: no finding %s", row->file, row->finding);
}

static void check_file(struct fixture *fx, const struct row *row, const char *path)
{
    struct plumb_run r = {.session = &fx->session};
    struct plumb_input in = {.path = path, .shown = row->file, .listed = true};
    struct plumb_source *src = NULL;
    enum plumb_source_kind want = kind_of(row);

    if (plumb_source_load(&fx->session.sources, path, row->file, &src) != PLUMB_OK)
        fail_msg("%s: it is not there", row->file);
    in.src = src;
    plumb_sniff(&in);
    if (want != PLUMB_KIND_UNKNOWN && in.kind != want)
        fail_msg("%s: it is not taken for '%s'", row->file, row->kind);
    r.model = PLUMB_NEW(fx->arena, struct plumb_model);
    r.model->release = PLUMB_RELEASE_NEWEST;
    r.inputs = &in;
    r.input_count = 1;
    plumb_pass_read_captures(&r);
    plumb_pass_bind_hardware(&r);
    check_finding(fx, row);
    if (r.model->hardware_count == 1)
        check_machine(row, r.model->hardware[0]);
    else if (strcmp(row->packages, "-") != 0 || strcmp(row->gpus, "-") != 0)
        fail_msg("%s: no machine", row->file);
}

static void every_capture_is_what_its_machine_is(void **state)
{
    struct fixture *fx = *state;
    struct table t = read_table(fx);
    const char *dir = folder(fx);
    const char *list = load(fx, plumb_arena_printf(fx->arena, "%s/PROVENANCE.tsv", dir));
    char *rest = NULL, *line = NULL;

    if (list == NULL) {
        print_message("skipped: no captures under %s\n", dir);
        skip();
    }
    for (size_t i = 0; i < t.count; i++) {
        fx_row(fx, i, t.items[i].file);
        check_file(fx, &t.items[i], plumb_arena_printf(fx->arena, "%s/%s", dir, t.items[i].file));
    }
    rest = plumb_arena_strdup(fx->arena, list);
    for (size_t n = 0; (line = fx_part(&rest, "\n")) != NULL; n++) {
        const char *name = fx_part(&line, "\t");
        bool known = n == 0 || name == NULL; /* the heading */

        for (size_t i = 0; i < t.count && !known; i++)
            known = strcmp(t.items[i].file, name) == 0;
        if (!known)
            fail_msg("%s: nothing says what it is", name);
    }
}

/* The page shows the same numbers, file by file. */
static void the_page_has_every_row(void **state)
{
    struct fixture *fx = *state;
    struct table t = read_table(fx);
    const char *page = load(fx, PLUMB_SOURCE_DIR "/doc/accuracy-topologies.md");

    assert_non_null(page);
    for (size_t i = 0; i < t.count; i++) {
        const struct row *r = &t.items[i];
        const char *want =
            plumb_arena_printf(fx->arena, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
                               r->file, r->packages, r->cores, r->threads, r->nodes,
                               r->memory_nodes, r->gpus, r->rdma, r->finding, r->machine);

        if (strstr(page, want) == NULL)
            fail_msg("doc/accuracy-topologies.md lacks: %s", want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_capture_is_what_its_machine_is, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_page_has_every_row, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("topologies", tests, NULL, NULL);
}
