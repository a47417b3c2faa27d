/* SPDX-License-Identifier: Apache-2.0 */
/* Running and finding rules. What exists is in registry.c. */
#include "base/text.h"
#include "rules/check.h"

void plumb_rules_run(struct plumb_session *s, const struct plumb_model *m, unsigned facts)
{
    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const struct plumb_rule_family *family = plumb_rule_families[f];

        for (size_t i = 0; i < family->count; i++) {
            const struct plumb_rule *rule = &family->rules[i];
            struct plumb_check ck = {
                .rule = rule,
                .model = m,
                .arena = s->arena,
                .scratch = s->scratch,
                .sink = &s->sink,
                .intern = s->intern,
            };

            if (rule->run == NULL || (facts & rule->needs) != rule->needs)
                continue;
            rule->run(&ck);
            plumb_arena_reset(s->scratch);
        }
    }
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
