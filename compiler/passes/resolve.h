/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of the pass "resolve", which makes the model of a specification.
 * resolve.c is the order of work; resolve_value.c turns values into Slurm's notation by
 * their rows; the others know the few keys that are more than one parameter.
 */
#ifndef PLUMB_PASSES_RESOLVE_H
#define PLUMB_PASSES_RESOLVE_H

#include "base/buf.h"
#include "passes/pass.h"
#include "passes/setting.h"
#include "spec/rules.h"
#include "spec/tree.h"

struct plumb_plan_reservation;

/* A list parameter (SchedulerParameters) while its items are collected from several keys. */
struct plumb_list_part {
    const char *text;
    struct plumb_span at; /* unknown for a default */
};
struct plumb_list_param {
    enum plumb_param_id id;
    struct plumb_list_part *parts;
    size_t count, cap;
    bool bad; /* the value of some item was reported */
};

struct plumb_resolve {
    struct plumb_run *run;
    struct plumb_session *s;
    struct plumb_arena *a;
    struct plumb_model *m;
    const struct plumb_spec *spec;
    const struct plumb_hostlist *no_hosts; /* empty */
    struct plumb_list_param *lists;
    size_t list_count, list_cap;
    struct plumb_plan_reservation *reservations; /* model/kube_plan.h */
    size_t reservation_count;
};

/*
 * Sets what the rows of a table and their values say, defaults where there is none, into the
 * global settings of the parameter's file, or into record for parameters of a record. value
 * may be NULL: only defaults. owner is the place of the entry that the defaults belong to.
 */
void plumb_resolve_table(struct plumb_resolve *rs, const struct plumb_spec_table *t,
                         const struct plumb_spec_value *value, struct plumb_span owner,
                         struct plumb_settings *record);

/* The list parameter that is being collected, made when it was not there; one more item of it. */
struct plumb_list_param *plumb_resolve_list(struct plumb_resolve *rs, enum plumb_param_id id);
void plumb_resolve_part(struct plumb_resolve *rs, struct plumb_list_param *l, const char *text,
                        struct plumb_span at);

/*
 * The text of all parts, each byte mapped to the value that it was made from: a finding about
 * bf_window points at the window, not at the first item of the list.
 */
struct plumb_slice plumb_resolve_join(struct plumb_resolve *rs, const struct plumb_list_param *l);

/*
 * Holds a value that the user gave against the parameter table, as in a hand-written file:
 * bad, and reported, when the daemon would not take it.
 */
enum plumb_origin plumb_resolve_checked(struct plumb_resolve *rs, const struct plumb_param *p,
                                        const struct plumb_slice *value, enum plumb_origin origin);

/*
 * A word that the release does not know would be refused or dropped by the daemon: false, and
 * said where it stands.
 */
bool plumb_resolve_word(struct plumb_resolve *rs, const struct plumb_param *p,
                        const struct plumb_spec_value *v, const char *text);

/* Adds what was collected for list parameters to the global settings. */
void plumb_resolve_lists(struct plumb_resolve *rs);

/* A usable scalar or collection under a mapping, else NULL. */
const struct plumb_spec_value *plumb_resolve_get(const struct plumb_spec_value *map,
                                                 const char *name);

/* Slurm's notation of a value, by its row and the parameter. */
const char *plumb_resolve_text(struct plumb_resolve *rs, const struct plumb_spec_value *v,
                               const struct plumb_param *p);

/* True when the release reads the parameter and uses it. */
bool plumb_param_used(const struct plumb_param *p, enum plumb_release r);

/* The first release at or after which the parameter is used. */
unsigned plumb_param_first_use(const struct plumb_param *p);

/* Reports a key or word that the release has no parameter for. */
void plumb_resolve_not_in_release(struct plumb_resolve *rs, struct plumb_span at, const char *what,
                                  const char *name, const struct plumb_param *p, unsigned first);

/* The host list of a value of kind hosts: one text or several. NULL: bad, and reported. */
struct plumb_hostlist *plumb_resolve_hosts(struct plumb_resolve *rs,
                                           const struct plumb_spec_value *v);

/* The same where an item may name a node class too. */
struct plumb_hostlist *plumb_resolve_named(struct plumb_resolve *rs,
                                           const struct plumb_spec_value *v);

/* Units of topology.conf or topology.yaml, one for each row or group; sizes where none are given.
 */
void plumb_resolve_topology(struct plumb_resolve *rs);

void plumb_resolve_control(struct plumb_resolve *rs);    /* controllers, auth, login */
void plumb_resolve_database(struct plumb_resolve *rs);   /* slurmdbd and what points at it */
void plumb_resolve_nodes(struct plumb_resolve *rs);      /* node lines, gres of a class */
void plumb_resolve_captures(struct plumb_resolve *rs);   /* opens what node classes name */
void plumb_resolve_partitions(struct plumb_resolve *rs); /* partition lines */
void plumb_resolve_tres(struct plumb_resolve *rs);       /* GresTypes, tracking, weights */
void plumb_resolve_kube(struct plumb_resolve *rs);       /* what manifests are made of */
void plumb_resolve_kube_stack(struct plumb_resolve *rs); /* GPU operator, secrets, keys */
void plumb_resolve_overrides(struct plumb_resolve *rs);  /* raw parameters win */

#endif
