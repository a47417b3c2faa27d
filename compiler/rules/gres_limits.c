/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about names, flags and numbers of generic resources that hold for the whole cluster. */
#include <inttypes.h>

#include "base/text.h"
#include "rules/gres_view.h"

/* GRES040: plugins are looked up as they are written (gres.c:_load_plugin). */
static void plugin_case(const struct plumb_check *ck)
{
    static const char *const plugins[] = {"gpu", "mps", "nic", "shard"};
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_GRESTYPES);
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice word;

    while (s != NULL && plumb_list_next(&s->value, ',', &c, &word)) {
        for (size_t i = 0; i < PLUMB_COUNT(plugins); i++) {
            if (!plumb_slice_is(&word, plugins[i]) || plumb_slice_is_exact(&word, plugins[i]))
                continue;
            plumb_report(ck, word.at,
                         "GresTypes names '%s', for which there is no plugin, expected '%s'",
                         plumb_arena_strndup(ck->arena, word.text, word.len), plugins[i]);
        }
    }
}

/* The place of a word in Flags, which is searched and not split (gres.c:gres_flags_parse). */
static bool flag(const struct plumb_gres_line *line, const char *word, struct plumb_slice *at)
{
    const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_GRES_FLAGS);

    return s != NULL && plumb_slice_find(&s->value, word, at);
}

/* Either word, the one that counts first. */
static bool sharing(const struct plumb_gres_line *line, struct plumb_slice *at)
{
    return flag(line, "one_sharing", at) || flag(line, "all_sharing", at);
}

/* GRES041: gres.c:gres_node_config_unpack; the flag of a name is one for all nodes. */
static void two_sharings(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        struct plumb_slice here, there;

        if (line->name == NULL || !plumb_gres_is_shared(line->name) || !sharing(line, &here))
            continue;
        for (size_t k = 0; k < i; k++) {
            const struct plumb_gres_line *other = &m->gres_lines[k];

            if (!plumb_gres_is(other, line->name) || !sharing(other, &there) ||
                plumb_equal_nocase(here.text, there.text, here.len))
                continue;

            struct plumb_diag *d = plumb_report(
                ck, here.at,
                "'%.*s' for GRES '%s' and '%.*s' on another line exclude each other, also where "
                "the lines are for different nodes, expected one of them; 'all_sharing' counts "
                "for the whole cluster",
                (int)here.len, here.text, line->name, (int)there.len, there.text);

            plumb_diag_note(d, there.at, "the other one");
            return;
        }
    }
}

/* GRES043: only a GRES that shares others has the choice. */
static void sharing_of_nothing(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->gres_line_count; i++) {
        const struct plumb_gres_line *line = &ck->model->gres_lines[i];
        struct plumb_slice word;

        if (line->name == NULL || plumb_gres_is_shared(line->name) || !sharing(line, &word))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, word.at,
                                   "'%.*s' does nothing for GRES '%s', expected it on a line of "
                                   "mps or shard",
                                   (int)word.len, word.text, line->name),
                      NULL);
    }
}

/* Device files of one name on the nodes of a view; *at is the last line of them. */
static uint64_t files_of(const struct plumb_gres_view *v, const char *name, struct plumb_span *at)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < v->count; i++) {
        if (!plumb_gres_is(v->lines[i], name) || v->lines[i]->files == NULL)
            continue;
        sum += plumb_gres_files(v->lines[i]);
        *at = v->lines[i]->files->at;
    }
    return sum;
}

/* GRES042: gres.c:_node_config_validate, MAX_GRES_BITMAP */
static void many_files(const struct plumb_check *ck)
{
    enum { MOST = 1024 };
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t v = 0; v < views.count; v++) {
        const struct plumb_nodes *n = views.items[v].nodes;

        for (size_t g = 0; g < n->gres_count; g++) {
            struct plumb_span at = {0, 0, 0};
            uint64_t want = plumb_gres_total(n, n->gres[g].name), files;
            struct plumb_fold_item *f;

            if (want <= MOST || plumb_gres_is_shared(n->gres[g].name) ||
                plumb_gres_bad(n, n->gres[g].name))
                continue;
            files = files_of(&views.items[v], n->gres[g].name, &at);
            if (files <= MOST)
                continue;
            f = plumb_fold_add(&faults, n->gres[g].name, n->gres[g].count_at, views.items[v].hosts);
            f->second = at;
            f->a = want;
            f->b = f->b != 0 || plumb_in_cloud(n);
            break;
        }
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d = plumb_report(
            ck, f->at, "'%s' has %" PRIu64 " of GRES '%s' with files, expected at most %d",
            plumb_fold_hosts(ck, f->hosts), f->a, f->key, MOST);

        plumb_diag_note(d, f->second, "their files");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
        if (f->b == 0)
            continue;
        plumb_diag_other(d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD);
        plumb_diag_outcome_more(d, "; for nodes in the cloud it complains at its start");
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES040",
        .name = "gres-plugin-case",
        PLUMB_OUTCOME(WARNING, NONE, SLURM_ALL),
        .summary = "GresTypes writes the name of a plugin in another case",
        .why = "A GRES without a plugin is only counted: jobs get no CUDA_VISIBLE_DEVICES, and "
               "--gpus asks for a GRES of the plugin's name that no node has.",
        .ref = "slurm.conf(5), GresTypes; gres.c:_load_plugin",
        .bad = "GresTypes=GPU",
        .good = "GresTypes=gpu",
        .needs = PLUMB_FACT_MODEL,
        .run = plugin_case,
    },
    {
        .code = "GRES041",
        .name = "sharing-two-ways",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "one_sharing and all_sharing for one GRES",
        .why = "The flag is one for the whole cluster; on some nodes jobs are spread over GPUs "
               "although their line forbids it.",
        .ref = "gres.conf(5), Flags; gres.c:gres_node_config_unpack",
        .bad = "GresTypes=gpu,mps\n"
               "NodeName=g[1-2] Gres=gpu:1,mps:100\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0\n"
               "NodeName=g1 Name=mps Count=100 File=/dev/nvidia0 Flags=one_sharing\n"
               "NodeName=g2 Name=mps Count=100 File=/dev/nvidia0 Flags=all_sharing",
        .good = "GresTypes=gpu,mps\n"
                "NodeName=g[1-2] Gres=gpu:1,mps:100\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0\n"
                "Name=mps Count=100 File=/dev/nvidia0 Flags=one_sharing",
        .needs = PLUMB_FACT_MODEL,
        .run = two_sharings,
    },
    {
        .code = "GRES042",
        .name = "gres-too-many-files",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "a node has more than 1024 devices of one GRES with files",
        .why = "slurmctld counts 1024 of them, which is fewer than configured, and drains the "
               "node.",
        .ref = "gres.c:_node_config_validate",
        .bad = "GresTypes=lun\n"
               "NodeName=g Gres=lun:1025\n"
               "# gres.conf\n"
               "Name=lun File=/dev/lun[0-1024]",
        .good = "GresTypes=lun\n"
                "NodeName=g Gres=lun:1024\n"
                "# gres.conf\n"
                "Name=lun File=/dev/lun[0-1023]",
        .needs = PLUMB_FACT_MODEL,
        .run = many_files,
    },
    {
        .code = "GRES043",
        .name = "sharing-of-nothing",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURM_ALL),
        .summary = "one_sharing or all_sharing on a GRES that is not shared",
        .why = "Only mps and shard hand out parts of GPUs; the word is read and dropped.",
        .ref = "gres.conf(5), Flags",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1] Flags=one_sharing",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1]",
        .needs = PLUMB_FACT_MODEL,
        .run = sharing_of_nothing,
    },
};

const struct plumb_rule_family plumb_gres_limit_rules = {
    .prefix = "GRES",
    .title = "Generic resources across the cluster",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
