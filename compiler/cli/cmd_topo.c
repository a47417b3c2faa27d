/* SPDX-License-Identifier: Apache-2.0 */
/* plumb topo: what captures say. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Findings about the captures go to standard error: standard output holds the machine. */
static void print_findings(plumb_handle *h)
{
    size_t len = 0;
    const char *text = NULL;

    if (plumb_finding_count(h) == 0)
        return;
    text = plumb_render(h, "human", false, 0, &len);
    (void)cli_write(STDERR_FILENO, text, len);
}

static int topo(struct cli *c, plumb_handle *h)
{
    const char *format = c->sink_count == 0 ? "text" : c->sinks[0].format;
    size_t len = 0;

    cli_add_captures(c, h);

    enum plumb_result result = plumb_run_captures(h, c->values[OPT_FAIL_ON]);

    if (result == PLUMB_RESULT_USAGE)
        return cli_usage(c, "%s", plumb_problem(h));
    if (result == PLUMB_RESULT_INTERNAL) {
        cli_error("%s", plumb_problem(h));
        return (int)result;
    }
    print_findings(h);

    const char *problem = plumb_problem(h);
    const char *text = plumb_topology(h, format, &len);

    if (len == 0 && plumb_problem(h) == NULL)
        cli_error("there is no capture in what was given");
    else if (len == 0 && problem == NULL)
        cli_error("%s", plumb_problem(h));
    if (len == 0 && result == PLUMB_RESULT_CLEAN)
        result = PLUMB_RESULT_INCOMPLETE;
    if (c->sink_count > 0 && c->sinks[0].file != NULL) {
        if (!cli_write_file(cli_path(c, c->sinks[0].file), text, len))
            return PLUMB_RESULT_INTERNAL;
    } else {
        plumb_buf_add(&c->out, text, len);
    }
    return cli_worst((int)result, c->status);
}

int cli_topo(struct cli *c)
{
    plumb_handle *h = NULL;
    int status = PLUMB_RESULT_USAGE;
    bool fleet = c->flags[OPT_AUDIT] > 0 || c->flags[OPT_MERGE] > 0;

    if (!fleet && (c->values[OPT_PARTIAL] != NULL || c->values[OPT_JOBS] != NULL))
        return cli_usage(c, "--%s goes with --audit",
                         c->values[OPT_JOBS] != NULL ? "jobs" : "partial");
    if (c->arg_count == 0)
        return cli_usage(c,
                         "topo needs a capture: a file, a folder of dumps or a built-in reference");
    h = cli_open(c, false);
    if (h == NULL)
        return cli_worst(status, c->status);
    status = fleet ? cli_audit(c, h) : topo(c, h);
    plumb_close(h);
    return status;
}
