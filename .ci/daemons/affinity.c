/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into slurmd and slurmstepd by `derived`: the CPUs that a process is bound to are those
 * that it was bound to, whether this machine has them or not. They are kept in a file for each
 * process, /tmp/affinity.<pid>, since slurmstepd binds its tasks from outside in some releases.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *file_of(pid_t pid, const char *how)
{
    char name[64];

    (void)snprintf(name, sizeof(name), "/tmp/affinity.%d", (int)(pid != 0 ? pid : getpid()));
    return fopen(name, how);
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    FILE *f = file_of(pid, "w");

    if (f == NULL)
        return -1;
    (void)fwrite(set, 1, size, f);
    return fclose(f);
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    FILE *f = file_of(pid, "r");

    memset(set, f != NULL ? 0 : 0xff, size);
    if (f == NULL)
        return 0;
    (void)!fread(set, 1, size, f);
    return fclose(f);
}
