/* SPDX-License-Identifier: Apache-2.0 */
/* Completions of three shells, from the tables. */
#include <string.h>

#include "cli/cli.h"

/* All visible commands, divided by blanks. */
static void add_commands(struct plumb_buf *out)
{
    for (size_t i = 0; i < CMD_COUNT; i++) {
        if (!cli_commands[i].hidden)
            plumb_buf_printf(out, "%s%s", i == 0 ? "" : " ", cli_commands[i].name);
    }
}

static void add_words(struct plumb_buf *out, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        plumb_buf_printf(out, "%s%s", i == 0 ? "" : " ", words[i]);
}

static void add_options(struct plumb_buf *out, const struct cli_command *cmd)
{
    bool any = false;

    for (size_t i = 0; i < cli_option_count; i++) {
        if (!cli_takes(cmd, &cli_options[i]))
            continue;
        plumb_buf_printf(out, "%s--%s", any ? " " : "", cli_options[i].name);
        if (cli_options[i].letter != '\0')
            plumb_buf_printf(out, " -%c", cli_options[i].letter);
        any = true;
    }
}

void cli_complete_bash(struct plumb_buf *out)
{
    plumb_buf_str(out, "# bash completion of plumb; made from the tables of the command\n"
                       "_plumb() {\n"
                       "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                       "    local cmd='' i\n"
                       "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                       "        case ${COMP_WORDS[i]} in -*) ;; *) cmd=${COMP_WORDS[i]}; break ;; "
                       "esac\n"
                       "    done\n"
                       "    case $cmd:$prev in\n");
    for (size_t c = 0; c < CMD_COUNT; c++) {
        for (size_t i = 0; i < cli_option_count && !cli_commands[c].hidden; i++) {
            if (!cli_takes(&cli_commands[c], &cli_options[i]) || cli_options[i].choices == NULL)
                continue;
            plumb_buf_printf(out, "    %s:--%s) mapfile -t COMPREPLY < <(compgen -W '",
                             cli_commands[c].name, cli_options[i].name);
            add_words(out, cli_options[i].choices);
            plumb_buf_str(out, "' -- \"$cur\"); return ;;\n");
        }
    }
    plumb_buf_str(out, "    esac\n    case $cmd in\n    '') mapfile -t COMPREPLY < <(compgen -W '");
    add_commands(out);
    plumb_buf_str(out, "' -- \"$cur\") ;;\n");
    for (size_t c = 0; c < CMD_COUNT; c++) {
        const struct cli_command *cmd = &cli_commands[c];

        if (cmd->hidden)
            continue;
        plumb_buf_printf(out,
                         "    %s)\n        if [[ $cur == -* ]]; then\n"
                         "            mapfile -t COMPREPLY < <(compgen -W '",
                         cmd->name);
        add_options(out, cmd);
        plumb_buf_str(out, "' -- \"$cur\")\n        else\n            ");
        if (cmd->words != NULL || cmd->id == CMD_HELP) {
            plumb_buf_str(out, "mapfile -t COMPREPLY < <(compgen -W '");
            if (cmd->words != NULL)
                add_words(out, cmd->words);
            else
                add_commands(out);
            plumb_buf_str(out, "' -- \"$cur\")\n");
        } else {
            plumb_buf_str(out, cmd->files ? "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                                          : "COMPREPLY=()\n");
        }
        plumb_buf_str(out, "        fi\n        ;;\n");
    }
    plumb_buf_str(out, "    esac\n}\ncomplete -o filenames -F _plumb plumb\n");
}

/* Text inside single quotes of a shell, without what zsh's _arguments would read. */
static void add_quoted(struct plumb_buf *out, const char *text, const char *avoid)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            plumb_buf_str(out, "'\\''");
        else if (strchr(avoid, *text) != NULL)
            plumb_buf_printf(out, "\\%c", *text);
        else
            plumb_buf_char(out, *text);
    }
}

static void zsh_option(struct plumb_buf *out, const struct cli_option *o)
{
    plumb_buf_str(out, " \\\n            ");
    if (o->letter != '\0' && !o->repeats)
        plumb_buf_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
                         o->arg == NULL ? "" : "+", o->name, o->arg == NULL ? "" : "=");
    else
        plumb_buf_printf(out, "'%s--%s%s[", o->repeats ? "*" : "", o->name,
                         o->arg == NULL ? "" : "=");
    add_quoted(out, o->help, "[]:\\");
    plumb_buf_char(out, ']');
    if (o->arg != NULL) {
        plumb_buf_char(out, ':');
        add_quoted(out, o->arg, "[]:\\");
        plumb_buf_char(out, ':');
        if (o->choices != NULL) {
            plumb_buf_char(out, '(');
            add_words(out, o->choices);
            plumb_buf_char(out, ')');
        } else if (strcmp(o->arg, "DIR") == 0) {
            plumb_buf_str(out, "_files -/");
        }
    }
    plumb_buf_char(out, '\'');
}

void cli_complete_zsh(struct plumb_buf *out)
{
    plumb_buf_str(out, "#compdef plumb\n"
                       "# zsh completion of plumb; made from the tables of the command\n"
                       "_plumb() {\n"
                       "    local -a commands\n"
                       "    commands=(\n");
    for (size_t c = 0; c < CMD_COUNT; c++) {
        if (cli_commands[c].hidden)
            continue;
        plumb_buf_printf(out, "        '%s:", cli_commands[c].name);
        add_quoted(out, cli_commands[c].summary, ":\\");
        plumb_buf_str(out, "'\n");
    }
    plumb_buf_str(out, "    )\n"
                       "    if (( CURRENT == 2 )); then\n"
                       "        _describe command commands\n"
                       "        return\n"
                       "    fi\n"
                       "    local cmd=$words[2]\n"
                       "    shift words\n"
                       "    (( CURRENT-- ))\n"
                       "    case $cmd in\n");
    for (size_t c = 0; c < CMD_COUNT; c++) {
        const struct cli_command *cmd = &cli_commands[c];

        if (cmd->hidden)
            continue;
        plumb_buf_printf(out, "    %s)\n        _arguments", cmd->name);
        for (size_t i = 0; i < cli_option_count; i++) {
            if (cli_takes(cmd, &cli_options[i]))
                zsh_option(out, &cli_options[i]);
        }
        if (cmd->words != NULL) {
            plumb_buf_str(out, " \\\n            '1:what:(");
            add_words(out, cmd->words);
            plumb_buf_str(out, ")'");
        } else if (cmd->files) {
            plumb_buf_str(out, " \\\n            '*:file:_files'");
        }
        plumb_buf_str(out, "\n        ;;\n");
    }
    plumb_buf_str(out, "    esac\n}\n_plumb \"$@\"\n");
}

static void fish_option(struct plumb_buf *out, const struct cli_command *cmd,
                        const struct cli_option *o)
{
    plumb_buf_printf(out, "complete -c plumb -n '__fish_seen_subcommand_from %s' -l %s", cmd->name,
                     o->name);
    if (o->letter != '\0')
        plumb_buf_printf(out, " -s %c", o->letter);
    if (o->arg != NULL)
        plumb_buf_str(out, o->choices == NULL ? " -r" : " -x");
    if (o->choices != NULL) {
        plumb_buf_str(out, " -a '");
        add_words(out, o->choices);
        plumb_buf_char(out, '\'');
    }
    plumb_buf_str(out, " -d '");
    for (const char *t = o->help; *t != '\0'; t++)
        plumb_buf_printf(out, *t == '\'' || *t == '\\' ? "\\%c" : "%c", *t);
    plumb_buf_str(out, "'\n");
}

void cli_complete_fish(struct plumb_buf *out)
{
    plumb_buf_str(out, "# fish completion of plumb; made from the tables of the command\n");
    for (size_t c = 0; c < CMD_COUNT; c++) {
        const struct cli_command *cmd = &cli_commands[c];

        if (cmd->hidden)
            continue;
        plumb_buf_printf(out,
                         "complete -c plumb -f -n '__fish_use_subcommand' -a %s -d '%s'\n"
                         "complete -c plumb %s -n '__fish_seen_subcommand_from %s'",
                         cmd->name, cmd->summary, cmd->files ? "-F" : "-f", cmd->name);
        if (cmd->words != NULL) {
            plumb_buf_str(out, " -a '");
            add_words(out, cmd->words);
            plumb_buf_char(out, '\'');
        }
        plumb_buf_char(out, '\n');
        for (size_t i = 0; i < cli_option_count; i++) {
            if (cli_takes(cmd, &cli_options[i]))
                fish_option(out, cmd, &cli_options[i]);
        }
    }
}

int cli_completion(struct cli *c)
{
    static const struct {
        const char *shell;
        void (*print)(struct plumb_buf *out);
    } shells[] = {
        {"bash", cli_complete_bash},
        {"zsh", cli_complete_zsh},
        {"fish", cli_complete_fish},
    };

    for (size_t i = 0; c->arg_count == 1 && i < PLUMB_COUNT(shells); i++) {
        if (strcmp(shells[i].shell, c->args[0]) == 0) {
            shells[i].print(&c->out);
            return PLUMB_RESULT_CLEAN;
        }
    }
    return cli_usage(c, "completion needs one of bash, zsh, fish");
}
