/* SPDX-License-Identifier: Apache-2.0 */
/* plumb check: read everything, tell what is wrong. */
#include "cli/cli.h"

int cli_check(struct cli *c)
{
    double since = cli_clock();
    plumb_handle *h = cli_open(c, false);
    int status = PLUMB_RESULT_USAGE;

    if (h != NULL && c->values[OPT_CLUSTER] != NULL && c->arg_count == 0) {
        plumb_close(h);
        return cli_usage(c, "--cluster without a job script, expected 'check JOB... --cluster "
                            "SOURCE'");
    }
    if (h == NULL)
        return cli_worst(status, c->status);
    if (c->values[OPT_CLUSTER] != NULL)
        cli_add_jobs(c, h);
    else
        cli_add_inputs(c, h, false);
    cli_timing(c, "read", &since);

    enum plumb_result result = plumb_run_all(h, c->values[OPT_FAIL_ON]);

    cli_timing(c, "check", &since);
    status = cli_report(c, h, result);
    cli_timing(c, "render", &since);
    plumb_close(h);
    return status;
}
