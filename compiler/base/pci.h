/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of PCI that plumb tells apart: vendors, and classes as the 16 bits that hwloc shows. */
#ifndef PLUMB_BASE_PCI_H
#define PLUMB_BASE_PCI_H

enum plumb_pci_vendor {
    PLUMB_PCI_AMD = 0x1002,
    PLUMB_PCI_NVIDIA = 0x10de,
    PLUMB_PCI_INTEL = 0x8086,
};

enum plumb_pci_class {
    PLUMB_PCI_INFINIBAND = 0x0207,
    PLUMB_PCI_VGA = 0x0300,
    PLUMB_PCI_3D = 0x0302,
    PLUMB_PCI_DISPLAY = 0x0380, /* of AMD Instinct and Intel Data Center GPUs */
    PLUMB_PCI_BRIDGE = 0x0604,
    PLUMB_PCI_NVSWITCH = 0x0680,
    PLUMB_PCI_ACCELERATOR = 0x1200, /* MI300 */
};

#endif
