/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MIG: into which instances a product can be cut, and whether a set of them can be placed.
 * A GPU has compute slices and memory slices; an instance of a profile takes some of both, and
 * its memory slices must begin at one of the places that the driver offers (nvidia-smi mig
 * -lgipp). The facts, each with its source, are rows of schema/nvidia/mig.yaml.
 */
#ifndef PLUMB_MODEL_MIG_H
#define PLUMB_MODEL_MIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

struct plumb_mig_profile {
    const char *name;        /* "1g.10gb" */
    const char *other;       /* what drivers of another branch call it; NULL */
    uint8_t compute, memory; /* slices of each kind; memory 0: no source tells places */
    uint8_t max;             /* instances of it on one GPU */
    uint8_t starts;          /* bit n: it may begin at memory slice n */
    bool media;              /* "+me": holds the media engines, of which a GPU has one set */
};

enum { PLUMB_MIG_PROFILES = 12 }; /* of one product, at most */

struct plumb_mig_card {
    const char *words;       /* all of them are words of the product's name */
    const char *but_not;     /* is none of them; NULL */
    uint8_t compute, memory; /* slices of a GPU; memory 0: no source tells places */
    const struct plumb_mig_profile *profiles;
    size_t profile_count;
    const char *source, *profile_source; /* that it can be cut; into what */
};

extern const struct plumb_mig_card plumb_mig_cards[]; /* the first that fits counts */
extern const size_t plumb_mig_card_count;

/* By NVML's product name, or by the type that slurmd makes of it; NULL: not in the table. */
const struct plumb_mig_card *plumb_mig_card(const char *model);

/*
 * "3g.40gb" in "nvidia_h100_80gb_hbm3_3g.40gb", "1c.3g.40gb" with a part of an instance; the rest
 * of the text, or NULL where none begins.
 */
const char *plumb_mig_of_type(const char *type);

/*
 * The profile of the instance that a text of plumb_mig_of_type() names; NULL: the product has
 * none. *part: compute slices of a compute instance that is less than its GPU instance, else 0.
 */
const struct plumb_mig_profile *plumb_mig_profile(const struct plumb_mig_card *card,
                                                  const char *text, uint8_t *part);

/* Compute slices that a text of plumb_mig_of_type() names: 3 of "3g.40gb". */
uint64_t plumb_mig_slices(const char *text);

struct plumb_mig_want {
    const struct plumb_mig_profile *profile;
    uint64_t count;
};

/*
 * True when GPUs of one product can hold all of them. Where that takes too long to find out,
 * which no node with up to 16 GPUs does, or where places are not known, true if numbers allow it.
 */
bool plumb_mig_fits(struct plumb_arena *a, const struct plumb_mig_card *card, uint64_t gpus,
                    const struct plumb_mig_want *wants, size_t count);

/* "1g.10gb, 1g.10gb+me, ...": the names of the profiles, in the order of the table. */
const char *plumb_mig_names(struct plumb_arena *a, const struct plumb_mig_card *card);

#endif
