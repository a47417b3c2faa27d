/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules speak Slurm: they name parameters, and their help is what to type in slurm.conf. Whoever
 * wrote a specification has keys instead. This pass adds to each such finding the keys of the
 * parameters that it names, and turns its help into the language of the specification by the same
 * rows that made the settings. Help that has no such form is taken away: nobody could type it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "passes/pass.h"
#include "spec/tree.h"

struct spelling {
    const struct plumb_spec_key *row; /* NULL: several keys set what is called so */
    const char *path;
};

struct speller {
    struct plumb_run *run;
    struct plumb_arena *a;
    struct plumb_map names;      /* "MaxTime", "bf_window" -> struct spelling */
    struct plumb_span overrides; /* where Slurm's names are what one types */
};

static void add_name(struct speller *sp, const char *name, size_t len,
                     const struct plumb_spec_key *row, const char *path)
{
    struct plumb_map_entry *e = plumb_map_entry(&sp->names, name, len);
    struct spelling *s = e->value;

    if (s != NULL) {
        s->row = NULL;
        return;
    }
    s = PLUMB_NEW(sp->a, struct spelling);
    *s = (struct spelling){.row = row, .path = path};
    e->value = s;
}

static void add_row(struct speller *sp, const struct plumb_spec_key *row, const char *path)
{
    size_t len = row->item != NULL ? strcspn(row->item, "=") : 0;

    if (row->sets == 0 || row->later)
        return;
    if (row->item == NULL) {
        const char *name = plumb_param((enum plumb_param_id)(row->sets - 1))->name;

        add_name(sp, name, strlen(name), row, path);
    } else if (len > 0 && memchr(row->item, '_', len) != NULL) {
        add_name(sp, row->item, len, row, path); /* other items are words of English */
    }
}

static void add_table(struct speller *sp, const struct plumb_spec_table *t, const char *above)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct plumb_spec_key *row = &t->keys[i];
        const char *path = plumb_arena_printf(sp->a, "%s%s", above, row->name);

        add_row(sp, row, path);
        if (row->of != NULL && !row->list)
            add_table(
                sp, row->of,
                plumb_arena_printf(sp->a, row->kind == PLUMB_K_ENTRIES ? "%s.NAME." : "%s.", path));
    }
}

static bool is_word(char c)
{
    return plumb_is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "in the specification: bf_window is scheduling.backfill.window, ..." */
static void tell_keys(struct speller *sp, struct plumb_diag *d)
{
    struct plumb_buf b = plumb_buf_in(sp->run->session->arena);
    struct plumb_map told = plumb_map_in(sp->a);
    const char *p = d->message;

    while (*p != '\0') {
        size_t len = 0;

        while (is_word(p[len]))
            len++;
        if (len == 0) {
            p++;
            continue;
        }

        const struct plumb_map_entry *e = plumb_map_find(&sp->names, p, len);
        const struct spelling *s = e != NULL ? e->value : NULL;

        if (s != NULL && s->row != NULL && plumb_map_get(&told, s->path) == NULL) {
            plumb_map_set(&told, s->path, d);
            plumb_buf_printf(&b, "%s%.*s is %s", b.len == 0 ? "in the specification: " : ", ",
                             (int)len, p, s->path);
        }
        p += len;
    }
    if (b.len > 0)
        plumb_diag_fact(d, "%s", plumb_buf_text(&b));
}

static bool write_time(struct plumb_buf *b, uint64_t seconds)
{
    static const struct {
        uint64_t seconds;
        const char *unit;
    } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};

    for (size_t i = 0; i < PLUMB_COUNT(units); i++) {
        if (seconds % units[i].seconds == 0 && (seconds > 0 || units[i].seconds == 1)) {
            plumb_buf_printf(b, "%" PRIu64 " %s", seconds / units[i].seconds, units[i].unit);
            return true;
        }
    }
    return false;
}

static bool write_number(struct plumb_buf *b, const struct plumb_spec_key *row, const char *text,
                         size_t len)
{
    uint64_t n = 0;

    if (!plumb_read_u64(text, len, &n) || n > UINT64_MAX / 60)
        return false;
    switch (row->unit) {
    case PLUMB_U_MINUTES:
        return write_time(b, n * 60);
    case PLUMB_U_SECONDS:
        return write_time(b, n);
    case PLUMB_U_MICROSECONDS:
        plumb_buf_printf(b, "%" PRIu64 " us", n);
        return true;
    case PLUMB_U_MIB:
        plumb_buf_printf(b, "%" PRIu64 " MiB", n);
        return true;
    case PLUMB_U_NONE:
        break;
    }
    return false;
}

/* One value of Slurm in the language's notation; false: it has none. */
static bool write_value(struct plumb_buf *b, const struct plumb_spec_key *row, const char *text,
                        size_t len)
{
    switch (row->kind) {
    case PLUMB_K_DURATION:
    case PLUMB_K_SIZE:
        return write_number(b, row, text, len);
    case PLUMB_K_BOOL:
        plumb_buf_str(b, len == 2 && plumb_equal_nocase(text, "no", 2) ? "false" : "true");
        return true;
    case PLUMB_K_WORD:
        for (const struct plumb_spec_word *w = row->words; w->name != NULL; w++) {
            if (w->slurm == NULL || strlen(w->slurm) != len ||
                !plumb_equal_nocase(w->slurm, text, len))
                continue;
            plumb_buf_str(b, w->name);
            return true;
        }
        return false;
    case PLUMB_K_TEXT:
    case PLUMB_K_NAME:
    case PLUMB_K_PATH:
    case PLUMB_K_NUMBER:
    case PLUMB_K_DECIMAL:
        plumb_buf_add(b, text, len);
        return true;
    default:
        return false;
    }
}

static bool write_values(struct plumb_buf *b, const struct plumb_spec_key *row, const char *text)
{
    if (!row->list)
        return write_value(b, row, text, strlen(text));
    plumb_buf_char(b, '[');
    for (const char *p = text;; p++) {
        size_t len = strcspn(p, ",");

        if (!write_value(b, row, p, len))
            return false;
        p += len;
        if (*p == '\0')
            break;
        plumb_buf_str(b, ", ");
    }
    plumb_buf_char(b, ']');
    return true;
}

/* A parameter without a key of its own. */
static const char *as_override(struct speller *sp, const char *name, const char *value)
{
    for (unsigned f = 0; f < PLUMB_FILE_COUNT && !plumb_file_is_yaml((enum plumb_file)f); f++) {
        const struct plumb_param *p = plumb_param_find(sp->run->session->table, (enum plumb_file)f,
                                                       PLUMB_SCOPE_GLOBAL, name, strlen(name));

        if (p != NULL)
            return plumb_arena_printf(sp->run->session->arena, "overrides: {%s: {%s: %s}}",
                                      plumb_file_name((enum plumb_file)f), p->name, value);
    }
    return NULL;
}

/* What to type instead of "bf_window=10080"; NULL: there is nothing. */
static const char *respell(struct speller *sp, const char *help, bool in_overrides)
{
    size_t len = strcspn(help, "=");
    const char *name = NULL, *value = help + len + 1;
    const struct spelling *s = NULL;
    struct plumb_buf b = plumb_buf_in(sp->run->session->arena);

    if (help[len] == '\0')
        return help;
    if (strchr(help, ' ') != NULL)
        return NULL;
    name = plumb_arena_strndup(sp->a, help, len);
    if (in_overrides)
        return plumb_arena_printf(sp->run->session->arena, "%s: %s", name, value);
    s = plumb_map_get(&sp->names, name);
    if (s == NULL)
        return as_override(sp, name, value);
    if (s->row == NULL)
        return NULL;
    plumb_buf_printf(&b, "%s: ", s->path);
    return write_values(&b, s->row, value) ? plumb_buf_text(&b) : NULL;
}

static void respell_help(struct speller *sp, struct plumb_diag *d, bool in_overrides)
{
    size_t kept = 0;

    for (size_t i = 0; i < d->help.count; i++) {
        const char *help = respell(sp, d->help.items[i], in_overrides);

        if (help != NULL)
            d->help.items[kept++] = help;
    }
    d->help.count = kept;
}

void plumb_pass_spell(struct plumb_run *r)
{
    struct speller sp = {.run = r, .a = r->session->scratch};
    const struct plumb_spec_value *overrides = plumb_spec_get(&r->spec->root, "overrides");
    const struct plumb_sink *sink = &r->session->sink;

    sp.names = plumb_map_in(sp.a);
    add_table(&sp, &plumb_spec_root, "");
    if (overrides != NULL)
        sp.overrides = overrides->at;
    for (size_t i = 0; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];
        bool in_overrides = plumb_span_within(d->at, sp.overrides);

        if (d->rule->run == NULL || d->at.file != r->spec->src->id)
            continue; /* readers speak the language of what they read */
        if (!in_overrides)
            tell_keys(&sp, d);
        respell_help(&sp, d, in_overrides);
    }
}
