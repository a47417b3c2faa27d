/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts of a specification for an operator that makes them: limits in the words of sacctmgr. */
#include <string.h>

#include "passes/resolve_kube.h"
#include "syntax/node.h"

/* Keys of limits, and what sacctmgr(1) calls them for an account. */
static const struct {
    const char *key, *option;
} options[] = {
    {"grp_jobs", "GrpJobs"},
    {"grp_submit_jobs", "GrpSubmitJobs"},
    {"grp_tres", "GrpTRES"},
    {"grp_tres_minutes", "GrpTRESMins"},
    {"grp_tres_run_minutes", "GrpTRESRunMins"},
    {"max_jobs", "MaxJobs"},
    {"max_submit_jobs", "MaxSubmitJobs"},
    {"max_tres", "MaxTRES"},
    {"max_tres_minutes", "MaxTRESMins"},
    {"max_tres_per_job", "MaxTRES"},
    {"max_tres_per_node", "MaxTRESPerNode"},
};

static const char *option_of(const char *key)
{
    for (size_t i = 0; i < PLUMB_COUNT(options); i++) {
        if (strcmp(options[i].key, key) == 0)
            return options[i].option;
    }
    return NULL;
}

/* "gpu" is gres/gpu; what Slurm names itself keeps its name. */
static const char *tres_of(struct plumb_resolve *rs, const char *name)
{
    static const char *const own[] = {"cpu", "mem", "node", "energy", "billing"};

    if (strcmp(name, "memory") == 0)
        return "mem";
    for (size_t i = 0; i < PLUMB_COUNT(own); i++) {
        if (strcmp(name, own[i]) == 0)
            return name;
    }
    return strchr(name, '/') != NULL ? name : plumb_arena_printf(rs->a, "gres/%s", name);
}

/* "gres/gpu=32,cpu=64"; NULL: not all of it is a number. */
static const char *value_of(struct plumb_resolve *rs, const struct plumb_node *n)
{
    struct plumb_buf b = plumb_buf_in(rs->a);

    if (n->kind == PLUMB_SCALAR)
        return plumb_node_text(n);
    for (uint32_t i = 0; n->kind == PLUMB_MAPPING && i < n->count; i++) {
        const char *value = plumb_node_text(n->pairs[i].value);

        if (value == NULL)
            return NULL;
        plumb_buf_printf(&b, "%s%s=%s", i == 0 ? "" : ",",
                         tres_of(rs, n->pairs[i].key->scalar.text), value);
    }
    return b.len == 0 ? NULL : plumb_buf_text(&b);
}

static void resolve_limits(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                           struct plumb_plan_account *a)
{
    const struct plumb_node *map = v == NULL ? NULL : v->node;

    if (map == NULL || map->kind != PLUMB_MAPPING)
        return;
    a->limits = PLUMB_NEW_ARRAY(rs->a, map->count, struct plumb_plan_limit);
    for (uint32_t i = 0; i < map->count; i++) {
        const struct plumb_node *key = map->pairs[i].key;
        const char *option = option_of(key->scalar.text);
        const char *text = value_of(rs, map->pairs[i].value);

        if (option == NULL || text == NULL) {
            NOT_IN_FLAVOUR(rs, key->at,
                           "'%s' is no limit of an account%s, it would be lost: expected one such "
                           "as grp_tres, max_jobs or grp_tres_minutes, with numbers",
                           key->scalar.text, option == NULL ? "" : " with this value");
            continue;
        }
        a->limits[a->limit_count++] = (struct plumb_plan_limit){
            option, {.v = text, .at = map->pairs[i].value->at, .origin = PLUMB_GIVEN}};
    }
}

static void resolve_one(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                        struct plumb_plan_account *a)
{
    const struct plumb_spec_value *fairshare = plumb_plan_get(v, "fairshare");

    *a = (struct plumb_plan_account){
        .name = {.v = v->name, .at = v->key_at, .origin = PLUMB_GIVEN},
        .parent = plumb_plan_text(rs, v, "parent"),
        .organization = plumb_plan_text(rs, v, "organization"),
        .description = plumb_plan_text(rs, v, "description"),
        .qos = plumb_plan_list(rs, plumb_plan_get(v, "qos")),
        .users = plumb_plan_list(rs, plumb_plan_get(v, "users")),
    };
    if (fairshare != NULL)
        a->fairshare =
            (struct plumb_u64){.v = fairshare->number, .at = fairshare->at, .origin = PLUMB_GIVEN};
    resolve_limits(rs, plumb_plan_get(v, "limits"), a);
}

void plumb_plan_accounts(struct plumb_resolve *rs, struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *all = plumb_plan_get(&rs->spec->root, "accounting/accounts");
    struct plumb_plan_account *accounts = NULL;

    if (all == NULL)
        return;
    accounts = PLUMB_NEW_ARRAY(rs->a, all->count, struct plumb_plan_account);
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].shape == PLUMB_SHAPE_MAP && all->items[i].origin != PLUMB_BAD)
            resolve_one(rs, &all->items[i], &accounts[p->account_count++]);
    }
    p->accounts = accounts;
}
