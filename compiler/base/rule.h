/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a finding may be about. Every code that plumb can report is a row here: rules
 * that read the model have a function, findings of readers and of the table engine have
 * none. Families are collected in rules/families.def.
 */
#ifndef PLUMB_BASE_RULE_H
#define PLUMB_BASE_RULE_H

#include "base/base.h"
#include "base/release.h"

enum plumb_severity {
    PLUMB_INFO,    /* advice from the manual */
    PLUMB_WARNING, /* it runs, but not as the author must have meant */
    PLUMB_ERROR,   /* a daemon refuses it, drops it, or drains a node because of it */
};

/* What a daemon does about the fault, mildest first. */
enum plumb_effect {
    PLUMB_EFFECT_NONE,      /* nothing that a log or a state would show */
    PLUMB_EFFECT_IGNORED,   /* dropped without a word */
    PLUMB_EFFECT_COMPLAINS, /* starts, logs an error or a warning about the configuration */
    PLUMB_EFFECT_DRAINS,    /* starts; the node registers as invalid and is drained */
    PLUMB_EFFECT_STOPS,     /* does not start */
};

/* The daemons meant, as bits. */
enum plumb_daemon {
    PLUMB_SLURMCTLD = 1,
    PLUMB_SLURMD = 2,
    PLUMB_SLURMDBD = 4,
    PLUMB_SLURM_ALL = PLUMB_SLURMCTLD | PLUMB_SLURMD,
};

struct plumb_check; /* rules/check.h */

struct plumb_rule {
    const char *code; /* "GRES003": family and three digits, never reused */
    const char *name; /* "gpu-count": kebab case, never reused */
    enum plumb_severity severity;
    enum plumb_effect effect; /* unless the finding says otherwise */
    unsigned daemons;         /* bits of enum plumb_daemon: who does it */
    unsigned needs;      /* facts (passes/pass.h) that must be there; for rules with a function */
    const char *summary; /* one sentence part: what is wrong */
    const char *why;     /* what happens because of it, and to whom */
    const char *ref;     /* manual section, or source file and function, that proves it */
    bool secret;         /* what it points at is one: no output shows its text */
    const char *bad, *good; /* an example of each for `plumb explain`; may be NULL */
    void (*run)(const struct plumb_check *ck);
    const void *data; /* for functions that several rules share */
};

struct plumb_rule_family {
    const char *prefix; /* "GRES" */
    const char *title;  /* "Generic resources" */
    const struct plumb_rule *rules;
    size_t count;
};

const char *plumb_severity_name(enum plumb_severity s);
const char *plumb_effect_name(enum plumb_effect e); /* as in the JSON output: "stops", ... */
const char *plumb_daemon_name(enum plumb_daemon one);

#endif
