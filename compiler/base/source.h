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
    const struct plumb_waymark *waymarks; /* within long lines; built with lines */
    uint32_t waymark_count;
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
 * Reads a regular file. shown is the path for findings (NULL: the same). Gives the source
 * that is there already when the same shown path was read before.
 */
enum plumb_status plumb_source_load(struct plumb_sources *m, const char *path, const char *shown,
                                    struct plumb_source **out);

struct plumb_source *plumb_source_get(const struct plumb_sources *m, uint32_t id); /* or NULL */

struct plumb_place plumb_source_place(const struct plumb_sources *m, struct plumb_span at);

/* The text of a 1-based line without its line end; false when there is no such line. */
bool plumb_source_line(const struct plumb_sources *m, uint32_t id, uint32_t line, const char **text,
                       size_t *len);

/* The whole of a source, as a span and as a slice. */
struct plumb_span plumb_source_span(const struct plumb_source *src);

#endif
