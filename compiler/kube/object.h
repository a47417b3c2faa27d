/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manifests: files to objects. A file may hold several documents, and a document a list of
 * objects; each object is held against the table that its apiVersion and kind choose.
 */
#ifndef PLUMB_KUBE_OBJECT_H
#define PLUMB_KUBE_OBJECT_H

#include "base/session.h"
#include "kube/type.h"
#include "syntax/node.h"

struct plumb_kube_object {
    const struct plumb_source *src;
    const struct plumb_node *root;
    const char *api, *kind;            /* "" where it has none, which was reported */
    const char *name, *space;          /* metadata.name and .namespace; "" */
    struct plumb_span name_at;         /* the value of the name; else the kind */
    const struct plumb_kube_kind *row; /* NULL: no table has it */
    bool patch;        /* a part of an object: a kustomization lists its file as a patch */
    bool values;       /* values of a chart, not an object */
    const char *chart; /* of which: the flavour of its table; NULL */
    bool made;         /* of values, as the chart makes it: passes/render_values.c */
};

struct plumb_kube_objects {
    struct plumb_kube_object *items;
    size_t count, cap;
    struct plumb_string_list unchecked; /* kinds that no table has, told once each */
};

/* The table of each flavour that a run checks against; NULL: not chosen yet. */
enum plumb_kube_owner {
    PLUMB_KUBE_SLINKY,
    PLUMB_KUBE_SOPERATOR,
    PLUMB_KUBE_SUNK,
    PLUMB_KUBE_SLINKY_CHART,
    PLUMB_KUBE_SUNK_CHART,
    PLUMB_KUBE_GPU_OPERATOR,
    PLUMB_KUBE_GPU_CHART,
    PLUMB_KUBE_PROMETHEUS,
    PLUMB_KUBE_EXTERNAL_SECRETS,
    PLUMB_KUBE_SEALED_SECRETS,
    PLUMB_KUBE_K8S,
    PLUMB_KUBE_OWNERS,
};
struct plumb_kube_releases {
    const struct plumb_kube_table *of[PLUMB_KUBE_OWNERS];
};

/*
 * Reads "slinky=1.2.1,k8s=1.36". Returns what is wrong with it, with the releases that there are;
 * NULL: nothing.
 */
const char *plumb_kube_releases_read(struct plumb_arena *a, const char *text,
                                     struct plumb_kube_releases *out);

/*
 * Chooses what is not chosen: by the label of the chart that rendered an object, by the tag of an
 * image of the operator's, else the newest, which is told where there are others.
 */
void plumb_kube_choose(struct plumb_session *s, const struct plumb_kube_objects *objects,
                       struct plumb_kube_releases *releases);

enum plumb_kube_owner plumb_kube_owner_of(const struct plumb_kube_object *o);

/* Documents of a file; NULL documents where nothing could be read, which was reported. */
struct plumb_kube_file {
    const struct plumb_source *src;
    struct plumb_node **documents;
    size_t count;
};

/* Reads YAML or JSON. A template of a chart gives nothing but an info. */
struct plumb_kube_file plumb_kube_read(struct plumb_session *s, const struct plumb_source *src);

/* Adds the objects of a file, lists taken apart. values: the file is values of a chart. */
void plumb_kube_add(struct plumb_session *s, struct plumb_kube_objects *to,
                    const struct plumb_kube_file *file, bool values);

/* A Kustomization or Component of kustomize, whose file need not say what it is. */
bool plumb_kube_is_kustomization(const struct plumb_kube_object *o);

/* Marks objects of files that a kustomization lists as patches, or that it has beside it unlisted.
 */
void plumb_kube_mark_patches(struct plumb_session *s, struct plumb_kube_objects *objects);

/* The chart whose values a text is, by a section of its own that begins a line; NULL: none. */
const char *plumb_kube_values_sniff(const char *text, size_t len);

/* Holds every object against its table, and what no table says: names, sizes. */
void plumb_kube_check_objects(struct plumb_session *s, struct plumb_kube_objects *objects,
                              const struct plumb_kube_releases *releases);

#endif
