/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about one fact that is told in two places, or in one place for machines that differ. */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name
#define D(name) PLUMB_P_DBD_##name

static bool both_files(const struct plumb_check *ck)
{
    return ck->model->present[PLUMB_SLURM_CONF] && ck->model->present[PLUMB_SLURMDBD_CONF] &&
           plumb_has_slurmdbd(ck);
}

/* AGREE001: slurmctld talks to the port that slurmdbd listens on. */
static void database_port(const struct plumb_check *ck)
{
    struct plumb_u64 theirs = plumb_global_u64(ck, D(DBDPORT));
    struct plumb_u64 ours = plumb_global_u64(ck, P(ACCOUNTINGSTORAGEPORT));
    uint64_t want = plumb_written(ours) && ours.v != 0 ? ours.v : 6819; /* SLURMDBD_PORT */

    if (!both_files(ck) || !plumb_usable(theirs) || ours.origin == PLUMB_BAD || theirs.v == want)
        return;
    if (!plumb_written(theirs) && !plumb_written(ours))
        return;

    struct plumb_diag *d = plumb_report(ck, plumb_written(ours) ? ours.at : theirs.at,
                                        "slurmctld expects slurmdbd on port %" PRIu64
                                        ", slurmdbd listens on %" PRIu64 ", expected the same",
                                        want, theirs.v);

    if (plumb_written(ours) && plumb_written(theirs))
        plumb_diag_note(d, theirs.at, "the port of slurmdbd");
    plumb_outcome(ck, d, NULL);
}

/* The part of a host name before the first dot. */
static struct plumb_slice short_name(const struct plumb_slice *v)
{
    const char *dot = memchr(v->text, '.', v->len);

    return dot == NULL ? *v : plumb_slice_sub(v, 0, (size_t)(dot - v->text));
}

static bool same_host(const struct plumb_slice *a, const struct plumb_slice *b)
{
    struct plumb_slice x = short_name(a), y = short_name(b);

    if (a->len == b->len && plumb_equal_nocase(a->text, b->text, a->len))
        return true;
    if (x.len == 0 || plumb_is_digit(x.text[0]))
        return false; /* addresses have no short form */
    return x.len == y.len && plumb_equal_nocase(x.text, y.text, x.len);
}

static bool is_loopback(const struct plumb_slice *v)
{
    return plumb_slice_is(v, "localhost") || plumb_slice_is(v, "127.0.0.1") ||
           plumb_slice_is(v, "::1") || plumb_slice_is(v, "localhost.localdomain");
}

/* AGREE002: the host that slurmctld asks is one of those where slurmdbd runs. */
static void database_host(const struct plumb_check *ck)
{
    static const enum plumb_param_id theirs[] = {D(DBDHOST), D(DBDADDR), D(DBDBACKUPHOST)};
    const struct plumb_setting *ours = plumb_global(ck, P(ACCOUNTINGSTORAGEHOST));
    const struct plumb_setting *host = plumb_global(ck, D(DBDHOST));

    if (!both_files(ck) || ours == NULL || host == NULL || is_loopback(&host->value) ||
        is_loopback(&ours->value))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(theirs); i++) {
        const struct plumb_setting *s = plumb_global(ck, theirs[i]);

        if (plumb_setting_bad(plumb_dbd(ck->model), theirs[i]) ||
            (s != NULL && same_host(&s->value, &ours->value)))
            return;
    }
    /* A name may resolve to an address that is not written: only names can contradict names. */
    if (ours->value.len == 0 ||
        plumb_is_digit(ours->value.text[0]) != plumb_is_digit(host->value.text[0]))
        return;

    struct plumb_diag *d = plumb_report(
        ck, ours->value.at, "slurmctld looks for slurmdbd on '%s', slurmdbd.conf says '%s'",
        ours->value.text, host->value.text);

    plumb_diag_note(d, host->value.at, "where slurmdbd runs");
}

/* AGREE003 .. AGREE006: settings that both files have and that must be the same. */
struct pair {
    enum plumb_param_id slurm, dbd;
    const char *def; /* in both files when not written; NULL: compare written values only */
    const char *what;
};

static void same_setting(const struct plumb_check *ck)
{
    const struct pair *p = ck->rule->data;
    const struct plumb_setting *a = plumb_global(ck, p->slurm), *b = plumb_global(ck, p->dbd);
    struct plumb_slice def = {.text = p->def, .len = p->def ? (uint32_t)strlen(p->def) : 0};

    if (!both_files(ck) || plumb_setting_bad(plumb_slurm(ck->model), p->slurm) ||
        plumb_setting_bad(plumb_dbd(ck->model), p->dbd) || (a == NULL && b == NULL) ||
        (p->def == NULL && (a == NULL || b == NULL)))
        return;

    const struct plumb_slice *x = a != NULL ? &a->value : &def, *y = b != NULL ? &b->value : &def;

    if (x->len == y->len && plumb_equal_nocase(x->text, y->text, x->len))
        return;

    struct plumb_diag *d = plumb_report(ck, a != NULL ? a->value.at : b->value.at,
                                        "%s is '%s' in slurm.conf and '%s' in slurmdbd.conf, "
                                        "expected the same%s",
                                        plumb_param(p->slurm)->name, x->text, y->text, p->what);

    if (a != NULL && b != NULL)
        plumb_diag_note(d, b->value.at, "the other file");
    plumb_outcome(ck, d, NULL);
}

static const struct pair auth_type = {P(AUTHTYPE), D(AUTHTYPE), "auth/munge",
                                      ", or slurmdbd refuses every connection"};
static const struct pair hash_plugin = {P(HASHPLUGIN), D(HASHPLUGIN), "hash/k12",
                                        ", or every message is rejected"};
static const struct pair slurm_user = {P(SLURMUSER), D(SLURMUSER), "root",
                                       ", as slurmdbd trusts that user alone"};

/* AGREE006: booleans may be spelled differently. */
static void wckeys(const struct plumb_check *ck)
{
    struct plumb_bool a =
        plumb_setting_bool(plumb_slurm(ck->model), P(TRACKWCKEY), ck->model->release);
    struct plumb_bool b =
        plumb_setting_bool(plumb_dbd(ck->model), D(TRACKWCKEY), ck->model->release);
    const struct plumb_setting *e = plumb_global(ck, P(ACCOUNTINGSTORAGEENFORCE));
    bool implied = e != NULL && (plumb_list_find(&e->value, "wckeys", NULL) ||
                                 plumb_list_find(&e->value, "all", NULL));

    if (!both_files(ck) || a.origin == PLUMB_BAD || b.origin == PLUMB_BAD ||
        (a.v || implied) == b.v || (a.origin != PLUMB_GIVEN && b.origin != PLUMB_GIVEN && !implied))
        return;
    plumb_report(ck,
                 a.origin == PLUMB_GIVEN   ? a.at
                 : b.origin == PLUMB_GIVEN ? b.at
                                           : e->value.at,
                 "TrackWCKey is %s for slurmctld and %s for slurmdbd, expected the same",
                 a.v || implied ? "on" : "off", b.v ? "on" : "off");
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

/* AGREE011: read_config.c:_load_slurmctld_host */
static void controller_twice(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 1; i < m->controller_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!plumb_usable(m->controllers[i].name) || m->controllers[i].name.v == NULL ||
                m->controllers[i].name.v != m->controllers[j].name.v)
                continue;

            struct plumb_diag *d = plumb_report(ck, m->controllers[i].name.at,
                                                "'%s' is a controller twice, expected another host",
                                                m->controllers[i].name.v);

            plumb_diag_note(d, m->controllers[j].name.at, "named here first");
            plumb_outcome(ck, d, NULL);
            break;
        }
    }
}

/* AGREE020: what is asked for the backup reaches the first controller. */
static void one_address(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < m->controller_count; i++) {
        const struct plumb_host *host = &m->controllers[i], *first = NULL;

        if (host->name.v == NULL || host->address.v == NULL || host->address.v[0] == '\0' ||
            !plumb_usable(host->address))
            continue;
        first = plumb_map_get(&seen, host->address.v);
        if (first == NULL) {
            plumb_map_set(&seen, host->address.v, (void *)(uintptr_t)host);
            continue;
        }
        if (strcmp(first->name.v, host->name.v) == 0)
            continue; /* AGREE011 */
        plumb_diag_note(
            plumb_report(ck, host->address.at,
                         "controllers '%s' and '%s' have the address '%s', expected one of its own "
                         "for each",
                         first->name.v, host->name.v, host->address.v),
            first->address.at, "the first of them");
    }
}

/* AGREE021 */
static void login_computes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_hostlist *both = NULL;

    if (m->login_hosts == NULL || m->all_nodes == NULL)
        return;
    both = plumb_hostlist_intersect(ck->arena, m->login_hosts, m->all_nodes);
    if (both->count == 0)
        return;

    struct plumb_diag *d = plumb_report(
        ck, m->login_hosts->at,
        "login host '%s' is a compute node too, where work of users outside jobs takes "
        "what jobs are promised",
        plumb_fold_hosts(ck, both));

    plumb_fold_object(ck, d, both);
}

static const enum plumb_param_id old_keys[] = {P(CONTROLMACHINE), P(CONTROLADDR),
                                               P(BACKUPCONTROLLER), P(BACKUPADDR)};

/* AGREE012 */
static void old_controller_keys(const struct plumb_check *ck)
{
    const struct plumb_setting *host = plumb_global(ck, P(SLURMCTLDHOST));

    if (host == NULL)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(old_keys); i++) {
        const struct plumb_setting *s = plumb_global(ck, old_keys[i]);
        bool backup = old_keys[i] == P(BACKUPCONTROLLER);

        if (s == NULL)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, plumb_span_known(s->key_at) ? s->key_at : s->value.at,
            backup && ck->model->controller_count < 2
                ? "%s is ignored beside SlurmctldHost, so there is no backup controller"
                : "%s is ignored beside SlurmctldHost",
            plumb_param(old_keys[i])->name);

        plumb_diag_note(d, host->value.at, "SlurmctldHost");
        if (backup && ck->model->controller_count < 2)
            plumb_diag_help(d, "SlurmctldHost=%s, as a second line", s->value.text);
        plumb_outcome_is(ck, d,
                         backup && ck->model->controller_count < 2 ? PLUMB_ERROR : PLUMB_WARNING,
                         PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL);
    }
}

/* One machine is the whole cluster: its names may be the loopback. */
static bool several_hosts(const struct plumb_model *m)
{
    return m->all_nodes != NULL && m->all_nodes->count > 1;
}

/* AGREE013 */
static void loopback_controller(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->controller_count && several_hosts(m); i++) {
        const struct plumb_text *name = &m->controllers[i].name;
        struct plumb_slice v = {.text = name->v, .len = name->v ? (uint32_t)strlen(name->v) : 0};

        if (name->v == NULL || !plumb_origin_usable(name->origin) || !is_loopback(&v))
            continue;
        plumb_report(ck, name->at,
                     "controller '%s' is another machine on each host, so %" PRIu64
                     " nodes look for it on themselves, expected a host name",
                     name->v, m->all_nodes->count);
    }
}

/* AGREE014 */
static void loopback_database(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGEHOST));

    if (s == NULL || !is_loopback(&s->value) || !several_hosts(ck->model) ||
        !plumb_has_slurmdbd(ck))
        return;
    plumb_report(ck, s->value.at,
                 "AccountingStorageHost '%s' is another machine on each host, so sacct on nodes "
                 "and login hosts finds no slurmdbd, expected a host name",
                 s->value.text);
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

static const struct plumb_combo no_cluster[] = {
    {.when = {{P(CLUSTERNAME), PLUMB_TEST_UNSET, NULL}}, .message = "ClusterName is not set"},
};
static const struct plumb_combos cluster_name = {.items = no_cluster,
                                                 .count = PLUMB_COUNT(no_cluster)};
static const struct plumb_combo no_host[] = {
    {.when = {{P(SLURMCTLDHOST), PLUMB_TEST_UNSET, NULL},
              {P(CONTROLMACHINE), PLUMB_TEST_UNSET, NULL}},
     .message = "no controller is named, expected SlurmctldHost"},
};
static const struct plumb_combos controller_missing = {.items = no_host,
                                                       .count = PLUMB_COUNT(no_host)};
static const struct plumb_combo ipv4[] = {
    {.when = {{P(COMMUNICATIONPARAMETERS), PLUMB_TEST_HOLDS, "DisableIPv4"},
              {P(COMMUNICATIONPARAMETERS), PLUMB_TEST_LACKS, "EnableIPv6"}},
     .message = "'DisableIPv4' leaves no protocol, expected 'EnableIPv6' beside it"},
};
static const struct plumb_combos no_protocol = {.items = ipv4, .count = PLUMB_COUNT(ipv4)};

static const struct plumb_rule rows[] = {
    {
        .code = "AGREE001",
        .name = "dbd-port",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AccountingStoragePort is not DbdPort",
        .why = "slurmctld never reaches slurmdbd, and does not start at all while it has no state "
               "of its "
               "own; no daemon compares the files.",
        .ref = "slurmdbd.conf(5), DbdPort",
        .needs = PLUMB_FACT_MODEL,
        .run = database_port,
    },
    {
        .code = "AGREE002",
        .name = "dbd-host",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "AccountingStorageHost is not where slurmdbd runs",
        .why = "slurmctld never reaches slurmdbd, unless both names are one machine.",
        .ref = "slurm.conf(5), AccountingStorageHost",
        .needs = PLUMB_FACT_MODEL,
        .run = database_host,
    },
    {
        .code = "AGREE003",
        .name = "auth-type-differs",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AuthType differs between slurm.conf and slurmdbd.conf",
        .why = "slurmdbd refuses every connection of slurmctld.",
        .ref = "slurmdbd.conf(5), AuthType",
        .needs = PLUMB_FACT_MODEL,
        .run = same_setting,
        .data = &auth_type,
    },
    {
        .code = "AGREE004",
        .name = "hash-plugin-differs",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "HashPlugin differs between slurm.conf and slurmdbd.conf",
        .why = "Messages between the daemons are rejected.",
        .ref = "slurmdbd.conf(5), HashPlugin",
        .needs = PLUMB_FACT_MODEL,
        .run = same_setting,
        .data = &hash_plugin,
    },
    {
        .code = "AGREE005",
        .name = "slurm-user-differs",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "SlurmUser differs between slurm.conf and slurmdbd.conf",
        .why = "slurmctld has no administrator's rights in slurmdbd.",
        .ref = "slurmdbd.conf(5), SlurmUser",
        .needs = PLUMB_FACT_MODEL,
        .run = same_setting,
        .data = &slurm_user,
    },
    {
        .code = "AGREE006",
        .name = "track-wckey-differs",
        PLUMB_OUTCOME(WARNING, NONE, SLURMDBD),
        .summary = "TrackWCKey differs between slurm.conf and slurmdbd.conf",
        .why = "Usage by workload key is not rolled up.",
        .ref = "slurmdbd.conf(5), TrackWCKey",
        .needs = PLUMB_FACT_MODEL,
        .run = wckeys,
    },
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
        .needs = PLUMB_FACT_MODEL,
        .run = database_in_range,
    },
    {
        .code = "AGREE011",
        .name = "controller-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "one host is a controller twice",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        .bad = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-01(10.0.0.11)",
        .good = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-02(10.0.0.11)",
        .needs = PLUMB_FACT_MODEL,
        .run = controller_twice,
    },
    {
        .code = "AGREE012",
        .name = "old-controller-keys",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "ControlMachine and its kin beside SlurmctldHost",
        .why = "The old keys are ignored: a backup that only they name does not exist.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        .bad = "SlurmctldHost=cp-01\nBackupController=cp-02",
        .good = "SlurmctldHost=cp-01\nSlurmctldHost=cp-02",
        .needs = PLUMB_FACT_MODEL,
        .run = old_controller_keys,
    },
    {
        .code = "AGREE013",
        .name = "controller-loopback",
        PLUMB_OUTCOME(ERROR, NONE, SLURM_ALL),
        .summary = "the controller of several nodes is the loopback",
        .why = "Each node looks for the controller on itself and never registers.",
        .ref = "slurm.conf(5), SlurmctldHost; controller.c:_controller_index",
        .needs = PLUMB_FACT_MODEL,
        .run = loopback_controller,
    },
    {
        .code = "AGREE014",
        .name = "database-loopback",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "the accounting host of several nodes is the loopback",
        .why = "Accounting commands work on the controller only.",
        .ref = "slurm.conf(5), AccountingStorageHost",
        .needs = PLUMB_FACT_MODEL,
        .run = loopback_database,
    },
    {
        .code = "AGREE015",
        .name = "state-dir-not-shared",
        PLUMB_OUTCOME(ERROR, NONE, SLURMCTLD),
        .summary = "several controllers, a state directory that is not shared",
        .why = "A backup that takes over knows no job, and kills those that run.",
        .ref = "slurm.conf(5), StateSaveLocation, SlurmctldHost",
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
        PLUMB_COMBO(cluster_name),
    },
    {
        .code = "AGREE018",
        .name = "controller-missing",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "slurm.conf without SlurmctldHost",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        PLUMB_COMBO(controller_missing),
    },
    {
        .code = "AGREE019",
        .name = "no-protocol",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "CommunicationParameters DisableIPv4 without EnableIPv6",
        .why = "No protocol is left to talk over.",
        .ref = "slurm.conf(5), CommunicationParameters; read_config.c",
        PLUMB_COMBO(no_protocol),
    },
    {
        .code = "AGREE020",
        .name = "controllers-one-address",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "two controllers have one address",
        .why = "The backup asks that address whether the first controller is alive; whoever talks "
               "to one of them gets the other. Every daemon takes it.",
        .ref = "slurm.conf(5), SlurmctldHost",
        .bad = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-02(10.0.0.10)",
        .good = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-02(10.0.0.11)",
        .needs = PLUMB_FACT_MODEL,
        .run = one_address,
    },
    {
        .code = "AGREE021",
        .name = "login-host-computes",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "a login host is a compute node",
        .why = "What people run there takes the CPUs and memory that jobs are promised; no daemon "
               "says so. On small clusters it may be meant.",
        .ref = "slurm.conf(5), NodeName",
        .needs = PLUMB_FACT_MODEL,
        .run = login_computes,
    },
};

const struct plumb_rule_family plumb_agree_rules = {
    .prefix = "AGREE",
    .title = "One fact told differently in two places",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
