/* SPDX-License-Identifier: Apache-2.0 */
/* Names that captures have (doc/capture.md), where their text does not tell what they are. */
#ifndef PLUMB_PASSES_CAPTURE_NAMES_H
#define PLUMB_PASSES_CAPTURE_NAMES_H

#include "base/rule.h"
#include "passes/pass.h"

/* What a file of such a name is, when at least some of its text is of that; else UNKNOWN. */
enum plumb_source_kind plumb_capture_named(const struct plumb_source *src);

/* HW065: a file that is named like a capture and holds none. For files that are left alone. */
void plumb_capture_name_check(struct plumb_session *s, const struct plumb_source *src);

/* What else than text in UTF-8 the bytes are, "packed with gzip"; NULL: nothing that is known. */
const char *plumb_other_bytes(const struct plumb_source *src);

extern const struct plumb_rule_family plumb_capture_name_rules; /* family HW */

#endif
