/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of numbers of one space (base/index.h): a set of the system's CPUs is no set of Slurm's
 * cores, though both print as "0-15". What they do is what model/bits.h does.
 */
#ifndef PLUMB_MODEL_INDEX_SET_H
#define PLUMB_MODEL_INDEX_SET_H

#include "base/index.h"
#include "model/bits.h"

/* space##s: {0} is empty. first and after walk it: until the number is not known. */
#define PLUMB_INDEX_SET(space)                                                                     \
    struct plumb_##space##s {                                                                      \
        struct plumb_bits bits;                                                                    \
    };                                                                                             \
    static inline void plumb_##space##s_add(struct plumb_arena *a, struct plumb_##space##s *s,     \
                                            struct plumb_##space i)                                \
    {                                                                                              \
        plumb_bits_set(a, &s->bits, i.n, i.n);                                                     \
    }                                                                                              \
    static inline void plumb_##space##s_add_range(                                                 \
        struct plumb_arena *a, struct plumb_##space##s *s, struct plumb_##space lo,                \
        struct plumb_##space hi)                                                                   \
    {                                                                                              \
        plumb_bits_set(a, &s->bits, lo.n, hi.n);                                                   \
    }                                                                                              \
    static inline bool plumb_##space##s_has(const struct plumb_##space##s *s,                      \
                                            struct plumb_##space i)                                \
    {                                                                                              \
        return plumb_bits_has(&s->bits, i.n);                                                      \
    }                                                                                              \
    static inline uint32_t plumb_##space##s_count(const struct plumb_##space##s *s)                \
    {                                                                                              \
        return plumb_bits_count(&s->bits);                                                         \
    }                                                                                              \
    static inline bool plumb_##space##s_empty(const struct plumb_##space##s *s)                    \
    {                                                                                              \
        return plumb_bits_empty(&s->bits);                                                         \
    }                                                                                              \
    static inline bool plumb_##space##s_equal(const struct plumb_##space##s *x,                    \
                                              const struct plumb_##space##s *y)                    \
    {                                                                                              \
        return plumb_bits_equal(&x->bits, &y->bits);                                               \
    }                                                                                              \
    static inline bool plumb_##space##s_within(const struct plumb_##space##s *part,                \
                                               const struct plumb_##space##s *whole)               \
    {                                                                                              \
        return plumb_bits_within(&part->bits, &whole->bits);                                       \
    }                                                                                              \
    static inline bool plumb_##space##s_overlap(const struct plumb_##space##s *x,                  \
                                                const struct plumb_##space##s *y)                  \
    {                                                                                              \
        return plumb_bits_overlap(&x->bits, &y->bits);                                             \
    }                                                                                              \
    static inline struct plumb_##space plumb_##space##s_first(const struct plumb_##space##s *s)    \
    {                                                                                              \
        return (struct plumb_##space){plumb_bits_next(&s->bits, 0)};                               \
    }                                                                                              \
    static inline struct plumb_##space plumb_##space##s_after(const struct plumb_##space##s *s,    \
                                                              struct plumb_##space i)              \
    {                                                                                              \
        return (struct plumb_##space){plumb_bits_next(&s->bits, i.n + 1)};                         \
    }                                                                                              \
    /* Some of it is from lo to hi. */                                                             \
    static inline bool plumb_##space##s_any(const struct plumb_##space##s *s,                      \
                                            struct plumb_##space lo, struct plumb_##space hi)      \
    {                                                                                              \
        return plumb_bits_next(&s->bits, lo.n) <= hi.n;                                            \
    }                                                                                              \
    static inline struct plumb_##space plumb_##space##s_last(const struct plumb_##space##s *s)     \
    {                                                                                              \
        return (struct plumb_##space){plumb_bits_last(&s->bits)};                                  \
    }                                                                                              \
    static inline bool plumb_##space##s_read(struct plumb_arena *a,                                \
                                             const struct plumb_slice *text,                       \
                                             struct plumb_##space##s *out, size_t *fault)          \
    {                                                                                              \
        return plumb_bits_read(a, text, &out->bits, fault);                                        \
    }                                                                                              \
    static inline void plumb_##space##s_text(const struct plumb_##space##s *s,                     \
                                             struct plumb_buf *out)                                \
    {                                                                                              \
        plumb_bits_text(&s->bits, out);                                                            \
    }

PLUMB_INDEX_SET(cpu)
PLUMB_INDEX_SET(core)
PLUMB_INDEX_SET(slurm_cpu)
PLUMB_INDEX_SET(gpu)
PLUMB_INDEX_SET(slot)
PLUMB_INDEX_SET(numa_id)

/* The mask notation of the kernel and of NCCL: the system's CPUs alone are written so. */
static inline void plumb_cpus_mask(const struct plumb_cpus *s, struct plumb_buf *out)
{
    plumb_bits_mask(&s->bits, out);
}

#endif
