/* SPDX-License-Identifier: Apache-2.0 */
/* Reading YAML into a tree against libyaml's events alone, on 100,000 lines. Prints the ratio. */
#include <string.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/session.h"
#include "bench.h"
#include "syntax/yaml.h"

enum { LINES = 100000, LINES_OF_CLASS = 10 };

struct input {
    const char *text;
    size_t len;
};

/* The shapes that a specification has: nesting, units, flow collections, quotes, comments. */
static void add_class(struct plumb_buf *b, unsigned i, const char *word)
{
    plumb_buf_printf(b, "  class-%05u:  # %s\n", i, word);
    plumb_buf_printf(b, "    hosts: gpu-%u-[001-064]\n", i);
    plumb_buf_str(b, "    topology: captures/h100\n    memory: 2000000 MB\n");
    plumb_buf_str(b, "    features: [h100, ib, weka]\n    weight: 100\n");
    plumb_buf_str(b, "    reserve: {cores: [0, 1], memory: 32 GiB}\n    gres:\n");
    plumb_buf_str(b, "      gpu: {type: h100, count: 8}\n");
    plumb_buf_printf(b, "      note: \"rack %u, %s\"\n", i, word);
}

static void read_ours(void *data)
{
    const struct input *in = data;
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;

    plumb_session_init(&s, arena, scratch);

    struct plumb_source src = {.id = 1, .path = "", .bytes = in->text, .len = (uint32_t)in->len};
    struct plumb_yaml *y = plumb_yaml_read(&s, &src);

    if (y->count != 1 || s.sink.count != 0)
        abort();
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
}

static void read_events(void *data)
{
    const struct input *in = data;
    yaml_parser_t parser;
    yaml_event_t event;
    bool end = false;

    if (!yaml_parser_initialize(&parser))
        abort();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)in->text, in->len);
    while (!end) {
        if (!yaml_parser_parse(&parser, &event))
            abort();
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

static double measure(const char *name, const char *word)
{
    struct plumb_arena *arena = plumb_arena_new(NULL);
    struct plumb_buf b = plumb_buf_in(arena);

    plumb_buf_str(&b, "plumb: 1\nnodes:\n");
    for (unsigned i = 0; i < LINES / LINES_OF_CLASS; i++)
        add_class(&b, i, word);

    struct input in = {plumb_buf_text(&b), b.len};
    double ratio = bench_ratio(name, read_ours, read_events, &in);

    plumb_arena_free(arena);
    return ratio;
}

int main(void)
{
    double ascii = measure("YAML, 100,000 lines", "north");
    double other = measure("YAML, 100,000 lines with umlauts", "n\xc3\xb6rdlich");

    printf("%.3f\n", ascii > other ? ascii : other);
    return 0;
}
