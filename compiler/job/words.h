/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a script, with the place of each letter. */
#ifndef PLUMB_JOB_WORDS_H
#define PLUMB_JOB_WORDS_H

#include "job/job.h"

/* A word that grows: its bytes, and where each came from. */
struct plumb_job_cut {
    struct plumb_arena *arena;
    char *text;
    uint32_t *map;
    uint32_t len, cap, begin;
    uint32_t file;
};
struct plumb_job_cut plumb_job_cut_begin(struct plumb_session *s, const struct plumb_source *src,
                                         uint32_t at);
void plumb_job_cut_add(struct plumb_job_cut *c, char letter, uint32_t at);
struct plumb_slice plumb_job_cut_end(struct plumb_job_cut *c, uint32_t end);

/*
 * The next word of a directive from *at on, up to end (sbatch/opt.c:get_argument). False at
 * the end. *open: a quote was not closed; the word is what was read so far.
 */
bool plumb_job_directive_word(struct plumb_session *s, const struct plumb_source *src, uint32_t *at,
                              uint32_t end, struct plumb_job_word *out, bool *open);

void plumb_job_words_add(struct plumb_arena *a, struct plumb_job_words *w,
                         const struct plumb_job_word *word);

#endif
