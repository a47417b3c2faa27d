/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files that make model/kube_plan.h of the section kubernetes: resolve_kube.c reads
 * what every flavour has, one file a flavour adds its own and refuses what its operator cannot do.
 */
#ifndef PLUMB_PASSES_RESOLVE_KUBE_H
#define PLUMB_PASSES_RESOLVE_KUBE_H

#include "kube/type.h"
#include "model/kube_plan.h"
#include "passes/resolve.h"

#define NOT_IN_FLAVOUR(rs, at, ...)                                                                \
    plumb_diag_new(&(rs)->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_IN_FLAVOUR), (at), __VA_ARGS__)

/* A key of the section that the operator has no use for: what is lost, as one sentence part. */
struct plumb_plan_unread {
    const char *path;
    const char *why;
};

/* A flavour that there is a target for. */
struct plumb_plan_flavour {
    const char *name; /* of the key flavor, and of its tables */
    const char *says; /* "Slinky" */
    enum plumb_kube_flavour flavour;
    const struct plumb_plan_unread *unread;
    size_t unread_count;

    /* Keys that are compiled for some flavours alone: "reservations"; NULL at the end. */
    const char *const *compiles;

    /* The plan has what every flavour has; map is the section. */
    void (*resolve)(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                    const struct plumb_kube_table *t, struct plumb_kube_plan *p);
};
/* Of the key gitops where the section asks for values. */
#define PLUMB_PLAN_NO_GITOPS                                                                       \
    "its kustomization and its runbook are about objects, which a chart makes of the values: "     \
    "expected no 'gitops', or 'form: objects'"

extern const struct plumb_plan_flavour plumb_plan_slinky, plumb_plan_soperator, plumb_plan_sunk,
    plumb_plan_sunk_values, plumb_plan_slinky_values;

/* What stands at a path ("storage/class"), unless it was reported; NULL. map may be NULL. */
const struct plumb_spec_value *plumb_plan_get(const struct plumb_spec_value *map, const char *path);

/* The same as text, boolean, number or bytes; absent. */
struct plumb_text plumb_plan_text(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                                  const char *path);
struct plumb_bool plumb_plan_bool(const struct plumb_spec_value *map, const char *path);
struct plumb_u64 plumb_plan_number(const struct plumb_spec_value *map, const char *path);

/* A name that Kubernetes takes for an object, which becomes a host name too; else reported. */
struct plumb_text plumb_plan_name(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                                  const char *key, const char *otherwise);

/* A reference to a key of a Secret; name (NULL: absent then) and key where v has none. */
struct plumb_kube_secret plumb_plan_secret(struct plumb_resolve *rs,
                                           const struct plumb_spec_value *v, const char *name,
                                           const char *key, struct plumb_span at);

/* The field of the spec of a kind in a table; NULL: it has none. */
const struct plumb_kube_field *plumb_plan_field(const struct plumb_kube_table *t, const char *api,
                                                const char *kind, const char *key);

/* The first release of a flavour whose spec of a kind has a field; else "a later release". */
const char *plumb_plan_first_with(const char *flavour, const char *api, const char *kind,
                                  const char *key);

/* The names of a list; v may be NULL. */
struct plumb_plan_names plumb_plan_list(struct plumb_resolve *rs, const struct plumb_spec_value *v);

/* Labels of a mapping. */
size_t plumb_plan_labels(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                         struct plumb_kube_pick **out);

/* resolve_reservations.c: reservations, held against the rest of the specification. */
void plumb_plan_reservations(struct plumb_resolve *rs);

/* resolve_accounts.c: accounts for an operator that makes them. */
void plumb_plan_accounts(struct plumb_resolve *rs, struct plumb_kube_plan *p);

#endif
