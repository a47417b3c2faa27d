/* SPDX-License-Identifier: Apache-2.0 */
/* Products and profiles by name; mig_fit.c places instances. */
#include "model/mig.h"

#include <string.h>

#include "base/base.h"
#include "base/text.h"

static bool in_word(char c)
{
    return c != '\0' && c != ' ' && c != '-' && c != '_';
}

/* The word [text, text+len) is one of the words of a product's name, without case. */
static bool has_word(const char *model, const char *text, size_t len)
{
    while (*model != '\0') {
        size_t n = 0, same = 0;

        while (in_word(model[n])) {
            same += n < len && plumb_lower(model[n]) == text[n];
            n++;
        }
        if (n == len && same == len)
            return true;
        model += n + (model[n] != '\0');
    }
    return false;
}

static bool has_words(const char *model, const char *words)
{
    while (*words != '\0') {
        size_t len = strcspn(words, " ");

        if (!has_word(model, words, len))
            return false;
        words += len + (words[len] != '\0');
    }
    return true;
}

const struct plumb_mig_card *plumb_mig_card(const char *model)
{
    for (size_t i = 0; model != NULL && i < plumb_mig_card_count; i++) {
        const struct plumb_mig_card *c = &plumb_mig_cards[i];

        if (has_words(model, c->words) && (c->but_not == NULL || !has_words(model, c->but_not)))
            return c;
    }
    return NULL;
}

/* Digits, a letter, a dot: "3g."; their length, and the number; 0: it is not that. */
static size_t read_slices(const char *p, char unit, uint64_t *number)
{
    size_t n = 0;

    for (*number = 0; plumb_is_digit(p[n]); n++)
        *number = *number < 100 ? *number * 10 + (uint64_t)(p[n] - '0') : *number;
    return n > 0 && p[n] == unit && p[n + 1] == '.' ? n + 2 : 0;
}

/* "3g.40gb" at p. */
static bool is_profile(const char *p)
{
    uint64_t number = 0;
    size_t n = read_slices(p, 'g', &number), first = n;

    while (n > 0 && plumb_is_digit(p[n]))
        n++;
    return n > first && p[n] == 'g' && p[n + 1] == 'b';
}

const char *plumb_mig_of_type(const char *type)
{
    uint64_t number = 0;

    for (const char *p = type; p != NULL && *p != '\0'; p++) {
        size_t part = read_slices(p, 'c', &number);

        if ((p == type || !plumb_is_digit(p[-1])) &&
            (is_profile(p) || (part && is_profile(p + part))))
            return p;
    }
    return NULL;
}

const struct plumb_mig_profile *plumb_mig_profile(const struct plumb_mig_card *card,
                                                  const char *text, uint8_t *part)
{
    uint64_t slices = 0;
    size_t head = read_slices(text, 'c', &slices);

    *part = head > 0 ? (uint8_t)slices : 0;
    text += head;
    for (size_t i = 0; i < card->profile_count; i++) {
        const struct plumb_mig_profile *p = &card->profiles[i];

        if (plumb_same_nocase(p->name, text) ||
            (p->other != NULL && plumb_same_nocase(p->other, text)))
            return p;
    }
    return NULL;
}

uint64_t plumb_mig_slices(const char *text)
{
    uint64_t slices = 0;
    size_t head = read_slices(text, 'c', &slices);

    return read_slices(text + head, 'g', &slices) > 0 ? slices : 0;
}

const char *plumb_mig_names(struct plumb_arena *a, const struct plumb_mig_card *card)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < card->profile_count; i++)
        plumb_buf_printf(&b, "%s%s", i > 0 ? ", " : "", card->profiles[i].name);
    return plumb_buf_text(&b);
}
