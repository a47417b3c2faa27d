/* SPDX-License-Identifier: Apache-2.0 */
/* plumb hosts: the host-list engine on its own. */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/cli.h"
#include "emit/render.h"
#include "model/hostlist.h"

struct hosts {
    struct cli *c;
    struct plumb_session session;
    enum plumb_release release;
    struct plumb_hostlist **lists;
    size_t count, cap;
    bool joins; /* the verb puts all lists together */
    bool bad;
};

static const struct plumb_hostlist empty_list;

static void keep_list(struct hosts *h, struct plumb_hostlist *list)
{
    h->lists =
        plumb_arena_grow(h->c->arena, h->lists, h->count, &h->cap, sizeof(struct plumb_hostlist *));
    h->lists[h->count++] = list;
}

static void read_list(struct hosts *h, const char *text, size_t len)
{
    struct plumb_source *src = plumb_source_add(&h->session.sources, "host list", text, len);
    struct plumb_slice slice = {.text = src->bytes, .len = src->len, .at = plumb_source_span(src)};
    struct plumb_hostlist *list = plumb_hostlist_read(&h->session, &slice, h->release);

    if (list == NULL) {
        h->bad = true;
        return;
    }
    keep_list(h, list);
}

/*
 * True for names without brackets, one a line: they are one list as well as many, and a list for
 * each of a million names takes ten times as long. Verbs that tell lists apart say so.
 */
static bool is_names(const char *bytes, size_t len)
{
    size_t lines = 1;

    if (memchr(bytes, '[', len) != NULL || memchr(bytes, ']', len) != NULL)
        return false;
    for (const char *at = bytes; (at = memchr(at, '\n', len - (size_t)(at - bytes))) != NULL; at++)
        lines++;
    return lines <= PLUMB_MAX_HOST_COUNT && memchr(bytes, ',', len) == NULL;
}

/* One list of names, read quickly where nothing is wrong with them. False: they are no names. */
static bool read_names(struct hosts *h, const char *bytes, size_t len)
{
    struct plumb_hostlist *list = plumb_hostlist_of_names(h->c->arena, bytes, len);

    if (list != NULL && list->count <= PLUMB_MAX_HOST_COUNT)
        keep_list(h, list);
    else if (is_names(bytes, len))
        read_list(h, bytes, len);
    else
        return false;
    return true;
}

/* Arguments, or standard input: one list a line. */
static bool read_lists(struct hosts *h)
{
    char *bytes = NULL;
    size_t len = 0;

    for (size_t i = 1; i < h->c->arg_count; i++) {
        if (strcmp(h->c->args[i], "-") != 0)
            read_list(h, h->c->args[i], strlen(h->c->args[i]));
    }
    if (h->c->arg_count > 1 && strcmp(h->c->args[h->c->arg_count - 1], "-") != 0)
        return true;
    if (!cli_read_stdin(h->c->arena, &bytes, &len))
        return false;
    if (h->joins && read_names(h, bytes, len))
        return true;
    for (size_t at = 0; at < len;) {
        const char *end = memchr(bytes + at, '\n', len - at);
        size_t line = end == NULL ? len - at : (size_t)(end - bytes) - at;

        if (line > 0)
            read_list(h, bytes + at, line);
        at += line + 1;
    }
    return true;
}

/* All lists one after the other. */
static struct plumb_hostlist *join(struct hosts *h)
{
    struct plumb_hostlist *all = PLUMB_NEW(h->c->arena, struct plumb_hostlist);

    if (h->count == 1)
        return h->lists[0];
    for (size_t i = 0; i < h->count; i++)
        plumb_hostlist_append(h->c->arena, all, h->lists[i]);
    return all;
}

static void print_folded(struct hosts *h, const struct plumb_hostlist *list)
{
    plumb_hostlist_text(list, &h->c->out);
    plumb_buf_char(&h->c->out, '\n');
}

static struct plumb_hostlist *joined(struct hosts *h)
{
    struct plumb_hostlist *all = join(h);

    return h->c->flags[OPT_SORT] > 0 ? plumb_hostlist_union(h->c->arena, all, &empty_list) : all;
}

static void fold(struct hosts *h)
{
    print_folded(h, joined(h));
}

static void expand(struct hosts *h)
{
    const char *separator = h->c->values[OPT_SEPARATOR];
    struct plumb_hostlist *all = joined(h);
    struct plumb_host_cursor cursor = {0};
    struct plumb_buf name = plumb_buf_in(h->c->arena);

    for (bool first = true; plumb_hostlist_next(all, &cursor, &name); first = false) {
        if (!first)
            plumb_buf_str(&h->c->out, separator == NULL ? "\n" : separator);
        plumb_buf_add(&h->c->out, plumb_buf_text(&name), name.len);
    }
    if (all->count > 0)
        plumb_buf_char(&h->c->out, '\n');
}

static void count(struct hosts *h)
{
    plumb_buf_u64(&h->c->out, joined(h)->count);
    plumb_buf_char(&h->c->out, '\n');
}

static void unite(struct hosts *h)
{
    print_folded(h, plumb_hostlist_union(h->c->arena, join(h), &empty_list));
}

static void diff(struct hosts *h)
{
    const struct plumb_hostlist *left = h->count == 0 ? &empty_list : h->lists[0];

    left = plumb_hostlist_union(h->c->arena, left, &empty_list);
    for (size_t i = 1; i < h->count; i++)
        left = plumb_hostlist_minus(h->c->arena, left, h->lists[i]);
    print_folded(h, left);
}

static void intersect(struct hosts *h)
{
    const struct plumb_hostlist *common = h->count == 0 ? &empty_list : h->lists[0];

    common = plumb_hostlist_union(h->c->arena, common, &empty_list);
    for (size_t i = 1; i < h->count; i++)
        common = plumb_hostlist_intersect(h->c->arena, common, h->lists[i]);
    print_folded(h, common);
}

static const struct {
    const char *name;
    void (*run)(struct hosts *h);
    bool joins;
} verbs[] = {
    {"fold", fold, true},  {"expand", expand, true}, {"count", count, true},
    {"diff", diff, false}, {"union", unite, true},   {"intersect", intersect, false},
};

static int unknown_verb(const struct cli *c)
{
    struct plumb_nearest near = plumb_nearest_to(c->args[0]);

    for (size_t i = 0; i < PLUMB_COUNT(verbs); i++)
        plumb_nearest_offer(&near, verbs[i].name);
    if (near.best != NULL)
        return cli_usage(c, "hosts knows no '%s', did you mean '%s'?", c->args[0], near.best);
    return cli_usage(c, "hosts knows no '%s'", c->args[0]);
}

/* What is wrong with a list goes to standard error: standard output holds names only. */
static void print_findings(struct hosts *h)
{
    struct plumb_buf out = plumb_buf_in(h->c->arena);
    struct plumb_report r = {
        .sources = &h->session.sources,
        .items = (const struct plumb_diag *const *)h->session.sink.items,
        .count = h->session.sink.count,
        .prediction = {.release = h->release},
    };

    plumb_render_human(h->c->arena, &r, &(struct plumb_render_options){0}, &out);
    (void)cli_write(2, plumb_buf_text(&out), out.len);
}

int cli_hosts(struct cli *c)
{
    struct hosts h = {.c = c, .release = (enum plumb_release)PLUMB_RELEASE_NEWEST};
    const char *release = c->values[OPT_SLURM];

    if (c->arg_count == 0)
        return cli_usage(c, "hosts needs one of fold, expand, count, diff, union, intersect");
    if (release != NULL)
        h.release = plumb_release_read(release, strlen(release));
    plumb_session_init(&h.session, c->arena, c->arena);
    h.session.sink.release = h.release;
    for (size_t i = 0; i < PLUMB_COUNT(verbs); i++) {
        if (strcmp(verbs[i].name, c->args[0]) != 0)
            continue;
        h.joins = verbs[i].joins;
        if (!read_lists(&h))
            return PLUMB_RESULT_INCOMPLETE;
        print_findings(&h);
        if (h.bad)
            return PLUMB_RESULT_INCOMPLETE;
        verbs[i].run(&h);
        return PLUMB_RESULT_CLEAN;
    }
    return unknown_verb(c);
}
