/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `plumb topo --format spec`: the specification that captures are a start of. It names the capture
 * and repeats none of its numbers, so that a new capture is a new answer. The same text, compiled,
 * is what `--format gres` shows.
 */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "emit/topo.h"

enum {
    MEMORY_SHARE = 64, /* advice: this part of the memory for the system and its daemons, */
    MEMORY_LEAST_GIB = 4,
};

/* Letters, digits and single hyphens of a name: a host's and a class's. */
static const char *plain_name(struct plumb_arena *a, const char *name)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (; *name != '\0' && *name != '.'; name++) {
        char c = plumb_lower(*name);

        if ((c >= 'a' && c <= 'z') || plumb_is_digit(c))
            plumb_buf_char(&b, c);
        else if (b.len > 0 && plumb_buf_text(&b)[b.len - 1] != '-')
            plumb_buf_char(&b, '-');
    }
    while (b.len > 0 && plumb_buf_text(&b)[b.len - 1] == '-')
        b.len--;

    const char *text = plumb_arena_strndup(a, plumb_buf_text(&b), b.len);

    if (b.len == 0 || plumb_is_digit(text[0]) || strcmp(text, "all") == 0)
        return plumb_arena_printf(a, "node%s%s", b.len > 0 ? "-" : "", text);
    return text;
}

/* The host's own name, else the last part of the capture's. */
static const char *base_name(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    const char *name = hw->host != NULL ? hw->host : hw->name;
    const char *slash = strrchr(name, '/');

    return plain_name(a, slash != NULL && slash[1] != '\0' ? slash + 1 : name);
}

static bool taken(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static const char *class_name(struct plumb_arena *a, const char *const *names, size_t count,
                              const struct plumb_hardware *hw)
{
    const char *base = base_name(a, hw), *name = base;

    for (unsigned n = 2; taken(names, count, name); n++)
        name = plumb_arena_printf(a, "%s-%u", base, n);
    return name;
}

static size_t plain_length(const char *text)
{
    size_t len = 0;

    while (plumb_is_digit(text[len]) ||
           (plumb_lower(text[len]) >= 'a' && plumb_lower(text[len]) <= 'z'))
        len++;
    return len;
}

/*
 * The shortest type that users type and that AutoDetect finds in the product name: the words from
 * the first that is no vendor and no brand up to one with a digit; "NVIDIA A100-SXM4-80GB" is a100.
 */
const char *plumb_topo_short_type(struct plumb_arena *a, const char *model)
{
    static const char *const brands[] = {"nvidia", "tesla", "amd", "instinct", "geforce", "quadro"};
    struct plumb_buf b = plumb_buf_in(a);
    bool digit = false;

    if (strchr(model, '[') !=
        NULL) /* names of the PCI ID list: "Aldebaran [Instinct MI250X/MI250]" */
        model = strchr(model, '[') + 1;
    while (*model != '\0' && !digit) {
        size_t len = plain_length(model);
        const char *word = plumb_arena_strndup(a, model, len);
        bool brand = false;

        for (size_t i = 0; i < PLUMB_COUNT(brands); i++)
            brand = brand || plumb_same_nocase(word, brands[i]);
        for (size_t i = 0; !brand && i < len; i++)
            digit = digit || plumb_is_digit(word[i]);
        if (!brand && len > 0 && b.len > 0)
            plumb_buf_char(&b, '_');
        for (size_t i = 0; !brand && i < len; i++)
            plumb_buf_char(&b, plumb_lower(word[i]));
        model += len + (model[len] != '\0');
    }
    return digit ? plumb_buf_text(&b) : NULL;
}

/* GPUs of one type, in the order in which types come. */
struct kind {
    const char *type; /* NULL: no capture tells the product */
    size_t count;
};

/* Counts one more of a type; a kind without a type is of the whole machine. */
static size_t add_kind(struct kind *out, size_t count, const char *type)
{
    size_t i = 0;

    while (i < count && strcmp(out[i].type, type) != 0)
        i++;
    if (i == count)
        out[count++] = (struct kind){.type = type};
    out[i].count++;
    return count;
}

static size_t devices_of(const struct plumb_hw_gpu *gpu)
{
    return gpu->mig_count > 0 ? gpu->mig_count : 1;
}

static size_t device_count(const struct plumb_hardware *hw)
{
    size_t count = 0;

    for (size_t g = 0; g < hw->gpu_count; g++)
        count += devices_of(&hw->gpus[g]);
    return count;
}

/* The profile of a MIG device, in the letters that slurmd makes of it, or the product. */
static const char *type_of(struct plumb_arena *a, const struct plumb_hw_gpu *gpu, size_t device)
{
    if (gpu->mig_count > 0)
        return gpu->migs[device].profile != NULL ? plumb_detected_type(a, gpu->migs[device].profile)
                                                 : NULL;
    return gpu->model == NULL ? NULL : plumb_topo_short_type(a, gpu->model);
}

static size_t kinds_of(struct plumb_arena *a, const struct plumb_hardware *hw, struct kind *out)
{
    size_t count = 0;

    for (size_t g = 0; g < hw->gpu_count; g++) {
        for (size_t i = 0; i < devices_of(&hw->gpus[g]); i++) {
            const char *type = type_of(a, &hw->gpus[g], i);

            if (type == NULL) /* one without a type makes all so: types are of all or none */
                return out[0] = (struct kind){.count = device_count(hw)}, 1;
            count = add_kind(out, count, type);
        }
    }
    return count;
}

/* Some MIG device whose files or profile no capture tells: slurmd has to find them. */
static bool files_unknown(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    for (size_t g = 0; g < hw->gpu_count; g++) {
        for (size_t i = 0; i < hw->gpus[g].mig_count; i++) {
            const struct plumb_hw_mig *mig = &hw->gpus[g].migs[i];

            if (mig->profile == NULL || plumb_mig_files(a, &hw->gpus[g], mig) == NULL)
                return true;
        }
    }
    return false;
}

static void put_gpus(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    struct kind *kinds = PLUMB_NEW_ARRAY(out->arena, device_count(hw), struct kind);
    size_t count = kinds_of(out->arena, hw, kinds);

    plumb_buf_str(out, count > 1 ? "      gpu: [" : "      gpu: ");
    for (size_t i = 0; i < count; i++) {
        plumb_buf_str(out, i > 0 ? ", " : "");
        if (kinds[i].type != NULL)
            plumb_buf_printf(out, "{type: %s, count: %zu}", kinds[i].type, kinds[i].count);
        else
            plumb_buf_printf(out, "{count: %zu}", kinds[i].count);
    }
    plumb_buf_str(out, count > 1 ? "]\n" : "\n");
}

static size_t drives_of(const struct plumb_hardware *hw)
{
    size_t count = 0;

    for (size_t i = 0; i < hw->disk_count; i++)
        count += plumb_nvme_name(hw->disks[i].name) > 0;
    return count;
}

static void put_drives(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    bool any = false;

    plumb_buf_str(out, "nvme: {files: [");
    for (size_t i = 0; i < hw->disk_count; i++) {
        if (plumb_nvme_name(hw->disks[i].name) == 0)
            continue;
        plumb_buf_printf(out, "%s/dev/%s", any ? ", " : "", hw->disks[i].name);
        any = true;
    }
    plumb_buf_str(out, "]}");
}

/* By name where captures tell the file of each: then a job gets that adapter; else a count. */
static void put_adapters(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    size_t rdma = plumb_hardware_rdma(hw), told = 0;

    while (told < rdma && plumb_verbs_known(hw->nics[told].verbs))
        told++;
    if (told < rdma) {
        plumb_buf_printf(out, "hca: %zu    # RDMA devices, %s to %s\n", rdma, hw->nics[0].name,
                         hw->nics[rdma - 1].name);
        return;
    }
    for (size_t i = 0; i < rdma; i++)
        plumb_buf_printf(out, "%s%s", i == 0 ? "hca: {devices: [" : ", ", hw->nics[i].name);
    plumb_buf_str(out, "]}\n");
}

/* What jobs may ask for beside GPUs: a line of its own where it is wanted, else a remark. */
static void put_extras(struct plumb_buf *out, const struct plumb_hardware *hw,
                       const struct plumb_topo_with *with)
{
    size_t rdma = plumb_hardware_rdma(hw), drives = drives_of(hw);
    bool shows = hw->gpu_count > 0 || (rdma > 0 && !with->hca) || (drives > 0 && !with->nvme);

    if (rdma > 0 && with->hca) {
        plumb_buf_str(out, "      ");
        put_adapters(out, hw);
    }
    if (drives > 0 && with->nvme) {
        plumb_buf_str(out, "      ");
        put_drives(out, hw);
        plumb_buf_char(out, '\n');
    }
    if (shows)
        plumb_buf_str(out, "      # where jobs ask for them:\n");
    if (hw->gpu_count > 0)
        plumb_buf_printf(out, "      # shard: %zu    # four jobs may share a GPU; or mps: %zu\n",
                         hw->gpu_count * 4, hw->gpu_count * 100);
    if (rdma > 0 && !with->hca) {
        plumb_buf_str(out, "      # ");
        put_adapters(out, hw);
    }
    if (drives > 0 && !with->nvme) {
        plumb_buf_str(out, "      # ");
        put_drives(out, hw);
        plumb_buf_str(out, "    # without those of the system\n");
    }
}

/* What a capture cannot decide, to be switched on by whoever wants it. */
static void put_reserve(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    uint64_t gib = hw->memory_bytes.v >> 30;

    plumb_buf_str(out, "    # kept from jobs, for the system and its daemons:\n");
    plumb_buf_printf(out, "    # reserve: {cores: %zu, memory: %llu GiB}\n",
                     hw->package_count > 0 ? hw->package_count : 1,
                     (unsigned long long)(gib / MEMORY_SHARE > MEMORY_LEAST_GIB
                                              ? gib / MEMORY_SHARE
                                              : MEMORY_LEAST_GIB));
}

/* True when some line stands below gres. */
static bool has_gres(const struct plumb_hardware *hw, const struct plumb_topo_with *with)
{
    return hw->gpu_count > 0 || (with->hca && plumb_hardware_rdma(hw) > 0) ||
           (with->nvme && drives_of(hw) > 0);
}

/* In single quotes, which YAML lets everything but a quote stand in. */
static void put_quoted(struct plumb_buf *out, const char *text)
{
    plumb_buf_char(out, '\'');
    for (; *text != '\0'; text++)
        plumb_buf_printf(out, "%s%c", *text == '\'' ? "'" : "", *text);
    plumb_buf_char(out, '\'');
}

void plumb_topo_spec(struct plumb_buf *out, const struct plumb_hardware *const *hw, size_t count,
                     const char *const *paths, const struct plumb_topo_with *with,
                     const char **class_names)
{
    plumb_buf_str(out, "# A start: give the cluster, its controller and the nodes their names.\n"
                       "plumb: 1\n"
                       "cluster: cluster\n"
                       "control: {hosts: [head]}\n"
                       "nodes:\n");
    for (size_t i = 0; i < count; i++) {
        class_names[i] = class_name(out->arena, class_names, i, hw[i]);
        plumb_buf_printf(out, "  %s:\n    hosts: %s\n    topology: ", class_names[i],
                         class_names[i]);
        put_quoted(out, paths[i]);
        plumb_buf_char(out, '\n');
        if (plumb_usable(hw[i]->core_count) && !plumb_usable(hw[i]->threads_per_core))
            plumb_buf_str(out, "    # threads_per_core: unknown, the capture has cores without "
                               "CPUs; slurmd -C tells it\n");
        if (hw[i]->gpu_count > 0 && files_unknown(out->arena, hw[i]))
            plumb_buf_str(out, "    autodetect: nvml    # no capture tells the files of the MIG "
                               "devices\n");
        if (has_gres(hw[i], with))
            plumb_buf_str(out, "    gres:\n");
        if (hw[i]->gpu_count > 0)
            put_gpus(out, hw[i]);
        put_extras(out, hw[i], with);
        put_reserve(out, hw[i]);
    }
    plumb_buf_str(out, "partitions:\n  all: {nodes: all, default: true}\n");
}
