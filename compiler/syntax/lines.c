/* SPDX-License-Identifier: Apache-2.0 */
/* Lines become bytes. */
#include "syntax/lines.h"

#include <string.h>

struct plumb_lines *plumb_lines_new(struct plumb_arena *a, const char *first)
{
    struct plumb_lines *l = PLUMB_NEW(a, struct plumb_lines);

    l->arena = a;
    l->first = first;
    return l;
}

void plumb_lines_cause(struct plumb_lines *l, struct plumb_span cause)
{
    struct plumb_lines_item *last = &l->items[l->count - 1];

    last->causes = plumb_arena_grow(l->arena, last->causes, last->cause_count, &last->cause_cap,
                                    sizeof(*last->causes));
    last->causes[last->cause_count++] = cause;
}

void plumb_lines_add(struct plumb_lines *l, const char *text, struct plumb_span cause)
{
    l->items = plumb_arena_grow(l->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count++] = (struct plumb_lines_item){.text = text};
    plumb_lines_cause(l, cause);
}

void plumb_lines_pair(struct plumb_lines *l, const char *name, const char *value,
                      struct plumb_span cause)
{
    plumb_lines_add(l, plumb_arena_printf(l->arena, "%s=%s", name, value), cause);
}

void plumb_lines_comment(struct plumb_lines *l, const char *text)
{
    for (;;) {
        size_t len = strcspn(text, "\n");

        plumb_lines_add(l,
                        plumb_arena_printf(l->arena, len > 0 ? "# %.*s" : "#%.*s", (int)len, text),
                        (struct plumb_span){0});
        if (text[len] == '\0')
            return;
        text += len + 1;
    }
}

void plumb_lines_write(struct plumb_buf *out, const struct plumb_lines *l,
                       const char *const *header, size_t header_count, struct plumb_causes *causes)
{
    uint32_t line = (uint32_t)header_count + (l->first != NULL) + 1;

    if (l->first != NULL)
        plumb_buf_printf(out, "%s\n", l->first);
    for (size_t i = 0; i < header_count; i++)
        plumb_buf_printf(out, "# %s\n", header[i]);
    for (size_t i = 0; i < l->count; i++, line++) {
        const struct plumb_lines_item *item = &l->items[i];

        plumb_buf_printf(out, "%s\n", item->text);
        for (size_t k = 0; causes != NULL && k < item->cause_count; k++)
            plumb_cause_add(causes, line, item->causes[k]);
    }
}

void plumb_shell_quote(struct plumb_buf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        plumb_buf_str(out, word);
        return;
    }
    plumb_buf_char(out, '\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            plumb_buf_str(out, "'\\''");
        else
            plumb_buf_char(out, *word);
    }
    plumb_buf_char(out, '\'');
}
