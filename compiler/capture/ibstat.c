/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ibstat: "CA 'name'", then "Key: value" of the adapter and of each "Port n:". */
#include "capture/ibstat.h"

#include "base/num.h"
#include "base/text.h"
#include "capture/ibnet.h"
#include "capture/lines.h"

enum { MAX_RATE = 100000 }; /* Gb/s: more is no port */

struct reader {
    struct plumb_session *s;
    const struct plumb_source *src;
    struct plumb_ibstat *out;
};

/* The value behind "Key:"; false when the line has another key. */
static bool value_of(const struct reader *rd, const struct plumb_capture_line *line,
                     const char *key, struct plumb_slice *out)
{
    size_t len = strlen(key);

    if (!plumb_line_starts(line, key) || line->len <= len || line->text[len] != ':')
        return false;
    *out = plumb_line_part(rd->s->arena, rd->src, line, len + 1, line->len);
    return true;
}

static bool is_adapter(const struct plumb_capture_line *line)
{
    return line->len > 5 && plumb_line_starts(line, "CA '") && line->text[line->len - 1] == '\'';
}

static void add_device(struct reader *rd, const struct plumb_capture_line *line)
{
    struct plumb_ibstat *out = rd->out;

    out->items =
        plumb_arena_grow(rd->s->arena, out->items, out->count, &out->cap, sizeof(*out->items));
    out->items[out->count++] = (struct plumb_ibstat_device){
        .name = plumb_line_part(rd->s->arena, rd->src, line, 4, line->len - 1)};
}

static bool is_port(const struct plumb_capture_line *line)
{
    return line->len > 6 && plumb_line_starts(line, "Port ") && plumb_is_digit(line->text[5]) &&
           line->text[line->len - 1] == ':';
}

static void add_port(struct reader *rd, struct plumb_ibstat_device *d,
                     const struct plumb_capture_line *line)
{
    d->ports = plumb_arena_grow(rd->s->arena, d->ports, d->count, &d->cap, sizeof(*d->ports));
    d->ports[d->count++] = (struct plumb_ibstat_port){
        .number = plumb_line_part(rd->s->arena, rd->src, line, 5, line->len - 1)};
}

static void read_port(struct reader *rd, const struct plumb_capture_line *line)
{
    struct plumb_ibstat_device *d = &rd->out->items[rd->out->count - 1];
    struct plumb_ibstat_port *port = d->count == 0 ? NULL : &d->ports[d->count - 1];
    struct plumb_slice value;

    if (is_port(line))
        add_port(rd, d, line);
    else if (port != NULL && value_of(rd, line, "State", &value))
        port->state = value;
    else if (port != NULL && value_of(rd, line, "Rate", &value))
        port->rate = value;
}

/* "400", and "40 (FDR10)" where two kinds have one rate (ibstat.c:port_dump). */
static bool rate_of(const struct plumb_slice *text, uint64_t *out)
{
    size_t digits = plumb_read_digits(text->text, text->len, out);

    return digits > 0 && digits != SIZE_MAX &&
           (digits == text->len || plumb_is_blank(text->text[digits]));
}

uint64_t plumb_ibstat_rate(const struct plumb_ibstat_device *d, struct plumb_span *at)
{
    uint64_t best = 0, rate = 0;

    for (size_t i = 0; i < d->count; i++) {
        const struct plumb_ibstat_port *p = &d->ports[i];

        if (!plumb_slice_is_exact(&p->state, "Active") || p->rate.len == 0 ||
            !rate_of(&p->rate, &rate) || rate > MAX_RATE || rate * 1000 <= best)
            continue;
        best = rate * 1000;
        *at = p->rate.at;
    }
    return best;
}

struct plumb_ibstat *plumb_ibstat_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct reader rd = {.s = s, .src = src};
    struct plumb_capture_line line;
    struct plumb_span start = {src->id, 0, 0};
    size_t at = 0;

    rd.out = PLUMB_NEW(s->arena, struct plumb_ibstat);
    rd.out->src = src;
    while (plumb_capture_next(src->bytes, src->len, &at, &line)) {
        if (is_adapter(&line))
            add_device(&rd, &line);
        else if (rd.out->count > 0)
            read_port(&rd, &line);
    }
    if (rd.out->count > 0)
        return rd.out;
    plumb_ibnet_report(s, PLUMB_IBNET_LINE, start,
                       "the text holds no adapter, expected the output of ibstat such as \"CA "
                       "'mlx5_0'\"");
    return NULL;
}

/* Behind a prompt or complaints about other devices; what follows has a port at least. */
bool plumb_ibstat_sniff(const char *text, size_t len)
{
    enum { LOOK_AT = 50 };
    struct plumb_capture_line line;
    size_t at = 0;
    bool adapter = false;

    for (int i = 0; i < LOOK_AT && plumb_capture_next(text, len, &at, &line); i++) {
        if (is_adapter(&line))
            adapter = true;
        else if (adapter && is_port(&line))
            return true;
    }
    return false;
}
