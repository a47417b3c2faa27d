/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about names of nodes and node sets, and about node lines that are missing. */
#include "rules/node_names.h"

#include <inttypes.h>
#include <string.h>

#include "rules/ask.h"

#define N(name) PLUMB_P_NODE_##name

/* NODE010: S299 */
void plumb_node_no_nodes(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
        {PLUMB_23_02, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *dynamic = plumb_global(ck, PLUMB_P_SLURM_MAXNODECOUNT);

    if (m->node_count != 0 || m->nodes_unread || !m->present[PLUMB_SLURM_CONF] ||
        dynamic != NULL) /* nodes that register by themselves; SCHED019 says what they need */
        return;
    plumb_outcome(ck,
                  plumb_report(ck, m->file_at[PLUMB_SLURM_CONF],
                               "there is no node, expected a NodeName line"),
                  &eras);
}

/* NODE011: S297 */
void plumb_node_nodeset_is_node(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
        {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->nodeset_count && m->all_nodes != NULL; i++) {
        const struct plumb_text *name = &m->nodesets[i].name;

        if (!plumb_usable(*name) || name->v == NULL || !plumb_hostlist_has(m->all_nodes, name->v))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, name->at,
                                   "NodeSet '%s' has the name of a node, expected another name",
                                   name->v),
                      &eras);
    }
}

/* NODE012: a feature that no node has. */
void plumb_node_empty_nodeset(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_nodeset *s = &m->nodesets[i];
        const struct plumb_setting *f = plumb_setting(&s->settings, PLUMB_P_NODESET_FEATURE);

        if (f == NULL || (s->nodes != NULL && s->nodes->count > 0) ||
            plumb_setting(&s->settings, PLUMB_P_NODESET_NODES) != NULL)
            continue;
        plumb_report(ck, f->value.at, "NodeSet '%s' is empty, as no node has feature '%s'",
                     s->name.v != NULL ? s->name.v : "?", f->value.text);
    }
}

/* NODE013: templates that were not filled in: "<NODES>", "{{ nodes }}", "${nodes}", "@NODES@". */
static bool is_placeholder(const char *name)
{
    return strchr(name, '<') != NULL || strchr(name, '{') != NULL || strchr(name, '$') != NULL ||
           strchr(name, '@') != NULL;
}

static void placeholders(const struct plumb_check *ck, const struct plumb_hostlist *hosts,
                         const char *what)
{
    for (size_t r = 0; hosts != NULL && r < hosts->range_count; r++) {
        if (!is_placeholder(hosts->ranges[r].prefix))
            continue;
        plumb_report(ck, plumb_span_known(hosts->ranges[r].at) ? hosts->ranges[r].at : hosts->at,
                     "%s '%s' is a placeholder of a template, expected host names", what,
                     hosts->ranges[r].prefix);
    }
}

void plumb_node_placeholders(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->node_count; i++)
        placeholders(ck, ck->model->nodes[i].hosts, "NodeName");
    for (size_t i = 0; i < ck->model->partition_count; i++)
        placeholders(ck, ck->model->partitions[i].nodes, "Nodes");
}

/* How many a list has; 0 when it cannot be read. "6000-6007" stands for "[6000-6007]". */
static uint64_t count_of(const struct plumb_check *ck, const struct plumb_slice *list, bool ports)
{
    struct plumb_session quiet = {.arena = ck->scratch,
                                  .scratch = ck->scratch,
                                  .intern = ck->intern,
                                  .sink = {.arena = ck->scratch}};
    struct plumb_slice text = *list;
    const struct plumb_hostlist *read = NULL;

    if (ports && memchr(list->text, '[', list->len) == NULL) {
        text.text = plumb_arena_printf(ck->scratch, "[%s]", list->text);
        text.len = (uint32_t)strlen(text.text);
    }
    read = plumb_hostlist_read(&quiet, &text, ck->model->release);
    return read == NULL ? 0 : read->count;
}

/* NODE015: node_conf.c:expand_nodeline_info pairs the lists with the names one by one. */
void plumb_node_addresses(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {N(NODEADDR), N(NODEHOSTNAME), N(BCASTADDR), N(PORT)};
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        for (size_t k = 0; n->hosts != NULL && k < PLUMB_COUNT(ids); k++) {
            const struct plumb_setting *s = plumb_setting(&n->settings, ids[k]);
            uint64_t count =
                s == NULL || s->value.len == 0 ? 0 : count_of(ck, &s->value, ids[k] == N(PORT));

            if (count <= 1 || count == n->hosts->count)
                continue;

            struct plumb_diag *d = plumb_report(
                ck, s->value.at,
                "%s of '%s' has %" PRIu64 " values for %" PRIu64 " nodes, expected one or one each",
                plumb_param(ids[k])->name, plumb_fold_hosts(ck, n->hosts), count, n->hosts->count);

            plumb_diag_note(d, n->hosts->at, "the nodes");
            plumb_outcome(ck, d, NULL);
        }
    }
}
