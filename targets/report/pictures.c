/* SPDX-License-Identifier: Apache-2.0 */
/* The machines of the node classes, each once, and the fabric. */
#include "emit/svg.h"
#include "report/page.h"

static bool drawn_before(const struct plumb_model *m, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (m->nodes[i].hardware == m->nodes[index].hardware)
            return true;
    }
    return false;
}

/* Who has this machine: "h100: gpu-[01-16]", or hosts alone. */
static const char *users(const struct plumb_page *p, const struct plumb_hardware *hw)
{
    const struct plumb_model *m = p->model;
    struct plumb_buf b = plumb_buf_in(p->arena);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        if (n->hardware != hw || n->hosts == NULL)
            continue;
        plumb_buf_printf(&b, "%s%s%s%s", b.len > 0 ? "; " : "",
                         n->class_name != NULL ? n->class_name : "",
                         n->class_name != NULL ? ": " : "", plumb_hostlist_str(p->arena, n->hosts));
    }
    return plumb_buf_text(&b);
}

static struct plumb_xml *figure(const struct plumb_page *p, struct plumb_xml *section,
                                const char *caption)
{
    struct plumb_xml *f = plumb_page_add(p, section, "figure", NULL), *wide = NULL;

    (void)plumb_page_add(p, f, "figcaption", caption);
    wide = plumb_page_class(p, f, "div", "wide", NULL);
    plumb_xml_set(p->arena, wide, "tabindex", "0");
    return wide;
}

void plumb_page_pictures(const struct plumb_page *p)
{
    const struct plumb_model *m = p->model;
    size_t fabrics = plumb_svg_fabric_count(m);
    struct plumb_xml *section = plumb_page_section(p, "pictures", "Pictures");
    bool any = fabrics > 0;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_hardware *hw = m->nodes[i].hardware;

        if (hw == NULL || drawn_before(m, i))
            continue;
        any = true;
        (void)plumb_svg_node(p->arena, figure(p, section, users(p, hw)), hw);
    }
    for (size_t i = 0; i < fabrics; i++)
        (void)plumb_svg_fabric(p->arena, figure(p, section, "The fabric"), m, i);
    if (m->fabric != NULL)
        (void)plumb_svg_captured_fabric(p->arena, figure(p, section, "The fabric, as captured"),
                                        m->fabric);
    if (!any && m->fabric == NULL)
        (void)plumb_page_add(p, section, "p", "No capture shows a machine of this cluster.");
}
