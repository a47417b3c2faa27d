/* SPDX-License-Identifier: Apache-2.0 */
/* plumb rules, targets, schema, version: the tables, for people and as JSON. */
#include <string.h>

#include "base/release.h"
#include "base/text.h"
#include "cli/cli.h"
#include "emit/output.h"
#include "rules/check.h"
#include "spec/spec.h"
#include "syntax/json.h"

static const struct plumb_span nowhere;

/* Prints a tree where --format wants it. False when people are to read. */
static bool as_json(const struct cli *c)
{
    return c->sink_count > 0 && strcmp(c->sinks[0].format, "json") == 0;
}

/* Sends what was made to the file of --format, when there is one. */
static int finish(struct cli *c)
{
    if (c->sink_count == 0 || c->sinks[0].file == NULL)
        return PLUMB_RESULT_CLEAN;

    bool done = cli_write_file(cli_path(c, c->sinks[0].file), plumb_buf_text(&c->out), c->out.len);

    c->out.len = 0;
    return done ? PLUMB_RESULT_CLEAN : PLUMB_RESULT_INTERNAL;
}

static struct plumb_node *daemons_node(struct plumb_arena *a, unsigned daemons)
{
    static const enum plumb_daemon all[] = {PLUMB_SLURMCTLD, PLUMB_SLURMD, PLUMB_SLURMDBD};
    struct plumb_node *list = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        if ((daemons & (unsigned)all[i]) != 0)
            plumb_node_append(a, list, plumb_node_string(a, plumb_daemon_name(all[i]), nowhere));
    }
    return list;
}

static struct plumb_node *rule_node(struct plumb_arena *a, const struct plumb_rule_family *family,
                                    const struct plumb_rule *rule)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    plumb_node_set_string(a, m, "code", rule->code);
    plumb_node_set_string(a, m, "name", rule->name);
    plumb_node_set_string(a, m, "family", family->prefix);
    plumb_node_set_string(a, m, "severity", plumb_severity_name(rule->severity));
    plumb_node_set_string(a, m, "effect", plumb_effect_name(rule->effect));
    plumb_node_set(a, m, "daemons", daemons_node(a, rule->daemons));
    plumb_node_set_string(a, m, "summary", rule->summary);
    plumb_node_set_string(a, m, "why", rule->why);
    plumb_node_set_string(a, m, "reference", rule->ref);
    plumb_node_set_string(a, m, "bad", rule->bad);
    plumb_node_set_string(a, m, "good", rule->good);
    return m;
}

static const struct plumb_rule_family *find_family(const char *prefix)
{
    for (size_t i = 0; i < plumb_rule_family_count; i++) {
        if (plumb_same_nocase(plumb_rule_families[i]->prefix, prefix))
            return plumb_rule_families[i];
    }
    return NULL;
}

static int unknown_family(const struct cli *c, const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);

    for (size_t i = 0; i < plumb_rule_family_count; i++)
        plumb_nearest_offer(&near, plumb_rule_families[i]->prefix);
    if (near.best != NULL)
        return cli_usage(c, "there is no family '%s', did you mean '%s'?", name, near.best);
    return cli_usage(c, "there is no family '%s'", name);
}

static bool wanted(const struct cli *c, const struct plumb_rule_family *family)
{
    for (size_t i = 0; i < c->arg_count; i++) {
        if (plumb_same_nocase(c->args[i], family->prefix))
            return true;
    }
    return c->arg_count == 0;
}

static void print_family(const struct plumb_rule_family *f, struct plumb_buf *out)
{
    size_t width = 0;

    for (size_t i = 0; i < f->count; i++) {
        size_t len = strlen(f->rules[i].name);

        width = len > width ? len : width;
    }
    plumb_buf_printf(out, "%s%s (%s)\n", out->len == 0 ? "" : "\n", f->prefix, f->title);
    for (size_t i = 0; i < f->count; i++) {
        const struct plumb_rule *r = &f->rules[i];

        plumb_buf_printf(out, "  %s  %-7s  %-*s  %s\n", r->code, plumb_severity_name(r->severity),
                         (int)width, r->name, r->summary);
    }
}

int cli_rules(struct cli *c)
{
    struct plumb_node *list = plumb_node_sequence(c->arena, nowhere);

    for (size_t i = 0; i < c->arg_count; i++) {
        if (find_family(c->args[i]) == NULL)
            return unknown_family(c, c->args[i]);
    }
    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const struct plumb_rule_family *family = plumb_rule_families[f];

        if (!wanted(c, family))
            continue;
        if (!as_json(c))
            print_family(family, &c->out);
        for (size_t i = 0; i < family->count; i++)
            plumb_node_append(c->arena, list, rule_node(c->arena, family, &family->rules[i]));
    }
    if (as_json(c))
        plumb_json_write(&c->out, list, NULL);
    return finish(c);
}

static struct plumb_node *target_node(struct plumb_arena *a, const struct plumb_target *t)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);
    struct plumb_node *files = plumb_node_sequence(a, nowhere);

    plumb_node_set_string(a, m, "name", t->name);
    plumb_node_set_string(a, m, "summary", t->summary);
    plumb_node_set_string(a, m, "consumer", t->consumer);
    for (size_t i = 0; i < t->file_count; i++)
        plumb_node_append(a, files, plumb_node_string(a, t->files[i], nowhere));
    plumb_node_set(a, m, "files", files);
    return m;
}

int cli_targets(struct cli *c)
{
    struct plumb_node *list = plumb_node_sequence(c->arena, nowhere);

    if (c->arg_count > 0)
        return cli_usage(c, "targets takes no argument, got '%s'", c->args[0]);
    for (size_t i = 0; i < plumb_target_count; i++) {
        const struct plumb_target *t = plumb_targets[i];

        plumb_node_append(c->arena, list, target_node(c->arena, t));
        if (as_json(c))
            continue;
        plumb_buf_printf(&c->out, "%s\t%s\n\tread by %s\n", t->name, t->summary, t->consumer);
        for (size_t k = 0; k < t->file_count; k++)
            plumb_buf_printf(&c->out, "\t%s\n", t->files[k]);
    }
    if (as_json(c))
        plumb_json_write(&c->out, list, NULL);
    return finish(c);
}

int cli_schema(struct cli *c)
{
    if (c->arg_count > 0)
        return cli_usage(c, "schema takes no argument, got '%s'", c->args[0]);
    plumb_json_write(&c->out, plumb_spec_schema(c->arena), NULL);
    return PLUMB_RESULT_CLEAN;
}

int cli_version(struct cli *c)
{
    struct plumb_node *m = plumb_node_mapping(c->arena, nowhere);
    struct plumb_node *list = plumb_node_sequence(c->arena, nowhere);

    if (!as_json(c)) {
        plumb_buf_printf(&c->out, "plumb %s (Slurm %s to %s)\n", plumb_version(),
                         plumb_release_name(PLUMB_RELEASE_OLDEST),
                         plumb_release_name((enum plumb_release)PLUMB_RELEASE_NEWEST));
        return finish(c);
    }
    for (unsigned r = 0; r < PLUMB_RELEASE_COUNT; r++)
        plumb_node_append(
            c->arena, list,
            plumb_node_string(c->arena, plumb_release_name((enum plumb_release)r), nowhere));
    plumb_node_set_string(c->arena, m, "version", plumb_version());
    plumb_node_set(c->arena, m, "slurm", list);
    plumb_json_write(&c->out, m, NULL);
    return finish(c);
}
