/* SPDX-License-Identifier: Apache-2.0 */
/* The text of ibstat: adapters, and what their ports are and run at. */
#ifndef PLUMB_CAPTURE_IBSTAT_H
#define PLUMB_CAPTURE_IBSTAT_H

#include "base/session.h"

/* What is not told has len 0. */
struct plumb_ibstat_port {
    struct plumb_slice number; /* "1" */
    struct plumb_slice state;  /* "Active", "Down" */
    struct plumb_slice rate;   /* as printed, in Gb/s: "400"; "2.5" of a port at rest */
};

struct plumb_ibstat_device {
    struct plumb_slice name; /* "mlx5_0" */
    struct plumb_ibstat_port *ports;
    size_t count, cap;
};

struct plumb_ibstat {
    const struct plumb_source *src;
    struct plumb_ibstat_device *items;
    size_t count, cap;
};

/* NULL when the text holds no adapter, which is a finding. */
struct plumb_ibstat *plumb_ibstat_read(struct plumb_session *s, const struct plumb_source *src);

/* In Mb/s, of the fastest active port, and its place; 0: none is active. */
uint64_t plumb_ibstat_rate(const struct plumb_ibstat_device *d, struct plumb_span *at);

/* True when the first line with text is "CA 'mlx5_0'". */
bool plumb_ibstat_sniff(const char *text, size_t len);

#endif
