/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw parameters: they win over what a key or default would have written, and are held
 * against the parameter table of the release like a hand-written file.
 */
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"
#include "passes/resolve.h"

/* Where overrides of one mapping go. */
struct place {
    enum plumb_file file;
    enum plumb_scope scope;
    struct plumb_settings *to;
    const char *shown; /* "slurm.conf", or the record key */
};

static struct plumb_diag *refuse(struct plumb_resolve *rs, struct plumb_span at, const char *fmt,
                                 ...) PLUMB_PRINTF(3, 4);

static struct plumb_diag *refuse(struct plumb_resolve *rs, struct plumb_span at, const char *fmt,
                                 ...)
{
    va_list args;
    const char *text = NULL;

    va_start(args, fmt);
    text = plumb_arena_vprintf(rs->a, fmt, args);
    va_end(args);
    return plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_OVERRIDE_UNKNOWN), at, "%s",
                          text);
}

/* Passwords are parameters too; a munge socket in AccountingStoragePass is a path. */
static bool is_secret(const struct plumb_param *p, const struct plumb_slice *value)
{
    return (plumb_ends_with(p->name, "Pass") || plumb_ends_with(p->name, "Password")) &&
           value->len > 0 && value->text[0] != '/';
}

static const struct plumb_param *find(struct plumb_resolve *rs, const struct place *at,
                                      const struct plumb_slice *key)
{
    enum plumb_release r = rs->m->release;
    const struct plumb_param *p =
        plumb_param_find(rs->s->table, at->file, at->scope, key->text, key->len);
    const struct plumb_param *other = NULL;
    const char *near = NULL;
    struct plumb_diag *d = NULL;

    if (p != NULL && plumb_param_at(p, r)->type == PLUMB_T_RECORD &&
        p->id != PLUMB_P_SLURM_SLURMCTLDHOST) {
        refuse(rs, key->at, "'%s' begins a record, expected a parameter that stands alone",
               p->name);
        return NULL;
    }
    if (p != NULL && plumb_param_at(p, r)->life != PLUMB_LIFE_NONE)
        return p;
    if (p != NULL) {
        refuse(rs, key->at, "Slurm %s has no parameter '%s' in %s", plumb_release_name(r), p->name,
               at->shown);
        return NULL;
    }
    other = plumb_param_elsewhere(rs->s->table, key->text, key->len, NULL);
    near = plumb_param_suggest(rs->s->table, at->file, at->scope, r, key->text);
    d = refuse(rs, key->at, "unknown parameter '%s' in %s%s%s%s", key->text, at->shown,
               near != NULL ? ", did you mean '" : "", near != NULL ? near : "",
               near != NULL ? "'?" : "");
    if (other != NULL)
        plumb_diag_fact(d, "%s belongs in %s%s%s", other->name,
                        plumb_file_name((enum plumb_file)other->file),
                        other->scope != PLUMB_SCOPE_GLOBAL ? " behind " : "",
                        plumb_scope_name((enum plumb_scope)other->scope));
    return NULL;
}

/* A dropped or dreaded parameter: what the release does with it. */
static bool alive(struct plumb_resolve *rs, const struct plumb_param *p,
                  const struct plumb_slice *key)
{
    const struct plumb_param_rev *rev = plumb_param_at(p, rs->m->release);
    struct plumb_diag *d = NULL;

    if (plumb_param_used(p, rs->m->release))
        return true;
    d = refuse(rs, key->at, "Slurm %s %s '%s'", plumb_release_name(rs->m->release),
               rev->life == PLUMB_LIFE_FATAL ? "stops at" : "reads and drops", p->name);
    if (rev->life != PLUMB_LIFE_FATAL)
        plumb_diag_severity(d, PLUMB_WARNING);
    if (rev->replaced_by != NULL)
        plumb_diag_fact(d, "%s took its place", rev->replaced_by);
    return false;
}

/* Tells what the override changes, and takes the setting away. */
static void replace(struct plumb_resolve *rs, struct plumb_settings *to,
                    const struct plumb_param *p, const struct plumb_slice *value)
{
    const struct plumb_setting *old = plumb_setting(to, (enum plumb_param_id)p->id);
    size_t kept = 0;

    if (old != NULL) {
        bool equal = plumb_slice_is(value, old->value.text);
        struct plumb_diag *d = plumb_diag_new(
            &rs->s->sink,
            plumb_spec_rule(equal ? PLUMB_SPEC_OVERRIDE_EQUAL : PLUMB_SPEC_OVERRIDE_TAKES),
            value->at,
            equal ? "%s=%s is what would be written without the override"
                  : "the override replaces %s=%s",
            p->name, old->value.text);

        if (plumb_span_known(old->value.at))
            plumb_diag_note(d, old->value.at, "which was decided here");
    }
    for (size_t i = 0; i < to->count; i++) {
        if (to->items[i].param != p)
            to->items[kept++] = to->items[i];
    }
    to->count = kept;
}

static void put(struct plumb_resolve *rs, const struct place *at, const struct plumb_param *p,
                struct plumb_slice value, struct plumb_span key_at)
{
    enum plumb_origin origin = PLUMB_GIVEN;

    if (is_secret(p, &value)) {
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_SECRET_VALUE), value.at,
                       "'%s' would put a password into the specification, expected none", p->name);
        origin = PLUMB_BAD;
    } else if (!plumb_conf_check_value(rs->s, p, &value, rs->m->release)) {
        origin = PLUMB_BAD;
    }
    plumb_setting_add(rs->a, at->to, (enum plumb_param_id)p->id, value, key_at, origin);
}

/* A list is one line per item where the parameter may repeat, else one comma list. */
static void put_list(struct plumb_resolve *rs, const struct place *at, const struct plumb_param *p,
                     const struct plumb_node *list, struct plumb_span key_at)
{
    bool repeats = plumb_param_at(p, rs->m->release)->repeats;
    struct plumb_list_param l = {.id = (enum plumb_param_id)p->id};

    for (uint32_t i = 0; i < list->count; i++) {
        const struct plumb_node *n = list->items[i];

        if (n->kind != PLUMB_SCALAR) {
            refuse(rs, n->at, "an item of '%s' is no single value, expected text", p->name);
            continue;
        }
        if (repeats)
            put(rs, at, p, n->scalar, key_at);
        else
            plumb_resolve_part(rs, &l, n->scalar.text, n->at);
    }
    if (l.count > 0)
        put(rs, at, p, plumb_resolve_join(rs, &l), key_at);
}

static void override_pair(struct plumb_resolve *rs, const struct place *at,
                          const struct plumb_pair *pair)
{
    const struct plumb_slice *key = &pair->key->scalar;
    const struct plumb_node *n = pair->value;
    const struct plumb_param *p = find(rs, at, key);
    bool empty = plumb_node_is_null(n) || n->kind == PLUMB_MAPPING ||
                 (n->kind == PLUMB_SEQUENCE && n->count == 0);

    if (p == NULL || !alive(rs, p, key))
        return;
    if (empty) {
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_EMPTY),
                       n->kind == PLUMB_MAPPING ? n->at : key->at,
                       "the override of '%s' has no value that Slurm could read, expected text",
                       p->name);
        return;
    }
    if (n->kind == PLUMB_SCALAR) {
        replace(rs, at->to, p, &n->scalar);
        put(rs, at, p, n->scalar, key->at);
        return;
    }
    replace(rs, at->to, p, &(struct plumb_slice){.text = "", .at = n->at});
    put_list(rs, at, p, n, key->at);
}

static void override_map(struct plumb_resolve *rs, const struct place *at,
                         const struct plumb_node *n)
{
    for (uint32_t i = 0; n->kind == PLUMB_MAPPING && i < n->count; i++)
        override_pair(rs, at, &n->pairs[i]);
}

/* Overrides are written as key=value lines. */
static bool takes_overrides(enum plumb_file f)
{
    return !plumb_file_is_yaml(f);
}

static enum plumb_file file_named(const char *name)
{
    for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (takes_overrides((enum plumb_file)f) &&
            strcmp(plumb_file_name((enum plumb_file)f), name) == 0)
            return (enum plumb_file)f;
    }
    return PLUMB_FILE_COUNT;
}

static void override_file(struct plumb_resolve *rs, const struct plumb_pair *pair)
{
    const struct plumb_slice *name = &pair->key->scalar;
    enum plumb_file file = file_named(name->text);
    struct place at = {.file = file, .scope = PLUMB_SCOPE_GLOBAL, .shown = name->text};

    if (file == PLUMB_FILE_COUNT) {
        struct plumb_nearest near = plumb_nearest_to(name->text);

        for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++)
            if (takes_overrides((enum plumb_file)f))
                plumb_nearest_offer(&near, plumb_file_name((enum plumb_file)f));
        refuse(rs, name->at, "'%s' is no file of Slurm with parameters, expected '%s'", name->text,
               near.best != NULL ? near.best : "slurm.conf");
        return;
    }
    if (pair->value->kind != PLUMB_MAPPING) {
        plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_WRONG_KIND), pair->value->at,
                       "the overrides of %s are no mapping, expected parameters with their values",
                       name->text);
        return;
    }
    at.to = &rs->m->settings[file];
    override_map(rs, &at, pair->value);
    rs->m->present[file] = true;
    if (!plumb_span_known(rs->m->file_at[file]))
        rs->m->file_at[file] = name->at;
}

static const struct plumb_node *raw_of(const struct plumb_spec_value *v)
{
    const struct plumb_spec_value *raw = plumb_resolve_get(v, "overrides");

    return raw != NULL && raw->shape == PLUMB_SHAPE_RAW ? raw->node : NULL;
}

void plumb_resolve_overrides(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *root = &rs->spec->root;
    const struct plumb_spec_value *nodes = plumb_spec_get(root, "nodes");
    const struct plumb_spec_value *partitions = plumb_spec_get(root, "partitions");
    const struct plumb_node *files = raw_of(root);

    for (uint32_t i = 0; files != NULL && i < files->count; i++)
        override_file(rs, &files->pairs[i]);
    for (size_t i = 0; i < rs->m->node_count; i++) {
        struct plumb_nodes *n = &rs->m->nodes[i];
        const struct plumb_node *raw = raw_of(plumb_spec_get(nodes, n->class_name));
        struct place at = {PLUMB_SLURM_CONF, PLUMB_SCOPE_NODE, &n->settings, "a NodeName line"};

        if (raw != NULL)
            override_map(rs, &at, raw);
    }
    for (size_t i = 0; i < rs->m->partition_count; i++) {
        struct plumb_partition *p = &rs->m->partitions[i];
        const struct plumb_node *raw = raw_of(plumb_spec_get(partitions, p->name.v));
        struct place at = {PLUMB_SLURM_CONF, PLUMB_SCOPE_PARTITION, &p->settings,
                           "a PartitionName line"};

        if (raw != NULL)
            override_map(rs, &at, raw);
    }
}
