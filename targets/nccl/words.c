/* SPDX-License-Identifier: Apache-2.0 */
/* Attribute values in NCCL's own words, where they differ from those of the captures. */
#include <string.h>

#include "nccl/nccl.h"

static const struct {
    const char *hwloc, *nccl;
} arches[] = {
    {"x86_64", "x86_64"}, {"aarch64", "arm64"}, /* any other word counts as no architecture, without
                                                   a message */
    {"arm64", "arm64"},   {"ppc64", "ppc64"},   {"ppc64le", "ppc64"},
};

const char *plumb_nccl_arch(const char *hwloc_arch, const char *vendor)
{
    for (size_t i = 0; hwloc_arch != NULL && i < PLUMB_COUNT(arches); i++) {
        if (strcmp(arches[i].hwloc, hwloc_arch) == 0)
            return arches[i].nccl;
    }
    if (hwloc_arch == NULL && vendor != NULL &&
        (strcmp(vendor, "GenuineIntel") == 0 || strcmp(vendor, "AuthenticAMD") == 0))
        return "x86_64";
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

/* One lane, in 1/1000 MB/s: 8 GT/s and more carry 128 of 130 bits; 64 GT/s in two countings. */
static const struct {
    const char *speed;
    uint64_t lane;
} speeds[] = {
    {"8.0 GT/s PCIe", 984615},   {"16.0 GT/s PCIe", 1969231}, {"32.0 GT/s PCIe", 3938462},
    {"64.0 GT/s PCIe", 7562500}, {"64.0 GT/s PCIe", 7876923},
};

/*
 * 2.5 and 5 GT/s carry 8 of 10 bits, so their throughputs (4000 MB/s on 16 lanes) are not those
 * of a faster and narrower link (3938 MB/s): at those speeds a device is at rest, or so old
 * that NCCL may as well look itself.
 */
bool plumb_nccl_link(uint32_t mbytes, struct plumb_nccl_link *out)
{
    uint64_t seen = (uint64_t)mbytes * 1000;

    for (uint32_t width = 16; width > 0; width /= 2) {
        for (size_t i = 0; i < PLUMB_COUNT(speeds); i++) {
            uint64_t full = speeds[i].lane * width;
            uint64_t apart = full > seen ? full - seen : seen - full;

            if (apart * 1000 > full * 7) /* 0.7 percent: rounding in the capture */
                continue;
            *out = (struct plumb_nccl_link){.speed = speeds[i].speed, .width = width};
            return true;
        }
    }
    return false;
}
