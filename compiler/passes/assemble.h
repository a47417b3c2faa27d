/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of Slurm as an operator would write them for the cluster of a bundle: documents for pass
 * lift, so that a cluster of manifests becomes the same model as any other. Each pair has the
 * place that decides it: the text of a manifest, or the name of the object that it is written for.
 */
#ifndef PLUMB_PASSES_ASSEMBLE_H
#define PLUMB_PASSES_ASSEMBLE_H

#include "conf/conf.h"
#include "kube/object.h"
#include "passes/pass.h"

/* Text of Slurm within an object, as pass read-embedded has read it. */
enum plumb_embedded {
    PLUMB_EMBEDDED_LINES,     /* what is put behind the lines of the operator */
    PLUMB_EMBEDDED_NODE,      /* words of a node line: one record */
    PLUMB_EMBEDDED_PARTITION, /* words of a partition line: one record */
    PLUMB_EMBEDDED_GRES,      /* words of a line of gres.conf for nodes: one record */
};
struct plumb_kube_part {
    const struct plumb_kube_object *object;
    const struct plumb_node *node; /* the scalar, or a mapping whose pairs are lines */
    enum plumb_embedded kind;
    struct plumb_conf *doc; /* NULL: it could not be read, which was reported */
};

struct plumb_assembly {
    struct plumb_run *run;
    struct plumb_arena *a;
    const struct plumb_kube_object *cluster;
    const struct plumb_kube_object *accounting; /* NULL: it is not in the bundle */
    const char *accounting_name;                /* NULL: none is asked for */
    struct plumb_span accounting_at;            /* where it is asked for */
    const struct plumb_kube_writes *writes;
    const struct plumb_kube_part *parts;
    size_t part_count;
    const struct plumb_kube_object **sets; /* of the cluster, by name */
    size_t set_count;
    bool unknown;           /* some set could not be read as one */
    struct plumb_conf *doc; /* the one at hand */
};

/* Makes the documents of the run, where the bundle has one cluster. */
void plumb_assemble(struct plumb_run *r, const struct plumb_kube_part *parts, size_t count);

/* A node of an object; NULL. */
const struct plumb_node *plumb_assemble_at(const struct plumb_kube_object *o, const char *path);

/* An object of the kind, of the group of the cluster, whose clusterRef is this cluster. */
bool plumb_assemble_is_of(const struct plumb_kube_object *o,
                          const struct plumb_kube_object *cluster, const char *kind);

/*
 * The scalar at a path as the API server keeps it: its text, else the default of the table; NULL:
 * there is none. at is where it stands, or the name of the object.
 */
const char *plumb_assemble_said(const struct plumb_assembly *as, const struct plumb_kube_object *o,
                                const char *path, struct plumb_span *at);

/* A new document for the file; absences in it are told at the place. */
struct plumb_conf *plumb_assemble_new(struct plumb_assembly *as, enum plumb_file file,
                                      struct plumb_span at);

/* The operator's own lines of a file, for the object that they are about. */
void plumb_assemble_own(struct plumb_assembly *as, const struct plumb_kube_object *o);

/* A part of an object, by its path or its node; NULL. */
const struct plumb_kube_part *plumb_assemble_part(const struct plumb_assembly *as,
                                                  const struct plumb_kube_object *o,
                                                  const char *path);
const struct plumb_kube_part *plumb_assemble_part_at(const struct plumb_assembly *as,
                                                     const struct plumb_node *n);

/* Lines of another document behind those at hand. */
void plumb_assemble_lines(struct plumb_assembly *as, const struct plumb_kube_part *part);

/* Pairs of the record of a part, but for its first, behind those of a line. */
void plumb_assemble_words(struct plumb_assembly *as, struct plumb_conf_line *line,
                          const struct plumb_kube_part *part);

/* "gpu-0", or "gpu-[0-7]" for a count of pods with numbers of so many digits at least. */
const char *plumb_assemble_pods(struct plumb_assembly *as, const char *prefix, uint64_t count,
                                unsigned digits);

/* "a,b" of the texts of a list, or of a field of its items; "": there is none. */
const char *plumb_assemble_joined(struct plumb_arena *a, const struct plumb_node *list,
                                  const char *field);

/* The key of a section ("spec"), else the section, else the name: what nobody said is told there.
 */
struct plumb_span plumb_assemble_place(const struct plumb_kube_object *o, const char *section,
                                       const char *key);

/* A count of an object; otherwise where nothing is said. */
uint64_t plumb_assemble_count(const struct plumb_kube_object *o, const char *path,
                              uint64_t otherwise);

/* spec.replicas; UINT64_MAX where it is no count, so that nobody knows how many nodes there are. */
uint64_t plumb_assemble_replicas(const struct plumb_kube_object *o, uint64_t otherwise);

/* Bytes of a quantity; 0: none that can be read. */
uint64_t plumb_assemble_bytes(const struct plumb_node *n);

/* Flavours: slurm.conf of the cluster, and what else the operator writes from objects. */
void plumb_assemble_slinky(struct plumb_assembly *as);
void plumb_assemble_soperator(struct plumb_assembly *as);
void plumb_assemble_sunk(struct plumb_assembly *as);
void plumb_assemble_sunk_values(struct plumb_assembly *as);

#endif
