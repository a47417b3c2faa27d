/* SPDX-License-Identifier: Apache-2.0 */
/* What a text of a running cluster is, and records that show the same. */
#include "live/live.h"

#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "live/text.h"

enum { LOOKED_AT = 8192 }; /* bytes that decide what a text is */

static const struct plumb_rule rows[] = {
    {
        .code = "DRIFT002",
        .name = "live-unread",
        .severity = PLUMB_WARNING,
        .summary = "a part of what the cluster says cannot be read",
        .why = "Nothing is compared there, so a difference may be missed.",
        .ref = "scontrol(1), sinfo(1), sacctmgr(1)",
        .bad = "NodeName=c1 CPUs=32 RealMemory=64000\n"
               "# live/sinfo.txt\n"
               "NODELIST CPUS MEMORY\n"
               "c1 3264000",
        .good = "NodeName=c1 CPUs=32 RealMemory=64000\n"
                "# live/sinfo.txt\n"
                "NODELIST CPUS MEMORY\n"
                "c1 32 64000",
    },
};

const struct plumb_rule_family plumb_live_rules = {
    .prefix = "DRIFT",
    .title = "A running cluster against its source",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};

void plumb_live_unread(struct plumb_session *s, struct plumb_span at, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    plumb_diag_new(&s->sink, &rows[0], at, "%s", plumb_arena_vprintf(s->arena, fmt, args));
    va_end(args);
}

static bool holds(const char *text, size_t len, const char *word)
{
    return plumb_live_find(text, len, word) != NULL;
}

/* The first key of an object; no text where there is none. */
static struct plumb_slice first_key(const char *text, size_t len)
{
    size_t at = 1, end = 0;

    while (at < len && plumb_is_blank(text[at]))
        at++;
    if (at >= len || text[at] != '"')
        return (struct plumb_slice){.text = ""};
    end = ++at;
    while (end < len && text[end] != '"')
        end++;
    return (struct plumb_slice){.text = text + at, .len = (uint32_t)(end - at)};
}

static enum plumb_live_kind sniff_json(const char *text, size_t len)
{
    struct plumb_slice key = first_key(text, len);

    if (plumb_slice_is_exact(&key, "nodes") || plumb_slice_is_exact(&key, "partitions"))
        return PLUMB_LIVE_JSON;
    return plumb_slice_is_exact(&key, "meta") && holds(text, len, "\"Slurm\"") ? PLUMB_LIVE_JSON
                                                                               : PLUMB_LIVE_NONE;
}

static enum plumb_live_kind sniff_header(const char *text, size_t len)
{
    size_t at = 0;
    struct plumb_live_line line;

    /* sinfo -l has the date above its header. */
    for (int n = 0; n < 2 && plumb_live_next(text, len, &at, &line); n++) {
        if (plumb_live_sacctmgr_table(text + line.begin, line.end - line.begin) !=
            PLUMB_LIVE_TABLES)
            return PLUMB_LIVE_SACCTMGR;
        if (plumb_live_sinfo_header(text + line.begin, line.end - line.begin))
            return PLUMB_LIVE_SINFO;
    }
    return PLUMB_LIVE_NONE;
}

enum plumb_live_kind plumb_live_sniff(const struct plumb_source *src)
{
    const char *text = plumb_source_begin(src);
    size_t len = src->len - (size_t)(text - src->bytes);

    if (len > LOOKED_AT)
        len = LOOKED_AT;
    if (len > 0 && text[0] == '{')
        return sniff_json(text, len);
    if (plumb_starts_with(text, "Configuration data as of "))
        return PLUMB_LIVE_CONFIG;
    if (plumb_starts_with(text, "NodeName=") && holds(text, len, " CPUTot="))
        return PLUMB_LIVE_NODES;
    if (plumb_starts_with(text, "PartitionName=") && holds(text, len, " TotalNodes="))
        return PLUMB_LIVE_PARTITIONS;
    return sniff_header(text, len);
}

struct plumb_live_file *plumb_live_read(struct plumb_session *s, const struct plumb_source *src,
                                        enum plumb_live_kind kind)
{
    static void (*const readers[])(struct plumb_session *, struct plumb_live_file *) = {
        [PLUMB_LIVE_CONFIG] = plumb_live_read_config,
        [PLUMB_LIVE_NODES] = plumb_live_read_records,
        [PLUMB_LIVE_PARTITIONS] = plumb_live_read_records,
        [PLUMB_LIVE_JSON] = plumb_live_read_json,
        [PLUMB_LIVE_SINFO] = plumb_live_read_sinfo,
        [PLUMB_LIVE_SACCTMGR] = plumb_live_read_sacctmgr,
    };
    struct plumb_live_file *f = PLUMB_NEW(s->arena, struct plumb_live_file);

    f->src = src;
    f->kind = kind;
    if (kind != PLUMB_LIVE_NONE)
        readers[kind](s, f);
    return f;
}

static bool same_text(const struct plumb_slice *a, const struct plumb_slice *b)
{
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static bool alike(const struct plumb_live_record *a, const struct plumb_live_record *b)
{
    if (a->count != b->count || !same_text(&a->state, &b->state) ||
        !same_text(&a->reason, &b->reason))
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (a->items[i].param != b->items[i].param ||
            !same_text(&a->items[i].value, &b->items[i].value))
            return false;
    }
    return true;
}

static uint64_t hash_of(const struct plumb_live_record *r)
{
    uint64_t h = plumb_hash_quick(r->state.text, r->state.len);

    h = plumb_hash_more(h, r->reason.text, r->reason.len);
    for (size_t i = 0; i < r->count; i++)
        h = plumb_hash_more(h + r->items[i].param->id, r->items[i].value.text,
                            r->items[i].value.len);
    return h;
}

static void grow_index(struct plumb_session *s, struct plumb_live_records *l)
{
    size_t cap = l->index_cap == 0 ? 64 : l->index_cap * 2;
    uint32_t *index = PLUMB_NEW_ARRAY(s->arena, cap, uint32_t);

    for (size_t i = 0; i < l->count; i++) {
        size_t at = (size_t)hash_of(&l->items[i]) & (cap - 1);

        while (index[at] != 0)
            at = (at + 1) & (cap - 1);
        index[at] = (uint32_t)i + 1;
    }
    l->index = index;
    l->index_cap = cap;
}

static void add_name(struct plumb_session *s, struct plumb_live_record *to,
                     const struct plumb_slice *name)
{
    to->more =
        plumb_arena_grow(s->arena, to->more, to->more_count, &to->more_cap, sizeof(*to->more));
    to->more[to->more_count++] = *name;
}

static bool fits(struct plumb_session *s, struct plumb_live_records *to,
                 const struct plumb_live_record *r)
{
    if (to->names < PLUMB_MAX_LIVE_VALUES && to->values + r->count < PLUMB_MAX_LIVE_VALUES) {
        to->names++;
        return true;
    }
    if (!to->full)
        plumb_live_unread(s, r->name.at,
                          "the listing is too long, expected at most %d names and values; what "
                          "follows is not compared",
                          PLUMB_MAX_LIVE_VALUES);
    to->full = true;
    return false;
}

void plumb_live_put(struct plumb_session *s, struct plumb_live_records *to,
                    const struct plumb_live_record *r)
{
    size_t at = 0;
    struct plumb_live_record *own = NULL;

    if (!fits(s, to, r))
        return;

    if ((to->count + 1) * 2 > to->index_cap)
        grow_index(s, to);
    for (at = (size_t)hash_of(r) & (to->index_cap - 1); to->index[at] != 0;
         at = (at + 1) & (to->index_cap - 1)) {
        if (alike(&to->items[to->index[at] - 1], r)) {
            add_name(s, &to->items[to->index[at] - 1], &r->name);
            return;
        }
    }
    to->items = plumb_arena_grow(s->arena, to->items, to->count, &to->cap, sizeof(*to->items));
    own = &to->items[to->count++];
    *own = *r;
    own->items = PLUMB_NEW_ARRAY(s->arena, r->count, struct plumb_setting);
    if (r->count > 0)
        memcpy(own->items, r->items, r->count * sizeof(*r->items));
    to->values += r->count;
    to->index[at] = (uint32_t)to->count;
}
