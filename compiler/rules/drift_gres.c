/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gres= of a node line against what slurmctld shows: counts by name, and by type where both sides
 * have one. slurmctld adds types that it learnt from slurmd, and sockets, "gpu:h100:8(S:0-1)".
 */
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "rules/drift.h"
#include "schema/compound.h"
#include "schema/shown.h"

struct counts {
    uint64_t want, got;
    bool want_typed, got_typed; /* all items of a name have a type */
    bool seen[2];
};

static struct counts *entry(const struct plumb_check *ck, struct plumb_map *map, const char *key)
{
    struct plumb_map_entry *e = plumb_map_entry(map, key, strlen(key));

    if (e->value == NULL)
        e->value = PLUMB_NEW(ck->scratch, struct counts);
    return e->value;
}

static void add(struct counts *c, bool shown, uint64_t n)
{
    *(shown ? &c->got : &c->want) += n;
}

/* False: some item cannot be read. */
static bool read(const struct plumb_check *ck, const struct plumb_slice *list, bool shown,
                 struct plumb_map *names, struct plumb_map *types)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (plumb_gres_next(list, &c, &item)) {
        const char *open = memchr(item.text, '(', item.len);
        struct plumb_slice plain =
            open == NULL ? item : plumb_slice_sub(&item, 0, (size_t)(open - item.text));
        struct plumb_gres_text g;
        const char *name = NULL;
        struct counts *all = NULL;
        bool first = false;

        if (plumb_value_gres(&plain, &g) != PLUMB_GRES_OK)
            return false;
        name = plumb_arena_printf(ck->scratch, "%.*s", (int)g.name.len, g.name.text);
        all = entry(ck, names, name);
        first = !all->seen[shown];
        all->seen[shown] = true;
        add(all, shown, g.number);
        if (shown)
            all->got_typed = (first || all->got_typed) && g.type_count > 0;
        else
            all->want_typed = (first || all->want_typed) && g.type_count > 0;
        if (g.type_count > 0)
            add(entry(ck, types,
                      plumb_arena_printf(ck->scratch, "%s:%.*s", name, (int)g.types[0].len,
                                         g.types[0].text)),
                shown, g.number);
    }
    return true;
}

/* The types of a name are told on both sides. */
static bool typed(const struct plumb_map *names, const char *type)
{
    const char *colon = strchr(type, ':');
    const struct plumb_map_entry *e = plumb_map_find(names, type, (size_t)(colon - type));
    const struct counts *c = e == NULL ? NULL : e->value;

    return c != NULL && c->want_typed && c->got_typed;
}

enum plumb_drift_verdict plumb_drift_gres(const struct plumb_check *ck,
                                          const struct plumb_slice *want,
                                          const struct plumb_slice *got, bool cut)
{
    struct plumb_map names = plumb_map_in(ck->scratch), types = plumb_map_in(ck->scratch);
    static const struct plumb_slice none = {.text = ""};

    if (cut)
        return PLUMB_DRIFT_UNKNOWN;
    if (!read(ck, want == NULL ? &none : want, false, &names, &types) ||
        !read(ck, plumb_shown_nothing(got->text, got->len) ? &none : got, true, &names, &types))
        return PLUMB_DRIFT_UNKNOWN;
    for (size_t i = 0; i < names.count; i++) {
        const struct counts *c = names.entries[i].value;

        if (c->want != c->got)
            return PLUMB_DRIFT_OTHER;
    }
    for (size_t i = 0; i < types.count; i++) {
        const struct counts *c = types.entries[i].value;

        if (c->want != c->got && typed(&names, types.entries[i].key))
            return PLUMB_DRIFT_OTHER;
    }
    return PLUMB_DRIFT_SAME;
}
