/* SPDX-License-Identifier: Apache-2.0 */
/* Names of inputs in outputs: the same wherever the tree lies and wherever plumb was started. */
#include <string.h>

#include "emit/output.h"

/* A path taken apart without asking the system: no empty and "." parts, "name/.." taken out. */
struct parts {
    bool absolute;
    const char **items;
    size_t count;
};

static struct parts split(struct plumb_arena *a, const char *path)
{
    struct parts p = {.absolute = path[0] == '/'};
    size_t most = 1;

    for (const char *c = path; *c != '\0'; c++)
        most += *c == '/';
    p.items = PLUMB_NEW_ARRAY(a, most, const char *);
    while (*path != '\0') {
        size_t len = strcspn(path, "/");
        const char *item = plumb_arena_strndup(a, path, len);

        path += len + (path[len] == '/');
        if (len == 0 || strcmp(item, ".") == 0)
            continue;
        if (strcmp(item, "..") == 0 && p.count > 0 && strcmp(p.items[p.count - 1], "..") != 0)
            p.count--;
        else if (strcmp(item, "..") != 0 || !p.absolute)
            p.items[p.count++] = item;
    }
    return p;
}

static size_t common(const struct parts *x, const struct parts *y)
{
    size_t n = 0;

    if (x->absolute != y->absolute)
        return 0;
    while (n < x->count && n < y->count && strcmp(x->items[n], y->items[n]) == 0)
        n++;
    return n;
}

static void add_from(struct plumb_buf *b, const struct parts *p, size_t first)
{
    for (size_t i = first; i < p->count; i++) {
        if (b->len > 0)
            plumb_buf_char(b, '/');
        plumb_buf_str(b, p->items[i]);
    }
}

/* The path that everything is relative to: that of the specification, else of slurm.conf. */
static const char *main_source(const struct plumb_session *s, const struct plumb_model *m)
{
    const struct plumb_source *conf =
        plumb_source_get(&s->sources, m->file_at[PLUMB_SLURM_CONF].file);

    if (m->spec_path != NULL)
        return m->spec_path;
    if (conf != NULL)
        return conf->path;
    return s->sources.count > 0 ? s->sources.items[0]->path : "";
}

const char *plumb_output_source_name(struct plumb_session *s, const struct plumb_model *m,
                                     const struct plumb_source *src)
{
    struct parts p = split(s->arena, src->path), base = split(s->arena, main_source(s, m));
    struct plumb_buf b = plumb_buf_in(s->arena);
    size_t same = 0;

    if (src->builtin || p.count == 0)
        return src->path;
    if (base.count > 0)
        base.count--; /* its folder */
    same = common(&base, &p);

    /* Another tree, or one that is only reached through names that are not known: no folders. */
    if (p.absolute != base.absolute || (p.absolute && same == 0 && base.count > 0) ||
        (same < base.count && strcmp(base.items[same], "..") == 0))
        return p.items[p.count - 1];
    for (size_t i = same; i < base.count; i++)
        plumb_buf_str(&b, b.len > 0 ? "/.." : "..");
    add_from(&b, &p, same);
    return plumb_buf_text(&b);
}
