/* SPDX-License-Identifier: Apache-2.0 */
/* What rules about allocation share. */
#ifndef PLUMB_RULES_SELECT_H
#define PLUMB_RULES_SELECT_H

#include "rules/check.h"

/* The modes in SelectTypeParameters that exclude each other, two at most; the setting, or NULL. */
const struct plumb_setting *plumb_select_modes(const struct plumb_check *ck,
                                               struct plumb_slice found[2], size_t *count);

#endif
