/* SPDX-License-Identifier: Apache-2.0 */
/* Target nccl: one topology file per class of nodes with GPUs, and nccl.conf. */
#include <string.h>

#include "nccl/nccl.h"

static bool name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

const char *plumb_nccl_path(const struct plumb_emit *em, const struct plumb_nodes *nodes,
                            const char *before, const char *behind)
{
    struct plumb_buf b = plumb_buf_in(em->session->arena);
    const char *name = nodes->class_name;

    if (name == NULL) {
        const char *capture = nodes->hardware->name != NULL ? nodes->hardware->name : "nodes";
        const char *slash = strrchr(capture, '/');

        name = slash != NULL && slash[1] != '\0' ? slash + 1 : capture;
    }
    plumb_buf_printf(&b, "nccl/%s", before);
    for (; *name != '\0'; name++)
        plumb_buf_char(&b, name_char(*name) ? *name : '-');
    plumb_buf_str(&b, behind);
    return plumb_buf_text(&b);
}

/* Node lines without a class are told apart by their hardware: one file for each. */
static bool made_before(const struct plumb_model *m, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (m->nodes[index].class_name == NULL && m->nodes[i].class_name == NULL &&
            m->nodes[i].hardware == m->nodes[index].hardware)
            return true;
    }
    return false;
}

static void emit_nccl(const struct plumb_emit *em)
{
    const struct plumb_model *m = em->model;
    const char **made = PLUMB_NEW_ARRAY(em->session->arena, m->node_count, const char *);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *nodes = &m->nodes[i];
        const char *reason = NULL, *path = NULL;
        struct plumb_xml *root = NULL;

        if (nodes->hardware == NULL || nodes->hardware->gpu_count == 0 || made_before(m, i))
            continue;
        path = plumb_nccl_path(em, nodes, "topo-", ".xml");
        root = plumb_nccl_tree(em->session->arena, nodes->hardware, &reason);
        if (root == NULL) {
            plumb_emit_skip(em, path,
                            plumb_span_known(nodes->hardware_at) ? nodes->hardware_at : nodes->at,
                            reason);
            continue;
        }
        plumb_emit_xml(em, path, root, PLUMB_XML_BARE);
        made[i] = path;
    }
    plumb_nccl_confs(em, made);
}

static const char *const nccl_files[] = {"nccl/topo-<class>.xml", "nccl/nccl.conf",
                                         "nccl/nccl-<class>.conf"};

const struct plumb_target plumb_target_nccl = {
    .name = "nccl",
    .summary = "what NCCL is told of each node class: PCI and NUMA topology, adapters",
    .consumer = "NCCL: /etc/nccl.conf and its variable NCCL_TOPO_FILE",
    .files = nccl_files,
    .file_count = PLUMB_COUNT(nccl_files),
    .emit = emit_nccl,
};
