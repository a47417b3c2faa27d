/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings as text: `human` for people, `compact` for editors and grep, `json` for programs, and
 * the formats of the services that read findings. All show the same list, in the same order; the
 * layouts are a contract (doc/reference/cli.md).
 */
#ifndef PLUMB_EMIT_RENDER_H
#define PLUMB_EMIT_RENDER_H

#include "base/buf.h"
#include "base/session.h"

/* What a daemon would do with the files that were read. */
enum plumb_verdict {
    PLUMB_NOT_JUDGED, /* the source has no file of this daemon */
    PLUMB_ACCEPTED,
    PLUMB_COMPLAINT, /* starts, and logs an error or a warning about the files */
    PLUMB_REFUSED,   /* does not start */
};

struct plumb_prediction {
    enum plumb_release release;
    enum plumb_verdict slurmctld, slurmd, slurmdbd;
    bool drains; /* everything may start and nodes be drained when they register */
};

/* What is rendered; everything in it is const for the renderers. */
struct plumb_report {
    const struct plumb_sources *sources;
    const struct plumb_diag *const *items; /* shown findings, in order */
    size_t count;
    const struct plumb_diag *const *suppressed; /* those that an ignore entry took */
    size_t suppressed_count;
    size_t dropped;              /* findings beyond PLUMB_MAX_FINDINGS: counted, not kept */
    const char *const *problems; /* inputs that could not be read */
    size_t problem_count;
    bool incomplete; /* some input could not be read or parsed at all */
    bool predicted;  /* Slurm files were read */
    struct plumb_prediction prediction;
    const char *version; /* of plumb */
};

struct plumb_render_options {
    bool colour;         /* human only */
    size_t max_findings; /* the rest is counted; 0: no limit */
};

const char *plumb_verdict_name(enum plumb_verdict v); /* "accepted", ...; "not judged" */

/* The verdict on a daemon: the worst effect that a finding, silenced or not, says it has. */
enum plumb_verdict plumb_predict(const struct plumb_sink *sink, enum plumb_daemon daemon);

/* Some finding, silenced or not, says that nodes are drained. */
bool plumb_predict_drain(const struct plumb_sink *sink);

/* A format, by the name that --format takes. */
struct plumb_format {
    const char *name;
    void (*render)(struct plumb_arena *a, const struct plumb_report *r,
                   const struct plumb_render_options *o, struct plumb_buf *out);
};
extern const struct plumb_format plumb_formats[]; /* ends with a NULL name */

void plumb_render_human(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_compact(struct plumb_arena *a, const struct plumb_report *r,
                          const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_gcc(struct plumb_arena *a, const struct plumb_report *r,
                      const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_json(struct plumb_arena *a, const struct plumb_report *r,
                       const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_jsonl(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_sarif(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_github(struct plumb_arena *a, const struct plumb_report *r,
                         const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_gitlab(struct plumb_arena *a, const struct plumb_report *r,
                         const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_junit(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_checkstyle(struct plumb_arena *a, const struct plumb_report *r,
                             const struct plumb_render_options *o, struct plumb_buf *out);
void plumb_render_rdjson(struct plumb_arena *a, const struct plumb_report *r,
                         const struct plumb_render_options *o, struct plumb_buf *out);

/* "2 errors, 1 warning" or "no findings"; the line for stderr. */
void plumb_render_summary(const struct plumb_report *r, struct plumb_buf *out);

#endif
