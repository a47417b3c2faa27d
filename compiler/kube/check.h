/* SPDX-License-Identifier: Apache-2.0 */
/* One engine that holds any tree against a type of the tables. */
#ifndef PLUMB_KUBE_CHECK_H
#define PLUMB_KUBE_CHECK_H

#include "base/session.h"
#include "kube/type.h"
#include "syntax/node.h"

/* Who reads the tree, and what becomes of what he does not know. */
enum plumb_kube_reader {
    PLUMB_KUBE_SERVER,   /* the API server, by a CRD */
    PLUMB_KUBE_BUILT_IN, /* the API server, its own kinds: null is nothing */
    PLUMB_KUBE_OPERATOR, /* the operator, in a field that the CRD leaves open */
    PLUMB_KUBE_CHART,    /* templates of a chart */
    PLUMB_KUBE_GUIDE,    /* known from guides alone: what is unknown may be right */
    PLUMB_KUBE_RECORD,   /* templates of a chart that is not public: the same */
};

struct plumb_kube_subject {
    enum plumb_kube_reader reader;
    const char *what; /* "NodeSet slinky.slurm.net/v1beta1" */
    const struct plumb_kube_type *type;
    const char *release;                 /* of the table, "1.2.1" */
    const struct plumb_kube_type *newer; /* the same in a later release; NULL */
    const char *newer_release;
    bool partial; /* a patch: what is missing stands elsewhere */
};

/*
 * Reports unknown fields, missing ones, wrong types, what is outside of a set, pattern or range,
 * items of a list that must differ, quantities, labels.
 */
void plumb_kube_check(struct plumb_session *s, const struct plumb_kube_subject *subject,
                      const struct plumb_node *root);

/* Where a tree is, for messages: "spec.template.spec.containers[0]". */
struct plumb_kube_step {
    const struct plumb_kube_step *up; /* NULL at the root */
    const char *key;                  /* NULL: an item */
    uint32_t index;
    bool required; /* the mapping needs the key */
};
const char *plumb_kube_path(struct plumb_arena *a, const struct plumb_kube_step *at,
                            const char *last);

/* chart.c: values of Slinky's chart against each other. */
void plumb_kube_check_values(struct plumb_session *s, const struct plumb_node *root);

/* cel.c: an expression of the CRD by its name in the table. */
void plumb_kube_cel(struct plumb_session *s, const char *rule, const char *what,
                    const struct plumb_node *n);

/* names.c: keys and values of labels, keys and size of annotations. */
void plumb_kube_labels(struct plumb_session *s, const struct plumb_node *labels);
void plumb_kube_annotations(struct plumb_session *s, const struct plumb_node *annotations);

/* The first byte that is wrong in a name of that kind; SIZE_MAX: it is one. */
enum plumb_kube_name { PLUMB_KUBE_LABEL_NAME, PLUMB_KUBE_SUBDOMAIN, PLUMB_KUBE_SERVICE_NAME };
size_t plumb_kube_name_fault(enum plumb_kube_name kind, const char *text, size_t len);

#endif
