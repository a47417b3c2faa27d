/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the text matrix of `nvidia-smi topo -m` or `-p2p` line by line: heading, rows, legends. A
 * row whose cells cannot be told apart is reported, never guessed at. Whether the rows fit together
 * is smi_check.c.
 */
#include "syntax/smi_topo.h"

#include <string.h>

#include "base/text.h"
#include "syntax/smi_read.h"

#define CODES "(?:X|NV[0-9]{1,4}|PIX|PXB|PHB|NODE|SYS|SOC)"
#define PEERS "(?:OK|CNS|GNS|TNS|NS|DR|U)"

enum pattern {
    P_ESCAPE,
    P_HEADING,
    P_AFFINITY_HEADS,
    P_WORD,
    P_LEGEND_START,
    P_LEGEND,
    P_CODE,
    P_PEER,
    P_PEER_CELL,
    P_PEERS_TOGETHER,
    P_RUN_TOGETHER,
    P_DEVICE,
    P_DEVICES_TOGETHER,
    P_LIST,
    P_COUNT,
};

static const char *const patterns[P_COUNT] = {
    /* Also what is left when a web page drops the escape byte, and the CR of CRLF. */
    [P_ESCAPE] = "\\x1b\\[[0-?]*+[ -/]*+[@-~]|\\[[0-9;]{1,8}m|\\r$",
    [P_HEADING] =
        "^[ \\t]*+GPU[0-9]++\\S*+(?:[ \\t]*+$|[ \\t]++(?!(?:" CODES "|" PEERS ")(?:[ \\t]|$)))",
    [P_AFFINITY_HEADS] = "(CPU Affinity)(?:[ \\t]*+(NUMA Affinity)(?:[ \\t]*+(GPU NUMA ID))?)?",
    [P_WORD] = "[^ \\t]++",
    [P_LEGEND_START] = "^[ \\t]*+(?:NIC )?Legend:",
    [P_LEGEND] = "^[ \\t]*+(NIC[0-9]++)[ \\t]*+:[ \\t]*+([^ \\t]++)",
    [P_CODE] = "^" CODES "$",
    [P_PEER] = "^" PEERS "$",
    [P_PEER_CELL] = "^(?:X|" PEERS ")$",
    [P_PEERS_TOGETHER] = "^(?:X|" PEERS ")[ \\t]*+(?:X|" PEERS ")",
    [P_RUN_TOGETHER] = "^" CODES "[ \\t]*+(?:X|NV|P|NODE|S|[0-9])|^[A-Z]{1,4}[0-9]++[-,]",
    [P_DEVICE] = "^(?:(?:GPU|NIC)[0-9]++|[a-z][a-z0-9]*+_[a-z0-9_]*+[0-9])$",
    [P_DEVICES_TOGETHER] = "^(?:GPU|NIC)[0-9]++[A-Za-z]",
    /* Exactly 12 characters may be the beginning of a longer list: nvidia-smi cuts there. */
    [P_LIST] = "^(?:[0-9][0-9,-]{11}|[0-9]++(?:-[0-9]++)?(?:,[0-9]++(?:-[0-9]++)?)*+|N/A)$",
};

enum { MAX_COLUMNS = 2048 };

struct fields {
    struct plumb_slice *items;
    size_t count, cap;
    bool blanks; /* divided by blanks: an empty cell leaves no trace but the place of the next */
};

struct plumb_diag *plumb_smi_report(struct plumb_smi_reader *rd, enum plumb_smi_rule rule,
                                    struct plumb_span at, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const char *text = plumb_arena_vprintf(rd->s->arena, fmt, args);

    va_end(args);
    if (plumb_smi_rows[rule].severity == PLUMB_ERROR)
        rd->faults++;
    return plumb_diag_new(&rd->s->sink, &plumb_smi_rows[rule], at, "%s", text);
}

/* Drops terminal escapes, keeping where each byte was. */
static struct plumb_smi_line clean_line(struct plumb_smi_reader *rd, uint32_t begin, uint32_t end)
{
    const char *raw = rd->src->bytes + begin;
    uint32_t len = end - begin;
    char *text = plumb_arena_raw(rd->s->arena, (size_t)len + 1);
    uint32_t *map = plumb_arena_raw(rd->s->arena, ((size_t)len + 1) * sizeof(*map));
    struct plumb_smi_line line = {.text = text, .map = map, .begin = begin, .end = end};
    struct plumb_match m = {.begin = {len}, .end = {len}};

    for (uint32_t i = 0; i < len;) {
        if (i == 0 || i >= m.end[0]) {
            if (!plumb_matcher_find(rd->match, P_ESCAPE, raw, len, i, &m))
                m = (struct plumb_match){.begin = {len}, .end = {len}};
        }
        for (; i < m.begin[0]; i++) {
            map[line.len] = begin + i;
            text[line.len++] = raw[i];
        }
        i = (uint32_t)m.end[0];
    }
    map[line.len] = end;
    text[line.len] = '\0';
    return line;
}

static struct plumb_slice part(const struct plumb_smi_reader *rd, const struct plumb_smi_line *line,
                               size_t begin, size_t end)
{
    while (begin < end && plumb_is_blank(line->text[begin]))
        begin++;
    while (end > begin && plumb_is_blank(line->text[end - 1]))
        end--;

    uint32_t from = line->map[begin];
    uint32_t to = end > begin ? line->map[end - 1] + 1 : from;

    return (struct plumb_slice){
        .text = plumb_arena_strndup(rd->s->arena, line->text + begin, end - begin),
        .len = (uint32_t)(end - begin),
        .at = {rd->src->id, from, to},
        .map = to - from == end - begin ? NULL : line->map + begin,
    };
}

static bool is(struct plumb_smi_reader *rd, enum pattern p, const struct plumb_slice *s)
{
    struct plumb_match m;

    return plumb_matcher_find(rd->match, p, s->text, s->len, 0, &m);
}

static void add_column(struct plumb_smi_reader *rd, struct plumb_slice name)
{
    struct plumb_smi_topo *t = rd->topo;

    rd->columns = plumb_arena_grow(rd->s->arena, rd->columns, t->column_count, &rd->column_cap,
                                   sizeof(*rd->columns));
    rd->columns[t->column_count++] = name;
}

/* GPUs are numbered from 0 and come first; no name stands twice. */
static void check_column(struct plumb_smi_reader *rd, struct plumb_map *seen,
                         const struct plumb_slice *name)
{
    struct plumb_smi_topo *t = rd->topo;
    struct plumb_map_entry *e = plumb_map_entry(seen, name->text, name->len);

    if (is(rd, P_DEVICES_TOGETHER, name)) {
        plumb_smi_report(rd, PLUMB_SMI_HEADING, name->at,
                         "heading '%s' runs several device names together, expected one name per "
                         "column",
                         name->text);
        return;
    }
    if (e->value != NULL) {
        plumb_smi_report(rd, PLUMB_SMI_HEADING, name->at,
                         "heading '%s' stands twice, expected once", name->text);
        return;
    }
    e->value = rd;
    if (strncmp(name->text, "GPU", 3) != 0 || !plumb_is_digit(name->text[3]))
        return;

    const char *want = plumb_arena_printf(rd->s->arena, "GPU%zu", t->gpu_count);

    if (strcmp(name->text, want) != 0 || t->gpu_count + 1 != t->column_count)
        plumb_smi_report(rd, PLUMB_SMI_HEADING, name->at,
                         "heading '%s' is out of order, expected '%s' behind the GPUs before it",
                         name->text, want);
    t->gpu_count++;
}

static void read_heading(struct plumb_smi_reader *rd, const struct plumb_smi_line *line)
{
    struct plumb_map seen = plumb_map_in(rd->s->arena);
    struct plumb_match heads, word;
    size_t end = line->len;

    if (plumb_matcher_find(rd->match, P_AFFINITY_HEADS, line->text, line->len, 0, &heads)) {
        end = heads.begin[0];
        rd->topo->has_affinity = true;
        rd->affinity_columns =
            1u + (heads.end[2] > heads.begin[2]) + (heads.end[3] > heads.begin[3]);
    }
    for (size_t at = 0; plumb_matcher_find(rd->match, P_WORD, line->text, end, at, &word);
         at = word.end[0]) {
        struct plumb_slice name = part(rd, line, word.begin[0], word.end[0]);

        if (rd->topo->column_count >= MAX_COLUMNS) {
            plumb_smi_report(rd, PLUMB_SMI_HEADING, name.at,
                             "the heading has more than %d device columns", MAX_COLUMNS);
            break;
        }
        add_column(rd, name);
        check_column(rd, &seen, &name);
    }
    rd->stopped = rd->faults > 0; /* nothing below can be given to a column */
}

static void add_field(struct plumb_smi_reader *rd, struct fields *f, struct plumb_slice s)
{
    f->items = plumb_arena_grow(rd->s->arena, f->items, f->count, &f->cap, sizeof(*f->items));
    f->items[f->count++] = s;
}

/* How many cells at the start of a row are connection codes, or statuses of peers. */
static size_t whole_cells(struct plumb_smi_reader *rd, const struct fields *f)
{
    enum pattern code = rd->topo->peers ? P_PEER_CELL : P_CODE;
    size_t n = 0;

    while (n < f->count && is(rd, code, &f->items[n]))
        n++;
    return n;
}

/*
 * No device has an empty cell. Where leaving empty ones out makes the row whole, somebody has put
 * more tabs between cells to make columns even, and tabs are blanks like others.
 */
static void leave_padding_out(struct plumb_smi_reader *rd, struct fields *f)
{
    size_t columns = rd->topo->column_count, found = whole_cells(rd, f);
    struct fields full = {.blanks = true};

    if (found >= columns || found >= f->count || f->items[found].len > 0)
        return;
    for (size_t i = 0; i < f->count; i++) {
        if (f->items[i].len > 0)
            add_field(rd, &full, f->items[i]);
    }
    if (whole_cells(rd, &full) >= columns)
        *f = full;
}

/* Cells behind the name: by tabs where there are any, else by blanks. */
static void split_row(struct plumb_smi_reader *rd, const struct plumb_smi_line *line, size_t from,
                      struct fields *f)
{
    const char *tab = memchr(line->text + from, '\t', line->len - from);
    size_t limit = 2 * rd->topo->column_count + 8;
    struct plumb_match word;

    f->blanks = tab == NULL;
    if (tab == NULL) {
        for (; f->count < limit &&
               plumb_matcher_find(rd->match, P_WORD, line->text, line->len, from, &word);
             from = word.end[0])
            add_field(rd, f, part(rd, line, word.begin[0], word.end[0]));
        return;
    }
    while (tab != NULL && f->count < limit) {
        size_t begin = (size_t)(tab - line->text) + 1;

        tab = memchr(line->text + begin, '\t', line->len - begin);
        add_field(rd, f,
                  part(rd, line, begin, tab == NULL ? line->len : (size_t)(tab - line->text)));
    }
    leave_padding_out(rd, f);
}

static bool runs_together(struct plumb_smi_reader *rd, const struct plumb_slice *cell)
{
    return is(rd, rd->topo->peers ? P_PEERS_TOGETHER : P_RUN_TOGETHER, cell);
}

static void report_cell_count(struct plumb_smi_reader *rd, const struct plumb_smi_row *row,
                              const struct fields *f, size_t found)
{
    struct plumb_span at = row->name.at;
    size_t columns = rd->topo->column_count, fault = found < columns ? found : columns;
    bool text_there = fault < f->count && f->items[fault].len > 0;

    if (text_there)
        at = f->items[fault].at;

    struct plumb_diag *d =
        plumb_smi_report(rd, PLUMB_SMI_ROW_CELLS, at, "row '%s' has %zu whole cells, expected %zu",
                         row->name.text, found, columns);

    if (text_there && runs_together(rd, &f->items[fault]))
        plumb_diag_fact(d, "'%s' looks like cells whose tab was lost", f->items[fault].text);
    if (!rd->topo->peers)
        plumb_diag_help(d, "capture again into a file: nvidia-smi topo -m > topo-m.txt");
}

/* Cells behind the last column: only affinities may stand there. */
static bool has_more(const struct plumb_smi_reader *rd, const struct fields *f)
{
    for (size_t i = rd->topo->column_count; rd->topo->peers && i < f->count; i++) {
        if (f->items[i].len > 0)
            return true;
    }
    return false;
}

/* Reports every cell that is no code, or the count when cells are missing or too many. */
static bool check_cells(struct plumb_smi_reader *rd, const struct plumb_smi_row *row,
                        const struct fields *f)
{
    size_t found = whole_cells(rd, f), columns = rd->topo->column_count;
    size_t faults = rd->faults;
    bool peers = rd->topo->peers;

    if (found == columns && !has_more(rd, f))
        return true;
    if (found >= columns || found == f->count || f->items[found].len == 0 ||
        runs_together(rd, &f->items[found]) || is(rd, P_LIST, &f->items[found])) {
        report_cell_count(rd, row, f, found > columns || !has_more(rd, f) ? found : columns + 1);
        return false;
    }
    for (size_t i = found; i < columns && i < f->count; i++) {
        if (f->items[i].len > 0 && !is(rd, peers ? P_PEER_CELL : P_CODE, &f->items[i]) &&
            !is(rd, P_LIST, &f->items[i]))
            plumb_smi_report(rd, PLUMB_SMI_UNKNOWN_CODE, f->items[i].at,
                             peers ? "'%s' is no status of peers, expected X, OK, CNS, GNS, TNS, "
                                     "NS, DR or U"
                                   : "'%s' is no connection code, expected X, NV<n>, PIX, PXB, "
                                     "PHB, NODE or SYS",
                             f->items[i].text);
    }
    return rd->faults == faults;
}

static void set_affinity(struct plumb_smi_reader *rd, struct plumb_slice *to,
                         const struct plumb_slice *cell, const char *what)
{
    if (cell->len > 0 && !is(rd, P_LIST, cell)) {
        plumb_smi_report(rd, PLUMB_SMI_AFFINITY, cell->at,
                         "%s '%s' is no list of numbers such as '0-15,32'", what, cell->text);
        return;
    }
    *to = *cell;
}

static uint32_t next_stop(uint32_t column)
{
    enum { STOP = 8 };

    return (column / STOP + 1) * STOP;
}

/*
 * Copies from a terminal have blanks where tabs were, up to the same stops: there a cell's place
 * tells how many empty ones are before it. slots: where each cell goes, as far as they are told.
 * False when cells do not stand at stops.
 */
static bool cells_by_stops(const struct plumb_smi_row *row, const struct fields *f, size_t columns,
                           size_t *slots)
{
    uint32_t zero = row->name.at.begin, stop = next_stop(row->name.len);
    size_t slot = 0;

    for (size_t i = 0; i < f->count; i++) {
        uint32_t at = f->items[i].at.begin - zero;

        at -= i < columns && strcmp(f->items[i].text, "X") == 0; /* " X " */
        for (; i >= columns && at > stop; stop += next_stop(0))
            slot++;
        if (at != stop)
            return false;
        if (i >= columns)
            slots[i - columns] = slot++;
        stop = next_stop(at + f->items[i].len);
    }
    return true;
}

/*
 * The heading "NUMA Affinity" is wider than a tab stop, so an empty cell stands before the GPU
 * NUMA ID. The CPU cell itself may be empty in a job's cgroup.
 */
static void read_affinity(struct plumb_smi_reader *rd, struct plumb_smi_row *row,
                          const struct fields *f)
{
    enum { CPU, NUMA, NOTHING, GPU_NUMA, SLOTS };
    static const char *const names[SLOTS] = {"CPU affinity", "NUMA affinity", NULL, "GPU NUMA id"};
    struct plumb_slice *to[SLOTS] = {&row->cpu_affinity, &row->numa_affinity, NULL,
                                     &row->gpu_numa_id};
    size_t columns = rd->topo->column_count, left = f->count - columns;
    size_t slots[SLOTS] = {CPU, NUMA, GPU_NUMA, SLOTS};

    if (!row->is_gpu || left > (f->blanks ? rd->affinity_columns : f->count))
        return;
    if (f->blanks && left < rd->affinity_columns && !cells_by_stops(row, f, columns, slots))
        return;
    if (!f->blanks) {
        slots[2] = left > 2 && f->items[columns + 2].len == 0 ? NOTHING : GPU_NUMA;
        slots[3] = GPU_NUMA;
    }
    for (size_t i = 0; i < left && i < SLOTS; i++) {
        size_t heads = slots[i] == GPU_NUMA ? 3 : slots[i] + 1;

        if (slots[i] < SLOTS && to[slots[i]] != NULL && heads <= rd->affinity_columns)
            set_affinity(rd, to[slots[i]], &f->items[columns + i], names[slots[i]]);
    }
}

static struct plumb_smi_row *add_row(struct plumb_smi_reader *rd, const struct plumb_slice *name,
                                     const struct plumb_smi_line *line)
{
    struct plumb_smi_topo *t = rd->topo;

    t->rows = plumb_arena_grow(rd->s->arena, t->rows, t->row_count, &rd->row_cap, sizeof(*t->rows));

    struct plumb_smi_row *row = &t->rows[t->row_count++];

    *row = (struct plumb_smi_row){
        .name = *name,
        .is_gpu = plumb_starts_with(name->text, "GPU"),
        .device = plumb_intern_str(rd->s->intern, name->text),
        .at = {rd->src->id, name->at.begin, part(rd, line, 0, line->len).at.end},
    };
    return row;
}

static void read_row(struct plumb_smi_reader *rd, const struct plumb_slice *name,
                     const struct plumb_smi_line *line, struct fields *f)
{
    struct plumb_smi_topo *t = rd->topo;

    if (t->row_count >= t->column_count) {
        plumb_smi_report(rd, PLUMB_SMI_ROW_NAME, name->at,
                         "row '%s' is one more than the %zu columns of the heading", name->text,
                         t->column_count);
        rd->stopped = true;
        return;
    }

    struct plumb_smi_row *row = add_row(rd, name, line);

    if (!check_cells(rd, row, f))
        return;
    PLUMB_ASSERT(f->items != NULL && f->count >= t->column_count); /* check_cells counted them */
    row->cells = PLUMB_NEW_ARRAY(rd->s->arena, t->column_count, struct plumb_smi_cell);
    for (size_t i = 0; i < t->column_count; i++)
        row->cells[i].text = f->items[i];
    read_affinity(rd, row, f);
}

/* A line behind the heading: a row, or text that does not belong there. */
static void read_matrix_line(struct plumb_smi_reader *rd, const struct plumb_smi_line *line)
{
    struct plumb_match word;

    if (!plumb_matcher_find(rd->match, P_WORD, line->text, line->len, 0, &word)) {
        rd->seen_blank = true;
        return;
    }

    struct plumb_slice name = part(rd, line, word.begin[0], word.end[0]);
    struct fields f = {0};

    split_row(rd, line, word.end[0], &f);

    bool row = is(rd, P_DEVICE, &name) || whole_cells(rd, &f) > 0;

    if (row && !(rd->seen_blank && rd->topo->row_count == rd->topo->column_count)) {
        read_row(rd, &name, line, &f);
    } else if (!rd->seen_blank && rd->topo->row_count < rd->topo->column_count) {
        plumb_smi_report(rd, PLUMB_SMI_NOISE, part(rd, line, 0, line->len).at,
                         "this line is no row of the matrix, expected the row of '%s'",
                         rd->columns[rd->topo->row_count].text);
    }
}

static void read_legend(struct plumb_smi_reader *rd, const struct plumb_smi_line *line,
                        const struct plumb_match *m)
{
    rd->legend = plumb_arena_grow(rd->s->arena, rd->legend, rd->legend_count, &rd->legend_cap,
                                  sizeof(*rd->legend));
    rd->legend[rd->legend_count++] = (struct plumb_smi_legend){
        .nic = part(rd, line, m->begin[1], m->end[1]),
        .device = part(rd, line, m->begin[2], m->end[2]),
    };
}

static void read_line(struct plumb_smi_reader *rd, uint32_t begin, uint32_t end)
{
    struct plumb_smi_line line = clean_line(rd, begin, end);
    struct plumb_match m;
    bool heading = plumb_matcher_find(rd->match, P_HEADING, line.text, line.len, 0, &m);

    if (rd->columns == NULL) {
        if (heading)
            read_heading(rd, &line);
    } else if (heading && strstr(line.text, "CPU Affinity") != NULL) {
        plumb_smi_report(rd, PLUMB_SMI_SECOND, part(rd, &line, 0, line.len).at,
                         "a second matrix begins here, expected one per file");
        rd->stopped = true;
    } else if (plumb_matcher_find(rd->match, P_LEGEND_START, line.text, line.len, 0, &m)) {
        rd->seen_legend = true;
    } else if (rd->seen_legend) {
        if (rd->legend_count < MAX_COLUMNS &&
            plumb_matcher_find(rd->match, P_LEGEND, line.text, line.len, 0, &m))
            read_legend(rd, &line, &m);
    } else {
        read_matrix_line(rd, &line);
    }
}

static void read_lines(struct plumb_smi_reader *rd)
{
    const struct plumb_source *src = rd->src;
    bool marked = src->len >= 3 && memcmp(src->bytes, "\xef\xbb\xbf", 3) == 0;

    for (uint32_t begin = marked ? 3 : 0; begin < src->len && !rd->stopped;) {
        const char *nl = memchr(src->bytes + begin, '\n', src->len - begin);
        uint32_t end = nl == NULL ? src->len : (uint32_t)(nl - src->bytes);

        read_line(rd, begin, end);
        begin = end + 1;
    }
}

static void report_no_matrix(struct plumb_smi_reader *rd)
{
    const char *nl = memchr(rd->src->bytes, '\n', rd->src->len);
    uint32_t end = nl == NULL ? rd->src->len : (uint32_t)(nl - rd->src->bytes);

    plumb_smi_report(rd, PLUMB_SMI_NO_MATRIX, (struct plumb_span){rd->src->id, 0, end},
                     "no line of device names such as 'GPU0 GPU1 ... CPU Affinity' was found, "
                     "expected the output of 'nvidia-smi topo -m'");
}

struct plumb_smi_topo *plumb_smi_topo_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct plumb_smi_reader rd = {.s = s, .src = src};

    rd.topo = PLUMB_NEW(s->arena, struct plumb_smi_topo);
    rd.topo->src = src;
    rd.topo->peers = plumb_smi_peers_sniff(src->bytes, src->len);
    rd.match = plumb_matcher_new(s->arena, patterns, P_COUNT);
    read_lines(&rd);
    plumb_matcher_free(rd.match);
    if (rd.columns == NULL)
        report_no_matrix(&rd);
    else if (!rd.stopped || rd.faults == 0)
        plumb_smi_check(&rd);
    if (rd.faults == 0)
        return rd.topo;
    s->sink.incomplete = true;
    return NULL;
}

/* The first word of a line: GPU and digits, and whether blanks or an escape stand before it. */
static bool begins_with_gpu(const char *line, size_t len, bool *indented)
{
    size_t i = 0;

    while (i < len && !(line[i] >= 'A' && line[i] <= 'Z'))
        i++;
    *indented = i > 0;
    if (i > 16 || len - i < 4 || memcmp(line + i, "GPU", 3) != 0)
        return false;
    return plumb_is_digit(line[i + 3]);
}

static bool holds_text(const char *text, size_t len, const char *want)
{
    for (size_t n = strlen(want), i = 0; i + n <= len; i++) {
        if (memcmp(text + i, want, n) == 0)
            return true;
    }
    return false;
}

bool plumb_smi_topo_sniff(const char *text, size_t len)
{
    enum { LOOK_AT = 200 };
    bool heading = false;

    for (size_t i = 0, begin = 0; i < LOOK_AT && begin < len; i++) {
        const char *line = text + begin, *nl = memchr(line, '\n', len - begin);
        size_t size = nl == NULL ? len - begin : (size_t)(nl - line);
        bool indented = false;

        begin += size + 1;
        if (!begins_with_gpu(line, size, &indented))
            continue;
        if (heading) /* a row below it */
            return true;
        heading =
            (indented && memchr(line, '=', size) == NULL) || holds_text(line, size, "CPU Affinity");
    }
    return false;
}

/* A status as a word of a row. Escapes are left out of account: nvidia-smi writes none here. */
static bool has_status(const char *line, size_t len)
{
    static const char *const words[] = {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};

    for (size_t i = 0, n = 0; i < len; i += n + 1) {
        for (n = 0; i + n < len && !plumb_is_blank(line[i + n]);)
            n++;
        for (size_t k = 0; k < PLUMB_COUNT(words); k++) {
            if (strlen(words[k]) == n && memcmp(line + i, words[k], n) == 0)
                return true;
        }
    }
    return false;
}

bool plumb_smi_peers_sniff(const char *text, size_t len)
{
    bool heading = false;

    for (size_t begin = 0; begin < len;) {
        const char *line = text + begin, *nl = memchr(line, '\n', len - begin);
        size_t size = nl == NULL ? len - begin : (size_t)(nl - line);
        bool indented = false;

        begin += size + 1;
        if (begins_with_gpu(line, size, &indented) && heading)
            return has_status(line, size) || holds_text(text, len, "= Status Ok");
        if (begins_with_gpu(line, size, &indented)) {
            heading = true;
            if (holds_text(line, size, "CPU Affinity"))
                return false;
        }
    }
    return false;
}
