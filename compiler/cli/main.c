/* SPDX-License-Identifier: Apache-2.0 */
/* The command plumb: parse, run one command, write what it made. */
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"

static int run(struct cli *c, int argc, char **argv)
{
    int status = cli_parse(c, argc, argv);

    if (status != 0)
        return status;
    if (c->flags[OPT_HELP] > 0) {
        cli_help(c->command, &c->out);
        return PLUMB_RESULT_CLEAN;
    }
    if (c->flags[OPT_VERSION] > 0)
        return cli_version(c);
    if (c->command == NULL) {
        struct plumb_buf help = plumb_buf_in(c->arena);

        cli_help(NULL, &help);
        (void)cli_write(STDERR_FILENO, plumb_buf_text(&help), help.len);
        return PLUMB_RESULT_USAGE;
    }
    return c->command->run(c);
}

int main(int argc, char **argv)
{
    static jmp_buf out_of_memory;
    static struct cli c; /* survives the jump */
    volatile int status = PLUMB_RESULT_INTERNAL;

    /* A reader that goes away is an error of writing, not the end of the process. */
    (void)signal(SIGPIPE, SIG_IGN);
    c.arena = plumb_arena_new(&out_of_memory);
    if (c.arena == NULL || setjmp(out_of_memory) != 0) {
        cli_error("out of memory");
        return PLUMB_RESULT_INTERNAL;
    }
    c.out = plumb_buf_in(c.arena);
    status = run(&c, argc, argv);
    if (!cli_write(STDOUT_FILENO, plumb_buf_text(&c.out), c.out.len) || close(STDOUT_FILENO) != 0)
        status = PLUMB_RESULT_INTERNAL;
    plumb_arena_free(c.arena);
    return status;
}
