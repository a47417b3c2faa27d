/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of `slurmd -G`, value by value with spans. Other lines of the log are passed over. */
#include "capture/slurmd_g.h"

#include "base/num.h"
#include "capture/lines.h"
#include "capture/rules.h"

static const char head[] = "Gres Name=";

struct line_reader {
    struct plumb_session *s;
    struct plumb_slurmd_g *out;
    size_t faults;
};

static bool find(const struct plumb_capture_line *line, const char *word, uint32_t *at)
{
    size_t len = strlen(word);

    for (uint32_t i = 0; i + len <= line->len; i++) {
        if (memcmp(line->text + i, word, len) == 0) {
            *at = i;
            return true;
        }
    }
    return false;
}

/* Where the record of a line begins: behind "slurmd: ", "slurmd-n1: " or "[time] ", or at once. */
static bool record_at(const struct plumb_capture_line *line, uint32_t *at)
{
    if (!find(line, head, at))
        return false;
    return *at == 0 || (*at >= 2 && line->text[*at - 1] == ' ' &&
                        (line->text[*at - 2] == ':' || line->text[*at - 2] == ']'));
}

/* "slurmd-n1: ": the name is in front where slurmd was started with -N. */
static void read_host(struct line_reader *rd, const struct plumb_capture_line *line)
{
    static const char prefix[] = "slurmd-";
    uint32_t at = 0, end = 0;

    if (rd->out->host.len > 0 || !find(line, prefix, &at))
        return;
    at += (uint32_t)sizeof(prefix) - 1;
    for (end = at; end < line->len && line->text[end] != ':' && line->text[end] != ' ';)
        end++;
    if (end < line->len && line->text[end] == ':')
        rd->out->host = plumb_line_part(rd->s->arena, rd->out->src, line, at, end);
}

static void report(struct line_reader *rd, struct plumb_span at, const char *key, const char *value)
{
    rd->faults++;
    plumb_hw_report(rd->s, PLUMB_HW_SLURMD_G, at, "%s is '%s', expected a number", key, value);
}

static void read_pair(struct line_reader *rd, struct plumb_slurmd_gres *g, const char *key,
                      struct plumb_slice value)
{
    bool null = strcmp(value.text, "(null)") == 0;

    if (strcmp(key, "Name") == 0)
        g->name = value;
    else if (strcmp(key, "Type") == 0 && !null)
        g->type = value;
    else if (strcmp(key, "File") == 0 && !null)
        g->file = value;
    else if (strcmp(key, "Cores") == 0 && !null)
        g->cores = value;
    else if (strcmp(key, "Links") == 0 && !null)
        g->links = value;
    if (strcmp(key, "Count") != 0)
        return;
    g->count = (struct plumb_u64){.at = value.at, .origin = PLUMB_GIVEN};
    if (!plumb_read_u64(value.text, value.len, &g->count.v)) {
        g->count.origin = PLUMB_BAD;
        report(rd, value.at, key, value.text);
    }
}

static void read_record(struct line_reader *rd, const struct plumb_capture_line *line, uint32_t at)
{
    struct plumb_slurmd_g *out = rd->out;
    struct plumb_slurmd_gres g = {0};

    g.at = (struct plumb_span){out->src->id, line->begin + at, line->begin + line->len};
    for (uint32_t end = at; at < line->len; at = end) {
        uint32_t equals;

        while (at < line->len && plumb_is_blank(line->text[at]))
            at++;
        for (end = at; end < line->len && !plumb_is_blank(line->text[end]);)
            end++;
        for (equals = at; equals < end && line->text[equals] != '=';)
            equals++;
        if (equals < end)
            read_pair(rd, &g, plumb_arena_strndup(rd->s->arena, line->text + at, equals - at),
                      plumb_line_part(rd->s->arena, out->src, line, equals + 1, end));
    }
    if (g.name.len == 0 || g.count.origin == PLUMB_ABSENT) {
        rd->faults++;
        plumb_hw_report(rd->s, PLUMB_HW_SLURMD_G, g.at,
                        "the line has no %s, expected all that 'slurmd -G' prints",
                        g.name.len == 0 ? "Name" : "Count");
        return;
    }
    out->items =
        plumb_arena_grow(rd->s->arena, out->items, out->count, &out->cap, sizeof(*out->items));
    out->items[out->count++] = g;
}

static const struct plumb_rule rows[] = {
    {
        .code = "HW066",
        .name = "slurmd-g-fewer",
        .severity = PLUMB_WARNING,
        .summary = "slurmd holds fewer GPUs than its AutoDetect finds",
        .why = "Either gres.conf and Gres= of the node claim only some of them, and slurmd leaves "
               "the others out, or the end of the output is missing.",
        .ref = "slurmd(8), -G; gres.conf(5), AutoDetect",
        .bad = "# slurmd-G.txt\n"
               "slurmd: gpu/nvml: _get_system_gpu_list_nvml: 2 GPU system device(s) detected\n"
               "slurmd: Gres Name=gpu Type=l4 Count=1 Index=0 ID=7696487 File=/dev/nvidia0",
        .good = "# slurmd-G.txt\n"
                "slurmd: gpu/nvml: _get_system_gpu_list_nvml: 2 GPU system device(s) detected\n"
                "slurmd: Gres Name=gpu Type=l4 Count=1 Index=0 ID=7696487 File=/dev/nvidia0\n"
                "slurmd: Gres Name=gpu Type=l4 Count=1 Index=1 ID=7696487 File=/dev/nvidia1",
    },
};

const struct plumb_rule_family plumb_slurmd_g_rules = {
    .prefix = "HW",
    .title = "Captures: slurmd -G",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};

/* The number that ends where at does, behind a blank; 0: none. */
static uint64_t number_before(const struct plumb_capture_line *line, uint32_t at)
{
    uint32_t end = at, begin = 0;
    uint64_t v = 0;

    while (end > 0 && plumb_is_blank(line->text[end - 1]))
        end--;
    for (begin = end; begin > 0 && plumb_is_digit(line->text[begin - 1]);)
        begin--;
    return begin < end && plumb_read_u64(line->text + begin, end - begin, &v) ? v : 0;
}

/* MIG devices are counted one by one, before and after. */
static void check_count(const struct line_reader *rd)
{
    const struct plumb_slurmd_g *out = rd->out;
    uint64_t held = 0;

    for (size_t i = 0; i < out->count; i++) {
        const struct plumb_slurmd_gres *g = &out->items[i];

        if (strcmp(g->name.text, "gpu") == 0 && __builtin_add_overflow(held, g->count.v, &held))
            return;
    }
    if (!plumb_span_known(out->detected_at) || held >= out->detected)
        return;
    plumb_diag_note(plumb_diag_new(&rd->s->sink, &rows[0], out->detected_at,
                                   "AutoDetect finds %llu GPUs and slurmd holds %llu, expected all",
                                   (unsigned long long)out->detected, (unsigned long long)held),
                    out->items[out->count - 1].at, "the last record");
}

struct plumb_slurmd_g *plumb_slurmd_g_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct line_reader rd = {.s = s, .out = PLUMB_NEW(s->arena, struct plumb_slurmd_g)};
    struct plumb_capture_line line;
    struct plumb_span top = {src->id, 0, 0};
    size_t pos = 0;
    uint32_t at = 0;

    rd.out->src = src;
    while (plumb_capture_next(src->bytes, src->len, &pos, &line)) {
        if (record_at(&line, &at)) {
            read_host(&rd, &line);
            read_record(&rd, &line, at);
        } else if (find(&line, "GPU system device(s) detected", &at)) {
            rd.out->detected_at = plumb_line_span(src, &line);
            rd.out->detected = number_before(&line, at);
        }
    }
    if (rd.out->count == 0 && rd.faults == 0) {
        rd.faults++;
        plumb_hw_report(s, PLUMB_HW_SLURMD_G, top,
                        "no line has 'Gres Name=', expected the output of 'slurmd -G'");
    }
    if (rd.faults == 0) {
        check_count(&rd);
        return rd.out;
    }
    s->sink.incomplete = true;
    return NULL;
}

bool plumb_slurmd_g_sniff(const char *text, size_t len)
{
    enum { LOOK_AT = 50 };
    struct plumb_capture_line line;
    size_t pos = 0;
    uint32_t at = 0, type = 0, count = 0;

    for (int i = 0; i < LOOK_AT && plumb_capture_next(text, len, &pos, &line); i++) {
        if (record_at(&line, &at) && find(&line, " Type=", &type) && find(&line, " Count=", &count))
            return true;
    }
    return false;
}
