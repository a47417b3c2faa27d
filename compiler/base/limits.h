/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every limit on input, in one place. A limit that is passed is a finding at the
 * place where it was passed, never a crash and never silent truncation.
 */
#ifndef PLUMB_BASE_LIMITS_H
#define PLUMB_BASE_LIMITS_H

enum {
    PLUMB_MAX_FILE_BYTES = 256 * 1024 * 1024, /* one source file */
    PLUMB_MAX_DEPTH = 128,                    /* nesting of YAML, JSON, XML */
    PLUMB_MAX_NODES = 8 * 1024 * 1024,        /* tree nodes of one document */
    PLUMB_JSON_IN_PIECES = 1024 * 1024,       /* from here on Jansson sees JSON item by item */
    PLUMB_MAX_ALIAS_NODES = 100000,           /* nodes made by expanding YAML aliases */
    PLUMB_MAX_INCLUDES = 256,                 /* Include directives followed in one set */
    PLUMB_MAX_INCLUDE_DEPTH = 32,             /* Include nesting; Slurm has no limit and loops */
    PLUMB_MAX_FINDINGS = 10000,               /* kept per run; the rest is counted */
    PLUMB_MAX_GPUS = 1024,                    /* per captured machine; Slurm's own limit */
    PLUMB_MAX_PUS = 65536,                    /* hardware threads per captured machine */
    PLUMB_MAX_LIVE_VALUES = 4 * 1024 * 1024,  /* values, and names, that one listing is made of */
};

/* Host lists, src/common/hostlist.c: values of one lo-hi range, and ranges of one bracket. */
#define PLUMB_MAX_HOST_RANGE  65536
#define PLUMB_MAX_HOST_RANGES 262144
/* Names that a list may stand for once every leading bracket group is expanded. */
#define PLUMB_MAX_HOST_COUNT 4194304

#endif
