/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NCCL topology files against the machine that a capture shows. NCCL finds devices by bus id and
 * drops what it does not find, without a message; so a file of another machine is only slow.
 */
#include <string.h>

#include "base/text.h"
#include "model/index_map.h"
#include "rules/ask.h"

static bool same_id(const struct plumb_nccl_device *d, const char *bus_id)
{
    return bus_id != NULL && plumb_usable(d->bus_id) && plumb_same_nocase(d->bus_id.v, bus_id);
}

static const struct plumb_nccl_device *device_at(const struct plumb_nccl_file *f,
                                                 const char *bus_id)
{
    for (size_t i = 0; i < f->device_count; i++) {
        if (same_id(&f->devices[i], bus_id))
            return &f->devices[i];
    }
    return NULL;
}

static const struct plumb_hw_gpu *gpu_at(const struct plumb_hardware *hw,
                                         const struct plumb_nccl_device *d)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (same_id(d, hw->gpus[i].bus_id))
            return &hw->gpus[i];
    }
    return NULL;
}

static bool has_bus_ids(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (hw->gpus[i].bus_id == NULL)
            return false;
    }
    return hw->gpu_count > 0;
}

static size_t shared_gpus(const struct plumb_nccl_file *f, const struct plumb_hardware *hw)
{
    size_t n = 0;

    for (size_t i = 0; i < hw->gpu_count; i++)
        n += hw->gpus[i].bus_id != NULL && device_at(f, hw->gpus[i].bus_id) != NULL;
    return n;
}

static size_t gpus_of(const struct plumb_nccl_file *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->device_count; i++)
        n += f->devices[i].gpu && plumb_usable(f->devices[i].bus_id);
    return n;
}

/*
 * The machine that a file can be for: the one with most of its GPUs. Where none has any, the only
 * machine with bus ids; among several nobody knows which was meant.
 */
static const struct plumb_hardware *machine_of(const struct plumb_check *ck,
                                               const struct plumb_nccl_file *f)
{
    const struct plumb_hardware *best = NULL, *only = NULL;
    size_t most = 0, told = 0;

    for (size_t i = 0; i < ck->model->hardware_count; i++) {
        const struct plumb_hardware *hw = ck->model->hardware[i];
        size_t n = shared_gpus(f, hw);

        if (!has_bus_ids(hw))
            continue;
        told++;
        only = hw;
        if (n > most) {
            most = n;
            best = hw;
        }
    }
    return best != NULL ? best : told == 1 ? only : NULL;
}

static void add(struct plumb_buf *out, const char *bus_id)
{
    plumb_buf_printf(out, "%s'%s'", out->len > 0 ? ", " : "", bus_id);
}

/* NCCL016 */
static void gpu_place(const struct plumb_check *ck)
{
    for (size_t f = 0; f < ck->model->nccl_file_count; f++) {
        const struct plumb_nccl_file *file = &ck->model->nccl_files[f];
        const struct plumb_hardware *hw = machine_of(ck, file);

        for (size_t i = 0; hw != NULL && i < file->device_count; i++) {
            const struct plumb_nccl_device *d = &file->devices[i];
            const struct plumb_nccl_cpu *cpu = &file->cpus[d->cpu];
            const struct plumb_hw_gpu *gpu = gpu_at(hw, d);

            if (gpu == NULL || !plumb_numa_known(gpu->numa) || !plumb_usable(cpu->numa) ||
                plumb_numa_id_of(hw, gpu->numa).n == cpu->numa.v)
                continue;
            plumb_diag_note(plumb_report(ck, d->bus_id.at,
                                         "GPU '%s' is below NUMA node %llu here, the capture "
                                         "places it at node %u",
                                         d->bus_id.v, (unsigned long long)cpu->numa.v,
                                         (unsigned)plumb_numa_id_of(hw, gpu->numa).n),
                            gpu->locality_at, "the GPU of the capture");
        }
    }
}

static void report_missing(const struct plumb_check *ck, const struct plumb_nccl_file *file,
                           const struct plumb_hardware *hw)
{
    struct plumb_buf lost = plumb_buf_in(ck->arena);
    const struct plumb_hw_gpu *first = NULL;
    size_t count = 0;

    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (device_at(file, hw->gpus[i].bus_id) != NULL)
            continue;
        first = first == NULL ? &hw->gpus[i] : first;
        add(&lost, hw->gpus[i].bus_id);
        count++;
    }
    if (count > 0)
        plumb_diag_note(plumb_report(ck, file->at,
                                     "the file lacks %zu of the %zu GPUs of the capture: %s", count,
                                     hw->gpu_count, plumb_buf_text(&lost)),
                        first->at, "the first of them");
}

/* NCCL017 */
static void foreign(const struct plumb_check *ck)
{
    for (size_t f = 0; f < ck->model->nccl_file_count; f++) {
        const struct plumb_nccl_file *file = &ck->model->nccl_files[f];
        const struct plumb_hardware *hw = machine_of(ck, file);

        if (hw == NULL || gpus_of(file) == 0)
            continue;
        report_missing(ck, file, hw);
        for (size_t i = 0; shared_gpus(file, hw) > 0 && i < file->device_count; i++) {
            const struct plumb_nccl_device *d = &file->devices[i];

            if (d->gpu && plumb_usable(d->bus_id) && gpu_at(hw, d) == NULL)
                plumb_diag_note(plumb_report(ck, d->bus_id.at,
                                             "GPU '%s' is not in the capture, NCCL drops it",
                                             d->bus_id.v),
                                hw->at, "the capture");
        }
    }
}

/* NCCL018 */
static void no_nic(const struct plumb_check *ck)
{
    for (size_t f = 0; f < ck->model->nccl_file_count; f++) {
        const struct plumb_nccl_file *file = &ck->model->nccl_files[f];
        const struct plumb_hardware *hw = machine_of(ck, file);
        const struct plumb_hw_nic *first = NULL;
        size_t rdma = 0;

        if (hw == NULL || shared_gpus(file, hw) == 0 || file->device_count > gpus_of(file))
            continue;
        for (size_t i = 0; i < hw->nic_count; i++) {
            if (!hw->nics[i].infiniband || hw->nics[i].bus_id == NULL)
                continue;
            first = first == NULL ? &hw->nics[i] : first;
            rdma++;
        }
        if (rdma > 0)
            plumb_diag_note(plumb_report(ck, file->at,
                                         "the file has %zu GPUs and no NIC, the capture has %zu "
                                         "RDMA device%s with a bus id",
                                         gpus_of(file), rdma, rdma == 1 ? "" : "s"),
                            first->at, "the first of them");
    }
}

/* The NIC of the machine that a device of the file is, with a rate; NULL. */
static const struct plumb_hw_nic *nic_at(const struct plumb_hardware *hw,
                                         const struct plumb_nccl_device *d)
{
    for (size_t i = 0; i < hw->nic_count; i++) {
        if (plumb_span_known(hw->nics[i].speed_at) && same_id(d, hw->nics[i].bus_id))
            return &hw->nics[i];
    }
    return NULL;
}

/* NCCL019: plugins write a little less than the link has; half or double is another link. */
static void net_speed(const struct plumb_check *ck)
{
    for (size_t f = 0; f < ck->model->nccl_file_count; f++) {
        const struct plumb_nccl_file *file = &ck->model->nccl_files[f];
        const struct plumb_hardware *hw = machine_of(ck, file);

        for (size_t i = 0; hw != NULL && i < file->device_count; i++) {
            const struct plumb_nccl_device *d = &file->devices[i];
            const struct plumb_hw_nic *nic = d->net_mbits == 0 ? NULL : nic_at(hw, d);

            if (nic == NULL ||
                (d->net_mbits > nic->speed_mbits / 2 && d->net_mbits / 2 < nic->speed_mbits))
                continue;
            plumb_diag_note(
                plumb_report(ck, d->at,
                             "the net of '%s' has speed %llu, expected %llu, the rate of "
                             "'%s' in Mb/s",
                             d->bus_id.v, (unsigned long long)d->net_mbits,
                             (unsigned long long)nic->speed_mbits, nic->name),
                nic->speed_at, "its rate");
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NCCL016",
        .name = "nccl-gpu-place",
        .severity = PLUMB_WARNING,
        .summary = "a GPU is below another NUMA node than on the machine",
        .why = "NCCL believes the file: traffic of the GPU is planned over, and its threads run "
               "on, the wrong socket. Public files had this fault for years.",
        .ref = "NCCL src/graph/xml.cc, ncclTopoFillGpu",
        .bad = "# the captures place GPU 0000:20:00.0 at NUMA node 1\n"
               "# nccl.xml\n"
               "<system version=\"1\">\n"
               "  <cpu numaid=\"0\" affinity=\"0f0f\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
               "    <pci busid=\"0000:20:00.0\" class=\"0x030200\"/>\n"
               "  </cpu>\n"
               "</system>",
        .good = "# the captures place GPU 0000:20:00.0 at NUMA node 1\n"
                "# nccl.xml\n"
                "<system version=\"1\">\n"
                "  <cpu numaid=\"1\" affinity=\"f0f0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                "    <pci busid=\"0000:20:00.0\" class=\"0x030200\"/>\n"
                "  </cpu>\n"
                "</system>",
        .needs = PLUMB_FACT_MODEL,
        .run = gpu_place,
    },
    {
        .code = "NCCL017",
        .name = "nccl-foreign-devices",
        .severity = PLUMB_WARNING,
        .summary = "the file is of a machine with other GPUs",
        .why = "NCCL drops what it does not find and detects what the file lacks: the file then "
               "says nothing about these GPUs. Files of the host do not fit its guests.",
        .ref = "NCCL src/graph/xml.cc, ncclTopoTrimXml",
        .bad = "<system version=\"1\">\n"
               "  <cpu numaid=\"0\" affinity=\"ffff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
               "    <pci busid=\"0000:06:00.0\" class=\"0x030200\"/>\n"
               "  </cpu>\n"
               "</system>\n"
               "# smi-q.xml\n"
               "<nvidia_smi_log><gpu id=\"00000000:1B:00.0\"></gpu></nvidia_smi_log>",
        .good = "<system version=\"1\">\n"
                "  <cpu numaid=\"0\" affinity=\"ffff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                "    <pci busid=\"0000:1b:00.0\" class=\"0x030200\"/>\n"
                "  </cpu>\n"
                "</system>\n"
                "# smi-q.xml\n"
                "<nvidia_smi_log><gpu id=\"00000000:1B:00.0\"></gpu></nvidia_smi_log>",
        .needs = PLUMB_FACT_MODEL,
        .run = foreign,
    },
    {
        .code = "NCCL018",
        .name = "nccl-no-nic",
        .severity = PLUMB_WARNING,
        .summary = "the file places GPUs and no NIC",
        .why = "What the file is for, the path from each GPU to its NIC, is then found out by "
               "NCCL alone; in a virtual machine it cannot.",
        .ref = "NCCL src/graph/xml.cc, ncclTopoFillNet",
        .bad = "# the captures show a GPU at 0000:20:00.0 and a NIC at 0000:29:00.0\n"
               "# nccl.xml\n"
               "<system version=\"1\">\n"
               "  <cpu numaid=\"1\" affinity=\"f0f0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
               "    <pci busid=\"0000:20:00.0\" class=\"0x030200\"/>\n"
               "  </cpu>\n"
               "</system>",
        .good = "# the captures show a GPU at 0000:20:00.0 and a NIC at 0000:29:00.0\n"
                "# nccl.xml\n"
                "<system version=\"1\">\n"
                "  <cpu numaid=\"1\" affinity=\"f0f0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                "    <pci busid=\"0000:20:00.0\" class=\"0x030200\"/>\n"
                "    <pci busid=\"0000:29:00.0\" class=\"0x020700\"/>\n"
                "  </cpu>\n"
                "</system>",
        .needs = PLUMB_FACT_MODEL,
        .run = no_nic,
    },
    {
        .code = "NCCL019",
        .name = "nccl-net-speed",
        .severity = PLUMB_WARNING,
        .summary = "a net has another speed than the port",
        .why = "NCCL takes the speed of the file: it opens too few channels for a faster port, and "
               "prefers a slower one.",
        .ref = "NCCL src/graph/topo.cc, ncclTopoAddNet",
        .bad = "# captures/g/ibstat.txt\n"
               "CA 'mlx5_0'\n"
               "\tCA type: MT4129\n"
               "\tNumber of ports: 1\n"
               "\tPort 1:\n"
               "\t\tState: Active\n"
               "\t\tPhysical state: LinkUp\n"
               "\t\tRate: 400\n"
               "\t\tLink layer: InfiniBand\n"
               "# nccl.xml\n"
               "<system version=\"1\">\n"
               "  <cpu numaid=\"1\" affinity=\"f0f0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
               "    <pci busid=\"0000:29:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\" "
               "speed=\"64000\"/></nic></pci>\n"
               "  </cpu>\n"
               "</system>",
        .good = "# captures/g/ibstat.txt\n"
                "CA 'mlx5_0'\n"
                "\tCA type: MT4129\n"
                "\tNumber of ports: 1\n"
                "\tPort 1:\n"
                "\t\tState: Active\n"
                "\t\tPhysical state: LinkUp\n"
                "\t\tRate: 400\n"
                "\t\tLink layer: InfiniBand\n"
                "# nccl.xml\n"
                "<system version=\"1\">\n"
                "  <cpu numaid=\"1\" affinity=\"f0f0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                "    <pci busid=\"0000:29:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\" "
                "speed=\"400000\"/></nic></pci>\n"
                "  </cpu>\n"
                "</system>",
        .needs = PLUMB_FACT_MODEL,
        .run = net_speed,
    },
};

const struct plumb_rule_family plumb_nccl_machine_rules = {
    .prefix = "NCCL",
    .title = "NCCL topology files",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
