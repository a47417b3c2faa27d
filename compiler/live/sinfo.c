/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sinfo: a header, and rows in columns with blanks or '|' between them. Columns may have a width,
 * to which header and values are cut (src/sinfo/print.c).
 */
#include "live/text.h"

enum { MAX_COLUMNS = 64, MAX_ITEMS = 32 };

struct column {
    const struct plumb_shown_key *key; /* NULL: nothing that sinfo is known to print */
};

struct reader {
    struct plumb_session *session;
    struct plumb_live_file *file;
    struct column columns[MAX_COLUMNS];
    size_t column_count;
    char separator;
    bool told; /* a row that does not fit was reported */
};

/* A header, whole or cut to the width of its column. */
static const struct plumb_shown_key *header_key(const char *word, size_t len)
{
    enum { CUT_AT_LEAST = 4 };
    const struct plumb_shown_key *k = plumb_shown_key(PLUMB_CLIENT_SINFO, word, len), *found = NULL;
    size_t count = 0;
    const struct plumb_shown_key *all = plumb_shown_keys(PLUMB_CLIENT_SINFO, &count);

    if (k != NULL || len < CUT_AT_LEAST)
        return k;
    for (size_t i = 0; i < count; i++) {
        if (strlen(all[i].key) < len || memcmp(all[i].key, word, len) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = &all[i];
    }
    return found;
}

/* The next cell of a line from *at on; false at the end. */
static bool next_cell(const char *text, size_t end, char separator, size_t *at, size_t *begin,
                      size_t *stop)
{
    if (separator == ' ') {
        while (*at < end && plumb_is_blank(text[*at]))
            (*at)++;
        if (*at >= end)
            return false;
    } else if (*at > end) {
        return false;
    }
    *begin = *at;
    while (*at < end && text[*at] != separator)
        (*at)++;
    *stop = *at;
    (*at)++;
    return true;
}

static size_t read_header(const char *text, size_t begin, size_t end, char separator,
                          struct column *columns, bool *named)
{
    size_t at = begin, from = 0, to = 0, count = 0;

    *named = false;
    while (count < MAX_COLUMNS && next_cell(text, end, separator, &at, &from, &to)) {
        while (from < to && text[from] == ' ')
            from++;
        while (to > from && text[to - 1] == ' ')
            to--;
        if (from == to)
            continue;
        columns[count].key = header_key(text + from, to - from);
        if (columns[count].key == NULL)
            return 0;
        *named = *named || strcmp(columns[count].key->key, "NODELIST") == 0 ||
                 strcmp(columns[count].key->key, "HOSTNAMES") == 0 ||
                 strcmp(columns[count].key->key, "PARTITION") == 0;
        count++;
    }
    return count;
}

static char separator_of(const char *line, size_t len)
{
    return memchr(line, '|', len) != NULL ? '|' : ' ';
}

bool plumb_live_sinfo_header(const char *line, size_t len)
{
    struct column columns[MAX_COLUMNS];
    bool named = false;

    return read_header(line, 0, len, separator_of(line, len), columns, &named) >= 2 && named;
}

struct row {
    struct plumb_live_record node, partition;
    struct plumb_setting node_items[MAX_ITEMS], partition_items[MAX_ITEMS];
};

static void put(struct plumb_live_record *r, struct plumb_setting *items,
                const struct plumb_param *p, struct plumb_slice value)
{
    if (r->count < MAX_ITEMS)
        items[r->count++] = plumb_live_setting(p, value);
}

/* S:C:T, "2:48:1". */
static void put_shape(struct row *row, const struct plumb_slice *value)
{
    static const enum plumb_param_id ids[] = {PLUMB_P_NODE_SOCKETS, PLUMB_P_NODE_CORESPERSOCKET,
                                              PLUMB_P_NODE_THREADSPERCORE};
    uint32_t at = 0;

    for (size_t i = 0; i < PLUMB_COUNT(ids) && at < value->len; i++) {
        uint32_t end = at;

        while (end < value->len && value->text[end] != ':')
            end++;
        put(&row->node, row->node_items, plumb_param(ids[i]), plumb_slice_sub(value, at, end));
        at = end + 1;
    }
}

/* A number of several nodes is the least of them, with a plus sign: nothing to compare. */
static bool is_least(const struct plumb_slice *value)
{
    return value->len > 1 && value->text[value->len - 1] == '+';
}

static void put_cell(struct reader *rd, struct row *row, const struct plumb_shown_key *key,
                     struct plumb_slice value)
{
    const struct plumb_param *p = NULL;

    if (strcmp(key->key, "NODELIST") == 0 || strcmp(key->key, "HOSTNAMES") == 0) {
        row->node.name = value;
    } else if (strcmp(key->key, "PARTITION") == 0) {
        bool star = value.len > 1 && value.text[value.len - 1] == '*';

        row->partition.name = star ? plumb_slice_sub(&value, 0, value.len - 1) : value;
    } else if (strcmp(key->key, "STATE") == 0) {
        row->node.state = value;
    } else if (strcmp(key->key, "REASON") == 0) {
        row->node.reason = plumb_live_reason(rd->file->src, value.at.begin, value.at.end);
    } else if (strcmp(key->key, "VERSION") == 0) {
        if (rd->file->version.len == 0 && value.len > 0 && plumb_is_digit(value.text[0]))
            rd->file->version = value;
    } else if (strcmp(key->key, "S:C:T") == 0) {
        put_shape(row, &value);
    } else if (key->param >= 0 && !is_least(&value)) {
        p = plumb_param_row(rd->session->table, (size_t)key->param);
        if (p->scope == PLUMB_SCOPE_PARTITION)
            put(&row->partition, row->partition_items, p, value);
        else
            put(&row->node, row->node_items, p, value);
    }
}

/* The column of free text, where it is the only one; else the number of columns. */
static size_t free_column(const struct reader *rd)
{
    size_t found = rd->column_count;

    for (size_t i = 0; i < rd->column_count; i++) {
        if (!rd->columns[i].key->free_text)
            continue;
        if (found != rd->column_count)
            return rd->column_count;
        found = i;
    }
    return found;
}

/* Where the last words of a line begin, so many of them; SIZE_MAX: there are fewer. */
static size_t last_words(const char *text, size_t begin, size_t end, size_t count)
{
    while (count-- > 0) {
        while (end > begin && plumb_is_blank(text[end - 1]))
            end--;
        if (end == begin)
            return SIZE_MAX;
        while (end > begin && !plumb_is_blank(text[end - 1]))
            end--;
    }
    return end;
}

/* Free text takes what the other columns leave: those before it from the left, others from the
 * right. */
static bool read_row(struct reader *rd, const struct plumb_live_line *line, struct row *row)
{
    const char *text = rd->file->src->bytes;
    size_t at = line->begin, from = 0, to = 0, n = 0, wide = free_column(rd);

    for (; n < rd->column_count; n++) {
        if (n == wide && rd->separator == ' ') {
            from = at;
            to = last_words(text, at < line->end ? at : line->end, line->end,
                            rd->column_count - n - 1);
            if (to == SIZE_MAX)
                return false;
            at = to;
        } else if (n == wide && n + 1 == rd->column_count && at <= line->end) {
            from = at;
            to = line->end;
            at = line->end + 1;
        } else if (!next_cell(text, line->end, rd->separator, &at, &from, &to)) {
            break;
        }
        put_cell(rd, row, rd->columns[n].key, plumb_live_trim(rd->file->src, from, to));
    }
    return n == rd->column_count && !next_cell(text, line->end, rd->separator, &at, &from, &to);
}

static void read_one(struct reader *rd, const struct plumb_live_line *line)
{
    struct row row = {.node.state.text = "",
                      .node.reason.text = "",
                      .partition.state.text = "",
                      .partition.reason.text = ""};

    if (!read_row(rd, line, &row)) {
        if (!rd->told)
            plumb_live_unread(rd->session,
                              plumb_live_trim(rd->file->src, line->begin, line->end).at,
                              "the row does not have the %zu columns of its header, expected "
                              "'|' between columns, as of sinfo -o '%%N|%%c|%%m'; such rows are "
                              "not compared",
                              rd->column_count);
        rd->told = true;
        return;
    }
    row.node.items = row.node_items;
    row.partition.items = row.partition_items;
    if (row.node.name.len > 0)
        plumb_live_put(rd->session, &rd->file->nodes, &row.node);
    if (row.partition.name.len > 0)
        plumb_live_put(rd->session, &rd->file->partitions, &row.partition);
}

void plumb_live_read_sinfo(struct plumb_session *s, struct plumb_live_file *f)
{
    const char *text = f->src->bytes;
    size_t at = (size_t)(plumb_source_begin(f->src) - text);
    struct reader rd = {.session = s, .file = f};
    struct plumb_live_line line;
    bool named = false;

    f->cut = true;
    while (plumb_live_next(text, f->src->len, &at, &line)) {
        struct column columns[MAX_COLUMNS];
        char separator = separator_of(text + line.begin, line.end - line.begin);
        size_t count = read_header(text, line.begin, line.end, separator, columns, &named);

        if (count >= 2 && named) {
            memcpy(rd.columns, columns, count * sizeof(*columns));
            rd.column_count = count;
            rd.separator = separator;
        } else if (rd.column_count > 0 && line.end > line.begin) {
            read_one(&rd, &line);
        }
    }
}
