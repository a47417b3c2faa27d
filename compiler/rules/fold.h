/* SPDX-License-Identifier: Apache-2.0 */
/* One fault on many lines: collected by a key, reported once with all hosts. */
#ifndef PLUMB_RULES_FOLD_H
#define PLUMB_RULES_FOLD_H

#include "rules/check.h"

struct plumb_fold_item {
    const char *key;
    const char *alike;            /* faults of this text are one when there are many; NULL: none */
    struct plumb_span at, second; /* of the first line */
    struct plumb_hostlist *hosts; /* NULL: none known */
    const void *what;             /* of the first line */
    uint64_t a, b;                /* numbers of the first line */
};
struct plumb_fold {
    struct plumb_map map; /* key -> struct plumb_fold_item */
    struct plumb_arena *arena;
};
struct plumb_fold plumb_fold_in(const struct plumb_check *ck);
struct plumb_fold_item *plumb_fold_add(struct plumb_fold *f, const char *key, struct plumb_span at,
                                       const struct plumb_hostlist *hosts);
/* Faults that are one when these numbers are the same; their key is no text. */
struct plumb_fold_item *plumb_fold_numbers(struct plumb_fold *f, const uint64_t *numbers,
                                           size_t count, struct plumb_span at,
                                           const struct plumb_hostlist *hosts);
/* Faults that are one when they stand at one place: of a DEFAULT line, of a line of many nodes. */
struct plumb_fold_item *plumb_fold_at(struct plumb_fold *f, struct plumb_span at,
                                      const struct plumb_hostlist *hosts);
/* Whether the place was noted before; it is from now on. */
bool plumb_fold_seen(struct plumb_fold *f, struct plumb_span at);
/* The same fold, or one item per text of alike when there are more items than anyone reads. */
struct plumb_fold plumb_fold_squeeze(const struct plumb_check *ck, const struct plumb_fold *f);
/* "gpu-[001-064]", in the session arena; the object of the finding. */
const char *plumb_fold_hosts(const struct plumb_check *ck, const struct plumb_hostlist *hosts);
void plumb_fold_object(const struct plumb_check *ck, struct plumb_diag *d,
                       const struct plumb_hostlist *hosts);

/*
 * Faults with two numbers: the same numbers are one fault. The second place is that of the second
 * number.
 */
struct plumb_fold_item *plumb_fold_pair(struct plumb_fold *f, const struct plumb_hostlist *hosts,
                                        struct plumb_u64 first, struct plumb_u64 second);

/* One finding each, in the outcome of the rule; note is for the second place, may be NULL. */
typedef const char *(*plumb_fold_words)(const struct plumb_check *, const struct plumb_fold_item *);
void plumb_fold_tell(const struct plumb_check *ck, const struct plumb_fold *faults,
                     const char *note, plumb_fold_words words);

#endif
