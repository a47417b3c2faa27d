/* SPDX-License-Identifier: Apache-2.0 */
/* Shell words: the one place that knows how to quote for sh. */
#ifndef PLUMB_SYNTAX_SHELL_H
#define PLUMB_SYNTAX_SHELL_H

#include "base/buf.h"

/* Adds text as one word that any POSIX shell reads back as the same bytes. */
void plumb_shell_word(struct plumb_buf *out, const char *text);

/* Adds "NAME=word" and a line break. */
void plumb_shell_assign(struct plumb_buf *out, const char *name, const char *text);

#endif
