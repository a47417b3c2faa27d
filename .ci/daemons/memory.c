/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into slurmd by `derived`: the machine has as much memory as PLUMB_MEMORY_MIB says.
 * slurmd asks the C library for the number of pages (get_mach_stat.c:get_memory).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

typedef long ask(int name);

long sysconf(int name)
{
    ask *real = (ask *)dlsym(RTLD_NEXT, "sysconf");
    const char *mib = getenv("PLUMB_MEMORY_MIB");

    if (real == NULL)
        return -1;
    if (name != _SC_PHYS_PAGES || mib == NULL)
        return real(name);
    return atol(mib) * (1048576 / real(_SC_PAGESIZE));
}
