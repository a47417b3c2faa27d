/* SPDX-License-Identifier: Apache-2.0 */
/* The source map: files in, line tables, places out. */
#include "base/source.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"

static struct plumb_source *register_source(struct plumb_sources *m, const char *path,
                                            const char *bytes, size_t len)
{
    struct plumb_source *src = PLUMB_NEW(m->arena, struct plumb_source);

    PLUMB_ASSERT(len <= PLUMB_MAX_FILE_BYTES);
    m->items =
        plumb_arena_grow(m->arena, m->items, m->count, &m->cap, sizeof(struct plumb_source *));
    m->items[m->count++] = src;
    src->id = (uint32_t)m->count;
    src->path = plumb_arena_strdup(m->arena, path);
    src->bytes = bytes;
    src->len = (uint32_t)len;
    return src;
}

struct plumb_source *plumb_source_add(struct plumb_sources *m, const char *path, const char *bytes,
                                      size_t len)
{
    return register_source(m, path, plumb_arena_strndup(m->arena, bytes, len), len);
}

struct plumb_source *plumb_source_view(struct plumb_sources *m, const struct plumb_slice *text)
{
    const struct plumb_source *outer = plumb_source_get(m, text->at.file);
    struct plumb_slice *inside = PLUMB_NEW(m->arena, struct plumb_slice);
    struct plumb_source *src =
        register_source(m, outer == NULL ? "" : outer->path, text->text, text->len);

    *inside = *text;
    src->inside = inside;
    src->idle = true;
    return src;
}

const char *plumb_source_begin(const struct plumb_source *src)
{
    uint32_t i = 0;

    while (i < src->len && (plumb_is_blank(src->bytes[i]) || (unsigned char)src->bytes[i] >= 0x80))
        i++;
    return src->bytes + i;
}

struct plumb_span plumb_source_outer(const struct plumb_sources *m, struct plumb_span at)
{
    const struct plumb_source *src = plumb_source_get(m, at.file);

    while (src != NULL && src->inside != NULL) {
        at = plumb_slice_span(src->inside, at.begin, at.end);
        src = plumb_source_get(m, at.file);
    }
    return at;
}

static enum plumb_status read_all(struct plumb_arena *a, int fd, size_t expected, char **out,
                                  size_t *out_len)
{
    size_t cap = expected + 1, len = 0;
    char *bytes = plumb_arena_raw(a, cap + 1);

    for (;;) {
        if (len == cap) { /* it grew while being read, or its size was unknown */
            char *more = NULL;

            if (cap > PLUMB_MAX_FILE_BYTES)
                return PLUMB_TOO_LARGE;
            more = plumb_arena_raw(a, cap * 2 + 1);
            memcpy(more, bytes, len);
            bytes = more;
            cap *= 2;
        }

        ssize_t got = read(fd, bytes + len, cap - len);

        if (got < 0)
            return PLUMB_CANNOT_READ;
        if (got == 0)
            break;
        len += (size_t)got;
    }
    if (len > PLUMB_MAX_FILE_BYTES)
        return PLUMB_TOO_LARGE;
    bytes[len] = '\0';
    *out = bytes;
    *out_len = len;
    return PLUMB_OK;
}

/* Whoever holds the other end, as of 'plumb check <(command)', has time to write. */
static void wait_for_bytes(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

static struct plumb_source *find_path(const struct plumb_sources *m, const char *path)
{
    for (size_t i = 0; i < m->count; i++) {
        if (strcmp(m->items[i]->path, path) == 0)
            return m->items[i];
    }
    return NULL;
}

enum plumb_status plumb_source_load(struct plumb_sources *m, const char *path, const char *shown,
                                    struct plumb_source **out)
{
    struct stat st;
    char *bytes = NULL;
    size_t len = 0;
    enum plumb_status status = PLUMB_CANNOT_READ;

    if (shown == NULL)
        shown = path;
    *out = find_path(m, shown);
    if (*out != NULL)
        return PLUMB_OK;

    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe may have no writer */

    if (fd < 0)
        return PLUMB_CANNOT_READ;
    if (fstat(fd, &st) != 0)
        goto out;
    if (S_ISDIR(st.st_mode)) {
        status = PLUMB_NOT_A_FILE;
        goto out;
    }
    if (st.st_size > PLUMB_MAX_FILE_BYTES) {
        status = PLUMB_TOO_LARGE;
        goto out;
    }
    if (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode))
        wait_for_bytes(fd);
    status = read_all(m->arena, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 65536, &bytes, &len);
    if (status == PLUMB_OK && len == 0 && S_ISFIFO(st.st_mode))
        status = PLUMB_CANNOT_READ;
    if (status == PLUMB_OK) {
        *out = register_source(m, shown, bytes, len);
        (*out)->mode = (uint32_t)st.st_mode & 07777u;
    }
out:
    (void)close(fd);
    return status;
}

struct plumb_source *plumb_source_get(const struct plumb_sources *m, uint32_t id)
{
    return id == 0 || id > m->count ? NULL : m->items[id - 1];
}

struct plumb_span plumb_source_span(const struct plumb_source *src)
{
    return (struct plumb_span){src->id, 0, src->len};
}

/* One in so many bytes; lines that are shorter have none. */
enum { STRIDE = 1024 };

static void build_waymarks(struct plumb_arena *a, struct plumb_source *src)
{
    struct plumb_waymark *marks = NULL;
    size_t cap = 0, count = 0;
    bool valid = false;

    for (uint32_t l = 0; src->lines != NULL && l < src->line_count; l++) {
        uint32_t end = l + 1 < src->line_count ? src->lines[l + 1] : src->len;
        uint32_t last = src->lines[l], column = 1;

        if (end - last <= STRIDE)
            continue;
        for (uint32_t at = last; at < end; column++) {
            if (at - last >= STRIDE) {
                marks = plumb_arena_grow(a, marks, count, &cap, sizeof(*marks));
                marks[count++] = (struct plumb_waymark){at, column};
                last = at;
            }
            at += (uint32_t)plumb_utf8_step(src->bytes + at, end - at, &valid);
        }
    }
    src->waymarks = marks;
    src->waymark_count = (uint32_t)count;
}

struct plumb_line_notes plumb_line_notes_of(const struct plumb_sources *m,
                                            const struct plumb_source *src)
{
    enum { USUAL_LINE = 64 };
    struct plumb_line_notes n = {.arena = m->arena};

    n.items =
        plumb_arena_reserve(n.arena, NULL, 0, &n.cap, sizeof(*n.items), src->len / USUAL_LINE + 2);
    return n;
}

void plumb_line_notes_done(const struct plumb_sources *m, uint32_t id, struct plumb_line_notes *n)
{
    struct plumb_source *src = plumb_source_get(m, id);

    if (src->lines != NULL)
        return;
    if (src->len == 0 || src->bytes[src->len - 1] == '\n')
        plumb_line_note(n, src->len);
    src->lines = n->items;
    src->line_count = (uint32_t)n->count;
}

/* Where lines begin, once: readers of lines have noted them, others ask here. */
static void build_lines(const struct plumb_sources *m, struct plumb_source *src)
{
    if (src->lines != NULL)
        return;

    const char *at = src->bytes, *end = src->bytes + src->len;
    struct plumb_line_notes n = plumb_line_notes_of(m, src);

    while (at < end) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));

        plumb_line_note(&n, (uint32_t)(at - src->bytes));
        at = nl != NULL ? nl + 1 : end;
    }
    plumb_line_notes_done(m, src->id, &n);
}

/* 0-based line that holds a byte offset. */
static uint32_t find_line(const struct plumb_source *src, uint32_t offset)
{
    uint32_t lo = 0, hi = src->line_count;

    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (src->lines[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t column_of(const struct plumb_sources *m, struct plumb_source *src, uint32_t line,
                          uint32_t offset)
{
    uint32_t from = src->lines[line], column = 1;
    uint32_t lo = 0, hi = 0;

    if (offset - from > STRIDE && !src->marked) {
        build_waymarks(m->arena, src);
        src->marked = true;
    }
    hi = src->waymark_count;

    while (lo < hi) { /* behind the last one that is not behind the offset */
        uint32_t mid = lo + (hi - lo) / 2;

        if (src->waymarks[mid].offset <= offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo > 0 && src->waymarks[lo - 1].offset > from) {
        from = src->waymarks[lo - 1].offset;
        column = src->waymarks[lo - 1].column;
    }
    return (uint32_t)plumb_utf8_count(src->bytes + from, offset - from) + column;
}

struct plumb_place plumb_source_place(const struct plumb_sources *m, struct plumb_span at)
{
    at = plumb_source_outer(m, at);

    struct plumb_source *src = plumb_source_get(m, at.file);

    if (src == NULL)
        return (struct plumb_place){.path = "", .line = 0};
    build_lines(m, src);

    uint32_t begin = at.begin > src->len ? src->len : at.begin;
    uint32_t end = at.end > src->len ? src->len : at.end < begin ? begin : at.end;
    uint32_t first = find_line(src, begin), last = find_line(src, end);

    /* A span that ends with a line break ends on the line that it breaks. */
    if (last > first && end == src->lines[last])
        last--;
    return (struct plumb_place){
        .path = src->path,
        .line = first + 1,
        .column = column_of(m, src, first, begin),
        .end_line = last + 1,
        .end_column = column_of(m, src, last, end),
    };
}

bool plumb_source_line(const struct plumb_sources *m, uint32_t id, uint32_t line, const char **text,
                       size_t *len)
{
    struct plumb_source *src = plumb_source_get(m, id);

    if (src == NULL)
        return false;
    build_lines(m, src);
    if (line == 0 || line > src->line_count)
        return false;

    uint32_t begin = src->lines[line - 1];
    uint32_t end = line == src->line_count ? src->len : src->lines[line] - 1;

    if (end > begin && src->bytes[end - 1] == '\r')
        end--;
    *text = src->bytes + begin;
    *len = end - begin;
    return true;
}
