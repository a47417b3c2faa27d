/* SPDX-License-Identifier: Apache-2.0 */
/* What a scalar of a manifest is once it is JSON, which is what the API server gets. */
#ifndef PLUMB_KUBE_VALUE_H
#define PLUMB_KUBE_VALUE_H

#include "syntax/node.h"

enum plumb_kube_json {
    PLUMB_KUBE_IS_NULL,
    PLUMB_KUBE_IS_BOOLEAN,
    PLUMB_KUBE_IS_INTEGER, /* 1.0 and 1e3 are ones, too */
    PLUMB_KUBE_IS_NUMBER,
    PLUMB_KUBE_IS_STRING,
    PLUMB_KUBE_IS_LIST,
    PLUMB_KUBE_IS_MAP,
};

/*
 * kubectl and helm read YAML 1.1 as Go's yaml.v2 does (resolve.go): yes, on and y are booleans, 010
 * is octal, 1_000 a number; text in quotes and blocks stays text.
 */
enum plumb_kube_json plumb_kube_json_of(const struct plumb_node *n);
const char *plumb_kube_json_name(enum plumb_kube_json is); /* "a number", "text" */

/* The value of an integer, cut to the range of int64_t. */
int64_t plumb_kube_integer(const struct plumb_node *n);
bool plumb_kube_true(const struct plumb_node *n); /* a boolean that is true */

/*
 * A quantity (resource/quantity.go) in thousandths, cut to UINT64_MAX; below zero it is 0. False:
 * it is none. bad gets where what is no part of one begins.
 */
bool plumb_kube_quantity(const char *text, size_t len, uint64_t *milli, size_t *bad);

/* "${NAME}" within, or "$NAME" as a whole: a program such as envsubst or Flux fills it in. */
bool plumb_kube_filled_in(const struct plumb_slice *text);

#endif
