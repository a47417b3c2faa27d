/* SPDX-License-Identifier: Apache-2.0 */
/* `sacctmgr -P show ...`: a header and rows, with '|' between the cells (-p: behind each). */
#include "base/limits.h"
#include "live/text.h"

enum { MAX_COLUMNS = 128 };

/* What the headers of each table must have, and what no other table has. */
static const struct {
    enum plumb_live_table table;
    const char *all[4]; /* ends with NULL */
} tables[] = {
    {PLUMB_LIVE_TRES, {"Type", "Name", "ID", NULL}},
    {PLUMB_LIVE_CLUSTERS, {"Cluster", "ControlHost", NULL}},
    {PLUMB_LIVE_USERS, {"User", "Def Acct", NULL}},
    {PLUMB_LIVE_ASSOCS, {"Account", "User", NULL}},
    {PLUMB_LIVE_ACCOUNTS, {"Account", NULL}},
    {PLUMB_LIVE_QOS, {"Name", NULL}},
};

static bool has_header(const char *line, size_t len, const char *want)
{
    for (size_t at = 0; at <= len;) {
        const char *stop = at < len ? memchr(line + at, '|', len - at) : NULL;
        size_t end = stop == NULL ? len : (size_t)(stop - line);

        if (end - at == strlen(want) && memcmp(line + at, want, end - at) == 0)
            return true;
        at = end + 1;
    }
    return false;
}

/* Headers are letters and few signs: a table of something else is none. */
static bool is_header(const char *line, size_t len)
{
    if (memchr(line, '|', len) == NULL || memchr(line, '=', len) != NULL)
        return false;
    /* sinfo prints capitals only. */
    for (size_t i = 0; i < len; i++) {
        if (line[i] >= 'a' && line[i] <= 'z')
            return true;
    }
    return false;
}

enum plumb_live_table plumb_live_sacctmgr_table(const char *line, size_t len)
{
    for (size_t i = 0; is_header(line, len) && i < PLUMB_COUNT(tables); i++) {
        bool all = true;

        for (size_t k = 0; tables[i].all[k] != NULL; k++)
            all = all && has_header(line, len, tables[i].all[k]);
        if (all)
            return tables[i].table;
    }
    return PLUMB_LIVE_TABLES;
}

static size_t cut(const struct plumb_live_file *f, const struct plumb_live_line *line,
                  struct plumb_slice *cells, size_t max)
{
    size_t count = 0;

    for (size_t at = line->begin; at <= line->end && count < max;) {
        const char *text = f->src->bytes;
        const char *stop = at < line->end ? memchr(text + at, '|', line->end - at) : NULL;
        size_t end = stop == NULL ? line->end : (size_t)(stop - text);

        cells[count++] = plumb_live_trim(f->src, at, end);
        at = end + 1;
    }
    return count;
}

static void add_row(struct plumb_session *s, struct plumb_live_file *f,
                    const struct plumb_live_line *line, bool *told)
{
    if ((f->row_count + 1) * f->header_count > PLUMB_MAX_LIVE_VALUES) {
        if (!*told)
            plumb_live_unread(s, plumb_live_trim(f->src, line->begin, line->end).at,
                              "the table is too long, expected at most %d cells; what follows is "
                              "not compared",
                              PLUMB_MAX_LIVE_VALUES);
        *told = true;
        return;
    }

    struct plumb_live_row row = {
        .cells = PLUMB_NEW_ARRAY(s->arena, f->header_count + 1, struct plumb_slice)};
    size_t count = cut(f, line, row.cells, f->header_count + 1);

    /* -p has one more '|' behind the last cell, in the header too. */
    if (count != f->header_count) {
        if (!*told)
            plumb_live_unread(s, plumb_live_trim(f->src, line->begin, line->end).at,
                              "the row has not the %zu cells of its header; such rows are not "
                              "compared",
                              f->header_count);
        *told = true;
        return;
    }
    f->rows = plumb_arena_grow(s->arena, f->rows, f->row_count, &f->row_cap, sizeof(*f->rows));
    f->rows[f->row_count++] = row;
}

void plumb_live_read_sacctmgr(struct plumb_session *s, struct plumb_live_file *f)
{
    const char *text = f->src->bytes;
    size_t at = (size_t)(plumb_source_begin(f->src) - text);
    struct plumb_live_line line;
    bool told = false;

    while (plumb_live_next(text, f->src->len, &at, &line)) {
        if (line.end == line.begin)
            continue;
        if (f->headers != NULL) {
            add_row(s, f, &line, &told);
            continue;
        }
        f->table = plumb_live_sacctmgr_table(text + line.begin, line.end - line.begin);
        f->headers = PLUMB_NEW_ARRAY(s->arena, MAX_COLUMNS, struct plumb_slice);
        f->header_count = cut(f, &line, f->headers, MAX_COLUMNS);
    }
}
