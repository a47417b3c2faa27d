/* SPDX-License-Identifier: Apache-2.0 */
/* The rule about Flags of a GRES that differ between lines of one node. */
#include "rules/fold.h"
#include "rules/gres_view.h"

/* The words of Flags, as bits; those that set a variable come first (gres.c:gres_flags_parse). */
static const char *const words[] = {"nvidia_gpu_env", "amd_gpu_env", "intel_gpu_env",
                                    "opencl_env",     "no_gpu_env",  "CountOnly",
                                    "one_sharing",    "explicit",    "env_uuid"};
enum { SET_BITS = 0xf, ENV_BITS = 0x1f, ONE_SHARING = 1 << 6, BY_DEFAULT = 1 << 9 };

/* How slurmd of the release compares. */
struct comparing {
    unsigned bits;   /* those that must be the same */
    bool every_line; /* with Flags; else those that say something of variables */
};

static unsigned flags_of(const struct plumb_setting *s)
{
    unsigned bits = 0;

    for (size_t i = 0; s != NULL && i < PLUMB_COUNT(words); i++)
        bits |= plumb_slice_holds(&s->value, words[i]) ? 1u << i : 0;
    return bits;
}

/* mps shares one GPU unless it is told otherwise. */
static unsigned flags_counted(const struct plumb_gres_line *line, const struct plumb_setting *s)
{
    unsigned bits = flags_of(s);

    if (plumb_gres_is(line, "mps") && !plumb_slice_holds(&s->value, "one_sharing") &&
        !plumb_slice_holds(&s->value, "all_sharing"))
        bits |= ONE_SHARING;
    return bits;
}

struct before {
    unsigned bits;
    bool known;              /* some line has fixed the flags of this name */
    struct plumb_span place; /* of that line */
};

/*
 * Whether a line contradicts the one before, as slurmd of the release compares them: variables
 * alone to 22.05, then every word, from 26.05 on every word of lines that speak of variables.
 */
static bool contradicts(const struct plumb_gres_line *line, const struct plumb_setting *s,
                        struct comparing how, struct before *b)
{
    unsigned bits = s == NULL ? 0 : flags_counted(line, s);
    bool counts = s != NULL && (how.every_line || (bits & ENV_BITS) != 0);
    bool differs = counts && b->known && (bits & how.bits) != (b->bits & how.bits);

    /* Nothing is said about variables: all are set. Without Flags the line before counts. */
    if (!counts && (s != NULL || !b->known) && plumb_gres_is(line, "gpu")) {
        *b = (struct before){SET_BITS | BY_DEFAULT, true, plumb_gres_name_at(line)};
        return false;
    }
    if (counts)
        *b = (struct before){bits, true, s->value.at};
    return differs;
}

static void check_view(const struct plumb_gres_view *v, const char *name, struct comparing how,
                       struct plumb_fold *faults)
{
    struct before b = {0, false, {0, 0, 0}};

    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_setting *s = plumb_setting(&v->lines[i]->settings, PLUMB_P_GRES_FLAGS);
        struct plumb_span place = b.place;
        struct plumb_fold_item *f;

        if (!plumb_gres_is(v->lines[i], name) || !contradicts(v->lines[i], s, how, &b))
            continue;
        f = plumb_fold_at(faults, s->value.at, v->hosts);
        f->second = place;
        f->what = name;
    }
}

/* GRES044: gres.c:_parse_gres_config */
static void flags_differ(const struct plumb_check *ck)
{
    static const struct plumb_era eras_rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
        {PLUMB_23_02, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, true}, /* every word */
        {PLUMB_26_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(eras_rows);
    static const char *const names[] = {"gpu", "mps", "shard"};
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold faults = plumb_fold_in(ck);
    bool every_line = plumb_era_quiet(ck, &eras);
    bool every_word = plumb_knows_word(ck, PLUMB_P_GRES_FLAGS, "env_uuid");
    struct comparing how = {every_line || every_word ? ~0u : ENV_BITS | BY_DEFAULT, every_line};

    for (size_t v = 0; v < views.count; v++) {
        for (size_t n = 0; n < PLUMB_COUNT(names); n++)
            check_view(&views.items[v], names[n], how, &faults);
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "Flags of '%s' on '%s' differ from those of the line before, expected the "
                         "same",
                         (const char *)f->what, plumb_fold_hosts(ck, f->hosts));

        if (plumb_span_known(f->second))
            plumb_diag_note(d, f->second, "the line before");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES044",
        .name = "gres-flags-differ",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "two lines of one GRES and node have different Flags",
        .why = "slurmd ends. A first line of gpu without Flags sets every variable, and differs "
               "from one that sets some.",
        .ref = "gres.conf(5), Flags; gres.c:_parse_gres_config",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0\n"
               "Name=gpu File=/dev/nvidia1 Flags=nvidia_gpu_env",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Flags=nvidia_gpu_env\n"
                "Name=gpu File=/dev/nvidia1 Flags=nvidia_gpu_env",
        .needs = PLUMB_FACT_MODEL,
        .run = flags_differ,
    },
};

const struct plumb_rule_family plumb_gres_flag_rules = {
    .prefix = "GRES",
    .title = "Flags of generic resources",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
