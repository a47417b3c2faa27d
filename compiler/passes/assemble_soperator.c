/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slurm.conf, gres.conf, cgroup.conf and slurmdbd.conf as Soperator 4.1 writes them
 * (internal/render/common/configmap.go:generateSlurmConfig, generateGresConfig,
 * generateCGroupConfig; internal/render/accounting: generateSlurmdbdConfig). Node lines are written
 * for structured partitions alone; nodes are in the cloud, and each is the pod of its number.
 */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "kube/value.h"
#include "model/kube_plan.h"
#include "passes/assemble.h"

static bool is_structured(const struct plumb_assembly *as)
{
    const char *type =
        plumb_node_text(plumb_assemble_at(as->cluster, "spec/partitionConfiguration/configType"));

    return type != NULL && strcmp(type, "structured") == 0;
}

static void add_pair(struct plumb_assembly *as, const char *key, const char *text,
                     struct plumb_span at)
{
    const struct plumb_param *p = plumb_param_find(as->run->session->table, as->doc->file,
                                                   PLUMB_SCOPE_GLOBAL, key, strlen(key));

    if (p != NULL)
        plumb_conf_add(as->doc, plumb_conf_line(as->doc, PLUMB_SCOPE_GLOBAL),
                       (enum plumb_param_id)p->id, text, at);
}

/* ---- fields ---- */

/* A number is always written, a text where it is not empty (addSlurmConfigProperties). */
static void add_field(struct plumb_assembly *as, const struct plumb_kube_slot *slot)
{
    const char *path = plumb_kube_slot_path(as->a, slot);
    const struct plumb_node *n = NULL;
    const char *text = NULL;
    struct plumb_span at;

    n = plumb_assemble_at(as->cluster, path);
    at = n == NULL ? as->cluster->name_at : n->at;
    text = n != NULL && n->kind == PLUMB_SEQUENCE ? plumb_assemble_joined(as->a, n, "state")
                                                  : plumb_assemble_said(as, as->cluster, path, &at);
    if (text != NULL && text[0] != '\0')
        add_pair(as, slot->key, text, at);
}

static void add_fields(struct plumb_assembly *as, const struct plumb_kube_slot *slots, size_t count)
{
    static const char accounting[] = "slurmNodes.accounting.";

    for (size_t i = 0; i < count; i++) {
        if (as->accounting_name != NULL || !plumb_starts_with(slots[i].path, accounting))
            add_field(as, &slots[i]);
    }
}

/* ---- nodes ---- */

static uint64_t replicas_of(const struct plumb_kube_object *o)
{
    return plumb_assemble_replicas(o, 1);
}

static const char *pods_of(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    return plumb_assemble_pods(as, plumb_arena_printf(as->a, "%s-", o->name), replicas_of(o), 0);
}

/* More are no host range, which was told. */
static bool has_pods(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    if (replicas_of(o) > PLUMB_MAX_HOST_RANGE)
        as->doc->partial = true;
    return replicas_of(o) > 0 && replicas_of(o) <= PLUMB_MAX_HOST_RANGE;
}

/* The operator leaves words out that begin with "Feature=" or "State=". */
static void drop_own_words(struct plumb_conf_line *line, size_t first)
{
    size_t kept = first;

    for (size_t i = first; i < line->count; i++) {
        const struct plumb_param *p = line->pairs[i].param;

        if (p == NULL || (p->id != PLUMB_P_NODE_FEATURE && p->id != PLUMB_P_NODE_STATE))
            line->pairs[kept++] = line->pairs[i];
    }
    line->count = kept;
}

static void add_features(struct plumb_assembly *as, struct plumb_conf_line *line,
                         const struct plumb_node *list)
{
    const char *words = plumb_assemble_joined(as->a, list, NULL);

    if (words[0] != '\0')
        plumb_conf_add(as->doc, line, PLUMB_P_NODE_FEATURE, words, list->at);
}

static void add_node(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    const struct plumb_node *memory = plumb_assemble_at(o, "spec/slurmd/resources/memory");
    const struct plumb_node *port = plumb_assemble_at(o, "spec/slurmd/port");
    struct plumb_conf_line *line = NULL;
    size_t own = 0;

    if (!has_pods(as, o))
        return;
    if (memory != NULL && plumb_assemble_bytes(memory) == 0) {
        as->doc->partial = true; /* no quantity, which was told: what the nodes have is not known */
        return;
    }
    line = plumb_conf_line(as->doc, PLUMB_SCOPE_NODE);
    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_NODENAME, pods_of(as, o), o->name_at);
    plumb_conf_add(as->doc, line, PLUMB_P_NODE_STATE, "CLOUD", o->name_at);
    if (memory != NULL)
        plumb_conf_add_u64(as->doc, line, PLUMB_P_NODE_REALMEMORY,
                           plumb_assemble_bytes(memory) >> 20, memory->at);
    if (plumb_assemble_count(o, "spec/slurmd/port", 0) > 0)
        plumb_conf_add_u64(as->doc, line, PLUMB_P_NODE_PORT,
                           plumb_assemble_count(o, "spec/slurmd/port", 0), port->at);
    add_features(as, line, plumb_assemble_at(o, "spec/nodeConfig/features"));
    own = line->count;
    plumb_assemble_words(as, line, plumb_assemble_part(as, o, "spec/nodeConfig/static"));
    drop_own_words(line, own);
}

static void add_set(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    struct plumb_conf_line *line = NULL;

    if (!has_pods(as, o))
        return;
    line = plumb_conf_line(as->doc, PLUMB_SCOPE_NODESET);
    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_NODESET, o->name, o->name_at);
    plumb_conf_add(as->doc, line, PLUMB_P_NODESET_NODES, pods_of(as, o), o->name_at);
}

/* Nodes that are there all the time are never suspended (buildSuspendExcNodes). */
static void add_exceptions(struct plumb_assembly *as)
{
    struct plumb_buf b = plumb_buf_in(as->a);

    for (size_t i = 0; i < as->set_count; i++) {
        const struct plumb_kube_object *o = as->sets[i];

        if (has_pods(as, o) && !plumb_kube_true(plumb_assemble_at(o, "spec/ephemeralNodes")))
            plumb_buf_printf(&b, "%s%s", b.len > 0 ? "," : "", pods_of(as, o));
    }
    if (b.len > 0)
        add_pair(as, "SuspendExcNodes", plumb_buf_text(&b), as->cluster->name_at);
}

/* ---- partitions ---- */

/* One without nodes is left out. */
static void add_partition(struct plumb_assembly *as, const struct plumb_node *n)
{
    const struct plumb_node *name = plumb_node_get(n, "name");
    const struct plumb_pair *all = plumb_node_pair(n, "isAll");
    const struct plumb_pair *refs = plumb_node_pair(n, "nodeSetRefs");
    bool whole = all != NULL && plumb_kube_true(all->value);
    const char *nodes = whole          ? "ALL"
                        : refs == NULL ? ""
                                       : plumb_assemble_joined(as->a, refs->value, NULL);
    struct plumb_conf_line *line = NULL;

    if (plumb_node_text(name) == NULL || nodes[0] == '\0')
        return;
    line = plumb_conf_line(as->doc, PLUMB_SCOPE_PARTITION);
    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_PARTITIONNAME, plumb_node_text(name), name->at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_NODES, nodes,
                   whole ? all->value->at : refs->value->at);
    plumb_assemble_words(as, line, plumb_assemble_part_at(as, plumb_node_get(n, "config")));
}

static void add_own_partition(struct plumb_assembly *as, const char *name, bool first)
{
    struct plumb_conf_line *line = plumb_conf_line(as->doc, PLUMB_SCOPE_PARTITION);
    struct plumb_span at = as->cluster->name_at;

    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_PARTITIONNAME, name, at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_NODES, "ALL", at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_DEFAULT, first ? "YES" : "NO", at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_PRIORITYTIER, "10", at);
    if (!first) {
        plumb_conf_add(as->doc, line, PLUMB_P_PART_PREEMPTMODE, "OFF", at);
        plumb_conf_add(as->doc, line, PLUMB_P_PART_HIDDEN, "YES", at);
    }
    plumb_conf_add(as->doc, line, PLUMB_P_PART_MAXTIME, "INFINITE", at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_STATE, "UP", at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_OVERSUBSCRIBE, "YES", at);
}

static void add_unstructured(struct plumb_assembly *as)
{
    const struct plumb_node *conf = plumb_assemble_at(as->cluster, "spec/partitionConfiguration");
    const struct plumb_node *raw = plumb_node_get(conf, "rawConfig");
    const char *type = plumb_node_text(plumb_node_get(conf, "configType"));

    as->doc->partial = true; /* no node line is written: nodes are told elsewhere, or missing */
    if (type != NULL && strcmp(type, "custom") == 0) {
        for (uint32_t i = 0; raw != NULL && raw->kind == PLUMB_SEQUENCE && i < raw->count; i++)
            plumb_assemble_lines(as, plumb_assemble_part_at(as, raw->items[i]));
    } else {
        add_own_partition(as, "main", true);
        add_own_partition(as, "hidden", false);
    }
}

static void add_structured(struct plumb_assembly *as)
{
    const struct plumb_node *list =
        plumb_assemble_at(as->cluster, "spec/partitionConfiguration/partitions");

    if (list == NULL || list->count == 0)
        as->doc->partial = true; /* the API server refuses it, which was told */
    for (size_t i = 0; i < as->set_count; i++)
        add_node(as, as->sets[i]);
    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++)
        add_partition(as, list->items[i]);
    for (size_t i = 0; i < as->set_count; i++)
        add_set(as, as->sets[i]);
}

/* ---- the files ---- */

static void assemble_slurm(struct plumb_assembly *as)
{
    plumb_assemble_new(as, PLUMB_SLURM_CONF,
                       plumb_assemble_place(as->cluster, "spec", "customSlurmConfig"));
    plumb_assemble_own(as, as->cluster);
    if (as->writes != NULL)
        add_fields(as, as->writes->slots, as->writes->slot_count);
    add_exceptions(as);
    if (is_structured(as))
        add_structured(as);
    else
        add_unstructured(as);
    plumb_assemble_lines(as, plumb_assemble_part(as, as->cluster, "spec/customSlurmConfig"));
}

/* The line of a node set: "NodeName=pods", then the words. */
static void add_gres(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    const struct plumb_node *list = plumb_assemble_at(o, "spec/nodeConfig/gresConfig");

    if (!has_pods(as, o))
        return;
    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++) {
        struct plumb_conf_line *line = plumb_conf_line(as->doc, PLUMB_SCOPE_GRES);

        plumb_conf_add(as->doc, line, PLUMB_P_GRESGLOBAL_NODENAME, pods_of(as, o), o->name_at);
        plumb_assemble_words(as, line, plumb_assemble_part_at(as, list->items[i]));
    }
}

static void assemble_gres(struct plumb_assembly *as)
{
    plumb_assemble_new(as, PLUMB_GRES_CONF,
                       plumb_assemble_place(as->cluster, "spec", "partitionConfiguration"));
    plumb_assemble_own(as, as->cluster);
    for (size_t i = 0; is_structured(as) && i < as->set_count; i++)
        add_gres(as, as->sets[i]);
}

static bool is_given(const struct plumb_conf *doc, const struct plumb_param *p)
{
    for (size_t i = 0; doc != NULL && i < doc->count; i++) {
        const struct plumb_conf_line *line = &doc->lines[i];

        if (line->kind == PLUMB_CONF_PAIR && line->count > 0 && line->pairs[0].param == p)
            return true;
    }
    return false;
}

/* Keys of ours stand in place of the operator's. */
static void assemble_cgroup(struct plumb_assembly *as)
{
    const struct plumb_kube_part *custom =
        plumb_assemble_part(as, as->cluster, "spec/customCgroupConfig");
    const struct plumb_conf *given = custom == NULL ? NULL : custom->doc;
    size_t kept = 0;

    plumb_assemble_new(as, PLUMB_CGROUP_CONF,
                       plumb_assemble_place(as->cluster, "spec", "customCgroupConfig"));
    plumb_assemble_own(as, as->cluster);
    for (size_t i = 0; i < as->doc->count; i++) {
        if (!is_given(given, as->doc->lines[i].pairs[0].param))
            as->doc->lines[kept++] = as->doc->lines[i];
    }
    as->doc->count = kept;
    plumb_assemble_lines(as, custom);
}

static void assemble_slurmdbd(struct plumb_assembly *as)
{
    plumb_assemble_new(as, PLUMB_SLURMDBD_CONF, as->accounting_at);
    plumb_assemble_own(as, as->cluster);
    if (as->writes != NULL)
        add_fields(as, as->writes->slots_dbd, as->writes->slot_dbd_count);
}

void plumb_assemble_soperator(struct plumb_assembly *as)
{
    const struct plumb_node *nodes = plumb_assemble_at(as->cluster, "spec/slurmNodes");
    const struct plumb_pair *accounting =
        nodes == NULL ? NULL : plumb_node_pair(nodes, "accounting");

    if (accounting != NULL && plumb_kube_true(plumb_node_get(accounting->value, "enabled"))) {
        as->accounting_name = as->cluster->name;
        as->accounting_at = accounting->key->at;
    }
    assemble_slurm(as);
    assemble_gres(as);
    if (as->run->conf[PLUMB_CGROUP_CONF] == NULL)
        assemble_cgroup(as);
    if (as->accounting_name != NULL)
        assemble_slurmdbd(as);
}
