/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change of the key with which daemons know each other, against what the daemons bear. A
 * specification tells how long its rollout takes; the kubelet takes its time before (kubelet(1),
 * --sync-frequency). Credentials are good for AuthInfo=ttl= (slurm.conf(5)).
 */
#include <inttypes.h>

#include "model/kube_stack.h"
#include "rules/ask.h"

/* From the change of the Secret to the last pod with the new key. */
static uint64_t until_last_pod(const struct plumb_kube_stack *s)
{
    return PLUMB_KUBE_SECRET_SYNC_SEC + s->rollout_sec.v;
}

/* Why there is no second key; NULL: there may be. */
static const char *one_key(const struct plumb_check *ck, struct plumb_span *at)
{
    const struct plumb_kube_credential *munge =
        plumb_kube_credential_of(ck->model->kube_stack, PLUMB_FOR_MUNGE);

    if (munge != NULL) {
        *at = munge->name.at;
        return "munged has one key and takes no other one";
    }
    if (!plumb_has_trait(ck, PLUMB_TRAIT_KEYS_IN_JWKS))
        return plumb_arena_printf(ck->arena, "auth/slurm of %s reads one key, out of slurm.key",
                                  plumb_series(ck));
    return NULL;
}

/* KUBE090 */
static void overlap_covers(const struct plumb_check *ck)
{
    const struct plumb_kube_stack *s = ck->model->kube_stack;
    struct plumb_span key = {0};
    const char *why = NULL;
    uint64_t life = 0, want = 0;

    if (s == NULL || !plumb_usable(s->overlap_sec))
        return;
    why = one_key(ck, &key);
    if (why != NULL) {
        struct plumb_diag *d = plumb_report(
            ck, s->overlap_sec.at, "%s, expected no 'overlap': all daemons change at once", why);

        if (plumb_span_known(key))
            plumb_diag_note(d, key, "the key");
        return;
    }
    if (!plumb_usable(s->rollout_sec))
        return;
    life = plumb_kube_credential_sec(ck->model,
                                     plumb_kube_credential_of(s, PLUMB_FOR_SLURM_KEY) != NULL);
    want = until_last_pod(s) + life;
    if (s->overlap_sec.v >= want)
        return;
    plumb_diag_note(
        plumb_report(ck, s->overlap_sec.at,
                     "the old key is taken for %" PRIu64 " s, expected at least %" PRIu64
                     ": %d s until the kubelet has the new Secret, %" PRIu64
                     " s of rollout and %" PRIu64
                     " s for which a credential of the old key holds (AuthInfo, ttl)",
                     s->overlap_sec.v, want, PLUMB_KUBE_SECRET_SYNC_SEC, s->rollout_sec.v, life),
        s->rollout_sec.at, "the rollout");
}

/* KUBE091: ping_nodes.c; a node that does not answer for SlurmdTimeout is set DOWN. */
static void nodes_wait(const struct plumb_check *ck)
{
    const struct plumb_kube_stack *s = ck->model->kube_stack;
    struct plumb_u64 timeout = plumb_global_u64(ck, PLUMB_P_SLURM_SLURMDTIMEOUT);
    struct plumb_diag *d = NULL;

    if (s == NULL || !plumb_usable(s->rollout_sec) || plumb_usable(s->overlap_sec) ||
        !plumb_usable(timeout) || timeout.v == 0 || until_last_pod(s) <= timeout.v)
        return;
    d = plumb_report(ck, s->rollout_sec.at,
                     "a change of the key takes %d s until the kubelet has it and %" PRIu64
                     " s of rollout, expected at most SlurmdTimeout, %" PRIu64
                     " s: slurmctld sets nodes with the other key DOWN and ends their jobs",
                     PLUMB_KUBE_SECRET_SYNC_SEC, s->rollout_sec.v, timeout.v);
    if (plumb_written(timeout))
        plumb_diag_note(d, timeout.at, "SlurmdTimeout");
}

#define SPEC(timeout, rotation)                                                                    \
    "# cluster.yaml\nplumb: 1\ncluster: c\ncontrol: {hosts: ctl}\nnodes:\n"                        \
    "  n: {hosts: \"n[1-4]\", topology: dgx-h100, memory: 1000000 MB}\n"                           \
    "partitions: {p: {nodes: all, default: true}}\ntimeouts: {node: " timeout "}\n"                \
    "kubernetes:\n  flavor: slinky\n  gitops: {}\n  rotation: {" rotation "}\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE090",
        .name = "rotation-overlap",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_SPEC | PLUMB_FACT_MODEL,
        .summary = "the old key is given up before nobody needs it any more",
        .why = "Until the last pod has the new key, some daemon signs with the old one; what it "
               "has signed holds for the lifetime of a credential.",
        .ref = "slurm.conf(5), AuthInfo, ttl; Slurm, Authentication, Multiple Key Setup; "
               "Kubernetes, Secrets, mounted Secrets are updated",
        .bad = SPEC("300 s", "rollout: 10 min, overlap: 10 min"),
        .good = SPEC("300 s", "rollout: 10 min, overlap: 15 min"),
        .run = overlap_covers,
    },
    {
        .code = "KUBE091",
        .name = "rotation-slurmd-timeout",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_SPEC | PLUMB_FACT_MODEL,
        .summary = "a change of the key takes longer than slurmctld waits for its nodes",
        .why = "Daemons with different keys refuse each other. Two keys at a time (overlap), or a "
               "longer SlurmdTimeout for the time of the change, keep nodes and jobs.",
        .ref = "slurm.conf(5), SlurmdTimeout; Kubernetes, Secrets, mounted Secrets are updated",
        .bad = SPEC("300 s", "rollout: 10 min"),
        .good = SPEC("300 s", "rollout: 2 min"),
        .run = nodes_wait,
    },
};

const struct plumb_rule_family plumb_kube_rotation_rules = {
    .prefix = "KUBE",
    .title = "Change of keys",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
