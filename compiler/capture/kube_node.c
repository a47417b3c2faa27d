/* SPDX-License-Identifier: Apache-2.0 */
/* Node objects out of what kubectl prints. */
#include "capture/kube_node.h"

#include <string.h>

#include "base/num.h"
#include "capture/rules.h"

static bool kind_is(const struct plumb_node *n, const char *kind)
{
    const char *text = plumb_node_text(plumb_node_get(n, "kind"));

    return text != NULL && strcmp(text, kind) == 0;
}

static bool is_list(const struct plumb_node *n)
{
    const struct plumb_node *items = plumb_node_get(n, "items");

    return items != NULL && items->kind == PLUMB_SEQUENCE &&
           (kind_is(n, "List") || kind_is(n, "NodeList"));
}

/* Items of a NodeList may leave their kind out; those of a List say it. */
static bool is_node_of(const struct plumb_node *list, const struct plumb_node *item)
{
    return kind_is(item, "Node") ||
           (kind_is(list, "NodeList") && plumb_node_get(item, "kind") == NULL &&
            plumb_node_get(item, "metadata") != NULL);
}

bool plumb_kube_nodes_sniff(const struct plumb_node *root)
{
    if (root == NULL || root->kind != PLUMB_MAPPING)
        return false;
    if (kind_is(root, "Node") || kind_is(root, "NodeList"))
        return true;
    if (!is_list(root))
        return false;

    const struct plumb_node *items = plumb_node_get(root, "items");

    for (uint32_t i = 0; i < items->count; i++) {
        if (kind_is(items->items[i], "Node"))
            return true;
    }
    return false;
}

static void add_node(struct plumb_session *s, struct plumb_capture_group *g,
                     struct plumb_node *node)
{
    g->kube_nodes = plumb_arena_grow(s->arena, g->kube_nodes, g->kube_node_count, &g->kube_node_cap,
                                     sizeof(*g->kube_nodes));
    g->kube_nodes[g->kube_node_count++] = node;
}

static void report_no_node(struct plumb_session *s, const struct plumb_node *root)
{
    const struct plumb_node *kind = plumb_node_get(root, "kind");
    const char *text = plumb_node_text(kind);

    if (text == NULL)
        plumb_hw_report(s, PLUMB_HW_NO_NODE, kind == NULL ? root->at : kind->at,
                        "the document has no 'kind', expected 'Node', 'NodeList' or 'List'");
    else if (is_list(root))
        plumb_hw_report(s, PLUMB_HW_NO_NODE, kind->at,
                        "the %s of %u items holds no Node, expected at least one", text,
                        (unsigned)plumb_node_get(root, "items")->count);
    else
        plumb_hw_report(s, PLUMB_HW_NO_NODE, kind->at,
                        "kind is '%s', expected 'Node', 'NodeList' or 'List' with items", text);
}

bool plumb_kube_nodes_add(struct plumb_session *s, struct plumb_capture_group *g,
                          struct plumb_node *root)
{
    size_t before = g->kube_node_count;

    if (root == NULL)
        return false;
    if (kind_is(root, "Node")) {
        add_node(s, g, root);
        return true;
    }
    if (is_list(root)) {
        const struct plumb_node *items = plumb_node_get(root, "items");

        for (uint32_t i = 0; i < items->count; i++) {
            if (is_node_of(root, items->items[i]))
                add_node(s, g, items->items[i]);
        }
    }
    if (g->kube_node_count > before)
        return true;
    report_no_node(s, root);
    return false;
}

struct plumb_u64 plumb_kube_count(struct plumb_session *s, const struct plumb_node *n)
{
    struct plumb_u64 out = {.origin = PLUMB_ABSENT};

    if (n == NULL)
        return out;
    out.at = n->at;
    out.origin = PLUMB_BAD;
    if (n->kind == PLUMB_SCALAR && plumb_read_u64(n->scalar.text, n->scalar.len, &out.v))
        out.origin = PLUMB_GIVEN;
    else
        plumb_hw_report(s, PLUMB_HW_COUNT_TEXT, n->at,
                        "device count '%s' is no whole number, expected one such as '8'",
                        n->kind == PLUMB_SCALAR ? n->scalar.text : "...");
    return out;
}
