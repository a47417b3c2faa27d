/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One Slurm parameter with its value. Documents of Slurm files are lists of them, and so are
 * the records of the model: what was read from a file is not copied on the way, since a large
 * cluster has a million of them.
 */
#ifndef PLUMB_SCHEMA_SETTING_H
#define PLUMB_SCHEMA_SETTING_H

#include "base/span.h"
#include "schema/param.h"

struct plumb_setting {
    const struct plumb_param *param; /* found by file, scope and name; NULL: in no table */
    const char *key;          /* as written, or the name in the table; NULL: none beside it */
    struct plumb_slice value; /* Slurm's notation without quotes; the span is what decided it */
    struct plumb_span key_at; /* unknown for what nobody wrote */
    enum plumb_origin origin : 8;
    char op; /* '=', or the + - * / before it that means nothing */
};

#endif
