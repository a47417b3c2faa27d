/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `scontrol show node` and `scontrol show partition`: records of "Key=value" words, over several
 * lines with an empty one behind them, or one line each (-o). A value may hold blanks: it goes on
 * to the next key that the client prints, and free text to the end of its line. Listings are long
 * and every record has the keys of the one before, so the next key is guessed first.
 */
#include "live/text.h"

enum { MAX_ITEMS = 64 }; /* parameters of one record; no client prints as many */

struct reader {
    struct plumb_session *session;
    struct plumb_live_file *file;
    const struct plumb_source *src;
    enum plumb_client client;
    enum plumb_scope scope;
    const struct plumb_shown_key *keys; /* of the client */
    size_t key_count, guess;
    struct plumb_live_record record;
    struct plumb_setting items[MAX_ITEMS];
    bool full; /* DRIFT002 was reported */
};

/* A word that may be a key: where its name ends; 0: it is none. */
static size_t key_end(const char *text, size_t at, size_t end)
{
    size_t i = at;

    while (i < end && ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') ||
                       text[i] == '_'))
        i++;
    return i > at && i < end && text[i] == '=' ? i : 0;
}

/* The row of a key of the client, or a parameter of the scope; false: it is text. */
static bool known(struct reader *rd, const char *key, size_t len,
                  const struct plumb_shown_key **row, const struct plumb_param **p)
{
    *row = NULL;
    *p = NULL;
    for (size_t n = 0; n < rd->key_count; n++) {
        const struct plumb_shown_key *k = &rd->keys[(rd->guess + n) % rd->key_count];

        if (strncmp(k->key, key, len) == 0 && k->key[len] == '\0') {
            rd->guess = (size_t)(k - rd->keys) + 1;
            *row = k;
            break;
        }
    }
    if (*row != NULL) {
        if ((*row)->param >= 0)
            *p = plumb_param_row(rd->session->table, (size_t)(*row)->param);
        return true;
    }
    if (rd->client == PLUMB_CLIENT_PARTITION)
        *p = plumb_param_find(rd->session->table, PLUMB_SLURM_CONF, rd->scope, key, len);
    return *p != NULL;
}

static void put_item(struct reader *rd, const struct plumb_param *p, struct plumb_slice value)
{
    if (rd->record.count < MAX_ITEMS) {
        rd->items[rd->record.count++] = plumb_live_setting(p, value);
        return;
    }
    if (!rd->full)
        plumb_live_unread(rd->session, value.at,
                          "'%s' is one key too many of a record, expected at most %d; it is not "
                          "compared",
                          p->name, MAX_ITEMS);
    rd->full = true;
}

/* JobDefaults=DefCpuPerGPU=8,DefMemPerGPU=1000: two parameters in one, set or not. */
static void put_defaults(struct reader *rd, struct plumb_slice value)
{
    static const enum plumb_param_id both[] = {PLUMB_P_PART_DEFCPUPERGPU,
                                               PLUMB_P_PART_DEFMEMPERGPU};

    for (size_t i = 0; i < PLUMB_COUNT(both); i++) {
        const struct plumb_param *p = plumb_param(both[i]);
        struct plumb_slice one = plumb_slice_sub(&value, value.len, value.len);

        for (uint32_t at = 0, end = 0; at < value.len; at = end + 1) {
            size_t name = strlen(p->name);

            end = at;
            while (end < value.len && value.text[end] != ',')
                end++;
            if (end - at > name && value.text[at + name] == '=' &&
                plumb_equal_nocase(value.text + at, p->name, name))
                one = plumb_slice_sub(&value, at + name + 1, end);
        }
        if (one.len == 0)
            one.at = value.at;
        put_item(rd, p, one);
    }
}

static void put(struct reader *rd, const struct plumb_slice *key, const struct plumb_param *p,
                struct plumb_slice value)
{
    struct plumb_live_record *r = &rd->record;

    if (r->name.text == NULL &&
        (plumb_slice_is_exact(key, "NodeName") || plumb_slice_is_exact(key, "PartitionName"))) {
        r->name = value;
        return;
    }
    if (rd->client == PLUMB_CLIENT_NODE && plumb_slice_is_exact(key, "State"))
        r->state = value;
    else if (plumb_slice_is_exact(key, "Reason"))
        r->reason = plumb_live_reason(rd->src, value.at.begin, value.at.end);
    else if (plumb_slice_is_exact(key, "Version") && rd->file->version.len == 0)
        rd->file->version = value;
    else if (plumb_slice_is_exact(key, "JobDefaults"))
        put_defaults(rd, value);
    else if (p != NULL)
        put_item(rd, p, value);
}

static void finish(struct reader *rd)
{
    struct plumb_live_records *to =
        rd->client == PLUMB_CLIENT_NODE ? &rd->file->nodes : &rd->file->partitions;

    if (rd->record.name.len > 0) {
        rd->record.items = rd->items;
        plumb_live_put(rd->session, to, &rd->record);
        rd->file->things++;
    }
    rd->record = (struct plumb_live_record){.state = {.text = ""}, .reason = {.text = ""}};
    rd->guess = 0;
}

/* One line; several: the record goes on below it, so that free text ends with the line. */
static void read_line(struct reader *rd, const struct plumb_live_line *line, bool several)
{
    const char *text = rd->src->bytes;
    struct plumb_slice key = {0};
    const struct plumb_param *param = NULL, *p = NULL;
    const struct plumb_shown_key *row = NULL;
    size_t value = 0;

    for (size_t at = line->begin; at < line->end;) {
        size_t stop = 0;

        while (at < line->end && text[at] == ' ')
            at++;
        stop = key_end(text, at, line->end);
        if (stop > 0 && known(rd, text + at, stop - at, &row, &p)) {
            if (key.text != NULL)
                put(rd, &key, param, plumb_live_trim(rd->src, value, at));
            key = plumb_live_part(rd->src, at, stop);
            param = p;
            value = stop + 1;
            if (row != NULL && row->free_text && several)
                break;
            at = value;
        }
        while (at < line->end && text[at] != ' ')
            at++;
    }
    if (key.text != NULL)
        put(rd, &key, param, plumb_live_trim(rd->src, value, line->end));
}

static bool begins_record(const struct reader *rd, const struct plumb_live_line *line)
{
    const char *word = rd->client == PLUMB_CLIENT_NODE ? "NodeName=" : "PartitionName=";
    size_t len = strlen(word);

    return line->end - line->begin > len && memcmp(rd->src->bytes + line->begin, word, len) == 0;
}

/* The next line is indented: it is of the same record. */
static bool goes_on(const struct plumb_source *src, size_t at)
{
    return at < src->len && src->bytes[at] == ' ';
}

void plumb_live_read_records(struct plumb_session *s, struct plumb_live_file *f)
{
    bool nodes = f->kind == PLUMB_LIVE_NODES, several = false;
    struct reader rd = {
        .session = s,
        .file = f,
        .src = f->src,
        .client = nodes ? PLUMB_CLIENT_NODE : PLUMB_CLIENT_PARTITION,
        .scope = nodes ? PLUMB_SCOPE_NODE : PLUMB_SCOPE_PARTITION,
    };
    size_t at = (size_t)(plumb_source_begin(f->src) - f->src->bytes);
    struct plumb_live_line line;

    rd.keys = plumb_shown_keys(rd.client, &rd.key_count);
    finish(&rd);
    while (plumb_live_next(f->src->bytes, f->src->len, &at, &line)) {
        if (begins_record(&rd, &line)) {
            finish(&rd);
            several = goes_on(f->src, at);
        }
        if (line.end > line.begin)
            read_line(&rd, &line, several);
    }
    finish(&rd);
}

const char *plumb_live_find(const char *text, size_t len, const char *word)
{
    size_t want = strlen(word);

    for (size_t i = 0; i + want <= len; i++) {
        const char *at = memchr(text + i, word[0], len - i - want + 1);

        if (at == NULL)
            return NULL;
        if (memcmp(at, word, want) == 0)
            return at;
        i = (size_t)(at - text);
    }
    return NULL;
}

struct plumb_slice plumb_live_reason(const struct plumb_source *src, size_t begin, size_t end)
{
    size_t open = end;

    if (end > begin && src->bytes[end - 1] == ']') {
        while (open > begin && src->bytes[open] != '[')
            open--;
        if (open > begin && src->bytes[open - 1] == ' ')
            end = open;
    }
    return plumb_live_trim(src, begin, end);
}
