/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text matrix of `nvidia-smi topo -m` and of `-p2p`, cell by cell with spans, through PCRE2.
 * Facts: column order, three generations of affinity headings, ANSI underlines, NIC
 * legend, copies with blanks instead of tabs, truncated and wrapped captures.
 */
#ifndef PLUMB_SYNTAX_SMI_TOPO_H
#define PLUMB_SYNTAX_SMI_TOPO_H

#include "base/session.h"

struct plumb_smi_cell {
    struct plumb_slice text; /* "NV18", "PIX", "X" ... */
};

struct plumb_smi_row {
    struct plumb_slice name; /* "GPU0", "NIC3", "mlx5_0" */
    bool is_gpu;
    const char *device; /* the RDMA name from the legend for NICn; else the name; interned */
    struct plumb_smi_cell *cells;                                /* one per device column */
    struct plumb_slice cpu_affinity, numa_affinity, gpu_numa_id; /* .len 0: not there */
    struct plumb_span at;
};

struct plumb_smi_topo {
    const struct plumb_source *src;
    struct plumb_smi_row *rows; /* GPUs first, then NICs */
    size_t row_count, gpu_count;
    size_t column_count; /* device columns; equals row_count in a whole capture */
    bool has_affinity;   /* the heading has a column of CPUs */
    bool peers;          /* `topo -p2p`: cells are "OK", "NS" ..., there is no affinity */
};

/* NULL when no matrix could be read; every fault is a finding at its row. */
struct plumb_smi_topo *plumb_smi_topo_read(struct plumb_session *s, const struct plumb_source *src);

/* True when the text looks like such a matrix at all (for content sniffing). */
bool plumb_smi_topo_sniff(const char *text, size_t len);

/* True when it is a peer matrix, of `nvidia-smi topo -p2p`: statuses in a row, or in the legend. */
bool plumb_smi_peers_sniff(const char *text, size_t len);

extern const struct plumb_rule_family plumb_smi_rules;

#endif
