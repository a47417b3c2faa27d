/* SPDX-License-Identifier: Apache-2.0 */
/* Between check.c and check_value.c. */
#ifndef PLUMB_KUBE_WALK_H
#define PLUMB_KUBE_WALK_H

#include "base/limits.h"
#include "kube/check.h"

struct plumb_kube_walk {
    struct plumb_session *session;
    const struct plumb_kube_subject *subject;
    enum plumb_kube_reader reader;
    const struct plumb_node *inside; /* the open field that is being read as something */
};

/* Goes down from here. key: of the field, unknown for an item. */
void plumb_kube_walk(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                     const struct plumb_node *n, struct plumb_span key,
                     const struct plumb_kube_step *at);

/* What becomes of what is wrong: "the API server refuses the object". */
const char *plumb_kube_does(const struct plumb_kube_walk *w);

/* The same for what no schema says: a CRD takes it, and what the operator makes of it is refused.
 */
const char *plumb_kube_does_late(const struct plumb_kube_walk *w);

/* together.c: fields that hold only together. False: the rule is an expression of a CRD. */
bool plumb_kube_together(const struct plumb_kube_walk *w, const char *rule,
                         const struct plumb_node *n);

/* The value is of the form of the type and within its limits. False: reported, or null. */
bool plumb_kube_value_sound(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                            const struct plumb_node *n, struct plumb_span key,
                            const struct plumb_kube_step *at);

#endif
