/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a matrix alone does not tell which CPUs are near a GPU: it was taken where only some are
 * allowed, or nvidia-smi has cut the list.
 */
#include <string.h>

#include "model/index_words.h"
#include "passes/bind.h"

enum { AFFINITY_FEW, AFFINITY_CUT, AFFINITY_RULE_COUNT };

static const struct plumb_rule rows[AFFINITY_RULE_COUNT] = {
    [AFFINITY_FEW] =
        {
            .code = "HW063",
            .name = "smi-affinity-of-a-job",
            .severity = PLUMB_WARNING,
            .summary = "the CPU affinity of a GPU is empty, or a job's few CPUs",
            .why = "Inside of a job or a container nvidia-smi shows the CPUs that are near the GPU "
                   "and allowed. What Cores= of gres.conf needs are all of them.",
            .ref = "nvidia-smi topo -m, CPU Affinity; cgroups(7), cpuset",
            .bad = "# topo-m.txt\n"
                   "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                   "GPU0\t X \tNV4\t0,64\t0\n"
                   "GPU1\tNV4\t X \t\t1",
            .good = "# topo-m.txt\n"
                    "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                    "GPU0\t X \tNV4\t0-3\t0\n"
                    "GPU1\tNV4\t X \t4-7\t1",
        },
    [AFFINITY_CUT] =
        {
            .code = "HW064",
            .name = "smi-affinity-cut",
            .severity = PLUMB_INFO,
            .summary = "nvidia-smi may have cut the CPU affinity of a GPU",
            .why = "It ends such a list after 12 characters, in the midst of a number if need be. "
                   "Where every second CPU is a node's, hardly any of them are shown.",
            .ref = "nvidia-smi topo -m, CPU Affinity",
            .bad = "# topo-m.txt\n"
                   "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                   "GPU0\t X \tNV4\t0,2,4,6,8,10\t0\n"
                   "GPU1\tNV4\t X \t1,3,5,7,9,11\t1",
            .good = "# topo-m.txt\n"
                    "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                    "GPU0\t X \tNV4\t0-3\t0\n"
                    "GPU1\tNV4\t X \t4-7\t1",
        },
};

const struct plumb_rule_family plumb_affinity_rules = {
    .prefix = "HW",
    .title = "Captures: CPUs near GPUs",
    .rules = rows,
    .count = AFFINITY_RULE_COUNT,
};

/* Why nothing is known of the CPUs near a GPU; AFFINITY_RULE_COUNT: for another reason. */
static size_t reason_of(struct plumb_bind *b, const struct plumb_slice *cell)
{
    struct plumb_cpus cpus = {0};
    size_t fault = 0;

    if (cell->len == 0)
        return AFFINITY_FEW;
    if (plumb_bind_maybe_cut(cell))
        return AFFINITY_CUT;
    if (!plumb_cpus_read(b->s->arena, cell, &cpus, &fault))
        return AFFINITY_RULE_COUNT;
    return plumb_cpus_count(&cpus) <= PLUMB_BIND_HANDFUL ? AFFINITY_FEW : AFFINITY_RULE_COUNT;
}

static void report(struct plumb_bind *b, size_t reason, const struct plumb_smi_row *row,
                   size_t others)
{
    const struct plumb_slice *cell = &row->cpu_affinity;
    struct plumb_diag *d = NULL;

    if (reason == AFFINITY_CUT)
        d = plumb_diag_new(&b->s->sink, &rows[reason], cell->at,
                           "the CPU affinity of '%s' is '%s', 12 characters as where nvidia-smi "
                           "cuts a list, expected a whole one; which CPUs are near stays unknown",
                           row->name.text, cell->text);
    else if (cell->len > 0)
        d = plumb_diag_new(&b->s->sink, &rows[reason], cell->at,
                           "the CPU affinity of '%s' is '%s', as inside of a job or a container, "
                           "expected all CPUs of its NUMA node",
                           row->name.text, cell->text);
    else
        d = plumb_diag_new(&b->s->sink, &rows[reason], row->name.at,
                           "'%s' has no CPU affinity, as inside of a job or a container, expected "
                           "the CPUs of its NUMA node",
                           row->name.text);
    if (others > 0)
        plumb_diag_fact(d, "so it is for %zu more GPU%s", others, others == 1 ? "" : "s");
}

void plumb_bind_affinity(struct plumb_bind *b)
{
    const struct plumb_smi_topo *t = b->g->smi;
    size_t counts[AFFINITY_RULE_COUNT + 1] = {0};
    const struct plumb_smi_row *first[AFFINITY_RULE_COUNT + 1] = {NULL};

    if (t == NULL || b->hwloc != NULL || !t->has_affinity || b->hw->gpu_count != t->gpu_count)
        return;
    for (size_t i = 0; i < t->gpu_count; i++) {
        size_t reason = reason_of(b, &t->rows[i].cpu_affinity);

        if (!plumb_cpus_empty(&b->hw->gpus[i].cpus))
            continue;
        if (counts[reason]++ == 0)
            first[reason] = &t->rows[i];
    }
    for (size_t i = 0; i < AFFINITY_RULE_COUNT; i++) {
        if (counts[i] > 0)
            report(b, i, first[i], counts[i] - 1);
    }
}
