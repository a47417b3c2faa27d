/* SPDX-License-Identifier: Apache-2.0 */
/* What a value may be: its JSON type, sets, patterns, ranges, quantities. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "kube/rules.h"
#include "kube/value.h"
#include "kube/walk.h"
#include "syntax/excerpt.h"
#include "syntax/match.h"

const char *plumb_kube_does(const struct plumb_kube_walk *w)
{
    switch (w->reader) {
    case PLUMB_KUBE_OPERATOR:
        return "the operator cannot make the pods";
    case PLUMB_KUBE_CHART:
    case PLUMB_KUBE_RECORD:
        return "what the chart makes of it is refused";
    default:
        return "the API server refuses the object";
    }
}

struct value {
    const struct plumb_kube_walk *w;
    const struct plumb_kube_type *type;
    const struct plumb_node *n;
    const struct plumb_kube_step *at;
    enum plumb_kube_json is;
};

static const char *path_of(const struct value *v)
{
    const char *path = plumb_kube_path(v->w->session->arena, v->at, NULL);

    return path[0] == '\0' ? "the document" : path;
}

static const char *shown(const struct value *v)
{
    return v->n->kind == PLUMB_SCALAR
               ? plumb_excerpt(v->w->session->arena, v->n->scalar.text, v->n->scalar.len)
               : plumb_kube_json_name(v->is);
}

/* ---- forms ---- */

static const struct {
    const char *expected;
    unsigned takes; /* bits of enum plumb_kube_json */
} forms[] = {
    [PLUMB_KUBE_ANY] = {"anything", ~0u},
    [PLUMB_KUBE_OPEN] = {"a mapping", 1u << PLUMB_KUBE_IS_MAP},
    [PLUMB_KUBE_STRING] = {"text", 1u << PLUMB_KUBE_IS_STRING},
    [PLUMB_KUBE_INTEGER] = {"a whole number", 1u << PLUMB_KUBE_IS_INTEGER},
    [PLUMB_KUBE_NUMBER] = {"a number", 1u << PLUMB_KUBE_IS_INTEGER | 1u << PLUMB_KUBE_IS_NUMBER},
    [PLUMB_KUBE_BOOLEAN] = {"true or false", 1u << PLUMB_KUBE_IS_BOOLEAN},
    [PLUMB_KUBE_INT_OR_STRING] = {"a whole number or text",
                                  1u << PLUMB_KUBE_IS_INTEGER | 1u << PLUMB_KUBE_IS_STRING},
    [PLUMB_KUBE_QUANTITY] = {"a quantity: a whole number, or text such as \"1.5\" or 16Gi",
                             1u << PLUMB_KUBE_IS_INTEGER | 1u << PLUMB_KUBE_IS_STRING},
    [PLUMB_KUBE_NUMBER_OR_QUANTITY] = {"a quantity such as 8, 1.5 or 16Gi",
                                       1u << PLUMB_KUBE_IS_INTEGER | 1u << PLUMB_KUBE_IS_NUMBER |
                                           1u << PLUMB_KUBE_IS_STRING},
    [PLUMB_KUBE_OBJECT] = {"a mapping", 1u << PLUMB_KUBE_IS_MAP},
    [PLUMB_KUBE_LIST] = {"a list", 1u << PLUMB_KUBE_IS_LIST},
    [PLUMB_KUBE_MAP] = {"a mapping", 1u << PLUMB_KUBE_IS_MAP},
};

/*
 * Its own kinds are read by Go, to which null is nothing. Of custom resources the server takes a
 * null away where it creates or patches (PruneNonNullableNullsWithoutDefaults of
 * apiextensions-apiserver), but not out of lists, and not where it applies itself.
 */
static bool null_sound(const struct value *v, struct plumb_span key)
{
    struct plumb_span at = v->n->at.end > v->n->at.begin ? v->n->at : key;
    bool pruned = v->at != NULL && v->at->key != NULL && !v->at->required;

    if (v->type->nullable || v->type->form == PLUMB_KUBE_ANY)
        return false;
    if (v->w->reader == PLUMB_KUBE_BUILT_IN || v->w->reader == PLUMB_KUBE_OPERATOR ||
        v->w->reader == PLUMB_KUBE_CHART || v->w->reader == PLUMB_KUBE_RECORD)
        plumb_kube_report(v->w->session, PLUMB_KUBE_NULL, at,
                          "'%s' has no value, expected %s; it counts as if it were not there",
                          path_of(v), forms[v->type->form].expected);
    else if (pruned)
        plumb_diag_severity(
            plumb_kube_report(
                v->w->session, PLUMB_KUBE_WRONG_TYPE, at,
                "'%s' is null, expected %s; kubectl apply and Helm 3 have it dropped, "
                "a server-side apply (Flux, Helm 4) is refused",
                path_of(v), forms[v->type->form].expected),
            PLUMB_WARNING);
    else
        plumb_kube_report(v->w->session, PLUMB_KUBE_WRONG_TYPE, at, "'%s' is null, expected %s; %s",
                          path_of(v), forms[v->type->form].expected, plumb_kube_does(v->w));
    return false;
}

static void wrong_form(const struct value *v)
{
    struct plumb_span at = v->n->at;
    struct plumb_diag *d = NULL;

    if (v->n->kind != PLUMB_SCALAR && v->n->count > 0)
        at.end = at.begin + 1;
    if (plumb_starts_with(v->w->subject->what, "Secret ")) { /* its text is not to be shown */
        plumb_kube_report(v->w->session, PLUMB_KUBE_NOT_BASE64, at, "'%s' is %s, expected %s; %s",
                          path_of(v), plumb_kube_json_name(v->is), forms[v->type->form].expected,
                          plumb_kube_does(v->w));
        return;
    }
    d = plumb_kube_report(v->w->session, PLUMB_KUBE_WRONG_TYPE, at, "'%s' is %s, expected %s; %s",
                          path_of(v), plumb_kube_json_name(v->is), forms[v->type->form].expected,
                          plumb_kube_does(v->w));
    if (v->type->form == PLUMB_KUBE_STRING && v->n->kind == PLUMB_SCALAR)
        plumb_diag_help(d, "write it in quotes: \"%s\"", v->n->scalar.text);
}

/* ---- limits ---- */

static void check_words(const struct value *v)
{
    struct plumb_nearest near = plumb_nearest_to(v->n->scalar.text);
    struct plumb_buf words = plumb_buf_in(v->w->session->arena);
    struct plumb_diag *d = NULL;

    for (const char *const *word = v->type->words; *word != NULL; word++) {
        if (plumb_slice_is_exact(&v->n->scalar, *word))
            return;
        plumb_nearest_offer(&near, *word);
        if ((*word)[0] != '\0')
            plumb_buf_printf(&words, "%s'%s'", words.len == 0 ? "" : ", ", *word);
    }
    d = plumb_kube_report(v->w->session, PLUMB_KUBE_NOT_IN_SET, v->n->at,
                          "'%s' is %s, expected one of %s; %s", path_of(v), shown(v),
                          plumb_buf_text(&words),
                          v->type->late ? plumb_kube_does_late(v->w) : plumb_kube_does(v->w));
    if (near.best != NULL)
        plumb_diag_help(d, "did you mean '%s'?", near.best);
}

static void check_pattern(const struct value *v)
{
    struct plumb_matcher *m = plumb_matcher_new(v->w->session->scratch, &v->type->pattern, 1);
    struct plumb_match match;

    if (!plumb_matcher_find(m, 0, v->n->scalar.text, v->n->scalar.len, 0, &match))
        plumb_kube_report(v->w->session, PLUMB_KUBE_PATTERN, v->n->at,
                          "'%s' is %s, expected text of the form '%s'; %s", path_of(v), shown(v),
                          v->type->pattern, plumb_kube_does(v->w));
    plumb_matcher_free(m);
}

static void check_length(const struct value *v)
{
    size_t length = plumb_utf8_count(v->n->scalar.text, v->n->scalar.len);

    if (length < v->type->min_length)
        plumb_kube_report(v->w->session, PLUMB_KUBE_OUT_OF_RANGE, v->n->at,
                          "'%s' has %zu characters, expected at least %u; %s", path_of(v), length,
                          (unsigned)v->type->min_length, plumb_kube_does(v->w));
    if (v->type->max_length > 0 && length > v->type->max_length)
        plumb_kube_report(v->w->session, PLUMB_KUBE_OUT_OF_RANGE, v->n->at,
                          "'%s' has %zu characters, expected at most %u; %s", path_of(v), length,
                          (unsigned)v->type->max_length, plumb_kube_does(v->w));
}

static void check_range(const struct value *v)
{
    int64_t number = plumb_kube_integer(v->n);

    if (v->type->has_min && number < v->type->min)
        plumb_kube_report(v->w->session, PLUMB_KUBE_OUT_OF_RANGE, v->n->at,
                          "'%s' is %s, expected at least %" PRId64 "; %s", path_of(v),
                          v->n->scalar.text, v->type->min, plumb_kube_does(v->w));
    if (v->type->has_max && number > v->type->max)
        plumb_kube_report(v->w->session, PLUMB_KUBE_OUT_OF_RANGE, v->n->at,
                          "'%s' is %s, expected at most %" PRId64 "; %s", path_of(v),
                          v->n->scalar.text, v->type->max, plumb_kube_does(v->w));
}

static void check_quantity(const struct value *v)
{
    uint64_t milli = 0;
    size_t bad = 0;
    const struct plumb_slice *text = &v->n->scalar;

    if (plumb_kube_quantity(text->text, text->len, &milli, &bad))
        return;
    plumb_kube_report(v->w->session, PLUMB_KUBE_BAD_QUANTITY,
                      plumb_slice_span(text, bad < text->len ? bad : 0, text->len),
                      "'%s' is %s, expected a quantity: a number, and k, M, G, T or Ki, Mi, Gi, "
                      "Ti behind it, or m for thousandths; %s",
                      path_of(v), shown(v), plumb_kube_does(v->w));
}

/* Base64 with padding; line breaks are passed over (encoding/base64). */
static bool is_base64(const struct plumb_slice *s)
{
    size_t count = 0, pad = 0;

    for (uint32_t i = 0; i < s->len; i++) {
        char c = s->text[i], low = plumb_lower(c);

        if (c == '\n' || c == '\r')
            continue;
        if (c == '=')
            pad++;
        else if (pad > 0 ||
                 !((low >= 'a' && low <= 'z') || plumb_is_digit(c) || c == '+' || c == '/'))
            return false;
        count++;
    }
    return count % 4 == 0 && pad <= 2;
}

static bool is_date_time(const struct plumb_slice *s)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd";

    if (s->len < sizeof(form))
        return false;
    for (size_t i = 0; i < sizeof(form) - 1; i++) {
        if (form[i] == 'd' ? !plumb_is_digit(s->text[i])
                           : plumb_lower(s->text[i]) != plumb_lower(form[i]))
            return false;
    }
    return strchr("Zz.+-", s->text[sizeof(form) - 1]) != NULL;
}

/* What is no base64 is not shown: it may be the secret itself. */
static void check_format(const struct value *v)
{
    if (v->type->format == PLUMB_KUBE_BYTE && !is_base64(&v->n->scalar))
        plumb_kube_report(v->w->session, PLUMB_KUBE_NOT_BASE64, v->n->at,
                          "'%s' is no base64, expected base64 with its padding; %s", path_of(v),
                          plumb_kube_does(v->w));
    if (v->type->format == PLUMB_KUBE_DATE_TIME && !is_date_time(&v->n->scalar))
        plumb_kube_report(v->w->session, PLUMB_KUBE_PATTERN, v->n->at,
                          "'%s' is %s, expected a time such as 2027-01-31T12:00:00Z; %s",
                          path_of(v), shown(v), plumb_kube_does(v->w));
}

static void check_text(const struct value *v)
{
    const struct plumb_kube_type *t = v->type;

    if (t->words != NULL)
        check_words(v);
    if (t->pattern != NULL)
        check_pattern(v);
    if (t->min_length > 0 || t->max_length > 0)
        check_length(v);
    if (t->form == PLUMB_KUBE_QUANTITY || t->form == PLUMB_KUBE_NUMBER_OR_QUANTITY)
        check_quantity(v);
    if (t->format != PLUMB_KUBE_PLAIN)
        check_format(v);
}

/* Any text will do. */
static bool takes_all(const struct plumb_kube_type *t)
{
    return t->form == PLUMB_KUBE_ANY ||
           (t->form == PLUMB_KUBE_STRING && t->words == NULL && t->pattern == NULL &&
            t->min_length == 0 && t->max_length == 0 && t->format == PLUMB_KUBE_PLAIN);
}

/* What it will be is not known before another program has been at it. */
static void filled_in(const struct value *v)
{
    plumb_kube_report(v->w->session, PLUMB_KUBE_TEMPLATE, v->n->at,
                      "'%s' is %s, which another program fills in, expected %s; it is not checked",
                      path_of(v), shown(v), forms[v->type->form].expected);
}

bool plumb_kube_value_sound(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                            const struct plumb_node *n, struct plumb_span key,
                            const struct plumb_kube_step *at)
{
    struct value v = {.w = w, .type = type, .n = n, .at = at, .is = plumb_kube_json_of(n)};

    if (v.is == PLUMB_KUBE_IS_NULL)
        return null_sound(&v, key);
    if (n->kind == PLUMB_SCALAR && !takes_all(type) && plumb_kube_filled_in(&n->scalar)) {
        filled_in(&v);
        return false;
    }
    if ((forms[type->form].takes & 1u << v.is) == 0) {
        wrong_form(&v);
        return false;
    }
    if (v.is == PLUMB_KUBE_IS_STRING)
        check_text(&v);
    else if (v.is == PLUMB_KUBE_IS_INTEGER)
        check_range(&v);
    else if (v.is == PLUMB_KUBE_IS_LIST && n->count < type->min_items)
        plumb_kube_report(w->session, PLUMB_KUBE_OUT_OF_RANGE, plumb_span_known(key) ? key : n->at,
                          "'%s' has %u items, expected at least %u; %s", path_of(&v),
                          (unsigned)n->count, (unsigned)type->min_items, plumb_kube_does(w));
    return true;
}
