/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may use what: association, QOS, partition, reservation. After assoc_mgr.c:
 * assoc_mgr_fill_in_assoc, job_mgr.c:_determine_and_validate_qos, _part_access_check,
 * partition_mgr.c:part_policy_valid_acct, part_policy_valid_qos,
 * reservation.c:_valid_job_access_resv.
 */
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"
#include "rules/submit.h"

static const char *partition_name(const struct plumb_submit *s)
{
    return s->part == NULL ? NULL : s->part->name.v;
}

/* The association of a user in an account, for the partition before that for all. */
static const struct plumb_assoc *find_assoc(const struct plumb_submit *s, const char *account)
{
    const struct plumb_assoc *a = NULL;

    if (partition_name(s) != NULL)
        a = plumb_assoc_find(s->accounts, account, s->user, partition_name(s));
    return a != NULL ? a : plumb_assoc_find(s->accounts, account, s->user, NULL);
}

static bool account_exists(const struct plumb_submit *s, const char *name)
{
    for (size_t i = 0; i < s->accounts->assoc_count; i++) {
        if (plumb_same_nocase(s->accounts->assocs[i].account, name))
            return true;
    }
    return plumb_same_nocase(name, "root");
}

static const char *accounts_of(const struct plumb_submit *s)
{
    struct plumb_buf out = plumb_buf_in(s->ck->arena);

    for (size_t i = 0; i < s->accounts->assoc_count; i++) {
        const struct plumb_assoc *a = &s->accounts->assocs[i];

        if (a->user == NULL || !plumb_same_nocase(a->user, s->user))
            continue;
        plumb_buf_printf(&out, "%s'%s'", out.len == 0 ? "" : ", ", a->account);
        if (a->partition != NULL)
            plumb_buf_printf(&out, " in partition '%s'", a->partition);
    }
    return out.len == 0 ? "none" : plumb_buf_text(&out);
}

/* Without a user only the name of the account can be looked at. */
static void find_account(struct plumb_submit *s)
{
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_ACCOUNT);
    const struct plumb_user *user = s->user == NULL ? NULL : plumb_user_find(s->accounts, s->user);
    struct plumb_span at = given == NULL ? s->rq->at : given->value.at;

    if ((given != NULL && given->unknown) || (given == NULL && s->rq->partial))
        return;
    if (given != NULL)
        s->account = given->value.text;
    else if (user != NULL)
        s->account = user->default_account;
    if (s->account != NULL && !account_exists(s, s->account)) {
        if (s->enforce_assocs)
            plumb_fault(s, PLUMB_SUBMIT_ACCOUNT, at,
                        "there is no account '%s'; slurmctld %s refuses the job", s->account,
                        plumb_series(s->ck));
        s->account = NULL;
        return;
    }
    if (s->user == NULL) {
        if (s->account != NULL)
            s->assoc = plumb_assoc_find(s->accounts, s->account, NULL, NULL);
        return;
    }
    if (s->account != NULL)
        s->assoc = find_assoc(s, s->account);
    if (s->assoc == NULL && s->enforce_assocs)
        plumb_fault(s, PLUMB_SUBMIT_ACCOUNT, at,
                    "user '%s' has no association with account '%s'%s%s%s; the user's accounts: "
                    "%s; slurmctld %s refuses the job",
                    s->user, s->account == NULL ? "(none)" : s->account,
                    partition_name(s) == NULL ? "" : " in partition '",
                    partition_name(s) == NULL ? "" : partition_name(s),
                    partition_name(s) == NULL ? "" : "'", accounts_of(s), plumb_series(s->ck));
}

/* The record above: the account of a user, the parent of an account. NULL: root's own. */
static const struct plumb_assoc *above(const struct plumb_submit *s, const struct plumb_assoc *a)
{
    if (a->user != NULL)
        return plumb_assoc_find(s->accounts, a->account, NULL, NULL);
    if (plumb_same_nocase(a->account, "root"))
        return NULL;
    return plumb_assoc_find(s->accounts, a->parent == NULL ? "root" : a->parent, NULL, NULL);
}

enum { MAX_LEVELS = 64 };

/* The QOS is in the nearest list that is set, or added on the way; root has normal. */
static bool may_use(const struct plumb_submit *s, const char *qos)
{
    unsigned level = 0;

    for (const struct plumb_assoc *a = s->assoc; a != NULL && level < MAX_LEVELS;
         a = above(s, a), level++) {
        if (plumb_names_has(&a->qos.names, qos))
            return true;
        if (a->qos.set)
            return false;
    }
    return plumb_same_nocase(qos, "normal");
}

static const char *default_qos(const struct plumb_submit *s)
{
    unsigned level = 0;

    for (const struct plumb_assoc *a = s->assoc; a != NULL && level < MAX_LEVELS;
         a = above(s, a), level++) {
        if (a->default_qos != NULL)
            return a->default_qos;
    }
    return "normal";
}

static bool qos_exists(const struct plumb_submit *s, const char *name)
{
    if (plumb_qos_find(s->accounts, name) != NULL || !s->accounts->qos_known)
        return true;
    return false;
}

static void find_qos(struct plumb_submit *s)
{
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_QOS);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    size_t count = 0;

    if (given == NULL || given->unknown) {
        if (given == NULL && !s->rq->partial && s->assoc != NULL && s->user != NULL)
            s->qos = plumb_qos_find(s->accounts, default_qos(s));
        return;
    }
    while (plumb_list_next(&given->value, ',', &c, &item)) {
        const char *name = plumb_arena_strndup(s->ck->arena, item.text, item.len);

        if (count++ == 0)
            s->qos = plumb_qos_find(s->accounts, name);
        if (!s->enforce_qos)
            continue;
        if (!qos_exists(s, name))
            plumb_fault(s, PLUMB_SUBMIT_QOS, item.at,
                        "there is no QOS '%s'; slurmctld %s refuses the job", name,
                        plumb_series(s->ck));
        else if (s->user != NULL && s->assoc != NULL && !may_use(s, name))
            plumb_fault(s, PLUMB_SUBMIT_QOS, item.at,
                        "user '%s' in account '%s' may not use QOS '%s'; slurmctld %s refuses the "
                        "job",
                        s->user, s->account, name, plumb_series(s->ck));
    }
    if (count > 1 && !plumb_has_trait(s->ck, PLUMB_TRAIT_QOS_LIST))
        plumb_fault(s, PLUMB_SUBMIT_QOS, given->value.at,
                    "'%s' is a list, expected one QOS: lists came with 24.11; slurmctld %s "
                    "refuses the job",
                    given->value.text, plumb_series(s->ck));
    else if (count > 1)
        s->qos = NULL; /* the one that fits best is taken */
}

void plumb_submit_accounts(struct plumb_submit *s)
{
    const struct plumb_setting *qos =
        s->part == NULL ? NULL : plumb_setting(&s->part->settings, PLUMB_P_PART_QOS);

    if (s->accounts == NULL)
        return;
    if (qos != NULL)
        s->part_qos = plumb_qos_find(s->accounts, qos->value.text);
    if (!s->accounts->known)
        return;
    find_account(s);
    if (!s->enforce_assocs || s->assoc != NULL || s->user == NULL)
        find_qos(s);
}

/* A list of AllowAccounts and its like holds the name. ALL is everyone. */
static const struct plumb_setting *name_list(const struct plumb_submit *s, enum plumb_param_id id)
{
    const struct plumb_setting *l = plumb_setting(&s->part->settings, id);

    return l == NULL || plumb_slice_is(&l->value, "ALL") || l->value.len == 0 ? NULL : l;
}

static void refuse_access(struct plumb_submit *s, enum plumb_option_id id, const char *what,
                          const char *name, const struct plumb_setting *list)
{
    static const enum plumb_option_id none[] = {PLUMB_O_COUNT};
    const struct plumb_given *given = plumb_given(s->rq, id);
    const struct plumb_given *part = plumb_given(s->rq, PLUMB_O_PARTITION);
    struct plumb_span at = given != NULL  ? given->value.at
                           : part != NULL ? part->value.at
                                          : plumb_submit_at(s, none);
    struct plumb_fault *f =
        plumb_fault(s, PLUMB_SUBMIT_ACCESS, at, "partition '%s' does not take %s '%s': %s is '%s'",
                    s->part->name.v, what, name, list->param->name, list->value.text);

    f->note_at = list->value.at;
    f->note = "the partition says so";
    f->enforced = true;
}

static void check_accounts(struct plumb_submit *s)
{
    const struct plumb_setting *allow = name_list(s, PLUMB_P_PART_ALLOWACCOUNTS);
    const struct plumb_setting *deny = name_list(s, PLUMB_P_PART_DENYACCOUNTS);
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_ACCOUNT);
    const char *account = s->account;

    if (account == NULL && s->accounts == NULL && given != NULL && !given->unknown)
        account = given->value.text;
    if (account == NULL)
        return;
    if (allow != NULL && !plumb_list_find(&allow->value, account, NULL))
        refuse_access(s, PLUMB_O_ACCOUNT, "account", account, allow);
    else if (allow == NULL && deny != NULL && plumb_list_find(&deny->value, account, NULL))
        refuse_access(s, PLUMB_O_ACCOUNT, "account", account, deny);
}

static void check_one_qos(struct plumb_submit *s, const char *qos)
{
    const struct plumb_setting *allow = name_list(s, PLUMB_P_PART_ALLOWQOS);
    const struct plumb_setting *deny = name_list(s, PLUMB_P_PART_DENYQOS);

    if (allow != NULL && !plumb_list_find(&allow->value, qos, NULL))
        refuse_access(s, PLUMB_O_QOS, "QOS", qos, allow);
    else if (allow == NULL && deny != NULL && plumb_list_find(&deny->value, qos, NULL))
        refuse_access(s, PLUMB_O_QOS, "QOS", qos, deny);
}

/* acct_policy.c, job_mgr.c:_determine_and_validate_qos: QOS_FLAG_REQ_RESV */
static void check_qos_reservation(struct plumb_submit *s)
{
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_QOS);
    struct plumb_fault *f = NULL;

    if (s->qos == NULL || !s->qos->needs_reservation || !s->enforce_qos || s->rq->partial ||
        plumb_given(s->rq, PLUMB_O_RESERVATION) != NULL)
        return;
    f = plumb_fault(s, PLUMB_SUBMIT_QOS, given == NULL ? s->rq->at : given->value.at,
                    "QOS '%s' takes jobs with --reservation alone (RequiresReservation); slurmctld "
                    "%s refuses the job",
                    s->qos->name, plumb_series(s->ck));
    f->note_at = s->qos->at;
    f->note = "the QOS";
}

static void check_qos(struct plumb_submit *s)
{
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_QOS);

    if (s->qos != NULL)
        check_one_qos(s, s->qos->name);
    else if (given != NULL && !given->unknown &&
             memchr(given->value.text, ',', given->value.len) == NULL)
        check_one_qos(s, given->value.text);
}

static void check_state(struct plumb_submit *s)
{
    const struct plumb_setting *state = plumb_setting(&s->part->settings, PLUMB_P_PART_STATE);
    const struct plumb_given *part = plumb_given(s->rq, PLUMB_O_PARTITION);
    struct plumb_span at = part == NULL ? s->rq->at : part->value.at;
    struct plumb_fault *f = NULL;

    if (state == NULL || plumb_slice_is(&state->value, "UP"))
        return;
    if (plumb_slice_is(&state->value, "DOWN"))
        f = plumb_fault(s, PLUMB_SUBMIT_STATE, at,
                        "partition '%s' is DOWN in slurm.conf: the job is taken and waits until "
                        "someone opens it",
                        s->part->name.v);
    else
        f = plumb_fault(s, PLUMB_SUBMIT_STATE, at,
                        "partition '%s' is %s in slurm.conf; slurmctld %s refuses the job",
                        s->part->name.v, state->value.text, plumb_series(s->ck));
    f->passes = plumb_slice_is(&state->value, "DOWN");
    f->note_at = state->value.at;
    f->note = "the partition says so";
}

/* job_mgr.c:_part_access_check: PART_FLAG_NO_ROOT */
static void check_root(struct plumb_submit *s, struct plumb_span at)
{
    struct plumb_bool none =
        plumb_setting_bool(&s->part->settings, PLUMB_P_PART_DISABLEROOTJOBS, s->ck->model->release);

    if (!plumb_usable(none))
        none = plumb_setting_bool(plumb_slurm(s->ck->model), PLUMB_P_SLURM_DISABLEROOTJOBS,
                                  s->ck->model->release);
    if (plumb_usable(none) && none.v && s->user != NULL && strcmp(s->user, "root") == 0)
        plumb_fault(s, PLUMB_SUBMIT_ACCESS, at,
                    "partition '%s' takes no job of root (DisableRootJobs); slurmctld %s refuses "
                    "the job",
                    s->part->name.v, plumb_series(s->ck));
}

/* What no file tells: groups of users, and where sbatch is typed. */
static void check_untold(struct plumb_submit *s, struct plumb_span at)
{
    const struct plumb_setting *groups = name_list(s, PLUMB_P_PART_ALLOWGROUPS);
    const struct plumb_setting *hosts = name_list(s, PLUMB_P_PART_ALLOCNODES);
    const struct plumb_setting *found = groups != NULL ? groups : hosts;
    struct plumb_fault *f = NULL;

    if (found == NULL || (s->user != NULL && strcmp(s->user, "root") == 0))
        return;
    f = plumb_fault(s, PLUMB_SUBMIT_UNTOLD, at,
                    found == groups ? "partition '%s' takes jobs of the groups '%s' alone, and the "
                                      "groups of the user are not told"
                                    : "partition '%s' takes jobs that come from '%s' alone",
                    s->part->name.v, found->value.text);
    f->note_at = found->value.at;
    f->note = "the partition says so";
}

void plumb_submit_partition(struct plumb_submit *s)
{
    const struct plumb_settings *set = &s->part->settings;
    enum plumb_release r = s->ck->model->release;
    const struct plumb_given *part = plumb_given(s->rq, PLUMB_O_PARTITION);
    struct plumb_span at = part == NULL ? s->rq->at : part->value.at;
    struct plumb_bool root = plumb_setting_bool(set, PLUMB_P_PART_ROOTONLY, r);
    struct plumb_bool reserved = plumb_setting_bool(set, PLUMB_P_PART_REQRESV, r);

    check_state(s);
    if (plumb_usable(root) && root.v && s->user != NULL && strcmp(s->user, "root") != 0)
        plumb_fault(s, PLUMB_SUBMIT_ACCESS, at,
                    "partition '%s' is for root alone (RootOnly); slurmctld %s refuses the job",
                    s->part->name.v, plumb_series(s->ck));
    if (plumb_usable(reserved) && reserved.v && !s->rq->partial &&
        plumb_given(s->rq, PLUMB_O_RESERVATION) == NULL)
        plumb_fault(s, PLUMB_SUBMIT_ACCESS, at,
                    "partition '%s' takes jobs with --reservation alone (ReqResv); slurmctld %s "
                    "refuses the job",
                    s->part->name.v, plumb_series(s->ck));
    check_root(s, at);
    check_untold(s, at);
    check_accounts(s);
    check_qos(s);
    check_qos_reservation(s);
}

static bool in_reservation(const struct plumb_submit *s, const struct plumb_reservation *r)
{
    if (r->users.count == 0 && r->accounts.count == 0)
        return true;
    if (s->user == NULL)
        return true; /* nobody can tell */
    return plumb_names_has(&r->users, s->user) ||
           (s->account != NULL && plumb_names_has(&r->accounts, s->account));
}

void plumb_submit_reservation(struct plumb_submit *s)
{
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_RESERVATION);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    size_t count = 0;

    if (given == NULL || given->unknown || s->accounts == NULL)
        return;
    while (plumb_list_next(&given->value, ',', &c, &item)) {
        const char *name = plumb_arena_strndup(s->ck->arena, item.text, item.len);
        const struct plumb_reservation *r = plumb_reservation_find(s->accounts, name);
        struct plumb_fault *f = NULL;

        s->reservation = count++ == 0 ? r : NULL;
        if (r == NULL && !s->accounts->reservations_known)
            continue; /* somebody may have made it */
        if (r == NULL) {
            plumb_fault(s, PLUMB_SUBMIT_RESERVATION, item.at,
                        "there is no reservation '%s'; slurmctld %s refuses the job", name,
                        plumb_series(s->ck));
        } else if (!in_reservation(s, r)) {
            f = plumb_fault(s, PLUMB_SUBMIT_RESERVATION, item.at,
                            "reservation '%s' is not for user '%s' in account '%s'; slurmctld %s "
                            "refuses the job",
                            name, s->user, s->account == NULL ? "(none)" : s->account,
                            plumb_series(s->ck));
            f->note_at = r->users.count > 0 ? r->users_at : r->accounts_at;
            f->note = "these may use it";
        }
    }
}
