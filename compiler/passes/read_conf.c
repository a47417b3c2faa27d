/* SPDX-License-Identifier: Apache-2.0 */
/* Pass read-conf: one document per kind of Slurm file, with what it includes. */
#include <string.h>

#include "base/path.h"
#include "conf/conf.h"
#include "conf/nested.h"
#include "conf/syntax_rules.h"
#include "passes/type.h"

static bool is_kind(const struct plumb_input *in, enum plumb_file file)
{
    enum plumb_source_kind kind = plumb_file_is_yaml(file) ? PLUMB_KIND_NESTED : PLUMB_KIND_CONF;

    return in->kind == kind && in->conf_file == file && in->src != NULL;
}

/* The one with the name that daemons look for; else the first, NULL: none. */
static const struct plumb_input *main_input(const struct plumb_run *r, enum plumb_file file)
{
    const struct plumb_input *first = NULL;

    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (!is_kind(in, file))
            continue;
        if (strcmp(plumb_path_base(in->shown), plumb_file_name(file)) == 0)
            return in;
        if (first == NULL)
            first = in;
    }
    return first;
}

/* Relative names of every file resolve beside slurm.conf (parse_config.c:s_p_parse_file). */
static const struct plumb_input *beside(const struct plumb_run *r, const struct plumb_input *in)
{
    const struct plumb_input *slurm = main_input(r, PLUMB_SLURM_CONF);

    return slurm != NULL && slurm->src->mode != 0 ? slurm : in;
}

/*
 * Node lines that say the same are one for everyone behind. Where files are written anew each stays
 * a line, and where machines were captured each may have one of its own.
 */
static bool may_fold(const struct plumb_run *r)
{
    return !r->want_outputs && (r->facts & PLUMB_FACT_CAPTURES) == 0;
}

static void read_one(struct plumb_run *r, const struct plumb_input *in)
{
    struct plumb_session *s = r->session;
    const struct plumb_input *place = beside(r, in);
    struct plumb_conf_options options = {
        .directory = plumb_path_folder(s->arena, place->path),
        .shown_directory = plumb_path_folder(s->arena, place->shown),
        .release = s->sink.release,
        .no_includes = in->src->mode == 0,
        .fold_nodes = may_fold(r),
    };

    r->conf[in->conf_file] = plumb_conf_read(s, in->conf_file, in->src, &options);
}

/* What is wrong in a file that no daemon of the release opens is nobody's concern. */
static void read_file(struct plumb_run *r, const struct plumb_input *in)
{
    size_t before = r->session->sink.count;

    if (plumb_file_is_yaml(in->conf_file))
        r->nested[in->conf_file] = plumb_nested_read(r->session, in->conf_file, in->src);
    else
        read_one(r, in);
    if (!plumb_file_is_read(r, in->conf_file))
        r->session->sink.count = before;
}

/* Is a file part of some document: its own, or through an Include? */
static bool was_read(const struct plumb_run *r, const struct plumb_source *src)
{
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        const struct plumb_conf *doc = r->conf[f];

        if (doc == NULL)
            continue;
        for (size_t i = 0; i < doc->source_count; i++) {
            if (doc->sources[i] == src)
                return true;
        }
    }
    return false;
}

static void report_unused(const struct plumb_run *r, const struct plumb_input *in)
{
    const struct plumb_source *used = r->conf[in->conf_file]->src;
    struct plumb_diag *d =
        plumb_conf_fault(&r->session->sink, PLUMB_CONF_SECOND_FILE, PLUMB_FILE_COUNT,
                         (struct plumb_span){in->src->id, 0, 0},
                         "'%s' holds settings of %s and is not read, expected an Include of it in "
                         "'%s'",
                         in->shown, plumb_file_name(in->conf_file), used->path);

    plumb_diag_note(d, (struct plumb_span){used->id, 0, 0}, "this one is read");
}

void plumb_pass_read_conf(struct plumb_run *r)
{
    struct plumb_sink *sink = &r->session->sink;

    /* A specification names its own release; files alone do not. */
    if (r->forced_release != PLUMB_RELEASE_NONE)
        sink->release = r->forced_release;
    else if ((r->facts & PLUMB_FACT_SPEC) == 0 && (r->facts & PLUMB_FACT_KUBE) != 0 &&
             r->kube_slurm != PLUMB_RELEASE_NONE)
        sink->release = r->kube_slurm;
    else if ((r->facts & PLUMB_FACT_SPEC) == 0 && (r->facts & PLUMB_FACT_LIVE) != 0 &&
             r->live_release != PLUMB_RELEASE_NONE)
        sink->release = r->live_release;
    else if ((r->facts & PLUMB_FACT_SPEC) == 0)
        sink->release = r->session->table != NULL ? r->session->table->newest
                                                  : (enum plumb_release)PLUMB_RELEASE_NEWEST;
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        const struct plumb_input *in = main_input(r, (enum plumb_file)f);

        if (in == NULL)
            continue;
        read_file(r, in);
        r->facts |= PLUMB_FACT_CONF;
    }
    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (in->kind == PLUMB_KIND_CONF && in->src != NULL && !was_read(r, in->src))
            report_unused(r, in);
        else if (in->kind == PLUMB_KIND_PLUGSTACK && in->src != NULL)
            r->plugstack = plumb_plugstack_check(
                r->session, in->src,
                in->src->mode == 0 ? NULL : plumb_path_folder(r->session->arena, in->path));
    }
}
