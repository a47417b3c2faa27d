/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a script: those of a directive, as sbatch cuts them, and those of the shell. */
#ifndef PLUMB_JOB_WORDS_H
#define PLUMB_JOB_WORDS_H

#include "job/job.h"

/*
 * The next word of a directive from *at on, up to end (sbatch/opt.c:get_argument). False at
 * the end. *open: a quote was not closed; the word is what was read so far.
 */
bool plumb_job_directive_word(struct plumb_session *s, const struct plumb_source *src, uint32_t *at,
                              uint32_t end, struct plumb_job_word *out, bool *open);

enum plumb_job_token {
    PLUMB_JOB_WORD,
    PLUMB_JOB_SEPARATOR, /* ends a simple command */
    PLUMB_JOB_NEWLINE,   /* ends a simple command and a line */
    PLUMB_JOB_REDIRECT,  /* the next word is a file */
    PLUMB_JOB_HEREDOC,   /* the next word ends a text that follows this line */
    PLUMB_JOB_END,
};

/* The next token of shell text from *at on. Never fails: what cannot be read is a word. */
enum plumb_job_token plumb_job_shell_token(struct plumb_session *s, const struct plumb_source *src,
                                           uint32_t *at, struct plumb_job_word *out);

/* Behind the line that is this word alone, from *at on: the end of a here-document. */
void plumb_job_skip_heredoc(const struct plumb_source *src, uint32_t *at,
                            const struct plumb_slice *word);

void plumb_job_words_add(struct plumb_arena *a, struct plumb_job_words *w,
                         const struct plumb_job_word *word);

#endif
