/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of Slurm key=value files: what is read, and where each fault is. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "conf/conf.h"

struct finding {
    const char *code;
    uint32_t begin, end;
};

struct row {
    const char *text;
    const char *read; /* lines joined by " | ", pairs by a blank, values in <> */
    struct finding findings[3];
};

static const char *show_pair(struct plumb_buf *b, const struct plumb_setting *p)
{
    bool quoted = p->value.lead == 1;

    plumb_buf_str(b, p->key);
    if (p->op != '=')
        plumb_buf_char(b, p->op);
    plumb_buf_str(b, quoted ? "=\"" : "=<");
    plumb_buf_add(b, p->value.text, p->value.len);
    plumb_buf_str(b, quoted ? "\"" : ">");
    return plumb_buf_text(b);
}

static const char *show(struct fixture *fx, const struct plumb_conf *doc)
{
    static const char *const kinds[] = {"", "record ", "include ", "bad", "heading "};
    struct plumb_buf b = plumb_buf_in(fx->arena);

    for (size_t i = 0; i < doc->count; i++) {
        const struct plumb_conf_line *line = &doc->lines[i];

        plumb_buf_str(&b, i > 0 ? " | " : "");
        plumb_buf_str(&b, kinds[line->kind]);
        for (size_t j = 0; j < line->count; j++) {
            plumb_buf_str(&b, j > 0 ? " " : "");
            show_pair(&b, &line->pairs[j]);
        }
    }
    return plumb_buf_text(&b);
}

static struct plumb_conf *read_text(struct fixture *fx, enum plumb_file file, const char *text)
{
    static const struct plumb_conf_options options = {
        .directory = "",
        .release = PLUMB_24_11,
        .no_includes = true,
    };

    fx->session.sink.release = PLUMB_24_11;
    return plumb_conf_read(&fx->session, file, fx_source(fx, "slurm.conf", text), &options);
}

/* A slice gives back the place of every byte of its text. */
static void check_slice(struct fixture *fx, const struct plumb_slice *s)
{
    const struct plumb_source *src = plumb_source_get(&fx->session.sources, s->at.file);

    assert_non_null(src);
    assert_true(s->at.begin <= s->at.end && s->at.end <= src->len);
    assert_int_equal(s->text[s->len], '\0');
    for (uint32_t i = 0; i < s->len; i++) {
        struct plumb_span at = plumb_slice_span(s, i, i + 1);

        assert_int_equal(at.end, at.begin + 1);
        assert_int_equal(src->bytes[at.begin], s->text[i]);
    }
}

/* A key begins and ends where it was written, with escapes in between at most. */
static void check_key(struct fixture *fx, const struct plumb_setting *p)
{
    const struct plumb_source *src = plumb_source_get(&fx->session.sources, p->key_at.file);
    size_t len = strlen(p->key);

    assert_non_null(src);
    assert_true(p->key_at.begin + len <= p->key_at.end && p->key_at.end <= src->len);
    assert_int_equal(src->bytes[p->key_at.end - 1], p->key[len - 1]);
}

static void check_slices(struct fixture *fx, const struct plumb_conf *doc)
{
    for (size_t i = 0; i < doc->count; i++) {
        for (size_t j = 0; j < doc->lines[i].count; j++) {
            check_key(fx, &doc->lines[i].pairs[j]);
            check_slice(fx, &doc->lines[i].pairs[j].value);
        }
    }
}

static void check_rows(struct fixture *fx, enum plumb_file file, const struct row *rows,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct plumb_conf *doc = NULL;

        fx_row(fx, i, rows[i].text);
        doc = read_text(fx, file, rows[i].text);
        if (strcmp(show(fx, doc), rows[i].read) != 0)
            fail_msg("row %zu '%s': read as '%s', expected '%s'", i, rows[i].text, show(fx, doc),
                     rows[i].read);
        check_slices(fx, doc);
        for (size_t j = 0; j < PLUMB_COUNT(rows[i].findings) && rows[i].findings[j].code; j++)
            fx_expect(fx, rows[i].findings[j].code, rows[i].findings[j].begin,
                      rows[i].findings[j].end);
        fx_expect_nothing_else(fx);
    }
}

/* facts of the release's own regular expression: grammar, section 13, and its neighbours */
static void pairs_are_read_as_the_daemon_reads_them(void **state)
{
    static const struct row rows[] = {
        {"ClusterName=a", "ClusterName=<a>", {{0}}},
        {"ClusterName = a", "ClusterName=<a>", {{0}}},
        {"  clustername=\ta  \r\n", "clustername=<a>", {{0}}},
        {"MailProg= Epilog=1", "MailProg=<Epilog=1>", {{"CONF036", 10, 18}}},
        {"SchedulerParameters= bf_window=1", "SchedulerParameters=<bf_window=1>", {{0}}},
        {"MailProg=\"x y\"", "MailProg=\"x y\"", {{0}}},
        {"MailProg=\"\"", "MailProg=\"\"", {{0}}},
        {"MailProg=\"\" Epilog=2", "MailProg=\"\" | Epilog=<2>", {{"CONF032", 12, 20}}},
        {"MailProg=\"abc def", "MailProg=<\"abc>", {{"CONF033", 9, 10}}},
        {"MailProg=\"a b\"c", "MailProg=<\"a>", {{"CONF035", 14, 15}}},
        {"MailProg=b\"c d\"", "MailProg=<b\"c>", {{"CONF032", 13, 15}}},
        {"MailProg=\"ab\"c", "MailProg=<\"ab\"c>", {{"CONF034", 9, 10}}},
        {"MailProg=\"abc", "MailProg=<\"abc>", {{"CONF034", 9, 10}}},
        {"MailProg=a\"b", "MailProg=<a\"b>", {{"CONF034", 10, 11}}},
        {"MailProg=\"x\"y z", "MailProg=<\"x\"y>", {{"CONF035", 12, 13}}},
        {"SlurmctldHost=cp-01(10.0.0.10)", "SlurmctldHost=<cp-01(10.0.0.10)>", {{0}}},
        {"DebugFlags += Gres", "DebugFlags+=<Gres>", {{"CONF037", 11, 13}}},
        {"DebugFlags-=Gres", "DebugFlags-=<Gres>", {{"CONF037", 10, 12}}},
        {"DebugFlags + = Gres", "bad", {{"CONF030", 0, 19}}},
        {"DebugFlags=+Gres", "DebugFlags=<+Gres>", {{0}}},
        {"SuspendExcNodes = ", "bad", {{"CONF031", 0, 17}}},
        {"SuspendExcNodes=# none", "bad", {{"CONF031", 0, 16}}},
        {"Put the settings of this site here.", "bad", {{"CONF030", 0, 35}}},
        {"=x", "bad", {{"CONF030", 0, 2}}},
        {"Mail-Prog=x", "bad", {{"CONF030", 0, 11}}},
        {"Mail\xc3\xa9=x", "bad", {{"CONF030", 0, 8}}},
        {"\xc2\xa0MailProg=x", "bad", {{"CONF030", 0, 12}}},
        {"ReturnToService=1 SlurmctldTimeout=120 X",
         "ReturnToService=<1> | SlurmctldTimeout=<120>",
         {{"CONF032", 18, 38}, {"CONF032", 39, 40}}},
        {"ReturnToService=1 stray words", "ReturnToService=<1>", {{"CONF032", 18, 29}}},
        {"ReturnToService=1 NodeName=a CPUs=1",
         "ReturnToService=<1> | record NodeName=<a> CPUs=<1>",
         {{"CONF032", 18, 28}}},
        /* the table engine reports the key, and with it the line */
        {"Nonsense=1 stray", "Nonsense=<1>", {{0}}},
        {"CPUs=4 NodeName=a", "CPUs=<4>", {{0}}},
    };

    check_rows(*state, PLUMB_SLURM_CONF, rows, PLUMB_COUNT(rows));
}

static void records_are_read_to_the_end_of_the_line(void **state)
{
    static const struct row rows[] = {
        {"NodeName=a CPUs=4 Gres=gpu:2", "record NodeName=<a> CPUs=<4> Gres=<gpu:2>", {{0}}},
        {"nodename=a\tReason=\"x y\"\tState=DOWN",
         "record nodename=<a> Reason=\"x y\" State=<DOWN>",
         {{0}}},
        {"NodeName=a stray CPUs=4", "record NodeName=<a> CPUs=<4>", {{"CONF032", 11, 16}}},
        {"NodeName=a one two CPUs=4 three",
         "record NodeName=<a> CPUs=<4>",
         {{"CONF032", 11, 18}, {"CONF032", 26, 31}}},
        {"NodeName=a CPUs=", "record NodeName=<a>", {{"CONF031", 11, 16}}},
        {"NodeName=", "bad", {{"CONF031", 0, 9}}},
        {"NodeName=a Feature= Weight=10",
         "record NodeName=<a> Feature=<Weight=10>",
         {{"CONF036", 20, 29}}},
        /* as a number the value is the table engine's to report */
        {"NodeName=a Weight= CPUs=1", "record NodeName=<a> Weight=<CPUs=1>", {{0}}},
        {"NodeName= CPUs=4", "record NodeName=<CPUs=4>", {{"CONF036", 10, 16}}},
        {"NodeName=a Reason=\"no power State=DOWN",
         "record NodeName=<a> Reason=<\"no> State=<DOWN>",
         {{"CONF033", 18, 19}}},
        {"NodeName=a Reason=\"no power\"State=DOWN",
         "record NodeName=<a> Reason=<\"no>",
         {{"CONF035", 28, 38}}},
        {"NodeName=a Reason=\"no # power\"",
         "record NodeName=<a> Reason=<\"no>",
         {{"CONF034", 18, 19}}},
        {"PartitionName=p Nodes=a Default=YES # c",
         "record PartitionName=<p> Nodes=<a> Default=<YES>",
         {{0}}},
        {"SlurmctldHost=a CPUs=1", "SlurmctldHost=<a>", {{"CONF032", 16, 22}}},
    };
    static const struct row gres[] = {
        {"NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-7]",
         "record NodeName=<n[1-2]> Name=<gpu> File=</dev/nvidia[0-7]>",
         {{0}}},
        {"Name=gpu Count=2 AutoDetect", "record Name=<gpu> Count=<2>", {{"CONF032", 17, 27}}},
        {"AutoDetect=nvml Name=gpu",
         "AutoDetect=<nvml> | record Name=<gpu>",
         {{"CONF032", 16, 24}}},
    };

    check_rows(*state, PLUMB_SLURM_CONF, rows, PLUMB_COUNT(rows));
    check_rows(*state, PLUMB_GRES_CONF, gres, PLUMB_COUNT(gres));
}

static void comments_continuations_and_escapes_keep_their_places(void **state)
{
    static const struct row rows[] = {
        {"# only\n\n   \t\nClusterName=a # b", "ClusterName=<a>", {{0}}},
        {"MailProg=\"a # b\"", "MailProg=<\"a>", {{"CONF034", 9, 10}}},
        {"MailProg=a\\#b", "MailProg=<a#b>", {{0}}},
        {"MailProg=a\\\\#b", "MailProg=<a\\>", {{"CONF051", 12, 13}}},
        {"MailProg=a\\\\b", "MailProg=<a\\b>", {{0}}},
        {"MailProg=a\\nb", "MailProg=<anb>", {{"CONF050", 10, 11}}},
        {"MailProg=ab#cd", "MailProg=<ab>", {{"CONF051", 11, 12}}},
        {"MailProg=\"ab\"#cd", "MailProg=\"ab\"", {{0}}},
        {"DebugFlags=a,\\\nb", "DebugFlags=<a,b>", {{0}}},
        {"DebugFlags=a,\\  \t\r\nb", "DebugFlags=<a,b>", {{0}}},
        {"DebugFlags=a,\\ # note\nb", "DebugFlags=<a,b>", {{0}}},
        {"DebugFlags=a,\\\n  b", "DebugFlags=<a,>", {{"CONF032", 17, 18}}},
        {"DebugFlags=\"a,\\\n  b\"", "DebugFlags=\"a,  b\"", {{0}}},
        /* the comment line ends the statement, and what follows is a line of its own */
        {"NodeName=a \\\n# c\n CPUs=2", "record NodeName=<a> | CPUs=<2>", {{0}}},
        {"NodeName=a \\\n  CPUs=2 \\\n  Weight=3\nMailProg=x",
         "record NodeName=<a> CPUs=<2> Weight=<3> | MailProg=<x>",
         {{0}}},
        {"MailProg=a\\\\\nEpilog=b", "MailProg=<a\\> | Epilog=<b>", {{0}}},
        {"MailProg=a\\\\\\\nb", "MailProg=<a\\b>", {{0}}},
        {"MailProg=a \\", "MailProg=<a>", {{0}}},
        {"\\\n\\\nMailProg=a", "MailProg=<a>", {{0}}},
        {"ReturnToService=1 \\\nSlurmctldTimeout=2",
         "ReturnToService=<1> | SlurmctldTimeout=<2>",
         {{"CONF032", 20, 38}}},
        {"MailProg=\\\"a b\\\"", "MailProg=\"a b\"", {{"CONF050", 9, 10}, {"CONF050", 14, 15}}},
    };

    check_rows(*state, PLUMB_SLURM_CONF, rows, PLUMB_COUNT(rows));
}

static void byte_order_marks_are_faults_even_before_a_comment(void **state)
{
    static const struct row rows[] = {
        {"\xef\xbb\xbf# comment\nClusterName=a", "ClusterName=<a>", {{"CONF038", 0, 3}}},
        {"\xef\xbb\xbf\nClusterName=a", "ClusterName=<a>", {{"CONF038", 0, 3}}},
        {"\xef\xbb\xbf"
         "ClusterName=a",
         "ClusterName=<a>",
         {{"CONF038", 0, 3}}},
        {"\nClusterName=a\n\xef\xbb\xbf", "ClusterName=<a> | bad", {{"CONF030", 15, 18}}},
        {"\xff\xfe"
         "C",
         "",
         {{"CONF038", 0, 2}}},
    };

    check_rows(*state, PLUMB_SLURM_CONF, rows, PLUMB_COUNT(rows));
}

static void includes_have_one_form(void **state)
{
    static const struct row rows[] = {
        {"Include nodes.conf", "include Include =<nodes.conf>", {{"CONF048", 8, 18}}},
        {"INCLUDE\tnodes.conf  # x", "include INCLUDE =<nodes.conf>", {{"CONF048", 8, 18}}},
        {" Include a", "include Include =<a>", {{"CONF041", 1, 8}, {"CONF048", 9, 10}}},
        {"Include=a", "bad", {{"CONF049", 0, 8}}},
        {"include = a", "bad", {{"CONF049", 0, 9}}},
        {"Include", "bad", {{"CONF049", 0, 7}}},
        {"Include  \n", "bad", {{"CONF049", 0, 7}}},
        {"Include a b", "include Include =<a>", {{"CONF046", 10, 11}, {"CONF048", 8, 9}}},
        {"Includes a", "bad", {{"CONF030", 0, 10}}},
        {"Include\"a\"", "bad", {{"CONF030", 0, 10}}},
        {"IncludeX=a", "IncludeX=<a>", {{0}}},
    };

    check_rows(*state, PLUMB_SLURM_CONF, rows, PLUMB_COUNT(rows));
}

static void nul_bytes_end_their_line(void **state)
{
    static const char text[] = "ClusterName=a\0b junk\nMailProg=x\\\0\ny\n\0";
    struct fixture *fx = *state;
    struct plumb_source *src =
        plumb_source_add(&fx->session.sources, "slurm.conf", text, sizeof(text) - 1);
    static const struct plumb_conf_options options = {.directory = "", .no_includes = true};
    struct plumb_conf *doc = plumb_conf_read(&fx->session, PLUMB_SLURM_CONF, src, &options);

    assert_string_equal(show(fx, doc), "ClusterName=<a> | MailProg=<xy>");
    fx_expect(fx, "CONF039", 13, 20);
    fx_expect(fx, "CONF039", 32, 33);
    fx_expect(fx, "CONF039", 36, 37);
    fx_expect_nothing_else(fx);
}

static void effects_are_those_of_the_daemons_that_read_the_file(void **state)
{
    static const struct {
        enum plumb_file file;
        enum plumb_severity severity;
        enum plumb_effect effect;
        unsigned daemons;
    } rows[] = {
        {PLUMB_SLURM_CONF, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL},
        {PLUMB_GRES_CONF, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD},
        {PLUMB_SLURMDBD_CONF, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMDBD},
        {PLUMB_MPI_CONF, PLUMB_WARNING, PLUMB_EFFECT_IGNORED, PLUMB_SLURM_ALL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_diag *d = NULL;

        fx_row(fx, i, "some words");
        (void)read_text(fx, rows[i].file, "some words\n");
        assert_int_equal(fx->session.sink.count, 1);
        d = fx->session.sink.items[0];
        assert_int_equal(d->severity, rows[i].severity);
        assert_int_equal(d->effect, rows[i].effect);
        assert_int_equal(d->daemons, rows[i].daemons);
    }
}

static void comments_for_plumb_are_collected(void **state)
{
    struct fixture *fx = *state;
    struct plumb_conf *doc = read_text(fx, PLUMB_SLURM_CONF,
                                       "# plumb: ignore CONF001 -- why\n"
                                       "ClusterName=a #plumb: ignore X -- y \n"
                                       "# plumbing\n");

    assert_int_equal(doc->comment_count, 2);
    assert_string_equal(doc->comments[0].text.text, "plumb: ignore CONF001 -- why");
    assert_int_equal(doc->comments[0].line, 1);
    assert_true(doc->comments[0].alone);
    assert_int_equal(doc->comments[0].text.at.begin, 2);
    assert_int_equal(doc->comments[0].text.at.end, 30);
    assert_string_equal(doc->comments[1].text.text, "plumb: ignore X -- y");
    assert_int_equal(doc->comments[1].line, 2);
    assert_false(doc->comments[1].alone);
}

/* Files in a folder of their own, named by the process. */
struct folder {
    char path[64];
    struct fixture *fx;
};

static void make_folder(struct fixture *fx, struct folder *f)
{
    f->fx = fx;
    (void)snprintf(f->path, sizeof(f->path), "/tmp/plumb_conf_XXXXXX");
    assert_non_null(mkdtemp(f->path));
}

static void put_file(const struct folder *f, const char *name, const char *text)
{
    const char *path = plumb_arena_printf(f->fx->arena, "%s/%s", f->path, name);
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
    assert_int_equal(fclose(out), 0);
}

static void remove_files(const struct folder *f, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)unlink(plumb_arena_printf(f->fx->arena, "%s/%s", f->path, names[i]));
    (void)rmdir(f->path);
}

static struct plumb_conf *read_file(const struct folder *f, enum plumb_file file, const char *name)
{
    struct plumb_conf_options options = {.directory = f->path, .release = PLUMB_24_11};
    struct plumb_source *src = NULL;

    f->fx->session.sink.release = PLUMB_24_11;
    assert_int_equal(plumb_source_load(&f->fx->session.sources,
                                       plumb_arena_printf(f->fx->arena, "%s/%s", f->path, name),
                                       name, &src),
                     PLUMB_OK);
    return plumb_conf_read(&f->fx->session, file, src, &options);
}

static void included_lines_stand_in_their_own_file(void **state)
{
    static const char *const names[] = {"slurm.conf", "Alpha.conf", "alpha.conf", "more.conf"};
    struct fixture *fx = *state;
    struct folder f;
    struct plumb_conf *doc = NULL;

    make_folder(fx, &f);
    put_file(&f, "slurm.conf", "ClusterName=ALPHA\nInclude %c.conf\nMailProg=x\n");
    put_file(&f, "alpha.conf", "NodeName=a\nInclude /nowhere/more.conf\n# plumb: ignore A -- b\n");
    put_file(&f, "more.conf", "NodeName=b junk\n");
    doc = read_file(&f, PLUMB_SLURM_CONF, "slurm.conf");
    assert_string_equal(
        show(fx, doc),
        "ClusterName=<ALPHA> | include Include =<%c.conf> | record NodeName=<a> | "
        "include Include =</nowhere/more.conf> | record NodeName=<b> | MailProg=<x>");
    assert_int_equal(doc->lines[2].included_from, 2);
    assert_int_equal(doc->lines[4].included_from, 4);
    assert_int_equal(doc->lines[5].included_from, 0);
    assert_string_equal(plumb_source_get(&fx->session.sources, doc->lines[2].at.file)->path,
                        "alpha.conf");
    assert_int_equal(doc->comments[0].text.at.file, doc->lines[2].at.file);
    check_slices(fx, doc);
    fx_expect_at(fx, "CONF032", 1, 12);
    fx_expect_nothing_else(fx);
    remove_files(&f, names, PLUMB_COUNT(names));
}

static void includes_that_fail_are_faults_at_the_file_name(void **state)
{
    static const char *const names[] = {"slurm.conf", "again.conf"};
    struct fixture *fx = *state;
    struct folder f;

    make_folder(fx, &f);
    put_file(&f, "slurm.conf",
             "Include %c.conf\nInclude gone.conf\nInclude conf.d/*.conf\nInclude slurm.conf\n"
             "Include again.conf\nInclude .\nInclude /nowhere/gone.conf\nClusterName=a\n");
    put_file(&f, "again.conf", "\nInclude again.conf\n");
    (void)read_file(&f, PLUMB_SLURM_CONF, "slurm.conf");
    fx_expect_at(fx, "CONF043", 1, 9);
    fx_expect_at(fx, "CONF040", 2, 9);
    fx_expect_at(fx, "CONF042", 3, 16);
    fx_expect_at(fx, "CONF044", 4, 9);
    fx_expect_at(fx, "CONF044", 2, 9);
    fx_expect_at(fx, "CONF040", 6, 9);
    fx_expect_at(fx, "CONF040", 7, 9);
    fx_expect_nothing_else(fx);
    /* what lies elsewhere on another machine is not known to be missing */
    assert_int_equal(fx->session.sink.items[6]->severity, PLUMB_WARNING);
    assert_true(fx->session.sink.incomplete);
    remove_files(&f, names, PLUMB_COUNT(names));
}

static void slurmdbd_demands_that_included_files_are_private(void **state)
{
    static const char *const names[] = {"slurmdbd.conf", "secret.conf"};
    struct fixture *fx = *state;
    struct folder f;

    make_folder(fx, &f);
    put_file(&f, "slurmdbd.conf", "Include secret.conf\n");
    put_file(&f, "secret.conf", "StoragePass=x\n");
    assert_int_equal(chmod(plumb_arena_printf(fx->arena, "%s/secret.conf", f.path), 0640), 0);
    (void)read_file(&f, PLUMB_SLURMDBD_CONF, "slurmdbd.conf");
    fx_expect(fx, "CONF047", 8, 19);
    assert_int_equal(fx->session.sink.items[0]->daemons, PLUMB_SLURMDBD);
    fx_expect_nothing_else(fx);
    remove_files(&f, names, PLUMB_COUNT(names));
}

static void deep_includes_end_at_the_limit(void **state)
{
    struct fixture *fx = *state;
    struct folder f;
    const char *names[PLUMB_MAX_INCLUDE_DEPTH + 3] = {"slurm.conf"};

    make_folder(fx, &f);
    put_file(&f, "slurm.conf", "Include 1.conf\n");
    for (int i = 1; i <= PLUMB_MAX_INCLUDE_DEPTH + 2; i++) {
        names[i] = plumb_arena_printf(fx->arena, "%d.conf", i);
        put_file(&f, names[i], plumb_arena_printf(fx->arena, "Include %d.conf\n", i + 1));
    }
    (void)read_file(&f, PLUMB_SLURM_CONF, "slurm.conf");
    fx_expect_at(fx, "CONF045", 1, 9);
    fx_expect_nothing_else(fx);
    assert_true(fx->session.sink.incomplete);
    remove_files(&f, names, PLUMB_COUNT(names));
}

static void a_line_of_a_megabyte_is_read(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);
    struct plumb_conf *doc = NULL;

    plumb_buf_str(&b, "NodeName=");
    for (unsigned i = 0; i < 150000; i++)
        plumb_buf_printf(&b, "n%06u,", i);
    plumb_buf_str(&b, "x CPUs=1\n");
    doc = read_text(fx, PLUMB_SLURM_CONF, plumb_buf_text(&b));
    assert_int_equal(doc->count, 1);
    assert_int_equal(doc->lines[0].pairs[0].value.len, 150000 * 8 + 1);
    assert_string_equal(doc->lines[0].pairs[1].value.text, "1");
    fx_expect_nothing_else(fx);
}

static void a_million_faults_take_little_memory(void **state)
{
    enum { FAULTS = 1000000 };
    struct fixture *fx = *state;
    char *text = PLUMB_NEW_ARRAY(fx->arena, 2 * FAULTS + 1, char);
    size_t before = 0;

    for (size_t i = 0; i < FAULTS; i++)
        memcpy(text + 2 * i, "\\x", 2);
    (void)fx_source(fx, "same", text);
    before = plumb_arena_used(fx->arena);
    (void)read_text(fx, PLUMB_SLURM_CONF, text);
    assert_int_equal(fx->session.sink.count, PLUMB_MAX_FINDINGS);
    assert_int_equal(fx->session.sink.dropped, FAULTS + 1 - PLUMB_MAX_FINDINGS);
    /* the text twice, an offset for each byte, and what was kept */
    assert_true(plumb_arena_used(fx->arena) - before < 28u << 20);
}

static void files_are_known_by_name_then_by_content(void **state)
{
    static const struct {
        const char *path, *text;
        enum plumb_file file;
    } rows[] = {
        {"/etc/slurm/slurm.conf", "", PLUMB_SLURM_CONF},
        {"gres.conf", "NodeName=a Feature=b", PLUMB_GRES_CONF},
        {"slurmdbd.conf", "x", PLUMB_SLURMDBD_CONF},
        {"nodes.conf", "# nodes\nNodeName=a CPUs=4 RealMemory=10\nPartitionName=p Nodes=a\n",
         PLUMB_SLURM_CONF},
        {"gpus.conf", "NodeName=a Name=gpu File=/dev/nvidia0\n", PLUMB_GRES_CONF},
        {"-", "StorageType=accounting_storage/mysql\nDbdHost=a\n", PLUMB_SLURMDBD_CONF},
        {"-", "ConstrainCores=yes\nConstrainDevices=yes\n", PLUMB_CGROUP_CONF},
        {"-", "SwitchName=s1 Nodes=a\nSwitchName=s2 Switches=s1", PLUMB_TOPOLOGY_CONF},
        {"allowed.conf", "/dev/null\n/dev/zero\n", PLUMB_FILE_COUNT},
        {"cluster.yaml", "plumb: 1\ncluster:\n  name: a\n", PLUMB_FILE_COUNT},
        {"a.xml", "<topology version=\"2.0\">\n<object type=\"Machine\"/>\n</topology>",
         PLUMB_FILE_COUNT},
        {"plugstack.conf", "include /etc/slurm/plugstack.conf.d/*\nrequired x.so\n",
         PLUMB_FILE_COUNT},
        {"empty", "", PLUMB_FILE_COUNT},
    };

    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        enum plumb_file got = plumb_conf_sniff(rows[i].path, rows[i].text, strlen(rows[i].text));

        if (got != rows[i].file)
            fail_msg("row %zu '%s': taken for '%s'", i, rows[i].text, plumb_file_name(got));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pairs_are_read_as_the_daemon_reads_them, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(records_are_read_to_the_end_of_the_line, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(comments_continuations_and_escapes_keep_their_places,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(byte_order_marks_are_faults_even_before_a_comment, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(includes_have_one_form, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(nul_bytes_end_their_line, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(effects_are_those_of_the_daemons_that_read_the_file,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(comments_for_plumb_are_collected, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(included_lines_stand_in_their_own_file, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(includes_that_fail_are_faults_at_the_file_name, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(slurmdbd_demands_that_included_files_are_private, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(deep_includes_end_at_the_limit, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_line_of_a_megabyte_is_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_million_faults_take_little_memory, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(files_are_known_by_name_then_by_content, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/read", tests, NULL, NULL);
}
