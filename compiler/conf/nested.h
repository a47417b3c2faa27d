/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slurm's files in YAML: topology.yaml, resources.yaml, namespace.yaml. The daemons read them with
 * the parsers of data_parser (parsers.c), whose tables are rows of the parameter table here: each
 * mapping is a scope, and a row tells the scope of the mapping below its key.
 */
#ifndef PLUMB_CONF_NESTED_H
#define PLUMB_CONF_NESTED_H

#include "base/session.h"
#include "schema/param.h"
#include "syntax/yaml.h"

struct plumb_nested {
    enum plumb_file file;
    const struct plumb_source *src;
    struct plumb_yaml *yaml;
    const struct plumb_node *root; /* of the document that counts; NULL: none, which was reported */
    bool twice; /* a key is there twice: the tree has the first value, the daemons go by the last */
};

/*
 * Reads a file. What is wrong with the YAML is a finding of family YAML that tells what the daemons
 * of the file do about it; what YAML allows and they do not is one of family CONF. Never NULL.
 */
struct plumb_nested *plumb_nested_read(struct plumb_session *s, enum plumb_file file,
                                       const struct plumb_source *src);

/* Holds every key and value against the rows of a release. */
void plumb_nested_check(struct plumb_session *s, const struct plumb_nested *tree,
                        enum plumb_release r);

/* The entries of a list; a mapping is a list of one, anything else an empty one. */
struct plumb_nested_entries {
    struct plumb_node *const *items;
    uint32_t count;
};
struct plumb_nested_entries plumb_nested_entries(struct plumb_arena *a, struct plumb_node *n);

/* A whole number as data.c:_convert_data_int reads it: digits with or without a sign, or 0x. */
bool plumb_nested_int(const struct plumb_slice *text, int64_t *out);

/* A boolean as data.c:_convert_data_force_bool reads it. False: a word that it takes for true. */
bool plumb_nested_bool(const struct plumb_node *n, bool *out);

/* Rows of the files that this reader is for, CONF060 to CONF069. */
enum plumb_nested_rule {
    PLUMB_NESTED_MISSING,
    PLUMB_NESTED_ALIAS,
    PLUMB_NESTED_DOCUMENTS,
    PLUMB_NESTED_OTHER_RELEASE,
    PLUMB_NESTED_KIND,
    PLUMB_NESTED_EMPTY,
    PLUMB_NESTED_TWICE,
    PLUMB_NESTED_RULE_COUNT,
};
extern const struct plumb_rule plumb_nested_rows[PLUMB_NESTED_RULE_COUNT];
extern const struct plumb_rule_family plumb_nested_rules;

/* Inside of this reader: one of its rows, with the outcome that the row has. */
struct plumb_conf_check;
struct plumb_diag *plumb_nested_report(const struct plumb_conf_check *ck,
                                       enum plumb_nested_rule rule, struct plumb_span at,
                                       const char *message);
/* Kinds and names of the list of topology.yaml; for nested_check.c alone. */
void plumb_nested_topologies(const struct plumb_conf_check *ck, const struct plumb_nested *tree);

#endif
