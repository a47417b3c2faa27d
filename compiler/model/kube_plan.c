/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator writes itself, asked by parameter: rows of schema/kube_owned.h. */
#include "model/kube_plan.h"

#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/text.h"

const struct plumb_kube_owned *plumb_kube_own(const struct plumb_kube_owned *rows, size_t count,
                                              const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (plumb_same_nocase(rows[i].key, key))
            return &rows[i];
    }
    return NULL;
}

const struct plumb_kube_owned *plumb_kube_keeps(const struct plumb_kube_owned *rows, size_t count,
                                                const char *key)
{
    static const char *const shared[] = {"ok", "merge", "superset"};
    const struct plumb_kube_owned *own = plumb_kube_own(rows, count, key);

    for (size_t i = 0; own != NULL && i < PLUMB_COUNT(shared); i++) {
        if (strcmp(own->advice, shared[i]) == 0)
            return NULL;
    }
    return own;
}

const struct plumb_kube_slot *plumb_kube_slot(const struct plumb_kube_slot *rows, size_t count,
                                              const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (plumb_same_nocase(rows[i].key, key))
            return &rows[i];
    }
    return NULL;
}

const char *plumb_kube_slot_path(struct plumb_arena *a, const struct plumb_kube_slot *slot)
{
    char *path = plumb_arena_printf(a, "spec/%s", slot->path);

    for (char *c = path; *c != '\0'; c++)
        *c = *c == '.' ? '/' : *c;
    return path;
}

bool plumb_kube_slot_is_number(const struct plumb_kube_slot *slot)
{
    return plumb_starts_with(slot->takes, "int");
}

/* The word of "a|b" that is text without case, as the field spells it; false: none is. */
static bool add_word(struct plumb_buf *out, const char *words, const char *text, size_t len)
{
    for (const char *w = words; *w != '\0';) {
        size_t size = strcspn(w, "|");

        if (size == len && plumb_equal_nocase(w, text, len)) {
            plumb_buf_add(out, w, size);
            return true;
        }
        w += size + (w[size] == '|');
    }
    return false;
}

static const char *listed(struct plumb_arena *a, const char *words, const char *text, size_t len)
{
    struct plumb_buf out = plumb_buf_in(a);

    for (size_t at = 0; at < len;) {
        const char *comma = memchr(text + at, ',', len - at);
        size_t size = comma == NULL ? len - at : (size_t)(comma - text) - at;

        if (out.len > 0)
            plumb_buf_char(&out, ',');
        if (!add_word(&out, words, text + at, size))
            return NULL;
        at += size + 1;
    }
    return out.len > 0 ? plumb_buf_text(&out) : NULL;
}

bool plumb_kube_is_plain(const struct plumb_slice *value)
{
    for (uint32_t i = 0; i < value->len; i++) {
        if (plumb_is_blank(value->text[i]) || strchr("#\"'\\", value->text[i]) != NULL)
            return false;
    }
    return value->len > 0;
}

const char *plumb_kube_slot_text(struct plumb_arena *a, const struct plumb_kube_slot *slot,
                                 const struct plumb_slice *value)
{
    struct plumb_buf out = plumb_buf_in(a);
    uint64_t number = 0;

    if (plumb_kube_slot_is_number(slot)) {
        uint64_t most = strcmp(slot->takes, "int16") == 0 ? INT16_MAX : INT32_MAX;

        if (!plumb_read_digits(value->text, value->len, &number) || number > most)
            return NULL;
        return plumb_arena_strndup(a, value->text, value->len);
    }
    if (plumb_starts_with(slot->takes, "one of "))
        return add_word(&out, slot->takes + strlen("one of "), value->text, value->len)
                   ? plumb_buf_text(&out)
                   : NULL;
    if (plumb_starts_with(slot->takes, "list of "))
        return listed(a, slot->takes + strlen("list of "), value->text, value->len);
    return plumb_kube_is_plain(value) ? plumb_arena_strndup(a, value->text, value->len) : NULL;
}

/* "bf_window" of "bf_window=1440" */
static size_t name_len(const char *word, size_t len)
{
    const char *sign = memchr(word, '=', len);

    return sign == NULL ? len : (size_t)(sign - word);
}

static bool says(const char *list, size_t list_len, const char *word, size_t len)
{
    size_t name = name_len(word, len);

    for (size_t at = 0; at < list_len;) {
        const char *comma = memchr(list + at, ',', list_len - at);
        size_t size = comma == NULL ? list_len - at : (size_t)(comma - list) - at;

        if (name_len(list + at, size) == name && plumb_equal_nocase(list + at, word, name))
            return true;
        at += size + 1;
    }
    return false;
}

const char *plumb_kube_unsaid(struct plumb_arena *a, const struct plumb_kube_owned *own,
                              const struct plumb_slice *value)
{
    struct plumb_buf out = plumb_buf_in(a);

    for (const char *w = own->value; *w != '\0';) {
        size_t size = strcspn(w, ",");

        if (!says(value->text, value->len, w, size))
            plumb_buf_printf(&out, "%s%.*s", out.len > 0 ? "," : "", (int)size, w);
        w += size + (w[size] == ',');
    }
    return plumb_buf_text(&out);
}
