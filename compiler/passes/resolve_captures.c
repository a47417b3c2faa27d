/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the captures that node classes name, before machines are made of them. */
#include <string.h>

#include "passes/captures.h"
#include "passes/resolve.h"

/* Node objects of one dump belong to the class that has hosts of their names. */
static void share_nodes(struct plumb_resolve *rs, const struct plumb_capture_group *from,
                        struct plumb_capture_group *to, const struct plumb_hostlist *hosts)
{
    for (size_t i = 0; i < from->kube_node_count; i++) {
        const char *name = plumb_node_text(plumb_node_path(from->kube_nodes[i], "metadata/name"));

        if (name == NULL || !plumb_hostlist_has(hosts, name))
            continue;
        to->kube_nodes = plumb_arena_grow(rs->a, to->kube_nodes, to->kube_node_count,
                                          &to->kube_node_cap, sizeof(*to->kube_nodes));
        to->kube_nodes[to->kube_node_count++] = from->kube_nodes[i];
    }
}

static struct plumb_capture_group *open_key(struct plumb_resolve *rs,
                                            const struct plumb_spec_value *class, const char *key)
{
    struct plumb_spec_capture c;

    if (!plumb_spec_capture_of(rs->spec, class, key, &c))
        return NULL;
    return plumb_captures_open(rs->run, c.name, c.at);
}

void plumb_resolve_captures(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *nodes = plumb_spec_get(&rs->spec->root, "nodes");

    for (size_t i = 0; i < rs->m->node_count; i++) {
        const struct plumb_nodes *n = &rs->m->nodes[i];
        const struct plumb_spec_value *class = plumb_spec_get(nodes, n->class_name);
        struct plumb_capture_group *machine = open_key(rs, class, "topology");
        struct plumb_capture_group *kube = open_key(rs, class, "kubernetes/allocatable");

        if (machine != NULL && kube != NULL && machine != kube && n->hosts != NULL)
            share_nodes(rs, kube, machine, n->hosts);
    }
}
