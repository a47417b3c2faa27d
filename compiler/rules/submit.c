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

struct plumb_hostlist *plumb_submit_hosts(const struct plumb_check *ck,
                                          const struct plumb_request *rq, enum plumb_option_id id)
{
    const struct plumb_given *g = plumb_given(rq, id);

    if (g == NULL || g->unknown || g->value.len == 0 ||
        memchr(g->value.text, '/', g->value.len) != NULL)
        return NULL;
    return plumb_hosts_read(ck, &g->value);
}

bool plumb_submit_has_nodes(const struct plumb_check *ck, const struct plumb_partition *p,
                            const struct plumb_nodes *n)
{
    if (n->hosts == NULL)
        return false;
    return p == NULL || p->all_nodes ||
           (p->nodes != NULL &&
            plumb_hostlist_intersect(ck->scratch, n->hosts, p->nodes)->count > 0);
}

size_t plumb_submit_types(const struct plumb_check *ck, const struct plumb_partition *p,
                          const char *name, struct plumb_buf *out)
{
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];

        if (n->gres_count == 0 || !plumb_submit_has_nodes(ck, p, n))
            continue;
        for (size_t k = 0; k < n->gres_count; k++) {
            const struct plumb_gres_item *g = &n->gres[k];

            if (!plumb_same_nocase(g->name, name) || g->type == NULL ||
                plumb_map_get(&seen, g->type) != NULL)
                continue;
            plumb_map_set(&seen, g->type, out);
            plumb_buf_printf(out, "%s'%s'", seen.count == 1 ? "" : ", ", g->type);
        }
    }
    return seen.count;
}

struct plumb_u64 plumb_submit_limit(const struct plumb_submit *s, enum plumb_param_id id)
{
    struct plumb_u64 v = plumb_setting_u64(&s->part->settings, id, s->ck->model->release);

    if (v.origin == PLUMB_DEFAULTED)
        v.origin = PLUMB_ABSENT;
    return v;
}

struct plumb_u64 plumb_submit_default(const struct plumb_submit *s, enum plumb_param_id part,
                                      enum plumb_param_id global)
{
    struct plumb_u64 v = {0};

    if (s->part != NULL)
        v = plumb_submit_limit(s, part);
    if (!plumb_usable(v) || v.v == 0)
        v = plumb_global_u64(s->ck, global);
    if (!plumb_usable(v) || v.v == 0 || v.v == PLUMB_UNLIMITED)
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
    if (f->passes)
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

struct plumb_submit plumb_submit_begin(const struct plumb_check *ck, const struct plumb_request *rq)
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

const struct plumb_partition *plumb_submit_one_partition(const struct plumb_model *m,
                                                         const struct plumb_request *rq)
{
    const struct plumb_given *given = plumb_given(rq, PLUMB_O_PARTITION);

    if (given != NULL && (given->unknown || rq->partition_count != 1))
        return NULL;
    return given == NULL ? default_partition(m) : find_partition(m, rq->partitions[0].text);
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
        bool resources = f->row >= PLUMB_SUBMIT_GRES_COUNT && f->row <= PLUMB_SUBMIT_TOGETHER;

        /* Too few nodes were told; that they cannot hold the job follows. */
        if (!follows(names, f) && !(nodes && resources) && !(refusals && f->waits))
            tell(s, f);
    }
}

/* A partition that takes no jobs sends them to its Alternate (job_mgr.c:_alt_part_test). */
static const struct plumb_partition *alternative_of(const struct plumb_model *m,
                                                    const struct plumb_partition *p)
{
    for (int steps = 0; steps < 16; steps++) {
        const struct plumb_setting *state = plumb_setting(&p->settings, PLUMB_P_PART_STATE);
        const struct plumb_setting *other = plumb_setting(&p->settings, PLUMB_P_PART_ALTERNATE);
        const struct plumb_partition *next = NULL;

        if (state == NULL || other == NULL || plumb_slice_is(&state->value, "UP") ||
            plumb_slice_is(&state->value, "DOWN"))
            return p;
        next = find_partition(m, other->value.text);
        if (next == NULL)
            return p;
        p = next;
    }
    return p;
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
    if (given != NULL && s->rq->partition_count == 0 &&
        plumb_has_trait(s->ck, PLUMB_TRAIT_NO_PARTITION_REFUSED)) {
        plumb_fault(s, PLUMB_SUBMIT_PARTITION, given->at,
                    "--partition names nothing, expected a partition; slurmctld %s refuses the job",
                    plumb_series(s->ck));
        return false;
    }
    for (size_t i = 0; i < s->rq->partition_count; i++) {
        const struct plumb_partition *p = find_partition(m, s->rq->partitions[i].text);
        struct plumb_nearest near = plumb_nearest_to(s->rq->partitions[i].text);

        if (p != NULL) {
            out[(*count)++] = alternative_of(m, p);
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
    if (out[0] != NULL)
        out[0] = alternative_of(m, out[0]);
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
    struct plumb_submit names = plumb_submit_begin(ck, rq);
    struct plumb_submit *each = NULL;
    size_t count = 0, best = 0;

    if (!rq->bad || rq->gres_count == 0)
        plumb_submit_names(&names);
    if (!partitions_of(&names, parts, &count))
        count = 0;
    tell_all(&names, &(struct plumb_faults){0}, false);
    each = plumb_arena_array(ck->scratch, count, sizeof(*each));
    for (size_t i = 0; i < count; i++) {
        each[i] = plumb_submit_begin(ck, rq);
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

void plumb_submit_judge_all(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->request_count; i++) {
        const struct plumb_request *rq = &ck->model->requests[i];

        /* srun inside a job is a part of it: what it may take is another question. */
        if (!rq->step)
            judge(ck, rq);
    }
}
