/* SPDX-License-Identifier: Apache-2.0 */
/* Drives and network adapters as resources, beside those that captures show. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "model/rails.h"
#include "rules/gres_view.h"

static struct plumb_span first_drive(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->disk_count; i++) {
        if (plumb_nvme_name(hw->disks[i].name) > 0)
            return hw->disks[i].at;
    }
    return (struct plumb_span){0};
}

static const char *drives(const struct plumb_check *ck, const struct plumb_hardware *hw)
{
    struct plumb_buf b = plumb_buf_in(ck->arena);

    for (size_t i = 0; i < hw->disk_count; i++) {
        if (plumb_nvme_name(hw->disks[i].name) > 0)
            plumb_buf_printf(&b, "%s'/dev/%s'", b.len > 0 ? ", " : "", hw->disks[i].name);
    }
    return plumb_buf_text(&b);
}

static bool lacks_drive(const struct plumb_hardware *hw, const char *file)
{
    static const char dev[] = "/dev/";

    return plumb_starts_with(file, dev) && plumb_nvme_name(file + sizeof(dev) - 1) > 0 &&
           plumb_hardware_disk(hw, file) == NULL;
}

static const char *drive_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "no drive '%s' is in the capture of '%s', expected one of "
                              "%s",
                              f->alike, plumb_fold_hosts(ck, f->hosts), drives(ck, f->what));
}

/* GRES070: gres.c:_my_stat waits for a file and ends. */
static void drive(const struct plumb_check *ck)
{
    static const struct plumb_gres_devices drive_files = {lacks_drive, first_drive};
    struct plumb_fold faults = plumb_gres_lacking(ck, &drive_files);

    plumb_fold_tell(ck, &faults, "the first drive of the capture", drive_words);
}

static bool is_adapter(const char *gres)
{
    return strcmp(gres, "hca") == 0 || strcmp(gres, "nic") == 0;
}

static const char *adapter_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "'%s' declares %" PRIu64 " %s, the capture has %" PRIu64
                              " RDMA devices, expected at most as many",
                              plumb_fold_hosts(ck, f->hosts), f->a, (const char *)f->what, f->b);
}

/* GRES071: nothing in Slurm counts adapters, so more are handed out than there are. */
static void adapters(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t n = 0; n < ck->model->node_count; n++) {
        const struct plumb_nodes *nodes = &ck->model->nodes[n];
        size_t rdma = nodes->hardware == NULL ? 0 : plumb_hardware_rdma(nodes->hardware);

        for (size_t g = 0; rdma > 0 && g < nodes->gres_count; g++) {
            const struct plumb_gres_item *item = &nodes->gres[g];
            struct plumb_fold_item *f = NULL;

            if (item->bad || !is_adapter(item->name) || item->count <= rdma)
                continue;
            f = plumb_fold_add(
                &faults,
                plumb_arena_printf(ck->arena, "%s %" PRIu64 " %zu", item->name, item->count, rdma),
                plumb_gres_count_place(item), nodes->hosts);
            f->what = item->name;
            f->a = item->count;
            f->b = rdma;
            f->second = nodes->hardware->nics[rdma - 1].at;
        }
    }
    plumb_fold_tell(ck, &faults, "the last RDMA device of the capture", adapter_words);
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES070",
        .name = "gres-drive-missing",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "File names an NVMe drive that the captured machine does not have",
        .why = "slurmd waits for a device file that is missing, and ends.",
        .ref = "gres.conf(5), File; gres.c:_my_stat",
        .bad = "GresTypes=nvme\n"
               "NodeName=g Gres=nvme:1\n"
               "# gres.conf\n"
               "Name=nvme File=/dev/nvme1n1",
        .good = "GresTypes=nvme\n"
                "NodeName=g Gres=nvme:1\n"
                "# gres.conf\n"
                "Name=nvme File=/dev/nvme0n1",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = drive,
    },
    {
        .code = "GRES071",
        .name = "gres-adapters-more",
        .severity = PLUMB_WARNING,
        .daemons = PLUMB_SLURMCTLD,
        .summary = "more network adapters are declared than the captured machine has",
        .why = "No daemon counts adapters: jobs are started together that share one.",
        .ref = "slurm.conf(5), Gres",
        .bad = "GresTypes=hca\n"
               "NodeName=g Gres=hca:2",
        .good = "GresTypes=hca\n"
                "NodeName=g Gres=hca:1",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = adapters,
    },
};

const struct plumb_rule_family plumb_gres_disk_rules = {
    .prefix = "GRES",
    .title = "Generic resources",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
