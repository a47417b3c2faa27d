/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about one fact that is told in two places, or in one place for machines that differ:
 * directories, files, ports, names.
 */
#include "rules/agree.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* The part of a host name before the first dot. */
static struct plumb_slice short_name(const struct plumb_slice *v)
{
    const char *dot = memchr(v->text, '.', v->len);

    return dot == NULL ? *v : plumb_slice_sub(v, 0, (size_t)(dot - v->text));
}

bool plumb_same_host(const struct plumb_slice *a, const struct plumb_slice *b)
{
    struct plumb_slice x = short_name(a), y = short_name(b);

    if (a->len == b->len && plumb_equal_nocase(a->text, b->text, a->len))
        return true;
    if (x.len == 0 || plumb_is_digit(x.text[0]))
        return false; /* addresses have no short form */
    return x.len == y.len && plumb_equal_nocase(x.text, y.text, x.len);
}

bool plumb_is_loopback(const struct plumb_slice *v)
{
    return plumb_slice_is(v, "localhost") || plumb_slice_is(v, "127.0.0.1") ||
           plumb_slice_is(v, "::1") || plumb_slice_is(v, "localhost.localdomain");
}

static bool same_path(const struct plumb_slice *a, const struct plumb_slice *b)
{
    uint32_t x = a->len, y = b->len;

    while (x > 1 && a->text[x - 1] == '/')
        x--;
    while (y > 1 && b->text[y - 1] == '/')
        y--;
    return x == y && memcmp(a->text, b->text, x) == 0;
}

/* AGREE007 and AGREE008: two programs write to one place. */
struct place {
    enum plumb_param_id one, other;
};
static const struct place state_and_spool = {P(STATESAVELOCATION), P(SLURMDSPOOLDIR)};
static const struct place pid_files = {P(SLURMCTLDPIDFILE), P(SLURMDPIDFILE)};

static void one_place(const struct plumb_check *ck)
{
    const struct place *p = ck->rule->data;
    const struct plumb_setting *a = plumb_global(ck, p->one), *b = plumb_global(ck, p->other);

    if (a == NULL || b == NULL || !same_path(&a->value, &b->value))
        return;

    struct plumb_diag *d =
        plumb_report(ck, b->value.at,
                     "%s is '%s', which is %s too, expected "
                     "another path",
                     plumb_param(p->other)->name, b->value.text, plumb_param(p->one)->name);

    plumb_diag_note(d, a->value.at, "used here");
    plumb_outcome(ck, d, NULL);
}

/* "6817" or "6817-6820" (_validate_and_set_defaults). */
static bool controller_ports(const struct plumb_check *ck, struct plumb_span *at, uint64_t *lo,
                             uint64_t *hi)
{
    const struct plumb_setting *s = plumb_global(ck, P(SLURMCTLDPORT));
    const char *dash;
    size_t first;

    *lo = *hi = 6817;
    if (s == NULL)
        return !plumb_setting_bad(plumb_slurm(ck->model), P(SLURMCTLDPORT));
    *at = s->value.at;
    dash = memchr(s->value.text, '-', s->value.len);
    first = dash == NULL ? s->value.len : (size_t)(dash - s->value.text);
    if (!plumb_read_u64(s->value.text, first, lo))
        return false;
    *hi = *lo;
    return dash == NULL || (plumb_read_u64(dash + 1, s->value.len - first - 1, hi) && *hi > *lo);
}

/* slurmdbd runs on the machine of the primary controller, and in its ports. */
static bool database_in_ports(const struct plumb_check *ck, uint64_t lo, uint64_t hi)
{
    const struct plumb_setting *host = plumb_global(ck, P(ACCOUNTINGSTORAGEHOST));
    struct plumb_u64 port = plumb_global_u64(ck, P(ACCOUNTINGSTORAGEPORT));
    uint64_t dbd = plumb_written(port) && port.v != 0 ? port.v : 6819;
    const struct plumb_model *m = ck->model;

    return host != NULL && m->controller_count > 0 && plumb_has_slurmdbd(ck) &&
           m->controllers[0].name.v != NULL &&
           plumb_slice_is(&host->value, m->controllers[0].name.v) && dbd >= lo && dbd <= hi;
}

/* AGREE009: a machine that runs two daemons needs two ports. */
static void ports(const struct plumb_check *ck)
{
    struct plumb_u64 node = plumb_global_u64(ck, P(SLURMDPORT));
    struct plumb_span at = {0, 0, 0};
    uint64_t lo = 0, hi = 0;

    if (!plumb_usable(node) || !controller_ports(ck, &at, &lo, &hi) || node.v < lo || node.v > hi)
        return;
    if ((!plumb_span_known(at) && !plumb_written(node)) || database_in_ports(ck, lo, hi))
        return;

    struct plumb_diag *d =
        plumb_report(ck, plumb_span_known(at) ? at : node.at,
                     "SlurmctldPort %s port %" PRIu64 ", which is SlurmdPort, expected another",
                     lo == hi ? "is" : "holds", node.v);

    if (plumb_span_known(at) && plumb_written(node))
        plumb_diag_note(d, node.at, "the port of slurmd");
}

/* AGREE010: the second of two daemons cannot listen. */
static void database_in_range(const struct plumb_check *ck)
{
    const struct plumb_setting *host = plumb_global(ck, P(ACCOUNTINGSTORAGEHOST));
    struct plumb_span at = {0, 0, 0};
    uint64_t lo = 0, hi = 0;

    if (!controller_ports(ck, &at, &lo, &hi) || !plumb_span_known(at) ||
        !database_in_ports(ck, lo, hi))
        return;

    struct plumb_diag *d = plumb_report(
        ck, at, "SlurmctldPort %s the port of slurmdbd on the same machine, expected another",
        lo == hi ? "is" : "holds");

    plumb_diag_note(d, host->value.at, "slurmdbd runs beside slurmctld");
    plumb_outcome(ck, d, NULL);
}

/* AGREE015: the state of two controllers is one directory. */
static void state_not_shared(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *s = plumb_global(ck, P(STATESAVELOCATION));

    if (m->controller_count < 2 || m->state_dir_shared.origin != PLUMB_GIVEN ||
        m->state_dir_shared.v)
        return;

    struct plumb_diag *d = plumb_report(
        ck, m->state_dir_shared.at,
        "%zu controllers need one state directory on shared storage, but it is not shared",
        m->controller_count);

    if (s != NULL)
        plumb_diag_note(d, s->value.at, "the state directory");
}

/* AGREE016: with hand-written files nothing can be known but local places. */
static void state_looks_local(const struct plumb_check *ck)
{
    static const char *const local[] = {"/tmp/", "/var/tmp/", "/dev/shm/", "/run/", "/var/run/"};
    const struct plumb_setting *s = plumb_global(ck, P(STATESAVELOCATION));

    if (ck->model->controller_count < 2 || s == NULL || plumb_usable(ck->model->state_dir_shared))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(local); i++) {
        if (!plumb_starts_with(s->value.text, local[i]))
            continue;
        plumb_report(ck, s->value.at,
                     "StateSaveLocation '%s' is local to a machine, but there are %zu controllers, "
                     "expected shared storage",
                     s->value.text, ck->model->controller_count);
        return;
    }
}

/* AGREE017: an empty name is none. */
static void cluster_name(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *s = plumb_global(ck, P(CLUSTERNAME));

    if (!m->present[PLUMB_SLURM_CONF] || (s != NULL && s->value.len > 0) ||
        plumb_setting_bad(plumb_slurm(m), P(CLUSTERNAME)) ||
        (s == NULL && m->unread[PLUMB_SLURM_CONF]))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s != NULL ? s->key_at : m->file_at[PLUMB_SLURM_CONF],
                               s != NULL ? "ClusterName is empty, expected a name"
                                         : "ClusterName is not set"),
                  NULL);
}

static const struct plumb_combo ipv4[] = {
    {.when = {{P(COMMUNICATIONPARAMETERS), PLUMB_TEST_HOLDS, "DisableIPv4"},
              {P(COMMUNICATIONPARAMETERS), PLUMB_TEST_LACKS, "EnableIPv6"}},
     .message = "'DisableIPv4' leaves no protocol, expected 'EnableIPv6' beside it"},
};
static const struct plumb_combos no_protocol = {.items = ipv4, .count = PLUMB_COUNT(ipv4)};

static const struct plumb_rule rows[] = {
    {
        .code = "AGREE007",
        .name = "state-is-spool",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "SlurmdSpoolDir is StateSaveLocation",
        .why = "Where a machine runs both daemons, slurmd clears files of the queue. No daemon "
               "looks.",
        .ref = "slurm.conf(5), StateSaveLocation, SlurmdSpoolDir",
        .bad = "StateSaveLocation=/var/spool/slurm\nSlurmdSpoolDir=/var/spool/slurm",
        .good = "StateSaveLocation=/var/spool/slurmctld\nSlurmdSpoolDir=/var/spool/slurmd",
        .needs = PLUMB_FACT_MODEL,
        .run = one_place,
        .data = &state_and_spool,
    },
    {
        .code = "AGREE008",
        .name = "pid-files",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "SlurmctldPidFile is SlurmdPidFile",
        .why = "Where a machine runs both daemons, one file names the wrong process.",
        .ref = "slurm.conf(5), SlurmctldPidFile; controller.c:_init_pidfile",
        .bad = "SlurmctldPidFile=/run/slurm.pid\n"
               "SlurmdPidFile=/run/slurm.pid",
        .good = "SlurmctldPidFile=/run/slurmctld.pid\n"
                "SlurmdPidFile=/run/slurmd.pid",
        .needs = PLUMB_FACT_MODEL,
        .run = one_place,
        .data = &pid_files,
    },
    {
        .code = "AGREE009",
        .name = "daemon-ports",
        PLUMB_OUTCOME(ERROR, NONE, SLURM_ALL),
        .summary = "SlurmdPort lies in SlurmctldPort",
        .why = "Where a machine runs both daemons the second cannot listen.",
        .ref = "slurm.conf(5), SlurmctldPort",
        .bad = "SlurmctldPort=6817-6820",
        .good = "SlurmctldPort=6800-6803",
        .needs = PLUMB_FACT_MODEL,
        .run = ports,
    },
    {
        .code = "AGREE010",
        .name = "dbd-port-in-range",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "SlurmctldPort holds the port of slurmdbd on the same machine",
        .why = "The second daemon cannot listen.",
        .ref = "slurm.conf(5), SlurmctldPort; controller.c",
        .bad = "SlurmctldHost=cp-01\n"
               "SlurmctldPort=6815-6820\n"
               "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AccountingStorageHost=cp-01   # slurmdbd listens at 6819",
        .good = "SlurmctldHost=cp-01\n"
                "SlurmctldPort=6810-6815\n"
                "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageHost=cp-01",
        .needs = PLUMB_FACT_MODEL,
        .run = database_in_range,
    },
    {
        .code = "AGREE015",
        .name = "state-dir-not-shared",
        PLUMB_OUTCOME(ERROR, NONE, SLURMCTLD),
        .summary = "several controllers, a state directory that is not shared",
        .why = "A backup that takes over knows no job, and kills those that run.",
        .ref = "slurm.conf(5), StateSaveLocation, SlurmctldHost",
        .bad = "control:\n"
               "  hosts: [cp-01, cp-02]\n"
               "  state_dir: {path: /var/spool/slurmctld, shared: false}",
        .good = "control:\n"
                "  hosts: [cp-01, cp-02]\n"
                "  state_dir: {path: /shared/slurmctld, shared: true}",
        .needs = PLUMB_FACT_MODEL,
        .run = state_not_shared,
    },
    {
        .code = "AGREE016",
        .name = "state-dir-local",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "several controllers, a state directory that can only be local",
        .why = "A backup that takes over knows no job, and kills those that run.",
        .ref = "slurm.conf(5), StateSaveLocation, SlurmctldHost",
        .bad = "SlurmctldHost=cp-01\n"
               "SlurmctldHost=cp-02\n"
               "StateSaveLocation=/run/slurm",
        .good = "SlurmctldHost=cp-01\n"
                "SlurmctldHost=cp-02\n"
                "StateSaveLocation=/shared/slurmctld",
        .needs = PLUMB_FACT_MODEL,
        .run = state_looks_local,
    },
    {
        .code = "AGREE017",
        .name = "cluster-name-missing",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "slurm.conf without ClusterName",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), ClusterName; read_config.c:_validate_and_set_defaults",
        .bad = "# slurm.conf\n"
               "SlurmctldHost=cp-01\n"
               "NodeName=c[1-4] CPUs=32\n"
               "PartitionName=p Nodes=ALL Default=YES",
        .good = "# slurm.conf\n"
                "ClusterName=demo\n"
                "SlurmctldHost=cp-01\n"
                "NodeName=c[1-4] CPUs=32\n"
                "PartitionName=p Nodes=ALL Default=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = cluster_name,
    },
    {
        .code = "AGREE019",
        .name = "no-protocol",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "CommunicationParameters DisableIPv4 without EnableIPv6",
        .why = "No protocol is left to talk over.",
        .ref = "slurm.conf(5), CommunicationParameters; read_config.c",
        .bad = "CommunicationParameters=DisableIPv4",
        .good = "CommunicationParameters=DisableIPv4,EnableIPv6",
        PLUMB_COMBO(no_protocol),
    },
};

const struct plumb_rule_family plumb_agree_rules = {
    .prefix = "AGREE",
    .title = "One fact told differently in two places",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
