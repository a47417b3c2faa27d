/* SPDX-License-Identifier: Apache-2.0 */
/* What a file is: by its content first, by its name second. */
#ifndef PLUMB_PASSES_SNIFF_H
#define PLUMB_PASSES_SNIFF_H

#include "passes/pass.h"

/*
 * Sets kind and conf_file of an input whose source is loaded. A file that was found in a
 * folder is a Slurm file only under its own name, since others are there to be included; one
 * that the user named is judged by its content too. Leaves PLUMB_KIND_UNKNOWN when nothing fits.
 */
void plumb_sniff(struct plumb_input *in);

/* The same for what a running cluster says: PLUMB_KIND_LIVE or PLUMB_KIND_LIVE_KUBE. */
void plumb_sniff_live(struct plumb_input *in);

/* "slurm.conf", "specification", "hwloc", "topo", "kubernetes": what --as accepts. False: none. */
bool plumb_kind_read(const char *name, struct plumb_input *in);

/* The words that --as accepts, for messages: "slurm.conf, gres.conf, ...". */
const char *plumb_kind_words(struct plumb_arena *a);

#endif
