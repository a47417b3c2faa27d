/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the benchmarks: two ways of doing a thing, timed in turns, and their ratio. */
#ifndef PLUMB_TESTS_BENCH_H
#define PLUMB_TESTS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BENCH_ROUNDS = 31 };

/* CPU time of this process in seconds. */
static inline double bench_now(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        abort();
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline int bench_compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static inline double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), bench_compare);
    return values[count / 2];
}

/*
 * Runs both in turns, so that a slow spell of the machine hits both, and gives the median of
 * the ratios ours/theirs. Prints both medians in milliseconds on stderr.
 */
static inline double bench_ratio(const char *name, void (*ours)(void *), void (*theirs)(void *),
                                 void *data)
{
    double a[BENCH_ROUNDS], b[BENCH_ROUNDS], ratio[BENCH_ROUNDS];

    ours(data); /* once to warm up, not counted */
    theirs(data);
    for (int i = 0; i < BENCH_ROUNDS; i++) {
        double t0 = bench_now();

        theirs(data);

        double t1 = bench_now();

        ours(data);
        a[i] = bench_now() - t1;
        b[i] = t1 - t0;
        ratio[i] = a[i] / b[i];
    }
    fprintf(stderr, "%s: %.2f ms, alone %.2f ms\n", name, bench_median(a, BENCH_ROUNDS) * 1e3,
            bench_median(b, BENCH_ROUNDS) * 1e3);
    return bench_median(ratio, BENCH_ROUNDS);
}

#endif
