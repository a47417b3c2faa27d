/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a specification to the model: what each key becomes, in which unit, by release.
 * Expected values are those of slurm.conf(5) and of what the daemons were seen to take.
 */
#include "fixture.h"

#include <string.h>

#include "base/buf.h"
#include "passes/pass.h"
#include "spec/spec.h"

static const char sound[] = "plumb: 1\n"
                            "cluster: c\n"
                            "control: {hosts: [cp-01]}\n"
                            "nodes: {n: {hosts: \"n[1-4]\", cpus: 8, memory: 64 GiB}}\n"
                            "partitions: {p: {nodes: all}}\n";

/* The same with GPUs, and with a database. */
static const char gpus[] = "plumb: 1\n"
                           "cluster: c\n"
                           "control: {hosts: [cp-01]}\n"
                           "database: {host: db}\n"
                           "nodes: {n: {hosts: \"n[1-4]\", cpus: 8, memory: 64 GiB,"
                           " gres: {gpu: {type: h100, count: 8}, nvme: 2}}}\n";

static struct plumb_model *resolve(struct fixture *fx, const char *text, enum plumb_release r)
{
    struct plumb_input in = {.path = PLUMB_SOURCE_DIR "/testdata/examples/tiny/cluster.yaml",
                             .shown = "cluster.yaml",
                             .kind = PLUMB_KIND_SPEC,
                             .src = fx_source(fx, "cluster.yaml", text)};
    struct plumb_run run = {.session = &fx->session,
                            .forced_release = r,
                            .inputs = &in,
                            .input_count = 1,
                            .facts = PLUMB_FACT_SOURCES,
                            .reference_dir = PLUMB_SOURCE_DIR "/topologies"};

    plumb_pass_read_spec(&run);
    plumb_pass_resolve(&run);
    if ((run.facts & PLUMB_FACT_CAPTURES) != 0)
        plumb_pass_bind_hardware(&run);
    plumb_pass_attach(&run);
    plumb_pass_derive(&run);
    plumb_pass_type_values(&run);
    return run.model;
}

/* What a parameter is set to, all values of a repeated one joined by blanks; NULL: not set. */
static const char *value_in(struct fixture *fx, const struct plumb_settings *s, const char *name)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);
    bool any = false;

    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->items[i].param->name, name) != 0)
            continue;
        plumb_buf_printf(&b, "%s%s", any ? " " : "",
                         s->items[i].origin == PLUMB_BAD ? "(bad)" : s->items[i].value.text);
        any = true;
    }
    return any ? plumb_buf_text(&b) : NULL;
}

struct row {
    const char *text;
    enum plumb_release release;
    const char *where; /* "slurm.conf", "node", "partition", "gres" */
    const char *name;
    const char *value; /* NULL: must not be set */
};

static const struct plumb_settings *place(const struct plumb_model *m, const char *where)
{
    static const struct plumb_settings none = {0};

    if (strcmp(where, "node") == 0)
        return &m->nodes[0].settings;
    if (strcmp(where, "partition") == 0)
        return &m->partitions[0].settings;
    if (strcmp(where, "gres") == 0)
        return m->gres_line_count > 0 ? &m->gres_lines[m->gres_line_count - 1].settings : &none;
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (strcmp(plumb_file_name((enum plumb_file)f), where) == 0)
            return &m->settings[f];
    }
    return NULL;
}

static void check_rows(struct fixture *fx, const char *before, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        const char *text = plumb_arena_printf(fx->arena, "%s%s", before, r->text);
        const char *got = NULL;

        fx_row(fx, i, r->text);
        got = value_in(fx, place(resolve(fx, text, r->release), r->where), r->name);
        if ((got == NULL) != (r->value == NULL) || (got != NULL && strcmp(got, r->value) != 0))
            fail_msg("row %zu '%s' %s: %s is '%s', expected '%s'", i, r->text,
                     plumb_release_name(r->release), r->name, got != NULL ? got : "(not set)",
                     r->value != NULL ? r->value : "(not set)");
        fx_expect_nothing_else(fx);
    }
}

static void units_become_those_of_the_parameter(void **state)
{
    static const struct row rows[] = {
        {"scheduling: {backfill: {window: 7 days}}\n", PLUMB_24_11, "slurm.conf",
         "SchedulerParameters", "bf_window=10080"},
        {"scheduling: {backfill: {interval: 2 min, resolution: 10 min}}\n", PLUMB_24_11,
         "slurm.conf", "SchedulerParameters", "bf_interval=120,bf_resolution=600"},
        {"scheduling: {backfill: {yield_interval: 2 s, yield_sleep: 500 ms}}\n", PLUMB_24_11,
         "slurm.conf", "SchedulerParameters", "bf_yield_interval=2000000,bf_yield_sleep=500000"},
        {"scheduling: {backfill: {continue: true}}\n", PLUMB_24_11, "slurm.conf",
         "SchedulerParameters", "bf_continue"},
        {"scheduling: {backfill: {continue: false}}\n", PLUMB_24_11, "slurm.conf",
         "SchedulerParameters", NULL},
        {"scheduling: {parameters: [bf_busy_nodes], max_rpc_cnt: 150}\n", PLUMB_24_11, "slurm.conf",
         "SchedulerParameters", "max_rpc_cnt=150,bf_busy_nodes"},
        {"scheduling: {priority: {decay_half_life: 14 days}}\n", PLUMB_24_11, "slurm.conf",
         "PriorityDecayHalfLife", "14-00:00:00"},
        {"scheduling: {priority: {calc_period: 5 min}}\n", PLUMB_24_11, "slurm.conf",
         "PriorityCalcPeriod", "00:05:00"},
        {"scheduling: {preempt: {by: qos, mode: requeue, exempt_time: 90 s}}\n", PLUMB_24_11,
         "slurm.conf", "PreemptExemptTime", "1:30"},
        {"scheduling: {preempt: {by: qos, mode: requeue}}\n", PLUMB_24_11, "slurm.conf",
         "PreemptType", "preempt/qos"},
        {"scheduling: {select: {options: [pack_nodes]}}\n", PLUMB_24_11, "slurm.conf",
         "SelectTypeParameters", "CR_Core_Memory,CR_Pack_Nodes"},
        {"timeouts: {node: 5 min}\n", PLUMB_24_11, "slurm.conf", "SlurmdTimeout", "300"},
        {"timeouts: {epilog_message: 2 ms}\n", PLUMB_24_11, "slurm.conf", "EpilogMsgTime", "2000"},
        {"timeouts: {prolog: 60 s}\n", PLUMB_24_11, "slurm.conf", "PrologEpilogTimeout", "60"},
        {"timeouts: {prolog: 60 s, epilog: 1 min}\n", PLUMB_24_11, "slurm.conf",
         "PrologEpilogTimeout", "60"},
        {"timeouts: {prolog: 60 s, epilog: 30 s}\n", PLUMB_25_05, "slurm.conf", "PrologTimeout",
         "60"},
        {"database: {host: db, purge: {jobs: 2 years}}\n", PLUMB_24_11, "slurmdbd.conf",
         "PurgeJobAfter", "24months"},
        {"database: {host: db, purge: {jobs: 2 weeks}}\n", PLUMB_24_11, "slurmdbd.conf",
         "PurgeJobAfter", "14days"},
        {"database: {host: db, purge: {jobs: 36 h}}\n", PLUMB_24_11, "slurmdbd.conf",
         "PurgeJobAfter", "36hours"},
        {"accounting: {gather_interval: 1 min}\n", PLUMB_24_11, "slurm.conf",
         "JobAcctGatherFrequency", "60"},
    };

    check_rows(*state, sound, rows, PLUMB_COUNT(rows));
}

static void defaults_are_written_where_slurms_own_would_not_do(void **state)
{
    static const struct row rows[] = {
        {"", PLUMB_22_05, "slurm.conf", "SelectType", "select/cons_tres"},
        {"", PLUMB_22_05, "slurm.conf", "PriorityType", "priority/multifactor"},
        {"", PLUMB_22_05, "slurm.conf", "TaskPlugin", "task/cgroup,task/affinity"},
        {"", PLUMB_26_05, "slurm.conf", "ProctrackType", "proctrack/cgroup"},
        {"", PLUMB_26_05, "slurm.conf", "PrologFlags", "Contain"},
        {"", PLUMB_26_05, "slurm.conf", "SlurmUser", "slurm"},
        {"", PLUMB_26_05, "slurm.conf", "StateSaveLocation", "/var/spool/slurmctld"},
        {"", PLUMB_26_05, "slurm.conf", "ReturnToService", "1"},
        {"", PLUMB_26_05, "slurm.conf", "AuthType", "auth/munge"},
        {"", PLUMB_26_05, "slurm.conf", "CredType", "cred/munge"},
        {"", PLUMB_26_05, "cgroup.conf", "ConstrainDevices", "yes"},
        {"", PLUMB_26_05, "slurm.conf", "DefMemPerCPU", "8192"},
        {"scheduling: {def_mem_per_gpu: 16 GiB}\n", PLUMB_26_05, "slurm.conf", "DefMemPerCPU",
         NULL},
        {"scheduling: {select: {resource: core}}\n", PLUMB_26_05, "slurm.conf", "DefMemPerCPU",
         NULL},
        /* Without slurmdbd there is nothing to gather for, and no slurmdbd.conf. */
        {"", PLUMB_26_05, "slurm.conf", "JobAcctGatherType", NULL},
        {"", PLUMB_26_05, "slurm.conf", "AccountingStorageType", NULL},
        {"", PLUMB_26_05, "slurmdbd.conf", "SlurmUser", NULL},
        {"database: {host: db}\n", PLUMB_26_05, "slurm.conf", "JobAcctGatherType",
         "jobacct_gather/cgroup"},
        {"database: {host: db}\n", PLUMB_26_05, "slurmdbd.conf", "SlurmUser", "slurm"},
        {"", PLUMB_26_05, "partition", "Default", "yes"},
        {"", PLUMB_26_05, "partition", "State", "UP"},
    };

    check_rows(*state, sound, rows, PLUMB_COUNT(rows));
}

static void one_fact_goes_where_it_is_needed(void **state)
{
    static const struct row rows[] = {
        {"database: {host: {name: db-01, address: 10.0.0.12}}\n", PLUMB_24_11, "slurmdbd.conf",
         "DbdHost", "db-01"},
        {"database: {host: {name: db-01, address: 10.0.0.12}}\n", PLUMB_24_11, "slurmdbd.conf",
         "DbdAddr", "10.0.0.12"},
        {"database: {host: {name: db-01, address: 10.0.0.12}}\n", PLUMB_24_11, "slurm.conf",
         "AccountingStorageHost", "10.0.0.12"},
        {"database: {host: db-01}\n", PLUMB_24_11, "slurm.conf", "AccountingStorageHost", "db-01"},
        {"database: {host: db-01}\n", PLUMB_24_11, "slurmdbd.conf", "DbdAddr", NULL},
        {"database: {host: db, port: 7000}\n", PLUMB_24_11, "slurm.conf", "AccountingStoragePort",
         "7000"},
        {"database: {host: db, port: 7000}\n", PLUMB_24_11, "slurmdbd.conf", "DbdPort", "7000"},
        {"database: {host: a, backup: {name: b, address: 10.0.0.2}}\n", PLUMB_24_11,
         "slurmdbd.conf", "DbdBackupHost", "b"},
        {"database: {host: a, backup: {name: b, address: 10.0.0.2}}\n", PLUMB_24_11, "slurm.conf",
         "AccountingStorageBackupHost", "10.0.0.2"},
        {"database: {host: db, archive: [jobs, events]}\n", PLUMB_24_11, "slurmdbd.conf",
         "ArchiveEvents", "yes"},
    };

    check_rows(*state, sound, rows, PLUMB_COUNT(rows));
}

static void weights_are_tracked_and_laid_over(void **state)
{
    static const struct row rows[] = {
        {"partitions: {p: {nodes: all}}\n", PLUMB_24_11, "slurm.conf", "AccountingStorageTRES",
         "gres/gpu,gres/nvme"},
        {"partitions: {p: {nodes: all}}\n", PLUMB_24_11, "slurm.conf", "GresTypes", "gpu,nvme"},
        {"partitions: {p: {nodes: all}}\naccounting: {track: [gres/gpu], billing: {nvme: 1}}\n",
         PLUMB_24_11, "slurm.conf", "AccountingStorageTRES", "gres/gpu,gres/nvme"},
        {"partitions: {p: {nodes: all}}\n"
         "accounting: {billing: {cpu: 0.1, memory_gib: 0.005, gpu: 100}}\n",
         PLUMB_24_11, "partition", "TRESBillingWeights", "CPU=0.1,Mem=0.005G,GRES/gpu=100"},
        {"partitions: {p: {nodes: all, billing: {gpu: 50}}}\n"
         "accounting: {billing: {cpu: 0.1, gpu: 100}}\n",
         PLUMB_24_11, "partition", "TRESBillingWeights", "CPU=0.1,GRES/gpu=50"},
        {"partitions: {p: {nodes: all, billing: {\"gpu:h100\": 3}}}\n", PLUMB_24_11, "partition",
         "TRESBillingWeights", "GRES/gpu:h100=3"},
        {"partitions: {p: {nodes: all}}\nscheduling: {priority: {weights: {gpu: 10000, qos: 5}}}\n",
         PLUMB_24_11, "slurm.conf", "PriorityWeightTRES", "GRES/gpu=10000"},
        {"partitions: {p: {nodes: all}}\nscheduling: {priority: {weights: {gpu: 10000, qos: 5}}}\n",
         PLUMB_24_11, "slurm.conf", "PriorityWeightQOS", "5"},
        {"partitions: {p: {nodes: all}}\n", PLUMB_24_11, "node", "Gres", "gpu:h100:8,nvme:2"},
        {"partitions: {p: {nodes: all}}\n", PLUMB_24_11, "gres", "File", "/dev/nvidia7"},
    };

    check_rows(*state, gpus, rows, PLUMB_COUNT(rows));
}

#define HEAD "plumb: 1\ncluster: c\ncontrol: {hosts: [cp-01]}\n"

static void partitions_say_what_the_release_can_read(void **state)
{
    static const struct row rows[] = {
        {"{oversubscribe: {jobs: 4}, nodes: all}\n", PLUMB_24_11, "partition", "OverSubscribe",
         "YES:4"},
        {"{oversubscribe: {jobs: 4, force: true}, nodes: all}\n", PLUMB_24_11, "partition",
         "OverSubscribe", "FORCE:4"},
        {"{oversubscribe: 1, nodes: all}\n", PLUMB_24_11, "partition", "OverSubscribe", "NO"},
        {"{exclusive: node, nodes: all}\n", PLUMB_24_11, "partition", "OverSubscribe", "EXCLUSIVE"},
        {"{exclusive: node, nodes: all}\n", PLUMB_26_05, "partition", "Exclusive", "NODE"},
        {"{exclusive: node, nodes: all}\n", PLUMB_26_05, "partition", "OverSubscribe", NULL},
        {"{exclusive: user, nodes: all}\n", PLUMB_22_05, "partition", "ExclusiveUser", "yes"},
        {"{exclusive: topo, nodes: all}\n", PLUMB_24_05, "partition", "ExclusiveTopo", "yes"},
        {"{max_time: unlimited, nodes: all}\n", PLUMB_24_11, "partition", "MaxTime", "UNLIMITED"},
        {"{max_time: 7-00:00:00, nodes: all}\n", PLUMB_24_11, "partition", "MaxTime", "7-00:00:00"},
        {"{default_time: 4 h, nodes: all}\n", PLUMB_24_11, "partition", "DefaultTime", "04:00:00"},
        {"{over_time_limit: 5 min, nodes: all}\n", PLUMB_24_11, "partition", "OverTimeLimit", "5"},
        {"{def_mem_per_gpu: 64 GiB, nodes: all}\n", PLUMB_24_11, "partition", "DefMemPerGPU",
         "65536"},
        {"{allow_accounts: [a, b], nodes: all}\n", PLUMB_24_11, "partition", "AllowAccounts",
         "a,b"},
        {"{overrides: {MaxNodes: 2}, nodes: all}\n", PLUMB_24_11, "partition", "MaxNodes", "2"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct row row = rows[i];

        row.text = plumb_arena_printf(
            fx->arena,
            "nodes: {n: {hosts: \"n[1-4]\", cpus: 8, memory: 64 GiB}}\npartitions: {p: %s}\n",
            rows[i].text);
        check_rows(fx, HEAD, &row, 1);
    }
}

static void captures_decide_the_node_line(void **state)
{
    static const struct row rows[] = {
        {"{topology: dgx-h100}", PLUMB_24_11, "node", "Sockets", "2"},
        {"{topology: dgx-h100}", PLUMB_24_11, "node", "CoresPerSocket", "56"},
        {"{topology: dgx-h100}", PLUMB_24_11, "node", "ThreadsPerCore", "2"},
        {"{topology: dgx-h100, gres: {gpu: {type: h100}}}", PLUMB_24_11, "node", "Gres",
         "gpu:h100:8"},
        {"{topology: dgx-h100, gres: {gpu: {type: h100}}}", PLUMB_24_11, "gres", "Cores", "56-111"},
        /* Links through an NVSwitch say nothing. */
        {"{topology: dgx-h100, gres: {gpu: {type: h100}}}", PLUMB_24_11, "gres", "Links", NULL},
        {"{topology: dgx-h100, memory: 1 TiB}", PLUMB_24_11, "node", "RealMemory", "1048576"},
        {"{topology: dgx-h100, reserve: {cores: [0, 56]}}", PLUMB_24_11, "node", "CPUSpecList",
         "0-1,112-113"},
        {"{topology: dgx-h100, reserve: {cores: 4}}", PLUMB_24_11, "node", "CoreSpecCount", "4"},
        {"{topology: dgx-h100, reserve: {memory: 32 GiB}}", PLUMB_24_11, "node", "MemSpecLimit",
         "32768"},
        {"{topology: dgx-h100, gres: {gpu: 8}, autodetect: nvml}", PLUMB_24_11, "gres",
         "AutoDetect", "nvml"},
        {"{topology: dgx-h100, gres: {gpu: 8, shard: 32}}", PLUMB_24_11, "gres", "Count", "32"},
        /* Four NUMA nodes a socket: GPU cores are whole only when NUMA nodes are sockets. */
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_22_05, "node", "Sockets", "8"},
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_22_05, "slurm.conf", "SlurmdParameters",
         "numa_node_as_socket"},
        {"{topology: hgx-a100-8}", PLUMB_24_11, "node", "Sockets", "8"},
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_24_11, "node", "Sockets", "8"},
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_24_11, "node", "CoresPerSocket", "16"},
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_24_11, "slurm.conf", "SlurmdParameters",
         "numa_node_as_socket"},
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_24_11, "gres", "Cores", "80-95"},
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_25_11, "node", "Parameters",
         "numa_node_as_socket"},
        {"{topology: hgx-a100-8, gres: {gpu: 8}}", PLUMB_25_11, "slurm.conf", "SlurmdParameters",
         NULL},
        /* Sockets that are written by hand are left alone, and Cores with them. */
        {"{topology: hgx-a100-8, sockets: 2, cores_per_socket: 64, threads_per_core: 2,"
         " gres: {gpu: 8}}",
         PLUMB_24_11, "gres", "Cores", "64-127"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct row row = rows[i];

        row.text = plumb_arena_printf(fx->arena,
                                      "nodes: {n: {hosts: n1, %s}\npartitions: {p: {nodes: all}}\n",
                                      rows[i].text + 1);
        check_rows(fx, HEAD, &row, 1);
    }
}

/* The place of each finding stands between '<' and '>'. */
static void what_cannot_be_resolved_is_found_at_its_place(void **state)
{
    static const struct {
        const char *text;
        enum plumb_release release;
        const char *code;
    } rows[] = {
        {"timeouts: {prolog: 30 s, epilog: 60 s}\n", PLUMB_25_05, NULL},
        {"timeouts: {prolog: <30 s>, epilog: 60 s}\n", PLUMB_24_11, "SPEC023"},
        {"scheduling: {backfill: {window: 7 days}, parameters: [<bf_window=60>]}\n", PLUMB_24_11,
         "SPEC023"},
        {"database: {host: d, storage: {<password_script>: /x}}\n", PLUMB_25_05, "SPEC016"},
        {"database: {host: d, purge: {<job_scripts>: 1 month}}\n", PLUMB_25_11, "SPEC016"},
        {"database: {host: d, archive: [<job_envs>]}\n", PLUMB_25_11, "SPEC016"},
        {"scheduling: {select: {options: [<ll_shared_gres>]}}\n", PLUMB_23_02, "SPEC016"},
        {"scheduling: {priority: {flags: [<max_tres_gres>]}}\n", PLUMB_24_11, "SPEC016"},
        {"database: {host: d, storage: {password: <{secret: a, key: b}>}}\n", PLUMB_24_11,
         "SPEC022"},
        {"accounting: {billing: {<gpus>: 100}}\n", PLUMB_24_11, "SPEC021"},
        {"accounting: {billing: {<memory>: 100}}\n", PLUMB_24_11, "SPEC005"},
        {"scheduling: {priority: {weights: {<faireshare>: 100}}}\n", PLUMB_24_11, "SPEC021"},
        {"overrides: {slurm.conf: {<MinJobAeg>: 300}}\n", PLUMB_24_11, "SPEC020"},
        {"overrides: {slurm.conf: {<ConstrainCores>: yes}}\n", PLUMB_24_11, "SPEC020"},
        {"overrides: {<slurm.cnf>: {MinJobAge: 300}}\n", PLUMB_24_11, "SPEC020"},
        {"overrides: {slurm.conf: {<NodeName>: x}}\n", PLUMB_24_11, "SPEC020"},
        {"overrides: {slurm.conf: {<NamespaceType>: namespace/tmpfs}}\n", PLUMB_24_11, "SPEC020"},
        {"overrides: {slurm.conf: {<SallocDefaultCommand>: x}}\n", PLUMB_24_11, "SPEC020"},
        {"overrides: {slurm.conf: {<MinJobAge>: }}\n", PLUMB_24_11, "SPEC010"},
        {"overrides: {slurm.conf: <none>}\n", PLUMB_24_11, "SPEC003"},
        {"overrides: {slurm.conf: {SelectType: <select/cons_tres>}}\n", PLUMB_24_11, "SPEC018"},
        {"timeouts: {node: 300 s}\noverrides: {slurm.conf: {SlurmdTimeout: <60>}}\n", PLUMB_24_11,
         "SPEC019"},
        {"overrides: {slurmdbd.conf: {StoragePass: <hunter2>}}\n", PLUMB_24_11, "SPEC009"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_buf b = plumb_buf_in(fx->arena);
        uint32_t begin = 0, end = 0;

        plumb_buf_str(&b, sound);
        for (const char *p = rows[i].text; *p != '\0'; p++) {
            if (*p == '<')
                begin = (uint32_t)b.len;
            else if (*p == '>')
                end = (uint32_t)b.len;
            else
                plumb_buf_char(&b, *p);
        }
        fx_row(fx, i, rows[i].text);
        resolve(fx, plumb_buf_text(&b), rows[i].release);
        if (rows[i].code != NULL)
            fx_expect(fx, rows[i].code, begin, end);
        fx_expect_nothing_else(fx);
    }
}

static void the_table_of_the_release_is_asked_too(void **state)
{
    static const struct {
        const char *text, *at;
    } rows[] = {
        {"timeouts: {node: 1000 days}\n", "1000 days"},
        {"scheduling: {backfill: {interval: 30 s, window: 31 days}}\n", "31 days"},
        {"database: {host: db}\nscheduling: {backfill: {interval: 5 h, window: 7 days}}\n", "5 h"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *text = plumb_arena_printf(fx->arena, "%s%s", sound, rows[i].text);
        uint32_t begin = (uint32_t)(strstr(text, rows[i].at) - text);

        fx_row(fx, i, rows[i].text);
        resolve(fx, text, PLUMB_24_11);
        fx_expect(fx, "CONF011", begin, begin + (uint32_t)strlen(rows[i].at));
        fx_expect_nothing_else(fx);
    }
}

static void names_with_a_meaning_are_refused(void **state)
{
    struct fixture *fx = *state;

    resolve(fx,
            HEAD "nodes: {n: {hosts: [n1, default], cpus: 1, memory: 1 GiB}}\n"
                 "partitions: {DEFAULT: {nodes: all}}\n",
            PLUMB_24_11);
    fx_expect_at(fx, "SPEC015", 4, 25);
    fx_expect_at(fx, "SPEC015", 5, 14);
    fx_expect_nothing_else(fx);
}

static void nodes_without_a_description_are_found(void **state)
{
    struct fixture *fx = *state;

    resolve(fx, HEAD "nodes: {n: {hosts: n1}}\npartitions: {p: {nodes: all}}\n", PLUMB_24_11);
    fx_expect_at(fx, "SPEC025", 4, 9);
    fx_expect_nothing_else(fx);
    /* A matrix of links tells neither. */
    fx_row(fx, 1, "matrix alone");
    resolve(fx,
            HEAD "nodes: {n: {hosts: n1, topology: ../guide/captures/h100/topo-m.txt}}\n"
                 "partitions: {p: {nodes: all}}\n",
            PLUMB_24_11);
    fx_expect_at(fx, "SPEC025", 4, 9);
    fx_expect_nothing_else(fx);
    /* What could not be read was said by whoever tried. */
    fx_row(fx, 2, "no such capture");
    resolve(fx,
            HEAD "nodes: {n: {hosts: n1, topology: nowhere}}\n"
                 "partitions: {p: {nodes: all}}\n",
            PLUMB_24_11);
    fx_expect_at(fx, "HW010", 4, 34);
    fx_expect_nothing_else(fx);
}

static void a_run_has_one_specification(void **state)
{
    struct fixture *fx = *state;
    struct plumb_input in[] = {
        {.shown = "a.yaml", .kind = PLUMB_KIND_SPEC, .src = fx_source(fx, "a.yaml", sound)},
        {.shown = "b.yaml", .kind = PLUMB_KIND_SPEC, .src = fx_source(fx, "b.yaml", sound)},
    };
    struct plumb_run run = {.session = &fx->session, .inputs = in, .input_count = 2};
    const char *two = plumb_arena_printf(fx->arena, "%s---\nplumb: 1\n", sound);

    plumb_pass_read_spec(&run);
    fx_expect_at(fx, "SPEC026", 1, 1);
    fx_expect_nothing_else(fx);
    assert_int_equal(fx->session.sink.items[0]->at.file, in[1].src->id);

    fx_row(fx, 1, "two documents");
    resolve(fx, two, PLUMB_24_11);
    fx_expect_at(fx, "SPEC026", 7, 1);
    fx_expect_nothing_else(fx);
}

static void items_of_a_list_parameter_stand_at_their_keys(void **state)
{
    struct fixture *fx = *state;
    const char *text = plumb_arena_printf(
        fx->arena, "%sscheduling: {backfill: {interval: 30 s, window: 7 days}}\n", sound);
    struct plumb_model *m = resolve(fx, text, PLUMB_24_11);
    const struct plumb_setting *set =
        plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_SCHEDULERPARAMETERS);
    struct plumb_slice item = {0};
    const char *at = strstr(text, "7 days");

    assert_true(plumb_setting_has_word(plumb_slurm(m), PLUMB_P_SLURM_SCHEDULERPARAMETERS,
                                       "bf_window=", &item));
    assert_non_null(set);
    assert_int_equal(item.at.begin, at - text);
    assert_int_equal(item.at.end, at - text + 6);
}

static void names_of_classes_stand_for_their_hosts(void **state)
{
    struct fixture *fx = *state;
    struct plumb_model *m =
        resolve(fx,
                HEAD "nodes:\n  a100: {hosts: \"a[1-2]\", cpus: 1, memory: 1 GiB}\n"
                     "  b: {hosts: b1, cpus: 1, memory: 1 GiB}\n"
                     "partitions: {p: {nodes: \"a100, b1\"}, q: {nodes: all}}\n",
                PLUMB_24_11);

    fx_expect_nothing_else(fx);
    assert_string_equal(plumb_hostlist_str(fx->arena, m->partitions[0].nodes), "a[1-2],b1");
    assert_false(m->partitions[0].all_nodes);
    assert_true(m->partitions[1].all_nodes);
    assert_int_equal(m->partitions[1].nodes->count, 3);
}

static void the_count_of_gpus_keeps_its_place(void **state)
{
    struct fixture *fx = *state;
    const char *text = plumb_arena_printf(fx->arena, "%spartitions: {p: {nodes: all}}\n", gpus);
    struct plumb_model *m = resolve(fx, text, PLUMB_24_11);
    const char *at = strstr(text, "8}");

    assert_int_equal(m->nodes[0].gres_count, 2);
    assert_int_equal(m->nodes[0].gres[0].count, 8);
    assert_int_equal(m->nodes[0].gres[0].count_at.begin, at - text);
    assert_int_equal(m->nodes[0].gres[0].count_at.end, at - text + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(units_become_those_of_the_parameter, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(defaults_are_written_where_slurms_own_would_not_do,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(one_fact_goes_where_it_is_needed, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(weights_are_tracked_and_laid_over, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(partitions_say_what_the_release_can_read, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(captures_decide_the_node_line, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_resolved_is_found_at_its_place, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_table_of_the_release_is_asked_too, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(names_with_a_meaning_are_refused, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(nodes_without_a_description_are_found, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_run_has_one_specification, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(items_of_a_list_parameter_stand_at_their_keys, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(names_of_classes_stand_for_their_hosts, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_count_of_gpus_keeps_its_place, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("passes/resolve", tests, NULL, NULL);
}
