/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From files to records, in two rounds over a list of machines that is sorted first: keys of all,
 * then a record of the first machine of each key. A round hands out positions of the list; who gets
 * which is chance, and what is made of one depends on nothing else.
 *
 * A worker has two arenas: one that it empties after each machine, with a session in it, and one
 * for what stays. There is nothing that two of them write.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>

#include "base/path.h"
#include "base/text.h"
#include "capture/ibstat.h"
#include "passes/audit.h"
#include "passes/captures.h"
#include "passes/sniff.h"
#include "rules/check.h"

enum {
    MAX_THREADS = 256,
    ARENA_BYTES = 8 * 1024 * 1024, /* of one machine, about */
};

struct round;

struct worker {
    struct round *round;
    struct plumb_arena *once; /* of one machine */
    struct plumb_arena *scratch;
    struct plumb_arena *keep;   /* of the audit */
    struct plumb_map seen;      /* bytes -> a machine that has them */
    struct plumb_intern *names; /* in keep: most texts of a machine are those of others */
    jmp_buf out_of_memory;
    bool exhausted;
    pthread_t thread;
    bool started;
};

struct round {
    struct plumb_audit *audit;
    struct plumb_audit_machine **items;
    size_t count;
    void (*work)(struct worker *w, struct plumb_audit_machine *m);
    pthread_mutex_t lock; /* of next */
    size_t next;
};

static size_t take(struct round *r)
{
    size_t at = 0;

    (void)pthread_mutex_lock(&r->lock);
    at = r->next++;
    (void)pthread_mutex_unlock(&r->lock);
    return at;
}

static void *run_worker(void *data)
{
    struct worker *w = data;

    if (setjmp(w->out_of_memory) != 0) {
        w->exhausted = true;
        return NULL;
    }
    for (size_t i = take(w->round); i < w->round->count; i = take(w->round)) {
        w->round->work(w, w->round->items[i]);
        plumb_arena_reset(w->once);
        plumb_arena_reset(w->scratch);
    }
    return NULL;
}

/* What findings call a file: the name of the machine would make equal captures unlike. */
static const char *label_of(struct plumb_arena *a, const struct plumb_audit_machine *m, size_t file)
{
    if (m->loose && plumb_starts_with(m->files[file], m->name))
        return plumb_arena_printf(a, "NODE%s", m->files[file] + strlen(m->name));
    return m->files[file];
}

static const struct plumb_source **load(struct worker *w, struct plumb_sources *sources,
                                        const struct plumb_audit_machine *m)
{
    const struct plumb_source **src =
        PLUMB_NEW_ARRAY(w->once, m->file_count, const struct plumb_source *);

    for (size_t i = 0; i < m->file_count; i++) {
        struct plumb_source *one = NULL;

        if (plumb_source_load(sources, plumb_path_join(w->once, m->folder, m->files[i]),
                              label_of(w->once, m, i), &one) == PLUMB_OK)
            src[i] = one;
    }
    return src;
}

static void hash_machine(struct worker *w, struct plumb_audit_machine *m)
{
    struct plumb_sources sources = {.arena = w->once};
    const struct plumb_source *const *src = load(w, &sources, m);
    uint64_t bytes[2];
    struct plumb_map_entry *e = NULL;
    const struct plumb_audit_machine *same = NULL;

    plumb_audit_hash_bytes(m, src, bytes);
    e = plumb_map_entry(&w->seen, (const char *)bytes, sizeof(bytes));
    same = e->value;
    e->value = m;
    if (same == NULL) {
        plumb_audit_hash(w->keep, m, src);
        return;
    }
    m->key[0] = same->key[0];
    m->key[1] = same->key[1];
    m->told = same->told;
}

static void keep_remarks(struct worker *w, const struct plumb_session *s, const uint32_t *file_of,
                         struct plumb_audit_record *out)
{
    for (size_t i = 0; i < s->sink.count; i++) {
        const struct plumb_diag *d = s->sink.items[i];

        /* What else a broken file seems to say follows from that. */
        if (out->incomplete && d->severity != PLUMB_ERROR)
            continue;

        struct plumb_audit_remark r = {
            .rule = d->rule,
            .severity = d->severity,
            .message = plumb_arena_strdup(w->keep, d->message),
        };

        if (plumb_span_known(d->at)) {
            struct plumb_place p = plumb_source_place(&s->sources, d->at);

            r.file = file_of[d->at.file];
            r.line = p.line;
            r.column = p.column;
        }
        out->remarks = plumb_arena_grow(w->keep, out->remarks, out->remark_count, &out->remark_cap,
                                        sizeof(*out->remarks));
        out->remarks[out->remark_count++] = r;
    }
}

static void keep_record(struct worker *w, const struct plumb_session *s, const uint32_t *file_of,
                        const struct plumb_audit_record *made, struct plumb_audit_machine *m)
{
    struct plumb_audit_record *r = PLUMB_NEW(w->keep, struct plumb_audit_record);

    r->incomplete = made->incomplete || s->sink.incomplete;
    r->holds = made->holds && !r->incomplete;
    r->fact_count = r->fact_cap = made->fact_count;
    r->facts = PLUMB_NEW_ARRAY(w->keep, made->fact_count, struct plumb_audit_fact);
    for (size_t i = 0; i < made->fact_count; i++) {
        r->facts[i] = made->facts[i];
        r->facts[i].subject = plumb_intern_str(w->names, made->facts[i].subject);
        r->facts[i].value = plumb_intern_str(w->names, made->facts[i].value);
    }
    keep_remarks(w, s, file_of, r);
    m->record = r;
}

static void add_source(struct plumb_arena *a, struct plumb_audit_record *r, const char *what)
{
    if (plumb_audit_find(r, PLUMB_AUDIT_SOURCE, what) == NULL)
        plumb_audit_fact_add(a, r, (struct plumb_audit_fact){PLUMB_AUDIT_SOURCE, 0, 0, what, ""});
}

/* What the captures of the machine were, for those that lack some. */
static void tell_sources(struct plumb_arena *a, const struct plumb_capture_group *g,
                         struct plumb_audit_record *out)
{
    if (g->hwloc != NULL)
        add_source(a, out, "hwloc");
    if (g->smi != NULL)
        add_source(a, out, "nvidia-smi topo -m");
    for (size_t i = 0; i < g->peer_count; i++)
        add_source(a, out,
                   plumb_arena_printf(a, "nvidia-smi topo -p2p%s%s",
                                      g->peers[i].kind != NULL ? " " : "",
                                      g->peers[i].kind != NULL ? g->peers[i].kind : ""));
    if (g->list != NULL)
        add_source(a, out, "nvidia-smi -L");
    if (g->query != NULL)
        add_source(a, out, "nvidia-smi -q -x");
    if (g->slurmd != NULL)
        add_source(a, out, "slurmd -C");
    if (g->gres != NULL)
        add_source(a, out, "slurmd -G");
    if (g->kube_node_count > 0)
        add_source(a, out, "Kubernetes Node");
}

static void add_input(struct plumb_run *r, const struct plumb_audit_machine *m, size_t file,
                      struct plumb_source *src)
{
    struct plumb_arena *a = r->session->arena;
    struct plumb_input in = {
        .path = plumb_path_join(a, m->folder, m->files[file]),
        .shown = src->path,
        .group = "the machine",
        .src = src,
    };

    plumb_sniff(&in);
    r->inputs = plumb_arena_grow(a, r->inputs, r->input_count, &r->input_cap, sizeof(*r->inputs));
    r->inputs[r->input_count++] = in;
}

static void bind(struct worker *w, struct plumb_run *r, const uint32_t *file_of,
                 struct plumb_audit_record *out)
{
    struct plumb_model *model = PLUMB_NEW(w->once, struct plumb_model);

    model->release = w->round->audit->release;
    model->all_nodes = PLUMB_NEW(w->once, struct plumb_hostlist);
    r->model = model;
    r->session->sink.release = model->release;
    plumb_pass_read_captures(r);
    plumb_arena_reset(w->scratch);
    if (r->session->sink.incomplete)
        return; /* half of a file shows half a machine */
    plumb_pass_bind_hardware(r);
    if (model->hardware_count == 0)
        return;
    out->holds = true;
    tell_sources(w->once, r->captures->groups[0], out);
    plumb_audit_facts(r->session, model->hardware[0], file_of, out);
}

static void read_machine(struct worker *w, struct plumb_audit_machine *m)
{
    struct plumb_session s;
    struct plumb_run r = {.session = &s, .forced_release = w->round->audit->release};
    struct plumb_audit_record made = {0};
    uint32_t *file_of = PLUMB_NEW_ARRAY(w->once, m->file_count + 1, uint32_t);

    plumb_session_init(&s, w->once, w->scratch);

    const struct plumb_source *const *src = load(w, &s.sources, m);

    for (size_t i = 0; i < m->file_count; i++) {
        if (src[i] == NULL) {
            plumb_diag_new(&s.sink, &plumb_fleet_rows[PLUMB_FLEET_NOTHING], (struct plumb_span){0},
                           "'%s' cannot be read", label_of(w->once, m, i));
            made.incomplete = true;
            continue;
        }
        file_of[src[i]->id] = (uint32_t)i + 1;
        if (plumb_ibstat_sniff(src[i]->bytes, src[i]->len)) {
            plumb_audit_ports(&s, plumb_ibstat_read(&s, src[i]), file_of, &made);
            add_source(w->once, &made, "ibstat");
            made.holds = true;
        } else {
            add_input(&r, m, i, plumb_source_get(&s.sources, src[i]->id));
        }
    }
    bind(w, &r, file_of, &made);
    if (!made.holds && s.sink.count == 0)
        plumb_diag_new(&s.sink, &plumb_fleet_rows[PLUMB_FLEET_NOTHING], (struct plumb_span){0},
                       "there is no capture, expected hwloc XML, output of nvidia-smi, of "
                       "'slurmd -C' or '-G', of ibstat, or a Kubernetes Node");
    made.incomplete = made.incomplete || !made.holds;
    plumb_audit_facts_sort(&made);
    keep_record(w, &s, file_of, &made, m);
}

/* False: memory is out. */
static bool open_worker(struct worker *w, struct round *r)
{
    struct plumb_audit *a = r->audit;

    *w = (struct worker){.round = r};
    w->once = plumb_arena_new(&w->out_of_memory);
    w->scratch = plumb_arena_new(&w->out_of_memory);
    w->keep = plumb_arena_new(&w->out_of_memory);
    if (w->keep != NULL)
        a->kept[a->kept_count++] = w->keep;
    if (w->once == NULL || w->scratch == NULL || w->keep == NULL || setjmp(w->out_of_memory) != 0)
        return false;
    plumb_arena_expect(w->once, ARENA_BYTES);
    w->seen = plumb_map_in(w->keep);
    w->names = plumb_intern_new(w->keep);
    return true;
}

static void close_worker(struct plumb_audit *a, struct worker *w)
{
    if (w->started)
        (void)pthread_join(w->thread, NULL);
    a->out_of_memory = a->out_of_memory || w->exhausted;
    plumb_arena_free(w->once);
    plumb_arena_free(w->scratch);
}

/* Does the work for all items. A thread that cannot be started leaves its share to the others. */
static void run_round(struct round *r, unsigned threads)
{
    struct plumb_audit *a = r->audit;
    unsigned count = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
    struct worker *workers = NULL;

    if (count > r->count)
        count = r->count == 0 ? 1 : (unsigned)r->count;
    workers = PLUMB_NEW_ARRAY(a->session->arena, count, struct worker);
    a->kept = plumb_arena_reserve(a->session->arena, a->kept, a->kept_count, &a->kept_cap,
                                  sizeof(*a->kept), count);
    (void)pthread_mutex_init(&r->lock, NULL);
    for (unsigned i = 0; i < count; i++) {
        struct worker *w = &workers[i];

        if (!open_worker(w, r))
            w->exhausted = true;
        else if (i + 1 < count)
            w->started = pthread_create(&w->thread, NULL, run_worker, w) == 0;
    }
    if (!workers[count - 1].exhausted)
        (void)run_worker(&workers[count - 1]); /* this thread is one of them */
    for (unsigned i = 0; i < count; i++)
        close_worker(a, &workers[i]);
    (void)pthread_mutex_destroy(&r->lock);
}

static int by_name(const void *x, const void *y)
{
    const struct plumb_audit_machine *const *a = x, *const *b = y;
    int order = strcmp((*a)->name, (*b)->name);

    return order != 0 ? order : strcmp((*a)->shown, (*b)->shown);
}

void plumb_audit_sort(struct plumb_audit *a)
{
    if (a->machine_count > 1)
        qsort(a->machines, a->machine_count, sizeof(struct plumb_audit_machine *), by_name);
}

void plumb_audit_read(struct plumb_audit *a, unsigned threads)
{
    struct plumb_arena *arena = a->session->arena;
    struct plumb_map first = plumb_map_in(arena);
    struct round hash = {.audit = a, .work = hash_machine},
                 read = {.audit = a, .work = read_machine};

    xmlInitParser(); /* before there are threads */
    plumb_audit_sort(a);
    hash.items = a->machines;
    hash.count = a->machine_count;
    run_round(&hash, threads);
    if (a->out_of_memory)
        return;
    read.items = PLUMB_NEW_ARRAY(arena, a->machine_count, struct plumb_audit_machine *);
    for (size_t i = 0; i < a->machine_count; i++) {
        struct plumb_map_entry *e =
            plumb_map_entry(&first, (const char *)a->machines[i]->key, sizeof(a->machines[i]->key));

        if (e->value == NULL)
            e->value = read.items[read.count++] = a->machines[i];
    }
    run_round(&read, threads);
    for (size_t i = 0; !a->out_of_memory && i < a->machine_count; i++) {
        const struct plumb_audit_machine *m =
            plumb_map_find(&first, (const char *)a->machines[i]->key, sizeof(a->machines[i]->key))
                ->value;

        a->machines[i]->record = m->record;
    }
}

void plumb_audit_close(struct plumb_audit *a)
{
    for (size_t i = 0; i < a->kept_count; i++)
        plumb_arena_free(a->kept[i]);
    a->kept_count = 0;
}
