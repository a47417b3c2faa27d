/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about preemption: its types and modes. */
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* The words of which a value has one. "on" and "cluster" are older ones for SUSPEND and OFF. */
static const struct way {
    const char *word;
    bool preempts, suspends;
} ways[] = {
    {"CANCEL", true, false}, {"REQUEUE", true, false}, {"SUSPEND", true, true},
    {"on", true, true},      {"OFF", false, false},    {"cluster", false, false},
};

/* What one value of PreemptMode comes to (slurm_protocol_defs.c:preempt_mode_num). */
struct mode {
    const struct way *way, *second;  /* in the order of the text, NULL where there is none */
    struct plumb_span at, second_at; /* of them */
    struct plumb_span gang, within, priority; /* unknown where the word is not there */
};

static void add_word(struct mode *m, const struct plumb_slice *word)
{
    for (size_t i = 0; i < PLUMB_COUNT(ways); i++) {
        if (!plumb_slice_is(word, ways[i].word))
            continue;
        if (m->way == NULL) {
            m->way = &ways[i];
            m->at = word->at;
        } else if (m->second == NULL) {
            m->second = &ways[i];
            m->second_at = word->at;
        }
    }
    if (plumb_slice_is(word, "GANG"))
        m->gang = word->at;
    if (plumb_slice_is(word, "WITHIN"))
        m->within = word->at;
    if (plumb_slice_is(word, "PRIORITY"))
        m->priority = word->at;
}

static void read_words(struct mode *m, const struct plumb_setting *set)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice word;

    *m = (struct mode){0};
    while (set != NULL && plumb_list_next(&set->value, ',', &c, &word))
        add_word(m, &word);
}

/* False where words of the value have faults of their own. */
static bool read_mode(const struct plumb_check *ck, struct mode *m)
{
    read_words(m, plumb_global(ck, P(PREEMPTMODE)));
    return !plumb_setting_bad(plumb_slurm(ck->model), P(PREEMPTMODE));
}

/* GANG goes with neither of the flags that choose among victims. */
static const char *beside_gang(const struct mode *m)
{
    if (!plumb_span_known(m->gang))
        return NULL;
    return plumb_span_known(m->within)     ? "WITHIN"
           : plumb_span_known(m->priority) ? "PRIORITY"
                                           : NULL;
}

/* A value that is a mode at all. */
static bool is_mode(const struct plumb_check *ck, struct mode *m)
{
    return read_mode(ck, m) && m->second == NULL && beside_gang(m) == NULL;
}

/* SUSPEND and nothing beside it is refused before PreemptType is looked at. */
static bool suspends_alone(const struct mode *m)
{
    return m->way != NULL && m->way->suspends && !plumb_span_known(m->gang) &&
           !plumb_span_known(m->within) && !plumb_span_known(m->priority);
}

static void report_together(const struct plumb_check *ck, const struct mode *m,
                            const struct plumb_eras *eras)
{
    struct plumb_diag *d;

    if (m->second != NULL && m->second == m->way)
        d = plumb_report(ck, m->second_at, "'%s' stands twice in PreemptMode, expected it once",
                         m->way->word);
    else if (m->second != NULL)
        d = plumb_report(ck, m->at,
                         "'%s' and '%s' exclude each other in PreemptMode, expected one of them",
                         m->way->word, m->second->word);
    else if (beside_gang(m) != NULL)
        d = plumb_report(ck, m->gang,
                         "'GANG' and '%s' exclude each other in PreemptMode, expected one of them",
                         beside_gang(m));
    else
        return;
    plumb_outcome(ck, d, eras);
}

/*
 * Of a partition releases from 24.11 on take the number that stands for a mistake for GANG and
 * more, and drop that (read_config.c:_parse_partitionname); PART011 is about GANG itself.
 */
static void modes_together(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
        {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras of_partition = PLUMB_ERAS(rows);
    const struct plumb_model *model = ck->model;
    struct mode m;

    if (read_mode(ck, &m))
        report_together(ck, &m, NULL);
    for (size_t i = 0; i < model->partition_count; i++) {
        read_words(&m, plumb_setting(&model->partitions[i].settings, PLUMB_P_PART_PREEMPTMODE));
        report_together(ck, &m, &of_partition);
    }
}

static void suspend_without_gang(const struct plumb_check *ck)
{
    struct mode m;

    if (!is_mode(ck, &m) || !suspends_alone(&m))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, m.at,
                               "PreemptMode '%s' needs 'GANG' to resume jobs, expected "
                               "'SUSPEND,GANG'",
                               m.way->word),
                  NULL);
}

/* The word that wants a PreemptType, and its place; GANG and OFF want none. */
static const char *wants_type(const struct mode *m, struct plumb_span *at)
{
    if (m->way != NULL && m->way->preempts) {
        *at = m->at;
        return m->way->word;
    }
    if (plumb_span_known(m->within)) {
        *at = m->within;
        return "WITHIN";
    }
    *at = m->priority;
    return plumb_span_known(m->priority) ? "PRIORITY" : NULL;
}

static void mode_without_type(const struct plumb_check *ck)
{
    const struct plumb_setting *type = plumb_global(ck, P(PREEMPTTYPE));
    struct plumb_span at;
    struct mode m;

    if ((type != NULL && !plumb_slice_is_exact(&type->value, "preempt/none")) || !is_mode(ck, &m) ||
        suspends_alone(&m) || wants_type(&m, &at) == NULL)
        return;

    struct plumb_diag *d =
        plumb_report(ck, at,
                     "PreemptMode '%s' needs a PreemptType, %s, expected 'preempt/qos' or "
                     "'preempt/partition_prio'",
                     wants_type(&m, &at), type != NULL ? "found none" : "which is not set");

    if (type != NULL)
        plumb_diag_note(d, type->value.at, "nothing preempts");
    plumb_outcome(ck, d, NULL);
}

/* SCHED008: a type that preempts needs a way to do it. */
static void type_without_mode(const struct plumb_check *ck)
{
    const struct plumb_setting *type = plumb_global(ck, P(PREEMPTTYPE));
    const struct plumb_setting *mode = plumb_global(ck, P(PREEMPTMODE));
    struct mode m;

    if (type == NULL ||
        (!plumb_slice_is_exact(&type->value, "preempt/qos") &&
         !plumb_slice_is_exact(&type->value, "preempt/partition_prio")) ||
        !is_mode(ck, &m) || (m.way != NULL && m.way->preempts))
        return;

    struct plumb_diag *d =
        plumb_report(ck, type->value.at,
                     "PreemptType '%s' needs a PreemptMode, %s%s%s, expected 'REQUEUE', 'CANCEL' "
                     "or 'SUSPEND,GANG'",
                     type->value.text, mode != NULL ? "found '" : "which is not set",
                     mode != NULL ? mode->value.text : "", mode != NULL ? "'" : "");

    if (mode != NULL)
        plumb_diag_note(d, mode->value.at, "no way to preempt");
    plumb_outcome(ck, d, NULL);
}

static const struct plumb_rule rows[] = {
    {
        .code = "SCHED007",
        .name = "preempt-mode-without-type",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptMode without PreemptType",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_validate_and_set_defaults",
        .bad = "PreemptMode=REQUEUE",
        .good = "PreemptType=preempt/qos\nPreemptMode=REQUEUE",
        .needs = PLUMB_FACT_MODEL,
        .run = mode_without_type,
    },
    {
        .code = "SCHED008",
        .name = "preempt-type-without-mode",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptType without a PreemptMode that preempts",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_validate_and_set_defaults",
        .bad = "PreemptType=preempt/partition_prio",
        .good = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE",
        .needs = PLUMB_FACT_MODEL,
        .run = type_without_mode,
    },
    {
        .code = "SCHED009",
        .name = "preempt-suspend-gang",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptMode SUSPEND without GANG",
        .why = "The gang scheduler is what resumes suspended jobs.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_validate_and_set_defaults",
        .bad = "PreemptType=preempt/qos\n"
               "PreemptMode=SUSPEND",
        .good = "PreemptType=preempt/qos\n"
                "PreemptMode=SUSPEND,GANG",
        .needs = PLUMB_FACT_MODEL,
        .run = suspend_without_gang,
    },
    {
        .code = "SCHED010",
        .name = "preempt-mode-words",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptMode words that exclude each other",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PreemptMode; slurm_protocol_defs.c:preempt_mode_num",
        .bad = "PreemptType=preempt/qos\n"
               "PreemptMode=CANCEL,REQUEUE",
        .good = "PreemptType=preempt/qos\n"
                "PreemptMode=REQUEUE",
        .needs = PLUMB_FACT_MODEL,
        .run = modes_together,
    },
};

const struct plumb_rule_family plumb_preempt_rules = {
    .prefix = "SCHED",
    .title = "Preemption",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
