/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass read-embedded: Slurm files within manifests, read in place. What an operator appends to its
 * slurm.conf or slurmdbd.conf is held against the parameter table alone. Whole files become those
 * of the run when the bundle has one cluster: with several, each is held against the table too.
 * Of one cluster the files are put together as its operator does (passes/assemble.h).
 */
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"
#include "conf/nested.h"
#include "conf/syntax_rules.h"
#include "kube/object.h"
#include "kube/value.h"
#include "passes/assemble.h"
#include "passes/type.h"

struct reading {
    struct plumb_run *run;
    bool alone; /* one cluster */
    const struct plumb_kube_object *object;
    struct plumb_kube_part *parts;
    size_t part_count, part_cap;
};

static bool is_kind(const struct plumb_kube_object *o, const char *flavour, const char *kind)
{
    const char *of = plumb_kube_flavour_of(o->api);

    return of != NULL && strcmp(of, flavour) == 0 && strcmp(o->kind, kind) == 0;
}

/* What the file is given for is to be found on the machine of the daemon, not here. */
static void drop_includes(struct plumb_sink *sink, size_t before)
{
    size_t kept = before;

    for (size_t i = before; i < sink->count; i++) {
        if (sink->items[i]->rule != &plumb_conf_syntax_rules.rules[PLUMB_CONF_INCLUDE_NOT_FOLLOWED])
            sink->items[kept++] = sink->items[i];
    }
    sink->count = kept;
}

static struct plumb_conf *read_conf(struct reading *rd, enum plumb_file file,
                                    const struct plumb_slice *text)
{
    struct plumb_session *s = rd->run->session;
    struct plumb_conf_options options = {
        .directory = "", .release = s->sink.release, .no_includes = true};
    size_t before = s->sink.count;
    struct plumb_conf *doc =
        plumb_conf_read(s, file, plumb_source_view(&s->sources, text), &options);

    drop_includes(&s->sink, before);
    return doc;
}

/* Some text: null, a number and a mapping were reported or mean nothing. */
static bool is_text(const struct plumb_node *n)
{
    return n != NULL && plumb_kube_json_of(n) == PLUMB_KUBE_IS_STRING && n->scalar.len > 0;
}

static void keep(struct reading *rd, const struct plumb_node *n, enum plumb_embedded kind,
                 struct plumb_conf *doc)
{
    rd->parts = plumb_arena_grow(rd->run->session->arena, rd->parts, rd->part_count, &rd->part_cap,
                                 sizeof(*rd->parts));
    rd->parts[rd->part_count++] = (struct plumb_kube_part){rd->object, n, kind, doc};
}

/* Lines that are appended to a file of the operator's. */
static void read_fragment(struct reading *rd, enum plumb_file file, const struct plumb_node *n)
{
    struct plumb_session *s = rd->run->session;
    struct plumb_conf *doc = NULL;

    if (!is_text(n))
        return;
    doc = read_conf(rd, file, &n->scalar);
    plumb_conf_check(s, doc, s->sink.release);
    keep(rd, n, PLUMB_EMBEDDED_LINES, doc);
}

static void add_byte(struct plumb_buf *text, uint32_t *map, char c, uint32_t place)
{
    map[text->len] = place;
    plumb_buf_char(text, c);
}

static void add_scalar(struct plumb_buf *text, uint32_t *map, const struct plumb_slice *from)
{
    for (uint32_t i = 0; i < from->len; i++)
        add_byte(text, map, from->text[i], plumb_slice_span(from, i, i).begin);
}

/* A value that a chart may write as it is; others were reported or mean nothing. */
static bool is_entry(const struct plumb_pair *p)
{
    return p->key->kind == PLUMB_SCALAR && p->value->kind == PLUMB_SCALAR &&
           plumb_kube_json_of(p->value) != PLUMB_KUBE_IS_NULL &&
           memchr(p->value->scalar.text, '\n', p->value->scalar.len) == NULL;
}

/*
 * A mapping whose pairs a chart writes as lines Key=Value, read as the file that it becomes: each
 * byte has the place of its key or value.
 */
static void read_entries(struct reading *rd, enum plumb_file file, const struct plumb_node *n)
{
    struct plumb_session *s = rd->run->session;
    struct plumb_buf text = plumb_buf_in(s->arena);
    struct plumb_slice lines = {0};
    struct plumb_conf *doc = NULL;
    uint32_t *map = NULL;
    size_t size = 1;

    if (n == NULL || n->kind != PLUMB_MAPPING || n->count == 0)
        return;
    for (uint32_t i = 0; i < n->count; i++)
        size += is_entry(&n->pairs[i])
                    ? (size_t)n->pairs[i].key->scalar.len + n->pairs[i].value->scalar.len + 2
                    : 0;
    map = PLUMB_NEW_ARRAY(s->arena, size, uint32_t);
    for (uint32_t i = 0; i < n->count; i++) {
        const struct plumb_pair *p = &n->pairs[i];

        if (!is_entry(p))
            continue;
        lines.at = plumb_span_known(lines.at) ? lines.at : p->key->at;
        add_scalar(&text, map, &p->key->scalar);
        add_byte(&text, map, '=', p->key->at.end);
        add_scalar(&text, map, &p->value->scalar);
        add_byte(&text, map, '\n', p->value->at.end);
        lines.at.end = p->value->at.end;
    }
    map[text.len] = lines.at.end;
    lines.text = plumb_buf_text(&text);
    lines.len = (uint32_t)text.len;
    lines.map = map;
    doc = read_conf(rd, file, &lines);
    plumb_conf_check(s, doc, s->sink.release);
    keep(rd, n, PLUMB_EMBEDDED_LINES, doc);
}

/* Key=Value words and nothing else: what is none is told by rules about the words. */
static bool are_pairs(const struct plumb_slice *text)
{
    for (uint32_t at = 0, sign = 0; at < text->len; sign = 0) {
        uint32_t begin = at;

        for (; at < text->len && !plumb_is_blank(text->text[at]); at++)
            sign = text->text[at] == '=' && sign == 0 ? at : sign;
        if (at > begin && (sign == 0 || sign == begin || sign + 1 == at))
            return false;
        at++;
    }
    return true;
}

/* A dynamic node is judged by its slurmd alone, which is handed the words (slurmd -Z --conf). */
static void only_slurmd(struct plumb_sink *sink, size_t before)
{
    static const char both[] = "; slurmctld and slurmd ";

    for (size_t i = before; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];
        const char *at = strstr(d->message, both), *rest = NULL;
        size_t verb = 0;

        if (at == NULL)
            continue;
        rest = at + sizeof(both) - 1; /* "26.05 stop": one daemon stops */
        verb = strcspn(rest, " ");
        verb += rest[verb] == ' ' ? 1 + strcspn(rest + verb + 1, " ,;") : 0;
        d->message = plumb_arena_printf(sink->arena, "%.*s; slurmd %.*ss%s", (int)(at - d->message),
                                        d->message, (int)verb, rest, rest + verb);
        plumb_diag_effect(d, d->effect, PLUMB_SLURMD);
    }
}

/*
 * Words that become a record of slurm.conf, read as one behind the words that begin it. What is
 * wrong with those stands at the first byte of the text.
 */
static struct plumb_conf *words_of(struct reading *rd, enum plumb_file file, const char *begins,
                                   const struct plumb_node *n)
{
    struct plumb_session *s = rd->run->session;
    struct plumb_slice line = n->scalar;
    uint32_t lead = (uint32_t)strlen(begins), *map = NULL;

    line.text = plumb_arena_printf(s->arena, "%s%s", begins, n->scalar.text);
    line.len = (uint32_t)strlen(line.text);
    line.lead = 0;
    map = PLUMB_NEW_ARRAY(s->arena, (size_t)line.len + 1, uint32_t);
    for (uint32_t i = 0; i <= line.len; i++) {
        uint32_t at = i < lead ? 0 : i - lead;

        map[i] = plumb_slice_span(&n->scalar, at, at).begin;
    }
    line.map = map;
    return read_conf(rd, file, &line);
}

/* dynamic: the words are those of a node that registers itself. */
static void read_words(struct reading *rd, const char *begins, const struct plumb_node *n,
                       enum plumb_embedded kind, bool dynamic)
{
    struct plumb_session *s = rd->run->session;
    size_t before = s->sink.count;
    struct plumb_conf *doc = NULL;

    if (!is_text(n))
        return;
    if (memchr(n->scalar.text, '\n', n->scalar.len) == NULL && are_pairs(&n->scalar))
        doc = words_of(rd, kind == PLUMB_EMBEDDED_GRES ? PLUMB_GRES_CONF : PLUMB_SLURM_CONF, begins,
                       n);
    keep(rd, n, kind, doc);
    if (doc == NULL)
        return;
    plumb_conf_check(s, doc, s->sink.release);
    if (dynamic)
        only_slurmd(&s->sink, before);
}

static void read_file(struct reading *rd, const struct plumb_node *key, const struct plumb_node *n)
{
    struct plumb_run *r = rd->run;
    struct plumb_session *s = r->session;
    enum plumb_file file = plumb_file_named(key->scalar.text);

    if (file == PLUMB_FILE_COUNT || file == PLUMB_SLURM_CONF || !is_text(n) ||
        !plumb_file_is_read(r, file))
        return;
    if (plumb_file_is_yaml(file)) {
        struct plumb_nested *tree =
            plumb_nested_read(s, file, plumb_source_view(&s->sources, &n->scalar));

        if (rd->alone && r->nested[file] == NULL)
            r->nested[file] = tree;
        else
            plumb_nested_check(s, tree, s->sink.release);
    } else {
        struct plumb_conf *doc = read_conf(rd, file, &n->scalar);

        if (rd->alone && r->conf[file] == NULL)
            r->conf[file] = doc;
        else
            plumb_conf_check(s, doc, s->sink.release);
    }
    r->facts |= PLUMB_FACT_CONF;
}

static void read_files(struct reading *rd, const struct plumb_node *data)
{
    for (uint32_t i = 0; data != NULL && data->kind == PLUMB_MAPPING && i < data->count; i++)
        read_file(rd, data->pairs[i].key, data->pairs[i].value);
}

static void read_whole(struct reading *rd, const struct plumb_node *map, const char *name)
{
    const struct plumb_pair *p = plumb_node_pair(map, name);

    if (p != NULL)
        read_file(rd, p->key, p->value);
}

/* The data of the ConfigMaps that a controller mounts in /etc/slurm. */
static void read_refs(struct reading *rd, const struct plumb_kube_object *o)
{
    const struct plumb_kube_objects *all = rd->run->kube;
    const struct plumb_node *refs = plumb_node_path(o->root, "spec/configFileRefs");

    for (uint32_t i = 0; refs != NULL && refs->kind == PLUMB_SEQUENCE && i < refs->count; i++) {
        const char *name = plumb_node_text(plumb_node_get(refs->items[i], "name"));

        for (size_t k = 0; name != NULL && k < all->count; k++) {
            const struct plumb_kube_object *map = &all->items[k];

            if (!map->made && strcmp(map->api, "v1") == 0 && strcmp(map->kind, "ConfigMap") == 0 &&
                strcmp(map->name, name) == 0 && strcmp(map->space, o->space) == 0)
                read_files(rd, plumb_node_get(map->root, "data"));
        }
    }
}

/* Words of each item of a list, or of a field of each. */
static void read_list(struct reading *rd, const char *begins, const struct plumb_node *list,
                      const char *field, enum plumb_embedded kind)
{
    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++)
        read_words(rd, begins,
                   field == NULL ? list->items[i] : plumb_node_get(list->items[i], field), kind,
                   false);
}

/* Partitions of Soperator, in the form that is asked for; the operator skips what is no partition
 * line (AddPartitionsToSlurmConfig and generateSlurmConfig of render/common/configmap.go, 4.1.7).
 */
static void read_partitions(struct reading *rd, const struct plumb_node *conf)
{
    const char *type = plumb_node_text(plumb_node_get(conf, "configType"));
    const struct plumb_node *raw = plumb_node_get(conf, "rawConfig");

    if (type != NULL && strcmp(type, "structured") == 0)
        read_list(rd, "PartitionName=p ", plumb_node_get(conf, "partitions"), "config",
                  PLUMB_EMBEDDED_PARTITION);
    if (type == NULL || strcmp(type, "custom") != 0 || raw == NULL || raw->kind != PLUMB_SEQUENCE)
        return;
    for (uint32_t i = 0; i < raw->count; i++) {
        const char *line = plumb_node_text(raw->items[i]);

        if (line != NULL && plumb_starts_with(line + strspn(line, " \t"), "PartitionName"))
            read_fragment(rd, PLUMB_SLURM_CONF, raw->items[i]);
    }
}

static bool is_cluster(const struct plumb_kube_object *o)
{
    return plumb_kube_owner_of(o) == PLUMB_KUBE_SUNK_CHART || is_kind(o, "slinky", "Controller") ||
           is_kind(o, "soperator", "SlurmCluster") || is_kind(o, "sunk", "SlurmCluster");
}

static void read_object(struct reading *rd, const struct plumb_kube_object *o)
{
    rd->object = o;
    if (o->made && strcmp(o->kind, "ConfigMap") == 0)
        read_files(rd, plumb_node_get(o->root, "data"));
    if (is_kind(o, "slinky", "Controller")) {
        read_fragment(rd, PLUMB_SLURM_CONF, plumb_node_path(o->root, "spec/extraConf"));
        read_refs(rd, o);
    } else if (is_kind(o, "slinky", "NodeSet")) {
        read_words(rd, "NodeName=node ", plumb_node_path(o->root, "spec/extraConf"),
                   PLUMB_EMBEDDED_NODE, true);
        read_words(rd, "PartitionName=p ", plumb_node_path(o->root, "spec/partition/config"),
                   PLUMB_EMBEDDED_PARTITION, false);
    } else if (is_kind(o, "soperator", "NodeSet")) {
        read_words(rd, "NodeName=node ", plumb_node_path(o->root, "spec/nodeConfig/static"),
                   PLUMB_EMBEDDED_NODE, false);
        read_list(rd, "NodeName=node ", plumb_node_path(o->root, "spec/nodeConfig/gresConfig"),
                  NULL, PLUMB_EMBEDDED_GRES);
    } else if (is_kind(o, "slinky", "Accounting")) {
        read_fragment(rd, PLUMB_SLURMDBD_CONF, plumb_node_path(o->root, "spec/extraConf"));
    } else if (is_kind(o, "soperator", "SlurmCluster")) {
        read_fragment(rd, PLUMB_SLURM_CONF, plumb_node_path(o->root, "spec/customSlurmConfig"));
        read_fragment(rd, PLUMB_CGROUP_CONF, plumb_node_path(o->root, "spec/customCgroupConfig"));
        read_partitions(rd, plumb_node_path(o->root, "spec/partitionConfiguration"));
    } else if (is_kind(o, "sunk", "SlurmConfig")) {
        const struct plumb_node *fragments = plumb_node_path(o->root, "spec/fragments");

        read_fragment(rd, PLUMB_SLURM_CONF, plumb_node_get(fragments, "slurm.conf"));
        read_fragment(rd, PLUMB_SLURMDBD_CONF, plumb_node_get(fragments, "slurmdbd.conf"));
        read_whole(rd, fragments, "gres.conf");
        read_whole(rd, fragments, "cgroup.conf");
    } else if (plumb_kube_owner_of(o) == PLUMB_KUBE_SUNK_CHART) {
        read_fragment(rd, PLUMB_SLURM_CONF, plumb_node_path(o->root, "slurmConfig/extraConfig"));
        read_fragment(rd, PLUMB_SLURM_CONF, plumb_node_path(o->root, "compute/partitions"));
        read_entries(rd, PLUMB_CGROUP_CONF, plumb_node_path(o->root, "slurmConfig/cgroupConfig"));
        read_entries(rd, PLUMB_SLURMDBD_CONF, plumb_node_path(o->root, "accounting/config"));
    }
}

void plumb_pass_read_embedded(struct plumb_run *r)
{
    struct reading rd = {.run = r};
    size_t clusters = 0;

    for (size_t i = 0; i < r->kube->count; i++)
        clusters += !r->kube->items[i].patch && is_cluster(&r->kube->items[i]);
    rd.alone = clusters == 1 && (r->facts & (PLUMB_FACT_SPEC | PLUMB_FACT_CONF)) == 0;
    for (size_t i = 0; i < r->kube->count; i++)
        read_object(&rd, &r->kube->items[i]);
    if (rd.alone)
        plumb_assemble(r, rd.parts, rd.part_count);
}
