/* SPDX-License-Identifier: Apache-2.0 */
/* --help, from the tables. */
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"

enum { WIDTH = 90, HELP_COLUMN = 28 };

/*
 * Adds text broken at blanks, each line behind indent; the first one is begun already. Line ends of
 * the text stay: they begin paragraphs.
 */
static void wrap(struct plumb_buf *out, const char *text, size_t column, size_t indent)
{
    for (bool first = true; *text != '\0'; text += strspn(text, " ")) {
        size_t word = strcspn(text, " \n");

        if (!first && column + 1 + word > WIDTH) {
            plumb_buf_char(out, '\n');
            plumb_buf_fill(out, ' ', indent);
            column = indent;
        } else if (!first) {
            plumb_buf_char(out, ' ');
            column++;
        }
        plumb_buf_add(out, text, word);
        column += word;
        text += word;
        first = *text == '\n';
        for (; *text == '\n'; text++)
            plumb_buf_char(out, '\n');
        if (first) {
            plumb_buf_fill(out, ' ', indent);
            column = indent;
        }
    }
    plumb_buf_char(out, '\n');
}

static void print_option(const struct cli_option *o, struct plumb_buf *out)
{
    size_t start = out->len;

    if (o->letter != '\0')
        plumb_buf_printf(out, "  -%c, --%s", o->letter, o->name);
    else
        plumb_buf_printf(out, "      --%s", o->name);
    if (o->arg != NULL)
        plumb_buf_printf(out, " %s", o->arg);
    if (out->len - start > HELP_COLUMN - 2) {
        plumb_buf_char(out, '\n');
        start = out->len;
    }
    plumb_buf_fill(out, ' ', HELP_COLUMN - (out->len - start));
    wrap(out, o->help, HELP_COLUMN, HELP_COLUMN);
    if (o->choices == NULL)
        return;
    plumb_buf_fill(out, ' ', HELP_COLUMN);
    for (size_t i = 0; o->choices[i] != NULL; i++)
        plumb_buf_printf(out, "%s%s", i == 0 ? "" : " | ", o->choices[i]);
    plumb_buf_char(out, '\n');
}

static void print_examples(const struct cli_command *cmd, struct plumb_buf *out)
{
    plumb_buf_str(out, "\nExamples:\n");
    for (const char *at = cmd->examples; *at != '\0';) {
        size_t line = strcspn(at, "\n"), tab = strcspn(at, "\t");

        plumb_buf_printf(out, "  %.*s\n", (int)tab, at);
        plumb_buf_printf(out, "      %.*s\n", (int)(line - tab - 1), at + tab + 1);
        at += line;
        at += *at == '\n';
    }
}

static void print_command(const struct cli_command *cmd, struct plumb_buf *out)
{
    plumb_buf_printf(out, "Usage: plumb %s%s%s\n\n", cmd->name, cmd->synopsis[0] == '\0' ? "" : " ",
                     cmd->synopsis);
    wrap(out,
         plumb_arena_printf(out->arena, "%c%s.", cmd->summary[0] - 'a' + 'A', cmd->summary + 1), 0,
         0);
    if (cmd->text[0] != '\0') {
        plumb_buf_char(out, '\n');
        wrap(out, cmd->text, 0, 0);
    }
    plumb_buf_str(out, "\nOptions:\n");
    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_takes(cmd, &cli_options[i]))
            print_option(&cli_options[i], out);
    }
    print_examples(cmd, out);
}

void cli_help(const struct cli_command *cmd, struct plumb_buf *out)
{
    if (cmd != NULL) {
        print_command(cmd, out);
        return;
    }
    plumb_buf_str(out, "Usage: plumb COMMAND [OPTION...] [ARGUMENT...]\n\n"
                       "Compiler and linter for the configuration of Slurm GPU clusters.\n\n"
                       "Commands:\n");
    for (size_t i = 0; i < CMD_COUNT; i++) {
        if (cli_commands[i].hidden)
            continue;
        plumb_buf_printf(out, "  %-12s", cli_commands[i].name);
        wrap(out, cli_commands[i].summary, 14, 14);
    }
    plumb_buf_str(out, "\n'plumb COMMAND --help' shows options and examples.\n\nExit codes:\n");
    for (size_t i = 0; cli_exit_codes[i][0] != NULL; i++)
        plumb_buf_printf(out, "  %s  %s\n", cli_exit_codes[i][0], cli_exit_codes[i][1]);
    plumb_buf_str(out, "\nEnvironment:\n");
    for (size_t i = 0; cli_environment[i][0] != NULL; i++) {
        plumb_buf_printf(out, "  %-19s ", cli_environment[i][0]);
        wrap(out, cli_environment[i][1], 22, 22);
    }
}

int cli_help_command(struct cli *c)
{
    const struct cli_command *cmd = NULL;
    struct plumb_nearest near;

    if (c->arg_count == 0) {
        cli_help(NULL, &c->out);
        return PLUMB_RESULT_CLEAN;
    }
    near = plumb_nearest_to(c->args[0]);
    for (size_t i = 0; i < CMD_COUNT; i++) {
        plumb_nearest_offer(&near, cli_commands[i].name);
        if (strcmp(cli_commands[i].name, c->args[0]) == 0)
            cmd = &cli_commands[i];
    }
    if (cmd == NULL && near.best != NULL)
        return cli_usage(c, "unknown command '%s', did you mean '%s'?", c->args[0], near.best);
    if (cmd == NULL)
        return cli_usage(c, "unknown command '%s'", c->args[0]);
    cli_help(cmd, &c->out);
    return PLUMB_RESULT_CLEAN;
}
