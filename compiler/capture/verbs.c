/* SPDX-License-Identifier: Apache-2.0 */
/* Lines as grep prints them over sysfs: the file, a colon, what it holds. */
#include "capture/verbs.h"

#include "base/num.h"
#include "capture/lines.h"
#include "capture/rules.h"

enum { MAX_VERBS = 1048575, LOOK_AT = 8 }; /* minor numbers of Linux have 20 bits */

static const char mark[] = "uverbs";

static bool is_other(const struct plumb_capture_line *line)
{
    return line->len == 0 || line->text[0] == '#';
}

/* Where "uverbs" stands: at the start of the line, or behind a slash. */
static size_t find_mark(const struct plumb_capture_line *line)
{
    size_t len = sizeof(mark) - 1;

    for (size_t i = 0; i + len <= line->len; i++) {
        if (memcmp(line->text + i, mark, len) == 0 && (i == 0 || line->text[i - 1] == '/'))
            return i + len;
    }
    return 0;
}

/* Behind the number and "/ibdev:", where the name begins; 0: this is no such line. */
static size_t read_number(const struct plumb_capture_line *line, struct plumb_verbs *out)
{
    static const char behind[] = "/ibdev:";
    size_t at = find_mark(line), digits = 0;
    uint64_t v = 0;

    if (at == 0)
        return 0;
    digits = plumb_read_digits(line->text + at, line->len - at, &v);
    if (digits == 0 || digits == SIZE_MAX || v > MAX_VERBS)
        return 0;
    at += digits;
    if (line->len - at < sizeof(behind) || memcmp(line->text + at, behind, sizeof(behind) - 1) != 0)
        return 0;
    out->n = (uint32_t)v;
    return at + sizeof(behind) - 1;
}

/* Names of devices are words: ib_register_device takes "%d" and what a driver puts before it. */
static bool is_name(const struct plumb_slice *name)
{
    for (uint32_t i = 0; i < name->len; i++) {
        char c = name->text[i];

        if ((c < '!' || c > '~') || c == '/' || c == ':' || c == ',')
            return false;
    }
    return name->len > 0;
}

static bool read_line(struct plumb_session *s, const struct plumb_source *src,
                      const struct plumb_capture_line *line, struct plumb_verbs_row *out)
{
    size_t from = read_number(line, &out->number);

    if (from == 0)
        return false;
    out->device = plumb_line_part(s->arena, src, line, from, line->len);
    return is_name(&out->device);
}

/* Two devices behind one file, or two files of one device: the kernel makes neither. */
static const struct plumb_verbs_row *clash(const struct plumb_verbs_table *t,
                                           const struct plumb_verbs_row *row)
{
    for (size_t i = 0; i < t->count; i++) {
        if (plumb_verbs_same(t->items[i].number, row->number) ||
            strcmp(t->items[i].device.text, row->device.text) == 0)
            return &t->items[i];
    }
    return NULL;
}

static bool add_line(struct plumb_session *s, struct plumb_verbs_table *t,
                     const struct plumb_capture_line *line)
{
    struct plumb_verbs_row row = {.at = plumb_line_span(t->src, line)};
    const struct plumb_verbs_row *other = NULL;

    if (!read_line(s, t->src, line, &row)) {
        plumb_hw_report(s, PLUMB_HW_VERBS, row.at,
                        "this line tells the file of no RDMA device, expected one such as "
                        "'uverbs0/ibdev:mlx5_0'");
        return false;
    }
    other = clash(t, &row);
    if (other != NULL) {
        plumb_diag_note(plumb_hw_report(s, PLUMB_HW_VERBS, row.at,
                                        "'uverbs%u' of '%s' contradicts another line, expected a "
                                        "file of its own for each device",
                                        (unsigned)row.number.n, row.device.text),
                        other->at, "the other line");
        return false;
    }
    t->items = plumb_arena_grow(s->arena, t->items, t->count, &t->cap, sizeof(*t->items));
    t->items[t->count++] = row;
    return true;
}

struct plumb_verbs_table *plumb_verbs_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct plumb_verbs_table *t = PLUMB_NEW(s->arena, struct plumb_verbs_table);
    struct plumb_capture_line line;
    size_t at = 0;
    bool sound = true;

    t->src = src;
    while (plumb_capture_next(src->bytes, src->len, &at, &line)) {
        if (!is_other(&line))
            sound &= add_line(s, t, &line);
    }
    if (sound)
        return t;
    s->sink.incomplete = true;
    return NULL;
}

bool plumb_verbs_sniff(const char *text, size_t len)
{
    struct plumb_capture_line line;
    size_t at = 0;

    for (int i = 0; i < LOOK_AT && plumb_capture_next(text, len, &at, &line); i++) {
        struct plumb_verbs number;

        if (!is_other(&line))
            return read_number(&line, &number) > 0;
    }
    return false;
}
