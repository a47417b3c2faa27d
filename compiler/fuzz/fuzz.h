/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets: a session over the input, and what must hold for every span. */
#ifndef PLUMB_FUZZ_FUZZ_H
#define PLUMB_FUZZ_FUZZ_H

#include <stdlib.h>

#include "base/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_check(bool holds)
{
    if (!holds)
        abort();
}

static inline void fuzz_check_span(const struct plumb_source *src, struct plumb_span at)
{
    fuzz_check(at.file == src->id && at.begin <= at.end && at.end <= src->len);
}

/* Every finding and note points into the file that it names. */
static inline void fuzz_check_findings(const struct plumb_session *s)
{
    for (size_t i = 0; i < s->sink.count; i++) {
        const struct plumb_diag *d = s->sink.items[i];
        const struct plumb_source *src = plumb_source_get(&s->sources, d->at.file);

        fuzz_check(src != NULL);
        fuzz_check_span(src, d->at);
        for (size_t j = 0; j < d->notes.count; j++) {
            src = plumb_source_get(&s->sources, d->notes.items[j].at.file);
            fuzz_check(src != NULL);
            fuzz_check_span(src, d->notes.items[j].at);
        }
    }
}

#endif
