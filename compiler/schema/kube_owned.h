/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an operator writes into the files of Slurm itself: sections owned, owned_slurmdbd, fields,
 * fields_slurmdbd, defaults and lines of schema/kube.
 */
#ifndef PLUMB_SCHEMA_KUBE_OWNED_H
#define PLUMB_SCHEMA_KUBE_OWNED_H

#include <stddef.h>

struct plumb_kube_owned {
    const char *key;
    const char *how;    /* fixed, derived, merged, array */
    const char *value;  /* what the operator writes */
    const char *then;   /* what another line does; "": it counts instead */
    const char *advice; /* error, warning, merge, ok; name: an error for a name that is there;
                           superset: another list says the words of value too */
};

/* A parameter that a field of the operator's kind says. */
struct plumb_kube_slot {
    const char *key;
    const char *path;  /* below spec, "slurmConfig.messageTimeout" */
    const char *takes; /* int16, int32, text, "one of a|b", "list of a|b" */
};

/* What nobody says any more, since the operator stopped to, or because our file replaces its own.
 */
struct plumb_kube_default {
    const char *file, *key; /* "slurm.conf", "ReturnToService" */
    const char *when;       /* always; accounting: there is an Accounting */
    const char *value;
    const char *without_cgroup; /* where CgroupPlugin=disabled; "": nothing */
};

/*
 * A line that the operator writes, for reading a cluster back. when: "always", "accounting",
 * "alone" (without an Accounting), "gpus" (a NodeSet has gpu.enabled), "no file" (no other file of
 * the name is given), a path in the object that is there and not false, "path=word": the field says
 * the word, or has it as its default, or "a and b". In a value {spec/a} is what stands at a path,
 * {spec/a|b} has a default, and {name}, {space}, {cluster} and {accounting} are names. key may have
 * a number behind a blank: a line more of the same key.
 */
struct plumb_kube_line {
    const char *file, *key, *when, *value;
};

struct plumb_kube_writes {
    const struct plumb_kube_owned *owned; /* of slurm.conf */
    size_t owned_count;
    const struct plumb_kube_owned *owned_dbd; /* of slurmdbd.conf */
    size_t owned_dbd_count;
    const struct plumb_kube_default *defaults;
    size_t default_count;
    const struct plumb_kube_line *lines;
    size_t line_count;
    const struct plumb_kube_slot *slots; /* of slurm.conf */
    size_t slot_count;
    const struct plumb_kube_slot *slots_dbd; /* of slurmdbd.conf */
    size_t slot_dbd_count;
};

#endif
