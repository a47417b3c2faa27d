/* SPDX-License-Identifier: Apache-2.0 */
/* Records and limits of accounting, shared by commands and dumps of sacctmgr. */
#include "passes/accounts.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "schema/value.h"

bool plumb_acct_pair(const struct plumb_slice *word, struct plumb_acct_pair *out)
{
    const char *equals = memchr(word->text, '=', word->len);
    size_t at = equals == NULL ? 0 : (size_t)(equals - word->text), end = at, len = word->len;

    if (equals == NULL || at == 0)
        return false;
    out->sign = '\0';
    if (word->text[at - 1] == '+' || word->text[at - 1] == '-')
        out->sign = word->text[--end];
    out->key = plumb_slice_sub(word, 0, end);
    at++;
    if (len > at + 1 && (word->text[at] == '\'' || word->text[at] == '"') &&
        word->text[len - 1] == word->text[at]) {
        at++;
        len--;
    }
    out->value = plumb_slice_sub(word, at, len);
    return true;
}

bool plumb_acct_is(const struct plumb_slice *key, const char *word, size_t min)
{
    return key->len >= min && key->len <= strlen(word) &&
           plumb_equal_nocase(key->text, word, key->len);
}

const char *plumb_acct_intern(struct plumb_accounts_read *rd, const struct plumb_slice *text)
{
    return plumb_intern_text(rd->session->intern, text->text, text->len);
}

static void add_name(struct plumb_accounts_read *rd, struct plumb_names *names, const char *name)
{
    names->items = plumb_arena_grow(rd->session->arena, names->items, names->count, &names->cap,
                                    sizeof(*names->items));
    names->items[names->count++] = name;
}

struct plumb_names plumb_acct_names(struct plumb_accounts_read *rd, const struct plumb_slice *list)
{
    struct plumb_names out = {0};
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (plumb_list_next(list, ',', &c, &item))
        add_name(rd, &out, plumb_acct_intern(rd, &item));
    return out;
}

/* mem counts in MiB, or with a unit; gpu limits count devices. */
static bool read_amount(const struct plumb_slice *v, bool memory, uint64_t *out)
{
    size_t digits = plumb_read_digits(v->text, v->len, out);
    char unit = digits < v->len ? plumb_lower(v->text[digits]) : '\0';

    if (digits == 0 || digits == SIZE_MAX)
        return false;
    if (memory && unit == 'k')
        *out /= 1024;
    else if (memory && unit == 'g')
        return plumb_mul_u64(*out, 1024, out);
    else if (memory && unit == 't')
        return plumb_mul_u64(*out, UINT64_C(1024) * 1024, out);
    else if (!memory && unit == 'k')
        return plumb_mul_u64(*out, 1024, out);
    return true;
}

/* One "gres/gpu=4"; -1 takes the limit away. */
static void put_tres(struct plumb_accounts_read *rd, struct plumb_tres_list *l,
                     const struct plumb_acct_pair *pair)
{
    const char *name = plumb_acct_intern(rd, &pair->key);
    uint64_t v = 0;
    bool gone = pair->value.len > 0 && pair->value.text[0] == '-';
    size_t i = 0;

    while (i < l->count && !plumb_same_nocase(l->items[i].name, name))
        i++;
    if (gone && i < l->count)
        l->items[i] = l->items[--l->count];
    if (gone || !read_amount(&pair->value, plumb_same_nocase(name, "mem"), &v))
        return;
    if (i == l->count) {
        l->items =
            plumb_arena_grow(rd->session->arena, l->items, l->count, &l->cap, sizeof(*l->items));
        l->count++;
    }
    l->items[i] = (struct plumb_tres){
        .name = name, .v = v, .at = plumb_span_join(pair->key.at, pair->value.at)};
}

static void read_tres(struct plumb_accounts_read *rd, struct plumb_tres_list *l,
                      const struct plumb_slice *list)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    struct plumb_acct_pair pair;

    while (plumb_list_next(list, ',', &c, &item)) {
        if (plumb_acct_pair(&item, &pair))
            put_tres(rd, l, &pair);
    }
}

/* Names of one limit on several resources (sacctmgr(1)); Max without Per means the job. */
static const struct {
    const char *word;
    enum plumb_tres_limit limit;
} tres_limits[] = {
    {"GrpTRES", PLUMB_GRP_TRES},
    {"GrpTRESMins", PLUMB_GRP_TRES_MINS},
    {"GrpTRESRunMins", PLUMB_GRP_TRES_RUN_MINS},
    {"MaxTRES", PLUMB_MAX_TRES_JOB},
    {"MaxTRESPerJob", PLUMB_MAX_TRES_JOB},
    {"MaxTRESPJ", PLUMB_MAX_TRES_JOB},
    {"MaxTRESPerNode", PLUMB_MAX_TRES_NODE},
    {"MaxTRESPN", PLUMB_MAX_TRES_NODE},
    {"MaxTRESPerUser", PLUMB_MAX_TRES_USER},
    {"MaxTRESPU", PLUMB_MAX_TRES_USER},
    {"MaxTRESPerAccount", PLUMB_MAX_TRES_ACCOUNT},
    {"MaxTRESPA", PLUMB_MAX_TRES_ACCOUNT},
    {"MaxTRESMins", PLUMB_MAX_TRES_MINS_JOB},
    {"MaxTRESMinsPerJob", PLUMB_MAX_TRES_MINS_JOB},
    {"MinTRES", PLUMB_MIN_TRES_JOB},
    {"MinTRESPerJob", PLUMB_MIN_TRES_JOB},
    {"MinTRESPJ", PLUMB_MIN_TRES_JOB},
};

/* Limits on one resource, of older days. */
static const struct {
    const char *word;
    enum plumb_tres_limit limit;
    const char *tres;
} single_limits[] = {
    {"GrpCPUs", PLUMB_GRP_TRES, "cpu"},
    {"GrpNodes", PLUMB_GRP_TRES, "node"},
    {"GrpMem", PLUMB_GRP_TRES, "mem"},
    {"GrpMemory", PLUMB_GRP_TRES, "mem"},
    {"GrpCPUMins", PLUMB_GRP_TRES_MINS, "cpu"},
    {"GrpCPURunMins", PLUMB_GRP_TRES_RUN_MINS, "cpu"},
    {"MaxCPUs", PLUMB_MAX_TRES_JOB, "cpu"},
    {"MaxCPUsPerJob", PLUMB_MAX_TRES_JOB, "cpu"},
    {"MaxNodes", PLUMB_MAX_TRES_JOB, "node"},
    {"MaxNodesPerJob", PLUMB_MAX_TRES_JOB, "node"},
    {"MaxCPUsPerUser", PLUMB_MAX_TRES_USER, "cpu"},
    {"MaxNodesPerUser", PLUMB_MAX_TRES_USER, "node"},
    {"MinCPUs", PLUMB_MIN_TRES_JOB, "cpu"},
    {"MinCPUsPerJob", PLUMB_MIN_TRES_JOB, "cpu"},
};

static void put_number(struct plumb_u64 *field, const struct plumb_acct_pair *pair, bool time)
{
    uint64_t v = 0;
    bool fits = time ? plumb_value_minutes(&pair->value, &v) == PLUMB_VALUE_OK
                     : plumb_read_u64(pair->value.text, pair->value.len, &v);

    if (pair->value.len > 0 && pair->value.text[0] == '-')
        *field = (struct plumb_u64){0};
    else if (fits)
        *field = (struct plumb_u64){
            .v = v, .at = plumb_span_join(pair->key.at, pair->value.at), .origin = PLUMB_GIVEN};
}

bool plumb_acct_limit(struct plumb_accounts_read *rd, struct plumb_limits *l,
                      const struct plumb_acct_pair *pair)
{
    static const char *const submit[] = {"MaxSubmitJobs", "MaxSubmitJobsPerUser", "MaxSubmitPU",
                                         "MaxSubmitJobsPU", "MaxSubmit"};
    static const char *const jobs[] = {"MaxJobs",           "MaxJobsPerUser", "MaxJobsPU",
                                       "MaxJobsPerAccount", "MaxJobsPA",      "GrpJobs"};

    for (size_t i = 0; i < PLUMB_COUNT(tres_limits); i++) {
        if (plumb_slice_is(&pair->key, tres_limits[i].word)) {
            read_tres(rd, &l->tres[tres_limits[i].limit], &pair->value);
            return true;
        }
    }
    for (size_t i = 0; i < PLUMB_COUNT(single_limits); i++) {
        struct plumb_acct_pair one = *pair;

        if (!plumb_slice_is(&pair->key, single_limits[i].word))
            continue;
        one.key.text = single_limits[i].tres;
        one.key.len = (uint32_t)strlen(one.key.text);
        put_tres(rd, &l->tres[single_limits[i].limit], &one);
        return true;
    }
    for (size_t i = 0; i < PLUMB_COUNT(submit); i++) {
        if (plumb_slice_is(&pair->key, submit[i])) {
            put_number(&l->max_submit, pair, false);
            return true;
        }
    }
    for (size_t i = 0; i < PLUMB_COUNT(jobs); i++) {
        if (plumb_slice_is(&pair->key, jobs[i])) {
            put_number(&l->max_jobs, pair, false);
            return true;
        }
    }
    if (plumb_slice_is(&pair->key, "MaxWall") ||
        plumb_slice_is(&pair->key, "MaxWallDurationPerJob"))
        put_number(&l->max_wall, pair, true);
    else if (plumb_acct_is(&pair->key, "GrpSubmitJobs", 9))
        put_number(&l->grp_submit, pair, false);
    else
        return false;
    return true;
}

void plumb_acct_qos_list(struct plumb_accounts_read *rd, struct plumb_qos_list *l,
                         const struct plumb_acct_pair *pair)
{
    struct plumb_slice value = pair->value;
    char sign = pair->sign;
    struct plumb_names names;

    if (sign == '\0' && value.len > 1 && (value.text[0] == '+' || value.text[0] == '-')) {
        sign = value.text[0];
        value = plumb_slice_sub(&value, 1, value.len);
    }
    names = plumb_acct_names(rd, &value);
    l->at = plumb_span_join(pair->key.at, pair->value.at);
    if (sign == '\0') {
        l->names = names;
        l->set = true;
        return;
    }
    for (size_t i = 0; i < names.count; i++) {
        size_t k = 0;

        while (k < l->names.count && !plumb_same_nocase(l->names.items[k], names.items[i]))
            k++;
        if (sign == '+' && k == l->names.count)
            add_name(rd, &l->names, names.items[i]);
        else if (sign == '-' && k < l->names.count)
            l->names.items[k] = l->names.items[--l->names.count];
    }
    /* Added to what is inherited: the names are kept, and the list stays open. */
}

void plumb_acct_qos_flags(struct plumb_qos *q, const struct plumb_acct_pair *pair)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    bool on = pair->sign != '-';

    if (pair->sign == '\0')
        q->deny_on_limit = q->over_part_qos = q->part_max_node = q->part_min_node =
            q->part_time_limit = q->needs_reservation = false;
    while (plumb_list_next(&pair->value, ',', &c, &item)) {
        if (plumb_slice_is(&item, "DenyOnLimit"))
            q->deny_on_limit = on;
        else if (plumb_slice_is(&item, "OverPartQOS"))
            q->over_part_qos = on;
        else if (plumb_slice_is(&item, "PartitionMaxNodes"))
            q->part_max_node = on;
        else if (plumb_slice_is(&item, "PartitionMinNodes"))
            q->part_min_node = on;
        else if (plumb_slice_is(&item, "PartitionTimeLimit"))
            q->part_time_limit = on;
        else if (plumb_slice_is(&item, "RequiresReservation"))
            q->needs_reservation = on;
    }
}

struct plumb_qos *plumb_acct_qos(struct plumb_accounts_read *rd, const char *name,
                                 struct plumb_span at)
{
    struct plumb_accounts *a = rd->out;

    for (size_t i = 0; i < a->qos_count; i++) {
        if (plumb_same_nocase(a->qos[i].name, name))
            return &a->qos[i];
    }
    a->qos =
        plumb_arena_grow(rd->session->arena, a->qos, a->qos_count, &a->qos_cap, sizeof(*a->qos));
    a->qos[a->qos_count] = (struct plumb_qos){.name = name, .at = at};
    return &a->qos[a->qos_count++];
}

struct plumb_user *plumb_acct_user(struct plumb_accounts_read *rd, const char *name)
{
    struct plumb_accounts *a = rd->out;

    for (size_t i = 0; i < a->user_count; i++) {
        if (plumb_same_nocase(a->users[i].name, name))
            return &a->users[i];
    }
    a->users = plumb_arena_grow(rd->session->arena, a->users, a->user_count, &a->user_cap,
                                sizeof(*a->users));
    a->users[a->user_count] = (struct plumb_user){.name = name};
    return &a->users[a->user_count++];
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : plumb_same_nocase(a, b);
}

struct plumb_assoc *plumb_acct_assoc(struct plumb_accounts_read *rd, const char *account,
                                     const char *user, const char *partition, struct plumb_span at)
{
    struct plumb_accounts *a = rd->out;

    for (size_t i = 0; i < a->assoc_count; i++) {
        struct plumb_assoc *x = &a->assocs[i];

        if (same(x->account, account) && same(x->user, user) && same(x->partition, partition))
            return x;
    }
    a->assocs = plumb_arena_grow(rd->session->arena, a->assocs, a->assoc_count, &a->assoc_cap,
                                 sizeof(*a->assocs));
    a->assocs[a->assoc_count] =
        (struct plumb_assoc){.account = account, .user = user, .partition = partition, .at = at};
    return &a->assocs[a->assoc_count++];
}
