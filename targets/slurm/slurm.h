/* SPDX-License-Identifier: Apache-2.0 */
/* Target slurm: the files below /etc/slurm. */
#ifndef PLUMB_TARGETS_SLURM_H
#define PLUMB_TARGETS_SLURM_H

#include "emit/output.h"

extern const struct plumb_target plumb_target_slurm;

/* Some settings that belong together, in the order in which they are printed. */
struct plumb_slurm_group {
    const char *heading; /* NULL: the pairs of one line */
    const enum plumb_param_id *ids;
    size_t count;
};

extern const struct plumb_slurm_group plumb_slurm_conf_groups[];
extern const size_t plumb_slurm_conf_group_count;
extern const struct plumb_slurm_group plumb_slurmdbd_conf_groups[];
extern const size_t plumb_slurmdbd_conf_group_count;
extern const struct plumb_slurm_group plumb_cgroup_conf_groups[];
extern const size_t plumb_cgroup_conf_group_count;
extern const struct plumb_slurm_group plumb_slurm_node_order, plumb_slurm_partition_order;
extern const struct plumb_slurm_group plumb_slurm_gres_order;

/* What is being printed, and what a parameter must not be printed again for. */
struct plumb_slurm_page {
    const struct plumb_emit *em;
    struct plumb_conf *doc;
};

bool plumb_slurm_among(const enum plumb_param_id *ids, size_t count, unsigned id);

/* Set at all; a bad one was reported, and nothing stands in for it. */
bool plumb_slurm_written(const struct plumb_settings *s, enum plumb_param_id id);

/* Settings on lines of their own, by group; those in no group follow by name. */
void plumb_slurm_globals(struct plumb_slurm_page *page, const struct plumb_settings *settings,
                         const struct plumb_slurm_group *groups, size_t group_count);

/*
 * Settings as pairs of one line, in the given order (which may be NULL); the rest follows by
 * name. Record keys and the parameters in skip are left out: the caller has written them.
 */
void plumb_slurm_pairs(struct plumb_slurm_page *page, struct plumb_conf_line *line,
                       const struct plumb_settings *settings, const struct plumb_slurm_group *order,
                       const enum plumb_param_id *skip, size_t skip_count);

/* The same text for documents within others: lines of partitions, and those of gres.conf. */
void plumb_slurm_partitions(struct plumb_slurm_page *page);
bool plumb_slurm_has_gres(const struct plumb_model *m);
void plumb_slurm_gres(struct plumb_slurm_page *page);

void plumb_slurm_gres_conf(const struct plumb_emit *em);
void plumb_slurm_topology(const struct plumb_emit *em);

#endif
