/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of a fabric: a tree from left to right. A leaf is one box with its hosts folded, and
 * siblings without children of their own are one box where there are many, so that the
 * picture grows with the levels and not with the machines.
 */
#include "emit/svg.h"

#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "emit/svg_draw.h"
#include "model/fabric.h"
#include "model/hostlist.h"

enum {
    MARGIN = PLUMB_SVG_MARGIN,
    LEVEL_GAP = 44,
    MANY_LEAVES = 6, /* below one switch: so many are drawn one by one */
    MANY = 24,       /* the same for what has something below, and for blocks */
    SMALL = 16,      /* leaves of a fabric that is drawn in full */
    COLUMNS = 40,    /* of a line of hosts */
    MAX_LEVELS = 64,
};

struct node {
    const char *name;
    const struct plumb_hostlist *hosts; /* NULL: none of its own */
    bool block;                         /* of topology/block; else a switch */
    size_t switches;                    /* captured ones that share all hosts; 0: as told */
    struct node **below;
    size_t below_count;
    bool inner; /* something is above it */
    bool seen;  /* has a card: a loop or a second parent is not followed */
    bool counted;
    uint64_t below_hosts; /* in it and below, once counted; 0 while that goes on */
};

struct card {
    const char *lines[5];
    size_t line_count;
    const char *hosts; /* all of them, for the pointer */
    bool many;         /* stands for several */
    bool block;
    size_t level;
    struct plumb_svg_box at;
    struct card **below;
    size_t below_count;
};

struct fabric {
    struct plumb_arena *arena;
    struct node *nodes;
    size_t count;
    const struct plumb_fabric *captured; /* NULL: units of a topology file */
    size_t leaf_count;
    int widths[MAX_LEVELS]; /* of the cards of a level */
    int y;
};

size_t plumb_svg_fabric_count(const struct plumb_model *m)
{
    size_t count = 0;

    for (size_t i = 0; i < m->topo_unit_count; i++)
        count = m->topo_units[i].topology >= count ? m->topo_units[i].topology + 1 : count;
    return count;
}

static void add_below(struct fabric *f, struct node *above, struct node *child, size_t *cap)
{
    above->below =
        plumb_arena_grow(f->arena, above->below, above->below_count, cap, sizeof(*above->below));
    above->below[above->below_count++] = child;
}

static void read_units(struct fabric *f, const struct plumb_model *m, size_t topology)
{
    struct plumb_map index = plumb_map_in(f->arena);
    const struct plumb_topo_unit **units =
        PLUMB_NEW_ARRAY(f->arena, m->topo_unit_count, const struct plumb_topo_unit *);

    f->nodes = PLUMB_NEW_ARRAY(f->arena, m->topo_unit_count, struct node);
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (u->topology != topology || !plumb_usable(u->name))
            continue;
        f->nodes[f->count].name = u->name.v;
        f->nodes[f->count].hosts = u->nodes;
        f->nodes[f->count].block = u->scope == PLUMB_SCOPE_BLOCK;
        units[f->count] = u;
        if (plumb_map_get(&index, u->name.v) == NULL)
            plumb_map_set(&index, u->name.v, &f->nodes[f->count]);
        f->count++;
    }
    for (size_t i = 0; i < f->count; i++) {
        const struct plumb_hostlist *list = units[i]->children;
        struct plumb_host_cursor c = {0};
        struct plumb_buf name = plumb_buf_in(f->arena);
        size_t cap = 0;

        while (list != NULL && plumb_hostlist_next(list, &c, &name)) {
            struct node *child = plumb_map_get(&index, plumb_buf_text(&name));

            name.len = 0;
            if (child == NULL || child == &f->nodes[i])
                continue;
            child->inner = true;
            add_below(f, &f->nodes[i], child, &cap);
        }
    }
}

static void add_line(struct card *c, const char *text)
{
    if (c->line_count < PLUMB_COUNT(c->lines))
        c->lines[c->line_count++] = text;
}

/* Up to two lines; what is left out is told when a pointer rests on the box. */
static void add_hosts(struct plumb_arena *a, struct card *c, const struct plumb_hostlist *hosts)
{
    const char *text = hosts == NULL || hosts->count == 0 ? "" : plumb_hostlist_str(a, hosts);
    size_t cut = COLUMNS;

    if (text[0] == '\0')
        return;
    c->hosts = text;
    if (strlen(text) > COLUMNS) {
        while (cut > 0 && text[cut - 1] != ',')
            cut--;
        if (cut > 0) {
            add_line(c, plumb_arena_printf(a, "%.*s", (int)cut, text));
            text += cut;
        }
    }
    add_line(c, plumb_svg_clip(a, text, COLUMNS));
}

static const char *plural(struct plumb_arena *a, uint64_t n, const char *noun)
{
    return plumb_arena_printf(a, "%llu %s%s", (unsigned long long)n, noun,
                              n == 1                        ? ""
                              : plumb_ends_with(noun, "ch") ? "es"
                                                            : "s");
}

static struct card *new_card(struct fabric *f, const char *name, size_t level)
{
    struct card *c = PLUMB_NEW(f->arena, struct card);

    c->level = level;
    add_line(c, plumb_svg_clip(f->arena, name, COLUMNS));
    return c;
}

static void measure(struct fabric *f, struct card *c)
{
    c->at.w = plumb_svg_widest(c->lines, c->line_count) + 2 * PLUMB_SVG_PAD;
    c->at.h = (int)c->line_count * PLUMB_SVG_LINE + 12;
    if (c->at.w > f->widths[c->level])
        f->widths[c->level] = c->at.w;
}

/* Everything below, each switch once. */
static void collect(struct fabric *f, struct node *n, struct plumb_hostlist *hosts,
                    size_t *switches, size_t level)
{
    if (n->seen || level == MAX_LEVELS)
        return;
    n->seen = true;
    (*switches)++;
    if (n->hosts != NULL)
        plumb_hostlist_append(f->arena, hosts, n->hosts);
    for (size_t i = 0; i < n->below_count; i++)
        collect(f, n->below[i], hosts, switches, level + 1);
}

/* "leaf[01-32]" where the names fold, else the first and the last. */
static const char *folded_names(struct fabric *f, struct node *const *list, size_t count)
{
    struct plumb_buf names = plumb_buf_in(f->arena);
    const struct plumb_hostlist *h = NULL;

    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(&names, "%s\n", list[i]->name);
    h = plumb_hostlist_of_names(f->arena, plumb_buf_text(&names), names.len);
    if (h != NULL)
        return plumb_hostlist_str(f->arena, h);
    return plumb_arena_printf(f->arena, "%s to %s", list[0]->name, list[count - 1]->name);
}

/* Hosts of each of several: "16 hosts each", "14 to 16 hosts each". */
static const char *hosts_each(struct fabric *f, struct node *const *list, size_t count)
{
    uint64_t least = UINT64_MAX, greatest = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t n = list[i]->hosts == NULL ? 0 : list[i]->hosts->count;

        least = n < least ? n : least;
        greatest = n > greatest ? n : greatest;
    }
    if (least == greatest)
        return plural(f->arena, greatest, "host");
    return plumb_arena_printf(f->arena, "%llu to %s", (unsigned long long)least,
                              plural(f->arena, greatest, "host"));
}

/* One card for siblings. */
static struct card *many_card(struct fabric *f, struct node *const *list, size_t count, bool leaves,
                              size_t level)
{
    struct card *c = new_card(f, folded_names(f, list, count), level);
    struct plumb_hostlist *hosts = PLUMB_NEW(f->arena, struct plumb_hostlist);
    const char *noun = list[0]->block ? "block" : "switch";
    size_t switches = 0;

    for (size_t i = 0; i < count; i++)
        collect(f, list[i], hosts, &switches, 0);
    c->many = true;
    c->block = list[0]->block;
    if (leaves)
        add_line(c, plumb_arena_printf(f->arena, "%s, %s each", plural(f->arena, count, noun),
                                       hosts_each(f, list, count)));
    else
        add_line(c, plumb_arena_printf(f->arena, "%s, %zu below, %s", plural(f->arena, count, noun),
                                       switches - count, plural(f->arena, hosts->count, "host")));
    add_hosts(f->arena, c, hosts);
    measure(f, c);
    return c;
}

static struct card *make_card(struct fabric *f, struct node *n, size_t level);

/* Cards of siblings: those with something below first, then the leaves. */
static void make_below(struct fabric *f, struct node *const *list, size_t count, struct card *into,
                       size_t level)
{
    for (int leaves = 0; leaves < 2; leaves++) {
        struct node **some = PLUMB_NEW_ARRAY(f->arena, count, struct node *);
        size_t n = 0,
               limit = leaves && into->line_count > 0 && f->leaf_count > SMALL ? MANY_LEAVES : MANY;

        for (size_t i = 0; i < count; i++) {
            if (!list[i]->seen && (list[i]->below_count == 0) == (leaves == 1))
                some[n++] = list[i];
        }
        into->below = plumb_arena_reserve(f->arena, into->below, into->below_count,
                                          &(size_t){into->below_count}, sizeof(struct card *), n);
        if (n > limit)
            into->below[into->below_count++] = many_card(f, some, n, leaves == 1, level);
        for (size_t i = 0; n <= limit && i < n; i++) {
            if (!some[i]->seen)
                into->below[into->below_count++] = make_card(f, some[i], level);
        }
    }
}

/* Hosts at a switch and below it. A loop ends where it began. */
static uint64_t hosts_below(struct node *n)
{
    if (n->counted)
        return n->below_hosts;
    n->counted = true;

    uint64_t sum = n->hosts == NULL ? 0 : n->hosts->count;

    for (size_t i = 0; i < n->below_count; i++)
        sum += hosts_below(n->below[i]);
    n->below_hosts = sum;
    return sum;
}

/* The NVLink domains that the hosts of a leaf are in; a long name is told by its end. */
static void add_domains(struct fabric *f, struct card *c, const struct plumb_hostlist *hosts)
{
    enum { SHOWN = 18 };
    size_t count = 0, len = 0;
    const char *name = "";

    if (f->captured == NULL || f->captured->count == 0 || hosts == NULL)
        return;
    for (size_t i = 0; i < f->captured->block_count; i++) {
        const struct plumb_fabric_block *b = &f->captured->blocks[i];

        if (plumb_hostlist_intersect(f->arena, hosts, b->hosts)->count == 0)
            continue;
        name = count == 0 ? b->name : name;
        count++;
    }
    len = strlen(name);
    if (count == 1)
        add_line(c, plumb_arena_printf(f->arena, "NVLink domain %s%s", len > SHOWN ? "..." : "",
                                       len > SHOWN ? name + len - SHOWN : name));
    else if (count > 1)
        add_line(c, plumb_arena_printf(f->arena, "%zu NVLink domains", count));
}

static struct card *make_card(struct fabric *f, struct node *n, size_t level)
{
    struct card *c = new_card(f, n->name, level);
    const char *noun = n->block ? "block" : "switch";

    n->seen = true;
    c->block = n->block;
    if (n->switches > 1)
        noun = plural(f->arena, n->switches, "switch");
    if (n->hosts != NULL)
        add_line(c, plumb_arena_printf(f->arena, "%s, %s", noun,
                                       plural(f->arena, n->hosts->count, "host")));
    else
        add_line(c, plumb_arena_printf(f->arena, "%s, %zu below, %s", noun, n->below_count,
                                       plural(f->arena, hosts_below(n), "host")));
    add_domains(f, c, n->hosts);
    add_hosts(f->arena, c, n->hosts);
    measure(f, c);
    if (level + 1 < MAX_LEVELS)
        make_below(f, n->below, n->below_count, c, level + 1);
    return c;
}

/* Leaves one below the other; what is above stands in the middle of what is below it. */
static void place(struct fabric *f, struct card *c)
{
    c->at.x = MARGIN;
    for (size_t i = 0; i < c->level; i++)
        c->at.x += f->widths[i] + LEVEL_GAP;
    c->at.w = f->widths[c->level];
    for (size_t i = 0; i < c->below_count; i++)
        place(f, c->below[i]);
    if (c->below_count == 0) {
        c->at.y = f->y;
        f->y += c->at.h + PLUMB_SVG_GAP;
        return;
    }
    const struct plumb_svg_box *top = &c->below[0]->at, *end = &c->below[c->below_count - 1]->at;

    c->at.y = (top->y + end->y + end->h - c->at.h) / 2;
    if (f->y < c->at.y + c->at.h + PLUMB_SVG_GAP)
        f->y = c->at.y + c->at.h + PLUMB_SVG_GAP;
}

static void draw(struct fabric *f, struct plumb_xml *svg, const struct card *c)
{
    struct plumb_xml *wire = plumb_svg_group(f->arena, svg, "wire", NULL);
    struct plumb_xml *g = plumb_svg_group(f->arena, svg, c->block ? "nic" : "numa", c->hosts);
    int from = c->at.x + c->at.w, bend = from + LEVEL_GAP / 2, y = c->at.y + c->at.h / 2;

    if (c->many)
        plumb_svg_rect(f->arena, g, NULL,
                       (struct plumb_svg_box){c->at.x + 5, c->at.y + 5, c->at.w, c->at.h}, 4);
    plumb_svg_rect(f->arena, g, NULL, c->at, 4);
    plumb_svg_lines(f->arena, g, c->at.x + PLUMB_SVG_PAD, c->at.y + 3, c->lines, c->line_count);
    for (size_t i = 0; i < c->below_count; i++) {
        const struct plumb_svg_box *b = &c->below[i]->at;
        int to = b->y + b->h / 2;

        plumb_svg_line(f->arena, wire, (struct plumb_svg_box){from, y, bend - from, 0}, 2);
        plumb_svg_line(f->arena, wire, (struct plumb_svg_box){bend, y, 0, to - y}, 2);
        plumb_svg_line(f->arena, wire, (struct plumb_svg_box){bend, to, b->x - bend, 0}, 2);
        draw(f, svg, c->below[i]);
    }
}

static struct plumb_xml *draw_all(struct fabric *f, struct plumb_xml *parent, const char *name,
                                  const char *text)
{
    struct plumb_arena *a = f->arena;
    struct card all = {0};
    struct node **roots = PLUMB_NEW_ARRAY(a, f->count, struct node *);
    size_t root_count = 0;
    int width = MARGIN, title = 0;
    struct plumb_xml *svg = plumb_svg_new(a, parent, name, text);
    struct plumb_xml *paper = plumb_svg_group(a, svg, "back", NULL);

    for (size_t i = 0; i < f->count; i++) {
        f->leaf_count += f->nodes[i].below_count == 0;
        if (!f->nodes[i].inner)
            roots[root_count++] = &f->nodes[i];
    }
    if (root_count == 0 && f->count > 0) /* a loop */
        roots[root_count++] = &f->nodes[0];
    f->y = MARGIN + PLUMB_SVG_TITLE;
    make_below(f, roots, root_count, &all, 0);
    title = plumb_svg_title(a, svg, plumb_svg_clip(a, name, 60), text) + 2 * MARGIN;
    for (size_t i = 0; i < all.below_count; i++)
        place(f, all.below[i]);
    for (size_t i = 0; i < all.below_count; i++)
        draw(f, svg, all.below[i]);
    for (size_t i = 0; i < MAX_LEVELS && f->widths[i] > 0; i++)
        width += f->widths[i] + LEVEL_GAP;
    width = width < title ? title : width;
    plumb_svg_rect(a, paper, "paper", (struct plumb_svg_box){0, 0, width, f->y + MARGIN}, 0);
    plumb_svg_size(a, svg, width, f->y + MARGIN);
    return svg;
}

struct plumb_xml *plumb_svg_fabric(struct plumb_arena *a, struct plumb_xml *parent,
                                   const struct plumb_model *m, size_t topology)
{
    struct fabric f = {.arena = a};

    read_units(&f, m, topology);
    return draw_all(&f, parent,
                    topology < m->topology_count && m->topologies[topology][0] != '\0'
                        ? plumb_arena_printf(a, "Topology %s", m->topologies[topology])
                        : "Topology",
                    plural(a, f.count, f.count > 0 && f.nodes[0].block ? "block" : "switch"));
}

/* NVLink domains, where no switch is told of. */
static void read_blocks(struct fabric *f)
{
    const struct plumb_fabric *captured = f->captured;

    f->nodes = PLUMB_NEW_ARRAY(f->arena, captured->block_count, struct node);
    for (f->count = 0; f->count < captured->block_count; f->count++)
        f->nodes[f->count] = (struct node){.name = captured->blocks[f->count].name,
                                           .hosts = captured->blocks[f->count].hosts,
                                           .block = true};
}

/* Returns the switches that the groups stand for. */
static size_t read_groups(struct fabric *f)
{
    const struct plumb_fabric *captured = f->captured;
    size_t *caps = PLUMB_NEW_ARRAY(f->arena, captured->count, size_t), switches = 0;

    f->count = captured->count;
    f->nodes = PLUMB_NEW_ARRAY(f->arena, captured->count, struct node);
    for (size_t i = 0; i < captured->count; i++) {
        const struct plumb_fabric_group *g = &captured->groups[i];

        f->nodes[i].name = g->name;
        f->nodes[i].hosts = g->hosts;
        f->nodes[i].switches = g->switches;
        switches += g->switches;
        if (g->parent == PLUMB_FABRIC_NONE)
            continue;
        f->nodes[i].inner = true;
        add_below(f, &f->nodes[g->parent], &f->nodes[i], &caps[g->parent]);
    }
    return switches;
}

struct plumb_xml *plumb_svg_captured_fabric(struct plumb_arena *a, struct plumb_xml *parent,
                                            const struct plumb_fabric *captured)
{
    struct fabric f = {.arena = a, .captured = captured};
    struct plumb_buf text = plumb_buf_in(a);

    plumb_buf_printf(&text, "%s tell%s of ", captured->source, captured->partial ? "" : "s");
    if (captured->count > 0)
        plumb_buf_printf(&text, "%s, ", plural(a, read_groups(&f), "switch"));
    else
        read_blocks(&f);
    if (captured->block_count > 0)
        plumb_buf_printf(&text, "%s, ", plural(a, captured->block_count, "NVLink domain"));
    plumb_buf_printf(&text, "%s%s", plural(a, captured->host_count, "host"),
                     captured->shared_leaves ? "; switches alike are one box" : "");
    return draw_all(&f, parent, "Fabric, as captured", plumb_buf_text(&text));
}
