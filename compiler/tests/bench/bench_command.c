/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command several times and prints the median of its CPU time in milliseconds, the largest
 * memory it had in KiB, and the least time by the clock in milliseconds. Usage: bench_command
 * ROUNDS COMMAND [ARGUMENT...] What the command prints is dropped; an exit status above 1 ends the
 * benchmark.
 */
#define _DEFAULT_SOURCE /* wait4, which gives the resources of one child */

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "bench.h"

enum { MOST_ROUNDS = 100 };

static double milliseconds(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static void run_child(char **command)
{
    int null = open("/dev/null", O_WRONLY);

    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        _exit(127);
    execv(command[0], command);
    _exit(127);
}

static double clock_ms(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        abort();
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* False when the command could not run or failed. */
static bool run_once(char **command, double *cpu, long *rss, double *wall)
{
    struct rusage usage;
    int status = 0;
    double begin = clock_ms();
    pid_t child = fork();

    if (child == 0)
        run_child(command);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) > 1)
        return false;
    begin = clock_ms() - begin;
    *wall = *wall == 0 || begin < *wall ? begin : *wall;
    *cpu = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    *rss = usage.ru_maxrss > *rss ? usage.ru_maxrss : *rss;
    return true;
}

int main(int argc, char **argv)
{
    double cpu[MOST_ROUNDS], wall = 0;
    uint64_t rounds = 0;
    long rss = 0;

    if (argc < 3 || !plumb_read_u64(argv[1], strlen(argv[1]), &rounds) || rounds == 0 ||
        rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: bench_command ROUNDS COMMAND [ARGUMENT...]\n");
        return 2;
    }
    for (uint64_t i = 0; i < rounds; i++) {
        if (!run_once(argv + 2, &cpu[i], &rss, &wall)) {
            fprintf(stderr, "bench_command: %s failed\n", argv[2]);
            return 2;
        }
    }
    printf("%.3f %ld %.3f\n", bench_median(cpu, rounds), rss, wall);
    return 0;
}
