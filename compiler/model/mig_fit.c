/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether instances of MIG can be placed on some GPUs of one product. First every way to fill one
 * GPU with what is wanted, without those that another way contains; then, GPU by GPU, what may
 * still be left over, without those sets of which another is a part.
 */
#include <string.h>

#include "base/base.h"
#include "model/mig.h"

enum {
    MAX_GPUS = 64,   /* more are not looked at: see plumb_mig_fits() */
    MAX_LEFT = 1024, /* sets of what is left over, kept at once */
};

/* How many of each want; by position in the list of wants. */
struct tally {
    uint16_t of[PLUMB_MIG_PROFILES];
};

struct tallies {
    struct plumb_arena *arena;
    struct tally *items;
    size_t count, cap;
};

struct fit {
    const struct plumb_mig_card *card;
    const struct plumb_mig_want *wants;
    size_t count;
    struct tallies ways; /* to fill one GPU */
};

/* What is placed on one GPU so far. */
struct filled {
    struct tally tally;
    unsigned slices; /* memory slices in use, one bit each */
    unsigned compute;
    bool media;
};

static bool covers(const struct fit *f, const struct tally *big, const struct tally *small)
{
    for (size_t i = 0; i < f->count; i++) {
        if (big->of[i] < small->of[i])
            return false;
    }
    return true;
}

/* Keeps t unless one that is as good is there, and drops those that it makes needless. */
static void keep(const struct fit *f, struct tallies *in, const struct tally *t, bool bigger)
{
    size_t kept = 0;

    for (size_t i = 0; i < in->count; i++) {
        if (bigger ? covers(f, &in->items[i], t) : covers(f, t, &in->items[i]))
            return;
    }
    for (size_t i = 0; i < in->count; i++) {
        if (bigger ? covers(f, t, &in->items[i]) : covers(f, &in->items[i], t))
            continue;
        in->items[kept++] = in->items[i];
    }
    in->count = kept;
    in->items = plumb_arena_grow(in->arena, in->items, in->count, &in->cap, sizeof(*in->items));
    in->items[in->count++] = *t;
}

static void fill(struct fit *f, const struct filled *now, size_t want, unsigned start)
{
    const struct plumb_mig_profile *p = f->wants[want].profile;
    unsigned end = f->card->memory;

    for (; start + p->memory <= end; start++) {
        struct filled next = *now;
        unsigned taken = ((1u << p->memory) - 1) << start;

        if (!(p->starts >> start & 1) || (now->slices & taken) != 0 ||
            now->compute + p->compute > f->card->compute || (p->media && now->media) ||
            now->tally.of[want] >= p->max || now->tally.of[want] >= f->wants[want].count)
            continue;
        next.slices |= taken;
        next.compute += p->compute;
        next.media = now->media || p->media;
        next.tally.of[want]++;
        fill(f, &next, want, start + p->memory);
    }
    if (want + 1 < f->count)
        fill(f, now, want + 1, 0);
    else
        keep(f, &f->ways, &now->tally, true);
}

static struct tally less(const struct fit *f, const struct tally *left, const struct tally *way)
{
    struct tally out = *left;

    for (size_t i = 0; i < f->count; i++)
        out.of[i] = (uint16_t)(out.of[i] > way->of[i] ? out.of[i] - way->of[i] : 0);
    return out;
}

static bool nothing(const struct fit *f, const struct tally *t)
{
    unsigned sum = 0;

    for (size_t i = 0; i < f->count; i++)
        sum += t->of[i];
    return sum == 0;
}

/* True when nothing may be left over, or too much would have to be looked at. */
static bool place_all(const struct fit *f, struct tally wanted, uint64_t gpus)
{
    struct tallies left = {.arena = f->ways.arena};

    keep(f, &left, &wanted, false);
    for (uint64_t g = 0; g < gpus; g++) {
        struct tallies next = {.arena = left.arena};

        for (size_t i = 0; i < left.count; i++) {
            for (size_t w = 0; w < f->ways.count; w++) {
                struct tally t = less(f, &left.items[i], &f->ways.items[w]);

                if (nothing(f, &t) || next.count > MAX_LEFT)
                    return true;
                keep(f, &next, &t, false);
            }
        }
        left = next;
    }
    return false;
}

/* More of one profile, or more slices, than all the GPUs have. */
static bool too_many(const struct fit *f, uint64_t gpus)
{
    uint64_t compute = 0, memory = 0;

    for (size_t i = 0; i < f->count; i++) {
        const struct plumb_mig_profile *p = f->wants[i].profile;

        if (f->wants[i].count > p->max * gpus)
            return true;
        compute += p->compute * f->wants[i].count;
        memory += p->memory * f->wants[i].count;
    }
    return compute > f->card->compute * gpus || memory > f->card->memory * gpus;
}

bool plumb_mig_fits(struct plumb_arena *a, const struct plumb_mig_card *card, uint64_t gpus,
                    const struct plumb_mig_want *wants, size_t count)
{
    struct fit f = {.card = card, .wants = wants, .count = count, .ways = {.arena = a}};
    struct filled none = {0};
    struct tally wanted = {0};

    PLUMB_ASSERT(count <= PLUMB_MIG_PROFILES);
    if (count == 0)
        return true;
    if (gpus > UINT16_MAX)
        return true;
    if (too_many(&f, gpus))
        return false;
    if (gpus > MAX_GPUS || card->memory == 0)
        return true;
    fill(&f, &none, 0, 0);
    for (size_t i = 0; i < count; i++)
        wanted.of[i] = (uint16_t)wants[i].count; /* too_many() keeps it below max times MAX_GPUS */
    return nothing(&f, &wanted) || place_all(&f, wanted, gpus);
}
