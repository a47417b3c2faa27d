/* SPDX-License-Identifier: Apache-2.0 */
/* What the generators share: a file of YAML rows, its scalars, and complaints about them. */
#ifndef PLUMB_SCHEMA_YAML_FILE_H
#define PLUMB_SCHEMA_YAML_FILE_H

#include <stddef.h>

#include <yaml.h>

/* A place in a YAML file, for complaints. */
struct place {
    const char *path;
    size_t line; /* from 1 */
};

/* Ends the build with file and line. */
_Noreturn void fail(struct place at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct yaml_file {
    const char *path;
    yaml_document_t doc;
};

/* Reads the document of a file, which yaml_document_delete() gives back. */
void yaml_file_read(struct yaml_file *f, const char *path);

/* Of NULL, the first line. */
struct place place_of(const struct yaml_file *f, const yaml_node_t *n);
yaml_node_t *node(struct yaml_file *f, int index);

/* Ends the build at what is no single value, NULL too. */
const char *scalar(const struct yaml_file *f, const yaml_node_t *n);

#endif
