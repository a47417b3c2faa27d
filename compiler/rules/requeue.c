/* SPDX-License-Identifier: Apache-2.0 */
/* Exit codes of jobs that are queued again: RequeueExit and RequeueExitHold. */
#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"

enum { MOST = 255 };

static size_t skip_blanks(const struct plumb_slice *v, size_t i)
{
    while (i < v->len && plumb_is_blank(v->text[i]))
        i++;
    return i;
}

/* A number as strtoul takes it; false: none here. */
static bool read_number(const struct plumb_slice *v, size_t *at, uint64_t *out)
{
    size_t begin = skip_blanks(v, *at), digits;

    if (begin < v->len && v->text[begin] == '+')
        begin++;
    digits = plumb_read_digits(v->text + begin, v->len - begin, out);
    if (digits == SIZE_MAX)
        *out = UINT64_MAX;
    while (begin < v->len && plumb_is_digit(v->text[begin]))
        begin++;
    *at = begin;
    return digits > 0;
}

/* "3", "3-5" or "3-", which is 3. */
static bool read_codes(const struct plumb_slice *item, uint64_t *last)
{
    uint64_t first = 0;
    size_t at = 0;

    if (!read_number(item, &at, &first))
        return false;
    *last = first;
    if (at < item->len && item->text[at] == '-' && ++at < item->len &&
        !read_number(item, &at, last))
        return false;
    return at == item->len && *last >= first;
}

static void check_item(const struct plumb_check *ck, const struct plumb_setting *s,
                       const struct plumb_slice *item)
{
    struct plumb_span at = item->len > 0 ? item->at : s->value.at;
    uint64_t last = 0;
    struct plumb_diag *d = NULL;

    if (!read_codes(item, &last))
        d = plumb_report(ck, at,
                         "'%.*s' of %s is no exit code, expected numbers and ranges such as "
                         "1,3-5",
                         (int)item->len, item->text, s->param->name);
    else if (last > MOST)
        d = plumb_report(ck, at, "exit codes of %s end at %d, found '%.*s'", s->param->name, MOST,
                         (int)item->len, item->text);
    if (d != NULL)
        plumb_outcome(ck, d, NULL);
}

/* JOB117: the list is read as one of hosts in brackets, so that an empty item is a fault too. */
static void exit_codes(const struct plumb_check *ck)
{
    static const enum plumb_param_id keys[] = {PLUMB_P_SLURM_REQUEUEEXIT,
                                               PLUMB_P_SLURM_REQUEUEEXITHOLD};

    for (size_t k = 0; k < PLUMB_COUNT(keys); k++) {
        const struct plumb_setting *s = plumb_global(ck, keys[k]);

        for (size_t begin = 0, end; s != NULL && begin <= s->value.len; begin = end + 1) {
            end = begin;
            while (end < s->value.len && s->value.text[end] != ',')
                end++;

            struct plumb_slice item = plumb_slice_sub(&s->value, begin, end);

            check_item(ck, s, &item);
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "JOB117",
        .name = "requeue-exit-codes",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "RequeueExit or RequeueExitHold holds what is no exit code",
        .why = "slurmctld logs an error; jobs that end with these codes are not queued again.",
        .ref = "slurm.conf(5), RequeueExit; job_mgr.c:_make_requeue_array",
        .bad = "RequeueExit=SPECIAL_EXIT",
        .good = "RequeueExit=1,3-5",
        .needs = PLUMB_FACT_MODEL,
        .run = exit_codes,
    },
};

const struct plumb_rule_family plumb_requeue_rules = {
    .prefix = "JOB",
    .title = "Jobs that are queued again",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
