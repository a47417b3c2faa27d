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
#include "model/detect.h"
#include "model/mig.h"
#include "passes/derive.h"
#include "schema/trait.h"
#include "spec/rules.h"

/* One item of gres: a name with one of its types. */
struct item {
    const struct plumb_spec_value *gres, *value; /* the key, and the mapping of this type */
    const char *name, *type;                     /* type NULL: untyped */
    struct plumb_span name_at, type_at, count_at;
    uint64_t count;
    struct plumb_hostlist *files; /* as written; NULL */
    const struct plumb_spec_value *files_value;
    const struct plumb_spec_value *devices; /* RDMA devices as written; NULL */
    bool gpu;
    const char *profile; /* of MIG devices: "3g.40gb", the end of type; NULL: whole GPUs */
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

static bool is_device(const struct item *it, const struct plumb_hw_mig *mig)
{
    return mig->profile != NULL && plumb_same_nocase(mig->profile, it->profile);
}

/* MIG devices of the profile, or GPUs that are not cut into any. */
static uint64_t captured(const struct item *it, const struct plumb_hardware *hw)
{
    uint64_t count = 0;

    for (size_t g = 0; g < hw->gpu_count; g++) {
        count += it->profile == NULL && hw->gpus[g].mig_count == 0;
        for (size_t i = 0; it->profile != NULL && i < hw->gpus[g].mig_count; i++)
            count += is_device(it, &hw->gpus[g].migs[i]);
    }
    return count;
}

/* Written, else the files or devices, else what the machine has, else one. */
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
    } else if (it->devices != NULL) {
        it->count = it->devices->count;
    } else if (it->gpu && hw != NULL && captured(it, hw) > 0 &&
               (it->gres->count == 1 || it->profile != NULL)) {
        it->count = captured(it, hw);
    } else {
        it->count = 1;
    }
}

static bool is_shares(const char *name)
{
    return strcmp(name, "mps") == 0 || strcmp(name, "shard") == 0;
}

/* Shares for each GPU, turned into those of the node; gpus: of all types. */
static void count_shares(struct plumb_derive *d, struct item *it, uint64_t gpus)
{
    const struct plumb_spec_value *each = plumb_spec_get(it->value, "per_gpu");
    const struct plumb_spec_value *count = plumb_spec_get(it->value, "count");
    const struct plumb_rule *rule = plumb_spec_rule(PLUMB_SPEC_PER_GPU);

    if (each == NULL || !plumb_usable(*each))
        return;
    if (!is_shares(it->name))
        plumb_diag_new(&d->s->sink, rule, each->at,
                       "'%s' is no share of a GPU, expected 'count', or 'per_gpu' of mps or shard",
                       it->name);
    else if (count != NULL)
        plumb_diag_note(plumb_diag_new(&d->s->sink, rule, each->at,
                                       "'per_gpu' stands beside 'count', expected one of them"),
                        count->key_at, "the count of the node");
    else if (gpus == 0)
        plumb_diag_new(&d->s->sink, rule, each->at,
                       "'per_gpu' of %s, and the nodes have no GPU, expected 'gpu' beside it",
                       it->name);
    else
        it->count = each->number * gpus;
    it->count_at = each->at;
}

/* RDMA devices of another resource, and in the place of files. */
static void read_devices(struct plumb_derive *d, struct item *it)
{
    const struct plumb_spec_value *v = plumb_spec_get(it->value, "devices");
    const struct plumb_spec_value *files = plumb_spec_get(it->value, "files");
    const struct plumb_rule *rule = plumb_spec_rule(PLUMB_SPEC_EXCLUSIVE_KEYS);

    if (v == NULL || !plumb_usable(*v))
        return;
    if (it->gpu || is_shares(it->name))
        plumb_diag_new(&d->s->sink, rule, v->key_at,
                       "'devices' are network adapters, '%s' is a resource of GPUs: expected them "
                       "in one of another name, such as 'hca'",
                       it->name);
    else if (files != NULL)
        plumb_diag_note(plumb_diag_new(&d->s->sink, rule, v->key_at,
                                       "'devices' stands beside 'files', expected one of them"),
                        files->key_at, "the files");
    else
        it->devices = v;
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
        it.profile = it.gpu ? plumb_mig_of_type(it.type) : NULL;
    }
    if (files != NULL && plumb_usable(*files) && files->shape == PLUMB_SHAPE_LIST) {
        it.files = read_files(d, files);
        it.files_value = files;
    }
    read_devices(d, &it);
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

static struct plumb_gpu gpu_of_file(const struct plumb_derive *d, const char *file)
{
    const struct plumb_hardware *hw = d->n->hardware;

    for (size_t g = 0; hw != NULL && g < hw->gpu_count; g++) {
        if (strcmp(plumb_hardware_device(d->a, &hw->gpus[g]), file) == 0)
            return hw->gpus[g].index;
    }
    return PLUMB_NO(gpu);
}

/*
 * True when Cores= would say something for every GPU: some without would get all cores and
 * an error, and all cores for all of them is what a line without Cores means.
 */
static bool cores_tell(struct plumb_derive *d, const struct plumb_hardware *hw,
                       enum plumb_hw_socket_kind kind)
{
    bool tell = false;

    for (struct plumb_gpu g = {0}; g.n < hw->gpu_count; g.n++) {
        struct plumb_cores cores;

        if (!plumb_derive_cores(d, g, kind, &cores))
            return false;
        tell = tell || plumb_cores_count(&cores) < hw->core_count.v;
    }
    return tell;
}

/* Links= counts devices; MIG devices are among them, and have no links to give. */
static bool links_tell(const struct plumb_hardware *hw)
{
    struct plumb_gpu empty;

    return !plumb_hardware_mig(hw, &empty) && plumb_hardware_linked(hw);
}

/* Cores= near a device that is no GPU, by the law of the release. False: not known. */
static bool near_cores(struct plumb_derive *d, const struct plumb_cores *own,
                       struct plumb_cores *out)
{
    const struct plumb_hardware *hw = d->n->hardware;

    if (!plumb_hardware_whole_cores(hw, own, plumb_socket_kind(d->m, d->n), d->a, out))
        return false;
    if (!plumb_trait_now(d->s, PLUMB_TRAIT_GRES_CORES_ARE_WHOLE_SOCKETS))
        *out = *own;
    return true;
}

static bool sockets_agree(const struct plumb_derive *d, enum plumb_hw_socket_kind kind)
{
    const struct plumb_hw_sockets *by = &d->n->hardware->sockets[kind];
    struct plumb_u64 cores =
        plumb_setting_u64(&d->n->settings, PLUMB_P_NODE_CORESPERSOCKET, d->m->release);

    return plumb_usable(cores) && cores.v == by->cores_per_socket;
}

static void add_cores(struct plumb_derive *d, struct plumb_gres_line *line, struct plumb_gpu gpu)
{
    const struct plumb_hardware *hw = d->n->hardware;
    enum plumb_hw_socket_kind kind = plumb_socket_kind(d->m, d->n);
    struct plumb_buf b = plumb_buf_in(d->a);
    struct plumb_cores cores;

    /* Sockets written by hand otherwise: the rule counts in those, so nothing can be said. */
    if (sockets_agree(d, kind) && cores_tell(d, hw, kind) &&
        plumb_derive_cores(d, gpu, kind, &cores)) {
        plumb_cores_text(&cores, &b);
        add_text(d, line, PLUMB_P_GRES_CORES, plumb_buf_text(&b), hw->gpus[gpu.n].locality_at,
                 PLUMB_DERIVED);
    }
}

static void add_locality(struct plumb_derive *d, struct plumb_gres_line *line, struct plumb_gpu gpu)
{
    const struct plumb_hardware *hw = d->n->hardware;
    struct plumb_buf b = plumb_buf_in(d->a);

    add_cores(d, line, gpu);
    if (links_tell(hw)) {
        plumb_hardware_links_text(hw, gpu, &b);
        add_text(d, line, PLUMB_P_GRES_LINKS, plumb_buf_text(&b), hw->gpus[gpu.n].at,
                 PLUMB_DERIVED);
    }
}

static void add_gpu(struct plumb_derive *d, const struct item *it, const char *file,
                    struct plumb_span at, enum plumb_origin origin)
{
    struct plumb_gres_line *line = add_line(d, it);
    struct plumb_gpu gpu = gpu_of_file(d, file);

    add_text(d, line, PLUMB_P_GRES_FILE, file, at, origin);
    if (plumb_gpu_known(gpu))
        add_locality(d, line, gpu);
}

static const struct plumb_hw_disk *disk_of(const struct plumb_derive *d, const struct item *it,
                                           uint64_t file)
{
    return plumb_hardware_disk(d->n->hardware, plumb_hostlist_name(d->a, it->files, file));
}

/* As cores_tell: of every type of the resource, since lines without Cores= are near all cores. */
static bool disks_tell(struct plumb_derive *d, const struct item *it)
{
    const struct plumb_hardware *hw = d->n->hardware;
    bool tell = false;

    if (it->files == NULL || it->gres->count != 1 || hw == NULL || hw->incomplete_cpus ||
        it->files->count > PLUMB_MAX_GPUS || !sockets_agree(d, plumb_socket_kind(d->m, d->n)))
        return false;
    for (uint64_t i = 0; i < it->files->count; i++) {
        const struct plumb_hw_disk *disk = disk_of(d, it, i);
        struct plumb_cores cores;

        if (disk == NULL || !near_cores(d, &disk->cores, &cores))
            return false;
        tell = tell || plumb_cores_count(&cores) < hw->core_count.v;
    }
    return tell;
}

/* A line for each drive, with the cores near it. */
static void disk_lines(struct plumb_derive *d, const struct item *it)
{
    for (uint64_t i = 0; i < it->files->count; i++) {
        const struct plumb_hw_disk *disk = disk_of(d, it, i);
        struct plumb_gres_line *line = add_line(d, it);
        struct plumb_buf b = plumb_buf_in(d->a);
        struct plumb_cores cores;

        add_text(d, line, PLUMB_P_GRES_FILE, plumb_hostlist_name(d->a, it->files, i),
                 it->files_value->at, PLUMB_GIVEN);
        if (!near_cores(d, &disk->cores, &cores))
            continue;
        plumb_cores_text(&cores, &b);
        add_text(d, line, PLUMB_P_GRES_CORES, plumb_buf_text(&b), disk->at, PLUMB_DERIVED);
    }
}

/*
 * The adapters of an item. False when one is not told: where another is meant than the captures
 * have, or where none tells the number of its file, none gets one.
 */
static bool find_adapters(struct plumb_derive *d, const struct item *it,
                          const struct plumb_hw_nic **out)
{
    const struct plumb_spec_value *untold = NULL;
    bool all = true;

    for (size_t i = 0; i < it->devices->count; i++) {
        const struct plumb_spec_value *v = &it->devices->items[i];

        if (!plumb_usable(*v) || !plumb_derive_adapter(d, v, &out[i])) {
            all = false;
        } else if (out[i] == NULL || !plumb_verbs_known(out[i]->verbs)) {
            untold = untold == NULL ? v : untold;
            all = false;
        }
    }
    if (untold != NULL)
        plumb_diag_fact(
            plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_NO_VERBS), untold->at,
                           "no capture of node class '%s' tells which "
                           "/dev/infiniband/uverbs<n> is '%.*s', expected one beside "
                           "the others; '%s' is counted, and has no File=",
                           d->n->class_name, (int)untold->text.len, untold->text.text, it->name),
            "plumb-capture writes it, or by hand: grep -H . "
            "/sys/class/infiniband_verbs/uverbs*/ibdev >infiniband-verbs.txt");
    return all;
}

/* As cores_tell. */
static bool adapters_tell(struct plumb_derive *d, const struct item *it,
                          const struct plumb_hw_nic *const *nics)
{
    const struct plumb_hardware *hw = d->n->hardware;
    bool tell = false;

    if (it->gres->count != 1 || hw->incomplete_cpus ||
        !sockets_agree(d, plumb_socket_kind(d->m, d->n)))
        return false;
    for (size_t i = 0; i < it->devices->count; i++) {
        struct plumb_cores cores;

        if (!near_cores(d, &nics[i]->cores, &cores))
            return false;
        tell = tell || plumb_cores_count(&cores) < hw->core_count.v;
    }
    return tell;
}

/* A line for each adapter: the file that opens it, and the cores near it. False: not told. */
static bool adapter_lines(struct plumb_derive *d, const struct item *it)
{
    const struct plumb_hw_nic **nics =
        PLUMB_NEW_ARRAY(d->a, it->devices->count, const struct plumb_hw_nic *);
    bool tell = find_adapters(d, it, nics);
    bool cores_told = tell && adapters_tell(d, it, nics);

    for (size_t i = 0; tell && i < it->devices->count; i++) {
        struct plumb_gres_line *line = add_line(d, it);
        struct plumb_buf b = plumb_buf_in(d->a);
        struct plumb_cores cores;

        add_text(d, line, PLUMB_P_GRES_FILE, plumb_hardware_verbs(d->a, nics[i]), nics[i]->verbs_at,
                 PLUMB_DERIVED);
        if (!cores_told || !near_cores(d, &nics[i]->cores, &cores))
            continue;
        plumb_cores_text(&cores, &b);
        add_text(d, line, PLUMB_P_GRES_CORES, plumb_buf_text(&b), nics[i]->at, PLUMB_DERIVED);
    }
    return tell;
}

static void gpu_files(struct plumb_derive *d, const struct item *it)
{
    for (uint64_t i = 0; i < it->files->count && i < PLUMB_MAX_GPUS; i++)
        add_gpu(d, it, plumb_hostlist_name(d->a, it->files, i), it->files_value->at, PLUMB_GIVEN);
}

/* One type takes every GPU in order; of several, each takes those of its model. */
static bool takes(struct plumb_derive *d, const struct item *it, const struct plumb_hw_gpu *gpu)
{
    return it->gres->count <= 1 || it->type == NULL || gpu->model == NULL ||
           plumb_type_holds(plumb_detected_type(d->s->scratch, gpu->model), it->type);
}

static const char *device(struct plumb_derive *d, struct plumb_minor minor)
{
    return plumb_arena_printf(d->a, "/dev/nvidia%u", (unsigned)minor.n);
}

/* Whole GPUs; those that are cut into MIG devices where others do not suffice. */
static void gpu_capture(struct plumb_derive *d, const struct item *it, struct plumb_gpus *taken)
{
    const struct plumb_hardware *hw = d->n->hardware;
    uint64_t left = it->count;

    for (size_t i = 0; i < 2 * hw->gpu_count && left > 0; i++) {
        const struct plumb_hw_gpu *gpu = &hw->gpus[i % hw->gpu_count];

        if (plumb_gpus_has(taken, gpu->index) || !takes(d, it, gpu) ||
            (gpu->mig_count > 0 && i < hw->gpu_count))
            continue;
        plumb_gpus_add(d->a, taken, gpu->index);
        add_gpu(d, it, plumb_hardware_device(d->a, gpu), gpu->at, PLUMB_DERIVED);
        left--;
    }
}

/* The devices of one GPU that the item counts; returns how many are still to be found. */
static uint64_t mig_devices(struct plumb_derive *d, const struct item *it,
                            const struct plumb_hw_gpu *gpu, uint64_t left)
{
    for (size_t i = 0; i < gpu->mig_count && left > 0; i++) {
        const char *files = plumb_mig_files(d->a, gpu, &gpu->migs[i]);
        struct plumb_gres_line *line = NULL;

        if (!is_device(it, &gpu->migs[i]) || files == NULL)
            continue;
        line = add_line(d, it);
        add_text(d, line, PLUMB_P_GRES_MULTIPLEFILES, files, gpu->migs[i].at, PLUMB_DERIVED);
        add_cores(d, line, gpu->index);
        left--;
    }
    return left;
}

/* Each MIG device is a line of its own, with the cores of its GPU. */
static void mig_capture(struct plumb_derive *d, const struct item *it)
{
    const struct plumb_hardware *hw = d->n->hardware;
    struct plumb_gres_line *line = NULL;
    uint64_t left = it->count;

    for (size_t g = 0; hw != NULL && g < hw->gpu_count && left > 0; g++)
        left = mig_devices(d, it, &hw->gpus[g], left);
    if (left == 0)
        return;
    line = add_line(d, it); /* so that nothing else is told of the devices that lack */
    add_text(d, line, PLUMB_P_GRES_MULTIPLEFILES, "", it->count_at, PLUMB_BAD);
    add_text(d, line, PLUMB_P_GRES_CORES, "", it->count_at, PLUMB_BAD);
    plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_NO_MIG_FILES), it->count_at,
                   "%" PRIu64 " MIG devices '%s', and captures tell the files of %" PRIu64
                   ", expected 'autodetect: nvml', or captures with ids and capabilities of all",
                   it->count, it->profile, it->count - left);
}

/* No capture: the driver's names, from the first free number on. */
static void gpu_counted(struct plumb_derive *d, const struct item *it, uint64_t *first)
{
    for (uint64_t i = 0; i < it->count && i < PLUMB_MAX_GPUS; i++)
        add_gpu(d, it, device(d, (struct plumb_minor){(uint32_t)(*first + i)}), it->count_at,
                PLUMB_DERIVED);
    *first += it->count;
}

/*
 * Other resources need a line only for files, flags, or a count that is shared out over GPUs;
 * what slurm.conf says is enough for the rest (gres_g_node_config_load).
 */
static void other_line(struct plumb_derive *d, const struct item *it)
{
    bool shared = is_shares(it->name);
    struct plumb_gres_line *line = NULL;

    if (it->devices != NULL && adapter_lines(d, it))
        return;
    if (it->files == NULL && !shared && plumb_spec_get(it->value, "flags") == NULL)
        return;
    if (!shared && disks_tell(d, it)) {
        disk_lines(d, it);
        return;
    }
    line = add_line(d, it);
    line->files = it->files; /* each knows its own place; the text of all does not */
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

static void add_gres_line(struct plumb_derive *d, const struct item *it, struct plumb_gpus *taken,
                          uint64_t *first, bool detected)
{
    const struct plumb_hardware *hw = d->n->hardware;

    if (!it->gpu)
        other_line(d, it);
    else if (it->files != NULL)
        gpu_files(d, it);
    else if (detected)
        return;
    else if (it->profile != NULL)
        mig_capture(d, it);
    else if (hw != NULL && hw->gpu_count > 0)
        gpu_capture(d, it, taken);
    else
        gpu_counted(d, it, first);
}

/* The items of the class in order: all of them are known before any becomes a line. */
static struct item *items_of(struct plumb_derive *d, const struct plumb_spec_value *gres,
                             size_t *count)
{
    struct item *items = NULL;
    size_t cap = 0;
    uint64_t gpus = 0;

    *count = 0;
    for (size_t i = 0; gres != NULL && gres->shape == PLUMB_SHAPE_MAP && i < gres->count; i++) {
        const struct plumb_spec_value *key = &gres->items[i];

        for (size_t k = 0; key->shape == PLUMB_SHAPE_LIST && k < key->count; k++) {
            struct item it = item_of(d, key, &key->items[k]);

            if (!plumb_usable(key->items[k]))
                continue;
            items = plumb_arena_grow(d->a, items, *count, &cap, sizeof(*items));
            items[(*count)++] = it;
            gpus += it.gpu && it.count <= PLUMB_MAX_GPUS ? it.count : 0;
        }
    }
    for (size_t i = 0; i < *count; i++)
        count_shares(d, &items[i], gpus);
    return items;
}

void plumb_derive_gres(struct plumb_derive *d)
{
    const struct plumb_spec_value *gres = plumb_spec_get(d->class, "gres");
    struct plumb_made text = plumb_made_in(d->a);
    struct plumb_gpus taken = {0};
    uint64_t first = 0;
    size_t count = 0;
    bool detected = detects(d);
    struct item *items = items_of(d, gres, &count);

    for (size_t i = 0; i < count; i++) {
        add_item_text(d, &text, &items[i]);
        if (d->n->hosts != NULL)
            add_gres_line(d, &items[i], &taken, &first, detected);
    }
    if (text.text.len > 0 && !plumb_setting_there(&d->n->settings, PLUMB_P_NODE_GRES))
        plumb_setting_add(d->a, &d->n->settings, PLUMB_P_NODE_GRES, plumb_made_done(&text),
                          gres->key_at, PLUMB_GIVEN);
}
