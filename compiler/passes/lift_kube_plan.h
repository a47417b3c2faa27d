/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section kubernetes of the cluster of a bundle (model/kube_plan.h), read back from the objects
 * that say it: what the target of the flavour writes, so that building and reading back is the
 * same. A file for each flavour, with parts that all of them have here.
 */
#ifndef PLUMB_PASSES_LIFT_KUBE_PLAN_H
#define PLUMB_PASSES_LIFT_KUBE_PLAN_H

#include "model/kube_plan.h"
#include "passes/assemble.h"
#include "passes/lift_kube.h"

struct plumb_said {
    struct plumb_kube_lifter *l;
    struct plumb_kube_plan *p;
};

/* Values at a path of an object; absent where it says none. */
struct plumb_text plumb_said_text(struct plumb_said *pl, const struct plumb_kube_object *o,
                                  const char *path);
struct plumb_bool plumb_said_bool(const struct plumb_kube_object *o, const char *path);
struct plumb_u64 plumb_said_count(const struct plumb_kube_object *o, const char *path);
/* A quantity of bytes; absent where it is none. */
struct plumb_u64 plumb_said_bytes(const struct plumb_kube_object *o, const char *path);
/* A list of texts. */
struct plumb_plan_names plumb_said_names(struct plumb_said *pl, const struct plumb_kube_object *o,
                                         const char *path);
/* Both are absent, or say the same. */
bool plumb_said_same(const struct plumb_text *a, const struct plumb_text *b);
/* {name, key} */
struct plumb_kube_secret plumb_said_secret(struct plumb_said *pl, const struct plumb_kube_object *o,
                                           const char *path);

/* A list of tolerations. */
struct plumb_kube_tolerances plumb_said_tolerations(struct plumb_said *pl,
                                                    const struct plumb_node *list);

/* What of a set of nodes is said of their machines: mapping of labels, list of tolerations. */
void plumb_said_class(struct plumb_said *pl, struct plumb_kube_class *class,
                      const struct plumb_node *labels, const struct plumb_node *tolerations);

/* Each class of nodes with the NodeSet that its line was made of, where there is one. */
void plumb_said_classes(struct plumb_said *pl,
                        void (*lift)(struct plumb_said *, const struct plumb_kube_object *,
                                     struct plumb_kube_class *));

/* {repository, tag} of an image: "repository:tag"; absent without a repository. */
struct plumb_text plumb_said_image(struct plumb_said *pl, const struct plumb_node *image);

/* Labels of one term of a node affinity that asks for one value each. Others say more than a
 * section kubernetes can; of several terms any is enough, and none is a selector. */
size_t plumb_said_term(struct plumb_said *pl, const struct plumb_node *terms,
                       struct plumb_kube_pick **out);

/* The spec of a claim: storage class, access mode, bytes. */
struct plumb_said_claim {
    struct plumb_text class, access;
    struct plumb_u64 bytes;
};
struct plumb_said_claim plumb_said_claim(struct plumb_said *pl, const struct plumb_node *spec);

/* Flavours: the plan of the objects of the run. */
void plumb_said_slinky(struct plumb_said *pl, const struct plumb_kube_object *cluster);
void plumb_said_soperator(struct plumb_said *pl, const struct plumb_kube_object *cluster);
void plumb_said_sunk(struct plumb_said *pl, const struct plumb_kube_object *cluster);
void plumb_said_sunk_values(struct plumb_said *pl, const struct plumb_kube_object *values);

#endif
