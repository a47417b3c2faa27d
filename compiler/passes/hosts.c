/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host lists of parameters. The reader says what is wrong in a list; who minds depends on the
 * parameter: a broken NodeName ends every daemon, a broken AllocNodes is never looked at.
 */
#include <string.h>

#include "conf/conf.h"
#include "passes/type.h"
#include "schema/trait.h"

struct other {
    enum plumb_effect effect;
    unsigned daemon;
    const char *text;
};

/* slurmd of such a node looks for the name as it is written: node_conf.c:_find_node_record. */
static const struct other node_lost = {PLUMB_EFFECT_STOPS, PLUMB_SLURMD,
                                       "slurmd of that node stops"};
static const struct other ring_left_out = {PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD,
                                           "slurmctld leaves the ring out"};

/* What a list that cannot be read does, and what it does instead in releases with a trait. */
struct outcome {
    enum plumb_param_id param;
    enum plumb_effect effect;
    unsigned daemons;
    enum plumb_trait_id trait; /* PLUMB_TRAIT_COUNT: all do the same */
    enum plumb_effect instead;
    const char *code;          /* of a fault that differs from others; NULL: any */
    const struct other *other; /* what another daemon does; NULL: nothing */
};

#define ALWAYS PLUMB_TRAIT_COUNT, PLUMB_EFFECT_NONE

/* Of these faults a name is left, which no node has: the topology plugins log that. */
#define NAMES_LOST(param)                                                                          \
    {param, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, ALWAYS, "HOST009", NULL},                     \
    {                                                                                              \
        param, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, ALWAYS, "HOST010", NULL                    \
    }

static const struct outcome outcomes[] = {
    /* a name that does not resolve */
    {PLUMB_P_SLURM_NODENAME, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, ALWAYS, "HOST009",
     &node_lost},
    {PLUMB_P_SLURM_NODENAME, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, ALWAYS, "HOST010",
     &node_lost},
    {PLUMB_P_NODE_NODEADDR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, ALWAYS, "HOST009", NULL},
    {PLUMB_P_NODE_NODEADDR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, ALWAYS, "HOST010", NULL},
    {PLUMB_P_NODE_NODEHOSTNAME, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, ALWAYS, "HOST009", NULL},
    {PLUMB_P_NODE_NODEHOSTNAME, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, ALWAYS, "HOST010", NULL},
    {PLUMB_P_NODE_BCASTADDR, PLUMB_EFFECT_NONE, PLUMB_SLURM_ALL, ALWAYS, "HOST009", NULL},
    {PLUMB_P_NODE_BCASTADDR, PLUMB_EFFECT_NONE, PLUMB_SLURM_ALL, ALWAYS, "HOST010", NULL},
    {PLUMB_P_SLURM_NODENAME, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    {PLUMB_P_PART_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, ALWAYS, NULL, NULL},
    {PLUMB_P_PART_ALLOCNODES, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, ALWAYS, NULL, NULL},
    {PLUMB_P_NODESET_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, PLUMB_TRAIT_BROKEN_NODE_SETS_TAKEN,
     PLUMB_EFFECT_NONE, "HOST001", NULL},
    {PLUMB_P_NODESET_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, ALWAYS, "HOST010", NULL},
    {PLUMB_P_NODESET_NODES, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, ALWAYS, "HOST006", NULL},
    {PLUMB_P_NODESET_NODES, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD,
     PLUMB_TRAIT_BROKEN_NODE_SETS_CRASH, PLUMB_EFFECT_STOPS, NULL, NULL},
    {PLUMB_P_NODE_NODEADDR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    {PLUMB_P_NODE_NODEHOSTNAME, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    {PLUMB_P_NODE_BCASTADDR, PLUMB_EFFECT_NONE, PLUMB_SLURM_ALL, PLUMB_TRAIT_BROKEN_HOST_LISTS_STOP,
     PLUMB_EFFECT_STOPS, NULL, NULL},
    {PLUMB_P_SLURM_DOWNNODES, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, ALWAYS, NULL, NULL},
    {PLUMB_P_SWITCH_NODES, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL,
     PLUMB_TRAIT_BROKEN_HOST_LISTS_STOP, PLUMB_EFFECT_STOPS, "HOST001", NULL},
    NAMES_LOST(PLUMB_P_SWITCH_NODES),
    {PLUMB_P_SWITCH_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    {PLUMB_P_SWITCH_SWITCHES, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    NAMES_LOST(PLUMB_P_BLOCK_NODES),
    {PLUMB_P_BLOCK_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    NAMES_LOST(PLUMB_P_RING_NODES),
    {PLUMB_P_RING_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, ALWAYS, NULL, &ring_left_out},
    NAMES_LOST(PLUMB_P_TREESWITCH_NODES),
    {PLUMB_P_TREESWITCH_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    {PLUMB_P_TREESWITCH_CHILDREN, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    NAMES_LOST(PLUMB_P_BLOCKBLOCK_NODES),
    {PLUMB_P_BLOCKBLOCK_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    NAMES_LOST(PLUMB_P_RINGRING_NODES),
    {PLUMB_P_RINGRING_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, ALWAYS, NULL, &ring_left_out},
    {PLUMB_P_TORUS_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    {PLUMB_P_REGION_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, ALWAYS, NULL, NULL},
    {PLUMB_P_LAYER_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, ALWAYS, NULL, NULL},
    {PLUMB_P_NODECONF_NODES, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, ALWAYS, NULL, NULL},
    {PLUMB_P_GRES_FILE, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, ALWAYS, NULL, NULL},
    {PLUMB_P_GRES_FILES, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, ALWAYS, NULL, NULL},
    {PLUMB_P_GRES_MULTIPLEFILES, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, ALWAYS, NULL, NULL},
    {PLUMB_P_GRESGLOBAL_NODENAME, PLUMB_EFFECT_NONE, PLUMB_SLURMD, ALWAYS, "HOST001", NULL},
    {PLUMB_P_GRESGLOBAL_NODENAME, PLUMB_EFFECT_NONE, PLUMB_SLURMD, ALWAYS, "HOST006", NULL},
    {PLUMB_P_GRESGLOBAL_NODENAME, PLUMB_EFFECT_NONE, PLUMB_SLURMD, ALWAYS, "HOST009", NULL},
    {PLUMB_P_GRESGLOBAL_NODENAME, PLUMB_EFFECT_NONE, PLUMB_SLURMD, ALWAYS, "HOST010", NULL},
    {PLUMB_P_GRESGLOBAL_NODENAME, PLUMB_EFFECT_NONE, PLUMB_SLURMD, ALWAYS, "HOST011", NULL},
    {PLUMB_P_GRESGLOBAL_NODENAME, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD, ALWAYS, NULL, NULL},
};

/* Rows of one fault stand before the row of the others. */
static const struct outcome *outcome_of(enum plumb_param_id param, const char *code)
{
    for (size_t i = 0; i < PLUMB_COUNT(outcomes); i++) {
        if (outcomes[i].param == param &&
            (outcomes[i].code == NULL || strcmp(outcomes[i].code, code) == 0))
            return &outcomes[i];
    }
    return NULL;
}

/* HOST007 and HOST008 are about names that are read, so the parameter does not matter. */
static bool loses_names(const char *code)
{
    return strcmp(code, "HOST007") != 0 && strcmp(code, "HOST008") != 0;
}

/* The names that can be read; what the reader reports gets the outcome of the parameter. */
static struct plumb_hostlist *read_judged(struct plumb_session *s, const struct plumb_slice *text,
                                          enum plumb_param_id param, enum plumb_release r,
                                          bool *whole)
{
    size_t before = s->sink.count;
    struct plumb_hostlist *hosts = plumb_hostlist_read_rest(s, text, r, whole);

    for (size_t i = before; !*whole && i < s->sink.count; i++) {
        struct plumb_diag *d = s->sink.items[i];
        const struct outcome *o = outcome_of(param, d->rule->code);
        enum plumb_effect effect = PLUMB_EFFECT_NONE;

        if (o == NULL || !loses_names(d->rule->code))
            continue;
        effect = o->trait != PLUMB_TRAIT_COUNT && plumb_trait_value(s->table, r, o->trait) != 0
                     ? o->instead
                     : o->effect;
        plumb_diag_effect(d, effect, effect == PLUMB_EFFECT_NONE ? 0 : o->daemons);
        plumb_diag_severity(d, effect >= PLUMB_EFFECT_DRAINS ? PLUMB_ERROR : PLUMB_WARNING);
        if (o->other != NULL) {
            plumb_diag_other(d, o->other->effect, o->other->daemon);
            plumb_diag_outcome_more(d, ", and %s", o->other->text);
        }
    }
    return hosts;
}

struct plumb_hostlist *plumb_read_hosts(struct plumb_session *s, const struct plumb_slice *text,
                                        enum plumb_param_id param, enum plumb_release r)
{
    bool whole = false;
    struct plumb_hostlist *hosts = read_judged(s, text, param, r, &whole);

    return whole ? hosts : NULL;
}

/* A fault of one name, beside which hostlist_create takes the others. */
static bool keeps_others(const struct plumb_session *s, enum plumb_release r, const char *code)
{
    static const char *const kept[] = {"HOST009", "HOST010", "HOST011"};

    if (!loses_names(code))
        return true;
    for (size_t i = 0; i < PLUMB_COUNT(kept); i++) {
        if (strcmp(code, kept[i]) == 0)
            return true;
    }
    return strcmp(code, "HOST001") == 0 &&
           plumb_trait_value(s->table, r, PLUMB_TRAIT_OPEN_BRACKETS_REFUSED) == 0;
}

struct plumb_hostlist *plumb_read_gres_hosts(struct plumb_session *s,
                                             const struct plumb_slice *text, enum plumb_release r,
                                             bool *whole)
{
    size_t before = s->sink.count;
    struct plumb_hostlist *hosts = read_judged(s, text, PLUMB_P_GRESGLOBAL_NODENAME, r, whole);

    for (size_t i = before; i < s->sink.count; i++) {
        if (!keeps_others(s, r, s->sink.items[i]->rule->code))
            return PLUMB_NEW(s->arena, struct plumb_hostlist);
    }
    return hosts;
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

/* A text is kept as it is; the last one of a line is what is read of it. */
static bool is_set_again(const struct plumb_conf_line *line, size_t pair)
{
    for (size_t i = pair + 1; i < line->count; i++) {
        if (line->pairs[i].param == line->pairs[pair].param)
            return true;
    }
    return false;
}

void plumb_check_hosts(struct plumb_session *s, const struct plumb_conf *doc, enum plumb_release r)
{
    for (size_t i = 0; i < doc->count; i++) {
        for (size_t k = 0; k < doc->lines[i].count; k++) {
            const struct plumb_setting *pair = &doc->lines[i].pairs[k];

            if (pair->param == NULL || is_read_elsewhere(pair->param) || pair->value.len == 0 ||
                is_set_again(&doc->lines[i], k) ||
                plumb_param_at(pair->param, r)->life == PLUMB_LIFE_NONE)
                continue;
            if (plumb_param_at(pair->param, r)->type == PLUMB_T_HOST_LIST ||
                pair->param->id == PLUMB_P_SLURM_DOWNNODES)
                read_and_forget(s, pair, r);
        }
    }
}
