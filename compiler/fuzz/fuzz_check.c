/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole program behind the public header: two files of any kind are read, checked, compiled
 * and shown. A zero byte divides them; the first byte says what the first one is called.
 */
#include <string.h>

#include "plumb/plumb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {
        "slurm.conf", "gres.conf", "cgroup.conf", "slurmdbd.conf", "topology.conf",
        "hwloc.xml",  "topo.txt",  "node.json",   "cluster.yaml",  "helpers.conf"};
    static const char *const series[] = {"22.05", "23.11", "24.11", "26.05"};
    struct plumb_options o = {.outputs = true, .force = true, .today = "2026-01-01"};
    const uint8_t *zero = size > 1 ? memchr(data + 1, 0, size - 1) : NULL;
    plumb_handle *h = NULL;
    size_t len = 0;

    if (size < 2)
        return 0;
    o.slurm = data[0] % 2 == 0 ? series[data[0] / 2 % 4] : NULL;
    h = plumb_open(&o);
    if (h == NULL)
        return 0;
    len = zero == NULL ? size - 1 : (size_t)(zero - data) - 1;
    (void)plumb_add_text(h, names[data[0] % 10], (const char *)data + 1, len);
    if (zero != NULL)
        (void)plumb_add_text(h, names[data[0] / 10 % 10], (const char *)zero + 1, size - len - 2);
    (void)plumb_run_all(h, "error");
    (void)plumb_render(h, "human", true, 0, &len);
    (void)plumb_render(h, "compact", false, 0, &len);
    (void)plumb_render(h, "json", false, 0, &len);
    plumb_close(h);
    return 0;
}
