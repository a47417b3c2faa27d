/* SPDX-License-Identifier: Apache-2.0 */
/* The manual page plumb(1), from the tables. */
#include <string.h>

#include "cli/cli.h"

/* Text for roff: dashes and backslashes escaped, no line that begins with a dot. */
static void add_text(struct plumb_buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '-')
            plumb_buf_str(out, "\\-");
        else if (text[i] == '\\')
            plumb_buf_str(out, "\\e");
        else if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
            plumb_buf_printf(out, "\\&%c", text[i]);
        else
            plumb_buf_char(out, text[i]);
    }
}

static void add_line(struct plumb_buf *out, const char *text)
{
    add_text(out, text, strlen(text));
    plumb_buf_char(out, '\n');
}

static void add_option(struct plumb_buf *out, const struct cli_option *o)
{
    plumb_buf_str(out, ".TP\n");
    if (o->letter != '\0')
        plumb_buf_printf(out, "\\fB\\-%c\\fR, ", o->letter);
    plumb_buf_str(out, "\\fB\\-\\-");
    add_text(out, o->name, strlen(o->name));
    plumb_buf_str(out, "\\fR");
    if (o->arg != NULL)
        plumb_buf_printf(out, " \\fI%s\\fR", o->arg);
    plumb_buf_char(out, '\n');
    add_line(out, o->help);
    if (o->choices == NULL)
        return;
    plumb_buf_str(out, ".br\nOne of ");
    for (size_t i = 0; o->choices[i] != NULL; i++)
        plumb_buf_printf(out, "%s%s", i == 0 ? "" : ", ", o->choices[i]);
    plumb_buf_str(out, ".\n");
}

static void add_command(struct plumb_buf *out, const struct cli_command *cmd)
{
    plumb_buf_printf(out, ".SS plumb %s ", cmd->name);
    add_line(out, cmd->synopsis);
    add_line(out, plumb_arena_printf(out->arena, "%c%s.", cmd->summary[0] - 'a' + 'A',
                                     cmd->summary + 1));
    if (cmd->text[0] != '\0') {
        plumb_buf_str(out, ".PP\n");
        add_line(out, cmd->text);
    }
    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_takes(cmd, &cli_options[i]) && cli_options[i].commands != ~0u)
            add_option(out, &cli_options[i]);
    }
    for (const char *at = cmd->examples; *at != '\0';) {
        size_t line = strcspn(at, "\n"), tab = strcspn(at, "\t");

        plumb_buf_str(out, ".PP\n.nf\n.RS\n");
        add_text(out, at, tab);
        plumb_buf_str(out, "\n.RE\n.fi\n.RS 8\n");
        add_text(out, at + tab + 1, line - tab - 1);
        plumb_buf_str(out, "\n.RE\n");
        at += line;
        at += *at == '\n';
    }
}

void cli_manual(struct plumb_buf *out)
{
    plumb_buf_printf(out,
                     ".\\\" Made from the tables of the command; do not edit.\n"
                     ".TH PLUMB 1 \"\" \"plumb %s\" \"User Commands\"\n"
                     ".SH NAME\nplumb \\- compiler and linter for the configuration of "
                     "Slurm GPU clusters\n"
                     ".SH SYNOPSIS\n\\fBplumb\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] "
                     "[\\fIARGUMENT\\fR...]\n.SH COMMANDS\n",
                     plumb_version());
    for (size_t i = 0; i < CMD_COUNT; i++) {
        if (!cli_commands[i].hidden)
            add_command(out, &cli_commands[i]);
    }
    plumb_buf_str(out, ".SH COMMON OPTIONS\n");
    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_options[i].commands == ~0u)
            add_option(out, &cli_options[i]);
    }
    plumb_buf_str(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; cli_exit_codes[i][0] != NULL; i++) {
        plumb_buf_printf(out, ".TP\n\\fB%s\\fR\n", cli_exit_codes[i][0]);
        add_line(out, cli_exit_codes[i][1]);
    }
    plumb_buf_str(out, "The highest applies.\n.SH ENVIRONMENT\n");
    for (size_t i = 0; cli_environment[i][0] != NULL; i++) {
        plumb_buf_printf(out, ".TP\n\\fB%s\\fR\n", cli_environment[i][0]);
        add_line(out, cli_environment[i][1]);
    }
}
