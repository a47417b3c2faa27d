/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What classes have that the norm of their product has not, and what else a fleet shows: captures
 * that were mixed up, machines of another product among equals. The same difference on many
 * machines is one finding.
 *
 * What follows from another difference is not told: where the NUMA nodes are others, so are the
 * places of all devices; where a NIC is missing, the names of those behind it are shifted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "passes/audit.h"
#include "rules/check.h"

enum { FEW = 8 }; /* one in so many machines of a name is an odd one out */

/* One finding while machines are gathered. */
struct group {
    enum plumb_fleet_rule rule;
    const struct plumb_rule *row;
    bool less;
    enum plumb_severity severity;
    const char *message, *seen, *norm;
    const struct plumb_audit_class *norm_class; /* NULL: there is none */
    struct plumb_audit_machine **machines;
    size_t count, cap;
};

const char *plumb_audit_size(struct plumb_arena *a, uint64_t mib)
{
    if (mib >= 1024)
        return plumb_arena_printf(a, "%llu.%llu GiB", (unsigned long long)(mib / 1024),
                                  (unsigned long long)(mib % 1024 * 10 / 1024));
    return plumb_arena_printf(a, "%llu MiB", (unsigned long long)mib);
}

const char *plumb_audit_cpus(struct plumb_arena *a, const char *value)
{
    const char *first = strchr(value, 'x'), *last = strrchr(value, 'x');

    if (first == NULL || first == last)
        return value;

    int sockets = (int)(first - value), cores = (int)(last - first - 1);

    return plumb_arena_printf(a, "%.*s socket%s of %.*s core%s with %s thread%s", sockets, value,
                              sockets == 1 && value[0] == '1' ? "" : "s", cores, first + 1,
                              cores == 1 && first[1] == '1' ? "" : "s", last + 1,
                              strcmp(last + 1, "1") == 0 ? "" : "s");
}

/* scontrol's order, whatever the order of the machines. */
const char *plumb_audit_fold(struct plumb_arena *a, struct plumb_audit_machine *const *machines,
                             size_t count)
{
    struct plumb_hostlist *all = PLUMB_NEW(a, struct plumb_hostlist), none = {0};
    struct plumb_intern *names = plumb_intern_new(a);

    for (size_t i = 0; i < count; i++) {
        const char *name = machines[i]->name;
        size_t len = strlen(name), digits = 0;
        struct plumb_host_range one = {.prefix = name, .suffix = ""};

        while (digits < len && digits < 19 && plumb_is_digit(name[len - digits - 1]))
            digits++;
        if (digits < 19)
            one = plumb_host_name(names, name, len, NULL, (struct plumb_span){0});
        if (all->range_count > 0 &&
            plumb_host_range_join(&all->ranges[all->range_count - 1], &one)) {
            all->count++;
            continue;
        }
        all->ranges =
            plumb_arena_grow(a, all->ranges, all->range_count, &all->cap, sizeof(*all->ranges));
        all->ranges[all->range_count++] = one;
        all->count++;
    }
    return plumb_hostlist_str(a, plumb_hostlist_union(a, all, &none));
}

/* "gpu-017/hwloc.xml:12"; NULL. */
static const char *place_of(struct plumb_arena *a, const struct plumb_audit_machine *m,
                            uint32_t file, uint32_t line)
{
    if (file == 0 || file > m->file_count)
        return NULL;
    return plumb_arena_printf(a, "%s%s%s:%u", m->label, m->label[0] == '\0' ? "" : "/",
                              m->files[file - 1], (unsigned)line);
}

static void add_machines(struct plumb_arena *a, struct group *g,
                         struct plumb_audit_machine *const *machines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        g->machines = plumb_arena_grow(a, g->machines, g->count, &g->cap, sizeof(*g->machines));
        g->machines[g->count++] = machines[i];
    }
}

static struct group *group_of(struct plumb_arena *a, struct plumb_map *groups,
                              const struct plumb_rule *row, const char *product,
                              const char *message)
{
    const char *key = plumb_arena_printf(a, "%s\n%s\n%s", product, row->code, message);
    struct plumb_map_entry *e = plumb_map_entry(groups, key, strlen(key));
    struct group *g = e->value;

    if (g == NULL) {
        e->value = g = PLUMB_NEW(a, struct group);
        g->row = row;
        g->severity = row->severity;
        g->message = message;
        g->less = true;
    }
    return g;
}

void plumb_audit_differ(const struct plumb_audit_pair *p, enum plumb_fleet_rule rule, bool less,
                        const struct plumb_audit_fact *own, const struct plumb_audit_fact *norm,
                        const char *fmt, ...)
{
    struct plumb_arena *a = p->audit->session->arena;
    struct group *g = NULL;
    va_list args;

    va_start(args, fmt);
    const char *message = plumb_arena_vprintf(a, fmt, args);

    va_end(args);
    g = group_of(a, p->groups, &plumb_fleet_rows[rule], p->norm->product, message);
    if (g->count == 0) {
        g->less = less;
        g->norm_class = p->norm;
        g->seen = own == NULL ? NULL : place_of(a, p->odd->machines[0], own->file, own->line);
        g->norm = norm == NULL ? NULL : place_of(a, p->norm->machines[0], norm->file, norm->line);
    }
    add_machines(a, g, p->odd->machines, p->odd->count);
}

static uint64_t number(const struct plumb_audit_fact *f)
{
    uint64_t v = 0;

    return plumb_read_digits(f->value, strlen(f->value), &v) == 0 ? 0 : v;
}

/* Facts of a kind that only one has; false when both have the same subjects. */
static bool subjects_differ(const struct plumb_audit_record *x, const struct plumb_audit_record *y,
                            enum plumb_audit_kind kind)
{
    size_t m = 0, n = 0;
    const struct plumb_audit_fact *a = plumb_audit_first(x, kind, &m);
    const struct plumb_audit_fact *b = plumb_audit_first(y, kind, &n);

    if (m != n)
        return true;
    for (size_t i = 0; i < m; i++) {
        if (strcmp(a[i].subject, b[i].subject) != 0)
            return true;
    }
    return false;
}

/* The subjects that x has and y has not: "0000:1b:00.0 and 0000:4c:00.0"; NULL: none. */
static const char *missing(struct plumb_arena *arena, const struct plumb_audit_record *x,
                           const struct plumb_audit_record *y, enum plumb_audit_kind kind,
                           size_t *count)
{
    size_t n = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(x, kind, &n);
    struct plumb_buf b = plumb_buf_in(arena);

    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct plumb_audit_fact *name = NULL;

        if (plumb_audit_find(y, kind, f[i].subject) != NULL)
            continue;
        name = kind == PLUMB_AUDIT_NIC ? plumb_audit_find(x, PLUMB_AUDIT_NIC_NAME, f[i].subject)
                                       : NULL;
        plumb_buf_str(&b, *count == 0 ? "" : ", ");
        plumb_buf_str(&b, f[i].subject);
        if (name != NULL)
            plumb_buf_printf(&b, " (%s)", name->value);
        (*count)++;
    }
    return *count == 0 ? NULL : plumb_buf_text(&b);
}

static void compare_cpus(const struct plumb_audit_pair *p)
{
    const struct plumb_audit_record *x = p->odd->record, *y = p->norm->record;
    struct plumb_arena *a = p->audit->session->arena;
    const struct plumb_audit_fact *own = plumb_audit_find(x, PLUMB_AUDIT_CPUS, ""),
                                  *norm = plumb_audit_find(y, PLUMB_AUDIT_CPUS, "");

    if (own != NULL && norm != NULL && strcmp(own->value, norm->value) != 0)
        plumb_audit_differ(p, PLUMB_FLEET_CPUS, true, own, norm, "%s, the norm has %s",
                           plumb_audit_cpus(a, own->value), plumb_audit_cpus(a, norm->value));
    own = plumb_audit_find(x, PLUMB_AUDIT_NUMA, "");
    norm = plumb_audit_find(y, PLUMB_AUDIT_NUMA, "");
    if (own != NULL && norm != NULL && strcmp(own->value, norm->value) != 0)
        plumb_audit_differ(p, PLUMB_FLEET_NUMA, true, own, norm,
                           "%s NUMA node%s with CPUs, the norm has %s", own->value,
                           strcmp(own->value, "1") == 0 ? "" : "s", norm->value);
    own = plumb_audit_find(x, PLUMB_AUDIT_MEMORY, "");
    norm = plumb_audit_find(y, PLUMB_AUDIT_MEMORY, "");
    if (own != NULL && norm != NULL && x->memory != y->memory)
        plumb_audit_differ(p, PLUMB_FLEET_MEMORY, x->memory < y->memory, own, norm,
                           "%s of memory, the norm has %s", plumb_audit_size(a, x->memory_low),
                           plumb_audit_size(a, y->memory_low));
}

/* Each fact of a kind that both have for a subject, and that differs. */
static void compare_each(const struct plumb_audit_pair *p, enum plumb_audit_kind kind,
                         void (*tell)(const struct plumb_audit_pair *p,
                                      const struct plumb_audit_fact *own,
                                      const struct plumb_audit_fact *norm))
{
    size_t n = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(p->odd->record, kind, &n);

    for (size_t i = 0; i < n; i++) {
        const struct plumb_audit_fact *norm = plumb_audit_find(p->norm->record, kind, f[i].subject);

        if (norm != NULL && strcmp(f[i].value, norm->value) != 0)
            tell(p, &f[i], norm);
    }
}

static void tell_gpu(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                     const struct plumb_audit_fact *norm)
{
    if (own->value[0] != '\0' && norm->value[0] != '\0')
        plumb_audit_differ(p, PLUMB_FLEET_PRODUCT, true, own, norm,
                           "GPU %s is '%s', that of the norm '%s'", own->subject, own->value,
                           norm->value);
}

/* hwloc writes GB/s of width and generation together. */
static const char *speed(struct plumb_arena *a, const struct plumb_audit_fact *f)
{
    uint64_t v = number(f);

    return plumb_arena_printf(a, "%llu.%llu GB/s", (unsigned long long)(v / 1000),
                              (unsigned long long)(v % 1000 / 100));
}

static void tell_gpu_speed(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                           const struct plumb_audit_fact *norm)
{
    struct plumb_arena *a = p->audit->session->arena;

    plumb_audit_differ(p, PLUMB_FLEET_GPU_SPEED, number(own) < number(norm), own, norm,
                       "the PCI link of GPU %s runs at %s, that of the norm at %s", own->subject,
                       speed(a, own), speed(a, norm));
}

static const char *nic(const struct plumb_audit_pair *p, const char *subject)
{
    const struct plumb_audit_fact *name =
        plumb_audit_find(p->odd->record, PLUMB_AUDIT_NIC_NAME, subject);

    if (name == NULL)
        return subject;
    return plumb_arena_printf(p->audit->session->arena, "%s (%s)", subject, name->value);
}

static void tell_nic(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                     const struct plumb_audit_fact *norm)
{
    if (own->value[0] != '\0' && norm->value[0] != '\0')
        plumb_audit_differ(p, PLUMB_FLEET_PRODUCT, true, own, norm,
                           "NIC %s is %s, that of the norm %s", nic(p, own->subject), own->value,
                           norm->value);
}

static void tell_nic_speed(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                           const struct plumb_audit_fact *norm)
{
    struct plumb_arena *a = p->audit->session->arena;

    plumb_audit_differ(p, PLUMB_FLEET_NIC_SPEED, number(own) < number(norm), own, norm,
                       "the PCI link of NIC %s runs at %s, that of the norm at %s",
                       nic(p, own->subject), speed(a, own), speed(a, norm));
}

static void tell_gpu_place(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                           const struct plumb_audit_fact *norm)
{
    plumb_audit_differ(p, PLUMB_FLEET_PLACE, true, own, norm,
                       "GPU %s is near NUMA node %s, that of the norm near %s", own->subject,
                       own->value, norm->value);
}

static void tell_nic_place(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                           const struct plumb_audit_fact *norm)
{
    plumb_audit_differ(p, PLUMB_FLEET_PLACE, true, own, norm,
                       "NIC %s is near NUMA node %s, that of the norm near %s",
                       nic(p, own->subject), own->value, norm->value);
}

static void tell_name(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                      const struct plumb_audit_fact *norm)
{
    plumb_audit_differ(p, PLUMB_FLEET_NAME, true, own, norm,
                       "the NIC at %s is named '%s', that of the norm '%s'", own->subject,
                       own->value, norm->value);
}

static void tell_mig(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                     const struct plumb_audit_fact *norm)
{
    plumb_audit_differ(p, PLUMB_FLEET_MIG, true, own, norm,
                       "MIG of GPU %s is '%s', that of the norm '%s'", own->subject, own->value,
                       norm->value);
}

static void tell_state(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                       const struct plumb_audit_fact *norm)
{
    plumb_audit_differ(p, PLUMB_FLEET_PORT, true, own, norm,
                       "%s is in state '%s', that of the norm in '%s'", own->subject, own->value,
                       norm->value);
}

/* A port that is down has a rate that means nothing. */
static void tell_rate(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                      const struct plumb_audit_fact *norm)
{
    const struct plumb_audit_fact *state =
        plumb_audit_find(p->odd->record, PLUMB_AUDIT_PORT_STATE, own->subject);
    const struct plumb_audit_fact *other =
        plumb_audit_find(p->norm->record, PLUMB_AUDIT_PORT_STATE, own->subject);

    if (state != NULL && other != NULL && strcmp(state->value, other->value) != 0)
        return;
    plumb_audit_differ(p, PLUMB_FLEET_PORT, number(own) < number(norm), own, norm,
                       "%s runs at %s Gb/s, that of the norm at %s", own->subject, own->value,
                       norm->value);
}

static void tell_kube(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                      const struct plumb_audit_fact *norm)
{
    plumb_audit_differ(p, PLUMB_FLEET_ALLOCATABLE, number(own) < number(norm), own, norm,
                       "%s of '%s' can be allocated, the norm has %s", own->value, own->subject,
                       norm->value);
}

/* True when devices can be told apart by bus id: by index alone, those behind a lost one shift. */
static bool by_bus(const struct plumb_audit_record *r)
{
    size_t n = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(r, PLUMB_AUDIT_GPU, &n);

    return f != NULL && f->subject[0] != '#';
}

static void compare_gpus(const struct plumb_audit_pair *p)
{
    const struct plumb_audit_record *x = p->odd->record, *y = p->norm->record;
    struct plumb_arena *a = p->audit->session->arena;
    const struct plumb_audit_fact *own = plumb_audit_find(x, PLUMB_AUDIT_GPUS, ""),
                                  *norm = plumb_audit_find(y, PLUMB_AUDIT_GPUS, "");
    bool bus = by_bus(x) && by_bus(y), same = !subjects_differ(x, y, PLUMB_AUDIT_GPU);
    size_t lost = 0;
    const char *where = bus ? missing(a, y, x, PLUMB_AUDIT_GPU, &lost) : NULL;

    if (own != NULL && norm != NULL && strcmp(own->value, norm->value) != 0)
        plumb_audit_differ(p, PLUMB_FLEET_GPUS, number(own) < number(norm), own, norm,
                           "%s GPU%s, the norm has %s%s%s", own->value,
                           strcmp(own->value, "1") == 0 ? "" : "s", norm->value,
                           where == NULL || number(own) > number(norm) ? "" : "; none at ",
                           where == NULL || number(own) > number(norm) ? "" : where);
    else if (where != NULL)
        plumb_audit_differ(p, PLUMB_FLEET_PLACE, true, own, norm,
                           "no GPU at %s, where the norm has %s", where, lost > 1 ? "them" : "one");
    if (!bus && !same)
        return;
    compare_each(p, PLUMB_AUDIT_GPU, tell_gpu);
    compare_each(p, PLUMB_AUDIT_GPU_SPEED, tell_gpu_speed);
    compare_each(p, PLUMB_AUDIT_GPU_MIG, tell_mig);
    if (p->places)
        compare_each(p, PLUMB_AUDIT_GPU_PLACE, tell_gpu_place);
    if (!same)
        return;
    plumb_audit_compare_links(p);
    plumb_audit_compare_peers(p);
}

/* NICs that only one of the two has. own, norm: a fact of each with a place. */
static void tell_nics(const struct plumb_audit_pair *p, const struct plumb_audit_fact *own,
                      const struct plumb_audit_fact *norm, size_t own_count, size_t norm_count)
{
    struct plumb_arena *a = p->audit->session->arena;
    size_t lost = 0, more = 0;
    const char *gone = missing(a, p->norm->record, p->odd->record, PLUMB_AUDIT_NIC, &lost);
    const char *added = missing(a, p->odd->record, p->norm->record, PLUMB_AUDIT_NIC, &more);
    const char *counts = plumb_arena_printf(a, "%zu NIC%s, the norm has %zu", own_count,
                                            own_count == 1 ? "" : "s", norm_count);

    if (gone != NULL && own_count == norm_count)
        plumb_audit_differ(p, PLUMB_FLEET_NICS, true, own, norm,
                           "no NIC at %s, where the norm has %s, but at %s", gone,
                           lost > 1 ? "them" : "one", added);
    else if (gone != NULL)
        plumb_audit_differ(p, PLUMB_FLEET_NICS, true, own, norm, "%s; none at %s%s%s", counts, gone,
                           added == NULL ? "" : ", but at ", added == NULL ? "" : added);
    else if (added != NULL)
        plumb_audit_differ(p, PLUMB_FLEET_NICS, false, own, norm, "%s; none at %s", counts, added);
}

/* The first NIC of x that y has not, where there is one; the first of x otherwise. */
static const struct plumb_audit_fact *nic_apart(const struct plumb_audit_record *x,
                                                const struct plumb_audit_record *y)
{
    size_t count = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(x, PLUMB_AUDIT_NIC, &count);

    for (size_t i = 0; i < count; i++) {
        if (plumb_audit_find(y, PLUMB_AUDIT_NIC, f[i].subject) == NULL)
            return &f[i];
    }
    return f;
}

/* NICs that one capture calls by bus id and the other, without hwloc, by name are not the same. */
static bool named_alike(const struct plumb_audit_record *x, const struct plumb_audit_record *y)
{
    size_t m = 0, n = 0;
    const struct plumb_audit_fact *a = plumb_audit_first(x, PLUMB_AUDIT_NIC, &m);
    const struct plumb_audit_fact *b = plumb_audit_first(y, PLUMB_AUDIT_NIC, &n);

    return a == NULL || b == NULL ||
           (strchr(a->subject, ':') == NULL) == (strchr(b->subject, ':') == NULL);
}

/* True when both have the same NICs. */
static bool compare_nics(const struct plumb_audit_pair *p)
{
    const struct plumb_audit_record *x = p->odd->record, *y = p->norm->record;
    size_t own = 0, norm = 0;
    bool same = !subjects_differ(x, y, PLUMB_AUDIT_NIC);

    if (!named_alike(x, y))
        return false;

    (void)plumb_audit_first(x, PLUMB_AUDIT_NIC, &own);
    (void)plumb_audit_first(y, PLUMB_AUDIT_NIC, &norm);
    if (!same && (own > 0 || plumb_audit_find(x, PLUMB_AUDIT_SOURCE, "hwloc") != NULL) &&
        (norm > 0 || plumb_audit_find(y, PLUMB_AUDIT_SOURCE, "hwloc") != NULL))
        tell_nics(p, nic_apart(x, y), nic_apart(y, x), own, norm);
    compare_each(p, PLUMB_AUDIT_NIC, tell_nic);
    compare_each(p, PLUMB_AUDIT_NIC_SPEED, tell_nic_speed);
    if (p->places)
        compare_each(p, PLUMB_AUDIT_NIC_PLACE, tell_nic_place);
    if (!same)
        return false; /* names count on, and so are others behind one that is missing */
    compare_each(p, PLUMB_AUDIT_NIC_NAME, tell_name);
    compare_each(p, PLUMB_AUDIT_PORT_STATE, tell_state);
    compare_each(p, PLUMB_AUDIT_PORT_RATE, tell_rate);
    return true;
}

/* A capture that only one has: what it shows is not known of the other. */
static void compare_sources(const struct plumb_audit_pair *p)
{
    size_t n = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(p->norm->record, PLUMB_AUDIT_SOURCE, &n);

    for (size_t i = 0; i < n; i++) {
        if (plumb_audit_find(p->odd->record, PLUMB_AUDIT_SOURCE, f[i].subject) == NULL)
            plumb_audit_differ(p, PLUMB_FLEET_PARTIAL, true, NULL, NULL,
                               "there is no capture of '%s', the norm has one", f[i].subject);
    }
    f = plumb_audit_first(p->odd->record, PLUMB_AUDIT_SOURCE, &n);
    for (size_t i = 0; i < n; i++) {
        if (plumb_audit_find(p->norm->record, PLUMB_AUDIT_SOURCE, f[i].subject) == NULL)
            plumb_audit_differ(p, PLUMB_FLEET_PARTIAL, false, NULL, NULL,
                               "there is a capture of '%s', the norm has none", f[i].subject);
    }
}

static void compare_class(struct plumb_audit_pair *p)
{
    const struct plumb_audit_record *x = p->odd->record, *y = p->norm->record;
    const struct plumb_audit_fact *own = plumb_audit_find(x, PLUMB_AUDIT_NUMA, ""),
                                  *norm = plumb_audit_find(y, PLUMB_AUDIT_NUMA, "");
    bool same_nics = false;

    p->places = own == NULL || norm == NULL || strcmp(own->value, norm->value) == 0;
    compare_sources(p);
    compare_cpus(p);
    compare_gpus(p);
    same_nics = compare_nics(p);
    compare_each(p, PLUMB_AUDIT_KUBE_GPUS, tell_kube);
    plumb_audit_compare_absent(p, same_nics);
}

/* The name without its digits: machines of one kind are numbered. */
static const char *stem_of(struct plumb_arena *a, const char *name)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (; *name != '\0'; name++) {
        if (!plumb_is_digit(*name))
            plumb_buf_char(&b, *name);
        else if (b.len == 0 || plumb_buf_text(&b)[b.len - 1] != '#')
            plumb_buf_char(&b, '#');
    }
    return plumb_buf_text(&b);
}

/* Machines of one stem and one product. */
struct crowd {
    const struct plumb_audit_class *norm; /* of the product */
    struct plumb_audit_machine **machines;
    size_t count, cap;
};

struct stem {
    struct plumb_map by_product;
    const struct crowd *largest;
};

static void gather_stems(struct plumb_audit *a, struct plumb_map *stems)
{
    struct plumb_arena *arena = a->session->arena;

    for (size_t i = 0; i < a->class_count; i++) {
        const struct plumb_audit_class *c = a->classes[i];

        for (size_t k = 0; k < c->count; k++) {
            const char *name = stem_of(arena, c->machines[k]->name);
            struct plumb_map_entry *e = plumb_map_entry(stems, name, strlen(name));
            struct stem *s = e->value;
            struct crowd *crowd = NULL;

            if (s == NULL) {
                e->value = s = PLUMB_NEW(arena, struct stem);
                s->by_product = plumb_map_in(arena);
            }
            crowd = plumb_map_get(&s->by_product, c->product);
            if (crowd == NULL) {
                crowd = PLUMB_NEW(arena, struct crowd);
                crowd->norm = c->norm_of;
                plumb_map_set(&s->by_product, c->product, crowd);
            }
            crowd->machines = plumb_arena_grow(arena, crowd->machines, crowd->count, &crowd->cap,
                                               sizeof(*crowd->machines));
            crowd->machines[crowd->count++] = c->machines[k];
            if (s->largest == NULL || crowd->count > s->largest->count)
                s->largest = crowd;
        }
    }
}

/* A few machines of another product that are named like many of one. */
static void compare_products(struct plumb_audit *a, struct plumb_map *groups)
{
    struct plumb_arena *arena = a->session->arena;
    struct plumb_map stems = plumb_map_in(arena);

    gather_stems(a, &stems);
    for (size_t i = 0; i < stems.count; i++) {
        const struct stem *s = stems.entries[i].value;

        for (size_t k = 0; k < s->by_product.count; k++) {
            const struct crowd *c = s->by_product.entries[k].value;
            struct group *g = NULL;

            if (c == s->largest || c->count * FEW > s->largest->count)
                continue;
            g = group_of(arena, groups, &plumb_fleet_rows[PLUMB_FLEET_PRODUCT],
                         s->largest->norm->product,
                         plumb_arena_printf(arena, "'%s', most machines named like it are '%s'",
                                            c->norm->product, s->largest->norm->product));
            g->norm_class = s->largest->norm;
            add_machines(arena, g, c->machines, c->count);
        }
    }
}

/* Captures of several machines that were all taken on one host. */
static void compare_hosts(struct plumb_audit *a, struct plumb_map *groups)
{
    struct plumb_arena *arena = a->session->arena;
    struct plumb_map hosts = plumb_map_in(arena);

    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_audit_machine *m = a->machines[i];
        struct plumb_map_entry *e = NULL;
        struct group *g = NULL;

        if (m->told == NULL || plumb_starts_with(m->told, "localhost") ||
            strcmp(m->told, "(none)") == 0)
            continue;
        e = plumb_map_entry(&hosts, m->told, strlen(m->told));
        if (e->value == NULL)
            e->value = PLUMB_NEW(arena, struct group);
        g = e->value;
        add_machines(arena, g, &m, 1);
    }
    for (size_t i = 0; i < hosts.count; i++) {
        const struct group *all = hosts.entries[i].value;
        struct group *g = NULL;

        if (all->count < 2)
            continue;
        g = group_of(arena, groups, &plumb_fleet_rows[PLUMB_FLEET_ONE_HOST], "",
                     plumb_arena_printf(arena,
                                        "the captures were all taken on '%s', expected each "
                                        "on its own machine",
                                        hosts.entries[i].key));
        add_machines(arena, g, all->machines, all->count);
    }
}

/* What readers said; the place is that of the first machine. */
static void add_remarks(struct plumb_audit *a, struct plumb_map *groups)
{
    struct plumb_arena *arena = a->session->arena;

    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_audit_machine *m = a->machines[i];

        a->session->sink.incomplete = a->session->sink.incomplete || m->record->incomplete;
        for (size_t k = 0; k < m->record->remark_count; k++) {
            const struct plumb_audit_remark *r = &m->record->remarks[k];
            struct group *g = group_of(arena, groups, r->rule, "", r->message);

            g->severity = r->severity;
            if (g->count == 0) {
                const char *place = place_of(arena, m, r->file, r->line);

                g->seen = place == NULL
                              ? NULL
                              : plumb_arena_printf(arena, "%s:%u", place, (unsigned)r->column);
            }
            if (g->count == 0 || g->machines[g->count - 1] != m)
                add_machines(arena, g, &m, 1);
        }
    }
}

static int by_machine(const void *x, const void *y)
{
    const struct plumb_audit_machine *const *a = x, *const *b = y;

    return strcmp((*a)->name, (*b)->name);
}

static void report(struct plumb_audit *a, struct group *g)
{
    struct plumb_arena *arena = a->session->arena;
    struct plumb_audit_finding f = {.count = g->count, .seen = g->seen, .norm = g->norm};

    if (g->count > 1)
        qsort(g->machines, g->count, sizeof(struct plumb_audit_machine *), by_machine);
    f.hosts = plumb_audit_fold(arena, g->machines, g->count);
    f.diag = plumb_diag_new(&a->session->sink, g->row, (struct plumb_span){0}, "%s: %s", f.hosts,
                            g->message);
    plumb_diag_object(f.diag, "node", f.hosts, g->count > 1 ? g->count : 0);
    plumb_diag_severity(f.diag, g->severity);
    if (!g->less) {
        plumb_diag_effect(f.diag, PLUMB_EFFECT_NONE, 0);
        plumb_diag_severity(f.diag, PLUMB_INFO);
    }
    if (g->count > 1)
        plumb_diag_fact(f.diag, "%zu machines", g->count);
    if (g->norm_class != NULL)
        plumb_diag_fact(f.diag, "the norm is '%s', as %zu of %llu machines of this product",
                        g->norm_class->machines[0]->name, g->norm_class->count,
                        (unsigned long long)g->norm_class->of);
    if (g->seen != NULL || g->norm != NULL)
        plumb_diag_fact(
            f.diag, "%s%s%s%s", g->seen == NULL ? "" : "seen at ", g->seen == NULL ? "" : g->seen,
            g->seen == NULL || g->norm == NULL ? "" : "; ",
            g->norm == NULL ? "" : plumb_arena_printf(arena, "the norm's at %s", g->norm));
    a->findings = plumb_arena_grow(arena, a->findings, a->finding_count, &a->finding_cap,
                                   sizeof(*a->findings));
    a->findings[a->finding_count++] = f;
}

void plumb_audit_compare(struct plumb_audit *a)
{
    struct plumb_map groups = plumb_map_in(a->session->arena);

    add_remarks(a, &groups);
    compare_hosts(a, &groups);
    compare_products(a, &groups);
    for (size_t i = 0; i < a->class_count; i++) {
        const struct plumb_audit_class *c = a->classes[i];
        struct plumb_audit_pair p = {a, c, c->norm_of, &groups, true};

        if (!c->norm)
            compare_class(&p);
    }
    for (size_t i = 0; i < groups.count; i++)
        report(a, groups.entries[i].value);
}
