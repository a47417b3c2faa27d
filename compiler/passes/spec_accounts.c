/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts, users, QOS and their limits as a specification gives them. */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "passes/accounts.h"
#include "spec/tree.h"
#include "syntax/node.h"

#define MINUTE UINT64_C(60000000) /* microseconds */

/* Keys of limits: ("grp_tres"), each a mapping of resources. */
static const struct {
    const char *key;
    enum plumb_tres_limit limit;
} tres_keys[] = {
    {"grp_tres", PLUMB_GRP_TRES},
    {"grp_tres_minutes", PLUMB_GRP_TRES_MINS},
    {"grp_tres_run_minutes", PLUMB_GRP_TRES_RUN_MINS},
    {"max_tres", PLUMB_MAX_TRES_JOB},
    {"max_tres_per_job", PLUMB_MAX_TRES_JOB},
    {"max_tres_per_node", PLUMB_MAX_TRES_NODE},
    {"max_tres_per_user", PLUMB_MAX_TRES_USER},
    {"max_tres_per_account", PLUMB_MAX_TRES_ACCOUNT},
    {"max_tres_minutes", PLUMB_MAX_TRES_MINS_JOB},
    {"min_tres_per_job", PLUMB_MIN_TRES_JOB},
};

/* "gpu" is gres/gpu; what Slurm names itself keeps its name. */
static const char *tres_name(struct plumb_accounts_read *rd, const struct plumb_slice *name)
{
    static const char *const own[] = {"cpu", "mem", "node", "energy", "billing"};
    const char *text = plumb_acct_intern(rd, name);

    if (strcmp(text, "memory") == 0)
        return plumb_intern_str(rd->session->intern, "mem");
    for (size_t i = 0; i < PLUMB_COUNT(own); i++) {
        if (strcmp(text, own[i]) == 0)
            return text;
    }
    if (strchr(text, '/') != NULL)
        return text;
    return plumb_intern_str(rd->session->intern,
                            plumb_arena_printf(rd->session->arena, "gres/%s", text));
}

static void read_resources(struct plumb_accounts_read *rd, const struct plumb_node *map,
                           struct plumb_tres_list *l)
{
    for (size_t i = 0; map->kind == PLUMB_MAPPING && i < map->count; i++) {
        const struct plumb_slice *key = &map->pairs[i].key->scalar;
        const struct plumb_node *value = map->pairs[i].value;
        uint64_t v = 0;

        if (value->kind != PLUMB_SCALAR ||
            !plumb_read_u64(value->scalar.text, value->scalar.len, &v))
            continue; /* a unit, or a fault: nothing is said about it */
        l->items =
            plumb_arena_grow(rd->session->arena, l->items, l->count, &l->cap, sizeof(*l->items));
        l->items[l->count++] = (struct plumb_tres){
            .name = tres_name(rd, key), .v = v, .at = plumb_span_join(key->at, value->scalar.at)};
    }
}

static void read_limits(struct plumb_accounts_read *rd, const struct plumb_spec_value *entry,
                        struct plumb_limits *out)
{
    const struct plumb_spec_value *limits = plumb_spec_get(entry, "limits");

    for (size_t i = 0; limits != NULL && limits->node != NULL && i < PLUMB_COUNT(tres_keys); i++) {
        const struct plumb_node *map = limits->node->kind == PLUMB_MAPPING
                                           ? plumb_node_get(limits->node, tres_keys[i].key)
                                           : NULL;

        if (map != NULL)
            read_resources(rd, map, &out->tres[tres_keys[i].limit]);
    }
}

static bool is_given(const struct plumb_spec_value *v)
{
    return v != NULL && v->origin == PLUMB_GIVEN;
}

static void read_qos(struct plumb_accounts_read *rd, const struct plumb_spec_value *entry)
{
    struct plumb_qos *q = plumb_acct_qos(rd, entry->name, entry->key_at);
    const struct plumb_spec_value *wall = plumb_spec_get(entry, "max_wall");
    const struct plumb_spec_value *flags = plumb_spec_get(entry, "flags");

    q->at = entry->key_at;
    if (is_given(wall) && !wall->unlimited)
        q->limits.max_wall =
            (struct plumb_u64){.v = wall->number / MINUTE, .at = wall->at, .origin = PLUMB_GIVEN};
    for (size_t i = 0; is_given(flags) && i < flags->count; i++) {
        struct plumb_acct_pair one = {.value = flags->items[i].text, .sign = '+'};

        plumb_acct_qos_flags(q, &one);
    }
    read_limits(rd, entry, &q->limits);
}

static struct plumb_names names_of(struct plumb_accounts_read *rd,
                                   const struct plumb_spec_value *list)
{
    struct plumb_names out = {0};

    for (size_t i = 0; i < list->count; i++) {
        out.items = plumb_arena_grow(rd->session->arena, out.items, out.count, &out.cap,
                                     sizeof(*out.items));
        out.items[out.count++] = plumb_acct_intern(rd, &list->items[i].text);
    }
    return out;
}

static void read_account(struct plumb_accounts_read *rd, const struct plumb_spec_value *entry)
{
    const struct plumb_spec_value *parent = plumb_spec_get(entry, "parent");
    const struct plumb_spec_value *users = plumb_spec_get(entry, "users");
    const struct plumb_spec_value *qos = plumb_spec_get(entry, "qos");
    struct plumb_assoc *a = plumb_acct_assoc(rd, entry->name, NULL, NULL, entry->key_at);

    if (is_given(parent))
        a->parent = plumb_acct_intern(rd, &parent->text);
    if (is_given(qos))
        a->qos = (struct plumb_qos_list){.names = names_of(rd, qos), .at = qos->at, .set = true};
    read_limits(rd, entry, &a->limits);
    for (size_t i = 0; is_given(users) && i < users->count; i++) {
        const char *name = plumb_acct_intern(rd, &users->items[i].text);
        struct plumb_user *u = plumb_acct_user(rd, name);

        if (u->default_account == NULL)
            u->default_account = entry->name;
        (void)plumb_acct_assoc(rd, entry->name, name, NULL, users->items[i].at);
        rd->out->known = true; /* users are listed here, and not elsewhere alone */
    }
}

/* Its nodes are a matter of the classes, which nobody has resolved here: not told. */
static void read_reservation(struct plumb_accounts_read *rd, const struct plumb_spec_value *entry)
{
    const struct plumb_spec_value *accounts = plumb_spec_get(entry, "accounts");
    const struct plumb_spec_value *users = plumb_spec_get(entry, "users");
    const struct plumb_spec_value *partition = plumb_spec_get(entry, "partition");
    struct plumb_accounts *a = rd->out;
    struct plumb_reservation r = {.name = entry->name, .at = entry->key_at};

    if (is_given(accounts)) {
        r.accounts = names_of(rd, accounts);
        r.accounts_at = accounts->at;
    }
    if (is_given(users)) {
        r.users = names_of(rd, users);
        r.users_at = users->at;
    }
    if (is_given(partition))
        r.partition = plumb_acct_intern(rd, &partition->text);
    a->reservations = plumb_arena_grow(rd->session->arena, a->reservations, a->reservation_count,
                                       &a->reservation_cap, sizeof(*a->reservations));
    a->reservations[a->reservation_count++] = r;
    a->reservations_known = true;
}

bool plumb_acct_read_spec(struct plumb_accounts_read *rd, const struct plumb_spec *spec)
{
    const struct plumb_spec_value *qos = plumb_spec_path(&spec->root, "accounting/qos");
    const struct plumb_spec_value *accounts = plumb_spec_path(&spec->root, "accounting/accounts");
    const struct plumb_spec_value *reservations = plumb_spec_path(&spec->root, "reservations");

    for (size_t i = 0; is_given(qos) && i < qos->count; i++)
        read_qos(rd, &qos->items[i]);
    rd->out->qos_known = is_given(qos);
    for (size_t i = 0; is_given(accounts) && i < accounts->count; i++)
        read_account(rd, &accounts->items[i]);
    for (size_t i = 0; is_given(reservations) && i < reservations->count; i++)
        read_reservation(rd, &reservations->items[i]);
    return is_given(qos) || is_given(accounts) || is_given(reservations);
}
