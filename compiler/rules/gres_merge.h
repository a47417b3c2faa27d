/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What slurmd makes of Gres= and its lines of gres.conf before any plugin looks at them: which
 * lines it keeps, how much of each, and what it only warns of. src/interfaces/gres.c:_merge_gres2,
 * _check_conf_mismatch.
 */
#ifndef PLUMB_RULES_GRES_MERGE_H
#define PLUMB_RULES_GRES_MERGE_H

#include "rules/gres_view.h"

/* A line of gres.conf that slurmd keeps for one GRES. */
struct plumb_gres_kept {
    const struct plumb_gres_line *line;
    uint64_t count;                     /* of the line, or what was left to be had */
    const struct plumb_hostlist *files; /* the first ones; NULL: the line has no File */
};

struct plumb_gres_merge {
    struct plumb_gres_kept *kept; /* in the order of slurmd's list */
    size_t count;
    bool fileless;                       /* declared, and nothing with a File was found for it */
    const struct plumb_gres_line *extra; /* the first line that slurmd warns of; NULL */
    uint64_t extra_count;                /* how many of it are too many */
};

/* Lines of one GRES, by its name without case, against what the nodes of the view declare. */
struct plumb_gres_merge plumb_gres_merged(const struct plumb_check *ck,
                                          const struct plumb_gres_view *v, const char *gres);

/* Some line with files for GPUs is kept. */
bool plumb_gres_gives_gpu(const struct plumb_check *ck, const struct plumb_gres_view *v);

/* Some node of the view has a second line, which is reported: nobody knows which one counts. */
bool plumb_gres_ambiguous(const struct plumb_check *ck, const struct plumb_gres_view *v);

/* A device file that slurmd keeps twice. */
struct plumb_gres_twice {
    struct plumb_span at, first;
    const char *files; /* "/dev/nvidia[0-1]" */
};
bool plumb_gres_file_twice(const struct plumb_check *ck, const struct plumb_gres_merge *m,
                           struct plumb_gres_twice *out);

#endif
