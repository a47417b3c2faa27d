/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass read-accounts: what slurmdbd holds, as lists of sacctmgr commands would leave it, and
 * the reservations that scontrol commands make. Commands with a variable in them are left out,
 * and so is what they would not change: descriptions, shares, coordinators.
 */
#include <string.h>

#include "base/text.h"
#include "job/job.h"
#include "passes/accounts.h"

/* The words of a command that are left. */
struct words {
    const struct plumb_job_word *items;
    size_t count;
};

static bool take(struct words *w, const struct plumb_slice **out)
{
    if (w->count == 0)
        return false;
    *out = &w->items[0].text;
    w->items++;
    w->count--;
    return true;
}

/* What the words before "set" pick, or what an add makes. */
struct picked {
    struct plumb_names names, accounts, partitions;
    struct plumb_span at;
};

enum entity { QOS, ACCOUNT, USER, OTHER };

static enum entity entity_of(const struct plumb_slice *word)
{
    if (plumb_acct_is(word, "qos", 1))
        return QOS;
    if (plumb_acct_is(word, "accounts", 3))
        return ACCOUNT;
    if (plumb_acct_is(word, "users", 1))
        return USER;
    return OTHER;
}

static bool picks(struct plumb_accounts_read *rd, enum entity e, const struct plumb_acct_pair *p,
                  struct picked *out)
{
    if (plumb_acct_is(&p->key, "names", 4) || (e == USER && plumb_acct_is(&p->key, "users", 1)))
        out->names = plumb_acct_names(rd, &p->value);
    else if (plumb_acct_is(&p->key, "accounts", 2))
        out->accounts = plumb_acct_names(rd, &p->value);
    else if (plumb_acct_is(&p->key, "partitions", 4))
        out->partitions = plumb_acct_names(rd, &p->value);
    else
        return false;
    return true;
}

static void apply_qos(struct plumb_accounts_read *rd, struct plumb_qos *q,
                      const struct plumb_acct_pair *p)
{
    if (plumb_acct_is(&p->key, "flags", 2))
        plumb_acct_qos_flags(q, p);
    else
        (void)plumb_acct_limit(rd, &q->limits, p);
}

static void apply_assoc(struct plumb_accounts_read *rd, struct plumb_assoc *a,
                        const struct plumb_acct_pair *p)
{
    if (plumb_acct_is(&p->key, "DefaultQOS", 8))
        a->default_qos =
            p->value.len == 0 || p->value.text[0] == '-' ? NULL : plumb_acct_intern(rd, &p->value);
    else if (plumb_acct_is(&p->key, "QosLevel", 3))
        plumb_acct_qos_list(rd, &a->qos, p);
    else if (plumb_acct_is(&p->key, "parent", 3) && a->user == NULL)
        a->parent = plumb_acct_intern(rd, &p->value);
    else
        (void)plumb_acct_limit(rd, &a->limits, p);
}

static void apply_user(struct plumb_accounts_read *rd, struct plumb_user *u,
                       const struct plumb_acct_pair *p)
{
    if (plumb_acct_is(&p->key, "DefaultAccount", 8))
        u->default_account = plumb_acct_intern(rd, &p->value);
    else if (plumb_acct_is(&p->key, "AdminLevel", 2))
        u->admin = p->value.len > 0 && !plumb_acct_is(&p->value, "none", 1);
}

/* Settings go to every record that was picked. */
static void apply(struct plumb_accounts_read *rd, enum entity e, const struct picked *on,
                  const struct plumb_acct_pair *p)
{
    struct plumb_accounts *a = rd->out;

    for (size_t i = 0; e == QOS && i < on->names.count; i++)
        apply_qos(rd, plumb_acct_qos(rd, on->names.items[i], on->at), p);
    for (size_t i = 0; e == USER && i < on->names.count; i++)
        apply_user(rd, plumb_acct_user(rd, on->names.items[i]), p);
    for (size_t i = 0; e != QOS && i < a->assoc_count; i++) {
        struct plumb_assoc *x = &a->assocs[i];
        const char *name = e == USER ? x->user : x->user == NULL ? x->account : NULL;

        if (name == NULL || !plumb_names_has(&on->names, name) ||
            (on->accounts.count > 0 && !plumb_names_has(&on->accounts, x->account)) ||
            (on->partitions.count > 0 &&
             (x->partition == NULL || !plumb_names_has(&on->partitions, x->partition))))
            continue;
        apply_assoc(rd, x, p);
    }
}

static void make_user(struct plumb_accounts_read *rd, const struct picked *on, const char *name)
{
    struct plumb_user *u = plumb_acct_user(rd, name);

    for (size_t i = 0; i < on->accounts.count; i++) {
        if (u->default_account == NULL)
            u->default_account = on->accounts.items[i];
        if (on->partitions.count == 0)
            (void)plumb_acct_assoc(rd, on->accounts.items[i], name, NULL, on->at);
        for (size_t k = 0; k < on->partitions.count; k++)
            (void)plumb_acct_assoc(rd, on->accounts.items[i], name, on->partitions.items[k],
                                   on->at);
    }
}

static void make(struct plumb_accounts_read *rd, enum entity e, struct picked *on)
{
    for (size_t i = 0; i < on->names.count; i++) {
        const char *name = on->names.items[i];

        if (e == QOS)
            (void)plumb_acct_qos(rd, name, on->at);
        else if (e == ACCOUNT)
            (void)plumb_acct_assoc(rd, name, NULL, NULL, on->at);
        else
            make_user(rd, on, name);
    }
    if (e == QOS)
        rd->out->qos_known = true;
    else
        rd->out->known = true;
}

/* add ENTITY NAMES key=value...: what picks the record may stand behind what is set. */
static void read_add(struct plumb_accounts_read *rd, enum entity e, struct words w)
{
    struct picked on = {.at = w.count > 0 ? w.items[0].text.at : (struct plumb_span){0}};
    struct plumb_acct_pair p;
    struct plumb_names defaults = {0};

    for (size_t i = 0; i < w.count; i++) {
        if (!plumb_acct_pair(&w.items[i].text, &p))
            on.names = plumb_acct_names(rd, &w.items[i].text);
        else if (!picks(rd, e, &p, &on) && e == USER && plumb_acct_is(&p.key, "DefaultAccount", 8))
            defaults = plumb_acct_names(rd, &p.value);
    }
    if (e == USER && on.accounts.count == 0)
        on.accounts = defaults;
    make(rd, e, &on);
    for (size_t i = 0; i < w.count; i++) {
        struct picked none = {0};

        if (plumb_acct_pair(&w.items[i].text, &p) && !picks(rd, e, &p, &none))
            apply(rd, e, &on, &p);
    }
}

static void read_modify(struct plumb_accounts_read *rd, enum entity e, struct words w)
{
    struct picked on = {.at = w.count > 0 ? w.items[0].text.at : (struct plumb_span){0}};
    struct plumb_acct_pair p;
    bool set = false;

    for (size_t i = 0; i < w.count; i++) {
        const struct plumb_slice *word = &w.items[i].text;
        bool pair = plumb_acct_pair(word, &p);

        if (!pair && plumb_slice_is(word, "set"))
            set = true;
        else if (!pair && plumb_slice_is(word, "where"))
            set = false;
        else if (set && pair)
            apply(rd, e, &on, &p);
        else if (pair)
            (void)picks(rd, e, &p, &on);
        else
            on.names = plumb_acct_names(rd, word);
    }
}

static void read_sacctmgr(struct plumb_accounts_read *rd, struct words w)
{
    const struct plumb_slice *verb = NULL, *entity = NULL;

    while (take(&w, &verb) && verb->len > 0 && verb->text[0] == '-')
        verb = NULL;
    if (verb == NULL || !take(&w, &entity) || entity_of(entity) == OTHER)
        return;
    if (plumb_acct_is(verb, "add", 1) || plumb_acct_is(verb, "create", 1))
        read_add(rd, entity_of(entity), w);
    else if (plumb_acct_is(verb, "modify", 1) || plumb_acct_is(verb, "update", 1))
        read_modify(rd, entity_of(entity), w);
}

static void read_reservation(struct plumb_accounts_read *rd, struct words w)
{
    struct plumb_accounts *a = rd->out;
    struct plumb_reservation r = {0};
    struct plumb_acct_pair p;

    for (size_t i = 0; i < w.count; i++) {
        if (!plumb_acct_pair(&w.items[i].text, &p))
            continue;
        if (plumb_acct_is(&p.key, "ReservationName", 4)) {
            r.name = plumb_acct_intern(rd, &p.value);
            r.at = w.items[i].text.at;
        } else if (plumb_acct_is(&p.key, "Users", 1)) {
            r.users = plumb_acct_names(rd, &p.value);
            r.users_at = w.items[i].text.at;
        } else if (plumb_acct_is(&p.key, "Accounts", 1)) {
            r.accounts = plumb_acct_names(rd, &p.value);
            r.accounts_at = w.items[i].text.at;
        } else if (plumb_slice_is(&p.key, "Nodes") && !plumb_slice_is(&p.value, "ALL")) {
            r.nodes = plumb_hostlist_read(rd->session, &p.value, rd->session->sink.release);
        } else if (plumb_acct_is(&p.key, "PartitionName", 4)) {
            r.partition = plumb_acct_intern(rd, &p.value);
        }
    }
    if (r.name == NULL)
        return;
    a->reservations = plumb_arena_grow(rd->session->arena, a->reservations, a->reservation_count,
                                       &a->reservation_cap, sizeof(*a->reservations));
    a->reservations[a->reservation_count++] = r;
    a->reservations_known = true;
}

static void read_scontrol(struct plumb_accounts_read *rd, struct words w)
{
    const struct plumb_slice *verb = NULL, *entity = NULL;

    if (take(&w, &verb) && take(&w, &entity) && plumb_acct_is(verb, "create", 2) &&
        plumb_acct_is(entity, "reservations", 3))
        read_reservation(rd, w);
}

static void read_commands(struct plumb_accounts_read *rd, const struct plumb_source *src)
{
    struct plumb_job_commands commands = {0};

    plumb_job_commands_read(rd->session, src, &commands);
    for (size_t i = 0; i < commands.count; i++) {
        struct words w = {commands.items[i].items, commands.items[i].count};
        const struct plumb_slice *name = NULL;
        bool unknown = false;

        for (size_t k = 0; k < w.count; k++)
            unknown = unknown || w.items[k].unknown;
        if (unknown || !take(&w, &name))
            continue;
        if (plumb_slice_is_exact(name, "sacctmgr"))
            read_sacctmgr(rd, w);
        else if (plumb_slice_is_exact(name, "scontrol"))
            read_scontrol(rd, w);
    }
}

void plumb_pass_read_accounts(struct plumb_run *r)
{
    struct plumb_accounts_read rd = {
        .session = r->session,
        .out = PLUMB_NEW(r->session->arena, struct plumb_accounts),
    };
    bool any = false;

    /* slurmdbd makes the QOS normal and the account root itself. */
    (void)plumb_acct_qos(&rd, plumb_intern_str(r->session->intern, "normal"),
                         (struct plumb_span){0});
    if (r->spec != NULL)
        any = plumb_acct_read_spec(&rd, r->spec);
    if (r->kube != NULL)
        any = plumb_acct_read_kube(&rd, r) || any;
    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (in->kind != PLUMB_KIND_ACCOUNTS || in->src == NULL)
            continue;
        any = true;
        if (plumb_acct_is_dump(in->src))
            plumb_acct_read_dump(&rd, in->src);
        else
            read_commands(&rd, in->src);
    }
    if (any)
        r->model->accounts = rd.out;
}
