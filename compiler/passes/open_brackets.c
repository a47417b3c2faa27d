/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An open bracket in the names or addresses of nodes. Up to 23.02 slurmctld makes the name "n]" of
 * "n[1-", logs that it does not resolve, and starts, unless something else speaks of the nodes
 * that were meant; the slurmd of such a machine finds no line of its own and ends
 * (hostlist.c:hostlist_create, node_conf.c:_validate_slurmd_addr). From 23.11 on every list that
 * is read must be sound.
 */
#include <string.h>

#include "base/map.h"
#include "passes/setting.h"
#include "passes/type.h"

/* What the reader said of a list becomes what slurmctld logs. */
static void only_logged(struct plumb_sink *sink, const struct plumb_slice *list)
{
    for (size_t i = 0; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];

        if (d->at.file != list->at.file || d->at.begin < list->at.begin ||
            d->at.end > list->at.end || strcmp(d->rule->code, "HOST001") != 0)
            continue;
        plumb_diag_effect(d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD);
        plumb_diag_other(d, PLUMB_EFFECT_STOPS, PLUMB_SLURMD);
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
        only_logged(sink, &s->value);
}

/* Every partition was read, and names nodes that other lines define. */
static bool partitions_sound(struct plumb_arena *a, const struct plumb_model *m)
{
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (p->all_nodes || p->nodes_text.len == 0)
            continue;
        if (p->nodes == NULL || plumb_hostlist_minus(a, p->nodes, m->all_nodes)->count > 0)
            return false;
    }
    return true;
}

static const struct plumb_setting *unread_names(const struct plumb_nodes *n)
{
    for (size_t i = 0; n->hosts == NULL && i < n->settings.count; i++) {
        if (n->settings.items[i].param->id == PLUMB_P_SLURM_NODENAME)
            return &n->settings.items[i];
    }
    return NULL;
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
        const char *stem = NULL, *bracket = NULL;

        if (names == NULL)
            continue;
        bracket = memchr(names->value.text, '[', names->value.len);
        stem = plumb_arena_strndup(s->scratch, names->value.text,
                                   bracket == NULL ? names->value.len
                                                   : (size_t)(bracket - names->value.text));
        if (plumb_map_get(&stems, stem) == NULL &&
            !plumb_setting_there(&m->nodes[i].settings, PLUMB_P_NODE_NODEADDR) &&
            !plumb_setting_there(&m->nodes[i].settings, PLUMB_P_NODE_NODEHOSTNAME))
            only_logged(&s->sink, &names->value);
        plumb_map_set(&stems, stem, (void *)(uintptr_t)names);
    }
}

void plumb_open_brackets(struct plumb_session *s, const struct plumb_model *m)
{
    if (m->release >= PLUMB_23_11)
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        of_one_node(&s->sink, &m->nodes[i], PLUMB_P_NODE_NODEADDR);
        of_one_node(&s->sink, &m->nodes[i], PLUMB_P_NODE_NODEHOSTNAME);
    }
    if (partitions_sound(s->scratch, m))
        of_lines(s, m);
}
