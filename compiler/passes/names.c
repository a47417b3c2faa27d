/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of hosts, node sets and node classes. */
#include "passes/names.h"

#include <string.h>

#include "base/text.h"
#include "passes/type.h"

/* The next item between commas outside brackets, without blanks around it; false at the end. */
static bool next_item(const struct plumb_slice *text, uint32_t *pos, struct plumb_slice *item)
{
    uint32_t begin = *pos, end = 0;
    bool inside = false;

    if (begin > text->len)
        return false;
    for (end = begin; end < text->len && (inside || text->text[end] != ','); end++) {
        if (text->text[end] == '[')
            inside = true;
        else if (text->text[end] == ']')
            inside = false;
    }
    *pos = end + 1;
    while (begin < end && plumb_is_blank(text->text[begin]))
        begin++;
    while (end > begin && plumb_is_blank(text->text[end - 1]))
        end--;
    *item = plumb_slice_sub(text, begin, end);
    return true;
}

bool plumb_names_hold(const struct plumb_slice *text, const char *name)
{
    struct plumb_slice item;
    uint32_t pos = 0;

    while (text->len > 0 && next_item(text, &pos, &item)) {
        if (item.len == strlen(name) && memcmp(item.text, name, item.len) == 0)
            return true;
    }
    return false;
}

bool plumb_names_resolve(struct plumb_session *s, enum plumb_release r,
                         const struct plumb_slice *text, plumb_names_lookup lookup,
                         const void *data, struct plumb_hostlist *to)
{
    struct plumb_slice item;
    uint32_t pos = 0;
    bool sound = true;

    while (next_item(text, &pos, &item)) {
        const struct plumb_hostlist *hosts = NULL;

        if (item.len == 0)
            continue;
        hosts = lookup(data, plumb_intern_text(s->intern, item.text, item.len));
        if (hosts == NULL)
            hosts = plumb_read_hosts(s, &item, PLUMB_P_PART_NODES, r);
        if (hosts == NULL)
            sound = false;
        else
            plumb_hostlist_append(s->arena, to, hosts);
    }
    return sound;
}
