/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host lists of parameters. The reader says what is wrong in a list; who minds depends on the
 * parameter: a broken NodeName ends every daemon, a broken AllocNodes is never looked at.
 */
#include "conf/conf.h"
#include "passes/type.h"

/* What a list that cannot be read does: up to 23.02, and from 23.11 on. */
struct outcome {
    enum plumb_param_id param;
    enum plumb_effect before, after;
    unsigned daemons;
    bool none_now; /* 26.05 does not mind */
};

static const struct outcome outcomes[] = {
    {PLUMB_P_SLURM_NODENAME, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_P_PART_NODES, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_PART_ALLOCNODES, PLUMB_EFFECT_NONE, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
    {PLUMB_P_NODESET_NODES, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, true},
    {PLUMB_P_NODE_NODEADDR, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_NODE_NODEHOSTNAME, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_NODE_BCASTADDR, PLUMB_EFFECT_NONE, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_SLURM_DOWNNODES, PLUMB_EFFECT_COMPLAINS, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD,
     false},
    {PLUMB_P_SWITCH_NODES, PLUMB_EFFECT_COMPLAINS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_SWITCH_SWITCHES, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_BLOCK_NODES, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_RING_NODES, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_P_GRES_FILE, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
    {PLUMB_P_GRES_FILES, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
    {PLUMB_P_GRES_MULTIPLEFILES, PLUMB_EFFECT_STOPS, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
    {PLUMB_P_GRESGLOBAL_NODENAME, PLUMB_EFFECT_NONE, PLUMB_EFFECT_NONE, PLUMB_SLURMD, false},
};

static const struct outcome *outcome_of(enum plumb_param_id param)
{
    for (size_t i = 0; i < PLUMB_COUNT(outcomes); i++) {
        if (outcomes[i].param == param)
            return &outcomes[i];
    }
    return NULL;
}

struct plumb_hostlist *plumb_read_hosts(struct plumb_session *s, const struct plumb_slice *text,
                                        enum plumb_param_id param, enum plumb_release r)
{
    const struct outcome *o = outcome_of(param);
    size_t before = s->sink.count;
    struct plumb_hostlist *hosts = plumb_hostlist_read(s, text, r);

    if (hosts != NULL || o == NULL)
        return hosts;
    for (size_t i = before; i < s->sink.count; i++) {
        enum plumb_effect effect = r < PLUMB_23_11 ? o->before : o->after;

        if (o->none_now && r >= PLUMB_26_05)
            effect = PLUMB_EFFECT_NONE;

        plumb_diag_effect(s->sink.items[i], effect, effect == PLUMB_EFFECT_NONE ? 0 : o->daemons);
        plumb_diag_severity(s->sink.items[i],
                            effect >= PLUMB_EFFECT_DRAINS ? PLUMB_ERROR : PLUMB_WARNING);
    }
    return NULL;
}

/* Lists that attach.c and type_values.c read, for what they name. */
static bool is_read_elsewhere(const struct plumb_param *p)
{
    switch (p->id) {
    case PLUMB_P_PART_NODES:
    case PLUMB_P_NODESET_NODES:
    case PLUMB_P_GRES_FILE:
    case PLUMB_P_GRES_FILES:
    case PLUMB_P_GRES_MULTIPLEFILES:
        return true;
    default:
        return false;
    }
}

/* What is wrong is all that counts: the list itself takes no memory beyond the pass. */
static void read_and_forget(struct plumb_session *s, const struct plumb_setting *pair,
                            enum plumb_release r)
{
    struct plumb_arena *arena = s->arena;

    s->arena = s->scratch;
    (void)plumb_read_hosts(s, &pair->value, (enum plumb_param_id)pair->param->id, r);
    s->arena = arena;
}

void plumb_check_hosts(struct plumb_session *s, const struct plumb_conf *doc, enum plumb_release r)
{
    for (size_t i = 0; i < doc->count; i++) {
        for (size_t k = 0; k < doc->lines[i].count; k++) {
            const struct plumb_setting *pair = &doc->lines[i].pairs[k];

            if (pair->param == NULL || is_read_elsewhere(pair->param) || pair->value.len == 0 ||
                plumb_param_at(pair->param, r)->life == PLUMB_LIFE_NONE)
                continue;
            if (plumb_param_at(pair->param, r)->type == PLUMB_T_HOST_LIST ||
                pair->param->id == PLUMB_P_SLURM_DOWNNODES)
                read_and_forget(s, pair, r);
        }
    }
}
