/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From values of the specification to settings, by the rows of the language: the unit that
 * the parameter counts in, Slurm's word for ours, items of a list parameter. No key is named
 * here.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"
#include "passes/resolve.h"
#include "schema/value.h"

#define SECOND UINT64_C(1000000)

const struct plumb_spec_value *plumb_resolve_get(const struct plumb_spec_value *map,
                                                 const char *name)
{
    const struct plumb_spec_value *v = plumb_spec_get(map, name);

    return v != NULL && plumb_usable(*v) ? v : NULL;
}

bool plumb_param_used(const struct plumb_param *p, enum plumb_release r)
{
    enum plumb_life life = (enum plumb_life)plumb_param_at(p, r)->life;

    return life == PLUMB_LIFE_OK || life == PLUMB_LIFE_DEPRECATED || life == PLUMB_LIFE_RENAMED;
}

void plumb_resolve_not_in_release(struct plumb_resolve *rs, struct plumb_span at, const char *what,
                                  const char *name, const struct plumb_param *p, unsigned first)
{
    struct plumb_diag *d = plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_IN_RELEASE),
                                          at, "%s '%s' needs Slurm %s or later, the cluster has %s",
                                          what, name, plumb_release_name((enum plumb_release)first),
                                          plumb_release_name(rs->m->release));

    plumb_diag_fact(d, "it sets %s of %s", p->name, plumb_file_name((enum plumb_file)p->file));
}

unsigned plumb_param_first_use(const struct plumb_param *p)
{
    for (unsigned r = 0; r < PLUMB_RELEASE_COUNT; r++) {
        if (plumb_param_used(p, (enum plumb_release)r))
            return r;
    }
    return PLUMB_RELEASE_NEWEST;
}

static void write_seconds(struct plumb_buf *b, uint64_t seconds)
{
    if (seconds % 60 == 0)
        plumb_value_write_minutes(b, seconds / 60);
    else
        plumb_buf_printf(b, "%" PRIu64 ":%02" PRIu64, seconds / 60, seconds % 60);
}

static void write_quantity(struct plumb_buf *b, const struct plumb_spec_value *v, bool time)
{
    if (v->unlimited)
        plumb_buf_str(b, "UNLIMITED");
    else if (v->row->unit == PLUMB_U_MIB)
        plumb_buf_u64(b, v->number >> 20);
    else if (v->row->unit == PLUMB_U_MINUTES && time)
        plumb_value_write_minutes(b, v->number / (60 * SECOND));
    else if (v->row->unit == PLUMB_U_MINUTES)
        plumb_buf_u64(b, v->number / (60 * SECOND));
    else if (v->row->unit == PLUMB_U_SECONDS && time)
        write_seconds(b, v->number / SECOND);
    else if (v->row->unit == PLUMB_U_SECONDS)
        plumb_buf_u64(b, v->number / SECOND);
    else
        plumb_buf_u64(b, v->number);
}

/* slurmdb_parse_purge takes months, days and hours. */
static void write_age(struct plumb_buf *b, const struct plumb_spec_value *v)
{
    if (v->months)
        plumb_buf_printf(b, "%" PRIu64 "months", v->number);
    else if (v->number % 24 == 0)
        plumb_buf_printf(b, "%" PRIu64 "days", v->number / 24);
    else
        plumb_buf_printf(b, "%" PRIu64 "hours", v->number);
}

static void write_scalar(struct plumb_buf *b, const struct plumb_spec_value *v, bool time)
{
    switch (v->row->kind) {
    case PLUMB_K_NUMBER:
        plumb_buf_u64(b, v->number);
        return;
    case PLUMB_K_BOOL:
        plumb_buf_str(b, v->number != 0 ? "yes" : "no");
        return;
    case PLUMB_K_WORD:
        plumb_buf_str(b, v->word->slurm);
        return;
    case PLUMB_K_SIZE:
    case PLUMB_K_DURATION:
        write_quantity(b, v, time);
        return;
    case PLUMB_K_AGE:
        write_age(b, v);
        return;
    default:
        plumb_buf_add(b, v->text.text, v->text.len);
        return;
    }
}

const char *plumb_resolve_text(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                               const struct plumb_param *p)
{
    struct plumb_buf b = plumb_buf_in(rs->a);
    bool time = plumb_param_at(p, rs->m->release)->type == PLUMB_T_TIME;

    if (v->shape != PLUMB_SHAPE_LIST) {
        write_scalar(&b, v, time);
        return plumb_buf_text(&b);
    }
    for (size_t i = 0; i < v->count; i++) {
        if (!plumb_usable(v->items[i]))
            continue;
        if (b.len > 0)
            plumb_buf_char(&b, ',');
        write_scalar(&b, &v->items[i], time);
    }
    return plumb_buf_text(&b);
}

struct plumb_list_param *plumb_resolve_list(struct plumb_resolve *rs, enum plumb_param_id id)
{
    for (size_t i = 0; i < rs->list_count; i++) {
        if (rs->lists[i].id == id)
            return &rs->lists[i];
    }
    rs->lists =
        plumb_arena_grow(rs->a, rs->lists, rs->list_count, &rs->list_cap, sizeof(*rs->lists));
    rs->lists[rs->list_count] = (struct plumb_list_param){.id = id};
    return &rs->lists[rs->list_count++];
}

void plumb_resolve_part(struct plumb_resolve *rs, struct plumb_list_param *l, const char *text,
                        struct plumb_span at)
{
    l->parts = plumb_arena_grow(rs->a, l->parts, l->count, &l->cap, sizeof(*l->parts));
    l->parts[l->count++] = (struct plumb_list_part){.text = text, .at = at};
}

bool plumb_resolve_word(struct plumb_resolve *rs, const struct plumb_param *p,
                        const struct plumb_spec_value *v, const char *text)
{
    const struct plumb_value *word = plumb_param_value(p, text, strlen(text));

    if (word == NULL || word->gone || plumb_value_there(word, rs->m->release))
        return true;
    if (word->first > rs->m->release) {
        plumb_resolve_not_in_release(rs, v->at, "word", v->text.text, p, word->first);
        return false;
    }
    plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_IN_RELEASE), v->at,
                   "word '%s' is gone from Slurm after %s, the cluster has %s", v->text.text,
                   plumb_release_name((enum plumb_release)word->last),
                   plumb_release_name(rs->m->release));
    return false;
}

static bool words_known(struct plumb_resolve *rs, const struct plumb_param *p,
                        const struct plumb_spec_value *v)
{
    bool known = true;

    if (v->row->kind != PLUMB_K_WORD)
        return true;
    if (v->shape != PLUMB_SHAPE_LIST)
        return plumb_resolve_word(rs, p, v, v->word->slurm);
    for (size_t i = 0; i < v->count; i++) {
        if (plumb_usable(v->items[i]) &&
            !plumb_resolve_word(rs, p, &v->items[i], v->items[i].word->slurm))
            known = false;
    }
    return known;
}

/* Slurm takes the first of two items of one name, whatever the author meant. */
static bool item_there(struct plumb_resolve *rs, const struct plumb_list_param *l,
                       const struct plumb_spec_value *v, const char *text)
{
    size_t len = strcspn(text, "=");
    struct plumb_diag *d = NULL;

    for (size_t i = 0; i < l->count; i++) {
        if (strcspn(l->parts[i].text, "=") != len ||
            !plumb_equal_nocase(l->parts[i].text, text, len))
            continue;
        d = plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_EXCLUSIVE_KEYS), v->at,
                           "'%s' says '%.*s' of %s, which another key says too; Slurm takes the "
                           "first",
                           v->name, (int)len, text, plumb_param(l->id)->name);
        plumb_diag_note(d, l->parts[i].at, "it is said here");
        return true;
    }
    return false;
}

static void add_part(struct plumb_resolve *rs, struct plumb_list_param *l,
                     const struct plumb_spec_value *v, const struct plumb_param *p)
{
    const char *item = v->row->item;
    const char *text = plumb_resolve_text(rs, v, p);

    if (v->row->kind == PLUMB_K_BOOL && v->number == 0)
        return;
    if (v->row->kind == PLUMB_K_BOOL)
        text = item;
    else if (item[0] != '\0')
        text = plumb_arena_printf(rs->a, "%s=%s", item, text);
    if (!item_there(rs, l, v, text))
        plumb_resolve_part(rs, l, text, v->at);
}

static void add_items(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                      const struct plumb_param *p)
{
    struct plumb_list_param *l = plumb_resolve_list(rs, (enum plumb_param_id)p->id);

    if (v->shape != PLUMB_SHAPE_LIST) {
        add_part(rs, l, v, p);
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        if (plumb_usable(v->items[i]))
            add_part(rs, l, &v->items[i], p);
    }
}

enum plumb_origin plumb_resolve_checked(struct plumb_resolve *rs, const struct plumb_param *p,
                                        const struct plumb_slice *value, enum plumb_origin origin)
{
    if (origin != PLUMB_GIVEN || plumb_conf_check_value(rs->s, p, value, rs->m->release))
        return origin;
    return PLUMB_BAD;
}

struct plumb_slice plumb_resolve_join(struct plumb_resolve *rs, const struct plumb_list_param *l)
{
    struct plumb_made m = plumb_made_in(rs->a);

    for (size_t i = 0; i < l->count; i++) {
        if (i > 0)
            plumb_made_add(&m, ",", (struct plumb_span){0});
        plumb_made_add(&m, l->parts[i].text, l->parts[i].at);
    }
    return plumb_made_done(&m);
}

void plumb_resolve_lists(struct plumb_resolve *rs)
{
    for (size_t i = 0; i < rs->list_count; i++) {
        const struct plumb_list_param *l = &rs->lists[i];
        const struct plumb_param *p = plumb_param(l->id);
        struct plumb_settings *to = &rs->m->settings[p->file];
        struct plumb_slice value = plumb_resolve_join(rs, l);

        if (l->bad) /* stands before the others: nothing is known from the absence of an item */
            plumb_setting_add_text(rs->a, to, l->id, "", (struct plumb_span){0}, PLUMB_BAD);
        if (l->count > 0)
            plumb_setting_add(
                rs->a, to, l->id, value, (struct plumb_span){0},
                plumb_resolve_checked(rs, p, &value,
                                      plumb_span_known(value.at) ? PLUMB_GIVEN : PLUMB_DEFAULTED));
    }
}

static struct plumb_settings *settings_of(struct plumb_resolve *rs, const struct plumb_param *p,
                                          struct plumb_settings *record)
{
    return p->scope == PLUMB_SCOPE_GLOBAL ? &rs->m->settings[p->file] : record;
}

/* prolog and epilog are one parameter before 25.05: said twice it must be said alike. */
static bool contradicts(struct plumb_resolve *rs, const struct plumb_settings *to,
                        const struct plumb_param *p, const struct plumb_spec_value *v,
                        const char *text)
{
    const struct plumb_setting *other = plumb_setting(to, (enum plumb_param_id)p->id);
    struct plumb_diag *d = NULL;

    if (other == NULL || plumb_slice_is_exact(&other->value, text))
        return false;
    d = plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_EXCLUSIVE_KEYS), v->at,
                       "'%s' makes %s %s and another key makes it %s; Slurm %s has one value for "
                       "both",
                       v->name, p->name, text, other->value.text,
                       plumb_release_name(rs->m->release));
    plumb_diag_note(d, other->value.at, "the other value is here");
    return true;
}

static void add_setting(struct plumb_resolve *rs, const struct plumb_param *p,
                        const struct plumb_spec_value *v, struct plumb_settings *record,
                        enum plumb_origin origin)
{
    struct plumb_settings *to = settings_of(rs, p, record);
    const char *text = plumb_resolve_text(rs, v, p);
    struct plumb_slice value = plumb_made_slice(text, v->at);

    if (contradicts(rs, to, p, v, text) || plumb_setting_there(to, (enum plumb_param_id)p->id))
        return;
    plumb_setting_add(rs->a, to, (enum plumb_param_id)p->id, value, v->key_at,
                      plumb_resolve_checked(rs, p, &value, origin));
}

/* The parameter that the release has for the row; NULL when none, said if the user wrote it. */
static const struct plumb_param *param_of(struct plumb_resolve *rs,
                                          const struct plumb_spec_value *v, bool given)
{
    const struct plumb_param *p = plumb_param((enum plumb_param_id)(v->row->sets - 1));
    const struct plumb_param *instead = NULL;

    if (plumb_param_used(p, rs->m->release))
        return p;
    if (v->row->instead != 0)
        instead = plumb_param((enum plumb_param_id)(v->row->instead - 1));
    if (instead != NULL && plumb_param_used(instead, rs->m->release))
        return instead;
    if (given)
        plumb_resolve_not_in_release(rs, v->key_at, "key", v->name, p, plumb_param_first_use(p));
    return NULL;
}

static void set_value(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                      struct plumb_settings *record, enum plumb_origin origin)
{
    const struct plumb_param *p = param_of(rs, v, origin == PLUMB_GIVEN);

    if (p == NULL || !words_known(rs, p, v))
        return;
    if (v->row->item != NULL) {
        add_items(rs, v, p);
        return;
    }
    add_setting(rs, p, v, record, origin);
    if (v->row->also != 0)
        add_setting(rs, plumb_param((enum plumb_param_id)(v->row->also - 1)), v, record, origin);
}

/* Words that are parameters of their own: archive: [jobs] is ArchiveJobs=yes. */
static void set_words(struct plumb_resolve *rs, const struct plumb_spec_value *list,
                      struct plumb_settings *record)
{
    for (size_t i = 0; list->shape == PLUMB_SHAPE_LIST && i < list->count; i++) {
        const struct plumb_spec_value *v = &list->items[i];
        const struct plumb_param *p = NULL;

        if (!plumb_usable(*v) || v->word == NULL || v->word->sets == 0)
            continue;
        p = plumb_param((enum plumb_param_id)(v->word->sets - 1));
        if (plumb_param_used(p, rs->m->release))
            add_setting(rs, p, v, record, PLUMB_GIVEN);
        else
            plumb_resolve_not_in_release(rs, v->at, "word", v->word->name, p,
                                         plumb_param_first_use(p));
    }
}

/* A bad value stands for itself: neither a default nor another key takes its place. */
static void set_bad(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                    struct plumb_settings *record)
{
    const struct plumb_param *p = plumb_param((enum plumb_param_id)(v->row->sets - 1));

    plumb_setting_add(rs->a, settings_of(rs, p, record), (enum plumb_param_id)p->id,
                      plumb_made_slice("", v->at), v->key_at, PLUMB_BAD);
}

static void set_default(struct plumb_resolve *rs, const struct plumb_spec_key *row,
                        struct plumb_span owner, struct plumb_settings *record)
{
    struct plumb_spec_value v;
    struct plumb_slice text = plumb_made_slice(row->def, owner);

    if (!plumb_spec_read_text(NULL, row, &text, &v))
        return;
    v.key_at = (struct plumb_span){0};
    if (row->item != NULL)
        v.at = (struct plumb_span){0};
    set_value(rs, &v, record, PLUMB_DEFAULTED);
}

static void set_row(struct plumb_resolve *rs, const struct plumb_spec_key *row,
                    const struct plumb_spec_value *v, struct plumb_span owner,
                    struct plumb_settings *record)
{
    if (v != NULL && v->origin == PLUMB_BAD && row->sets != 0 && row->item == NULL)
        set_bad(rs, v, record);
    else if (v != NULL && v->origin == PLUMB_BAD && row->sets != 0)
        plumb_resolve_list(rs, (enum plumb_param_id)(row->sets - 1))->bad = true;
    else if (v != NULL && plumb_usable(*v) && row->sets != 0)
        set_value(rs, v, record, PLUMB_GIVEN);
    else if (v != NULL && plumb_usable(*v) && row->kind == PLUMB_K_WORD && row->list)
        set_words(rs, v, record);
    else if (v == NULL && row->sets != 0 && row->def != NULL)
        set_default(rs, row, owner, record);
}

void plumb_resolve_table(struct plumb_resolve *rs, const struct plumb_spec_table *t,
                         const struct plumb_spec_value *value, struct plumb_span owner,
                         struct plumb_settings *record)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct plumb_spec_key *row = &t->keys[i];
        const struct plumb_spec_value *v = plumb_spec_get(value, row->name);

        if (row->later || row->kind == PLUMB_K_ENTRIES || row->kind == PLUMB_K_RAW)
            continue;
        if (row->kind != PLUMB_K_MAP)
            set_row(rs, row, v, owner, record);
        else if (!row->list && (v != NULL || !row->if_given))
            plumb_resolve_table(rs, row->of, v, v != NULL ? v->key_at : owner, record);
    }
}
