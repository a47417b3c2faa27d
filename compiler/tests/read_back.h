/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two models field by field: that of a specification, and that of the objects which were built of
 * it and read back. Pods are no machines of the specification, so nodes are compared by what is
 * true of them: their line, the partitions that take them, the lines of gres.conf for them, their
 * section kubernetes, and how many there are.
 */
#ifndef PLUMB_TESTS_READ_BACK_H
#define PLUMB_TESTS_READ_BACK_H

#include "model/kube_plan.h"
#include "model/model.h"

struct exception {
    enum plumb_param_id id;
    const char *reason;
};

struct flavour {
    const char *target, *kubernetes; /* for --kubernetes */
    const char *section;             /* for specifications without one */
    const char *in;                  /* what a section of the flavour has, and no other */
    const char *out;                 /* what it has not; NULL: nothing */
    const struct exception *exceptions;
    size_t exception_count;
};

extern const struct flavour read_back_flavours[];
extern const size_t read_back_flavour_count;

/* The first field that differs, "MaxTime of ... was 'a', is 'b'"; NULL: none. */
const char *read_back_difference(struct plumb_arena *a, const struct flavour *f,
                                 const struct plumb_model *before, const struct plumb_model *after);

#endif
