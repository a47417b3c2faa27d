/* SPDX-License-Identifier: Apache-2.0 */
/* Family YAML: what a YAML text can have wrong before its meaning is asked for. */
#include "syntax/yaml_reader.h"

static const struct plumb_rule rows[] = {
    [PLUMB_YAML_SYNTAX] =
        {
            .code = "YAML001",
            .name = "yaml-syntax",
            .severity = PLUMB_ERROR,
            .summary = "the text is no YAML",
            .why = "What stands behind the fault cannot be read, so it is not checked.",
            .ref = "YAML 1.1, https://yaml.org/spec/1.1/",
            .bad = "nodes:\n  h100: gpu: 8\n",
            .good = "nodes:\n  h100:\n    gpu: 8\n",
        },
    [PLUMB_YAML_TAB] =
        {
            .code = "YAML002",
            .name = "yaml-tab",
            .severity = PLUMB_ERROR,
            .summary = "a tab stands where YAML wants blanks",
            .why = "YAML counts blanks to see what belongs to what; it refuses tabs there.",
            .ref = "YAML 1.1, section 4.2.1 Indentation",
            .bad = "nodes:\n\th100: {}\n",
            .good = "nodes:\n  h100: {}\n",
        },
    [PLUMB_YAML_UNCLOSED] =
        {
            .code = "YAML003",
            .name = "yaml-unclosed",
            .severity = PLUMB_ERROR,
            .summary = "a quote or a bracket is not closed",
            .why = "Everything up to the next closing sign, or the end of the file, is taken for "
                   "its content.",
            .ref = "YAML 1.1, sections 9.1 and 10.1",
            .bad = "features: [h100, ib\n",
            .good = "features: [h100, ib]\n",
        },
    [PLUMB_YAML_DUPLICATE_KEY] =
        {
            .code = "YAML004",
            .name = "yaml-duplicate-key",
            .severity = PLUMB_ERROR,
            .summary = "a key is given twice in one mapping",
            .why = "One of the two values is lost, and tools do not agree which; the first one "
                   "counts here.",
            .ref = "YAML 1.1, section 3.2.1.3 Nodes Comparison",
            .bad = "slurm: \"24.11\"\nslurm: \"25.05\"\n",
            .good = "slurm: \"25.05\"\n",
        },
    [PLUMB_YAML_KEY_KIND] =
        {
            .code = "YAML005",
            .name = "yaml-key-kind",
            .severity = PLUMB_ERROR,
            .summary = "a key is a list or a mapping",
            .why = "Keys are names; the pair is left out.",
            .ref = "YAML 1.1, section 3.2.1.1 Nodes",
            .bad = "{[a, b]: x}\n",
            .good = "{a: x, b: x}\n",
        },
    [PLUMB_YAML_ALIAS] =
        {
            .code = "YAML006",
            .name = "yaml-alias",
            .severity = PLUMB_ERROR,
            .summary = "an alias names no anchor that stands before it",
            .why = "There is nothing to put in its place.",
            .ref = "YAML 1.1, section 7.1 Alias Nodes",
            .bad = "a: *base\n",
            .good = "base: &base {x: 1}\na: *base\n",
        },
    [PLUMB_YAML_ALIAS_LIMIT] =
        {
            .code = "YAML007",
            .name = "yaml-alias-limit",
            .severity = PLUMB_ERROR,
            .summary = "aliases stand for more nodes than are allowed",
            .why = "Aliases of aliases multiply: a short file can stand for billions of nodes.",
            .ref = "compiler/base/limits.h",
        },
    [PLUMB_YAML_DEPTH] =
        {
            .code = "YAML008",
            .name = "yaml-depth",
            .severity = PLUMB_ERROR,
            .summary = "collections are nested too deep",
            .why = "No configuration nests like this; reading stops there.",
            .ref = "compiler/base/limits.h",
        },
    [PLUMB_YAML_SIZE] =
        {
            .code = "YAML009",
            .name = "yaml-size",
            .severity = PLUMB_ERROR,
            .summary = "the document has too many nodes",
            .why = "What follows is not read and not checked.",
            .ref = "compiler/base/limits.h",
        },
    [PLUMB_YAML_TAG] =
        {
            .code = "YAML010",
            .name = "yaml-tag",
            .severity = PLUMB_WARNING,
            .summary = "a tag is not known",
            .why = "The tag asks for a type that only the program it was written for has.",
            .ref = "YAML 1.1, section 3.3.2 Resolved Nodes",
            .bad = "key: !vault secret\n",
            .good = "key: secret\n",
        },
    [PLUMB_YAML_ENCODING] =
        {
            .code = "YAML011",
            .name = "yaml-encoding",
            .severity = PLUMB_ERROR,
            .summary = "the file is not UTF-8",
            .why = "Bytes that are no UTF-8 have no agreed meaning.",
            .ref = "YAML 1.1, section 5.2 Character Encoding",
        },
    [PLUMB_YAML_CHARACTER] =
        {
            .code = "YAML012",
            .name = "yaml-control-character",
            .severity = PLUMB_ERROR,
            .summary = "the text holds a control character",
            .why = "YAML readers refuse the whole file because of it.",
            .ref = "YAML 1.1, section 5.1 Character Set",
        },
    [PLUMB_YAML_MERGE] =
        {
            .code = "YAML013",
            .name = "yaml-merge",
            .severity = PLUMB_ERROR,
            .summary = "a merge key has something else than mappings",
            .why = "Only the keys of a mapping can be taken over.",
            .ref = "https://yaml.org/type/merge.html",
            .bad = "a: {<<: base}\n",
            .good = "base: &base {x: 1}\na: {<<: *base}\n",
        },
};

_Static_assert(PLUMB_COUNT(rows) == PLUMB_YAML_ROW_COUNT, "one row for each enum constant");

const struct plumb_rule_family plumb_yaml_rules = {
    .prefix = "YAML",
    .title = "YAML syntax",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
