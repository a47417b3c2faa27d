/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass render-values: the objects that Slinky's chart `slurm` makes of values
 * (helm/slurm/templates, 1.2.1), behind those of the bundle, so that every rule about objects holds
 * for values. Parts that a template takes as they are keep their nodes, and text that it puts
 * together has the place of each byte; what a template makes itself stands at the key of its
 * section.
 */
#include <string.h>

#include "base/buf.h"
#include "kube/object.h"
#include "kube/value.h"
#include "passes/assemble.h"

static const char slinky_api[] = "slinky.slurm.net/v1beta1";
static const char registry[] = "ghcr.io/slinkyproject/";
static const char newest_tag[] = "26.05-ubuntu26.04";

/* Aliases make a small file a large tree: what is laid over each other in all. */
enum { MOST_MERGED = 300000, MOST_KEYS = 1000 };

struct renderer {
    size_t merged; /* pairs so far */
    struct plumb_run *run;
    struct plumb_arena *a;
    const struct plumb_kube_table *table; /* of the objects */
    const struct plumb_node *root;        /* the values */
    const struct plumb_source *src;
    const char *name, *space;
};

/* A value that is said: null is what the chart has. */
static struct plumb_node *at(const struct plumb_node *n, const char *path)
{
    struct plumb_node *found = plumb_node_path(n, path);

    return found == NULL || plumb_kube_json_of(found) == PLUMB_KUBE_IS_NULL ? NULL : found;
}

static bool is_on(const struct plumb_node *n, const char *path, bool otherwise)
{
    const struct plumb_node *found = at(n, path);

    return found == NULL ? otherwise : plumb_kube_true(found);
}

/* The key of a section, else the first of all: where the objects of it stand. */
static struct plumb_span place(const struct renderer *r, const char *section)
{
    const struct plumb_pair *p = plumb_node_pair(r->root, section);

    if (p != NULL)
        return p->key->at;
    return r->root->count > 0 ? r->root->pairs[0].key->at : r->root->at;
}

static struct plumb_node *map_in(struct renderer *r, struct plumb_node *to, const char *key)
{
    struct plumb_node *m = plumb_node_mapping(r->a, to->at);

    plumb_node_set(r->a, to, key, m);
    return m;
}

static void put(struct renderer *r, struct plumb_node *to, const char *key,
                struct plumb_node *value)
{
    if (value != NULL)
        plumb_node_set(r->a, to, key, value);
}

static void put_text(struct renderer *r, struct plumb_node *to, const char *key, const char *text,
                     struct plumb_span where)
{
    plumb_node_set(r->a, to, key, plumb_node_string(r->a, text, where));
}

/* ---- text of several places ---- */

struct joined {
    struct plumb_buf text;
    uint32_t *map;
    size_t cap;
    struct plumb_span at;
};

static void add_byte(struct renderer *r, struct joined *j, char c, uint32_t where)
{
    j->map = plumb_arena_grow(r->a, j->map, j->text.len, &j->cap, sizeof(j->map[0]));
    j->map[j->text.len] = where;
    plumb_buf_char(&j->text, c);
}

static void add_text(struct renderer *r, struct joined *j, const char *text,
                     const struct plumb_node *n)
{
    if (!plumb_span_known(j->at))
        j->at = n->at;
    for (; *text != '\0'; text++)
        add_byte(r, j, *text, n->at.begin);
}

static void add_scalar(struct renderer *r, struct joined *j, const struct plumb_node *n)
{
    if (!plumb_span_known(j->at))
        j->at = n->at;
    for (uint32_t i = 0; i < n->scalar.len; i++)
        add_byte(r, j, n->scalar.text[i], plumb_slice_span(&n->scalar, i, i).begin);
}

/* A template leaves out what Go calls empty. */
static bool is_empty(const struct plumb_node *n)
{
    if (n->kind != PLUMB_SCALAR)
        return n->count == 0;
    return plumb_kube_json_of(n) == PLUMB_KUBE_IS_NULL || n->scalar.len == 0 ||
           (n->style == PLUMB_PLAIN &&
            (plumb_slice_is(&n->scalar, "false") || plumb_slice_is(&n->scalar, "0")));
}

/* {Key: value, Key: [a, b]} as "Key=value" and "Key=a,b" (slurm._toList). */
static void add_pairs(struct renderer *r, struct joined *j, const struct plumb_node *map,
                      const char *between)
{
    for (uint32_t i = 0; map != NULL && map->kind == PLUMB_MAPPING && i < map->count; i++) {
        const struct plumb_node *key = map->pairs[i].key, *value = map->pairs[i].value;

        if (key->kind != PLUMB_SCALAR || value->kind == PLUMB_MAPPING || is_empty(value))
            continue;
        if (j->text.len > 0)
            add_text(r, j, between, key);
        add_scalar(r, j, key);
        add_text(r, j, "=", key);
        if (value->kind == PLUMB_SCALAR)
            add_scalar(r, j, value);
        for (uint32_t k = 0; value->kind == PLUMB_SEQUENCE && k < value->count; k++) {
            if (k > 0)
                add_text(r, j, ",", value->items[k]);
            if (value->items[k]->kind == PLUMB_SCALAR)
                add_scalar(r, j, value->items[k]);
        }
    }
}

static struct plumb_node *node_of(struct renderer *r, struct joined *j)
{
    struct plumb_node *n = NULL;

    if (j->text.len == 0)
        return NULL;
    add_byte(r, j, '\0', j->map[j->text.len - 1] + 1);
    n = plumb_node_string(r->a, plumb_arena_strndup(r->a, j->text.text, j->text.len - 1), j->at);
    n->scalar.lead = 0;
    n->scalar.map = j->map;
    return n;
}

/* Text where it is said, else a mapping as text. */
static struct plumb_node *text_or_pairs(struct renderer *r, const struct plumb_node *section,
                                        const char *text, const char *map, const char *between)
{
    struct plumb_node *said = at(section, text);
    struct joined j = {.text = plumb_buf_in(r->a)};

    if (said != NULL && said->kind == PLUMB_SCALAR && said->scalar.len > 0)
        return said;
    add_pairs(r, &j, at(section, map), between);
    return node_of(r, &j);
}

/* ---- merged sections ---- */

/* Mappings are laid over each other; of anything else the own one counts (mergeOverwrite). */
static struct plumb_node *merged(struct renderer *r, struct plumb_node *base,
                                 struct plumb_node *own)
{
    struct plumb_node *m = NULL;

    if (base == NULL || own == NULL)
        return own == NULL ? base : own;
    if (base->kind != PLUMB_MAPPING || own->kind != PLUMB_MAPPING)
        return plumb_kube_json_of(own) == PLUMB_KUBE_IS_NULL ? base : own;
    r->merged += own->count + base->count;
    if (r->merged > MOST_MERGED || own->count > MOST_KEYS || base->count > MOST_KEYS)
        return own; /* no chart has as much */
    m = plumb_node_mapping(r->a, own->at);
    for (uint32_t i = 0; i < own->count; i++) {
        const char *key = plumb_node_text(own->pairs[i].key);

        if (key != NULL)
            put(r, m, key, merged(r, plumb_node_get(base, key), own->pairs[i].value));
    }
    for (uint32_t i = 0; i < base->count; i++) {
        const char *key = plumb_node_text(base->pairs[i].key);

        if (key != NULL && plumb_node_get(own, key) == NULL)
            put(r, m, key, base->pairs[i].value);
    }
    return m;
}

/* ---- parts of objects ---- */

static const char *text_of(const struct plumb_node *n, const char *path, const char *otherwise)
{
    const char *text = plumb_node_text(at(n, path));

    return text == NULL || text[0] == '\0' ? otherwise : text;
}

/* slurm.format-image: what is not said of it is the chart's. */
static void put_image(struct renderer *r, struct plumb_node *to, const struct plumb_node *image,
                      const char *name)
{
    const struct plumb_node *tag = at(image, "tag"), *digest = at(image, "digest");
    const char *repository =
        text_of(image, "repository", plumb_arena_printf(r->a, "%s%s", registry, name));
    const char *version = tag != NULL && tag->kind == PLUMB_SCALAR && tag->scalar.len > 0
                              ? plumb_arena_strndup(r->a, tag->scalar.text, tag->scalar.len)
                              : newest_tag;
    const char *sum = plumb_node_text(digest);

    if (image == NULL)
        return;
    put_text(r, to, "image",
             plumb_arena_printf(r->a, "%s:%s%s%s", repository, version, sum == NULL ? "" : "@",
                                sum == NULL ? "" : sum),
             tag != NULL ? tag->at : image->at);
}

static void put_container(struct renderer *r, struct plumb_node *to,
                          const struct plumb_node *section, const char *key)
{
    static const char *const parts[] = {"resources", "env", "args", "volumeMounts",
                                        "securityContext"};
    const struct plumb_node *from = at(section, key);
    struct plumb_node *m = NULL;

    if (from == NULL || from->kind != PLUMB_MAPPING)
        return;
    m = map_in(r, to, key);
    put_image(r, m, at(from, "image"), key);
    for (size_t i = 0; i < PLUMB_COUNT(parts); i++)
        put(r, m, parts[i], at(from, parts[i]));
}

static struct plumb_node *put_pod(struct renderer *r, struct plumb_node *spec,
                                  const struct plumb_node *section)
{
    const struct plumb_node *from = at(section, "podSpec");
    struct plumb_node *pod = map_in(r, map_in(r, spec, "template"), "spec");

    for (uint32_t i = 0; from != NULL && from->kind == PLUMB_MAPPING && i < from->count; i++) {
        const char *key = plumb_node_text(from->pairs[i].key);

        if (key != NULL)
            put(r, pod, key, from->pairs[i].value);
    }
    return pod;
}

static void put_parts(struct renderer *r, struct plumb_node *to, const struct plumb_node *section,
                      const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(r, to, keys[i], at(section, keys[i]));
}

/* A reference; otherwise is the name that the chart gives to what it makes. */
static void put_ref(struct renderer *r, struct plumb_node *spec, const char *key,
                    const char *section, const char *path, const char *otherwise,
                    const char *otherwise_key)
{
    const struct plumb_node *ref = at(at(r->root, section), path);
    const struct plumb_node *name = at(ref, "name"), *in = at(ref, "key");
    struct plumb_node *m = map_in(r, spec, key);

    put_text(r, m, "name", text_of(ref, "name", otherwise),
             name == NULL ? place(r, section) : name->at);
    put_text(r, m, "key", text_of(ref, "key", otherwise_key),
             in == NULL ? place(r, section) : in->at);
}

static void put_keys(struct renderer *r, struct plumb_node *spec)
{
    put_ref(r, spec, "slurmKeyRef", "slurmKey", "secretRef",
            plumb_arena_printf(r->a, "%s-auth-slurm", r->name), "slurm.key");
    put_ref(r, spec, "jwtKeyRef", "jwtKey", "secretRef",
            plumb_arena_printf(r->a, "%s-auth-jwt", r->name), "jwt.key");
}

static void put_name_ref(struct renderer *r, struct plumb_node *spec, const char *key)
{
    put_text(r, map_in(r, spec, key), "name", r->name, spec->at);
}

/* ---- objects ---- */

static struct plumb_node *add_object(struct renderer *r, const char *api, const char *kind,
                                     const char *name, struct plumb_span where,
                                     struct plumb_node *content)
{
    struct plumb_kube_objects *all = r->run->kube;
    struct plumb_node *root = plumb_node_mapping(r->a, where), *meta = NULL;

    put_text(r, root, "apiVersion", api, where);
    put_text(r, root, "kind", kind, where);
    meta = map_in(r, root, "metadata");
    put_text(r, meta, "name", name, where);
    if (r->space[0] != '\0')
        put_text(r, meta, "namespace", r->space, where);
    plumb_node_set(r->a, root, strcmp(kind, "ConfigMap") == 0 ? "data" : "spec", content);
    all->items = plumb_arena_grow(r->a, all->items, all->count, &all->cap, sizeof(all->items[0]));
    all->items[all->count++] = (struct plumb_kube_object){
        .src = r->src,
        .root = root,
        .api = api,
        .kind = kind,
        .name = name,
        .space = r->space,
        .name_at = where,
        .row = plumb_kube_kind_find(r->table, api, kind),
        .made = true,
    };
    return root;
}

static const char *named(struct renderer *r, const char *what)
{
    return plumb_arena_printf(r->a, "%s-%s", r->name, what);
}

/* Files of a section as a ConfigMap that a list of references names; prefix goes before its keys.
 */
static void add_files(struct renderer *r, struct plumb_node *spec, const char *section,
                      const char *refs, const char *name, const char *prefix)
{
    const struct plumb_node *from = at(r->root, section);
    struct plumb_node *data = NULL, *list = NULL, *one = NULL;

    if (from == NULL || from->kind != PLUMB_MAPPING || from->count == 0)
        return;
    data = plumb_node_mapping(r->a, from->at);
    for (uint32_t i = 0; i < from->count; i++) {
        const struct plumb_node *key = from->pairs[i].key;

        if (plumb_node_text(key) == NULL)
            continue;
        put(r, data, plumb_arena_printf(r->a, "%s%s", prefix, plumb_node_text(key)),
            from->pairs[i].value);
        data->pairs[data->count - 1].key->at = key->at;
    }
    (void)add_object(r, "v1", "ConfigMap", named(r, name), place(r, section), data);
    list = plumb_node_sequence(r->a, from->at);
    one = plumb_node_mapping(r->a, from->at);
    put_text(r, one, "name", named(r, name), place(r, section));
    plumb_node_append(r->a, list, one);
    plumb_node_set(r->a, spec, refs, list);
}

/* "PartitionName=KEY Nodes=a,b WORDS" of each partition that is on. */
static void add_partitions(struct renderer *r, struct joined *j)
{
    const struct plumb_node *all = at(r->root, "partitions");

    for (uint32_t i = 0; all != NULL && all->kind == PLUMB_MAPPING && i < all->count; i++) {
        const struct plumb_node *key = all->pairs[i].key, *p = all->pairs[i].value;
        const struct plumb_node *sets = at(p, "nodesets"), *words = NULL;

        if (plumb_node_text(key) == NULL || !is_on(p, "enabled", false))
            continue;
        if (j->text.len > 0)
            add_text(r, j, "\n", key);
        add_text(r, j, "PartitionName=", key);
        add_scalar(r, j, key);
        add_text(r, j, " Nodes=", key);
        if (sets == NULL || sets->kind != PLUMB_SEQUENCE)
            add_text(r, j, "ALL", key);
        for (uint32_t k = 0; sets != NULL && sets->kind == PLUMB_SEQUENCE && k < sets->count; k++) {
            if (k > 0)
                add_text(r, j, ",", sets->items[k]);
            if (sets->items[k]->kind == PLUMB_SCALAR)
                add_scalar(r, j, sets->items[k]);
        }
        words = text_or_pairs(r, p, "config", "configMap", " ");
        if (words != NULL) {
            add_text(r, j, " ", words);
            add_scalar(r, j, words);
        }
    }
}

/* The text of the user, and the partitions behind it. */
static struct plumb_node *extra_conf(struct renderer *r, const struct plumb_node *section)
{
    struct plumb_node *own = text_or_pairs(r, section, "extraConf", "extraConfMap", "\n");
    struct joined j = {.text = plumb_buf_in(r->a)};
    size_t before = 0;

    if (own != NULL)
        add_scalar(r, &j, own);
    before = j.text.len;
    add_partitions(r, &j);
    return j.text.len == before ? own : node_of(r, &j);
}

static void add_all_files(struct renderer *r, struct plumb_node *spec)
{
    static const struct {
        const char *section, *refs, *name, *prefix;
    } all[] = {
        {"configFiles", "configFileRefs", "config-extra", ""},
        {"prologScripts", "prologScriptRefs", "prolog-scripts", "prolog-"},
        {"epilogScripts", "epilogScriptRefs", "epilog-scripts", "epilog-"},
        {"prologSlurmctldScripts", "prologSlurmctldScriptRefs", "prolog-slurmctld-scripts",
         "prolog-slurmctld-"},
        {"epilogSlurmctldScripts", "epilogSlurmctldScriptRefs", "epilog-slurmctld-scripts",
         "epilog-slurmctld-"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(all); i++)
        add_files(r, spec, all[i].section, all[i].refs, all[i].name, all[i].prefix);
}

/* Values that say nothing of slurm.conf are laid over others: what is in it is not known. */
static bool says_conf(const struct renderer *r)
{
    const struct plumb_node *section = at(r->root, "controller");

    return at(section, "extraConf") != NULL || at(section, "extraConfMap") != NULL ||
           at(r->root, "partitions") != NULL || is_on(section, "external", false);
}

static void add_controller(struct renderer *r)
{
    static const char *const parts[] = {"persistence", "service", "metrics"};
    const struct plumb_node *section = at(r->root, "controller");
    struct plumb_span where = place(r, "controller");
    struct plumb_node *spec = plumb_node_mapping(r->a, where);

    put_keys(r, spec);
    if (is_on(r->root, "accounting/enabled", false))
        put_name_ref(r, spec, "accountingRef");
    if (is_on(section, "external", false)) {
        plumb_node_set(r->a, spec, "external", plumb_node_bool(r->a, true, where));
    } else {
        put(r, spec, "clusterName", at(r->root, "clusterName"));
        put(r, spec, "extraConf", extra_conf(r, section));
        put_container(r, spec, section, "slurmctld");
        put_parts(r, spec, section, parts, PLUMB_COUNT(parts));
        (void)put_pod(r, spec, section);
    }
    add_all_files(r, spec);
    (void)add_object(r, slinky_api, "Controller", r->name, where, spec);
}

static void add_accounting(struct renderer *r)
{
    const struct plumb_node *section = at(r->root, "accounting");
    struct plumb_span where = place(r, "accounting");
    struct plumb_node *spec = plumb_node_mapping(r->a, where);

    if (!is_on(section, "enabled", false))
        return;
    if (is_on(section, "external", false)) {
        plumb_node_set(r->a, spec, "external", plumb_node_bool(r->a, true, where));
    } else {
        put_keys(r, spec);
        put(r, spec, "storageConfig", at(section, "storageConfig"));
        put(r, spec, "extraConf", text_or_pairs(r, section, "extraConf", "extraConfMap", "\n"));
        put_container(r, spec, section, "slurmdbd");
        (void)put_pod(r, spec, section);
    }
    (void)add_object(r, slinky_api, "Accounting", r->name, where, spec);
}

static void add_rest(struct renderer *r)
{
    const struct plumb_node *section = at(r->root, "restapi");
    struct plumb_node *replicas = at(section, "replicas");
    struct plumb_span where = place(r, "restapi");
    struct plumb_node *spec = plumb_node_mapping(r->a, where);

    if (section == NULL || (replicas != NULL && is_empty(replicas)))
        return; /* without pods it is nothing, and where nobody says it nobody asks for it */
    put_name_ref(r, spec, "controllerRef");
    put(r, spec, "replicas", replicas);
    put_container(r, spec, section, "slurmrestd");
    (void)put_pod(r, spec, section);
    (void)add_object(r, slinky_api, "RestApi", r->name, where, spec);
}

static void add_loginset(struct renderer *r, const char *key, struct plumb_span where,
                         const struct plumb_node *section)
{
    static const char *const parts[] = {"replicas", "rootSshAuthorizedKeys", "extraSshdConfig",
                                        "service"};
    struct plumb_node *spec = plumb_node_mapping(r->a, where);

    put_name_ref(r, spec, "controllerRef");
    put_ref(r, spec, "sssdConfRef", "sssd", "secretRef", named(r, "sssd-conf"), "sssd.conf");
    put_container(r, spec, section, "login");
    put_parts(r, spec, section, parts, PLUMB_COUNT(parts));
    (void)put_pod(r, spec, section);
    (void)add_object(r, slinky_api, "LoginSet",
                     plumb_arena_printf(r->a, "%s-login-%s", r->name, key), where, spec);
}

static void add_nodeset(struct renderer *r, const char *key, struct plumb_span where,
                        const struct plumb_node *section)
{
    static const char *const parts[] = {"replicas", "scalingMode", "ordinalPadding"};
    const struct plumb_node *partition = at(section, "partition");
    struct plumb_node *words = NULL;
    struct plumb_node *spec = plumb_node_mapping(r->a, where), *pod = NULL, *to = NULL;

    put_name_ref(r, spec, "controllerRef");
    put(r, spec, "extraConf", text_or_pairs(r, section, "extraConf", "extraConfMap", " "));
    put_container(r, spec, section, "slurmd");
    put_parts(r, spec, section, parts, PLUMB_COUNT(parts));
    if (is_on(partition, "enabled", false)) {
        to = map_in(r, spec, "partition");
        put(r, to, "enabled", at(partition, "enabled"));
        words = text_or_pairs(r, partition, "config", "configMap", " ");
        put(r, to, "config", words);
        plumb_node_pair(spec, "partition")->key->at = partition->at;
    }
    pod = put_pod(r, spec, section);
    put_text(r, pod, "hostname", plumb_arena_printf(r->a, "%s-", key), where);
    (void)add_object(r, slinky_api, "NodeSet",
                     plumb_arena_printf(r->a, "%s-worker-%s", r->name, key), where, spec);
}

/* Each entry of a section laid over the defaults of all, where it is on. */
static void add_sets(struct renderer *r, const char *section, const char *defaults,
                     void (*add)(struct renderer *, const char *, struct plumb_span,
                                 const struct plumb_node *))
{
    const struct plumb_node *all = at(r->root, section);
    struct plumb_node *base = at(r->root, defaults);

    for (uint32_t i = 0; all != NULL && all->kind == PLUMB_MAPPING && i < all->count; i++) {
        const char *key = plumb_node_text(all->pairs[i].key);
        const struct plumb_node *own = merged(r, base, all->pairs[i].value);

        if (key != NULL && key[0] != '\0' && is_on(own, "enabled", true))
            add(r, key, all->pairs[i].key->at, own);
    }
}

static void add_extra(struct renderer *r)
{
    const struct plumb_node *list = at(r->root, "extraObjects");

    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++) {
        const struct plumb_node *one = list->items[i], *name = at(one, "metadata/name");
        const char *api = plumb_node_text(at(one, "apiVersion"));
        const char *kind = plumb_node_text(at(one, "kind"));
        struct plumb_kube_objects *all = r->run->kube;

        if (api == NULL || kind == NULL || plumb_node_text(name) == NULL)
            continue;
        all->items =
            plumb_arena_grow(r->a, all->items, all->count, &all->cap, sizeof(all->items[0]));
        all->items[all->count++] = (struct plumb_kube_object){
            .src = r->src,
            .root = one,
            .api = api,
            .kind = kind,
            .name = plumb_node_text(name),
            .space = text_of(one, "metadata/namespace", r->space),
            .name_at = name->at,
            .row = plumb_kube_kind_find(r->table, api, kind),
            .made = true,
        };
    }
}

static void render(struct plumb_run *run, const struct plumb_kube_object *values)
{
    struct renderer r = {.run = run,
                         .a = run->session->arena,
                         .table = run->kube_releases->of[PLUMB_KUBE_SLINKY],
                         .root = values->root,
                         .src = values->src};

    r.name = text_of(r.root, "fullnameOverride", "slurm");
    r.space = text_of(r.root, "namespaceOverride", "");
    if (says_conf(&r))
        add_controller(&r);
    else
        add_all_files(&r, plumb_node_mapping(r.a, r.root->at));
    add_accounting(&r);
    add_rest(&r);
    add_sets(&r, "loginsets", "loginsetDefaults", add_loginset);
    add_sets(&r, "nodesets", "nodesetDefaults", add_nodeset);
    add_extra(&r);
}

void plumb_pass_render_values(struct plumb_run *r)
{
    const struct plumb_kube_table *chart = r->kube_releases->of[PLUMB_KUBE_SLINKY_CHART];
    size_t count = r->kube->count;

    if (r->kube_releases->of[PLUMB_KUBE_SLINKY] == NULL && chart != NULL)
        r->kube_releases->of[PLUMB_KUBE_SLINKY] = chart->below;
    for (size_t i = 0; i < count; i++) {
        struct plumb_kube_object values = r->kube->items[i];

        if (!values.patch && values.row != NULL && values.root->kind == PLUMB_MAPPING &&
            plumb_kube_owner_of(&values) == PLUMB_KUBE_SLINKY_CHART)
            render(r, &values);
    }
}
