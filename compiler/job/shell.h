/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shell text as tokens: as much of sh(1) and bash(1) as it takes to find the simple commands of
 * a script. What only the shell can tell (a variable, the output of a command, a pattern) makes
 * a word unknown.
 */
#ifndef PLUMB_JOB_SHELL_H
#define PLUMB_JOB_SHELL_H

#include "job/words.h"

enum plumb_job_token {
    PLUMB_JOB_WORD,
    PLUMB_JOB_SEPARATOR,  /* ends a simple command */
    PLUMB_JOB_BACKGROUND, /* "&": ends one, and the shell goes on at once */
    PLUMB_JOB_PIPE,       /* "|": ends one, and the next runs beside it */
    PLUMB_JOB_NEWLINE,    /* ends a simple command and a line */
    PLUMB_JOB_REDIRECT,   /* the next word is a file */
    PLUMB_JOB_HEREDOC,    /* the next word ends a text that follows this line */
    PLUMB_JOB_END,
};

/* Text of commands inside a word: $(...) or `...`. */
struct plumb_shell_range {
    uint32_t begin, end;
};

struct plumb_shell {
    struct plumb_session *session;
    const struct plumb_source *src;
    uint32_t at, end;
    bool tabs;                       /* of the last here-document: "<<-" takes tabs away */
    bool expanded;                   /* the text is what another shell makes of it */
    struct plumb_shell_range *inner; /* in the order of writing */
    size_t inner_count, inner_cap;
};

/* The next token. Never fails: what cannot be read is a word. */
enum plumb_job_token plumb_shell_token(struct plumb_shell *sh, struct plumb_job_word *out);

/* Goes behind the line that is this word alone: the end of a here-document. The end of its text. */
uint32_t plumb_shell_skip_heredoc(struct plumb_shell *sh, const struct plumb_slice *word,
                                  bool tabs);

#endif
