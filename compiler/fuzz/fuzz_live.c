/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what a running cluster says: read as every kind, then compared with a small cluster.
 */
#include "fuzz.h"

#include "live/live.h"
#include "plumb/plumb.h"

static const char conf[] = "ClusterName=demo\nSlurmctldHost=head\n"
                           "NodeName=c[1-4] CPUs=32 RealMemory=64000 Gres=gpu:a:2 Feature=x\n"
                           "PartitionName=main Nodes=c[1-4] Default=YES MaxTime=1-0\n";
static const char accounts[] = "sacctmgr -i add qos short MaxWall=60 GrpTRES=cpu=4\n"
                               "sacctmgr -i add account lab\n";

static void read_as(const char *text, size_t size, enum plumb_live_kind kind)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;
    struct plumb_source *src = NULL;

    plumb_session_init(&s, arena, scratch);
    src = plumb_source_add(&s.sources, "live", text, size);
    (void)plumb_live_read(&s, src, kind);
    fuzz_check_findings(&s);
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct plumb_options options = {.drift = true};
    plumb_handle *h = NULL;
    size_t len = 0;

    for (int kind = PLUMB_LIVE_CONFIG; kind <= PLUMB_LIVE_SACCTMGR; kind++)
        read_as(text, size, (enum plumb_live_kind)kind);
    h = plumb_open(&options);
    fuzz_check(h != NULL);
    fuzz_check(plumb_add_text(h, "slurm.conf", conf, sizeof(conf) - 1));
    fuzz_check(plumb_add_text(h, "accounts.sh", accounts, sizeof(accounts) - 1));
    (void)plumb_add_live_text(h, "live.txt", text, size);
    (void)plumb_run_all(h, "warning");
    (void)plumb_render(h, "json", false, 0, &len);
    plumb_close(h);
    return 0;
}
