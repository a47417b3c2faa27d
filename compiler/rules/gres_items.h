/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of rules about generic resources; their rows are in gres.c. */
#ifndef PLUMB_RULES_GRES_ITEMS_H
#define PLUMB_RULES_GRES_ITEMS_H

#include "rules/check.h"

void plumb_gres_not_in_types(const struct plumb_check *ck);
void plumb_gres_conf_not_in_types(const struct plumb_check *ck);
void plumb_gres_gpu_count(const struct plumb_check *ck);
void plumb_gres_mixed_items(const struct plumb_check *ck);
void plumb_gres_count_of_files(const struct plumb_check *ck);
void plumb_gres_multiple_files(const struct plumb_check *ck);
void plumb_gres_shared_types(const struct plumb_check *ck);
void plumb_gres_shared_without_gpu(const struct plumb_check *ck);
void plumb_gres_types_twice(const struct plumb_check *ck);
void plumb_gres_autodetect_beside_name(const struct plumb_check *ck);
void plumb_gres_nameless(const struct plumb_check *ck);
void plumb_gres_unknown_nodes(const struct plumb_check *ck);
void plumb_gres_allocatable(const struct plumb_check *ck);
void plumb_gres_env_flags(const struct plumb_check *ck);
void plumb_gres_shared_files(const struct plumb_check *ck);
void plumb_gres_relative_files(const struct plumb_check *ck);
void plumb_gres_undeclared(const struct plumb_check *ck);
void plumb_gres_two_autodetects(const struct plumb_check *ck);

#endif
