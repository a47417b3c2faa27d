/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics that the DCGM exporter is asked for: what people look at, and all that the alerts
 * need. Facts: dcgm-exporter 4.8.2, etc/default-counters.csv and internal/pkg/counters; units as
 * DCGM has them (dcgm_fields.h).
 */
#include <string.h>

#include "gpu_stack/gpu_stack.h"

struct metric {
    const char *field, *type, *help; /* help without commas and quotes */
};

static const struct metric metrics[] = {
    {"DCGM_FI_DRIVER_VERSION", "label", "Version of the driver"},

    {"DCGM_FI_DEV_SM_CLOCK", "gauge", "Clock of the SMs in MHz"},
    {"DCGM_FI_DEV_MEM_CLOCK", "gauge", "Clock of the memory in MHz"},
    {"DCGM_FI_DEV_GPU_TEMP", "gauge", "Temperature of the GPU in degrees Celsius"},
    {"DCGM_FI_DEV_MEMORY_TEMP", "gauge", "Temperature of the memory in degrees Celsius"},
    {"DCGM_FI_DEV_POWER_USAGE", "gauge", "Power drawn in W"},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "counter", "Energy since the driver started in mJ"},
    {"DCGM_FI_DEV_GPU_UTIL", "gauge", "Time in which a kernel ran in percent"},
    {"DCGM_FI_DEV_FB_FREE", "gauge", "Free memory in MiB"},
    {"DCGM_FI_DEV_FB_USED", "gauge", "Used memory in MiB"},
    {"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "counter", "Retries on PCIe"},
    {"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "counter", "Traffic of all NVLinks"},

    {"DCGM_FI_DEV_XID_ERRORS", "gauge", "Last XID"},
    {"DCGM_EXP_XID_ERRORS_COUNT", "gauge", "XIDs of the last five minutes by number"},
    {"DCGM_EXP_CLOCK_EVENTS_COUNT", "gauge", "Reasons for lower clocks in the last five minutes"},
    {"DCGM_EXP_GPU_HEALTH_STATUS", "gauge", "Health by part of the GPU; 0 is well and 20 is not"},
    {"DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "counter", "Bits that ECC corrected since the last reset"},
    {"DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "counter",
     "Errors that ECC did not correct since the last reset"},
    {"DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", "counter", "Rows remapped for corrected errors"},
    {"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "counter", "Rows remapped for uncorrected errors"},
    {"DCGM_FI_DEV_ROW_REMAP_PENDING", "gauge", "Whether a row is remapped at the next reset"},
    {"DCGM_FI_DEV_ROW_REMAP_FAILURE", "gauge", "Whether a row could not be remapped"},
    {"DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL", "counter",
     "CRC errors of flow control on NVLink"},
    {"DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL", "counter", "CRC errors of data on NVLink"},
    {"DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL", "counter", "Retries on NVLink"},
    {"DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL", "counter", "Recoveries of NVLink"},
    {"DCGM_FI_DEV_FABRIC_MANAGER_STATUS", "gauge",
     "Fabric manager; 3 is well and 0 is none needed"},
};

struct plumb_node *plumb_stack_metrics(struct plumb_gpu_stack *k)
{
    struct plumb_node *root =
        plumb_bundle_object(&k->b, "v1", "ConfigMap", PLUMB_STACK_METRICS, "dcgm-exporter");
    struct plumb_buf b = plumb_buf_in(k->b.a);

    for (size_t i = 0; i < PLUMB_COUNT(metrics); i++)
        plumb_buf_printf(&b, "%s,%s,%s\n", metrics[i].field, metrics[i].type, metrics[i].help);
    plumb_node_set_string(k->b.a, plumb_bundle_map(&k->b, root, "data"), PLUMB_STACK_KEY,
                          plumb_buf_text(&b));
    return root;
}
