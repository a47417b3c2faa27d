/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NUMA010: Cores= counted as if each socket had fewer cores than it has. The GPUs are dealt out
 * over as many core sets as the node has sockets, one behind the other from core 0, but all the
 * sets lie inside the first sockets: the author took the socket for smaller, and the last
 * sockets belong to no GPU. From 24.11 on the whole-socket law (NUMA002) finds the same.
 */
#include "rules/numa_half.h"

#include <inttypes.h>

#include "rules/ask.h"
#include "rules/device.h"
#include "rules/gres_view.h"
#include "rules/ranges.h"

enum { MOST_SETS = 64 }; /* sockets of one node: more is no machine that people build */

static const struct plumb_era rows[] = {
    {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0, false},
    {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD, true},
};
static const struct plumb_eras half_eras = PLUMB_ERAS(rows);

/* The core sets of a view's GPUs, each once; 0 when some line has none that can be read. */
static size_t core_sets(const struct plumb_gres_view *v, const struct plumb_gres_line **sets)
{
    size_t count = 0;

    for (size_t l = 0; l < v->count; l++) {
        const struct plumb_gres_line *line = v->lines[l];
        size_t i = 0;

        if (!plumb_gres_is(line, "gpu"))
            continue;
        if (!line->has_cores || line->cores_bad || plumb_cores_empty(&line->cores))
            return 0;
        while (i < count && !plumb_cores_equal(&sets[i]->cores, &line->cores))
            i++;
        if (i < count)
            continue;
        if (count == MOST_SETS)
            return 0;
        sets[count++] = line;
    }
    return count;
}

/* The sets are runs of one length, one behind the other from core 0; *size is that length. */
static bool dealt_from_zero(const struct plumb_gres_line *const *sets, size_t count, uint64_t *size)
{
    *size = plumb_cores_count(&sets[0]->cores);
    for (size_t i = 0; i < count; i++) {
        const struct plumb_cores *b = &sets[i]->cores;

        if (plumb_cores_count(b) != *size || plumb_cores_first(b).n != i * *size ||
            plumb_cores_last(b).n != (i + 1) * *size - 1)
            return false;
    }
    return true;
}

static void report(const struct plumb_check *ck, const struct plumb_gres_view *v,
                   const struct plumb_gres_line *line, uint64_t used,
                   const struct plumb_shape *shape)
{
    const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_GRES_CORES);
    uint64_t total = shape->sockets * shape->cores;

    if (s == NULL)
        s = plumb_setting(&line->settings, PLUMB_P_GRES_CPUS);

    struct plumb_diag *d = plumb_report(
        ck, s != NULL ? s->value.at : line->at,
        "Cores of the GPUs of '%s' end at core %" PRIu64 ", so cores %" PRIu64 "-%" PRIu64
        " are near no GPU, expected one socket of %" PRIu64 " cores for each of the %" PRIu64
        " core sets",
        plumb_fold_hosts(ck, v->hosts), used - 1, used, total - 1, shape->cores, shape->sockets);

    plumb_diag_note(d, v->nodes->at, "%" PRIu64 " sockets of %" PRIu64 " cores", shape->sockets,
                    shape->cores);
    plumb_diag_fact(d, "jobs of these GPUs get cores of another socket; from 24.11 on slurmctld "
                       "drains the node");
    plumb_fold_object(ck, d, v->hosts);
    plumb_outcome(ck, d, &half_eras);
}

void plumb_half_sockets(const struct plumb_check *ck)
{
    const struct plumb_gres_line *sets[MOST_SETS];
    struct plumb_fold seen = plumb_fold_in(ck);
    struct plumb_gres_views views;

    if (plumb_era_quiet(ck, &half_eras))
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        struct plumb_shape shape;
        uint64_t size = 0;

        /* A capture says better where the GPUs are: NUMA004. */
        if (v->nodes->hardware != NULL || !plumb_shape_written(v->nodes, &shape) ||
            shape.sockets < 2)
            continue;

        size_t count = core_sets(v, sets);

        if (count != shape.sockets || !dealt_from_zero(sets, count, &size) || size >= shape.cores)
            continue;

        const struct plumb_gres_line *last = sets[count - 1];

        if (!plumb_fold_seen(&seen, last->at))
            report(ck, v, last, count * size, &shape);
    }
}
