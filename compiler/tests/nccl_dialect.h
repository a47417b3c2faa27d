/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What NCCL's reader takes, as a checker of its own: it shares no code with the writer. The
 * rules are those of NCCL 2.18 to 2.30 together, the strictest of each; on top come those of
 * a skeleton: system, cpu and pci alone.
 */
#ifndef PLUMB_TESTS_NCCL_DIALECT_H
#define PLUMB_TESTS_NCCL_DIALECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ND_MAX_ELEMENTS = 255, ND_MAX_ATTRS = 16, ND_MAX_TEXT = 254, ND_MAX_CHILDREN = 32 };

struct nd_attr {
    char name[ND_MAX_TEXT + 1], value[ND_MAX_TEXT + 1];
};

struct nd_open {
    char name[ND_MAX_TEXT + 1];
    int children;
    bool bridge;
};

struct nd {
    const char *p;
    int line;
    char fault[400];
    struct nd_open stack[64];
    int depth, elements, cpus;
    struct nd_attr attrs[ND_MAX_ATTRS];
    int attr_count;
    char seen[ND_MAX_ELEMENTS][64]; /* bus ids and "numaid N" */
    int seen_count;
    uint64_t cpu_bits[64]; /* CPUs of all cpu elements so far, 64 each */
};

static inline bool nd_fail(struct nd *x, const char *what)
{
    if (x->fault[0] == '\0')
        (void)snprintf(x->fault, sizeof(x->fault), "line %d: %s, at '%.40s'", x->line, what, x->p);
    return false;
}

static inline const char *nd_get(const struct nd *x, const char *name)
{
    for (int i = 0; i < x->attr_count; i++) {
        if (strcmp(x->attrs[i].name, name) == 0)
            return x->attrs[i].value;
    }
    return NULL;
}

static inline bool nd_word(struct nd *x, char *out)
{
    size_t n = strspn(x->p, "abcdefghijklmnopqrstuvwxyz_");

    if (n == 0 || n > ND_MAX_TEXT)
        return nd_fail(x, "expected a name");
    memcpy(out, x->p, n);
    out[n] = '\0';
    x->p += n;
    return true;
}

static inline bool nd_attribute(struct nd *x)
{
    struct nd_attr *a = NULL;

    if (x->attr_count == ND_MAX_ATTRS)
        return nd_fail(x, "more than 16 attributes");
    a = &x->attrs[x->attr_count];
    if (!nd_word(x, a->name))
        return false;
    if (nd_get(x, a->name) != NULL)
        return nd_fail(x, "attribute given twice");
    if (x->p[0] != '=' || x->p[1] != '"')
        return nd_fail(x, "expected =\" directly behind the name");
    x->p += 2;
    size_t n = strcspn(x->p, "\"\n\r\t<>&");

    if (x->p[n] != '"' || n > ND_MAX_TEXT)
        return nd_fail(x, "value without end, too long, or with a character that is not taken");
    memcpy(a->value, x->p, n);
    a->value[n] = '\0';
    x->p += n + 1;
    x->attr_count++;
    return true;
}

static inline bool nd_new(struct nd *x, const char *what)
{
    for (int i = 0; i < x->seen_count; i++) {
        if (strcmp(x->seen[i], what) == 0)
            return nd_fail(x, "bus id or NUMA id used twice");
    }
    (void)snprintf(x->seen[x->seen_count++], sizeof(x->seen[0]), "%s", what);
    return true;
}

static inline bool nd_all(const char *text, const char *set)
{
    return *text != '\0' && strspn(text, set) == strlen(text);
}

/* Groups of at most eight digits, highest first; some bit set, none that another cpu has. */
static inline bool nd_affinity(struct nd *x, const char *mask)
{
    size_t len = strlen(mask), groups = 1, group = 0;
    bool any = false;

    if (!nd_all(mask, "0123456789abcdef,"))
        return nd_fail(x, "affinity is no lower-case hexadecimal mask");
    for (size_t i = 0; i < len; i++)
        groups += mask[i] == ',';
    for (const char *g = mask; group < groups; group++) {
        size_t n = strcspn(g, ",");
        uint64_t bits = 0;
        size_t at = (groups - 1 - group) * 32;

        if (n == 0 || n > 8 || at / 64 >= sizeof(x->cpu_bits) / sizeof(x->cpu_bits[0]))
            return nd_fail(x, "affinity has a group of no or more than eight digits");
        bits = strtoull(g, NULL, 16) << (at % 64);
        if (x->cpu_bits[at / 64] & bits)
            return nd_fail(x, "two cpu elements share CPUs");
        x->cpu_bits[at / 64] |= bits;
        any |= bits != 0;
        g += n + (g[n] == ',');
    }
    return any ? true : nd_fail(x, "affinity is empty");
}

static inline bool nd_cpu(struct nd *x)
{
    static const char *const arches[] = {"x86_64", "arm64", "ppc64"};
    const char *numa = nd_get(x, "numaid"), *arch = nd_get(x, "arch");
    const char *vendor = nd_get(x, "vendor"), *mask = nd_get(x, "affinity");
    char key[64];
    bool known = arch == NULL;

    if (numa == NULL || !nd_all(numa, "0123456789"))
        return nd_fail(x, "cpu without a decimal numaid");
    (void)snprintf(key, sizeof(key), "numaid %.20s", numa);
    for (size_t i = 0; arch != NULL && i < sizeof(arches) / sizeof(arches[0]); i++)
        known |= strcmp(arch, arches[i]) == 0;
    if (!known)
        return nd_fail(x, "cpu with an arch that NCCL does not know");
    if (vendor != NULL && (arch == NULL || strcmp(arch, "x86_64") != 0))
        return nd_fail(x, "vendor on a cpu that is no x86_64");
    if ((vendor != NULL) != (nd_get(x, "familyid") != NULL) ||
        (vendor != NULL) != (nd_get(x, "modelid") != NULL))
        return nd_fail(x, "vendor, familyid and modelid belong together");
    if (vendor != NULL && (!nd_all(nd_get(x, "familyid"), "0123456789") ||
                           !nd_all(nd_get(x, "modelid"), "0123456789")))
        return nd_fail(x, "familyid or modelid is no decimal number");
    if (nd_get(x, "host_hash") != NULL)
        return nd_fail(x, "host_hash must never be written");
    return nd_new(x, key) && (mask == NULL || nd_affinity(x, mask));
}

static inline bool nd_bus_id(const char *t)
{
    size_t n = strspn(t, "0123456789abcdef");

    if (n < 4 || n > 8 || strlen(t + n) != 8)
        return false;
    t += n;
    return t[0] == ':' && strspn(t + 1, "0123456789abcdef") == 2 && t[3] == ':' &&
           strspn(t + 4, "0123456789abcdef") == 2 && t[6] == '.' && t[7] >= '0' && t[7] <= '7';
}

static inline bool nd_pci(struct nd *x)
{
    static const char *const speeds[] = {
        "2.5 GT/s PCIe",  "5.0 GT/s PCIe",  "8.0 GT/s PCIe",
        "16.0 GT/s PCIe", "32.0 GT/s PCIe", "64.0 GT/s PCIe",
    };
    const char *class = nd_get(x, "class"), *id = nd_get(x, "busid");
    const char *speed = nd_get(x, "link_speed"), *width = nd_get(x, "link_width");
    bool known = speed == NULL;

    if (id == NULL || !nd_bus_id(id))
        return nd_fail(x, "pci without a lower-case bus id");
    if (class == NULL || strlen(class) != 8 || strncmp(class, "0x", 2) != 0 ||
        !nd_all(class + 2, "0123456789abcdef"))
        return nd_fail(x, "pci without a class of six digits");
    if ((speed == NULL) != (width == NULL))
        return nd_fail(x, "link_speed and link_width belong together");
    for (size_t i = 0; speed != NULL && i < sizeof(speeds) / sizeof(speeds[0]); i++)
        known |= strcmp(speed, speeds[i]) == 0;
    if (!known || (width != NULL && (!nd_all(width, "0123456789") || strcmp(width, "0") == 0)))
        return nd_fail(x, "link_speed or link_width in words that NCCL does not know");
    return nd_new(x, id);
}

static inline bool nd_element(struct nd *x, const char *name)
{
    struct nd_open *parent = x->depth > 0 ? &x->stack[x->depth - 1] : NULL;

    if (++x->elements > ND_MAX_ELEMENTS)
        return nd_fail(x, "more than 255 elements");
    if (parent != NULL && ++parent->children > ND_MAX_CHILDREN)
        return nd_fail(x, "more than 32 children");
    if (parent == NULL)
        return strcmp(name, "system") == 0 && x->elements == 1 && nd_get(x, "version") != NULL &&
                       strcmp(nd_get(x, "version"), "1") == 0
                   ? true
                   : nd_fail(x, "the root is no <system version=\"1\">");
    if (strcmp(name, "cpu") == 0)
        return strcmp(parent->name, "system") == 0 ? nd_cpu(x) : nd_fail(x, "cpu not below system");
    if (strcmp(name, "pci") != 0)
        return nd_fail(x, "an element that is no part of a skeleton");
    if (strcmp(parent->name, "cpu") != 0 && !parent->bridge)
        return nd_fail(x, "pci below something that is neither cpu nor bridge");
    return nd_pci(x);
}

static inline bool nd_close(struct nd *x)
{
    char name[ND_MAX_TEXT + 1];
    struct nd_open *top = x->depth > 0 ? &x->stack[x->depth - 1] : NULL;

    x->p += 2;
    if (!nd_word(x, name))
        return false;
    if (top == NULL || strcmp(top->name, name) != 0 || *x->p != '>')
        return nd_fail(x, "an end tag that does not fit");
    if (top->children == 0)
        return nd_fail(x, "an element that is empty, yet not closed at once");
    x->p++;
    x->depth--;
    return true;
}

static inline bool nd_tag(struct nd *x)
{
    char name[ND_MAX_TEXT + 1];
    const char *class = NULL;

    x->p++;
    x->attr_count = 0;
    if (!nd_word(x, name))
        return false;
    while (*x->p == ' ') {
        x->p++;
        if (!nd_attribute(x))
            return false;
    }
    if (!nd_element(x, name))
        return false;
    class = nd_get(x, "class");
    if (strncmp(x->p, "/>", 2) == 0) {
        x->p += 2;
        return class != NULL && strcmp(class, "0x060400") == 0
                   ? nd_fail(x, "a bridge with nothing below it")
                   : true;
    }
    if (*x->p != '>' || x->depth == 64)
        return nd_fail(x, "a tag that does not end on its line, or too deep");
    x->p++;
    (void)snprintf(x->stack[x->depth].name, sizeof(x->stack[0].name), "%s", name);
    x->stack[x->depth].children = 0;
    x->stack[x->depth++].bridge = class != NULL && strcmp(class, "0x060400") == 0;
    return true;
}

/* NULL when the text is sound; else what is wrong, in a buffer that lives until the next call. */
static inline const char *nd_check(const char *text, struct nd *x)
{
    *x = (struct nd){.p = text, .line = 1};
    while (*x->p != '\0' && x->fault[0] == '\0') {
        if (*x->p == ' ' || *x->p == '\n' || *x->p == '\r') {
            x->line += *x->p == '\n';
            x->p++;
        } else if (strncmp(x->p, "<!--", 4) == 0) {
            const char *end = strstr(x->p + 4, "-->");

            if (end == NULL || memchr(x->p, '\t', (size_t)(end - x->p)) != NULL)
                (void)nd_fail(x, "a comment without end, or with a tab");
            else
                x->p = end + 3;
        } else if (strncmp(x->p, "</", 2) == 0) {
            (void)nd_close(x);
        } else if (*x->p == '<') {
            (void)nd_tag(x);
        } else {
            (void)nd_fail(x, "text between tags");
        }
    }
    if (x->fault[0] == '\0' && (x->depth != 0 || x->elements == 0))
        (void)nd_fail(x, "the file ends inside of an element");
    return x->fault[0] == '\0' ? NULL : x->fault;
}

#endif
