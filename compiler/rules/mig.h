/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the rules about MIG: mig.c, mig_geometry.c, mig_detect.c. */
#ifndef PLUMB_RULES_MIG_H
#define PLUMB_RULES_MIG_H

#include "rules/gres_view.h"

/* "3g.40gb" of the item of Gres= for GPUs; NULL: it counts none, or could not be read. */
const char *plumb_mig_item(const struct plumb_gres_item *item);

/* A profile that the machine's product does not have, and that no capture shows: MIG003. */
bool plumb_mig_foreign(const struct plumb_check *ck, const struct plumb_hardware *hw,
                       const char *text);

/* The captures tell of every GPU whether it is cut, and into what: AutoDetect is foretold. */
bool plumb_mig_told(const struct plumb_hardware *hw);

#endif
