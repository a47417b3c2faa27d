/* SPDX-License-Identifier: Apache-2.0 */
/* What the table knows about one parameter, in the order in which people ask. */
#include "schema/describe.h"

#include <string.h>

#include "base/rule.h"
#include "base/text.h"

enum { LABEL_WIDTH = 12, LINE_WIDTH = 96 };

static const char *const life_texts[] = {
    [PLUMB_LIFE_NONE] = "not read: the key is unknown and nothing starts",
    [PLUMB_LIFE_OK] = "read",
    [PLUMB_LIFE_DEPRECATED] = "read, with a complaint",
    [PLUMB_LIFE_RENAMED] = "read, an older spelling",
    [PLUMB_LIFE_DEFUNCT] = "dropped, with an error in the log",
    [PLUMB_LIFE_IGNORED] = "taken without a word, never used",
    [PLUMB_LIFE_FATAL] = "refused: nothing starts",
};

static void label(struct plumb_buf *out, const char *name)
{
    plumb_buf_printf(out, "  %s", name);
    plumb_buf_fill(out, ' ', LABEL_WIDTH - strlen(name));
}

static void line(struct plumb_buf *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    label(out, name);
    plumb_buf_str(out, text);
    plumb_buf_char(out, '\n');
}

/* "24.05 to 25.11", "from 26.05", "all releases". */
static void put_releases(struct plumb_buf *out, unsigned first, unsigned last)
{
    if (first == 0 && last == PLUMB_RELEASE_OPEN)
        plumb_buf_str(out, "all releases");
    else if (last == PLUMB_RELEASE_OPEN)
        plumb_buf_printf(out, "from %s", plumb_release_name((enum plumb_release)first));
    else if (first == last)
        plumb_buf_printf(out, "%s only", plumb_release_name((enum plumb_release)first));
    else
        plumb_buf_printf(out, "%s to %s", plumb_release_name((enum plumb_release)first),
                         plumb_release_name((enum plumb_release)last));
}

/* The last release for which a revision holds. */
static unsigned last_of(const struct plumb_param *p, size_t rev)
{
    return rev + 1 < p->rev_count ? p->revs[rev + 1].since - 1u : (unsigned)PLUMB_RELEASE_OPEN;
}

/* ", on NodeName lines", ", in tree.switches[]"; nothing for lines of their own. */
static void put_scope(struct plumb_buf *out, const struct plumb_param *p)
{
    const char *name = plumb_scope_name((enum plumb_scope)p->scope);

    if (p->scope == PLUMB_SCOPE_GLOBAL)
        return;
    if (plumb_file_is_yaml((enum plumb_file)p->file))
        plumb_buf_printf(out, ", in %s", name);
    else
        plumb_buf_printf(out, ", on %s lines", name);
}

static void put_heading(struct plumb_buf *out, const struct plumb_param *p)
{
    plumb_buf_printf(out, "%s, %s", p->name, plumb_file_name((enum plumb_file)p->file));
    put_scope(out, p);
    plumb_buf_char(out, '\n');
}

static const char *life_text(const struct plumb_param *p, unsigned life)
{
    if (life == PLUMB_LIFE_NONE && plumb_file_is_yaml((enum plumb_file)p->file))
        return "not read";
    return life_texts[life];
}

/* "16-bit number of seconds, at most 65533". */
static void put_type(struct plumb_buf *out, const struct plumb_param_rev *rev)
{
    label(out, "type");
    plumb_buf_str(out, plumb_type_name((enum plumb_type)rev->type));
    if (rev->unit != NULL && strcmp(rev->unit, plumb_type_name((enum plumb_type)rev->type)) != 0)
        plumb_buf_printf(out, " of %s", rev->unit);
    if (rev->has_min && rev->has_max)
        plumb_buf_printf(out, ", %llu to %llu", (unsigned long long)rev->min,
                         (unsigned long long)rev->max);
    else if (rev->has_min)
        plumb_buf_printf(out, ", at least %llu", (unsigned long long)rev->min);
    else if (rev->has_max)
        plumb_buf_printf(out, ", at most %llu", (unsigned long long)rev->max);
    if (rev->repeats && rev->type != PLUMB_T_RECORD)
        plumb_buf_str(out, ", may stand several times");
    plumb_buf_char(out, '\n');
}

/* A field that may differ by release: one line when it never does, else one per change. */
static void put_by_release(struct plumb_buf *out, const struct plumb_param *p, const char *name,
                           const char *(*field)(const struct plumb_param_rev *rev))
{
    for (size_t i = 0, next = 0; i < p->rev_count; i = next) {
        const char *text = field(&p->revs[i]);

        for (next = i + 1; next < p->rev_count; next++) {
            const char *other = field(&p->revs[next]);

            if ((text == NULL) != (other == NULL) || (text != NULL && strcmp(text, other) != 0))
                break;
        }
        if (text == NULL || (i == 0 && next == p->rev_count)) {
            line(out, name, text);
            continue;
        }
        label(out, name);
        plumb_buf_printf(out, "%s (", text);
        put_releases(out, p->revs[i].since, last_of(p, next - 1));
        plumb_buf_str(out, ")\n");
    }
}

static const char *default_of(const struct plumb_param_rev *rev)
{
    return rev->life == PLUMB_LIFE_NONE ? NULL : rev->def;
}

static const char *note_of(const struct plumb_param_rev *rev)
{
    return rev->note;
}

static const char *replacement_of(const struct plumb_param_rev *rev)
{
    return rev->replaced_by;
}

/* What a value outside of range or set does; only where the table says so. */
static const char *bad_text(unsigned effect)
{
    static const char *const texts[] = {
        [PLUMB_EFFECT_NONE] = "taken as it is",
        [PLUMB_EFFECT_IGNORED] = "dropped without a word",
        [PLUMB_EFFECT_COMPLAINS] = "an error in the log, another value is used",
        [PLUMB_EFFECT_DRAINS] = "the node is drained",
        [PLUMB_EFFECT_STOPS] = "the daemon stops",
    };

    return texts[effect];
}

static const char *bad_of(const struct plumb_param_rev *rev)
{
    return rev->has_bad && rev->life != PLUMB_LIFE_NONE ? bad_text(rev->bad) : NULL;
}

/* Revisions that treat the key alike make one line. */
static void put_life(struct plumb_buf *out, const struct plumb_param *p)
{
    if (p->rev_count == 1 && p->revs[0].life == PLUMB_LIFE_NONE) {
        line(out, "releases", "none that plumb knows: the key is unknown and nothing starts");
        return;
    }
    if (p->revs[0].since > 0) {
        label(out, "releases");
        put_releases(out, 0, p->revs[0].since - 1u);
        plumb_buf_printf(out, ": %s\n", life_text(p, PLUMB_LIFE_NONE));
    }
    for (size_t i = 0, next = 0; i < p->rev_count; i = next) {
        for (next = i + 1; next < p->rev_count && p->revs[next].life == p->revs[i].life;)
            next++;
        label(out, i == 0 && p->revs[0].since == 0 ? "releases" : "");
        put_releases(out, p->revs[i].since, last_of(p, next - 1));
        plumb_buf_printf(out, ": %s\n", life_text(p, p->revs[i].life));
    }
}

static void put_value_range(struct plumb_buf *out, const struct plumb_value *v)
{
    if (v->has_min && v->has_max)
        plumb_buf_printf(out, " %llu to %llu;", (unsigned long long)v->min,
                         (unsigned long long)v->max);
    else if (v->has_min)
        plumb_buf_printf(out, " at least %llu;", (unsigned long long)v->min);
    else if (v->has_max)
        plumb_buf_printf(out, " at most %llu;", (unsigned long long)v->max);
}

/* One word and what is to say about it; words alone share lines. */
static void put_word(struct plumb_buf *out, const struct plumb_param *p,
                     const struct plumb_value *v)
{
    label(out, "");
    plumb_buf_str(out, strcmp(v->word, "#") == 0 ? "any number" : v->word);
    if (v->gone)
        plumb_buf_str(out, " (not taken)");
    else if (v->first > p->revs[0].since || v->last != PLUMB_RELEASE_OPEN) {
        plumb_buf_str(out, " (");
        put_releases(out, v->first, v->last);
        plumb_buf_char(out, ')');
    }
    put_value_range(out, v);
    if (v->note != NULL)
        plumb_buf_printf(out, " %s", v->note);
    if (out->text[out->len - 1] == ';')
        out->text[--out->len] = '\0';
    plumb_buf_char(out, '\n');
}

/* As old as the key, and nothing to say about it. */
static bool is_plain(const struct plumb_param *p, const struct plumb_value *v)
{
    return v->first <= p->revs[0].since && v->last == PLUMB_RELEASE_OPEN && v->note == NULL &&
           !v->has_min && !v->has_max && !v->gone;
}

static void put_plain_words(struct plumb_buf *out, const struct plumb_param *p)
{
    size_t start = out->len;
    bool any = false;

    for (size_t i = 0; i < p->value_count; i++) {
        const struct plumb_value *v = &p->values[i];
        const char *word = strcmp(v->word, "#") == 0 ? "any number" : v->word;

        if (!is_plain(p, v))
            continue;
        if (any && out->len - start + strlen(word) + 2 > LINE_WIDTH) {
            plumb_buf_str(out, ",\n");
            start = out->len;
            label(out, "");
        } else if (any) {
            plumb_buf_str(out, ", ");
        } else {
            label(out, "");
        }
        plumb_buf_str(out, word);
        any = true;
    }
    if (any)
        plumb_buf_char(out, '\n');
}

static void put_values(struct plumb_buf *out, const struct plumb_param *p)
{
    if (p->value_count == 0)
        return;
    plumb_buf_str(out, "  values\n");
    put_plain_words(out, p);
    for (size_t i = 0; i < p->value_count; i++) {
        if (!is_plain(p, &p->values[i]))
            put_word(out, p, &p->values[i]);
    }
}

/* Where the same value does something else than before. */
static void put_meanings(struct plumb_buf *out, const struct plumb_param *p)
{
    for (size_t i = 0; i < p->rev_count; i++) {
        const struct plumb_param_rev *rev = &p->revs[i];

        if (rev->meaning == NULL)
            continue;
        label(out, "changed");
        plumb_buf_printf(out, "%s (from %s)\n", rev->meaning,
                         plumb_release_name((enum plumb_release)rev->since));
    }
}

/* What becomes of the word in a release that does not have it, as far as the table says. */
static void put_other_releases(struct plumb_buf *out, const struct plumb_param *p,
                               const struct plumb_value *v)
{
    const struct plumb_param_rev *rev = &p->revs[p->rev_count - 1];

    if (v->first == 0 && v->last == PLUMB_RELEASE_OPEN)
        return;
    for (size_t i = 0; i < p->value_count; i++) {
        if (&p->values[i] != v && plumb_same_nocase(p->values[i].word, v->word))
            return; /* the other row tells about the other releases */
    }
    label(out, "elsewhere");
    if (v->bad != PLUMB_EFFECT_NONE)
        plumb_buf_str(out, bad_text(v->bad));
    else if (rev->type == PLUMB_T_KEY_LIST || rev->type == PLUMB_T_WORD_LIST)
        plumb_buf_str(out, "never looked for, so that nothing is said about it");
    else if (rev->has_bad)
        plumb_buf_str(out, bad_text(rev->bad));
    else
        plumb_buf_str(out, "the daemon stops");
    plumb_buf_char(out, '\n');
}

void plumb_value_describe(struct plumb_buf *out, const struct plumb_param *p,
                          const struct plumb_value *v)
{
    size_t len = strlen(v->word);

    plumb_buf_printf(out, "%.*s, a word of %s in %s", (int)(len - (v->takes_value ? 1 : 0)),
                     v->word, p->name, plumb_file_name((enum plumb_file)p->file));
    put_scope(out, p);
    plumb_buf_char(out, '\n');
    if (v->takes_value) {
        label(out, "value");
        plumb_buf_printf(out, "%s...", v->word);
        if (v->has_min || v->has_max) {
            put_value_range(out, v);
            out->text[--out->len] = '\0'; /* the semicolon */
        }
        plumb_buf_char(out, '\n');
    }
    label(out, "releases");
    if (v->gone)
        plumb_buf_str(out, "none that plumb knows");
    else
        put_releases(out, v->first, v->last);
    plumb_buf_char(out, '\n');
    put_other_releases(out, p, v);
    if (v->alone)
        line(out, "alone", "no other word may stand beside it");
    if (v->deprecated)
        line(out, "deprecated", "taken, with a complaint");
    line(out, "note", v->note);
    line(out, "a change", p->restart);
    line(out, "see", p->ref);
}

void plumb_param_describe(struct plumb_buf *out, const struct plumb_param *p)
{
    const struct plumb_param_rev *rev = &p->revs[p->rev_count - 1];

    /* A removed row keeps the type that it had. */
    put_heading(out, p);
    put_type(out, rev);
    line(out, "required", p->required ? "nothing starts without it" : NULL);
    put_by_release(out, p, "default", default_of);
    put_values(out, p);
    put_by_release(out, p, "otherwise", bad_of);
    put_life(out, p);
    put_by_release(out, p, "instead", replacement_of);
    put_by_release(out, p, "note", note_of);
    put_meanings(out, p);
    line(out, "a change", p->restart);
    line(out, "see", p->ref);
}
