/* SPDX-License-Identifier: Apache-2.0 */
/* Attribute values in NCCL's own words, where they differ from those of the captures. */
#include <string.h>

#include "nccl/nccl.h"
#include "schema/nccl.h"

enum { AT_WORK = 984615 }; /* a lane of 8 GT/s: see plumb_nccl_link */

static const struct {
    const char *hwloc, *nccl;
} arches[] = {
    {"x86_64", PLUMB_NCCL_X86}, {"aarch64", PLUMB_NCCL_ARM}, /* any other word counts as no
                                                   architecture, without a message */
    {"arm64", PLUMB_NCCL_ARM},  {"ppc64", PLUMB_NCCL_PPC},   {"ppc64le", PLUMB_NCCL_PPC},
};

const char *plumb_nccl_arch(const char *hwloc_arch, const char *vendor)
{
    for (size_t i = 0; hwloc_arch != NULL && i < PLUMB_COUNT(arches); i++) {
        if (strcmp(arches[i].hwloc, hwloc_arch) == 0)
            return arches[i].nccl;
    }
    if (hwloc_arch == NULL && vendor != NULL &&
        (strcmp(vendor, "GenuineIntel") == 0 || strcmp(vendor, "AuthenticAMD") == 0))
        return PLUMB_NCCL_X86;
    return NULL;
}

/*
 * hwloc adds the extended family to the base family (19h is 25); NCCL puts it above the base
 * (15 + (10 << 4) is 175). The extended part is there only when the base is 15.
 */
uint32_t plumb_nccl_family(uint32_t family)
{
    return family < 15 || family > 15 + 255 ? family : 15 + ((family - 15) << 4);
}

/* As the kernel writes it; enough: 0.7 percent apart, which is rounding in the capture. */
static bool is_speed(const struct plumb_nccl_speed *s, uint64_t seen, uint64_t width)
{
    const uint32_t lanes[] = {s->lane, s->framed};

    for (size_t i = 0; i < PLUMB_COUNT(lanes) && strstr(s->text, " PCIe") != NULL; i++) {
        uint64_t full = lanes[i] * width;
        uint64_t apart = full > seen ? full - seen : seen - full;

        if (lanes[i] >= AT_WORK && apart * 1000 <= full * 7)
            return true;
    }
    return false;
}

/*
 * 2.5 and 5 GT/s carry 8 of 10 bits, so their throughputs (4000 MB/s on 16 lanes) are not those
 * of a faster and narrower link (3938 MB/s): at those speeds a device is at rest, or so old
 * that NCCL may as well look itself.
 */
bool plumb_nccl_link(uint32_t mbytes, struct plumb_nccl_link *out)
{
    uint64_t seen = (uint64_t)mbytes * 1000;

    for (uint32_t width = 16; width > 0; width /= 2) {
        for (size_t i = 0; i < PLUMB_NCCL_SPEED_COUNT; i++) {
            if (!is_speed(&plumb_nccl_speeds[i], seen, width))
                continue;
            *out = (struct plumb_nccl_link){.speed = plumb_nccl_speeds[i].text, .width = width};
            return true;
        }
    }
    return false;
}
