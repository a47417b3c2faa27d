/* SPDX-License-Identifier: Apache-2.0 */
/* The table engine over documents: keys, their places, their lives, their repetition. */
#include "fixture.h"

#include <string.h>

#include "conf/conf.h"

struct expected {
    const char *code; /* NULL: no more */
    uint32_t begin, end;
    enum plumb_effect effect;
};

struct row {
    enum plumb_file file;
    enum plumb_release release;
    const char *text;
    struct expected findings[3];
};

static void hold(struct fixture *fx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct plumb_conf_options options = {
            .directory = "/nonexistent", .release = rows[i].release, .no_includes = true};

        fx_row(fx, i, rows[i].text);
        fx->session.sink.release = rows[i].release;

        struct plumb_source *src = fx_source(fx, "test.conf", rows[i].text);
        struct plumb_conf *doc = plumb_conf_read(&fx->session, rows[i].file, src, &options);

        plumb_conf_check(&fx->session, doc, rows[i].release);
        for (size_t j = 0; j < 3 && rows[i].findings[j].code != NULL; j++) {
            const struct expected *want = &rows[i].findings[j];

            fx_expect(fx, want->code, want->begin, want->end);
            if (fx->session.sink.items[j]->effect != want->effect)
                fail_msg("row %zu '%s': %s, expected %s", i, rows[i].text,
                         plumb_effect_name(fx->session.sink.items[j]->effect),
                         plumb_effect_name(want->effect));
        }
        fx_expect_nothing_else(fx);
    }
}

#define SLURM  PLUMB_SLURM_CONF, PLUMB_24_11
#define STOPS  PLUMB_EFFECT_STOPS
#define LOGS   PLUMB_EFFECT_COMPLAINS
#define SILENT PLUMB_EFFECT_IGNORED
#define NONE   PLUMB_EFFECT_NONE

static void unknown_and_misplaced_keys(void **state)
{
    static const struct row rows[] = {
        {SLURM, "ClusterName=demo\n", {{0}}},
        {SLURM, "UnknownKey=1\n", {{"CONF001", 0, 10, STOPS}}},
        {SLURM, "SlurmdTimout=300\n", {{"CONF001", 0, 12, STOPS}}},
        {SLURM, "CgroupPlugin=cgroup/v2\n", {{"CONF002", 0, 12, STOPS}}},
        {SLURM, "TRESBillingWeights=CPU=1\n", {{"CONF002", 0, 18, STOPS}}},
        {SLURM, "NodeName=n1 CPUs=4 SlurmdTimeout=3\n", {{"CONF002", 19, 32, STOPS}}},
        {SLURM, "NodeName=n1 MaxTime=4\n", {{"CONF002", 12, 19, STOPS}}},
        {SLURM, "PartitionName=p Nodes=n1 Bogus=1\n", {{"CONF001", 25, 30, STOPS}}},
        {SLURM,
         "NodeName=n1 Bogus=1 Other=2\n",
         {{"CONF001", 12, 17, STOPS}, {"CONF001", 20, 25, STOPS}}},
        {PLUMB_CGROUP_CONF,
         PLUMB_24_11,
         "ConstrainCores=yes\nTaskPlugin=task/cgroup\n",
         {{"CONF002", 19, 29, STOPS}}},
        {PLUMB_SLURMDBD_CONF, PLUMB_24_11, "ArchiveResv=yes\n", {{"CONF001", 0, 11, STOPS}}},
        {PLUMB_SLURMDBD_CONF, PLUMB_24_11, "SlurmctldPort=1\n", {{"CONF002", 0, 13, STOPS}}},
        {PLUMB_GRES_CONF, PLUMB_24_11, "Name=gpu Type=h100 File=/dev/nvidia0\n", {{0}}},
        {PLUMB_GRES_CONF,
         PLUMB_24_11,
         "NodeName=n1 Name=gpu Fil=/dev/nvidia0\n",
         {{"CONF001", 21, 24, STOPS}}},
        {PLUMB_MPI_CONF, PLUMB_24_11, "PMIxNoSuch=1\n", {{"CONF001", 0, 10, SILENT}}},
        {SLURM, "slurmdTIMEOUT = 300\n", {{0}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void keys_of_other_releases(void **state)
{
    static const struct row rows[] = {
        {SLURM, "NamespaceType=namespace/linux\n", {{"CONF004", 0, 13, STOPS}}},
        {PLUMB_SLURM_CONF, PLUMB_25_11, "NamespaceType=namespace/linux\n", {{0}}},
        {SLURM, "PartitionName=p Exclusive=NODE\n", {{"CONF004", 16, 25, STOPS}}},
        {SLURM, "SchedulerAuth=x\n", {{"CONF003", 0, 13, STOPS}}},
        {PLUMB_SLURM_CONF, PLUMB_23_11, "SchedulerAuth=x\n", {{"CONF007", 0, 13, LOGS}}},
        {SLURM, "CacheGroups=0\n", {{"CONF003", 0, 11, STOPS}}},
        {SLURM, "MungeSocketPath=/run/x\n", {{"CONF003", 0, 15, STOPS}}},
        {PLUMB_SLURM_CONF,
         PLUMB_25_05,
         "FrontendName=f1 Port=7 Nonsense=1\n",
         {{"CONF003", 0, 12, STOPS}}}, /* nothing more about a line that is unknown as a whole */
        {PLUMB_CGROUP_CONF,
         PLUMB_24_05,
         "CgroupAutomount=yes\nConstrainKmemSpace=no\n",
         {{"CONF007", 0, 15, LOGS}, {"CONF003", 20, 38, STOPS}}},
        {PLUMB_CGROUP_CONF,
         PLUMB_23_02,
         "CgroupAutomount=yes\nConstrainKmemSpace=no\n",
         {{"CONF006", 20, 38, LOGS}}},
        {PLUMB_CGROUP_CONF, PLUMB_25_05, "CgroupReleaseAgentDir=/x\n", {{"CONF009", 0, 21, STOPS}}},
        {PLUMB_CGROUP_CONF, PLUMB_25_11, "CgroupReleaseAgentDir=/x\n", {{"CONF003", 0, 21, STOPS}}},
        {PLUMB_CGROUP_CONF, PLUMB_22_05, "TaskAffinity=no\n", {{"CONF003", 0, 12, STOPS}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void lives_of_keys(void **state)
{
    static const struct row rows[] = {
        {SLURM, "NodeName=n1 Procs=4\n", {{"CONF005", 12, 17, NONE}}},
        {SLURM, "CryptoType=crypto/munge\n", {{"CONF005", 0, 10, NONE}}}, /* read, in silence */
        {SLURM, "ControlMachine=a\nBackupController=b\n", {{0}}},
        {SLURM, "KeepAliveTime=30\n", {{"CONF006", 0, 13, LOGS}}},
        {PLUMB_SLURM_CONF,
         PLUMB_25_11,
         "JobContainerType=job_container/tmpfs\n",
         {{"CONF006", 0, 16, LOGS}}},
        {SLURM, "FastSchedule=1\n", {{"CONF007", 0, 12, LOGS}}},
        {SLURM, "FastSchedule=2\n", {{"CONF011", 13, 14, STOPS}}},
        {SLURM, "JobCredentialPrivateKey=/x\n", {{"CONF007", 0, 23, LOGS}}},
        {SLURM, "BurstBufferParameters=x\n", {{"CONF008", 0, 21, SILENT}}},
        {SLURM, "LaunchType=launch/slurm\n", {{"CONF008", 0, 10, SILENT}}},
        {PLUMB_SLURM_CONF, PLUMB_22_05, "LaunchType=launch/slurm\n", {{0}}},
        {SLURM, "AccountingStoreJobComment=yes\n", {{"CONF009", 0, 25, STOPS}}},
        {PLUMB_CGROUP_CONF,
         PLUMB_24_11,
         "MemoryLimitEnforcement=maybe\n",
         {{"CONF008", 0, 22, SILENT}, {"CONF010", 23, 28, STOPS}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void repeated_keys(void **state)
{
    static const struct row rows[] = {
        {SLURM, "SlurmdTimeout=120\nSlurmdTimeout=240\n", {{"CONF015", 18, 31, LOGS}}},
        {SLURM, "SlurmctldHost=a\nSlurmctldHost=b\n", {{0}}},
        {SLURM, "NodeName=a CPUs=1\nNodeName=b CPUs=1\n", {{0}}},
        {SLURM, "NodeName=a CPUs=1 CPUs=2\n", {{"CONF016", 18, 22, LOGS}}},
        /* The parser takes the first value and drops it; only a number must be one. */
        {SLURM,
         "SelectType=select/cons_res\nSelectType=select/cons_tres\n",
         {{"CONF015", 27, 37, LOGS}}},
        {SLURM, "PartitionName=p State=abc State=UP\n", {{"CONF016", 26, 31, LOGS}}},
        {SLURM,
         "ReturnToService=abc\nReturnToService=1\n",
         {{"CONF010", 16, 19, STOPS}, {"CONF015", 20, 35, LOGS}}},
        {SLURM, "Prolog=/a\nProlog=/b\n", {{0}}}, /* all run from 24.05 on */
        {PLUMB_SLURM_CONF, PLUMB_23_11, "Prolog=/a\nProlog=/b\n", {{"CONF015", 10, 16, LOGS}}},
        /* dropped at once: the daemon never sees a first one */
        {SLURM,
         "JobCredentialPrivateKey=/x\nJobCredentialPrivateKey=/y\n",
         {{"CONF007", 0, 23, LOGS}, {"CONF007", 27, 50, LOGS}}},
        {SLURM,
         "UnknownKey=1\nUnknownKey=2\n",
         {{"CONF001", 0, 10, STOPS}, {"CONF001", 13, 23, STOPS}}},
        {PLUMB_GRES_CONF,
         PLUMB_24_11,
         "AutoDetect=nvml\nAutoDetect=off\n",
         {{"CONF015", 16, 26, LOGS}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void messages_say_what_happens_and_what_to_do(void **state)
{
    static const struct {
        enum plumb_release release;
        const char *text, *message, *help;
    } rows[] = {
        {PLUMB_24_11, "SlurmdTimout=300\n",
         "'SlurmdTimout' is no parameter of slurm.conf; slurmctld and slurmd 24.11 stop",
         "did you mean 'SlurmdTimeout'?"},
        {PLUMB_24_11, "ConstrainCores=yes\n",
         "'ConstrainCores' is no parameter of slurm.conf, it belongs to cgroup.conf; slurmctld and "
         "slurmd 24.11 stop",
         NULL},
        {PLUMB_24_11, "NodeName=n1 MaxTime=4\n",
         "'MaxTime' is no parameter of NodeName lines, it belongs to PartitionName lines; "
         "slurmctld "
         "and slurmd 24.11 stop",
         NULL},
        {PLUMB_24_11, "NodeName=n1 MailProg=/x\n",
         "'MailProg' is no parameter of NodeName lines, it belongs to a line of its own; slurmctld "
         "and slurmd 24.11 stop",
         NULL},
        {PLUMB_24_11, "SchedulerAuth=x\n",
         "'SchedulerAuth' is gone, 23.11 was the last release to read it; slurmctld and slurmd "
         "24.11 stop",
         NULL},
        {PLUMB_24_11, "MetricsType=x\n",
         "'MetricsType' is not known to slurm.conf before 25.11; slurmctld and slurmd 24.11 stop",
         NULL},
        {PLUMB_24_11, "MemLimitEnforce=no\n",
         "'MemLimitEnforce' is read by no release from 22.05 on; slurmctld and slurmd 24.11 stop",
         "write 'JobAcctGatherParams=OverMemoryKill'"},
        {PLUMB_24_11, "NodeName=n1 Procs=4\n", "'Procs' is an older spelling, write 'CPUs'", NULL},
        {PLUMB_24_11, "SlurmdTimeout=300s\n",
         "'SlurmdTimeout' is '300s', expected a whole number of seconds; slurmctld and slurmd "
         "24.11 "
         "stop",
         NULL},
        {PLUMB_24_11, "MessageTimeout=200\n",
         "'MessageTimeout' is 200, expected at most 100 seconds; slurmctld and slurmd 24.11 log an "
         "error",
         NULL},
        {PLUMB_24_11, "EnforcePartLimits=MAYBE\n",
         "'MAYBE' is no word of 'EnforcePartLimits', expected 0, 1, ALL, ANY, down, false, NO, "
         "true, up or yes; slurmctld and slurmd 24.11 stop",
         NULL},
        {PLUMB_24_11, "SelectType=select/cons_res\n",
         "plugin 'select/cons_res' of 'SelectType' does not exist after 23.02; slurmctld and "
         "slurmd "
         "24.11 stop",
         "did you mean 'select/cons_tres'?"},
        {PLUMB_24_11, "SlurmdTimeout=1\nSlurmdTimeout=2\n",
         "'SlurmdTimeout' is set again, only the last value '2' counts; slurmctld and slurmd 24.11 "
         "log an error",
         NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_conf_options options = {.directory = "/nonexistent",
                                             .release = rows[i].release};

        fx_row(fx, i, rows[i].text);
        fx->session.sink.release = rows[i].release;

        struct plumb_source *src = fx_source(fx, "slurm.conf", rows[i].text);
        struct plumb_conf *doc = plumb_conf_read(&fx->session, PLUMB_SLURM_CONF, src, &options);
        const struct plumb_diag *d = NULL;

        plumb_conf_check(&fx->session, doc, rows[i].release);
        assert_int_equal(fx->session.sink.count, 1);
        d = fx->session.sink.items[0];
        assert_string_equal(d->message, rows[i].message);
        assert_int_equal(d->help.count, rows[i].help != NULL);
        if (rows[i].help != NULL)
            assert_string_equal(d->help.items[0], rows[i].help);
    }
}

static void the_same_fault_on_many_lines_is_one_finding(void **state)
{
    static const struct row rows[] = {
        {SLURM,
         "NodeName=a Bogus=1\nNodeName=b CPUs=2 Bogus=2\nNodeName=c Bogus=3\n",
         {{"CONF001", 11, 16, STOPS}}},
        {SLURM,
         "NodeName=a CPUs=x\nNodeName=b CPUs=y\nNodeName=c CPUs=x\n",
         {{"CONF010", 16, 17, STOPS}, {"CONF010", 34, 35, STOPS}}},
        /* another scope, and a suppression that binds to its line */
        {SLURM,
         "NodeName=a Bogus=1\nPartitionName=p Bogus=1\n",
         {{"CONF001", 11, 16, STOPS}, {"CONF001", 35, 40, STOPS}}},
        {SLURM,
         "NodeName=a Bogus=1 # plumb: ignore CONF001 -- x\nNodeName=b Bogus=1\n",
         {{"CONF001", 11, 16, STOPS}, {"CONF001", 59, 64, STOPS}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void every_place_of_a_repeated_fault_is_told(void **state)
{
    static const char text[] = "NodeName=a CPU=1\nNodeName=b RealMemroy=1\nNodeName=bc Weight=1 "
                               "RealMemroy=2\nNodeName=d RealMemroy=1\n";
    static const uint32_t places[] = {28, 62, 86};
    struct fixture *fx = *state;
    struct plumb_conf_options options = {.directory = "", .release = PLUMB_24_11};
    struct plumb_conf *doc =
        plumb_conf_read(&fx->session, PLUMB_SLURM_CONF, fx_source(fx, "t", text), &options);
    const struct plumb_diag *d = NULL;
    struct plumb_edit_cursor c = {0, 0};
    struct plumb_edit edit;

    plumb_conf_check(&fx->session, doc, PLUMB_24_11);
    assert_int_equal(fx->session.sink.count, 2);
    d = fx->session.sink.items[1];
    assert_int_equal(d->notes.count, 1);
    assert_string_equal(d->notes.items[0].text,
                        "the same on 2 more NodeName lines, the last is here");
    assert_int_equal(d->notes.items[0].at.begin, places[2]);
    for (size_t i = 0; i < PLUMB_COUNT(places); i++) {
        assert_true(plumb_diag_next_edit(d, &c, &edit));
        assert_string_equal(edit.text, "RealMemory");
        assert_int_equal(edit.at.begin, places[i]);
        assert_int_equal(edit.at.end, places[i] + 10);
    }
    assert_false(plumb_diag_next_edit(d, &c, &edit));
}

static void an_older_spelling_can_be_exchanged(void **state)
{
    struct fixture *fx = *state;
    struct plumb_conf_options options = {.directory = "/nonexistent", .release = PLUMB_24_11};
    struct plumb_source *src = fx_source(fx, "slurm.conf", "NodeName=n1 Procs=4\n");
    struct plumb_conf *doc = plumb_conf_read(&fx->session, PLUMB_SLURM_CONF, src, &options);
    const struct plumb_diag *d = NULL;

    plumb_conf_check(&fx->session, doc, PLUMB_24_11);
    d = fx->session.sink.items[0];
    assert_int_equal(d->severity, PLUMB_INFO);
    assert_int_equal(d->edits.count, 1);
    assert_string_equal(d->edits.items[0].text, "CPUs");
    assert_true(d->edits.items[0].safe);
}

static void built_documents_are_held_too(void **state)
{
    struct fixture *fx = *state;
    struct plumb_conf *doc = plumb_conf_new(fx->arena, PLUMB_SLURM_CONF);
    struct plumb_conf_line *line = plumb_conf_line(doc, PLUMB_SCOPE_GLOBAL);
    struct plumb_span nowhere = {0};

    plumb_conf_add(doc, line, PLUMB_P_SLURM_NAMESPACETYPE, "namespace/linux", nowhere);
    plumb_conf_check(&fx->session, doc, PLUMB_25_11);
    assert_int_equal(fx->session.sink.count, 0);
    plumb_conf_check(&fx->session, doc, PLUMB_24_11);
    assert_int_equal(fx->session.sink.count, 1);
    assert_string_equal(fx->session.sink.items[0]->rule->code, "CONF004");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(unknown_and_misplaced_keys, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(keys_of_other_releases, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(lives_of_keys, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(repeated_keys, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(messages_say_what_happens_and_what_to_do, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_same_fault_on_many_lines_is_one_finding, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(every_place_of_a_repeated_fault_is_told, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(an_older_spelling_can_be_exchanged, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(built_documents_are_held_too, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/check", tests, NULL, NULL);
}
