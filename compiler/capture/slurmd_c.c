/* SPDX-License-Identifier: Apache-2.0 */
/* The line of `slurmd -C`, value by value with spans. "Found gpu:..." and UpTime say nothing more.
 */
#include "capture/slurmd_c.h"

#include <stddef.h>

#include "base/limits.h"
#include "base/num.h"
#include "capture/lines.h"
#include "capture/rules.h"

static const struct {
    const char *key;
    size_t offset; /* of its value */
    uint64_t max;
} numbers[] = {
    {"CPUs", offsetof(struct plumb_slurmd_c, cpus), PLUMB_MAX_PUS},
    {"Boards", offsetof(struct plumb_slurmd_c, boards), PLUMB_MAX_PUS},
    {"SocketsPerBoard", offsetof(struct plumb_slurmd_c, sockets_per_board), PLUMB_MAX_PUS},
    {"CoresPerSocket", offsetof(struct plumb_slurmd_c, cores_per_socket), PLUMB_MAX_PUS},
    {"ThreadsPerCore", offsetof(struct plumb_slurmd_c, threads_per_core), PLUMB_MAX_PUS},
    {"RealMemory", offsetof(struct plumb_slurmd_c, memory_mib), UINT64_MAX >> 20},
};

struct line_reader {
    struct plumb_session *s;
    struct plumb_slurmd_c *out;
    size_t faults;
};

static struct plumb_u64 *number_at(struct plumb_slurmd_c *c, size_t i)
{
    return (struct plumb_u64 *)(void *)((char *)c + numbers[i].offset);
}

static void read_number(struct line_reader *rd, size_t i, const struct plumb_slice *value)
{
    struct plumb_u64 *out = number_at(rd->out, i);

    out->at = value->at;
    if (plumb_read_u64(value->text, value->len, &out->v) && out->v > 0 &&
        out->v <= numbers[i].max) {
        out->origin = PLUMB_GIVEN;
        return;
    }
    out->origin = PLUMB_BAD;
    rd->faults++;
    plumb_hw_report(rd->s, PLUMB_HW_SLURMD_C, value->at, "%s is '%s', expected a number from 1 on",
                    numbers[i].key, value->text);
}

/* "..._1g.10gb": what gpu_nvml.c calls a MIG device. */
static bool is_mig(const char *type, size_t len)
{
    for (size_t i = 0; i + 2 < len; i++) {
        if (plumb_is_digit(type[i]) && type[i + 1] == 'g' && type[i + 2] == '.')
            return true;
    }
    return false;
}

/* "gpu:TYPE:8,gpu:OTHER:2,shard:16": how many GPUs, when that is what it counts. */
static void read_gres(struct line_reader *rd, const struct plumb_slice *value)
{
    struct plumb_u64 sum = {.at = value->at, .origin = PLUMB_GIVEN};
    bool any = false;

    for (uint32_t at = 0; at < value->len;) {
        const char *item = value->text + at;
        size_t len = strcspn(item, ","), colon = len, digits = 0;
        uint64_t count = 0;

        at += (uint32_t)len + 1;
        if (len < 4 || memcmp(item, "gpu:", 4) != 0)
            continue;
        while (item[colon - 1] != ':')
            colon--;
        digits = plumb_read_digits(item + colon, len - colon, &count);
        if (digits == 0 || digits == SIZE_MAX || count > PLUMB_MAX_GPUS || is_mig(item, len))
            return;
        sum.v += count;
        any = true;
    }
    if (any && sum.v <= PLUMB_MAX_GPUS)
        rd->out->gpus = sum;
}

static void read_pair(struct line_reader *rd, const struct plumb_slice *key,
                      const struct plumb_slice *value)
{
    if (strcmp(key->text, "NodeName") == 0)
        rd->out->name = *value;
    else if (strcmp(key->text, "Parameters") == 0)
        rd->out->parameters = *value;
    else if (strcmp(key->text, "Gres") == 0)
        read_gres(rd, value);
    for (size_t i = 0; i < PLUMB_COUNT(numbers); i++) {
        if (strcmp(key->text, numbers[i].key) == 0)
            read_number(rd, i, value);
    }
}

static void read_line(struct line_reader *rd, const struct plumb_capture_line *line)
{
    const struct plumb_source *src = rd->out->src;

    for (size_t at = 0, end = 0; at < line->len; at = end) {
        size_t equals;

        while (at < line->len && plumb_is_blank(line->text[at]))
            at++;
        for (end = at; end < line->len && !plumb_is_blank(line->text[end]);)
            end++;
        for (equals = at; equals < end && line->text[equals] != '=';)
            equals++;
        if (equals == end)
            continue;

        struct plumb_slice key = plumb_line_part(rd->s->arena, src, line, at, equals);
        struct plumb_slice value = plumb_line_part(rd->s->arena, src, line, equals + 1, end);

        read_pair(rd, &key, &value);
    }
}

static void check_line(struct line_reader *rd)
{
    for (size_t i = 0; i < PLUMB_COUNT(numbers); i++) {
        if (number_at(rd->out, i)->origin != PLUMB_ABSENT)
            continue;
        rd->faults++;
        plumb_hw_report(rd->s, PLUMB_HW_SLURMD_C, rd->out->at,
                        "the line has no %s, expected all that 'slurmd -C' prints", numbers[i].key);
    }
}

/* slurmd puts its own name in front when its log goes to the same place. */
static bool node_line(struct plumb_capture_line *line)
{
    static const char prefix[] = "slurmd: ";

    if (plumb_line_starts(line, prefix)) {
        line->text += sizeof(prefix) - 1;
        line->begin += (uint32_t)sizeof(prefix) - 1;
        line->len -= (uint32_t)sizeof(prefix) - 1;
    }
    return plumb_line_starts(line, "NodeName=");
}

struct plumb_slurmd_c *plumb_slurmd_c_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct line_reader rd = {.s = s, .out = PLUMB_NEW(s->arena, struct plumb_slurmd_c)};
    struct plumb_capture_line line;
    struct plumb_span top = {src->id, 0, 0};
    size_t at = 0, lines = 0;

    rd.out->src = src;
    while (plumb_capture_next(src->bytes, src->len, &at, &line)) {
        if (!node_line(&line))
            continue;
        if (lines++ > 0) {
            rd.faults++;
            plumb_diag_note(plumb_hw_report(s, PLUMB_HW_SLURMD_C, plumb_line_span(src, &line),
                                            "this is the second node line of the file, expected "
                                            "the output of one 'slurmd -C'"),
                            rd.out->at, "the first one");
            continue;
        }
        rd.out->at = plumb_line_span(src, &line);
        read_line(&rd, &line);
        check_line(&rd);
    }
    if (lines == 0) {
        rd.faults++;
        plumb_hw_report(s, PLUMB_HW_SLURMD_C, top,
                        "no line begins with 'NodeName=', expected the output of 'slurmd -C'");
    }
    if (rd.faults == 0)
        return rd.out;
    s->sink.incomplete = true;
    return NULL;
}

static bool holds(const struct plumb_capture_line *line, const char *word)
{
    size_t len = strlen(word);

    for (size_t i = 0; i + len <= line->len; i++) {
        if (memcmp(line->text + i, word, len) == 0)
            return true;
    }
    return false;
}

bool plumb_slurmd_c_sniff(const char *text, size_t len)
{
    enum { LOOK_AT = 50 };
    struct plumb_capture_line line;
    size_t at = 0;
    bool machine = false, end = false;

    for (int i = 0; i < LOOK_AT && plumb_capture_next(text, len, &at, &line); i++) {
        if (node_line(&line)) { /* slurmd writes all of it in this order */
            machine = machine || (holds(&line, " Boards=") && holds(&line, " SocketsPerBoard=") &&
                                  holds(&line, " RealMemory="));
            end = end || holds(&line, " UpTime="); /* a page has joined the lines */
        } else if (plumb_line_starts(&line, "UpTime=") ||
                   (plumb_line_starts(&line, "Found gpu:") && holds(&line, " with Autodetect=")))
            end = true;
        if (plumb_line_starts(&line, "PartitionName=") || plumb_line_starts(&line, "ClusterName="))
            return false;
    }
    return machine && end;
}

bool plumb_slurmd_c_bare(const char *text, size_t len)
{
    struct plumb_capture_line line;
    size_t at = 0, key = 0, lines = 0;

    while (plumb_capture_next(text, len, &at, &line)) {
        if (line.len == 0)
            continue;
        if (lines++ > 0 || !node_line(&line))
            return false;
        for (size_t pos = 0; pos < line.len; pos++) {
            if (line.text[pos] != ' ')
                continue;
            /* Exactly the numbers, in this order, and nothing else. */
            if (key == PLUMB_COUNT(numbers) || line.len - pos - 1 <= strlen(numbers[key].key) ||
                memcmp(line.text + pos + 1, numbers[key].key, strlen(numbers[key].key)) != 0 ||
                line.text[pos + 1 + strlen(numbers[key].key)] != '=')
                return false;
            key++;
        }
    }
    return key == PLUMB_COUNT(numbers);
}
