/* SPDX-License-Identifier: Apache-2.0 */
/* plumb drift: a source against what the running cluster says. */
#include "cli/cli.h"

int cli_drift(struct cli *c)
{
    const char *fail_on = c->values[OPT_FAIL_ON] != NULL ? c->values[OPT_FAIL_ON] : "warning";
    double since = cli_clock();
    enum plumb_result result = PLUMB_RESULT_CLEAN;
    plumb_handle *h = NULL;
    int status = PLUMB_RESULT_USAGE;

    if (c->arg_count < 2)
        return cli_usage(c, "drift needs a source and what the cluster says, expected 'drift "
                            "SOURCE LIVE...'");
    h = cli_open(c, false);
    if (h == NULL)
        return cli_worst(status, c->status);
    cli_add_drift(c, h);
    cli_timing(c, "read", &since);
    result = plumb_run_all(h, fail_on);
    cli_timing(c, "compare", &since);
    status = cli_report(c, h, result);
    cli_timing(c, "render", &since);
    plumb_close(h);
    return status;
}
