/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/driver/nvidia-caps/mig-minors: which /dev/nvidia-caps/nvidia-cap<minor> opens which
 * instance. slurmd reads the same file (gpu_nvml.c:_nvml_get_mig_minor_numbers).
 */
#ifndef PLUMB_CAPTURE_MIG_MINORS_H
#define PLUMB_CAPTURE_MIG_MINORS_H

#include "base/index.h"
#include "base/session.h"

/* "gpu0/gi7/access 66", "gpu0/gi7/ci0/access 67" */
struct plumb_mig_minor {
    struct plumb_minor gpu; /* of its own device */
    struct plumb_gi instance;
    struct plumb_ci part; /* none: the GPU instance itself */
    struct plumb_cap minor;
    struct plumb_span at; /* the line */
};

struct plumb_mig_minors {
    const struct plumb_source *src;
    struct plumb_mig_minor *items; /* in the order of the file */
    size_t count, cap;
};

/* NULL when a line cannot be used; every fault is a finding of family HW. */
struct plumb_mig_minors *plumb_mig_minors_read(struct plumb_session *s,
                                               const struct plumb_source *src);

/* True for such text, by its first lines. */
bool plumb_mig_minors_sniff(const char *text, size_t len);

#endif
