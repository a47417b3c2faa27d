/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUs as nvidia-smi lists them: the lines of `nvidia-smi -L`, or the XML of `nvidia-smi -q -x`,
 * which adds bus ids and minor numbers. Both are in NVML order.
 */
#ifndef PLUMB_CAPTURE_SMI_GPUS_H
#define PLUMB_CAPTURE_SMI_GPUS_H

#include "base/index.h"
#include "base/session.h"

enum plumb_mig_mode { PLUMB_MIG_UNKNOWN, PLUMB_MIG_OFF, PLUMB_MIG_ON };

struct plumb_smi_mig {
    struct plumb_slice profile; /* "1g.10gb"; len 0: the capture does not tell */
    struct plumb_slice uuid;
    struct plumb_u64 gpu_instance, compute_instance; /* ids; absent: not told */
    struct plumb_u64 memory_mib;                     /* of the instance; absent: not told */
    struct plumb_span at;                            /* the line or element */
};

struct plumb_smi_gpu {
    struct plumb_slice name; /* "NVIDIA H100 80GB HBM3" */
    struct plumb_slice uuid;
    const char *bus_id; /* "0000:1b:00.0"; interned, NULL: not told */
    struct plumb_span bus_at;
    struct plumb_minor minor; /* of /dev/nvidia<minor>; none: not told */
    struct plumb_span minor_at;
    enum plumb_mig_mode mig_mode;
    struct plumb_smi_mig *mig;
    size_t mig_count, mig_cap;
    struct plumb_span at; /* the line or element */
};

struct plumb_smi_gpus {
    const struct plumb_source *src;
    struct plumb_smi_gpu *items; /* position: NVML index */
    size_t count, cap;

    /* The NVLink domain across machines, where the GPUs are in one; .len 0: none, or not told. */
    struct plumb_slice cluster, clique;
};

/* NULL when nothing can be used; every fault is a finding of family HW. */
struct plumb_smi_gpus *plumb_smi_list_read(struct plumb_session *s, const struct plumb_source *src);
struct plumb_smi_gpus *plumb_smi_query_read(struct plumb_session *s,
                                            const struct plumb_source *src);

/* True for such text, by its first lines. */
bool plumb_smi_list_sniff(const char *text, size_t len);
bool plumb_smi_query_sniff(const char *text, size_t len);

#endif
