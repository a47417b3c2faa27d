/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about NCCL topology files: NCCL itself says nothing about what it misreads. */
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

/* "00ff00ff,0000ffff": groups of at most 8 hexadecimal digits, highest first. */
static bool read_mask(struct plumb_arena *a, const char *text, struct plumb_cpus *out)
{
    size_t len = strlen(text), digits = 0, group = 0;

    *out = (struct plumb_cpus){0};
    for (size_t i = len; i > 0; i--) {
        char c = plumb_lower(text[i - 1]);
        uint32_t v = plumb_is_digit(c)      ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                                            : 16;

        if (c == ',') {
            group++;
            digits = 0;
            continue;
        }
        if (v > 15 || digits == 8 || group > 2048)
            return false;
        for (uint32_t bit = 0; bit < 4; bit++) {
            struct plumb_cpu cpu = {(uint32_t)(group * 32 + digits * 4) + bit};

            if ((v >> bit & 1) != 0)
                plumb_cpus_add(a, out, cpu);
        }
        digits++;
    }
    return len > 0;
}

static const char *mask_of(struct plumb_arena *a, const struct plumb_cpus *cpus)
{
    struct plumb_buf text = plumb_buf_in(a);

    plumb_cpus_mask(cpus, &text);
    return plumb_buf_text(&text);
}

static const char *list_of(struct plumb_arena *a, const struct plumb_cpus *cpus)
{
    struct plumb_buf text = plumb_buf_in(a);

    plumb_cpus_text(cpus, &text);
    return plumb_buf_text(&text);
}

/* NCCL001: xml.cc, ncclStrToCpuset: hexadecimal up to the first other character. */
static void list_for_mask(const struct plumb_check *ck)
{
    for (size_t f = 0; f < ck->model->nccl_file_count; f++) {
        const struct plumb_nccl_file *file = &ck->model->nccl_files[f];

        for (size_t i = 0; i < file->cpu_count; i++) {
            const struct plumb_text *text = &file->cpus[i].affinity;
            struct plumb_slice slice = {.text = text->v, .at = text->at};
            struct plumb_cpus mask, list;
            size_t fault = 0;

            if (!plumb_usable(*text) || read_mask(ck->scratch, text->v, &mask))
                continue;
            slice.len = (uint32_t)strlen(text->v);
            if (slice.len > 0 && plumb_cpus_read(ck->scratch, &slice, &list, &fault))
                plumb_report(ck, text->at,
                             "affinity '%s' is a list of CPUs, NCCL reads hexadecimal masks, "
                             "expected '%s'",
                             text->v, mask_of(ck->arena, &list));
            else
                plumb_report(ck, text->at,
                             "affinity '%s' is no mask, expected groups of 8 hexadecimal digits "
                             "such as '00ff00ff'",
                             text->v);
        }
    }
}

/* No NUMA node has a number beyond the space. */
static struct plumb_numa_id numa_of(const struct plumb_nccl_cpu *cpu)
{
    return (struct plumb_numa_id){cpu->numa.v < PLUMB_NO_INDEX ? (uint32_t)cpu->numa.v
                                                               : PLUMB_NO_INDEX};
}

/* The node of a number on the first machine whose capture shows its CPUs; NULL. */
static const struct plumb_hw_numa *node_of(const struct plumb_model *m, struct plumb_numa_id numa,
                                           const struct plumb_cpus *mask, bool *same)
{
    const struct plumb_hw_numa *first = NULL;

    *same = false;
    for (size_t h = 0; h < m->hardware_count; h++) {
        const struct plumb_hardware *hw = m->hardware[h];

        for (size_t i = 0; !hw->incomplete_cpus && hw->cpu_limit > 0 && i < hw->numa_count; i++) {
            if (!plumb_numa_id_same(hw->numa[i].os_index, numa) ||
                plumb_cpus_empty(&hw->numa[i].cpus))
                continue;
            if (first == NULL)
                first = &hw->numa[i];
            *same = *same || plumb_cpus_equal(&hw->numa[i].cpus, mask);
        }
    }
    return first;
}

enum { MAX_ELEMENTS = 255 }; /* NCCL's own limit for a whole file */

/* An element above that has some of the CPUs; NULL. */
static const struct plumb_nccl_cpu *twin(const struct plumb_check *ck,
                                         const struct plumb_nccl_file *file, size_t i,
                                         const struct plumb_cpus *mask, bool *all)
{
    for (size_t k = 0; k < i && i < MAX_ELEMENTS; k++) {
        struct plumb_cpus other;

        if (plumb_usable(file->cpus[k].affinity) &&
            read_mask(ck->scratch, file->cpus[k].affinity.v, &other) &&
            plumb_cpus_overlap(&other, mask)) {
            *all = plumb_cpus_equal(&other, mask);
            return &file->cpus[k];
        }
    }
    return NULL;
}

static void check_mask(const struct plumb_check *ck, const struct plumb_nccl_file *file, size_t i)
{
    const struct plumb_nccl_cpu *cpu = &file->cpus[i], *same = NULL;
    const struct plumb_hw_numa *node = NULL;
    struct plumb_cpus mask;
    bool right = false, all = false;

    if (!plumb_usable(cpu->affinity) || !read_mask(ck->scratch, cpu->affinity.v, &mask) ||
        plumb_cpus_empty(&mask))
        return;
    if (plumb_usable(cpu->numa))
        node = node_of(ck->model, numa_of(cpu), &mask, &right);
    if (right)
        return;
    if (node != NULL) {
        plumb_diag_note(plumb_report(ck, cpu->affinity.at,
                                     "affinity of NUMA node %u is CPUs %s, expected %s, '%s'",
                                     (unsigned)node->os_index.n, list_of(ck->arena, &mask),
                                     list_of(ck->arena, &node->cpus),
                                     mask_of(ck->arena, &node->cpus)),
                        node->at, "the node of the capture");
        return;
    }
    same = twin(ck, file, i, &mask, &all);
    if (same != NULL)
        plumb_diag_note(plumb_report(ck, cpu->affinity.at,
                                     "affinity '%s' %s another NUMA node too, expected CPUs of "
                                     "its own",
                                     cpu->affinity.v, all ? "is that of" : "has CPUs of"),
                        same->affinity.at, "the other node");
}

/* NCCL002 */
static void wrong_mask(const struct plumb_check *ck)
{
    for (size_t f = 0; f < ck->model->nccl_file_count; f++) {
        const struct plumb_nccl_file *file = &ck->model->nccl_files[f];

        for (size_t i = 0; i < file->cpu_count; i++)
            check_mask(ck, file, i);
    }
}

/* NCCL003 */
static void dumped(const struct plumb_check *ck)
{
    for (size_t f = 0; f < ck->model->nccl_file_count; f++) {
        const struct plumb_nccl_file *file = &ck->model->nccl_files[f];

        if (file->rank_count > 0)
            plumb_report(ck, file->first_rank,
                         "%zu gpu element%s the rank of the job that dumped the file, expected a "
                         "file without gpu elements",
                         file->rank_count, file->rank_count == 1 ? " has" : "s have");
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NCCL001",
        .name = "nccl-list-for-mask",
        .severity = PLUMB_WARNING,
        .summary = "affinity is no hexadecimal mask",
        .why = "NCCL reads hexadecimal digits up to the first other character, without a word, and "
               "pins its threads by what comes out.",
        .ref = "NCCL src/misc/utils.cc, ncclStrToCpuset",
        .bad =
            "<system version=\"1\">\n"
            "  <cpu numaid=\"0\" affinity=\"0-7,16-23\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
            "</system>",
        .good =
            "<system version=\"1\">\n"
            "  <cpu numaid=\"0\" affinity=\"00ff00ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
            "</system>",
        .needs = PLUMB_FACT_MODEL,
        .run = list_for_mask,
    },
    {
        .code = "NCCL002",
        .name = "nccl-mask-of-another-node",
        .severity = PLUMB_WARNING,
        .summary = "affinity is not that of its NUMA node",
        .why = "Threads of NCCL run on the far socket. Public files had this fault for years.",
        .ref = "NCCL src/graph/topo.cc, affinity of cpu",
        .bad =
            "<system version=\"1\">\n"
            "  <cpu numaid=\"0\" affinity=\"00ff00ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
            "  <cpu numaid=\"1\" affinity=\"00ff00ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
            "</system>",
        .good =
            "<system version=\"1\">\n"
            "  <cpu numaid=\"0\" affinity=\"00ff00ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
            "  <cpu numaid=\"1\" affinity=\"ff00ff00\" arch=\"x86_64\" vendor=\"AuthenticAMD\"/>\n"
            "</system>",
        .needs = PLUMB_FACT_MODEL,
        .run = wrong_mask,
    },
    {
        .code = "NCCL003",
        .name = "nccl-dump",
        .severity = PLUMB_WARNING,
        .summary = "a dump of a job serves as topology file",
        .why = "rank and dev are those of one finished job; a file for all jobs tells bridges and "
               "NUMA nodes, and NCCL finds the GPUs itself.",
        .ref = "NCCL documentation, NCCL_TOPO_FILE and NCCL_TOPO_DUMP_FILE",
        .bad =
            "<system version=\"1\">\n"
            "  <cpu numaid=\"0\" affinity=\"00ff00ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
            "    <pci busid=\"0000:1b:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" "
            "link_width=\"16\">\n"
            "      <gpu dev=\"0\" sm=\"90\" rank=\"0\" gdr=\"1\"/>\n"
            "    </pci>\n"
            "  </cpu>\n"
            "</system>",
        .good =
            "<system version=\"1\">\n"
            "  <cpu numaid=\"0\" affinity=\"00ff00ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
            "    <pci busid=\"0000:1b:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" "
            "link_width=\"16\"/>\n"
            "  </cpu>\n"
            "</system>",
        .needs = PLUMB_FACT_MODEL,
        .run = dumped,
    },
};

const struct plumb_rule_family plumb_nccl_rules = {
    .prefix = "NCCL",
    .title = "NCCL topology files",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
