/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass for-kube: what rules about Slurm say of files that an operator writes. Nobody answers for a
 * value that the operator chose; a fault that a rule about manifests tells is told once; and some
 * faults of node lines are others on nodes that register themselves.
 */
#include <string.h>

#include "kube/object.h"
#include "passes/assemble.h"

static bool same(struct plumb_span a, struct plumb_span b)
{
    return a.file == b.file && a.begin == b.begin && a.end == b.end;
}

static bool overlaps(struct plumb_span a, struct plumb_span b)
{
    return a.file == b.file && a.begin < b.end && b.begin < a.end;
}

static bool is_of_manifests(const struct plumb_diag *d)
{
    return strncmp(d->rule->code, "KUBE", 4) == 0;
}

static bool is_own(const struct plumb_run *r, struct plumb_span at)
{
    for (size_t i = 0; i < PLUMB_COUNT(r->assembled); i++) {
        if (r->assembled[i] != NULL && same(at, r->assembled[i]->name_at))
            return true;
    }
    return false;
}

/* It stands on a line of the operator's, or holds something against one. */
static bool is_about_own(const struct plumb_run *r, const struct plumb_diag *d)
{
    if (is_own(r, d->at))
        return true;
    for (size_t i = 0; i < d->notes.count; i++) {
        if (is_own(r, d->notes.items[i].at))
            return true;
    }
    return false;
}

static bool is_told(const struct plumb_sink *sink, const struct plumb_diag *d)
{
    for (size_t i = 0; i < sink->count; i++) {
        const struct plumb_diag *other = sink->items[i];

        if (is_of_manifests(other) && other->severity != PLUMB_INFO && overlaps(other->at, d->at))
            return true;
    }
    return false;
}

/*
 * Faults of node lines that are others on nodes that register themselves. What slurmctld minds in
 * the rest of a node line it minds when the node comes (seen with 26.05).
 */
static const struct {
    const char *code;
    enum plumb_effect effect;
    unsigned daemons;
    const char *does;
} on_dynamic[] = {
    {"NODE028", PLUMB_EFFECT_NONE, 0, "takes it of a node that registers itself"},
    {"SCHED021", PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, "refuses the nodes beyond it"},
};

static void judge_dynamic(struct plumb_diag *d)
{
    for (size_t i = 0; i < PLUMB_COUNT(on_dynamic); i++) {
        if (strcmp(on_dynamic[i].code, d->rule->code) != 0)
            continue;
        if (d->fault_len > 0)
            plumb_diag_outcome(d, "slurmctld %s %s", plumb_release_name(d->sink->release),
                               on_dynamic[i].does);
        plumb_diag_effect(d, on_dynamic[i].effect, on_dynamic[i].daemons);
        plumb_diag_other(d, PLUMB_EFFECT_NONE, 0);
        if (on_dynamic[i].effect == PLUMB_EFFECT_NONE)
            plumb_diag_severity(d, PLUMB_WARNING);
    }
}

static bool has_dynamic(const struct plumb_model *m)
{
    for (size_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].dynamic)
            return true;
    }
    return false;
}

void plumb_pass_for_kube(struct plumb_run *r)
{
    struct plumb_sink *sink = &r->session->sink;
    size_t kept = 0;
    bool dynamic = r->model != NULL && has_dynamic(r->model);

    if (r->assembled[0] == NULL)
        return;
    for (size_t i = 0; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];

        if (is_of_manifests(d) || strncmp(d->rule->code, "CONF", 4) == 0) {
            sink->items[kept++] = d;
            continue;
        }
        if (is_about_own(r, d) || is_told(sink, d))
            continue;
        if (dynamic)
            judge_dynamic(d);
        sink->items[kept++] = d;
    }
    sink->count = kept;
}
