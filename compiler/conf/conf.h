/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The document of one Slurm key=value file: logical lines, each a list of pairs, with
 * spans into the file it really stands in (through Include). Reading follows
 * src/common/parse_config.c; targets build the same document and the writer prints it.
 *
 * How to read on: read.c makes documents from bytes, check.c holds them against the
 * parameter table, write.c prints them. What the pairs mean is the work of passes/lift.c.
 */
#ifndef PLUMB_CONF_CONF_H
#define PLUMB_CONF_CONF_H

#include "base/buf.h"
#include "base/cause.h"
#include "base/session.h"
#include "schema/setting.h"

enum plumb_conf_kind {
    PLUMB_CONF_PAIR,    /* one global key=value */
    PLUMB_CONF_RECORD,  /* NodeName=... and what follows on the line */
    PLUMB_CONF_INCLUDE, /* pairs[0].value is the file name; its lines follow in place */
    PLUMB_CONF_BAD,     /* reported; pairs read before the fault are kept */
    PLUMB_CONF_HEADING, /* built by targets only: comment text in pairs[0].value */
};

/* Where a pair stands in a line, in bytes from where the line begins. */
struct plumb_conf_cell {
    uint32_t key_begin, key_end;
    uint32_t begin, end; /* of the value, with its quotes */
    uint8_t before;      /* names and addresses in front of the pair */
    bool varies;         /* it is one itself */
};

enum { PLUMB_CONF_VARYING = 4 }; /* NodeName, NodeAddr, NodeHostname, BcastAddr */

/* A line that says what another says, of another node. */
struct plumb_conf_repeat {
    uint32_t begin;  /* of the line */
    uint32_t layout; /* where its pairs stand, but for the length of names and addresses: */
    int16_t grown[PLUMB_CONF_VARYING]; /* bytes that each is longer than in the layout */
};

/*
 * Lines below a node line that have the same keys and values, but for names and addresses, each of
 * which is one plain word: a large file has tens of thousands of them, and what is true of one
 * line is true of all. They are kept as places.
 */
struct plumb_conf_repeats {
    const struct plumb_source *src;
    struct plumb_conf_repeat *items; /* in the order of the file */
    size_t count, cap;
    struct plumb_conf_cell **layouts; /* one cell for each pair; the first is that of the line */
    size_t layout_count, layout_cap;
};

struct plumb_conf_line {
    enum plumb_conf_kind kind;
    enum plumb_scope scope; /* of pairs[1..]; for a PAIR: global */
    struct plumb_span at;   /* from the first byte of the first key to the last of the last value */
    struct plumb_setting *pairs;
    size_t count, cap;
    size_t included_from; /* 1-based index of the INCLUDE line above it, 0: the file itself */
    struct plumb_conf_repeats *repeats; /* node lines that were folded; NULL: none */
    struct plumb_span *causes;          /* built documents: why the line is there */
    size_t cause_count, cause_cap;
};

/* A "# plumb: ..." comment, for suppressions. */
struct plumb_conf_comment {
    struct plumb_slice text; /* behind the '#', trimmed */
    uint32_t line;           /* of its file, from 1 */
    bool alone;
};

struct plumb_conf {
    enum plumb_file file;
    const struct plumb_source *src; /* NULL for a built document */
    struct plumb_span at;           /* of one that was put together: what it was made for */
    struct plumb_arena *arena;
    struct plumb_conf_line *lines;
    size_t count, cap;
    struct plumb_conf_comment *comments;
    size_t comment_count, comment_cap;
    const struct plumb_source **sources; /* the file itself and each that was included */
    size_t source_count, source_cap;
    bool dynamic; /* node lines that were made are of nodes that register themselves */
    bool partial; /* something that it includes could not be read, which was reported */
};

/* How Include finds its files. */
struct plumb_conf_options {
    const char *directory;       /* against which relative names resolve: that of slurm.conf */
    const char *shown_directory; /* the same as findings show it; NULL: that of the source */
    enum plumb_release release;
    bool no_includes; /* text from standard input: an Include is a finding instead */
    bool fold_nodes;  /* node lines that say the same become repeats of the first one */
};

/*
 * Reads a file and what it includes. Syntax faults are findings of family CONF, each at the
 * text that is wrong, worded by what that release's parser does; reading goes on behind
 * them. Never NULL.
 */
struct plumb_conf *plumb_conf_read(struct plumb_session *s, enum plumb_file file,
                                   struct plumb_source *src,
                                   const struct plumb_conf_options *options);

/* Lines beyond the first that a line stands for. */
static inline size_t plumb_conf_repeat_count(const struct plumb_conf_line *line)
{
    return line->repeats == NULL ? 0 : line->repeats->count;
}

/* The cell of a pair on a repeat, and where the line of its layout would begin. */
static inline const struct plumb_conf_cell *
plumb_conf_repeat_cell(const struct plumb_conf_line *line, size_t repeat, size_t pair,
                       uint32_t *begin)
{
    const struct plumb_conf_repeat *at = &line->repeats->items[repeat];
    const struct plumb_conf_cell *cell = &line->repeats->layouts[at->layout][pair];
    int64_t shifted = at->begin;

    for (unsigned i = 0; i < cell->before; i++)
        shifted += at->grown[i];
    *begin = (uint32_t)shifted;
    return cell;
}

/* A pair as it stands on a repeat: its places, and its text, which no NUL ends. */
struct plumb_setting plumb_conf_repeat_pair(const struct plumb_conf_line *line, size_t repeat,
                                            size_t pair);

/* Adds the note that a finding on a line holds for its repeats too; none where it has none. */
void plumb_conf_tell_repeats(struct plumb_diag *d, const struct plumb_conf_line *line);

/* The value of its first pair, which names the node. */
static inline struct plumb_slice plumb_conf_repeat_name(const struct plumb_conf_line *line,
                                                        size_t repeat)
{
    const struct plumb_conf_repeat *at = &line->repeats->items[repeat];
    const struct plumb_conf_cell *cell = line->repeats->layouts[at->layout];
    uint32_t begin = at->begin + cell->begin;
    uint32_t len = (uint32_t)((int64_t)cell->end - cell->begin + at->grown[0]);

    return (struct plumb_slice){
        .text = line->repeats->src->bytes + begin,
        .len = len,
        .at = {line->repeats->src->id, begin, begin + len},
    };
}

/* slurm.conf for "slurm.conf", from the name, else from the content; PLUMB_FILE_COUNT: none. */
enum plumb_file plumb_conf_sniff(const char *path, const char *text, size_t len);

/*
 * Holds a document against the parameter table of a release: unknown, misplaced, removed,
 * renamed, dropped, mistyped, out of range, not in the set, repeated. The same for read and
 * for built documents.
 */
void plumb_conf_check(struct plumb_session *s, const struct plumb_conf *doc, enum plumb_release r);

/* One value against its row; used for overrides of a specification too. True when sound. */
bool plumb_conf_check_value(struct plumb_session *s, const struct plumb_param *p,
                            const struct plumb_slice *value, enum plumb_release r);

/* A plugstack.conf and what it includes. */
struct plumb_plugstack {
    const struct plumb_source **sources;
    size_t count;
};

/*
 * plugstack.conf: a line that begins no rule, or names no plugin, is a finding. Includes are
 * followed from its folder; NULL: it is no file, so they are not. Never NULL.
 */
struct plumb_plugstack *plumb_plugstack_check(struct plumb_session *s,
                                              const struct plumb_source *src, const char *folder);

/* Building. Lines are printed in the order in which they were begun. */
struct plumb_conf *plumb_conf_new(struct plumb_arena *a, enum plumb_file file);
void plumb_conf_heading(struct plumb_conf *doc,
                        const char *comment); /* "# comment", blank line before */
struct plumb_conf_line *plumb_conf_line(struct plumb_conf *doc, enum plumb_scope scope);
void plumb_conf_cause(struct plumb_conf *doc, struct plumb_conf_line *line, struct plumb_span at);
void plumb_conf_add(struct plumb_conf *doc, struct plumb_conf_line *line, enum plumb_param_id param,
                    const char *value, struct plumb_span cause);
void plumb_conf_add_u64(struct plumb_conf *doc, struct plumb_conf_line *line,
                        enum plumb_param_id param, uint64_t value, struct plumb_span cause);

/*
 * Prints a document; the only place that knows quoting and escaping. header is comment
 * text, one "# " line each. False when a value cannot be written in this grammar (a double
 * quote, a line break): *bad then names the pair and out is not usable.
 */
bool plumb_conf_write(const struct plumb_conf *doc, const char *const *header, size_t header_lines,
                      struct plumb_buf *out, struct plumb_causes *causes,
                      const struct plumb_setting **bad);

/* Both of the prefix CONF: rows of the table engine, and rows of the reader. */
extern const struct plumb_rule_family plumb_conf_rules, plumb_conf_syntax_rules;

#endif
