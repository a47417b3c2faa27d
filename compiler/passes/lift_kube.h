/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of pass lift-kube. */
#ifndef PLUMB_PASSES_LIFT_KUBE_H
#define PLUMB_PASSES_LIFT_KUBE_H

#include "kube/object.h"
#include "model/kube.h"
#include "passes/pass.h"
#include "syntax/node.h"

struct plumb_kube_lifter {
    struct plumb_run *run;
    struct plumb_session *session;
    struct plumb_arena *a;
    struct plumb_kube_model *to;
};

/* The text of a scalar; absent where there is none. */
struct plumb_text plumb_kube_text(struct plumb_kube_lifter *l, const struct plumb_node *n);

/* The value of a count; bad: it is no whole number, or below zero; absent where there is none. */
struct plumb_u64 plumb_kube_number(const struct plumb_node *n);

/* Words of "A=1 B=2" (lines: of a text with a setting a line). */
struct plumb_kube_words plumb_kube_split(struct plumb_kube_lifter *l, const struct plumb_node *n,
                                         bool lines);

/* lift_kube_sets.c */
void plumb_kube_lift_sets(struct plumb_kube_lifter *l);
void plumb_kube_lift_nodes(struct plumb_kube_lifter *l);

/* lift_kube_sunk.c: what the dialect of SUNK has for itself. */
const struct plumb_kube_tells *plumb_kube_lift_tells(struct plumb_kube_lifter *l,
                                                     const struct plumb_kube_object *o);
void plumb_kube_lift_binding(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                             const struct plumb_kube_thing *t);
void plumb_kube_lift_account(struct plumb_kube_lifter *l, const struct plumb_kube_object *o);
/* Adds the lines of the SlurmConfigs of a cluster to those of the cluster. */
void plumb_kube_lift_fragments(struct plumb_kube_lifter *l, struct plumb_kube_cluster *c);

/* lift_kube_mig.c: layouts within ConfigMaps. */
void plumb_kube_lift_layouts(struct plumb_kube_lifter *l);

/* lift_kube_plan.c: the section kubernetes that would say the same. */
void plumb_kube_lift_plan(struct plumb_kube_lifter *l);

/* Its keys hold text that programs read: a ConfigMap, or values of the GPU operator's chart. */
bool plumb_kube_has_texts(const struct plumb_kube_thing *t);

/* lift_kube_stack.c: the device plugin, alerts, what values of the GPU operator's chart name. */
void plumb_kube_lift_stack(struct plumb_kube_lifter *l);

/* lift_kube_refs.c */
void plumb_kube_lift_refs(struct plumb_kube_lifter *l);

#endif
