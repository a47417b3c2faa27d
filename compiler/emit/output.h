/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What build writes: files with their causes, MANIFEST.json and .plumb/map.json, as one
 * transaction.
 */
#ifndef PLUMB_EMIT_OUTPUT_H
#define PLUMB_EMIT_OUTPUT_H

#include "base/cause.h"
#include "base/session.h"
#include "base/status.h"
#include "conf/conf.h"
#include "model/model.h"
#include "syntax/lines.h"
#include "syntax/xml.h"

/* A document that a target has made, not yet printed. */
enum plumb_doc_kind {
    PLUMB_DOC_CONF,
    PLUMB_DOC_XML,
    PLUMB_DOC_YAML,
    PLUMB_DOC_JSON,
    PLUMB_DOC_HTML,
    PLUMB_DOC_LINES,
    PLUMB_DOC_MARKDOWN,
};

struct plumb_outputs;

/* Makes a page about everything else; it is called when all other files are printed. */
typedef struct plumb_xml *(*plumb_compose)(struct plumb_session *s, const struct plumb_model *m,
                                           const struct plumb_outputs *out);

struct plumb_doc {
    const char *path; /* in the output tree, "slurm/slurm.conf" */
    uint32_t mode;    /* permission bits */
    enum plumb_doc_kind kind;
    const char *target; /* name of the target that made it */
    struct plumb_conf *conf;
    struct plumb_xml *xml;
    enum plumb_xml_dialect dialect;
    struct plumb_node *node;
    struct plumb_lines *lines;
    const char *text;                /* for PLUMB_DOC_MARKDOWN */
    plumb_compose compose;           /* for PLUMB_DOC_HTML */
    const struct plumb_setting *bad; /* set when the writer refused a value */
};

struct plumb_output {
    const char *path;
    const char *target; /* that made it; NULL: about the build itself */
    uint32_t mode;
    const char *text;
    size_t len;
    struct plumb_causes causes;
    char sha256[65];
};

/* Something that a target left out on purpose, with the reason: an info finding, GEN003. */
struct plumb_skip {
    const char *target, *path; /* the file that is not made */
    struct plumb_span at;
    const char *reason; /* one sentence part */
    bool whole;         /* all that the target makes */
};

struct plumb_outputs {
    struct plumb_doc *docs;
    size_t doc_count, doc_cap;
    struct plumb_conf **inner; /* text of Slurm files within documents: checked, not printed */
    size_t inner_count, inner_cap;
    struct plumb_skip *skips;
    size_t skip_count, skip_cap;
    struct plumb_output *files; /* in the order of path; none when a document was refused */
    size_t file_count, file_cap;
    char inputs_sha256[65];            /* over every input that was read: in each header */
    const char *targets;               /* comma list of those that were chosen; NULL: all */
    struct plumb_node *manifest, *map; /* the documents behind the two files about the build */
    bool printed;                      /* the files hold every document but pages */
    bool overwrite;                    /* replace files in the way that plumb did not write */
};

/* What a target receives. */
struct plumb_emit {
    const struct plumb_model *model;
    struct plumb_session *session; /* arena and intern; targets report nothing */
    struct plumb_outputs *out;
    const struct plumb_target *target;
};

struct plumb_target {
    const char *name;         /* "slurm" */
    const char *summary;      /* for `plumb targets` */
    const char *consumer;     /* the program that reads the files, and its manual */
    const char *const *files; /* patterns, for people */
    size_t file_count;
    unsigned needs; /* facts */
    void (*emit)(const struct plumb_emit *em);
};

extern const struct plumb_target *const plumb_targets[]; /* targets/registry.c */
extern const size_t plumb_target_count;

/* Begins a document of a target. */
struct plumb_conf *plumb_emit_conf(const struct plumb_emit *em, enum plumb_file file,
                                   uint32_t mode);
void plumb_emit_xml(const struct plumb_emit *em, const char *path, struct plumb_xml *root,
                    enum plumb_xml_dialect dialect);

/* Text that the target has printed into another document: it is checked as the files are. */
void plumb_emit_inner(const struct plumb_emit *em, struct plumb_conf *conf);

void plumb_emit_yaml(const struct plumb_emit *em, const char *path, struct plumb_node *root);

/* Lines; mode: permission bits. */
void plumb_emit_lines(const struct plumb_emit *em, const char *path, struct plumb_lines *lines,
                      uint32_t mode);

/* Text for people, in Markdown. */
void plumb_emit_markdown(const struct plumb_emit *em, const char *path, const char *text);

/* A page; compose gives the root element, html. Of elements without end tags it may use meta. */
void plumb_emit_page(const struct plumb_emit *em, const char *path, plumb_compose compose);

/* Says why the target makes nothing: a warning, an error where the target was asked for by name. */
void plumb_emit_refuse(const struct plumb_emit *em, const char *path, struct plumb_span at,
                       const char *reason);

/* Says why a file is not made. */
void plumb_emit_skip(const struct plumb_emit *em, const char *path, struct plumb_span at,
                     const char *reason);

/* Prints all documents but pages. False when a value could not be written: reported. */
bool plumb_outputs_print(struct plumb_session *s, const struct plumb_model *m,
                         struct plumb_outputs *out);

/* Adds what tells of the other files: pages, then MANIFEST.json and .plumb/map.json. Nothing is
 * reported here. */
void plumb_outputs_finish(struct plumb_session *s, const struct plumb_model *m,
                          struct plumb_outputs *out);

/* True when a comma list names a target; NULL names all. */
bool plumb_target_chosen(const char *list, const char *name);

bool plumb_outputs_has(const struct plumb_outputs *out, const char *path);

/*
 * Writes all files under dir or none. A file whose bytes and mode are the same is not touched;
 * files of the last build that are no longer made are removed, unless they were edited since or
 * are of a target that was not chosen now; an interrupted run is undone by the next one. A file in
 * the way that is not in the MANIFEST of the last build and differs is PLUMB_NOT_OURS, a folder or
 * link in the way PLUMB_NOT_A_FILE. *path tells which file failed.
 */
enum plumb_status plumb_outputs_write(struct plumb_session *s, const struct plumb_outputs *out,
                                      const char *dir, const char **path);

/* For build --check: by bytes; permission bits are not looked at, a checkout does not keep them. */
enum plumb_freshness {
    PLUMB_FRESH,
    PLUMB_MISSING,   /* not there */
    PLUMB_STALE,     /* as last generated, but inputs or plumb changed */
    PLUMB_EDITED,    /* differs from what the manifest says was generated */
    PLUMB_LEFT_OVER, /* in the manifest, no longer made */
};
struct plumb_freshness_item {
    const char *path;
    enum plumb_freshness state;
};
enum plumb_status plumb_outputs_compare(struct plumb_session *s, const struct plumb_outputs *out,
                                        const char *dir, struct plumb_freshness_item **items,
                                        size_t *count);

/*
 * The name of an input as outputs show it: relative to the folder of the specification (or of
 * slurm.conf), so that no folder of this machine shows.
 */
const char *plumb_output_source_name(struct plumb_session *s, const struct plumb_model *m,
                                     const struct plumb_source *src);

/* Lower-case hexadecimal, NUL-terminated. */
void plumb_sha256_hex(const void *bytes, size_t len, char out[65]);

extern const struct plumb_rule_family plumb_gen_rules; /* findings about generated files */

#endif
