/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libplumb's functions but those about outputs. Each does its work behind plumb_guard(), the
 * one place to which control comes when memory runs out, and answers with
 * PLUMB_RESULT_INTERNAL or an empty value from then on.
 */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "base/limits.h"

bool plumb_guard(struct plumb_handle *h, void (*work)(struct plumb_handle *h, void *call),
                 void *call)
{
    if (h->exhausted)
        return false;
    if (setjmp(h->out_of_memory) != 0) {
        h->exhausted = true;
        return false;
    }
    work(h, call);
    return true;
}

static void start(struct plumb_handle *h, void *call)
{
    plumb_session_init(&h->session, h->arena, h->scratch);
    h->run.session = &h->session;
    plumb_options_read(h, call);
}

/* A session over the same inputs, for the release that an upgrade starts from. */
static bool open_old(struct plumb_handle *h, struct plumb_options options)
{
    options.slurm = options.from;
    options.from = NULL;
    options.outputs = false;
    h->old = plumb_open(&options);
    return h->old != NULL;
}

plumb_handle *plumb_open(const struct plumb_options *options)
{
    struct plumb_options copy = options == NULL ? (struct plumb_options){0} : *options;
    struct plumb_handle *h = calloc(1, sizeof(*h));

    if (h == NULL)
        return NULL;
    h->arena = plumb_arena_new(&h->out_of_memory);
    h->scratch = plumb_arena_new(&h->out_of_memory);
    if (h->arena == NULL || h->scratch == NULL || !plumb_guard(h, start, &copy)) {
        plumb_close(h);
        return NULL;
    }
    if (h->run.upgrading && !open_old(h, copy)) {
        plumb_close(h);
        return NULL;
    }
    return h;
}

void plumb_close(plumb_handle *h)
{
    if (h == NULL)
        return;
    plumb_close(h->old);
    plumb_fleet_close(h);
    plumb_arena_free(h->scratch);
    plumb_arena_free(h->arena);
    free(h);
}

const char *plumb_problem(const plumb_handle *h)
{
    if (h->exhausted)
        return "out of memory";
    if (h->usage != NULL)
        return h->usage;
    if (h->out_problem != NULL)
        return h->out_problem;
    return h->problems.count == 0 ? NULL : h->problems.items[h->problems.count - 1];
}

/* A path, or text from memory. */
struct addition {
    const char *name, *bytes; /* bytes NULL: a path */
    size_t len;
    bool capture; /* a path or a built-in reference */
    bool job;     /* a job script */
    bool live;    /* of a running cluster */
    bool fleet, partial;
    bool done;
};

static void add(struct plumb_handle *h, void *call)
{
    struct addition *a = call;
    const char *name = plumb_arena_strdup(h->arena, a->name);
    struct plumb_input in = {.kind = a->job ? PLUMB_KIND_JOB : PLUMB_KIND_UNKNOWN,
                             .listed = true,
                             .path = name,
                             .shown = name};

    if (a->fleet) {
        a->done = plumb_fleet_add(h, name, a->partial);
    } else if (a->capture) {
        a->done = plumb_topology_add(h, name);
    } else if (a->job && a->bytes == NULL) {
        a->done = plumb_walk_job(h, name);
    } else if (a->live && a->bytes == NULL) {
        a->done = plumb_walk_live(h, name);
    } else if (a->bytes == NULL) {
        a->done = plumb_walk(h, name);
    } else if (a->len > PLUMB_MAX_FILE_BYTES) {
        a->done = plumb_walk_fail(h, name, "is larger than 256 MiB");
    } else {
        in.src = plumb_source_add(&h->session.sources, name, a->bytes, a->len);
        h->adding_live = a->live;
        a->done = plumb_walk_add(h, in);
        h->adding_live = false;
    }
}

bool plumb_add_path(plumb_handle *h, const char *path)
{
    struct addition a = {.name = path};

    if (h->old != NULL)
        (void)plumb_add_path(h->old, path);
    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_capture(plumb_handle *h, const char *name)
{
    struct addition a = {.name = name, .capture = true};

    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_fleet(plumb_handle *h, const char *path)
{
    struct addition a = {.name = path, .fleet = true};

    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_partial(plumb_handle *h, const char *path)
{
    struct addition a = {.name = path, .fleet = true, .partial = true};

    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_text(plumb_handle *h, const char *name, const char *bytes, size_t len)
{
    struct addition a = {.name = name, .bytes = bytes, .len = len};

    if (h->old != NULL)
        (void)plumb_add_text(h->old, name, bytes, len);
    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_job(plumb_handle *h, const char *path)
{
    struct addition a = {.name = path, .job = true};

    if (h->old != NULL)
        (void)plumb_add_job(h->old, path);
    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_job_text(plumb_handle *h, const char *name, const char *bytes, size_t len)
{
    struct addition a = {.name = name, .bytes = bytes, .len = len, .job = true};

    if (h->old != NULL)
        (void)plumb_add_job_text(h->old, name, bytes, len);
    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_live(plumb_handle *h, const char *path)
{
    struct addition a = {.name = path, .live = true};

    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

bool plumb_add_live_text(plumb_handle *h, const char *name, const char *bytes, size_t len)
{
    struct addition a = {.name = name, .bytes = bytes, .len = len, .live = true};

    return h->usage == NULL && plumb_guard(h, add, &a) && a.done;
}

/* The least severity that fails; PLUMB_ERROR + 1: none. */
static bool read_level(const char *fail_on, unsigned *out)
{
    static const char *const words[] = {"info", "warning", "error", "never"};

    for (unsigned i = 0; i < PLUMB_COUNT(words); i++) {
        if (strcmp(words[i], fail_on) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

static enum plumb_result judge(const struct plumb_handle *h, unsigned level)
{
    if (h->session.sink.incomplete)
        return PLUMB_RESULT_INCOMPLETE;
    if (h->session.sink.dropped > 0 && level <= PLUMB_ERROR)
        return PLUMB_RESULT_FINDINGS;
    for (size_t i = 0; i < h->shown_count; i++) {
        if ((unsigned)h->shown[i]->severity >= level)
            return PLUMB_RESULT_FINDINGS;
    }
    return PLUMB_RESULT_CLEAN;
}

struct run_call {
    const char *fail_on;
    bool captures; /* only these */
    bool fleet;    /* of many machines */
    unsigned threads;
    enum plumb_result result;
};

static void run(struct plumb_handle *h, void *call)
{
    struct run_call *c = call;
    unsigned level = PLUMB_ERROR;

    if (c->fail_on != NULL && !read_level(c->fail_on, &level))
        plumb_options_refuse(
            h,
            plumb_arena_printf(h->arena, "'%s' is no level, expected error, warning, info or never",
                               c->fail_on));
    if (h->usage != NULL) {
        c->result = PLUMB_RESULT_USAGE;
        return;
    }
    if (!h->ran && c->fleet)
        plumb_fleet_run(h, c->threads);
    else if (!h->ran && c->captures)
        plumb_topology_run(h);
    else if (!h->ran)
        plumb_pipeline_run(&h->run);
    if (!h->ran && h->old != NULL && !c->captures)
        plumb_upgrade_compare(h);
    if (!h->ran)
        plumb_report_collect(h);
    h->ran = true;
    c->result = judge(h, level);
}

enum plumb_result plumb_run_all(plumb_handle *h, const char *fail_on)
{
    struct run_call c = {.fail_on = fail_on};

    if (h->old != NULL && plumb_run_all(h->old, fail_on) == PLUMB_RESULT_INTERNAL)
        return PLUMB_RESULT_INTERNAL;
    return plumb_guard(h, run, &c) ? c.result : PLUMB_RESULT_INTERNAL;
}

enum plumb_result plumb_run_captures(plumb_handle *h, const char *fail_on)
{
    struct run_call c = {.fail_on = fail_on, .captures = true};

    return plumb_guard(h, run, &c) ? c.result : PLUMB_RESULT_INTERNAL;
}

enum plumb_result plumb_run_fleet(plumb_handle *h, unsigned threads, const char *fail_on)
{
    struct run_call c = {.fail_on = fail_on, .captures = true, .fleet = true, .threads = threads};

    return plumb_guard(h, run, &c) ? c.result : PLUMB_RESULT_INTERNAL;
}

/* Text that is made from a run. */
struct render_call {
    const char *format;
    struct plumb_render_options options;
    const char *text;
    size_t len;
};

static void render(struct plumb_handle *h, void *call)
{
    struct render_call *c = call;
    struct plumb_buf out = plumb_buf_in(h->arena);
    struct plumb_report r = plumb_report_of(h);

    for (size_t i = 0; plumb_formats[i].name != NULL; i++) {
        if (strcmp(plumb_formats[i].name, c->format) == 0)
            plumb_formats[i].render(h->arena, &r, &c->options, &out);
    }
    c->text = plumb_buf_text(&out);
    c->len = out.len;
}

static void render_topology(struct plumb_handle *h, void *call)
{
    struct render_call *c = call;
    struct plumb_buf out = plumb_buf_in(h->arena);

    if (h->audit != NULL)
        plumb_fleet_render(h, c->format, &out);
    else if (strcmp(c->format, "json") == 0 || strcmp(c->format, "text") == 0)
        plumb_topology_render(h, strcmp(c->format, "json") == 0, &out);
    else if (strcmp(c->format, "svg") == 0)
        plumb_topology_picture(h, &out);
    else if (strcmp(c->format, "nccl.conf") == 0)
        plumb_topology_rails(h, &out);
    else if (strncmp(c->format, "topology.", strlen("topology.")) == 0)
        plumb_topology_slurm(h, c->format, &out);
    else
        plumb_topology_lines(h, c->format, &out);
    if (out.len == 0 && h->out_problem == NULL)
        h->out_problem = plumb_topology_nothing(h);
    c->text = plumb_buf_text(&out);
    c->len = out.len;
}

static const char *finish(plumb_handle *h, struct render_call *c, size_t *len,
                          void (*work)(struct plumb_handle *h, void *call))
{
    bool done = plumb_guard(h, work, c);

    *len = done ? c->len : 0;
    return done ? c->text : "";
}

const char *plumb_render(plumb_handle *h, const char *format, bool colour, size_t max_findings,
                         size_t *len)
{
    struct render_call c = {.format = format,
                            .options = {.colour = colour, .max_findings = max_findings}};

    return finish(h, &c, len, render);
}

const char *plumb_topology(plumb_handle *h, const char *format, size_t *len)
{
    struct render_call c = {.format = format};

    return finish(h, &c, len, render_topology);
}

size_t plumb_finding_count(const plumb_handle *h)
{
    return h->shown_count;
}

struct finding_call {
    size_t index;
    struct plumb_finding *out;
};

static void describe(struct plumb_handle *h, void *call)
{
    const struct finding_call *c = call;
    const struct plumb_diag *d = h->shown[c->index];
    struct plumb_place p = plumb_source_place(&h->session.sources, d->at);

    *c->out = (struct plumb_finding){
        .code = d->rule->code,
        .name = d->rule->name,
        .severity = plumb_severity_name(d->severity),
        .effect = plumb_effect_name(d->effect),
        .message = d->message,
        .file = plumb_span_known(d->at) ? p.path : NULL,
        .line = p.line,
        .column = p.column,
        .end_line = p.end_line,
        .end_column = p.end_column,
    };
}

bool plumb_finding_at(plumb_handle *h, size_t index, struct plumb_finding *out)
{
    struct finding_call c = {index, out};

    return index < h->shown_count && plumb_guard(h, describe, &c);
}

const char *plumb_version(void)
{
    return PLUMB_VERSION;
}
