/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of mig-minors; those of other capabilities, "config 1" and "monitor 2", are left out. */
#include "capture/mig_minors.h"

#include "base/num.h"
#include "capture/lines.h"
#include "capture/rules.h"

enum { MAX_MINOR = 1048575, LOOK_AT = 8 }; /* minor numbers of Linux have 20 bits */

/* A word and a number at *at, such as "gi7"; moves behind them. */
static bool take(const struct plumb_capture_line *line, size_t *at, const char *word, uint32_t *out)
{
    size_t len = strlen(word), digits = 0;
    uint64_t v = 0;

    if (*at + len > line->len || memcmp(line->text + *at, word, len) != 0)
        return false;
    digits = plumb_read_digits(line->text + *at + len, line->len - *at - len, &v);
    if (digits == 0 || digits == SIZE_MAX || v > MAX_MINOR)
        return false;
    *out = (uint32_t)v;
    *at += len + digits;
    return true;
}

static bool read_line(const struct plumb_capture_line *line, struct plumb_mig_minor *out)
{
    static const char access[] = "/access";
    size_t at = 0, blank = 0;

    out->part = PLUMB_NO(ci);
    if (!take(line, &at, "gpu", &out->gpu.n) || !take(line, &at, "/gi", &out->instance.n))
        return false;
    (void)take(line, &at, "/ci", &out->part.n);
    if (at + sizeof(access) > line->len || memcmp(line->text + at, access, sizeof(access) - 1) != 0)
        return false;
    at += sizeof(access) - 1;
    for (blank = at; at < line->len && plumb_is_blank(line->text[at]);)
        at++;
    return at > blank && take(line, &at, "", &out->minor.n) && at == line->len;
}

static bool is_other(const struct plumb_capture_line *line)
{
    return line->len == 0 || line->text[0] == '#' || plumb_line_starts(line, "config") ||
           plumb_line_starts(line, "monitor");
}

struct plumb_mig_minors *plumb_mig_minors_read(struct plumb_session *s,
                                               const struct plumb_source *src)
{
    struct plumb_mig_minors *out = PLUMB_NEW(s->arena, struct plumb_mig_minors);
    struct plumb_capture_line line;
    size_t at = 0, faults = 0;

    out->src = src;
    while (plumb_capture_next(src->bytes, src->len, &at, &line)) {
        struct plumb_mig_minor m = {.at = plumb_line_span(src, &line)};

        if (is_other(&line))
            continue;
        if (!read_line(&line, &m)) {
            plumb_hw_report(s, PLUMB_HW_MIG_MINORS, m.at,
                            "this line of mig-minors is damaged, expected one such as "
                            "'gpu0/gi7/access 66' or 'gpu0/gi7/ci0/access 67'");
            faults++;
            continue;
        }
        out->items =
            plumb_arena_grow(s->arena, out->items, out->count, &out->cap, sizeof(*out->items));
        out->items[out->count++] = m;
    }
    if (faults == 0)
        return out;
    s->sink.incomplete = true;
    return NULL;
}

bool plumb_mig_minors_sniff(const char *text, size_t len)
{
    struct plumb_capture_line line;
    size_t at = 0;

    for (int i = 0; i < LOOK_AT && plumb_capture_next(text, len, &at, &line); i++) {
        struct plumb_mig_minor m;

        if (!is_other(&line))
            return read_line(&line, &m);
    }
    return false;
}
