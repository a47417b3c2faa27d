/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML in and out, through libyaml. libyaml's marks count characters; the reader turns
 * them into bytes. Duplicate keys (the first one counts), non-scalar keys, unknown aliases,
 * depth and alias limits are findings of family YAML; reading goes on behind each fault that
 * allows it. Merge keys (<<) are resolved: the pairs follow those that the mapping has itself.
 */
#ifndef PLUMB_SYNTAX_YAML_H
#define PLUMB_SYNTAX_YAML_H

#include "base/buf.h"
#include "base/cause.h"
#include "base/session.h"
#include "syntax/node.h"

struct plumb_yaml {
    struct plumb_node **documents; /* in order; empty documents are left out */
    size_t count;
    bool partial; /* reading stopped at a fault: what is missing may stand behind it */

    /* Bodies of quoted and block scalars that hold a '#', in order: no comment begins there. */
    struct plumb_span *bodies;
    size_t body_count;
};

/*
 * Reads every document of a stream. After a syntax fault the documents and the part of the
 * tree before it are kept, and one finding tells the place. Never NULL.
 */
struct plumb_yaml *plumb_yaml_read(struct plumb_session *s, const struct plumb_source *src);

/*
 * Comments of a YAML source that begin with "plumb:", for suppressions: one line each,
 * with the span of the comment. Scans the text with the reader's own idea of quoting.
 */
struct plumb_comment {
    struct plumb_slice text; /* behind the '#', blanks trimmed */
    uint32_t line;           /* from 1 */
    bool alone;              /* nothing but blanks before it on its line */
};
size_t plumb_yaml_comments(struct plumb_session *s, const struct plumb_source *src,
                           const struct plumb_yaml *doc, struct plumb_comment **out);

/* Prints a tree as one document in block style; quotes what a YAML 1.1 reader would misread. */
void plumb_yaml_write(struct plumb_buf *out, const struct plumb_node *root,
                      struct plumb_causes *causes);

extern const struct plumb_rule_family plumb_yaml_rules;

#endif
