/* SPDX-License-Identifier: Apache-2.0 */
/* The Slurm release series that plumb knows, oldest first. A series is an index into this order. */
#ifndef PLUMB_BASE_RELEASE_H
#define PLUMB_BASE_RELEASE_H

#include "base/base.h"

enum plumb_release {
    PLUMB_22_05,
    PLUMB_23_02,
    PLUMB_23_11,
    PLUMB_24_05,
    PLUMB_24_11,
    PLUMB_25_05,
    PLUMB_25_11,
    PLUMB_26_05,
    PLUMB_RELEASE_COUNT,
    PLUMB_RELEASE_OLDEST = PLUMB_22_05,
    PLUMB_RELEASE_NEWEST = PLUMB_RELEASE_COUNT - 1,
    PLUMB_RELEASE_OPEN = 254, /* as the last release of something: it is still there */
    PLUMB_RELEASE_NONE = 255,
};

/*
 * Slurm comes twice a year: the next ones have names before plumb knows what is in them. They have
 * the numbers behind the newest one, and are of use with a table of their own (--table).
 */
enum { PLUMB_RELEASE_SLOTS = PLUMB_RELEASE_COUNT + 4 };

/* "24.11"; "none" for anything out of range. */
const char *plumb_release_name(enum plumb_release r);

/* The same for the releases to come too. */
enum plumb_release plumb_release_read_any(const char *text, size_t len);

/* Reads "24.11" or "24.11.5"; PLUMB_RELEASE_NONE for anything else. */
enum plumb_release plumb_release_read(const char *text, size_t len);

/* The release in the tag of an image: "r/slurmd:25.11-ubuntu24.04@sha256:..." of Slinky,
 * "r/worker_slurmd:4.1.7-slurm25.11.3" of Soperator; NULL has none. */
enum plumb_release plumb_release_of_image(const char *image);

#endif
