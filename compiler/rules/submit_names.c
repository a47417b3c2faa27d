/* SPDX-License-Identifier: Apache-2.0 */
/* Names and counts of a request that do not depend on its partition. */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/submit.h"

/* job_mgr.c:_valid_array_inx */
static void check_array(struct plumb_submit *s)
{
    struct plumb_u64 size = plumb_global_u64(s->ck, PLUMB_P_SLURM_MAXARRAYSIZE);
    const struct plumb_setting *params = plumb_global(s->ck, PLUMB_P_SLURM_SCHEDULERPARAMETERS);
    const struct plumb_request *rq = s->rq;
    struct plumb_slice item;
    struct plumb_fault *f = NULL;
    uint64_t most = 0;

    if (rq->array_tasks == 0 || !plumb_usable(size))
        return;
    if (rq->array_last.v >= size.v) {
        f = plumb_fault(s, PLUMB_SUBMIT_ARRAY, rq->array_last.at,
                        "index %llu of the array is above %llu, the highest that MaxArraySize %llu "
                        "allows; slurmctld %s refuses the job",
                        (unsigned long long)rq->array_last.v,
                        (unsigned long long)(size.v == 0 ? 0 : size.v - 1),
                        (unsigned long long)size.v, plumb_series(s->ck));
        f->note_at = size.at;
        f->note = "the cluster says so";
    } else if (params != NULL && plumb_list_u64(&params->value, "max_array_tasks=", &item, &most) &&
               rq->array_tasks > most) {
        f = plumb_fault(s, PLUMB_SUBMIT_ARRAY, rq->array_last.at,
                        "the array has %llu tasks, max_array_tasks allows %llu; slurmctld %s "
                        "refuses the job",
                        (unsigned long long)rq->array_tasks, (unsigned long long)most,
                        plumb_series(s->ck));
        f->note_at = item.at;
        f->note = "the cluster says so";
    }
}

/* job_mgr.c:_test_job_desc_fields */
static void check_size(struct plumb_submit *s)
{
    const struct plumb_setting *params = plumb_global(s->ck, PLUMB_P_SLURM_SCHEDULERPARAMETERS);
    const struct plumb_request *rq = s->rq;
    struct plumb_span at = rq->script;
    uint64_t size = at.end - at.begin, most = 0;
    struct plumb_slice item = {0};
    struct plumb_fault *f = NULL;
    bool set = params != NULL && plumb_list_u64(&params->value, "max_script_size=", &item, &most);

    if (!set)
        most = UINT64_C(4) * 1024 * 1024;
    if (rq->command != PLUMB_SBATCH || rq->inner || rq->component != 0 || size <= most)
        return;
    at.end = at.begin + 2;
    f = plumb_fault(s, PLUMB_SUBMIT_SIZE, at,
                    "the script has %llu bytes, expected %llu at most%s; slurmctld %s refuses the "
                    "job",
                    (unsigned long long)size, (unsigned long long)most,
                    set ? " by max_script_size" : "", plumb_series(s->ck));
    if (set) {
        f->note_at = item.at;
        f->note = "the cluster says so";
    }
}

/* How many of a license the cluster has; false: not told there. */
static bool license_total(const struct plumb_submit *s, const struct plumb_slice *name,
                          uint64_t *out)
{
    const struct plumb_setting *set = plumb_global(s->ck, PLUMB_P_SLURM_LICENSES);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (set != NULL && plumb_list_next(&set->value, ',', &c, &item)) {
        const char *sign = memchr(item.text, ':', item.len);
        size_t len = 0;

        if (sign == NULL)
            sign = memchr(item.text, '=', item.len);
        len = sign == NULL ? item.len : (size_t)(sign - item.text);
        if (len != name->len || memcmp(item.text, name->text, len) != 0)
            continue;
        *out = 1;
        if (sign != NULL)
            (void)plumb_read_digits(sign + 1, item.len - len - 1, out);
        return true;
    }
    return false;
}

/* licenses.c:_build_license_list; names with a server are told by slurmdbd. */
static void check_license(struct plumb_submit *s, const struct plumb_slice *item,
                          struct plumb_map *sums)
{
    struct plumb_map_entry *sum = NULL;
    const char *sign = memchr(item->text, ':', item->len);
    struct plumb_slice name;
    uint64_t wanted = 1, total = 0;
    size_t len = 0;

    if (memchr(item->text, '@', item->len) != NULL)
        return;
    if (sign == NULL)
        sign = memchr(item->text, '=', item->len);
    len = sign == NULL ? item->len : (size_t)(sign - item->text);
    name = plumb_slice_sub(item, 0, len);
    if (sign != NULL)
        (void)plumb_read_digits(sign + 1, item->len - len - 1, &wanted);
    sum = plumb_map_entry(sums, name.text, name.len); /* named twice: added up */
    if (sum->value == NULL)
        sum->value = PLUMB_NEW(s->ck->scratch, uint64_t);
    if (!plumb_add_u64(*(uint64_t *)sum->value, wanted, &wanted))
        wanted = UINT64_MAX;
    *(uint64_t *)sum->value = wanted;
    if (!license_total(s, &name, &total))
        plumb_fault(s, PLUMB_SUBMIT_LICENSE, item->at,
                    "the cluster has no license '%.*s'; slurmctld %s refuses the job",
                    (int)name.len, name.text, plumb_series(s->ck));
    else if (wanted > total)
        plumb_fault(s, PLUMB_SUBMIT_LICENSE, item->at,
                    "%llu licenses '%.*s' are asked for, the cluster has %llu; slurmctld %s "
                    "refuses the job",
                    (unsigned long long)wanted, (int)name.len, name.text, (unsigned long long)total,
                    plumb_series(s->ck));
}

static void check_licenses(struct plumb_submit *s)
{
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_LICENSES);
    struct plumb_map sums = plumb_map_in(s->ck->scratch);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    if (given == NULL || given->unknown || memchr(given->value.text, '|', given->value.len) != NULL)
        return;
    while (plumb_list_next(&given->value,
                           memchr(given->value.text, ';', given->value.len) != NULL ? ';' : ',', &c,
                           &item))
        check_license(s, &item, &sums);
}

/* gres.c:_get_next_gres, in the command already: the name must be among GresTypes. */
static void check_gres_names(struct plumb_submit *s)
{
    const struct plumb_setting *types = plumb_global(s->ck, PLUMB_P_SLURM_GRESTYPES);

    if (plumb_setting_bad(plumb_slurm(s->ck->model), PLUMB_P_SLURM_GRESTYPES))
        return;
    for (size_t i = 0; i < s->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &s->rq->gres[i];
        struct plumb_fault *f = NULL;

        if (types != NULL && plumb_list_find(&types->value, g->name, NULL))
            continue;
        f = plumb_fault(s, PLUMB_SUBMIT_GRES_NAME, g->name_at,
                        "'%s' is not among the GresTypes of the cluster%s%s%s; %s %s refuses",
                        g->name, types == NULL ? "" : ", '", types == NULL ? "" : types->value.text,
                        types == NULL ? "" : "'", plumb_job_command_name(s->rq->command),
                        plumb_series(s->ck));
        if (types != NULL) {
            f->note_at = types->value.at;
            f->note = "the cluster says so";
        }
    }
}

/* Every node that is named must be there (node_name2bitmap). */
static void check_node_names(struct plumb_submit *s, enum plumb_option_id id)
{
    const struct plumb_given *given = plumb_given(s->rq, id);
    const struct plumb_model *m = s->ck->model;
    struct plumb_hostlist *hosts = NULL, *missing = NULL;

    if (given == NULL || given->unknown || given->value.len == 0 ||
        memchr(given->value.text, '/', given->value.len) != NULL || m->all_nodes == NULL)
        return;
    hosts = plumb_hosts_read(s->ck, &given->value);
    if (hosts == NULL) {
        plumb_fault(s, PLUMB_SUBMIT_NODE_NAME, given->value.at,
                    "'%s' is no list of nodes; slurmctld %s refuses the job", given->value.text,
                    plumb_series(s->ck));
        return;
    }
    missing = plumb_hostlist_minus(s->ck->scratch, hosts, m->all_nodes);
    if (missing->count > 0)
        plumb_fault(s, PLUMB_SUBMIT_NODE_NAME, given->value.at,
                    "the cluster has no node '%s'; slurmctld %s refuses the job",
                    plumb_hostlist_str(s->ck->arena, missing), plumb_series(s->ck));
}

static bool is_operator(const struct plumb_submit *s)
{
    const struct plumb_user *u =
        s->user == NULL || s->accounts == NULL ? NULL : plumb_user_find(s->accounts, s->user);

    return s->user == NULL || strcmp(s->user, "root") == 0 || (u != NULL && u->admin);
}

/* job_mgr.c:validate_job_create_req: what operators alone may ask for. */
static void check_privileges(struct plumb_submit *s)
{
    static const enum plumb_option_id identities[] = {PLUMB_O_UID, PLUMB_O_GID};
    const struct plumb_given *nice = plumb_given(s->rq, PLUMB_O_NICE);
    const struct plumb_given *reboot = plumb_given(s->rq, PLUMB_O_REBOOT);

    if (is_operator(s))
        return;
    if (nice != NULL && !nice->unknown && nice->value.len > 0 && nice->value.text[0] == '-')
        plumb_fault(s, PLUMB_SUBMIT_PRIVILEGE, nice->value.at,
                    "--nice is '%s', below 0 is for operators; slurmctld %s refuses the job",
                    nice->value.text, plumb_series(s->ck));
    for (size_t i = 0; i < PLUMB_COUNT(identities); i++) {
        const struct plumb_given *id = plumb_given(s->rq, identities[i]);

        if (id != NULL && strcmp(s->user, "root") != 0)
            plumb_fault(s, PLUMB_SUBMIT_PRIVILEGE, id->at,
                        "--uid and --gid are for root; sbatch %s refuses", plumb_series(s->ck));
    }
    if (reboot != NULL)
        plumb_fault(s, PLUMB_SUBMIT_PRIVILEGE, reboot->at,
                    "--reboot is for administrators; slurmctld %s refuses the job",
                    plumb_series(s->ck));
}

/* job_mgr.c:_job_create: one task for each share needs shares of several devices in a job. */
static void check_sharing(struct plumb_submit *s)
{
    const struct plumb_given *flags = plumb_given(s->rq, PLUMB_O_GRES_FLAGS);

    if (flags == NULL || flags->unknown ||
        !plumb_list_find(&flags->value, "one-task-per-sharing", NULL) ||
        plumb_setting_has_word(plumb_slurm(s->ck->model), PLUMB_P_SLURM_SELECTTYPEPARAMETERS,
                               "MULTIPLE_SHARING_GRES_PJ", NULL))
        return;
    plumb_fault(s, PLUMB_SUBMIT_SHARE, flags->value.at,
                "one-task-per-sharing needs SelectTypeParameters 'MULTIPLE_SHARING_GRES_PJ'; "
                "slurmctld %s refuses the job",
                plumb_series(s->ck));
}

/* "now+10minutes" in minutes; false for every other form: it depends on the clock. */
static bool read_from_now(const struct plumb_slice *v, uint64_t *minutes)
{
    static const struct {
        const char *word;
        uint64_t seconds;
    } units[] = {
        {"seconds", 1}, {"minutes", 60}, {"hours", 3600}, {"days", 86400}, {"weeks", 604800}};
    uint64_t n = 0, seconds = 1;
    size_t digits = 0;

    if (v->len < 5 || !plumb_equal_nocase(v->text, "now+", 4))
        return false;
    digits = plumb_read_digits(v->text + 4, v->len - 4, &n);
    if (digits == 0 || digits == SIZE_MAX)
        return false;
    for (size_t i = 0; i < PLUMB_COUNT(units) && 4 + digits < v->len; i++) {
        size_t len = v->len - 4 - digits;

        if (len <= strlen(units[i].word) &&
            plumb_equal_nocase(v->text + 4 + digits, units[i].word, len))
            seconds = units[i].seconds;
    }
    return plumb_mul_u64(n, seconds, &n) && ((*minutes = n / 60), true);
}

/* job_mgr.c:_valid_job_part: the job must be able to end before its deadline. */
static void check_deadline(struct plumb_submit *s)
{
    const struct plumb_given *deadline = plumb_given(s->rq, PLUMB_O_DEADLINE);
    uint64_t minutes = 0;
    struct plumb_u64 least = plumb_usable(s->rq->time_min) ? s->rq->time_min : s->rq->time;

    if (deadline == NULL || deadline->unknown || !plumb_usable(least) ||
        !read_from_now(&deadline->value, &minutes) || least.v <= minutes)
        return;
    plumb_fault(s, PLUMB_SUBMIT_TIME, least.at,
                "the job takes longer than its deadline '%s' leaves; %s", deadline->value.text,
                plumb_has_trait(s->ck, PLUMB_TRAIT_DEADLINE_CHECKED_AT_SUBMIT)
                    ? "slurmctld refuses the job"
                    : "slurmctld ends it before it starts");
}

void plumb_submit_names(struct plumb_submit *s)
{
    check_size(s);
    check_array(s);
    check_licenses(s);
    check_gres_names(s);
    check_node_names(s, PLUMB_O_NODELIST);
    check_node_names(s, PLUMB_O_EXCLUDE);
    plumb_submit_features(s);
    check_privileges(s);
    check_sharing(s);
    check_deadline(s);
}
