/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job scripts against the cluster. A request is asked about in each of its partitions; the
 * cluster's EnforcePartLimits decides whether one that takes it is enough.
 */
#include "rules/submit.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

struct plumb_fault *plumb_fault(struct plumb_submit *s, enum plumb_submit_row row,
                                struct plumb_span at, const char *fmt, ...)
{
    struct plumb_faults *l = &s->faults;
    struct plumb_fault *f = NULL;
    va_list args;

    l->items = plumb_arena_grow(s->ck->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    f = &l->items[l->count++];
    va_start(args, fmt);
    *f = (struct plumb_fault){
        .row = row,
        .at = plumb_span_known(at) ? at : s->rq->at,
        .message = plumb_arena_vprintf(s->ck->arena, fmt, args),
    };
    va_end(args);
    return f;
}

struct plumb_span plumb_submit_at(const struct plumb_submit *s, const enum plumb_option_id *ids)
{
    for (; *ids != PLUMB_O_COUNT; ids++) {
        const struct plumb_given *g = plumb_given(s->rq, *ids);

        if (g != NULL)
            return g->value.len > 0 ? g->value.at : g->at;
    }
    return s->rq->at;
}

struct plumb_u64 plumb_submit_limit(const struct plumb_submit *s, enum plumb_param_id id)
{
    struct plumb_u64 v = plumb_setting_u64(&s->part->settings, id, s->ck->model->release);

    if (v.origin == PLUMB_DEFAULTED)
        v.origin = PLUMB_ABSENT;
    return v;
}

const char *plumb_submit_time(const struct plumb_submit *s, uint64_t minutes)
{
    struct plumb_buf out = plumb_buf_in(s->ck->arena);

    if (minutes == PLUMB_UNLIMITED)
        return "without end";
    plumb_value_write_minutes(&out, minutes);
    return plumb_buf_text(&out);
}

/* What slurmctld does about a fault that EnforcePartLimits decides about. */
static const char *enforcement(const struct plumb_submit *s)
{
    return s->enforce != PLUMB_ENFORCE_NO
               ? plumb_arena_printf(s->ck->arena, "slurmctld %s refuses the job",
                                    plumb_series(s->ck))
               : "EnforcePartLimits is NO: slurmctld takes the job, and it waits for ever";
}

static void tell(const struct plumb_submit *s, const struct plumb_fault *f)
{
    const struct plumb_rule *row = &plumb_submit_rows[f->row];
    struct plumb_diag *d =
        f->enforced ? plumb_diag_new(s->ck->sink, row, f->at, "%s; %s", f->message, enforcement(s))
                    : plumb_diag_new(s->ck->sink, row, f->at, "%s", f->message);

    if (plumb_span_known(f->note_at))
        plumb_diag_note(d, f->note_at, "%s", f->note);
    if (f->row == PLUMB_SUBMIT_STATE && strstr(f->message, "is DOWN") != NULL)
        plumb_diag_severity(d, PLUMB_WARNING);
}

/* How many of the faults keep the job from running. */
static size_t errors_of(const struct plumb_faults *l)
{
    size_t count = 0;

    for (size_t i = 0; i < l->count; i++)
        count += plumb_submit_rows[l->items[i].row].severity == PLUMB_ERROR &&
                 l->items[i].row != PLUMB_SUBMIT_STATE;
    return count;
}

static bool enforces(const struct plumb_check *ck, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (plumb_setting_has_word(plumb_slurm(ck->model), PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE,
                                   *words, NULL))
            return true;
    }
    return false;
}

static enum plumb_enforce enforce_of(const struct plumb_check *ck)
{
    const struct plumb_setting *set = plumb_global(ck, PLUMB_P_SLURM_ENFORCEPARTLIMITS);

    if (set == NULL || plumb_slice_is(&set->value, "NO"))
        return PLUMB_ENFORCE_NO;
    return plumb_slice_is(&set->value, "ANY") ? PLUMB_ENFORCE_ANY : PLUMB_ENFORCE_ALL;
}

static struct plumb_submit begin(const struct plumb_check *ck, const struct plumb_request *rq)
{
    /* limits and qos need associations, and are implied by safe and all (read_config.c). */
    static const char *const assocs[] = {"associations", "limits", "qos", "safe", "all", "1", NULL};
    static const char *const limits[] = {"limits", "safe", "all", NULL};
    static const char *const qos[] = {"qos", "all", NULL};

    return (struct plumb_submit){
        .ck = ck,
        .rq = rq,
        .enforce = enforce_of(ck),
        .accounts = ck->model->accounts,
        .user = ck->model->submit_user,
        .enforce_assocs = enforces(ck, assocs),
        .enforce_limits = enforces(ck, limits),
        .enforce_qos = enforces(ck, qos),
    };
}

static const struct plumb_partition *find_partition(const struct plumb_model *m, const char *name)
{
    for (size_t i = 0; i < m->partition_count; i++) {
        if (m->partitions[i].name.v != NULL && strcmp(m->partitions[i].name.v, name) == 0)
            return &m->partitions[i];
    }
    return NULL;
}

static const struct plumb_partition *default_partition(const struct plumb_model *m)
{
    const struct plumb_partition *found = NULL;

    for (size_t i = 0; i < m->partition_count; i++) {
        if (plumb_usable(m->partitions[i].is_default) && m->partitions[i].is_default.v)
            found = &m->partitions[i];
    }
    return found;
}

/* All questions about one partition. */
static void ask(struct plumb_submit *s)
{
    struct plumb_need n;
    bool partial = s->rq->partial;

    plumb_submit_accounts(s);
    plumb_submit_partition(s);
    plumb_submit_reservation(s);
    if (s->rq->bad)
        return;
    n = plumb_need_of(s);
    plumb_submit_partition_limits(s, &n);
    plumb_submit_limits(s, &n);
    if (partial)
        return;
    plumb_submit_fit(s, &n);
    if (errors_of(&s->faults) == 0)
        plumb_submit_meant(s, &n);
}

/* A fault about the names of the request makes those about resources follow. */
static bool follows(const struct plumb_faults *names, const struct plumb_fault *f)
{
    for (size_t i = 0; i < names->count; i++) {
        enum plumb_submit_row row = names->items[i].row;
        bool gres = row == PLUMB_SUBMIT_GRES_NAME &&
                    (f->row == PLUMB_SUBMIT_GRES_COUNT || f->row == PLUMB_SUBMIT_GRES_TYPE ||
                     f->row == PLUMB_SUBMIT_TOGETHER);
        bool node = (row == PLUMB_SUBMIT_NODE_NAME || row == PLUMB_SUBMIT_FEATURE) &&
                    f->row >= PLUMB_SUBMIT_GRES_COUNT && f->row <= PLUMB_SUBMIT_TOGETHER;

        if (gres || node ||
            (row == f->row && (row == PLUMB_SUBMIT_NODE_NAME || row == PLUMB_SUBMIT_FEATURE)))
            return true;
    }
    return false;
}

/* refusals: leave out what only lets the job wait. */
static void tell_all(const struct plumb_submit *s, const struct plumb_faults *names, bool refusals)
{
    bool nodes = false;

    for (size_t i = 0; i < s->faults.count; i++)
        nodes = nodes || s->faults.items[i].row == PLUMB_SUBMIT_NODES;
    for (size_t i = 0; i < s->faults.count; i++) {
        const struct plumb_fault *f = &s->faults.items[i];
        bool resources = f->row >= PLUMB_SUBMIT_GRES_TYPE && f->row <= PLUMB_SUBMIT_TOGETHER &&
                         f->row != PLUMB_SUBMIT_GRES_TYPE;

        /* Too few nodes were told; that they cannot hold the job follows. */
        if (!follows(names, f) && !(nodes && resources) && !(refusals && f->waits))
            tell(s, f);
    }
}

/* The partitions of the request; one that does not exist is told. False: nothing to ask. */
static bool partitions_of(struct plumb_submit *s, const struct plumb_partition **out, size_t *count)
{
    const struct plumb_model *m = s->ck->model;
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_PARTITION);
    bool known = true;

    *count = 0;
    if (given != NULL && given->unknown)
        return false;
    if (given != NULL && s->rq->partition_count == 0 && m->release <= PLUMB_24_11) {
        plumb_fault(s, PLUMB_SUBMIT_PARTITION, given->at,
                    "--partition names nothing, expected a partition; slurmctld %s refuses the job",
                    plumb_series(s->ck));
        return false;
    }
    for (size_t i = 0; i < s->rq->partition_count; i++) {
        const struct plumb_partition *p = find_partition(m, s->rq->partitions[i].text);
        struct plumb_nearest near = plumb_nearest_to(s->rq->partitions[i].text);

        if (p != NULL) {
            out[(*count)++] = p;
            continue;
        }
        for (size_t k = 0; k < m->partition_count; k++) {
            if (m->partitions[k].name.v != NULL)
                plumb_nearest_offer(&near, m->partitions[k].name.v);
        }
        plumb_fault(s, PLUMB_SUBMIT_PARTITION, s->rq->partitions[i].at,
                    "there is no partition '%s'%s%s%s; slurmctld %s refuses the job",
                    s->rq->partitions[i].text, near.best == NULL ? "" : ", did you mean '",
                    near.best == NULL ? "" : near.best, near.best == NULL ? "" : "'?",
                    plumb_series(s->ck));
        known = false;
    }
    if (s->rq->partition_count > 0 || s->rq->partial)
        return known && *count > 0;
    out[0] = default_partition(m);
    if (out[0] != NULL) {
        *count = 1;
        return true;
    }
    if (m->partition_count > 0 && plumb_given(s->rq, PLUMB_O_RESERVATION) == NULL)
        plumb_fault(s, PLUMB_SUBMIT_PARTITION, s->rq->at,
                    "no partition is named, and the cluster has no default one; slurmctld %s "
                    "refuses the job",
                    plumb_series(s->ck));
    return false;
}

/* Which partition speaks for the request: one that takes it, else the first. */
static void judge(const struct plumb_check *ck, const struct plumb_request *rq)
{
    const struct plumb_partition **parts =
        plumb_arena_array(ck->scratch, rq->partition_count + 1, sizeof(*parts));
    struct plumb_submit names = begin(ck, rq);
    struct plumb_submit *each = NULL;
    size_t count = 0, best = 0;

    if (!rq->bad || rq->gres_count == 0)
        plumb_submit_names(&names);
    if (!partitions_of(&names, parts, &count))
        count = 0;
    tell_all(&names, &(struct plumb_faults){0}, false);
    each = plumb_arena_array(ck->scratch, count, sizeof(*each));
    for (size_t i = 0; i < count; i++) {
        each[i] = begin(ck, rq);
        each[i].part = parts[i];
        ask(&each[i]);
        if (errors_of(&each[i].faults) < errors_of(&each[best].faults))
            best = i;
    }
    for (size_t i = 0; i < count; i++) {
        /* With ALL every partition must take the job; else one does. */
        if (i == best || (each[i].enforce == PLUMB_ENFORCE_ALL && errors_of(&each[i].faults) > 0))
            tell_all(&each[i], &names.faults, i != best);
    }
}

static void judge_all(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->request_count; i++) {
        const struct plumb_request *rq = &ck->model->requests[i];

        /* srun inside a job is a part of it: what it may take is another question. */
        if (!rq->step)
            judge(ck, rq);
    }
}

const struct plumb_rule plumb_submit_rows[] = {
    [PLUMB_SUBMIT_PARTITION] =
        {
            .code = "JOB060",
            .name = "job-partition",
            .severity = PLUMB_ERROR,
            .needs = PLUMB_FACT_MODEL | PLUMB_FACT_JOBS,
            .run = judge_all,
            .summary = "a job asks for a partition that the cluster does not have",
            .why = "slurmctld refuses it at submission. Case counts in names of partitions.",
            .ref = "sbatch(1), --partition; slurmctld/job_mgr.c:_get_job_parts",
            .bad = "#SBATCH --partition=traning",
            .good = "#SBATCH --partition=training",
        },
    [PLUMB_SUBMIT_STATE] =
        {
            .code = "JOB061",
            .name = "job-partition-state",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for a partition that is closed",
            .why = "DRAIN and INACTIVE refuse new jobs; DOWN takes them and starts none.",
            .ref = "slurm.conf(5), State of a partition; slurmctld/job_mgr.c:_alt_part_test",
        },
    [PLUMB_SUBMIT_ACCESS] =
        {
            .code = "JOB062",
            .name = "job-access",
            .severity = PLUMB_ERROR,
            .summary = "a partition does not take jobs of this account or QOS",
            .why = "With EnforcePartLimits the job is refused, without it it waits for ever.",
            .ref = "slurm.conf(5), AllowAccounts, AllowQos; slurmctld/partition_mgr.c:"
                   "part_policy_valid_acct, part_policy_valid_qos",
        },
    [PLUMB_SUBMIT_ACCOUNT] =
        {
            .code = "JOB063",
            .name = "job-account",
            .severity = PLUMB_ERROR,
            .summary = "the user has no association with the account of the job",
            .why = "With AccountingStorageEnforce=associations slurmctld refuses the job.",
            .ref = "slurm.conf(5), AccountingStorageEnforce; common/assoc_mgr.c:"
                   "assoc_mgr_fill_in_assoc",
        },
    [PLUMB_SUBMIT_QOS] =
        {
            .code = "JOB064",
            .name = "job-qos",
            .severity = PLUMB_ERROR,
            .summary = "the job names a QOS that is not there, or that the user may not use",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --qos; slurmctld/job_mgr.c:_determine_and_validate_qos",
        },
    [PLUMB_SUBMIT_RESERVATION] =
        {
            .code = "JOB065",
            .name = "job-reservation",
            .severity = PLUMB_ERROR,
            .summary = "the job names a reservation that is not there, or not for its user",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --reservation; slurmctld/reservation.c:_valid_job_access_resv",
        },
    [PLUMB_SUBMIT_TIME] =
        {
            .code = "JOB066",
            .name = "job-time",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more time than the partition gives",
            .why = "With EnforcePartLimits the job is refused, without it it waits for ever with "
                   "PartitionTimeLimit.",
            .ref = "slurm.conf(5), MaxTime, EnforcePartLimits; slurmctld/job_mgr.c:_valid_job_part",
            .bad = "#SBATCH --time=8:00:00   # MaxTime=04:00:00",
            .good = "#SBATCH --time=4:00:00",
        },
    [PLUMB_SUBMIT_NODES] =
        {
            .code = "JOB067",
            .name = "job-nodes",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more or fewer nodes than the partition allows",
            .why = "With EnforcePartLimits the job is refused, without it it waits for ever with "
                   "PartitionNodeLimit.",
            .ref = "slurm.conf(5), MaxNodes, MinNodes; slurmctld/job_mgr.c:_valid_job_part",
        },
    [PLUMB_SUBMIT_NODE_NAME] =
        {
            .code = "JOB068",
            .name = "job-node-name",
            .severity = PLUMB_ERROR,
            .summary = "a job names nodes that cannot serve it",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --nodelist; slurmctld/job_mgr.c:_job_create",
        },
    [PLUMB_SUBMIT_FEATURE] =
        {
            .code = "JOB069",
            .name = "job-feature",
            .severity = PLUMB_ERROR,
            .summary = "no node has the features that a job asks for",
            .why = "slurmctld refuses the job. Case counts in names of features.",
            .ref = "sbatch(1), --constraint; slurmctld/node_scheduler.c:valid_feature_counts",
        },
    [PLUMB_SUBMIT_LICENSE] =
        {
            .code = "JOB070",
            .name = "job-license",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for licenses that the cluster does not have",
            .why = "slurmctld refuses the job.",
            .ref = "slurm.conf(5), Licenses; slurmctld/licenses.c:license_validate",
        },
    [PLUMB_SUBMIT_ARRAY] =
        {
            .code = "JOB071",
            .name = "job-array",
            .severity = PLUMB_ERROR,
            .summary = "a job array is larger than the cluster allows",
            .why =
                "The highest index is MaxArraySize minus one; slurmctld refuses the whole array.",
            .ref = "slurm.conf(5), MaxArraySize; slurmctld/job_mgr.c:_valid_array_inx",
            .bad = "#SBATCH --array=1-2000   # MaxArraySize=1001",
            .good = "#SBATCH --array=1-1000",
        },
    [PLUMB_SUBMIT_GRES_NAME] =
        {
            .code = "JOB072",
            .name = "job-gres-name",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for a generic resource that is not among GresTypes",
            .why = "sbatch knows the names from slurm.conf and refuses before slurmctld is asked.",
            .ref = "slurm.conf(5), GresTypes; interfaces/gres.c:_get_next_gres",
        },
    [PLUMB_SUBMIT_GRES_TYPE] =
        {
            .code = "JOB073",
            .name = "job-gres-type",
            .severity = PLUMB_ERROR,
            .summary = "no node has devices of the type that a job asks for",
            .why = "slurmctld refuses the job. Case counts in names of types.",
            .ref = "sbatch(1), --gres; interfaces/gres.c:gres_job_test",
            .bad = "#SBATCH --gres=gpu:h200:4   # the nodes have gpu:h100:8",
            .good = "#SBATCH --gres=gpu:h100:4",
        },
    [PLUMB_SUBMIT_GRES_COUNT] =
        {
            .code = "JOB074",
            .name = "job-gres-count",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more devices than the nodes of the partition have",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --gres; select/cons_tres: gres_select_filter",
        },
    [PLUMB_SUBMIT_CPUS] =
        {
            .code = "JOB075",
            .name = "job-cpus",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more CPUs than the nodes of the partition give",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --cpus-per-task; slurmctld/node_scheduler.c:_build_node_list, "
                   "select/cons_tres: _allocate_sc",
        },
    [PLUMB_SUBMIT_MEMORY] =
        {
            .code = "JOB076",
            .name = "job-memory",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more memory than the nodes of the partition have",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --mem; slurmctld/node_scheduler.c:_build_node_list",
        },
    [PLUMB_SUBMIT_SHAPE] =
        {
            .code = "JOB077",
            .name = "job-node-shape",
            .severity = PLUMB_ERROR,
            .summary = "no node has the sockets, cores, threads or local disk that a job asks for",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --extra-node-info; slurmctld/node_scheduler.c:_build_node_list",
        },
    [PLUMB_SUBMIT_TOGETHER] =
        {
            .code = "JOB078",
            .name = "job-together",
            .severity = PLUMB_ERROR,
            .summary = "each demand of a job can be met, but by no node together",
            .why = "slurmctld refuses the job: 'Requested node configuration is not available'.",
            .ref = "select/cons_tres: _job_test, _eval_nodes",
        },
    [PLUMB_SUBMIT_MEMORY_LIMIT] =
        {
            .code = "JOB079",
            .name = "job-memory-limit",
            .severity = PLUMB_ERROR,
            .summary = "the memory of a job is above MaxMemPerNode",
            .why =
                "Also --mem=0, and a job that says nothing where the partition has no default, ask "
                "for all of a node.",
            .ref = "slurm.conf(5), MaxMemPerNode; slurmctld/job_mgr.c:_valid_pn_min_mem",
        },
    [PLUMB_SUBMIT_LIMIT] =
        {
            .code = "JOB080",
            .name = "job-limit",
            .severity = PLUMB_ERROR,
            .summary = "a job by itself is above a limit of its QOS or association",
            .why = "It is refused where the QOS has DenyOnLimit, else it waits for ever.",
            .ref = "sacctmgr(1), MaxTRESPerJob; slurmctld/acct_policy.c:_qos_policy_validate, "
                   "acct_policy_job_runnable_post_select",
        },
    [PLUMB_SUBMIT_WALL] =
        {
            .code = "JOB081",
            .name = "job-wall",
            .severity = PLUMB_ERROR,
            .summary = "the time of a job is above MaxWall of its QOS or association",
            .why = "It is refused where the QOS has DenyOnLimit, else it waits for ever. Without "
                   "--time the DefaultTime of the partition counts.",
            .ref = "sacctmgr(1), MaxWall; slurmctld/acct_policy.c:_qos_policy_validate",
        },
    [PLUMB_SUBMIT_COUNT_LIMIT] =
        {
            .code = "JOB082",
            .name = "job-submit-limit",
            .severity = PLUMB_ERROR,
            .summary = "a job array has more tasks than may be submitted",
            .why = "Each task counts as a job; slurmctld refuses the whole array.",
            .ref = "sacctmgr(1), MaxSubmitJobs; slurmctld/acct_policy.c:_qos_policy_validate",
        },
    [PLUMB_SUBMIT_SHARE] =
        {
            .code = "JOB083",
            .name = "job-share",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more shares than one GPU has",
            .why = "shard and mps of a job come from one GPU, so it never starts.",
            .ref = "gres.conf(5), shard; select/cons_tres: gres_sock_list_create",
        },
    [PLUMB_SUBMIT_PRIVILEGE] =
        {
            .code = "JOB084",
            .name = "job-privilege",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for what only operators may ask for",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --nice; slurmctld/job_mgr.c:validate_job_create_req",
        },
    [PLUMB_SUBMIT_WHOLE_MEMORY] =
        {
            .code = "JOB085",
            .name = "job-whole-memory",
            .severity = PLUMB_WARNING,
            .summary = "a job takes the whole memory of its node because nothing says how much",
            .why =
                "Memory is counted: no other job fits beside it, although most CPUs and GPUs are "
                "free.",
            .ref = "slurm.conf(5), DefMemPerCPU; slurmctld/job_mgr.c:_validate_job_desc",
        },
    [PLUMB_SUBMIT_WHOLE_NODE] =
        {
            .code = "JOB086",
            .name = "job-whole-node",
            .severity = PLUMB_WARNING,
            .summary = "a job asks for some GPUs where the partition gives whole nodes",
            .why = "It is charged for the whole node, and the other GPUs stand idle.",
            .ref = "slurm.conf(5), OverSubscribe",
        },
    [PLUMB_SUBMIT_ANY_TYPE] =
        {
            .code = "JOB087",
            .name = "job-any-gpu",
            .severity = PLUMB_WARNING,
            .summary = "a job asks for GPUs of any model in a mixed partition",
            .why = "Memory and speed of what it gets change from run to run.",
            .ref = "sbatch(1), --gres",
            .bad = "#SBATCH --gres=gpu:1",
            .good = "#SBATCH --gres=gpu:h100:1",
        },
    [PLUMB_SUBMIT_MIG_TYPES] =
        {
            .code = "JOB088",
            .name = "job-mig-types",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for GPUs of two MIG types",
            .why = "slurmctld takes the job and never finds a node for it.",
            .ref = "seen on 24.11.5 and 26.05.5; interfaces/gres.c, select/cons_tres",
            .bad = "#SBATCH --gres=gpu:1g.10gb:1,gpu:3g.40gb:1",
            .good = "#SBATCH --gres=gpu:3g.40gb:1",
        },
};
_Static_assert(PLUMB_COUNT(plumb_submit_rows) == PLUMB_SUBMIT_ROW_COUNT, "one row per fault");

const struct plumb_rule_family plumb_submit_rules = {
    .prefix = "JOB",
    .title = "Job scripts against the cluster",
    .rules = plumb_submit_rows,
    .count = PLUMB_COUNT(plumb_submit_rows),
};
