/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A script: directives until the first command (sbatch/opt.c:_opt_batch_script), then the
 * commands. The words of all directives of a component are one command line.
 */
#include <string.h>

#include "base/text.h"
#include "job/body.h"
#include "job/call.h"
#include "job/words.h"

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

/* The directives so far are a component; what is no option in them stops sbatch. */
static void end_component(struct reading *rd, uint32_t end)
{
    struct plumb_job *j = rd->job;
    struct plumb_job_call *call = NULL;
    size_t left = 0;

    j->calls = plumb_arena_grow(rd->session->arena, j->calls, j->count, &j->cap, sizeof(*j->calls));
    call = &j->calls[j->count++];
    *call = (struct plumb_job_call){.command = PLUMB_SBATCH, .at = span_of(j->src, rd->begin, end)};
    left = plumb_job_call_read(rd->session, rd->options, &rd->words, call);
    if (left < rd->words.count)
        plumb_job_report(rd->session, PLUMB_JOB_STRAY_WORD, rd->words.items[left].text.at,
                         "'%s' is no option, expected one that begins with '-'; sbatch refuses",
                         rd->words.items[left].text.text);
    rd->words = (struct plumb_job_words){0};
}

uint32_t plumb_job_line_end(const struct plumb_source *src, uint32_t at)
{
    const char *end = memchr(src->bytes + at, '\n', src->len - at);

    return end == NULL ? src->len : (uint32_t)(end - src->bytes);
}

bool plumb_job_is_directive(const struct plumb_source *src, uint32_t at, uint32_t end)
{
    size_t len = sizeof(PLUMB_JOB_MAGIC) - 1;

    return end - at >= len && memcmp(src->bytes + at, PLUMB_JOB_MAGIC, len) == 0;
}

/* Length of "#SBATCH", or of "#SLURM", which sbatch takes as well; 0: no directive. */
static uint32_t magic_length(struct reading *rd, uint32_t at, uint32_t end)
{
    static const char old[] = "#SLURM";
    const uint32_t len = (uint32_t)sizeof(old) - 1;
    const struct plumb_source *src = rd->job->src;

    if (plumb_job_is_directive(src, at, end))
        return (uint32_t)sizeof(PLUMB_JOB_MAGIC) - 1;
    if (end - at < len || memcmp(src->bytes + at, old, len) != 0)
        return 0;
    plumb_job_report(rd->session, PLUMB_JOB_OLD_NAME, span_of(src, at, at + len),
                     "sbatch takes a line that begins with '#SLURM' for a directive and prints an "
                     "error, expected '" PLUMB_JOB_MAGIC "'");
    return len;
}

/* "hetjob", or "packjob" of older days, alone in front of the options. */
static bool is_component(const struct plumb_job_word *w)
{
    return plumb_slice_is(&w->text, "hetjob") || plumb_slice_is(&w->text, "packjob");
}

/* The shell that makes the text of a here-document puts something else here. */
static bool is_replaced(const struct plumb_source *src, const struct plumb_span *at)
{
    for (uint32_t i = at->begin; i < at->end; i++) {
        if (strchr("$`\\", src->bytes[i]) != NULL)
            return true;
    }
    return false;
}

/* magic: how long the word is that makes it a directive. */
static void read_directive(struct reading *rd, uint32_t at, uint32_t end, uint32_t magic)
{
    const struct plumb_source *src = rd->job->src;
    uint32_t p = at + magic;
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
        w.unknown = rd->job->expanded && is_replaced(src, &w.text.at);
        plumb_job_words_add(rd->session->arena, &rd->words, &w);
    }
}

static bool is_blank_or_comment(const struct plumb_source *src, uint32_t at, uint32_t end)
{
    while (at < end && plumb_is_blank(src->bytes[at]))
        at++;
    return at == end || src->bytes[at] == '#';
}

/*
 * A comment that was meant as a directive: "#sbatch -n 1", " #SBATCH -n 1", "#SBTACH -n 1", and
 * "# SBATCH -n 1", by which some take a directive out.
 */
static void check_comment(struct reading *rd, uint32_t at, uint32_t end)
{
    const struct plumb_source *src = rd->job->src;
    uint32_t p = at, hash = 0, word = 0, behind = 0;
    const char *name = NULL;
    struct plumb_diag *d = NULL;

    while (p < end && plumb_is_blank(src->bytes[p]))
        p++;
    hash = p++;
    while (p < end && (src->bytes[p] == ' ' || src->bytes[p] == '\t'))
        p++;
    word = p;
    while (p < end && plumb_lower(src->bytes[p]) >= 'a' && plumb_lower(src->bytes[p]) <= 'z')
        p++;
    behind = p;
    while (p < end && (src->bytes[p] == ' ' || src->bytes[p] == '\t'))
        p++;
    if (hash >= end || p == behind || p >= end || src->bytes[p] != '-' || behind - word > 8)
        return;
    name = plumb_arena_strndup(rd->session->arena, src->bytes + word, behind - word);
    if (plumb_distance(name, "SBATCH", 1) > (word > hash + 1 ? 0u : 1u))
        return;
    d = plumb_job_report(rd->session, PLUMB_JOB_NEARLY, span_of(src, hash, behind),
                         "to sbatch '%.*s' is a comment, expected '" PLUMB_JOB_MAGIC
                         "' at the beginning of the line",
                         (int)(behind - hash), src->bytes + hash);
    if (word > hash + 1 && hash == at && strcmp(name, "SBATCH") == 0)
        plumb_diag_severity(d, PLUMB_INFO);
}

/* The directives; the place of the first command. */
static uint32_t read_directives(struct reading *rd)
{
    const struct plumb_source *src = rd->job->src;
    uint32_t at = rd->job->begin, limit = rd->job->end;

    while (at < limit) {
        uint32_t end = plumb_job_line_end(src, at), magic = 0;

        while (rd->job->tabs && at < end && src->bytes[at] == '\t')
            at++;
        magic = magic_length(rd, at, end);
        if (magic > 0)
            read_directive(rd, at, end, magic);
        else if (!is_blank_or_comment(src, at, end))
            break;
        else
            check_comment(rd, at, end);
        at = end < limit ? end + 1 : end;
    }
    end_component(rd, at);
    return at;
}

/* sbatch/sbatch.c:_get_script_buffer looks at the first bytes and at the line ends. */
static void check_file(struct reading *rd)
{
    const struct plumb_source *src = rd->job->src;
    const char *cr = NULL;
    uint32_t at = rd->job->begin, end = rd->job->end;
    const char *nul = memchr(src->bytes + at, '\0', end - at);

    while (rd->job->tabs && at < end && src->bytes[at] == '\t')
        at++;
    if (end - at < 3 || src->bytes[at] != '#' || src->bytes[at + 1] != '!')
        plumb_job_report(rd->session, PLUMB_JOB_INTERPRETER,
                         span_of(src, at, end - at < 2 ? end : at + 2),
                         "the first line does not begin with '#!' and the path of an interpreter; "
                         "sbatch refuses");
    if (nul != NULL)
        plumb_job_report(
            rd->session, PLUMB_JOB_NUL,
            span_of(src, (uint32_t)(nul - src->bytes), (uint32_t)(nul - src->bytes) + 1),
            "the script holds a NUL byte, expected text; sbatch refuses");
    for (uint32_t i = at; i + 1 < end && cr == NULL && rd->job->depth == 0; i++) {
        if (src->bytes[i] == '\r' && src->bytes[i + 1] == '\n')
            cr = src->bytes + i;
    }
    if (cr != NULL)
        plumb_job_report(rd->session, PLUMB_JOB_LINE_ENDS,
                         span_of(src, (uint32_t)(cr - src->bytes), (uint32_t)(cr - src->bytes) + 2),
                         "the line ends as on DOS, expected a line feed alone; sbatch refuses");
}

/*
 * The first line that begins with a word; lines count until 100 are no comments, as
 * xlate.c:xlate_batch_script counts them.
 */
static bool find_foreign(const struct plumb_job *job, const char *word, struct plumb_span *out)
{
    uint32_t len = (uint32_t)strlen(word);
    unsigned others = 0;

    for (uint32_t at = job->begin; at < job->end && others <= 100;) {
        uint32_t end = plumb_job_line_end(job->src, at);

        while (job->tabs && at < end && job->src->bytes[at] == '\t')
            at++;
        if (end - at >= len && memcmp(job->src->bytes + at, word, len) == 0) {
            *out = span_of(job->src, at, at + len);
            return true;
        }
        others += at == end || job->src->bytes[at] != '#';
        at = end < job->end ? end + 1 : job->end;
    }
    return false;
}

static void check_foreign(struct reading *rd)
{
    static const char *const words[] = {"#BSUB", "#PBS"};
    struct plumb_job *job = rd->job;
    struct plumb_span at;

    for (size_t i = 0; i < PLUMB_COUNT(words) && !job->foreign; i++) {
        job->foreign = !plumb_job_call_has(&job->calls[0], PLUMB_O_IGNORE_PBS) &&
                       find_foreign(job, words[i], &at);
        if (job->foreign)
            plumb_job_report(rd->session, PLUMB_JOB_FOREIGN, at,
                             "sbatch reads '%s' too, and what it says counts more than "
                             "'" PLUMB_JOB_MAGIC "', expected '" PLUMB_JOB_MAGIC
                             "' alone, or --ignore-pbs",
                             words[i]);
    }
}

static void add_options(struct plumb_session *s, struct plumb_job_call *to,
                        const struct plumb_job_call *from)
{
    for (size_t i = 0; from != NULL && i < from->count; i++) {
        to->options =
            plumb_arena_grow(s->arena, to->options, to->count, &to->cap, sizeof(*to->options));
        to->options[to->count++] = from->options[i];
    }
}

/* options: of the command line, which count more than directives; NULL. */
static void read_script(struct plumb_session *s, const struct plumb_job_read_options *o,
                        struct plumb_job *job, const struct plumb_job_call *options)
{
    struct reading rd = {.session = s, .options = o, .job = job};
    uint32_t begin = 0;

    check_file(&rd);
    rd.begin = job->begin;
    begin = read_directives(&rd);
    job->components = job->count;
    add_options(s, &job->calls[0], options);
    check_foreign(&rd);
    plumb_job_read_body(s, o, job, begin);
}

struct plumb_job *plumb_job_read(struct plumb_session *s, const struct plumb_source *src,
                                 const struct plumb_job_read_options *o)
{
    struct plumb_job *job = PLUMB_NEW(s->arena, struct plumb_job);

    *job = (struct plumb_job){.src = src, .end = src->len};
    read_script(s, o, job, NULL);
    return job;
}

void plumb_job_read_text(struct plumb_session *s, const struct plumb_job_read_options *o,
                         struct plumb_job *outer, const struct plumb_job *text,
                         const struct plumb_job_call *options)
{
    struct plumb_job *job = PLUMB_NEW(s->arena, struct plumb_job);

    *job = *text;
    read_script(s, o, job, options);
    outer->texts = plumb_arena_grow(s->arena, outer->texts, outer->text_count, &outer->text_cap,
                                    sizeof(*outer->texts));
    outer->texts[outer->text_count++] = job;
}

bool plumb_job_sniff(const char *bytes, size_t len)
{
    static const char *const signs[] = {"\n" PLUMB_JOB_MAGIC, "\nsrun "};
    size_t looked = len < 65536 ? len : 65536;

    if (len < 3 || bytes[0] != '#' || (bytes[1] != '!' && strncmp(bytes, PLUMB_JOB_MAGIC, 7) != 0))
        return false;
    for (size_t i = 0; i < looked; i++) {
        for (size_t k = 0; k < PLUMB_COUNT(signs); k++) {
            size_t want = strlen(signs[k]);

            if (looked - i >= want && memcmp(bytes + i, signs[k], want) == 0)
                return true;
        }
    }
    return strncmp(bytes, PLUMB_JOB_MAGIC, 7) == 0;
}
