/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups of traits. The rows are generated from schema/slurm/. */
#include "schema/trait.h"

#include <string.h>

#include "base/rule.h"
#include "schema/param.h"

int plumb_trait_find(const char *name, size_t len)
{
    for (int i = 0; i < PLUMB_TRAIT_COUNT; i++) {
        if (strlen(plumb_traits[i].name) == len && memcmp(plumb_traits[i].name, name, len) == 0)
            return i;
    }
    return -1;
}

/* The later row of the two, b when both are of one release. */
static const struct plumb_trait_rev *later(const struct plumb_trait_rev *a,
                                           const struct plumb_trait_rev *b, enum plumb_release r)
{
    if (b->since > (unsigned)r || (a != NULL && a->since > b->since))
        return a;
    return b;
}

uint64_t plumb_trait_value(const struct plumb_table *t, enum plumb_release r,
                           enum plumb_trait_id id)
{
    const struct plumb_trait_rev *found = NULL;

    PLUMB_ASSERT((unsigned)id < PLUMB_TRAIT_COUNT);
    for (size_t i = 0; i < plumb_traits[id].rev_count; i++)
        found = later(found, &plumb_traits[id].revs[i], r);
    for (size_t i = 0; t != NULL && i < t->trait_count; i++) {
        if (t->traits[i].id == id)
            found = later(found, &t->traits[i], r);
    }
    return found == NULL ? 0 : found->value;
}

bool plumb_trait_now(const struct plumb_session *s, enum plumb_trait_id id)
{
    return plumb_trait_value(s->table, s->sink.release, id) != 0;
}
