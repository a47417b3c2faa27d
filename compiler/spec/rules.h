/* SPDX-License-Identifier: Apache-2.0 */
/* The findings about specifications, by name. */
#ifndef PLUMB_SPEC_RULES_H
#define PLUMB_SPEC_RULES_H

#include "base/rule.h"

enum plumb_spec_fault {
    PLUMB_SPEC_UNKNOWN_KEY,      /* SPEC001 */
    PLUMB_SPEC_MISSING_KEY,      /* SPEC002 */
    PLUMB_SPEC_WRONG_KIND,       /* SPEC003 */
    PLUMB_SPEC_NOT_A_NUMBER,     /* SPEC004 */
    PLUMB_SPEC_UNIT_REQUIRED,    /* SPEC005 */
    PLUMB_SPEC_UNKNOWN_UNIT,     /* SPEC006 */
    PLUMB_SPEC_OUT_OF_RANGE,     /* SPEC007 */
    PLUMB_SPEC_UNKNOWN_WORD,     /* SPEC008 */
    PLUMB_SPEC_SECRET_VALUE,     /* SPEC009 */
    PLUMB_SPEC_EMPTY,            /* SPEC010 */
    PLUMB_SPEC_DUPLICATE,        /* SPEC011 */
    PLUMB_SPEC_VERSION,          /* SPEC012 */
    PLUMB_SPEC_RELEASE,          /* SPEC013 */
    PLUMB_SPEC_NOT_A_BOOLEAN,    /* SPEC014 */
    PLUMB_SPEC_BAD_NAME,         /* SPEC015 */
    PLUMB_SPEC_NOT_IN_RELEASE,   /* SPEC016 */
    PLUMB_SPEC_NOT_COMPILED,     /* SPEC017 */
    PLUMB_SPEC_OVERRIDE_EQUAL,   /* SPEC018 */
    PLUMB_SPEC_OVERRIDE_TAKES,   /* SPEC019 */
    PLUMB_SPEC_OVERRIDE_UNKNOWN, /* SPEC020 */
    PLUMB_SPEC_UNKNOWN_RESOURCE, /* SPEC021 */
    PLUMB_SPEC_SECRET_APART,     /* SPEC022 */
    PLUMB_SPEC_EXCLUSIVE_KEYS,   /* SPEC023 */
    PLUMB_SPEC_NOT_WHOLE,        /* SPEC024 */
    PLUMB_SPEC_NO_HARDWARE,      /* SPEC025 */
    PLUMB_SPEC_SECOND,           /* SPEC026 */
    PLUMB_SPEC_UNEVEN,           /* SPEC027 */
    PLUMB_SPEC_NO_MIG_FILES,     /* SPEC028 */
    PLUMB_SPEC_NOT_IN_FLAVOUR,   /* SPEC029 */
    PLUMB_SPEC_PER_GPU,          /* SPEC030 */
    PLUMB_SPEC_RESERVED,         /* SPEC035 */
    PLUMB_SPEC_FOR_NOBODY,       /* SPEC036 */
    PLUMB_SPEC_IMAGE,            /* SPEC037 */
    PLUMB_SPEC_NO_ADAPTER,       /* SPEC041 */
    PLUMB_SPEC_NO_VERBS,         /* SPEC042 */
    PLUMB_SPEC_RAILS,            /* SPEC043 */
    PLUMB_SPEC_RAILS_UNTOLD,     /* SPEC044 */
    PLUMB_SPEC_FAULT_COUNT,
};

const struct plumb_rule *plumb_spec_rule(enum plumb_spec_fault f);

#endif
