/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the model that every rule and target asks. */
#include "model/model.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "schema/value.h"

const struct plumb_setting *plumb_setting(const struct plumb_settings *s, enum plumb_param_id id)
{
    const struct plumb_param *param = plumb_param(id);

    if (!plumb_settings_may_have(s, id))
        return NULL;
    for (size_t i = s->count; i > 0; i--) {
        if (s->items[i - 1].param == param)
            return plumb_usable(s->items[i - 1]) ? &s->items[i - 1] : NULL;
    }
    return NULL;
}

const struct plumb_setting *plumb_setting_next(const struct plumb_settings *s,
                                               enum plumb_param_id id,
                                               const struct plumb_setting *prev)
{
    for (size_t i = prev == NULL ? 0 : (size_t)(prev - s->items) + 1; i < s->count; i++) {
        if (s->items[i].param->id == id && plumb_usable(s->items[i]))
            return &s->items[i];
    }
    return NULL;
}

struct plumb_span plumb_setting_at(const struct plumb_settings *s, enum plumb_param_id id)
{
    const struct plumb_setting *set = plumb_setting(s, id);

    return set != NULL ? set->value.at : (struct plumb_span){0};
}

/* NULL where nothing counts; *bad then tells an unreadable setting from none. */
static const struct plumb_setting *last_of(const struct plumb_settings *s, enum plumb_param_id id,
                                           bool *bad)
{
    const struct plumb_param *param = plumb_param(id);

    *bad = false;
    if (!plumb_settings_may_have(s, id))
        return NULL;
    for (size_t i = s->count; i > 0; i--) {
        if (s->items[i - 1].param != param)
            continue;
        *bad = !plumb_usable(s->items[i - 1]);
        return *bad ? NULL : &s->items[i - 1];
    }
    return NULL;
}

/* SuspendTime as a word (read_config.c:_parse_suspend_time). */
static const char *const never_suspended[] = {"NONE", "INFINITE", "-1"};

/* SuspendTime: seconds, or a word for never. */
static enum plumb_value_fault read_suspend_time(const struct plumb_slice *v, uint64_t *out)
{
    for (size_t i = 0; i < PLUMB_COUNT(never_suspended); i++) {
        if (plumb_slice_is(v, never_suspended[i])) {
            *out = PLUMB_UNLIMITED;
            return PLUMB_VALUE_OK;
        }
    }
    return plumb_value_uint(v, 32, out);
}

/* A time that wraps around is what the daemons keep of it. */
static enum plumb_value_fault read_minutes(const struct plumb_slice *v, uint64_t *out)
{
    enum plumb_value_fault fault = plumb_value_minutes(v, out);
    int32_t kept = fault == PLUMB_VALUE_RANGE ? plumb_value_minutes_kept(v) : -1;

    if (kept < 0)
        return fault;
    *out = (uint64_t)kept;
    return PLUMB_VALUE_OK;
}

static enum plumb_value_fault read_number(const struct plumb_param_rev *rev,
                                          const struct plumb_slice *v, uint64_t *out)
{
    switch (rev->type) {
    case PLUMB_T_U16:
        return plumb_value_uint(v, 16, out);
    case PLUMB_T_U32:
        return plumb_value_uint(v, 32, out);
    case PLUMB_T_U64:
    case PLUMB_T_LONG:
        return plumb_value_uint(v, 64, out);
    case PLUMB_T_TIME:
        return rev->unit != NULL && strcmp(rev->unit, "minutes") == 0 ? read_minutes(v, out)
                                                                      : plumb_value_seconds(v, out);
    case PLUMB_T_SUSPEND_TIME:
        return read_suspend_time(v, out);
    case PLUMB_T_COUNT_SUFFIX:
        return plumb_value_count(v, out);
    default:
        return PLUMB_VALUE_SYNTAX;
    }
}

static struct plumb_slice text_slice(const char *text)
{
    return (struct plumb_slice){.text = text, .len = (uint32_t)strlen(text)};
}

struct plumb_u64 plumb_setting_u64(const struct plumb_settings *s, enum plumb_param_id id,
                                   enum plumb_release r)
{
    const struct plumb_param_rev *rev = plumb_param_at(plumb_param(id), r);
    bool bad = false;
    const struct plumb_setting *set = last_of(s, id, &bad);
    struct plumb_u64 v = {.origin = bad ? PLUMB_BAD : PLUMB_ABSENT};

    if (set != NULL) {
        v.at = set->value.at;
        v.origin = read_number(rev, &set->value, &v.v) == PLUMB_VALUE_OK ? set->origin : PLUMB_BAD;
        return v;
    }
    if (bad || rev->def == NULL || rev->life == PLUMB_LIFE_NONE)
        return v;

    struct plumb_slice def = text_slice(rev->def);

    if (read_number(rev, &def, &v.v) == PLUMB_VALUE_OK)
        v.origin = PLUMB_DEFAULTED;
    return v;
}

struct plumb_bool plumb_setting_bool(const struct plumb_settings *s, enum plumb_param_id id,
                                     enum plumb_release r)
{
    const struct plumb_param_rev *rev = plumb_param_at(plumb_param(id), r);
    bool bad = false;
    const struct plumb_setting *set = last_of(s, id, &bad);
    struct plumb_bool v = {.origin = bad ? PLUMB_BAD : PLUMB_ABSENT};

    if (set != NULL) {
        v.at = set->value.at;
        v.origin = plumb_value_bool(&set->value, &v.v) == PLUMB_VALUE_OK ? set->origin : PLUMB_BAD;
        return v;
    }
    if (bad || rev->def == NULL || rev->life == PLUMB_LIFE_NONE)
        return v;

    struct plumb_slice def = text_slice(rev->def);

    if (plumb_value_bool(&def, &v.v) == PLUMB_VALUE_OK)
        v.origin = PLUMB_DEFAULTED;
    return v;
}

bool plumb_setting_has_word(const struct plumb_settings *s, enum plumb_param_id id,
                            const char *word, struct plumb_slice *item)
{
    const struct plumb_setting *set = plumb_setting(s, id);

    return set != NULL && plumb_list_find(&set->value, word, item);
}

/* l3cache_as_socket wins over numa_node_as_socket (read_config.c). */
static bool socket_word(const struct plumb_settings *s, enum plumb_param_id id,
                        enum plumb_hw_socket_kind *kind)
{
    if (plumb_setting_has_word(s, id, "l3cache_as_socket", NULL))
        *kind = PLUMB_SOCKET_L3;
    else if (plumb_setting_has_word(s, id, "numa_node_as_socket", NULL))
        *kind = PLUMB_SOCKET_NUMA;
    else
        return false;
    return true;
}

enum plumb_hw_socket_kind plumb_socket_kind(const struct plumb_model *m,
                                            const struct plumb_nodes *nodes)
{
    const struct plumb_param_rev *own =
        plumb_param_at(plumb_param(PLUMB_P_NODE_PARAMETERS), m->release);
    enum plumb_hw_socket_kind kind = PLUMB_SOCKET_PACKAGE;

    if (nodes != NULL && own->life != PLUMB_LIFE_NONE &&
        socket_word(&nodes->settings, PLUMB_P_NODE_PARAMETERS, &kind))
        return kind;
    (void)socket_word(plumb_slurm(m), PLUMB_P_SLURM_SLURMDPARAMETERS, &kind);
    return kind;
}

uint64_t plumb_gres_total(const struct plumb_nodes *nodes, const char *name)
{
    uint64_t total = 0;

    for (size_t i = 0; i < nodes->gres_count; i++) {
        if (strcmp(nodes->gres[i].name, name) == 0 &&
            __builtin_add_overflow(total, nodes->gres[i].count, &total))
            return UINT64_MAX;
    }
    return total;
}

bool plumb_gres_bad(const struct plumb_nodes *nodes, const char *name)
{
    for (size_t i = 0; i < nodes->gres_count; i++) {
        if (nodes->gres[i].bad && plumb_same_nocase(nodes->gres[i].name, name))
            return true;
    }
    return false;
}

/* The names of all ranges part within what is no number: no host is in both. False: look closely.
 */
static bool are_apart(const struct plumb_hostlist *x, const struct plumb_hostlist *y)
{
    enum { FEW = 4 };

    if (x->range_count > FEW || y->range_count > FEW)
        return false;
    for (size_t i = 0; i < x->range_count; i++) {
        for (size_t k = 0; k < y->range_count; k++) {
            const char *a = x->ranges[i].prefix, *b = y->ranges[k].prefix;

            for (; *a == *b && *a != '\0'; a++, b++)
                ;
            if (*a == '\0' || *b == '\0') /* one goes on where the other has its number */
                return false;
        }
    }
    return true;
}

bool plumb_gres_line_applies(struct plumb_arena *a, const struct plumb_gres_line *line,
                             const struct plumb_nodes *nodes)
{
    if (line->hosts == NULL)
        return true;
    if (nodes->hosts == NULL)
        return false;
    if (line->hosts == nodes->hosts)
        return line->hosts->count > 0;
    return !are_apart(line->hosts, nodes->hosts) &&
           plumb_hostlist_intersect(a, line->hosts, nodes->hosts)->count > 0;
}

const struct plumb_setting *plumb_node_features(const struct plumb_nodes *n)
{
    const struct plumb_setting *s = plumb_setting(&n->settings, PLUMB_P_NODE_FEATURE);

    return s != NULL ? s : plumb_setting(&n->settings, PLUMB_P_NODE_FEATURES);
}

bool plumb_node_has_feature(const struct plumb_nodes *n, const struct plumb_slice *word)
{
    const struct plumb_setting *set = plumb_node_features(n);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (set != NULL && plumb_list_next(&set->value, ',', &c, &item)) {
        if (item.len == word->len && memcmp(item.text, word->text, word->len) == 0)
            return true;
    }
    return false;
}

bool plumb_in_cloud(const struct plumb_nodes *n)
{
    const struct plumb_setting *s = plumb_setting(&n->settings, PLUMB_P_NODE_STATE);

    return s != NULL && plumb_slice_holds(&s->value, "CLOUD");
}

/*
 * The time says that nodes are suspended: any text does, by the number it begins with, but the
 * words that turn it off and what is one of them in 32 bits; so a value with a finding of its own
 * counts too. Source: read_config.c:_parse_suspend_time, before 25.05 atoi() there.
 */
static bool is_suspend_time(const struct plumb_table *t, enum plumb_release r,
                            const struct plumb_setting *s)
{
    const char *text = s->value.text;
    size_t sign = s->value.len > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    uint64_t seconds = 0;

    for (size_t i = 0; i < PLUMB_COUNT(never_suspended); i++) {
        if (plumb_slice_is(&s->value, never_suspended[i]) &&
            plumb_param_word_known(t, (enum plumb_param_id)s->param->id, r, never_suspended[i]))
            return false;
    }
    if (plumb_read_digits(text + sign, s->value.len - sign, &seconds) == SIZE_MAX)
        return false; /* more than 64 bits hold: refused, or atoi has -1 of it */
    if (sign > 0 && text[0] == '-')
        seconds = 0 - seconds;
    if (seconds > UINT32_MAX && plumb_param_at(s->param, r)->has_max)
        return false; /* refused */
    return (uint32_t)seconds != UINT32_MAX;
}

/* The last one, reported or not; NULL: none, or one that suspends nothing. */
static const struct plumb_setting *suspend_time_of(const struct plumb_table *t,
                                                   enum plumb_release r,
                                                   const struct plumb_settings *settings,
                                                   enum plumb_param_id id)
{
    for (size_t i = settings->count; plumb_settings_may_have(settings, id) && i > 0; i--) {
        const struct plumb_setting *s = &settings->items[i - 1];

        if (s->param->id == id)
            return is_suspend_time(t, r, s) ? s : NULL;
    }
    return NULL;
}

const struct plumb_setting *plumb_suspend_time(const struct plumb_table *t,
                                               const struct plumb_model *m)
{
    const struct plumb_setting *time =
        suspend_time_of(t, m->release, plumb_slurm(m), PLUMB_P_SLURM_SUSPENDTIME);

    for (size_t i = 0; time == NULL && i < m->partition_count; i++)
        time = suspend_time_of(t, m->release, &m->partitions[i].settings, PLUMB_P_PART_SUSPENDTIME);
    return time;
}
