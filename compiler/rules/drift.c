/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Family DRIFT, what its rules share, and the configuration: what slurmctld runs with against the
 * files of the source (doc/design/drift.md).
 */
#include "rules/drift.h"

#include <string.h>

#include "base/text.h"
#include "rules/drift_rows.h"
#include "schema/shown.h"

enum { TEXT_SHOWN = 200 }; /* bytes of a value in a message */

const char *plumb_drift_text(const struct plumb_check *ck, const struct plumb_slice *value)
{
    if (value == NULL || plumb_shown_nothing(value->text, value->len))
        return "(not set)";
    if (value->len > TEXT_SHOWN)
        return plumb_arena_printf(ck->arena, "%.*s...", TEXT_SHOWN, value->text);
    return plumb_arena_strndup(ck->arena, value->text, value->len);
}

void plumb_drift_needs(struct plumb_diag *d, const struct plumb_param *p)
{
    if (p->restart != NULL)
        plumb_diag_fact(d, "a change of %s needs: %s", p->name, p->restart);
}

struct plumb_diag *plumb_drift_report(const struct plumb_check *ck, const struct plumb_param *p,
                                      const char *who, const struct plumb_setting *want,
                                      const struct plumb_slice *got)
{
    const char *def = plumb_drift_default(ck, p);
    struct plumb_diag *d = NULL;

    if (want != NULL)
        d = plumb_report(ck, got->at, "%s has %s '%s', expected '%s'", who, p->name,
                         plumb_drift_text(ck, got), plumb_drift_text(ck, &want->value));
    else
        d = plumb_report(ck, got->at,
                         "%s has %s '%s', which the source does not set, expected %s%s%s", who,
                         p->name, plumb_drift_text(ck, got), def == NULL ? "nothing" : "'",
                         def == NULL ? "" : def, def == NULL ? "" : "', the default");
    if (want != NULL && plumb_span_known(want->value.at))
        plumb_diag_note(d, want->value.at, "the source has it here");
    return d;
}

/* "Exclusive=USER": key and word that a renamed key stands for; the word may be missing. */
static bool is_renamed_to(const struct plumb_param_rev *rev, const struct plumb_param *p,
                          const char **word)
{
    size_t len = strlen(p->name);

    *word = NULL;
    if (rev->life != PLUMB_LIFE_RENAMED || rev->replaced_by == NULL ||
        !plumb_starts_with(rev->replaced_by, p->name))
        return false;
    if (rev->replaced_by[len] == '=')
        *word = rev->replaced_by + len + 1;
    return rev->replaced_by[len] == '\0' || rev->replaced_by[len] == '=';
}

/* The setting of the source, under an older name too. made gets what such a one means. */
static const struct plumb_setting *wanted(const struct plumb_check *ck,
                                          const struct plumb_settings *s,
                                          const struct plumb_param *p, struct plumb_setting *made)
{
    const struct plumb_setting *own = plumb_setting(s, (enum plumb_param_id)p->id);

    if (p->id == PLUMB_P_NODE_FEATURES && own == NULL)
        own = plumb_setting(s, PLUMB_P_NODE_FEATURE);
    for (size_t i = s->count; own == NULL && i > 0; i--) {
        const struct plumb_setting *one = &s->items[i - 1];
        const char *word = NULL;
        bool yes = false;

        if (one->param == NULL || !plumb_usable(*one) || one->param->scope != p->scope ||
            !is_renamed_to(plumb_param_at(one->param, ck->model->release), p, &word))
            continue;
        *made = *one;
        if (word != NULL && (plumb_value_bool(&one->value, &yes) != PLUMB_VALUE_OK || !yes))
            continue;
        if (word != NULL) {
            made->value.text = word;
            made->value.len = (uint32_t)strlen(word);
        }
        own = made;
    }
    return own;
}

/*
 * A word that is shown as one of another parameter by releases that have that one: gone from here,
 * or come to here. What is shown tells the release, which nothing else may do. False: nobody
 * knows, since a table of sinfo has no column of the other one.
 */
static bool moved(const struct plumb_check *ck, const struct plumb_settings *s,
                  const struct plumb_settings *shown, const struct plumb_param *p, bool cut,
                  const struct plumb_setting **set, struct plumb_setting *made)
{
    for (size_t i = 0; i < plumb_shown_move_count; i++) {
        const struct plumb_shown_move *m = &plumb_shown_moves[i];
        bool there = plumb_setting(shown, (enum plumb_param_id)m->to) != NULL;
        const struct plumb_setting *from = *set;
        struct plumb_setting other;

        if (p->id == m->to && *set == NULL)
            from = wanted(ck, s, plumb_param((enum plumb_param_id)m->from), &other);
        else if (p->id != m->from)
            continue;
        if (from == NULL || !plumb_slice_is(&from->value, m->word))
            continue;
        if (p->id == m->from && !there)
            return !cut;
        *set = NULL;
        if (p->id == m->from)
            continue;
        *made = *from;
        made->value.text = m->becomes;
        made->value.len = (uint32_t)strlen(m->becomes);
        *set = made;
    }
    return true;
}

/* Some line of the source was reported as bad: nobody knows what it was to say. */
static bool is_bad(const struct plumb_settings *s, const struct plumb_param *p)
{
    return plumb_setting_bad(s, (enum plumb_param_id)p->id);
}

/* Another parameter is shown in the place of one that the source sets. */
static void check_instead(const struct plumb_check *ck, const struct plumb_settings *want,
                          const struct plumb_settings *shown, const struct plumb_setting *got,
                          plumb_drift_tell tell, void *data)
{
    int other = plumb_shown_instead(got->param->id);
    const struct plumb_param *p = NULL;
    const struct plumb_setting *set = NULL;
    static const struct plumb_slice nothing = {.text = ""};

    if (other < 0 || plumb_setting(shown, (enum plumb_param_id)other) != NULL)
        return;
    p = plumb_param((enum plumb_param_id)other);
    set = plumb_setting(want, (enum plumb_param_id)other);
    if (set != NULL &&
        plumb_drift_compare(ck, p, &set->value, &nothing, false) == PLUMB_DRIFT_OTHER) {
        struct plumb_slice none = got->value;

        none.text = "";
        none.len = 0;
        tell(ck, p, set, &none, data);
    }
}

/* A parameter that may stand several times: one after the other. */
static void check_repeated(const struct plumb_check *ck, const struct plumb_settings *want,
                           const struct plumb_settings *shown, const struct plumb_setting *got,
                           plumb_drift_tell tell, void *data)
{
    enum plumb_param_id id = (enum plumb_param_id)got->param->id;
    const struct plumb_setting *w = NULL, *g = NULL;

    if (plumb_setting_next(shown, id, NULL) != got)
        return;
    w = plumb_setting_next(want, id, NULL);
    for (g = got; g != NULL; g = plumb_setting_next(shown, id, g)) {
        if (plumb_drift_compare(ck, g->param, w == NULL ? NULL : &w->value, &g->value, false) ==
            PLUMB_DRIFT_OTHER)
            tell(ck, g->param, w, &g->value, data);
        w = w == NULL ? NULL : plumb_setting_next(want, id, w);
    }
}

void plumb_drift_settings(const struct plumb_check *ck, const struct plumb_settings *want,
                          const struct plumb_settings *shown, bool cut, plumb_drift_tell tell,
                          void *data)
{
    for (size_t i = 0; i < shown->count; i++) {
        const struct plumb_setting *got = &shown->items[i], *set = NULL;
        struct plumb_setting made;

        if (is_bad(want, got->param))
            continue;
        check_instead(ck, want, shown, got, tell, data);
        if (plumb_param_at(got->param, ck->model->release)->repeats) {
            check_repeated(ck, want, shown, got, tell, data);
            continue;
        }
        set = wanted(ck, want, got->param, &made);
        if (moved(ck, want, shown, got->param, cut, &set, &made) &&
            plumb_drift_compare(ck, got->param, set == NULL ? NULL : &set->value, &got->value,
                                cut) == PLUMB_DRIFT_OTHER)
            tell(ck, got->param, set, &got->value, data);
    }
}

/* ---- the configuration ---- */

static void tell_setting(const struct plumb_check *ck, const struct plumb_param *p,
                         const struct plumb_setting *want, const struct plumb_slice *got,
                         void *data)
{
    bool set = want != NULL;
    struct plumb_diag *d = NULL;

    if (set != *(const bool *)data || p->id == PLUMB_P_SLURM_SLURMCTLDHOST)
        return;
    d = plumb_drift_report(ck, p, "slurmctld", want, got);
    plumb_diag_object(d, "parameter", p->name, 0);
    plumb_drift_needs(d, p);
}

static void check_config(const struct plumb_check *ck, bool set)
{
    const struct plumb_live *live = ck->model->live;

    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (live->config_shown[f] && !ck->model->unread[f] &&
            ck->model->present[PLUMB_SLURM_CONF] &&
            (f == PLUMB_SLURM_CONF || ck->model->present[f]))
            plumb_drift_settings(ck, &ck->model->settings[f], &live->config[f], false, tell_setting,
                                 &set);
    }
}

/* DRIFT010 */
void plumb_drift_set(const struct plumb_check *ck)
{
    check_config(ck, true);
}

/* DRIFT011 */
void plumb_drift_unset(const struct plumb_check *ck)
{
    check_config(ck, false);
}

/* "cp-01(10.0.0.10)" names the host that the source calls cp-01. */
static bool is_host(const struct plumb_host *h, const struct plumb_slice *shown)
{
    size_t len = strlen(h->name.v);

    return shown->len >= len && plumb_equal_nocase(shown->text, h->name.v, len) &&
           (shown->len == len || shown->text[len] == '(');
}

/* DRIFT012 */
void plumb_drift_controllers(const struct plumb_check *ck)
{
    const struct plumb_settings *shown = &ck->model->live->config[PLUMB_SLURM_CONF];
    const struct plumb_setting *got = NULL;
    const struct plumb_model *m = ck->model;
    size_t n = 0;

    for (got = plumb_setting_next(shown, PLUMB_P_SLURM_SLURMCTLDHOST, NULL); got != NULL;
         got = plumb_setting_next(shown, PLUMB_P_SLURM_SLURMCTLDHOST, got), n++) {
        struct plumb_diag *d = NULL;

        if (n < m->controller_count && m->controllers[n].name.v != NULL &&
            is_host(&m->controllers[n], &got->value))
            continue;
        if (m->controller_count == 0 ||
            (n < m->controller_count && m->controllers[n].name.v == NULL))
            continue;
        d = plumb_report(
            ck, got->value.at, "slurmctld has SlurmctldHost[%zu] '%s', expected %s%s%s", n,
            plumb_drift_text(ck, &got->value), n < m->controller_count ? "'" : "no such host",
            n < m->controller_count ? m->controllers[n].name.v : "",
            n < m->controller_count ? "'" : "");
        if (n < m->controller_count)
            plumb_diag_note(d, m->controllers[n].name.at, "the source has it here");
        plumb_drift_needs(d, plumb_param(PLUMB_P_SLURM_SLURMCTLDHOST));
    }
    for (; n > 0 && n < m->controller_count; n++) {
        struct plumb_diag *d = NULL;

        if (m->controllers[n].name.v == NULL)
            continue;
        d = plumb_report(ck, m->controllers[n].name.at,
                         "slurmctld does not know of controller '%s', expected SlurmctldHost[%zu] "
                         "in what it runs with",
                         m->controllers[n].name.v, n);
        plumb_drift_needs(d, plumb_param(PLUMB_P_SLURM_SLURMCTLDHOST));
    }
}

/* DRIFT003 */
void plumb_drift_release(const struct plumb_check *ck)
{
    const struct plumb_live *live = ck->model->live;

    if (live->release == PLUMB_RELEASE_NONE || live->release == ck->model->release)
        return;
    plumb_report(ck, live->version.at, "the daemons run Slurm %.*s, expected %s as of the source",
                 (int)live->version.len, live->version.text, plumb_series(ck));
}
