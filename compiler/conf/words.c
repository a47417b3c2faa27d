/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of one key=value, as the regular expression of parse_config.c matches it. */
#include "conf/words.h"

#include <string.h>

#include "base/text.h"

/* Keys that begin a record line with pairs of its own. */
static const struct {
    enum plumb_file file;
    const char *key;
    enum plumb_scope scope;
} records[] = {
    {PLUMB_SLURM_CONF, "NodeName", PLUMB_SCOPE_NODE},
    {PLUMB_SLURM_CONF, "PartitionName", PLUMB_SCOPE_PARTITION},
    {PLUMB_SLURM_CONF, "DownNodes", PLUMB_SCOPE_DOWNNODES},
    {PLUMB_SLURM_CONF, "NodeSet", PLUMB_SCOPE_NODESET},
    {PLUMB_SLURM_CONF, "FrontendName", PLUMB_SCOPE_FRONTEND},
    {PLUMB_SLURM_CONF, "PowerAction", PLUMB_SCOPE_POWERACTION},
    {PLUMB_GRES_CONF, "Name", PLUMB_SCOPE_GRES},
    {PLUMB_GRES_CONF, "NodeName", PLUMB_SCOPE_GRES},
    {PLUMB_TOPOLOGY_CONF, "SwitchName", PLUMB_SCOPE_SWITCH},
    {PLUMB_TOPOLOGY_CONF, "BlockName", PLUMB_SCOPE_BLOCK},
    {PLUMB_TOPOLOGY_CONF, "RingName", PLUMB_SCOPE_RING},
    {PLUMB_JOB_CONTAINER_CONF, "BasePath", PLUMB_SCOPE_LINE},
    {PLUMB_JOB_CONTAINER_CONF, "NodeName", PLUMB_SCOPE_LINE},
    {PLUMB_HELPERS_CONF, "Feature", PLUMB_SCOPE_LINE},
    {PLUMB_HELPERS_CONF, "NodeName", PLUMB_SCOPE_LINE},
};

enum plumb_scope plumb_conf_record_scope(enum plumb_file file, const char *key, size_t len)
{
    for (size_t i = 0; i < PLUMB_COUNT(records); i++) {
        if (records[i].file == file && strlen(records[i].key) == len &&
            plumb_equal_nocase(key, records[i].key, len))
            return records[i].scope;
    }
    return PLUMB_SCOPE_GLOBAL;
}

bool plumb_conf_is_key_char(char c)
{
    return plumb_is_digit(c) || (plumb_lower(c) >= 'a' && plumb_lower(c) <= 'z') || c == '_' ||
           c == '.';
}

uint32_t plumb_conf_skip_blanks(const struct plumb_conf_text *t, uint32_t pos)
{
    while (pos < t->len && plumb_is_blank(t->text[pos]))
        pos++;
    return pos;
}

uint32_t plumb_conf_skip_word(const struct plumb_conf_text *t, uint32_t pos)
{
    while (pos < t->len && t->text[pos] != '\0' && !plumb_is_blank(t->text[pos]))
        pos++;
    return pos;
}

/*
 * The value at pos, which is no blank. A quoted one counts only when a blank or the end
 * follows its closing quote; else the quote is a character like any other.
 */
static void match_value(const struct plumb_conf_text *t, uint32_t pos, struct plumb_conf_words *w)
{
    if (t->text[pos] == '"') {
        const char *close = memchr(t->text + pos + 1, '"', t->len - pos - 1);
        uint32_t end = close != NULL ? (uint32_t)(close - t->text) : t->len;

        if (close != NULL && (end + 1 == t->len || plumb_is_blank(t->text[end + 1]))) {
            w->quoted = true;
            w->value_begin = pos + 1;
            w->value_end = end;
            w->next = end + 1;
            return;
        }
    }
    w->value_begin = pos;
    w->value_end = plumb_conf_skip_word(t, pos);
    /* The blank behind it is part of the match; its byte ends the value's text. */
    w->next = w->value_end < t->len ? w->value_end + 1 : t->len;
}

static bool is_operator(char c)
{
    return c == '-' || c == '+' || c == '*' || c == '/';
}

enum plumb_conf_match plumb_conf_match_pair(const struct plumb_conf_text *t, uint32_t pos,
                                            struct plumb_conf_words *w)
{
    *w = (struct plumb_conf_words){.op = '='};
    pos = plumb_conf_skip_blanks(t, pos);
    w->key_begin = pos;
    while (pos < t->len && plumb_conf_is_key_char(t->text[pos]))
        pos++;
    w->key_end = pos;
    if (w->key_end == w->key_begin)
        return PLUMB_CONF_MATCH_NONE;
    pos = plumb_conf_skip_blanks(t, pos);
    if (pos + 1 < t->len && t->text[pos + 1] == '=' && is_operator(t->text[pos]))
        w->op = t->text[pos++];
    if (pos == t->len || t->text[pos] != '=')
        return PLUMB_CONF_MATCH_NONE;
    w->sign = pos;
    pos = plumb_conf_skip_blanks(t, pos + 1);
    if (pos == t->len)
        return PLUMB_CONF_MATCH_NO_VALUE;
    match_value(t, pos, w);
    return PLUMB_CONF_MATCH_PAIR;
}
