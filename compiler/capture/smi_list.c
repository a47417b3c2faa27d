/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `nvidia-smi -L`: "GPU 0: NAME (UUID: GPU-...)", MIG devices below their GPU. Other lines are the
 * shell's or the driver's and say nothing about GPUs.
 */
#include "base/limits.h"
#include "base/num.h"
#include "capture/lines.h"
#include "capture/rules.h"
#include "capture/smi_gpus.h"

struct list_reader {
    struct plumb_session *s;
    struct plumb_smi_gpus *out;
    size_t faults;
};

static void fault(struct list_reader *rd, struct plumb_span at, const char *found,
                  const char *expected)
{
    rd->faults++;
    plumb_hw_report(rd->s, PLUMB_HW_SMI_LIST, at, "%s, expected %s", found, expected);
}

/* Where "(UUID:" of a line begins, its last one; the length of the line when there is none. */
static size_t uuid_begin(const struct plumb_capture_line *line)
{
    static const char word[] = "(UUID:";
    size_t len = sizeof(word) - 1;

    for (size_t i = line->len; i >= len; i--) {
        if (memcmp(line->text + i - len, word, len) == 0)
            return i - len;
    }
    return line->len;
}

/* "GPU 12:" or "Device  0:" from a place on: how long it is with its colon; 0: it is none. */
static size_t read_head(const struct plumb_capture_line *line, size_t from, const char *word,
                        uint64_t *index)
{
    size_t at = from, len = strlen(word), digits = 0;

    if (line->len - from < len || memcmp(line->text + from, word, len) != 0)
        return 0;
    for (at += len; at < line->len && line->text[at] == ' ';)
        at++;
    digits = plumb_read_digits(line->text + at, line->len - at, index);
    if (digits == 0 || digits == SIZE_MAX || at + digits >= line->len ||
        line->text[at + digits] != ':')
        return 0;
    return at + digits + 1 - from;
}

/* Name and uuid behind the colon; false when the line is cut. */
static bool read_rest(struct list_reader *rd, const struct plumb_capture_line *line, size_t from,
                      struct plumb_slice *name, struct plumb_slice *uuid)
{
    size_t begin = uuid_begin(line);

    if (begin >= line->len || begin < from || line->text[line->len - 1] != ')')
        return false;
    *name = plumb_line_part(rd->s->arena, rd->out->src, line, from, begin);
    *uuid = plumb_line_part(rd->s->arena, rd->out->src, line, begin + 6, line->len - 1);
    return uuid->len > 0;
}

static void read_gpu(struct list_reader *rd, const struct plumb_capture_line *line)
{
    struct plumb_smi_gpus *l = rd->out;
    struct plumb_smi_gpu gpu = {.minor = PLUMB_NO(minor), .at = plumb_line_span(l->src, line)};
    uint64_t index = 0;
    size_t head = read_head(line, 0, "GPU", &index);

    if (head == 0 || !read_rest(rd, line, head, &gpu.name, &gpu.uuid) || gpu.name.len == 0) {
        fault(rd, gpu.at, "this line of 'nvidia-smi -L' is damaged",
              "one such as 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-...)'");
        return;
    }
    if (index != l->count) {
        fault(rd, gpu.at,
              plumb_arena_printf(rd->s->arena, "GPU %llu stands at the place of GPU %zu",
                                 (unsigned long long)index, l->count),
              "all GPUs in order");
        return;
    }
    if (l->count >= PLUMB_MAX_GPUS)
        return;
    l->items = plumb_arena_grow(rd->s->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count++] = gpu;
}

static void read_mig(struct list_reader *rd, const struct plumb_capture_line *line)
{
    struct plumb_smi_gpus *l = rd->out;
    struct plumb_smi_mig mig = {.at = plumb_line_span(l->src, line)};
    struct plumb_slice nothing;
    uint64_t index = 0;
    size_t from = 4, to = 0, head = 0;

    while (from < line->len && line->text[from] == ' ')
        from++;
    for (to = from; to < line->len && line->text[to] != ' ';)
        to++;
    mig.profile = plumb_line_part(rd->s->arena, l->src, line, from, to);
    while (to < line->len && line->text[to] == ' ')
        to++;
    head = read_head(line, to, "Device", &index);
    if (head == 0 || mig.profile.len == 0 || !read_rest(rd, line, to + head, &nothing, &mig.uuid)) {
        fault(rd, mig.at, "this line of 'nvidia-smi -L' is damaged",
              "one such as 'MIG 1g.10gb Device 0: (UUID: MIG-...)'");
        return;
    }
    if (l->count == 0) {
        fault(rd, mig.at, "a MIG device stands above all GPUs", "it below its GPU");
        return;
    }

    struct plumb_smi_gpu *gpu = &l->items[l->count - 1];

    gpu->mig_mode = PLUMB_MIG_ON;
    gpu->mig =
        plumb_arena_grow(rd->s->arena, gpu->mig, gpu->mig_count, &gpu->mig_cap, sizeof(*gpu->mig));
    gpu->mig[gpu->mig_count++] = mig;
}

struct plumb_smi_gpus *plumb_smi_list_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct list_reader rd = {.s = s, .out = PLUMB_NEW(s->arena, struct plumb_smi_gpus)};
    struct plumb_capture_line line;
    size_t at = 0;

    rd.out->src = src;
    while (plumb_capture_next(src->bytes, src->len, &at, &line)) {
        if (plumb_line_starts(&line, "GPU "))
            read_gpu(&rd, &line);
        else if (plumb_line_starts(&line, "MIG "))
            read_mig(&rd, &line);
    }
    if (rd.out->count == 0 && rd.faults == 0)
        fault(&rd, (struct plumb_span){src->id, 0, 0}, "'nvidia-smi -L' shows no GPU", "some");
    if (rd.faults == 0)
        return rd.out;
    s->sink.incomplete = true;
    return NULL;
}

bool plumb_smi_list_sniff(const char *text, size_t len)
{
    enum { LOOK_AT = 200 };
    struct plumb_capture_line line;
    size_t at = 0;
    uint64_t index = 0;

    for (int i = 0; i < LOOK_AT && plumb_capture_next(text, len, &at, &line); i++) {
        if (read_head(&line, 0, "GPU", &index) > 0 && uuid_begin(&line) < line.len)
            return true;
    }
    return false;
}
