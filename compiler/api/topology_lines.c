/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What captures become: a specification, the lines of slurm.conf and gres.conf, files for NCCL.
 * There is no second way from a machine to lines: the specification is compiled by the passes and
 * targets of `build`, and what is about machines is shown.
 */
#include <string.h>

#include "api/internal.h"
#include "base/text.h"
#include "emit/topo.h"
#include "passes/captures.h"
#include "passes/resolve.h"
#include "spec/tree.h"

/* The machines whose CPUs are whole: of the others no node line follows. */
struct machines {
    const struct plumb_hardware **hw;
    const char **paths, **class_names;
    size_t count;
};

/* What topology: says so that the group is found again: its path, or the name of a reference. */
static const char *path_of(const struct plumb_handle *h, const struct plumb_hardware *hw)
{
    const struct plumb_captures *c = h->run.captures;

    for (size_t i = 0; i < c->count; i++) {
        if (c->groups[i]->hardware == hw)
            return hw->builtin ? c->groups[i]->name : c->groups[i]->path;
    }
    return hw->name;
}

static struct machines whole_machines(struct plumb_handle *h, struct plumb_buf *out)
{
    const struct plumb_model *m = h->run.model;
    struct plumb_arena *a = h->arena;
    struct machines all = {.hw =
                               PLUMB_NEW_ARRAY(a, m->hardware_count, const struct plumb_hardware *),
                           .paths = PLUMB_NEW_ARRAY(a, m->hardware_count, const char *),
                           .class_names = PLUMB_NEW_ARRAY(a, m->hardware_count, const char *)};

    for (size_t i = 0; i < m->hardware_count; i++) {
        const struct plumb_hardware *hw = m->hardware[i];

        if (hw->incomplete_cpus || hw->gpus_differ || !plumb_usable(hw->core_count)) {
            plumb_buf_printf(out, "# %s: nothing is derived: %s\n", hw->name,
                             hw->gpus_split
                                 ? "the GPUs are partitions of devices, which hwloc does not tell"
                             : hw->cores_differ || hw->gpus_differ
                                 ? "two captures disagree; take them again, outside of jobs"
                             : hw->incomplete_cpus
                                 ? "the capture hides CPUs; capture outside of jobs and containers"
                                 : "no capture shows the cores; add hwloc XML or 'slurmd -C'");
            continue;
        }
        all.hw[all.count] = hw;
        all.paths[all.count++] = path_of(h, hw);
    }
    return all;
}

/* The passes between a specification and the documents of one target, over the machines at hand. */
static void compile(struct plumb_handle *h, struct plumb_run *r, const struct plumb_buf *spec,
                    const char *target)
{
    static const char name[] = "cluster.yaml";
    struct plumb_input in = {.path = name, .shown = name, .kind = PLUMB_KIND_SPEC, .listed = true};

    in.src = plumb_source_add(&h->session.sources, name, plumb_buf_text(spec), spec->len);
    *r = (struct plumb_run){
        .session = &h->session,
        .forced_release = h->run.model->release,
        .captures = h->run.captures,
        .reference_dir = h->run.reference_dir,
        .want_outputs = true,
        .force_outputs = true,
        .targets = target,
        .inputs = &in,
        .input_count = 1,
        .facts = PLUMB_FACT_SOURCES,
    };
    plumb_pass_read_spec(r);
    plumb_pass_resolve(r);
    r->model->hardware = h->run.model->hardware;
    r->model->hardware_count = h->run.model->hardware_count;
    plumb_pass_attach(r);
    plumb_pass_derive(r);
    plumb_pass_type_values(r);
    plumb_pass_lower(r);
    r->inputs = NULL;
    r->input_count = 0;
}

/* An error about the specification that we wrote: nothing is shown that stands on it. */
static bool compiled(struct plumb_handle *h, size_t before)
{
    const struct plumb_sink *sink = &h->session.sink;

    for (size_t i = before; i < sink->count; i++) {
        if (sink->items[i]->severity == PLUMB_ERROR) {
            h->out_problem = sink->items[i]->message;
            return false;
        }
    }
    return true;
}

static const struct plumb_conf *document(const struct plumb_run *r, enum plumb_file file)
{
    for (size_t i = 0; i < r->outputs->doc_count; i++) {
        if (r->outputs->docs[i].kind == PLUMB_DOC_CONF && r->outputs->docs[i].conf->file == file)
            return r->outputs->docs[i].conf;
    }
    return NULL;
}

/* What a line of slurm.conf says about machines. */
static bool about_machines(const struct plumb_conf_line *line)
{
    static const enum plumb_param_id ids[] = {
        PLUMB_P_SLURM_GRESTYPES, PLUMB_P_SLURM_SLURMDPARAMETERS, PLUMB_P_SLURM_NODENAME};

    for (size_t i = 0; line->count > 0 && i < PLUMB_COUNT(ids); i++) {
        if (line->kind != PLUMB_CONF_HEADING && line->pairs[0].param != NULL &&
            line->pairs[0].param->id == (unsigned)ids[i])
            return true;
    }
    return false;
}

/* All lines of a document, or those about machines, without the header of build. */
static void print_lines(struct plumb_handle *h, const struct plumb_conf *doc, bool all,
                        struct plumb_buf *out)
{
    struct plumb_conf kept = {0};
    const struct plumb_setting *bad = NULL;
    const char *header[1] = {NULL};

    if (doc == NULL)
        return;
    kept = *doc;
    kept.lines = PLUMB_NEW_ARRAY(h->arena, doc->count, struct plumb_conf_line);
    kept.count = 0;
    for (size_t i = 0; i < doc->count; i++) {
        if (all ? doc->lines[i].kind != PLUMB_CONF_HEADING : about_machines(&doc->lines[i]))
            kept.lines[kept.count++] = doc->lines[i];
    }
    header[0] = plumb_file_name(doc->file);
    (void)plumb_conf_write(&kept, header, 1, out, NULL, &bad);
}

/* The sockets of the class as derive chose to count them. */
static void print_autodetect(struct plumb_handle *h, const struct plumb_run *r,
                             const struct machines *all, struct plumb_buf *out)
{
    bool headed = false;

    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_nodes *n = NULL;

        for (size_t k = 0; k < r->model->node_count; k++) {
            if (strcmp(r->model->nodes[k].class_name, all->class_names[i]) == 0)
                n = &r->model->nodes[k];
        }
        if (n == NULL || all->hw[i]->gpu_count == 0)
            continue;

        struct plumb_detect_use d[PLUMB_DETECT_USES];
        size_t count = plumb_detect_uses(h->arena, all->hw[i], plumb_socket_kind(r->model, n),
                                         h->session.table, h->session.sink.release, d);

        for (size_t k = 0; k < count; k++, headed = true)
            plumb_buf_printf(out, "%s# AutoDetect=%s for %s: %s: %s\n", headed ? "" : "\n",
                             d[k].word, all->class_names[i], d[k].advice, d[k].why);
    }
}

/* The machine of each file stands in its name; a reader of one file wants nothing else. */
static void print_nccl(struct plumb_handle *h, const struct plumb_run *r, struct plumb_buf *out)
{
    size_t count = 0;

    for (size_t i = 0; i < r->outputs->skip_count; i++)
        plumb_buf_printf(out, "<!-- %s is not made: %s -->\n", r->outputs->skips[i].path,
                         r->outputs->skips[i].reason);
    for (size_t i = 0; i < r->outputs->doc_count; i++)
        count += r->outputs->docs[i].kind == PLUMB_DOC_XML;
    if (count > 1) {
        h->out_problem = "NCCL reads the file of one machine, give one capture";
        return;
    }
    for (size_t i = 0; i < r->outputs->doc_count; i++) {
        const struct plumb_doc *doc = &r->outputs->docs[i];

        if (doc->kind == PLUMB_DOC_XML)
            plumb_xml_write(out, doc->xml, NULL, doc->dialect, NULL);
    }
}

void plumb_topology_rails(struct plumb_handle *h, struct plumb_buf *out)
{
    const struct plumb_model *m = h->run.model;

    if (m != NULL && m->hardware_count > 1)
        h->out_problem = "NCCL reads the file of one machine, give one capture";
    else if (m != NULL && m->hardware_count == 1 && !plumb_topo_nccl_conf(out, m->hardware[0])) {
        h->out_problem = plumb_arena_strdup(h->arena, plumb_buf_text(out) + 2);
        out->len = 0;
    }
}

void plumb_topology_lines(struct plumb_handle *h, const char *format, struct plumb_buf *out)
{
    struct plumb_buf spec = plumb_buf_in(h->arena);
    struct machines all = {0};
    struct plumb_run r = {0};
    bool both = h->with != NULL && strcmp(h->with, "all") == 0;
    struct plumb_topo_with with = {
        .nvme = both || (h->with != NULL && strcmp(h->with, "nvme") == 0),
        .hca = both || (h->with != NULL && strcmp(h->with, "hca") == 0),
    };

    if (h->run.model == NULL || h->run.captures == NULL)
        return;
    all = whole_machines(h, out);
    if (all.count == 0)
        return;
    plumb_topo_spec(&spec, all.hw, all.count, all.paths, &with, all.class_names);
    if (strcmp(format, "spec") == 0) {
        plumb_buf_add(out, plumb_buf_text(&spec), spec.len);
        return;
    }

    size_t before = h->session.sink.count;

    compile(h, &r, &spec, strcmp(format, "nccl") == 0 ? "nccl" : "slurm");
    if (!compiled(h, before)) {
        out->len = 0;
        return;
    }
    if (strcmp(format, "nccl") == 0) {
        print_nccl(h, &r, out);
        return;
    }
    print_lines(h, document(&r, PLUMB_SLURM_CONF), false, out);
    plumb_buf_char(out, '\n');
    print_lines(h, document(&r, PLUMB_GRES_CONF), true, out);
    print_autodetect(h, &r, &all, out);
}
