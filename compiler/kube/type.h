/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the API server of Kubernetes knows about a kind: its fields and what each may hold. The
 * tables are rows of schema/kube/<flavour>-<release>.yaml, which schema/kube/import.py makes from
 * published CRDs and the JSON Schema of the built-in kinds; schema/generate_kube.c makes them C.
 *
 * A row of the files:
 *
 *   types:
 *     "NodeSet.spec":
 *       required: ["controllerRef"]
 *       fields:
 *         replicas: {"is": "integer", "default": 1}
 *         tolerations: "Toleration[]"
 *
 * "is" is the name of a type of this file or of one below, string, integer, int32, number, boolean,
 * any, open (a mapping whose fields nobody checks), int-or-string, quantity, number-or-quantity;
 * behind it [] makes a list and {} a mapping with free keys. A type that is a limited value has
 * "is" itself.
 */
#ifndef PLUMB_KUBE_TYPE_H
#define PLUMB_KUBE_TYPE_H

#include "base/base.h"
#include "schema/kube_owned.h"

enum plumb_kube_form {
    PLUMB_KUBE_ANY,
    PLUMB_KUBE_OPEN, /* a mapping, whatever is in it */
    PLUMB_KUBE_STRING,
    PLUMB_KUBE_INTEGER,
    PLUMB_KUBE_NUMBER,
    PLUMB_KUBE_BOOLEAN,
    PLUMB_KUBE_INT_OR_STRING,
    PLUMB_KUBE_QUANTITY,           /* integer or text */
    PLUMB_KUBE_NUMBER_OR_QUANTITY, /* the same with fractions: built-in kinds */
    PLUMB_KUBE_OBJECT,             /* the fields of the type */
    PLUMB_KUBE_LIST,
    PLUMB_KUBE_MAP, /* free keys */
};

enum plumb_kube_format { PLUMB_KUBE_PLAIN, PLUMB_KUBE_BYTE, PLUMB_KUBE_DATE_TIME };

struct plumb_kube_field;

struct plumb_kube_type {
    const char *name; /* of a type with fields; NULL */
    enum plumb_kube_form form;
    enum plumb_kube_format format;
    bool nullable;                         /* null is a value of it */
    bool keeps;                            /* unknown fields stay */
    bool ours;                             /* a schema of plumb's, for lack of a public one */
    bool late;                             /* words of validation, which no CRD has in its schema */
    const struct plumb_kube_type *of;      /* what a list or mapping holds */
    const struct plumb_kube_type *as;      /* what the operator reads an open value as; NULL */
    const struct plumb_kube_field *fields; /* sorted by name */
    size_t field_count;
    const char *const *words; /* an enum, NULL at its end; NULL: anything */
    const char *const *keys;  /* items of the list differ in these; "": in all */
    const char *const *rules; /* of cel.c; NULL at the end; NULL: none */
    const char *pattern;
    bool has_min, has_max;
    int64_t min, max;
    uint32_t min_length, max_length, min_items; /* 0: no limit */
};

struct plumb_kube_field {
    const char *name;
    const struct plumb_kube_type *type;
    bool required;     /* and without a default, which would fill it in */
    const char *value; /* the default as JSON; NULL: none */
};

struct plumb_kube_kind {
    const char *api, *kind;             /* "slinky.slurm.net/v1beta1", "NodeSet" */
    const struct plumb_kube_type *type; /* NULL: no release of the table serves this version */
};

/* A field that cannot change once the object is there. */
struct plumb_kube_frozen {
    const char *field; /* "PersistentVolumeClaim spec.accessModes" */
    const char *when;  /* "": it changes at all; less: to a smaller quantity; immutable: while the
                          object says so of itself */
    const char *then;  /* what happens: "the API server refuses it" */
    const char *way;   /* what somebody does who needs the change */
};

/* What one release of an operator, or of Kubernetes, serves. */
struct plumb_kube_table {
    const char *flavour, *release;        /* "slinky", "1.2.1" */
    const struct plumb_kube_table *below; /* where kinds are looked up that this one lacks */
    const struct plumb_kube_kind *kinds;
    size_t kind_count;
    const struct plumb_kube_writes *writes; /* NULL: those of the table below hold */
    const struct plumb_kube_frozen *frozen;
    size_t frozen_count;
};

/* Generated. Tables of one flavour stand together, oldest first. */
extern const struct plumb_kube_table plumb_kube_tables[];
extern const size_t plumb_kube_table_count;

/* The kind in a table or below it; NULL. */
const struct plumb_kube_kind *plumb_kube_kind_find(const struct plumb_kube_table *t,
                                                   const char *api, const char *kind);

/* What the operator writes itself; NULL: nothing is known of it. */
const struct plumb_kube_writes *plumb_kube_writes_of(const struct plumb_kube_table *t);

/*
 * The row for a path of a kind in a table or below it, of the field itself or of one that it is in
 * ("spec.accessModes[0]"); NULL: it may change.
 */
const struct plumb_kube_frozen *plumb_kube_frozen_at(const struct plumb_kube_table *t,
                                                     const char *kind, const char *path);

/* The table of a flavour: of that release, of the newest (release NULL); NULL: there is none. */
const struct plumb_kube_table *plumb_kube_table_find(const char *flavour, const char *release);

/* The flavour whose operator owns an API group ("slinky.slurm.net/v1alpha1"); NULL: nobody's. */
const char *plumb_kube_flavour_of(const char *api);

const struct plumb_kube_field *plumb_kube_field_find(const struct plumb_kube_type *t,
                                                     const char *name);

#endif
