/* SPDX-License-Identifier: Apache-2.0 */
/* Running and finding rules. What exists is in registry.c. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "rules/check.h"

void plumb_rules_run(struct plumb_session *s, const struct plumb_model *m, unsigned facts)
{
    struct plumb_shared shared = {.arena = s->arena};

    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const struct plumb_rule_family *family = plumb_rule_families[f];

        for (size_t i = 0; i < family->count; i++) {
            const struct plumb_rule *rule = &family->rules[i];
            struct plumb_check ck = {
                .rule = rule,
                .model = m,
                .arena = s->arena,
                .scratch = s->scratch,
                .shared = &shared,
                .sink = &s->sink,
                .intern = s->intern,
                .table = s->table,
            };

            if (rule->run == NULL || (facts & rule->needs) != rule->needs)
                continue;
            rule->run(&ck);
            plumb_arena_reset(s->scratch);
        }
    }
}

static int by_code(const void *a, const void *b)
{
    const struct plumb_rule *const *x = a, *const *y = b;

    return strcmp((*x)->code, (*y)->code);
}

const struct plumb_rule **plumb_rules_of(struct plumb_arena *a, const char *prefix,
                                         const struct plumb_rule_family **first, size_t *count)
{
    const struct plumb_rule_family *found = NULL;
    const struct plumb_rule **rules = NULL;
    size_t cap = 0;

    *count = 0;
    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const struct plumb_rule_family *family = plumb_rule_families[f];

        if (!plumb_same_nocase(family->prefix, prefix))
            continue;
        found = found == NULL ? family : found;
        for (size_t i = 0; i < family->count; i++) {
            rules = plumb_arena_grow(a, rules, *count, &cap, sizeof(*rules));
            rules[(*count)++] = &family->rules[i];
        }
    }
    if (first != NULL)
        *first = found;
    if (*count > 0)
        qsort(rules, *count, sizeof(*rules), by_code);
    return rules;
}

const struct plumb_rule *plumb_rule_find(const char *code_or_name)
{
    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const struct plumb_rule_family *family = plumb_rule_families[f];

        for (size_t i = 0; i < family->count; i++) {
            const struct plumb_rule *rule = &family->rules[i];

            if (plumb_same_nocase(rule->code, code_or_name) ||
                plumb_same_nocase(rule->name, code_or_name))
                return rule;
        }
    }
    return NULL;
}

const char *plumb_rule_suggest(const char *code_or_name)
{
    struct plumb_nearest nearest = plumb_nearest_to(code_or_name);

    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const struct plumb_rule_family *family = plumb_rule_families[f];

        for (size_t i = 0; i < family->count; i++) {
            plumb_nearest_offer(&nearest, family->rules[i].code);
            plumb_nearest_offer(&nearest, family->rules[i].name);
        }
    }
    return nearest.best;
}
