/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slurm.conf and slurmdbd.conf as the guides say that the operator of SUNK writes them: lines of
 * its own for the SlurmCluster, the fragments of SlurmConfigs, one line for the nodes of each
 * NodeSet. gres.conf and cgroup.conf are fragments as a whole. Without a fragment of slurm.conf the
 * file is kept elsewhere, and nothing is put together.
 */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "kube/value.h"
#include "passes/assemble.h"

enum { LEAST_DIGITS = 2, MOST_CONTROLLERS = 16 /* more were told */ };

/* ---- fragments ---- */

/* The fragment of a file in the n-th SlurmConfig of the cluster that has one; NULL. */
static const struct plumb_kube_part *fragment(const struct plumb_assembly *as, const char *file,
                                              size_t n)
{
    const struct plumb_kube_objects *all = as->run->kube;

    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_node *fragments = NULL;
        const struct plumb_kube_part *part = NULL;

        if (!plumb_assemble_is_of(&all->items[i], as->cluster, "SlurmConfig"))
            continue;
        fragments = plumb_assemble_at(&all->items[i], "spec/fragments");
        part = plumb_assemble_part_at(as, plumb_node_get(fragments, file));
        if (part != NULL && n-- == 0)
            return part;
    }
    return NULL;
}

static void add_fragments(struct plumb_assembly *as, const char *file)
{
    const struct plumb_kube_part *part = NULL;

    for (size_t n = 0; (part = fragment(as, file, n)) != NULL; n++)
        plumb_assemble_lines(as, part);
}

/* ---- nodes ---- */

/* NodeSet gpu-h100-nodes has the nodes gpu-h100-[01-08]. */
static const char *nodes_of(struct plumb_assembly *as, const struct plumb_kube_object *o,
                            uint64_t count)
{
    static const char tail[] = "-nodes";
    size_t len = strlen(o->name);

    if (plumb_ends_with(o->name, tail) && len > sizeof(tail) - 1)
        len -= sizeof(tail) - 1;
    if (count == 1)
        return plumb_arena_printf(as->a, "%.*s-%0*d", (int)len, o->name, LEAST_DIGITS, 1);
    return plumb_arena_printf(as->a, "%.*s-[%0*d-%0*llu]", (int)len, o->name, LEAST_DIGITS, 1,
                              LEAST_DIGITS, (unsigned long long)count);
}

/* "gpu:h100:8,nvme:1" */
static const char *gres_of(const struct plumb_assembly *as, const struct plumb_node *list)
{
    static const char *const parts[] = {"type", "model", "count"};
    struct plumb_buf b = plumb_buf_in(as->a);

    for (uint32_t i = 0; i < list->count; i++) {
        const char *before = b.len == 0 ? "" : ",";

        for (size_t p = 0; p < PLUMB_COUNT(parts); p++) {
            const struct plumb_node *n = plumb_node_get(list->items[i], parts[p]);

            if (n == NULL || n->kind != PLUMB_SCALAR || n->scalar.len == 0)
                continue;
            plumb_buf_printf(&b, "%s%.*s", before, (int)n->scalar.len, n->scalar.text);
            before = ":";
        }
    }
    return plumb_buf_text(&b);
}

static const char *words_of(const struct plumb_assembly *as, const struct plumb_node *list)
{
    return plumb_assemble_joined(as->a, list, NULL);
}

/* A quantity of which nothing is left in the unit was told; what the nodes have is not known. */
static bool add_amount(struct plumb_assembly *as, struct plumb_conf_line *line,
                       enum plumb_param_id id, const struct plumb_node *n, uint64_t unit)
{
    if (n == NULL)
        return true;
    if (plumb_assemble_bytes(n) < unit)
        return false;
    plumb_conf_add_u64(as->doc, line, id, plumb_assemble_bytes(n) / unit, n->at);
    return true;
}

static void add_list(struct plumb_assembly *as, struct plumb_conf_line *line,
                     enum plumb_param_id id, const struct plumb_node *list,
                     const char *(*text_of)(const struct plumb_assembly *,
                                            const struct plumb_node *))
{
    const char *text = list == NULL || list->kind != PLUMB_SEQUENCE ? "" : text_of(as, list);

    if (text[0] != '\0')
        plumb_conf_add(as->doc, line, id, text, list->at);
}

static void add_node(struct plumb_assembly *as, const struct plumb_kube_object *o, uint64_t count)
{
    enum { MIB = 1048576 };
    const struct plumb_node *weight = plumb_assemble_at(o, "spec/weight");
    struct plumb_conf_line *line = plumb_conf_line(as->doc, PLUMB_SCOPE_NODE);

    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_NODENAME, nodes_of(as, o, count), o->name_at);
    if (!add_amount(as, line, PLUMB_P_NODE_CPUS, plumb_assemble_at(o, "spec/resources/cpu"), 1) ||
        !add_amount(as, line, PLUMB_P_NODE_REALMEMORY,
                    plumb_assemble_at(o, "spec/resources/memory"), MIB)) {
        as->doc->count--;
        as->doc->partial = true;
        return;
    }
    add_list(as, line, PLUMB_P_NODE_GRES, plumb_assemble_at(o, "spec/resources/gres"), gres_of);
    add_list(as, line, PLUMB_P_NODE_FEATURE, plumb_assemble_at(o, "spec/features"), words_of);
    if (weight != NULL && weight->kind == PLUMB_SCALAR)
        plumb_conf_add(as->doc, line, PLUMB_P_NODE_WEIGHT,
                       plumb_arena_strndup(as->a, weight->scalar.text, weight->scalar.len),
                       weight->at);
}

/* How many nodes a set without `replicas` has is up to the labels of machines. */
static void add_set(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    uint64_t count = plumb_assemble_replicas(o, 0);
    const struct plumb_node *partition = plumb_assemble_at(o, "spec/partition");
    struct plumb_conf_line *line = NULL;

    if (plumb_assemble_at(o, "spec/replicas") == NULL || count > PLUMB_MAX_HOST_RANGE) {
        as->doc->partial = true;
        return;
    }
    if (count == 0)
        return;
    add_node(as, o, count);
    if (plumb_node_text(partition) == NULL)
        return;
    line = plumb_conf_line(as->doc, PLUMB_SCOPE_PARTITION);
    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_PARTITIONNAME, plumb_node_text(partition),
                   partition->at);
    plumb_conf_add(as->doc, line, PLUMB_P_PART_NODES, nodes_of(as, o, count), partition->at);
}

/* ---- the files ---- */

static void add_controllers(struct plumb_assembly *as)
{
    uint64_t count = plumb_assemble_count(as->cluster, "spec/controller/replicas", 1);
    struct plumb_span at = as->cluster->name_at;

    for (uint64_t i = 0; i < count && i < MOST_CONTROLLERS; i++)
        plumb_conf_add(as->doc, plumb_conf_line(as->doc, PLUMB_SCOPE_GLOBAL),
                       PLUMB_P_SLURM_SLURMCTLDHOST,
                       plumb_arena_printf(as->a, "slurmctld-%llu", (unsigned long long)i), at);
}

static void assemble_slurm(struct plumb_assembly *as)
{
    plumb_assemble_new(as, PLUMB_SLURM_CONF, fragment(as, "slurm.conf", 0)->node->at);
    plumb_assemble_own(as, as->cluster);
    add_controllers(as);
    add_fragments(as, "slurm.conf");
    for (size_t i = 0; i < as->set_count; i++)
        add_set(as, as->sets[i]);
}

static void assemble_slurmdbd(struct plumb_assembly *as)
{
    plumb_assemble_new(as, PLUMB_SLURMDBD_CONF, as->accounting_at);
    plumb_assemble_own(as, as->cluster);
    add_fragments(as, "slurmdbd.conf");
}

void plumb_assemble_sunk(struct plumb_assembly *as)
{
    const struct plumb_node *on = plumb_assemble_at(as->cluster, "spec/database/enabled");

    if (fragment(as, "slurm.conf", 0) == NULL)
        return;
    if (plumb_kube_true(on)) {
        as->accounting_name = as->cluster->name;
        as->accounting_at = on->at;
    }
    assemble_slurm(as);
    if (as->accounting_name != NULL)
        assemble_slurmdbd(as);
}
