/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --from: the inputs were read for two releases, each in a session of its own. What both find is
 * no news and is left out; what only the old one found is told in one line.
 */
#include "passes/upgrade.h"

#include <string.h>

#include "api/internal.h"
#include "base/map.h"
#include "conf/overlay.h"
#include "passes/policy.h"

/* Where a finding is; sources have other numbers in the other session. */
static const char *place_key(struct plumb_arena *a, const struct plumb_handle *h,
                             const struct plumb_diag *d, const char *code)
{
    const struct plumb_source *src = plumb_source_get(&h->session.sources, d->at.file);

    return plumb_arena_printf(a, "%s\n%s\n%u-%u", code, src == NULL ? "" : src->path, d->at.begin,
                              d->at.end);
}

/* The finding itself: the same fault at the same place about the same object. */
static const char *finding_key(struct plumb_arena *a, const struct plumb_handle *h,
                               const struct plumb_diag *d)
{
    return place_key(a, h, d,
                     plumb_arena_printf(a, "%s\n%s", d->rule->code,
                                        d->object_name == NULL ? "" : d->object_name));
}

static struct plumb_span same_place(const struct plumb_handle *h, const struct plumb_diag *d)
{
    const struct plumb_source *src = plumb_source_get(&h->old->session.sources, d->at.file);

    for (size_t i = 0; src != NULL && i < h->session.sources.count; i++) {
        const struct plumb_source *one = h->session.sources.items[i];

        if (strcmp(one->path, src->path) == 0 && d->at.end <= one->len)
            return (struct plumb_span){one->id, d->at.begin, d->at.end};
    }
    return (struct plumb_span){0};
}

/* What the old release does about a finding, for people. */
static const char *before_words(enum plumb_effect effect)
{
    static const char *const words[] = {
        [PLUMB_EFFECT_NONE] = "no daemon minds it",
        [PLUMB_EFFECT_IGNORED] = "it is dropped without a word",
        [PLUMB_EFFECT_COMPLAINS] = "a daemon complains and goes on",
        [PLUMB_EFFECT_DRAINS] = "the node is drained",
        [PLUMB_EFFECT_STOPS] = "a daemon stops",
    };

    return words[effect];
}

/* Hides what the old release says too; tells where it said something else. */
static void leave_news(struct plumb_handle *h, const struct plumb_map *old)
{
    for (size_t i = 0; i < h->session.sink.count; i++) {
        struct plumb_diag *d = h->session.sink.items[i];
        const char *key = finding_key(h->arena, h, d);
        const struct plumb_diag *before = plumb_map_get(old, key);

        if (before == NULL || plumb_is_upgrade_rule(d->rule) ||
            d->rule == plumb_overlay_rules.rules)
            continue;
        if (before->effect == d->effect && before->severity == d->severity)
            d->hidden = true;
        else
            plumb_diag_fact(d, "in %s %s (%s)", plumb_release_name(h->run.from_release),
                            before_words(before->effect), plumb_severity_name(before->severity));
    }
}

static void add_gone(struct plumb_handle *h, const struct plumb_map *places)
{
    for (size_t i = 0; i < h->old->shown_count; i++) {
        const struct plumb_diag *before = h->old->shown[i];
        const char *key = place_key(h->arena, h->old, before, "");
        struct plumb_diag *d = NULL;

        if (plumb_map_get(places, key) != NULL)
            continue; /* something is said about it in the new release */
        d = plumb_diag_new(&h->session.sink, &plumb_upgrade_rows[PLUMB_UPG_GONE],
                           same_place(h, before), "no longer found in %s, %s in %s: %s",
                           plumb_release_name(h->session.sink.release), before->rule->code,
                           plumb_release_name(h->run.from_release), before->message);
        d->hidden = !plumb_policy_apply(&h->policy, d);
    }
}

void plumb_upgrade_compare(struct plumb_handle *h)
{
    struct plumb_map old = plumb_map_in(h->arena), places = plumb_map_in(h->arena);

    for (size_t i = 0; i < h->old->session.sink.count; i++) {
        struct plumb_diag *d = h->old->session.sink.items[i];
        const char *key = finding_key(h->arena, h->old, d);

        plumb_map_set(&old, key, d);
    }
    for (size_t i = 0; i < h->session.sink.count; i++) {
        const char *key = place_key(h->arena, h, h->session.sink.items[i], "");

        plumb_map_set(&places, key, h->session.sink.items[i]);
    }
    leave_news(h, &old);
    add_gone(h, &places);
}
