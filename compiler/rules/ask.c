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
        d->message = plumb_arena_printf(ck->arena, "%s; %s %s %s", d->message,
                                        plumb_daemon_name((enum plumb_daemon)daemons),
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
    d->message = plumb_arena_printf(ck->arena, "%s, %s %s", d->message, plumb_daemon_name(daemon),
                                    effect_verb(effect, false));
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
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].param->id == id && s->items[i].origin == PLUMB_BAD)
            return true;
    }
    return false;
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

bool plumb_slice_holds(const struct plumb_slice *value, const char *text)
{
    size_t len = strlen(text);

    for (size_t i = 0; i + len <= value->len; i++) {
        if (plumb_equal_nocase(value->text + i, text, len))
            return true;
    }
    return false;
}

/* Defaults that changed: parameters.tsv's rows of SelectType and PriorityType. */
static const struct {
    enum plumb_param_id id;
    enum plumb_release since;
    const char *name;
} plugin_defaults[] = {
    {PLUMB_P_SLURM_SELECTTYPE, PLUMB_22_05, "linear"},
    {PLUMB_P_SLURM_SELECTTYPE, PLUMB_23_11, "cons_tres"},
    {PLUMB_P_SLURM_PRIORITYTYPE, PLUMB_22_05, "basic"},
    {PLUMB_P_SLURM_PRIORITYTYPE, PLUMB_23_11, "multifactor"},
    {PLUMB_P_SLURM_PROCTRACKTYPE, PLUMB_22_05, "cgroup"},
};

bool plumb_plugin_in_force(const struct plumb_check *ck, enum plumb_param_id id, const char *name)
{
    const struct plumb_setting *s = plumb_global(ck, id);
    const char *now = NULL;

    if (s != NULL)
        return plumb_is_plugin(&s->value, name);
    if (plumb_setting_bad(plumb_settings_of(ck, id), id))
        return false;
    for (size_t i = 0; i < PLUMB_COUNT(plugin_defaults); i++) {
        if (plugin_defaults[i].id == id && plugin_defaults[i].since <= ck->model->release)
            now = plugin_defaults[i].name;
    }
    return now != NULL && plumb_same_nocase(now, name);
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
    return ck->model->from_spec;
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
        if (plumb_span_known(at[i]))
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
        if (combo_report(ck, &all->items[i], &all->eras))
            return;
    }
}

struct plumb_fold plumb_fold_in(const struct plumb_check *ck)
{
    return (struct plumb_fold){.map = plumb_map_in(ck->scratch), .arena = ck->scratch};
}

struct plumb_fold_item *plumb_fold_add(struct plumb_fold *f, const char *key, struct plumb_span at,
                                       const struct plumb_hostlist *hosts)
{
    struct plumb_fold_item *item = plumb_map_get(&f->map, key);

    if (item == NULL) {
        item = PLUMB_NEW(f->arena, struct plumb_fold_item);
        *item = (struct plumb_fold_item){.key = key, .at = at};
        plumb_map_set(&f->map, key, item);
    }
    if (hosts == NULL)
        return item;
    if (item->hosts == NULL)
        item->hosts = PLUMB_NEW(f->arena, struct plumb_hostlist);
    plumb_hostlist_append(f->arena, item->hosts, hosts);
    return item;
}

struct plumb_fold plumb_fold_squeeze(const struct plumb_check *ck, const struct plumb_fold *f)
{
    enum { READABLE = 16 };
    struct plumb_fold out = plumb_fold_in(ck);

    if (f->map.count <= READABLE)
        return *f;
    for (size_t i = 0; i < f->map.count; i++) {
        const struct plumb_fold_item *from = f->map.entries[i].value;
        const char *key = from->alike != NULL ? from->alike : f->map.entries[i].key;
        struct plumb_fold_item *to = plumb_fold_add(&out, key, from->at, from->hosts);

        if (to->what != NULL)
            continue;
        to->key = from->key;
        to->second = from->second;
        to->what = from->what;
        to->a = from->a;
        to->b = from->b;
    }
    return out;
}

const char *plumb_fold_hosts(const struct plumb_check *ck, const struct plumb_hostlist *hosts)
{
    return hosts == NULL ? "?" : plumb_hostlist_str(ck->arena, hosts);
}

void plumb_fold_object(const struct plumb_check *ck, struct plumb_diag *d,
                       const struct plumb_hostlist *hosts)
{
    if (hosts != NULL)
        plumb_diag_object(d, "node", plumb_hostlist_str(ck->arena, hosts),
                          hosts->count > 1 ? hosts->count : 0);
}

/* What a NodeName line that could not be read says; NULL for one that could. */
static const struct plumb_slice *unread_names(const struct plumb_nodes *n)
{
    for (size_t i = 0; n->hosts == NULL && i < n->settings.count; i++) {
        if (n->settings.items[i].param->id == PLUMB_P_SLURM_NODENAME)
            return &n->settings.items[i].value;
    }
    return NULL;
}

/* A name begins as some item of a list does, up to the item's bracket. */
static bool may_hold(const struct plumb_slice *list, const char *name)
{
    size_t begin = 0;

    while (begin < list->len) {
        size_t stem = begin, end = begin;
        bool inside = false;

        for (; end < list->len && (inside || list->text[end] != ','); end++) {
            if (list->text[end] == '[' || list->text[end] == ']')
                inside = list->text[end] == '[';
            if (!inside && stem == end && !plumb_is_digit(list->text[end]))
                stem++;
        }
        if (strncmp(list->text + begin, name, stem - begin) == 0)
            return true;
        begin = end + 1;
    }
    return false;
}

bool plumb_may_name(const struct plumb_slice *unread, const struct plumb_hostlist *hosts)
{
    for (size_t r = 0; r < hosts->range_count; r++) {
        if (may_hold(unread, hosts->ranges[r].prefix))
            return true;
    }
    return false;
}

struct plumb_hostlist *plumb_surely(const struct plumb_check *ck,
                                    const struct plumb_hostlist *names)
{
    struct plumb_hostlist *sure = PLUMB_NEW(ck->scratch, struct plumb_hostlist);
    const struct plumb_slice **unread = NULL;
    size_t unread_count = 0, unread_cap = 0;

    sure->at = names->at;
    for (size_t i = 0; names->range_count > 0 && i < ck->model->node_count; i++) {
        const struct plumb_slice *one = unread_names(&ck->model->nodes[i]);

        if (one == NULL)
            continue;
        unread = plumb_arena_grow(ck->scratch, unread, unread_count, &unread_cap, sizeof(*unread));
        unread[unread_count++] = one;
    }
    for (size_t r = 0; r < names->range_count; r++) {
        struct plumb_host_range range = names->ranges[r];
        struct plumb_hostlist one = {.ranges = &range,
                                     .range_count = 1,
                                     .cap = 1,
                                     .count = range.hi - range.lo + 1,
                                     .at = names->at};
        bool maybe = false;

        for (size_t i = 0; i < unread_count && !maybe; i++)
            maybe = may_hold(unread[i], range.prefix);
        if (!maybe)
            plumb_hostlist_append(ck->scratch, sure, &one);
    }
    return sure;
}
