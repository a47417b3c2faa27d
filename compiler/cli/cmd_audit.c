/* SPDX-License-Identifier: Apache-2.0 */
/* plumb topo --audit, --partial, --merge: the captures of a whole fleet. */
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/cli.h"

/* As many as there are processors at hand, when nobody says. */
static unsigned threads(const struct cli *c)
{
    uint64_t n = 0;
    const char *given = c->values[OPT_JOBS];
    long here = sysconf(_SC_NPROCESSORS_ONLN);

    if (given != NULL && plumb_read_u64(given, strlen(given), &n))
        return n < 256 ? (unsigned)n : 256;
    return here < 1 ? 1 : here > 64 ? 64 : (unsigned)here;
}

static void add(struct cli *c, plumb_handle *h)
{
    bool merge = c->flags[OPT_MERGE] > 0;

    for (size_t i = 0; i < c->arg_count; i++) {
        bool good = merge ? plumb_add_partial(h, c->args[i]) : plumb_add_fleet(h, c->args[i]);

        if (!good) {
            cli_error("%s", plumb_problem(h));
            c->status = cli_worst(c->status, PLUMB_RESULT_INCOMPLETE);
        }
    }
}

static bool put(struct cli *c, const char *file, const char *text, size_t len)
{
    if (file != NULL)
        return cli_write_file(cli_path(c, file), text, len);
    plumb_buf_add(&c->out, text, len);
    return true;
}

/* Findings are a part of the text, which is for people; beside the others they go to stderr. */
static void put_findings(struct cli *c, plumb_handle *h, bool text)
{
    size_t len = 0;
    const char *findings = NULL, *given = c->values[OPT_MAX_FINDINGS];
    uint64_t max = 0;

    if (plumb_finding_count(h) == 0)
        return;
    if (given != NULL)
        (void)plumb_read_u64(given, strlen(given), &max);
    findings = plumb_render(h, "human", text && cli_use_colour(c), (size_t)max, &len);
    if (!text) {
        (void)cli_write(STDERR_FILENO, findings, len);
        return;
    }
    plumb_buf_char(&c->out, '\n');
    plumb_buf_add(&c->out, findings, len);
}

static const char *refused(const struct cli *c)
{
    static const char *const formats[] = {"text", "json", "spec"};

    for (size_t i = 0; c->sink_count > 0 && i < PLUMB_COUNT(formats); i++) {
        if (strcmp(c->sinks[0].format, formats[i]) == 0)
            return NULL;
    }
    return c->sink_count == 0 ? NULL : c->sinks[0].format;
}

int cli_audit(struct cli *c, plumb_handle *h)
{
    const char *format = c->sink_count == 0 ? "text" : c->sinks[0].format;
    const char *file = c->sink_count == 0 ? NULL : c->sinks[0].file, *out = NULL;
    const char *partial = c->values[OPT_PARTIAL];
    double since = cli_clock();
    size_t len = 0;
    enum plumb_result result = PLUMB_RESULT_CLEAN;

    if (refused(c) != NULL)
        return cli_usage(c, "an audit is shown as text, json or spec, not as '%s'", refused(c));
    add(c, h);
    cli_timing(c, "walk", &since);
    result = plumb_run_fleet(h, threads(c), partial != NULL ? "never" : c->values[OPT_FAIL_ON]);
    cli_timing(c, "read", &since);
    if (result == PLUMB_RESULT_USAGE)
        return cli_usage(c, "%s", plumb_problem(h));
    out = result == PLUMB_RESULT_INTERNAL
              ? ""
              : plumb_topology(h, partial != NULL ? "partial" : format, &len);
    if (result == PLUMB_RESULT_INTERNAL || len == 0) {
        cli_error("%s", plumb_problem(h) != NULL ? plumb_problem(h)
                                                 : "there is no capture in what was given");
        return result == PLUMB_RESULT_INTERNAL ? (int)result : PLUMB_RESULT_INCOMPLETE;
    }
    if (!put(c, partial != NULL ? partial : file, out, len))
        return PLUMB_RESULT_INTERNAL;
    if (partial != NULL)
        return c->status; /* whoever merges tells what was found */
    put_findings(c, h, file == NULL && strcmp(format, "text") == 0);
    cli_timing(c, "write", &since);
    return cli_worst((int)result, c->status);
}
