/* SPDX-License-Identifier: Apache-2.0 */
/* Single values of a specification: numbers, sizes, durations, words, names. */
#ifndef PLUMB_SPEC_SCALAR_H
#define PLUMB_SPEC_SCALAR_H

#include "spec/rules.h"
#include "spec/tree.h"

/* Reports unless s is NULL, and marks the value bad. Gives the finding or NULL. */
struct plumb_diag *plumb_spec_bad(struct plumb_session *s, struct plumb_spec_value *v,
                                  enum plumb_spec_fault fault, struct plumb_span at,
                                  const char *fmt, ...) PLUMB_PRINTF(5, 6);

/*
 * Reads v->text by the kind of v->row. The value is given or bad afterwards; a fault is
 * one finding at the part of the text that is wrong.
 */
void plumb_spec_scalar(struct plumb_session *s, struct plumb_spec_value *v);

/* Sizes, durations and ages: spec/units.c. */
void plumb_spec_quantity(struct plumb_session *s, struct plumb_spec_value *v);

/* Units as the schema and the reference show them: "us, ms, s, min, h, days, weeks". */
void plumb_spec_unit_list(struct plumb_buf *out, enum plumb_spec_kind kind);

/* A regular expression for the same, for the JSON Schema. */
const char *plumb_spec_unit_pattern(enum plumb_spec_kind kind);

#endif
