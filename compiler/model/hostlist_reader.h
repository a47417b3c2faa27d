/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the reader of host lists: hostlist_read.c (lists, names), hostlist_groups.c (brackets),
 * hostlist_expand.c (what they stand for), hostlist_rules.c (rows of the findings).
 */
#ifndef PLUMB_MODEL_HOSTLIST_READER_H
#define PLUMB_MODEL_HOSTLIST_READER_H

#include "base/session.h"
#include "model/hostlist.h"
#include "schema/trait.h"

enum { PLUMB_HOST_GROUPS = 16 }; /* bracket groups of one name; Slurm itself has no limit */

enum plumb_host_rule {
    PLUMB_HOST_UNBALANCED,
    PLUMB_HOST_BAD_RANGE,
    PLUMB_HOST_REVERSED,
    PLUMB_HOST_RANGE_TOO_LARGE,
    PLUMB_HOST_TOO_MANY,
    PLUMB_HOST_SUFFIX,
    PLUMB_HOST_OPEN_RANGE,
    PLUMB_HOST_SLOPPY_NUMBER,
    PLUMB_HOST_BIG_NUMBER,
    PLUMB_HOST_STRAY_BRACKET,
    PLUMB_HOST_CONTROL,
};

extern const struct plumb_rule plumb_host_rows[]; /* by enum plumb_host_rule */

/* The ranges of one pair of brackets. */
struct plumb_host_group {
    size_t open, close; /* offsets of the brackets */
    struct plumb_host_range *ranges;
    size_t count, cap;
    uint64_t names;
};

struct plumb_host_reader {
    struct plumb_session *s;
    const struct plumb_slice *text;
    enum plumb_release release;
    struct plumb_hostlist *out;
    bool bad;
    bool full; /* too many names: reported once */
};

#define plumb_host_report(rd, rule, begin, end, ...)                                               \
    plumb_diag_new(&(rd)->s->sink, &plumb_host_rows[rule],                                         \
                   plumb_slice_span((rd)->text, begin, end), __VA_ARGS__)

/* Whether the release that is read for has a trait. */
bool plumb_host_trait(const struct plumb_host_reader *rd, enum plumb_trait_id id);

/* Part of the text for a message: hostile lists may be long. */
const char *plumb_host_part(struct plumb_host_reader *rd, size_t begin, size_t end);

/* Reported once; false. */
bool plumb_host_too_many(struct plumb_host_reader *rd, struct plumb_span at);

/* The bracket groups of a name; false when they cannot be read: reported. */
bool plumb_host_find_groups(struct plumb_host_reader *rd, size_t begin, size_t end,
                            struct plumb_host_group *groups, size_t *count);
void plumb_host_read_group(struct plumb_host_reader *rd, struct plumb_host_group *g);

/* One whole name without brackets; false when it is not taken. */
bool plumb_host_push_name(struct plumb_host_reader *rd, const char *name, size_t len,
                          struct plumb_span at);

/* The names of a token, multiplied out; false when they are too many to keep. */
bool plumb_host_count_names(const struct plumb_host_group *groups, size_t count, size_t len);
void plumb_host_expand(struct plumb_host_reader *rd, const struct plumb_host_group *groups,
                       size_t count, size_t begin, size_t end);

#endif
