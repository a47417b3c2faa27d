/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libplumb's functions. Each sets the place to which control comes when memory runs out, does
 * its work inside, and answers with PLUMB_RESULT_INTERNAL or an empty value from then on.
 */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "base/limits.h"
#include "base/text.h"
#include "passes/sniff.h"

/* True when the code behind it must not run: memory is out, now or since an earlier call. */
#define UNUSABLE(h) ((h)->exhausted || (setjmp((h)->out_of_memory) != 0 && ((h)->exhausted = true)))

static const char *copy(struct plumb_handle *h, const char *text)
{
    return text == NULL ? NULL : plumb_arena_strdup(h->arena, text);
}

static void refuse(struct plumb_handle *h, const char *why)
{
    if (h->usage == NULL)
        h->usage = why;
}

static void read_release(struct plumb_handle *h, const char *text)
{
    h->run.forced_release = PLUMB_RELEASE_NONE;
    if (text == NULL)
        return;
    h->run.forced_release = plumb_release_read(text, strlen(text));
    if (h->run.forced_release == PLUMB_RELEASE_NONE)
        refuse(h, plumb_arena_printf(h->arena, "unknown release '%s', expected %s to %s", text,
                                     plumb_release_name(PLUMB_22_05),
                                     plumb_release_name((enum plumb_release)PLUMB_RELEASE_NEWEST)));
    else
        h->session.sink.release = h->run.forced_release;
}

static void read_rules(struct plumb_handle *h, const char *text, bool levels,
                       struct plumb_policy_list *out)
{
    const char *fault = text == NULL ? NULL : plumb_policy_read(h->arena, text, levels, out);

    if (fault != NULL)
        refuse(h, fault);
}

static void read_as(struct plumb_handle *h, const char *text)
{
    struct plumb_input probe;

    if (text != NULL && !plumb_kind_read(text, &probe))
        refuse(h, plumb_arena_printf(h->arena, "plumb cannot read anything as '%s', expected %s",
                                     text, plumb_kind_words(h->arena)));
    else
        h->as = copy(h, text);
}

static void read_targets(struct plumb_handle *h, const char *text)
{
    for (size_t at = 0, len = 0; text != NULL && text[at] != '\0'; at += len) {
        at += strspn(text + at, ",");
        len = strcspn(text + at, ",");

        bool known = len == 0;
        char *name = plumb_arena_strndup(h->arena, text + at, len);
        struct plumb_nearest near = plumb_nearest_to(name);

        for (size_t i = 0; i < plumb_target_count; i++) {
            known = known || strcmp(plumb_targets[i]->name, name) == 0;
            plumb_nearest_offer(&near, plumb_targets[i]->name);
        }
        if (!known)
            refuse(h, plumb_arena_printf(h->arena, "unknown target '%s'%s%s%s", name,
                                         near.best == NULL ? "" : ", did you mean '",
                                         near.best == NULL ? "" : near.best,
                                         near.best == NULL ? "" : "'?"));
    }
}

static void read_options(struct plumb_handle *h, const struct plumb_options *o)
{
    h->directory = copy(h, o->directory);
    h->run.reference_dir =
        o->reference_dir == NULL ? PLUMB_REFERENCE_DIR : copy(h, o->reference_dir);
    h->run.today = copy(h, o->today);
    h->run.targets = copy(h, o->targets);
    h->run.want_outputs = o->outputs;
    h->run.force_outputs = o->force;
    h->overwrite = o->overwrite;
    h->run.policy = &h->policy;
    read_release(h, o->slurm);
    read_rules(h, o->select, false, &h->policy.select);
    read_rules(h, o->ignore, false, &h->policy.ignore);
    read_rules(h, o->severity, true, &h->policy.severity);
    read_as(h, o->as);
    read_targets(h, o->targets);
}

plumb_handle *plumb_open(const struct plumb_options *options)
{
    static const struct plumb_options none;
    struct plumb_handle *h = calloc(1, sizeof(*h));

    if (h == NULL)
        return NULL;
    h->arena = plumb_arena_new(&h->out_of_memory);
    h->scratch = plumb_arena_new(&h->out_of_memory);
    if (h->arena == NULL || h->scratch == NULL || UNUSABLE(h)) {
        plumb_close(h);
        return NULL;
    }
    plumb_session_init(&h->session, h->arena, h->scratch);
    h->run.session = &h->session;
    read_options(h, options == NULL ? &none : options);
    return h;
}

void plumb_close(plumb_handle *h)
{
    if (h == NULL)
        return;
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

bool plumb_add_path(plumb_handle *h, const char *path)
{
    if (UNUSABLE(h) || h->usage != NULL)
        return false;
    return plumb_walk(h, plumb_arena_strdup(h->arena, path));
}

bool plumb_add_text(plumb_handle *h, const char *name, const char *bytes, size_t len)
{
    struct plumb_input in = {.kind = PLUMB_KIND_UNKNOWN, .listed = true};

    if (UNUSABLE(h) || h->usage != NULL)
        return false;
    in.path = in.shown = plumb_arena_strdup(h->arena, name);
    if (len > PLUMB_MAX_FILE_BYTES)
        return plumb_walk_fail(h, name, "is larger than 256 MiB");
    in.src = plumb_source_add(&h->session.sources, name, bytes, len);
    return plumb_walk_add(h, in);
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

static void run_pipeline(struct plumb_handle *h)
{
    plumb_pipeline_run(&h->run);
    plumb_report_collect(h);
}

static enum plumb_result run(struct plumb_handle *h, const char *fail_on,
                             void (*work)(struct plumb_handle *h))
{
    unsigned level = PLUMB_ERROR;

    if (fail_on != NULL && !read_level(fail_on, &level))
        refuse(h, plumb_arena_printf(h->arena,
                                     "'%s' is no level, expected error, warning, info or never",
                                     fail_on));
    if (h->usage != NULL)
        return PLUMB_RESULT_USAGE;
    if (!h->ran)
        work(h);
    h->ran = true;
    return judge(h, level);
}

enum plumb_result plumb_run_all(plumb_handle *h, const char *fail_on)
{
    return UNUSABLE(h) ? PLUMB_RESULT_INTERNAL : run(h, fail_on, run_pipeline);
}

enum plumb_result plumb_run_captures(plumb_handle *h, const char *fail_on)
{
    return UNUSABLE(h) ? PLUMB_RESULT_INTERNAL : run(h, fail_on, plumb_topology_run);
}

const char *plumb_topology(plumb_handle *h, const char *format, size_t *len)
{
    *len = 0;
    if (UNUSABLE(h))
        return "";

    struct plumb_buf out = plumb_buf_in(h->arena);

    plumb_topology_render(h, strcmp(format, "json") == 0, &out);
    *len = out.len;
    return plumb_buf_text(&out);
}

static const char *write_fault(enum plumb_status status)
{
    switch (status) {
    case PLUMB_NOT_OURS:
        return "was not written by plumb and is left alone";
    case PLUMB_BUSY:
        return "is being written by another run";
    case PLUMB_NOT_A_FILE:
        return "is no regular file";
    case PLUMB_CANNOT_READ:
        return "cannot be read";
    default:
        return "cannot be written";
    }
}

enum plumb_result plumb_write(plumb_handle *h, const char *directory)
{
    const char *path = NULL;
    enum plumb_status status = PLUMB_OK;

    if (UNUSABLE(h))
        return PLUMB_RESULT_INTERNAL;
    if (h->run.outputs == NULL || h->run.outputs->file_count == 0)
        return PLUMB_RESULT_FINDINGS;
    h->run.outputs->overwrite = h->overwrite;
    status = plumb_outputs_write(&h->session, h->run.outputs, plumb_walk_path(h, directory), &path);
    if (status == PLUMB_OK)
        return PLUMB_RESULT_CLEAN;
    h->out_problem = plumb_arena_printf(h->arena, "'%s' %s", path == NULL ? directory : path,
                                        write_fault(status));
    return PLUMB_RESULT_INTERNAL;
}

const char *plumb_render(plumb_handle *h, const char *format, bool colour, size_t max_findings,
                         size_t *len)
{
    static const struct {
        const char *name;
        void (*render)(struct plumb_arena *a, const struct plumb_report *r,
                       const struct plumb_render_options *o, struct plumb_buf *out);
    } formats[] = {
        {"human", plumb_render_human},
        {"compact", plumb_render_compact},
        {"json", plumb_render_json},
    };
    struct plumb_render_options o = {.colour = colour, .max_findings = max_findings};

    *len = 0;
    if (UNUSABLE(h))
        return "";

    struct plumb_buf out = plumb_buf_in(h->arena);
    struct plumb_report r = plumb_report_of(h);

    for (size_t i = 0; i < PLUMB_COUNT(formats); i++) {
        if (strcmp(formats[i].name, format) == 0)
            formats[i].render(h->arena, &r, &o, &out);
    }
    *len = out.len;
    return plumb_buf_text(&out);
}

size_t plumb_finding_count(const plumb_handle *h)
{
    return h->shown_count;
}

bool plumb_finding_at(plumb_handle *h, size_t index, struct plumb_finding *out)
{
    if (index >= h->shown_count || UNUSABLE(h))
        return false;

    const struct plumb_diag *d = h->shown[index];
    struct plumb_place p = plumb_source_place(&h->session.sources, d->at);

    *out = (struct plumb_finding){
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
    return true;
}

size_t plumb_made_count(const plumb_handle *h)
{
    return h->run.outputs == NULL ? 0 : h->run.outputs->file_count;
}

bool plumb_made_at(const plumb_handle *h, size_t index, struct plumb_file_made *out)
{
    if (index >= plumb_made_count(h))
        return false;

    const struct plumb_output *f = &h->run.outputs->files[index];

    *out =
        (struct plumb_file_made){.path = f->path, .bytes = f->text, .len = f->len, .mode = f->mode};
    return true;
}

static const char *const states[] = {
    [PLUMB_FRESH] = NULL,      [PLUMB_MISSING] = "missing",     [PLUMB_STALE] = "stale",
    [PLUMB_EDITED] = "edited", [PLUMB_LEFT_OVER] = "left over",
};

enum plumb_result plumb_compare(plumb_handle *h, const char *directory)
{
    struct plumb_freshness_item *items = NULL;
    size_t count = 0;

    if (UNUSABLE(h))
        return PLUMB_RESULT_INTERNAL;
    h->difference_count = 0;
    if (plumb_made_count(h) == 0)
        return PLUMB_RESULT_FINDINGS;
    if (plumb_outputs_compare(&h->session, h->run.outputs, plumb_walk_path(h, directory), &items,
                              &count) != PLUMB_OK) {
        h->out_problem = plumb_arena_printf(h->arena, "'%s' cannot be read", directory);
        return PLUMB_RESULT_INCOMPLETE;
    }
    h->differences = PLUMB_NEW_ARRAY(h->arena, count, struct plumb_difference);
    for (size_t i = 0; i < count; i++) {
        if (states[items[i].state] != NULL)
            h->differences[h->difference_count++] =
                (struct plumb_difference){.path = items[i].path, .state = states[items[i].state]};
    }
    return h->difference_count == 0 ? PLUMB_RESULT_CLEAN : PLUMB_RESULT_FINDINGS;
}

size_t plumb_difference_count(const plumb_handle *h)
{
    return h->difference_count;
}

bool plumb_difference_at(const plumb_handle *h, size_t index, struct plumb_difference *out)
{
    if (index >= h->difference_count)
        return false;
    *out = h->differences[index];
    return true;
}

const char *plumb_version(void)
{
    return PLUMB_VERSION;
}
