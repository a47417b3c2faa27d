/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one run has read, for another that merges several: JSON documents, one a line.
 *
 *     {"plumb_audit": 2}
 *     {"key": "<32 hex digits>", "record": {"facts": [[kind, subject, value, file, line]...],
 *      "holds": true, "incomplete": false, "remarks": [[code, severity, message, file, line,
 * column]...]}}
 *     {"machine": name, "shown": path, "label": folder, "files": [...], "key": ..., "told": host}
 *
 * Records come before the machines that have them. A reader of another version refuses the file: it
 * is made anew in minutes.
 */
#include <string.h>

#include "base/num.h"
#include "base/path.h"
#include "passes/audit.h"
#include "rules/check.h"
#include "syntax/json.h"

enum { VERSION = 2 };

static const struct plumb_span nowhere;

static void put_line(struct plumb_buf *out, const struct plumb_node *n)
{
    plumb_json_write_compact(out, n);
    plumb_buf_char(out, '\n');
}

static void put_text(struct plumb_arena *a, struct plumb_node *list, const char *text)
{
    plumb_node_append(a, list, plumb_node_string(a, text, nowhere));
}

static void put_number(struct plumb_arena *a, struct plumb_node *list, uint64_t v)
{
    plumb_node_append(a, list, plumb_node_u64(a, v, nowhere));
}

static const char *key_text(struct plumb_arena *a, const struct plumb_audit_machine *m)
{
    return plumb_arena_printf(a, "%016llx%016llx", (unsigned long long)m->key[0],
                              (unsigned long long)m->key[1]);
}

static struct plumb_node *facts(struct plumb_arena *a, const struct plumb_audit_record *r)
{
    struct plumb_node *all = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < r->fact_count; i++) {
        struct plumb_node *one = plumb_node_sequence(a, nowhere);

        put_text(a, one, plumb_audit_kind_names[r->facts[i].kind]);
        put_text(a, one, r->facts[i].subject);
        put_text(a, one, r->facts[i].value);
        put_number(a, one, r->facts[i].file);
        put_number(a, one, r->facts[i].line);
        plumb_node_append(a, all, one);
    }
    return all;
}

static struct plumb_node *remarks(struct plumb_arena *a, const struct plumb_audit_record *r)
{
    struct plumb_node *all = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < r->remark_count; i++) {
        const struct plumb_audit_remark *m = &r->remarks[i];
        struct plumb_node *one = plumb_node_sequence(a, nowhere);

        put_text(a, one, m->rule->code);
        put_text(a, one, plumb_severity_name(m->severity));
        put_text(a, one, m->message);
        put_number(a, one, m->file);
        put_number(a, one, m->line);
        put_number(a, one, m->column);
        plumb_node_append(a, all, one);
    }
    return all;
}

static void write_record(struct plumb_arena *a, const struct plumb_audit_machine *m,
                         struct plumb_buf *out)
{
    struct plumb_node *line = plumb_node_mapping(a, nowhere), *r = plumb_node_mapping(a, nowhere);

    plumb_node_set_bool(a, r, "holds", m->record->holds);
    plumb_node_set_bool(a, r, "incomplete", m->record->incomplete);
    plumb_node_set(a, r, "facts", facts(a, m->record));
    plumb_node_set(a, r, "remarks", remarks(a, m->record));
    plumb_node_set_string(a, line, "key", key_text(a, m));
    plumb_node_set(a, line, "record", r);
    put_line(out, line);
}

static void write_machine(struct plumb_arena *a, const struct plumb_audit_machine *m,
                          struct plumb_buf *out)
{
    struct plumb_node *line = plumb_node_mapping(a, nowhere),
                      *files = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < m->file_count; i++)
        put_text(a, files, m->files[i]);
    plumb_node_set_string(a, line, "machine", m->name);
    plumb_node_set_string(a, line, "shown", m->shown);
    plumb_node_set_string(a, line, "label", m->label);
    plumb_node_set_bool(a, line, "loose", m->loose);
    plumb_node_set(a, line, "files", files);
    plumb_node_set_string(a, line, "key", key_text(a, m));
    plumb_node_set_string(a, line, "told", m->told);
    put_line(out, line);
}

void plumb_audit_write(const struct plumb_audit *a, struct plumb_buf *out)
{
    struct plumb_arena *scratch = a->session->scratch;
    struct plumb_node *head = plumb_node_mapping(scratch, nowhere);
    struct plumb_map written = plumb_map_in(a->session->arena);

    plumb_node_set_u64(scratch, head, "plumb_audit", VERSION);
    put_line(out, head);
    for (size_t i = 0; i < a->machine_count; i++) {
        const struct plumb_audit_machine *m = a->machines[i];
        struct plumb_map_entry *e = plumb_map_entry(&written, (const char *)m->key, sizeof(m->key));

        if (e->value == NULL)
            write_record(scratch, m, out);
        e->value = m->record;
        write_machine(scratch, m, out);
        plumb_arena_reset(scratch);
    }
}

/* Reading one file: a line at a time, so that memory holds one document. */
struct reader {
    struct plumb_audit *audit;
    const char *shown;
    struct plumb_arena *once, *scratch;
    struct plumb_map records; /* of this file, by key */
    unsigned line;
};

static const char *keep(const struct reader *rd, const struct plumb_node *n)
{
    const char *text = plumb_node_text(n);

    return text == NULL ? NULL : plumb_intern_str(rd->audit->session->intern, text);
}

static bool number_at(const struct plumb_node *list, uint32_t i, uint32_t *out)
{
    const char *text = i < list->count ? plumb_node_text(list->items[i]) : NULL;
    uint64_t v = 0;

    if (text == NULL || !plumb_read_u64(text, strlen(text), &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool is_list(const struct plumb_node *n, uint32_t least)
{
    return n != NULL && n->kind == PLUMB_SEQUENCE && n->count >= least;
}

static bool read_fact(const struct reader *rd, const struct plumb_node *n,
                      struct plumb_audit_record *out)
{
    struct plumb_audit_fact f = {0};
    const char *kind = is_list(n, 5) ? plumb_node_text(n->items[0]) : NULL;
    unsigned k = 0;

    while (kind != NULL && k < PLUMB_AUDIT_KINDS && strcmp(plumb_audit_kind_names[k], kind) != 0)
        k++;
    if (kind == NULL || k == PLUMB_AUDIT_KINDS)
        return false;
    f.kind = (enum plumb_audit_kind)k;
    f.subject = keep(rd, n->items[1]);
    f.value = keep(rd, n->items[2]);
    if (f.subject == NULL || f.value == NULL || !number_at(n, 3, &f.file) ||
        !number_at(n, 4, &f.line))
        return false;
    plumb_audit_fact_add(rd->audit->session->arena, out, f);
    return true;
}

static bool read_severity(const char *word, enum plumb_severity *out)
{
    for (int s = PLUMB_INFO; word != NULL && s <= PLUMB_ERROR; s++) {
        *out = (enum plumb_severity)s;
        if (strcmp(plumb_severity_name(*out), word) == 0)
            return true;
    }
    return false;
}

static bool read_remark(const struct reader *rd, const struct plumb_node *n,
                        struct plumb_audit_record *out)
{
    struct plumb_audit_remark r = {0};
    const char *code = is_list(n, 6) ? plumb_node_text(n->items[0]) : NULL;

    r.rule = code == NULL ? NULL : plumb_rule_find(code);
    if (r.rule == NULL || !read_severity(plumb_node_text(n->items[1]), &r.severity) ||
        (r.message = keep(rd, n->items[2])) == NULL || !number_at(n, 3, &r.file) ||
        !number_at(n, 4, &r.line) || !number_at(n, 5, &r.column))
        return false;
    out->remarks = plumb_arena_grow(rd->audit->session->arena, out->remarks, out->remark_count,
                                    &out->remark_cap, sizeof(*out->remarks));
    out->remarks[out->remark_count++] = r;
    return true;
}

static bool truth(const struct plumb_node *n, const char *key)
{
    const char *text = plumb_node_text(plumb_node_get(n, key));

    return text != NULL && strcmp(text, "true") == 0;
}

static bool read_record(struct reader *rd, const char *key, const struct plumb_node *n)
{
    struct plumb_audit_record *r = PLUMB_NEW(rd->audit->session->arena, struct plumb_audit_record);
    const struct plumb_node *list = plumb_node_get(n, "facts");

    r->holds = truth(n, "holds");
    r->incomplete = truth(n, "incomplete");
    for (uint32_t i = 0; is_list(list, 1) && i < list->count; i++) {
        if (!read_fact(rd, list->items[i], r))
            return false;
    }
    list = plumb_node_get(n, "remarks");
    for (uint32_t i = 0; is_list(list, 1) && i < list->count; i++) {
        if (!read_remark(rd, list->items[i], r))
            return false;
    }
    plumb_audit_facts_sort(r);
    plumb_map_set(&rd->records, key, r);
    return true;
}

/* 32 hexadecimal digits. */
static bool read_key(const char *text, uint64_t key[2])
{
    key[0] = key[1] = 0;
    for (size_t i = 0; i < 32; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *at = text == NULL || text[i] == '\0' ? NULL : strchr(digits, text[i]);

        if (at == NULL)
            return false;
        key[i / 16] = key[i / 16] << 4 | (uint64_t)(at - digits);
    }
    return text[32] == '\0';
}

static bool read_machine(struct reader *rd, const char *key, const struct plumb_node *n)
{
    struct plumb_audit *a = rd->audit;
    struct plumb_arena *arena = a->session->arena;
    struct plumb_audit_machine *m = PLUMB_NEW(arena, struct plumb_audit_machine);
    const struct plumb_node *files = plumb_node_get(n, "files");

    m->name = keep(rd, plumb_node_get(n, "machine"));
    m->shown = keep(rd, plumb_node_get(n, "shown"));
    m->folder = m->label = keep(rd, plumb_node_get(n, "label"));
    m->told = keep(rd, plumb_node_get(n, "told"));
    m->loose = truth(n, "loose");
    m->record = plumb_map_get(&rd->records, key);
    if (m->name == NULL || m->shown == NULL || m->label == NULL || m->record == NULL ||
        !read_key(key, m->key) || !is_list(files, 0))
        return false;
    m->files = PLUMB_NEW_ARRAY(arena, files->count, const char *);
    for (uint32_t i = 0; i < files->count; i++) {
        m->files[i] = keep(rd, files->items[i]);
        if (m->files[i] == NULL)
            return false;
        m->file_count++;
    }
    a->machines = plumb_arena_grow(arena, a->machines, a->machine_count, &a->machine_cap,
                                   sizeof(*a->machines));
    a->machines[a->machine_count++] = m;
    return true;
}

static bool read_line(struct reader *rd, const char *text, size_t len)
{
    struct plumb_session s;
    const struct plumb_node *n = NULL;
    const char *key = NULL, *version = NULL;
    uint64_t number = 0;
    bool good = false;

    plumb_session_init(&s, rd->once, rd->scratch);
    n = plumb_json_read(&s, plumb_source_add(&s.sources, rd->shown, text, len));
    key = plumb_node_text(plumb_node_get(n, "key"));
    version = plumb_node_text(plumb_node_get(n, "plumb_audit"));
    if (rd->line == 1)
        good = version != NULL && plumb_read_u64(version, strlen(version), &number) &&
               number == VERSION;
    else if (key != NULL && plumb_node_get(n, "record") != NULL)
        good = read_record(rd, key, plumb_node_get(n, "record"));
    else if (key != NULL)
        good = read_machine(rd, key, n);
    plumb_arena_reset(rd->once);
    plumb_arena_reset(rd->scratch);
    return good;
}

static bool read_lines(struct reader *rd, const struct plumb_source *src)
{
    for (size_t at = 0; at < src->len || rd->line == 0;) {
        const char *end = memchr(src->bytes + at, '\n', src->len - at);
        size_t stop = end == NULL ? src->len : (size_t)(end - src->bytes);

        rd->line++;
        if (end == NULL || !read_line(rd, src->bytes + at, stop - at))
            return plumb_audit_fail(
                rd->audit,
                plumb_arena_printf(rd->audit->session->arena, "'%s' line %u", rd->shown, rd->line),
                rd->line == 1 ? "is no partial audit of this version"
                              : "is no line of a partial audit; the file may be cut");
        at = stop + 1;
    }
    return true;
}

bool plumb_audit_merge_text(struct plumb_audit *a, const char *shown,
                            const struct plumb_source *src)
{
    struct reader rd = {.audit = a, .shown = shown, .records = plumb_map_in(a->session->arena)};
    bool good = false;

    rd.once = plumb_arena_new(a->jump);
    rd.scratch = plumb_arena_new(a->jump);
    if (rd.once == NULL || rd.scratch == NULL)
        a->out_of_memory = true;
    else
        good = read_lines(&rd, src);
    plumb_arena_free(rd.once);
    plumb_arena_free(rd.scratch);
    return good;
}

bool plumb_audit_merge(struct plumb_audit *a, const char *path)
{
    struct plumb_arena *arena = a->session->arena;
    const char *real =
        a->directory == NULL || path[0] == '/' ? path : plumb_path_join(arena, a->directory, path);
    struct plumb_arena *file = plumb_arena_new(a->jump);
    struct plumb_sources sources = {.arena = file};
    struct plumb_source *src = NULL;
    bool good = false;

    if (file == NULL)
        a->out_of_memory = true;
    else if (plumb_source_load(&sources, real, path, &src) != PLUMB_OK)
        good = plumb_audit_fail(a, plumb_arena_printf(arena, "'%s'", path), "cannot be read");
    else
        good = plumb_audit_merge_text(a, path, src);
    plumb_arena_free(file);
    return good;
}
