/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from a machine for Slurm: links as slurmd detects them, and Cores= that
 * the whole-socket rule accepts.
 */
#include <string.h>

#include "base/pci.h"
#include "base/text.h"
#include "model/index_map.h"

enum {
    FIRST_RENDER = 128,     /* the kernel's first minor of a render device */
    MEMORY_STEP_MIB = 1024, /* RealMemory is a whole number of these */
    MEMORY_SPARE_MIB = 256, /* and at least this much below the machine: kernels differ */
};

enum plumb_hw_vendor plumb_hardware_vendor(const struct plumb_hw_gpu *gpu)
{
    if (gpu->pci == NULL && gpu->render == NULL)
        return PLUMB_GPU_NVIDIA;
    if (gpu->pci == NULL)
        return gpu->model != NULL && plumb_starts_with(gpu->model, "intel") ? PLUMB_GPU_INTEL
                                                                            : PLUMB_GPU_AMD;
    return gpu->pci->vendor == PLUMB_PCI_AMD     ? PLUMB_GPU_AMD
           : gpu->pci->vendor == PLUMB_PCI_INTEL ? PLUMB_GPU_INTEL
                                                 : PLUMB_GPU_NVIDIA;
}

const char *plumb_hardware_peer_words(const struct plumb_hw_peers *peers)
{
    static const struct {
        const char *kind, *words;
    } rows[] = {
        {"r", "read"},   {"w", "write"},   {"rw", "read and write"},
        {"n", "NVLink"}, {"a", "atomics"}, {"p", "PCIe access"},
    };

    for (size_t i = 0; peers->kind != NULL && i < PLUMB_COUNT(rows); i++) {
        if (strcmp(rows[i].kind, peers->kind) == 0)
            return rows[i].words;
    }
    return "access (of which kind, the name of the capture does not tell)";
}

const char *plumb_hardware_device(struct plumb_arena *a, const struct plumb_hw_gpu *gpu)
{
    if (plumb_hardware_vendor(gpu) == PLUMB_GPU_NVIDIA)
        return plumb_arena_printf(a, "/dev/nvidia%u", (unsigned)plumb_minor_of_gpu(gpu).n);
    if (gpu->render != NULL)
        return plumb_arena_printf(a, "/dev/dri/%s", gpu->render);
    return plumb_arena_printf(a, "/dev/dri/renderD%u", (unsigned)gpu->index.n + FIRST_RENDER);
}

uint64_t plumb_hardware_real_memory(const struct plumb_hardware *hw)
{
    uint64_t mib = hw->memory_bytes.v >> 20;

    if (!plumb_usable(hw->memory_bytes) || mib <= MEMORY_STEP_MIB + MEMORY_SPARE_MIB)
        return 0;
    return (mib - MEMORY_SPARE_MIB) / MEMORY_STEP_MIB * MEMORY_STEP_MIB;
}

const char *plumb_hardware_socket_word(enum plumb_hw_socket_kind kind)
{
    static const char *const words[PLUMB_SOCKET_KINDS] = {NULL, "numa_node_as_socket",
                                                          "l3cache_as_socket"};

    return words[kind];
}

const struct plumb_hw_cell *plumb_hardware_cell(const struct plumb_hardware *hw, size_t row,
                                                size_t column)
{
    size_t side = hw->gpu_count + hw->nic_count;

    if (hw->matrix == NULL || row >= side || column >= side)
        return NULL;
    return &hw->matrix[row * side + column];
}

const char *plumb_hardware_relation(struct plumb_arena *a, const struct plumb_hw_cell *cell)
{
    static const char *const names[] = {"?", "X", "NV", "XGMI", "PIX", "PXB", "PHB", "NODE", "SYS"};

    if (cell == NULL)
        return "?";
    if (cell->relation == PLUMB_REL_NVLINK)
        return plumb_arena_printf(a, "NV%u", (unsigned)cell->links);
    if (cell->relation == PLUMB_REL_XGMI && cell->links > 1)
        return plumb_arena_printf(a, "XGMI/%u", (unsigned)cell->links);
    return names[cell->relation];
}

uint32_t plumb_hardware_links(const struct plumb_hardware *hw, struct plumb_gpu a,
                              struct plumb_gpu b)
{
    if (a.n >= hw->gpu_count || b.n >= hw->gpu_count)
        return 0;

    const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, a.n, b.n);

    return cell != NULL && cell->relation == PLUMB_REL_NVLINK ? cell->links : 0;
}

bool plumb_hardware_joined(const struct plumb_hardware *hw, struct plumb_gpu a, struct plumb_gpu b)
{
    const struct plumb_hw_cell *cell =
        a.n < hw->gpu_count && b.n < hw->gpu_count ? plumb_hardware_cell(hw, a.n, b.n) : NULL;

    return cell != NULL && (cell->relation == PLUMB_REL_NVLINK ||
                            (cell->relation == PLUMB_REL_XGMI && cell->links == 1));
}

bool plumb_hardware_linked(const struct plumb_hardware *hw)
{
    for (struct plumb_gpu a = {0}; !hw->nvswitch && hw->links_known && a.n < hw->gpu_count; a.n++) {
        for (struct plumb_gpu b = {0}; b.n < hw->gpu_count; b.n++) {
            if (a.n != b.n && plumb_hardware_links(hw, a, b) > 0)
                return true;
        }
    }
    return false;
}

/*
 * gpu_nvml.c counts the NVLinks whose far end has the PCI address of another GPU. Through an
 * NVSwitch the far end is the switch, so nothing is counted.
 */
void plumb_hardware_links_text(const struct plumb_hardware *hw, struct plumb_gpu gpu,
                               struct plumb_buf *out)
{
    for (struct plumb_gpu i = {0}; i.n < hw->gpu_count; i.n++) {
        if (i.n > 0)
            plumb_buf_char(out, ',');
        if (plumb_gpu_same(i, gpu))
            plumb_buf_str(out, "-1");
        else
            plumb_buf_u64(out, hw->nvswitch ? 0 : plumb_hardware_links(hw, gpu, i));
    }
}

/*
 * From 24.11.0 a core set must be made of whole sockets, from 25.11.0 it must be one socket or
 * all cores (gres.c, "doesn't match socket boundaries"). What is given here passes both: more
 * than one socket becomes all of them.
 */
bool plumb_hardware_whole_cores(const struct plumb_hardware *hw, const struct plumb_cores *own,
                                enum plumb_hw_socket_kind kind, struct plumb_arena *a,
                                struct plumb_cores *out)
{
    const struct plumb_hw_sockets *by = &hw->sockets[kind];
    uint32_t first = plumb_cores_first(own).n, last = plumb_cores_last(own).n;

    *out = (struct plumb_cores){0};
    if (plumb_cores_empty(own) || by->sockets == 0 || by->cores_per_socket == 0)
        return false;
    first /= by->cores_per_socket;
    last /= by->cores_per_socket;
    if (last >= by->sockets) /* uneven sockets: slurmd has cut the remainder off */
        last = by->sockets - 1;
    if (first >= by->sockets)
        first = by->sockets - 1;
    if (first != last) {
        first = 0;
        last = by->sockets - 1;
    }
    plumb_cores_add_range(a, out, (struct plumb_core){first * by->cores_per_socket},
                          (struct plumb_core){(last + 1) * by->cores_per_socket - 1});
    return true;
}

bool plumb_hardware_gres_cores(const struct plumb_hardware *hw, struct plumb_gpu gpu,
                               enum plumb_hw_socket_kind kind, struct plumb_arena *a,
                               struct plumb_cores *out)
{
    *out = (struct plumb_cores){0};
    return gpu.n < hw->gpu_count &&
           plumb_hardware_whole_cores(hw, &hw->gpus[gpu.n].cores, kind, a, out);
}

size_t plumb_nvme_name(const char *name)
{
    static const char prefix[] = "nvme";
    static const char *const marks[] = {"n", "p"};
    size_t at = sizeof(prefix) - 1;

    if (!plumb_starts_with(name, prefix))
        return 0;
    for (size_t i = 0; i <= PLUMB_COUNT(marks); i++) {
        size_t digits = strspn(name + at, "0123456789");

        if (digits == 0)
            return 0;
        at += digits;
        if (i == PLUMB_COUNT(marks) || (i > 0 && name[at] == '\0') || name[at] != marks[i][0])
            break;
        at++;
    }
    return name[at] == '\0' && strchr(name + sizeof(prefix) - 1, 'n') != NULL ? at : 0;
}

const struct plumb_hw_nic *plumb_hardware_adapter(const struct plumb_hardware *hw, const char *name)
{
    for (size_t i = 0; i < hw->nic_count; i++) {
        if (hw->nics[i].infiniband && strcmp(hw->nics[i].name, name) == 0)
            return &hw->nics[i];
    }
    return NULL;
}

const char *plumb_hardware_verbs(struct plumb_arena *a, const struct plumb_hw_nic *nic)
{
    if (!plumb_verbs_known(nic->verbs))
        return NULL;
    return plumb_arena_printf(a, "/dev/infiniband/uverbs%u", (unsigned)nic->verbs.n);
}

const struct plumb_hw_disk *plumb_hardware_disk(const struct plumb_hardware *hw, const char *file)
{
    static const char dev[] = "/dev/";
    const char *name = file + sizeof(dev) - 1;

    for (size_t i = 0; plumb_starts_with(file, dev) && i < hw->disk_count; i++) {
        size_t len = strlen(hw->disks[i].name);

        if (strncmp(name, hw->disks[i].name, len) == 0 &&
            (name[len] == '\0' || (name[len] == 'p' && plumb_nvme_name(name) > 0)))
            return &hw->disks[i];
    }
    return NULL;
}
