/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass read-nccl: NCCL topology files that lie beside the others, as far as rules ask about them.
 * NCCL reads them with a parser of its own, which takes less than XML is (facts: topology.md, c).
 */
#include <string.h>

#include "base/num.h"
#include "passes/pass.h"
#include "syntax/xml.h"

struct nccl_reader {
    struct plumb_session *s;
    struct plumb_nccl_file *file;
    size_t cpu_cap;
};

/* The first place of a text outside of comments, which NCCL skips. */
static struct plumb_span at_text(const struct plumb_source *src, const char *text)
{
    uint32_t len = (uint32_t)strlen(text);

    for (uint32_t i = 0; i + len <= src->len; i++) {
        const char *end = NULL;

        if (memcmp(src->bytes + i, text, len) == 0)
            return (struct plumb_span){src->id, i, i + len};
        if (src->len - i < 4 || memcmp(src->bytes + i, "<!--", 4) != 0)
            continue;
        end = strstr(src->bytes + i, "-->");
        if (end == NULL)
            break;
        i = (uint32_t)(end - src->bytes) + 2;
    }
    return (struct plumb_span){0};
}

static struct plumb_u64 read_numa(const struct plumb_xml *e)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(e, "numaid");
    struct plumb_u64 out = {.at = a == NULL ? e->at : a->value.at, .origin = PLUMB_BAD};

    if (a != NULL && plumb_read_u64(a->value.text, a->value.len, &out.v))
        out.origin = PLUMB_GIVEN;
    return out;
}

static void read_cpu(struct nccl_reader *rd, const struct plumb_xml *e)
{
    struct plumb_nccl_file *f = rd->file;
    const struct plumb_xml_attr *a = plumb_xml_attr(e, "affinity");
    struct plumb_nccl_cpu cpu = {.numa = read_numa(e), .at = e->at};

    if (a != NULL)
        cpu.affinity =
            (struct plumb_text){.v = plumb_intern_text(rd->s->intern, a->value.text, a->value.len),
                                .at = a->value.at,
                                .origin = PLUMB_GIVEN};
    f->cpus = plumb_arena_grow(rd->s->arena, f->cpus, f->cpu_count, &rd->cpu_cap,
                               sizeof(struct plumb_nccl_cpu));
    f->cpus[f->cpu_count++] = cpu;
}

/* The XML reader limits the depth. */
static void walk(struct nccl_reader *rd, const struct plumb_xml *e)
{
    for (uint32_t i = 0; i < e->child_count; i++) {
        const struct plumb_xml *child = e->children[i];

        if (strcmp(child->name, "cpu") == 0)
            read_cpu(rd, child);
        if (strcmp(child->name, "gpu") == 0 && plumb_xml_attr(child, "rank") != NULL &&
            rd->file->rank_count++ == 0)
            rd->file->first_rank = child->at;
        walk(rd, child);
    }
}

/* A file by itself is judged too: the model then holds nothing else. */
static void need_model(struct plumb_run *r)
{
    struct plumb_arena *a = r->session->arena;

    if (r->model == NULL) {
        r->model = PLUMB_NEW(a, struct plumb_model);
        r->model->release = r->session->sink.release;
        r->model->all_nodes = PLUMB_NEW(a, struct plumb_hostlist);
    }
    if (r->model->nccl_files == NULL)
        r->model->nccl_files = PLUMB_NEW_ARRAY(a, r->input_count, struct plumb_nccl_file);
    r->facts |= PLUMB_FACT_MODEL;
}

void plumb_pass_read_nccl(struct plumb_run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];
        struct nccl_reader rd = {.s = r->session};
        const struct plumb_xml *root = NULL;

        if (in->kind != PLUMB_KIND_NCCL || in->src == NULL)
            continue;
        root = plumb_xml_read(r->session, in->src);
        if (root == NULL || strcmp(root->name, "system") != 0)
            continue;
        need_model(r);
        rd.file = &r->model->nccl_files[r->model->nccl_file_count++];
        rd.file->prolog = at_text(in->src, "<?xml");
        if (!plumb_span_known(rd.file->prolog))
            rd.file->prolog = at_text(in->src, "<!DOCTYPE");
        rd.file->tab = at_text(in->src, "\t");
        walk(&rd, root);
    }
}
