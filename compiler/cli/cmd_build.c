/* SPDX-License-Identifier: Apache-2.0 */
/* plumb build: compile a specification, write the tree or compare it. */
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *state, *why;
} reasons[] = {
    {"missing", "it would be written"},
    {"stale", "the inputs or plumb have changed since it was generated"},
    {"edited", "it was changed by hand after it was generated"},
    {"left over", "it was generated once and no longer is"},
};

/* Lists what is not as it would be written; the exit code. */
static int compare(struct cli *c, plumb_handle *h)
{
    const char *dir = c->values[OPT_OUTPUT];
    enum plumb_result result = plumb_compare(h, dir);
    struct plumb_difference d;

    if (result == PLUMB_RESULT_INCOMPLETE || result == PLUMB_RESULT_INTERNAL)
        cli_error("%s", plumb_problem(h));
    if (result == PLUMB_RESULT_CLEAN)
        cli_note(c, "'%s' is up to date", dir);
    for (size_t i = 0; plumb_difference_at(h, i, &d); i++) {
        for (size_t k = 0; k < PLUMB_COUNT(reasons); k++) {
            if (strcmp(reasons[k].state, d.state) == 0)
                cli_error("%s: %s/%s: %s", d.state, dir, d.path, reasons[k].why);
        }
    }
    return (int)result;
}

static int write_tree(struct cli *c, plumb_handle *h)
{
    const char *dir = c->values[OPT_OUTPUT];
    size_t changes = plumb_compare(h, dir) == PLUMB_RESULT_FINDINGS ? plumb_difference_count(h) : 0;
    enum plumb_result result = plumb_write(h, dir);

    if (result == PLUMB_RESULT_INTERNAL) {
        cli_error("%s; nothing was changed", plumb_problem(h));
        return (int)result;
    }
    if (result == PLUMB_RESULT_CLEAN && changes == 0)
        cli_note(c, "%zu files in '%s' are up to date", plumb_made_count(h), dir);
    else if (result == PLUMB_RESULT_CLEAN)
        cli_note(c, "%zu files in '%s', %zu of them changed now", plumb_made_count(h), dir,
                 changes);
    return (int)result;
}

static int build(struct cli *c, plumb_handle *h)
{
    double since = cli_clock();

    cli_add_inputs(c, h, true);
    cli_timing(c, "read", &since);

    enum plumb_result result = plumb_run_all(h, c->values[OPT_FAIL_ON]);

    cli_timing(c, "compile", &since);

    int status = cli_report(c, h, result);

    cli_timing(c, "render", &since);
    if (result == PLUMB_RESULT_USAGE || result == PLUMB_RESULT_INTERNAL)
        return status;
    if (plumb_made_count(h) == 0) {
        cli_note(c, "nothing was written");
        return cli_worst(status, PLUMB_RESULT_FINDINGS);
    }
    status = cli_worst(status, c->flags[OPT_CHECK] > 0 ? compare(c, h) : write_tree(c, h));
    cli_timing(c, "write", &since);
    return status;
}

int cli_build(struct cli *c)
{
    plumb_handle *h = NULL;
    int status = PLUMB_RESULT_USAGE;

    if (c->values[OPT_OUTPUT] == NULL)
        return cli_usage(c, "build needs a folder to write to: -o DIR");
    if (c->arg_count > 1)
        return cli_usage(c, "build takes one specification, got %zu", c->arg_count);
    h = cli_open(c, true);
    if (h == NULL)
        return cli_worst(status, c->status);
    status = build(c, h);
    plumb_close(h);
    return status;
}
