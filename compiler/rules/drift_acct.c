/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounts: what slurmdbd holds, as sacctmgr shows it, against the commands, the dump, or the
 * section of the specification. Only what the source tells is compared: sites keep most users
 * elsewhere.
 */
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "rules/drift.h"
#include "rules/drift_rows.h"

static bool shows(const struct plumb_check *ck, unsigned what)
{
    return (ck->model->live->accounts_shown & what) != 0;
}

/* "account 'physics'", "user 'ada' in account 'physics'". */
static const char *assoc_name(const struct plumb_check *ck, const struct plumb_assoc *a)
{
    if (a->user == NULL)
        return plumb_arena_printf(ck->arena, "account '%s'", a->account);
    return plumb_arena_printf(ck->arena, "user '%s' in account '%s'%s%s%s", a->user, a->account,
                              a->partition == NULL ? "" : ", partition '",
                              a->partition == NULL ? "" : a->partition,
                              a->partition == NULL ? "" : "'");
}

static const char *assoc_key(struct plumb_arena *a, const struct plumb_assoc *x)
{
    struct plumb_buf out = plumb_buf_in(a);
    const char *parts[] = {x->account, x->user, x->partition};

    for (size_t i = 0; i < PLUMB_COUNT(parts); i++) {
        for (const char *c = parts[i] == NULL ? "" : parts[i]; *c != '\0'; c++)
            plumb_buf_char(&out, plumb_lower(*c));
        plumb_buf_char(&out, '\n');
    }
    return plumb_buf_text(&out);
}

static struct plumb_map assoc_map(const struct plumb_check *ck, const struct plumb_accounts *from)
{
    struct plumb_map m = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < from->assoc_count; i++)
        plumb_map_set(&m, assoc_key(ck->scratch, &from->assocs[i]), &from->assocs[i]);
    return m;
}

static bool compares_assocs(const struct plumb_check *ck)
{
    return ck->model->accounts != NULL && ck->model->accounts->known &&
           shows(ck, PLUMB_LIVE_HAS_ASSOCS);
}

static bool compares_qos(const struct plumb_check *ck)
{
    return ck->model->accounts != NULL && ck->model->accounts->qos_known &&
           shows(ck, PLUMB_LIVE_HAS_QOS);
}

static void tell_missing(const struct plumb_check *ck, struct plumb_span at, const char *what)
{
    struct plumb_diag *d =
        plumb_report(ck, at, "slurmdbd has no %s, expected it as in the source", what);

    plumb_diag_note(d, ck->model->live->accounts_at, "the listing of sacctmgr begins here");
}

/* DRIFT040 */
void plumb_drift_assoc_missing(const struct plumb_check *ck)
{
    const struct plumb_accounts *want = ck->model->accounts, *got = ck->model->live->accounts;

    if (compares_assocs(ck)) {
        struct plumb_map have = assoc_map(ck, got);

        for (size_t i = 0; i < want->assoc_count; i++) {
            if (plumb_map_get(&have, assoc_key(ck->scratch, &want->assocs[i])) == NULL)
                tell_missing(ck, want->assocs[i].at, assoc_name(ck, &want->assocs[i]));
        }
    }
    for (size_t i = 0; compares_qos(ck) && i < want->qos_count; i++) {
        if (plumb_span_known(want->qos[i].at) && plumb_qos_find(got, want->qos[i].name) == NULL)
            tell_missing(ck, want->qos[i].at,
                         plumb_arena_printf(ck->arena, "QOS '%s'", want->qos[i].name));
    }
}

/* slurmdbd makes them itself. */
static bool is_own(const struct plumb_assoc *a)
{
    return strcmp(a->account, "root") == 0 && (a->user == NULL || strcmp(a->user, "root") == 0);
}

/* DRIFT041 */
void plumb_drift_assoc_unknown(const struct plumb_check *ck)
{
    const struct plumb_accounts *want = ck->model->accounts, *got = ck->model->live->accounts;

    if (compares_assocs(ck)) {
        struct plumb_map have = assoc_map(ck, want);

        for (size_t i = 0; i < got->assoc_count; i++) {
            if (!is_own(&got->assocs[i]) &&
                plumb_map_get(&have, assoc_key(ck->scratch, &got->assocs[i])) == NULL)
                plumb_report(ck, got->assocs[i].at, "%s is not in the source, expected it there",
                             assoc_name(ck, &got->assocs[i]));
        }
    }
    for (size_t i = 0; compares_qos(ck) && i < got->qos_count; i++) {
        if (plumb_qos_find(want, got->qos[i].name) == NULL &&
            strcmp(got->qos[i].name, "normal") != 0)
            plumb_report(ck, got->qos[i].at, "QOS '%s' is not in the source, expected it there",
                         got->qos[i].name);
    }
}

/* ---- limits ---- */

struct both {
    const struct plumb_limits *want, *got;
    const struct plumb_live_columns *columns;
    const char *who;
    struct plumb_span want_at, got_at; /* of the records */
};

static bool has_column(const struct both *b, const char *option)
{
    for (size_t i = 0; i < b->columns->count; i++) {
        if (plumb_same_nocase(b->columns->items[i], option))
            return true;
    }
    return false;
}

static void tell_limit(const struct plumb_check *ck, const struct both *b, const char *what,
                       const struct plumb_u64 *want, const struct plumb_u64 *got)
{
    bool set = plumb_usable(*want), shown = plumb_usable(*got);
    const char *w = set ? plumb_arena_printf(ck->arena, "%llu", (unsigned long long)want->v)
                        : "none",
               *g = shown ? plumb_arena_printf(ck->arena, "%llu", (unsigned long long)got->v)
                          : "none";
    struct plumb_diag *d = NULL;

    if (set == shown && (!set || want->v == got->v))
        return;
    d = plumb_report(ck, shown ? got->at : b->got_at, "%s has the limit %s %s, expected %s", b->who,
                     what, g, w);
    if (set || plumb_span_known(b->want_at))
        plumb_diag_note(d, set ? want->at : b->want_at, "the source has it here");
}

static const struct {
    enum plumb_tres_limit limit;
    const char *name;       /* in messages */
    const char *columns[3]; /* as sacctmgr calls it, of a QOS or of an association */
} tres_limits[] = {
    {PLUMB_MAX_TRES_JOB, "MaxTRESPerJob", {"MaxTRES", "MaxTRESPerJob", "MaxTRESPJ"}},
    {PLUMB_MAX_TRES_NODE, "MaxTRESPerNode", {"MaxTRESPerNode", "MaxTRESPN", "MaxTRESPN"}},
    {PLUMB_MAX_TRES_USER, "MaxTRESPerUser", {"MaxTRESPU", "MaxTRESPerUser", "MaxTRESPU"}},
    {PLUMB_MAX_TRES_ACCOUNT, "MaxTRESPerAccount", {"MaxTRESPA", "MaxTRESPerAccount", "MaxTRESPA"}},
    {PLUMB_MIN_TRES_JOB, "MinTRESPerJob", {"MinTRES", "MinTRESPerJob", "MinTRESPJ"}},
    {PLUMB_GRP_TRES, "GrpTRES", {"GrpTRES", "GrpTRES", "GrpTRES"}},
    {PLUMB_GRP_TRES_MINS, "GrpTRESMins", {"GrpTRESMins", "GrpTRESMins", "GrpTRESMins"}},
    {PLUMB_GRP_TRES_RUN_MINS,
     "GrpTRESRunMins",
     {"GrpTRESRunMins", "GrpTRESRunMins", "GrpTRESRunMins"}},
    {PLUMB_MAX_TRES_MINS_JOB, "MaxTRESMins", {"MaxTRESMins", "MaxTRESMinsPerJob", "MaxTRESMins"}},
};

static struct plumb_u64 amount(const struct plumb_tres_list *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++) {
        if (plumb_same_nocase(l->items[i].name, name))
            return (struct plumb_u64){
                .v = l->items[i].v, .at = l->items[i].at, .origin = PLUMB_GIVEN};
    }
    return (struct plumb_u64){0};
}

static void check_tres(const struct plumb_check *ck, const struct both *b, size_t row)
{
    const struct plumb_tres_list *want = &b->want->tres[tres_limits[row].limit];
    const struct plumb_tres_list *got = &b->got->tres[tres_limits[row].limit];

    for (size_t i = 0; i < want->count; i++) {
        struct plumb_u64 w = amount(want, want->items[i].name),
                         g = amount(got, want->items[i].name);

        tell_limit(
            ck, b,
            plumb_arena_printf(ck->arena, "%s=%s", tres_limits[row].name, want->items[i].name), &w,
            &g);
    }
    for (size_t i = 0; i < got->count; i++) {
        struct plumb_u64 w = amount(want, got->items[i].name), g = amount(got, got->items[i].name);

        if (!plumb_usable(w))
            tell_limit(
                ck, b,
                plumb_arena_printf(ck->arena, "%s=%s", tres_limits[row].name, got->items[i].name),
                &w, &g);
    }
}

static void check_limits(const struct plumb_check *ck, const struct both *b)
{
    for (size_t i = 0; i < PLUMB_COUNT(tres_limits); i++) {
        bool there = false;

        for (size_t k = 0; k < PLUMB_COUNT(tres_limits[i].columns); k++)
            there = there || has_column(b, tres_limits[i].columns[k]);
        if (there)
            check_tres(ck, b, i);
    }
    if (has_column(b, "MaxWall"))
        tell_limit(ck, b, "MaxWall, in minutes,", &b->want->max_wall, &b->got->max_wall);
    if (has_column(b, "GrpSubmitJobs"))
        tell_limit(ck, b, "GrpSubmitJobs", &b->want->grp_submit, &b->got->grp_submit);
    if (has_column(b, "MaxSubmit") || has_column(b, "MaxSubmitPU"))
        tell_limit(ck, b, "MaxSubmitJobs", &b->want->max_submit, &b->got->max_submit);
}

/* DRIFT042 */
void plumb_drift_limits(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    const struct plumb_accounts *want = ck->model->accounts, *got = live->accounts;

    if (compares_assocs(ck)) {
        struct plumb_map have = assoc_map(ck, got);

        for (size_t i = 0; i < want->assoc_count; i++) {
            const struct plumb_assoc *w = &want->assocs[i];
            const struct plumb_assoc *g = plumb_map_get(&have, assoc_key(ck->scratch, w));
            struct both b = {.want = &w->limits, .columns = &live->assoc_columns, .want_at = w->at};

            if (g == NULL)
                continue;
            b.got = &g->limits;
            b.got_at = g->at;
            b.who = assoc_name(ck, w);
            check_limits(ck, &b);
        }
    }
    for (size_t i = 0; compares_qos(ck) && i < want->qos_count; i++) {
        const struct plumb_qos *w = &want->qos[i], *g = plumb_qos_find(got, w->name);
        struct both b = {.want = &w->limits, .columns = &live->qos_columns, .want_at = w->at};

        if (g == NULL || !plumb_span_known(w->at))
            continue;
        b.got = &g->limits;
        b.got_at = g->at;
        b.who = plumb_arena_printf(ck->arena, "QOS '%s'", w->name);
        check_limits(ck, &b);
    }
}

/* ---- resources and the cluster ---- */

static bool has_text(const struct plumb_text *items, size_t count, const struct plumb_slice *word)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(items[i].v) == word->len &&
            plumb_equal_nocase(items[i].v, word->text, word->len))
            return true;
    }
    return false;
}

/* DRIFT043 */
void plumb_drift_tres(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    const struct plumb_setting *set = plumb_global(ck, PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (shows(ck, PLUMB_LIVE_HAS_TRES) && set != NULL &&
           plumb_list_next(&set->value, ',', &c, &item)) {
        struct plumb_diag *d = NULL;

        if (has_text(live->tres, live->tres_count, &item))
            continue;
        d = plumb_report(ck, item.at,
                         "slurmdbd does not know the resource '%s', expected it to be registered "
                         "by slurmctld",
                         plumb_drift_text(ck, &item));
        plumb_diag_note(d, live->accounts_at, "the listing of sacctmgr begins here");
        plumb_drift_needs(d, plumb_param(PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES));
    }
}

/* DRIFT044 */
void plumb_drift_cluster(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;
    struct plumb_slice name = {.text = ck->model->cluster.v};
    struct plumb_diag *d = NULL;

    if (!shows(ck, PLUMB_LIVE_HAS_CLUSTERS) || !plumb_usable(ck->model->cluster) ||
        name.text == NULL)
        return;
    name.len = (uint32_t)strlen(name.text);
    if (has_text(live->clusters, live->cluster_count, &name))
        return;
    d = plumb_report(ck, ck->model->cluster.at,
                     "slurmdbd does not know cluster '%s', expected it to be registered",
                     name.text);
    plumb_diag_note(d, live->accounts_at, "the listing of sacctmgr begins here");
}
