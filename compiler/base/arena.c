/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arena memory: a chain of blocks, freed together. Once an arena has grown, its blocks are
 * aligned for huge pages: touching small pages for the first time was most of the cost of
 * reading a large file.
 */
#define _DEFAULT_SOURCE /* madvise and MAP_ANONYMOUS, which POSIX does not have */

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/num.h"

enum {
    FIRST_BLOCK = 64 * 1024,
    LARGEST_BLOCK = 1024 * 1024,
    HUGE_PAGE = 2 * 1024 * 1024,
    HUGE_BLOCK = 2 * HUGE_PAGE,
    LARGE_ARENA = 4 * 1024 * 1024, /* from here on in huge blocks */
};

struct block {
    struct block *next;
    size_t size, used;
    size_t mapped; /* bytes by mmap, with this head; 0: by malloc */
    bool zeroed;   /* what is not used yet is zero: the system gave it so */
    _Alignas(max_align_t) unsigned char bytes[];
};

struct plumb_arena {
    struct block *blocks; /* the newest first */
    struct block *spare;  /* huge blocks from before a reset */
    size_t total;
    bool large; /* will be */
    jmp_buf *out_of_memory;
};

struct plumb_arena *plumb_arena_new(jmp_buf *out_of_memory)
{
    struct plumb_arena *a = calloc(1, sizeof(*a));

    if (a != NULL)
        a->out_of_memory = out_of_memory;
    return a;
}

static void free_blocks(struct block *b)
{
    while (b != NULL) {
        struct block *next = b->next;

        if (b->mapped > 0)
            (void)munmap(b, b->mapped);
        else
            free(b);
        b = next;
    }
}

void plumb_arena_free(struct plumb_arena *a)
{
    if (a == NULL)
        return;
    free_blocks(a->blocks);
    free_blocks(a->spare);
    free(a);
}

/* Huge blocks stay: to give them back and get them anew costs more than what is done in them. */
void plumb_arena_reset(struct plumb_arena *a)
{
    struct block *keep = a->blocks;

    if (keep == NULL)
        return;
    for (struct block *b = keep->next, *next = NULL; b != NULL; b = next) {
        next = b->next;
        b->next = NULL;
        if (b->mapped == HUGE_BLOCK) {
            b->next = a->spare;
            a->spare = b;
        } else {
            free_blocks(b);
        }
    }
    keep->next = NULL;
    keep->used = 0;
    keep->zeroed = false;
    a->total = keep->size;
}

void plumb_arena_expect(struct plumb_arena *a, size_t size)
{
    a->large = a->large || size >= LARGE_ARENA;
}

size_t plumb_arena_used(const struct plumb_arena *a)
{
    return a->total;
}

_Noreturn static void out_of_memory(struct plumb_arena *a)
{
    if (a->out_of_memory != NULL)
        longjmp(*a->out_of_memory, 1);
    abort();
}

/* So many bytes at a multiple of HUGE_PAGE, NULL when the system has none. */
static struct block *map_block(size_t bytes)
{
    char *p =
        mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        return NULL;

    size_t lead = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;

    if (lead > 0)
        (void)munmap(p, lead);
    (void)munmap(p + lead + bytes, HUGE_PAGE - lead);
#ifdef MADV_HUGEPAGE
    (void)madvise(p + lead, bytes, MADV_HUGEPAGE); /* advice: small pages do as well */
#endif
    return (struct block *)(void *)(p + lead);
}

/* What a block of so many bytes with its head takes by mmap; 0: too little for huge pages. */
static size_t mapped_size(const struct plumb_arena *a, size_t bytes)
{
    if (bytes > HUGE_BLOCK && bytes < SIZE_MAX - (size_t)2 * HUGE_PAGE)
        return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    return (a->large || a->total >= LARGE_ARENA) && bytes <= HUGE_BLOCK ? HUGE_BLOCK : 0;
}

/* A block from before a reset; NULL: none. */
static struct block *take_spare(struct plumb_arena *a)
{
    struct block *b = a->spare;

    if (b != NULL) {
        a->spare = b->next;
        b->used = 0;
        b->zeroed = false;
    }
    return b;
}

static void push_block(struct plumb_arena *a, struct block *b)
{
    b->next = a->blocks;
    a->blocks = b;
    a->total += b->size;
}

static struct block *add_block(struct plumb_arena *a, size_t need)
{
    size_t size = FIRST_BLOCK;
    size_t bytes = 0;

    /* malloc keeps twice the largest block that it got back; so it can keep all of an arena. */
    if (a->blocks != NULL)
        size = a->blocks->size < LARGEST_BLOCK / 4 ? a->blocks->size * 4 : LARGEST_BLOCK;
    if (size < need)
        size = need;
    if (!plumb_add_size(size, sizeof(struct block), &bytes))
        out_of_memory(a);

    size_t mapped = mapped_size(a, bytes);
    struct block *b = bytes <= HUGE_BLOCK ? take_spare(a) : NULL;

    if (b != NULL) {
        push_block(a, b);
        return b;
    }
    b = mapped > 0 ? map_block(mapped) : NULL;
    if (b == NULL) {
        mapped = 0;
        b = malloc(bytes);
    }
    if (b == NULL)
        out_of_memory(a);
    b->size = mapped > 0 ? mapped - sizeof(struct block) : size;
    b->used = 0;
    b->mapped = mapped;
    b->zeroed = mapped > 0;
    push_block(a, b);
    return b;
}

void *plumb_arena_raw(struct plumb_arena *a, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    struct block *b = a->blocks;

    if (size > SIZE_MAX - align)
        out_of_memory(a);
    size = (size + align - 1) / align * align;
    if (b == NULL || b->size - b->used < size)
        b = add_block(a, size);

    void *p = b->bytes + b->used;

    b->used += size;
    return p;
}

void *plumb_arena_alloc(struct plumb_arena *a, size_t size)
{
    void *p = plumb_arena_raw(a, size);

    /* A second pass over fresh memory would cost as much as the first. */
    return a->blocks->zeroed ? p : memset(p, 0, size);
}

void *plumb_arena_array(struct plumb_arena *a, size_t count, size_t size)
{
    size_t bytes = 0;

    if (!plumb_mul_size(count, size, &bytes))
        out_of_memory(a);
    return plumb_arena_alloc(a, bytes);
}

/* True when an array that ends the newest block could be made longer where it is. */
static bool extend(struct plumb_arena *a, const void *items, size_t old, size_t want)
{
    const size_t align = _Alignof(max_align_t);
    struct block *b = a->blocks;
    size_t taken = (old + align - 1) / align * align;
    size_t need = (want + align - 1) / align * align;

    if (b == NULL || taken > b->used || need < want ||
        (const unsigned char *)items != b->bytes + b->used - taken ||
        need - taken > b->size - b->used)
        return false;
    /* Also what rounding up had left unset. */
    memset(b->bytes + b->used - taken + old, 0, b->zeroed ? taken - old : need - old);
    b->used += need - taken;
    return true;
}

void *plumb_arena_grow(struct plumb_arena *a, void *items, size_t count, size_t *cap, size_t size)
{
    enum { SMALL_ITEM = 32 };
    size_t first = size > SMALL_ITEM ? 1 : 4; /* most lists of large items have a single one */
    size_t want = *cap == 0 ? first : *cap * 2;
    size_t bytes = 0;

    if (count < *cap)
        return items;
    if (!plumb_mul_size(want, size, &bytes))
        out_of_memory(a);
    if (*cap == 0 || !extend(a, items, *cap * size, bytes)) {
        void *grown = plumb_arena_alloc(a, bytes);

        if (count > 0)
            memcpy(grown, items, count * size);
        items = grown;
    }
    *cap = want;
    return items;
}

void *plumb_arena_reserve(struct plumb_arena *a, void *items, size_t used, size_t *cap, size_t size,
                          size_t count)
{
    size_t want = 0, bytes = 0;
    void *grown = NULL;

    if (count <= *cap - used)
        return items;
    if (!plumb_add_size(used, count, &want))
        out_of_memory(a);
    if (want / 2 < *cap)
        want = *cap * 2; /* many small requests cost no more than growing */
    if (!plumb_mul_size(want, size, &bytes))
        out_of_memory(a);
    grown = plumb_arena_raw(a, bytes);
    if (used > 0)
        memcpy(grown, items, used * size);
    *cap = want;
    return grown;
}

char *plumb_arena_strndup(struct plumb_arena *a, const char *text, size_t len)
{
    char *copy = plumb_arena_raw(a, len + 1);

    if (len > 0)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *plumb_arena_strdup(struct plumb_arena *a, const char *text)
{
    return plumb_arena_strndup(a, text, strlen(text));
}

char *plumb_arena_vprintf(struct plumb_arena *a, const char *fmt, va_list args)
{
    va_list again;

    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, again);

    va_end(again);
    PLUMB_ASSERT(len >= 0);

    char *text = plumb_arena_raw(a, (size_t)len + 1);

    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): args is the caller's, untouched by
     * va_copy */
    (void)vsnprintf(text, (size_t)len + 1, fmt, args);
    return text;
}

char *plumb_arena_printf(struct plumb_arena *a, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    char *text = plumb_arena_vprintf(a, fmt, args);

    va_end(args);
    return text;
}
