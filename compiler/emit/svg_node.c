/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a machine. */
#include "emit/svg.h"

#include "emit/svg_links.h"
#include "emit/svg_plan.h"

enum { MARGIN = PLUMB_SVG_MARGIN };

static const char *const classes[] = {
    [PLUMB_SVG_SOCKET] = "socket", [PLUMB_SVG_NUMA] = "numa", [PLUMB_SVG_SWITCH] = "switch",
    [PLUMB_SVG_GPU] = "gpu",       [PLUMB_SVG_NIC] = "nic",
};

static void draw(struct plumb_arena *a, struct plumb_xml *parent, const struct plumb_svg_item *item)
{
    static const int radii[] = {
        [PLUMB_SVG_SOCKET] = 6, [PLUMB_SVG_SWITCH] = 8, [PLUMB_SVG_NIC] = 12};
    struct plumb_xml *g = plumb_svg_group(a, parent, classes[item->kind], NULL);
    /* The name of a NUMA node stands where those beside it have theirs, devices or not. */
    bool leaf = item->part_count == 0 && item->kind != PLUMB_SVG_NUMA;
    int y = item->flipped && !leaf ? item->at.y + item->at.h - plumb_svg_head(item) : item->at.y;

    plumb_svg_rect(a, g, NULL, item->at,
                   (size_t)item->kind < PLUMB_COUNT(radii) ? radii[item->kind] : 0);
    plumb_svg_lines(a, g, item->at.x + PLUMB_SVG_PAD, y + (leaf ? 4 : 0), item->lines,
                    item->line_count);
    for (size_t i = 0; i < item->part_count; i++)
        draw(a, g, item->parts[i]);
}

static const char *name_of(const struct plumb_hardware *hw)
{
    return hw->name != NULL ? hw->name : "without a name";
}

static const char *summary(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_buf b = plumb_buf_in(a);

    if (plumb_usable(hw->core_count))
        plumb_buf_printf(&b, "%llu cores", (unsigned long long)hw->core_count.v);
    if (plumb_usable(hw->thread_count))
        plumb_buf_printf(&b, "%s%llu CPUs", b.len > 0 ? ", " : "",
                         (unsigned long long)hw->thread_count.v);
    if (plumb_usable(hw->memory_bytes))
        plumb_buf_printf(&b, "%s%llu GiB of memory", b.len > 0 ? ", " : "",
                         (unsigned long long)(hw->memory_bytes.v >> 30));
    if (plumb_usable(hw->gpu_count_value))
        plumb_buf_printf(&b, "%s%zu GPU%s", b.len > 0 ? ", " : "", hw->gpu_count,
                         hw->gpu_count == 1 ? "" : "s");
    if (hw->gpu_count > 0 && hw->gpus[0].model != NULL)
        plumb_buf_printf(&b, " (%s)", hw->gpus[0].model);
    if (b.len == 0)
        return "no capture tells of cores, memory or GPUs";
    return plumb_buf_text(&b);
}

/* NUMA nodes that have no box. */
static const char *memory_only(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_numa_ids nodes = {0};
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < hw->numa_count; i++) {
        bool used = !plumb_cpus_empty(&hw->numa[i].cpus);

        for (size_t k = 0; k < hw->gpu_count; k++)
            used |= hw->gpus[k].numa.n == i;
        for (size_t k = 0; k < hw->nic_count; k++)
            used |= hw->nics[k].numa.n == i;
        if (!used)
            plumb_numa_ids_add(a, &nodes, hw->numa[i].os_index);
    }
    if (plumb_numa_ids_empty(&nodes))
        return NULL;
    plumb_buf_str(&b, "NUMA nodes of memory alone, not drawn: ");
    plumb_numa_ids_text(&nodes, &b);
    return plumb_buf_text(&b);
}

static bool minors_known(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (plumb_minor_known(hw->gpus[i].minor))
            return true;
    }
    return false;
}

/* What the words mean; each line only where the picture has its word. */
static size_t legend(struct plumb_arena *a, const struct plumb_hardware *hw,
                     const struct plumb_svg_plan *p, const struct plumb_svg_wires *w,
                     const char *lines[8])
{
    bool nvidia = hw->gpu_count > 0 && plumb_hardware_vendor(&hw->gpus[0]) == PLUMB_GPU_NVIDIA;
    size_t n = 0;

    lines[n++] = "cores: Slurm's abstract cores, as in Cores= of gres.conf; CPUs: Linux numbers";
    if (hw->gpu_count > 0 && !nvidia)
        lines[n++] = "GPU: index in the order of PCI bus ids; cores in its box: the nearest";
    else if (hw->gpu_count > 0)
        lines[n++] =
            "GPU: index of NVML, in the order of PCI bus ids; cores in its box: the nearest";
    if (nvidia)
        lines[n++] = minors_known(hw)
                         ? "minor: the number of /dev/nvidia<minor>, which File= of gres.conf names"
                         : "no capture tells the minor numbers, those of /dev/nvidia<minor>";
    if (p->rails)
        lines[n++] = "rail: RDMA devices behind a PCI switch with a GPU, counted in the order of "
                     "the captures";
    if (w->wiring == PLUMB_SVG_PAIRS && w->hops)
        lines[n++] = plumb_arena_printf(a, "lines between GPUs: one hop of %s, of any width",
                                        plumb_svg_link_name(hw));
    else if (w->wiring == PLUMB_SVG_PAIRS)
        lines[n++] = plumb_arena_printf(a, "numbers on lines between GPUs: %s%s",
                                        plumb_svg_link_name(hw), nvidia ? "s" : " links");
    if (memory_only(a, hw) != NULL)
        lines[n++] = memory_only(a, hw);
    if (hw->incomplete_cpus)
        lines[n++] = "the capture was taken inside a container and hides some CPUs";
    return n;
}

struct plumb_xml *plumb_svg_node(struct plumb_arena *a, struct plumb_xml *parent,
                                 const struct plumb_hardware *hw)
{
    struct plumb_xml *svg =
        plumb_svg_new(a, parent, plumb_arena_printf(a, "Machine %s", name_of(hw)), summary(a, hw));
    struct plumb_xml *paper = plumb_svg_group(a, svg, "back", NULL);
    struct plumb_svg_plan *p = plumb_svg_plan(a, hw, MARGIN, MARGIN + PLUMB_SVG_TITLE);
    struct plumb_svg_wires *w = plumb_svg_wires(a, hw);
    const char *lines[8] = {NULL};
    size_t count = legend(a, hw, p, w, lines);
    int width = p->width, title = 0, y = 0;

    (void)plumb_svg_plan_lower(p, MARGIN, 0); /* where things are along x */
    plumb_svg_wires_plan(a, w, p);
    y = p->upper_end + w->height;
    if (p->upper < p->count)
        y = plumb_svg_plan_lower(p, MARGIN, y);
    title = plumb_svg_title(a, svg, plumb_svg_clip(a, name_of(hw), 80),
                            plumb_svg_clip(a, summary(a, hw), 110));
    width = title > width ? title : width;
    for (size_t i = 0; i < p->count; i++)
        draw(a, svg, p->sockets[i]);
    plumb_svg_wires_draw(a, svg, w, p, p->upper_end);
    for (size_t i = 0; i < count; i++) {
        y += PLUMB_SVG_LINE + (i == 0 ? 8 : 0);
        plumb_svg_text(a, svg, "soft", MARGIN, y, lines[i]);
    }
    if (plumb_svg_widest(lines, count) > width)
        width = plumb_svg_widest(lines, count);
    width = (p->width > width ? p->width : width) + 2 * MARGIN;
    plumb_svg_rect(a, paper, "paper", (struct plumb_svg_box){0, 0, width, y + MARGIN}, 0);
    plumb_svg_size(a, svg, width, y + MARGIN);
    return svg;
}
