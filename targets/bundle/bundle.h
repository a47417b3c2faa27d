/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the targets that write manifests share: objects with the same metadata, classes cut along
 * partitions, text of Slurm files within objects, one object a file and a kustomization that lists
 * them. A bundle is written as a whole or refused with a reason.
 */
#ifndef PLUMB_TARGETS_BUNDLE_H
#define PLUMB_TARGETS_BUNDLE_H

#include "emit/output.h"
#include "model/kube_plan.h"
#include "slurm/slurm.h"
#include "syntax/node.h"

/* Hosts of one class that every partition takes together: a NodeSet. */
struct plumb_set {
    const struct plumb_nodes *nodes;
    const struct plumb_kube_class *class;
    struct plumb_hostlist *hosts; /* of the specification */
    const char *name;             /* in Slurm, and of the pods: NAME-0, NAME-1, ... */
    struct plumb_hostlist *pods;
    uint64_t count;
};

struct plumb_bundle_file {
    const char *name;        /* within the folder */
    struct plumb_node *root; /* NULL: the kustomization lists it, and it is not made here */
};

struct plumb_bundle {
    const struct plumb_emit *em;
    const struct plumb_model *m;
    const struct plumb_kube_plan *plan;
    struct plumb_arena *a;
    const char *folder; /* of the output tree */
    struct plumb_set *sets;
    size_t set_count, set_cap;
    bool numbered; /* a class is a set, and its i-th host the i-th node */
    struct plumb_bundle_file *files;
    size_t file_count, file_cap;
    struct plumb_conf **texts; /* of Slurm files within objects */
    size_t text_count, text_cap;
    struct plumb_span bad_at; /* what cannot be said, where reason is set */
    const char *reason;
};

/*
 * False: the specification asks for no objects of this flavour, which is told where the target was
 * asked for by name. Else the bundle has its classes cut and no file.
 */
bool plumb_bundle_begin(struct plumb_bundle *b, const struct plumb_emit *em,
                        enum plumb_kube_flavour flavour);

/*
 * The same for an operator that gives nodes fixed names: no class is cut, the nodes of CLASS are
 * CLASS-01, CLASS-02 and so on, and a host of the specification has the node of its place.
 */
bool plumb_bundle_begin_numbered(struct plumb_bundle *b, const struct plumb_emit *em,
                                 enum plumb_kube_flavour flavour);

/* Says why nothing is made; the first reason counts. */
void plumb_bundle_refuse(struct plumb_bundle *b, struct plumb_span at, const char *reason);

/* Files are applied in the order of their names, which begin with two digits. */
void plumb_bundle_add(struct plumb_bundle *b, const char *name, struct plumb_node *root);

/* A folder or file that the kustomization lists and somebody else makes. */
void plumb_bundle_list(struct plumb_bundle *b, const char *path);

/* Writes all files, a kustomization that lists them, and has the texts checked; or refuses. */
void plumb_bundle_write(struct plumb_bundle *b);

/* Values of a chart instead: one file and no kustomization. */
void plumb_bundle_write_values(struct plumb_bundle *b, struct plumb_node *root);

/* ---- sets.c ---- */

/* Cuts classes along partitions, or numbers their nodes. */
void plumb_bundle_cut(struct plumb_bundle *b);
void plumb_bundle_number(struct plumb_bundle *b);

/* The sets that a partition takes, as a comma list; each is taken whole or not at all. */
const char *plumb_bundle_sets_of(struct plumb_bundle *b, const struct plumb_hostlist *hosts);

/* The pods of the sets that these hosts touch; where nodes are numbered, those of the hosts. */
struct plumb_hostlist *plumb_bundle_pods_of(struct plumb_bundle *b,
                                            const struct plumb_hostlist *hosts);

/* The limit nvidia.com/gpu of a pod; instances of MIG count where the strategy is single, else
 * refused. */
uint64_t plumb_bundle_gpus(struct plumb_bundle *b, const struct plumb_nodes *n);

/* ---- object.c: all texts keep the place that they come from ---- */

/* "PLAN-what" */
const char *plumb_bundle_named(struct plumb_bundle *b, const char *what);

/* A mapping under key. */
struct plumb_node *plumb_bundle_map(struct plumb_bundle *b, struct plumb_node *m, const char *key);

/* The mapping that holds the last part of a path "a.b.c", made where it is not there; *key is that
 * part. */
struct plumb_node *plumb_bundle_holder(struct plumb_bundle *b, struct plumb_node *m,
                                       const char *path, const char **key);

/* Nothing where the text is absent. */
void plumb_bundle_text(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                       const struct plumb_text *t);

/* An object in the namespace of the bundle, with the recommended labels. */
struct plumb_node *plumb_bundle_object(struct plumb_bundle *b, const char *api, const char *kind,
                                       const char *name, const char *component);

/* The namespace itself, with the level of Pod Security that it enforces, and warns above. */
struct plumb_node *plumb_bundle_namespace(struct plumb_bundle *b, const char *level);

/* {name: NAME} and {name: SECRET, key: KEY} under key. */
void plumb_bundle_name_ref(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                           const char *name);
void plumb_bundle_secret(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                         const struct plumb_kube_secret *s);

/* {image: IMAGE} under the key of a container, where there is one. */
void plumb_bundle_image(struct plumb_bundle *b, struct plumb_node *m, const char *container,
                        const struct plumb_text *image);

/* Mi, or Gi where it comes out even: the shortest text that means the same. */
const char *plumb_bundle_quantity(struct plumb_bundle *b, uint64_t mib);

/* Under key, what all pods tolerate and those of a class (NULL: none); nothing for neither. */
void plumb_bundle_tolerations(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                              const struct plumb_kube_class *class);
bool plumb_bundle_tolerates(const struct plumb_bundle *b, const struct plumb_kube_class *class);

/* Under nodeSelector, the labels of the machines of a class; nothing where it has none. */
void plumb_bundle_selector(struct plumb_bundle *b, struct plumb_node *m,
                           const struct plumb_kube_class *class);

/* accessModes, storageClassName and resources of a claim, as the section storage has them. */
void plumb_bundle_storage(struct plumb_bundle *b, struct plumb_node *m);

/* The claim that the section storage names. */
struct plumb_node *plumb_bundle_claim(struct plumb_bundle *b, const char *component);

/* A claim that many nodes write; its size is usable. */
struct plumb_node *plumb_bundle_shared_claim(struct plumb_bundle *b, const char *component,
                                             const struct plumb_text *name,
                                             const struct plumb_text *class,
                                             const struct plumb_u64 *bytes);

/* ---- conf.c: text of Slurm files within objects ---- */

struct plumb_slurm_page plumb_bundle_page(struct plumb_bundle *b, const struct plumb_emit *em,
                                          enum plumb_file file);

/*
 * The text without comments; it is checked as the files of target slurm are. Refuses what needs an
 * escape: operators take such text apart line by line and know none.
 */
const char *plumb_bundle_print(struct plumb_bundle *b, const struct plumb_slurm_page *page);

void plumb_bundle_set(struct plumb_bundle *b, struct plumb_settings *to,
                      const struct plumb_setting *s);
void plumb_bundle_set_text(struct plumb_bundle *b, struct plumb_settings *to,
                           enum plumb_param_id id, const char *value, struct plumb_span at);

/* What is given, without what the operator writes and takes from nobody else. */
struct plumb_settings plumb_bundle_without(struct plumb_bundle *b,
                                           const struct plumb_settings *given,
                                           const struct plumb_kube_owned *owned, size_t count);

/* The words of a comma list that the release takes, or that no release has in a set of words. */
const char *plumb_bundle_known_words(struct plumb_bundle *b, const struct plumb_param *p,
                                     const char *value);

/* What nobody would say: section defaults of the operator's table, in the words of the release. */
void plumb_bundle_defaults(struct plumb_bundle *b, struct plumb_settings *to, enum plumb_file file);

/* MaxNodeCount for all nodes, where the operator writes a smaller one and to has none. */
void plumb_bundle_node_count(struct plumb_bundle *b, struct plumb_settings *to);

/* Partitions with names of sets, or numbered nodes, in place of hosts. */
struct plumb_partition *plumb_bundle_partitions(struct plumb_bundle *b);

/*
 * The pairs of the node line of a set as one line, without those in skip; NULL: none are left.
 * Refuses the parameters in refused and values with a blank: operators cut the line at blanks.
 */
const char *plumb_bundle_words(struct plumb_bundle *b, const struct plumb_set *set,
                               const enum plumb_param_id *refused, size_t refused_count,
                               const enum plumb_param_id *skip, size_t skip_count);

/* gres.conf with pods in place of hosts; NULL: no node has a GRES. */
const char *plumb_bundle_gres_conf(struct plumb_bundle *b);

/* Every parameter of slurmdbd.conf but the operator's, and those that name other machines. */
const char *plumb_bundle_dbd_conf(struct plumb_bundle *b);

#endif
