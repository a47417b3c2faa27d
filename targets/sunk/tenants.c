/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts, users and reservations as objects. */
#include <string.h>

#include "sunk/sunk.h"

/* ---- accounts ---- */

static void put_names(struct plumb_bundle *b, struct plumb_node *spec, const char *key,
                      const struct plumb_plan_names *names)
{
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    for (size_t i = 0; i < names->count; i++)
        plumb_node_append(b->a, list,
                          plumb_node_string(b->a, names->items[i].v, names->items[i].at));
    if (list->count > 0)
        plumb_node_set(b->a, spec, key, list);
}

static struct plumb_node *account(struct plumb_bundle *b, const struct plumb_plan_account *a)
{
    struct plumb_node *root = plumb_sunk_object(b, "SlurmClusterAccount", a->name.v, "accounts");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *limits = NULL;

    plumb_bundle_name_ref(b, spec, "clusterRef", b->plan->name.v);
    plumb_bundle_text(b, spec, "account", &a->name);
    plumb_bundle_text(b, spec, "parent", &a->parent);
    plumb_bundle_text(b, spec, "organization", &a->organization);
    plumb_bundle_text(b, spec, "description", &a->description);
    if (plumb_usable(a->fairshare))
        plumb_node_set(b->a, spec, "fairshare",
                       plumb_node_u64(b->a, a->fairshare.v, a->fairshare.at));
    for (size_t i = 0; i < a->limit_count; i++) {
        if (limits == NULL)
            limits = plumb_bundle_map(b, spec, "limits");
        plumb_bundle_text(b, limits, a->limits[i].option, &a->limits[i].text);
    }
    put_names(b, spec, "qos", &a->qos);
    return root;
}

/* The accounts of a user, in the order of the specification; the first is the default. */
static struct plumb_plan_names accounts_of(struct plumb_bundle *b, const char *user)
{
    struct plumb_plan_names list = {
        .items = PLUMB_NEW_ARRAY(b->a, b->plan->account_count, struct plumb_text)};

    for (size_t i = 0; i < b->plan->account_count; i++) {
        const struct plumb_plan_account *a = &b->plan->accounts[i];

        for (size_t k = 0; k < a->users.count; k++) {
            if (strcmp(a->users.items[k].v, user) == 0) {
                list.items[list.count++] = a->name;
                break;
            }
        }
    }
    return list;
}

static struct plumb_node *user_object(struct plumb_bundle *b, const struct plumb_text *user)
{
    struct plumb_node *root = plumb_sunk_object(b, "SlurmClusterUser", user->v, "accounts");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec");
    struct plumb_plan_names accounts = accounts_of(b, user->v);

    plumb_bundle_name_ref(b, spec, "clusterRef", b->plan->name.v);
    plumb_bundle_text(b, spec, "user", user);
    plumb_bundle_text(b, spec, "defaultAccount", &accounts.items[0]);
    put_names(b, spec, "accounts", &accounts);
    return root;
}

/* The account is not the first one that has this user. */
static bool is_later(const struct plumb_bundle *b, size_t account, size_t user)
{
    const struct plumb_text *u = &b->plan->accounts[account].users.items[user];

    for (size_t i = 0; i <= account; i++) {
        const struct plumb_plan_names *users = &b->plan->accounts[i].users;

        for (size_t k = 0; k < users->count && (i < account || k < user); k++) {
            if (strcmp(users->items[k].v, u->v) == 0)
                return true;
        }
    }
    return false;
}

void plumb_sunk_accounts(struct plumb_bundle *b)
{
    for (size_t i = 0; i < b->plan->account_count; i++) {
        const struct plumb_plan_account *a = &b->plan->accounts[i];

        plumb_bundle_add(
            b, plumb_arena_printf(b->a, "70-account-%s.yaml", plumb_sunk_label(b, a->name.v)),
            account(b, a));
    }
    for (size_t i = 0; i < b->plan->account_count; i++) {
        const struct plumb_plan_names *users = &b->plan->accounts[i].users;

        for (size_t k = 0; k < users->count; k++) {
            if (!is_later(b, i, k))
                plumb_bundle_add(b,
                                 plumb_arena_printf(b->a, "75-user-%s.yaml",
                                                    plumb_sunk_label(b, users->items[k].v)),
                                 user_object(b, &users->items[k]));
        }
    }
}

/* ---- reservations ---- */

void plumb_sunk_term(struct plumb_bundle *b, struct plumb_node *terms,
                     const struct plumb_kube_pick *labels, size_t count)
{
    struct plumb_node *term = plumb_node_mapping(b->a, b->plan->at);
    struct plumb_node *all = plumb_node_sequence(b->a, b->plan->at);

    for (size_t i = 0; i < count; i++) {
        struct plumb_node *e = plumb_node_mapping(b->a, labels[i].label.at);
        struct plumb_node *values = plumb_node_sequence(b->a, labels[i].value.at);

        plumb_bundle_text(b, e, "key", &labels[i].label);
        plumb_node_set_string(b->a, e, "operator", "In");
        plumb_node_append(b->a, values,
                          plumb_node_string(b->a, labels[i].value.v, labels[i].value.at));
        plumb_node_set(b->a, e, "values", values);
        plumb_node_append(b->a, all, e);
    }
    plumb_node_set(b->a, term, "matchExpressions", all);
    plumb_node_append(b->a, terms, term);
}

static bool reserves(struct plumb_bundle *b, const struct plumb_plan_reservation *r,
                     const struct plumb_set *set)
{
    return r->nodes != NULL && plumb_hostlist_intersect(b->a, set->hosts, r->nodes)->count > 0;
}

/* Its own labels, else those of each class that it takes. */
static struct plumb_node *terms_of(struct plumb_bundle *b, const struct plumb_plan_reservation *r)
{
    struct plumb_node *terms = plumb_node_sequence(b->a, b->plan->at);

    if (r->selector_count > 0)
        plumb_sunk_term(b, terms, r->selector, r->selector_count);
    for (size_t i = 0; r->selector_count == 0 && i < b->set_count; i++) {
        if (reserves(b, r, &b->sets[i]))
            plumb_sunk_term(b, terms, b->sets[i].class->selector, b->sets[i].class->selector_count);
    }
    return terms;
}

/* "a,b"; empty for none, as the guides write it. */
static void put_joined(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                       const struct plumb_plan_names *names)
{
    struct plumb_buf out = plumb_buf_in(b->a);

    for (size_t i = 0; i < names->count; i++)
        plumb_buf_printf(&out, "%s%s", i == 0 ? "" : ",", names->items[i].v);
    plumb_node_set(b->a, m, key,
                   plumb_node_string(b->a, out.len == 0 ? "" : plumb_buf_text(&out),
                                     names->count == 0 ? b->plan->at : names->items[0].at));
}

static struct plumb_node *binding(struct plumb_bundle *b, const struct plumb_plan_reservation *r)
{
    struct plumb_node *root = plumb_sunk_object(b, "ReservationBinding", r->name.v, "reservation");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *to = NULL;

    plumb_bundle_name_ref(b, spec, "clusterRef", b->plan->name.v);
    plumb_node_set(b->a, spec, "nodeSelectorTerms", terms_of(b, r));
    to = plumb_bundle_map(b, spec, "taint");
    plumb_bundle_text(b, to, "key", &r->taint.key);
    plumb_bundle_text(b, to, "value", &r->taint.value);
    plumb_bundle_text(b, to, "effect", &r->taint.effect);
    to = plumb_bundle_map(b, spec, "reservation");
    plumb_bundle_text(b, to, "name", &r->name);
    plumb_bundle_text(b, to, "startTime", &r->start);
    plumb_bundle_text(b, to, "duration", &r->duration);
    put_joined(b, to, "accounts", &r->accounts);
    put_joined(b, to, "users", &r->users);
    plumb_bundle_text(b, to, "partitions", &r->partition);
    return root;
}

void plumb_sunk_bindings(struct plumb_bundle *b)
{
    for (size_t i = 0; i < b->plan->reservation_count; i++) {
        const struct plumb_plan_reservation *r = &b->plan->reservations[i];

        if (plumb_span_known(r->taint.at))
            plumb_bundle_add(
                b, plumb_arena_printf(b->a, "80-binding-%s.yaml", plumb_sunk_label(b, r->name.v)),
                binding(b, r));
    }
}

void plumb_sunk_reserved(struct plumb_bundle *b, struct plumb_node *spec,
                         const struct plumb_set *set)
{
    struct plumb_node *list = plumb_node_get(spec, "tolerations");

    for (size_t i = 0; i < b->plan->reservation_count; i++) {
        const struct plumb_plan_reservation *r = &b->plan->reservations[i];
        struct plumb_node *one = NULL;

        if (!plumb_span_known(r->taint.at) || !reserves(b, r, set))
            continue;
        if (list == NULL) {
            list = plumb_node_sequence(b->a, r->taint.at);
            plumb_node_set(b->a, spec, "tolerations", list);
        }
        one = plumb_node_mapping(b->a, r->taint.at);
        plumb_bundle_text(b, one, "key", &r->taint.key);
        plumb_node_set_string(b->a, one, "operator", r->taint.value.v == NULL ? "Exists" : "Equal");
        plumb_bundle_text(b, one, "value", &r->taint.value);
        plumb_bundle_text(b, one, "effect", &r->taint.effect);
        plumb_node_append(b->a, list, one);
    }
}
