/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of family DRIFT; drift_rows.c has their rows. */
#ifndef PLUMB_RULES_DRIFT_ROWS_H
#define PLUMB_RULES_DRIFT_ROWS_H

#include "rules/check.h"

void plumb_drift_release(const struct plumb_check *ck);
void plumb_drift_set(const struct plumb_check *ck);
void plumb_drift_unset(const struct plumb_check *ck);
void plumb_drift_controllers(const struct plumb_check *ck);

void plumb_drift_nodes(const struct plumb_check *ck);
void plumb_drift_node_unknown(const struct plumb_check *ck);
void plumb_drift_node_missing(const struct plumb_check *ck);
void plumb_drift_node_drained(const struct plumb_check *ck);

void plumb_drift_partitions(const struct plumb_check *ck);
void plumb_drift_partition_nodes(const struct plumb_check *ck);
void plumb_drift_partition_unknown(const struct plumb_check *ck);
void plumb_drift_partition_missing(const struct plumb_check *ck);

void plumb_drift_assoc_missing(const struct plumb_check *ck);
void plumb_drift_assoc_unknown(const struct plumb_check *ck);
void plumb_drift_limits(const struct plumb_check *ck);
void plumb_drift_tres(const struct plumb_check *ck);
void plumb_drift_cluster(const struct plumb_check *ck);

#endif
