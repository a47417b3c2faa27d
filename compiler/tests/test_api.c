/* SPDX-License-Identifier: Apache-2.0 */
/* libplumb as a program sees it: nothing but the public header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "plumb/plumb.h"

static const char sound[] = "ClusterName=c\n"
                            "SlurmctldHost=ctl\n"
                            "StateSaveLocation=/var/spool/slurmctld\n"
                            "NodeName=n[1-2] CPUs=4 RealMemory=1000\n"
                            "PartitionName=p Nodes=n[1-2] Default=YES MaxTime=60\n";

static bool add(plumb_handle *h, const char *name, const char *text)
{
    return plumb_add_text(h, name, text, strlen(text));
}

static void options_are_refused_with_a_reason(void **state)
{
    static const struct {
        struct plumb_options options;
        const char *problem;
    } rows[] = {
        {{.slurm = "24.99"}, "unknown release '24.99', expected 22.05 to 26.05"},
        {{.select = "HOST001,HSOT002"}, "unknown rule 'HSOT002', did you mean 'HOST002'?"},
        {{.severity = "HOST001=fatal"},
         "'HOST001=fatal' sets no severity, expected RULE=error, RULE=warning or RULE=info"},
        {{.targets = "slurm,nclc"}, "unknown target 'nclc', did you mean 'nccl'?"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        plumb_handle *h = plumb_open(&rows[i].options);

        assert_string_equal(plumb_problem(h), rows[i].problem);
        assert_false(add(h, "slurm.conf", sound));
        assert_int_equal(plumb_run_all(h, NULL), PLUMB_RESULT_USAGE);
        plumb_close(h);
    }
    plumb_close(NULL);
}

static void text_from_memory_is_checked(void **state)
{
    plumb_handle *h = plumb_open(NULL);
    struct plumb_finding f;
    size_t len = 0;

    (void)state;
    assert_null(plumb_problem(h));
    assert_true(add(h, "slurm.conf", "NodeName=a[1\n"));
    assert_int_equal(plumb_run_all(h, "error"), PLUMB_RESULT_FINDINGS);
    assert_int_equal(plumb_run_all(h, "never"), PLUMB_RESULT_CLEAN);
    assert_true(plumb_finding_count(h) > 0);
    for (size_t i = 0; plumb_finding_at(h, i, &f) && strcmp(f.code, "HOST001") != 0;)
        i++;
    assert_string_equal(f.code, "HOST001");
    assert_string_equal(f.file, "slurm.conf");
    assert_string_equal(f.severity, "error");
    assert_int_equal(f.line, 1);
    assert_int_equal(f.column, 11);
    assert_int_equal(f.end_column, 12);
    assert_false(plumb_finding_at(h, plumb_finding_count(h), &f));
    assert_non_null(strstr(plumb_render(h, "compact", false, 0, &len), "slurm.conf:1:11-12: "));
    assert_string_equal(plumb_render(h, "unknown", false, 0, &len), "");
    assert_int_equal(len, 0);
    plumb_close(h);
}

static void findings_follow_the_order_of_reading(void **state)
{
    plumb_handle *h = plumb_open(&(struct plumb_options){.select = "HOST"});
    struct plumb_finding f, before = {0};

    (void)state;
    assert_true(add(h, "gres.conf", "NodeName=b[2-1] Name=gpu\nNodeName=a[2-1] Name=gpu\n"));
    assert_true(add(h, "slurm.conf", "NodeName=x[2-1] CPUs=1\nNodeName=c[2-1] CPUs=1\n"));
    assert_int_equal(plumb_run_all(h, NULL), PLUMB_RESULT_FINDINGS);
    assert_int_equal(plumb_finding_count(h), 4);
    for (size_t i = 0; plumb_finding_at(h, i, &f); before = f, i++) {
        assert_string_equal(f.file, i < 2 ? "gres.conf" : "slurm.conf");
        assert_true(i % 2 == 0 || f.line > before.line);
    }
    plumb_close(h);
}

static void unreadable_inputs_make_the_run_incomplete(void **state)
{
    plumb_handle *h = plumb_open(NULL);

    (void)state;
    assert_true(add(h, "slurm.conf", sound));
    assert_false(plumb_add_path(h, "nowhere/slurm.conf"));
    assert_string_equal(plumb_problem(h), "'nowhere/slurm.conf' does not exist");
    assert_false(add(h, "poem", "roses are red\n"));
    assert_int_equal(plumb_run_all(h, "never"), PLUMB_RESULT_INCOMPLETE);
    plumb_close(h);
}

static void one_cluster_at_a_time(void **state)
{
    plumb_handle *h = plumb_open(NULL);

    (void)state;
    assert_true(add(h, "a/slurm.conf", sound));
    assert_false(add(h, "b/slurm.conf", sound));
    assert_string_equal(plumb_problem(h), "'a/slurm.conf' and 'b/slurm.conf' are both slurm.conf: "
                                          "check one cluster at a time");
    assert_int_equal(plumb_run_all(h, NULL), PLUMB_RESULT_USAGE);
    plumb_close(h);
}

static void the_chosen_rules_are_shown(void **state)
{
    static const struct {
        struct plumb_options options;
        const char *fail_on;
        enum plumb_result result;
        size_t host_findings;
    } rows[] = {
        {{.select = "HOST"}, "error", PLUMB_RESULT_FINDINGS, 1},
        {{.select = "host-range-reversed"}, "error", PLUMB_RESULT_FINDINGS, 1},
        {{.select = "HOST", .ignore = "HOST003"}, "info", PLUMB_RESULT_CLEAN, 0},
        {{.select = "HOST", .severity = "HOST003=warning"}, "error", PLUMB_RESULT_CLEAN, 1},
        {{.select = "HOST", .severity = "HOST003=warning"}, "warning", PLUMB_RESULT_FINDINGS, 1},
        {{.select = "HOST", .severity = "HOST=info,HOST003=error"},
         "error",
         PLUMB_RESULT_FINDINGS,
         1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        plumb_handle *h = plumb_open(&rows[i].options);
        size_t len = 0;

        assert_true(add(h, "slurm.conf", "NodeName=a[2-1]\n"));
        assert_int_equal(plumb_run_all(h, rows[i].fail_on), rows[i].result);
        assert_int_equal(plumb_finding_count(h), rows[i].host_findings);
        /* The daemons do not know what was asked for. */
        assert_non_null(strstr(plumb_render(h, "human", false, 0, &len), "slurmctld refused"));
        plumb_close(h);
    }
}

static void a_text_can_be_said_to_be_something_else(void **state)
{
    plumb_handle *h = plumb_open(&(struct plumb_options){.as = "gres.conf", .select = "CONF"});

    (void)state;
    assert_true(add(h, "slurm.conf", "ClusterName=c\n"));
    assert_int_equal(plumb_run_all(h, NULL), PLUMB_RESULT_FINDINGS);
    plumb_close(h);
}

#if defined(__SANITIZE_ADDRESS__)
#define WITH_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif

#ifdef WITH_SANITIZER
static void running_out_of_memory_is_an_answer(void **state)
{
    (void)state;
    skip(); /* its shadow memory needs more than the limit */
}
#else
/* In a child with little memory: the library answers, it does not end the process. */
static int run_out_of_memory(void)
{
    const size_t len = (size_t)64 << 20;
    struct rlimit limit = {.rlim_cur = (rlim_t)96 << 20, .rlim_max = (rlim_t)96 << 20};
    char *text = malloc(len);
    plumb_handle *h = plumb_open(NULL);

    if (text == NULL || h == NULL)
        return 1;
    for (size_t i = 0; i < len; i++)
        text[i] = "NodeName=n CPUs=1\n"[i % 18];
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 2;
    if (plumb_add_text(h, "slurm.conf", text, len))
        return 3;
    if (plumb_run_all(h, NULL) != PLUMB_RESULT_INTERNAL)
        return 4;
    if (strcmp(plumb_problem(h), "out of memory") != 0)
        return 5;
    plumb_close(h);
    free(text);
    return 0;
}

static void running_out_of_memory_is_an_answer(void **state)
{
    pid_t child = fork();
    int status = 0;

    (void)state;
    if (child == 0)
        _exit(run_out_of_memory());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
#endif

static void nothing_is_made_from_a_specification_with_errors(void **state)
{
    plumb_handle *h = plumb_open(&(struct plumb_options){.outputs = true});

    (void)state;
    assert_true(add(h, "cluster.yaml", "plumb: 1\ncluster: c\nnodess: {}\n"));
    assert_int_equal(plumb_run_all(h, NULL), PLUMB_RESULT_FINDINGS);
    assert_int_equal(plumb_made_count(h), 0);
    assert_int_equal(plumb_write(h, "never-made"), PLUMB_RESULT_FINDINGS);
    assert_int_not_equal(access("never-made", F_OK), 0);
    plumb_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_refused_with_a_reason),
        cmocka_unit_test(text_from_memory_is_checked),
        cmocka_unit_test(findings_follow_the_order_of_reading),
        cmocka_unit_test(unreadable_inputs_make_the_run_incomplete),
        cmocka_unit_test(one_cluster_at_a_time),
        cmocka_unit_test(the_chosen_rules_are_shown),
        cmocka_unit_test(a_text_can_be_said_to_be_something_else),
        cmocka_unit_test(running_out_of_memory_is_an_answer),
        cmocka_unit_test(nothing_is_made_from_a_specification_with_errors),
    };

    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
