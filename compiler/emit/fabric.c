/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fabric as Slurm takes it: topology.conf for topology/tree or topology/block, or topology.yaml
 * (25.05 on).
 */
#include "model/fabric.h"
#include "emit/topo.h"
#include "syntax/yaml.h"

static const struct plumb_span nowhere;

/* The names in each group, in the order of the fabric; "" in a leaf group. */
static const char **children_of(const struct plumb_fabric *f, struct plumb_arena *a)
{
    struct plumb_buf *names = PLUMB_NEW_ARRAY(a, f->count, struct plumb_buf);
    const char **out = PLUMB_NEW_ARRAY(a, f->count, const char *);

    for (size_t i = 0; i < f->count; i++)
        names[i] = plumb_buf_in(a);
    for (size_t i = 0; i < f->count; i++) {
        size_t parent = f->groups[i].parent;

        if (parent != PLUMB_FABRIC_NONE)
            plumb_buf_printf(&names[parent], "%s%s", names[parent].len > 0 ? "," : "",
                             f->groups[i].name);
    }
    for (size_t i = 0; i < f->count; i++)
        out[i] = plumb_buf_text(&names[i]);
    return out;
}

static void tree_conf(const struct plumb_fabric *f, struct plumb_buf *out)
{
    const char **children = children_of(f, out->arena);

    plumb_buf_printf(out, "# topology.conf for TopologyPlugin=topology/tree: %zu nodes.%s\n",
                     f->host_count,
                     f->shared_leaves ? " A switch stands for the leaves that\n# its nodes share, "
                                        "and has the name of the first."
                                      : "");
    if (plumb_fabric_parts(f) > 1)
        plumb_buf_printf(out, "# %zu parts of the fabric are not connected: no job spans them.\n",
                         plumb_fabric_parts(f));
    for (size_t i = 0; i < f->count; i++) {
        const struct plumb_fabric_group *g = &f->groups[i];

        if (g->hosts != NULL)
            plumb_buf_printf(out, "SwitchName=%s Nodes=%s\n", g->name,
                             plumb_hostlist_str(out->arena, g->hosts));
        else
            plumb_buf_printf(out, "SwitchName=%s Switches=%s\n", g->name, children[i]);
    }
}

static void block_conf(const struct plumb_fabric *f, bool sizes, struct plumb_buf *out)
{
    struct plumb_block_plan plan = plumb_fabric_blocks(f, out->arena);

    plumb_buf_printf(
        out,
        "# topology.conf for TopologyPlugin=topology/block: a block is %s.\n# slurmctld "
        "makes larger ones of neighbours in this order.\n",
        f->block_count > 0 ? "an NVLink domain" : "what is below one leaf");
    for (size_t i = 0; i < plan.count; i++)
        plumb_buf_printf(out, "BlockName=%s Nodes=%s\n", plan.blocks[i].name,
                         plumb_hostlist_str(out->arena, plan.blocks[i].hosts));
    for (size_t i = 0; sizes && i < plan.size_count; i++)
        plumb_buf_printf(out, "%s%llu%s", i == 0 ? "BlockSizes=" : ",",
                         (unsigned long long)plan.sizes[i], i + 1 == plan.size_count ? "\n" : "");
}

void plumb_fabric_conf(const struct plumb_fabric *f, const struct plumb_fabric_form *form,
                       struct plumb_buf *out)
{
    if (form->block)
        block_conf(f, form->sizes, out);
    else
        tree_conf(f, out);
}

static struct plumb_node *tree_node(const struct plumb_fabric *f, struct plumb_arena *a)
{
    struct plumb_node *tree = plumb_node_mapping(a, nowhere);
    struct plumb_node *switches = plumb_node_sequence(a, nowhere);
    const char **children = children_of(f, a);

    for (size_t i = 0; i < f->count; i++) {
        const struct plumb_fabric_group *g = &f->groups[i];
        struct plumb_node *one = plumb_node_mapping(a, nowhere);

        plumb_node_set_string(a, one, "switch", g->name);
        if (g->hosts != NULL)
            plumb_node_set_string(a, one, "nodes", plumb_hostlist_str(a, g->hosts));
        else
            plumb_node_set_string(a, one, "children", children[i]);
        plumb_node_append(a, switches, one);
    }
    plumb_node_set(a, tree, "switches", switches);
    return tree;
}

static struct plumb_node *block_node(const struct plumb_fabric *f, struct plumb_arena *a)
{
    struct plumb_block_plan plan = plumb_fabric_blocks(f, a);
    struct plumb_node *block = plumb_node_mapping(a, nowhere);
    struct plumb_node *sizes = plumb_node_sequence(a, nowhere);
    struct plumb_node *blocks = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < plan.size_count; i++)
        plumb_node_append(a, sizes, plumb_node_u64(a, plan.sizes[i], nowhere));
    for (size_t i = 0; i < plan.count; i++) {
        struct plumb_node *one = plumb_node_mapping(a, nowhere);

        plumb_node_set_string(a, one, "block", plan.blocks[i].name);
        plumb_node_set_string(a, one, "nodes", plumb_hostlist_str(a, plan.blocks[i].hosts));
        plumb_node_append(a, blocks, one);
    }
    plumb_node_set(a, block, "block_sizes", sizes);
    plumb_node_set(a, block, "blocks", blocks);
    return block;
}

void plumb_fabric_yaml(const struct plumb_fabric *f, const struct plumb_fabric_form *form,
                       struct plumb_buf *out)
{
    struct plumb_arena *a = out->arena;
    struct plumb_node *list = plumb_node_sequence(a, nowhere);
    struct plumb_node *topology = plumb_node_mapping(a, nowhere);

    plumb_node_set_string(a, topology, "topology", "default"); /* slurmctld wants it first */
    plumb_node_set_bool(a, topology, "cluster_default", true);
    if (form->block)
        plumb_node_set(a, topology, "block", block_node(f, a));
    else
        plumb_node_set(a, topology, "tree", tree_node(f, a));
    plumb_node_append(a, list, topology);
    plumb_yaml_write(out, list, NULL);
}
