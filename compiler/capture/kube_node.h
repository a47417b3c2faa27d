/* SPDX-License-Identifier: Apache-2.0 */
/* Node objects of `kubectl get nodes -o json|yaml`: a single one, a List, a NodeList. */
#ifndef PLUMB_CAPTURE_KUBE_NODE_H
#define PLUMB_CAPTURE_KUBE_NODE_H

#include "capture/capture.h"

/* Adds every Node of a document to the group; false when there was none (reported). */
bool plumb_kube_nodes_add(struct plumb_session *s, struct plumb_capture_group *g,
                          struct plumb_node *root);

/* True when the document is a Node, or a list that holds one or is meant for some. */
bool plumb_kube_nodes_sniff(const struct plumb_node *root);

/*
 * A device count such as "8" or 8. Absent without a node; bad after a finding when it is no
 * whole number (Kubernetes: extended resources are integers).
 */
struct plumb_u64 plumb_kube_count(struct plumb_session *s, const struct plumb_node *n);

#endif
