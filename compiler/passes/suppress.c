/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes suppress and unused: findings that the user has accepted with a reason are marked,
 * the caller's policy is applied, and suppressions that silence nothing are findings
 * themselves. suppress runs before the targets, so that an accepted error does not stop a
 * build, and once more behind them for what printing found.
 */
#include "passes/suppress.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "passes/policy.h"
#include "passes/upgrade.h"

const struct plumb_rule plumb_ignore_rows[] = {
    [PLUMB_IGN_REASON] =
        {
            .code = "IGN001",
            .name = "ignore-reason",
            .severity = PLUMB_WARNING,
            .summary = "a suppression gives no reason",
            .why = "The next reader cannot tell whether it still holds. Without a reason it "
                   "silences nothing.",
            .ref = "plumb, Suppressions",
            .bad = "TaskProlog=/a   # plumb: ignore CONF001",
            .good = "TaskProlog=/a   # plumb: ignore CONF001 -- read by our own plugin",
        },
    [PLUMB_IGN_UNKNOWN] =
        {
            .code = "IGN002",
            .name = "ignore-unknown",
            .severity = PLUMB_WARNING,
            .summary = "a suppression names a rule that does not exist",
            .why = "It silences nothing.",
            .ref = "plumb, Suppressions",
            .bad = "UnkillableStepTimeout=30   # plumb: ignore TIME999 -- agreed",
            .good = "UnkillableStepTimeout=30   # plumb: ignore TIME001 -- agreed",
        },
    [PLUMB_IGN_UNUSED] =
        {
            .code = "IGN003",
            .name = "ignore-unused",
            .severity = PLUMB_WARNING,
            .summary = "a suppression silences nothing",
            .why = "The fault is gone, or the comment stands at the wrong place; left alone it "
                   "would hide the next one.",
            .ref = "plumb, Suppressions",
            .bad = "SlurmdTimeout=300   # plumb: ignore TIME001 -- agreed",
            .good = "UnkillableStepTimeout=30   # plumb: ignore TIME001 -- agreed",
        },
    [PLUMB_IGN_EXPIRED] =
        {
            .code = "IGN004",
            .name = "ignore-expired",
            .severity = PLUMB_WARNING,
            .summary = "a suppression has passed its date",
            .why = "From that day on its findings are shown again.",
            .ref = "plumb, Suppressions",
            .bad = "KillWait=30   # plumb: ignore TIME001 until=2020-01-01 -- until the upgrade",
            .good = "KillWait=30   # plumb: ignore TIME001 until=2099-01-01 -- until the upgrade",
        },
    [PLUMB_IGN_SYNTAX] =
        {
            .code = "IGN005",
            .name = "ignore-syntax",
            .severity = PLUMB_WARNING,
            .summary = "a comment to plumb cannot be read",
            .why = "The form is '# plumb: ignore RULE[,RULE] [until=YYYY-MM-DD] -- reason'.",
            .ref = "plumb, Suppressions",
            .bad = "KillWait=30   # plumb: ingore TIME001 -- agreed",
            .good = "KillWait=30   # plumb: ignore TIME001 -- agreed",
        },
};

const struct plumb_rule_family plumb_ignore_rules = {
    .prefix = "IGN",
    .title = "Suppressions",
    .rules = plumb_ignore_rows,
    .count = PLUMB_COUNT(plumb_ignore_rows),
};

/* By rule, file, and place: what covers a finding is then found by search. */
static int compare(const void *a, const void *b)
{
    const struct plumb_suppression *x = a, *y = b;
    int order = strcmp(x->rule->code, y->rule->code);

    if (order != 0)
        return order;
    if (x->target.file != y->target.file)
        return x->target.file < y->target.file ? -1 : 1;
    if (x->target.begin != y->target.begin)
        return x->target.begin < y->target.begin ? -1 : 1;
    if (x->at.begin != y->at.begin)
        return x->at.begin < y->at.begin ? -1 : 1;
    return 0;
}

static bool same_list(const struct plumb_suppression *x, const struct plumb_suppression *y)
{
    return x->rule == y->rule && x->target.file == y->target.file;
}

static void sort(struct plumb_suppressions *l)
{
    if (l->count > 1)
        qsort(l->items, l->count, sizeof(*l->items), compare);
    for (size_t i = 0; i < l->count; i++) {
        struct plumb_suppression *s = &l->items[i];

        s->reach = s->target.end;
        if (i > 0 && same_list(s - 1, s) && (s - 1)->reach > s->reach)
            s->reach = (s - 1)->reach;
    }
}

/* The innermost suppression of a rule that covers a place of a file; NULL: none. */
static struct plumb_suppression *find(struct plumb_suppressions *l, const struct plumb_rule *rule,
                                      uint32_t file, uint32_t begin)
{
    struct plumb_suppression want = {
        .rule = rule, .target = {file, begin, 0}, .at = {0, UINT32_MAX, 0}};
    size_t lo = 0, hi = l->count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (compare(&l->items[mid], &want) <= 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo > 0 && same_list(&l->items[lo - 1], &want); lo--) {
        if (l->items[lo - 1].target.end >= begin)
            return &l->items[lo - 1];
        if (l->items[lo - 1].reach < begin)
            break;
    }
    return NULL;
}

static void apply(struct plumb_run *r)
{
    for (size_t i = 0; i < r->session->sink.count; i++) {
        struct plumb_diag *d = r->session->sink.items[i];
        struct plumb_suppression *s = NULL;

        if (r->policy != NULL)
            d->hidden = !plumb_policy_apply(r->policy, d);
        if (plumb_span_known(d->at))
            s = find(r->suppressions, d->rule, d->at.file, d->at.begin);
        if (s == NULL)
            s = find(r->suppressions, d->rule, 0, 0); /* of the whole run */
        if (s != NULL)
            s->used = true;
        d->suppressed = s != NULL ? s->reason : d->hidden ? "not asked for" : NULL;
    }
}

bool plumb_run_failed(const struct plumb_run *r)
{
    const struct plumb_sink *sink = &r->session->sink;

    for (size_t i = 0; i < sink->count; i++) {
        const struct plumb_diag *d = sink->items[i];

        if (d->severity == PLUMB_ERROR && d->suppressed == NULL && !d->hidden)
            return true;
    }
    return sink->incomplete || sink->dropped > 0;
}

void plumb_pass_suppress(struct plumb_run *r)
{
    if (r->suppressions == NULL)
        r->suppressions = plumb_suppressions_read(r);
    sort(r->suppressions);
    apply(r);
}

/*
 * Whether anything could have been found by every rule: after an unreadable input the fault
 * may just not have been reached.
 */
static bool complete(const struct plumb_run *r)
{
    return (r->facts & PLUMB_FACT_CHECKED) != 0 && !r->session->sink.incomplete &&
           r->session->sink.dropped == 0;
}

void plumb_pass_unused(struct plumb_run *r)
{
    if (r->suppressions == NULL)
        return;
    apply(r);
    for (size_t i = 0; complete(r) && i < r->suppressions->count; i++) {
        const struct plumb_suppression *s = &r->suppressions->items[i];

        if (!s->used && (r->upgrading || !plumb_is_upgrade_rule(s->rule)))
            plumb_diag_new(&r->session->sink, &plumb_ignore_rows[PLUMB_IGN_UNUSED], s->at,
                           "suppression of '%s' silences nothing", s->rule->code);
    }
    apply(r); /* the policy holds for what was added as well */
}
