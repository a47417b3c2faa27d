/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of Slurm files within objects of Soperator: customSlurmConfig, read last, where a list of
 * the operator is said again with our words behind; config of a partition; words and gres.conf
 * lines of a NodeSet, which the operator puts behind NodeName= of its pods.
 */
#include <string.h>

#include "base/text.h"
#include "soperator/soperator.h"

/* What a NodeSet cannot say: each pod has a name and an address of its own, and is in the cloud. */
static const enum plumb_param_id no_words[] = {
    PLUMB_P_NODE_NODEADDR, PLUMB_P_NODE_NODEHOSTNAME, PLUMB_P_NODE_BCASTADDR,
    PLUMB_P_NODE_STATE,    PLUMB_P_NODE_REASON,
};

/* What stands in fields of its own. */
static const enum plumb_param_id own_words[] = {
    PLUMB_P_NODE_REALMEMORY,
    PLUMB_P_NODE_FEATURES,
    PLUMB_P_NODE_FEATURE,
    PLUMB_P_NODE_PORT,
};

/* ---- slurm.conf ---- */

/* The operator's words of a list, as far as the release knows them, and ours behind. */
static void add_joined(struct plumb_bundle *b, struct plumb_settings *to,
                       const struct plumb_setting *s, const struct plumb_kube_owned *own)
{
    const char *more =
        plumb_bundle_known_words(b, s->param, plumb_kube_unsaid(b->a, own, &s->value));
    struct plumb_setting joined = *s;

    if (more[0] != '\0') {
        joined.value.text =
            plumb_arena_printf(b->a, "%s,%.*s", more, (int)s->value.len, s->value.text);
        joined.value.len = (uint32_t)strlen(joined.value.text);
        joined.value.lead = PLUMB_SLICE_MADE;
        joined.value.map = NULL;
    }
    plumb_bundle_set(b, to, &joined);
}

/* The operator writes the same: slurmctld complains about every line that is there twice. */
static bool is_said(const struct plumb_kube_owned *own, const struct plumb_setting *s)
{
    return own != NULL && strcmp(own->how, "fixed") == 0 && plumb_slice_is(&s->value, own->value);
}

/* What the operator does not keep, and no field says. */
static struct plumb_settings left_settings(struct plumb_bundle *b)
{
    const struct plumb_kube_writes *w = b->plan->writes;
    struct plumb_settings all = plumb_soperator_settings(b), left = {0};

    for (size_t i = 0; i < all.count; i++) {
        const struct plumb_setting *s = &all.items[i];
        const struct plumb_kube_owned *own =
            plumb_kube_own(w->owned, w->owned_count, s->param->name);
        const struct plumb_kube_slot *slot = NULL;

        if (plumb_soperator_in_field(b, s, &slot) != NULL || is_said(own, s))
            continue;
        if (own != NULL && strcmp(own->advice, "superset") == 0)
            add_joined(b, &left, s, own);
        else if (plumb_kube_keeps(w->owned, w->owned_count, s->param->name) == NULL ||
                 (slot != NULL && strcmp(own->advice, "warning") == 0))
            plumb_bundle_set(b, &left, s);
    }
    plumb_bundle_node_count(b, &left);
    return left;
}

const char *plumb_soperator_custom_conf(struct plumb_bundle *b)
{
    struct plumb_settings left = left_settings(b);
    struct plumb_slurm_page page = plumb_bundle_page(b, b->em, PLUMB_SLURM_CONF);

    if (b->m->down_node_count > 0)
        plumb_bundle_refuse(b, b->plan->at, "a DownNodes line names machines, pods have others");
    plumb_slurm_globals(&page, &left, plumb_slurm_conf_groups, plumb_slurm_conf_group_count);
    return page.doc->count == 0 ? NULL : plumb_bundle_print(b, &page);
}

/* Equal keys replace those of the operator (generateCGroupConfig). */
const char *plumb_soperator_cgroup_conf(struct plumb_bundle *b)
{
    struct plumb_slurm_page page = plumb_bundle_page(b, b->em, PLUMB_CGROUP_CONF);

    plumb_slurm_globals(&page, plumb_cgroup(b->m), plumb_cgroup_conf_groups,
                        plumb_cgroup_conf_group_count);
    return page.doc->count == 0 ? NULL : plumb_bundle_print(b, &page);
}

/* What is behind "KEY=name " in a line that was printed; the operator writes that part unquoted. */
static const char *behind(struct plumb_bundle *b, const char *line, const char *key,
                          const char *name, struct plumb_span at)
{
    const char *start = plumb_arena_printf(b->a, "%s=%s", key, name);
    size_t len = strlen(start);

    if (!plumb_starts_with(line, start) || (line[len] != ' ' && line[len] != '\n')) {
        plumb_bundle_refuse(b, at, "the operator writes this name without quotes");
        return "";
    }
    line += len + (line[len] == ' ');
    return plumb_arena_strndup(b->a, line, strcspn(line, "\n"));
}

/*
 * The operator always writes DefMemPerNode, and slurmctld then ignores DefMemPerCPU for the cluster
 * (read_config.c:_validate_and_set_defaults), so each partition that has neither says it.
 */
static void add_memory(struct plumb_bundle *b, struct plumb_settings *to)
{
    const struct plumb_setting *all = plumb_setting(plumb_slurm(b->m), PLUMB_P_SLURM_DEFMEMPERCPU);

    if (all != NULL && plumb_setting(to, PLUMB_P_PART_DEFMEMPERCPU) == NULL &&
        plumb_setting(to, PLUMB_P_PART_DEFMEMPERNODE) == NULL)
        plumb_bundle_set_text(b, to, PLUMB_P_PART_DEFMEMPERCPU,
                              plumb_arena_strndup(b->a, all->value.text, all->value.len),
                              all->value.at);
}

const char *plumb_soperator_partition(struct plumb_bundle *b, const struct plumb_partition *p)
{
    struct plumb_model m = *b->m;
    struct plumb_emit em = *b->em;
    struct plumb_slurm_page page = plumb_bundle_page(b, &em, PLUMB_SLURM_CONF);
    struct plumb_partition bare = *p;

    bare.all_nodes = false;
    bare.nodes = NULL;
    bare.settings = (struct plumb_settings){0};
    for (size_t i = 0; i < p->settings.count; i++) {
        if (p->settings.items[i].param->id != PLUMB_P_PART_NODES)
            plumb_bundle_set(b, &bare.settings, &p->settings.items[i]);
    }
    add_memory(b, &bare.settings);
    m.partitions = &bare;
    m.partition_count = 1;
    em.model = &m;
    plumb_slurm_partitions(&page);
    return behind(b, plumb_bundle_print(b, &page), "PartitionName", p->name.v, p->name.at);
}

/* ---- a NodeSet ---- */

const char *plumb_soperator_static(struct plumb_bundle *b, const struct plumb_set *set)
{
    return plumb_bundle_words(b, set, no_words, PLUMB_COUNT(no_words), own_words,
                              PLUMB_COUNT(own_words));
}

/* A line that says how devices of its nodes are found, and nothing else. */
static bool is_detect_line(const struct plumb_gres_line *line)
{
    return line->name == NULL;
}

static bool is_for(struct plumb_bundle *b, const struct plumb_gres_line *line,
                   const struct plumb_set *set)
{
    return line->hosts == NULL ||
           plumb_hostlist_intersect(b->a, line->hosts, set->hosts)->count > 0;
}

/* What the specification says of a set; the last line counts. */
static const struct plumb_setting *detection(struct plumb_bundle *b, const struct plumb_set *set)
{
    const struct plumb_setting *found =
        plumb_setting(&b->m->settings[PLUMB_GRES_CONF], PLUMB_P_GRESGLOBAL_AUTODETECT);

    for (size_t i = 0; i < b->m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &b->m->gres_lines[i];

        if (is_detect_line(line) && is_for(b, line, set) &&
            plumb_setting(&line->settings, PLUMB_P_GRES_AUTODETECT) != NULL)
            found = plumb_setting(&line->settings, PLUMB_P_GRES_AUTODETECT);
    }
    return found;
}

/* The same as text; NULL: nothing is said, and there are no GPUs to find. */
static const char *detection_text(struct plumb_bundle *b, const struct plumb_set *set)
{
    const struct plumb_setting *s = detection(b, set);

    if (s != NULL)
        return plumb_arena_strndup(b->a, s->value.text, s->value.len);
    return plumb_gres_total(set->nodes, "gpu") > 0 ? "off" : NULL;
}

/*
 * The operator writes AutoDetect=nvidia for the whole cluster as soon as one NodeSet has GPUs, and
 * all its nodes are in the cloud, whose lines slurmctld reads itself: it cannot look for devices,
 * and ends where one of them says another AutoDetect than the one before (gres.c:
 * _handle_local_autodetect). So every set says the same, where it is not the operator's.
 */
static const char *own_detection(struct plumb_bundle *b)
{
    const char *all = NULL;

    for (size_t i = 0; i < b->set_count; i++) {
        const char *one = detection_text(b, &b->sets[i]);

        if (all == NULL)
            all = one;
        else if (one != NULL && !plumb_same_nocase(one, all))
            plumb_bundle_refuse(b, b->sets[i].nodes->at,
                                "slurmctld ends where nodes of two NodeSets have another "
                                "AutoDetect, since the operator has them in the cloud");
    }
    return all == NULL || plumb_same_nocase(all, "nvidia") ? NULL : all;
}

/* The lines that hold for the hosts of a set, for its pods. */
static void pick_lines(struct plumb_bundle *b, const struct plumb_set *set, struct plumb_model *m)
{
    const char *detect = own_detection(b);
    struct plumb_gres_line own = {.at = set->nodes->at, .hosts = set->pods};

    m->settings[PLUMB_GRES_CONF] = (struct plumb_settings){0};
    m->gres_lines = PLUMB_NEW_ARRAY(b->a, b->m->gres_line_count + 1, struct plumb_gres_line);
    m->gres_line_count = 0;
    if (detect != NULL) {
        plumb_bundle_set_text(b, &own.settings, PLUMB_P_GRES_AUTODETECT, detect, set->nodes->at);
        m->gres_lines[m->gres_line_count++] = own;
    }
    for (size_t i = 0; i < b->m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &b->m->gres_lines[i];

        if (is_detect_line(line) || !is_for(b, line, set))
            continue;
        m->gres_lines[m->gres_line_count] = *line;
        m->gres_lines[m->gres_line_count++].hosts = set->pods;
    }
}

struct plumb_node *plumb_soperator_gres(struct plumb_bundle *b, const struct plumb_set *set)
{
    struct plumb_model m = *b->m;
    struct plumb_emit em = *b->em;
    struct plumb_slurm_page page = plumb_bundle_page(b, &em, PLUMB_GRES_CONF);
    struct plumb_node *list = plumb_node_sequence(b->a, set->nodes->at);
    const char *text = NULL;

    if (set->pods == NULL) /* refused already */
        return NULL;
    pick_lines(b, set, &m);
    if (m.gres_line_count == 0)
        return NULL;
    em.model = &m;
    plumb_slurm_gres(&page);
    text = plumb_bundle_print(b, &page);
    for (const char *end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
        const char *words =
            behind(b, text, "NodeName", plumb_hostlist_str(b->a, set->pods), set->nodes->at);

        plumb_node_append(b->a, list, plumb_node_string(b->a, words, set->nodes->gres_at));
        text = end + 1;
    }
    return list;
}
