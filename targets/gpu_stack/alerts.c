/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alerts, as a PrometheusRule. What they look at is in the list of metrics.c, or slurmctld's own
 * (MetricsType=metrics/openmetrics). Labels: render_metrics.go of dcgm-exporter, and `node`, which
 * our ServiceMonitor adds. Tested on series by compiler/tests/check_alerts.sh.
 */
#include <string.h>

#include "gpu_stack/gpu_stack.h"

/* Which clusters get an alert. */
enum condition { ALWAYS, WITH_NVLINK, WITH_NVSWITCH };

struct alert {
    const char *name, *expr, *wait, *severity, *summary, *what;
    enum condition when;
};

/* XIDs of hardware and driver, as NVIDIA's catalogue has them; 13, 31, 43 and 45 are the job's. */
#define XIDS "48|63|64|74|79|92|94|95|119|120|140|143"

static const struct alert gpu_alerts[] = {
    {"GpuRowRemapPending", "DCGM_FI_DEV_ROW_REMAP_PENDING > 0", "5m", "warning",
     "GPU {{ $labels.gpu }} of {{ $labels.node }} waits for a row to be remapped",
     "Memory has failed, and the row is replaced at the next reset. Drain the node, reset the GPU "
     "and see that nothing is pending before jobs come back.",
     ALWAYS},
    {"GpuRowRemapFailed", "DCGM_FI_DEV_ROW_REMAP_FAILURE > 0", "1m", "critical",
     "GPU {{ $labels.gpu }} of {{ $labels.node }} cannot remap a row",
     "No spare row is left for failed memory. Drain the node and replace the GPU.", ALWAYS},
    {"GpuXid", "DCGM_EXP_XID_ERRORS_COUNT{xid=~\"" XIDS "\"} > 0", NULL, "critical",
     "XID {{ $labels.xid }} on GPU {{ $labels.gpu }} of {{ $labels.node }}",
     "The driver reports an error of the hardware or of itself. Look the number up in NVIDIA's "
     "catalogue of XIDs; drain the node.",
     ALWAYS},
    {"GpuEccUncorrectable", "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL > 0", NULL, "critical",
     "{{ $value }} uncorrectable errors of memory on GPU {{ $labels.gpu }} of {{ $labels.node }}",
     "What a job read there was wrong. The count goes back to 0 with a reset of the GPU.", ALWAYS},
    {"GpuClocksThrottled",
     "DCGM_EXP_CLOCK_EVENTS_COUNT{clock_event=~\"hw_slowdown|hw_thermal|hw_power_brake|sw_"
     "thermal\"} > 0",
     "10m", "warning",
     "GPU {{ $labels.gpu }} of {{ $labels.node }} is slowed down: {{ $labels.clock_event }}",
     "Heat or the power supply hold the clocks down, and a job over several nodes waits for this "
     "one. Look at cooling and power.",
     ALWAYS},
    {"GpuNvlinkDown",
     "DCGM_EXP_GPU_HEALTH_STATUS{health_watch=\"NVLINK\",health_error_code=\"DCGM_FR_NVLINK_"
     "DOWN\"} > 0",
     "1m", "critical", "an NVLink of GPU {{ $labels.gpu }} of {{ $labels.node }} is down",
     "Jobs that use several GPUs of the node fail or crawl. Drain the node; reset all of its GPUs.",
     WITH_NVLINK},
    {"GpuNvlinkCrcErrors",
     "increase(DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL[1h]) + "
     "increase(DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL[1h]) > 100",
     "5m", "warning",
     "{{ $value | humanize }} CRC errors an hour on the NVLinks of GPU {{ $labels.gpu }} of {{ "
     "$labels.node }}",
     "A link corrupts what it carries and sends it again. Look at seat, board and switch.",
     WITH_NVLINK},
    {"GpuNvlinkRecovered", "increase(DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL[1h]) > 0", NULL,
     "warning", "an NVLink of GPU {{ $labels.gpu }} of {{ $labels.node }} had to recover",
     "A link was retrained while it was in use.", WITH_NVLINK},
    {"GpuFabricManager",
     "DCGM_FI_DEV_FABRIC_MANAGER_STATUS == 1 or DCGM_FI_DEV_FABRIC_MANAGER_STATUS == 4", "10m",
     "critical", "the fabric manager of {{ $labels.node }} does not run: status {{ $value }}",
     "GPU {{ $labels.gpu }} is not part of the NVSwitch fabric, and CUDA does not start on it. 1 "
     "is not started and 4 is failed.",
     WITH_NVSWITCH},
    {"GpuExporterDown", "up{job=\"" PLUMB_STACK_JOB "\"} == 0", "10m", "warning",
     "the DCGM exporter of {{ $labels.node }} does not answer",
     "Nobody is told when a GPU of the node fails.", ALWAYS},
};

static const struct alert slurm_alerts[] = {
    {"SlurmNodesDrained", "slurm_nodes_drained > 0", "30m", "warning",
     "{{ $value }} nodes are drained", "No job starts there. sinfo -R tells the reasons.", ALWAYS},
    {"SlurmNodesDown", "slurm_nodes_down > 0", "10m", "warning", "{{ $value }} nodes are down",
     "slurmctld does not hear of them. sinfo -R tells the reasons.", ALWAYS},
};

/* A class whose machine nobody captured may have anything. */
static bool applies(const struct plumb_gpu_stack *k, enum condition when)
{
    for (size_t i = 0; i < k->b.m->node_count; i++) {
        const struct plumb_nodes *n = &k->b.m->nodes[i];

        if (plumb_gres_total(n, "gpu") == 0)
            continue;
        if (when == ALWAYS || n->hardware == NULL || !n->hardware->links_known ||
            n->hardware->nvswitch || (when == WITH_NVLINK && plumb_hardware_linked(n->hardware)))
            return true;
    }
    return when == ALWAYS;
}

static struct plumb_node *rule(struct plumb_gpu_stack *k, const struct alert *row)
{
    struct plumb_node *one = plumb_node_mapping(k->b.a, k->b.plan->at), *notes = NULL;

    plumb_node_set_string(k->b.a, one, "alert", row->name);
    plumb_node_set_string(k->b.a, one, "expr", row->expr);
    plumb_node_set_string(k->b.a, one, "for", row->wait);
    plumb_node_set_string(k->b.a, plumb_bundle_map(&k->b, one, "labels"), "severity",
                          row->severity);
    notes = plumb_bundle_map(&k->b, one, "annotations");
    plumb_node_set_string(k->b.a, notes, "description", row->what);
    plumb_node_set_string(k->b.a, notes, "summary", row->summary);
    return one;
}

static void add_group(struct plumb_gpu_stack *k, struct plumb_node *groups, const char *name,
                      const struct alert *rows, size_t count)
{
    struct plumb_node *group = plumb_node_mapping(k->b.a, k->b.plan->at);
    struct plumb_node *list = plumb_node_sequence(k->b.a, k->b.plan->at);

    plumb_node_set_string(k->b.a, group, "name", name);
    for (size_t i = 0; i < count; i++) {
        if (applies(k, rows[i].when))
            plumb_node_append(k->b.a, list, rule(k, &rows[i]));
    }
    plumb_node_set(k->b.a, group, "rules", list);
    plumb_node_append(k->b.a, groups, group);
}

/* slurmctld answers to Prometheus by itself from 25.11 on. */
static bool has_slurm_metrics(const struct plumb_gpu_stack *k)
{
    return plumb_usable(k->stack->metrics) && k->stack->metrics.v &&
           plumb_param_known(k->b.em->session->table, PLUMB_P_SLURM_METRICSTYPE, k->b.m->release);
}

struct plumb_node *plumb_stack_alerts(struct plumb_gpu_stack *k)
{
    struct plumb_node *root = plumb_bundle_object(&k->b, "monitoring.coreos.com/v1",
                                                  "PrometheusRule", "slurm-gpu-alerts", "alerts");
    struct plumb_node *groups = plumb_node_sequence(k->b.a, k->b.plan->at);

    plumb_node_set(k->b.a, plumb_bundle_map(&k->b, root, "spec"), "groups", groups);
    add_group(k, groups, "gpu", gpu_alerts, PLUMB_COUNT(gpu_alerts));
    if (has_slurm_metrics(k))
        add_group(k, groups, "slurm", slurm_alerts, PLUMB_COUNT(slurm_alerts));
    return root;
}
