/* SPDX-License-Identifier: Apache-2.0 */
/* CPUSpecList that slurmctld drops although, or because, it reads other characters than ours. */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "rules/ask.h"
#include "schema/compound.h"

static bool well_formed(const struct plumb_check *ck, const struct plumb_slice *list)
{
    struct plumb_slurm_cpus cpus;
    size_t fault = 0;

    return plumb_slurm_cpus_read(ck->scratch, list, &cpus, &fault);
}

/* Some number is none of a CPU, once all that is no digit is left out. */
static bool beyond(const struct plumb_slice *list, uint64_t cpus)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;
    uint64_t lo = 0, hi = 0;

    if (list->text[0] == ',') /* reading ends here: no CPU at all */
        return false;
    while (plumb_list_next_any(list, ',', &c, &item)) {
        plumb_value_core_lax(&item, &lo, &hi);
        /* Both are kept in 32 bits, where -1 ends the list. */
        lo &= UINT32_MAX;
        hi &= UINT32_MAX;
        if (lo == UINT32_MAX)
            return false;
        if (lo >= cpus || hi >= cpus)
            return true;
    }
    return false;
}

/* The list as it is written, also when it was reported. */
static const struct plumb_setting *list_of(const struct plumb_nodes *n)
{
    const struct plumb_setting *last = NULL;

    for (size_t i = 0; i < n->settings.count; i++) {
        if (n->settings.items[i].param->id == PLUMB_P_NODE_CPUSPECLIST)
            last = &n->settings.items[i];
    }
    return last;
}

/* NODE045: read_config.c:_parse_nodename, "unable to convert it to bitmap" */
static void list_dropped(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_setting *s = list_of(n);

        if (s == NULL || s->value.len == 0 || !plumb_usable(n->cpus) || plumb_shapeless(ck, n))
            continue;
        if (well_formed(ck, &s->value) || memchr(s->value.text, ':', s->value.len) != NULL ||
            !beyond(&s->value, n->cpus.v))
            continue; /* NODE007 looks at well-formed lists, CONF020 at steps */
        plumb_outcome(ck,
                      plumb_report(ck, s->value.at,
                                   "the list is dropped as a whole, as a number of it is none of "
                                   "the %" PRIu64 " CPUs, expected numbers below that",
                                   n->cpus.v),
                      NULL);
    }
}

/* "a-b:step" goes up to b and leaves it out; false for what is no such list (CONF020). */
static bool step_is_empty(const struct plumb_slice *list)
{
    uint64_t lo = 0, hi = 0;
    size_t first = plumb_read_digits(list->text, list->len, &lo), second;

    if (first == 0 || first >= list->len || list->text[first] != '-')
        return false;
    second = plumb_read_digits(list->text + first + 1, list->len - first - 1, &hi);
    return second != SIZE_MAX && second > 0 && lo == hi;
}

/* bitstring.c:bitfmt2int finds no bit: a comma first, or ranges that end before they begin. */
static bool reads_as_empty(const struct plumb_slice *list)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (list->len == 0 || list->text[0] == ',')
        return true;
    if (memchr(list->text, ':', list->len) != NULL)
        return step_is_empty(list);
    while (plumb_list_next_any(list, ',', &c, &item)) {
        uint64_t lo = 0, hi = 0;

        plumb_value_core_lax(&item, &lo, &hi);
        lo &= UINT32_MAX;
        hi &= UINT32_MAX;
        if (lo == UINT32_MAX)
            return true;
        if (lo <= hi)
            return false;
    }
    return true;
}

/* The node has threads, and CPUs count them: the list is made of whole cores once more. */
static bool made_anew(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    return plumb_has_trait(ck, PLUMB_TRAIT_CPU_SPEC_LIST_MADE_ANEW) &&
           plumb_usable(n->threads_per_core) && n->threads_per_core.v > 1 &&
           n->sockets.v * n->cores_per_socket.v < n->cpus.v;
}

/* NODE046: slurmd.c:_core_spec_init binds slurmd to no CPU at all, which the kernel refuses. */
static void list_empty(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *task = plumb_global(ck, PLUMB_P_SLURM_TASKPLUGINPARAM);
    bool off_spec = task != NULL && plumb_slice_holds(&task->value, "SlurmdOffSpec");

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_setting *s = list_of(n);

        if (s == NULL || !plumb_usable(n->cpus) || !plumb_usable(n->sockets) ||
            !plumb_usable(n->cores_per_socket) || plumb_shapeless(ck, n) || off_spec ||
            !reads_as_empty(&s->value) || beyond(&s->value, n->cpus.v) || made_anew(ck, n))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, s->value.len > 0 ? s->value.at : s->key_at,
                                   "CPUSpecList is read as no CPU at all, expected numbers of CPUs "
                                   "such as 0,1, or no list"),
                      NULL);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE045",
        .name = "cpu-list-dropped",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "a CPUSpecList that is dropped as a whole",
        .why = "Jobs get the CPUs that were meant for the system.",
        .ref = "bitstring.c:bitfmt2int; read_config.c:_parse_nodename",
        .bad = "NodeName=n CPUs=8 CPUSpecList=0,9x",
        .good = "NodeName=n CPUs=8 CPUSpecList=0,2",
        .needs = PLUMB_FACT_MODEL,
        .run = list_dropped,
    },
    {
        .code = "NODE046",
        .name = "cpu-list-empty",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "a CPUSpecList that names no CPU",
        .why = "slurmd tries to run on no CPU, logs that it cannot, and sets nothing aside.",
        .ref = "bitstring.c:bitfmt2int; slurmd.c:_core_spec_init",
        .bad = "NodeName=n CPUs=8 CPUSpecList=,1",
        .good = "NodeName=n CPUs=8 CPUSpecList=1",
        .needs = PLUMB_FACT_MODEL,
        .run = list_empty,
    },
};

const struct plumb_rule_family plumb_node_cpulist_rules = {
    .prefix = "NODE",
    .title = "Lists of CPUs",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
