/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gres= of a node class and its lines of gres.conf. A GPU of the capture becomes one line
 * with its device file, the cores that the whole-socket rule of slurmctld takes, and its
 * links where they tell something. What the specification counts is written as it says:
 * whether the capture agrees is for rules.
 */
#include <inttypes.h>
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "passes/derive.h"
#include "spec/rules.h"

/* One item of gres: a name with one of its types. */
struct item {
    const struct plumb_spec_value *gres, *value; /* the key, and the mapping of this type */
    const char *name, *type;                     /* type NULL: untyped */
    struct plumb_span name_at, type_at, count_at;
    uint64_t count;
    struct plumb_hostlist *files; /* as written; NULL */
    const struct plumb_spec_value *files_value;
    bool gpu;
};

static struct plumb_hostlist *read_files(struct plumb_derive *d, const struct plumb_spec_value *v)
{
    struct plumb_hostlist *all = PLUMB_NEW(d->a, struct plumb_hostlist);

    for (size_t i = 0; i < v->count; i++) {
        struct plumb_hostlist *h = NULL;

        if (plumb_usable(v->items[i]))
            h = plumb_hostlist_read(d->s, &v->items[i].text, d->m->release);
        if (h == NULL)
            return NULL;
        plumb_hostlist_append(d->a, all, h);
    }
    all->at = v->at;
    return all;
}

/* Written, else the files, else what the machine has, else one. */
static void count_item(struct plumb_derive *d, struct item *it)
{
    const struct plumb_spec_value *count = plumb_spec_get(it->value, "count");
    const struct plumb_hardware *hw = d->n->hardware;

    it->count_at = it->value->at;
    if (count != NULL && plumb_usable(*count)) {
        it->count = count->number;
        it->count_at = count->at;
    } else if (it->files != NULL) {
        it->count = it->files->count;
    } else if (it->gpu && hw != NULL && hw->gpu_count > 0 && it->gres->count == 1) {
        it->count = hw->gpu_count;
    } else {
        it->count = 1;
    }
}

static struct item item_of(struct plumb_derive *d, const struct plumb_spec_value *gres,
                           const struct plumb_spec_value *value)
{
    const struct plumb_spec_value *type = plumb_spec_get(value, "type");
    const struct plumb_spec_value *files = plumb_spec_get(value, "files");
    struct item it = {.gres = gres, .value = value, .name = gres->name, .name_at = gres->key_at};

    it.gpu = strcmp(it.name, "gpu") == 0;
    if (type != NULL && plumb_usable(*type)) {
        it.type = plumb_intern_text(d->s->intern, type->text.text, type->text.len);
        it.type_at = type->at;
    }
    if (files != NULL && plumb_usable(*files) && files->shape == PLUMB_SHAPE_LIST) {
        it.files = read_files(d, files);
        it.files_value = files;
    }
    count_item(d, &it);
    if (it.gpu && it.count > PLUMB_MAX_GPUS)
        plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_OUT_OF_RANGE), it.count_at,
                       "%" PRIu64 " GPUs in a node, expected at most %d, which is Slurm's limit",
                       it.count, PLUMB_MAX_GPUS);
    return it;
}

static void add_text(struct plumb_derive *d, struct plumb_gres_line *line, enum plumb_param_id id,
                     const char *text, struct plumb_span at, enum plumb_origin origin)
{
    plumb_setting_add_text(d->a, &line->settings, id, text, at, origin);
}

static const char *flags_text(struct plumb_derive *d, const struct plumb_spec_value *flags)
{
    struct plumb_buf b = plumb_buf_in(d->a);

    for (size_t i = 0; i < flags->count; i++) {
        if (plumb_usable(flags->items[i]))
            plumb_buf_printf(&b, "%s%s", b.len > 0 ? "," : "", flags->items[i].word->slurm);
    }
    return plumb_buf_text(&b);
}

static struct plumb_gres_line *add_line(struct plumb_derive *d, const struct item *it)
{
    struct plumb_model *m = d->m;
    const struct plumb_spec_value *flags = NULL;
    struct plumb_gres_line *line = NULL;

    m->gres_lines = plumb_arena_grow(d->a, m->gres_lines, m->gres_line_count, &d->gres_line_cap,
                                     sizeof(*m->gres_lines));
    line = &m->gres_lines[m->gres_line_count++];
    *line = (struct plumb_gres_line){.at = d->n->at, .hosts = d->n->hosts};
    if (it == NULL)
        return line;
    line->at = it->name_at;
    line->name = plumb_intern_str(d->s->intern, it->name);
    add_text(d, line, PLUMB_P_GRES_NAME, it->name, it->name_at, PLUMB_GIVEN);
    if (it->type != NULL)
        add_text(d, line, PLUMB_P_GRES_TYPE, it->type, it->type_at, PLUMB_GIVEN);
    flags = plumb_spec_get(it->value, "flags");
    if (flags != NULL && plumb_usable(*flags))
        add_text(d, line, PLUMB_P_GRES_FLAGS, flags_text(d, flags), flags->at, PLUMB_GIVEN);
    return line;
}

/* The number behind /dev/nvidia; PLUMB_NO_INDEX for another file. */
static uint32_t minor_of(const char *file)
{
    static const char prefix[] = "/dev/nvidia";
    uint64_t v = 0;

    if (!plumb_starts_with(file, prefix) ||
        !plumb_read_u64(file + sizeof(prefix) - 1, strlen(file) - sizeof(prefix) + 1, &v) ||
        v >= PLUMB_NO_INDEX)
        return PLUMB_NO_INDEX;
    return (uint32_t)v;
}

/* NVML's order is that of bus ids, and so are minors unless a capture shows otherwise. */
static uint32_t minor_of_gpu(const struct plumb_hw_gpu *gpu)
{
    return gpu->minor != PLUMB_NO_INDEX ? gpu->minor : gpu->index;
}

static uint32_t gpu_of_file(const struct plumb_hardware *hw, const char *file)
{
    uint32_t minor = minor_of(file);

    for (uint32_t g = 0; minor != PLUMB_NO_INDEX && hw != NULL && g < hw->gpu_count; g++) {
        if (minor_of_gpu(&hw->gpus[g]) == minor)
            return g;
    }
    return PLUMB_NO_INDEX;
}

/*
 * True when Cores= would say something for every GPU: some without would get all cores and
 * an error (checks S386), and all cores for all of them is what a line without Cores means.
 */
static bool cores_tell(struct plumb_derive *d, const struct plumb_hardware *hw,
                       enum plumb_hw_socket_kind kind)
{
    bool tell = false;

    for (uint32_t g = 0; g < hw->gpu_count; g++) {
        struct plumb_bits cores;

        if (!plumb_derive_cores(d, g, kind, &cores))
            return false;
        tell = tell || plumb_bits_count(&cores) < hw->core_count.v;
    }
    return tell;
}

static bool links_tell(const struct plumb_hardware *hw)
{
    for (uint32_t a = 0; !hw->nvswitch && hw->links_known && a < hw->gpu_count; a++) {
        for (uint32_t b = 0; b < hw->gpu_count; b++) {
            if (a != b && plumb_hardware_links(hw, a, b) > 0)
                return true;
        }
    }
    return false;
}

static bool sockets_agree(const struct plumb_derive *d, enum plumb_hw_socket_kind kind)
{
    const struct plumb_hw_sockets *by = &d->n->hardware->sockets[kind];
    struct plumb_u64 cores =
        plumb_setting_u64(&d->n->settings, PLUMB_P_NODE_CORESPERSOCKET, d->m->release);

    return plumb_usable(cores) && cores.v == by->cores_per_socket;
}

static void add_locality(struct plumb_derive *d, struct plumb_gres_line *line, uint32_t gpu)
{
    const struct plumb_hardware *hw = d->n->hardware;
    enum plumb_hw_socket_kind kind = plumb_socket_kind(d->m, d->n);
    struct plumb_buf b = plumb_buf_in(d->a);
    struct plumb_bits cores;

    /* Sockets written by hand otherwise: the rule counts in those, so nothing can be said. */
    if (sockets_agree(d, kind) && cores_tell(d, hw, kind) &&
        plumb_derive_cores(d, gpu, kind, &cores)) {
        plumb_bits_text(&cores, &b);
        add_text(d, line, PLUMB_P_GRES_CORES, plumb_buf_text(&b), hw->gpus[gpu].locality_at,
                 PLUMB_DERIVED);
    }
    if (links_tell(hw)) {
        b = plumb_buf_in(d->a);
        plumb_hardware_links_text(hw, gpu, &b);
        add_text(d, line, PLUMB_P_GRES_LINKS, plumb_buf_text(&b), hw->gpus[gpu].at, PLUMB_DERIVED);
    }
}

static void add_gpu(struct plumb_derive *d, const struct item *it, const char *file,
                    struct plumb_span at, enum plumb_origin origin)
{
    struct plumb_gres_line *line = add_line(d, it);
    uint32_t gpu = gpu_of_file(d->n->hardware, file);

    add_text(d, line, PLUMB_P_GRES_FILE, file, at, origin);
    if (gpu != PLUMB_NO_INDEX)
        add_locality(d, line, gpu);
}

static void gpu_files(struct plumb_derive *d, const struct item *it)
{
    for (uint64_t i = 0; i < it->files->count && i < PLUMB_MAX_GPUS; i++)
        add_gpu(d, it, plumb_hostlist_name(d->a, it->files, i), it->files_value->at, PLUMB_GIVEN);
}

/* "NVIDIA H100 80GB HBM3" holds "h100": gpu_nvml.c compares lower case with underscores. */
static bool model_is(const char *model, const char *type)
{
    size_t len = strlen(type);

    for (; *model != '\0'; model++) {
        size_t i = 0;

        while (i < len && model[i] != '\0' &&
               plumb_lower(model[i] == ' ' ? '_' : model[i]) == plumb_lower(type[i]))
            i++;
        if (i == len)
            return true;
    }
    return false;
}

/* One type takes every GPU in order; of several, each takes those of its model. */
static bool takes(const struct item *it, const struct plumb_hw_gpu *gpu)
{
    return it->gres->count <= 1 || it->type == NULL || gpu->model == NULL ||
           model_is(gpu->model, it->type);
}

static const char *device(struct plumb_derive *d, uint64_t minor)
{
    return plumb_arena_printf(d->a, "/dev/nvidia%" PRIu64, minor);
}

static void gpu_capture(struct plumb_derive *d, const struct item *it, struct plumb_bits *taken)
{
    const struct plumb_hardware *hw = d->n->hardware;
    uint64_t left = it->count;

    for (uint32_t g = 0; g < hw->gpu_count && left > 0; g++) {
        if (plumb_bits_has(taken, g) || !takes(it, &hw->gpus[g]))
            continue;
        plumb_bits_set(d->a, taken, g, g);
        add_gpu(d, it, device(d, minor_of_gpu(&hw->gpus[g])), hw->gpus[g].at, PLUMB_DERIVED);
        left--;
    }
}

/* No capture: the driver's names, from the first free number on. */
static void gpu_counted(struct plumb_derive *d, const struct item *it, uint64_t *first)
{
    for (uint64_t i = 0; i < it->count && i < PLUMB_MAX_GPUS; i++)
        add_gpu(d, it, device(d, *first + i), it->count_at, PLUMB_DERIVED);
    *first += it->count;
}

/*
 * Other resources need a line only for files, flags, or a count that is shared out over GPUs;
 * what slurm.conf says is enough for the rest (gres_g_node_config_load).
 */
static void other_line(struct plumb_derive *d, const struct item *it)
{
    bool shared = strcmp(it->name, "mps") == 0 || strcmp(it->name, "shard") == 0;
    struct plumb_gres_line *line = NULL;

    if (it->files == NULL && !shared && plumb_spec_get(it->value, "flags") == NULL)
        return;
    line = add_line(d, it);
    if (it->files != NULL)
        add_text(d, line, PLUMB_P_GRES_FILE, plumb_hostlist_str(d->a, it->files),
                 it->files_value->at, PLUMB_GIVEN);
    if (it->files == NULL || shared)
        add_text(d, line, PLUMB_P_GRES_COUNT, plumb_arena_printf(d->a, "%" PRIu64, it->count),
                 it->count_at, PLUMB_GIVEN);
}

static void add_item_text(struct plumb_derive *d, struct plumb_made *m, const struct item *it)
{
    if (m->text.len > 0)
        plumb_made_add(m, ",", it->name_at);
    plumb_made_add(m, it->name, it->name_at);
    if (it->type != NULL) {
        plumb_made_add(m, ":", it->name_at);
        plumb_made_add(m, it->type, it->type_at);
    }
    plumb_made_add(m, ":", it->name_at);
    plumb_made_add(m, plumb_arena_printf(d->a, "%" PRIu64, it->count), it->count_at);
}

/* AutoDetect= on a line of the nodes alone: slurmd finds files, cores and links itself. */
static bool detects(struct plumb_derive *d)
{
    const struct plumb_spec_value *v = plumb_spec_get(d->class, "autodetect");
    struct plumb_gres_line *line = NULL;

    if (v == NULL || !plumb_usable(*v))
        return false;
    line = add_line(d, NULL);
    line->at = v->key_at;
    add_text(d, line, PLUMB_P_GRES_AUTODETECT, v->word->slurm, v->at, PLUMB_GIVEN);
    return strcmp(v->word->slurm, "off") != 0;
}

static void add_gres_line(struct plumb_derive *d, const struct item *it, struct plumb_bits *taken,
                          uint64_t *first, bool detected)
{
    const struct plumb_hardware *hw = d->n->hardware;

    if (!it->gpu)
        other_line(d, it);
    else if (it->files != NULL)
        gpu_files(d, it);
    else if (detected)
        return;
    else if (hw != NULL && hw->gpu_count > 0)
        gpu_capture(d, it, taken);
    else
        gpu_counted(d, it, first);
}

void plumb_derive_gres(struct plumb_derive *d)
{
    const struct plumb_spec_value *gres = plumb_spec_get(d->class, "gres");
    struct plumb_made text = plumb_made_in(d->a);
    struct plumb_bits taken = {0};
    uint64_t first = 0;
    bool detected = detects(d);

    for (size_t i = 0; gres != NULL && gres->shape == PLUMB_SHAPE_MAP && i < gres->count; i++) {
        const struct plumb_spec_value *key = &gres->items[i];

        for (size_t k = 0; key->shape == PLUMB_SHAPE_LIST && k < key->count; k++) {
            struct item it = item_of(d, key, &key->items[k]);

            if (!plumb_usable(key->items[k]))
                continue;
            add_item_text(d, &text, &it);
            if (d->n->hosts != NULL)
                add_gres_line(d, &it, &taken, &first, detected);
        }
    }
    if (text.text.len > 0 && !plumb_setting_there(&d->n->settings, PLUMB_P_NODE_GRES))
        plumb_setting_add(d->a, &d->n->settings, PLUMB_P_NODE_GRES, plumb_made_done(&text),
                          gres->key_at, PLUMB_GIVEN);
}
