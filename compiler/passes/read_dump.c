/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `sacctmgr dump`: one line for each record, "KIND - 'name':Key=value:Key='value'". A line
 * Parent says below which account the next ones are (sacctmgr/file_functions.c).
 */
#include <string.h>

#include "base/text.h"
#include "passes/accounts.h"

/* One line, cut at colons outside quotes. */
struct line {
    struct plumb_slice kind, name;
    struct plumb_slice fields[64];
    size_t count;
};

bool plumb_acct_is_dump(const struct plumb_source *src)
{
    size_t len = src->len < 65536 ? src->len : 65536;

    for (size_t i = 0; i + 11 <= len; i++) {
        if ((i == 0 || src->bytes[i - 1] == '\n') &&
            (memcmp(src->bytes + i, "Cluster - '", 11) == 0 ||
             memcmp(src->bytes + i, "Parent - '", 10) == 0))
            return true;
    }
    return false;
}

static struct plumb_slice slice_of(const struct plumb_source *src, uint32_t begin, uint32_t end)
{
    return (struct plumb_slice){
        .text = src->bytes + begin, .len = end - begin, .at = {src->id, begin, end}};
}

static struct plumb_slice unquote(struct plumb_slice s)
{
    if (s.len >= 2 && (s.text[0] == '\'' || s.text[0] == '"') && s.text[s.len - 1] == s.text[0])
        return plumb_slice_sub(&s, 1, s.len - 1);
    return s;
}

static bool cut(const struct plumb_source *src, uint32_t begin, uint32_t end, struct line *out)
{
    uint32_t from = begin;
    char quote = '\0';

    *out = (struct line){0};
    while (from < end && src->bytes[from] != ' ')
        from++;
    out->kind = slice_of(src, begin, from);
    if (end - from < 4 || memcmp(src->bytes + from, " - ", 3) != 0)
        return false;
    from += 3;
    for (uint32_t i = from; i <= end; i++) {
        char c = i < end ? src->bytes[i] : ':';

        if (quote != '\0') {
            quote = c == quote && i < end ? '\0' : quote;
            continue;
        }
        if (c == '\'' || c == '"')
            quote = c;
        if (c != ':')
            continue;
        if (out->name.text == NULL)
            out->name = unquote(slice_of(src, from, i));
        else if (out->count < PLUMB_COUNT(out->fields))
            out->fields[out->count++] = slice_of(src, from, i);
        from = i + 1;
    }
    return out->name.len > 0;
}

static void read_assoc(struct plumb_accounts_read *rd, struct plumb_assoc *a, const struct line *l)
{
    struct plumb_acct_pair p;

    for (size_t i = 0; i < l->count; i++) {
        if (!plumb_acct_pair(&l->fields[i], &p))
            continue;
        if (plumb_slice_is(&p.key, "QOS"))
            plumb_acct_qos_list(rd, &a->qos, &p);
        else if (plumb_slice_is(&p.key, "DefaultQOS"))
            a->default_qos = plumb_acct_intern(rd, &p.value);
        else
            (void)plumb_acct_limit(rd, &a->limits, &p);
    }
}

static void read_user(struct plumb_accounts_read *rd, const char *parent, const struct line *l)
{
    const char *name = plumb_acct_intern(rd, &l->name), *partition = NULL;
    struct plumb_user *u = plumb_acct_user(rd, name);
    struct plumb_acct_pair p;

    for (size_t i = 0; i < l->count; i++) {
        if (!plumb_acct_pair(&l->fields[i], &p))
            continue;
        if (plumb_slice_is(&p.key, "DefaultAccount"))
            u->default_account = plumb_acct_intern(rd, &p.value);
        else if (plumb_slice_is(&p.key, "AdminLevel"))
            u->admin = !plumb_slice_is(&p.value, "None");
        else if (plumb_slice_is(&p.key, "Partition"))
            partition = plumb_acct_intern(rd, &p.value);
    }
    read_assoc(rd, plumb_acct_assoc(rd, parent, name, partition, l->name.at), l);
}

void plumb_acct_read_dump(struct plumb_accounts_read *rd, const struct plumb_source *src)
{
    const char *parent = plumb_intern_str(rd->session->intern, "root");
    uint32_t at = 0;

    while (at < src->len) {
        const char *stop = memchr(src->bytes + at, '\n', src->len - at);
        uint32_t end = stop == NULL ? src->len : (uint32_t)(stop - src->bytes);
        struct line l;

        if (src->bytes[at] != '#' && cut(src, at, end, &l)) {
            if (plumb_slice_is(&l.kind, "Parent")) {
                parent = plumb_acct_intern(rd, &l.name);
            } else if (plumb_slice_is(&l.kind, "Cluster")) {
                read_assoc(rd,
                           plumb_acct_assoc(rd, plumb_intern_str(rd->session->intern, "root"), NULL,
                                            NULL, l.name.at),
                           &l);
            } else if (plumb_slice_is(&l.kind, "Account")) {
                struct plumb_assoc *a =
                    plumb_acct_assoc(rd, plumb_acct_intern(rd, &l.name), NULL, NULL, l.name.at);

                a->parent = parent;
                read_assoc(rd, a, &l);
            } else if (plumb_slice_is(&l.kind, "User")) {
                read_user(rd, parent, &l);
            }
        }
        at = end + 1;
    }
    rd->out->known = true;
}
