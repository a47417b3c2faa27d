/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `scontrol show node --json` and `show partition --json`. A number may stand by itself, or as
 * {"set": true, "infinite": false, "number": 7}, by the version of the data_parser.
 */
#include "syntax/json.h"
#include "live/text.h"

enum { MAX_ITEMS = 64 };

static bool is_true(const struct plumb_node *n)
{
    const char *text = plumb_node_text(n);

    return text != NULL && strcmp(text, "true") == 0;
}

static struct plumb_slice made(const struct plumb_node *n, const char *text)
{
    return (struct plumb_slice){
        .text = text, .len = (uint32_t)strlen(text), .lead = PLUMB_SLICE_MADE, .at = n->at};
}

/* Words of a list, with commas between them. */
static struct plumb_slice joined(struct plumb_session *s, const struct plumb_node *n)
{
    struct plumb_buf out = plumb_buf_in(s->arena);

    for (uint32_t i = 0; i < n->count; i++) {
        const char *text = plumb_node_text(n->items[i]);

        if (text != NULL)
            plumb_buf_printf(&out, "%s%s", out.len > 0 ? "," : "", text);
    }
    return made(n, plumb_buf_text(&out));
}

/* The value as scontrol prints it without --json. False: it is not set, or no such value. */
static bool value_of(struct plumb_session *s, const struct plumb_node *n, struct plumb_slice *out)
{
    if (n == NULL)
        return false;
    if (n->kind == PLUMB_SCALAR) {
        *out = n->scalar;
        return true;
    }
    if (n->kind == PLUMB_SEQUENCE) {
        *out = joined(s, n);
        return true;
    }
    if (is_true(plumb_node_get(n, "infinite")))
        *out = made(n, "UNLIMITED");
    else if (is_true(plumb_node_get(n, "set")) && plumb_node_text(plumb_node_get(n, "number")))
        *out = plumb_node_get(n, "number")->scalar;
    else
        return false;
    return true;
}

static void read_one(struct plumb_session *s, struct plumb_live_file *f,
                     const struct plumb_node *thing, bool node)
{
    struct plumb_setting items[MAX_ITEMS];
    struct plumb_live_record r = {.items = items, .state = {.text = ""}, .reason = {.text = ""}};
    size_t count = 0;
    const struct plumb_shown_key *keys =
        plumb_shown_keys(node ? PLUMB_CLIENT_NODE_JSON : PLUMB_CLIENT_PARTITION_JSON, &count);
    struct plumb_slice version;

    if (!value_of(s, plumb_node_get(thing, "name"), &r.name) || r.name.len == 0)
        return;
    for (size_t i = 0; i < count && r.count < MAX_ITEMS; i++) {
        struct plumb_slice value;

        if (keys[i].param >= 0 && value_of(s, plumb_node_path(thing, keys[i].key), &value))
            items[r.count++] =
                plumb_live_setting(plumb_param_row(s->table, (size_t)keys[i].param), value);
    }
    f->things++;
    if (!node) {
        plumb_live_put(s, &f->partitions, &r);
        return;
    }
    if (!value_of(s, plumb_node_get(thing, "state"), &r.state))
        r.state.text = "";
    if (!value_of(s, plumb_node_get(thing, "reason"), &r.reason))
        r.reason.text = "";
    if (f->version.len == 0 && value_of(s, plumb_node_get(thing, "version"), &version))
        f->version = version;
    plumb_live_put(s, &f->nodes, &r);
}

void plumb_live_read_json(struct plumb_session *s, struct plumb_live_file *f)
{
    static const char *const keys[] = {"nodes", "partitions"};
    const struct plumb_node *root = plumb_json_read(s, f->src);

    if (root == NULL)
        s->sink.incomplete = true;
    for (size_t k = 0; k < PLUMB_COUNT(keys); k++) {
        const struct plumb_node *list = plumb_node_get(root, keys[k]);

        for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++)
            read_one(s, f, list->items[i], k == 0);
    }
}
