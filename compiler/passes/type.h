/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by lift.c and type_values.c: reading what settings name before names are attached. */
#ifndef PLUMB_PASSES_TYPE_H
#define PLUMB_PASSES_TYPE_H

#include "passes/pass.h"

/*
 * Fills host lists and node texts that are not there yet from the settings of every record:
 * what attach needs. A setting that cannot be read is reported by the host list reader and marked
 * bad, so that it is not read again.
 */
void plumb_type_names(struct plumb_session *s, struct plumb_model *m);

/* Some daemon of the release opens files of this kind. */
bool plumb_file_is_read(const struct plumb_run *r, enum plumb_file f);

/* slurmd opens gres.conf: slurm.conf has GresTypes, or is not known. */
bool plumb_gres_conf_is_read(const struct plumb_run *r);

/* A fault in what a daemon passes over stays one, and stops nobody. does: "skips the line". */
void plumb_mind_nothing(struct plumb_diag *d, enum plumb_daemon daemon, const char *does);

/* The units of a topology.yaml beside the files, in place of those of topology.conf. */
void plumb_lift_topology_yaml(struct plumb_run *r);

/* The rest of the files in YAML: model->nested. */
void plumb_lift_nested(struct plumb_run *r);

/* Sockets, cores and CPUs of a node line as read_config.c:_parse_nodename derives them. */
void plumb_type_cpus(struct plumb_nodes *n, enum plumb_release r);

/* The items of NodeName Gres=. */
void plumb_type_gres(struct plumb_session *s, struct plumb_nodes *n);

/* Everything of a gres.conf line but its hosts. */
void plumb_type_gres_line(struct plumb_session *s, struct plumb_gres_line *line,
                          enum plumb_release r);

/*
 * A host list of a parameter; what the reader reports gets the outcome that the parameter has in
 * the release. NULL when it is bad.
 */
struct plumb_hostlist *plumb_read_hosts(struct plumb_session *s, const struct plumb_slice *text,
                                        enum plumb_param_id param, enum plumb_release r);

/*
 * The hosts of a line of gres.conf as slurmd reads them: of a list that it refuses none, so that
 * the line is for nobody (gres.c:_parse_gres_config_node). whole tells whether all could be read.
 */
struct plumb_hostlist *plumb_read_gres_hosts(struct plumb_session *s,
                                             const struct plumb_slice *text, enum plumb_release r,
                                             bool *whole);

/* What an open bracket in the names or addresses of nodes does up to 23.02: less than later. */
void plumb_open_brackets(struct plumb_session *s, const struct plumb_model *m);

/* Reports what is wrong in the host lists of a document that no other pass reads. */
void plumb_check_hosts(struct plumb_session *s, const struct plumb_conf *doc, enum plumb_release r);

#endif
