/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key of a machine's captures: a hash of all bytes but those that name the host or one copy of
 * a device. What is left out is a table; what is not in it makes captures distinct, which costs the
 * time to read both and changes no result.
 *
 * The names of the host count in one way: which of them are the same. A folder whose files are of
 * two hosts has another key than one whose files are all of one.
 */
#include <string.h>

#include "base/intern.h"
#include "base/path.h"
#include "base/text.h"
#include "passes/audit.h"

/* Text from here up to a byte is not hashed. */
struct mask {
    const char *before;
    char end;
    bool host;
};

/* hwloc: what stands in <info name=". */
static const struct mask infos[] = {
    {"HostName\" value=\"", '"', true},
    {"DMIProductUUID\" value=\"", '"', false},
    {"DMIProductSerial\" value=\"", '"', false},
    {"DMIBoardSerial\" value=\"", '"', false},
    {"DMIBoardAssetTag\" value=\"", '"', false},
    {"DMIChassisSerial\" value=\"", '"', false},
    {"DMIChassisAssetTag\" value=\"", '"', false},
    {"NVIDIAUUID\" value=\"", '"', false},
    {"NVIDIASerial\" value=\"", '"', false},
    {"AMDUUID\" value=\"", '"', false},
    {"AMDSerial\" value=\"", '"', false},
    {"Address\" value=\"", '"', false},
    {"NodeGUID\" value=\"", '"', false},
    {"SysImageGUID\" value=\"", '"', false},
    {"SerialNumber\" value=\"", '"', false},
    {"Port1LID\" value=\"", '"', false},
    {"Port1GID0\" value=\"", '"', false},
    {"Port1GID1\" value=\"", '"', false},
    {"Port2LID\" value=\"", '"', false},
    {"Port2GID0\" value=\"", '"', false},
};

/* nvidia-smi -q -x: elements. */
static const struct mask elements[] = {
    {"<uuid>", '<', false},
    {"<serial>", '<', false},
    {"<timestamp>", '<', false},
};

/* Lines of nvidia-smi -L, slurmd -C, ibstat. */
static const struct mask lines[] = {
    {"(UUID: ", ')', false},
    {"NodeName=", ' ', true},
    {"UpTime=", '\n', false},
    {"Node GUID: ", '\n', false},
    {"System image GUID: ", '\n', false},
    {"Port GUID: ", '\n', false},
    {"Base lid: ", '\n', false},
    {"SM lid: ", '\n', false},
};

enum { MAX_HOSTS = 16 }; /* names that are told apart */

struct hash {
    struct plumb_arena *keep;
    uint64_t a, b;
    const char *hosts[MAX_HOSTS];
    size_t lens[MAX_HOSTS];
    size_t host_count;
    const char *told;
};

static void mix(struct hash *h, const char *text, size_t len)
{
    uint64_t first = plumb_hash_more(h->a, text, len);

    /* The second half is the first over a shifted state: 128 bits for one pass over the bytes. */
    h->b = (h->b ^ first) * UINT64_C(0xd6e8feb86659fd93);
    h->b ^= h->b >> 29;
    h->a = first;
}

static void mix_host(struct hash *h, const char *text, size_t len)
{
    char ordinal = 0;

    while ((size_t)ordinal < h->host_count &&
           (h->lens[(size_t)ordinal] != len || memcmp(h->hosts[(size_t)ordinal], text, len) != 0))
        ordinal++;
    if ((size_t)ordinal == h->host_count && h->host_count < MAX_HOSTS) {
        h->hosts[h->host_count] = text;
        h->lens[h->host_count++] = len;
    }
    if (h->told == NULL && len > 0)
        h->told = plumb_arena_strndup(h->keep, text, len);
    mix(h, &ordinal, 1);
}

/* A mask that begins at text; NULL. */
static const struct mask *mask_at(const struct mask *masks, size_t count, const char *text,
                                  size_t len)
{
    for (size_t i = 0; i < count; i++) {
        const char *before = masks[i].before;
        size_t n = 0;

        if (len < 2 || text[0] != before[0] || text[1] != before[1])
            continue;
        n = strlen(before);
        if (n < len && memcmp(text, before, n) == 0)
            return &masks[i];
    }
    return NULL;
}

/* Hashes from *from up to the masked text of m, which begins at at; *from is behind it. */
static void skip(struct hash *h, const struct plumb_source *src, size_t *from, size_t at,
                 const struct mask *m)
{
    size_t begin = at + strlen(m->before);
    const char *end = memchr(src->bytes + begin, m->end, src->len - begin);
    size_t stop = end == NULL ? src->len : (size_t)(end - src->bytes);

    mix(h, src->bytes + *from, begin - *from);
    if (m->host)
        mix_host(h, src->bytes + begin, stop - begin);
    *from = stop;
}

static void hash_xml(struct hash *h, const struct plumb_source *src)
{
    static const char info[] = "<info name=\"";
    size_t from = 0, at = 0;

    for (const char *p = NULL;
         at < src->len && (p = memchr(src->bytes + at, '<', src->len - at)) != NULL;) {
        const struct mask *m = NULL;

        at = (size_t)(p - src->bytes);
        if (src->len - at > sizeof(info) && memcmp(p, info, sizeof(info) - 1) == 0) {
            at += sizeof(info) - 1;
            m = mask_at(infos, PLUMB_COUNT(infos), src->bytes + at, src->len - at);
        } else {
            m = mask_at(elements, PLUMB_COUNT(elements), p, src->len - at);
        }
        if (m != NULL)
            skip(h, src, &from, at, m);
        at = m != NULL ? from : at + 1;
    }
    mix(h, src->bytes + from, src->len - from);
}

static void hash_lines(struct hash *h, const struct plumb_source *src)
{
    size_t from = 0;

    for (size_t at = 0; at < src->len;) {
        const struct mask *m = mask_at(lines, PLUMB_COUNT(lines), src->bytes + at, src->len - at);

        if (m != NULL)
            skip(h, src, &from, at, m);
        at = m != NULL ? from : at + 1;
    }
    mix(h, src->bytes + from, src->len - from);
}

/* The machine's own name in front of its files does not count. */
static void mix_label(struct hash *h, const struct plumb_audit_machine *m, size_t file)
{
    const char *label = m->files[file];

    if (m->loose && plumb_starts_with(label, m->name))
        label += strlen(m->name);
    mix(h, label, strlen(label));
}

void plumb_audit_hash_bytes(const struct plumb_audit_machine *m,
                            const struct plumb_source *const *src, uint64_t key[2])
{
    struct hash h = {.a = 1, .b = 2};

    for (size_t i = 0; i < m->file_count; i++) {
        mix_label(&h, m, i);
        if (src[i] == NULL)
            mix(&h, "", 0);
        else
            mix(&h, src[i]->bytes, src[i]->len);
    }
    key[0] = h.a;
    key[1] = h.b;
}

void plumb_audit_hash(struct plumb_arena *keep, struct plumb_audit_machine *m,
                      const struct plumb_source *const *src)
{
    struct hash h = {.keep = keep, .a = UINT64_C(14695981039346656037), .b = 1};
    static const char unreadable[] = "?";

    for (size_t i = 0; i < m->file_count; i++) {
        mix_label(&h, m, i);
        if (src[i] == NULL)
            mix(&h, unreadable, sizeof(unreadable));
        else if (src[i]->len > 0 && src[i]->bytes[0] == '<')
            hash_xml(&h, src[i]);
        else
            hash_lines(&h, src[i]);
    }
    m->key[0] = h.a;
    m->key[1] = h.b;
    m->told = h.told;
}
