/* SPDX-License-Identifier: Apache-2.0 */
/* The options of one call, and what is wrong with them by themselves. */
#include "job/call.h"

#include <string.h>

#include "base/text.h"

struct reading {
    struct plumb_session *session;
    const struct plumb_job_read_options *options;
    const struct plumb_job_words *words;
    struct plumb_job_call *call;
    size_t at; /* the word that is read */
};

/* Options that the SPANK plugin pyxis adds to srun, and to sbatch where it is configured. */
static const char *const pyxis[] = {
    "container-image",         "container-mounts",        "container-workdir",
    "container-name",          "container-save",          "container-mount-home",
    "no-container-mount-home", "container-remap-root",    "no-container-remap-root",
    "container-entrypoint",    "no-container-entrypoint", "container-entrypoint-log",
    "container-writable",      "container-readonly",      "container-env",
};

static bool is_pyxis(const char *name, size_t len)
{
    for (size_t i = 0; i < PLUMB_COUNT(pyxis); i++) {
        if (strlen(pyxis[i]) == len && memcmp(pyxis[i], name, len) == 0)
            return true;
    }
    return false;
}

static const char *command_name(const struct reading *rd)
{
    return plumb_job_command_name(rd->call->command);
}

static struct plumb_job_option *add(struct reading *rd, const struct plumb_option *row,
                                    struct plumb_span at)
{
    struct plumb_job_call *c = rd->call;

    c->options =
        plumb_arena_grow(rd->session->arena, c->options, c->count, &c->cap, sizeof(*c->options));
    c->options[c->count] = (struct plumb_job_option){.row = row, .at = at, .value.text = ""};
    return &c->options[c->count++];
}

static void give(struct plumb_job_option *o, struct plumb_slice value, bool unknown)
{
    o->value = value;
    o->has_value = true;
    o->unknown = unknown;
}

/* The value of an option that needs one stands in the next word. */
static void next_word(struct reading *rd, struct plumb_job_option *o, const char *shown)
{
    if (rd->at + 1 < rd->words->count) {
        const struct plumb_job_word *w = &rd->words->items[++rd->at];

        give(o, w->text, w->unknown);
        if (w->text.at.file == o->at.file && w->text.at.end > o->at.end)
            o->at.end = w->text.at.end;
        return;
    }
    plumb_job_report(rd->session, PLUMB_JOB_ARGUMENT, o->at,
                     "'%s' has no value, expected one; %s refuses", shown, command_name(rd));
    rd->call->count--;
}

/* Why a name is not known: another release, another command, a plugin, a slip. */
static void report_unknown(struct reading *rd, const struct plumb_slice *name, bool ambiguous)
{
    struct plumb_session *s = rd->session;
    enum plumb_release r = rd->options->release;
    const struct plumb_option *other =
        plumb_option_elsewhere(rd->call->command, name->text, name->len);
    const char *near = plumb_option_suggest(rd->call->command, r, name->text);
    struct plumb_diag *d = NULL;

    if (rd->options->plugins ||
        (rd->call->command != PLUMB_SBATCH && is_pyxis(name->text, name->len)))
        return;
    d = plumb_job_report(s, PLUMB_JOB_UNKNOWN_OPTION, name->at,
                         ambiguous ? "'--%s' begins several options of %s %s, expected one in "
                                     "full; %s refuses"
                                   : "'--%s' is no option of %s %s; %s refuses",
                         name->text, command_name(rd), plumb_release_name(r), command_name(rd));
    if (ambiguous)
        return;
    if (other != NULL && (other->commands & rd->call->command) == 0)
        plumb_diag_fact(d, "'--%s' is an option of %s", other->name,
                        (other->commands & PLUMB_SRUN) != 0     ? "srun"
                        : (other->commands & PLUMB_SBATCH) != 0 ? "sbatch"
                                                                : "salloc");
    else if (other != NULL && other->last == PLUMB_RELEASE_OPEN)
        plumb_diag_fact(d, "%s knows it from %s on", command_name(rd),
                        plumb_release_name((enum plumb_release)other->first));
    else if (other != NULL)
        plumb_diag_fact(d, "%s knows it from %s to %s", command_name(rd),
                        plumb_release_name((enum plumb_release)other->first),
                        plumb_release_name((enum plumb_release)other->last));
    else if (is_pyxis(name->text, name->len))
        plumb_diag_fact(d, "the plugin pyxis adds it; no plugstack.conf was read");
    else if (near != NULL)
        plumb_diag_fact(d, "did you mean '--%s'?", near);
}

static void read_long(struct reading *rd, const struct plumb_job_word *w)
{
    const struct plumb_slice *t = &w->text;
    const char *equals = memchr(t->text, '=', t->len);
    size_t end = equals == NULL ? t->len : (size_t)(equals - t->text);
    struct plumb_slice name = plumb_slice_sub(t, 2, end);
    bool ambiguous = false;
    const struct plumb_option *row = NULL;
    struct plumb_job_option *o = NULL;

    if (w->unknown && memchr(name.text, '$', name.len) != NULL)
        return;
    name.text = plumb_arena_strndup(rd->session->arena, name.text, name.len);
    row =
        plumb_option_find(rd->call->command, rd->options->release, name.text, name.len, &ambiguous);
    if (row == NULL) {
        name.at.begin = t->at.begin;
        report_unknown(rd, &name, ambiguous);
        return;
    }
    o = add(rd, row, t->at);
    if (equals != NULL && row->arg == PLUMB_ARG_NONE)
        plumb_job_report(rd->session, PLUMB_JOB_ARGUMENT, plumb_slice_span(t, end, t->len),
                         "'--%s' takes no value, found '%s'; %s refuses", row->name, equals + 1,
                         command_name(rd));
    else if (equals != NULL)
        give(o, plumb_slice_sub(t, end + 1, t->len), w->unknown);
    else if (row->arg == PLUMB_ARG_REQUIRED)
        next_word(rd, o, t->text);
}

/* "-N2", "-N 2", "-vQ": letters, until one takes the rest. */
static void read_letters(struct reading *rd, const struct plumb_job_word *w)
{
    const struct plumb_slice *t = &w->text;

    for (size_t i = 1; i < t->len; i++) {
        const struct plumb_option *row =
            plumb_option_letter(rd->call->command, rd->options->release, t->text[i]);
        struct plumb_job_option *o = NULL;

        if (row == NULL) {
            if (!w->unknown && !rd->options->plugins)
                plumb_job_report(
                    rd->session, PLUMB_JOB_UNKNOWN_OPTION, plumb_slice_span(t, i, i + 1),
                    "'-%c' is no option of %s %s; %s refuses", t->text[i], command_name(rd),
                    plumb_release_name(rd->options->release), command_name(rd));
            return;
        }
        o = add(rd, row, t->at);
        if (row->arg == PLUMB_ARG_NONE)
            continue;
        if (i + 1 < t->len)
            give(o, plumb_slice_sub(t, i + 1, t->len), w->unknown);
        else if (row->arg == PLUMB_ARG_REQUIRED)
            next_word(rd, o, t->text);
        return;
    }
}

size_t plumb_job_call_read(struct plumb_session *s, const struct plumb_job_read_options *o,
                           const struct plumb_job_words *words, struct plumb_job_call *call)
{
    struct reading rd = {.session = s, .options = o, .words = words, .call = call};

    for (; rd.at < words->count; rd.at++) {
        const struct plumb_job_word *w = &words->items[rd.at];

        if (w->text.len == 2 && memcmp(w->text.text, "--", 2) == 0)
            return rd.at + 1;
        if (w->text.len < 2 || w->text.text[0] != '-')
            return rd.at;
        if (w->text.text[1] == '-')
            read_long(&rd, w);
        else
            read_letters(&rd, w);
    }
    return words->count;
}

bool plumb_job_call_has(const struct plumb_job_call *call, enum plumb_option_id id)
{
    for (size_t i = 0; i < call->count; i++) {
        if (call->options[i].row->id == id)
            return true;
    }
    return false;
}
