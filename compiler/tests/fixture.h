/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the unit tests: a fresh session per test, and expectations on findings. A test
 * fails when a finding was reported that it did not expect.
 */
#ifndef PLUMB_TESTS_FIXTURE_H
#define PLUMB_TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/session.h"

struct fixture {
    struct plumb_session session;
    struct plumb_arena *arena, *scratch;
    size_t seen; /* findings that were expected so far */
    size_t row;  /* of the table that is being walked */
    const char *row_text;
};

/*
 * A path below the reference material, which is not part of the tree: $PLUMB_SHARED, else the
 * folder "shared" beside the sources. Nothing need be there; tests skip then.
 */
const char *fx_shared(struct plumb_arena *a, const char *below);

/* The next part of *rest up to a mark, cut off there; NULL at the end. */
char *fx_part(char **rest, const char *marks);

int fx_setup(void **state);
int fx_teardown(void **state);

/* Names the row for failure messages, and forgets the findings of the row before. */
void fx_row(struct fixture *fx, size_t row, const char *text);

/* Text as a source of its own, as a slice over all of it. */
struct plumb_source *fx_source(struct fixture *fx, const char *name, const char *text);
struct plumb_slice fx_slice(struct fixture *fx, const char *text);

/* The next finding, in order of reporting, has this code and span (bytes of its file). */
void fx_expect(struct fixture *fx, const char *code, uint32_t begin, uint32_t end);
/* The same by line and column (1-based characters). */
void fx_expect_at(struct fixture *fx, const char *code, uint32_t line, uint32_t column);
void fx_expect_nothing_else(struct fixture *fx);

#endif
