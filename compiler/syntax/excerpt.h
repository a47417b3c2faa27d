/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of the input inside a message. */
#ifndef PLUMB_SYNTAX_EXCERPT_H
#define PLUMB_SYNTAX_EXCERPT_H

#include "base/arena.h"

/* "'text'"; cut with "..." when long, never inside a character; what cannot be shown is '?'. */
const char *plumb_excerpt(struct plumb_arena *a, const char *text, size_t len);

#endif
