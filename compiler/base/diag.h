/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what a reader, the table engine, or a rule has to say about a place in the
 * input. The sink only collects; showing them is the work of emit/render.
 */
#ifndef PLUMB_BASE_DIAG_H
#define PLUMB_BASE_DIAG_H

#include "base/arena.h"
#include "base/rule.h"
#include "base/span.h"

struct plumb_label {
    struct plumb_span at;
    const char *text;
};

struct plumb_edit {
    struct plumb_span at;
    bool safe;        /* keeps the meaning that the author must have had */
    const char *text; /* what to put there */
    uint32_t *again;  /* where what is at begins in the same file once more, to be edited alike */
    size_t again_count, again_cap;
};

/* Growing lists of a finding, all in the session arena. */
struct plumb_label_list {
    struct plumb_label *items;
    size_t count, cap;
};
struct plumb_edit_list {
    struct plumb_edit *items;
    size_t count, cap;
};
struct plumb_string_list {
    const char **items;
    size_t count, cap;
};
void plumb_string_list_add(struct plumb_arena *a, struct plumb_string_list *l, const char *text);

struct plumb_diag {
    const struct plumb_rule *rule;
    struct plumb_sink *sink;
    enum plumb_severity severity;
    enum plumb_effect effect;
    unsigned daemons;
    enum plumb_effect other_effect; /* what the daemons of other_daemons do instead */
    unsigned other_daemons;
    struct plumb_span at;
    const char *message;            /* one sentence part: lower case, no full stop, names in '' */
    size_t fault_len;               /* bytes of it before "; slurmd 24.11 stops"; 0: all of them */
    const char *label;              /* under the primary span; may be NULL */
    struct plumb_label_list notes;  /* second places */
    struct plumb_string_list facts; /* lines without a place: what the daemon does, numbers */
    struct plumb_string_list help;  /* what to type */
    struct plumb_edit_list edits;
    const char *object_kind, *object_name; /* "node" "gpu-[001-064]"; may be NULL */
    uint64_t count;                        /* objects concerned when more than one, else 0 */
    const char *suppressed;                /* the reason, when an ignore entry took it; else NULL */
    bool hidden;                           /* the caller did not ask for this rule */
};

struct plumb_sink {
    struct plumb_arena *arena;
    enum plumb_release release; /* the release that daemons are predicted for */
    struct plumb_diag **items;
    size_t count, cap;
    size_t dropped;             /* beyond PLUMB_MAX_FINDINGS */
    bool incomplete;            /* some input could not be read at all: exit code 3 */
    struct plumb_diag overflow; /* takes what is written to a dropped finding */
};

/*
 * Reports. Severity, effect and daemons start as the row says. Never NULL: every other
 * function here may be called with the result.
 */
struct plumb_diag *plumb_diag_new(struct plumb_sink *sink, const struct plumb_rule *rule,
                                  struct plumb_span at, const char *fmt, ...) PLUMB_PRINTF(4, 5);

/* Beyond PLUMB_MAX_FINDINGS: counted, and what is written to it is lost. */
bool plumb_diag_is_dropped(const struct plumb_diag *d);

void plumb_diag_label(struct plumb_diag *d, const char *fmt, ...) PLUMB_PRINTF(2, 3);
void plumb_diag_note(struct plumb_diag *d, struct plumb_span at, const char *fmt, ...)
    PLUMB_PRINTF(3, 4);
void plumb_diag_fact(struct plumb_diag *d, const char *fmt, ...) PLUMB_PRINTF(2, 3);
void plumb_diag_help(struct plumb_diag *d, const char *fmt, ...) PLUMB_PRINTF(2, 3);
void plumb_diag_edit(struct plumb_diag *d, struct plumb_span at, bool safe, const char *text);
/* The same edit, by its position, of the same text that begins elsewhere in the file. */
void plumb_diag_edit_again(struct plumb_diag *d, size_t edit, uint32_t begin);
/* Room for at most so many such places, of which the caller fills some and adds them to
 * again_count; NULL: the finding is dropped. */
uint32_t *plumb_diag_edit_room(struct plumb_diag *d, size_t edit, size_t count);
void plumb_diag_sort_edits(struct plumb_diag *d); /* the places of each, as they stand */

/* Every place of every edit, by itself. Set *c to 0 first; false at the end. */
struct plumb_edit_cursor {
    size_t edit, again;
};
bool plumb_diag_next_edit(const struct plumb_diag *d, struct plumb_edit_cursor *c,
                          struct plumb_edit *out);
void plumb_diag_object(struct plumb_diag *d, const char *kind, const char *name, uint64_t count);

/*
 * Says what a daemon does, behind the message: "...; slurmd 24.11 stops". Takes the place of what
 * was said of it before. An empty text takes that away.
 */
void plumb_diag_outcome(struct plumb_diag *d, const char *fmt, ...) PLUMB_PRINTF(2, 3);
/* Goes on behind that: ", slurmd complains". */
void plumb_diag_outcome_more(struct plumb_diag *d, const char *fmt, ...) PLUMB_PRINTF(2, 3);

/* What the chosen release does, where it is not what the row says. Severity follows when given. */
void plumb_diag_effect(struct plumb_diag *d, enum plumb_effect effect, unsigned daemons);
/* Daemons besides those, to which the fault does something else: one drains, another complains. */
void plumb_diag_other(struct plumb_diag *d, enum plumb_effect effect, unsigned daemons);
/* What one daemon does about the fault. */
enum plumb_effect plumb_diag_effect_on(const struct plumb_diag *d, enum plumb_daemon daemon);
void plumb_diag_severity(struct plumb_diag *d, enum plumb_severity severity);

/*
 * For qsort over struct plumb_diag *: the order of showing, by file in order of reading, place,
 * code and message; findings without a place come last. 0: the same thing, found on two ways.
 */
int plumb_diag_compare(const void *a, const void *b);

#endif
