/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machines of the same facts are a class. Classes of the same processors and GPUs are of one
 * product, and the largest of them is what the product should be: its norm.
 *
 * A machine whose captures leave its processor or its GPUs open is of the one product that it can
 * be; where it can be several, it is of none of them.
 *
 * Memory is no exact fact: the kernel keeps a little more or less of it from boot to boot. Amounts
 * of one product that differ by less than a 64th of the least are the same; one module of 48 is
 * more than that.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "passes/audit.h"
#include "rules/check.h"

enum { MEMORY_SHARE = 64 };

/* A product while its memory is clustered, and its classes are gathered. */
struct product {
    const char *name;
    struct plumb_audit_record **records; /* that tell their memory, each once */
    size_t count, cap;
    uint64_t machines;
    const char *first; /* name of its first machine */
    const struct plumb_audit_class *norm;
};

/* The GPU that most of the machine's are; of several, the least by name. */
static const char *gpu_product(const struct plumb_audit_record *r)
{
    size_t count = 0, best = 0;
    const struct plumb_audit_fact *g = plumb_audit_first(r, PLUMB_AUDIT_GPU, &count);
    const char *name = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t same = 0;

        for (size_t k = 0; k < count; k++)
            same += strcmp(g[i].value, g[k].value) == 0;
        if (name == NULL || same > best || (same == best && strcmp(g[i].value, name) < 0)) {
            name = g[i].value;
            best = same;
        }
    }
    return name;
}

/* What a product is called by. */
struct kind {
    const char *processor, *gpus; /* NULL: no capture tells */
    const char *name;
};

static struct kind kind_of(struct plumb_arena *a, const struct plumb_audit_record *r)
{
    const struct plumb_audit_fact *p = plumb_audit_find(r, PLUMB_AUDIT_PROCESSOR, "");
    const char *gpu = gpu_product(r), *shown = gpu;

    if (gpu == NULL && plumb_audit_find(r, PLUMB_AUDIT_GPUS, "") != NULL)
        gpu = shown = "no GPU";
    else if (gpu == NULL)
        shown = "GPUs unknown";
    else if (gpu[0] == '\0') {
        gpu = NULL;
        shown = "GPUs of unknown product";
    }
    return (struct kind){
        .processor = p == NULL ? NULL : p->value,
        .gpus = gpu,
        .name = plumb_arena_printf(a, "%s, %s", p == NULL ? "processor unknown" : p->value, shown),
    };
}

static bool may_be(const struct kind *open, const struct kind *whole)
{
    return (open->processor == NULL || strcmp(open->processor, whole->processor) == 0) &&
           (open->gpus == NULL || strcmp(open->gpus, whole->gpus) == 0);
}

/* The one of the whole kinds that it may be; else its own. */
static const char *resolve(const struct kind *k, const struct plumb_map *whole)
{
    const char *found = NULL;

    if (k->processor != NULL && k->gpus != NULL)
        return k->name;
    if (k->processor == NULL && k->gpus == NULL)
        return k->name; /* it may be anything */
    for (size_t i = 0; i < whole->count; i++) {
        const struct kind *other = whole->entries[i].value;

        if (!may_be(k, other))
            continue;
        if (found != NULL)
            return k->name;
        found = other->name;
    }
    return found == NULL ? k->name : found;
}

/* Sets the product of each record that holds. */
static void name_products(struct plumb_audit *a)
{
    struct plumb_arena *arena = a->session->arena;
    struct plumb_map whole = plumb_map_in(arena), open = plumb_map_in(arena);

    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_audit_record *r = a->machines[i]->record;
        struct kind k;
        struct plumb_map_entry *e = NULL;

        if (!r->holds || r->product != NULL)
            continue;
        k = kind_of(arena, r);
        r->product = plumb_intern_str(a->session->intern, k.name);
        e = plumb_map_entry(k.processor != NULL && k.gpus != NULL ? &whole : &open, k.name,
                            strlen(k.name));
        if (e->value == NULL) {
            struct kind *kept = PLUMB_NEW(arena, struct kind);

            *kept = k;
            e->value = kept;
        }
    }
    for (size_t i = 0; i < open.count; i++) {
        struct kind *k = open.entries[i].value;

        k->name = plumb_intern_str(a->session->intern, resolve(k, &whole));
    }
    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_audit_record *r = a->machines[i]->record;
        const struct kind *k = !r->holds ? NULL : plumb_map_get(&open, r->product);

        if (k != NULL)
            r->product = k->name;
    }
}

static uint64_t digest_of(const struct plumb_audit_record *r)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < r->fact_count; i++) {
        const struct plumb_audit_fact *f = &r->facts[i];
        char kind = (char)f->kind;

        if (f->kind == PLUMB_AUDIT_MEMORY)
            continue;
        h = plumb_hash_more(h, &kind, 1);
        h = plumb_hash_more(h, f->subject, strlen(f->subject));
        h = plumb_hash_more(h, f->value, strlen(f->value));
    }
    return h == 0 ? 1 : h; /* 0: not made yet */
}

static bool same_facts(const struct plumb_audit_record *x, const struct plumb_audit_record *y)
{
    if (x == y)
        return true;
    if (x->fact_count != y->fact_count || x->memory != y->memory || x->digest != y->digest)
        return false;
    for (size_t i = 0; i < x->fact_count; i++) {
        const struct plumb_audit_fact *a = &x->facts[i], *b = &y->facts[i];

        if (a->kind != b->kind || strcmp(a->subject, b->subject) != 0 ||
            (a->kind != PLUMB_AUDIT_MEMORY && strcmp(a->value, b->value) != 0))
            return false;
    }
    return true;
}

static int by_memory(const void *x, const void *y)
{
    struct plumb_audit_record *const *a = x, *const *b = y;
    uint64_t m = (*a)->memory_low, n = (*b)->memory_low;

    return m < n ? -1 : m > n;
}

/* memory_low holds the record's own amount until here. */
static void cluster(struct product *p)
{
    uint64_t low = 0;
    uint32_t at = 0;

    if (p->count > 1)
        qsort(p->records, p->count, sizeof(struct plumb_audit_record *), by_memory);
    for (size_t i = 0; i < p->count; i++) {
        struct plumb_audit_record *r = p->records[i];

        if (at == 0 || r->memory_low - low > low / MEMORY_SHARE) {
            low = r->memory_low;
            at++;
        }
        r->memory = at;
        r->memory_low = low;
    }
}

static struct product *find_product(struct plumb_audit *a, struct plumb_map *products,
                                    const struct plumb_audit_machine *m)
{
    const char *name = m->record->product;
    struct plumb_map_entry *e = plumb_map_entry(products, name, strlen(name));
    struct product *p = e->value;

    if (p == NULL) {
        e->value = p = PLUMB_NEW(a->session->arena, struct product);
        p->name = name;
        p->first = m->name;
    }
    return p;
}

/* Products, with what a record needs to be compared. */
static void describe(struct plumb_audit *a, struct plumb_map *products)
{
    struct plumb_arena *arena = a->session->arena;

    name_products(a);
    for (size_t i = 0; i < a->machine_count; i++) {
        const struct plumb_audit_machine *m = a->machines[i];
        struct plumb_audit_record *r = m->record;
        bool first = r->digest == 0;
        struct product *p = NULL;

        if (!r->holds)
            continue;
        if (first) {
            r->digest = digest_of(r);
            r->memory_low = plumb_audit_number(r, PLUMB_AUDIT_MEMORY);
        }
        p = find_product(a, products, m);
        p->machines++;
        if (!first || r->memory_low == 0)
            continue;
        p->records = plumb_arena_grow(arena, p->records, p->count, &p->cap, sizeof(*p->records));
        p->records[p->count++] = r;
    }
    for (size_t i = 0; i < products->count; i++)
        cluster(products->entries[i].value);
}

/* Classes that have the same digest stand in a row behind each other; there is nearly always one.
 */
static struct plumb_audit_class *class_of(struct plumb_audit *a, struct plumb_map *known,
                                          const struct plumb_audit_record *r)
{
    struct plumb_arena *arena = a->session->arena;
    const char *key = plumb_arena_printf(arena, "%016llx %u %s", (unsigned long long)r->digest,
                                         (unsigned)r->memory, r->product);
    struct plumb_audit_class *c = NULL;

    for (unsigned n = 0;; n++) {
        const char *name = n == 0 ? key : plumb_arena_printf(arena, "%s %u", key, n);
        struct plumb_map_entry *e = plumb_map_entry(known, name, strlen(name));

        c = e->value;
        if (c != NULL && !same_facts(c->record, r))
            continue;
        if (c == NULL) {
            c = e->value = PLUMB_NEW(arena, struct plumb_audit_class);
            c->product = r->product;
            c->record = r;
            a->classes = plumb_arena_grow(arena, a->classes, a->class_count, &a->class_cap,
                                          sizeof(*a->classes));
            a->classes[a->class_count++] = c;
        }
        return c;
    }
}

static void gather(struct plumb_audit *a)
{
    struct plumb_arena *arena = a->session->arena;
    struct plumb_map known = plumb_map_in(arena);

    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_audit_machine *m = a->machines[i];

        if (!m->record->holds)
            continue;

        struct plumb_audit_class *c = class_of(a, &known, m->record);

        c->machines = plumb_arena_grow(arena, c->machines, c->count, &c->cap, sizeof(*c->machines));
        c->machines[c->count++] = m;
    }
}

struct order {
    struct plumb_audit_class *class;
    const char *first; /* machine of the product */
};

/* Products by their first machine; in each the largest class first, then by its first machine. */
static int by_product(const void *x, const void *y)
{
    const struct order *a = x, *b = y;
    int order = strcmp(a->first, b->first);

    if (order == 0)
        order = strcmp(a->class->product, b->class->product);
    if (order == 0)
        order = a->class->count > b->class->count ? -1 : a->class->count < b->class->count;
    return order != 0 ? order : strcmp(a->class->machines[0]->name, b->class->machines[0]->name);
}

static void arrange(struct plumb_audit *a, const struct plumb_map *products)
{
    struct order *order = PLUMB_NEW_ARRAY(a->session->arena, a->class_count, struct order);

    for (size_t i = 0; i < a->class_count; i++) {
        const struct product *p = plumb_map_get(products, a->classes[i]->product);

        order[i] = (struct order){a->classes[i], p->first};
        a->classes[i]->of = p->machines;
    }
    if (a->class_count > 1)
        qsort(order, a->class_count, sizeof(*order), by_product);
    for (size_t i = 0; i < a->class_count; i++) {
        struct product *p = plumb_map_get(products, order[i].class->product);

        a->classes[i] = order[i].class;
        if (p->norm == NULL) {
            p->norm = a->classes[i];
            a->classes[i]->norm = true;
        }
        a->classes[i]->norm_of = p->norm;
    }
}

/* Machines of one name: the first by path counts, and the same path again is nothing new. */
static void drop_repeats(struct plumb_audit *a)
{
    size_t kept = 0;

    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_audit_machine *m = a->machines[i], *last = NULL;

        if (kept > 0)
            last = a->machines[kept - 1];
        if (last == NULL || strcmp(last->name, m->name) != 0) {
            a->machines[kept++] = m;
            continue;
        }
        if (strcmp(last->shown, m->shown) != 0)
            plumb_diag_new(&a->session->sink, &plumb_fleet_rows[PLUMB_FLEET_TWICE],
                           (struct plumb_span){0},
                           "'%s' is there twice, as '%s' and as '%s', expected once; the first is "
                           "used",
                           m->name, last->shown, m->shown);
    }
    a->machine_count = kept;
}

static void count_distinct(struct plumb_audit *a)
{
    struct plumb_map keys = plumb_map_in(a->session->arena);

    for (size_t i = 0; i < a->machine_count; i++)
        (void)plumb_map_entry(&keys, (const char *)a->machines[i]->key,
                              sizeof(a->machines[i]->key));
    a->distinct = keys.count;
}

/* Where parts were merged, machines of one key take the record of the first of all. */
static void share_records(struct plumb_audit *a)
{
    struct plumb_map first = plumb_map_in(a->session->arena);

    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_audit_machine *m = a->machines[i];
        struct plumb_map_entry *e = plumb_map_entry(&first, (const char *)m->key, sizeof(m->key));

        if (e->value == NULL)
            e->value = m->record;
        m->record = e->value;
    }
}

void plumb_audit_classify(struct plumb_audit *a)
{
    struct plumb_map products = plumb_map_in(a->session->arena);

    plumb_audit_sort(a);
    share_records(a); /* before repeats go: so does one run */
    drop_repeats(a);
    count_distinct(a);
    describe(a, &products);
    gather(a);
    arrange(a, &products);
}
