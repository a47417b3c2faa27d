/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of nodes that could not be read: what they may stand for, and lists read without a word. */
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

struct plumb_hostlist *plumb_hosts_read(const struct plumb_check *ck,
                                        const struct plumb_slice *text)
{
    struct plumb_session quiet = {.arena = ck->scratch,
                                  .table = ck->table,
                                  .scratch = ck->scratch,
                                  .intern = ck->intern,
                                  .sink = {.arena = ck->scratch}};

    return plumb_hostlist_read(&quiet, text, ck->model->release);
}

/* What a NodeName line that could not be read says; NULL for one that could. */
static const struct plumb_slice *unread_names(const struct plumb_nodes *n)
{
    for (size_t i = 0; n->hosts == NULL && i < n->settings.count; i++) {
        if (n->settings.items[i].param->id == PLUMB_P_SLURM_NODENAME)
            return &n->settings.items[i].value;
    }
    return NULL;
}

/* A name begins as some item of a list does, up to the item's bracket. */
static bool may_hold(const struct plumb_slice *list, const char *name)
{
    size_t begin = 0;

    while (begin < list->len) {
        size_t stem = begin, end = begin;
        bool inside = false;

        for (; end < list->len && (inside || list->text[end] != ','); end++) {
            if (list->text[end] == '[' || list->text[end] == ']')
                inside = list->text[end] == '[';
            if (!inside && stem == end && !plumb_is_digit(list->text[end]))
                stem++;
        }
        if (strncmp(list->text + begin, name, stem - begin) == 0)
            return true;
        begin = end + 1;
    }
    return false;
}

bool plumb_may_name(const struct plumb_slice *unread, const struct plumb_hostlist *hosts)
{
    for (size_t r = 0; r < hosts->range_count; r++) {
        if (may_hold(unread, hosts->ranges[r].prefix))
            return true;
    }
    return false;
}

struct plumb_hostlist *plumb_surely(const struct plumb_check *ck,
                                    const struct plumb_hostlist *names)
{
    struct plumb_hostlist *sure = PLUMB_NEW(ck->scratch, struct plumb_hostlist);
    const struct plumb_slice **unread = NULL;
    size_t unread_count = 0, unread_cap = 0;

    sure->at = names->at;
    for (size_t i = 0; names->range_count > 0 && i < ck->model->node_count; i++) {
        const struct plumb_slice *one = unread_names(&ck->model->nodes[i]);

        if (one == NULL)
            continue;
        unread = plumb_arena_grow(ck->scratch, unread, unread_count, &unread_cap, sizeof(*unread));
        unread[unread_count++] = one;
    }
    for (size_t r = 0; r < names->range_count; r++) {
        struct plumb_host_range range = names->ranges[r];
        struct plumb_hostlist one = {.ranges = &range,
                                     .range_count = 1,
                                     .cap = 1,
                                     .count = range.hi - range.lo + 1,
                                     .at = names->at};
        bool maybe = false;

        for (size_t i = 0; i < unread_count && !maybe; i++)
            maybe = may_hold(unread[i], range.prefix);
        if (!maybe)
            plumb_hostlist_append(ck->scratch, sure, &one);
    }
    return sure;
}

struct plumb_hostlist *plumb_no_nodes(const struct plumb_check *ck,
                                      const struct plumb_hostlist *names)
{
    if (names == NULL || ck->model->nodes_unread)
        return PLUMB_NEW(ck->scratch, struct plumb_hostlist);
    return plumb_surely(ck, plumb_hostlist_minus(ck->scratch, names, ck->model->all_nodes));
}
