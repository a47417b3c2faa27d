/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of assembled documents that are the same for all operators; passes/assemble.h. */
#include "passes/assemble.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kube/value.h"
#include "passes/type.h"

const struct plumb_node *plumb_assemble_at(const struct plumb_kube_object *o, const char *path)
{
    const struct plumb_node *n = plumb_node_path(o->root, path);

    return n == NULL || plumb_kube_json_of(n) == PLUMB_KUBE_IS_NULL ? NULL : n;
}

struct plumb_conf *plumb_assemble_new(struct plumb_assembly *as, enum plumb_file file,
                                      struct plumb_span at)
{
    as->doc = plumb_conf_new(as->a, file);
    as->doc->at = at;
    as->doc->partial = as->unknown;
    as->run->conf[file] = as->doc;
    return as->doc;
}

/* ---- the operator's own lines ---- */

/*
 * The field of a path in the table of the release; NULL: it has none. Of fields on the way that the
 * object lacks, filled tells that each has a default: the API server fills in what is below too.
 */
static const struct plumb_kube_field *field_at(const struct plumb_kube_object *o, const char *path,
                                               bool *filled)
{
    const struct plumb_kube_type *type = o->row->type;
    const struct plumb_kube_field *found = NULL;
    const struct plumb_node *n = o->root;

    *filled = true;
    while (*path != '\0') {
        size_t len = strcspn(path, "/");

        if (found != NULL && n == NULL && found->value == NULL)
            *filled = false;
        found = NULL;
        for (size_t i = 0; type != NULL && i < type->field_count && found == NULL; i++) {
            if (strlen(type->fields[i].name) == len &&
                strncmp(type->fields[i].name, path, len) == 0)
                found = &type->fields[i];
        }
        if (found == NULL)
            return NULL;
        n = n == NULL ? NULL : plumb_node_get(n, found->name);
        path += len + (path[len] == '/');
        type = found->type;
    }
    return found;
}

const char *plumb_assemble_said(const struct plumb_assembly *as, const struct plumb_kube_object *o,
                                const char *path, struct plumb_span *at)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);
    const struct plumb_kube_field *field = NULL;
    bool filled = false;
    size_t len = 0;

    *at = n == NULL ? o->name_at : n->at;
    if (n != NULL)
        return n->kind == PLUMB_SCALAR ? plumb_arena_strndup(as->a, n->scalar.text, n->scalar.len)
                                       : NULL;
    field = field_at(o, path, &filled);
    if (field == NULL || field->value == NULL || !filled)
        return NULL;
    len = strlen(field->value);
    return field->value[0] == '"' ? plumb_arena_strndup(as->a, field->value + 1, len - 2)
                                  : field->value;
}

/* "PATH=WORD": the field says the word, itself or by its default. */
static bool says(const struct plumb_assembly *as, const struct plumb_kube_object *o,
                 const char *when, const char *sign)
{
    const char *path = plumb_arena_strndup(as->a, when, (size_t)(sign - when));
    struct plumb_span at;
    const char *text = plumb_assemble_said(as, o, path, &at);

    return text != NULL && strcmp(text, sign + 1) == 0;
}

/* Node sets that are not known may have them. */
static bool has_gpus(const struct plumb_assembly *as)
{
    if (as->unknown)
        return true;
    for (size_t i = 0; i < as->set_count; i++) {
        if (plumb_kube_true(plumb_assemble_at(as->sets[i], "spec/gpu/enabled")))
            return true;
    }
    return false;
}

/* True where one condition holds. */
static bool holds_one(const struct plumb_assembly *as, const struct plumb_kube_object *o,
                      const char *when)
{
    const struct plumb_node *n = NULL;
    const char *sign = strchr(when, '=');
    bool filled = false;

    if (strcmp(when, "always") == 0)
        return true;
    if (strcmp(when, "accounting") == 0)
        return as->accounting_name != NULL;
    if (strcmp(when, "alone") == 0)
        return as->accounting_name == NULL;
    if (strcmp(when, "gpus") == 0)
        return has_gpus(as);
    if (strcmp(when, "no file") == 0)
        return true; /* the document is made only then */
    if (sign != NULL)
        return says(as, o, when, sign);
    if (field_at(o, when, &filled) == NULL)
        return false; /* the release does not look at it */
    n = plumb_assemble_at(o, when);
    return n != NULL && (plumb_kube_json_of(n) != PLUMB_KUBE_IS_BOOLEAN || plumb_kube_true(n));
}

/* True where the condition of a row holds: each that " and " joins. */
static bool holds(const struct plumb_assembly *as, const struct plumb_kube_object *o,
                  const char *when)
{
    static const char and[] = " and ";

    for (const char *next = strstr(when, and); next != NULL; next = strstr(when, and)) {
        if (!holds_one(as, o, plumb_arena_strndup(as->a, when, (size_t)(next - when))))
            return false;
        when = next + sizeof(and) - 1;
    }
    return holds_one(as, o, when);
}

struct value {
    struct plumb_buf text;
    struct plumb_span at; /* of the one field that it shows; else of the object */
    bool missing;         /* a field is not there, and has no default */
};

/* ClusterName as Slinky has it: that of the spec, else namespace and name. */
static void add_cluster(struct value *v, const struct plumb_kube_object *o)
{
    const struct plumb_node *n = plumb_assemble_at(o, "spec/clusterName");
    const char *text = plumb_node_text(n);

    if (text != NULL && text[0] != '\0') {
        plumb_buf_str(&v->text, text);
        v->at = n->at;
    } else {
        plumb_buf_printf(&v->text, "%s_%s", o->space[0] == '\0' ? "default" : o->space, o->name);
    }
}

/* What stands between the braces. */
static void add_field(struct plumb_assembly *as, struct value *v, const struct plumb_kube_object *o,
                      const char *name, size_t len)
{
    const char *bar = memchr(name, '|', len);
    const char *path = plumb_arena_strndup(as->a, name, bar == NULL ? len : (size_t)(bar - name));
    const struct plumb_node *n = NULL;

    if (strcmp(path, "cluster") == 0) {
        add_cluster(v, o);
    } else if (strcmp(path, "name") == 0) {
        plumb_buf_str(&v->text, o->name);
    } else if (strcmp(path, "space") == 0) {
        plumb_buf_str(&v->text, o->space[0] == '\0' ? "default" : o->space);
    } else if (strcmp(path, "accounting") == 0 && as->accounting_name != NULL) {
        plumb_buf_str(&v->text, as->accounting_name);
    } else if ((n = plumb_assemble_at(o, path)) != NULL && n->kind == PLUMB_SCALAR &&
               n->scalar.len > 0) {
        plumb_buf_add(&v->text, n->scalar.text, n->scalar.len);
        v->at = n->at;
    } else if (bar != NULL) {
        plumb_buf_add(&v->text, bar + 1, len - (size_t)(bar + 1 - name));
    } else {
        v->missing = true;
    }
}

static struct value value_of(struct plumb_assembly *as, const struct plumb_kube_object *o,
                             const char *pattern)
{
    struct value v = {.text = plumb_buf_in(as->a), .at = o->name_at};

    while (*pattern != '\0') {
        size_t plain = strcspn(pattern, "{");
        const char *close = strchr(pattern + plain, '}');

        plumb_buf_add(&v.text, pattern, plain);
        pattern += plain;
        if (close == NULL)
            break;
        add_field(as, &v, o, pattern + 1, (size_t)(close - pattern) - 1);
        pattern = close + 1;
    }
    return v;
}

/* The user may say another value: what is wrong with this one is told where it would stand. */
static bool is_for_user(const struct plumb_assembly *as, const char *key)
{
    for (size_t i = 0; as->doc->file == PLUMB_SLURM_CONF && i < as->writes->owned_count; i++) {
        if (strcmp(as->writes->owned[i].key, key) == 0)
            return strcmp(as->writes->owned[i].advice, "ok") == 0;
    }
    return false;
}

static bool is_at(struct plumb_span a, struct plumb_span b)
{
    return a.file == b.file && a.begin == b.begin && a.end == b.end;
}

/* The place of a line that no field says. */
static struct plumb_span place_of(const struct plumb_assembly *as,
                                  const struct plumb_kube_line *row, struct plumb_span own)
{
    if (plumb_span_known(as->accounting_at) && strcmp(row->when, "accounting") == 0)
        return as->accounting_at;
    return is_for_user(as, row->key) ? as->doc->at : own;
}

void plumb_assemble_own(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    const char *file = plumb_file_name(as->doc->file);

    for (size_t i = 0; as->writes != NULL && i < as->writes->line_count; i++) {
        const struct plumb_kube_line *row = &as->writes->lines[i];
        const struct plumb_param *p = NULL;
        struct value v;

        if (strcmp(row->file, file) != 0 || !holds(as, o, row->when))
            continue;
        v = value_of(as, o, row->value);
        if (is_at(v.at, o->name_at))
            v.at = place_of(as, row, v.at);
        p = plumb_param_find(as->run->session->table, as->doc->file, PLUMB_SCOPE_GLOBAL, row->key,
                             strcspn(row->key, " "));
        if (p != NULL && !v.missing && v.text.len > 0)
            plumb_conf_add(as->doc, plumb_conf_line(as->doc, PLUMB_SCOPE_GLOBAL),
                           (enum plumb_param_id)p->id, plumb_buf_text(&v.text), v.at);
    }
}

/* ---- parts ---- */

const struct plumb_kube_part *plumb_assemble_part_at(const struct plumb_assembly *as,
                                                     const struct plumb_node *n)
{
    for (size_t i = 0; n != NULL && i < as->part_count; i++) {
        if (as->parts[i].node == n)
            return &as->parts[i];
    }
    return NULL;
}

const struct plumb_kube_part *plumb_assemble_part(const struct plumb_assembly *as,
                                                  const struct plumb_kube_object *o,
                                                  const char *path)
{
    return plumb_assemble_part_at(as, plumb_node_path(o->root, path));
}

static struct plumb_conf_line *add_line(struct plumb_conf *doc)
{
    doc->lines = plumb_arena_grow(doc->arena, doc->lines, doc->count, &doc->cap,
                                  sizeof(struct plumb_conf_line));
    return &doc->lines[doc->count++];
}

void plumb_assemble_lines(struct plumb_assembly *as, const struct plumb_kube_part *part)
{
    if (part == NULL || part->doc == NULL)
        return;
    for (size_t i = 0; i < part->doc->count; i++) {
        struct plumb_conf_line *line = add_line(as->doc);

        *line = part->doc->lines[i];
        line->included_from = 0;
    }
    as->doc->partial = as->doc->partial || part->doc->partial;
}

void plumb_assemble_words(struct plumb_assembly *as, struct plumb_conf_line *line,
                          const struct plumb_kube_part *part)
{
    const struct plumb_conf_line *from = NULL;

    if (part == NULL)
        return;
    if (part->doc == NULL || part->doc->count != 1 ||
        part->doc->lines[0].kind != PLUMB_CONF_RECORD) {
        as->doc->partial = true; /* what it was to say is not known */
        return;
    }
    from = &part->doc->lines[0];
    for (size_t i = 1; i < from->count; i++) {
        line->pairs = plumb_arena_grow(as->a, line->pairs, line->count, &line->cap,
                                       sizeof(struct plumb_setting));
        line->pairs[line->count++] = from->pairs[i];
    }
}

/* ---- pods and amounts ---- */

const char *plumb_assemble_pods(struct plumb_assembly *as, const char *prefix, uint64_t count,
                                unsigned digits)
{
    if (count == 1)
        return plumb_arena_printf(as->a, "%s%0*d", prefix, (int)digits, 0);
    return plumb_arena_printf(as->a, "%s[%0*d-%0*llu]", prefix, (int)digits, 0, (int)digits,
                              (unsigned long long)(count - 1));
}

const char *plumb_assemble_joined(struct plumb_arena *a, const struct plumb_node *list,
                                  const char *field)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++) {
        const struct plumb_node *n =
            field == NULL ? list->items[i] : plumb_node_get(list->items[i], field);
        const char *word = plumb_node_text(n);

        if (word != NULL)
            plumb_buf_printf(&b, "%s%s", b.len > 0 ? "," : "", word);
    }
    return plumb_buf_text(&b);
}

struct plumb_span plumb_assemble_place(const struct plumb_kube_object *o, const char *section,
                                       const char *key)
{
    const struct plumb_pair *outer = plumb_node_pair(o->root, section);
    const struct plumb_pair *inner = outer == NULL ? NULL : plumb_node_pair(outer->value, key);

    if (inner != NULL)
        return inner->key->at;
    return outer != NULL ? outer->key->at : o->name_at;
}

uint64_t plumb_assemble_count(const struct plumb_kube_object *o, const char *path,
                              uint64_t otherwise)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);
    int64_t v = 0;

    if (n == NULL || n->kind != PLUMB_SCALAR || plumb_kube_json_of(n) != PLUMB_KUBE_IS_INTEGER)
        return otherwise;
    v = plumb_kube_integer(n);
    return v < 0 ? 0 : (uint64_t)v;
}

uint64_t plumb_assemble_replicas(const struct plumb_kube_object *o, uint64_t otherwise)
{
    const struct plumb_node *n = plumb_assemble_at(o, "spec/replicas");

    if (n == NULL || plumb_kube_json_of(n) == PLUMB_KUBE_IS_NULL)
        return otherwise;
    return plumb_kube_json_of(n) != PLUMB_KUBE_IS_INTEGER || plumb_kube_integer(n) < 0
               ? UINT64_MAX
               : (uint64_t)plumb_kube_integer(n);
}

uint64_t plumb_assemble_bytes(const struct plumb_node *n)
{
    uint64_t milli = 0;
    size_t bad = 0;

    if (n == NULL || n->kind != PLUMB_SCALAR ||
        !plumb_kube_quantity(n->scalar.text, n->scalar.len, &milli, &bad) || milli == UINT64_MAX)
        return 0;
    return milli / 1000;
}

/* ---- the cluster ---- */

static const struct {
    enum plumb_kube_owner owner;
    const char *kind; /* of the object that is the cluster; NULL: values of a chart */
    void (*assemble)(struct plumb_assembly *as);
} flavours[] = {
    {PLUMB_KUBE_SLINKY, "Controller", plumb_assemble_slinky},
    {PLUMB_KUBE_SOPERATOR, "SlurmCluster", plumb_assemble_soperator},
    {PLUMB_KUBE_SUNK, "SlurmCluster", plumb_assemble_sunk},
    {PLUMB_KUBE_SUNK_CHART, NULL, plumb_assemble_sunk_values},
};

/* The flavour of which the object is the cluster; the count of them: it is none. */
static size_t cluster_flavour(const struct plumb_kube_object *o)
{
    size_t i = 0;

    while (i < PLUMB_COUNT(flavours) &&
           (o->patch || o->row == NULL || flavours[i].owner != plumb_kube_owner_of(o) ||
            (flavours[i].kind != NULL && strcmp(flavours[i].kind, o->kind) != 0)))
        i++;
    return i;
}

static bool same_space(const struct plumb_kube_object *o, const struct plumb_kube_object *cluster)
{
    return o->space[0] == '\0' || cluster->space[0] == '\0' ||
           strcmp(o->space, cluster->space) == 0;
}

bool plumb_assemble_is_of(const struct plumb_kube_object *o,
                          const struct plumb_kube_object *cluster, const char *kind)
{
    const char *name = plumb_node_text(plumb_assemble_at(o, "spec/clusterRef/name"));

    return !o->patch && o->row != NULL && strcmp(o->kind, kind) == 0 &&
           strcmp(o->api, cluster->api) == 0 && same_space(o, cluster) && name != NULL &&
           strcmp(name, cluster->name) == 0;
}

static bool is_set(const struct plumb_kube_object *o, const struct plumb_kube_object *cluster)
{
    return !o->patch && strcmp(o->kind, "NodeSet") == 0 &&
           plumb_kube_owner_of(o) == plumb_kube_owner_of(cluster);
}

/* The set names this cluster, or no other. */
static bool is_of(const struct plumb_kube_object *o, const struct plumb_kube_object *cluster)
{
    static const char *const refs[] = {"spec/controllerRef/name", "spec/clusterRef/name"};

    if (!same_space(o, cluster))
        return false;
    for (size_t i = 0; i < PLUMB_COUNT(refs); i++) {
        const char *name = plumb_node_text(plumb_node_path(o->root, refs[i]));

        if (name != NULL && strcmp(name, cluster->name) != 0)
            return false;
    }
    return true;
}

static int by_name(const void *x, const void *y)
{
    const struct plumb_kube_object *const *a = x, *const *b = y;

    int order = strcmp((*a)->name, (*b)->name);

    return order != 0 ? order : (*a < *b ? -1 : *a > *b);
}

static bool is_twice(const struct plumb_assembly *as, size_t i)
{
    const char *name = as->sets[i]->name;

    return (i > 0 && strcmp(as->sets[i - 1]->name, name) == 0) ||
           (i + 1 < as->set_count && strcmp(as->sets[i + 1]->name, name) == 0);
}

static void find_sets(struct plumb_assembly *as)
{
    const struct plumb_kube_objects *all = as->run->kube;
    const struct plumb_kube_object **single =
        PLUMB_NEW_ARRAY(as->a, all->count, const struct plumb_kube_object *);
    size_t kept = 0;

    as->sets = PLUMB_NEW_ARRAY(as->a, all->count, const struct plumb_kube_object *);
    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_kube_object *o = &all->items[i];

        if (!is_set(o, as->cluster))
            continue;
        if (o->row == NULL)
            as->unknown = true; /* of a version that no table has: what it says is not known */
        else if (is_of(o, as->cluster))
            as->sets[as->set_count++] = o;
    }
    if (as->set_count > 1)
        qsort(as->sets, as->set_count, sizeof(as->sets[0]), by_name);
    for (size_t i = 0; i < as->set_count; i++) {
        if (is_twice(as, i))
            as->unknown = true; /* which of the two counts was asked already */
        else
            single[kept++] = as->sets[i];
    }
    as->sets = single;
    as->set_count = kept;
    if (kept == 0)
        as->unknown = true; /* they are kept elsewhere, or not made yet */
}

static const struct plumb_kube_object *find_cluster(const struct plumb_kube_objects *all)
{
    const struct plumb_kube_object *found = NULL;

    for (size_t i = 0; i < all->count; i++) {
        if (cluster_flavour(&all->items[i]) == PLUMB_COUNT(flavours))
            continue;
        if (found != NULL)
            return NULL; /* of which one a file is, is not known */
        found = &all->items[i];
    }
    return found;
}

void plumb_assemble(struct plumb_run *r, const struct plumb_kube_part *parts, size_t count)
{
    struct plumb_assembly as = {
        .run = r, .a = r->session->arena, .parts = parts, .part_count = count};
    size_t flavour = 0;

    as.cluster = find_cluster(r->kube);
    if (as.cluster == NULL)
        return;
    if (!as.cluster->values)
        find_sets(&as);
    r->assembled[0] = as.cluster;
    flavour = cluster_flavour(as.cluster);
    as.writes = plumb_kube_writes_of(r->kube_releases->of[flavours[flavour].owner]);
    flavours[flavour].assemble(&as);
    if (r->conf[PLUMB_SLURM_CONF] == NULL) {
        r->assembled[0] = NULL;
        return;
    }
    r->assembled[1] = as.accounting;
    plumb_check_hosts(r->session, r->conf[PLUMB_SLURM_CONF], r->session->sink.release);
    r->facts |= PLUMB_FACT_CONF;
}
