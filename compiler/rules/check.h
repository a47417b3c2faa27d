/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a rule receives, and how it reports. A rule reads the model and returns nothing; it
 * skips values that are not plumb_usable, because someone has reported them already.
 */
#ifndef PLUMB_RULES_CHECK_H
#define PLUMB_RULES_CHECK_H

#include "base/session.h"
#include "model/model.h"
#include "schema/value.h"

struct plumb_check {
    const struct plumb_rule *rule;
    const struct plumb_model *model;
    struct plumb_arena *arena;   /* the session's: for text in findings */
    struct plumb_arena *scratch; /* reset after each rule */
    struct plumb_sink *sink;
    struct plumb_intern *intern;
};

#define plumb_report(ck, at, ...) plumb_diag_new((ck)->sink, (ck)->rule, (at), __VA_ARGS__)

/* "24.11", for messages that tell what a daemon does. */
static inline const char *plumb_series(const struct plumb_check *ck)
{
    return plumb_release_name(ck->model->release);
}

/* Every family of findings, rules or not, in the order of the documentation. */
extern const struct plumb_rule_family *const plumb_rule_families[];
extern const size_t plumb_rule_family_count;

/* By code or by name, without case; NULL. */
const struct plumb_rule *plumb_rule_find(const char *code_or_name);
const char *plumb_rule_suggest(const char *code_or_name);

/* Runs every rule whose needs are among facts. */
void plumb_rules_run(struct plumb_session *s, const struct plumb_model *m, unsigned facts);

#endif
