/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters that fields of the SlurmCluster say (sections fields of the operator's table). What a
 * field does not take goes to customSlurmConfig, which is read last and wins.
 */
#include <string.h>

#include "schema/value.h"
#include "soperator/soperator.h"

/* Longer than Slurm is old: the operator writes a line for each purge, and slurmdbd knows no word
 * for never (slurmdb_parse_purge takes a number and a unit). */
static const char never[] = "600months";

static bool starts(const struct plumb_kube_slot *slot, const char *section)
{
    return strncmp(slot->path, section, strlen(section)) == 0;
}

bool plumb_soperator_accounts(const struct plumb_bundle *b)
{
    return plumb_dbd(b->m)->count > 0;
}

/* The section of health checks is there with program and interval or not at all. */
static bool has_health_check(const struct plumb_bundle *b)
{
    static const enum plumb_param_id all[] = {
        PLUMB_P_SLURM_HEALTHCHECKPROGRAM,
        PLUMB_P_SLURM_HEALTHCHECKINTERVAL,
        PLUMB_P_SLURM_HEALTHCHECKNODESTATE,
    };
    const struct plumb_kube_writes *w = b->plan->writes;

    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        const struct plumb_setting *s = plumb_setting(plumb_slurm(b->m), all[i]);

        if (s == NULL && all[i] == PLUMB_P_SLURM_HEALTHCHECKNODESTATE)
            continue; /* ANY, as Slurm has it */
        if (s == NULL ||
            plumb_kube_slot_text(b->a, plumb_kube_slot(w->slots, w->slot_count, s->param->name),
                                 &s->value) == NULL)
            return false;
    }
    return true;
}

const char *plumb_soperator_in_field(const struct plumb_bundle *b, const struct plumb_setting *s,
                                     const struct plumb_kube_slot **slot)
{
    const struct plumb_kube_writes *w = b->plan->writes;

    *slot = plumb_kube_slot(w->slots, w->slot_count, s->param->name);
    if (*slot == NULL ||
        (starts(*slot, "slurmNodes.accounting.") && !plumb_soperator_accounts(b)) ||
        (starts(*slot, "healthCheckConfig.") && !has_health_check(b)))
        return NULL;
    return plumb_kube_slot_text(b->a, *slot, &s->value);
}

/* healthCheckNodeState is a list of {state: WORD}. */
static struct plumb_node *states(struct plumb_bundle *b, const char *words, struct plumb_span at)
{
    struct plumb_node *list = plumb_node_sequence(b->a, at);

    while (*words != '\0') {
        size_t len = strcspn(words, ",");
        struct plumb_node *one = plumb_node_mapping(b->a, at);

        plumb_node_set(b->a, one, "state",
                       plumb_node_string(b->a, plumb_arena_strndup(b->a, words, len), at));
        plumb_node_append(b->a, list, one);
        words += len + (words[len] == ',');
    }
    return list;
}

static void put_field(struct plumb_bundle *b, struct plumb_node *spec,
                      const struct plumb_kube_slot *slot, const char *text, struct plumb_span at)
{
    struct plumb_slice value = {.text = text, .len = (uint32_t)strlen(text)};
    const char *key = NULL;
    struct plumb_node *to = plumb_bundle_holder(b, spec, slot->path, &key);
    uint64_t number = 0;

    if (plumb_kube_slot_is_number(slot) && plumb_value_uint(&value, 32, &number) == PLUMB_VALUE_OK)
        plumb_node_set(b->a, to, key, plumb_node_u64(b->a, number, at));
    else if (strcmp(key, "healthCheckNodeState") == 0)
        plumb_node_set(b->a, to, key, states(b, text, at));
    else
        plumb_node_set(b->a, to, key, plumb_node_string(b->a, text, at));
}

struct plumb_settings plumb_soperator_settings(struct plumb_bundle *b)
{
    const struct plumb_settings *given = plumb_slurm(b->m);
    struct plumb_settings all = {0};

    for (size_t i = 0; i < given->count; i++) {
        if (given->items[i].param->id != PLUMB_P_SLURM_DEFMEMPERCPU)
            plumb_bundle_set(b, &all, &given->items[i]);
    }
    plumb_bundle_defaults(b, &all, PLUMB_SLURM_CONF);
    return all;
}

void plumb_soperator_fields(struct plumb_bundle *b, struct plumb_node *spec)
{
    struct plumb_settings settings = plumb_soperator_settings(b);
    const struct plumb_settings *all = &settings;
    struct plumb_node *conf = plumb_bundle_map(b, spec, "slurmConfig"), *check = NULL;

    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_setting *s = &all->items[i];
        const struct plumb_kube_slot *slot = NULL;
        const char *text = NULL;

        if (plumb_setting(all, (enum plumb_param_id)s->param->id) != s)
            continue; /* another one counts, or it is bad */
        text = plumb_soperator_in_field(b, s, &slot);
        if (text != NULL)
            put_field(b, spec, slot, text, s->value.at);
    }
    check = plumb_node_get(spec, "healthCheckConfig");
    /* Nobody asked for a topology: the operator's tree would wait for labels of Nodes. */
    if (plumb_node_get(conf, "topologyPlugin") == NULL)
        plumb_node_set_string(b->a, conf, "topologyPlugin", "");
    if (plumb_node_get(conf, "topologyParam") == NULL)
        plumb_node_set_string(b->a, conf, "topologyParam", "");
    /* The section has no default for it; Slurm has (slurm.conf(5), HealthCheckNodeState). */
    if (check != NULL && plumb_node_get(check, "healthCheckNodeState") == NULL)
        plumb_node_set(b->a, check, "healthCheckNodeState", states(b, "ANY", b->plan->at));
}

/* What the model says, else what slurmdbd does when nothing is said: the CRD has other defaults. */
static const char *dbd_text(struct plumb_bundle *b, const struct plumb_kube_slot *slot,
                            struct plumb_span *at)
{
    const struct plumb_param *p =
        plumb_param_find(b->em->session->table, PLUMB_SLURMDBD_CONF, PLUMB_SCOPE_GLOBAL, slot->key,
                         strlen(slot->key));
    enum plumb_param_id id = p == NULL ? PLUMB_P_DBD_DEBUGLEVEL : (enum plumb_param_id)p->id;
    const struct plumb_setting *s = plumb_setting(plumb_dbd(b->m), id);
    const char *text = s == NULL ? NULL : plumb_kube_slot_text(b->a, slot, &s->value);

    *at = b->plan->at;
    if (text == NULL && strcmp(slot->takes, "one of yes|no") == 0) {
        struct plumb_bool on = plumb_setting_bool(plumb_dbd(b->m), id, b->m->release);

        text = plumb_usable(on) && on.v ? "yes" : "no";
    }
    if (s != NULL)
        *at = s->value.at;
    if (text == NULL && strncmp(slot->key, "Purge", strlen("Purge")) == 0)
        text = never;
    return text;
}

void plumb_soperator_dbd_fields(struct plumb_bundle *b, struct plumb_node *spec)
{
    const struct plumb_kube_writes *w = b->plan->writes;

    for (size_t i = 0; i < w->slot_dbd_count; i++) {
        struct plumb_span at = {0};
        const char *text = dbd_text(b, &w->slots_dbd[i], &at);

        if (text != NULL)
            put_field(b, spec, &w->slots_dbd[i], text, at);
    }
}
