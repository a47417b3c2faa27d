/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of the command line, over the tables. Options may stand before and behind the
 * command, "--name=value" and "--name value", "-C DIR" and "-CDIR", "-qv"; "--" ends them.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "cli/cli.h"

struct parser {
    struct cli *c;
    int argc, at;
    char **argv;
};

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < CMD_COUNT; i++) {
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    }
    return NULL;
}

static int unknown_command(const struct cli *c, const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);

    for (size_t i = 0; i < CMD_COUNT; i++) {
        if (!cli_commands[i].hidden)
            plumb_nearest_offer(&near, cli_commands[i].name);
    }
    if (near.best != NULL)
        return cli_usage(c, "unknown command '%s', did you mean '%s'?", name, near.best);
    return cli_usage(c, "unknown command '%s'", name);
}

/* The row of an option that the command takes, by name or letter. */
static const struct cli_option *find_option(const struct cli_command *cmd, const char *name,
                                            size_t len, char letter)
{
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_options[i];

        if (!cli_takes(cmd, o))
            continue;
        if (letter != '\0' ? o->letter == letter
                           : strlen(o->name) == len && memcmp(o->name, name, len) == 0)
            return o;
    }
    return NULL;
}

static int unknown_option(const struct cli *c, const char *given, const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);
    bool elsewhere = false;

    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_takes(c->command, &cli_options[i]))
            plumb_nearest_offer(&near, cli_options[i].name);
        else
            elsewhere = elsewhere || strcmp(cli_options[i].name, name) == 0;
    }
    if (elsewhere)
        return cli_usage(c, "'plumb %s' takes no option '%s'", c->command->name, given);
    if (near.best != NULL && strlen(name) > 1)
        return cli_usage(c, "unknown option '%s', did you mean '--%s'?", given, near.best);
    return cli_usage(c, "unknown option '%s'", given);
}

/* A format with its file; false when the table does not have it. */
static bool is_choice(const struct cli_option *o, const char *value, size_t len)
{
    for (size_t i = 0; o->choices[i] != NULL; i++) {
        if (strlen(o->choices[i]) == len && memcmp(o->choices[i], value, len) == 0)
            return true;
    }
    return false;
}

static const char *choices_text(struct plumb_arena *a, const struct cli_option *o)
{
    struct plumb_buf out = plumb_buf_in(a);

    for (size_t i = 0; o->choices[i] != NULL; i++)
        plumb_buf_printf(&out, "%s%s",
                         i == 0                      ? ""
                         : o->choices[i + 1] == NULL ? " or "
                                                     : ", ",
                         o->choices[i]);
    return plumb_buf_text(&out);
}

static int add_format(struct cli *c, const char *value, size_t len)
{
    struct cli_sink sink = {.format = plumb_arena_strndup(c->arena, value, len)};

    if (value[len] == '=') {
        sink.file = value + len + 1;
        if (sink.file[0] == '\0')
            return cli_usage(c, "--format %s= names no file", sink.format);
    }
    for (size_t i = 0; i < c->sink_count; i++) {
        if (sink.file == NULL && c->sinks[i].file == NULL)
            return cli_usage(c, "two formats go to standard output; give one a file: %s=FILE",
                             sink.format);
    }
    c->sinks = plumb_arena_grow(c->arena, c->sinks, c->sink_count, &c->sink_cap, sizeof(*c->sinks));
    c->sinks[c->sink_count++] = sink;
    return 0;
}

static int set_value(struct cli *c, const struct cli_option *o, const char *value)
{
    size_t len = o->id == OPT_FORMAT ? strcspn(value, "=") : strlen(value);
    uint64_t number = 0;

    if (o->id == OPT_SLURM || o->id == OPT_FROM) { /* 24.11.5 is 24.11 */
        enum plumb_release r = plumb_release_read_any(value, len);

        if (r != PLUMB_RELEASE_NONE) {
            value = plumb_release_name(r);
            len = strlen(value);
        }
        /* One to come: whether a table adds it is seen when the table is read. */
        if (r != PLUMB_RELEASE_NONE && (unsigned)r >= PLUMB_RELEASE_COUNT && c->command != NULL &&
            (c->command->id == CMD_CHECK || c->command->id == CMD_BUILD ||
             c->command->id == CMD_EXPLAIN)) {
            c->values[o->id] = value;
            return 0;
        }
    }
    if (o->choices != NULL && !is_choice(o, value, len))
        return cli_usage(c, "--%s does not take '%.*s', expected %s", o->name, (int)len, value,
                         choices_text(c->arena, o));
    if (o->id == OPT_JOBS && (!plumb_read_u64(value, len, &number) || number == 0))
        return cli_usage(c, "--%s takes a number from 1 on, not '%s'", o->name, value);
    if (o->id == OPT_MAX_FINDINGS && !plumb_read_u64(value, len, &number))
        return cli_usage(c, "--%s takes a number, not '%s'", o->name, value);
    if (o->id == OPT_FORMAT)
        return add_format(c, value, len);
    if (o->repeats && c->values[o->id] != NULL)
        value = plumb_arena_printf(c->arena, "%s,%s", c->values[o->id], value);
    c->values[o->id] = value;
    return 0;
}

/* The option's value: behind the sign, or the next argument. */
static int take(struct parser *p, const struct cli_option *o, const char *value)
{
    p->c->flags[o->id]++;
    if (o->arg == NULL) {
        if (value != NULL)
            return cli_usage(p->c, "--%s takes no value, got '%s'", o->name, value);
        return 0;
    }
    if (value == NULL) {
        if (p->at + 1 >= p->argc)
            return cli_usage(p->c, "--%s needs %s", o->name, o->arg);
        value = p->argv[++p->at];
    }
    return set_value(p->c, o, value);
}

static int long_option(struct parser *p, const char *arg)
{
    const char *name = arg + 2, *sign = strchr(name, '=');
    size_t len = sign == NULL ? strlen(name) : (size_t)(sign - name);
    const struct cli_option *o = find_option(p->c->command, name, len, '\0');

    if (o == NULL)
        return unknown_option(p->c, arg, plumb_arena_strndup(p->c->arena, name, len));
    return take(p, o, sign == NULL ? NULL : sign + 1);
}

static int short_options(struct parser *p, const char *arg)
{
    for (size_t i = 1; arg[i] != '\0'; i++) {
        const struct cli_option *o = find_option(p->c->command, NULL, 0, arg[i]);
        char name[] = {arg[i], '\0'};

        if (o == NULL)
            return unknown_option(p->c, arg, name);
        if (o->arg != NULL)
            return take(p, o, arg[i + 1] == '\0' ? NULL : arg + i + 1);

        int status = take(p, o, NULL);

        if (status != 0)
            return status;
    }
    return 0;
}

static void add_arg(struct cli *c, const char *arg)
{
    c->args = plumb_arena_grow(c->arena, c->args, c->arg_count, &c->arg_cap, sizeof(*c->args));
    c->args[c->arg_count++] = arg;
}

static bool is_option(const char *arg)
{
    return arg[0] == '-' && arg[1] != '\0';
}

/* The command: the first argument that is neither an option nor the value of one. */
static int choose_command(struct parser *p)
{
    for (int i = 1; i < p->argc && strcmp(p->argv[i], "--") != 0; i++) {
        const char *arg = p->argv[i];
        const struct cli_option *o = NULL;

        if (!is_option(arg)) {
            p->c->command = find_command(arg);
            return p->c->command == NULL ? unknown_command(p->c, arg) : 0;
        }
        if (arg[1] == '-')
            o = find_option(NULL, arg + 2, strlen(arg + 2), '\0');
        else if (arg[2] == '\0')
            o = find_option(NULL, NULL, 0, arg[1]);
        if (o != NULL && o->arg != NULL)
            i++;
    }
    return 0;
}

int cli_parse(struct cli *c, int argc, char **argv)
{
    struct parser p = {.c = c, .argc = argc, .argv = argv};
    bool options = true, seen_command = false;
    int status = choose_command(&p);

    for (p.at = 1; status == 0 && p.at < argc; p.at++) {
        const char *arg = argv[p.at];

        if (options && strcmp(arg, "--") == 0)
            options = false;
        else if (options && is_option(arg))
            status = arg[1] == '-' ? long_option(&p, arg) : short_options(&p, arg);
        else if (!seen_command && c->command != NULL && strcmp(arg, c->command->name) == 0)
            seen_command = true;
        else
            add_arg(c, arg);
    }
    return status;
}
