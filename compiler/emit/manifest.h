/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MANIFEST.json and .plumb/map.json: what a build wrote, from what, and why.
 *
 * JSON has no comments, so the header that every other file begins with is three keys of the
 * root object here: generated_by, source, inputs_sha256.
 *
 *   MANIFEST.json  generated_by, source, inputs_sha256
 *                  files     path -> {mode, sha256, target}; all but MANIFEST.json itself
 *                  inputs    list of {path, sha256} in the order of path
 *                  versions  plumb, slurm (the release written for), tables (digest of the
 *                            parameter table)
 *   map.json       generated_by, source, inputs_sha256
 *                  files     path -> list of {line, from}: from is a list of "path:line:column"
 *                            of the input, sorted; lines without a cause are left out
 */
#ifndef PLUMB_EMIT_MANIFEST_H
#define PLUMB_EMIT_MANIFEST_H

#include "emit/output.h"

#define PLUMB_MANIFEST_PATH "MANIFEST.json"
#define PLUMB_MAP_PATH      ".plumb/map.json"

struct plumb_manifest_file {
    const char *path;
    uint32_t mode;
    const char *sha256;
    const char *target; /* NULL: about the build itself */
};

struct plumb_manifest {
    bool present;                      /* there is one, and it is one of ours */
    struct plumb_manifest_file *files; /* in the order of path */
    size_t count;
};

/*
 * Reads the text of a MANIFEST.json. Not present when the text is no manifest; entries whose
 * path would leave the folder, or that are no digest, are left out: nobody writes or removes by
 * them. Lives in the scratch arena of the session.
 */
struct plumb_manifest plumb_manifest_read(struct plumb_session *s, const char *text, size_t len);

const struct plumb_manifest_file *plumb_manifest_find(const struct plumb_manifest *m,
                                                      const char *path);

/* What both files say about their origin. */
struct plumb_origin_note {
    const char *source; /* as shown, "cluster.yaml" */
    const char *inputs_sha256;
};

/* The documents; out->files holds what they describe. */
struct plumb_node *plumb_manifest_node(struct plumb_session *s, const struct plumb_model *m,
                                       const struct plumb_outputs *out,
                                       const struct plumb_origin_note *note);
struct plumb_node *plumb_map_node(struct plumb_session *s, const struct plumb_model *m,
                                  const struct plumb_outputs *out,
                                  const struct plumb_origin_note *note);

/*
 * After a build of some targets: the same outputs with MANIFEST.json and map.json that go on to
 * tell about the files of the others, as far as they are there (open folder root, last manifest).
 * Lives in the scratch arena of the session.
 */
struct plumb_outputs plumb_outputs_with_kept(struct plumb_session *s,
                                             const struct plumb_outputs *out, int root,
                                             const struct plumb_manifest *last);

/* A file of the last build that this one has nothing to do with. */
bool plumb_manifest_kept(const struct plumb_outputs *out, const struct plumb_manifest_file *file);

/* An input that was of use as outputs show it, and its digest; sorted by path, then digest. */
struct plumb_shown_input {
    const char *path;
    char sha256[65];
};
size_t plumb_shown_inputs(struct plumb_session *s, const struct plumb_model *m,
                          struct plumb_shown_input **inputs);

#endif
