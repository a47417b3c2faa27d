/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of family GEN, for those who report them. */
#ifndef PLUMB_EMIT_PRINT_H
#define PLUMB_EMIT_PRINT_H

#include "emit/output.h"

enum plumb_gen_row { PLUMB_GEN_UNWRITABLE, PLUMB_GEN_CLASH, PLUMB_GEN_LEFT_OUT };

const struct plumb_rule *plumb_gen_rule(enum plumb_gen_row row);

#endif
