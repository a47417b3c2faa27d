/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generator of the parameter table: reads schema/slurm/<release>.yaml, oldest release
 * first, and writes the const tables that compiler/schema looks up. It runs at build time
 * and ends the build, with file and line, at a row that is wrong.
 */
#ifndef PLUMB_SCHEMA_GENERATE_H
#define PLUMB_SCHEMA_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/release.h"
#include "yaml_file.h"

enum { MAX_PARAMS = 2000, MAX_VALUES = 400, MAX_TRAITS = 200 };

struct value {
    char *word, *note;
    unsigned first, last;
    bool has_min, has_max, gone, alone, deprecated;
    uint64_t min, max;
    const char *bad; /* C expression of enum plumb_effect */
    char *daemons;   /* of enum plumb_daemon */
};

/* Fields that a later release may change; names of enums are C expressions. */
struct rev {
    unsigned since;
    const char *life, *type, *match, *bad;
    char *daemons, *life_daemons; /* who minds a bad value; the key itself */
    bool repeats, open, none, empty, has_min, has_max;
    uint64_t min, max;
    char *unit, *def, *replaced_by, *note;
    bool def_same; /* these hold for their own release alone */
    char *def_keep, *def_with, *meaning, *meaning_of;
};

struct param {
    unsigned file, scope; /* rows of the tables below */
    char *name, *id;
    char *restart, *ref;
    const char *holds; /* C expression of enum plumb_scope; NULL: no mapping */
    bool required;
    struct rev revs[PLUMB_RELEASE_COUNT];
    size_t rev_count;
    struct value values[MAX_VALUES];
    size_t value_count;
};

/* What the daemons of a release do: the value from one release on, until the next. */
struct trait {
    char *name, *id, *means;
    struct {
        unsigned since;
        uint64_t value;
        char *ref;
    } revs[PLUMB_RELEASE_COUNT];
    size_t rev_count;
};

struct table {
    struct param *params;
    size_t count;
    struct trait traits[MAX_TRAITS];
    size_t trait_count;
};

/* A word of the YAML rows and what stands for it in C. */
struct name {
    const char *word, *expr;
};
extern const struct name file_names[], scope_names[], type_names[], life_names[], match_names[],
    effect_names[], daemon_names[];

/* The position of a word in one of these tables, or -1. */
int name_find(const struct name *table, const char *word);

/* Prefix of the ids of a file and scope ("NODE"), NULL where that file has no such scope. */
const char *id_prefix(const char *file, const char *scope);

char *copy_text(const char *text);

/* Applies one release file to the table. */
void read_release(struct table *t, const char *path);

/* Sorts the table and writes plumb_params.h and params.c into a folder; traits after them. */
void write_table(struct table *t, const char *folder);
void write_trait_ids(FILE *out, const struct table *t);
void write_traits(FILE *out, const struct table *t);

/* A text as field ", .name = ..." of a row; nothing for NULL. */
void put_text(FILE *out, const char *field, const char *text);

#endif
