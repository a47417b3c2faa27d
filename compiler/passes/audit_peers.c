/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer access between GPUs (nvidia-smi topo -p2p) against that of the norm. What follows from links
 * that are others is not told, and kinds of access that differ in the same way are one difference.
 */
#include <string.h>

#include "passes/audit_table.h"

enum { MOST_KINDS = 8 }; /* r, w, rw, n, a, p, and a capture that does not tell */

/* Kinds of access of which the same pairs differ in the same way. */
struct alike {
    struct plumb_audit_table table;
    const char *words; /* "read and write" */
    const char *key;   /* the open pairs with both states */
};

/* Rows of one kind of access, which stand together; its letters in front of a blank. */
static const struct plumb_audit_fact *rows_of(const struct plumb_audit_record *r, const char *kind,
                                              size_t len, size_t *count)
{
    size_t all = 0, first = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(r, PLUMB_AUDIT_PEERS, &all);

    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (strncmp(f[i].subject, kind, len) != 0 || f[i].subject[len] != ' ')
            continue;
        first = *count == 0 ? i : first;
        (*count)++;
    }
    return *count == 0 ? NULL : &f[first];
}

/* Both ways of a pair as one text. */
static const char *both_ways(struct plumb_arena *a, const char *there, const char *back)
{
    return strcmp(there, back) == 0 ? there
                                    : plumb_arena_printf(a, "%s one way, %s back", there, back);
}

static bool is_unknown(const char *status)
{
    return strcmp(status, "U") == 0;
}

static size_t mark(const struct plumb_audit_pair *p, struct plumb_audit_table *t,
                   const struct plumb_audit_table *links)
{
    struct plumb_arena *a = p->audit->session->scratch;
    size_t count = 0;

    for (size_t i = 0; i < t->side; i++) {
        for (size_t k = i + 1; k < t->side; k++) {
            size_t at = i * t->side + k, back = k * t->side + i;
            bool unknown = is_unknown(t->own[at]) || is_unknown(t->own[back]) ||
                           is_unknown(t->norm[at]) || is_unknown(t->norm[back]);

            t->own[at] = both_ways(a, t->own[at], t->own[back]);
            t->norm[at] = both_ways(a, t->norm[at], t->norm[back]);
            t->open[at] = !unknown && strcmp(t->own[at], t->norm[at]) != 0 &&
                          (links->side != t->side || !links->open[at]);
            count += t->open[at];
        }
    }
    return count;
}

static const char *key_of(struct plumb_arena *a, const struct plumb_audit_table *t)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < t->side * t->side; i++) {
        if (t->open[i])
            plumb_buf_printf(&b, "%zu %s/%s;", i, t->own[i], t->norm[i]);
    }
    return plumb_buf_text(&b);
}

/* A kind of access: with those that differ in the same way, or by itself. */
static size_t join(struct plumb_arena *a, struct alike *all, size_t count,
                   const struct plumb_audit_table *t, const char *kind)
{
    struct plumb_hw_peers named = {.kind = kind};
    const char *words =
        strcmp(kind, "?") == 0 ? "of a kind that is not told" : plumb_hardware_peer_words(&named);
    const char *key = key_of(a, t);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].key, key) == 0) {
            all[i].words = plumb_arena_printf(a, "%s, %s", all[i].words, words);
            return count;
        }
    }
    if (count < MOST_KINDS)
        all[count++] = (struct alike){*t, words, key};
    return count;
}

/* Access that the norm does not have is no loss. */
static bool is_less(const char *own)
{
    return strcmp(own, "OK") != 0;
}

static const char *gpu_of(const struct plumb_audit_fact *row)
{
    return strchr(row->subject, ' ') + 1;
}

static void tell(const struct plumb_audit_pair *p, struct alike *x)
{
    struct plumb_audit_table *t = &x->table;

    if (t->side > 2 && plumb_audit_all_alike(t)) {
        plumb_audit_differ(p, PLUMB_FLEET_PEERS, is_less(t->own[1]), t->own_rows, t->norm_rows,
                           "peer access (%s) of all GPUs to each other is '%s', on the norm '%s'",
                           x->words, t->own[1], t->norm[1]);
        return;
    }
    for (size_t i = 0; t->side > 2 && i < t->side; i++) {
        size_t at = plumb_audit_cell(t, i, i == 0 ? 1 : 0);

        if (!plumb_audit_row_alike(t, i))
            continue;
        plumb_audit_differ(p, PLUMB_FLEET_PEERS, is_less(t->own[at]), &t->own_rows[i],
                           &t->norm_rows[i],
                           "peer access (%s) between GPU %s and every other is '%s', on the norm "
                           "'%s'",
                           x->words, gpu_of(&t->own_rows[i]), t->own[at], t->norm[at]);
        plumb_audit_close_row(t, i);
    }
    for (size_t i = 0; i < t->side; i++) {
        for (size_t k = i + 1; k < t->side; k++) {
            size_t at = plumb_audit_cell(t, i, k);

            if (t->open[at])
                plumb_audit_differ(p, PLUMB_FLEET_PEERS, is_less(t->own[at]), &t->own_rows[i],
                                   &t->norm_rows[i],
                                   "peer access (%s) between GPUs %s and %s is '%s', on the norm "
                                   "'%s'",
                                   x->words, gpu_of(&t->own_rows[i]), gpu_of(&t->own_rows[k]),
                                   t->own[at], t->norm[at]);
        }
    }
}

void plumb_audit_compare_peers(const struct plumb_audit_pair *p)
{
    struct plumb_arena *a = p->audit->session->scratch;
    struct plumb_audit_table links = {0}, t;
    struct alike all[MOST_KINDS];
    size_t rows = 0, count = 0, own = 0, norm = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(p->odd->record, PLUMB_AUDIT_PEERS, &rows);

    (void)plumb_audit_open_links(p, &links);
    for (size_t i = 0; i < rows; i += own) {
        size_t len = strcspn(f[i].subject, " ");
        const struct plumb_audit_fact *x = rows_of(p->odd->record, f[i].subject, len, &own);
        const struct plumb_audit_fact *y = rows_of(p->norm->record, f[i].subject, len, &norm);

        if (plumb_audit_table(a, x, own, y, norm, &t) && mark(p, &t, &links) > 0)
            count = join(a, all, count, &t, plumb_arena_strndup(a, f[i].subject, len));
    }
    for (size_t i = 0; i < count; i++)
        tell(p, &all[i]);
    plumb_arena_reset(a);
}
