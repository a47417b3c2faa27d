/* SPDX-License-Identifier: Apache-2.0 */
/* What read.c and traits.c share: one release file, and the values in it. */
#ifndef PLUMB_SCHEMA_READER_H
#define PLUMB_SCHEMA_READER_H

#include "generate.h"

/* What a row is read with. */
struct reader {
    struct table *table;
    struct yaml_file file;
    unsigned release;
};

/* They end the program at what is no number, neither yes nor no. */
uint64_t number(struct reader *rd, const yaml_node_t *n);
bool yes(struct reader *rd, const yaml_node_t *n);

/* The text of a field that the row must have. */
const char *field(struct reader *rd, const yaml_node_t *row, const char *wanted);

/* The section of traits. */
void read_traits(struct reader *rd, const yaml_node_t *rows);

#endif
