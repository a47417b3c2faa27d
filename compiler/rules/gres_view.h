/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which lines of gres.conf a node reads. A node line is split where NodeName= of gres.conf
 * splits it; each part is a view. Rules that hold Gres= against gres.conf walk the views.
 */
#ifndef PLUMB_RULES_GRES_VIEW_H
#define PLUMB_RULES_GRES_VIEW_H

#include "rules/ask.h"
#include "rules/fold.h"

struct plumb_gres_view {
    const struct plumb_nodes *nodes;
    const struct plumb_hostlist *hosts;   /* those of the node line that read the same lines */
    const struct plumb_gres_line **lines; /* in the order of the file */
    size_t count;
};

struct plumb_gres_views {
    struct plumb_gres_view *items;
    size_t count, cap;
};

/* Views of every node line that has a GRES, or for which gres.conf has a line of its own. */
struct plumb_gres_views plumb_gres_views(const struct plumb_check *ck);

/* slurmd opens gres.conf for the GRES of GresTypes alone: gres.c:gres_g_node_config_load. */
bool plumb_gres_read(const struct plumb_check *ck);

/* gres.conf is part of the input and is read, or a specification stands for it. */
bool plumb_gres_known(const struct plumb_check *ck);

/* What AutoDetect does for the nodes of a view; at is its value's place. NULL or "off": nothing. */
const char *plumb_autodetect(const struct plumb_check *ck, const struct plumb_gres_view *v,
                             struct plumb_span *at);
bool plumb_autodetects(const struct plumb_check *ck, const struct plumb_gres_view *v);

/* "gpu" by name, without case, as gres.conf compares. */
bool plumb_gres_is(const struct plumb_gres_line *line, const char *name);

/* mps or shard: shares of GPUs (gres.c:gres_id_shared). */
bool plumb_gres_is_shared(const char *name);

/* GresTypes names it, without case. */
bool plumb_gres_in_types(const struct plumb_check *ck, const char *name);

/* The place of Name=, whichever way the line begins. */
struct plumb_span plumb_gres_name_at(const struct plumb_gres_line *line);

/* The places of the count and the type of an item of Gres=, or of the item. */
struct plumb_span plumb_gres_count_place(const struct plumb_gres_item *item);
struct plumb_span plumb_gres_type_place(const struct plumb_gres_item *item);

/* Device files of a line: 0 when it has none. */
uint64_t plumb_gres_files(const struct plumb_gres_line *line);

/*
 * Device files of lines which the captured machine does not have, folded by file and machine: alike
 * is the file, what the machine. lacks looks at one file, and says no where it is another kind of
 * device; told is where the capture names its first device of the kind, unknown where it names
 * none.
 */
struct plumb_gres_devices {
    bool (*lacks)(const struct plumb_hardware *hw, const char *file);
    struct plumb_span (*told)(const struct plumb_hardware *hw);
};
struct plumb_fold plumb_gres_lacking(const struct plumb_check *ck,
                                     const struct plumb_gres_devices *kind);

/* "1g.10gb", "nvidia_a100_3g.20gb": a slice of a GPU. */
bool plumb_is_mig_type(const char *type);

#endif
