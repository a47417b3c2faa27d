/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void fail(struct place at, const char *fmt, ...)
{
    va_list args;

    fprintf(stderr, "%s:%zu: error: ", at.path, at.line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

void yaml_file_read(struct yaml_file *f, const char *path)
{
    FILE *in = fopen(path, "rb");
    yaml_parser_t parser;

    f->path = path;
    if (in == NULL || !yaml_parser_initialize(&parser))
        fail((struct place){path, 1}, "cannot be read");
    yaml_parser_set_input_file(&parser, in);
    if (!yaml_parser_load(&parser, &f->doc))
        fail((struct place){path, parser.problem_mark.line + 1}, "%s", parser.problem);
    yaml_parser_delete(&parser);
    fclose(in);
}

struct place place_of(const struct yaml_file *f, const yaml_node_t *n)
{
    return (struct place){f->path, n == NULL ? 1 : n->start_mark.line + 1};
}

yaml_node_t *node(struct yaml_file *f, int index)
{
    return yaml_document_get_node(&f->doc, index);
}

const char *scalar(const struct yaml_file *f, const yaml_node_t *n)
{
    if (n == NULL || n->type != YAML_SCALAR_NODE)
        fail(place_of(f, n), "expected a single value");
    return (const char *)n->data.scalar.value;
}
