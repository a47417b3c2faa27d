/* SPDX-License-Identifier: Apache-2.0 */
/* Looking things up in what slurmdbd holds. */
#include "model/accounts.h"

#include "base/text.h"

const struct plumb_qos *plumb_qos_find(const struct plumb_accounts *a, const char *name)
{
    for (size_t i = 0; i < a->qos_count; i++) {
        if (plumb_same_nocase(a->qos[i].name, name))
            return &a->qos[i];
    }
    return NULL;
}

const struct plumb_user *plumb_user_find(const struct plumb_accounts *a, const char *name)
{
    for (size_t i = 0; i < a->user_count; i++) {
        if (plumb_same_nocase(a->users[i].name, name))
            return &a->users[i];
    }
    return NULL;
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : plumb_same_nocase(a, b);
}

const struct plumb_assoc *plumb_assoc_find(const struct plumb_accounts *a, const char *account,
                                           const char *user, const char *partition)
{
    for (size_t i = 0; i < a->assoc_count; i++) {
        const struct plumb_assoc *x = &a->assocs[i];

        if (same(x->account, account) && same(x->user, user) && same(x->partition, partition))
            return x;
    }
    return NULL;
}

const struct plumb_reservation *plumb_reservation_find(const struct plumb_accounts *a,
                                                       const char *name)
{
    for (size_t i = 0; i < a->reservation_count; i++) {
        if (plumb_same_nocase(a->reservations[i].name, name))
            return &a->reservations[i];
    }
    return NULL;
}

bool plumb_names_has(const struct plumb_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (plumb_same_nocase(names->items[i], name))
            return true;
    }
    return false;
}
