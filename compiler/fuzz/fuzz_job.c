/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a job script, and as a list of sacctmgr commands or a dump: read, typed, held
 * against a small cluster. The first byte chooses the release.
 */
#include <string.h>

#include "base/release.h"
#include "fuzz.h"
#include "plumb/plumb.h"

static const char cluster[] =
    "ClusterName=c\nSlurmctldHost=h\nAccountingStorageEnforce=associations,limits,qos\n"
    "GresTypes=gpu,shard\nLicenses=sim:2\nSelectTypeParameters=CR_Core_Memory\n"
    "NodeName=n[1-4] Sockets=2 CoresPerSocket=8 RealMemory=64000 Gres=gpu:a:4,shard:8 Feature=x,y\n"
    "PartitionName=p Nodes=n[1-4] Default=YES MaxTime=60 MaxMemPerNode=32000 AllowQos=normal\n"
    "PartitionName=q Nodes=ALL MaxCPUsPerNode=4 QOS=low\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_options o = {.user = "alice"};
    plumb_handle *h = NULL;
    const char *text = (const char *)data + 1;
    size_t len = 0;

    if (size < 2)
        return 0;
    o.slurm = plumb_release_name((enum plumb_release)(data[0] % PLUMB_RELEASE_COUNT));
    h = plumb_open(&o);
    if (h == NULL)
        return 0;
    (void)plumb_add_text(h, "slurm.conf", cluster, sizeof(cluster) - 1);
    (void)plumb_add_text(h, "accounts.sh", text, size - 1);
    (void)plumb_add_job_text(h, "job", text, size - 1);
    (void)plumb_run_all(h, "error");
    (void)plumb_render(h, "human", false, 0, &len);
    for (size_t i = 0; i < plumb_finding_count(h); i++) {
        struct plumb_finding f;

        fuzz_check(plumb_finding_at(h, i, &f));
        fuzz_check(f.message != NULL && f.line <= f.end_line);
    }
    plumb_close(h);
    return 0;
}
