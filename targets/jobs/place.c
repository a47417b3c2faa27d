/* SPDX-License-Identifier: Apache-2.0 */
/* The partition of a template, and what a job must say to be taken there. */
#include <string.h>

#include "base/text.h"
#include "jobs/jobs.h"
#include "model/accounts.h"
#include "schema/value.h"

enum { USUAL_MINUTES = 60 };

static const struct plumb_setting *said(const struct plumb_partition *p, enum plumb_param_id id)
{
    const struct plumb_setting *s = plumb_setting(&p->settings, id);

    return s == NULL || plumb_slice_is(&s->value, "ALL") ? NULL : s;
}

static bool is_true(const struct plumb_model *m, const struct plumb_partition *p,
                    enum plumb_param_id id)
{
    struct plumb_bool b = plumb_setting_bool(&p->settings, id, m->release);

    return plumb_usable(b) && b.v;
}

/* A limit that is written; unlimited where it is not. */
static uint64_t limit(const struct plumb_model *m, const struct plumb_partition *p,
                      enum plumb_param_id id)
{
    struct plumb_u64 v = plumb_setting_u64(&p->settings, id, m->release);

    return plumb_setting(&p->settings, id) == NULL || !plumb_usable(v) ? PLUMB_UNLIMITED : v.v;
}

static uint64_t least_nodes(const struct plumb_model *m, const struct plumb_partition *p)
{
    uint64_t n = limit(m, p, PLUMB_P_PART_MINNODES);

    return n == PLUMB_UNLIMITED ? 0 : n;
}

/* Anybody may use it now. */
static bool is_open(const struct plumb_model *m, const struct plumb_partition *p)
{
    const struct plumb_setting *state = plumb_setting(&p->settings, PLUMB_P_PART_STATE);

    return plumb_usable(p->name) && p->nodes != NULL &&
           (state == NULL || plumb_slice_is(&state->value, "UP")) &&
           said(p, PLUMB_P_PART_ALLOWGROUPS) == NULL && said(p, PLUMB_P_PART_ALLOCNODES) == NULL &&
           !is_true(m, p, PLUMB_P_PART_ROOTONLY) && !is_true(m, p, PLUMB_P_PART_REQRESV);
}

static uint64_t nodes_in(const struct plumb_emit *em, const struct plumb_partition *p,
                         const struct plumb_nodes *n)
{
    return plumb_hostlist_intersect(em->session->arena, p->nodes, n->hosts)->count;
}

/*
 * Every job gets all cores and GPUs of its nodes: with cores left over in a socket, the next task
 * begins there and ends in another, and a step for some GPUs has others than the job would have
 * (seen with 22.05.8, 24.11.5 and 26.05.5).
 */
static bool gives_whole_nodes(const struct plumb_partition *p)
{
    const struct plumb_setting *over = plumb_setting(&p->settings, PLUMB_P_PART_OVERSUBSCRIBE);
    const struct plumb_setting *own = plumb_setting(&p->settings, PLUMB_P_PART_EXCLUSIVE);

    return (over != NULL && plumb_slice_is(&over->value, "EXCLUSIVE")) ||
           (own != NULL && plumb_slice_is(&own->value, "NODE"));
}

static bool takes(const struct plumb_emit *em, const struct plumb_partition *p,
                  const struct plumb_jobs_size *size)
{
    const struct plumb_model *m = em->model;

    return is_open(m, p) && (size->whole || !gives_whole_nodes(p)) &&
           least_nodes(m, p) <= size->nodes && limit(m, p, PLUMB_P_PART_MAXNODES) >= size->nodes &&
           limit(m, p, PLUMB_P_PART_MAXCPUSPERNODE) >= size->cpus;
}

static const char *first_item(struct plumb_arena *a, const struct plumb_setting *list)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (list != NULL && plumb_list_next(&list->value, ',', &c, &item)) {
        if (item.len > 0)
            return plumb_arena_strndup(a, item.text, item.len);
    }
    return NULL;
}

static bool may_use(const struct plumb_partition *p, const char *account)
{
    const struct plumb_setting *allow = said(p, PLUMB_P_PART_ALLOWACCOUNTS);
    const struct plumb_setting *deny = plumb_setting(&p->settings, PLUMB_P_PART_DENYACCOUNTS);

    if (allow != NULL)
        return plumb_list_find(&allow->value, account, NULL);
    return deny == NULL || !plumb_list_find(&deny->value, account, NULL);
}

/* An account with users is one that jobs run in; others stand above such. */
static bool has_users(const struct plumb_accounts *accounts, const char *account)
{
    for (size_t i = 0; i < accounts->assoc_count; i++) {
        if (accounts->assocs[i].user != NULL &&
            plumb_same_nocase(accounts->assocs[i].account, account))
            return true;
    }
    return false;
}

static void set_account(const struct plumb_emit *em, struct plumb_jobs_place *out)
{
    const struct plumb_accounts *accounts = em->model->accounts;
    struct plumb_buf all = plumb_buf_in(em->session->arena);
    const char *any = NULL;

    for (size_t i = 0; accounts != NULL && i < accounts->assoc_count; i++) {
        const struct plumb_assoc *a = &accounts->assocs[i];

        if (a->user != NULL || plumb_same_nocase(a->account, "root") ||
            !may_use(out->partition, a->account))
            continue;
        plumb_buf_printf(&all, "%s%s", all.len > 0 ? ", " : "", a->account);
        any = any == NULL ? a->account : any;
        if (out->account == NULL && has_users(accounts, a->account))
            out->account = a->account;
    }
    if (out->account == NULL)
        out->account = any != NULL ? any
                                   : first_item(em->session->arena,
                                                said(out->partition, PLUMB_P_PART_ALLOWACCOUNTS));
    out->accounts = all.len > 0 ? plumb_buf_text(&all) : NULL;
}

/* Its default, and never more than its limit. */
static uint64_t minutes_of(const struct plumb_partition *p)
{
    uint64_t minutes = USUAL_MINUTES;

    if (plumb_usable(p->default_time_min) && p->default_time_min.v != PLUMB_UNLIMITED &&
        p->default_time_min.v > 0)
        minutes = p->default_time_min.v;
    if (plumb_usable(p->max_time_min) && p->max_time_min.v < minutes)
        minutes = p->max_time_min.v;
    return minutes;
}

static bool same_gpus(const struct plumb_nodes *x, const struct plumb_nodes *y)
{
    for (size_t i = 0; i < x->gres_count; i++) {
        for (size_t k = 0; k < y->gres_count; k++) {
            if (strcmp(x->gres[i].name, "gpu") == 0 && strcmp(y->gres[k].name, "gpu") == 0 &&
                (x->gres[i].type == NULL || y->gres[k].type == NULL ||
                 plumb_same_nocase(x->gres[i].type, y->gres[k].type)))
                return true;
        }
    }
    return false;
}

/* Some other class of the partition where the same request could end, with cores elsewhere. */
static bool others_fit(const struct plumb_emit *em, const struct plumb_partition *p,
                       const struct plumb_nodes *n, const struct plumb_slice *without)
{
    for (size_t i = 0; i < em->model->node_count; i++) {
        const struct plumb_nodes *o = &em->model->nodes[i];

        if (o == n || o->hosts == NULL || !same_gpus(n, o) || nodes_in(em, p, o) == 0)
            continue;
        if (without == NULL || plumb_node_has_feature(o, without))
            return true;
    }
    return false;
}

/* A feature that no such class has. */
static const char *own_feature(const struct plumb_emit *em, const struct plumb_partition *p,
                               const struct plumb_nodes *n)
{
    const struct plumb_setting *features = plumb_node_features(n);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    if (!others_fit(em, p, n, NULL))
        return NULL;
    while (features != NULL && plumb_list_next(&features->value, ',', &c, &item)) {
        if (item.len > 0 && !others_fit(em, p, n, &item))
            return plumb_arena_strndup(em->session->arena, item.text, item.len);
    }
    return NULL;
}

bool plumb_jobs_place_of(const struct plumb_emit *em, const struct plumb_nodes *n,
                         const struct plumb_jobs_size *size, struct plumb_jobs_place *out)
{
    const struct plumb_model *m = em->model;

    *out = (struct plumb_jobs_place){0};
    for (size_t i = 0; n->hosts != NULL && i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        bool better = out->partition == NULL ||
                      (plumb_usable(p->is_default) && p->is_default.v &&
                       !(plumb_usable(out->partition->is_default) && out->partition->is_default.v));

        if (!better || !takes(em, p, size) || nodes_in(em, p, n) < size->nodes)
            continue;
        out->partition = p;
        out->nodes = nodes_in(em, p, n);
    }
    if (out->partition == NULL)
        return false;
    out->qos = first_item(em->session->arena, said(out->partition, PLUMB_P_PART_ALLOWQOS));
    out->constraint = own_feature(em, out->partition, n);
    out->minutes = minutes_of(out->partition);
    set_account(em, out);
    return true;
}
