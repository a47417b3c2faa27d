/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of shell text, after sh(1), sections Quoting, Word Expansions and Redirections. */
#include "job/shell.h"

#include <string.h>

#include "base/text.h"

/* How deep "$(...)" may nest in one word. */
enum { MAX_NESTING = 64 };

static bool is_at(const struct plumb_shell *sh, uint32_t p, const char *text)
{
    size_t len = strlen(text);

    return sh->end - p >= len && memcmp(sh->src->bytes + p, text, len) == 0;
}

/* Skips blanks, joined lines and comments. */
static uint32_t skip_blanks(const struct plumb_shell *sh, uint32_t p)
{
    const char *b = sh->src->bytes;

    while (p < sh->end) {
        if (is_at(sh, p, "\\\n")) {
            p += 2;
        } else if (b[p] == '#') {
            while (p < sh->end && b[p] != '\n')
                p++;
        } else if (b[p] != '\n' && plumb_is_blank(b[p])) {
            p++;
        } else {
            break;
        }
    }
    return p;
}

/* escapes: a backslash takes the next letter with it, as in `...` and $'...'. */
static uint32_t behind_quote(const struct plumb_shell *sh, uint32_t p, char quote, bool escapes)
{
    const char *b = sh->src->bytes;

    while (p < sh->end && b[p] != quote)
        p += b[p] == '\\' && escapes && p + 1 < sh->end ? 2 : 1;
    return p < sh->end ? p + 1 : sh->end;
}

static uint32_t behind_bracket(const struct plumb_shell *sh, uint32_t p, unsigned level);

/* Behind the closing quote, from behind the opening one; "$(...)" inside has quotes of its own. */
static uint32_t behind_double(const struct plumb_shell *sh, uint32_t p, unsigned level)
{
    const char *b = sh->src->bytes;

    while (p < sh->end && b[p] != '"') {
        if (is_at(sh, p, "$(") || is_at(sh, p, "${"))
            p = behind_bracket(sh, p + 1, level + 1);
        else
            p += b[p] == '\\' && p + 1 < sh->end ? 2 : 1;
    }
    return p < sh->end ? p + 1 : sh->end;
}

/* Behind the sign that closes what is open at p ('(' or '{'); quotes and nesting count. */
static uint32_t behind_bracket(const struct plumb_shell *sh, uint32_t p, unsigned level)
{
    const char *b = sh->src->bytes;
    char open = b[p], close = open == '(' ? ')' : '}';
    unsigned depth = 0;

    while (p < sh->end && level < MAX_NESTING) {
        char c = b[p];

        if (c == '\\' && p + 1 < sh->end) {
            p += 2;
        } else if (c == '"') {
            p = behind_double(sh, p + 1, level);
        } else if (c == '\'' || c == '`') {
            p = behind_quote(sh, p + 1, c, c == '`' || b[p - 1] == '$');
        } else {
            depth += c == open;
            p++;
            if (c == close && --depth == 0)
                return p;
        }
    }
    return sh->end;
}

static void add_inner(struct plumb_shell *sh, uint32_t begin, uint32_t end)
{
    if (begin >= end || sh->inner_count >= MAX_NESTING)
        return;
    sh->inner = plumb_arena_grow(sh->session->arena, sh->inner, sh->inner_count, &sh->inner_cap,
                                 sizeof(*sh->inner));
    sh->inner[sh->inner_count++] = (struct plumb_shell_range){begin, end};
}

/*
 * "$(...)", "$((...))", "${...}" and "`...`" at p: the place behind it, its commands kept for
 * later. p itself: nothing of the kind stands there.
 */
static uint32_t substitution(struct plumb_shell *sh, uint32_t p)
{
    uint32_t behind = p;

    if (is_at(sh, p, "$((") || is_at(sh, p, "${"))
        return behind_bracket(sh, p + 1, 0);
    if (is_at(sh, p, "$(")) {
        behind = behind_bracket(sh, p + 1, 0);
        add_inner(sh, p + 2, behind > p + 2 ? behind - 1 : behind);
    } else if (sh->src->bytes[p] == '`') {
        behind = behind_quote(sh, p + 1, '`', true);
        add_inner(sh, p + 1, behind > p + 1 ? behind - 1 : behind);
    }
    return behind;
}

/* What a variable or a command gives stands in the word as it is written. */
static uint32_t take_unknown(struct plumb_shell *sh, struct plumb_job_cut *c, uint32_t p)
{
    uint32_t behind = substitution(sh, p);

    if (behind == p)
        behind = p + 1;
    for (; p < behind; p++)
        plumb_job_cut_add(c, sh->src->bytes[p], p);
    return behind;
}

/* In a text that another shell has read before: it takes the backslash, and what follows counts. */
static bool is_expanded(const struct plumb_shell *sh, uint32_t p)
{
    return sh->expanded && p + 1 < sh->end && sh->src->bytes[p] == '\\' &&
           sh->src->bytes[p + 1] != '\0' && strchr("$`\\", sh->src->bytes[p + 1]) != NULL;
}

/* Inside double quotes, from behind the opening one; the place behind the closing one. */
static uint32_t double_quoted(struct plumb_shell *sh, uint32_t p, struct plumb_job_cut *c,
                              bool *unknown)
{
    const char *b = sh->src->bytes;

    while (p < sh->end && b[p] != '"') {
        if (is_at(sh, p, "\\\n")) {
            p += 2;
        } else if (b[p] == '$' || b[p] == '`') {
            *unknown = true;
            p = take_unknown(sh, c, p);
        } else {
            *unknown = *unknown || is_expanded(sh, p);
            if (b[p] == '\\' && p + 1 < sh->end && b[p + 1] != '\0' &&
                strchr("$`\"\\", b[p + 1]) != NULL)
                p++;
            plumb_job_cut_add(c, b[p], p);
            p++;
        }
    }
    return p < sh->end ? p + 1 : p;
}

static bool ends_word(char c)
{
    return plumb_is_blank(c) || strchr(";&|()<>", c) != NULL;
}

static uint32_t single_quoted(const struct plumb_shell *sh, uint32_t p, struct plumb_job_cut *c,
                              bool *unknown)
{
    const char *b = sh->src->bytes;

    for (; p < sh->end && b[p] != '\''; p++) {
        *unknown = *unknown || (sh->expanded && (b[p] == '$' || b[p] == '`'));
        plumb_job_cut_add(c, b[p], p);
    }
    return p < sh->end ? p + 1 : p;
}

static uint32_t shell_word(struct plumb_shell *sh, uint32_t p, struct plumb_job_word *out)
{
    const char *b = sh->src->bytes;
    struct plumb_job_cut c = plumb_job_cut_begin(sh->session, sh->src, p);
    bool unknown = false;

    while (p < sh->end && b[p] != '\0' && !ends_word(b[p])) {
        if (b[p] == '\\' && p + 1 < sh->end) {
            unknown = unknown || is_expanded(sh, p);
            if (b[p + 1] != '\n')
                plumb_job_cut_add(&c, b[p + 1], p + 1);
            p += 2;
        } else if (b[p] == '\'') {
            p = single_quoted(sh, p + 1, &c, &unknown);
        } else if (b[p] == '"') {
            p = double_quoted(sh, p + 1, &c, &unknown);
        } else if (b[p] == '$' || b[p] == '`') {
            unknown = true;
            p = is_at(sh, p, "$'") ? behind_quote(sh, p + 2, '\'', true) : take_unknown(sh, &c, p);
        } else {
            unknown = unknown || strchr("*?{~", b[p]) != NULL;
            plumb_job_cut_add(&c, b[p], p);
            p++;
        }
    }
    *out = (struct plumb_job_word){.text = plumb_job_cut_end(&c, p), .unknown = unknown};
    return p;
}

/* "<", ">>", "2>&1", "<<-", "&>": sh->at is on the sign. */
static enum plumb_job_token redirect(struct plumb_shell *sh)
{
    const char *b = sh->src->bytes;
    uint32_t p = sh->at;
    bool heredoc = is_at(sh, p, "<<") && !is_at(sh, p, "<<<");

    while (p < sh->end && strchr("<>&|", b[p]) != NULL && b[p] != '\0')
        p++;
    sh->tabs = heredoc && p < sh->end && b[p] == '-';
    sh->at = p + sh->tabs;
    return heredoc ? PLUMB_JOB_HEREDOC : PLUMB_JOB_REDIRECT;
}

/* "2>": the number of a file in front of a sign, no word of the command. */
static uint32_t descriptor(const struct plumb_shell *sh, uint32_t p)
{
    const char *b = sh->src->bytes;
    uint32_t end = p;

    while (end < sh->end && plumb_is_digit(b[end]))
        end++;
    return end < sh->end && (b[end] == '<' || b[end] == '>') ? end : p;
}

enum plumb_job_token plumb_shell_token(struct plumb_shell *sh, struct plumb_job_word *out)
{
    const char *b = sh->src->bytes;
    uint32_t p = skip_blanks(sh, sh->at);

    sh->at = p = descriptor(sh, p);
    if (p >= sh->end)
        return PLUMB_JOB_END;
    if (b[p] == '<' || b[p] == '>' || is_at(sh, p, "&>"))
        return redirect(sh);
    if (is_at(sh, p, "((")) { /* arithmetic: its signs mean something else */
        sh->at = behind_bracket(sh, p, 0);
        return PLUMB_JOB_SEPARATOR;
    }
    if (is_at(sh, p, "&&") || is_at(sh, p, "||") || is_at(sh, p, "|&")) {
        sh->at = p + 2;
        return is_at(sh, p, "|&") ? PLUMB_JOB_PIPE : PLUMB_JOB_SEPARATOR;
    }
    if (ends_word(b[p]) || b[p] == '\0') {
        sh->at = p + 1;
        return b[p] == '\n'  ? PLUMB_JOB_NEWLINE
               : b[p] == '&' ? PLUMB_JOB_BACKGROUND
               : b[p] == '|' ? PLUMB_JOB_PIPE
                             : PLUMB_JOB_SEPARATOR;
    }
    sh->at = shell_word(sh, p, out);
    return PLUMB_JOB_WORD;
}

uint32_t plumb_shell_skip_heredoc(struct plumb_shell *sh, const struct plumb_slice *word, bool tabs)
{
    const char *b = sh->src->bytes;

    while (sh->at < sh->end) {
        uint32_t line = sh->at, begin = line, end = begin;

        while (end < sh->end && b[end] != '\n')
            end++;
        sh->at = end < sh->end ? end + 1 : end;
        while (tabs && begin < end && b[begin] == '\t')
            begin++;
        if (end - begin == word->len && memcmp(b + begin, word->text, word->len) == 0)
            return line;
    }
    return sh->end;
}
