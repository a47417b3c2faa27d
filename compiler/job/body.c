/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of a script: calls of srun, sbatch and salloc, in functions, loops, pipes and
 * "$(...)" too, and the variables that are set for them. The text of a here-document is another
 * program's, unless sbatch reads it: then it is a script. What a word holds only at run time stays
 * unknown.
 */
#include "job/body.h"

#include <string.h>

#include "base/text.h"
#include "job/call.h"
#include "job/shell.h"

/* How deep commands in words of commands are followed. */
enum { MAX_DEPTH = 8 };

/* A here-document: the word that ends it. */
struct heredoc {
    struct plumb_job_word word;
    bool tabs;
    unsigned pipe; /* of the command that reads it */
};

struct reading {
    struct plumb_session *session;
    const struct plumb_job_read_options *options;
    struct plumb_job *job;
    struct plumb_span first; /* the first command: directives end there */
    struct plumb_job_words words;
    struct heredoc *docs; /* that begin behind this line */
    size_t doc_count, doc_cap;
    unsigned wave, pipe, loops, depth;
    size_t loop_call; /* the first call of the outermost loop */
};

/* Options that decide what the job is given: without them it cannot do what it says. */
static bool asks_for_devices(const struct plumb_option *row)
{
    return row->kind == PLUMB_KIND_OF_GRES || row->kind == PLUMB_KIND_OF_GPUS;
}

/* A directive behind the first command. */
static void report_late(struct reading *rd, uint32_t at, uint32_t end)
{
    struct plumb_session *s = rd->session;
    const struct plumb_source *src = rd->job->src;
    struct plumb_job_words words = {0};
    struct plumb_job_call call = {.command = PLUMB_SBATCH};
    struct plumb_job_word w;
    uint32_t p = at + (uint32_t)sizeof(PLUMB_JOB_MAGIC) - 1;
    bool open = false, devices = false;
    struct plumb_diag *d = NULL;
    size_t kept = s->sink.count;

    while (plumb_job_directive_word(s, src, &p, end, &w, &open))
        plumb_job_words_add(s->arena, &words, &w);
    if (words.count == 0)
        return;
    (void)plumb_job_call_read(s, rd->options, &words, &call);
    s->sink.count = kept; /* what is wrong in it does not matter */
    for (size_t i = 0; i < call.count; i++)
        devices = devices || asks_for_devices(call.options[i].row);
    d = plumb_job_report(s, PLUMB_JOB_LATE, ((struct plumb_span){src->id, at, p}),
                         "the directive stands behind the first command, and sbatch ignores it%s",
                         devices ? ": the job gets none of these devices" : "");
    plumb_diag_note(d, rd->first, "directives end here");
    if (devices)
        plumb_diag_severity(d, PLUMB_ERROR);
}

static bool is_word(const struct plumb_job_word *w, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (plumb_slice_is_exact(&w->text, *words))
            return true;
    }
    return false;
}

/* Length of NAME in "NAME=value"; 0: it is something else. */
static size_t name_length(const struct plumb_slice *t)
{
    size_t i = 0;

    while (i < t->len && (t->text[i] == '_' || (plumb_is_digit(t->text[i]) && i > 0) ||
                          (plumb_lower(t->text[i]) >= 'a' && plumb_lower(t->text[i]) <= 'z')))
        i++;
    return i < t->len && t->text[i] == '=' ? i : 0;
}

static void add_assign(struct reading *rd, const struct plumb_job_word *w, bool exported, bool once)
{
    struct plumb_job *j = rd->job;
    size_t len = name_length(&w->text);

    j->assigns = plumb_arena_grow(rd->session->arena, j->assigns, j->assign_count, &j->assign_cap,
                                  sizeof(*j->assigns));
    j->assigns[j->assign_count++] = (struct plumb_job_assign){
        .name = plumb_slice_sub(&w->text, 0, len == 0 ? w->text.len : len),
        .value = plumb_slice_sub(&w->text, len == 0 ? w->text.len : len + 1, w->text.len),
        .unknown = w->unknown || len == 0,
        .exported = exported,
        .once = once,
        .call = j->count,
    };
}

/* "export A=1 B", "unset A": the words behind the command are names. */
static bool read_names(struct reading *rd, const struct plumb_job_words *words, size_t at)
{
    static const char *const exports[] = {"export", "declare", "typeset", "readonly", NULL};
    static const char *const unsets[] = {"unset", NULL};
    bool export = is_word(&words->items[at], exports), unset = is_word(&words->items[at], unsets);

    for (size_t i = at + 1; (export || unset) && i < words->count; i++) {
        const struct plumb_job_word *w = &words->items[i];

        if (w->text.len > 0 && w->text.text[0] != '-' && (unset || name_length(&w->text) > 0))
            add_assign(rd, w, true, false);
    }
    return export || unset;
}

/* Behind the options of a command that runs another one: "timeout -k 5 60 srun", "env A=1 srun". */
static size_t behind_wrapper(const struct plumb_job_words *words, size_t at)
{
    static const char *const with_number[] = {"timeout", NULL};
    static const char *const values[] = {"-k", "-s", "-n", "-u", "-i", "-o", "-e", "-a", NULL};
    bool number = is_word(&words->items[at], with_number);

    for (at++;
         at < words->count && words->items[at].text.len > 1 && words->items[at].text.text[0] == '-';
         at++) {
        if (is_word(&words->items[at], values) && at + 1 < words->count)
            at++;
    }
    return at + number;
}

/*
 * The place of the command in a simple command: behind reserved words, assignments and commands
 * that run another. Assignments are kept; those without a command stay in force.
 */
static size_t find_command(struct reading *rd, const struct plumb_job_words *words)
{
    static const char *const reserved[] = {"if",      "then", "else",    "elif", "while", "until",
                                           "do",      "!",    "{",       "time", "exec",  "nohup",
                                           "command", "eval", "builtin", NULL};
    static const char *const wrappers[] = {"timeout", "env",    "nice",    "ionice", "stdbuf",
                                           "setsid",  "strace", "numactl", NULL};
    size_t at = 0, first = rd->job->assign_count;

    while (at < words->count) {
        const struct plumb_job_word *w = &words->items[at];

        if (is_word(w, wrappers)) {
            at = behind_wrapper(words, at);
        } else if (plumb_slice_is_exact(&w->text, "function") && at + 1 < words->count) {
            at += 2;
        } else if (name_length(&w->text) > 0) {
            add_assign(rd, w, false, true);
            at++;
        } else if (is_word(w, reserved)) {
            at++;
            if (plumb_slice_is_exact(&w->text, "time"))
                at += at < words->count && plumb_slice_is_exact(&words->items[at].text, "-p");
        } else {
            return at;
        }
    }
    for (size_t i = first; i < rd->job->assign_count; i++)
        rd->job->assigns[i].once = false;
    return at;
}

static bool is_job_command(const struct plumb_job_word *w, enum plumb_job_command *out)
{
    static const enum plumb_job_command commands[] = {PLUMB_SRUN, PLUMB_SBATCH, PLUMB_SALLOC};
    const char *slash = NULL;
    struct plumb_slice name = w->text;

    for (size_t i = 0; i < name.len; i++)
        slash = name.text[i] == '/' ? name.text + i : slash;
    if (slash != NULL)
        name = plumb_slice_sub(&name, (size_t)(slash - name.text) + 1, name.len);
    for (size_t i = 0; i < PLUMB_COUNT(commands) && !w->unknown; i++) {
        if (plumb_slice_is_exact(&name, plumb_job_command_name(commands[i]))) {
            *out = commands[i];
            return true;
        }
    }
    return false;
}

/* The options of one call; behind a ':' those of its next component. */
static void read_calls(struct reading *rd, const struct plumb_job_words *words, size_t at,
                       enum plumb_job_command command)
{
    struct plumb_job *j = rd->job;
    struct plumb_span where = words->items[at].text.at;
    unsigned part = 0;

    for (at++;; part++) {
        struct plumb_job_words rest = {.items = words->items + at, .count = words->count - at};
        struct plumb_job_call *call = NULL;

        j->calls =
            plumb_arena_grow(rd->session->arena, j->calls, j->count, &j->cap, sizeof(*j->calls));
        call = &j->calls[j->count++];
        *call = (struct plumb_job_call){.command = command,
                                        .at = where,
                                        .body = true,
                                        .part = part,
                                        .wave = rd->wave,
                                        .pipe = rd->pipe,
                                        .looped = rd->loops > 0};
        at += plumb_job_call_read(rd->session, rd->options, &rest, call);
        call->named = at < words->count || plumb_job_call_has(call, PLUMB_O_WRAP);
        while (at < words->count && !plumb_slice_is_exact(&words->items[at].text, ":"))
            at++;
        if (at >= words->count)
            return;
        at++;
    }
}

/* 'wait' in a loop: what the loop started before ends with each round. */
static void end_wave(struct reading *rd)
{
    rd->wave++;
    for (size_t i = rd->loop_call; rd->loops > 0 && i < rd->job->count; i++)
        rd->job->calls[i].looped = false;
}

/* Words that begin or end a block, and those that wait or keep two calls from running at once. */
static void follow_blocks(struct reading *rd, const struct plumb_job_word *w)
{
    static const char *const begins[] = {"for", "while", "until", "select", NULL};
    static const char *const ends[] = {"else",  "elif",    "}",       "esac", "wait", "kill",
                                       "pkill", "killall", "scancel", "exit", NULL};

    if (is_word(w, begins)) {
        if (rd->loops++ == 0)
            rd->loop_call = rd->job->count;
    } else if (plumb_slice_is_exact(&w->text, "done")) {
        rd->loops -= rd->loops > 0;
    } else if (is_word(w, ends)) {
        end_wave(rd);
    }
}

/* One simple command of the body. */
static void read_command(struct reading *rd)
{
    const struct plumb_job_words *words = &rd->words;
    enum plumb_job_command command = PLUMB_SRUN;
    size_t at = 0;

    if (words->count == 0)
        return;
    follow_blocks(rd, &words->items[0]);
    at = find_command(rd, words);
    if (at >= words->count)
        return;
    if (at > 0)
        follow_blocks(rd, &words->items[at]);
    if (read_names(rd, words, at) || !is_job_command(&words->items[at], &command))
        return;
    read_calls(rd, words, at, command);
}

static bool begins_line(const struct plumb_source *src, uint32_t at)
{
    return at == 0 || src->bytes[at - 1] == '\n';
}

static void read_range(struct reading *rd, uint32_t at, uint32_t end);

/* Commands inside the words that were just read: they run before the command itself. */
static void read_inner(struct reading *rd, struct plumb_shell *sh)
{
    struct plumb_shell_range *inner = sh->inner;
    size_t count = sh->inner_count;

    sh->inner = NULL;
    sh->inner_count = sh->inner_cap = 0;
    for (size_t i = 0; i < count && rd->depth < MAX_DEPTH; i++) {
        struct plumb_job_words words = rd->words;
        struct heredoc *docs = rd->docs;
        size_t doc_count = rd->doc_count, doc_cap = rd->doc_cap;

        rd->words = (struct plumb_job_words){0};
        rd->docs = NULL;
        rd->doc_count = rd->doc_cap = 0;
        rd->depth++;
        read_range(rd, inner[i].begin, inner[i].end);
        rd->depth--;
        rd->words = words;
        rd->docs = docs;
        rd->doc_count = doc_count;
        rd->doc_cap = doc_cap;
    }
}

/* A pipeline is over, or goes on in the background. */
static void end_pipe(struct reading *rd, bool background)
{
    struct plumb_job *j = rd->job;

    for (size_t i = j->count; i > j->components && j->calls[i - 1].pipe == rd->pipe; i--)
        j->calls[i - 1].background = background;
    rd->pipe++;
}

/* "<<'EOF'" and its like: the shell leaves the text as it is. */
static bool is_quoted(const struct plumb_source *src, const struct plumb_slice *word)
{
    for (uint32_t i = word->at.begin; i < word->at.end; i++) {
        if (strchr("'\"\\", src->bytes[i]) != NULL)
            return true;
    }
    return false;
}

/* "sbatch <<EOF", "cat <<EOF | sbatch": the call of the pipeline that reads its script there. */
static struct plumb_job_call *reader_of(struct reading *rd, unsigned pipe)
{
    struct plumb_job *j = rd->job;

    for (size_t i = j->count; i > j->components; i--) {
        struct plumb_job_call *call = &j->calls[i - 1];

        if (call->pipe == pipe && call->command == PLUMB_SBATCH && call->part == 0)
            return call->named || call->merged ? NULL : call;
    }
    return NULL;
}

/* The line is over: what follows is the text of its here-documents. */
static void read_docs(struct reading *rd, struct plumb_shell *sh)
{
    for (size_t i = 0; i < rd->doc_count; i++) {
        const struct heredoc *d = &rd->docs[i];
        struct plumb_job_call *call = reader_of(rd, d->pipe);
        struct plumb_job text = {
            .src = rd->job->src,
            .begin = sh->at,
            .tabs = d->tabs,
            .expanded = rd->job->expanded || !is_quoted(rd->job->src, &d->word.text),
            .depth = rd->job->depth + 1,
        };

        text.end = plumb_shell_skip_heredoc(sh, &d->word.text, d->tabs);
        if (call == NULL || text.depth > MAX_DEPTH)
            continue;
        call->merged = true;
        plumb_job_read_text(rd->session, rd->options, rd->job, &text, call);
    }
    rd->doc_count = 0;
}

/* A token that ends a simple command. */
static void end_command(struct reading *rd, struct plumb_shell *sh, enum plumb_job_token token)
{
    read_inner(rd, sh);
    read_command(rd);
    rd->words.count = 0;
    if (token != PLUMB_JOB_PIPE)
        end_pipe(rd, token == PLUMB_JOB_BACKGROUND);
    if (token != PLUMB_JOB_NEWLINE)
        return;
    read_docs(rd, sh);
}

static void add_doc(struct reading *rd, const struct plumb_job_word *w, bool tabs)
{
    rd->docs = plumb_arena_grow(rd->session->arena, rd->docs, rd->doc_count, &rd->doc_cap,
                                sizeof(*rd->docs));
    rd->docs[rd->doc_count++] = (struct heredoc){.word = *w, .tabs = tabs, .pipe = rd->pipe};
}

static void read_range(struct reading *rd, uint32_t at, uint32_t end)
{
    const struct plumb_source *src = rd->job->src;
    struct plumb_shell sh = {
        .session = rd->session, .src = src, .at = at, .end = end, .expanded = rd->job->expanded};
    struct plumb_job_word w;
    bool file = false, heredoc = false;

    for (;;) {
        enum plumb_job_token token = PLUMB_JOB_END;

        if (begins_line(src, sh.at)) {
            while (rd->job->tabs && sh.at < end && src->bytes[sh.at] == '\t')
                sh.at++;
            if (sh.at < end && plumb_job_is_directive(src, sh.at, plumb_job_line_end(src, sh.at)))
                report_late(rd, sh.at, plumb_job_line_end(src, sh.at));
        }
        token = plumb_shell_token(&sh, &w);
        if (token == PLUMB_JOB_WORD && heredoc)
            add_doc(rd, &w, sh.tabs);
        else if (token == PLUMB_JOB_WORD && !file)
            plumb_job_words_add(rd->session->arena, &rd->words, &w);
        file = token == PLUMB_JOB_REDIRECT;
        heredoc = token == PLUMB_JOB_HEREDOC;
        if (token == PLUMB_JOB_WORD || file || heredoc)
            continue;
        end_command(rd, &sh, token);
        if (token == PLUMB_JOB_END)
            return;
    }
}

static bool calls_later(const struct plumb_job *j, enum plumb_job_command command, size_t from)
{
    for (size_t i = from; i < j->count; i++) {
        if (j->calls[i].body && j->calls[i].command == command)
            return true;
    }
    return false;
}

/* A variable that srun reads in another release; NULL. */
static const struct plumb_option_variable *of_other_release(const struct reading *rd,
                                                            const struct plumb_slice *name)
{
    for (int r = PLUMB_RELEASE_OLDEST; r <= PLUMB_RELEASE_NEWEST; r++) {
        const struct plumb_option_variable *v =
            plumb_option_variable(PLUMB_SRUN, (enum plumb_release)r, name->text, name->len);

        if (v != NULL)
            return plumb_option_variable(PLUMB_SRUN, rd->options->release, name->text, name->len) ==
                           NULL
                       ? v
                       : NULL;
    }
    return NULL;
}

/* Variables of commands that come too late, or that the release has not. */
static void check_variables(struct reading *rd)
{
    const struct plumb_job *j = rd->job;
    enum plumb_release r = rd->options->release;

    for (size_t i = 0; i < j->assign_count; i++) {
        const struct plumb_job_assign *a = &j->assigns[i];
        const struct plumb_option_variable *other = of_other_release(rd, &a->name);

        if (a->value.len == 0)
            continue;
        if (strncmp(a->name.text, "SBATCH_", 7) == 0 &&
            plumb_option_variable(PLUMB_SBATCH, r, a->name.text, a->name.len) != NULL &&
            !calls_later(j, PLUMB_SBATCH, a->call))
            plumb_job_report(rd->session, PLUMB_JOB_VARIABLE, a->name.at,
                             "'%.*s' is set in the script, which sbatch has read before: the job "
                             "does not change, expected a directive",
                             (int)a->name.len, a->name.text);
        else if (other != NULL)
            plumb_diag_severity(
                plumb_job_report(rd->session, PLUMB_JOB_VARIABLE, a->name.at,
                                 "srun %s does not read '%.*s', releases %s to %s do",
                                 plumb_release_name(r), (int)a->name.len, a->name.text,
                                 plumb_release_name((enum plumb_release)other->first),
                                 plumb_release_name(other->last > PLUMB_RELEASE_NEWEST
                                                        ? PLUMB_RELEASE_NEWEST
                                                        : (enum plumb_release)other->last)),
                PLUMB_INFO);
    }
}

void plumb_job_read_body(struct plumb_session *s, const struct plumb_job_read_options *o,
                         struct plumb_job *job, uint32_t at)
{
    struct reading rd = {
        .session = s,
        .options = o,
        .job = job,
        .pipe = 1,
        .first = {job->src->id, at, plumb_job_line_end(job->src, at)},
    };

    read_range(&rd, at, job->end);
    check_variables(&rd);
}

void plumb_job_commands_read(struct plumb_session *s, const struct plumb_source *src,
                             struct plumb_job_commands *out)
{
    struct plumb_shell sh = {.session = s, .src = src, .end = src->len};
    struct plumb_job_words words = {0};
    struct plumb_job_word w;
    bool file = false;

    for (;;) {
        enum plumb_job_token token = plumb_shell_token(&sh, &w);

        if (token == PLUMB_JOB_WORD && !file)
            plumb_job_words_add(s->arena, &words, &w);
        file = token == PLUMB_JOB_REDIRECT || token == PLUMB_JOB_HEREDOC;
        if (token == PLUMB_JOB_WORD || file)
            continue;
        if (words.count > 0) {
            out->items =
                plumb_arena_grow(s->arena, out->items, out->count, &out->cap, sizeof(*out->items));
            out->items[out->count++] = words;
            words = (struct plumb_job_words){0};
        }
        if (token == PLUMB_JOB_END)
            return;
    }
}
