/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A script: directives until the first command (sbatch/opt.c:_opt_batch_script), then the
 * commands. The words of all directives of a component are one command line.
 */
#include <string.h>

#include "base/text.h"
#include "job/call.h"
#include "job/words.h"

#define MAGIC "#SBATCH"

struct reading {
    struct plumb_session *session;
    const struct plumb_job_read_options *options;
    struct plumb_job *job;
    struct plumb_job_words words; /* of the component */
    uint32_t begin;               /* of its first directive */
};

static struct plumb_span span_of(const struct plumb_source *src, uint32_t begin, uint32_t end)
{
    return (struct plumb_span){src->id, begin, end};
}

static struct plumb_job_call *add_call(struct reading *rd, enum plumb_job_command command,
                                       struct plumb_span at, bool body)
{
    struct plumb_job *j = rd->job;

    j->calls = plumb_arena_grow(rd->session->arena, j->calls, j->count, &j->cap, sizeof(*j->calls));
    j->calls[j->count] = (struct plumb_job_call){.command = command, .at = at, .body = body};
    return &j->calls[j->count++];
}

/* The directives so far are a component; what is no option in them stops sbatch. */
static void end_component(struct reading *rd, uint32_t end)
{
    const struct plumb_source *src = rd->job->src;
    struct plumb_job_call *call = add_call(rd, PLUMB_SBATCH, span_of(src, rd->begin, end), false);
    size_t left = plumb_job_call_read(rd->session, rd->options, &rd->words, call);

    if (left < rd->words.count)
        plumb_job_report(rd->session, PLUMB_JOB_STRAY_WORD, rd->words.items[left].text.at,
                         "'%s' is no option, expected one that begins with '-'; sbatch refuses",
                         rd->words.items[left].text.text);
    rd->words = (struct plumb_job_words){0};
}

static uint32_t line_end(const struct plumb_source *src, uint32_t at)
{
    const char *end = memchr(src->bytes + at, '\n', src->len - at);

    return end == NULL ? src->len : (uint32_t)(end - src->bytes);
}

static bool is_directive(const struct plumb_source *src, uint32_t at, uint32_t end)
{
    size_t len = sizeof(MAGIC) - 1;

    return end - at >= len && memcmp(src->bytes + at, MAGIC, len) == 0;
}

/* "hetjob", or "packjob" of older days, alone in front of the options. */
static bool is_component(const struct plumb_job_word *w)
{
    return plumb_slice_is(&w->text, "hetjob") || plumb_slice_is(&w->text, "packjob");
}

static void read_directive(struct reading *rd, uint32_t at, uint32_t end)
{
    const struct plumb_source *src = rd->job->src;
    uint32_t p = at + (uint32_t)sizeof(MAGIC) - 1;
    struct plumb_job_word w;
    bool open = false, first = true;

    for (; plumb_job_directive_word(rd->session, src, &p, end, &w, &open); first = false) {
        if (open)
            plumb_job_report(rd->session, PLUMB_JOB_QUOTE, w.text.at,
                             "the quote is not closed, expected another on this line; sbatch "
                             "refuses");
        if (first && is_component(&w)) {
            end_component(rd, at);
            rd->begin = at;
            continue;
        }
        plumb_job_words_add(rd->session->arena, &rd->words, &w);
    }
}

static bool is_blank_or_comment(const struct plumb_source *src, uint32_t at, uint32_t end)
{
    while (at < end && plumb_is_blank(src->bytes[at]))
        at++;
    return at == end || src->bytes[at] == '#';
}

/* The directives; the place of the first command. */
static uint32_t read_directives(struct reading *rd)
{
    const struct plumb_source *src = rd->job->src;
    uint32_t at = 0;

    while (at < src->len) {
        uint32_t end = line_end(src, at);

        if (is_directive(src, at, end))
            read_directive(rd, at, end);
        else if (!is_blank_or_comment(src, at, end))
            break;
        at = end < src->len ? end + 1 : end;
    }
    end_component(rd, at);
    return at;
}

/* Options that decide what the job is given: without them it cannot do what it says. */
static bool asks_for_devices(const struct plumb_option *row)
{
    return row->kind == PLUMB_KIND_OF_GRES || row->kind == PLUMB_KIND_OF_GPUS;
}

/* A directive behind the first command. */
static void report_late(struct reading *rd, uint32_t at, uint32_t end, struct plumb_span command)
{
    struct plumb_session *s = rd->session;
    const struct plumb_source *src = rd->job->src;
    struct plumb_job_words words = {0};
    struct plumb_job_call call = {.command = PLUMB_SBATCH};
    struct plumb_job_word w;
    uint32_t p = at + (uint32_t)sizeof(MAGIC) - 1;
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
    d = plumb_job_report(s, PLUMB_JOB_LATE, span_of(src, at, p),
                         "the directive stands behind the first command, and sbatch ignores it%s",
                         devices ? ": the job gets none of these devices" : "");
    plumb_diag_note(d, command, "directives end here");
    if (devices)
        plumb_diag_severity(d, PLUMB_ERROR);
}

static bool in_lines(const struct plumb_source *src, uint32_t at)
{
    return at == 0 || src->bytes[at - 1] == '\n';
}

/* Words before a command that do not change which command it is. */
static bool is_prefix(const struct plumb_job_word *w)
{
    static const char *const words[] = {"if",    "then",  "else",    "elif", "while",
                                        "until", "do",    "!",       "{",    "time",
                                        "exec",  "nohup", "command", "eval", "wait"};
    const char *equals = memchr(w->text.text, '=', w->text.len);

    if (equals != NULL && equals > w->text.text && w->text.text[0] != '-')
        return true; /* NAME=value */
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (plumb_slice_is_exact(&w->text, words[i]))
            return true;
    }
    return false;
}

static bool is_job_command(const struct plumb_job_word *w, enum plumb_job_command *out)
{
    static const enum plumb_job_command commands[] = {PLUMB_SRUN, PLUMB_SBATCH, PLUMB_SALLOC};

    for (size_t i = 0; i < PLUMB_COUNT(commands); i++) {
        if (plumb_slice_is_exact(&w->text, plumb_job_command_name(commands[i]))) {
            *out = commands[i];
            return true;
        }
    }
    return false;
}

/* One simple command of the body. */
static void read_command(struct reading *rd, const struct plumb_job_words *words)
{
    enum plumb_job_command command = PLUMB_SRUN;
    size_t i = 0;

    while (i < words->count && is_prefix(&words->items[i]))
        i++;
    if (i == words->count || words->items[i].unknown || !is_job_command(&words->items[i], &command))
        return;

    struct plumb_job_words rest = {.items = words->items + i + 1, .count = words->count - i - 1};
    struct plumb_job_call *call = add_call(rd, command, words->items[i].text.at, true);

    (void)plumb_job_call_read(rd->session, rd->options, &rest, call);
}

/* What follows of the shell's commands: calls, and directives that come too late. */
static void read_body(struct reading *rd, uint32_t at)
{
    const struct plumb_source *src = rd->job->src;
    struct plumb_job_words words = {0}, ends = {0};
    struct plumb_span first = {src->id, at, line_end(src, at)};
    struct plumb_job_word w;
    bool file = false, heredoc = false;

    for (;;) {
        enum plumb_job_token token = PLUMB_JOB_END;

        if (in_lines(src, at) && at < src->len && is_directive(src, at, line_end(src, at)))
            report_late(rd, at, line_end(src, at), first);
        token = plumb_job_shell_token(rd->session, src, &at, &w);
        if (token == PLUMB_JOB_WORD && heredoc)
            plumb_job_words_add(rd->session->arena, &ends, &w);
        else if (token == PLUMB_JOB_WORD && !file)
            plumb_job_words_add(rd->session->arena, &words, &w);
        file = token == PLUMB_JOB_REDIRECT;
        heredoc = token == PLUMB_JOB_HEREDOC;
        if (token == PLUMB_JOB_WORD || file || heredoc)
            continue;
        read_command(rd, &words);
        words.count = 0;
        if (token == PLUMB_JOB_END)
            return;
        for (size_t i = 0; token == PLUMB_JOB_NEWLINE && i < ends.count; i++)
            plumb_job_skip_heredoc(src, &at, &ends.items[i].text);
        if (token == PLUMB_JOB_NEWLINE)
            ends.count = 0;
    }
}

/* sbatch/sbatch.c:_get_script_buffer looks at the first bytes and at the line ends. */
static void check_file(struct reading *rd)
{
    const struct plumb_source *src = rd->job->src;
    const char *cr = NULL;

    if (src->len < 3 || src->bytes[0] != '#' || src->bytes[1] != '!')
        plumb_job_report(rd->session, PLUMB_JOB_INTERPRETER,
                         span_of(src, 0, src->len < 2 ? src->len : 2),
                         "the first line does not begin with '#!' and the path of an interpreter; "
                         "sbatch refuses");
    for (uint32_t i = 0; i + 1 < src->len && cr == NULL; i++) {
        if (src->bytes[i] == '\r' && src->bytes[i + 1] == '\n')
            cr = src->bytes + i;
    }
    if (cr != NULL)
        plumb_job_report(rd->session, PLUMB_JOB_LINE_ENDS,
                         span_of(src, (uint32_t)(cr - src->bytes), (uint32_t)(cr - src->bytes) + 2),
                         "the line ends as on DOS, expected a line feed alone; sbatch refuses");
}

struct plumb_job *plumb_job_read(struct plumb_session *s, const struct plumb_source *src,
                                 const struct plumb_job_read_options *o)
{
    struct reading rd = {.session = s, .options = o, .job = PLUMB_NEW(s->arena, struct plumb_job)};

    rd.job->src = src;
    check_file(&rd);
    read_body(&rd, read_directives(&rd));
    return rd.job;
}

bool plumb_job_sniff(const char *bytes, size_t len)
{
    static const char *const signs[] = {"\n" MAGIC, "\nsrun "};
    size_t looked = len < 65536 ? len : 65536;

    if (len < 3 || bytes[0] != '#' || (bytes[1] != '!' && strncmp(bytes, MAGIC, 7) != 0))
        return false;
    for (size_t i = 0; i < looked; i++) {
        for (size_t k = 0; k < PLUMB_COUNT(signs); k++) {
            size_t want = strlen(signs[k]);

            if (looked - i >= want && memcmp(bytes + i, signs[k], want) == 0)
                return true;
        }
    }
    return strncmp(bytes, MAGIC, 7) == 0;
}

void plumb_job_commands_read(struct plumb_session *s, const struct plumb_source *src,
                             struct plumb_job_commands *out)
{
    struct plumb_job_words words = {0};
    struct plumb_job_word w;
    uint32_t at = 0;
    bool file = false;

    for (;;) {
        enum plumb_job_token token = plumb_job_shell_token(s, src, &at, &w);

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
