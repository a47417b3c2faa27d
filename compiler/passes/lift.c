/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass lift: hand-written Slurm files to the model. A pair becomes a setting; a record line
 * becomes a record with the settings of the DEFAULT lines above it, at their own place.
 */
#include <string.h>

#include "base/path.h"
#include "conf/conf.h"
#include "passes/type.h"

/* NodeName=DEFAULT or PartitionName=DEFAULT so far: later lines replace, keys stay. */
struct defaults {
    struct plumb_settings settings;
    const enum plumb_param_id *not_inherited;
    size_t not_inherited_count;
};

/* What was made of a value last: lines of one kind share its text. */
struct judged {
    const char *text;
    enum plumb_origin origin;
};

struct lifter {
    struct plumb_session *session;
    struct judged *judged; /* by id of the parameter */
    struct plumb_model *model;
    const struct plumb_conf *doc; /* at hand */
    struct defaults nodes, partitions;
    size_t node_cap, partition_cap, nodeset_cap, gres_cap, down_cap, controller_cap, default_cap;
    size_t topo_cap, side_cap;
};

/* read_config.c:_parse_nodename and _parse_partitionname read these from the line alone. */
static const enum plumb_param_id own_node_keys[] = {PLUMB_P_NODE_GRESCONF};
static const enum plumb_param_id own_partition_keys[] = {
    PLUMB_P_PART_DISABLEROOTJOBS, PLUMB_P_PART_EXCLUSIVEUSER,        PLUMB_P_PART_EXCLUSIVETOPO,
    PLUMB_P_PART_POWERDOWNONIDLE, PLUMB_P_PART_SELECTTYPEPARAMETERS, PLUMB_P_PART_SUSPENDTIME,
};

static void add(struct plumb_arena *a, struct plumb_settings *s, struct plumb_setting set)
{
    if (s->count == s->cap)
        s->items = plumb_arena_grow(a, s->items, s->count, &s->cap, sizeof(set));
    s->items[s->count++] = set;
    plumb_settings_note(s, set.param->id);
}

/* In a list an unknown word leaves the others standing, and any text is a name. */
static bool is_number(const struct plumb_param_rev *rev)
{
    switch ((enum plumb_type)rev->type) {
    case PLUMB_T_BOOL:
    case PLUMB_T_U16:
    case PLUMB_T_U32:
    case PLUMB_T_U64:
    case PLUMB_T_LONG:
    case PLUMB_T_FLOAT:
    case PLUMB_T_TIME:
        return true;
    default:
        return false;
    }
}

static bool is_word(const struct plumb_param_rev *rev)
{
    switch ((enum plumb_type)rev->type) {
    case PLUMB_T_SUSPEND_TIME:
    case PLUMB_T_PURGE_AGE:
    case PLUMB_T_PORT_RANGE:
    case PLUMB_T_ENUM:
        return true;
    default:
        return false;
    }
}

/* Sets of words and plugins: a slip in one word leaves open what the whole was to mean. */
static bool is_set(const struct plumb_param_rev *rev)
{
    switch ((enum plumb_type)rev->type) {
    case PLUMB_T_PLUGIN:
    case PLUMB_T_PLUGIN_LIST:
    case PLUMB_T_ENUM_LIST:
        return true;
    default:
        return false;
    }
}

static bool stops(const struct plumb_sink *sink)
{
    for (size_t i = 0; i < sink->count; i++) {
        if (sink->items[i]->effect == PLUMB_EFFECT_STOPS)
            return true;
    }
    return false;
}

/*
 * Asks the table engine once more, without a word: what it reported is bad for everyone else.
 * A number that the daemon takes, out of range as it is, still counts, and so does a list of which
 * it leaves out a word.
 */
static bool is_sound(const struct lifter *l, const struct plumb_setting *p,
                     const struct plumb_param_rev *rev)
{
    struct plumb_session quiet = *l->session;

    if (!is_number(rev) && !is_word(rev) && !is_set(rev))
        return true;
    quiet.sink = (struct plumb_sink){.arena = quiet.scratch, .release = l->model->release};
    if (plumb_conf_check_value(&quiet, p->param, &p->value, l->model->release))
        return true;
    return !is_word(rev) && quiet.sink.count > 0 && !stops(&quiet.sink);
}

static enum plumb_origin origin_of(const struct lifter *l, const struct plumb_setting *p)
{
    const struct plumb_param_rev *rev = plumb_param_at(p->param, l->model->release);

    switch (rev->life) {
    case PLUMB_LIFE_NONE:
    case PLUMB_LIFE_DEFUNCT:
    case PLUMB_LIFE_FATAL:
        return PLUMB_BAD;
    default:
        return is_sound(l, p, rev) ? PLUMB_GIVEN : PLUMB_BAD;
    }
}

static enum plumb_origin origin_again(const struct lifter *l, const struct plumb_setting *p)
{
    struct judged *last = &l->judged[p->param->id];

    if (last->text != p->value.text)
        *last = (struct judged){.text = p->value.text, .origin = origin_of(l, p)};
    return last->origin;
}

/*
 * gres.c:_handle_autodetect_flags takes the first of its words, in this order, that stands anywhere
 * in the value; only "off" must be all of it. NULL: none.
 */
static const char *autodetect_in(const struct lifter *l, const struct plumb_setting *p)
{
    static const char *const order[] = {"full", "nvml", "rsmi", "oneapi", "nrt", "nvidia"};

    for (size_t i = 0; i < PLUMB_COUNT(order); i++) {
        const struct plumb_value *v = plumb_param_value(p->param, order[i], strlen(order[i]));

        if (v != NULL && plumb_value_there(v, l->model->release) &&
            plumb_slice_holds(&p->value, order[i]))
            return order[i];
    }
    return NULL;
}

static struct plumb_setting setting_of(const struct lifter *l, const struct plumb_setting *p)
{
    struct plumb_setting set = *p;
    const char *word = NULL;

    set.origin = origin_again(l, p);
    if (set.origin == PLUMB_BAD &&
        (p->param->id == PLUMB_P_GRES_AUTODETECT || p->param->id == PLUMB_P_GRESGLOBAL_AUTODETECT))
        word = autodetect_in(l, p);
    if (word != NULL) { /* CONF012 tells of the text, the daemons do as with the word */
        set.origin = PLUMB_GIVEN;
        set.value.text = word;
        set.value.len = (uint32_t)strlen(word);
    }
    return set;
}

static void add_pairs(struct lifter *l, struct plumb_settings *s,
                      const struct plumb_conf_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        if (line->pairs[i].param != NULL)
            add(l->session->arena, s, setting_of(l, &line->pairs[i]));
    }
}

static bool sets(const struct plumb_conf_line *line, const struct plumb_param *p)
{
    for (size_t i = 0; i < line->count; i++) {
        if (line->pairs[i].param == p)
            return true;
    }
    return false;
}

static bool inherits(const struct defaults *d, const struct plumb_param *p)
{
    for (size_t i = 0; i < d->not_inherited_count; i++) {
        if ((unsigned)d->not_inherited[i] == p->id)
            return false;
    }
    return true;
}

/*
 * The pairs of the line themselves where nothing is inherited and every key is known. False:
 * they have to be copied.
 */
static bool take_pairs(struct lifter *l, const struct defaults *d,
                       const struct plumb_conf_line *line, struct plumb_settings *out)
{
    if (d->settings.count > 0)
        return false;
    for (size_t i = 0; i < line->count; i++) {
        if (line->pairs[i].param == NULL)
            return false;
    }
    *out = (struct plumb_settings){.items = line->pairs, .count = line->count, .cap = line->cap};
    for (size_t i = 0; i < line->count; i++) {
        line->pairs[i].origin = origin_again(l, &line->pairs[i]);
        plumb_settings_note(out, line->pairs[i].param->id);
    }
    return true;
}

/* The record key first, then what is inherited, then what the line says: the last one counts. */
static struct plumb_settings with_defaults(struct lifter *l, const struct defaults *d,
                                           const struct plumb_conf_line *line)
{
    struct plumb_arena *a = l->session->arena;
    struct plumb_settings s = {.cap = d->settings.count + line->count};

    if (take_pairs(l, d, line, &s))
        return s;
    s.items = PLUMB_NEW_ARRAY(a, s.cap, struct plumb_setting);
    if (line->pairs[0].param != NULL)
        add(a, &s, setting_of(l, &line->pairs[0]));
    for (size_t i = 0; i < d->settings.count; i++) {
        const struct plumb_setting *set = &d->settings.items[i];

        if (inherits(d, set->param) && !sets(line, set->param))
            add(a, &s, *set);
    }
    for (size_t i = 1; i < line->count; i++) {
        if (line->pairs[i].param != NULL)
            add(a, &s, setting_of(l, &line->pairs[i]));
    }
    return s;
}

static void set_default(struct lifter *l, struct defaults *d, const struct plumb_setting *p)
{
    for (size_t i = 0; i < d->settings.count; i++) {
        if (d->settings.items[i].param == p->param) {
            d->settings.items[i] = setting_of(l, p);
            return;
        }
    }
    add(l->session->arena, &d->settings, setting_of(l, p));
}

/* True when the line is a DEFAULT line, and taken; before counts the records above it. */
static bool take_default(struct lifter *l, struct defaults *d, const struct plumb_conf_line *line,
                         size_t before)
{
    struct plumb_model *m = l->model;
    struct plumb_defaults *kept = NULL;

    if (!plumb_slice_is(&line->pairs[0].value, "DEFAULT"))
        return false;
    m->defaults = plumb_arena_grow(l->session->arena, m->defaults, m->default_count,
                                   &l->default_cap, sizeof(struct plumb_defaults));
    kept = &m->defaults[m->default_count++];
    *kept = (struct plumb_defaults){
        .scope = line->scope, .at = line->pairs[0].value.at, .before = before};
    add_pairs(l, &kept->settings, line);
    for (size_t i = 1; i < line->count; i++) {
        if (line->pairs[i].param != NULL)
            set_default(l, d, &line->pairs[i]);
    }
    return true;
}

static struct plumb_text text_of(struct plumb_session *s, const struct plumb_slice *v)
{
    return (struct plumb_text){
        .v = plumb_intern_text(s->intern, v->text, v->len),
        .at = v->at,
        .origin = PLUMB_GIVEN,
    };
}

/* The names of a line and of its repeats. */
static struct plumb_hostlist *hosts_of(struct plumb_session *s, const struct plumb_conf_line *line)
{
    struct plumb_hostlist *h = PLUMB_NEW(s->arena, struct plumb_hostlist);
    struct plumb_slice name = line->pairs[0].value;
    size_t count = plumb_conf_repeat_count(line);
    uint32_t *begins = plumb_arena_raw(s->arena, (count + 1) * sizeof(*begins));
    struct plumb_host_places *places = NULL;

    h->at = name.at;
    for (size_t i = 0; i <= count; i++) {
        if (i > 0)
            name = plumb_conf_repeat_name(line, i - 1);
        begins[i] = name.at.begin;
        plumb_hostlist_add_name(s->arena, s->intern, h, &name, &begins[i], &places);
    }
    return h;
}

static void lift_nodes(struct lifter *l, const struct plumb_conf_line *line)
{
    struct plumb_model *m = l->model;

    if (take_default(l, &l->nodes, line, m->node_count))
        return;
    m->nodes = plumb_arena_grow(l->session->arena, m->nodes, m->node_count, &l->node_cap,
                                sizeof(struct plumb_nodes));
    m->nodes[m->node_count++] = (struct plumb_nodes){
        .at = line->at,
        .hosts = plumb_conf_repeat_count(line) > 0 ? hosts_of(l->session, line) : NULL,
        .dynamic = l->doc->dynamic && line->pairs[0].value.lead == PLUMB_SLICE_MADE,
        .settings = with_defaults(l, &l->nodes, line),
    };
}

static void lift_partition(struct lifter *l, const struct plumb_conf_line *line)
{
    struct plumb_model *m = l->model;

    if (take_default(l, &l->partitions, line, m->partition_count))
        return;
    m->partitions = plumb_arena_grow(l->session->arena, m->partitions, m->partition_count,
                                     &l->partition_cap, sizeof(struct plumb_partition));
    m->partitions[m->partition_count++] = (struct plumb_partition){
        .name = text_of(l->session, &line->pairs[0].value),
        .at = line->at,
        .settings = with_defaults(l, &l->partitions, line),
    };
}

static void lift_nodeset(struct lifter *l, const struct plumb_conf_line *line)
{
    struct plumb_model *m = l->model;
    struct plumb_nodeset *set = NULL;

    m->nodesets = plumb_arena_grow(l->session->arena, m->nodesets, m->nodeset_count,
                                   &l->nodeset_cap, sizeof(struct plumb_nodeset));
    set = &m->nodesets[m->nodeset_count++];
    *set = (struct plumb_nodeset){.name = text_of(l->session, &line->pairs[0].value)};
    add_pairs(l, &set->settings, line);
}

static void lift_down(struct lifter *l, const struct plumb_conf_line *line)
{
    struct plumb_model *m = l->model;

    m->down_nodes = plumb_arena_grow(l->session->arena, m->down_nodes, m->down_node_count,
                                     &l->down_cap, sizeof(struct plumb_settings));
    m->down_nodes[m->down_node_count] = (struct plumb_settings){0};
    add_pairs(l, &m->down_nodes[m->down_node_count++], line);
}

static void lift_gres(struct lifter *l, const struct plumb_conf_line *line)
{
    struct plumb_model *m = l->model;
    struct plumb_gres_line *gres = NULL;

    m->gres_lines = plumb_arena_grow(l->session->arena, m->gres_lines, m->gres_line_count,
                                     &l->gres_cap, sizeof(struct plumb_gres_line));
    gres = &m->gres_lines[m->gres_line_count++];
    *gres = (struct plumb_gres_line){.at = line->at};
    add_pairs(l, &gres->settings, line);
}

/* A list of topology.conf: hosts, or switches, which are named like hosts. */
static const struct plumb_hostlist *lift_list(struct lifter *l, struct plumb_topo_unit *unit,
                                              enum plumb_param_id id)
{
    const struct plumb_setting *set = plumb_setting(&unit->settings, id);
    const struct plumb_hostlist *list = NULL;

    struct plumb_session quiet = *l->session; /* check-conf has reported what is wrong in it */

    if (set == NULL)
        return NULL;
    quiet.sink = (struct plumb_sink){.arena = quiet.scratch, .release = l->model->release};
    list = plumb_hostlist_read(&quiet, &set->value, l->model->release);
    unit->bad = unit->bad || list == NULL;
    return list;
}

static void lift_topology(struct lifter *l, const struct plumb_conf_line *line)
{
    struct plumb_model *m = l->model;
    struct plumb_topo_unit *unit = NULL;
    enum plumb_param_id nodes = line->scope == PLUMB_SCOPE_BLOCK  ? PLUMB_P_BLOCK_NODES
                                : line->scope == PLUMB_SCOPE_RING ? PLUMB_P_RING_NODES
                                                                  : PLUMB_P_SWITCH_NODES;

    m->topo_units = plumb_arena_grow(l->session->arena, m->topo_units, m->topo_unit_count,
                                     &l->topo_cap, sizeof(struct plumb_topo_unit));
    unit = &m->topo_units[m->topo_unit_count++];
    *unit = (struct plumb_topo_unit){
        .scope = line->scope,
        .name = text_of(l->session, &line->pairs[0].value),
        .at = line->at,
    };
    add_pairs(l, &unit->settings, line);
    unit->nodes = lift_list(l, unit, nodes);
    if (line->scope == PLUMB_SCOPE_SWITCH)
        unit->children = lift_list(l, unit, PLUMB_P_SWITCH_SWITCHES);
}

static void lift_side(struct lifter *l, enum plumb_file file, const struct plumb_conf_line *line)
{
    struct plumb_model *m = l->model;
    struct plumb_side_line *side = NULL;
    const struct plumb_setting *first = NULL;

    m->side_lines = plumb_arena_grow(l->session->arena, m->side_lines, m->side_line_count,
                                     &l->side_cap, sizeof(struct plumb_side_line));
    side = &m->side_lines[m->side_line_count++];
    *side = (struct plumb_side_line){.file = file, .at = line->at};
    add_pairs(l, &side->settings, line);
    first = side->settings.count > 0 ? &side->settings.items[0] : NULL;
    if (first == NULL || (first->param->id != PLUMB_P_JOBCONTAINER_NODENAME &&
                          first->param->id != PLUMB_P_HELPERS_NODENAME))
        return;
    side->nodes = plumb_hostlist_read(l->session, &first->value, m->release);
    side->bad = side->nodes == NULL;
}

static void lift_record(struct lifter *l, enum plumb_file file, const struct plumb_conf_line *line)
{
    switch (line->scope) {
    case PLUMB_SCOPE_NODE:
        lift_nodes(l, line);
        break;
    case PLUMB_SCOPE_PARTITION:
        lift_partition(l, line);
        break;
    case PLUMB_SCOPE_NODESET:
        lift_nodeset(l, line);
        break;
    case PLUMB_SCOPE_DOWNNODES:
        lift_down(l, line);
        break;
    case PLUMB_SCOPE_GRES:
        lift_gres(l, line);
        break;
    case PLUMB_SCOPE_SWITCH:
    case PLUMB_SCOPE_BLOCK:
    case PLUMB_SCOPE_RING:
        lift_topology(l, line);
        break;
    case PLUMB_SCOPE_LINE:
    case PLUMB_SCOPE_POWERACTION:
        lift_side(l, file, line);
        break;
    default:
        break; /* no rule looks at the others; the table engine has seen them */
    }
}

static void add_controller(struct lifter *l, struct plumb_host host)
{
    struct plumb_model *m = l->model;

    m->controllers = plumb_arena_grow(l->session->arena, m->controllers, m->controller_count,
                                      &l->controller_cap, sizeof(host));
    m->controllers[m->controller_count++] = host;
}

/* "host(address)"; anything else with a parenthesis is fatal (_parse_slurmctld_host). */
static void lift_controller(struct lifter *l, const struct plumb_slice *v)
{
    const char *open = memchr(v->text, '(', v->len);
    const char *close = memchr(v->text, ')', v->len);
    struct plumb_slice part = *v;
    struct plumb_host host = {0};

    if (open != NULL)
        part = plumb_slice_sub(v, 0, (size_t)(open - v->text));
    host.name = text_of(l->session, &part);
    if (open != NULL && close == v->text + v->len - 1 && close > open) {
        part = plumb_slice_sub(v, (size_t)(open - v->text) + 1, v->len - 1);
        host.address = text_of(l->session, &part);
    } else if (open != NULL || close != NULL) {
        host.name.origin = PLUMB_BAD;
    }
    add_controller(l, host);
}

/* ControlMachine and BackupController count when no SlurmctldHost is there (_load_slurmctld_host).
 */
static void lift_legacy_controllers(struct lifter *l)
{
    static const struct {
        enum plumb_param_id host, address;
    } keys[] = {
        {PLUMB_P_SLURM_CONTROLMACHINE, PLUMB_P_SLURM_CONTROLADDR},
        {PLUMB_P_SLURM_BACKUPCONTROLLER, PLUMB_P_SLURM_BACKUPADDR},
    };
    const struct plumb_settings *s = plumb_slurm(l->model);

    for (size_t i = 0; i < PLUMB_COUNT(keys); i++) {
        const struct plumb_setting *name = plumb_setting(s, keys[i].host);
        const struct plumb_setting *address = plumb_setting(s, keys[i].address);
        struct plumb_host host = {0};

        if (name == NULL)
            continue;
        host.name = text_of(l->session, &name->value);
        if (address != NULL)
            host.address = text_of(l->session, &address->value);
        add_controller(l, host);
    }
}

static void lift_identity(struct lifter *l)
{
    const struct plumb_settings *s = plumb_slurm(l->model);
    const struct plumb_setting *cluster = plumb_setting(s, PLUMB_P_SLURM_CLUSTERNAME);
    const struct plumb_setting *host = NULL;

    if (cluster != NULL)
        l->model->cluster = text_of(l->session, &cluster->value);
    while ((host = plumb_setting_next(s, PLUMB_P_SLURM_SLURMCTLDHOST, host)) != NULL)
        lift_controller(l, &host->value);
    if (l->model->controller_count == 0)
        lift_legacy_controllers(l);
}

/*
 * A nodes.conf checked by itself is part of some slurm.conf: nobody can say what is missing. A
 * file of another name that names the cluster or its controller is whole.
 */
static bool is_whole(const struct plumb_conf *doc)
{
    static const enum plumb_param_id identity[] = {
        PLUMB_P_SLURM_CLUSTERNAME,
        PLUMB_P_SLURM_SLURMCTLDHOST,
        PLUMB_P_SLURM_CONTROLMACHINE,
    };

    if (doc->file != PLUMB_SLURM_CONF ||
        strcmp(plumb_path_base(doc->src->path), plumb_file_name(doc->file)) == 0)
        return true;
    for (size_t i = 0; i < doc->count; i++) {
        for (size_t j = 0; j < PLUMB_COUNT(identity); j++) {
            if (doc->lines[i].count > 0 && doc->lines[i].pairs[0].param != NULL &&
                doc->lines[i].pairs[0].param->id == identity[j])
                return true;
        }
    }
    return false;
}

/* Room for every node line: they are the bulk of a large file. */
static void reserve_nodes(struct lifter *l, const struct plumb_conf *doc)
{
    struct plumb_model *m = l->model;
    size_t count = 0;

    for (size_t i = 0; i < doc->count; i++)
        count += doc->lines[i].kind == PLUMB_CONF_RECORD && doc->lines[i].scope == PLUMB_SCOPE_NODE;
    if (count > 0)
        m->nodes = plumb_arena_reserve(l->session->arena, m->nodes, m->node_count, &l->node_cap,
                                       sizeof(struct plumb_nodes), count);
}

static void lift_file(struct lifter *l, const struct plumb_conf *doc)
{
    struct plumb_model *m = l->model;

    l->doc = doc;
    if (doc->src == NULL) { /* put together of manifests */
        m->present[doc->file] = true;
        m->file_at[doc->file] = doc->at;
    } else {
        m->present[doc->file] = is_whole(doc);
        m->file_at[doc->file] = (struct plumb_span){doc->src->id, 0, doc->src->len > 0};
        m->file_mode[doc->file] = doc->src->mode;
    }
    reserve_nodes(l, doc);
    for (size_t i = 0; i < doc->count; i++) {
        const struct plumb_conf_line *line = &doc->lines[i];

        if (line->kind == PLUMB_CONF_RECORD)
            lift_record(l, doc->file, line);
        else if (line->kind == PLUMB_CONF_PAIR)
            add_pairs(l, &m->settings[doc->file], line);
    }
}

/* A list that was made in scratch memory, for as long as the session lives. */
static struct plumb_hostlist *keep_list(struct plumb_session *s, const struct plumb_hostlist *h)
{
    struct plumb_hostlist *kept = PLUMB_NEW(s->arena, struct plumb_hostlist);

    *kept = *h;
    kept->cap = h->range_count;
    kept->ranges = PLUMB_NEW_ARRAY(s->arena, h->range_count, struct plumb_host_range);
    for (size_t i = 0; i < h->range_count; i++) {
        kept->ranges[i] = h->ranges[i];
        kept->ranges[i].prefix = plumb_intern_str(s->intern, h->ranges[i].prefix);
        kept->ranges[i].suffix = plumb_intern_str(s->intern, h->ranges[i].suffix);
    }
    return kept;
}

static void collect_nodes(struct plumb_session *s, struct plumb_model *m)
{
    static const struct plumb_hostlist none;
    struct plumb_hostlist *all = PLUMB_NEW(s->scratch, struct plumb_hostlist);

    for (size_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].hosts != NULL)
            plumb_hostlist_append(s->scratch, all, m->nodes[i].hosts);
    }
    m->all_nodes = keep_list(s, plumb_hostlist_union(s->scratch, all, &none));
}

void plumb_pass_lift(struct plumb_run *r)
{
    struct lifter l = {
        .session = r->session,
        .judged = PLUMB_NEW_ARRAY(r->session->scratch, PLUMB_P_COUNT, struct judged),
        .nodes = {.not_inherited = own_node_keys,
                  .not_inherited_count = PLUMB_COUNT(own_node_keys)},
        .partitions = {.not_inherited = own_partition_keys,
                       .not_inherited_count = PLUMB_COUNT(own_partition_keys)},
    };

    if ((r->facts & PLUMB_FACT_SPEC) != 0)
        return;
    if (r->model == NULL)
        r->model = PLUMB_NEW(r->session->arena, struct plumb_model);
    l.model = r->model;
    l.model->release = r->session->sink.release;
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (r->conf[f] == NULL)
            continue;
        lift_file(&l, r->conf[f]);
        l.model->unread[f] = r->conf[f]->partial;
    }
    l.model->nodes_unread = l.model->partitions_unread = l.model->unread[PLUMB_SLURM_CONF];
    plumb_lift_topology_yaml(r);
    plumb_lift_nested(r);
    lift_identity(&l);
    plumb_type_names(r->session, l.model);
    collect_nodes(r->session, l.model);
}
