/* SPDX-License-Identifier: Apache-2.0 */
/* Names, labels, annotations: apimachinery, util/validation and api/validation. */
#include <string.h>

#include "base/text.h"
#include "kube/check.h"
#include "kube/rules.h"
#include "kube/value.h"
#include "syntax/excerpt.h"

enum { MAX_LABEL = 63, MAX_SUBDOMAIN = 253, MAX_ANNOTATIONS = 262144 };

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || plumb_is_digit(c);
}

static bool is_letter(char c)
{
    char low = plumb_lower(c);

    return low >= 'a' && low <= 'z';
}

/* One label of a name: small letters and digits at its ends, dashes inside. */
static size_t label_fault(const char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!is_small(text[i]) && (text[i] != '-' || i == begin || i + 1 == end))
            return i;
    }
    return begin == end ? begin : SIZE_MAX;
}

size_t plumb_kube_name_fault(enum plumb_kube_name kind, const char *text, size_t len)
{
    size_t begin = 0, most = kind == PLUMB_KUBE_SUBDOMAIN ? MAX_SUBDOMAIN : MAX_LABEL;

    if (kind == PLUMB_KUBE_SERVICE_NAME && len > 0 && !(text[0] >= 'a' && text[0] <= 'z'))
        return 0;
    for (size_t i = 0; i <= len; i++) {
        if (i < len && (text[i] != '.' || kind != PLUMB_KUBE_SUBDOMAIN))
            continue;

        size_t fault = label_fault(text, begin, i);

        if (fault != SIZE_MAX)
            return fault < len ? fault : len - (len > 0);
        begin = i + 1;
    }
    return len > most ? most : SIZE_MAX;
}

/* A name behind the prefix of a key, or a value of a label: letters and digits at its ends. */
static size_t qualified_fault(const char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        bool inner = i > begin && i + 1 < end && strchr("-_.", text[i]) != NULL;

        if (text[i] == '\0' || (!is_letter(text[i]) && !plumb_is_digit(text[i]) && !inner))
            return i;
    }
    return end - begin > MAX_LABEL ? begin + MAX_LABEL : SIZE_MAX;
}

/* The first wrong byte of the key of a label or annotation. */
static size_t key_fault(const char *text, size_t len)
{
    const char *slash = memchr(text, '/', len);
    size_t name = slash == NULL ? 0 : (size_t)(slash - text) + 1;

    if (slash != NULL) {
        size_t fault = plumb_kube_name_fault(PLUMB_KUBE_SUBDOMAIN, text, name - 1);

        if (fault != SIZE_MAX)
            return fault;
    }
    return name == len ? (len > 0 ? len - 1 : 0) : qualified_fault(text, name, len);
}

static void check_key(struct plumb_session *s, const struct plumb_node *key, const char *what)
{
    size_t fault = key_fault(key->scalar.text, key->scalar.len);

    if (fault == SIZE_MAX)
        return;
    plumb_kube_report(s, PLUMB_KUBE_LABEL, plumb_slice_span(&key->scalar, fault, fault + 1),
                      "the key %s of %s is none, expected at most 63 letters, digits, '-', '_' and "
                      "'.' behind an optional domain and '/'; the API server refuses the object",
                      plumb_excerpt(s->arena, key->scalar.text, key->scalar.len), what);
}

void plumb_kube_labels(struct plumb_session *s, const struct plumb_node *labels)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        const struct plumb_node *value = labels->pairs[i].value;
        size_t fault = SIZE_MAX;

        check_key(s, labels->pairs[i].key, "a label");
        if (value->kind != PLUMB_SCALAR || plumb_kube_filled_in(&value->scalar))
            continue;
        fault = qualified_fault(value->scalar.text, 0, value->scalar.len);
        if (fault == SIZE_MAX)
            continue;
        plumb_kube_report(s, PLUMB_KUBE_LABEL, plumb_slice_span(&value->scalar, fault, fault + 1),
                          "the value %s of a label holds something else than letters, digits, "
                          "'-', '_' and '.', or is longer than 63 characters; the API server "
                          "refuses the object",
                          plumb_excerpt(s->arena, value->scalar.text, value->scalar.len));
    }
}

void plumb_kube_annotations(struct plumb_session *s, const struct plumb_node *annotations)
{
    size_t size = 0;

    for (uint32_t i = 0; i < annotations->count; i++) {
        check_key(s, annotations->pairs[i].key, "an annotation");
        size += annotations->pairs[i].key->scalar.len;
        if (annotations->pairs[i].value->kind == PLUMB_SCALAR)
            size += annotations->pairs[i].value->scalar.len;
    }
    if (size > MAX_ANNOTATIONS)
        plumb_kube_report(s, PLUMB_KUBE_ANNOTATIONS, annotations->pairs[0].key->at,
                          "the annotations of the object have %zu bytes, expected at most %d; the "
                          "API server refuses the object",
                          size, MAX_ANNOTATIONS);
}
