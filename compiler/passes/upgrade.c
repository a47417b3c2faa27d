/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass upgrade (--from): what another release makes of a configuration that stays as it is.
 * Everything here comes from rows of the parameter table: defaults that differ between the two
 * releases, and meanings. Findings that appear or vanish are found by reading for both releases
 * (api/upgrade.c).
 */
#include "passes/upgrade.h"

#include <string.h>

#include "base/text.h"
#include "conf/conf.h"
#include "passes/pass.h"
#include "schema/trait.h"

#define GUIDE "Slurm upgrade guide, Compatibility window"

const struct plumb_rule plumb_upgrade_rows[PLUMB_UPG_COUNT] = {
    [PLUMB_UPG_DEFAULT] =
        {
            .code = "UPG001",
            .name = "default-changes",
            .severity = PLUMB_WARNING,
            .summary = "a parameter that is not set has another default in the new release",
            .why = "Nothing in the file changes and no daemon says a word, and the cluster works "
                   "differently after the upgrade.",
            .ref = "release notes",
            .bad = "# plumb check --from 23.02 --slurm 23.11\n"
                   "NodeName=c[1-4] CPUs=32   # SlurmdSyslogDebug and its kin are not set",
            .good = "# plumb check --from 24.05 --slurm 24.11\n"
                    "NodeName=c[1-4] CPUs=32",
        },
    [PLUMB_UPG_MEANING] =
        {
            .code = "UPG002",
            .name = "meaning-changes",
            .severity = PLUMB_WARNING,
            .summary = "the same value does something else in the new release",
            .why = "The value is taken by both releases, so that no daemon says a word about it.",
            .ref = "release notes",
            .bad = "# plumb check --from 25.11 --slurm 26.05\n"
                   "PrologFlags=DeferBatch",
            .good = "# plumb check --from 25.11 --slurm 26.05\n"
                    "PrologFlags=Alloc",
        },
    [PLUMB_UPG_GONE] =
        {
            .code = "UPG003",
            .name = "no-longer-found",
            .severity = PLUMB_INFO,
            .summary = "a finding of the old release that the new release does not have",
            .why = "What was refused, dropped or complained about before now counts: a key that "
                   "had no effect may have one.",
            .ref = "both releases, compared",
            .bad = "# plumb check --from 25.11 --slurm 26.05\n"
                   "HealthCheckTimeout=9",
            .good = "# plumb check --from 25.11 --slurm 26.05\n"
                    "SlurmdTimeout=300",
        },
    [PLUMB_UPG_TOO_FAR] =
        {
            .code = "UPG004",
            .name = "upgrade-too-far",
            .severity = PLUMB_ERROR,
            .summary = "the new release does not take over the state of the old one",
            .why = "Daemons read the state files, the database and the messages of two releases "
                   "back, from 24.11 on of three. One that meets older ones ends at its start, or "
                   "begins without the jobs. An older release never reads what a newer one wrote.",
            .ref = GUIDE,
            .bad = "# plumb check --from 22.05 --slurm 24.11\n"
                   "ClusterName=demo",
            .good = "# plumb check --from 23.02 --slurm 24.11\n"
                    "ClusterName=demo",
        },
};

const struct plumb_rule_family plumb_upgrade_rules = {
    .prefix = "UPG",
    .title = "Going from one release to another",
    .rules = plumb_upgrade_rows,
    .count = PLUMB_UPG_COUNT,
};

bool plumb_is_upgrade_rule(const struct plumb_rule *rule)
{
    return rule >= plumb_upgrade_rows && rule < plumb_upgrade_rows + PLUMB_UPG_COUNT;
}

enum plumb_release plumb_upgrade_reach(const struct plumb_table *t, enum plumb_release from)
{
    unsigned reach = (unsigned)from;

    for (unsigned r = reach + 1; r < PLUMB_RELEASE_SLOTS; r++) {
        uint64_t back = plumb_trait_value(t, (enum plumb_release)r, PLUMB_TRAIT_UPGRADE_SPAN);

        if (r - (unsigned)from <= back)
            reach = r;
    }
    return (enum plumb_release)reach;
}

struct upgrade {
    struct plumb_run *run;
    const struct plumb_model *model;
    struct plumb_arena *arena;
    enum plumb_release from, to;
};

static struct plumb_diag *report(const struct upgrade *up, enum plumb_upgrade_rule rule,
                                 struct plumb_span at, const char *message)
{
    return plumb_diag_new(&up->run->session->sink, &plumb_upgrade_rows[rule], at, "%s", message);
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_used(const struct plumb_param_rev *rev)
{
    return rev->life == PLUMB_LIFE_OK || rev->life == PLUMB_LIFE_DEPRECATED;
}

static bool is_set(const struct upgrade *up, const struct plumb_param *p)
{
    const struct plumb_settings *s = &up->model->settings[p->file];

    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].param->id == p->id)
            return true;
    }
    return false;
}

/* True when the default of some revision between the releases does not do what the one before
 * did; *step is the last such revision. */
static bool default_differs(const struct upgrade *up, const struct plumb_param *p,
                            const struct plumb_param_rev **step)
{
    unsigned low = (unsigned)(up->from < up->to ? up->from : up->to);
    unsigned high = (unsigned)(up->from < up->to ? up->to : up->from);

    *step = NULL;
    for (size_t i = 1; i < p->rev_count; i++) {
        const struct plumb_param_rev *rev = &p->revs[i];

        if (rev->since > low && rev->since <= high && !rev->def_same &&
            !same_text(rev->def, rev[-1].def))
            *step = rev;
    }
    return *step != NULL;
}

/* Whether another key must be set for the two defaults to differ, and is not. */
static bool condition_missing(const struct upgrade *up, const struct plumb_param *p,
                              const struct plumb_param_rev *step)
{
    const struct plumb_param *other =
        step->def_with == NULL
            ? NULL
            : plumb_param_find(up->run->session->table, (enum plumb_file)p->file,
                               PLUMB_SCOPE_GLOBAL, step->def_with, strlen(step->def_with));

    return other != NULL && !is_set(up, other);
}

/* The old default as a value that the new release takes without a finding, NULL when it is none. */
static const char *keep_text(const struct upgrade *up, const struct plumb_param *p,
                             const struct plumb_param_rev *step, const char *old)
{
    struct plumb_session *s = up->run->session, probe = *s;
    const char *text = step->def_keep != NULL ? step->def_keep : old;
    struct plumb_slice value = {.text = text};

    if (text == NULL || text[0] == '\0' || strchr(text, ' ') != NULL)
        return NULL;
    value.len = (uint32_t)strlen(text);
    probe.sink = (struct plumb_sink){.arena = s->scratch, .release = up->to};
    return plumb_conf_check_value(&probe, p, &value, up->to) && probe.sink.count == 0 ? text : NULL;
}

static const char *quoted(const struct upgrade *up, const char *def)
{
    return def == NULL ? "none" : plumb_arena_printf(up->arena, "'%s'", def);
}

static void check_default(const struct upgrade *up, const struct plumb_param *p)
{
    const struct plumb_param_rev *before = plumb_param_at(p, up->from), *step = NULL;
    const struct plumb_param_rev *after = plumb_param_at(p, up->to);
    const char *keep = NULL;

    if (!is_used(before) || !is_used(after) || same_text(before->def, after->def) ||
        is_set(up, p) || !default_differs(up, p, &step) || condition_missing(up, p, step))
        return;

    struct plumb_diag *d =
        report(up, PLUMB_UPG_DEFAULT, up->model->file_at[p->file],
               plumb_arena_printf(up->arena, "'%s' is not set, its default is %s in %s, %s in %s",
                                  p->name, quoted(up, before->def), plumb_release_name(up->from),
                                  quoted(up, after->def), plumb_release_name(up->to)));

    plumb_diag_object(d, "parameter", p->name, 0);
    plumb_diag_fact(d, "the default changed with %s",
                    plumb_release_name((enum plumb_release)step->since));
    keep = keep_text(up, p, step, before->def);
    if (keep != NULL)
        plumb_diag_help(d, "write '%s=%s' to keep what %s does", p->name, keep,
                        plumb_release_name(up->from));
    if (p->restart != NULL)
        plumb_diag_fact(d, "setting it takes effect with: %s", p->restart);
}

static bool holds(struct plumb_arena *a, const struct plumb_slice *value, const char *text)
{
    char *lower = plumb_arena_strndup(a, value->text, value->len);
    char *wanted = plumb_arena_strdup(a, text);

    for (char *p = lower; *p != '\0'; p++)
        *p = plumb_lower(*p);
    for (char *p = wanted; *p != '\0'; p++)
        *p = plumb_lower(*p);
    return strstr(lower, wanted) != NULL;
}

/* Meanings are told for the way up: on the way down the older text is the manual's business. */
static void check_meanings(const struct upgrade *up, const struct plumb_settings *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        const struct plumb_setting *s = &settings->items[i];
        const struct plumb_param *p = s->param;

        if (!plumb_usable(*s) || s->origin == PLUMB_DEFAULTED)
            continue;
        for (size_t r = 0; r < p->rev_count; r++) {
            const struct plumb_param_rev *rev = &p->revs[r];
            struct plumb_diag *d = NULL;

            if (rev->meaning == NULL || rev->since <= (unsigned)up->from ||
                rev->since > (unsigned)up->to ||
                (rev->meaning_of != NULL && !holds(up->arena, &s->value, rev->meaning_of)))
                continue;
            d = report(up, PLUMB_UPG_MEANING, s->value.at,
                       plumb_arena_printf(
                           up->arena, "'%s' means something else from %s on: %s", p->name,
                           plumb_release_name((enum plumb_release)rev->since), rev->meaning));
            plumb_diag_object(d, "parameter", p->name, 0);
        }
    }
}

/* "23.11, 24.11": where to stop on the way. */
static const char *stops_text(const struct upgrade *up)
{
    struct plumb_buf out = plumb_buf_in(up->arena);
    enum plumb_release at = plumb_upgrade_reach(up->run->session->table, up->from);

    for (; at < up->to; at = plumb_upgrade_reach(up->run->session->table, at))
        plumb_buf_printf(&out, "%s%s", out.len > 0 ? ", " : "", plumb_release_name(at));
    return plumb_buf_text(&out);
}

static void check_reach(const struct upgrade *up, struct plumb_span at)
{
    const char *from = plumb_release_name(up->from), *to = plumb_release_name(up->to);

    if (up->to < up->from)
        report(up, PLUMB_UPG_TOO_FAR, at,
               plumb_arena_printf(up->arena,
                                  "%s reads no state or database of the newer %s, expected the "
                                  "backups from before %s",
                                  to, from, from));
    else if (plumb_upgrade_reach(up->run->session->table, up->from) < up->to)
        report(up, PLUMB_UPG_TOO_FAR, at,
               plumb_arena_printf(up->arena,
                                  "%s does not take over the state of %s, expected a stop at %s "
                                  "on the way",
                                  to, from, stops_text(up)));
}

/* The first file that was read, or the specification. */
static struct plumb_span first_place(const struct plumb_model *m)
{
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (m->present[f])
            return m->file_at[f];
    }
    return (struct plumb_span){0};
}

void plumb_pass_upgrade(struct plumb_run *r)
{
    struct upgrade up = {.run = r,
                         .model = r->model,
                         .arena = r->session->arena,
                         .from = r->from_release,
                         .to = r->session->sink.release};

    if (!r->upgrading || up.from == up.to)
        return;
    check_reach(&up, first_place(r->model));
    for (size_t i = 0; i < plumb_table_ids(r->session->table); i++) {
        const struct plumb_param *p = plumb_param_row(r->session->table, i);

        if (p->scope == PLUMB_SCOPE_GLOBAL && r->model->present[p->file])
            check_default(&up, p);
    }
    for (int f = 0; f < PLUMB_FILE_COUNT; f++)
        check_meanings(&up, &r->model->settings[f]);
    for (size_t i = 0; i < r->model->node_count; i++)
        check_meanings(&up, &r->model->nodes[i].settings);
    for (size_t i = 0; i < r->model->partition_count; i++)
        check_meanings(&up, &r->model->partitions[i].settings);
    for (size_t i = 0; i < r->model->gres_line_count; i++)
        check_meanings(&up, &r->model->gres_lines[i].settings);
}
