/* SPDX-License-Identifier: Apache-2.0 */
/* plumb explain: a rule, a Slurm parameter, or a key of the specification. */
#include <string.h>

#include "api/internal.h"
#include "base/text.h"
#include "cli/cli.h"
#include "rules/check.h"
#include "schema/describe.h"
#include "spec/spec.h"
#include "syntax/json.h"

static void add_daemons(struct plumb_buf *out, unsigned daemons)
{
    static const enum plumb_daemon all[] = {PLUMB_SLURMCTLD, PLUMB_SLURMD, PLUMB_SLURMDBD};
    bool any = false;

    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        if ((daemons & (unsigned)all[i]) == 0)
            continue;
        plumb_buf_printf(out, "%s%s", any ? ", " : "", plumb_daemon_name(all[i]));
        any = true;
    }
}

/* Adds text of several lines, each behind four blanks. */
static void add_block(struct plumb_buf *out, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");

        plumb_buf_printf(out, "    %.*s\n", (int)len, text);
        text += len;
        text += *text == '\n';
    }
}

void cli_rule_text(const struct plumb_rule *rule, struct plumb_buf *out)
{
    plumb_buf_printf(out, "%s %s (%s)\n\n%c%s.\n", rule->code, rule->name,
                     plumb_severity_name(rule->severity),
                     rule->summary[0] >= 'a' && rule->summary[0] <= 'z' ? rule->summary[0] - 32
                                                                        : rule->summary[0],
                     rule->summary + 1);
    if (rule->why != NULL)
        plumb_buf_printf(out, "\n%s\n", rule->why);
    if (rule->effect != PLUMB_EFFECT_NONE && rule->daemons != 0) {
        plumb_buf_printf(out, "\nEffect: %s (", plumb_effect_name(rule->effect));
        add_daemons(out, rule->daemons);
        plumb_buf_str(out, ")\n");
    }
    if (rule->bad != NULL) {
        plumb_buf_str(out, "\nBad:\n");
        add_block(out, rule->bad);
    }
    if (rule->good != NULL) {
        plumb_buf_str(out, "\nGood:\n");
        add_block(out, rule->good);
    }
    if (rule->ref != NULL)
        plumb_buf_printf(out, "\nReference: %s\n", rule->ref);
}

static bool explain_family(const char *prefix, struct plumb_buf *out)
{
    const struct plumb_rule_family *first = NULL;
    size_t count = 0;
    const struct plumb_rule **rules = plumb_rules_of(out->arena, prefix, &first, &count);

    if (first == NULL)
        return false;
    plumb_buf_printf(out, "%s: %s\n\n", first->prefix, first->title);
    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(out, "  %s  %s\n", rules[i]->code, rules[i]->summary);
    return true;
}

/* Every parameter of this name, whatever the file. */
static bool explain_parameter(const struct cli *c, const struct plumb_table *t, const char *name,
                              struct plumb_buf *out)
{
    const char *release = c->values[OPT_SLURM];
    const struct plumb_param *p = NULL;
    bool any = false;

    while ((p = plumb_param_elsewhere(t, name, strlen(name), p)) != NULL) {
        if (any)
            plumb_buf_char(out, '\n');
        plumb_param_describe(out, p);
        if (release != NULL) {
            enum plumb_release r = plumb_release_read_any(release, strlen(release));
            const struct plumb_param_rev *rev = plumb_param_at(p, r);

            plumb_buf_printf(out, "In %s: %s\n", release,
                             rev->life == PLUMB_LIFE_NONE         ? "not known"
                             : rev->life == PLUMB_LIFE_OK         ? "read"
                             : rev->life == PLUMB_LIFE_DEPRECATED ? "read, with a complaint"
                             : rev->life == PLUMB_LIFE_RENAMED    ? "read, under its older name"
                             : rev->life == PLUMB_LIFE_DEFUNCT ? "dropped, with an error in the log"
                             : rev->life == PLUMB_LIFE_IGNORED ? "dropped without a word"
                                                               : "the daemons stop");
        }
        any = true;
    }
    return any;
}

/* The word of a list, "bf_window", with a value behind it or not, in one parameter (NULL: all). */
static bool explain_word(const struct plumb_table *t, const struct plumb_param *only,
                         const char *word, struct plumb_buf *out)
{
    size_t len = strcspn(word, "=");
    bool any = false;

    for (unsigned i = 0; len > 0 && i < plumb_table_ids(t); i++) {
        const struct plumb_param *p = plumb_param_row(t, i);

        for (size_t v = 0; (only == NULL || only == p) && v < p->value_count; v++) {
            size_t known = strlen(p->values[v].word) - (p->values[v].takes_value ? 1 : 0);

            if (known != len || !plumb_equal_nocase(p->values[v].word, word, len))
                continue;
            if (any)
                plumb_buf_char(out, '\n');
            plumb_value_describe(out, p, &p->values[v]);
            any = true;
        }
    }
    return any;
}

/* "SchedulerParameters=bf_window": the word in every parameter of this name. */
static bool explain_pair(const struct plumb_table *t, const char *what, struct plumb_buf *out)
{
    size_t len = strcspn(what, "=");
    bool any = false;

    if (what[len] == '\0')
        return false;
    for (const struct plumb_param *p = plumb_param_elsewhere(t, what, len, NULL); p != NULL;
         p = plumb_param_elsewhere(t, what, len, p)) {
        struct plumb_buf text = plumb_buf_in(out->arena);

        if (!explain_word(t, p, what + len + 1, &text))
            continue;
        plumb_buf_printf(out, "%s%s", any ? "\n" : "", plumb_buf_text(&text));
        any = true;
    }
    return any;
}

static void offer_words(const struct plumb_table *t, struct plumb_nearest *near)
{
    for (unsigned i = 0; i < plumb_table_ids(t); i++) {
        const struct plumb_param *p = plumb_param_row(t, i);

        for (size_t v = 0; v < p->value_count; v++) {
            if (strlen(p->values[v].word) > 4) /* shorter ones are near to anything */
                plumb_nearest_offer(near, p->values[v].word);
        }
    }
}

static int unknown(const struct cli *c, const struct plumb_table *t, const char *what,
                   const char *near_key)
{
    struct plumb_nearest near = plumb_nearest_to(what);

    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        for (size_t i = 0; i < plumb_rule_families[f]->count; i++) {
            plumb_nearest_offer(&near, plumb_rule_families[f]->rules[i].code);
            plumb_nearest_offer(&near, plumb_rule_families[f]->rules[i].name);
        }
    }
    for (unsigned p = 0; p < plumb_table_ids(t); p++)
        plumb_nearest_offer(&near, plumb_param_row(t, p)->name);
    offer_words(t, &near);
    if (near.best == NULL && near_key != NULL)
        near.best = near_key;
    if (near.best != NULL)
        return cli_usage(c, "there is no rule, parameter or key '%s', did you mean '%s'?", what,
                         near.best);
    return cli_usage(c, "there is no rule, parameter or key '%s'", what);
}

/* Explains one thing; false when it is nothing. */
static bool explain(const struct cli *c, const struct plumb_table *t, const char *what,
                    struct plumb_buf *out, const char **near_key)
{
    const struct plumb_rule *rule = NULL;

    if (c->flags[OPT_SPEC] > 0)
        return plumb_spec_describe(out, what, near_key);
    rule = plumb_rule_find(what);
    if (rule != NULL) {
        cli_rule_text(rule, out);
        return true;
    }
    return explain_family(what, out) || explain_parameter(c, t, what, out) ||
           plumb_spec_describe(out, what, near_key) || explain_pair(t, what, out) ||
           explain_word(t, NULL, what, out);
}

static int explain_with(struct cli *c, const struct plumb_table *t)
{
    static const struct plumb_span nowhere;
    struct plumb_buf text = plumb_buf_in(c->arena);
    const char *near_key = NULL;

    if (c->arg_count != 1)
        return cli_usage(c, "explain takes one rule, parameter or key");
    if (!explain(c, t, c->args[0], &text, &near_key))
        return unknown(c, t, c->args[0], near_key);
    if (c->sink_count > 0 && strcmp(c->sinks[0].format, "json") == 0) {
        struct plumb_node *m = plumb_node_mapping(c->arena, nowhere);

        plumb_node_set_string(c->arena, m, "name", c->args[0]);
        plumb_node_set_string(c->arena, m, "text", plumb_buf_text(&text));
        text = plumb_buf_in(c->arena);
        plumb_json_write(&text, m, NULL);
    }
    if (c->sink_count > 0 && c->sinks[0].file != NULL)
        return cli_write_file(cli_path(c, c->sinks[0].file), plumb_buf_text(&text), text.len)
                   ? PLUMB_RESULT_CLEAN
                   : PLUMB_RESULT_INTERNAL;
    plumb_buf_add(&c->out, plumb_buf_text(&text), text.len);
    return PLUMB_RESULT_CLEAN;
}

int cli_explain(struct cli *c)
{
    plumb_handle *h = NULL;
    int status = PLUMB_RESULT_USAGE;

    if (c->values[OPT_TABLE] == NULL)
        return explain_with(c, NULL);
    h = cli_open(c, false);
    if (h == NULL)
        return cli_worst(status, c->status);
    for (size_t i = 0; i < h->session.sink.count; i++) {
        const struct plumb_diag *d = h->session.sink.items[i];
        struct plumb_place p = plumb_source_place(&h->session.sources, d->at);

        cli_error("%s:%u:%u: %s", p.path, p.line, p.column, d->message);
    }
    status = h->session.sink.count > 0 ? PLUMB_RESULT_USAGE : explain_with(c, h->session.table);
    plumb_close(h);
    return status;
}
