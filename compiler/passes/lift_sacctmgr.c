/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of sacctmgr to the same records that commands and dumps of sacctmgr become, so that both
 * are read by one reader of limits (accounts.c). A header names an option of sacctmgr in fewer
 * letters; what a table has no column for is not known.
 */
#include <string.h>

#include "base/text.h"
#include "passes/accounts.h"
#include "passes/live.h"

struct lifter {
    struct plumb_accounts_read rd;
    struct plumb_live *live;
    const struct plumb_live_file *file;
    const char *cluster; /* whose associations count; NULL: any */
};

/* The cell of a header; NULL: there is no such column. */
static const struct plumb_slice *cell(const struct lifter *l, const struct plumb_live_row *row,
                                      const char *header)
{
    for (size_t i = 0; i < l->file->header_count; i++) {
        if (plumb_slice_is(&l->file->headers[i], header))
            return &row->cells[i];
    }
    return NULL;
}

static const char *word(struct lifter *l, const struct plumb_slice *text)
{
    return text == NULL || text->len == 0 ? NULL : plumb_acct_intern(&l->rd, text);
}

/* Options whose headers say less: of a QOS, MaxTRES is per job. */
static const char *option_of(const struct plumb_slice *header)
{
    static const char *const pairs[][2] = {
        {"GrpSubmit", "GrpSubmitJobs"},
        {"MaxTRESPA", "MaxTRESPerAccount"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(pairs); i++) {
        if (plumb_slice_is(header, pairs[i][0]))
            return pairs[i][1];
    }
    return header->text;
}

/* Jobs are counted for users, accounts and all together, which limits.max_jobs does not tell apart.
 */
static bool is_job_count(const struct plumb_slice *header)
{
    return plumb_acct_is(header, "MaxJobs", 7) || plumb_slice_is(header, "MaxJobsPU") ||
           plumb_slice_is(header, "MaxJobsPA") || plumb_slice_is(header, "GrpJobs") ||
           plumb_slice_is(header, "MaxSubmitPA");
}

static void read_limits(struct lifter *l, const struct plumb_live_row *row, struct plumb_limits *to,
                        struct plumb_live_columns *columns)
{
    struct plumb_arena *a = l->rd.session->arena;
    bool first = columns->count == 0;

    for (size_t i = 0; i < l->file->header_count; i++) {
        const struct plumb_slice *header = &l->file->headers[i];
        const char *option = option_of(header);
        struct plumb_acct_pair pair = {.key = *header, .value = row->cells[i]};

        if (is_job_count(header))
            continue;
        if (option != header->text) {
            pair.key.text = option;
            pair.key.len = (uint32_t)strlen(option);
        }
        pair.key.at = pair.value.at;
        if (!plumb_acct_limit(&l->rd, to, &pair) || !first)
            continue;
        columns->items = plumb_arena_grow(a, columns->items, columns->count, &columns->cap,
                                          sizeof(*columns->items));
        columns->items[columns->count++] = plumb_acct_intern(&l->rd, &pair.key);
    }
}

static void lift_qos(struct lifter *l, const struct plumb_live_row *row)
{
    struct plumb_accounts *out = l->rd.out;
    const struct plumb_slice *name = cell(l, row, "Name"), *flags = cell(l, row, "Flags");
    struct plumb_qos q = {.name = word(l, name)};

    if (q.name == NULL)
        return;
    q.at = name->at;
    read_limits(l, row, &q.limits, &l->live->qos_columns);
    if (flags != NULL)
        plumb_acct_qos_flags(&q, &(struct plumb_acct_pair){.key = *flags, .value = *flags});
    out->qos =
        plumb_arena_grow(l->rd.session->arena, out->qos, out->qos_count, &out->qos_cap, sizeof(q));
    out->qos[out->qos_count++] = q;
}

static void lift_assoc(struct lifter *l, const struct plumb_live_row *row)
{
    struct plumb_accounts *out = l->rd.out;
    const struct plumb_slice *account = cell(l, row, "Account"), *user = cell(l, row, "User");
    const struct plumb_slice *qos = cell(l, row, "QOS"), *cluster = cell(l, row, "Cluster");
    struct plumb_assoc a = {.account = word(l, account), .user = word(l, user)};

    /* One slurmdbd may serve several clusters. */
    if (a.account == NULL || (l->cluster != NULL && cluster != NULL && cluster->len > 0 &&
                              !plumb_slice_is(cluster, l->cluster)))
        return;
    a.partition = word(l, cell(l, row, "Partition"));
    a.at = a.user != NULL ? user->at : account->at;
    read_limits(l, row, &a.limits, &l->live->assoc_columns);
    if (qos != NULL)
        plumb_acct_qos_list(&l->rd, &a.qos, &(struct plumb_acct_pair){.key = *qos, .value = *qos});
    a.default_qos = word(l, cell(l, row, "Def QOS"));
    out->assocs = plumb_arena_grow(l->rd.session->arena, out->assocs, out->assoc_count,
                                   &out->assoc_cap, sizeof(a));
    out->assocs[out->assoc_count++] = a;
}

static void lift_user(struct lifter *l, const struct plumb_live_row *row)
{
    struct plumb_accounts *out = l->rd.out;
    const struct plumb_slice *admin = cell(l, row, "Admin");
    struct plumb_user u = {.name = word(l, cell(l, row, "User")),
                           .default_account = word(l, cell(l, row, "Def Acct"))};

    if (u.name == NULL)
        return;
    u.admin = admin != NULL && admin->len > 0 && !plumb_slice_is(admin, "None");
    out->users = plumb_arena_grow(l->rd.session->arena, out->users, out->user_count, &out->user_cap,
                                  sizeof(u));
    out->users[out->user_count++] = u;
}

static void add_text(struct lifter *l, struct plumb_text **items, size_t *count, size_t *cap,
                     const char *text, struct plumb_span at)
{
    *items = plumb_arena_grow(l->rd.session->arena, *items, *count, cap, sizeof(**items));
    (*items)[(*count)++] = (struct plumb_text){.v = text, .at = at, .origin = PLUMB_GIVEN};
}

/* "gres|gpu|1001" is gres/gpu, "cpu||1" is cpu. */
static void lift_tres(struct lifter *l, const struct plumb_live_row *row)
{
    const char *type = word(l, cell(l, row, "Type")), *name = word(l, cell(l, row, "Name"));

    if (type == NULL)
        return;
    if (name != NULL)
        type = plumb_intern_str(l->rd.session->intern,
                                plumb_arena_printf(l->rd.session->arena, "%s/%s", type, name));
    add_text(l, &l->live->tres, &l->live->tres_count, &l->live->tres_cap, type,
             cell(l, row, "Type")->at);
}

static void lift_cluster(struct lifter *l, const struct plumb_live_row *row)
{
    const char *name = word(l, cell(l, row, "Cluster"));

    if (name != NULL)
        add_text(l, &l->live->clusters, &l->live->cluster_count, &l->live->cluster_cap, name,
                 cell(l, row, "Cluster")->at);
}

/* What a table of accounts has, those of associations have too. */
static const struct {
    void (*lift)(struct lifter *l, const struct plumb_live_row *row); /* NULL: nothing to take */
    enum plumb_live_accounts has;
} lifts[PLUMB_LIVE_TABLES] = {
    [PLUMB_LIVE_QOS] = {lift_qos, PLUMB_LIVE_HAS_QOS},
    [PLUMB_LIVE_ASSOCS] = {lift_assoc, PLUMB_LIVE_HAS_ASSOCS},
    [PLUMB_LIVE_USERS] = {lift_user, PLUMB_LIVE_HAS_USERS},
    [PLUMB_LIVE_ACCOUNTS] = {NULL, PLUMB_LIVE_HAS_ACCOUNTS},
    [PLUMB_LIVE_CLUSTERS] = {lift_cluster, PLUMB_LIVE_HAS_CLUSTERS},
    [PLUMB_LIVE_TRES] = {lift_tres, PLUMB_LIVE_HAS_TRES},
};

void plumb_lift_sacctmgr(struct plumb_run *r, struct plumb_live *live)
{
    struct lifter l = {
        .rd = {.session = r->session, .out = PLUMB_NEW(r->session->arena, struct plumb_accounts)},
        .live = live,
        .cluster = r->model == NULL ? NULL : r->model->cluster.v,
    };

    for (size_t i = 0; i < r->input_count; i++) {
        l.file = r->inputs[i].live;
        if (l.file == NULL || l.file->kind != PLUMB_LIVE_SACCTMGR ||
            l.file->table == PLUMB_LIVE_TABLES)
            continue;
        live->accounts_shown |= lifts[l.file->table].has;
        live->accounts = l.rd.out;
        if (live->accounts_at.file == 0)
            live->accounts_at = l.file->headers[0].at;
        for (size_t k = 0; lifts[l.file->table].lift != NULL && k < l.file->row_count; k++)
            lifts[l.file->table].lift(&l, &l.file->rows[k]);
    }
}
