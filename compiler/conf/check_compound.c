/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table engine, values made of parts: core lists, links, GRES, counts, weights, TRES, ports.
 * Each wrong part is reported by itself; what a release does about it was seen on the daemons.
 */
#include <inttypes.h>
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "conf/check.h"
#include "schema/compound.h"

/* The place of a part; of the whole value when the part has no text. */
static struct plumb_span place_of(const struct plumb_checked *c, const struct plumb_slice *part)
{
    return plumb_checked_span(part->len > 0 ? part : c->value);
}

/* So many wrong numbers of one list are told; it is dropped for the first already. */
enum { MAX_TOLD = 32 };

/* True when the same text was reported further to the front of the list. */
static bool came_before(const struct plumb_slice *list, const struct plumb_slice *item)
{
    struct plumb_list_cursor cursor = {0, false};
    struct plumb_slice other;

    while (plumb_list_next_any(list, ',', &cursor, &other) && other.text < item->text) {
        if (other.len == item->len && memcmp(other.text, item->text, item->len) == 0)
            return true;
    }
    return false;
}

/* Nobody complains: bit_unfmt leaves out what is no digit, and takes a reversed range as empty. */
static void report_core(const struct plumb_checked *c, const struct plumb_slice *item,
                        enum plumb_core_fault fault)
{
    const char *series = plumb_release_name(c->ck->release);
    uint64_t lo = 0, hi = 0;
    const char *read = "";

    plumb_value_core_lax(item, &lo, &hi);
    if (c->value->text[0] == ',') /* nothing behind it is read */
        read = plumb_arena_printf(c->ck->sink->arena, "; Slurm %s takes the list for none", series);
    else if (memchr(item->text, ':', item->len) == NULL && lo == hi)
        read =
            plumb_arena_printf(c->ck->sink->arena, "; Slurm %s takes it for %" PRIu64, series, lo);
    if (fault == PLUMB_CORE_REVERSED)
        plumb_conf_report(c->ck, PLUMB_CONF_BAD_CORES, place_of(c, item), PLUMB_EFFECT_NONE, 0,
                          "'%s' of '%s' is reversed, expected the lower number first; Slurm %s "
                          "takes it for no core at all",
                          plumb_shown(c->ck, item), c->param->name, series);
    else if (fault == PLUMB_CORE_STEP)
        plumb_conf_report(c->ck, PLUMB_CONF_BAD_CORES, place_of(c, item), PLUMB_EFFECT_NONE, 0,
                          "'%s' of '%s' has a step of 0, expected at least 1",
                          plumb_shown(c->ck, item), c->param->name);
    else if (item->len == 0)
        plumb_conf_report(c->ck, PLUMB_CONF_BAD_CORES, place_of(c, item), PLUMB_EFFECT_NONE, 0,
                          "'%s' of '%s' has nothing beside a comma, expected a number or a range "
                          "such as 0-31%s",
                          plumb_shown(c->ck, c->value), c->param->name, read);
    else
        plumb_conf_report(c->ck, PLUMB_CONF_BAD_CORES, place_of(c, item), PLUMB_EFFECT_NONE, 0,
                          "'%s' of '%s' is no core, expected a number or a range such as 0-31%s",
                          plumb_shown(c->ck, item), c->param->name, read);
}

/* bitfmt2int: a list with a colon in it is one range with a step, or is not read at all. */
static bool unread_step(const struct plumb_checked *c)
{
    const struct plumb_slice *v = c->value;
    bool cores = c->param->file == PLUMB_GRES_CONF;
    struct plumb_core_range range;

    if (memchr(v->text, ':', v->len) == NULL ||
        (memchr(v->text, ',', v->len) == NULL && memchr(v->text, '-', v->len) != NULL &&
         plumb_value_core_range(v, &range) == PLUMB_CORE_OK))
        return false;
    plumb_conf_report(c->ck, PLUMB_CONF_BAD_CORES, place_of(c, v), PLUMB_EFFECT_COMPLAINS,
                      cores ? PLUMB_SLURMD : PLUMB_SLURM_ALL,
                      "'%s' of '%s' is dropped, expected a list of ranges, or one range with a "
                      "step such as 0-31:2",
                      plumb_shown(c->ck, v), c->param->name);
    return true;
}

bool plumb_check_cores(const struct plumb_checked *c)
{
    struct plumb_list_cursor cursor = {0, false};
    struct plumb_slice item;
    bool sound = true, empty = false;

    if (c->value->len == 0)
        return true;
    if (unread_step(c))
        return false;
    while (plumb_list_next_any(c->value, ',', &cursor, &item)) {
        struct plumb_core_range range;
        enum plumb_core_fault fault = plumb_value_core_range(&item, &range);

        if ((fault == PLUMB_CORE_OK && range.hi <= PLUMB_MAX_PUS) || (item.len == 0 && empty))
            continue;
        empty = empty || item.len == 0;
        report_core(c, &item, fault);
        sound = false;
    }
    return sound;
}

/* slurmd logs the fault and drops the whole list; the device stays. */
static void report_links(const struct plumb_checked *c, const struct plumb_slice *item,
                         const char *what)
{
    plumb_conf_report(c->ck, PLUMB_CONF_BAD_LINKS, place_of(c, item), PLUMB_EFFECT_COMPLAINS,
                      PLUMB_SLURMD, "'%s' of '%s' %s, so the whole list is dropped",
                      plumb_shown(c->ck, item), c->param->name, what);
}

bool plumb_check_links(const struct plumb_checked *c)
{
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice item;
    size_t self = 0, bad = 0;
    bool sound = true;

    while (plumb_list_next(c->value, ',', &cursor, &item)) {
        int32_t n = 0;

        if (!plumb_value_link(&item, &n)) {
            sound = false;
            if (bad++ < MAX_TOLD && !came_before(c->value, &item))
                report_links(c, &item, "is no number of links, expected -2 to 1023");
        } else if (n == -1 && self++ > 0) {
            sound = false;
            report_links(c, &item, "stands there a second time, expected it once");
        }
    }
    if (sound && self == 0) {
        report_links(c, c->value, "has no -1, expected one at the device's own place");
        return false;
    }
    return sound;
}

/* gres.conf Count=: anything behind the number but a unit stops slurmd. */
/* The two largest numbers mean "unset", and the ends of a long that nothing could be read. */
static bool count_refused(uint64_t n)
{
    return n == 1 || n == 2 || n > INT64_MAX;
}

static bool count_below_zero(const struct plumb_checked *c, uint64_t n)
{
    if (n == 0)
        return true;
    if (count_refused(n))
        plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, plumb_checked_span(c->value),
                          PLUMB_EFFECT_STOPS, PLUMB_SLURMD,
                          "'%s' is %s, which is read as no number, expected 0 or more",
                          c->param->name, plumb_shown(c->ck, c->value));
    else
        plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, plumb_checked_span(c->value),
                          PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD,
                          "'%s' is %s, which wraps around to a huge count, expected 0 or more",
                          c->param->name, plumb_shown(c->ck, c->value));
    return false;
}

/* gres.c:_parse_gres_config: strtoll, then suffix_mult */
bool plumb_check_count(const struct plumb_checked *c)
{
    uint64_t n = 0;
    size_t digits = plumb_read_digits(c->value->text, c->value->len, &n);
    enum plumb_value_fault fault = plumb_value_count(c->value, &n);
    struct plumb_slice behind = plumb_slice_sub(c->value, c->value->len > 0, c->value->len);

    if (c->value->len == 0 || (fault == PLUMB_VALUE_OK && n < INT64_MAX))
        return true;
    if (c->value->text[0] == '-' && plumb_value_count(&behind, &n) == PLUMB_VALUE_OK)
        return count_below_zero(c, n);
    if (fault == PLUMB_VALUE_OK) {
        plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, plumb_checked_span(c->value),
                          PLUMB_EFFECT_STOPS, PLUMB_SLURMD, "'%s' is %s, it holds at most %" PRId64,
                          c->param->name, plumb_shown(c->ck, c->value), INT64_MAX - 1);
        return false;
    }
    if (digits == SIZE_MAX || digits == c->value->len)
        digits = 0;
    plumb_conf_report(c->ck, PLUMB_CONF_WRONG_TYPE,
                      plumb_slice_span(c->value, digits, c->value->len), PLUMB_EFFECT_STOPS,
                      PLUMB_SLURMD,
                      "'%s' is '%s', expected a whole number and at most a unit such as K or G",
                      c->param->name, plumb_shown(c->ck, c->value));
    return false;
}

static const struct {
    enum plumb_effect effect;
    const char *text; /* behind the part and the item */
} gres_faults[] = {
    [PLUMB_GRES_OK] = {PLUMB_EFFECT_NONE, ""},
    [PLUMB_GRES_NO_NAME] = {PLUMB_EFFECT_COMPLAINS, "has no name, expected name:type:count"},
    [PLUMB_GRES_COUNT] = {PLUMB_EFFECT_COMPLAINS,
                          "is no count, expected digits and at most a unit such as K or G, so this "
                          "GRES is not counted"},
    [PLUMB_GRES_BIG] = {PLUMB_EFFECT_NONE,
                        "is beyond 64 bits and counts as 9223372036854775807, expected a count of "
                        "devices"},
    [PLUMB_GRES_NO_NUMBER] = {PLUMB_EFFECT_NONE, "is no number, so it becomes one more type and "
                                                 "the count is 1, expected digits"},
    [PLUMB_GRES_NEGATIVE] = {PLUMB_EFFECT_NONE, "begins with no digit, so it is taken for a type "
                                                "and the count is 1, expected digits"},
    [PLUMB_GRES_EMPTY] = {PLUMB_EFFECT_NONE,
                          "has a colon with nothing behind it, expected name:type:count"},
    [PLUMB_GRES_COLONS] = {PLUMB_EFFECT_NONE,
                           "is one part too many, so it becomes one more type, expected "
                           "name:type:count"},
};

/* Without GresTypes nobody reads Gres= of a node line (gres.c:gres_name_filter). */
static bool gres_unread(const struct plumb_checked *c)
{
    return c->param->id == PLUMB_P_NODE_GRES && c->ck->doc != NULL && c->ck->gres_types == NULL;
}

/* gres.c:gres_name_filter takes the pieces whose name GresTypes has, and logs the others. */
static enum plumb_effect pieces_do(const struct plumb_checked *c, const struct plumb_slice *rest)
{
    struct plumb_list_cursor cursor = {0, false};
    struct plumb_slice piece;

    if (c->ck->gres_types == NULL)
        return gres_unread(c) ? PLUMB_EFFECT_NONE : PLUMB_EFFECT_COMPLAINS;
    while (plumb_list_next(rest, ',', &cursor, &piece)) {
        const char *colon = memchr(piece.text, ':', piece.len);
        size_t len = colon != NULL ? (size_t)(colon - piece.text) : piece.len;
        struct plumb_list_cursor types = {0, false};
        struct plumb_slice type;
        struct plumb_gres_text text;
        bool taken = false;

        while (!taken && plumb_list_next(c->ck->gres_types, ',', &types, &type))
            taken = type.len == len && memcmp(type.text, piece.text, len) == 0;
        if (!taken || gres_faults[plumb_value_gres(&piece, &text)].effect == PLUMB_EFFECT_COMPLAINS)
            return PLUMB_EFFECT_COMPLAINS;
    }
    return PLUMB_EFFECT_NONE;
}

bool plumb_check_gres(const struct plumb_checked *c)
{
    struct plumb_list_cursor cursor = {0, false};
    struct plumb_slice item;
    bool sound = true;

    while (plumb_gres_next(c->value, &cursor, &item)) {
        struct plumb_gres_text text;
        const char *comma = memchr(item.text, ',', item.len);

        /* gres.c:_node_config_init splits at commas, whatever stands around them. */
        if (comma != NULL && c->param->id == PLUMB_P_NODE_GRES) {
            struct plumb_slice rest =
                plumb_slice_sub(&item, (size_t)(comma + 1 - item.text), item.len);

            plumb_conf_report(c->ck, PLUMB_CONF_BAD_GRES, place_of(c, &rest), pieces_do(c, &rest),
                              PLUMB_SLURM_ALL,
                              "'%s' of '%s=%s' is taken for a GRES of its own, expected sockets "
                              "without a comma, such as (S:0-1)",
                              plumb_shown(c->ck, &rest), c->param->name, plumb_shown(c->ck, &item));
            sound = false;
            continue;
        }
        enum plumb_gres_fault fault = plumb_value_gres(&item, &text);

        if (fault == PLUMB_GRES_OK)
            continue;
        plumb_conf_report(c->ck, PLUMB_CONF_BAD_GRES, place_of(c, &text.fault),
                          gres_unread(c) ? PLUMB_EFFECT_NONE : gres_faults[fault].effect,
                          PLUMB_SLURM_ALL, "'%s' of '%s=%s' %s", plumb_shown(c->ck, &text.fault),
                          c->param->name, plumb_shown(c->ck, &item), gres_faults[fault].text);
        sound = false;
    }
    return sound;
}

static const struct {
    enum plumb_effect effect;
    const char *text; /* behind the part */
} weight_faults[] = {
    [PLUMB_WEIGHT_NO_VALUE] = {PLUMB_EFFECT_STOPS, "has no weight, expected name=number"},
    [PLUMB_WEIGHT_UNIT] = {PLUMB_EFFECT_STOPS,
                           "is no weight, expected a number and at most one of K, M, G, T, P"},
    [PLUMB_WEIGHT_NO_NUMBER] = {PLUMB_EFFECT_NONE,
                                "is a unit without a number and counts as 0, expected a number"},
    [PLUMB_WEIGHT_TAIL] = {PLUMB_EFFECT_NONE,
                           "stands behind the unit and is not looked at, expected nothing"},
};

const struct plumb_slice *plumb_conf_last_value(const struct plumb_conf *doc, unsigned id)
{
    for (size_t i = doc->count; i > 0; i--) {
        const struct plumb_conf_line *line = &doc->lines[i - 1];

        if (line->count > 0 && line->pairs[0].param != NULL && line->pairs[0].param->id == id)
            return &line->pairs[0].value;
    }
    return NULL;
}

/* PriorityWeightTRES is for priority/multifactor alone, which is the default from 23.11 on. */
static bool is_read(const struct plumb_checked *c)
{
    const struct plumb_slice *type = NULL;
    const char *plugin =
        plumb_param_at(plumb_param(PLUMB_P_SLURM_PRIORITYTYPE), c->ck->release)->def;
    struct plumb_slice name;

    if (c->param->id != PLUMB_P_SLURM_PRIORITYWEIGHTTRES || c->ck->doc == NULL)
        return true;
    type = plumb_conf_last_value(c->ck->doc, PLUMB_P_SLURM_PRIORITYTYPE);
    if (type == NULL)
        return plugin != NULL && plumb_ends_with(plugin, "multifactor");
    name = *type;
    if (name.len > 9 && plumb_equal_nocase(name.text, "priority/", 9))
        name = plumb_slice_sub(type, 9, type->len);
    return plumb_slice_is(&name, "multifactor");
}

bool plumb_check_weights(const struct plumb_checked *c)
{
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice item;
    bool sound = true, read = is_read(c);

    while (plumb_list_next(c->value, ',', &cursor, &item)) {
        struct plumb_weight weight;
        enum plumb_weight_fault fault = plumb_value_weight(&item, &weight);

        if (fault == PLUMB_WEIGHT_OK)
            continue;
        plumb_conf_report(c->ck, PLUMB_CONF_BAD_WEIGHT, place_of(c, &weight.fault),
                          read ? weight_faults[fault].effect : PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD,
                          "'%s' of '%s' %s%s", plumb_shown(c->ck, &weight.fault), c->param->name,
                          weight_faults[fault].text,
                          read ? "" : "; only priority/multifactor reads it");
        sound = false;
    }
    return sound;
}

bool plumb_check_tres(const struct plumb_checked *c)
{
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice item;
    bool sound = true;

    while (plumb_list_next(c->value, ',', &cursor, &item)) {
        enum plumb_tres_fault fault = plumb_value_tres(&item);

        if (fault == PLUMB_TRES_OK)
            continue;
        plumb_conf_report(c->ck, PLUMB_CONF_BAD_TRES, place_of(c, &item), PLUMB_EFFECT_STOPS,
                          PLUMB_SLURMCTLD, "'%s' of '%s' %s", plumb_shown(c->ck, &item),
                          c->param->name,
                          fault == PLUMB_TRES_NO_NAME
                              ? "names nothing behind its kind, expected one such as gres/gpu"
                              : "is no kind of TRES, expected cpu, mem, energy, node, billing, "
                                "gres/NAME, license/NAME, fs/NAME or ic/NAME");
        sound = false;
    }
    return sound;
}

/*
 * Digits of a port with text behind them: strtol takes the digits and the daemons start, as
 * 22.05, 24.11 and 26.05 did for "5T". Text that begins with no digit, and ranges, stop them.
 */
static bool port_with_tail(const struct plumb_checked *c, const struct plumb_slice *item)
{
    uint64_t port = 0;
    size_t digits = plumb_read_digits(item->text, item->len, &port);

    if (digits == 0 || digits >= item->len || port < 1 || port > UINT16_MAX ||
        memchr(item->text, '-', item->len) != NULL)
        return false;
    plumb_conf_report(c->ck, PLUMB_CONF_WRONG_TYPE, place_of(c, item), PLUMB_EFFECT_IGNORED,
                      PLUMB_SLURMCTLD,
                      "'%s' of '%s' is taken for %llu, expected a number and nothing behind it",
                      plumb_shown(c->ck, item), c->param->name, (unsigned long long)port);
    return true;
}

/* "6000-6007" is read as "[6000-6007]" (node_conf.c:expand_nodeline_info). */
bool plumb_check_ports(const struct plumb_checked *c)
{
    size_t begin = c->value->len > 0 && c->value->text[0] == '[' ? 1 : 0, end = c->value->len;
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice list, item;
    bool sound = true;

    if (begin > 0 && end > begin && c->value->text[end - 1] == ']')
        end--;
    list = plumb_slice_sub(c->value, begin, end);
    while (plumb_list_next(&list, ',', &cursor, &item)) {
        struct plumb_core_range range;
        enum plumb_core_fault fault = plumb_value_core_range(&item, &range);

        if (fault == PLUMB_CORE_OK && range.step == 1 && range.lo >= 1 && range.hi <= UINT16_MAX)
            continue;
        if (port_with_tail(c, &item)) {
            sound = false;
            continue;
        }
        plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, place_of(c, &item), PLUMB_EFFECT_STOPS,
                          PLUMB_SLURM_ALL,
                          "'%s' of '%s' is no port, expected 1 to 65535 or a range",
                          plumb_shown(c->ck, &item), c->param->name);
        sound = false;
    }
    return sound;
}

/* "name(address)" (read_config.c:_load_slurmctld_host). */
bool plumb_check_controller(const struct plumb_checked *c)
{
    const char *open = memchr(c->value->text, '(', c->value->len);
    size_t at = open == NULL ? 0 : (size_t)(open - c->value->text);

    if (open == NULL || memchr(open, ')', c->value->len - at) != NULL)
        return true;
    plumb_conf_report(c->ck, PLUMB_CONF_WRONG_TYPE, plumb_slice_span(c->value, at, c->value->len),
                      PLUMB_EFFECT_STOPS, 0, "'%s' of '%s' has no ')', expected name(address)",
                      plumb_shown(c->ck, c->value), c->param->name);
    return false;
}
