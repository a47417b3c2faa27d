/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a Slurm file: read, held against the table, lifted, printed, and read back the
 * same. The first byte chooses the kind of file and the release.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"
#include "passes/pass.h"

static void fail(void)
{
    abort();
}

static struct plumb_conf *read_bytes(struct plumb_session *s, enum plumb_file file,
                                     const char *bytes, size_t len, bool fold)
{
    const struct plumb_conf_options options = {
        .directory = "",
        .release = s->sink.release,
        .no_includes = true,
        .fold_nodes = fold,
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

static void same_text(const struct plumb_source *src, struct plumb_span at, const char *text,
                      size_t len)
{
    if (at.begin > at.end || at.end > src->len || at.end - at.begin != len ||
        memcmp(src->bytes + at.begin, text, len) != 0)
        fail();
}

/* A pair of a repeat stands where it is said to: its text is there, and a key is never folded. */
static void check_repeat(const struct plumb_conf_line *line, size_t repeat, size_t pair)
{
    const struct plumb_setting p = plumb_conf_repeat_pair(line, repeat, pair);
    const struct plumb_source *src = line->repeats->src;
    struct plumb_span inner = p.value.at;

    if (inner.begin < inner.end && src->bytes[inner.begin] == '"') {
        inner.begin++;
        inner.end--;
    }
    same_text(src, inner, p.value.text, p.value.len);
    if (p.key_at.end - p.key_at.begin != strlen(p.key) ||
        !plumb_equal_nocase(src->bytes + p.key_at.begin, p.key, strlen(p.key)))
        fail();
}

/* Folding leaves out no line, and tells the place of every pair. */
static void check_folded(const struct plumb_conf *doc, const struct plumb_conf *folded)
{
    size_t lines = folded->count;

    for (size_t i = 0; i < folded->count; i++) {
        const struct plumb_conf_line *line = &folded->lines[i];

        lines += plumb_conf_repeat_count(line);
        for (size_t k = 0; k < plumb_conf_repeat_count(line) * line->count; k++)
            check_repeat(line, k / line->count, k % line->count);
    }
    if (lines != doc->count)
        fail();
}

/* What was read can be written, and holds as many pairs then. */
static void check_round_trip(struct plumb_session *s, const struct plumb_conf *doc)
{
    struct plumb_buf out = plumb_buf_in(s->arena);
    const struct plumb_setting *bad = NULL;

    if (!plumb_conf_write(doc, NULL, 0, &out, NULL, &bad))
        fail();
    if (count_pairs(s, read_bytes(s, doc->file, plumb_buf_text(&out), out.len, false)) !=
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

/* Files of key=value lines stand before those in YAML. */
enum { KINDS = PLUMB_TOPOLOGY_YAML };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = NULL, *scratch = NULL;
    struct plumb_session s;
    struct plumb_conf *doc = NULL, *folded = NULL;

    if (size == 0)
        return 0;
    arena = plumb_arena_new(NULL);
    scratch = plumb_arena_new(NULL);
    plumb_session_init(&s, arena, scratch);
    s.sink.release = (enum plumb_release)(data[0] / KINDS % PLUMB_RELEASE_COUNT);
    (void)plumb_conf_sniff("fuzz", (const char *)data + 1, size - 1);
    doc =
        read_bytes(&s, (enum plumb_file)(data[0] % KINDS), (const char *)data + 1, size - 1, false);
    folded = read_bytes(&s, doc->file, (const char *)data + 1, size - 1, true);
    check_folded(doc, folded);
    lift(&s, folded);
    s.sink.count = 0;
    lift(&s, doc);
    check_round_trip(&s, doc);
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
