/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items of a list that may name node sets or node classes as well as hosts. A set may be called
 * "a100", which as a host list is host 100 of "a": so items are looked up before they are read.
 */
#ifndef PLUMB_PASSES_NAMES_H
#define PLUMB_PASSES_NAMES_H

#include "model/hostlist.h"

/* The hosts that a name stands for, or NULL when it is a host or host list. */
typedef const struct plumb_hostlist *(*plumb_names_lookup)(const void *data, const char *name);

/* True when the name is an item of the text. */
bool plumb_names_hold(const struct plumb_slice *text, const char *name);

/* Adds what each item of a text stands for. False when one is bad, and reported. */
bool plumb_names_resolve(struct plumb_session *s, enum plumb_release r,
                         const struct plumb_slice *text, plumb_names_lookup lookup,
                         const void *data, struct plumb_hostlist *to);

#endif
