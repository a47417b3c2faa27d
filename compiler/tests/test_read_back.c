/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proof that manifests lose nothing: a specification is built for a flavour of Kubernetes, the
 * objects are read back, and the two models are the same, field by field (read_back.h). What a
 * flavour cannot say is refused when it is built, and then nothing is read back; what an operator
 * says itself, or says in other words, is a row of a table there.
 */
#include "case_run.h"
#include "read_back.h"

enum { LEAST_COMPARED = 10 };

/* ---- specifications ---- */

struct tally {
    size_t compared, refused, unsound, wrong;
};

static plumb_handle *build(const char *folder, const char *name, const char *text,
                           const char *target)
{
    struct plumb_options options = {.directory = folder,
                                    .outputs = true,
                                    .targets = target,
                                    .reference_dir = PLUMB_SOURCE_DIR "/topologies"};
    plumb_handle *h = plumb_open(&options);

    assert_true(
        plumb_add_text(h, plumb_arena_printf(h->arena, "%s/%s", folder, name), text, strlen(text)));
    (void)plumb_run_all(h, "never");
    return h;
}

static bool has_error(const plumb_handle *h, const char *code)
{
    for (size_t i = 0; i < h->shown_count; i++) {
        if (h->shown[i]->severity == PLUMB_ERROR &&
            (code == NULL || strcmp(h->shown[i]->rule->code, code) == 0))
            return true;
    }
    return false;
}

/* The text with a part replaced wherever it stands. */
static const char *replaced(struct plumb_arena *a, const char *text, const char *from,
                            const char *to)
{
    struct plumb_buf b = plumb_buf_in(a);
    const char *at = NULL;

    while ((at = strstr(text, from)) != NULL) {
        plumb_buf_add(&b, text, (size_t)(at - text));
        plumb_buf_str(&b, to);
        text = at + strlen(from);
    }
    plumb_buf_str(&b, text);
    return plumb_buf_text(&b);
}

/* lost, found: what somebody changes in the objects before they are read; NULL: nothing. */
static plumb_handle *read_back(plumb_handle *built, const struct flavour *f, const char *lost,
                               const char *found)
{
    struct plumb_options options = {.slurm = plumb_release_name(built->session.sink.release),
                                    .kubernetes = f->kubernetes};
    plumb_handle *h = plumb_open(&options);
    struct plumb_file_made file;

    for (size_t i = 0; plumb_made_at(built, i, &file); i++) {
        const char *text = plumb_arena_strndup(h->arena, file.bytes, file.len);

        if (lost != NULL)
            text = replaced(h->arena, text, lost, found);
        if (strncmp(file.path, "kubernetes/", 11) == 0)
            assert_true(plumb_add_text(h, file.path, text, strlen(text)));
    }
    (void)plumb_run_all(h, "never");
    return h;
}

static void tell(const char *what, const char *path, const char *why)
{
    print_error("%s %s: %s\n", what, path, why);
}

static void prove(struct plumb_arena *a, const struct flavour *f, const char *folder,
                  const char *name, const char *text, struct tally *t)
{
    const char *path = plumb_arena_printf(a, "%s/%s", folder, name);
    plumb_handle *h = build(folder, name, text, "slurm"), *again = NULL;
    const char *why = NULL;

    if (has_error(h, NULL)) {
        t->unsound++;
        plumb_close(h);
        return;
    }
    plumb_close(h);
    if (strstr(text, "\nkubernetes:") == NULL)
        text = plumb_arena_printf(a, "%s\n%s", text, f->section);
    h = build(folder, name, text, f->target);
    if (has_error(h, "SPEC029") || has_error(h, "GEN003")) {
        t->refused++;
    } else if (has_error(h, NULL) || plumb_made_count(h) == 0) {
        tell("neither built nor refused:", path, h->shown_count > 0 ? h->shown[0]->message : "?");
        t->wrong++;
    } else {
        again = read_back(h, f, NULL, NULL);
        why = read_back_difference(a, f, h->run.model, again->run.model);
        t->compared++;
        t->wrong += why != NULL;
        if (why != NULL)
            tell("not the same:", path, why);
        plumb_close(again);
    }
    plumb_close(h);
}

/* Every specification below a folder; those for another flavour are its matter. */
static void prove_folder(struct plumb_arena *a, const struct flavour *f, const char *folder,
                         struct tally *t)
{
    struct case_names names = case_list(a, folder);

    for (size_t i = 0; i < names.count; i++) {
        char *path = plumb_arena_printf(a, "%s/%s", folder, names.items[i]);
        const char *text = NULL, *section = NULL, *dot = strrchr(path, '.');

        if (case_is_folder(path)) {
            prove_folder(a, f, path, t);
            continue;
        }
        if (dot == NULL || strcmp(dot, ".yaml") != 0)
            continue;
        text = case_text(a, path);
        if (text == NULL ||
            (strncmp(text, "plumb: 1\n", 9) != 0 && strstr(text, "\nplumb: 1\n") == NULL))
            continue;
        section = strstr(text, "\nkubernetes:");
        if (section == NULL ||
            (strstr(section, f->in) != NULL && (f->out == NULL || strstr(section, f->out) == NULL)))
            prove(a, f, folder, names.items[i], text, t);
    }
}

static void what_is_built_is_read_back(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < read_back_flavour_count; i++) {
        struct tally t = {0};

        prove_folder(fx->arena, &read_back_flavours[i], PLUMB_SOURCE_DIR "/testdata", &t);
        print_message("%s: %zu read back, %zu refused, %zu with errors of their own, %zu wrong\n",
                      read_back_flavours[i].target, t.compared, t.refused, t.unsound, t.wrong);
        assert_true(t.compared >= LEAST_COMPARED);
        assert_int_equal(t.wrong, 0);
    }
}

/* The guide's cluster has a backup, which Slinky lacks: without it the whole must come back. */
static void the_guide_without_its_backup_is_read_back(void **state)
{
    static const char backup[] = "    - {name: cp-02, address: 10.0.0.11}\n";
    struct fixture *fx = *state;
    const char *folder = PLUMB_SOURCE_DIR "/testdata/examples/guide";
    const char *text =
        case_text(fx->arena, plumb_arena_printf(fx->arena, "%s/cluster.yaml", folder));
    struct tally t = {0};

    assert_non_null(strstr(text, backup));
    prove(fx->arena, &read_back_flavours[0], folder, "cluster.yaml",
          replaced(fx->arena, text, backup, ""), &t);
    assert_int_equal(t.compared, 1);
    assert_int_equal(t.wrong, 0);
}

struct loss {
    const char *lost, *found, *field; /* what the first difference names */
};

static const struct loss slinky_losses[] = {
    {" Weight=100", "", "node "},
    {"replicas: 12", "replicas: 11", "node "},
    {"Gres=gpu:h100:8", "Gres=gpu:h100:7", "node "},
    {"memory: 1967232Mi", "memory: 1967231Mi", "node "},
    {"File=/dev/nvidia[0-3]", "File=/dev/nvidia[0-2]", "node "},
    {"H100-80GB-HBM3", "H100-PCIe", "node "},
    {"operator: Exists", "operator: Equal", "node "},
    {"Nodes=h100-inference", "Nodes=h100-training", "node "},
    {"MaxTime=04:00:00", "MaxTime=05:00:00", "partition 3"},
    {"    SchedulerType=sched/backfill\n", "", "SchedulerType of slurm.conf"},
    {"    GresTypes=gpu\n", "    GresTypes=gpu\n    MinJobAge=300\n", "MinJobAge of slurm.conf"},
    {"ConstrainRAMSpace=yes", "ConstrainRAMSpace=no", "ConstrainRAMSpace of cgroup.conf"},
    {"PurgeJobAfter", "PurgeStepAfter", "PurgeJobAfter of slurmdbd.conf"},
    {"enable_stepmgr", "disable_stepmgr", "SlurmctldParameters of slurm.conf"},
    {"storage: 50Gi", "storage: 51Gi", "state_bytes"},
    {"storageClassName: weka-rwx", "storageClassName: other", "storage_class"},
    {"name: mariadb-password", "name: other", "password.name"},
    {"type: LoadBalancer", "type: NodePort", "login_service"},
    {"replicas: 2\n", "replicas: 3\n", "logins"},
    {"slurmctld:26.05-ubuntu26.04", "slurmctld:26.05-rocky", "controller_image"},
};

static const struct loss soperator_losses[] = {
    {" Weight=100", "", "node "},
    {"replicas: 12", "replicas: 11", "node "},
    {"Gres=gpu:h100:8", "Gres=gpu:h100:7", "node "},
    {"memory: 2000000Mi", "memory: 1999999Mi", "node "},
    {"File=/dev/nvidia[0-3]", "File=/dev/nvidia[0-2]", "node "},
    {"Cores=56-111", "Cores=56-110", "node "},
    {"    - ib\n", "    - roce\n", "node "},
    {"H100-80GB-HBM3", "H100-PCIe", "node "},
    {"operator: Exists", "operator: Equal", "node "},
    {"- h100-inference", "- h100-training", "node "},
    {"- AutoDetect=off", "- AutoDetect=nvml", "node "},
    {"MaxTime=04:00:00", "MaxTime=05:00:00", "partition 3"},
    {"DefMemPerCPU=4096", "DefMemPerCPU=4097", "partition 1"},
    {"defCpuPerGPU: 0", "defCpuPerGPU: 2", "DefCPUPerGPU of slurm.conf"},
    {"    PreemptType=preempt/none\n", "    PreemptType=preempt/qos\n",
     "PreemptType of slurm.conf"},
    {"bf_window=10080,", "", "SchedulerParameters of slurm.conf"},
    {"    PriorityType=priority/multifactor\n", "    PriorityType=priority/basic\n",
     "PriorityType of slurm.conf"},
    {"ConstrainRAMSpace=yes", "ConstrainRAMSpace=no", "ConstrainRAMSpace of cgroup.conf"},
    {"purgeJobAfter: 24months", "purgeJobAfter: 25months", "PurgeJobAfter of slurmdbd.conf"},
    {"accountingStorageTRES: Gres/gpu", "accountingStorageTRES: CPU",
     "AccountingStorageTRES of slurm.conf"},
    {"host: mariadb\n", "host: other\n", "StorageHost of slurmdbd.conf"},
    {"storage: 128Gi", "storage: 129Gi", "state_bytes"},
    {"storage: 2048Gi", "storage: 2049Gi", "jail_bytes"},
    {"storageClassName: shared-fs", "storageClassName: other", "jail_class"},
    {"name: mariadb-password", "name: other", "password.name"},
    {"sshdServiceType: LoadBalancer", "sshdServiceType: NodePort", "login_service"},
    {"      size: 2\n", "      size: 3\n", "logins"},
    {"sshdKeysName: tenant-foo-sshd-keys", "sshdKeysName: other", "host_keys"},
    {"ssh-ed25519 AAAA", "ssh-ed25519 BBBB", "root_keys"},
    {"controller_slurmctld:4.1.7-noble", "controller_slurmctld:4.1.8-noble", "controller_image"},
    {"populate_jail:4.1.7", "populate_jail:4.1.8", "jail_image"},
};

static const struct loss sunk_losses[] = {
    {"replicas: 16", "replicas: 15", "node "},
    {"weight: 100", "weight: 101", "node "},
    {"    cpu: 224\n", "    cpu: 223\n", "node "},
    {"memory: 2000000Mi", "memory: 1999999Mi", "node "},
    {"      count: 8\n", "      count: 7\n", "node "},
    {"      model: h100\n", "      model: h200\n", "node "},
    {"  - weka\n", "", "node "},
    {"H100-80GB-HBM3", "H100-PCIe", "node "},
    {"  - key: nvidia.com/gpu\n", "  - key: amd.com/gpu\n", "node "},
    {"Cores=56-111", "Cores=56-110", "node "},
    {"MemSpecLimit=32768", "MemSpecLimit=32769", "node "},
    {"Nodes=gpu-h100-[01-12]", "Nodes=gpu-h100-[01-11]", "node "},
    {"PriorityTier=3", "PriorityTier=4", "partition 3"},
    {"      DefMemPerCPU=8782\n", "", "DefMemPerCPU of slurm.conf"},
    {"AccountingStorageEnforce=associations,limits,safe",
     "AccountingStorageEnforce=associations,limits", "AccountingStorageEnforce of slurm.conf"},
    {"ConstrainDevices=yes", "ConstrainDevices=no", "ConstrainDevices of cgroup.conf"},
    {"PurgeJobAfter=24months", "PurgeJobAfter=25months", "PurgeJobAfter of slurmdbd.conf"},
    {"clusterName: tenant-foo", "clusterName: other", "cluster"},
    {"    replicas: 2\n    image: ghcr.io/coreweave/sunk-slurmctld",
     "    replicas: 1\n    image: ghcr.io/coreweave/sunk-slurmctld", "number of controllers"},
    {"sunk-slurmctld:24.11.5", "sunk-slurmctld:24.11.6", "controller_image"},
    {"sunk-login:24.11.5", "sunk-login:24.11.6", "login_image"},
    {"size: 50Gi", "size: 51Gi", "state_bytes"},
    {"size: 100Gi", "size: 101Gi", "database_bytes"},
    {"sshKeysSecret: tenant-foo-ssh-keys", "sshKeysSecret: other", "ssh_keys.name"},
    {"configMap: tenant-foo-hooks", "configMap: other", "hooks"},
    {"ldapHost: authentik", "ldapHost: other", "identity_host"},
    {"      - training\n", "      - inference\n", "reservations"},
    {"duration: \"2-00:00:00\"", "duration: \"3-00:00:00\"", "reservations"},
    {"    value: tenant-foo\n    effect: NoSchedule\n  reservation",
     "    value: tenant-foo\n    effect: NoExecute\n  reservation", "node "},
    {"fairshare: 50", "fairshare: 51", "accounts"},
    {"GrpTRES: gres/gpu=96", "GrpTRES: gres/gpu=95", "accounts"},
    {"user: alice", "user: bob", "accounts"},
};

static const struct loss chart_losses[] = {
    {"replicas: 12", "replicas: 11", "node "},
    {"gresGpu: h100:8", "gresGpu: h100:7", "node "},
    {"skuCpu: \"224\"", "skuCpu: \"223\"", "node "},
    {"memory: 2000000Mi", "memory: 1999999Mi", "node "},
    {"reservedMemory: 32Gi", "reservedMemory: 31Gi", "node "},
    {"      - weka\n", "", "node "},
    {"H100-80GB-HBM3", "H100-PCIe", "node "},
    {"      - key: nvidia.com/gpu\n", "      - key: amd.com/gpu\n", "node "},
    {"      - gpu-h100-definition\n    gpu-h100-inf", "      - other\n    gpu-h100-inf", "node "},
    {"Nodes=gpu-h100-inference", "Nodes=gpu-h100-training", "node "},
    {"PriorityTier=3", "PriorityTier=4", "partition 3"},
    {"DefMemPerCPU: 8782", "DefMemPerCPU: 8783", "DefMemPerCPU of slurm.conf"},
    {"taskPlugin: task/cgroup,task/affinity", "taskPlugin: task/cgroup",
     "TaskPlugin of slurm.conf"},
    {"procTrackType: proctrack/cgroup", "procTrackType: proctrack/linuxproc",
     "ProctrackType of slurm.conf"},
    {"accountingStorageEnforce: associations,limits,safe", "accountingStorageEnforce: safe",
     "AccountingStorageEnforce of slurm.conf"},
    {"    PriorityType=priority/multifactor\n", "", "PriorityType of slurm.conf"},
    {"ConstrainDevices: \"yes\"", "ConstrainDevices: \"no\"", "ConstrainDevices of cgroup.conf"},
    {"PurgeJobAfter: 24months", "PurgeJobAfter: 25months", "PurgeJobAfter of slurmdbd.conf"},
    {"clusterName: tenant-foo", "clusterName: other", "cluster"},
    {"tag: \"24.11.5\"\n  stateVolume", "tag: \"24.11.6\"\n  stateVolume", "controller_image"},
    {"sunk-slurmd\n", "slurmd\n", "worker_image"},
    {"sunk-login\n", "login\n", "login_image"},
    {"storageClassName: block-nvme\n    size: 50Gi", "storageClassName: other\n    size: 50Gi",
     "storage_class"},
    {"size: 50Gi", "size: 51Gi", "state_bytes"},
    {"size: 100Gi", "size: 101Gi", "database_bytes"},
    {"type: ClusterIP", "type: NodePort", "login_service"},
    {"replicas: 2\n", "replicas: 3\n", "logins"},
    {"rest:\n  replicas: 1", "rest:\n  replicas: 0", "rest"},
    {"existingSecret: munge-key", "existingSecret: other", "munge_key"},
    {"existingSecret: slurm-jwt", "existingSecret: other", "jwt_key"},
    {"operator: Exists\naccounting", "operator: Equal\naccounting", "node "}, /* of all pods */
};

/* The example of the flavour; of Slinky's chart it is that of Slinky, in the other form. */
static const char *example_of(struct fixture *fx, const struct flavour *f, const char **folder)
{
    static const char gitops[] =
        "  gitops: {secrets: external-secrets, store: vault, path: slurm/tenant-foo}\n";
    bool chart = strcmp(f->target, "slinky-values") == 0;
    const char *text = NULL;

    *folder = plumb_arena_printf(fx->arena, "%s/testdata/examples/%s", PLUMB_SOURCE_DIR,
                                 chart ? "slinky" : f->target);
    text = case_text(fx->arena, plumb_arena_printf(fx->arena, "%s/cluster.yaml", *folder));
    if (!chart)
        return text;
    assert_non_null(strstr(text, gitops));
    text = replaced(fx->arena, text, gitops, "");
    return replaced(fx->arena, text, "  flavor: slinky\n", "  flavor: slinky\n  form: values\n");
}

static void find_losses(struct fixture *fx, const struct flavour *f, const struct loss *rows,
                        size_t count)
{
    const char *folder = NULL, *text = example_of(fx, f, &folder);
    plumb_handle *h = build(folder, "cluster.yaml", text, f->target);

    for (size_t i = 0; i < count; i++) {
        plumb_handle *again = read_back(h, f, rows[i].lost, rows[i].found);
        const char *first = read_back_difference(fx->arena, f, h->run.model, again->run.model);

        fx_row(fx, i, rows[i].lost);
        if (first == NULL || strncmp(first, rows[i].field, strlen(rows[i].field)) != 0)
            fail_msg("%s, row %zu, %s: %s", f->target, i, rows[i].lost,
                     first == NULL ? "nothing differs" : first);
        plumb_close(again);
    }
    plumb_close(h);
}

static void what_is_lost_is_found(void **state)
{
    struct fixture *fx = *state;

    find_losses(fx, &read_back_flavours[0], slinky_losses, PLUMB_COUNT(slinky_losses));
    find_losses(fx, &read_back_flavours[1], soperator_losses, PLUMB_COUNT(soperator_losses));
    find_losses(fx, &read_back_flavours[2], sunk_losses, PLUMB_COUNT(sunk_losses));
    find_losses(fx, &read_back_flavours[3], chart_losses, PLUMB_COUNT(chart_losses));
    /* The last row is an image as one text, which the chart takes apart. */
    find_losses(fx, &read_back_flavours[4], slinky_losses, PLUMB_COUNT(slinky_losses) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_built_is_read_back, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_guide_without_its_backup_is_read_back, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_is_lost_is_found, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("kubernetes/read-back", tests, NULL, NULL);
}
