/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are named like captures and whose text is not known for one. A command that failed
 * leaves an empty file or its complaint under the name of the capture, and then the machine is
 * poorer than it is.
 */
#include "passes/capture_names.h"

#include <string.h>

#include "base/path.h"
#include "base/text.h"

static const struct plumb_rule rows[] = {
    {
        .code = "HW065",
        .name = "capture-name-alone",
        .severity = PLUMB_WARNING,
        .summary = "a file is named like a capture and holds none",
        .why = "The command failed, or its output was packed or cut. What it would have shown is "
               "unknown, as if there were no such file.",
        .ref = "doc/capture.md, the table of files",
        .bad = "# topo-m.txt\n"
               "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA "
               "driver.\n",
        .good = "# topo-m.txt\n"
                "\tGPU0\tGPU1\n"
                "GPU0\t X \tNV4\n"
                "GPU1\tNV4\t X \n",
    },
};

static const struct {
    const char *name;
    enum plumb_source_kind kind;
    const char *some;    /* text without which there is nothing of that kind */
    const char *command; /* that writes it */
} names[] = {
    {"hwloc.xml", PLUMB_KIND_HWLOC, "<topology", "lstopo --of xml"},
    {"lstopo.xml", PLUMB_KIND_HWLOC, "<topology", "lstopo --of xml"},
    {"topo-m.txt", PLUMB_KIND_SMI_TOPO, "GPU0", "nvidia-smi topo -m"},
    {"nvidia-smi-topo.txt", PLUMB_KIND_SMI_TOPO, "GPU0", "nvidia-smi topo -m"},
    {"nvidia-smi-p2p-r.txt", PLUMB_KIND_SMI_TOPO, "GPU0", "nvidia-smi topo -p2p r"},
    {"nvidia-smi-p2p-n.txt", PLUMB_KIND_SMI_TOPO, "GPU0", "nvidia-smi topo -p2p n"},
    {"nvidia-smi-L.txt", PLUMB_KIND_SMI_LIST, "GPU ", "nvidia-smi -L"},
    {"nvidia-smi-q.xml", PLUMB_KIND_SMI_QUERY, "<nvidia_smi_log", "nvidia-smi -q -x"},
    {"slurmd-C.txt", PLUMB_KIND_SLURMD_C, "NodeName=", "slurmd -C"},
    {"slurmd-G.txt", PLUMB_KIND_SLURMD_G, "Gres Name=", "slurmd -G"},
    {"ibstat.txt", PLUMB_KIND_IBSTAT, "CA '", "ibstat"},
    {"ibnetdiscover.txt", PLUMB_KIND_IBNET, "Switch", "ibnetdiscover"},
};

const char *plumb_other_bytes(const struct plumb_source *src)
{
    static const struct {
        const char *what;
        const char *begin;
        size_t len;
    } magic[] = {
        {"packed with gzip", "\x1f\x8b", 2},
        {"packed with bzip2", "BZh", 3},
        {"xz",
         "\xfd"
         "7zXZ",
         5},
        {"packed with zstd", "\x28\xb5\x2f\xfd", 4},
        {"text in UTF-16", "\xff\xfe", 2}, /* as PowerShell writes what is sent to a file */
        {"text in UTF-16", "\xfe\xff", 2},
    };

    for (size_t i = 0; i < PLUMB_COUNT(magic); i++) {
        if (src->len > magic[i].len && memcmp(src->bytes, magic[i].begin, magic[i].len) == 0)
            return magic[i].what;
    }
    return NULL;
}

/* "topo-m.txt" and "topo-m.txt.gz"; PLUMB_COUNT(names): no such name. */
static size_t find_name(const char *path)
{
    static const char *const packed[] = {"", ".gz", ".bz2", ".xz", ".zst"};
    const char *base = plumb_path_base(path);
    size_t i = 0;

    for (; i < PLUMB_COUNT(names); i++) {
        if (!plumb_starts_with(base, names[i].name))
            continue;
        for (size_t k = 0; k < PLUMB_COUNT(packed); k++) {
            if (strcmp(base + strlen(names[i].name), packed[k]) == 0)
                return i;
        }
    }
    return i;
}

static bool holds(const struct plumb_source *src, const char *some)
{
    for (size_t n = strlen(some), i = 0; i + n <= src->len; i++) {
        if (memcmp(src->bytes + i, some, n) == 0)
            return true;
    }
    return false;
}

enum plumb_source_kind plumb_capture_named(const struct plumb_source *src)
{
    size_t i = find_name(src->path);

    return i < PLUMB_COUNT(names) && plumb_other_bytes(src) == NULL && holds(src, names[i].some)
               ? names[i].kind
               : PLUMB_KIND_UNKNOWN;
}

/* The first line that says something; the beginning of an empty file. */
static struct plumb_span first_line(const struct plumb_source *src)
{
    uint32_t begin = 0, end = 0;

    while (begin < src->len && (plumb_is_blank(src->bytes[begin]) || src->bytes[begin] == '\n' ||
                                src->bytes[begin] == '\r'))
        begin++;
    for (end = begin; end < src->len && src->bytes[end] != '\n' && src->bytes[end] != '\r';)
        end++;
    return begin == src->len ? (struct plumb_span){src->id, 0, 0}
                             : (struct plumb_span){src->id, begin, end};
}

void plumb_capture_name_check(struct plumb_session *s, const struct plumb_source *src)
{
    size_t i = find_name(src->path);
    const char *other = plumb_other_bytes(src);
    struct plumb_span at = {src->id, 0, 0}, line = first_line(src);

    if (i == PLUMB_COUNT(names))
        return;
    if (other != NULL) {
        plumb_diag_new(&s->sink, &rows[0], at,
                       "'%s' is %s and not used, expected the text in UTF-8 that '%s' writes",
                       plumb_path_base(src->path), other, names[i].command);
        return;
    }
    if (names[i].kind == PLUMB_KIND_SLURMD_G && line.begin == line.end)
        return; /* so says slurmd of a node without resources */
    plumb_diag_new(&s->sink, &rows[0], line, "'%s' holds nothing that '%s' writes, expected that",
                   plumb_path_base(src->path), names[i].command);
}

const struct plumb_rule_family plumb_capture_name_rules = {
    .prefix = "HW",
    .title = "Captures: names of files",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
