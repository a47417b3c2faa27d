/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Section reservations: what slurmctld refuses of it, and what operators make of it. Facts:
 * slurmctld/reservation.c, create_resv.
 */
#include <string.h>

#include "passes/resolve_kube.h"
#include "schema/value.h"

#define UNKNOWN(rs, at, ...)                                                                       \
    plumb_diag_new(&(rs)->s->sink, plumb_spec_rule(PLUMB_SPEC_RESERVED), (at), __VA_ARGS__)

/* ---- against the rest ---- */

static const struct plumb_hostlist *nodes_of(struct plumb_resolve *rs, const char *name,
                                             const struct plumb_spec_value *v)
{
    const struct plumb_hostlist *nodes = NULL, *strangers = NULL;

    if (v == NULL)
        return NULL;
    if (v->count == 1 && plumb_slice_is(&v->items[0].text, "all"))
        return rs->m->all_nodes;
    nodes = plumb_resolve_named(rs, v);
    if (nodes == NULL)
        return NULL;
    strangers = plumb_hostlist_minus(rs->a, nodes, rs->m->all_nodes);
    if (strangers->count == 0)
        return nodes;
    UNKNOWN(rs, v->at, "reservation '%s' takes %s, which no class has; slurmctld refuses it", name,
            plumb_hostlist_str(rs->a, strangers));
    return NULL;
}

static void check_partition(struct plumb_resolve *rs, const struct plumb_plan_reservation *r)
{
    for (size_t i = 0; r->partition.v != NULL && i < rs->m->partition_count; i++) {
        if (strcmp(rs->m->partitions[i].name.v, r->partition.v) == 0)
            return;
    }
    if (r->partition.v != NULL && rs->m->partition_count > 0)
        UNKNOWN(rs, r->partition.at,
                "there is no partition '%s', expected one such as '%s'; slurmctld refuses the "
                "reservation",
                r->partition.v, rs->m->partitions[0].name.v);
}

static void check_accounts(struct plumb_resolve *rs, const struct plumb_plan_reservation *r)
{
    const struct plumb_spec_value *all = plumb_plan_get(&rs->spec->root, "accounting/accounts");

    for (size_t i = 0; all != NULL && all->count > 0 && i < r->accounts.count; i++) {
        if (plumb_spec_get(all, r->accounts.items[i].v) == NULL &&
            strcmp(r->accounts.items[i].v, "root") != 0)
            UNKNOWN(rs, r->accounts.items[i].at,
                    "there is no account '%s', expected one such as '%s'; nobody can use the "
                    "reservation, and where associations are enforced slurmctld refuses it",
                    r->accounts.items[i].v, all->items[0].name);
    }
}

/* ---- one ---- */

static struct plumb_text duration_of(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    enum { MINUTE = 60000000 };
    struct plumb_buf b = plumb_buf_in(rs->a);

    if (v == NULL)
        return (struct plumb_text){0};
    if (!v->unlimited && v->number % MINUTE != 0)
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_WHOLE), v->at,
                       "'%.*s' is no whole number of minutes, in which Slurm counts",
                       (int)v->text.len, v->text.text);
    if (v->unlimited)
        plumb_buf_str(&b, "infinite");
    else
        plumb_value_write_minutes(&b, v->number / MINUTE);
    return (struct plumb_text){.v = plumb_buf_text(&b), .at = v->at, .origin = PLUMB_GIVEN};
}

static struct plumb_kube_tolerance taint_of(struct plumb_resolve *rs,
                                            const struct plumb_spec_value *v)
{
    if (v == NULL)
        return (struct plumb_kube_tolerance){0};
    return (struct plumb_kube_tolerance){
        .key = plumb_plan_text(rs, v, "key"),
        .value = plumb_plan_text(rs, v, "value"),
        .effect = plumb_plan_text(rs, v, "effect"),
        .at = v->key_at,
    };
}

static void resolve_one(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                        struct plumb_plan_reservation *r)
{
    const struct plumb_spec_value *accounts = plumb_plan_get(v, "accounts");
    const struct plumb_spec_value *users = plumb_plan_get(v, "users");

    *r = (struct plumb_plan_reservation){
        .name = {.v = v->name, .at = v->key_at, .origin = PLUMB_GIVEN},
        .start = plumb_plan_text(rs, v, "start"),
        .duration = duration_of(rs, plumb_plan_get(v, "duration")),
        .accounts = plumb_plan_list(rs, accounts),
        .users = plumb_plan_list(rs, users),
        .partition = plumb_plan_text(rs, v, "partition"),
        .taint = taint_of(rs, plumb_plan_get(v, "taint")),
    };
    r->nodes = nodes_of(rs, v->name, plumb_plan_get(v, "nodes"));
    r->selector_count =
        plumb_plan_labels(rs, plumb_plan_get(v, "kubernetes/selector"), &r->selector);
    if (r->start.v == NULL)
        r->start = (struct plumb_text){.v = "now", .at = v->key_at, .origin = PLUMB_DEFAULTED};
    if (plumb_spec_get(v, "accounts") == NULL && plumb_spec_get(v, "users") == NULL)
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_FOR_NOBODY), v->key_at,
                       "reservation '%s' is for no account and no user, expected 'accounts' or "
                       "'users'; slurmctld refuses it",
                       v->name);
    check_partition(rs, r);
    check_accounts(rs, r);
}

void plumb_plan_reservations(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *all = plumb_plan_get(&rs->spec->root, "reservations");

    if (all == NULL)
        return;
    rs->reservations = PLUMB_NEW_ARRAY(rs->a, all->count, struct plumb_plan_reservation);
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].shape == PLUMB_SHAPE_MAP && all->items[i].origin != PLUMB_BAD)
            resolve_one(rs, &all->items[i], &rs->reservations[rs->reservation_count++]);
    }
}
