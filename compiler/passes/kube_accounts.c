/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounts, users and reservations that objects of SUNK make. QOS have no object, and a reservation
 * without a taint has none: what is not here may be there all the same.
 */
#include <string.h>

#include "passes/accounts.h"
#include "passes/assemble.h"

static const char *text_at(struct plumb_accounts_read *rd, const struct plumb_kube_object *o,
                           const char *path)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);

    return n == NULL || n->kind != PLUMB_SCALAR || n->scalar.len == 0
               ? NULL
               : plumb_acct_intern(rd, &n->scalar);
}

static struct plumb_span place_at(const struct plumb_kube_object *o, const char *path)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);

    return n == NULL ? o->name_at : n->at;
}

static struct plumb_names list_of(struct plumb_accounts_read *rd, const struct plumb_node *list)
{
    struct plumb_names out = {0};

    for (uint32_t i = 0; list->kind == PLUMB_SEQUENCE && i < list->count; i++) {
        if (list->items[i]->kind != PLUMB_SCALAR || list->items[i]->scalar.len == 0)
            continue;
        out.items = plumb_arena_grow(rd->session->arena, out.items, out.count, &out.cap,
                                     sizeof(*out.items));
        out.items[out.count++] = plumb_acct_intern(rd, &list->items[i]->scalar);
    }
    return out;
}

static void read_account(struct plumb_accounts_read *rd, const struct plumb_kube_object *o)
{
    const char *name = text_at(rd, o, "spec/account");
    const struct plumb_node *limits = plumb_assemble_at(o, "spec/limits");
    const struct plumb_node *qos = plumb_assemble_at(o, "spec/qos");
    struct plumb_assoc *a = NULL;

    if (name == NULL)
        return;
    a = plumb_acct_assoc(rd, name, NULL, NULL, place_at(o, "spec/account"));
    a->parent = text_at(rd, o, "spec/parent");
    if (qos != NULL)
        a->qos = (struct plumb_qos_list){.names = list_of(rd, qos), .at = qos->at, .set = true};
    for (uint32_t i = 0; limits != NULL && limits->kind == PLUMB_MAPPING && i < limits->count;
         i++) {
        const struct plumb_pair *p = &limits->pairs[i];
        struct plumb_acct_pair pair = {.key = p->key->scalar, .value = p->value->scalar};

        if (p->key->kind == PLUMB_SCALAR && p->value->kind == PLUMB_SCALAR)
            (void)plumb_acct_limit(rd, &a->limits, &pair);
    }
}

static void read_user(struct plumb_accounts_read *rd, const struct plumb_kube_object *o)
{
    const char *name = text_at(rd, o, "spec/user");
    const char *first = text_at(rd, o, "spec/defaultAccount");
    const struct plumb_node *accounts = plumb_assemble_at(o, "spec/accounts");
    struct plumb_names all = {0};

    if (name == NULL || accounts == NULL)
        return;
    all = list_of(rd, accounts);
    for (size_t i = 0; i < all.count; i++)
        (void)plumb_acct_assoc(rd, all.items[i], name, NULL, place_at(o, "spec/user"));
    /* sacctmgr(1): the first account of a user is the default one. */
    if (first == NULL && all.count > 0)
        first = all.items[0];
    plumb_acct_user(rd, name)->default_account = first;
    rd->out->known = true;
}

static void read_binding(struct plumb_accounts_read *rd, const struct plumb_kube_object *o)
{
    const struct plumb_node *accounts = plumb_assemble_at(o, "spec/reservation/accounts");
    const struct plumb_node *users = plumb_assemble_at(o, "spec/reservation/users");
    struct plumb_accounts *a = rd->out;
    struct plumb_reservation r = {
        .name = text_at(rd, o, "spec/reservation/name"),
        .at = place_at(o, "spec/reservation/name"),
        .partition = text_at(rd, o, "spec/reservation/partitions"),
    };

    if (r.name == NULL)
        return;
    if (accounts != NULL && accounts->kind == PLUMB_SCALAR && accounts->scalar.len > 0) {
        r.accounts = plumb_acct_names(rd, &accounts->scalar);
        r.accounts_at = accounts->at;
    }
    if (users != NULL && users->kind == PLUMB_SCALAR && users->scalar.len > 0) {
        r.users = plumb_acct_names(rd, &users->scalar);
        r.users_at = users->at;
    }
    a->reservations = plumb_arena_grow(rd->session->arena, a->reservations, a->reservation_count,
                                       &a->reservation_cap, sizeof(*a->reservations));
    a->reservations[a->reservation_count++] = r;
}

static const struct {
    const char *kind;
    void (*read)(struct plumb_accounts_read *rd, const struct plumb_kube_object *o);
} kinds[] = {
    {"SlurmClusterAccount", read_account},
    {"SlurmClusterUser", read_user},
    {"ReservationBinding", read_binding},
};

bool plumb_acct_read_kube(struct plumb_accounts_read *rd, const struct plumb_run *r)
{
    const struct plumb_kube_object *cluster = r->assembled[0];
    bool any = false;

    for (size_t k = 0; cluster != NULL && k < PLUMB_COUNT(kinds); k++) {
        for (size_t i = 0; i < r->kube->count; i++) {
            if (plumb_kube_owner_of(cluster) != PLUMB_KUBE_SUNK ||
                !plumb_assemble_is_of(&r->kube->items[i], cluster, kinds[k].kind))
                continue;
            kinds[k].read(rd, &r->kube->items[i]);
            any = true;
        }
    }
    return any;
}
