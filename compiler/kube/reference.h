/* SPDX-License-Identifier: Apache-2.0 */
/* Documentation of a dialect of manifests, in Markdown, made from its table. */
#ifndef PLUMB_KUBE_REFERENCE_H
#define PLUMB_KUBE_REFERENCE_H

#include "base/buf.h"

/* The dialect of the SUNK guides: kinds, fields, and which of them are a schema of plumb's. */
void plumb_kube_reference_sunk(struct plumb_buf *out);

#endif
