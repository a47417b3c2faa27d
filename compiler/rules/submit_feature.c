/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions of --constraint: names, & (also a comma) and | from left to right, parentheses,
 * brackets whose alternatives are chosen once for all nodes, and "name*count"
 * (slurmctld/job_mgr.c:build_feature_list, node_scheduler.c:valid_feature_counts); and whether
 * some node has their names.
 */
#include <string.h>

#include "base/num.h"
#include "rules/ask.h"
#include "rules/submit.h"
#include "schema/value.h"

struct reader {
    const char *text;
    size_t at;
    const struct plumb_slice *features; /* of the node; NULL: none */
    size_t choice;
    unsigned depth;
};

enum { MAX_DEPTH = 32 };

static bool is_sign(char c)
{
    return c == '\0' || strchr("&|,()[]", c) != NULL;
}

static bool has_feature(const struct reader *rd, size_t begin, size_t end)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    if (rd->features == NULL)
        return false;
    while (plumb_list_next(rd->features, ',', &c, &item)) {
        if (item.len == end - begin && memcmp(item.text, rd->text + begin, item.len) == 0)
            return true;
    }
    return false;
}

bool plumb_feature_next(const char *expression, size_t *at, size_t *begin, size_t *end,
                        uint64_t *count)
{
    while (expression[*at] != '\0' && (is_sign(expression[*at]) || expression[*at] == ' '))
        (*at)++;
    *begin = *at;
    *count = 0;
    while (!is_sign(expression[*at]))
        (*at)++;
    *end = *at;
    for (size_t i = *begin; i < *at; i++) {
        if (expression[i] != '*')
            continue;
        *end = i;
        (void)plumb_read_digits(expression + i + 1, *at - i - 1, count);
        break;
    }
    return *at > *begin;
}

static bool read_list(struct reader *rd, char close);

static bool read_term(struct reader *rd)
{
    size_t begin = 0, end = 0;
    uint64_t count = 0;
    char open = rd->text[rd->at];

    if ((open == '(' || open == '[') && rd->depth < MAX_DEPTH) {
        bool holds = false;

        rd->at++;
        rd->depth++;
        holds = read_list(rd, open == '(' ? ')' : ']');
        rd->depth--;
        return holds;
    }
    if (is_sign(open))
        return true;
    (void)plumb_feature_next(rd->text, &rd->at, &begin, &end, &count);
    return has_feature(rd, begin, end);
}

/* Up to the closing sign. In brackets '|' counts alternatives, and '&' joins counts. */
static bool read_list(struct reader *rd, char close)
{
    bool bracket = close == ']', holds = read_term(rd);
    size_t part = 0;
    bool chosen = bracket && part == rd->choice ? holds : false, any = holds, bars = false;

    while (rd->text[rd->at] != '\0' && rd->text[rd->at] != close) {
        char sign = rd->text[rd->at++];
        bool next = false;

        if (sign == ')' || sign == ']')
            continue;
        next = read_term(rd);
        if (sign == '|') {
            part++;
            bars = true;
            if (bracket && part == rd->choice)
                chosen = next;
            holds = holds || next;
        } else {
            holds = holds && next;
            if (bracket && part == rd->choice)
                chosen = bars ? chosen && next : holds;
        }
        any = any || next;
    }
    if (rd->text[rd->at] == close && close != '\0')
        rd->at++;
    if (rd->text[rd->at] == '*') { /* "(a|b)*2" */
        while (!is_sign(rd->text[rd->at]))
            rd->at++;
    }
    return !bracket ? holds : bars ? chosen : any;
}

bool plumb_feature_matches(const char *expression, const struct plumb_slice *features,
                           size_t choice)
{
    struct reader rd = {.text = expression, .features = features, .choice = choice};

    return expression[0] == '\0' || read_list(&rd, '\0');
}

size_t plumb_feature_choices(const char *expression)
{
    const char *open = strchr(expression, '[');
    const char *close = open == NULL ? NULL : strchr(open, ']');
    size_t count = 1;

    for (const char *c = open; close != NULL && c < close; c++)
        count += *c == '|';
    return count;
}

/* Some node has the feature; plugins may add others. */
static bool is_known(const struct plumb_submit *s, const char *name)
{
    for (size_t i = 0; i < s->ck->model->node_count; i++) {
        const struct plumb_setting *features = plumb_node_features(&s->ck->model->nodes[i]);

        if (features != NULL && plumb_feature_matches(name, &features->value, 0))
            return true;
    }
    return false;
}

/* Alternatives of a bracket are parted by '|'; what is joined by '&' must have a count. */
static bool lacks_counts(const char *text)
{
    const char *open = strchr(text, '['), *close = open == NULL ? NULL : strchr(open, ']');

    return close != NULL && memchr(open, '&', (size_t)(close - open)) != NULL &&
           memchr(open, '*', (size_t)(close - open)) == NULL;
}

static void check_features(struct plumb_submit *s, enum plumb_option_id id)
{
    const struct plumb_given *given = plumb_given(s->rq, id);
    size_t at = 0, begin = 0, end = 0;
    uint64_t count = 0;

    if (given == NULL || given->unknown ||
        plumb_global(s->ck, PLUMB_P_SLURM_NODEFEATURESPLUGINS) != NULL)
        return;
    if (lacks_counts(given->value.text))
        plumb_fault(s, PLUMB_SUBMIT_FEATURE, given->value.at,
                    "features that brackets join by '&' need counts, as in '[a*2&b*1]'; slurmctld "
                    "%s refuses the job",
                    plumb_series(s->ck));
    while (plumb_feature_next(given->value.text, &at, &begin, &end, &count)) {
        const char *name =
            plumb_arena_strndup(s->ck->arena, given->value.text + begin, end - begin);

        if (!is_known(s, name))
            plumb_fault(s, PLUMB_SUBMIT_FEATURE, plumb_slice_span(&given->value, begin, end),
                        "no node has the feature '%s' (case counts); slurmctld %s refuses the job",
                        name, plumb_series(s->ck));
    }
}

void plumb_submit_features(struct plumb_submit *s)
{
    check_features(s, PLUMB_O_CONSTRAINT);
    check_features(s, PLUMB_O_PREFER);
}
