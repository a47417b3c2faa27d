/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading of Slurm's scalar notations, exactly as the daemons read them. No reporting:
 * the table engine and the passes decide what a failure means.
 */
#ifndef PLUMB_SCHEMA_VALUE_H
#define PLUMB_SCHEMA_VALUE_H

#include "base/buf.h"
#include "base/span.h"

/* What unlimited reads as, whatever the width of the parameter. */
#define PLUMB_UNLIMITED UINT64_MAX

enum plumb_value_fault {
    PLUMB_VALUE_OK,
    PLUMB_VALUE_SYNTAX, /* no such number, word, time */
    PLUMB_VALUE_NEGATIVE,
    PLUMB_VALUE_RANGE, /* does not fit the type */
};

/* s_p_handle_uint16/32/64: C numbers (0x, octal), UNLIMITED, INFINITE, K for 32 and 64 bits. */
enum plumb_value_fault plumb_value_uint(const struct plumb_slice *v, unsigned bits, uint64_t *out);

/* s_p_handle_boolean: yes up true 1 / no down false 0. */
enum plumb_value_fault plumb_value_bool(const struct plumb_slice *v, bool *out);

/* s_p_handle_float: strtof over the whole word, or UNLIMITED, INFINITE. Only whether it is one. */
enum plumb_value_fault plumb_value_float(const struct plumb_slice *v);

/* time_str2secs; seconds, or PLUMB_UNLIMITED. */
enum plumb_value_fault plumb_value_seconds(const struct plumb_slice *v, uint64_t *out);

/* The same rounded up to minutes (time_str2mins). */
enum plumb_value_fault plumb_value_minutes(const struct plumb_slice *v, uint64_t *out);

/* What is left of a time that plumb_value_minutes gives PLUMB_VALUE_RANGE for: the daemons add up
 * in an int, which wraps around (parse_time.c:time_str2secs, time_str2mins). -1 means no limit. */
int32_t plumb_value_minutes_kept(const struct plumb_slice *v);

/* Seconds in Slurm's notation, "1-00:00:00"; whole minutes for minute valued keys. */
void plumb_value_write_minutes(struct plumb_buf *out, uint64_t minutes);

/* Gres counts: decimal digits and K, KiB (1024), KB (1000), ... P. */
enum plumb_value_fault plumb_value_count(const struct plumb_slice *v, uint64_t *out);

/* The next item of a list: blanks around it are kept and empty items skipped, as strtok does in the
 * token-exact parsers. */
struct plumb_list_cursor {
    size_t at;
    bool done;
};
bool plumb_list_next(const struct plumb_slice *list, char separator, struct plumb_list_cursor *c,
                     struct plumb_slice *item);

/* True when a comma list holds the word, without case; item (may be NULL) gets it. For "key=value"
 * words give "key=", which is found as the start of an item. */
bool plumb_list_find(const struct plumb_slice *list, const char *word, struct plumb_slice *item);

/* The number behind "key=" in a comma list such as SchedulerParameters. False when the key is not
 * there (item is empty then) or no digits follow it; what stands behind them is passed over, as by
 * atoi, which the daemons use for these. */
bool plumb_list_u64(const struct plumb_slice *list, const char *key, struct plumb_slice *item,
                    uint64_t *out);

#endif
