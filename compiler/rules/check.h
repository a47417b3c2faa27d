/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a rule receives, and how it reports. A rule reads the model and returns nothing; it
 * skips values that are not plumb_usable, because someone has reported them already.
 */
#ifndef PLUMB_RULES_CHECK_H
#define PLUMB_RULES_CHECK_H

#include "base/session.h"
#include "model/model.h"
#include "schema/trait.h"
#include "schema/value.h"

/* What several rules ask for is made by the first of them, and lives as long as the run of rules.
 */
struct plumb_shared {
    struct plumb_arena *arena;
    const struct plumb_gres_views *views;   /* gres_view.h; NULL: nobody has asked */
    const struct plumb_range_index *nodes;  /* ranges.h */
    const struct plumb_gres_verdicts *gres; /* gres_match.c */
};

struct plumb_check {
    const struct plumb_rule *rule;
    const struct plumb_model *model;
    struct plumb_arena *arena;   /* the session's: for text in findings */
    struct plumb_arena *scratch; /* reset after each rule */
    struct plumb_shared *shared;
    struct plumb_sink *sink;
    struct plumb_intern *intern;
    const struct plumb_table *table; /* the session's */
};

#define plumb_report(ck, at, ...) plumb_diag_new((ck)->sink, (ck)->rule, (at), __VA_ARGS__)

/* "24.11", for messages that tell what a daemon does. */
static inline const char *plumb_series(const struct plumb_check *ck)
{
    return plumb_release_name(ck->model->release);
}

/* Whether the release has a trait: the one way for a rule to tell releases apart, with eras. */
static inline bool plumb_has_trait(const struct plumb_check *ck, enum plumb_trait_id id)
{
    return plumb_trait_value(ck->table, ck->model->release, id) != 0;
}

/* Every family of findings, rules or not, in the order of the documentation. */
extern const struct plumb_rule_family *const plumb_rule_families[];
extern const size_t plumb_rule_family_count;

/*
 * The rules of a prefix in order of their codes, whatever tables they are kept in; NULL: no such
 * prefix. Without case. first gets the first table, may be NULL.
 */
const struct plumb_rule **plumb_rules_of(struct plumb_arena *a, const char *prefix,
                                         const struct plumb_rule_family **first, size_t *count);

/* By code or by name, without case; NULL. */
const struct plumb_rule *plumb_rule_find(const char *code_or_name);
const char *plumb_rule_suggest(const char *code_or_name);

/* Runs every rule whose needs are among facts. */
void plumb_rules_run(struct plumb_session *s, const struct plumb_model *m, unsigned facts);

#endif
