/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table engine: holds a conf document against the parameter table of a release. This
 * file is about keys (where they may stand, whether the release reads them, how often);
 * values are in check_value.c. What two parameters mean together is a rule of the model.
 */
#include "conf/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"

enum { LONGEST_SHOWN = 100 };

static const char *release_name(const struct plumb_conf_check *ck)
{
    return plumb_release_name(ck->release);
}

void plumb_conf_does(const struct plumb_conf_check *ck, struct plumb_diag *d,
                     enum plumb_effect effect, unsigned daemons)
{
    static const char *const verbs[][2] = {
        [PLUMB_EFFECT_NONE] = {"", ""},
        [PLUMB_EFFECT_IGNORED] = {"ignores it", "ignore it"},
        [PLUMB_EFFECT_COMPLAINS] = {"logs an error", "log an error"},
        [PLUMB_EFFECT_DRAINS] = {"drains the node", "drain the node"},
        [PLUMB_EFFECT_STOPS] = {"stops", "stop"},
    };

    if (effect != PLUMB_EFFECT_NONE && daemons != 0)
        plumb_diag_outcome(d, "%s %s %s", plumb_daemon_name((enum plumb_daemon)daemons),
                           release_name(ck), verbs[effect][daemons == PLUMB_SLURM_ALL]);
}

void plumb_conf_logged(const struct plumb_conf_check *ck, struct plumb_diag *d)
{
    unsigned who = plumb_file_loggers(ck->table, ck->file, ck->release) & ~d->daemons;

    if (who == 0 || d->effect < PLUMB_EFFECT_COMPLAINS)
        return;
    plumb_diag_other(d, PLUMB_EFFECT_COMPLAINS, who);
    plumb_diag_outcome_more(d, ", %s logs an error", plumb_daemon_name((enum plumb_daemon)who));
}

const char *plumb_shown(const struct plumb_conf_check *ck, const struct plumb_slice *text)
{
    size_t len = text->len, step = 0;
    bool valid = false;

    if (len <= LONGEST_SHOWN)
        return plumb_arena_strndup(ck->sink->arena, text->text, len);
    for (len = 0; len + step <= LONGEST_SHOWN;
         step = plumb_utf8_step(text->text + len, text->len - len, &valid))
        len += step;
    return plumb_arena_printf(ck->sink->arena, "%.*s...", (int)len, text->text);
}

/*
 * A quote inside a value was reported by the reader. Where it makes a word wrong, that is the same
 * fault: the finding about the word tells of the quote, and stands alone.
 */
static void take_quote(struct plumb_sink *sink, struct plumb_diag *d)
{
    size_t at = 0;

    while (at < sink->count && (!plumb_span_within(sink->items[at]->at, d->at) ||
                                strcmp(sink->items[at]->rule->code, "CONF034") != 0))
        at++;
    if (at == sink->count || plumb_diag_is_dropped(d))
        return;

    const struct plumb_diag *quote = sink->items[at];

    plumb_diag_fact(d, "%s", quote->message);
    for (size_t i = 0; i < quote->facts.count; i++)
        plumb_diag_fact(d, "%s", quote->facts.items[i]);
    for (size_t i = 0; i < quote->notes.count; i++)
        plumb_diag_note(d, quote->notes.items[i].at, "%s", quote->notes.items[i].text);
    memmove(&sink->items[at], &sink->items[at + 1],
            (sink->count - at - 1) * sizeof(sink->items[0]));
    sink->count--;
}

struct plumb_diag *plumb_conf_report(const struct plumb_conf_check *ck, enum plumb_conf_rule rule,
                                     struct plumb_span at, enum plumb_effect effect,
                                     unsigned daemons, const char *fmt, ...)
{
    const struct plumb_rule *row = &plumb_conf_rows[rule];
    struct plumb_diag *d = NULL;
    va_list args;

    if (daemons == 0)
        daemons = plumb_file_daemons(ck->file);
    if (ck->untaken)
        effect = PLUMB_EFFECT_NONE;
    va_start(args, fmt);
    d = plumb_diag_new(ck->sink, row, at, "%s", plumb_arena_vprintf(ck->sink->arena, fmt, args));
    va_end(args);
    if (ck->untaken)
        plumb_diag_outcome(d, "no line takes it from DEFAULT");
    plumb_conf_does(ck, d, effect, daemons);
    plumb_diag_effect(d, effect, effect == PLUMB_EFFECT_NONE ? 0 : daemons);
    if (rule <= PLUMB_CONF_NOT_YET || rule == PLUMB_CONF_REPEATED ||
        rule == PLUMB_CONF_REPEATED_IN_RECORD)
        plumb_conf_logged(ck, d);
    if (row->severity != PLUMB_INFO)
        plumb_diag_severity(d, effect >= PLUMB_EFFECT_DRAINS ? PLUMB_ERROR : PLUMB_WARNING);
    if (strchr(d->message, '"') != NULL) /* what is shown holds it: others need no search */
        take_quote(ck->sink, d);
    return d;
}

static const char *shown_key(const struct plumb_conf_check *ck, const char *key)
{
    return plumb_shown(ck, &(struct plumb_slice){.text = key, .len = (uint32_t)strlen(key)});
}

/* mpi.conf is read by a parser that passes over keys it does not know (interfaces/mpi.c). */
static enum plumb_effect unknown_effect(const struct plumb_conf_check *ck)
{
    return ck->file == PLUMB_MPI_CONF ? PLUMB_EFFECT_IGNORED : PLUMB_EFFECT_STOPS;
}

/* "NodeName lines of slurm.conf", "cgroup.conf", "lines of their own". */
static const char *home_of(const struct plumb_conf_check *ck, const struct plumb_param *p)
{
    enum plumb_file file = (enum plumb_file)p->file;
    const char *record = plumb_scope_name((enum plumb_scope)p->scope);

    if (file != ck->file && p->scope == PLUMB_SCOPE_GLOBAL)
        return plumb_file_name(file);
    if (file != ck->file)
        return plumb_arena_printf(ck->sink->arena, "%s lines of %s", record, plumb_file_name(file));
    if (p->scope == PLUMB_SCOPE_GLOBAL)
        return "a line of its own";
    return plumb_arena_printf(ck->sink->arena, "%s lines", record);
}

/* Where else the release reads this name: in the same file before others. */
static const struct plumb_param *find_home(const struct plumb_conf_check *ck, const char *name,
                                           size_t len, enum plumb_scope scope)
{
    const struct plumb_param *best = NULL;

    for (const struct plumb_param *p = plumb_param_elsewhere(ck->table, name, len, NULL); p != NULL;
         p = plumb_param_elsewhere(ck->table, name, len, p)) {
        bool here = p->file == (unsigned)ck->file;

        if ((here && p->scope == (unsigned)scope) || plumb_file_is_yaml((enum plumb_file)p->file) ||
            plumb_param_at(p, ck->release)->life == PLUMB_LIFE_NONE)
            continue;
        if (best == NULL || (here && best->file != (unsigned)ck->file))
            best = p;
    }
    return best;
}

/* "in NodeName lines" for a record, "in gres.conf" else. */
static const char *place_of(const struct plumb_conf_check *ck, enum plumb_scope scope)
{
    if (scope == PLUMB_SCOPE_GLOBAL)
        return plumb_file_name(ck->file);
    return plumb_arena_printf(ck->sink->arena, "%s lines", plumb_scope_name(scope));
}

static void report_unknown(const struct plumb_conf_check *ck, const struct plumb_setting *pair,
                           enum plumb_scope scope)
{
    const char *name = shown_key(ck, pair->key);
    const struct plumb_param *home = find_home(ck, pair->key, strlen(pair->key), scope);

    if (home != NULL) {
        plumb_conf_report(ck, PLUMB_CONF_MISPLACED, pair->key_at, unknown_effect(ck), 0,
                          "'%s' is no parameter of %s, it belongs to %s", name, place_of(ck, scope),
                          home_of(ck, home));
        return;
    }

    const char *near = plumb_param_suggest(ck->table, ck->file, scope, ck->release, name);
    struct plumb_diag *d =
        plumb_conf_report(ck, PLUMB_CONF_UNKNOWN, pair->key_at, unknown_effect(ck), 0,
                          "'%s' is no parameter of %s", name, place_of(ck, scope));

    if (near != NULL) {
        plumb_diag_help(d, "did you mean '%s'?", near);
        plumb_diag_edit(d, pair->key_at, false, near);
    }
}

/* A key that some release reads, only not this one. */
static void report_absent(const struct plumb_conf_check *ck, const struct plumb_setting *pair,
                          enum plumb_scope scope)
{
    const struct plumb_param *p = pair->param;
    const struct plumb_param_rev *rev = plumb_param_at(p, ck->release);
    const struct plumb_param *home = find_home(ck, p->name, strlen(p->name), scope);
    enum plumb_release first = PLUMB_RELEASE_NONE, last = PLUMB_RELEASE_NONE;
    struct plumb_diag *d = NULL;

    plumb_param_span(p, &first, &last);
    if (first != PLUMB_RELEASE_NONE && ck->release < first)
        d = plumb_conf_report(ck, PLUMB_CONF_NOT_YET, pair->key_at, unknown_effect(ck), 0,
                              "'%s' is not known to %s before %s", p->name, place_of(ck, scope),
                              plumb_release_name(first));
    else if (last != PLUMB_RELEASE_NONE)
        d = plumb_conf_report(ck, PLUMB_CONF_REMOVED, pair->key_at, unknown_effect(ck), 0,
                              "'%s' is gone, %s was the last release to read it", p->name,
                              plumb_release_name(last));
    else
        d = plumb_conf_report(ck, PLUMB_CONF_REMOVED, pair->key_at, unknown_effect(ck), 0,
                              "'%s' is read by no release from %s on", p->name,
                              plumb_release_name((enum plumb_release)0));
    if (home != NULL)
        plumb_diag_fact(d, "%s reads it in %s", release_name(ck), home_of(ck, home));
    if (rev->replaced_by != NULL)
        plumb_diag_help(d, "write '%s'", rev->replaced_by);
    if (rev->note != NULL)
        plumb_diag_fact(d, "%s", rev->note);
}

/* True for text that can stand as a key: then exchanging the key alone is a repair. */
static bool is_key(const char *text)
{
    return text != NULL && strpbrk(text, "= ") == NULL;
}

static const struct {
    enum plumb_conf_rule rule;
    enum plumb_effect effect;
    const char *text; /* behind the name */
} lives[] = {
    [PLUMB_LIFE_DEPRECATED] = {PLUMB_CONF_DEPRECATED, PLUMB_EFFECT_COMPLAINS, "is deprecated"},
    [PLUMB_LIFE_RENAMED] = {PLUMB_CONF_RENAMED, PLUMB_EFFECT_NONE, "is an older spelling"},
    [PLUMB_LIFE_DEFUNCT] = {PLUMB_CONF_DEFUNCT, PLUMB_EFFECT_COMPLAINS,
                            "has no effect any more, its value is dropped"},
    [PLUMB_LIFE_IGNORED] = {PLUMB_CONF_IGNORED_KEY, PLUMB_EFFECT_IGNORED,
                            "is read but its value is never used"},
    [PLUMB_LIFE_FATAL] = {PLUMB_CONF_FATAL, PLUMB_EFFECT_STOPS, "was removed and is refused"},
};

static void report_life(const struct plumb_conf_check *ck, const struct plumb_setting *pair,
                        const struct plumb_param_rev *rev)
{
    const struct plumb_param *p = pair->param;
    enum plumb_effect effect = lives[rev->life].effect;
    unsigned daemons = rev->life_daemons != 0 ? rev->life_daemons : rev->bad_daemons;
    const char *replaced = rev->replaced_by;
    struct plumb_diag *d = NULL;

    if (replaced != NULL)
        d = plumb_conf_report(ck, lives[rev->life].rule, pair->key_at, effect, daemons,
                              "'%s' %s, write '%s'", p->name, lives[rev->life].text, replaced);
    else
        d = plumb_conf_report(ck, lives[rev->life].rule, pair->key_at, effect, daemons, "'%s' %s",
                              p->name, lives[rev->life].text);
    if (rev->life == PLUMB_LIFE_RENAMED && is_key(replaced))
        plumb_diag_edit(d, pair->key_at, true, replaced);
    if (rev->note != NULL)
        plumb_diag_fact(d, "%s", rev->note);
}

/* True when the key may be used; its value is worth a look then. */
static bool check_key(const struct plumb_conf_check *ck, const struct plumb_setting *pair,
                      enum plumb_scope scope)
{
    if (pair->param == NULL) {
        report_unknown(ck, pair, scope);
        return false;
    }

    const struct plumb_param_rev *rev = plumb_param_at(pair->param, ck->release);

    if (rev->life == PLUMB_LIFE_NONE) {
        report_absent(ck, pair, scope);
        return false;
    }
    /* A dropped value that is out of range stops the daemon instead (FastSchedule=0). */
    if (rev->life == PLUMB_LIFE_DEFUNCT && (rev->has_min || rev->has_max) &&
        !plumb_conf_value_sound(ck, pair->param, &pair->value))
        return false;
    if (rev->life != PLUMB_LIFE_OK)
        report_life(ck, pair, rev);
    return rev->life == PLUMB_LIFE_OK || rev->life == PLUMB_LIFE_DEPRECATED ||
           rev->life == PLUMB_LIFE_RENAMED || rev->life == PLUMB_LIFE_IGNORED;
}

/* False when the key is not one that the release reads. REPLACED: a later value counts. */
static bool check_pair(const struct plumb_conf_check *ck, const struct plumb_setting *pair,
                       enum plumb_scope scope, bool replaced)
{
    if (!check_key(ck, pair, scope))
        return false;
    if (replaced || plumb_param_at(pair->param, ck->release)->life == PLUMB_LIFE_IGNORED)
        plumb_conf_type_sound(ck, pair->param, &pair->value);
    else
        plumb_conf_value_sound(ck, pair->param, &pair->value);
    return true;
}

/* A fault of a record that may come again on other lines. */
struct fault {
    const struct plumb_setting *pair;
    struct plumb_diag *diag;
    size_t edit_count;      /* of the first place */
    uint64_t more;          /* lines with the same fault */
    struct plumb_span last; /* the key in the last of them */
    bool read;              /* the release reads the key */
    enum plumb_scope scope;
};

/* Where each key was seen first and last, by id of its parameter. */
struct seen {
    const struct plumb_setting **by_id;
    const struct plumb_setting **last;
    const char **sound;      /* by id too: the text of a value of records that was found sound */
    bool *faulty;            /* by id: some value of it has a fault */
    struct plumb_map faults; /* struct fault, by key and value */
    struct fault *recent;    /* the one that was found last; NULL */
};

/*
 * A scalar that comes again replaces the first and the daemon says so
 * (parse_config.c:_handle_common). What a handler drops at once is never seen twice.
 */
static bool replaces(const struct plumb_param_rev *rev, enum plumb_scope scope)
{
    return !rev->repeats && !(rev->type == PLUMB_T_RECORD && scope == PLUMB_SCOPE_GLOBAL) &&
           rev->life != PLUMB_LIFE_DEFUNCT;
}

static void note_last(struct seen *seen, const struct plumb_setting *pair)
{
    if (pair->param != NULL)
        seen->last[pair->param->id] = pair;
}

/* What the parser accepts and then replaces reaches nobody who could mind its meaning. */
static bool is_replaced(const struct plumb_conf_check *ck, const struct seen *seen,
                        const struct plumb_setting *pair, enum plumb_scope scope)
{
    return pair->param != NULL && seen->last[pair->param->id] != pair &&
           replaces(plumb_param_at(pair->param, ck->release), scope);
}

static void check_repeated(const struct plumb_conf_check *ck, struct seen *seen,
                           const struct plumb_setting *pair, enum plumb_conf_rule rule,
                           enum plumb_scope scope)
{
    const struct plumb_param_rev *rev = plumb_param_at(pair->param, ck->release);
    const struct plumb_setting *first = seen->by_id[pair->param->id];

    if (!replaces(rev, scope))
        return;
    if (first == NULL) {
        seen->by_id[pair->param->id] = pair;
        return;
    }

    struct plumb_diag *d = plumb_conf_report(ck, rule, pair->key_at, PLUMB_EFFECT_COMPLAINS, 0,
                                             "'%s' is set again, only the last value '%s' counts",
                                             pair->param->name, plumb_shown(ck, &pair->value));

    plumb_diag_note(d, first->key_at, "first set to '%s' here", plumb_shown(ck, &first->value));
}

/* The edits of the first place, moved to this one. */
static void repeat_edits(const struct fault *f, const struct plumb_setting *pair)
{
    for (size_t i = 0; i < f->edit_count; i++) {
        const struct plumb_edit *e = &f->diag->edits.items[i];
        bool of_key = e->at.begin < f->pair->value.at.begin;
        struct plumb_span from = of_key ? f->pair->key_at : f->pair->value.at;
        struct plumb_span to = of_key ? pair->key_at : pair->value.at;

        if (from.end - from.begin != to.end - to.begin)
            continue;
        to.begin += e->at.begin - from.begin;
        to.end = to.begin + (e->at.end - e->at.begin);
        if (to.file == e->at.file)
            plumb_diag_edit_again(f->diag, i, to.begin);
        else
            plumb_diag_edit(f->diag, to, e->safe, e->text);
    }
}

/* Lines of one file may come in another order: the repeats of a line before the next line. */
static bool is_behind(struct plumb_span at, struct plumb_span other)
{
    return at.file != other.file || at.begin > other.begin;
}

static void add_place(struct fault *f, const struct plumb_setting *pair)
{
    repeat_edits(f, pair);
    f->more++;
    if (is_behind(pair->key_at, f->last))
        f->last = pair->key_at;
}

/* The position of an edit like this one in another file; that of none when there is no such. */
static size_t edit_in(const struct fault *f, size_t edit, uint32_t file)
{
    const struct plumb_edit_list *l = &f->diag->edits;
    size_t i = edit;

    while (i < l->count &&
           (l->items[i].at.file != file || strcmp(l->items[i].text, l->items[edit].text) != 0))
        i++;
    return i;
}

/* As repeat_edits, for all repeats of the line that the pair stands on. */
static void repeat_edit(const struct fault *f, size_t edit, const struct plumb_conf_line *line,
                        size_t pair)
{
    const struct plumb_edit e = f->diag->edits.items[edit];
    bool of_key = e.at.begin < f->pair->value.at.begin;
    struct plumb_span from = of_key ? f->pair->key_at : f->pair->value.at;
    size_t to = edit_in(f, edit, line->at.file), count = plumb_conf_repeat_count(line), added = 0;
    uint32_t *places = to < f->diag->edits.count ? plumb_diag_edit_room(f->diag, to, count) : NULL;

    for (size_t i = 0; i < count && places != NULL; i++) {
        uint32_t begin = 0;
        const struct plumb_conf_cell *cell = plumb_conf_repeat_cell(line, i, pair, &begin);
        uint32_t first = of_key ? cell->key_begin : cell->begin;
        uint32_t end = of_key ? cell->key_end : cell->end;

        if (from.end - from.begin == end - first)
            places[added++] = begin + first + (e.at.begin - from.begin);
    }
    if (places != NULL)
        f->diag->edits.items[to].again_count += added;
}

/* A fault of a line is one of its repeats. */
static void add_repeats(struct fault *f, const struct plumb_conf_line *line, size_t pair)
{
    size_t count = plumb_conf_repeat_count(line);
    struct plumb_span last = {0};

    if (count == 0)
        return;
    for (size_t i = 0; i < f->edit_count; i++)
        repeat_edit(f, i, line, pair);
    f->more += count;
    last = plumb_conf_repeat_pair(line, count - 1, pair).key_at;
    if (is_behind(last, f->last))
        f->last = last;
}

static const char *fault_key(struct plumb_buf *b, const struct plumb_setting *pair,
                             enum plumb_scope scope)
{
    plumb_buf_char(b, (char)('A' + (int)scope));
    plumb_buf_str(b, pair->key);
    plumb_buf_char(b, '=');
    if (pair->param != NULL) /* the value of an unknown key is not looked at */
        plumb_buf_add(b, pair->value.text, pair->value.len);
    return plumb_buf_text(b);
}

static bool is_of(const struct fault *f, const struct plumb_setting *pair, enum plumb_scope scope)
{
    return f->scope == scope && f->pair->param == pair->param &&
           strcmp(f->pair->key, pair->key) == 0 &&
           (pair->param == NULL ||
            (f->pair->value.len == pair->value.len &&
             memcmp(f->pair->value.text, pair->value.text, pair->value.len) == 0));
}

/* The fault of another line that is this one's too; NULL: none. */
static struct fault *find_fault(struct seen *seen, const struct plumb_setting *pair,
                                enum plumb_scope scope)
{
    struct plumb_buf key = plumb_buf_in(seen->faults.arena);

    if (seen->faults.count == 0 || (pair->param != NULL && !seen->faulty[pair->param->id]))
        return NULL;
    if (seen->recent == NULL || !is_of(seen->recent, pair, scope))
        seen->recent = plumb_map_get(&seen->faults, fault_key(&key, pair, scope));
    return seen->recent;
}

/* Suppressions bind to lines: where there are any, each line speaks for itself. */
static struct fault *keep_fault(const struct plumb_conf_check *ck, struct seen *seen,
                                const struct plumb_setting *pair, enum plumb_scope scope, bool read)
{
    struct plumb_diag *d = ck->sink->items[ck->sink->count - 1];
    struct plumb_buf key = plumb_buf_in(seen->faults.arena);
    struct fault *f = NULL;

    if (ck->doc->comment_count > 0)
        return NULL;
    f = PLUMB_NEW(seen->faults.arena, struct fault);
    *f = (struct fault){.pair = pair,
                        .diag = d,
                        .edit_count = d->edits.count,
                        .last = pair->key_at,
                        .read = read,
                        .scope = scope};
    plumb_map_set(&seen->faults, fault_key(&key, pair, scope), f);
    if (pair->param != NULL)
        seen->faulty[pair->param->id] = true;
    return f;
}

/* What was found on a line, and is not told as one fault of many lines, is so on its repeats. */
static void tell_repeats(const struct plumb_conf_check *ck, const struct plumb_conf_line *line,
                         size_t from)
{
    for (size_t i = from; i < ck->sink->count; i++)
        plumb_conf_tell_repeats(ck->sink->items[i], line);
}

static const struct plumb_setting *pair_of(const struct plumb_conf_line *line,
                                           const struct plumb_param *p)
{
    for (size_t i = 1; i < line->count; i++) {
        if (line->pairs[i].param == p)
            return &line->pairs[i];
    }
    return NULL;
}

/*
 * A value of a DEFAULT line that every line behind it sets itself, or the next DEFAULT line, or
 * that no line is behind: only the parser looks at it (read_config.c:_parse_nodename,
 * _parse_partitionname).
 */
static bool is_untaken(const struct plumb_conf_check *ck, const struct plumb_conf_line *line,
                       const struct plumb_setting *pair)
{
    const struct plumb_setting *record = &line->pairs[0];

    if ((line->scope != PLUMB_SCOPE_NODE && line->scope != PLUMB_SCOPE_PARTITION) ||
        pair->param == NULL || ck->doc == NULL || ck->doc->partial ||
        !plumb_slice_is(&record->value, "DEFAULT"))
        return false;
    for (size_t i = (size_t)(line - ck->doc->lines) + 1; i < ck->doc->count; i++) {
        const struct plumb_conf_line *next = &ck->doc->lines[i];
        bool same = next->kind != PLUMB_CONF_INCLUDE && next->count > 0 &&
                    next->pairs[0].param == record->param;

        if (!same)
            continue;
        if (pair_of(next, pair->param) == NULL) {
            if (!plumb_slice_is(&next->pairs[0].value, "DEFAULT"))
                return false;
        } else if (plumb_slice_is(&next->pairs[0].value, "DEFAULT")) {
            return true;
        }
    }
    return true;
}

/* What the parser minds counts; the rest is told, and stops nobody. */
static bool check_untaken(const struct plumb_conf_check *ck, const struct plumb_conf_line *line,
                          const struct plumb_setting *pair)
{
    struct plumb_conf_check mild = *ck;
    size_t before = ck->sink->count, dropped = ck->sink->dropped;
    bool read = check_pair(ck, pair, line->scope, true);

    mild.untaken = true;
    if (read && ck->sink->count == before && ck->sink->dropped == dropped)
        (void)check_pair(&mild, pair, line->scope, false);
    return read;
}

/*
 * As check_pair, for a record. Lines of one kind repeat their values: what was sound above is
 * not looked at again, and the same fault on many lines is one finding.
 */
static bool check_again(const struct plumb_conf_check *ck, struct seen *seen,
                        const struct plumb_conf_line *line, size_t at)
{
    const struct plumb_setting *pair = &line->pairs[at];
    size_t before = ck->sink->count, dropped = ck->sink->dropped;
    struct fault *f = NULL;
    bool read = false;

    if (is_replaced(ck, seen, pair, line->scope)) {
        read = check_pair(ck, pair, line->scope, true);
        tell_repeats(ck, line, before);
        return read;
    }
    if (is_untaken(ck, line, pair)) {
        read = check_untaken(ck, line, pair);
        tell_repeats(ck, line, before);
        return read;
    }
    if (pair->param != NULL && seen->sound[pair->param->id] == pair->value.text)
        return true;
    f = find_fault(seen, pair, line->scope);
    if (f != NULL) {
        add_place(f, pair);
        add_repeats(f, line, at);
        return f->read;
    }
    read = check_pair(ck, pair, line->scope, false);
    if (read && ck->sink->count == before && ck->sink->dropped == dropped)
        seen->sound[pair->param->id] = pair->value.text;
    if (ck->sink->count == before + 1)
        f = keep_fault(ck, seen, pair, line->scope, read);
    if (f != NULL)
        add_repeats(f, line, at);
    else
        tell_repeats(ck, line, before);
    return read;
}

static void tell_repeated(const struct seen *seen)
{
    for (size_t i = 0; i < seen->faults.count; i++) {
        const struct fault *f = seen->faults.entries[i].value;

        if (f->more == 0)
            continue;
        plumb_diag_note(f->diag, f->last,
                        "the same on %" PRIu64 " more %s line%s, the last is here", f->more,
                        plumb_scope_name(f->scope), f->more == 1 ? "" : "s");
        plumb_diag_sort_edits(f->diag);
    }
}

/* Pairs behind the first of a record, each in the scope of the record. */
static void check_record(const struct plumb_conf_check *ck, const struct plumb_conf_line *line,
                         struct seen *seen)
{
    for (size_t i = 1; i < line->count; i++)
        note_last(seen, &line->pairs[i]);
    for (size_t i = 1; i < line->count; i++) {
        size_t before = 0;

        if (!check_again(ck, seen, line, i))
            continue;
        before = ck->sink->count;
        check_repeated(ck, seen, &line->pairs[i], PLUMB_CONF_REPEATED_IN_RECORD, line->scope);
        tell_repeats(ck, line, before);
    }
    for (size_t i = 1; i < line->count; i++) {
        if (line->pairs[i].param != NULL)
            seen->by_id[line->pairs[i].param->id] = NULL;
    }
}

static void check_line(const struct plumb_conf_check *ck, const struct plumb_conf_line *line,
                       struct seen *seen)
{
    size_t before = ck->sink->count;
    bool read = false;

    if (line->kind == PLUMB_CONF_INCLUDE || line->kind == PLUMB_CONF_HEADING || line->count == 0)
        return;
    read = check_pair(ck, &line->pairs[0], PLUMB_SCOPE_GLOBAL,
                      is_replaced(ck, seen, &line->pairs[0], PLUMB_SCOPE_GLOBAL));
    tell_repeats(ck, line, before);
    if (!read)
        return; /* what follows an unknown record key has no table to be held against */
    check_repeated(ck, seen, &line->pairs[0], PLUMB_CONF_REPEATED, PLUMB_SCOPE_GLOBAL);
    check_record(ck, line, seen);
}

void plumb_conf_check(struct plumb_session *s, const struct plumb_conf *doc, enum plumb_release r)
{
    struct plumb_conf_check ck = {
        .sink = &s->sink, .release = r, .file = doc->file, .table = s->table, .doc = doc};
    size_t ids = plumb_table_ids(s->table);
    struct seen seen = {
        .by_id = PLUMB_NEW_ARRAY(s->scratch, ids, const struct plumb_setting *),
        .last = PLUMB_NEW_ARRAY(s->scratch, ids, const struct plumb_setting *),
        .sound = PLUMB_NEW_ARRAY(s->scratch, ids, const char *),
        .faulty = PLUMB_NEW_ARRAY(s->scratch, ids, bool),
        .faults = plumb_map_in(s->scratch),
    };

    for (size_t i = 0; i < doc->count; i++) {
        if (doc->lines[i].kind != PLUMB_CONF_INCLUDE && doc->lines[i].count > 0)
            note_last(&seen, &doc->lines[i].pairs[0]);
    }
    if (doc->file == PLUMB_SLURM_CONF)
        ck.gres_types = plumb_conf_last_value(doc, PLUMB_P_SLURM_GRESTYPES);
    if (ck.gres_types != NULL && ck.gres_types->len == 0)
        ck.gres_types = NULL;
    for (size_t i = 0; i < doc->count; i++)
        check_line(&ck, &doc->lines[i], &seen);
    tell_repeated(&seen);
}

bool plumb_conf_check_value(struct plumb_session *s, const struct plumb_param *p,
                            const struct plumb_slice *value, enum plumb_release r)
{
    struct plumb_conf_check ck = {
        .sink = &s->sink, .release = r, .file = (enum plumb_file)p->file, .table = s->table};

    return plumb_conf_value_sound(&ck, p, value);
}
