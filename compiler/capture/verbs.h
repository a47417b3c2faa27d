/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /sys/class/infiniband_verbs/uverbs<n>/ibdev: which /dev/infiniband/uverbs<n> opens which RDMA
 * device. The kernel numbers them in the order of their drivers' probing, which no other capture
 * shows (drivers/infiniband/core/uverbs_main.c:ib_uverbs_add_one).
 */
#ifndef PLUMB_CAPTURE_VERBS_H
#define PLUMB_CAPTURE_VERBS_H

#include "base/index.h"
#include "base/session.h"

/* "/sys/class/infiniband_verbs/uverbs0/ibdev:mlx5_0" */
struct plumb_verbs_row {
    struct plumb_verbs number;
    struct plumb_slice device; /* "mlx5_0" */
    struct plumb_span at;      /* the line */
};

struct plumb_verbs_table {
    const struct plumb_source *src;
    struct plumb_verbs_row *items; /* in the order of the file */
    size_t count, cap;
};

/* NULL when a line cannot be used; every fault is a finding of family HW. */
struct plumb_verbs_table *plumb_verbs_read(struct plumb_session *s, const struct plumb_source *src);

/* True for such text, by its first line. */
bool plumb_verbs_sniff(const char *text, size_t len);

#endif
