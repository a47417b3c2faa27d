/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that several families of rules ask. */
#include "rules/ask.h"

#include <string.h>

#include "base/text.h"

const struct plumb_era *plumb_era_now(const struct plumb_check *ck, const struct plumb_eras *eras)
{
    const struct plumb_era *now = NULL;

    if (eras == NULL)
        return NULL;
    for (size_t i = 0; i < eras->count; i++) {
        if (eras->items[i].since <= ck->model->release)
            now = &eras->items[i];
    }
    return now;
}

bool plumb_era_quiet(const struct plumb_check *ck, const struct plumb_eras *eras)
{
    const struct plumb_era *now = plumb_era_now(ck, eras);

    return now != NULL && now->quiet;
}

/* What one or both daemons do, as a verb. */
static const char *effect_verb(enum plumb_effect effect, bool both)
{
    switch (effect) {
    case PLUMB_EFFECT_STOPS:
        return both ? "stop" : "stops";
    case PLUMB_EFFECT_DRAINS:
        return both ? "drain the node" : "drains the node";
    case PLUMB_EFFECT_COMPLAINS:
        return both ? "complain" : "complains";
    case PLUMB_EFFECT_IGNORED:
        return both ? "ignore it" : "ignores it";
    case PLUMB_EFFECT_NONE:
        break;
    }
    return NULL;
}

void plumb_outcome_is(const struct plumb_check *ck, struct plumb_diag *d,
                      enum plumb_severity severity, enum plumb_effect effect, unsigned daemons)
{
    const char *verb = effect_verb(effect, daemons == PLUMB_SLURM_ALL);

    plumb_diag_severity(d, severity);
    plumb_diag_effect(d, effect, daemons);
    if (verb != NULL && daemons != 0)
        plumb_diag_outcome(d, "%s %s %s", plumb_daemon_name((enum plumb_daemon)daemons),
                           plumb_series(ck), verb);
}

void plumb_outcome(const struct plumb_check *ck, struct plumb_diag *d,
                   const struct plumb_eras *eras)
{
    const struct plumb_era *now = plumb_era_now(ck, eras);

    if (now == NULL)
        plumb_outcome_is(ck, d, ck->rule->severity, ck->rule->effect, ck->rule->daemons);
    else
        plumb_outcome_is(ck, d, now->severity, now->effect, now->daemons);
}

void plumb_outcome_other(const struct plumb_check *ck, struct plumb_diag *d,
                         enum plumb_effect effect, enum plumb_daemon daemon)
{
    plumb_diag_other(d, effect, (unsigned)daemon);
    (void)ck;
    plumb_diag_outcome_more(d, ", %s %s", plumb_daemon_name(daemon), effect_verb(effect, false));
}

const struct plumb_settings *plumb_settings_of(const struct plumb_check *ck, enum plumb_param_id id)
{
    return &ck->model->settings[plumb_param(id)->file];
}

const struct plumb_setting *plumb_global(const struct plumb_check *ck, enum plumb_param_id id)
{
    return plumb_setting(plumb_settings_of(ck, id), id);
}

bool plumb_setting_bad(const struct plumb_settings *s, enum plumb_param_id id)
{
    for (size_t i = 0; plumb_settings_may_have(s, id) && i < s->count; i++) {
        if (s->items[i].param->id == id && s->items[i].origin == PLUMB_BAD)
            return true;
    }
    return false;
}

const char *plumb_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

struct plumb_u64 plumb_global_u64(const struct plumb_check *ck, enum plumb_param_id id)
{
    return plumb_setting_u64(plumb_settings_of(ck, id), id, ck->model->release);
}

bool plumb_written(struct plumb_u64 v)
{
    return v.origin == PLUMB_GIVEN || v.origin == PLUMB_DERIVED;
}

bool plumb_is_plugin(const struct plumb_slice *value, const char *name)
{
    struct plumb_slice bare = *value;
    const char *slash = memchr(value->text, '/', value->len);

    if (slash != NULL)
        bare = plumb_slice_sub(value, (size_t)(slash - value->text) + 1, value->len);
    return plumb_slice_is(&bare, name);
}

const char *plumb_part_name(const struct plumb_partition *p)
{
    return p->name.v != NULL ? p->name.v : "?";
}

bool plumb_knows(const struct plumb_check *ck, enum plumb_param_id id)
{
    return plumb_param_known(ck->table, id, ck->model->release);
}

bool plumb_knows_word(const struct plumb_check *ck, enum plumb_param_id id, const char *word)
{
    return plumb_param_word_known(ck->table, id, ck->model->release, word);
}

bool plumb_plugin_in_force(const struct plumb_check *ck, enum plumb_param_id id, const char *name)
{
    const struct plumb_setting *s = plumb_global(ck, id);
    struct plumb_slice now = {0};

    if (s != NULL)
        return plumb_is_plugin(&s->value, name);
    if (plumb_setting_bad(plumb_settings_of(ck, id), id))
        return false;
    now.text = plumb_param_at(plumb_param_row(ck->table, id), ck->model->release)->def;
    if (now.text == NULL)
        return false;
    now.len = (uint32_t)strlen(now.text);
    return plumb_is_plugin(&now, name);
}

bool plumb_hands_out_cores(const struct plumb_check *ck)
{
    return plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "cons_tres") ||
           plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "cons_res");
}

bool plumb_has_slurmdbd(const struct plumb_check *ck)
{
    return plumb_plugin_in_force(ck, PLUMB_P_SLURM_ACCOUNTINGSTORAGETYPE, "slurmdbd");
}

bool plumb_memory_consumable(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_SELECTTYPEPARAMETERS);

    if (s == NULL) /* cons_tres takes CR_Core_Memory then */
        return plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "cons_tres") &&
               !plumb_setting_bad(plumb_slurm(ck->model), PLUMB_P_SLURM_SELECTTYPEPARAMETERS);
    return plumb_slice_holds(&s->value, "_Memory");
}

bool plumb_shapeless(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    static const enum plumb_param_id ids[] = {PLUMB_P_NODE_CPUS, PLUMB_P_NODE_SOCKETS,
                                              PLUMB_P_NODE_SOCKETSPERBOARD,
                                              PLUMB_P_NODE_CORESPERSOCKET};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        if (plumb_setting(&n->settings, ids[i]) != NULL)
            return false;
    }
    return ck->model->from_spec || n->dynamic;
}

static bool says(const struct plumb_slice *value, const char *text)
{
    size_t len = strlen(text);

    for (size_t i = 0; i + len <= value->len; i++) {
        if (memcmp(value->text + i, text, len) == 0)
            return true;
    }
    return false;
}

/* What is asked of a value, reported or not. */
static bool is_like(const struct plumb_slice *value, const struct plumb_term *t)
{
    if (t->test == PLUMB_TEST_SAYS)
        return says(value, t->text);
    if (t->test == PLUMB_TEST_OTHER)
        return !plumb_slice_is_exact(value, t->text);
    return t->text == NULL || !plumb_slice_holds(value, t->text);
}

/* Even a value that was reported counts: the daemon compares the text. */
static bool is_written(const struct plumb_settings *all, const struct plumb_term *t,
                       struct plumb_span *at)
{
    const struct plumb_setting *last = NULL;

    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].param->id == t->param)
            last = &all->items[i];
    }
    if (last == NULL || !is_like(&last->value, t))
        return false;
    *at = last->value.at;
    return true;
}

/* One term of a combination. *at and *found get the place that proves it, where there is one. */
static bool term_holds(const struct plumb_check *ck, const struct plumb_term *t,
                       struct plumb_span *at)
{
    const struct plumb_settings *all = plumb_settings_of(ck, t->param);
    const struct plumb_setting *s = plumb_setting(all, t->param);
    struct plumb_slice item;
    struct plumb_u64 number;
    struct plumb_bool truth;

    if (!ck->model->present[plumb_param(t->param)->file])
        return false;
    if (t->test == PLUMB_TEST_WRITTEN || t->test == PLUMB_TEST_SAYS || t->test == PLUMB_TEST_OTHER)
        return is_written(all, t, at);
    if ((s == NULL || t->test == PLUMB_TEST_NO_WORD || t->test == PLUMB_TEST_LACKS) &&
        plumb_setting_bad(all, t->param))
        return false;
    if (s == NULL && ck->model->unread[plumb_param(t->param)->file])
        return false;
    if (s != NULL)
        *at = s->value.at;
    switch (t->test) {
    case PLUMB_TEST_SET:
        return s != NULL;
    case PLUMB_TEST_UNSET:
        return s == NULL;
    case PLUMB_TEST_WORD:
        if (s == NULL || !plumb_list_find(&s->value, t->text, &item))
            return false;
        *at = item.at;
        return true;
    case PLUMB_TEST_NO_WORD:
        return s == NULL || !plumb_list_find(&s->value, t->text, &item);
    case PLUMB_TEST_HOLDS:
        return s != NULL && plumb_slice_holds(&s->value, t->text);
    case PLUMB_TEST_LACKS:
        return s == NULL || !plumb_slice_holds(&s->value, t->text);
    case PLUMB_TEST_IS:
        return s != NULL && plumb_is_plugin(&s->value, t->text);
    case PLUMB_TEST_IS_NOT:
        return s != NULL && !plumb_is_plugin(&s->value, t->text) &&
               !plumb_slice_holds(&s->value, "none");
    case PLUMB_TEST_YES:
    case PLUMB_TEST_NO:
        truth = plumb_setting_bool(all, t->param, ck->model->release);
        return plumb_usable(truth) && truth.v == (t->test == PLUMB_TEST_YES);
    case PLUMB_TEST_POSITIVE:
    case PLUMB_TEST_ZERO:
        number = plumb_setting_u64(all, t->param, ck->model->release);
        return s != NULL && plumb_usable(number) &&
               (number.v > 0) == (t->test == PLUMB_TEST_POSITIVE);
    case PLUMB_TEST_WRITTEN:
    case PLUMB_TEST_SAYS:
    case PLUMB_TEST_OTHER:
    case PLUMB_TEST_END:
        break;
    }
    return false;
}

static bool combo_report(const struct plumb_check *ck, const struct plumb_combo *c,
                         const struct plumb_eras *eras)
{
    struct plumb_span at[PLUMB_COUNT(c->when)] = {{0, 0, 0}};
    size_t n = 0;

    for (; n < PLUMB_COUNT(c->when) && c->when[n].test != PLUMB_TEST_END; n++) {
        if (!term_holds(ck, &c->when[n], &at[n]))
            return false;
    }

    struct plumb_span first = at[0];

    if (!plumb_span_known(first))
        first = ck->model->file_at[plumb_param(c->when[0].param)->file];

    struct plumb_diag *d = plumb_report(ck, first, "%s", c->message);

    for (size_t i = 1; i < n; i++) {
        if (plumb_span_known(at[i]) && !plumb_span_within(at[i], at[i - 1]))
            plumb_diag_note(d, at[i], "'%s' is set here", plumb_param(c->when[i].param)->name);
    }
    if (c->help != NULL)
        plumb_diag_help(d, "%s", c->help);
    plumb_outcome(ck, d, eras);
    return true;
}

void plumb_combo_run(const struct plumb_check *ck)
{
    const struct plumb_combos *all = ck->rule->data;

    if (plumb_era_quiet(ck, &all->eras))
        return;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].since <= ck->model->release &&
            combo_report(ck, &all->items[i], &all->eras))
            return;
    }
}
