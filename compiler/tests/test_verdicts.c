/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verdicts: whether plumb predicts of slurmctld and slurmd what they did with every real and every
 * minimal configuration of the corpora, release by release. Runs that ended for a reason of the
 * machine they were made on do not count; what differs is listed in doc/accuracy-corpus.md and
 * below, and nothing else may. Skipped where the corpora are not there.
 */
#include "case_run.h"

#include <strings.h>

#include "emit/render.h"

/* A run that says nothing about its files: text that it logged, in brackets or not. */
struct outside {
    const char *step; /* "ctld" or "gres", as messages begin */
    const char *text, *why;
    bool ends; /* and only a daemon that ended was kept from the rest */
};

static const struct outside outside[] = {
    {"ctld", "PluginDir: ", "the folder of PluginDir is not on that machine", true},
    {"gres", "PluginDir: ", "the folder of PluginDir is not on that machine", true},
    {"ctld", "this machine: cannot create ", "its build of Slurm leaves the plugin out", true},
    {"ctld", "_xgetaddrinfo: ", "its network has none of the hosts", true},
    {"ctld", "_open_ports: Unable to listen", "its network has none of the addresses", true},
    {"ctld", "we have no TRES from it", "slurmdbd did not run", true},
    {"ctld", "has an invalid qos", "slurmdbd did not run, which knows the QOS", true},
    {"ctld", "has an invalid AllowQOS", "slurmdbd did not run, which knows the QOS", true},
    {"gres", "the specified hostname is invalid", "it cannot take the name of the node", false},
    {"gres", "System GPU detection failed", "it has no GPU and no library of one", false},
};

/*
 * Findings that such a run cannot show. slurmctld calls jobacct_gather_init once slurmdbd has
 * answered. slurmd -G ends before select_g_init, and these keys were replaced for it.
 */
static const char *const after_the_database[] = {"ACCT014"};
static const char *const not_for_slurmd_g[] = {
    "SelectType",        "CgroupPlugin",         "ProctrackType",    "TaskPlugin",
    "JobAcctGatherType", "AcctGatherEnergyType", "SlurmdParameters",
};

/* Where plumb says otherwise, for a reason that doc/accuracy-corpus.md gives. */
static const struct {
    const char *set, *daemon;
} known[] = {
    {"s036-small-3nodes-5partitions-gpu", "slurmd"},
};

struct tally {
    size_t agree, differ, outside;
};

struct run {
    struct plumb_arena *arena;
    const char *set, *release, *messages;
    const struct case_findings *found;
    bool unlike; /* slurmd -G saw other files or another machine than they are for */
};

static bool is_outside(const struct run *r, const char *step, const char *real)
{
    bool ended = strcmp(real, "refused") == 0;

    if (strcmp(step, "gres") == 0 && r->unlike)
        return true;
    for (const char *at = r->messages; at != NULL && *at != '\0'; at = strstr(at, " | ")) {
        at += strncmp(at, " | ", 3) == 0 ? 3 : 0;

        const char *end = strstr(at, " | ");
        const char *one =
            plumb_arena_strndup(r->arena, at, end == NULL ? strlen(at) : (size_t)(end - at));
        const char *words = one[0] == '(' ? one + 1 : one;

        for (size_t i = 0; i < PLUMB_COUNT(outside); i++) {
            if (outside[i].ends && !ended)
                continue;
            if (strcmp(outside[i].step, step) == 0 && strncmp(words, step, strlen(step)) == 0 &&
                strstr(words, outside[i].text) != NULL)
                return true;
        }
    }
    return false;
}

/* A finding stands on a line that begins with the key. */
static bool is_on(const plumb_handle *h, const struct case_finding *f, const char *key)
{
    const char *text = "";
    size_t len = 0, skip = 0;

    if (!plumb_source_line(&h->session.sources, f->diag->at.file, f->line, &text, &len))
        return false;
    while (skip < len && (text[skip] == ' ' || text[skip] == '\t'))
        skip++;
    text += skip;
    len -= skip;
    skip = strlen(key);
    return len > skip && strncasecmp(text, key, skip) == 0 &&
           (text[skip] == '=' || text[skip] == ' ' || text[skip] == '\t');
}

static bool is_shown(const plumb_handle *h, const struct case_finding *f, enum plumb_daemon daemon)
{
    for (size_t i = 0; i < PLUMB_COUNT(after_the_database); i++) {
        if (strcmp(f->diag->rule->code, after_the_database[i]) == 0)
            return false;
    }
    for (size_t i = 0; daemon == PLUMB_SLURMD && i < PLUMB_COUNT(not_for_slurmd_g); i++) {
        if (is_on(h, f, not_for_slurmd_g[i]))
            return false;
    }
    return true;
}

/* The worst that the run can have shown, and the finding that says so. */
static enum plumb_verdict predicted(const plumb_handle *h, const struct run *r,
                                    enum plumb_daemon daemon, const struct plumb_diag **cause)
{
    enum plumb_verdict worst = PLUMB_ACCEPTED;

    for (size_t i = 0; i < r->found->count; i++) {
        const struct case_finding *f = &r->found->items[i];
        enum plumb_effect effect = plumb_diag_effect_on(f->diag, daemon);
        enum plumb_verdict v = effect == PLUMB_EFFECT_STOPS       ? PLUMB_REFUSED
                               : effect == PLUMB_EFFECT_COMPLAINS ? PLUMB_COMPLAINT
                                                                  : PLUMB_ACCEPTED;

        if (v > worst && is_shown(h, f, daemon)) {
            worst = v;
            *cause = f->diag;
        }
    }
    return worst;
}

static bool is_known(const char *set, enum plumb_daemon daemon)
{
    for (size_t i = 0; i < PLUMB_COUNT(known); i++) {
        if (strcmp(known[i].set, set) == 0 &&
            strcmp(known[i].daemon, plumb_daemon_name(daemon)) == 0)
            return true;
    }
    return false;
}

/* Holds one daemon's verdict against the prediction; 1 where they differ and nobody knows why. */
static size_t compare(const plumb_handle *h, const struct run *r, enum plumb_daemon daemon,
                      const char *real, struct tally *t)
{
    const struct plumb_diag *cause = NULL;
    enum plumb_verdict v = PLUMB_NOT_JUDGED;

    if (strcmp(real, "not judged") == 0)
        return 0;
    if (is_outside(r, daemon == PLUMB_SLURMCTLD ? "ctld" : "gres", real)) {
        t->outside++;
        return 0;
    }
    v = predicted(h, r, daemon, &cause);
    if (strcmp(plumb_verdict_name(v), real) == 0) {
        t->agree++;
        return 0;
    }
    t->differ++;
    print_message("%s %s: %s is '%s', predicted '%s'%s%s%s%s\n", r->set, r->release,
                  plumb_daemon_name(daemon), real, plumb_verdict_name(v),
                  cause != NULL ? " by " : "", cause != NULL ? cause->rule->code : "",
                  cause != NULL ? " " : "", cause != NULL ? cause->message : "");
    return !is_known(r->set, daemon);
}

/* A line of a file begins with the key, and has the word. */
static bool sets(struct plumb_arena *a, const char *file, const char *key, const char *word)
{
    const char *text = case_text(a, file);
    size_t len = strlen(key);

    for (; text != NULL && *text != '\0'; text++) {
        const char *end = text + strcspn(text, "\n");
        const char *hit = strncasecmp(text, key, len) == 0 ? strstr(text, word) : NULL;

        if (hit != NULL && hit < end)
            return true;
    }
    return false;
}

/*
 * AutoDetect found nothing on a machine without GPUs; X11 with the proctrack/linuxproc that was put
 * in for slurmd -G ends it (read_config.c:_validate_and_set_defaults).
 */
static bool is_unlike(struct plumb_arena *a, const char *folder)
{
    const char *gres = plumb_arena_printf(a, "%s/gres.conf", folder);
    const char *slurm = plumb_arena_printf(a, "%s/slurm.conf", folder);

    return (sets(a, gres, "AutoDetect=", "=") && !sets(a, gres, "AutoDetect=", "=off")) ||
           sets(a, slurm, "PrologFlags=", "X11") || sets(a, slurm, "PrologFlags=", "x11");
}

/* One line of verdicts.tsv: set, release, slurmctld, slurmd -G, messages. */
static size_t judge(struct plumb_arena *a, const char *root, char *line, struct tally *tallies)
{
    char *fields[5] = {line};
    struct case_findings found = {NULL, 0};
    enum plumb_release release;
    plumb_handle *h = NULL;
    size_t wrong = 0;

    for (size_t i = 1; i < PLUMB_COUNT(fields); i++) {
        fields[i] = fields[i - 1] == NULL ? NULL : strchr(fields[i - 1], '\t');
        if (fields[i] != NULL)
            *fields[i]++ = '\0';
    }
    if (fields[4] == NULL ||
        (release = plumb_release_read(fields[1], strlen(fields[1]))) == PLUMB_RELEASE_NONE ||
        (strcmp(fields[2], "not judged") == 0 && strcmp(fields[3], "not judged") == 0))
        return 0;

    const char *folder = plumb_arena_printf(a, "%s/%s", root, fields[0]);
    struct run r = {a, fields[0], fields[1], fields[4], &found, is_unlike(a, folder)};

    h = case_run(folder, fields[1], NULL, &found);
    wrong += compare(h, &r, PLUMB_SLURMCTLD, fields[2], &tallies[release]);
    wrong += compare(h, &r, PLUMB_SLURMD, fields[3], &tallies[release]);
    plumb_close(h);
    return wrong;
}

static void daemons_do_what_is_predicted(void **state)
{
    static const char *const roots[] = {"corpus/cases", "corpus/slurm-conf"};
    struct fixture *fx = *state;
    size_t wrong = 0, differ = 0, agree = 0;

    for (size_t r = 0; r < PLUMB_COUNT(roots); r++) {
        struct tally tallies[PLUMB_RELEASE_COUNT] = {{0}};
        const char *root = fx_shared(fx->arena, roots[r]);
        char *text = case_text(fx->arena, plumb_arena_printf(fx->arena, "%s/verdicts.tsv", root));

        if (!case_is_folder(root)) {
            print_message("%s is not there: skipped\n", root);
            skip();
        }
        for (char *next = NULL; text != NULL; text = next) {
            next = strchr(text, '\n');
            if (next != NULL)
                *next++ = '\0';
            wrong += judge(fx->arena, root, text, tallies);
        }
        for (unsigned i = 0; i < PLUMB_RELEASE_COUNT; i++) {
            const struct tally *t = &tallies[i];

            if (t->agree + t->differ > 0)
                print_message("%s %s: %zu of %zu verdicts as predicted, %zu do not count\n",
                              roots[r], plumb_release_name((enum plumb_release)i), t->agree,
                              t->agree + t->differ, t->outside);
            agree += t->agree;
            differ += t->differ;
        }
    }
    print_message("%zu verdicts, %zu otherwise than predicted\n", agree + differ, differ);
    assert_int_equal(wrong, 0);
    assert_true(agree > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(daemons_do_what_is_predicted, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("verdicts", tests, NULL, NULL);
}
