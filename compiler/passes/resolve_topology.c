/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Section topology of a specification: rows of switches and blocks become units of the model, as
 * lines of topology.conf do. A row whose name is a list stands for as many units, which share what
 * the row holds in order. A fabric that captures show is taken later, when it has been read.
 */
#include <inttypes.h>
#include <string.h>

#include "capture/rules.h"
#include "model/fabric.h"
#include "model/nested.h"
#include "passes/captures.h"
#include "passes/derive.h"
#include "passes/resolve.h"
#include "schema/trait.h"

/* The two kinds of units; they are topologies of topology.yaml in this order too. */
static const struct kind {
    const char *section, *name;
    const char *plugin;
    enum plumb_scope scope;
    enum plumb_param_id nodes;
} kinds[] = {
    {"switches", "tree", "topology/tree", PLUMB_SCOPE_SWITCH, PLUMB_P_SWITCH_NODES},
    {"blocks", "block", "topology/block", PLUMB_SCOPE_BLOCK, PLUMB_P_BLOCK_NODES},
};
enum { TREE, BLOCK };
enum { MOST_UNITS = 65536 }; /* of all rows: no network has more switches */

struct maker {
    struct plumb_session *s;
    struct plumb_arena *a;
    struct plumb_model *m;
    const struct plumb_spec_value *section;
    struct plumb_nested_model *nested; /* topology.yaml is written; NULL: topology.conf */
    size_t topology;                   /* which of topology.yaml */
    size_t cap;
};

/* ---- parts of a list ---- */

/* Names [from, from + count) of a list. */
static struct plumb_hostlist *part_of(struct plumb_arena *a, const struct plumb_hostlist *all,
                                      uint64_t from, uint64_t count)
{
    struct plumb_hostlist *out = PLUMB_NEW(a, struct plumb_hostlist);

    out->at = all->at;
    for (size_t i = 0; i < all->range_count && count > 0; i++) {
        struct plumb_host_range r = all->ranges[i];
        uint64_t names = r.hi - r.lo + 1, take = 0;
        struct plumb_hostlist one = {.ranges = &r, .range_count = 1};

        if (from >= names) {
            from -= names;
            continue;
        }
        take = names - from < count ? names - from : count;
        if (r.numbered) {
            r.lo += from;
            r.hi = r.lo + take - 1;
        }
        one.count = take;
        plumb_hostlist_append(a, out, &one);
        count -= take;
        from = 0;
    }
    return out;
}

/* How many of all go to each of so many names; 0: reported. */
static uint64_t share(struct plumb_session *s, const struct plumb_spec_value *row,
                      const struct plumb_hostlist *all, uint64_t names, const char *what)
{
    const struct plumb_spec_value *each = plumb_resolve_get(row, "each");
    uint64_t rows = 0;

    if (each == NULL && all->count % names == 0 && all->count > 0)
        return all->count / names;
    if (each == NULL) {
        plumb_diag_new(&s->sink, plumb_spec_rule(PLUMB_SPEC_UNEVEN), all->at,
                       "%" PRIu64 " %s cannot be divided evenly among %" PRIu64
                       " names, expected a multiple, or 'each'",
                       all->count, what, names);
        return 0;
    }
    rows = all->count / each->number + (all->count % each->number != 0);
    if (rows == names)
        return each->number;
    plumb_diag_new(&s->sink, plumb_spec_rule(PLUMB_SPEC_UNEVEN), each->at,
                   "%" PRIu64 " %s make %" PRIu64 " rows of %" PRIu64 ", expected %" PRIu64
                   " as there are names",
                   all->count, what, rows, each->number, names);
    return 0;
}

/* ---- units ---- */

static struct plumb_topo_unit *add_unit(struct maker *k, const struct kind *kind, const char *name,
                                        struct plumb_span at)
{
    struct plumb_model *m = k->m;

    m->topo_units = plumb_arena_grow(k->a, m->topo_units, m->topo_unit_count, &k->cap,
                                     sizeof(struct plumb_topo_unit));
    m->topo_units[m->topo_unit_count] = (struct plumb_topo_unit){
        .scope = kind->scope,
        .topology = k->topology,
        .name = {.v = plumb_intern_str(k->s->intern, name), .at = at, .origin = PLUMB_GIVEN},
        .at = at,
    };
    return &m->topo_units[m->topo_unit_count++];
}

/* A list of a unit; a line of topology.conf has it as a setting too. */
static void set_list(struct maker *k, struct plumb_topo_unit *unit, enum plumb_param_id id,
                     const struct plumb_hostlist *list, struct plumb_span key_at)
{
    if (id == PLUMB_P_SWITCH_SWITCHES)
        unit->children = list;
    else
        unit->nodes = list;
    if (k->nested == NULL)
        plumb_setting_add(k->a, &unit->settings, id,
                          plumb_made_slice(plumb_hostlist_str(k->a, list), list->at), key_at,
                          PLUMB_GIVEN);
}

/* What a key of a row gives to its units, which are the last ones of the model. */
static void divide(struct maker *k, const struct plumb_spec_value *row, const char *key,
                   enum plumb_param_id id, const struct plumb_hostlist *all, uint64_t names)
{
    struct plumb_topo_unit *units = &k->m->topo_units[k->m->topo_unit_count - names];
    uint64_t each = 0;

    if (all != NULL)
        each = names == 1 ? all->count : share(k->s, row, all, names, key);
    for (uint64_t i = 0; i < names; i++) {
        if (each > 0)
            set_list(k, &units[i], id, part_of(k->a, all, i * each, each),
                     plumb_spec_get(row, key)->key_at);
        else
            units[i].bad = true;
    }
}

static void add_row(struct plumb_resolve *rs, struct maker *k, const struct kind *kind,
                    const struct plumb_spec_value *row)
{
    const struct plumb_spec_value *name = plumb_resolve_get(row, "name");
    const struct plumb_spec_value *nodes = plumb_spec_get(row, "nodes");
    const struct plumb_spec_value *below = plumb_spec_get(row, "switches");
    struct plumb_hostlist *names = NULL;
    struct plumb_host_cursor c = {0};
    struct plumb_buf text = plumb_buf_in(k->a);

    if (name != NULL)
        names = plumb_hostlist_read(k->s, &name->text, k->m->release);
    if (names != NULL && names->count > MOST_UNITS - k->m->topo_unit_count) {
        plumb_diag_new(&k->s->sink, plumb_spec_rule(PLUMB_SPEC_OUT_OF_RANGE), name->at,
                       "the row stands for %" PRIu64 " units, expected at most %d in all rows",
                       names->count, MOST_UNITS);
        names = NULL;
    }
    if (names == NULL || names->count == 0) {
        k->m->unread[PLUMB_TOPOLOGY_CONF] = true;
        return;
    }
    while (plumb_hostlist_next(names, &c, &text)) {
        (void)add_unit(k, kind, plumb_buf_text(&text), name->at);
        text.len = 0;
    }
    for (uint64_t i = 1; nodes == NULL && below == NULL && i < names->count; i++)
        k->m->topo_units[k->m->topo_unit_count - i].bad = true; /* the first tells for all */
    if (nodes != NULL)
        divide(k, row, "nodes", kind->nodes,
               plumb_usable(*nodes) ? plumb_resolve_named(rs, nodes) : NULL, names->count);
    if (below != NULL)
        divide(k, row, "switches", PLUMB_P_SWITCH_SWITCHES,
               plumb_usable(*below) ? plumb_resolve_hosts(rs, below) : NULL, names->count);
}

/* ---- sizes of blocks ---- */

static void add_sizes(struct maker *k, const uint64_t *sizes, const struct plumb_span *places,
                      size_t count, struct plumb_span key_at)
{
    const struct plumb_param *p = plumb_param(PLUMB_P_TOPO_BLOCKSIZES);
    struct plumb_made text = plumb_made_in(k->a);
    struct plumb_block_sizes *to = NULL;

    if (k->nested == NULL) {
        if (!plumb_param_used(p, k->m->release))
            return;
        for (size_t i = 0; i < count; i++)
            plumb_made_add(&text,
                           plumb_arena_printf(k->a, "%s%" PRIu64, i == 0 ? "" : ",", sizes[i]),
                           places[i]);
        plumb_setting_add(k->a, &k->m->settings[PLUMB_TOPOLOGY_CONF], PLUMB_P_TOPO_BLOCKSIZES,
                          plumb_made_done(&text), key_at, PLUMB_GIVEN);
        return;
    }
    k->nested->sizes = PLUMB_NEW(k->a, struct plumb_block_sizes);
    k->nested->size_count = 1;
    to = k->nested->sizes;
    *to = (struct plumb_block_sizes){.topology = k->topology, .count = count};
    to->items = PLUMB_NEW_ARRAY(k->a, count, struct plumb_u64);
    for (size_t i = 0; i < count; i++)
        to->items[i] = (struct plumb_u64){.v = sizes[i], .at = places[i], .origin = PLUMB_GIVEN};
}

/* Sizes that were not written follow from the blocks, unless one of them could not be read. */
static void derive_sizes(struct maker *k, struct plumb_span at)
{
    uint64_t sizes[16], base = UINT64_MAX;
    struct plumb_span places[16];
    size_t blocks = 0, count = 0;

    for (size_t i = 0; i < k->m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &k->m->topo_units[i];

        if (u->scope != PLUMB_SCOPE_BLOCK)
            continue;
        if (u->bad || u->nodes == NULL)
            return;
        blocks++;
        base = u->nodes->count < base ? u->nodes->count : base;
    }
    count = plumb_block_sizes(base, blocks, sizes);
    for (size_t i = 0; i < count; i++)
        places[i] = at;
    add_sizes(k, sizes, places, count, at);
}

static void set_sizes(struct maker *k, struct plumb_span at)
{
    const struct plumb_spec_value *v = plumb_spec_get(k->section, "block_sizes");
    uint64_t *sizes = NULL;
    struct plumb_span *places = NULL;
    size_t count = 0;

    if (v == NULL) {
        derive_sizes(k, at);
        return;
    }
    sizes = PLUMB_NEW_ARRAY(k->a, v->count, uint64_t);
    places = PLUMB_NEW_ARRAY(k->a, v->count, struct plumb_span);
    for (size_t i = 0; i < v->count && v->shape == PLUMB_SHAPE_LIST; i++) {
        if (!plumb_usable(v->items[i]))
            return; /* reported */
        sizes[count] = v->items[i].number;
        places[count++] = v->items[i].at;
    }
    if (count > 0)
        add_sizes(k, sizes, places, count, v->key_at);
}

/* ---- the file and the plugin ---- */

static const struct plumb_spec_value *rows_of(const struct maker *k, size_t kind)
{
    const struct plumb_spec_value *v = plumb_resolve_get(k->section, kinds[kind].section);

    return v != NULL && v->shape == PLUMB_SHAPE_LIST && v->count > 0 ? v : NULL;
}

static const char *word_of(const struct maker *k, const char *key)
{
    const struct plumb_spec_value *v = plumb_resolve_get(k->section, key);

    return v == NULL || v->word == NULL ? "" : v->word->name;
}

static void report_release(struct maker *k, struct plumb_span at, const char *what,
                           const char *first)
{
    plumb_diag_new(&k->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_IN_RELEASE), at,
                   "%s needs Slurm %s or later, the cluster has %s", what, first,
                   plumb_release_name(k->m->release));
}

static const char *first_with_yaml(const struct maker *k)
{
    unsigned r = 0;

    while (r < PLUMB_RELEASE_NEWEST &&
           plumb_trait_value(k->s->table, (enum plumb_release)r, PLUMB_TRAIT_TOPOLOGY_YAML) == 0)
        r++;
    return plumb_release_name((enum plumb_release)r);
}

static bool knows_plugin(const struct maker *k, size_t kind, unsigned release)
{
    return plumb_param_word_known(k->s->table, PLUMB_P_SLURM_TOPOLOGYPLUGIN,
                                  (enum plumb_release)release, kinds[kind].plugin);
}

/* False after a finding: no release of before has the plugin. */
static bool plugin_known(struct maker *k, size_t kind, struct plumb_span at)
{
    unsigned first = 0;

    if (knows_plugin(k, kind, k->m->release))
        return true;
    while (first < PLUMB_RELEASE_NEWEST && !knows_plugin(k, kind, first))
        first++;
    report_release(k, at, plumb_arena_printf(k->a, "'%s'", kinds[kind].plugin),
                   plumb_release_name((enum plumb_release)first));
    return false;
}

/* Whether topology.yaml is written, which both kinds together need. False: cannot be. */
static bool choose_file(struct maker *k, bool both)
{
    const struct plumb_spec_value *file = plumb_resolve_get(k->section, "file");
    bool yaml = strcmp(word_of(k, "file"), "topology.yaml") == 0;
    struct plumb_span at = file != NULL ? file->at : k->section->key_at;

    if (both && file == NULL)
        at = plumb_spec_get(k->section, kinds[BLOCK].section)->key_at;
    if (both && file != NULL && !yaml) {
        plumb_diag_new(&k->s->sink, plumb_spec_rule(PLUMB_SPEC_EXCLUSIVE_KEYS), at,
                       "'topology.conf' holds switches or blocks, expected 'topology.yaml' for "
                       "both");
        return false;
    }
    if (!yaml && !both)
        return true;
    if (plumb_trait_value(k->s->table, k->m->release, PLUMB_TRAIT_TOPOLOGY_YAML) == 0) {
        report_release(k, at, both ? "'blocks' beside 'switches'" : "'topology.yaml'",
                       first_with_yaml(k));
        return false;
    }
    k->nested = PLUMB_NEW(k->a, struct plumb_nested_model);
    k->m->nested = k->nested;
    k->m->topology_yaml = k->section->key_at;
    k->m->topologies = PLUMB_NEW_ARRAY(k->a, PLUMB_COUNT(kinds), const char *);
    return true;
}

/* The topology that is begun now. */
static void begin_kind(struct maker *k, size_t kind, struct plumb_span at)
{
    struct plumb_settings *slurm = &k->m->settings[PLUMB_SLURM_CONF];

    if (k->nested != NULL) {
        k->topology = k->m->topology_count;
        k->m->topologies[k->m->topology_count++] = kinds[kind].name;
        return;
    }
    k->m->present[PLUMB_TOPOLOGY_CONF] = true;
    k->m->file_at[PLUMB_TOPOLOGY_CONF] = k->section->key_at;
    plumb_setting_add_text(k->a, slurm, PLUMB_P_SLURM_TOPOLOGYPLUGIN, kinds[kind].plugin, at,
                           PLUMB_DERIVED);
}

static struct maker maker_of(struct plumb_run *r)
{
    struct maker k = {.s = r->session, .a = r->session->arena, .m = r->model};

    k.section = plumb_resolve_get(&r->spec->root, "topology");
    if (k.section != NULL && k.section->shape != PLUMB_SHAPE_MAP)
        k.section = NULL;
    return k;
}

static void take_rows(struct plumb_resolve *rs, struct maker *k)
{
    bool both = rows_of(k, TREE) != NULL && rows_of(k, BLOCK) != NULL;
    bool block_first = both && strcmp(word_of(k, "plugin"), "block") == 0;

    if (!choose_file(k, both))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        size_t kind = block_first ? PLUMB_COUNT(kinds) - 1 - i : i;
        const struct plumb_spec_value *rows = rows_of(k, kind);

        if (rows == NULL || !plugin_known(k, kind, rows->key_at))
            continue;
        begin_kind(k, kind, rows->key_at);
        for (size_t row = 0; row < rows->count; row++) {
            if (rows->items[row].shape == PLUMB_SHAPE_MAP)
                add_row(rs, k, &kinds[kind], &rows->items[row]);
        }
        if (kind == BLOCK)
            set_sizes(k, rows->key_at);
    }
}

void plumb_resolve_topology(struct plumb_resolve *rs)
{
    struct maker k = maker_of(rs->run);
    const struct plumb_spec_value *fabric = NULL;

    if (k.section == NULL)
        return;
    fabric = plumb_resolve_get(k.section, "fabric");
    if (fabric != NULL && (rows_of(&k, TREE) != NULL || rows_of(&k, BLOCK) != NULL))
        plumb_diag_new(&k.s->sink, plumb_spec_rule(PLUMB_SPEC_EXCLUSIVE_KEYS), fabric->key_at,
                       "'fabric' makes the topology of a capture, expected it alone or rows alone");
    else if (fabric != NULL)
        k.m->unread[PLUMB_TOPOLOGY_CONF] =
            !plumb_captures_fabric(rs->run, fabric->text.text, fabric->at);
    else
        take_rows(rs, &k);
}

/* ---- of a fabric ---- */

static void units_of_tree(struct maker *k, const struct plumb_fabric *f)
{
    struct plumb_buf *below = PLUMB_NEW_ARRAY(k->a, f->count, struct plumb_buf);

    for (size_t i = 0; i < f->count; i++)
        below[i] = plumb_buf_in(k->a);
    for (size_t i = 0; i < f->count; i++) {
        if (f->groups[i].parent != PLUMB_FABRIC_NONE)
            plumb_buf_printf(&below[f->groups[i].parent], "%s\n", f->groups[i].name);
    }
    for (size_t i = 0; i < f->count; i++) {
        const struct plumb_fabric_group *g = &f->groups[i];
        struct plumb_topo_unit *unit = add_unit(k, &kinds[TREE], g->name, g->at);
        struct plumb_hostlist *names = NULL;
        struct plumb_slice text = plumb_made_slice(plumb_buf_text(&below[i]), g->at);

        if (g->hosts != NULL) {
            set_list(k, unit, PLUMB_P_SWITCH_NODES, g->hosts, g->at);
            continue;
        }
        names = plumb_hostlist_of_names(k->a, text.text, text.len);
        unit->bad = names == NULL;
        if (names != NULL) {
            names->at = g->at;
            set_list(k, unit, PLUMB_P_SWITCH_SWITCHES, names, g->at);
        }
    }
}

void plumb_derive_topology(struct plumb_run *r)
{
    struct maker k = maker_of(r);
    const struct plumb_spec_value *fabric =
        k.section == NULL ? NULL : plumb_resolve_get(k.section, "fabric");
    const struct plumb_fabric *f = r->fabric;
    const char *word = NULL;
    size_t kind = TREE;

    if (fabric == NULL || rows_of(&k, TREE) != NULL || rows_of(&k, BLOCK) != NULL ||
        k.m->unread[PLUMB_TOPOLOGY_CONF])
        return;
    if (f == NULL) {
        plumb_hw_report(k.s, PLUMB_HW_NOTHING, fabric->at,
                        "'%s' shows no fabric, expected output of ibnetdiscover, a model of "
                        "topograph, or Node objects with labels of the network",
                        fabric->text.text);
        return;
    }
    word = word_of(&k, "plugin");
    kind = strcmp(word, "block") == 0 || (f->count == 0 && word[0] == '\0') ? BLOCK : TREE;
    if (kind == TREE && f->count == 0) {
        plumb_hw_report(k.s, PLUMB_HW_NOTHING, fabric->at,
                        "'%s' shows NVLink domains and no switch, expected 'plugin: block'",
                        fabric->text.text);
        return;
    }
    if (!choose_file(&k, false) || !plugin_known(&k, kind, fabric->at))
        return;
    begin_kind(&k, kind, fabric->at);
    if (kind == TREE) {
        units_of_tree(&k, f);
        return;
    }

    struct plumb_block_plan plan = plumb_fabric_blocks(f, k.a);

    for (size_t i = 0; i < plan.count; i++)
        set_list(&k, add_unit(&k, &kinds[BLOCK], plan.blocks[i].name, plan.blocks[i].at),
                 PLUMB_P_BLOCK_NODES, plan.blocks[i].hosts, plan.blocks[i].at);
    set_sizes(&k, fabric->at);
}
