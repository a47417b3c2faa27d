/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a Slurm file: read, held against the table, lifted, printed, and read back the
 * same. The first byte chooses the kind of file and the release.
 */
#include <stdlib.h>
#include <string.h>

#include "conf/conf.h"
#include "passes/pass.h"

static void fail(void)
{
    abort();
}

static struct plumb_conf *read_bytes(struct plumb_session *s, enum plumb_file file,
                                     const char *bytes, size_t len)
{
    const struct plumb_conf_options options = {
        .directory = "",
        .release = s->sink.release,
        .no_includes = true,
    };

    return plumb_conf_read(s, file, plumb_source_add(&s->sources, "fuzz", bytes, len), &options);
}

static void check_slice(const struct plumb_session *s, const struct plumb_slice *v)
{
    const struct plumb_source *src = plumb_source_get(&s->sources, v->at.file);

    if (src == NULL || v->at.begin > v->at.end || v->at.end > src->len || v->text[v->len] != '\0')
        fail();
    for (uint32_t i = 0; i < v->len; i++) {
        if (src->bytes[plumb_slice_span(v, i, i + 1).begin] != v->text[i])
            fail();
    }
}

static size_t count_pairs(const struct plumb_session *s, const struct plumb_conf *doc)
{
    size_t count = 0;

    for (size_t i = 0; i < doc->count; i++) {
        for (size_t j = 0; j < doc->lines[i].count; j++, count++) {
            check_slice(s, &doc->lines[i].pairs[j].value);
        }
    }
    return count;
}

/* What was read can be written, and holds as many pairs then. */
static void check_round_trip(struct plumb_session *s, const struct plumb_conf *doc)
{
    struct plumb_buf out = plumb_buf_in(s->arena);
    const struct plumb_setting *bad = NULL;

    if (!plumb_conf_write(doc, NULL, 0, &out, NULL, &bad))
        fail();
    if (count_pairs(s, read_bytes(s, doc->file, plumb_buf_text(&out), out.len)) !=
        count_pairs(s, doc))
        fail();
}

static void lift(struct plumb_session *s, struct plumb_conf *doc)
{
    struct plumb_run r = {
        .session = s,
        .forced_release = s->sink.release,
        .facts = PLUMB_FACT_CONF,
    };

    r.conf[doc->file] = doc;
    plumb_pass_check_conf(&r);
    plumb_pass_lift(&r);
    plumb_pass_type_values(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = NULL, *scratch = NULL;
    struct plumb_session s;
    struct plumb_conf *doc = NULL;

    if (size == 0)
        return 0;
    arena = plumb_arena_new(NULL);
    scratch = plumb_arena_new(NULL);
    plumb_session_init(&s, arena, scratch);
    s.sink.release = (enum plumb_release)(data[0] / PLUMB_FILE_COUNT % PLUMB_RELEASE_COUNT);
    (void)plumb_conf_sniff("fuzz", (const char *)data + 1, size - 1);
    doc = read_bytes(&s, (enum plumb_file)(data[0] % PLUMB_FILE_COUNT), (const char *)data + 1,
                     size - 1);
    lift(&s, doc);
    check_round_trip(&s, doc);
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
