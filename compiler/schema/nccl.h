/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What NCCL takes from a topology file: how much of it, and which words. Its sources are the only
 * reference: src/graph/xml.h and xml.cc, kvDict* of src/graph/topo.cc.
 */
#ifndef PLUMB_SCHEMA_NCCL_H
#define PLUMB_SCHEMA_NCCL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a value in nccl.conf; NCCL cuts what is longer (src/misc/param.cc:setEnvFile). */
enum { PLUMB_NCCL_CONF_VALUE = 1023 };

enum {
    PLUMB_NCCL_TEXT = 254,        /* bytes of a name or value */
    PLUMB_NCCL_ATTRS = 16,        /* of one element; the others are read and dropped */
    PLUMB_NCCL_OLD_CHILDREN = 32, /* of one element up to 2.20 */
    PLUMB_NCCL_CHILDREN = 128,    /* 2.21 to 2.29.3; later releases take more */
    PLUMB_NCCL_ELEMENTS = 255,    /* of the file: the array since 2.21 has 256, one for the end */
};

#define PLUMB_NCCL_X86 "x86_64"
#define PLUMB_NCCL_ARM "arm64"
#define PLUMB_NCCL_PPC "ppc64"

enum { PLUMB_NCCL_ARCH_COUNT = 3, PLUMB_NCCL_VENDOR_COUNT = 4, PLUMB_NCCL_SPEED_COUNT = 10 };
extern const char *const plumb_nccl_arches[PLUMB_NCCL_ARCH_COUNT];
extern const char *const plumb_nccl_vendors[PLUMB_NCCL_VENDOR_COUNT]; /* of x86_64 */

/*
 * One lane in 1/1000 MB/s with what the coding leaves of it: 8 of 10 bits at 2.5 and 5 GT/s, 128
 * of 130 from 8 GT/s on; 64 GT/s is counted in two ways.
 */
struct plumb_nccl_speed {
    const char *text;      /* link_speed begins with it */
    uint32_t lane, framed; /* framed: the other way; 0: none */
};
extern const struct plumb_nccl_speed plumb_nccl_speeds[PLUMB_NCCL_SPEED_COUNT]; /* rising */

#endif
