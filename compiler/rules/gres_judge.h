/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict on one GRES of one node line (src/interfaces/gres.c, gres_gpu.c: what slurmd makes of
 * Gres= and gres.conf). gres_judge.c looks at the lines on their own and at captures,
 * gres_compare.c at what is declared and given.
 */
#ifndef PLUMB_RULES_GRES_JUDGE_H
#define PLUMB_RULES_GRES_JUDGE_H

#include "rules/gres_merge.h"

/* In this order: the first that holds is what a daemon meets first. */
enum plumb_gres_verdict {
    PLUMB_V_FINE,
    PLUMB_V_MIXED_FILES,
    PLUMB_V_MIXED_TYPES,
    PLUMB_V_DUPLICATE,
    PLUMB_V_FILE_TWICE,
    PLUMB_V_BEYOND, /* more files than the captured machine has devices */
    PLUMB_V_CLOUD,
    PLUMB_V_PRODUCT,
    PLUMB_V_FILELESS,
    PLUMB_V_NONE,
    PLUMB_V_TYPE,
    PLUMB_V_FEWER,
    PLUMB_V_MORE,
    PLUMB_V_UNTYPED,
    PLUMB_V_NOT_WANTED,
    PLUMB_V_SHARED_FEWER,
};

struct plumb_gres_found {
    enum plumb_gres_verdict verdict;
    struct plumb_span at, second;
    const char *type; /* what the message names */
    uint64_t a, b;
    bool warned; /* slurmd says something, whatever the verdict */
};

/* One GRES of one view. */
struct plumb_gres_subject {
    const struct plumb_check *ck;
    const struct plumb_gres_view *view;
    const struct plumb_gres_merge *merge;
    const char *gres;
    bool gpu, detects;
};

/* A view that has a fault in what is declared and given of a GRES. */
struct plumb_gres_faulty {
    const struct plumb_gres_view *view;
    const char *gres;
    struct plumb_gres_found found;
};

struct plumb_gres_verdicts {
    struct plumb_gres_faulty *items; /* in the order of the views */
    size_t count, cap;
};

/* What is wrong at all, made once for every rule that asks. */
const struct plumb_gres_verdicts *plumb_gres_judged(const struct plumb_check *ck);

/* Declared against given; f->verdict is set where they differ. */
void plumb_gres_compare(const struct plumb_gres_subject *s, struct plumb_gres_found *f);
void plumb_gres_compare_shared(const struct plumb_gres_subject *s, struct plumb_gres_found *f);

/* The place of a key of a line, or of the line. */
struct plumb_span plumb_gres_line_place(const struct plumb_gres_line *line, enum plumb_param_id id);

/* A File that could not be read; a line with any. */
bool plumb_gres_file_bad(const struct plumb_gres_line *line);
bool plumb_gres_has_file(const struct plumb_gres_line *line);

/* Nothing can be counted: the lines' own files or counts, or which lines are the node's. */
bool plumb_gres_uncounted(const struct plumb_gres_subject *s);

/* The next line of the GRES from index i on; NULL: none. */
const struct plumb_gres_line *plumb_gres_next_line(const struct plumb_gres_subject *s, size_t *i);

/* The declared items of the GRES: how many, and whether all are of one form. */
uint64_t plumb_gres_declared(const struct plumb_gres_subject *s, bool *typed, bool *untyped,
                             const struct plumb_gres_item **first);

/* Devices of a type (NULL: of any) that the lines of the view give; *first is the first line. */
uint64_t plumb_gres_given(const struct plumb_gres_subject *s, const char *type, bool only_untyped,
                          const struct plumb_gres_line **first);

/* A line turns the detection off; slurmctld minds such a line beside Name= too. */
bool plumb_autodetect_off(const struct plumb_gres_view *v);

#endif
