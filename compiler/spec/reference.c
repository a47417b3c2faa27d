/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables say about themselves, for people: the reference and `plumb explain`. */
#include <string.h>

#include "base/text.h"
#include "spec/scalar.h"

/* "one of a, b", "a duration (us, ms, s, min, h, days, weeks)", "a list of names". */
static void write_kind(struct plumb_buf *out, const struct plumb_spec_key *row)
{
    if (row->kind == PLUMB_K_WORD) {
        plumb_buf_str(out, row->list ? "any of " : "one of ");
        for (const struct plumb_spec_word *w = row->words; w->name != NULL; w++)
            plumb_buf_printf(out, "%s%s", w == row->words ? "" : ", ", w->name);
        return;
    }
    plumb_buf_str(out, plumb_spec_kind_name(row->kind));
    if (row->kind == PLUMB_K_SIZE || row->kind == PLUMB_K_DURATION || row->kind == PLUMB_K_AGE) {
        plumb_buf_str(out, " in ");
        plumb_spec_unit_list(out, row->kind);
    }
    if (row->unlimited)
        plumb_buf_str(out, ", or unlimited");
    if (row->list)
        plumb_buf_str(out, ", or a list of them");
    if (row->kind == PLUMB_K_ENTRIES)
        plumb_buf_str(out, " from names to entries");
}

static void write_param(struct plumb_buf *out, uint16_t sets)
{
    const struct plumb_param *p = plumb_param((enum plumb_param_id)(sets - 1));

    if (p->scope != PLUMB_SCOPE_GLOBAL)
        plumb_buf_printf(out, "%s ", plumb_scope_name((enum plumb_scope)p->scope));
    plumb_buf_printf(out, "%s (%s)", p->name, plumb_file_name((enum plumb_file)p->file));
}

static bool has_params(const struct plumb_spec_key *row)
{
    return row->sets != 0 || row->also != 0;
}

/* "SchedulerParameters (slurm.conf): bf_window, in minutes". */
static void write_params(struct plumb_buf *out, const struct plumb_spec_key *row)
{
    if (row->sets != 0)
        write_param(out, row->sets);
    if (row->also != 0) {
        plumb_buf_str(out, ", ");
        write_param(out, row->also);
    }
    if (row->instead != 0) {
        plumb_buf_str(out, ", in older releases ");
        write_param(out, row->instead);
    }
    if (row->item != NULL && row->item[0] != '\0')
        plumb_buf_printf(out, ": %s", row->item);
    if (row->unit != PLUMB_U_NONE)
        plumb_buf_printf(out, ", in %s", plumb_spec_unit_name(row->unit));
}

/* A cell of a Markdown table: no bar may stand in it. */
static void write_cell(struct plumb_buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|')
            plumb_buf_char(out, '\\');
        plumb_buf_char(out, *text);
    }
}

/* What becomes of a key that this version does not compile in all cases. */
static const char *status_of(struct plumb_buf *out, const struct plumb_spec_key *row)
{
    return plumb_arena_printf(out->arena, "%s, %s",
                              row->for_jobs ? "checked against job scripts" : "known",
                              row->by_flavor ? "compiled for some flavors of `kubernetes` alone"
                                             : "not compiled by this version");
}

static void write_row(struct plumb_buf *out, const struct plumb_spec_key *row)
{
    struct plumb_buf cell = plumb_buf_in(out->arena);

    plumb_buf_printf(out, "| `%s`%s | ", row->name, row->required ? " (required)" : "");
    write_kind(&cell, row);
    write_cell(out, plumb_buf_text(&cell));
    plumb_buf_printf(out, " | %s%s%s | ", row->def != NULL ? "`" : "",
                     row->def != NULL ? row->def : "", row->def != NULL ? "`" : "");
    if (has_params(row))
        write_params(out, row);
    plumb_buf_str(out, " | ");
    write_cell(out, row->doc);
    if (row->why != NULL) {
        plumb_buf_str(out, "; ");
        write_cell(out, row->why);
    }
    if (row->later || row->by_flavor)
        plumb_buf_printf(out, " (%s)", status_of(out, row));
    plumb_buf_str(out, " |\n");
}

static const char *inner_path(struct plumb_buf *out, const char *path,
                              const struct plumb_spec_key *row)
{
    const char *entry = row->kind == PLUMB_K_ENTRIES ? ".NAME" : "";

    return path[0] == '\0' ? plumb_arena_printf(out->arena, "%s%s", row->name, entry)
                           : plumb_arena_printf(out->arena, "%s.%s%s", path, row->name, entry);
}

/* A table of keys, then the tables inside it. Depth is that of the tables: a few levels. */
static void write_table(struct plumb_buf *out, const struct plumb_spec_table *t, const char *path,
                        unsigned level)
{
    plumb_buf_str(out, "\n");
    plumb_buf_fill(out, '#', level);
    plumb_buf_printf(out, " %s%s%s\n\n", path[0] != '\0' ? "`" : "",
                     path[0] != '\0' ? path : "The specification", path[0] != '\0' ? "`" : "");
    plumb_buf_str(out, "| key | value | default | sets | meaning |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < t->count; i++)
        write_row(out, &t->keys[i]);
    if (t->other != NULL)
        write_row(out, t->other);
    for (size_t i = 0; i < t->count; i++) {
        if (plumb_spec_inside(&t->keys[i]) != NULL)
            write_table(out, plumb_spec_inside(&t->keys[i]), inner_path(out, path, &t->keys[i]),
                        level < 4 ? level + 1 : 4);
    }
    if (t->other != NULL && t->other->of != NULL)
        write_table(out, t->other->of, inner_path(out, path, t->other), level < 4 ? level + 1 : 4);
}

static void write_units(struct plumb_buf *out)
{
    plumb_buf_str(out, "\n## Units\n\nEvery size and duration has its unit. Durations: ");
    plumb_spec_unit_list(out, PLUMB_K_DURATION);
    plumb_buf_str(out, "; Slurm's own `7-00:00:00` is read too. Ages of records: ");
    plumb_spec_unit_list(out, PLUMB_K_AGE);
    plumb_buf_str(out,
                  ". Sizes: `MB`, `GB` and `TB` are what Slurm means by them, 2^20, 2^30 and 2^40 "
                  "bytes, so\n`MB` and `MiB` are the same; so are the others. A value that is no "
                  "whole number of the unit in which\nSlurm counts is an error.\n");
}

static void write_secrets(struct plumb_buf *out)
{
    plumb_buf_str(
        out,
        "\n## Secrets\n\nNo key takes a password. `database.storage.password` names where it is "
        "kept; slurmdbd.conf is written\nwithout `StoragePass`, and whoever deploys the file adds "
        "that line from the secret. From 25.11 on\n`database.storage.password_script` names a "
        "program on the slurmdbd host that prints it.\n");
}

static void write_constants(struct plumb_buf *out)
{
    plumb_buf_str(out, "\n## What is always written\n\nWithout a key of its own; `overrides` "
                       "reaches it.\n\n| parameter | value | why |\n|---|---|---|\n");
    for (size_t i = 0; i < plumb_spec_constant_count; i++) {
        const struct plumb_spec_constant *c = &plumb_spec_constants[i];

        plumb_buf_str(out, "| ");
        write_param(out, PLUMB_SETS(c->id));
        plumb_buf_printf(out, " | `%s` | %s%s |\n", c->value, c->why,
                         c->with_database ? " (with a database)" : "");
    }
}

void plumb_spec_reference(struct plumb_buf *out)
{
    plumb_buf_str(out, "# The specification language\n\nMade from the tables that read it. A key "
                       "without a default leaves Slurm's own in place.\n");
    write_table(out, &plumb_spec_root, "", 2);
    write_units(out);
    write_secrets(out);
    write_constants(out);
}

static void describe_row(struct plumb_buf *out, const char *path, const struct plumb_spec_key *row)
{
    const struct plumb_spec_table *inside = plumb_spec_inside(row);

    plumb_buf_printf(out, "%s: %s\n", path, row->doc);
    if (row->why != NULL)
        plumb_buf_printf(out, "  why      %s\n", row->why);
    plumb_buf_str(out, "  value    ");
    write_kind(out, row);
    plumb_buf_printf(out, "%s\n", row->required ? "; required" : "");
    if (has_params(row)) {
        plumb_buf_str(out, "  sets     ");
        write_params(out, row);
        plumb_buf_str(out, "\n");
    }
    plumb_buf_printf(out, "  default  %s\n",
                     row->def != NULL ? row->def
                     : row->required  ? "none"
                     : row->sets != 0 ? "none: what Slurm or a capture says"
                     : inside != NULL ? "those of its keys"
                                      : "none");
    if (row->example != NULL)
        plumb_buf_printf(out, "  example  %s: %s\n", row->name, row->example);
    if (row->later || row->by_flavor)
        plumb_buf_printf(out, "  status   %s\n", status_of(out, row));
    if (inside == NULL)
        return;
    plumb_buf_str(out, "  keys     ");
    for (size_t i = 0; i < inside->count; i++)
        plumb_buf_printf(out, "%s%s", i == 0 ? "" : ", ", inside->keys[i].name);
    if (inside->other != NULL)
        plumb_buf_printf(out, "%s%s", inside->count == 0 ? "" : ", ", inside->other->name);
    plumb_buf_str(out, "\n");
}

bool plumb_spec_describe(struct plumb_buf *out, const char *path, const char **suggestion)
{
    const struct plumb_spec_table *in = NULL;
    size_t at = 0;
    const struct plumb_spec_key *row = plumb_spec_lookup(path, &in, &at);

    if (suggestion != NULL)
        *suggestion = NULL;
    if (row != NULL) {
        describe_row(out, path, row);
        return true;
    }
    if (suggestion == NULL || in == NULL)
        return false;

    const char *part = plumb_arena_strndup(out->arena, path + at, strcspn(path + at, "."));
    struct plumb_nearest near = plumb_nearest_to(part);

    for (size_t i = 0; i < in->count; i++)
        plumb_nearest_offer(&near, in->keys[i].name);
    if (near.best != NULL)
        *suggestion = plumb_arena_printf(out->arena, "%.*s%s%s", (int)at, path, near.best,
                                         path + at + strlen(part));
    return false;
}
