/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bus ids of PCI devices: domain, bus, device and function in hexadecimal. The kernel, hwloc and
 * NVML write the same one with domains of unlike widths and letters of either case.
 */
#ifndef PLUMB_BASE_BUS_ID_H
#define PLUMB_BASE_BUS_ID_H

#include "base/base.h"

enum { PLUMB_BUS_ID_SIZE = 17 }; /* with the NUL, for a domain of 8 digits */

/*
 * "00000000:1B:00.0" as the kernel writes it in /sys: "0000:1b:00.0", lower case, a domain of 4
 * digits or as many more as it needs. False: text is no bus id, and out is left alone. The function
 * has 3 bits (PCI_FUNC of Linux).
 */
bool plumb_bus_id_read(const char *text, size_t len, char out[PLUMB_BUS_ID_SIZE]);

/* The order of the numbers, of two in the kernel's form. Less than 0, 0 or more, as of strcmp. */
int plumb_bus_id_order(const char *a, const char *b);

#endif
