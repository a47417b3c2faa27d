/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan of the objects of SUNK: SlurmCluster, NodeSet, Login, accounts, users and bindings of
 * reservations.
 */
#include <string.h>

#include "base/text.h"
#include "kube/value.h"
#include "passes/lift_kube_plan.h"

/* ---- the cluster ---- */

static void lift_login(struct plumb_said *pl, const struct plumb_kube_object *o, const char *at)
{
    struct plumb_kube_plan *p = pl->p;

    p->logins = plumb_said_count(o, plumb_arena_printf(pl->l->a, "%s/replicas", at));
    p->login_image = plumb_said_text(pl, o, plumb_arena_printf(pl->l->a, "%s/image", at));
    p->ssh_keys.name = plumb_said_text(pl, o, plumb_arena_printf(pl->l->a, "%s/sshKeysSecret", at));
}

static void lift_cluster(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    struct plumb_kube_plan *p = pl->p;

    p->name = plumb_said_text(pl, cluster, "metadata/name");
    p->space = plumb_said_text(pl, cluster, "metadata/namespace");
    p->controller_image = plumb_said_text(pl, cluster, "spec/controller/image");
    p->storage_class =
        plumb_said_text(pl, cluster, "spec/controller/stateSaveLocation/pvc/storageClassName");
    p->state_bytes = plumb_said_bytes(cluster, "spec/controller/stateSaveLocation/pvc/size");
    p->database_bytes = plumb_said_bytes(cluster, "spec/database/size");
    p->identity = plumb_said_text(pl, cluster, "spec/authConfig/type");
    p->identity_host = plumb_said_text(pl, cluster, "spec/authConfig/ldapHost");
    p->backup = plumb_assemble_count(cluster, "spec/controller/replicas", 1) > 1;
    if (plumb_kube_true(plumb_assemble_at(cluster, "spec/prologEpilog/enabled")))
        p->hooks = plumb_said_text(pl, cluster, "spec/prologEpilog/configMap");
    if (plumb_assemble_at(cluster, "spec/login") != NULL)
        lift_login(pl, cluster, "spec/login");
}

/* ---- reservations ---- */

/* "a,b" as names. */
static struct plumb_plan_names split(struct plumb_said *pl, const struct plumb_text *words)
{
    struct plumb_plan_names all = {0};
    size_t cap = 0;

    for (const char *at = words->v; at != NULL && *at != '\0';) {
        size_t len = strcspn(at, ",");

        all.items = plumb_arena_grow(pl->l->a, all.items, all.count, &cap, sizeof(all.items[0]));
        all.items[all.count] = *words;
        all.items[all.count++].v = plumb_arena_strndup(pl->l->a, at, len);
        at += len + (at[len] == ',');
    }
    return all;
}

static void lift_reservation(struct plumb_said *pl, const struct plumb_kube_object *o,
                             struct plumb_plan_reservation *r)
{
    struct plumb_text accounts = plumb_said_text(pl, o, "spec/reservation/accounts");
    struct plumb_text users = plumb_said_text(pl, o, "spec/reservation/users");
    const struct plumb_node *taint = plumb_assemble_at(o, "spec/taint");

    r->name = plumb_said_text(pl, o, "spec/reservation/name");
    r->start = plumb_said_text(pl, o, "spec/reservation/startTime");
    r->duration = plumb_said_text(pl, o, "spec/reservation/duration");
    r->partition = plumb_said_text(pl, o, "spec/reservation/partitions");
    r->accounts = split(pl, &accounts);
    r->users = split(pl, &users);
    r->taint.key = plumb_said_text(pl, o, "spec/taint/key");
    r->taint.value = plumb_said_text(pl, o, "spec/taint/value");
    r->taint.effect = plumb_said_text(pl, o, "spec/taint/effect");
    if (taint != NULL)
        r->taint.at = taint->at;
    r->selector_count =
        plumb_said_term(pl, plumb_assemble_at(o, "spec/nodeSelectorTerms"), &r->selector);
}

static void lift_reservations(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    const struct plumb_kube_objects *all = pl->l->run->kube;
    struct plumb_plan_reservation *rows = NULL;
    size_t count = 0, cap = 0;

    for (size_t i = 0; i < all->count; i++) {
        if (!plumb_assemble_is_of(&all->items[i], cluster, "ReservationBinding"))
            continue;
        rows = plumb_arena_grow(pl->l->a, rows, count, &cap, sizeof(rows[0]));
        rows[count] = (struct plumb_plan_reservation){0};
        lift_reservation(pl, &all->items[i], &rows[count++]);
    }
    pl->p->reservations = rows;
    pl->p->reservation_count = count;
}

/* ---- accounts ---- */

static void lift_limits(struct plumb_said *pl, const struct plumb_node *limits,
                        struct plumb_plan_account *a)
{
    if (limits == NULL || limits->kind != PLUMB_MAPPING)
        return;
    a->limits = PLUMB_NEW_ARRAY(pl->l->a, limits->count, struct plumb_plan_limit);
    for (uint32_t i = 0; i < limits->count; i++)
        a->limits[a->limit_count++] = (struct plumb_plan_limit){
            plumb_node_text(limits->pairs[i].key), plumb_kube_text(pl->l, limits->pairs[i].value)};
}

/* Users of an account, each from an object of its own; the default account comes first there. */
static void lift_users(struct plumb_said *pl, const struct plumb_kube_object *cluster,
                       struct plumb_plan_account *a)
{
    const struct plumb_kube_objects *all = pl->l->run->kube;
    size_t cap = 0;

    for (size_t i = 0; i < all->count; i++) {
        struct plumb_plan_names accounts;

        if (!plumb_assemble_is_of(&all->items[i], cluster, "SlurmClusterUser"))
            continue;
        accounts = plumb_said_names(pl, &all->items[i], "spec/accounts");
        for (size_t k = 0; a->name.v != NULL && k < accounts.count; k++) {
            if (accounts.items[k].v == NULL || strcmp(accounts.items[k].v, a->name.v) != 0)
                continue;
            a->users.items = plumb_arena_grow(pl->l->a, a->users.items, a->users.count, &cap,
                                              sizeof(a->users.items[0]));
            a->users.items[a->users.count++] = plumb_said_text(pl, &all->items[i], "spec/user");
        }
    }
}

static void lift_accounts(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    const struct plumb_kube_objects *all = pl->l->run->kube;
    struct plumb_plan_account *rows = NULL;
    size_t count = 0, cap = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_kube_object *o = &all->items[i];
        struct plumb_plan_account a = {0};

        if (!plumb_assemble_is_of(o, cluster, "SlurmClusterAccount"))
            continue;
        a.name = plumb_said_text(pl, o, "spec/account");
        a.parent = plumb_said_text(pl, o, "spec/parent");
        a.organization = plumb_said_text(pl, o, "spec/organization");
        a.description = plumb_said_text(pl, o, "spec/description");
        a.fairshare = plumb_said_count(o, "spec/fairshare");
        a.qos = plumb_said_names(pl, o, "spec/qos");
        lift_limits(pl, plumb_assemble_at(o, "spec/limits"), &a);
        lift_users(pl, cluster, &a);
        rows = plumb_arena_grow(pl->l->a, rows, count, &cap, sizeof(rows[0]));
        rows[count++] = a;
    }
    pl->p->accounts = rows;
    pl->p->account_count = count;
}

/* ---- classes ---- */

/* The toleration lets pods onto machines that a reservation keeps for itself. */
static bool is_for_reservation(const struct plumb_kube_plan *p,
                               const struct plumb_kube_tolerance *t)
{
    for (size_t i = 0; i < p->reservation_count; i++) {
        const struct plumb_kube_tolerance *taint = &p->reservations[i].taint;

        if (plumb_span_known(taint->at) && plumb_said_same(&taint->key, &t->key) &&
            plumb_said_same(&taint->value, &t->value) &&
            plumb_said_same(&taint->effect, &t->effect))
            return true;
    }
    return false;
}

static void lift_class(struct plumb_said *pl, const struct plumb_kube_object *o,
                       struct plumb_kube_class *class)
{
    size_t kept = 0;

    plumb_said_class(pl, class, plumb_assemble_at(o, "spec/nodeSelector/matchLabels"),
                     plumb_assemble_at(o, "spec/tolerations"));
    for (size_t i = 0; i < class->tolerations.count; i++) {
        if (!is_for_reservation(pl->p, &class->tolerations.items[i]))
            class->tolerations.items[kept++] = class->tolerations.items[i];
    }
    class->tolerations.count = kept;
    if (pl->p->worker_image.v == NULL)
        pl->p->worker_image = plumb_said_text(pl, o, "spec/image");
}

void plumb_said_sunk(struct plumb_said *pl, const struct plumb_kube_object *cluster)
{
    const struct plumb_kube_objects *all = pl->l->run->kube;

    lift_cluster(pl, cluster);
    for (size_t i = 0; i < all->count; i++) {
        if (!plumb_assemble_is_of(&all->items[i], cluster, "Login"))
            continue;
        lift_login(pl, &all->items[i], "spec");
        pl->p->login_service = plumb_said_text(pl, &all->items[i], "spec/service/type");
    }
    lift_reservations(pl, cluster);
    lift_accounts(pl, cluster);
    plumb_said_classes(pl, lift_class);
}
