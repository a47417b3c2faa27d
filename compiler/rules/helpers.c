/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about helpers.conf: its features and the programs that set them. */
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

static const struct plumb_era empty_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_23_02, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, true},
};
static const struct plumb_eras empty_eras = PLUMB_ERAS(empty_rows);

/* The features of a line of helpers.conf; NULL: none. */
static const struct plumb_setting *features_of(const struct plumb_side_line *line)
{
    const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_HELPERSLINE_FEATURE);

    if (line->file != PLUMB_HELPERS_CONF || line->bad)
        return NULL;
    return s != NULL ? s : plumb_setting(&line->settings, PLUMB_P_HELPERS_FEATURE);
}

static bool has_feature(const struct plumb_model *m)
{
    for (size_t i = 0; i < m->side_line_count; i++) {
        const struct plumb_side_line *line = &m->side_lines[i];

        if (line->file == PLUMB_HELPERS_CONF &&
            (line->bad || plumb_setting(&line->settings, PLUMB_P_HELPERSLINE_FEATURE) != NULL ||
             plumb_setting(&line->settings, PLUMB_P_HELPERS_FEATURE) != NULL))
            return true;
    }
    return false;
}

/* JOB102: node_features_helpers.c:_read_config_file */
static void no_feature(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *plugins = plumb_global(ck, PLUMB_P_SLURM_NODEFEATURESPLUGINS);

    if (plumb_era_quiet(ck, &empty_eras) || !m->present[PLUMB_HELPERS_CONF] ||
        m->unread[PLUMB_HELPERS_CONF] || plugins == NULL ||
        !plumb_slice_holds(&plugins->value, "helpers") || has_feature(m))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, m->file_at[PLUMB_HELPERS_CONF],
                               "helpers.conf has no feature, expected a Feature line"),
                  &empty_eras);
}

/* node_features_helpers.c:_is_feature_valid */
static bool is_feature(const struct plumb_slice *name)
{
    static const char begin[] = "_=", more[] = "_.=";

    for (size_t i = 0; i < name->len; i++) {
        char c = name->text[i];
        bool letter = plumb_lower(c) >= 'a' && plumb_lower(c) <= 'z';

        if (!letter && strchr(i == 0 ? begin : more, c) == NULL && (i == 0 || !plumb_is_digit(c)))
            return false;
    }
    return name->len > 0;
}

static void check_feature(const struct plumb_check *ck, const struct plumb_slice *name)
{
    if (!is_feature(name))
        plumb_outcome(ck,
                      plumb_report(ck, name->at,
                                   "feature '%s' of helpers.conf, expected a letter, then letters, "
                                   "digits, '_', '.' or '='",
                                   plumb_arena_strndup(ck->arena, name->text, name->len)),
                      NULL);
}

/* JOB104: node_features_helpers.c:parse_feature, _handle_config_features */
static void feature_names(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *plugins = plumb_global(ck, PLUMB_P_SLURM_NODEFEATURESPLUGINS);

    if (plugins == NULL || !plumb_slice_holds(&plugins->value, "helpers"))
        return;
    for (size_t i = 0; i < m->side_line_count; i++) {
        const struct plumb_side_line *line = &m->side_lines[i];
        const struct plumb_setting *s = features_of(line);
        struct plumb_list_cursor c = {0, false};
        struct plumb_slice item;

        if (s == NULL)
            continue;
        if (!plumb_has_trait(ck, PLUMB_TRAIT_HELPER_FEATURES_IN_LISTS))
            check_feature(ck, &s->value);
        while (plumb_has_trait(ck, PLUMB_TRAIT_HELPER_FEATURES_IN_LISTS) &&
               plumb_list_next(&s->value, ',', &c, &item)) {
            if (item.len > 0)
                check_feature(ck, &item);
        }
    }
}

static const struct plumb_era helper_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_23_02, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
};
static const struct plumb_eras helper_eras = PLUMB_ERAS(helper_rows);

/* Some node reads both lines. */
static bool on_one_node(const struct plumb_check *ck, const struct plumb_side_line *a,
                        const struct plumb_side_line *b)
{
    return a->nodes == NULL || b->nodes == NULL ||
           plumb_hostlist_intersect(ck->scratch, a->nodes, b->nodes)->count > 0;
}

static void compare_helpers(const struct plumb_check *ck, const struct plumb_side_line *line,
                            const struct plumb_side_line *first, const struct plumb_slice *feature)
{
    const struct plumb_setting *mine = plumb_setting(&line->settings, PLUMB_P_HELPERSLINE_HELPER);
    const struct plumb_setting *other = plumb_setting(&first->settings, PLUMB_P_HELPERSLINE_HELPER);

    if (mine == NULL || other == NULL || strcmp(mine->value.text, other->value.text) == 0 ||
        !on_one_node(ck, line, first))
        return;

    struct plumb_diag *d = plumb_report(
        ck, mine->value.at, "feature '%.*s' has the helper '%s' here and '%s' above, expected one",
        (int)feature->len, feature->text, mine->value.text, other->value.text);

    plumb_diag_note(d, other->value.at, "the first helper");
    plumb_outcome(ck, d, &helper_eras);
}

/* JOB038: node_features_helpers.c:_feature_register */
static void two_helpers(const struct plumb_check *ck)
{
    struct plumb_map lines = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < ck->model->side_line_count; i++) {
        const struct plumb_side_line *line = &ck->model->side_lines[i];
        const struct plumb_setting *s = features_of(line);
        struct plumb_list_cursor c = {0};
        struct plumb_slice item;

        while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
            const char *name = plumb_arena_strndup(ck->scratch, item.text, item.len);
            const struct plumb_side_line *first = plumb_map_get(&lines, name);

            if (first == NULL)
                plumb_map_set(&lines, name, (void *)(uintptr_t)line);
            else
                compare_helpers(ck, line, first, &item);
        }
    }
}

/* JOB039: node_features_helpers.c, "already in exclusive list" */
static void exclusive_twice(const struct plumb_check *ck)
{
    const struct plumb_settings *all = &ck->model->settings[PLUMB_HELPERS_CONF];
    const struct plumb_setting *s = NULL;

    while ((s = plumb_setting_next(all, PLUMB_P_HELPERS_MUTUALLYEXCLUSIVE, s)) != NULL) {
        struct plumb_map seen = plumb_map_in(ck->scratch);
        struct plumb_list_cursor c = {0};
        struct plumb_slice item;

        while (plumb_list_next(&s->value, ',', &c, &item)) {
            const char *name = plumb_arena_strndup(ck->scratch, item.text, item.len);

            if (plumb_map_get(&seen, name) != NULL)
                plumb_outcome(ck,
                              plumb_report(ck, item.at,
                                           "feature '%s' stands twice in MutuallyExclusive, "
                                           "expected it once",
                                           name),
                              NULL);
            plumb_map_set(&seen, name, (void *)(uintptr_t)s);
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "JOB038",
        .name = "feature-two-helpers",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "helpers.conf gives a feature two helpers",
        .why = "A feature is set by one program; the plugin does not load.",
        .ref = "helpers.conf(5), Feature; node_features_helpers.c:_feature_register",
        .bad = "Feature=nps1 Helper=/usr/libexec/nps\nFeature=nps1 Helper=/usr/libexec/other",
        .good = "Feature=nps1,nps4 Helper=/usr/libexec/nps",
        .needs = PLUMB_FACT_MODEL,
        .run = two_helpers,
    },
    {
        .code = "JOB039",
        .name = "exclusive-feature-twice",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "a feature stands twice in one MutuallyExclusive list of helpers.conf",
        .why = "The list is dropped, so features that exclude each other are given together.",
        .ref = "helpers.conf(5), MutuallyExclusive; node_features_helpers.c",
        .bad = "MutuallyExclusive=nps1,nps1",
        .good = "MutuallyExclusive=nps1,nps4",
        .needs = PLUMB_FACT_MODEL,
        .run = exclusive_twice,
    },
    {
        .code = "JOB102",
        .name = "helpers-without-feature",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "helpers.conf without a feature",
        .why = "The plugin of 22.05 takes a file without features for an unreadable one.",
        .ref = "node_features_helpers.c:_read_config_file",
        .bad = "NodeFeaturesPlugins=node_features/helpers\n"
               "# helpers.conf\n"
               "ExecTime=10",
        .good = "NodeFeaturesPlugins=node_features/helpers\n"
                "# helpers.conf\n"
                "ExecTime=10\n"
                "Feature=nps1 Helper=/usr/libexec/nps",
        .needs = PLUMB_FACT_MODEL,
        .run = no_feature,
    },
    {
        .code = "JOB104",
        .name = "helpers-feature-name",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a feature of helpers.conf with letters that the plugin refuses",
        .why = "The plugin does not load, and neither slurmctld nor slurmd starts; 22.05 takes no "
               "list of features either.",
        .ref = "helpers.conf(5), Feature; node_features_helpers.c:_is_feature_valid",
        .bad = "NodeFeaturesPlugins=node_features/helpers\n"
               "# helpers.conf\n"
               "Feature=1nps Helper=/usr/libexec/nps",
        .good = "NodeFeaturesPlugins=node_features/helpers\n"
                "# helpers.conf\n"
                "Feature=nps1 Helper=/usr/libexec/nps",
        .needs = PLUMB_FACT_MODEL,
        .run = feature_names,
    },
};

const struct plumb_rule_family plumb_helper_rules = {
    .prefix = "JOB",
    .title = "Features from helper programs",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
