/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target slurm: the model's settings and records as slurm.conf, gres.conf, cgroup.conf,
 * slurmdbd.conf, and the smaller files that a setting was given for. Nothing is decided here
 * but order: what the values are is the work of the passes.
 */
#include <string.h>

#include "slurm/slurm.h"

static void add_text(struct plumb_slurm_page *page, struct plumb_settings *list, size_t *cap,
                     enum plumb_param_id id, const struct plumb_text *text, const char *value)
{
    struct plumb_arena *a = page->em->session->arena;

    list->items = plumb_arena_grow(a, list->items, list->count, cap, sizeof(*list->items));
    list->items[list->count++] = (struct plumb_setting){
        .param = plumb_param(id),
        .value = {.text = value, .len = (uint32_t)strlen(value), .at = text->at},
        .origin = text->origin,
    };
}

/* "name" or "name(address)", slurm.conf(5) SlurmctldHost. */
static const char *controller_text(struct plumb_arena *a, const struct plumb_host *host)
{
    if (!plumb_usable(host->address))
        return host->name.v;
    return plumb_arena_printf(a, "%s(%s)", host->name.v, host->address.v);
}

/* The global settings; name and controllers come from their own fields where no setting has them.
 */
static struct plumb_settings with_identity(struct plumb_slurm_page *page)
{
    const struct plumb_model *m = page->em->model;
    const struct plumb_settings *given = plumb_slurm(m);
    struct plumb_settings all = {0};
    size_t cap = 0;

    if (!plumb_slurm_written(given, PLUMB_P_SLURM_CLUSTERNAME) && plumb_usable(m->cluster))
        add_text(page, &all, &cap, PLUMB_P_SLURM_CLUSTERNAME, &m->cluster, m->cluster.v);
    for (size_t i = 0; i < m->controller_count; i++) {
        const struct plumb_host *host = &m->controllers[i];

        if (!plumb_slurm_written(given, PLUMB_P_SLURM_SLURMCTLDHOST) &&
            !plumb_slurm_written(given, PLUMB_P_SLURM_CONTROLMACHINE) && plumb_usable(host->name))
            add_text(page, &all, &cap, PLUMB_P_SLURM_SLURMCTLDHOST, &host->name,
                     controller_text(page->em->session->arena, host));
    }
    for (size_t i = 0; i < given->count; i++) {
        all.items = plumb_arena_grow(page->em->session->arena, all.items, all.count, &cap,
                                     sizeof(*all.items));
        all.items[all.count++] = given->items[i];
    }
    return all;
}

static void add_nodes(struct plumb_slurm_page *page)
{
    const struct plumb_model *m = page->em->model;
    struct plumb_arena *a = page->em->session->arena;

    if (m->node_count > 0)
        plumb_conf_heading(page->doc, "nodes");
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        if (n->hosts == NULL)
            continue;

        struct plumb_conf_line *line = plumb_conf_line(page->doc, PLUMB_SCOPE_NODE);

        plumb_conf_cause(page->doc, line, n->at);
        plumb_conf_add(page->doc, line, PLUMB_P_SLURM_NODENAME, plumb_hostlist_str(a, n->hosts),
                       n->hosts->at);
        plumb_slurm_pairs(page, line, &n->settings, &plumb_slurm_node_order, NULL, 0);
    }
}

static void add_nodesets(struct plumb_slurm_page *page)
{
    const struct plumb_model *m = page->em->model;

    if (m->nodeset_count > 0)
        plumb_conf_heading(page->doc, "node sets");
    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_nodeset *set = &m->nodesets[i];

        if (!plumb_usable(set->name))
            continue;

        struct plumb_conf_line *line = plumb_conf_line(page->doc, PLUMB_SCOPE_NODESET);

        plumb_conf_add(page->doc, line, PLUMB_P_SLURM_NODESET, set->name.v, set->name.at);
        plumb_slurm_pairs(page, line, &set->settings, NULL, NULL, 0);
    }
}

static void add_down_nodes(struct plumb_slurm_page *page)
{
    const struct plumb_model *m = page->em->model;
    bool headed = false;

    for (size_t i = 0; i < m->down_node_count; i++) {
        const struct plumb_settings *s = &m->down_nodes[i];
        const struct plumb_setting *names = plumb_setting(s, PLUMB_P_SLURM_DOWNNODES);

        if (names == NULL)
            continue;
        if (!headed)
            plumb_conf_heading(page->doc, "nodes that are down");
        headed = true;

        struct plumb_conf_line *line = plumb_conf_line(page->doc, PLUMB_SCOPE_DOWNNODES);

        plumb_conf_add(page->doc, line, PLUMB_P_SLURM_DOWNNODES, names->value.text,
                       names->value.at);
        plumb_slurm_pairs(page, line, s, NULL, NULL, 0);
    }
}

/* Nodes= where the settings have none: from what the passes resolved. */
static void add_partition_nodes(struct plumb_slurm_page *page, struct plumb_conf_line *line,
                                const struct plumb_partition *p)
{
    if (plumb_slurm_written(&p->settings, PLUMB_P_PART_NODES))
        return;
    if (p->all_nodes)
        plumb_conf_add(page->doc, line, PLUMB_P_PART_NODES, "ALL", p->nodes_text.at);
    else if (p->nodes != NULL)
        plumb_conf_add(page->doc, line, PLUMB_P_PART_NODES,
                       plumb_hostlist_str(page->em->session->arena, p->nodes), p->nodes->at);
}

void plumb_slurm_partitions(struct plumb_slurm_page *page)
{
    const struct plumb_model *m = page->em->model;

    if (m->partition_count > 0)
        plumb_conf_heading(page->doc, "partitions");
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (!plumb_usable(p->name))
            continue;

        struct plumb_conf_line *line = plumb_conf_line(page->doc, PLUMB_SCOPE_PARTITION);

        plumb_conf_cause(page->doc, line, p->at);
        plumb_conf_add(page->doc, line, PLUMB_P_SLURM_PARTITIONNAME, p->name.v, p->name.at);
        add_partition_nodes(page, line, p);
        plumb_slurm_pairs(page, line, &p->settings, &plumb_slurm_partition_order, NULL, 0);
    }
}

static void emit_slurm_conf(const struct plumb_emit *em)
{
    struct plumb_slurm_page page = {.em = em, .doc = plumb_emit_conf(em, PLUMB_SLURM_CONF, 0644)};
    struct plumb_settings settings = with_identity(&page);

    plumb_slurm_globals(&page, &settings, plumb_slurm_conf_groups, plumb_slurm_conf_group_count);
    add_nodes(&page);
    add_nodesets(&page);
    add_down_nodes(&page);
    plumb_slurm_partitions(&page);
}

/* Without cgroup.conf the daemons fall back to defaults that constrain nothing: always made. */
static void emit_cgroup_conf(const struct plumb_emit *em)
{
    struct plumb_slurm_page page = {.em = em, .doc = plumb_emit_conf(em, PLUMB_CGROUP_CONF, 0644)};

    plumb_slurm_globals(&page, plumb_cgroup(em->model), plumb_cgroup_conf_groups,
                        plumb_cgroup_conf_group_count);
}

/* Private: slurmdbd refuses the file when others may read it (src/slurmdbd/read_config.c). */
static void emit_slurmdbd_conf(const struct plumb_emit *em)
{
    struct plumb_slurm_page page = {.em = em,
                                    .doc = plumb_emit_conf(em, PLUMB_SLURMDBD_CONF, 0600)};

    plumb_slurm_globals(&page, plumb_dbd(em->model), plumb_slurmdbd_conf_groups,
                        plumb_slurmdbd_conf_group_count);
}

static const enum plumb_file plain_files[] = {
    PLUMB_ACCT_GATHER_CONF, PLUMB_MPI_CONF,         PLUMB_JOB_CONTAINER_CONF,
    PLUMB_OCI_CONF,         PLUMB_HELPERS_CONF,     PLUMB_BURST_BUFFER_CONF,
    PLUMB_KNL_CRAY_CONF,    PLUMB_KNL_GENERIC_CONF, PLUMB_NONSTOP_CONF,
    PLUMB_EXT_SENSORS_CONF,
};

static void emit_slurm(const struct plumb_emit *em)
{
    emit_slurm_conf(em);
    plumb_slurm_gres_conf(em);
    emit_cgroup_conf(em);
    plumb_slurm_topology(em);
    if (plumb_dbd(em->model)->count > 0)
        emit_slurmdbd_conf(em);
    for (size_t i = 0; i < PLUMB_COUNT(plain_files); i++) {
        const struct plumb_settings *s = &em->model->settings[plain_files[i]];

        if (s->count == 0)
            continue;

        struct plumb_slurm_page page = {.em = em, .doc = plumb_emit_conf(em, plain_files[i], 0644)};

        plumb_slurm_globals(&page, s, NULL, 0);
    }
}

static const char *const slurm_files[] = {
    "slurm/slurm.conf",    "slurm/gres.conf",     "slurm/cgroup.conf",
    "slurm/slurmdbd.conf", "slurm/topology.conf", "slurm/topology.yaml",
};

const struct plumb_target plumb_target_slurm = {
    .name = "slurm",
    .summary = "the files of /etc/slurm",
    .consumer = "slurmctld, slurmd, slurmdbd: slurm.conf(5), gres.conf(5), cgroup.conf(5), "
                "slurmdbd.conf(5)",
    .files = slurm_files,
    .file_count = PLUMB_COUNT(slurm_files),
    .emit = emit_slurm,
};
