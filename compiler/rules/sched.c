/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the job table and licenses. */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* SCHED015: every task of an array is a job record. */
static void array_size(const struct plumb_check *ck)
{
    struct plumb_u64 array = plumb_global_u64(ck, P(MAXARRAYSIZE));
    struct plumb_u64 jobs = plumb_global_u64(ck, P(MAXJOBCOUNT));

    if (!plumb_written(array) || !plumb_usable(jobs) || array.v <= jobs.v)
        return;

    struct plumb_diag *d =
        plumb_report(ck, array.at,
                     "MaxArraySize is %" PRIu64 ", but MaxJobCount %s %" PRIu64
                     " and every task is a job, expected MaxJobCount to be larger",
                     array.v, plumb_written(jobs) ? "is" : "defaults to", jobs.v);

    if (plumb_written(jobs))
        plumb_diag_note(d, jobs.at, "the job table");
}

/* SCHED018 */
static void job_ids(const struct plumb_check *ck)
{
    struct plumb_u64 first = plumb_global_u64(ck, P(FIRSTJOBID));
    struct plumb_u64 last = plumb_global_u64(ck, P(MAXJOBID));

    if (!plumb_usable(first) || !plumb_usable(last) || first.v <= last.v)
        return;

    struct plumb_diag *d = plumb_report(ck, plumb_written(last) ? last.at : first.at,
                                        "FirstJobId is %" PRIu64 ", but MaxJobId is %" PRIu64
                                        ", expected it to be larger",
                                        first.v, last.v);

    plumb_outcome(ck, d, NULL);
}

static bool all_digits(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!plumb_is_digit(text[i]))
            return false;
    }
    return true;
}

/* What is left of a number in 32 bits, as strtol and a cast leave it; false where it is none. */
static bool kept_count(const struct plumb_slice *number, uint32_t *kept)
{
    bool minus = number->len > 0 && number->text[0] == '-';
    uint64_t value = 0;
    size_t len = number->len - minus;

    if (len == 0 || !all_digits(number->text + minus, len))
        return false;
    if (!plumb_read_u64(number->text + minus, len, &value) || value > INT64_MAX)
        value = minus ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
    *kept = (uint32_t)(minus ? 0 - value : value);
    return true;
}

/*
 * SCHED020: licenses.c:_build_license_list. Behind the first ':' or '=' stands a number that fits
 * into 31 bits; no text there is 0.
 */
static void licenses_unreadable(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(LICENSES));
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        size_t name = 0, digits = 0;
        uint64_t count = 0;
        uint32_t kept = 0;
        struct plumb_diag *d = NULL;

        if (memchr(item.text, ';', item.len) != NULL) /* it parts items too */
            continue;
        while (name < item.len && item.text[name] != ':' && item.text[name] != '=')
            name++;
        if (name + 1 >= item.len || item.text[name + 1] == '+')
            continue;

        struct plumb_slice number = plumb_slice_sub(&item, name + 1, item.len);

        digits = plumb_read_digits(number.text, number.len, &count);
        if (digits == number.len && count <= INT32_MAX)
            continue;
        d = plumb_report(ck, number.at,
                         "license '%.*s' has the count '%.*s', expected a number from 0 to "
                         "2147483647",
                         (int)name, item.text, (int)number.len, number.text);
        if (!kept_count(&number, &kept) || kept > INT32_MAX) {
            plumb_outcome(ck, d, NULL);
            continue;
        }
        plumb_outcome_is(ck, d, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0);
        plumb_diag_fact(d, "it wraps to %" PRIu32, kept);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "SCHED015",
        .name = "array-larger-than-job-table",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "MaxArraySize above MaxJobCount",
        .why = "Such an array cannot be expanded: submissions fail once the table is full.",
        .ref = "slurm.conf(5), MaxArraySize",
        .bad = "MaxArraySize=100001",
        .good = "MaxArraySize=100001\nMaxJobCount=300000",
        .needs = PLUMB_FACT_MODEL,
        .run = array_size,
    },
    {
        .code = "SCHED018",
        .name = "job-id-range",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "FirstJobId above MaxJobId",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), FirstJobId; read_config.c:_validate_and_set_defaults",
        .bad = "FirstJobId=1000\nMaxJobId=999",
        .good = "FirstJobId=1000\nMaxJobId=67043328",
        .needs = PLUMB_FACT_MODEL,
        .run = job_ids,
    },
    {
        .code = "SCHED020",
        .name = "license-count",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a count in Licenses is no number",
        .why = "slurmctld ends. Suffixes such as k are not read here.",
        .ref = "slurm.conf(5), Licenses; licenses.c:_build_license_list",
        .bad = "Licenses=ansys:2k",
        .good = "Licenses=ansys:2000",
        .needs = PLUMB_FACT_MODEL,
        .run = licenses_unreadable,
    },
};

const struct plumb_rule_family plumb_sched_rules = {
    .prefix = "SCHED",
    .title = "Scheduler, preemption, allocation",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
