/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of rules given by the caller. */
#include "passes/policy.h"

#include <string.h>

#include "base/text.h"
#include "rules/check.h"

static const struct plumb_rule_family *find_family(const char *name)
{
    for (size_t i = 0; i < plumb_rule_family_count; i++) {
        if (plumb_same_nocase(plumb_rule_families[i]->prefix, name))
            return plumb_rule_families[i];
    }
    return NULL;
}

static bool read_level(const char *text, enum plumb_severity *out)
{
    static const enum plumb_severity all[] = {PLUMB_INFO, PLUMB_WARNING, PLUMB_ERROR};

    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        if (plumb_same_nocase(text, plumb_severity_name(all[i]))) {
            *out = all[i];
            return true;
        }
    }
    return false;
}

static const char *unknown_rule(struct plumb_arena *a, const char *name)
{
    const char *near = plumb_rule_suggest(name);

    if (near == NULL)
        return plumb_arena_printf(a, "unknown rule '%s'; 'plumb rules' lists them", name);
    return plumb_arena_printf(a, "unknown rule '%s', did you mean '%s'?", name, near);
}

/* One entry; NULL, or what is wrong with it. */
static const char *read_entry(struct plumb_arena *a, char *text, bool levels,
                              struct plumb_policy_entry *out)
{
    char *level = strchr(text, '=');

    *out = (struct plumb_policy_entry){0};
    if (levels) {
        if (level == NULL || !read_level(level + 1, &out->severity))
            return plumb_arena_printf(
                a, "'%s' sets no severity, expected RULE=error, RULE=warning or RULE=info", text);
        *level = '\0';
    }
    out->family = find_family(text);
    if (out->family == NULL)
        out->rule = plumb_rule_find(text);
    return out->family == NULL && out->rule == NULL ? unknown_rule(a, text) : NULL;
}

const char *plumb_policy_read(struct plumb_arena *a, const char *text, bool levels,
                              struct plumb_policy_list *out)
{
    for (size_t begin = 0, end = 0; text[begin] != '\0'; begin = end) {
        struct plumb_policy_entry entry;

        begin += strspn(text + begin, ", \t");
        end = begin + strcspn(text + begin, ", \t");
        if (end == begin)
            break;

        const char *fault =
            read_entry(a, plumb_arena_strndup(a, text + begin, end - begin), levels, &entry);

        if (fault != NULL)
            return fault;
        out->items = plumb_arena_grow(a, out->items, out->count, &out->cap, sizeof(*out->items));
        out->items[out->count++] = entry;
    }
    return NULL;
}

static bool fits(const struct plumb_policy_entry *e, const struct plumb_rule *rule)
{
    if (e->rule != NULL)
        return e->rule == rule;

    size_t len = strlen(e->family->prefix);

    return strncmp(rule->code, e->family->prefix, len) == 0 && plumb_is_digit(rule->code[len]);
}

static bool has(const struct plumb_policy_list *l, const struct plumb_rule *rule)
{
    for (size_t i = 0; i < l->count; i++) {
        if (fits(&l->items[i], rule))
            return true;
    }
    return false;
}

bool plumb_policy_apply(const struct plumb_policy *p, struct plumb_diag *d)
{
    if (p->select.count > 0 && !has(&p->select, d->rule))
        return false;
    if (has(&p->ignore, d->rule))
        return false;
    for (size_t i = 0; i < p->severity.count; i++) {
        if (fits(&p->severity.items[i], d->rule))
            d->severity = p->severity.items[i].severity;
    }
    return true;
}
