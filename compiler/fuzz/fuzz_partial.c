/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as partial audits, two of them divided by a zero byte: merged, compared and shown; and
 * what is written of them reads back as the same.
 */
#include <string.h>

#include "emit/audit.h"
#include "fuzz.h"
#include "passes/audit.h"

enum { LARGEST = 1 << 22 }; /* of what is written: names of one key may be shown many times */

/* Merges texts, and gives what is written of all machines; NULL: too much. */
static const char *merged(struct plumb_arena *arena, struct plumb_arena *scratch,
                          const char *const *texts, const size_t *lens, size_t count, bool show)
{
    struct plumb_session s;
    struct plumb_audit a = {.session = &s, .release = PLUMB_RELEASE_NEWEST};
    struct plumb_buf out = plumb_buf_in(arena), shown = plumb_buf_in(arena);

    plumb_session_init(&s, arena, scratch);
    for (size_t i = 0; i < count; i++) {
        size_t before = a.problems.count;
        bool good =
            plumb_audit_merge_text(&a, "in", plumb_source_add(&s.sources, "in", texts[i], lens[i]));

        fuzz_check(good == (a.problems.count == before));
    }
    plumb_audit_classify(&a);
    plumb_audit_compare(&a);
    plumb_audit_write(&a, &out);
    for (size_t i = 0; i < a.class_count; i++)
        fuzz_check(a.classes[i]->count > 0 && a.classes[i]->norm_of->norm &&
                   strcmp(a.classes[i]->norm_of->product, a.classes[i]->product) == 0);
    if (show) {
        plumb_audit_text(&shown, &a);
        plumb_audit_json(&shown, &a);
        plumb_audit_spec(&shown, &a);
    }
    plumb_audit_close(&a);
    return out.len > LARGEST ? NULL : plumb_buf_text(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    const char *text = (const char *)data, *zero = size == 0 ? NULL : memchr(text, 0, size);
    size_t first = zero == NULL ? size : (size_t)(zero - text);
    const char *texts[2] = {text, zero == NULL ? NULL : zero + 1};
    size_t lens[2] = {first, zero == NULL ? 0 : size - first - 1};
    const char *once =
        merged(arena, scratch, texts, lens, zero == NULL || lens[1] == 0 ? 1 : 2, true);

    if (once != NULL) {
        size_t len = strlen(once);
        const char *again = merged(arena, scratch, &once, &len, 1, false);

        fuzz_check(again != NULL && strcmp(once, again) == 0);
    }
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
