/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generated documentation: rules, parameters, specification, command line, manual page,
 * completions, JSON Schema. Everything comes from the tables that the program itself uses; the
 * target `docs` writes it into the source tree and a test compares.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/cli.h"
#include "emit/output.h"
#include "kube/reference.h"
#include "model/mig.h"
#include "rules/check.h"
#include "schema/describe.h"
#include "spec/spec.h"
#include "syntax/json.h"

/* Text of a table cell or paragraph: what Markdown would take for itself is escaped. */
static void add_text(struct plumb_buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("|<>*_[]`\\", *text) != NULL)
            plumb_buf_char(out, '\\');
        plumb_buf_char(out, *text == '\n' ? ' ' : *text);
    }
}

static void add_sentence(struct plumb_buf *out, const char *text)
{
    char first = text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : text[0];

    plumb_buf_char(out, first);
    add_text(out, text + 1);
    plumb_buf_str(out, ".\n");
}

static void add_fence(struct plumb_buf *out, const char *title, const char *text)
{
    size_t len = strlen(text);

    if (title != NULL)
        plumb_buf_printf(out, "\n%s:\n", title);
    plumb_buf_printf(out, "\n```text\n%s%s```\n", text,
                     len > 0 && text[len - 1] == '\n' ? "" : "\n");
}

static void add_daemons(struct plumb_buf *out, const struct plumb_rule *r)
{
    static const enum plumb_daemon all[] = {PLUMB_SLURMCTLD, PLUMB_SLURMD, PLUMB_SLURMDBD};

    plumb_buf_printf(out, ", effect: %s", plumb_effect_name(r->effect));
    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        if (r->effect != PLUMB_EFFECT_NONE && (r->daemons & (unsigned)all[i]) != 0)
            plumb_buf_printf(out, ", %s", plumb_daemon_name(all[i]));
    }
}

static void add_rule(struct plumb_buf *out, const struct plumb_rule *r)
{
    plumb_buf_printf(out, "\n## %s `%s`\n\nSeverity: %s", r->code, r->name,
                     plumb_severity_name(r->severity));
    add_daemons(out, r);
    plumb_buf_str(out, ".\n\n");
    add_sentence(out, r->summary);
    if (r->why != NULL) {
        plumb_buf_char(out, '\n');
        add_text(out, r->why);
        plumb_buf_char(out, '\n');
    }
    if (r->bad != NULL)
        add_fence(out, "Bad", r->bad);
    if (r->good != NULL)
        add_fence(out, "Good", r->good);
    if (r->ref != NULL) {
        plumb_buf_str(out, "\nReference: ");
        add_text(out, r->ref);
        plumb_buf_char(out, '\n');
    }
}

/* One family may be kept in several tables: the first one with this prefix begins the page. */
static bool begins_page(size_t family)
{
    for (size_t i = 0; i < family; i++) {
        if (strcmp(plumb_rule_families[i]->prefix, plumb_rule_families[family]->prefix) == 0)
            return false;
    }
    return true;
}

static void family_page(size_t family, struct plumb_buf *out)
{
    const struct plumb_rule_family *first = plumb_rule_families[family];
    size_t count = 0;
    const struct plumb_rule **rules = plumb_rules_of(out->arena, first->prefix, NULL, &count);

    plumb_buf_printf(out, "# %s: %s\n", first->prefix, first->title);
    for (size_t i = 0; i < count; i++)
        add_rule(out, rules[i]);
}

static void rules_index(struct plumb_buf *out)
{
    plumb_buf_str(out, "# Rules\n\n`plumb explain CODE` shows one of them.\n\n"
                       "| code | name | severity | summary |\n|---|---|---|---|\n");
    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const char *prefix = plumb_rule_families[f]->prefix;
        size_t count = 0;
        const struct plumb_rule **rules = plumb_rules_of(out->arena, prefix, NULL, &count);

        for (size_t i = 0; begins_page(f) && i < count; i++) {
            const struct plumb_rule *r = rules[i];

            plumb_buf_printf(out, "| [%s](%s.md) | `%s` | %s | ", r->code, prefix, r->name,
                             plumb_severity_name(r->severity));
            add_text(out, r->summary);
            plumb_buf_str(out, " |\n");
        }
    }
}

/* "Lines of their own", "NodeName lines". */
static void add_scope(struct plumb_buf *out, enum plumb_file file, enum plumb_scope scope)
{
    if (plumb_file_is_yaml(file))
        plumb_buf_printf(out, "\n## Keys of %s\n",
                         scope == PLUMB_SCOPE_GLOBAL ? "the file" : plumb_scope_name(scope));
    else if (scope == PLUMB_SCOPE_GLOBAL)
        plumb_buf_str(out, "\n## Lines of their own\n");
    else
        plumb_buf_printf(out, "\n## %s lines\n", plumb_scope_name(scope));
}

/* Every parameter of a file, by scope. */
static void file_page(enum plumb_file file, struct plumb_buf *out)
{
    int scope = -1;

    plumb_buf_printf(out,
                     "# %s\n\nEvery parameter of the file, by release; `plumb explain NAME` shows "
                     "one of them.\n",
                     plumb_file_name(file));
    for (unsigned i = 0; i < PLUMB_P_COUNT; i++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)i);
        struct plumb_buf text = plumb_buf_in(out->arena);

        if (p->file != (unsigned)file)
            continue;
        if (scope != p->scope)
            add_scope(out, file, (enum plumb_scope)p->scope);
        scope = p->scope;
        plumb_param_describe(&text, p);
        plumb_buf_printf(out, "\n### %s\n", p->name);
        add_fence(out, NULL, plumb_buf_text(&text));
    }
}

static void files_index(struct plumb_buf *out)
{
    plumb_buf_str(out, "# Slurm's files\n\nWhat plumb knows about every parameter of every file, "
                       "by release.\n\n| file | parameters |\n|---|---|\n");
    for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++) {
        const char *name = plumb_file_name((enum plumb_file)f);
        unsigned count = 0;

        for (unsigned i = 0; i < PLUMB_P_COUNT; i++)
            count += plumb_param((enum plumb_param_id)i)->file == f;
        plumb_buf_printf(out, "| [%s](%s.md) | %u |\n", name, name, count);
    }
}

static void command_line(struct plumb_buf *out)
{
    struct plumb_buf help = plumb_buf_in(out->arena);

    plumb_buf_str(out, "# The command line\n");
    cli_help(NULL, &help);
    add_fence(out, NULL, plumb_buf_text(&help));
    for (size_t i = 0; i < CMD_COUNT; i++) {
        if (cli_commands[i].hidden)
            continue;
        help = plumb_buf_in(out->arena);
        cli_help(&cli_commands[i], &help);
        plumb_buf_printf(out, "\n## plumb %s\n", cli_commands[i].name);
        add_fence(out, NULL, plumb_buf_text(&help));
    }
}

static void schema(struct plumb_buf *out)
{
    plumb_json_write(out, plumb_spec_schema(out->arena), NULL);
}

static void add_starts(struct plumb_buf *out, const struct plumb_mig_profile *p)
{
    for (unsigned start = 0, told = 0; p->starts >> start != 0; start++) {
        if ((p->starts >> start & 1) != 0)
            plumb_buf_printf(out, "%s%u", told++ > 0 ? ", " : "", start);
    }
}

/* One table for products that are cut alike. */
static void add_mig_set(struct plumb_buf *out, const struct plumb_mig_card *first)
{
    plumb_buf_str(out, "\n## ");
    for (size_t i = 0, told = 0; i < plumb_mig_card_count; i++) {
        if (plumb_mig_cards[i].profiles == first->profiles)
            plumb_buf_printf(out, "%s%s", told++ > 0 ? ", " : "", plumb_mig_cards[i].words);
    }
    plumb_buf_printf(out, "\n\nProfiles: %s.\n", first->profile_source);
    for (size_t i = 0; i < plumb_mig_card_count; i++) {
        if (plumb_mig_cards[i].profiles == first->profiles)
            plumb_buf_printf(out, "Product \"%s\": %s.\n", plumb_mig_cards[i].words,
                             plumb_mig_cards[i].source);
    }
    plumb_buf_str(out, "\n| profile | or | compute | memory | at most | begins at |\n"
                       "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < first->profile_count; i++) {
        const struct plumb_mig_profile *p = &first->profiles[i];

        plumb_buf_printf(out, "| %s | %s | %u | ", p->name, p->other != NULL ? p->other : "",
                         (unsigned)p->compute);
        if (p->memory > 0)
            plumb_buf_printf(out, "%u", (unsigned)p->memory);
        plumb_buf_printf(out, " | %u | ", (unsigned)p->max);
        add_starts(out, p);
        plumb_buf_str(out, " |\n");
    }
}

static void mig_products(struct plumb_buf *out)
{
    plumb_buf_str(out, "# What GPUs can be cut into\n\nGenerated from `schema/nvidia/mig.yaml`. A "
                       "product is known by the words of its name. Slices of compute\nand memory, "
                       "instances of a profile on one GPU, and the memory slices at which one may "
                       "begin; where no\nsource tells places, only numbers are checked.\n");
    for (size_t i = 0; i < plumb_mig_card_count; i++) {
        bool before = false;

        for (size_t k = 0; k < i; k++)
            before = before || plumb_mig_cards[k].profiles == plumb_mig_cards[i].profiles;
        if (!before)
            add_mig_set(out, &plumb_mig_cards[i]);
    }
}

static const struct {
    const char *path;
    void (*make)(struct plumb_buf *out);
} pages[] = {
    {"doc/reference/rules/README.md", rules_index},
    {"doc/reference/slurm/README.md", files_index},
    {"doc/reference/specification.md", plumb_spec_reference},
    {"doc/reference/sunk.md", plumb_kube_reference_sunk},
    {"doc/reference/cli.md", command_line},
    {"doc/reference/mig.md", mig_products},
    {"doc/man/plumb.1", cli_manual},
    {"doc/completions/plumb.bash", cli_complete_bash},
    {"doc/completions/_plumb", cli_complete_zsh},
    {"doc/completions/plumb.fish", cli_complete_fish},
    {"schema/cluster.schema.json", schema},
};

/* Makes the folders of a path below root. */
static bool make_folders(struct plumb_arena *a, const char *root, const char *path)
{
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *dir = plumb_arena_printf(a, "%s/%.*s", root, (int)(slash - path), path);

        if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
            cli_error("cannot make '%s': %s", dir, strerror(errno));
            return false;
        }
    }
    return true;
}

static bool write_page(const struct cli *c, const char *path, const struct plumb_buf *text)
{
    return make_folders(c->arena, c->args[0], path) &&
           cli_write_file(plumb_arena_printf(c->arena, "%s/%s", c->args[0], path),
                          plumb_buf_text(text), text->len);
}

/* The picture in README.md: a built-in reference, as `plumb topo --format svg` draws it. */
static bool write_picture(struct cli *c)
{
    plumb_handle *h = cli_open(c, false);
    const char *text = NULL;
    struct plumb_buf out = plumb_buf_in(c->arena);
    size_t len = 0;

    if (h == NULL)
        return false;
    (void)plumb_add_capture(h, "dgx-h100");
    (void)plumb_run_captures(h, "error");
    text = plumb_topology(h, "svg", &len);
    plumb_buf_add(&out, text, len);
    plumb_close(h);
    if (len == 0)
        cli_error("the built-in reference dgx-h100 cannot be drawn");
    return len > 0 && write_page(c, "doc/dgx-h100.svg", &out);
}

int cli_docs(struct cli *c)
{
    bool done = true;

    if (c->arg_count != 1)
        return cli_usage(c, "docs takes the source folder");
    for (size_t i = 0; i < PLUMB_COUNT(pages); i++) {
        struct plumb_buf out = plumb_buf_in(c->arena);

        pages[i].make(&out);
        done &= write_page(c, pages[i].path, &out);
    }
    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        struct plumb_buf out = plumb_buf_in(c->arena);

        if (!begins_page(f))
            continue;
        family_page(f, &out);
        done &= write_page(c,
                           plumb_arena_printf(c->arena, "doc/reference/rules/%s.md",
                                              plumb_rule_families[f]->prefix),
                           &out);
    }
    for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++) {
        struct plumb_buf out = plumb_buf_in(c->arena);

        file_page((enum plumb_file)f, &out);
        done &= write_page(c,
                           plumb_arena_printf(c->arena, "doc/reference/slurm/%s.md",
                                              plumb_file_name((enum plumb_file)f)),
                           &out);
    }
    done &= write_picture(c);
    return done ? PLUMB_RESULT_CLEAN : PLUMB_RESULT_INTERNAL;
}
