/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source map: every file that was read, by id, and where its lines are. The only
 * place of the library that reads files.
 */
#ifndef PLUMB_BASE_SOURCE_H
#define PLUMB_BASE_SOURCE_H

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"

struct plumb_source {
    uint32_t id;
    const char *path;  /* as findings show it: how the user named it */
    const char *bytes; /* NUL-terminated */
    uint32_t len;
    uint32_t mode;         /* permission bits of the file, 0 for text from memory */
    bool builtin;          /* of a capture that comes with plumb: path is a name, no place */
    bool idle;             /* read, and nothing in it was of use: a note beside captures */
    const uint32_t *lines; /* byte offset of each line; built when first needed */
    uint32_t line_count;
    const struct plumb_waymark *waymarks; /* within long lines; built when first needed */
    uint32_t waymark_count;
    bool marked;                      /* lines were looked at for waymarks */
    const struct plumb_slice *inside; /* a view: the text of another source that it shows; NULL */
};

/* A character of a long line, so that nobody counts from the first one again and again. */
struct plumb_waymark {
    uint32_t offset; /* of its first byte, in the file */
    uint32_t column; /* from 1, in its line */
};

struct plumb_sources {
    struct plumb_arena *arena;
    struct plumb_source **items; /* items[id - 1] */
    size_t count, cap;
};

/* A place for people: 1-based, columns count characters; end_* is behind the last one. */
struct plumb_place {
    const char *path;
    uint32_t line, column;
    uint32_t end_line, end_column;
};

/* Adds text that is in memory already (copied). */
struct plumb_source *plumb_source_add(struct plumb_sources *m, const char *path, const char *bytes,
                                      size_t len);

/*
 * A view: a document in a scalar of another, to be read like a file. Not copied. Its places are its
 * own until plumb_source_outer() makes them those of the document around it.
 */
struct plumb_source *plumb_source_view(struct plumb_sources *m, const struct plumb_slice *text);

/* The same place in the file that the bytes stand in; what is in no view is left alone. */
struct plumb_span plumb_source_outer(const struct plumb_sources *m, struct plumb_span at);

/*
 * Reads a regular file. shown is the path for findings (NULL: the same). Gives the source
 * that is there already when the same shown path was read before.
 */
enum plumb_status plumb_source_load(struct plumb_sources *m, const char *path, const char *shown,
                                    struct plumb_source **out);

struct plumb_source *plumb_source_get(const struct plumb_sources *m, uint32_t id); /* or NULL */

/* The first byte that is neither blank nor of a byte order mark; that of the NUL: none is there. */
const char *plumb_source_begin(const struct plumb_source *src);

struct plumb_place plumb_source_place(const struct plumb_sources *m, struct plumb_span at);

/* The text of a 1-based line without its line end; false when there is no such line. */
bool plumb_source_line(const struct plumb_sources *m, uint32_t id, uint32_t line, const char **text,
                       size_t *len);

/*
 * Where the lines of a source begin, noted by a reader that passes each of them anyway. done: the
 * source is at its end, and need not be searched for lines again.
 */
struct plumb_line_notes {
    struct plumb_arena *arena;
    uint32_t *items;
    size_t count, cap;
};
struct plumb_line_notes plumb_line_notes_of(const struct plumb_sources *m,
                                            const struct plumb_source *src);
static inline void plumb_line_note(struct plumb_line_notes *n, uint32_t begin)
{
    if (n->count == n->cap)
        n->items = plumb_arena_grow(n->arena, n->items, n->count, &n->cap, sizeof(*n->items));
    n->items[n->count++] = begin;
}
void plumb_line_notes_done(const struct plumb_sources *m, uint32_t id, struct plumb_line_notes *n);

/* The whole of a source, as a span and as a slice. */
struct plumb_span plumb_source_span(const struct plumb_source *src);

#endif
