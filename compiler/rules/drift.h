/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the rules of family DRIFT: a value that a client shows against one of the source. */
#ifndef PLUMB_RULES_DRIFT_H
#define PLUMB_RULES_DRIFT_H

#include "model/live.h"
#include "rules/ask.h"

enum plumb_drift_verdict {
    PLUMB_DRIFT_SAME,
    PLUMB_DRIFT_OTHER,
    PLUMB_DRIFT_UNKNOWN, /* nothing follows from what is shown */
};

/*
 * want: the value of the source, NULL where it is not set: then the default of the release counts.
 * got: as a client shows it; cut: to the width of a column.
 */
enum plumb_drift_verdict plumb_drift_compare(const struct plumb_check *ck,
                                             const struct plumb_param *p,
                                             const struct plumb_slice *want,
                                             const struct plumb_slice *got, bool cut);

/* The same for numbers that the model has computed. */
enum plumb_drift_verdict plumb_drift_number(uint64_t want, const struct plumb_slice *got, bool cut);

/* Gres= of a node line, and as slurmctld shows it: what is counted by name and type. */
enum plumb_drift_verdict plumb_drift_gres(const struct plumb_check *ck,
                                          const struct plumb_slice *want,
                                          const struct plumb_slice *got, bool cut);

/* The default of a release where it is a value, else NULL. */
const char *plumb_drift_default(const struct plumb_check *ck, const struct plumb_param *p);

/* "(not set)" for what is nothing, else the text; for messages, cut when it is long. */
const char *plumb_drift_text(const struct plumb_check *ck, const struct plumb_slice *value);

/*
 * Reports one difference of a parameter: who ("slurmctld", "partition 'gpu'") has what, what the
 * source says and where, and what makes the daemons take it over.
 */
struct plumb_diag *plumb_drift_report(const struct plumb_check *ck, const struct plumb_param *p,
                                      const char *who, const struct plumb_setting *want,
                                      const struct plumb_slice *got);

/* What a change of the parameter needs, as a fact. */
void plumb_drift_needs(struct plumb_diag *d, const struct plumb_param *p);

/*
 * slurmctld shows a hidden partition, or one of groups, and nodes that are in such ones alone, to
 * those who may see them (part_mgr.c:part_is_visible): absent then means nothing, unless one of
 * them is shown.
 */
bool plumb_drift_is_hidden(const struct plumb_partition *p);
bool plumb_drift_sees_all(const struct plumb_check *ck);

/* Compares all that is shown with settings of a source. Each difference is a call. */
typedef void (*plumb_drift_tell)(const struct plumb_check *ck, const struct plumb_param *p,
                                 const struct plumb_setting *want, const struct plumb_slice *got,
                                 void *data);
void plumb_drift_settings(const struct plumb_check *ck, const struct plumb_settings *want,
                          const struct plumb_settings *shown, bool cut, plumb_drift_tell tell,
                          void *data);

#endif
