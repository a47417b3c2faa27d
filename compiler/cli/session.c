/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands share that read input: opening, adding, reporting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/internal.h"
#include "base/num.h"
#include "cli/cli.h"

int cli_worst(int a, int b)
{
    return a > b ? a : b;
}

double cli_clock(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void cli_timing(const struct cli *c, const char *what, double *since)
{
    double now = cli_clock();

    if (c->flags[OPT_TIMINGS] > 0)
        fprintf(stderr, "plumb: %-8s %8.1f ms\n", what, (now - *since) * 1000);
    *since = now;
}

const char *cli_path(const struct cli *c, const char *path)
{
    if (c->values[OPT_DIRECTORY] == NULL || path[0] == '/')
        return path;
    return plumb_arena_printf(c->arena, "%s/%s", c->values[OPT_DIRECTORY], path);
}

/* Today in UTC, or the day of SOURCE_DATE_EPOCH. */
static const char *today(struct plumb_arena *a)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    time_t now = time(NULL);
    struct tm tm;

    if (epoch != NULL && plumb_read_u64(epoch, strlen(epoch), &seconds) && seconds < INT32_MAX)
        now = (time_t)seconds;
    if (gmtime_r(&now, &tm) == NULL)
        return NULL;
    return plumb_arena_printf(a, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The built-in captures: beside the program in a build tree, under ../share when installed. */
static const char *reference_dir(struct plumb_arena *a)
{
    static const char *const places[] = {"topologies", "../share/plumb/topologies"};
    char *self = plumb_arena_alloc(a, 4096);
    ssize_t len = readlink("/proc/self/exe", self, 4095);

    if (len <= 0)
        return NULL;
    self[len] = '\0';

    char *slash = strrchr(self, '/');

    for (size_t i = 0; slash != NULL && i < PLUMB_COUNT(places); i++) {
        const char *dir = plumb_arena_printf(a, "%.*s/%s", (int)(slash - self), self, places[i]);

        if (is_folder(dir))
            return dir;
    }
    return NULL;
}

plumb_handle *cli_open(struct cli *c, bool outputs)
{
    struct plumb_options o = {
        .directory = c->values[OPT_DIRECTORY],
        .slurm = c->values[OPT_SLURM],
        .kubernetes = c->values[OPT_KUBERNETES],
        .table = c->values[OPT_TABLE],
        .from = c->values[OPT_FROM],
        .reference_dir = reference_dir(c->arena),
        .select = c->values[OPT_SELECT],
        .ignore = c->values[OPT_IGNORE],
        .severity = c->values[OPT_SEVERITY],
        .as = c->values[OPT_AS],
        .user = c->values[OPT_USER],
        .topology = c->values[OPT_TOPOLOGY],
        .with = c->values[OPT_WITH],
        .drift = c->command->id == CMD_DRIFT,
        .only_jobs = c->values[OPT_CLUSTER] != NULL,
        .today = today(c->arena),
        .targets = c->values[OPT_TARGET],
        .outputs = outputs,
        .force = c->flags[OPT_FORCE] > 0,
        .overwrite = c->flags[OPT_OVERWRITE] > 0,
    };
    plumb_handle *h = NULL;

    if (o.directory != NULL && !is_folder(o.directory)) {
        (void)cli_usage(c, "-C '%s' is no folder", o.directory);
        return NULL;
    }
    h = plumb_open(&o);
    if (h == NULL) {
        cli_error("out of memory");
        c->status = PLUMB_RESULT_INTERNAL;
        return NULL;
    }
    if (plumb_problem(h) != NULL) {
        (void)cli_usage(c, "%s", plumb_problem(h));
        plumb_close(h);
        return NULL;
    }
    return h;
}

/* With -v: what each input was taken for. */
static void tell_inputs(const struct cli *c, const plumb_handle *h)
{
    static const char *const kinds[] = {
        [PLUMB_KIND_UNKNOWN] = "unknown",
        [PLUMB_KIND_SPEC] = "a specification",
        [PLUMB_KIND_CONF] = "a Slurm file",
        [PLUMB_KIND_NESTED] = "a Slurm file",
        [PLUMB_KIND_HWLOC] = "an hwloc capture",
        [PLUMB_KIND_SMI_TOPO] = "a topo matrix",
        [PLUMB_KIND_KUBE] = "Kubernetes objects",
        [PLUMB_KIND_VALUES] = "values of a chart",
        [PLUMB_KIND_SMI_LIST] = "a list of GPUs",
        [PLUMB_KIND_SMI_QUERY] = "a query of GPUs",
        [PLUMB_KIND_SLURMD_C] = "a node line of slurmd",
        [PLUMB_KIND_SLURMD_G] = "resources as slurmd holds them",
        [PLUMB_KIND_IBSTAT] = "states of ports",
        [PLUMB_KIND_VERBS] = "files of RDMA devices",
        [PLUMB_KIND_IBNET] = "a capture of the fabric",
        [PLUMB_KIND_NCCL] = "an NCCL topology",
        [PLUMB_KIND_NCCL_DUMP] = "a dump of NCCL",
        [PLUMB_KIND_PLUGSTACK] = "a Slurm file, plugstack.conf",
        [PLUMB_KIND_JOB] = "a job script",
        [PLUMB_KIND_ACCOUNTS] = "accounts",
        [PLUMB_KIND_TOPOGRAPH] = "a model of the fabric",
        [PLUMB_KIND_MIG_MINORS] = "the capabilities of MIG",
        [PLUMB_KIND_LIVE] = "what a running cluster says",
        [PLUMB_KIND_LIVE_KUBE] = "objects of a running cluster",
        [PLUMB_KIND_OTHER] = "not looked at",
    };

    for (size_t i = 0; c->flags[OPT_VERBOSE] > 0 && i < h->run.input_count; i++) {
        const struct plumb_input *in = &h->run.inputs[i];
        bool named = in->kind == PLUMB_KIND_CONF || in->kind == PLUMB_KIND_NESTED;

        cli_note(c, "'%s': %s%s%s", in->shown, kinds[in->kind], named ? ", " : "",
                 named ? plumb_file_name(in->conf_file) : "");
    }
}

static void add_stdin(struct cli *c, plumb_handle *h, bool live)
{
    const char *name = c->values[OPT_STDIN_NAME];
    char *bytes = NULL;
    size_t len = 0;

    if (name == NULL)
        name = "<stdin>";
    if (!cli_read_stdin(c->arena, &bytes, &len)) {
        c->status = PLUMB_RESULT_INCOMPLETE;
        return;
    }
    if (!(live ? plumb_add_live_text : plumb_add_text)(h, name, bytes, len))
        cli_error("%s", plumb_problem(h));
}

static void add_path(struct cli *c, plumb_handle *h, const char *path,
                     bool (*add)(plumb_handle *h, const char *path))
{
    size_t before = h->problems.count;

    if (strcmp(path, "-") == 0) {
        add_stdin(c, h, add == plumb_add_live);
        return;
    }
    (void)add(h, path);
    for (size_t i = before; i < h->problems.count; i++)
        cli_error("%s", h->problems.items[i]);
}

void cli_add_inputs(struct cli *c, plumb_handle *h, bool spec_only)
{
    struct stat st;

    for (size_t i = 0; i < c->arg_count; i++)
        add_path(c, h, c->args[i], plumb_add_path);
    if (c->arg_count == 0)
        add_path(c, h,
                 spec_only || stat(cli_path(c, "cluster.yaml"), &st) == 0 ? "cluster.yaml" : ".",
                 plumb_add_path);
    tell_inputs(c, h);
}

static bool add_stdin_job(struct cli *c, plumb_handle *h)
{
    const char *name = c->values[OPT_STDIN_NAME];
    char *bytes = NULL;
    size_t len = 0;

    if (!cli_read_stdin(c->arena, &bytes, &len)) {
        c->status = PLUMB_RESULT_INCOMPLETE;
        return true;
    }
    return plumb_add_job_text(h, name == NULL ? "<stdin>" : name, bytes, len);
}

void cli_add_jobs(struct cli *c, plumb_handle *h)
{
    add_path(c, h, c->values[OPT_CLUSTER], plumb_add_path);
    for (size_t i = 0; i < c->arg_count; i++) {
        if (strcmp(c->args[i], "-") != 0)
            add_path(c, h, c->args[i], plumb_add_job);
        else if (!add_stdin_job(c, h))
            cli_error("%s", plumb_problem(h));
    }
}

void cli_add_drift(struct cli *c, plumb_handle *h)
{
    add_path(c, h, c->args[0], plumb_add_path);
    for (size_t i = 1; i < c->arg_count; i++)
        add_path(c, h, c->args[i], plumb_add_live);
    tell_inputs(c, h);
}

void cli_add_captures(struct cli *c, plumb_handle *h)
{
    for (size_t i = 0; i < c->arg_count; i++)
        add_path(c, h, c->args[i], plumb_add_capture);
    tell_inputs(c, h);
}

static bool render(struct cli *c, plumb_handle *h, const struct cli_sink *sink)
{
    uint64_t max = 0;
    const char *given = c->values[OPT_MAX_FINDINGS];
    size_t len = 0;

    if (given != NULL)
        (void)plumb_read_u64(given, strlen(given), &max);

    const char *text =
        plumb_render(h, sink->format, sink->file == NULL && cli_use_colour(c), (size_t)max, &len);

    if (sink->file != NULL)
        return cli_write_file(cli_path(c, sink->file), text, len);
    plumb_buf_add(&c->out, text, len);
    return true;
}

int cli_report(struct cli *c, plumb_handle *h, enum plumb_result result)
{
    static const struct cli_sink human = {.format = "human"};
    struct plumb_report r = plumb_report_of(h);
    struct plumb_buf summary = plumb_buf_in(c->arena);
    int status = cli_worst((int)result, c->status);

    if (result == PLUMB_RESULT_USAGE)
        return cli_usage(c, "%s", plumb_problem(h));
    if (result == PLUMB_RESULT_INTERNAL) {
        cli_error("%s", plumb_problem(h));
        return (int)result;
    }
    if (c->sink_count == 0 && !render(c, h, &human))
        status = PLUMB_RESULT_INTERNAL;
    for (size_t i = 0; i < c->sink_count; i++) {
        if (!render(c, h, &c->sinks[i]))
            status = PLUMB_RESULT_INTERNAL;
    }
    if (!cli_write(STDOUT_FILENO, plumb_buf_text(&c->out), c->out.len)) /* before the summary */
        status = PLUMB_RESULT_INTERNAL;
    c->out.len = 0;
    plumb_render_summary(&r, &summary);
    cli_note(c, "%s", plumb_buf_text(&summary));
    return status;
}
