/* SPDX-License-Identifier: Apache-2.0 */
/* What rules about accounting share. */
#ifndef PLUMB_RULES_ACCT_H
#define PLUMB_RULES_ACCT_H

#include "rules/check.h"

/* AccountingStorageType was reported as bad: whether there is a database is not known. */
bool plumb_storage_unknown(const struct plumb_check *ck);

#endif
