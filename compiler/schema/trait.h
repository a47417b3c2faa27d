/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traits: what the daemons and commands of a release do where no parameter and no option tells,
 * such as whether --qos takes a list. The rows are the section "traits" of
 * schema/slurm/<release>.yaml; each has one name, so that code never compares releases itself.
 */
#ifndef PLUMB_SCHEMA_TRAIT_H
#define PLUMB_SCHEMA_TRAIT_H

#include "base/release.h"
#include "base/session.h"
#include "plumb_params.h" /* generated: enum plumb_trait_id, PLUMB_TRAIT_<NAME> */

/* What holds from one release on, until the next row. */
struct plumb_trait_rev {
    uint16_t id;    /* enum plumb_trait_id */
    uint8_t since;  /* release */
    uint64_t value; /* 0: no, 1: yes, or a number */
    const char *ref;
};

struct plumb_trait {
    const char *name;                   /* "qos-list" */
    const char *means;                  /* what releases with it do */
    const struct plumb_trait_rev *revs; /* oldest first; before the first the value is 0 */
    size_t rev_count;
};

extern const struct plumb_trait plumb_traits[]; /* PLUMB_TRAIT_COUNT rows, by id */

/* By exact name; -1. */
int plumb_trait_find(const char *name, size_t len);

/* Its value in a release. t: rows that a run adds, may be NULL. */
uint64_t plumb_trait_value(const struct plumb_table *t, enum plumb_release r,
                           enum plumb_trait_id id);

/* Whether the release of the run has it. */
bool plumb_trait_now(const struct plumb_session *s, enum plumb_trait_id id);

#endif
