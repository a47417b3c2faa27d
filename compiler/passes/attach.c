/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ties names to what they mean, for both fronts: a partition's nodes to hosts, node lines to
 * the machine that a capture shows. What could not be read was reported and stays NULL.
 */
#include <string.h>

#include "base/text.h"
#include "passes/captures.h"
#include "passes/names.h"
#include "passes/setting.h"
#include "passes/type.h"
#include "schema/value.h"
#include "spec/tree.h"

/* A partition names the set. Only then does slurmctld look at what the set lists: nobody needs it
 * before (slurm.conf(5), NodeSet). */
static bool is_asked_for(const struct plumb_model *m, const struct plumb_nodeset *set)
{
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_slice *text = &m->partitions[i].nodes_text;

        if (!m->partitions[i].all_nodes && plumb_names_hold(text, set->name.v))
            return true;
    }
    return false;
}

/* What the reader said of a list that no daemon reads. */
static void nobody_reads(struct plumb_sink *sink, size_t from)
{
    for (size_t i = from; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];

        plumb_diag_effect(d, PLUMB_EFFECT_NONE, 0);
        if (d->severity == PLUMB_ERROR)
            plumb_diag_severity(d, PLUMB_WARNING);
    }
}

/* NodeSet: the nodes named, and those that have the feature (slurm.conf(5), NodeSet). */
static void attach_nodeset(struct plumb_run *r, struct plumb_nodeset *set)
{
    struct plumb_arena *a = r->session->arena;
    const struct plumb_model *m = r->model;
    const struct plumb_setting *nodes = plumb_setting(&set->settings, PLUMB_P_NODESET_NODES);
    const struct plumb_setting *feature = plumb_setting(&set->settings, PLUMB_P_NODESET_FEATURE);

    set->nodes = PLUMB_NEW(a, struct plumb_hostlist);
    if (nodes != NULL && plumb_slice_is(&nodes->value, "ALL")) {
        plumb_hostlist_append(a, set->nodes, m->all_nodes);
    } else if (nodes != NULL && nodes->value.len > 0) {
        size_t before = r->session->sink.count;
        const struct plumb_hostlist *h =
            plumb_read_hosts(r->session, &nodes->value, PLUMB_P_NODESET_NODES, m->release);

        if (h != NULL)
            plumb_hostlist_append(a, set->nodes, h);
        else if (plumb_usable(set->name) && !is_asked_for(m, set))
            nobody_reads(&r->session->sink, before);
    }
    for (size_t i = 0; feature != NULL && i < m->node_count; i++) {
        if (m->nodes[i].hosts != NULL && plumb_node_has_feature(&m->nodes[i], &feature->value))
            plumb_hostlist_append(a, set->nodes, m->nodes[i].hosts);
    }
}

/* Node sets win over hosts of the same name. ALL is every node only when it stands alone. */
static const struct plumb_hostlist *hosts_named(const void *data, const char *name)
{
    const struct plumb_model *m = data;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        if (plumb_usable(m->nodesets[i].name) && strcmp(m->nodesets[i].name.v, name) == 0)
            return m->nodesets[i].nodes;
    }
    return NULL;
}

/* Functions of 24.11 on, "feature{x}", are known to slurmctld alone. */
static bool is_function(const struct plumb_slice *text)
{
    return memchr(text->text, '{', text->len) != NULL;
}

static void attach_partition(struct plumb_run *r, struct plumb_partition *p)
{
    struct plumb_model *m = r->model;
    struct plumb_hostlist *nodes = NULL;

    if (p->nodes != NULL)
        return;
    if (p->all_nodes) {
        p->nodes = m->all_nodes;
        return;
    }
    if (m->from_spec || p->nodes_text.len == 0 || is_function(&p->nodes_text))
        return;
    nodes = PLUMB_NEW(r->session->arena, struct plumb_hostlist);
    nodes->at = p->nodes_text.at;
    if (plumb_names_resolve(r->session, m->release, &p->nodes_text, hosts_named, m, nodes))
        p->nodes = nodes;
}

static void tie(struct plumb_run *r, struct plumb_nodes *n, const struct plumb_hardware *hw,
                struct plumb_span at)
{
    n->hardware = hw;
    n->hardware_at = at;
    r->facts |= PLUMB_FACT_HARDWARE;
}

/* topology: of a node class; a capture of Nodes alone counts when it is all there is. */
static void attach_class(struct plumb_run *r, struct plumb_nodes *n,
                         const struct plumb_spec_value *class)
{
    static const char *const keys[] = {"topology", "kubernetes/allocatable"};

    for (size_t i = 0; i < PLUMB_COUNT(keys) && n->hardware == NULL; i++) {
        struct plumb_spec_capture c;
        const struct plumb_capture_group *g = NULL;

        if (!plumb_spec_capture_of(r->spec, class, keys[i], &c))
            continue;
        g = plumb_captures_open(r, c.name, c.at);
        if (g != NULL && g->hardware != NULL)
            tie(r, n, g->hardware, c.at);
    }
}

/* "gpu-01" of "captures/gpu-01" or "captures/gpu-01.xml". */
static const char *node_of(struct plumb_arena *a, const char *capture)
{
    const char *slash = strrchr(capture, '/');
    const char *name = slash != NULL ? slash + 1 : capture;
    const char *dot = strrchr(name, '.');

    if (dot == NULL || dot == name)
        return name;
    return plumb_arena_strndup(a, name, (size_t)(dot - name));
}

static bool names_line(struct plumb_arena *a, const struct plumb_hardware *hw,
                       const struct plumb_nodes *n)
{
    const char *slash = strrchr(hw->name, '/');
    const char *whole = slash != NULL ? slash + 1 : hw->name;

    return plumb_hostlist_has(n->hosts, whole) ||
           plumb_hostlist_has(n->hosts, node_of(a, hw->name)) ||
           (hw->host != NULL && plumb_hostlist_has(n->hosts, hw->host)) ||
           strcmp(plumb_hostlist_str(a, n->hosts), whole) == 0;
}

static bool is_machine(const struct plumb_hardware *hw)
{
    return hw->package_count > 0 || hw->gpu_count > 0;
}

static bool wants_gpus(const struct plumb_nodes *n)
{
    const struct plumb_setting *gres = plumb_setting(&n->settings, PLUMB_P_NODE_GRES);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (gres != NULL && plumb_list_next(&gres->value, ',', &c, &item)) {
        if (item.len >= 3 && memcmp(item.text, "gpu", 3) == 0 &&
            (item.len == 3 || item.text[3] == ':'))
            return true;
    }
    return false;
}

/* The only machine there is stands for all nodes with GPUs, or for all where none has any. */
static void attach_only(struct plumb_run *r, const struct plumb_hardware *hw)
{
    struct plumb_model *m = r->model;
    bool gpus = false;

    for (size_t i = 0; i < m->node_count; i++)
        gpus = gpus || wants_gpus(&m->nodes[i]);
    for (size_t i = 0; i < m->node_count; i++) {
        struct plumb_nodes *n = &m->nodes[i];

        if (n->hosts != NULL && (!gpus || wants_gpus(n)))
            tie(r, n, hw, n->hosts->at);
    }
}

static void attach_lines(struct plumb_run *r)
{
    struct plumb_model *m = r->model;
    const struct plumb_hardware *only = NULL;
    size_t machines = 0;
    bool tied = false;

    for (size_t h = 0; h < m->hardware_count; h++) {
        if (!is_machine(m->hardware[h]))
            continue;
        only = m->hardware[h];
        machines++;
        for (size_t i = 0; i < m->node_count; i++) {
            struct plumb_nodes *n = &m->nodes[i];

            if (n->hosts == NULL || n->hardware != NULL ||
                !names_line(r->session->arena, m->hardware[h], n))
                continue;
            tie(r, n, m->hardware[h], n->hosts->at);
            tied = true;
        }
    }
    if (!tied && machines == 1)
        attach_only(r, only);
}

void plumb_pass_attach(struct plumb_run *r)
{
    struct plumb_model *m = r->model;
    const struct plumb_spec_value *classes =
        m->from_spec ? plumb_spec_path(&r->spec->root, "nodes") : NULL;

    for (size_t i = 0; i < m->nodeset_count; i++)
        attach_nodeset(r, &m->nodesets[i]);
    for (size_t i = 0; i < m->partition_count; i++)
        attach_partition(r, &m->partitions[i]);
    if (!m->from_spec)
        plumb_open_brackets(r->session, m);
    if (!m->from_spec)
        attach_lines(r);
    for (size_t i = 0; m->from_spec && i < m->node_count; i++)
        attach_class(r, &m->nodes[i], plumb_spec_get(classes, m->nodes[i].class_name));
}
