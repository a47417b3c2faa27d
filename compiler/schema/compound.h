/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notations that are made of parts: GRES, links, core lists, weights, TRES, ports. One reader
 * each, which splits as the daemons split and says which part they cannot read, or read as
 * something that nobody meant. No reporting.
 */
#ifndef PLUMB_SCHEMA_COMPOUND_H
#define PLUMB_SCHEMA_COMPOUND_H

#include "schema/value.h"

/* The next item of a list, the empty ones too: "1,,2" and "1," have them. Begin with {0, false}. */
bool plumb_list_next_any(const struct plumb_slice *list, char separator,
                         struct plumb_list_cursor *c, struct plumb_slice *item);

/* Core lists: src/common/bitstring.c, bit_unfmt. */
enum plumb_core_fault {
    PLUMB_CORE_OK,
    PLUMB_CORE_TEXT,     /* something else than n, lo-hi or lo-hi:step */
    PLUMB_CORE_REVERSED, /* lo above hi */
    PLUMB_CORE_STEP,     /* a step of 0 */
};

struct plumb_core_range {
    uint64_t lo, hi, step;
    size_t fault; /* byte of the item where reading ended, when it is no range */
};

/* One item of a comma list: "3", "0-7", "0-14:2". Any number of 64 bits. */
enum plumb_core_fault plumb_value_core_range(const struct plumb_slice *item,
                                             struct plumb_core_range *out);

/* What bit_unfmt makes of any item without ':': it leaves out what is no digit. */
void plumb_value_core_lax(const struct plumb_slice *item, uint64_t *lo, uint64_t *hi);

/* One number of Links=: strtol to the end, -2 to 1023 (gres.c:gres_links_validate). */
bool plumb_value_link(const struct plumb_slice *item, int32_t *out);

/* Gres= of a node line: gres.c:_get_gres_cnt. */
enum plumb_gres_fault {
    PLUMB_GRES_OK,
    PLUMB_GRES_NO_NAME,   /* ":4" */
    PLUMB_GRES_COUNT,     /* "gpu:4x": the daemon gives up the string here */
    PLUMB_GRES_BIG,       /* "gpu:99999999999999999999": counts as the most that strtoll has */
    PLUMB_GRES_NO_NUMBER, /* "gpu:h100:eight": the last field becomes a type too, count 1 */
    PLUMB_GRES_NEGATIVE,  /* "gpu:-4": a type "-4", count 1 */
    PLUMB_GRES_EMPTY,     /* "gpu:", "gpu::4": nothing between colons */
    PLUMB_GRES_COLONS,    /* "gpu:a:b:4": two types, each of them four times */
};

/* As many types are told apart in one item; what follows them is read as if it were not there. */
enum { PLUMB_GRES_TYPES = 8 };

struct plumb_gres_text {
    struct plumb_slice name, count; /* count: no text when it is not written */
    struct plumb_slice types[PLUMB_GRES_TYPES];
    size_t type_count;
    struct plumb_slice fault; /* the part that is wrong */
    uint64_t number;          /* 1 when no count is written */
};

/* The next item: a comma outside of parentheses ends it, as in "gpu:2(S:0,1),nic". */
bool plumb_gres_next(const struct plumb_slice *list, struct plumb_list_cursor *c,
                     struct plumb_slice *item);
enum plumb_gres_fault plumb_value_gres(const struct plumb_slice *item, struct plumb_gres_text *out);

/* TRES weights: slurm_protocol_api.c, _tres_weight_item. */
enum plumb_weight_fault {
    PLUMB_WEIGHT_OK,
    PLUMB_WEIGHT_NO_VALUE,  /* "CPU", "CPU=" */
    PLUMB_WEIGHT_UNIT,      /* "CPU=1x", "CPU=x" */
    PLUMB_WEIGHT_NO_NUMBER, /* "CPU=K": counts as 0 */
    PLUMB_WEIGHT_TAIL,      /* "CPU=1K5": what follows the unit is never looked at */
};

struct plumb_weight {
    struct plumb_slice name, fault;
};

enum plumb_weight_fault plumb_value_weight(const struct plumb_slice *item,
                                           struct plumb_weight *out);

/* Items of AccountingStorageTRES: slurmdb_defs.c and controller.c:_init_tres. */
enum plumb_tres_fault {
    PLUMB_TRES_OK,
    PLUMB_TRES_UNKNOWN, /* no such kind */
    PLUMB_TRES_NO_NAME, /* gres/, license/ and their like without a name */
};

enum plumb_tres_fault plumb_value_tres(const struct plumb_slice *item);

#endif
