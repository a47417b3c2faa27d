/* SPDX-License-Identifier: Apache-2.0 */
/* Which Slurm file a text is: by its name, else by the keys in it. */
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "conf/words.h"

enum { LINES_LOOKED_AT = 400 };

struct tally {
    unsigned known[PLUMB_FILE_COUNT]; /* keys that the file of this kind knows where they stand */
    unsigned lines;                   /* that are no comment and not blank */
    unsigned settings;                /* of them, key=value lines with a key of any file */
};

static size_t skip_blanks(const char *text, size_t len, size_t pos)
{
    while (pos < len && plumb_is_blank(text[pos]))
        pos++;
    return pos;
}

/* The next word that is a key before '='; false when none follows. */
static bool next_key(const char *text, size_t len, size_t *pos, size_t *begin, size_t *end)
{
    while (*pos < len) {
        size_t sign = 0;

        *begin = skip_blanks(text, len, *pos);
        *end = *begin;
        while (*end < len && plumb_conf_is_key_char(text[*end]))
            (*end)++;
        sign = skip_blanks(text, len, *end);
        *pos = *end > *begin ? sign : *begin + 1;
        if (*end > *begin && sign < len && text[sign] == '=') {
            *pos = sign + 1;
            while (*pos < len && !plumb_is_blank(text[*pos]))
                (*pos)++;
            return true;
        }
        while (*pos < len && !plumb_is_blank(text[*pos]))
            (*pos)++;
    }
    return false;
}

static void count_line(struct tally *t, enum plumb_file f, const char *text, size_t len,
                       bool *setting)
{
    size_t pos = 0, begin = 0, end = 0;
    enum plumb_scope scope = PLUMB_SCOPE_GLOBAL;

    for (bool first = true; next_key(text, len, &pos, &begin, &end); first = false) {
        const char *key = text + begin;

        if (plumb_param_find(NULL, f, scope, key, end - begin) == NULL)
            continue;
        t->known[f]++;
        if (!first)
            continue;
        *setting = true;
        scope = plumb_conf_record_scope(f, key, end - begin);
        if (scope == PLUMB_SCOPE_GLOBAL)
            return;
    }
}

static bool is_include(const char *text, size_t len)
{
    return len > 7 && plumb_equal_nocase(text, "include", 7) && plumb_is_blank(text[7]);
}

/* A line of anything else weighs against: a YAML or XML file has a few words before '=' too. */
static void look_at_line(struct tally *t, const char *text, size_t len)
{
    const char *hash = memchr(text, '#', len);
    bool setting = false;

    len = hash != NULL ? (size_t)(hash - text) : len;
    if (skip_blanks(text, len, 0) == len || is_include(text, len))
        return;
    t->lines++;
    for (int f = 0; f < PLUMB_FILE_COUNT && !plumb_file_is_yaml((enum plumb_file)f); f++)
        count_line(t, (enum plumb_file)f, text, len, &setting);
    t->settings += setting;
}

static enum plumb_file by_content(const char *text, size_t len)
{
    struct tally t = {.lines = 0};
    int best = 0;

    for (size_t pos = 0; pos < len && t.lines < LINES_LOOKED_AT;) {
        const char *nl = memchr(text + pos, '\n', len - pos);
        size_t end = nl != NULL ? (size_t)(nl - text) : len;

        look_at_line(&t, text + pos, end - pos);
        pos = end + 1;
    }
    if (t.settings == 0 || t.settings * 2 < t.lines)
        return PLUMB_FILE_COUNT;
    for (int f = 1; f < PLUMB_FILE_COUNT; f++) {
        if (t.known[f] > t.known[best])
            best = f;
    }
    return (enum plumb_file)best;
}

enum plumb_file plumb_conf_sniff(const char *path, const char *text, size_t len)
{
    enum plumb_file named = plumb_file_named(plumb_path_base(path));

    return named != PLUMB_FILE_COUNT ? named : by_content(text, len);
}
