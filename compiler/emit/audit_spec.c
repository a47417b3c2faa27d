/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `plumb topo --audit --format spec`: the node classes of a specification. The numbers are those of
 * the norm. Machines that have fewer CPUs or GPUs, less memory, or other sockets would be drained
 * in its class: they stand in a comment, to be mended or given a class of their own.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "emit/audit.h"
#include "emit/topo.h"

static const char *value_of(const struct plumb_audit_record *r, enum plumb_audit_kind kind)
{
    const struct plumb_audit_fact *f = plumb_audit_find(r, kind, "");

    return f == NULL ? "" : f->value;
}

/* The node line of the norm is true of this class too. */
static bool fits(const struct plumb_audit_class *c)
{
    static const enum plumb_audit_kind kinds[] = {PLUMB_AUDIT_CPUS, PLUMB_AUDIT_NUMA,
                                                  PLUMB_AUDIT_GPUS};
    const struct plumb_audit_record *x = c->record, *y = c->norm_of->record;

    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        if (strcmp(value_of(x, kinds[i]), value_of(y, kinds[i])) != 0)
            return false;
    }
    return x->memory == 0 || y->memory == 0 || x->memory >= y->memory;
}

/* A name that a specification takes: the machine's without its number. */
static const char *class_name(struct plumb_arena *a, const struct plumb_audit_class *c,
                              struct plumb_map *taken)
{
    const char *from = c->machines[0]->name;
    struct plumb_buf b = plumb_buf_in(a);
    const char *base = NULL, *name = NULL;

    for (; *from != '\0' && *from != '.'; from++) {
        char low = plumb_lower(*from);

        if ((low >= 'a' && low <= 'z') || (b.len > 0 && plumb_is_digit(low)))
            plumb_buf_char(&b, low);
        else if (b.len > 0 && b.text[b.len - 1] != '-')
            plumb_buf_char(&b, '-');
    }
    while (b.len > 0 && (plumb_is_digit(b.text[b.len - 1]) || b.text[b.len - 1] == '-'))
        b.len--;
    base = plumb_arena_strndup(a, plumb_buf_text(&b), b.len);
    if (b.len == 0 || strcmp(base, "all") == 0)
        base = "node";
    name = base;
    for (unsigned n = 2; plumb_map_get(taken, name) != NULL; n++)
        name = plumb_arena_printf(a, "%s-%u", base, n);
    plumb_map_set(taken, name, b.arena);
    return name;
}

/* "2x56x2" in parts; false for anything else. */
static bool parts(const char *cpus, uint64_t out[3])
{
    for (size_t i = 0; i < 3; i++) {
        size_t n = plumb_read_digits(cpus, strlen(cpus), &out[i]);

        if (n == 0 || n == SIZE_MAX || cpus[n] != (i < 2 ? 'x' : '\0'))
            return false;
        cpus += n + (i < 2);
    }
    return true;
}

static void put_cpus(struct plumb_buf *out, const struct plumb_audit_record *r)
{
    uint64_t n[3];

    if (parts(value_of(r, PLUMB_AUDIT_CPUS), n))
        plumb_buf_printf(out,
                         "    sockets: %llu\n    cores_per_socket: %llu\n    threads_per_core: "
                         "%llu\n",
                         (unsigned long long)n[0], (unsigned long long)n[1],
                         (unsigned long long)n[2]);
    if (r->memory_low > 0)
        plumb_buf_printf(out, "    memory: %llu MiB    # the least of the class\n",
                         (unsigned long long)r->memory_low);
}

static void put_gpus(struct plumb_buf *out, const struct plumb_audit_record *r)
{
    size_t n = 0;
    const struct plumb_audit_fact *g = plumb_audit_first(r, PLUMB_AUDIT_GPU, &n);
    const char *type = NULL;
    uint64_t count = plumb_audit_number(r, PLUMB_AUDIT_GPUS);

    if (count == 0)
        return;
    for (size_t i = 0; i < n; i++) { /* one type for all, or none */
        const char *one = plumb_starts_with(g[i].value, "PCI device")
                              ? NULL
                              : plumb_topo_short_type(out->arena, g[i].value);

        type = i == 0 || (type != NULL && one != NULL && strcmp(type, one) == 0) ? one : NULL;
        if (type == NULL)
            break;
    }
    plumb_buf_str(out, "    gres:\n      gpu: {");
    if (type != NULL)
        plumb_buf_printf(out, "type: %s, ", type);
    plumb_buf_printf(out, "count: %llu}\n", (unsigned long long)count);
}

/* Machines of the product that the norm's numbers are true of. */
static struct plumb_audit_machine **members(const struct plumb_audit *a, struct plumb_arena *arena,
                                            const struct plumb_audit_class *norm, size_t *count)
{
    struct plumb_audit_machine **all =
        PLUMB_NEW_ARRAY(arena, a->machine_count, struct plumb_audit_machine *);

    *count = 0;
    for (size_t i = 0; i < a->class_count; i++) {
        const struct plumb_audit_class *c = a->classes[i];

        for (size_t k = 0; c->norm_of == norm && fits(c) && k < c->count; k++)
            all[(*count)++] = c->machines[k];
    }
    return all;
}

static void put_left_out(struct plumb_buf *out, const struct plumb_audit *a,
                         const struct plumb_audit_class *norm)
{
    for (size_t i = 0; i < a->class_count; i++) {
        const struct plumb_audit_class *c = a->classes[i];

        if (c->norm_of != norm || fits(c))
            continue;
        plumb_buf_printf(out, "    # left out: %s: %s, %s NUMA, %s, %s GPUs\n",
                         plumb_audit_fold(out->arena, c->machines, c->count),
                         plumb_audit_cpus(out->arena, value_of(c->record, PLUMB_AUDIT_CPUS)),
                         value_of(c->record, PLUMB_AUDIT_NUMA),
                         plumb_audit_size(out->arena, c->record->memory_low),
                         value_of(c->record, PLUMB_AUDIT_GPUS));
    }
}

static void put_class(struct plumb_buf *out, const struct plumb_audit *a,
                      const struct plumb_audit_class *norm, struct plumb_map *taken)
{
    size_t count = 0;
    struct plumb_audit_machine **all = members(a, out->arena, norm, &count);

    plumb_buf_printf(out, "  %s:\n", class_name(out->arena, norm, taken));
    plumb_buf_printf(out, "    # %s\n", norm->product);
    put_left_out(out, a, norm);
    plumb_buf_printf(out, "    hosts: %s\n", plumb_audit_fold(out->arena, all, count));
    plumb_buf_printf(out, "    # topology: %s    # for Cores= of the GPUs: this capture's\n",
                     norm->machines[0]->shown);
    put_cpus(out, norm->record);
    put_gpus(out, norm->record);
}

void plumb_audit_spec(struct plumb_buf *out, const struct plumb_audit *a)
{
    struct plumb_map taken = plumb_map_in(out->arena);

    if (a->class_count == 0)
        return;
    plumb_buf_str(out, "# A start: give the cluster and its controller their names.\n"
                       "plumb: 1\n"
                       "cluster: cluster\n"
                       "control: {hosts: [head]}\n"
                       "nodes:\n");
    for (size_t i = 0; i < a->class_count; i++) {
        if (a->classes[i]->norm)
            put_class(out, a, a->classes[i], &taken);
    }
    plumb_buf_str(out, "partitions:\n  all: {nodes: all, default: true}\n");
}
