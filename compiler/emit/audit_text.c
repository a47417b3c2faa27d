/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb topo --audit`: what classes of machines there are. */
#include <string.h>

#include "emit/audit.h"

static const char *value_of(const struct plumb_audit_record *r, enum plumb_audit_kind kind)
{
    const struct plumb_audit_fact *f = plumb_audit_find(r, kind, "");

    return f == NULL ? NULL : f->value;
}

static void put_count(struct plumb_buf *out, size_t count, const char *one, const char *many)
{
    plumb_buf_printf(out, "%zu %s", count, count == 1 ? one : many);
}

static void put_part(struct plumb_buf *out, bool *any, const char *text)
{
    plumb_buf_str(out, *any ? ", " : "");
    plumb_buf_str(out, text);
    *any = true;
}

/* "2 sockets of 56 cores with 2 threads, 2 NUMA nodes, 2015.5 GiB, 8 GPUs, 10 NICs" */
static void put_machine(struct plumb_buf *out, const struct plumb_audit_record *r)
{
    struct plumb_arena *a = out->arena;
    const char *cpus = value_of(r, PLUMB_AUDIT_CPUS), *numa = value_of(r, PLUMB_AUDIT_NUMA),
               *gpus = value_of(r, PLUMB_AUDIT_GPUS);
    size_t nics = 0;
    bool any = false;

    (void)plumb_audit_first(r, PLUMB_AUDIT_NIC, &nics);
    if (cpus != NULL)
        put_part(out, &any, plumb_audit_cpus(a, cpus));
    if (numa != NULL)
        put_part(out, &any,
                 plumb_arena_printf(a, "%s NUMA node%s", numa, strcmp(numa, "1") == 0 ? "" : "s"));
    if (r->memory_low > 0)
        put_part(out, &any, plumb_audit_size(a, r->memory_low));
    if (gpus != NULL)
        put_part(out, &any,
                 plumb_arena_printf(a, "%s GPU%s", gpus, strcmp(gpus, "1") == 0 ? "" : "s"));
    if (nics > 0)
        put_part(out, &any, plumb_arena_printf(a, "%zu NIC%s", nics, nics == 1 ? "" : "s"));
    if (!any)
        plumb_buf_str(out, "nothing that tells machines apart");
}

static void put_class(struct plumb_buf *out, const struct plumb_audit_class *c)
{
    plumb_buf_printf(out, "  %-5s %6zu  %s\n                 ", c->norm ? "norm" : "other",
                     c->count, plumb_audit_fold(out->arena, c->machines, c->count));
    put_machine(out, c->record);
    plumb_buf_printf(out, "; for example %s\n", c->machines[0]->shown);
}

void plumb_audit_text(struct plumb_buf *out, const struct plumb_audit *a)
{
    size_t products = 0, unread = 0;

    for (size_t i = 0; i < a->class_count; i++)
        products += a->classes[i]->norm;
    for (size_t i = 0; i < a->machine_count; i++)
        unread += !a->machines[i]->record->holds;
    put_count(out, a->machine_count, "machine", "machines");
    plumb_buf_str(out, ", ");
    put_count(out, a->distinct, "distinct capture", "distinct captures");
    plumb_buf_str(out, ", ");
    put_count(out, products, "product", "products");
    plumb_buf_str(out, ", ");
    put_count(out, a->class_count, "class", "classes");
    if (unread > 0)
        plumb_buf_printf(out, ", %zu in none", unread);
    plumb_buf_char(out, '\n');
    for (size_t i = 0; i < a->class_count; i++) {
        const struct plumb_audit_class *c = a->classes[i];

        if (c->norm)
            plumb_buf_printf(out, "\n%s: %llu machine%s\n", c->product, (unsigned long long)c->of,
                             c->of == 1 ? "" : "s");
        put_class(out, c);
    }
}
