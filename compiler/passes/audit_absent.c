/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts that the captures of one class show and those of the other do not. Two classes differ by
 * such facts alone when a port has gone from ibstat, a device plugin has not started, or a capture
 * was taken by another release of its program; whoever reads the audit must see why they are two.
 *
 * What follows from another difference is not told: without a capture its facts are missing, and
 * so are those of a device that is missing.
 */
#include <string.h>

#include "passes/audit.h"

/* Facts that nothing else compares by presence, with the device that they are about. */
static const struct absent {
    enum plumb_audit_kind kind;
    enum plumb_audit_kind device; /* its subjects must be in both; PLUMB_AUDIT_KINDS: none */
    bool place;                   /* of a device: NUMA nodes must be the same */
    const char *what;
} rows[] = {
    {PLUMB_AUDIT_PROCESSOR, PLUMB_AUDIT_KINDS, false, "the processor"},
    {PLUMB_AUDIT_CPUS, PLUMB_AUDIT_KINDS, false, "sockets, cores and threads"},
    {PLUMB_AUDIT_NUMA, PLUMB_AUDIT_KINDS, false, "NUMA nodes"},
    {PLUMB_AUDIT_MEMORY, PLUMB_AUDIT_KINDS, false, "the memory"},
    {PLUMB_AUDIT_GPUS, PLUMB_AUDIT_KINDS, false, "the number of GPUs"},
    {PLUMB_AUDIT_GPU_SPEED, PLUMB_AUDIT_GPU, false, "the PCI link of GPU "},
    {PLUMB_AUDIT_GPU_PLACE, PLUMB_AUDIT_GPU, true, "the NUMA node of GPU "},
    {PLUMB_AUDIT_GPU_MIG, PLUMB_AUDIT_GPU, false, "MIG of GPU "},
    {PLUMB_AUDIT_LINKS, PLUMB_AUDIT_GPU, false, "the links of GPU "},
    {PLUMB_AUDIT_NIC_SPEED, PLUMB_AUDIT_NIC, false, "the PCI link of NIC "},
    {PLUMB_AUDIT_NIC_PLACE, PLUMB_AUDIT_NIC, true, "the NUMA node of NIC "},
    {PLUMB_AUDIT_NIC_NAME, PLUMB_AUDIT_NIC, false, "the name of NIC "},
    {PLUMB_AUDIT_PORT_RATE, PLUMB_AUDIT_PORT_STATE, false, "the rate of "},
};

/* Subjects of a kind that x has and y has not, and the first of them. */
struct lack {
    const char *subjects; /* "0000:1b:00.0, 0000:4c:00.0"; NULL: none */
    const struct plumb_audit_fact *first;
};

/* One more; text: of the subjects so far. */
static void add(struct lack *out, struct plumb_buf *text, const struct plumb_audit_fact *fact)
{
    plumb_buf_printf(text, "%s%s", out->first == NULL ? "" : ", ", fact->subject);
    out->subjects = plumb_buf_text(text);
    out->first = out->first == NULL ? fact : out->first;
}

static struct lack lack_of(struct plumb_arena *a, const struct plumb_audit_record *x,
                           const struct plumb_audit_record *y, const struct absent *row)
{
    size_t count = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(x, row->kind, &count);
    struct plumb_buf b = plumb_buf_in(a);
    struct lack out = {0};

    for (size_t i = 0; i < count; i++) {
        if (plumb_audit_find(y, row->kind, f[i].subject) != NULL ||
            (row->device != PLUMB_AUDIT_KINDS &&
             (plumb_audit_find(x, row->device, f[i].subject) == NULL ||
              plumb_audit_find(y, row->device, f[i].subject) == NULL)))
            continue;
        add(&out, &b, &f[i]);
    }
    return out;
}

/* Products that one names and the other leaves open. */
static struct lack unnamed(struct plumb_arena *a, const struct plumb_audit_record *x,
                           const struct plumb_audit_record *y, enum plumb_audit_kind kind)
{
    size_t count = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(x, kind, &count);
    struct plumb_buf b = plumb_buf_in(a);
    struct lack out = {0};

    for (size_t i = 0; i < count; i++) {
        const struct plumb_audit_fact *other = plumb_audit_find(y, kind, f[i].subject);

        if (f[i].value[0] == '\0' || other == NULL || other->value[0] != '\0')
            continue;
        add(&out, &b, &f[i]);
    }
    return out;
}

/* less: the class lacks what the norm has; else it is the other way round. */
static void tell(const struct plumb_audit_pair *p, bool less, const char *what,
                 const struct lack *lack)
{
    if (lack->subjects == NULL)
        return;
    if (less)
        plumb_audit_differ(p, PLUMB_FLEET_PARTIAL, true, NULL, lack->first,
                           "the captures do not show %s%s, those of the norm do", what,
                           lack->subjects);
    else
        plumb_audit_differ(p, PLUMB_FLEET_PARTIAL, false, lack->first, NULL,
                           "the captures show %s%s, those of the norm do not", what,
                           lack->subjects);
}

static bool has_all_sources(const struct plumb_audit_record *x, const struct plumb_audit_record *y)
{
    size_t count = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(y, PLUMB_AUDIT_SOURCE, &count);

    for (size_t i = 0; i < count; i++) {
        if (plumb_audit_find(x, PLUMB_AUDIT_SOURCE, f[i].subject) == NULL)
            return false;
    }
    return true;
}

/* Without bus ids a NIC's place follows from those of the GPUs that it is near to. */
static bool same_places(const struct plumb_audit_pair *p)
{
    size_t count = 0;
    const struct plumb_audit_fact *f =
        plumb_audit_first(p->odd->record, PLUMB_AUDIT_GPU_PLACE, &count);

    for (size_t i = 0; i < count; i++) {
        const struct plumb_audit_fact *other =
            plumb_audit_find(p->norm->record, PLUMB_AUDIT_GPU_PLACE, f[i].subject);

        if (other != NULL && strcmp(other->value, f[i].value) != 0)
            return false;
    }
    return p->places;
}

static void compare_one_way(const struct plumb_audit_pair *p, bool less)
{
    const struct plumb_audit_record *x = less ? p->norm->record : p->odd->record;
    const struct plumb_audit_record *y = less ? p->odd->record : p->norm->record;
    struct plumb_arena *a = p->audit->session->arena;
    struct lack lack = {0};
    bool places = same_places(p);

    if (!has_all_sources(y, x))
        return; /* told, and this is what it would have shown */
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        if (rows[i].place && !places)
            continue;
        lack = lack_of(a, x, y, &rows[i]);
        tell(p, less, rows[i].what, &lack);
    }
    lack = unnamed(a, x, y, PLUMB_AUDIT_GPU);
    tell(p, less, "the product of GPU ", &lack);
    lack = unnamed(a, x, y, PLUMB_AUDIT_NIC);
    tell(p, less, "the product of NIC ", &lack);
}

/* A port that ibstat shows on the one and not on the other. */
static void compare_ports(const struct plumb_audit_pair *p)
{
    static const struct absent ports = {PLUMB_AUDIT_PORT_STATE, PLUMB_AUDIT_KINDS, false, ""};
    const struct plumb_audit_record *x = p->odd->record, *y = p->norm->record;
    struct plumb_arena *a = p->audit->session->arena;
    struct lack lost = lack_of(a, y, x, &ports), more = lack_of(a, x, y, &ports);

    if (plumb_audit_find(x, PLUMB_AUDIT_SOURCE, "ibstat") == NULL ||
        plumb_audit_find(y, PLUMB_AUDIT_SOURCE, "ibstat") == NULL)
        return;
    if (lost.subjects != NULL)
        plumb_audit_differ(p, PLUMB_FLEET_PORT, true, NULL, lost.first,
                           "ibstat shows no %s, that of the norm does", lost.subjects);
    if (more.subjects != NULL)
        plumb_audit_differ(p, PLUMB_FLEET_PORT, false, more.first, NULL,
                           "ibstat shows %s, that of the norm does not", more.subjects);
}

/* Resources that a Node has on the one alone. */
static void compare_resources(const struct plumb_audit_pair *p)
{
    static const struct absent gpus = {PLUMB_AUDIT_KUBE_GPUS, PLUMB_AUDIT_KINDS, false, ""};
    static const char source[] = "Kubernetes Node";
    const struct plumb_audit_record *x = p->odd->record, *y = p->norm->record;
    struct plumb_arena *a = p->audit->session->arena;
    struct lack lost = lack_of(a, y, x, &gpus), more = lack_of(a, x, y, &gpus);

    if (plumb_audit_find(x, PLUMB_AUDIT_SOURCE, source) == NULL ||
        plumb_audit_find(y, PLUMB_AUDIT_SOURCE, source) == NULL)
        return;
    if (lost.subjects != NULL)
        plumb_audit_differ(p, PLUMB_FLEET_ALLOCATABLE, true, NULL, lost.first,
                           "the Node has no '%s', that of the norm %s", lost.subjects,
                           lost.first->value);
    if (more.subjects != NULL)
        plumb_audit_differ(p, PLUMB_FLEET_ALLOCATABLE, false, more.first, NULL,
                           "the Node has %s of '%s', that of the norm none", more.first->value,
                           more.subjects);
}

void plumb_audit_compare_absent(const struct plumb_audit_pair *p, bool same_nics)
{
    compare_one_way(p, true);
    compare_one_way(p, false);
    if (same_nics)
        compare_ports(p);
    compare_resources(p);
}
