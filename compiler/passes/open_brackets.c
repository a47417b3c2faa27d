/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An open bracket in the names or addresses of nodes. Where it is not refused, slurmctld makes the
 * name "n]" of "n[1-", logs that it does not resolve, and starts, unless something else speaks of
 * the nodes that were meant; the slurmd of such a machine finds no line of its own and ends
 * (hostlist.c:hostlist_create, node_conf.c:_validate_slurmd_addr). Elsewhere every list that is
 * read must be sound.
 */
#include <string.h>

#include "base/map.h"
#include "passes/setting.h"
#include "passes/type.h"
#include "schema/trait.h"

/* What the reader said of a list becomes what slurmctld logs; slurmd ends where it is unknown. */
static void only_logged(struct plumb_sink *sink, const struct plumb_slice *list, bool unknown)
{
    for (size_t i = 0; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];

        if (!plumb_span_within(d->at, list->at) || strcmp(d->rule->code, "HOST001") != 0)
            continue;
        plumb_diag_effect(d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD);
        plumb_diag_other(d, unknown ? PLUMB_EFFECT_STOPS : PLUMB_EFFECT_NONE, PLUMB_SLURMD);
    }
}

/* One address or host name of one node: with more, their numbers have to be the same. */
static void of_one_node(struct plumb_sink *sink, const struct plumb_nodes *n,
                        enum plumb_param_id id)
{
    const struct plumb_setting *s = NULL;

    for (size_t i = 0; i < n->settings.count; i++) {
        if (n->settings.items[i].param->id == id)
            s = &n->settings.items[i];
    }
    if (s != NULL && n->hosts != NULL && n->hosts->count == 1 && s->value.len > 0 &&
        memchr(s->value.text, '[', s->value.len) != NULL &&
        memchr(s->value.text, ',', s->value.len) == NULL)
        only_logged(sink, &s->value, id != PLUMB_P_NODE_NODEADDR); /* slurmd asks for no address */
}

static const struct plumb_setting *unread_names(const struct plumb_nodes *n)
{
    for (size_t i = 0; n->hosts == NULL && i < n->settings.count; i++) {
        if (n->settings.items[i].param->id == PLUMB_P_SLURM_NODENAME)
            return &n->settings.items[i];
    }
    return NULL;
}

/* "a1,g[1-2,b3" is "a1", the name "g]" and "b3". */
struct torn {
    const char *stem;            /* "g" */
    struct plumb_slice sides[2]; /* "a1" and "b3" */
};

static struct torn tear(struct plumb_arena *a, const struct plumb_slice *names)
{
    size_t begin = 0, open = 0, end = 0;
    bool inside = false;

    for (size_t i = 0; i < names->len; i++) {
        if (names->text[i] == ',' && !inside)
            begin = i + 1;
        if (names->text[i] == '[' || names->text[i] == ']')
            inside = names->text[i] == '[';
        if (names->text[i] == '[')
            open = i;
    }
    begin = begin > open ? 0 : begin;
    end = open;
    while (end < names->len && names->text[end] != ',')
        end++;
    return (struct torn){
        .stem = plumb_arena_strndup(a, names->text + begin, open - begin),
        .sides = {plumb_slice_sub(names, 0, begin), plumb_slice_sub(names, end, names->len)},
    };
}

/* Adds the names on both sides of the torn one; false when one of them is defined already. */
static bool add_sides(const struct plumb_session *s, const struct plumb_model *m,
                      const struct torn *torn, struct plumb_hostlist *all)
{
    struct plumb_session quiet = *s;
    bool fresh = true;

    quiet.sink = (struct plumb_sink){.arena = s->scratch, .release = m->release};
    for (size_t i = 0; i < PLUMB_COUNT(torn->sides); i++) {
        const struct plumb_hostlist *list =
            plumb_hostlist_read(&quiet, &torn->sides[i], m->release);

        if (list == NULL)
            return false;
        fresh = fresh && plumb_hostlist_intersect(s->scratch, list, all)->count == 0;
        plumb_hostlist_append(s->scratch, all, list);
    }
    return fresh;
}

/* All nodes that are left: those that were read, and those beside a torn name. */
static bool left_nodes(const struct plumb_session *s, const struct plumb_model *m,
                       struct plumb_hostlist *all)
{
    bool fresh = true;

    if (m->all_nodes != NULL)
        plumb_hostlist_append(s->scratch, all, m->all_nodes);
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_setting *names = unread_names(&m->nodes[i]);
        struct torn torn;

        if (names == NULL)
            continue;
        torn = tear(s->scratch, &names->value);
        fresh = add_sides(s, m, &torn, all) && fresh;
    }
    return fresh;
}

/* Every partition was read, and names nodes that are left. */
static bool partitions_sound(struct plumb_arena *a, const struct plumb_model *m,
                             const struct plumb_hostlist *all)
{
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (p->all_nodes || p->nodes_text.len == 0)
            continue;
        if (p->nodes == NULL || plumb_hostlist_minus(a, p->nodes, all)->count > 0)
            return false;
    }
    return true;
}

/*
 * Lines whose names could not be read. Two that are alike up to the bracket define one name twice,
 * and addresses may be too many for the name that is left: then slurmctld does stop.
 */
static void of_lines(struct plumb_session *s, const struct plumb_model *m)
{
    struct plumb_map stems = plumb_map_in(s->scratch);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_setting *names = unread_names(&m->nodes[i]);
        const char *stem = NULL;

        if (names == NULL)
            continue;
        stem = tear(s->scratch, &names->value).stem;
        if (plumb_map_get(&stems, stem) == NULL &&
            !plumb_setting_there(&m->nodes[i].settings, PLUMB_P_NODE_NODEADDR) &&
            !plumb_setting_there(&m->nodes[i].settings, PLUMB_P_NODE_NODEHOSTNAME))
            only_logged(&s->sink, &names->value, true);
        plumb_map_set(&stems, stem, (void *)(uintptr_t)names);
    }
}

void plumb_open_brackets(struct plumb_session *s, const struct plumb_model *m)
{
    struct plumb_hostlist all = {0};

    if (plumb_trait_now(s, PLUMB_TRAIT_OPEN_BRACKETS_REFUSED))
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        of_one_node(&s->sink, &m->nodes[i], PLUMB_P_NODE_NODEADDR);
        of_one_node(&s->sink, &m->nodes[i], PLUMB_P_NODE_NODEHOSTNAME);
    }
    if (left_nodes(s, m, &all) && partitions_sound(s->scratch, m, &all))
        of_lines(s, m);
}
