/* SPDX-License-Identifier: Apache-2.0 */
/* The words of NCCL's topology files. */
#include "schema/nccl.h"

const char *const plumb_nccl_arches[PLUMB_NCCL_ARCH_COUNT] = {PLUMB_NCCL_X86, PLUMB_NCCL_ARM,
                                                              PLUMB_NCCL_PPC};

const char *const plumb_nccl_vendors[PLUMB_NCCL_VENDOR_COUNT] = {"GenuineIntel", "AuthenticAMD",
                                                                 "CentaurHauls", "  Shanghai  "};

const struct plumb_nccl_speed plumb_nccl_speeds[PLUMB_NCCL_SPEED_COUNT] = {
    {"2.5 GT/s", 250000, 0},        {"5 GT/s", 500000, 0},
    {"5.0 GT/s PCIe", 500000, 0},   {"8 GT/s", 984615, 0},
    {"8.0 GT/s PCIe", 984615, 0},   {"16 GT/s", 1969231, 0},
    {"16.0 GT/s PCIe", 1969231, 0}, {"32 GT/s", 3938462, 0},
    {"32.0 GT/s PCIe", 3938462, 0}, {"64.0 GT/s PCIe", 7876923, 7562500},
};
