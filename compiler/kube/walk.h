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

/* The value is of the form of the type and within its limits. False: reported, or null. */
bool plumb_kube_value_sound(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                            const struct plumb_node *n, struct plumb_span key,
                            const struct plumb_kube_step *at);

#endif
