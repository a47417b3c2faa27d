/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Section kubernetes of a specification: what the targets that write manifests need. What an
 * operator cannot do is asked of the tables of kinds (schema/kube), by the file of its flavour.
 */
#include <string.h>

#include "base/text.h"
#include "kube/check.h"
#include "passes/resolve_kube.h"

static const struct plumb_plan_flavour *const flavours[] = {
    &plumb_plan_sunk,
    &plumb_plan_slinky,
    &plumb_plan_soperator,
};

static struct plumb_text plumb_plan_text_of(struct plumb_resolve *rs,
                                            const struct plumb_spec_value *v)
{
    if (v == NULL || v->shape != PLUMB_SHAPE_SCALAR)
        return (struct plumb_text){0};
    return (struct plumb_text){
        .v = plumb_intern_text(rs->s->intern, v->text.text, v->text.len),
        .at = v->at,
        .origin = PLUMB_GIVEN,
    };
}

const struct plumb_spec_value *plumb_plan_get(const struct plumb_spec_value *map, const char *path)
{
    const struct plumb_spec_value *v = map == NULL ? NULL : plumb_spec_path(map, path);

    return v == NULL || v->origin == PLUMB_BAD ? NULL : v;
}

struct plumb_text plumb_plan_text(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                                  const char *path)
{
    return plumb_plan_text_of(rs, plumb_plan_get(map, path));
}

struct plumb_u64 plumb_plan_number(const struct plumb_spec_value *map, const char *path)
{
    const struct plumb_spec_value *v = plumb_plan_get(map, path);

    if (v == NULL)
        return (struct plumb_u64){0};
    return (struct plumb_u64){.v = v->number, .at = v->at, .origin = PLUMB_GIVEN};
}

struct plumb_bool plumb_plan_bool(const struct plumb_spec_value *map, const char *path)
{
    const struct plumb_spec_value *v = plumb_plan_get(map, path);

    if (v == NULL)
        return (struct plumb_bool){0};
    return (struct plumb_bool){.v = v->number != 0, .at = v->at, .origin = PLUMB_GIVEN};
}

/* A name that Kubernetes takes for an object or a namespace: it becomes a host name too. */
struct plumb_text plumb_plan_name(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                                  const char *key, const char *otherwise)
{
    struct plumb_text t = plumb_plan_text(rs, map, key);

    if (t.v == NULL)
        return (struct plumb_text){.v = otherwise, .at = map->key_at, .origin = PLUMB_DEFAULTED};
    if (plumb_kube_name_fault(PLUMB_KUBE_LABEL_NAME, t.v, strlen(t.v)) != SIZE_MAX)
        NOT_IN_FLAVOUR(rs, t.at,
                       "'%s' is no name for an object of Kubernetes, expected lower-case letters, "
                       "digits and '-'",
                       t.v);
    return t;
}

struct plumb_kube_secret plumb_plan_secret(struct plumb_resolve *rs,
                                           const struct plumb_spec_value *v, const char *name,
                                           const char *key, struct plumb_span at)
{
    struct plumb_kube_secret s = {0};

    s.name = plumb_plan_text(rs, v, "secret");
    s.key = plumb_plan_text(rs, v, "key");
    if (s.name.v == NULL && name != NULL)
        s.name = (struct plumb_text){.v = name, .at = at, .origin = PLUMB_DEFAULTED};
    if (s.key.v == NULL)
        s.key = (struct plumb_text){.v = key, .at = at, .origin = PLUMB_DEFAULTED};
    return s;
}

static struct plumb_kube_tolerances tolerations_of(struct plumb_resolve *rs,
                                                   const struct plumb_spec_value *map)
{
    const struct plumb_spec_value *list = plumb_plan_get(map, "tolerations");
    struct plumb_kube_tolerances all = {0};

    if (list == NULL)
        return all;
    all.items = PLUMB_NEW_ARRAY(rs->a, list->count, struct plumb_kube_tolerance);
    for (size_t i = 0; i < list->count; i++) {
        const struct plumb_spec_value *v = &list->items[i];

        if (v->shape == PLUMB_SHAPE_MAP && v->origin != PLUMB_BAD)
            all.items[all.count++] = (struct plumb_kube_tolerance){
                .key = plumb_plan_text(rs, v, "key"),
                .op = plumb_plan_text(rs, v, "operator"),
                .value = plumb_plan_text(rs, v, "value"),
                .effect = plumb_plan_text(rs, v, "effect"),
                .at = v->at,
            };
    }
    return all;
}

struct plumb_plan_names plumb_plan_list(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    struct plumb_plan_names names = {0};

    if (v == NULL)
        return names;
    names.items = PLUMB_NEW_ARRAY(rs->a, v->count, struct plumb_text);
    for (size_t i = 0; i < v->count; i++) {
        if (v->items[i].origin != PLUMB_BAD)
            names.items[names.count++] = plumb_plan_text_of(rs, &v->items[i]);
    }
    return names;
}

size_t plumb_plan_labels(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                         struct plumb_kube_pick **out)
{
    size_t count = 0;

    if (map == NULL)
        return 0;
    *out = PLUMB_NEW_ARRAY(rs->a, map->count, struct plumb_kube_pick);
    for (size_t i = 0; i < map->count; i++) {
        const struct plumb_spec_value *v = &map->items[i];

        if (v->origin != PLUMB_BAD)
            (*out)[count++] = (struct plumb_kube_pick){
                {.v = v->name, .at = v->key_at, .origin = PLUMB_GIVEN}, plumb_plan_text_of(rs, v)};
    }
    return count;
}

static void resolve_class(struct plumb_resolve *rs, const struct plumb_spec_value *class,
                          struct plumb_kube_class *to)
{
    const struct plumb_spec_value *kube = plumb_plan_get(class, "kubernetes");

    if (plumb_kube_name_fault(PLUMB_KUBE_LABEL_NAME, class->name, strlen(class->name)) != SIZE_MAX)
        NOT_IN_FLAVOUR(rs, class->key_at,
                       "class '%s' names pods and hosts, expected lower-case letters, digits and "
                       "'-'",
                       class->name);
    to->tolerations = tolerations_of(rs, kube);
    to->selector_count = plumb_plan_labels(rs, plumb_plan_get(kube, "selector"), &to->selector);
}

static void resolve_classes(struct plumb_resolve *rs, struct plumb_kube_plan *p)
{
    const struct plumb_spec_value *nodes = plumb_plan_get(&rs->spec->root, "nodes");
    size_t at = 0;

    p->classes = PLUMB_NEW_ARRAY(rs->a, rs->m->node_count, struct plumb_kube_class);
    for (size_t i = 0; nodes != NULL && i < nodes->count; i++) {
        if (nodes->items[i].shape == PLUMB_SHAPE_MAP) /* as add_class in resolve_nodes.c */
            resolve_class(rs, &nodes->items[i], &p->classes[at++]);
    }
}

const struct plumb_kube_field *plumb_plan_field(const struct plumb_kube_table *t, const char *api,
                                                const char *kind, const char *key)
{
    const struct plumb_kube_kind *k = plumb_kube_kind_find(t, api, kind);
    const struct plumb_kube_field *spec =
        k == NULL || k->type == NULL ? NULL : plumb_kube_field_find(k->type, "spec");

    return spec == NULL || spec->type == NULL ? NULL : plumb_kube_field_find(spec->type, key);
}

const char *plumb_plan_first_with(const char *flavour, const char *api, const char *kind,
                                  const char *key)
{
    for (size_t i = 0; i < plumb_kube_table_count; i++) {
        const struct plumb_kube_table *t = &plumb_kube_tables[i];

        if (strcmp(t->flavour, flavour) == 0 && plumb_plan_field(t, api, kind, key) != NULL)
            return t->release;
    }
    return "a later release";
}

/* What the user says of a key that the operator writes goes to the files of target slurm alone. */
static void tell_owned(struct plumb_resolve *rs, const struct plumb_kube_plan *p, const char *says)
{
    const struct plumb_settings *all = &rs->m->settings[PLUMB_SLURM_CONF];

    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_setting *s = &all->items[i];

        const struct plumb_kube_owned *own =
            plumb_kube_keeps(p->writes->owned, p->writes->owned_count, s->param->name);

        if (s->origin == PLUMB_GIVEN && own != NULL && s->param->id != PLUMB_P_SLURM_CLUSTERNAME &&
            !plumb_slice_is(&s->value, own->value) &&
            plumb_kube_slot(p->writes->slots, p->writes->slot_count, s->param->name) == NULL)
            plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_COMPILED),
                           plumb_span_known(s->key_at) ? s->key_at : s->value.at,
                           "%s writes %s itself (%s), so this goes to the files of target "
                           "slurm alone",
                           says, s->param->name, own->value);
    }
}

/* What every flavour has. */
static struct plumb_kube_plan *new_plan(struct plumb_resolve *rs,
                                        const struct plumb_spec_value *map,
                                        const struct plumb_kube_table *t)
{
    struct plumb_kube_plan *p = PLUMB_NEW(rs->a, struct plumb_kube_plan);

    p->at = map->key_at;
    p->space = plumb_plan_name(rs, map, "namespace", "slurm");
    p->name = plumb_plan_name(rs, map, "name", "slurm");
    p->controller_image = plumb_plan_text(rs, map, "images/controller");
    p->worker_image = plumb_plan_text(rs, map, "images/worker");
    p->login_image = plumb_plan_text(rs, map, "images/login");
    p->database_image = plumb_plan_text(rs, map, "images/database");
    p->rest_image = plumb_plan_text(rs, map, "images/rest");
    p->munge_image = plumb_plan_text(rs, map, "images/munge");
    p->jail_image = plumb_plan_text(rs, map, "images/jail");
    p->config_image = plumb_plan_text(rs, map, "images/config");
    p->sssd_image = plumb_plan_text(rs, map, "images/sssd");
    p->storage_class = plumb_plan_text(rs, map, "storage/class");
    p->storage_access = plumb_plan_text(rs, map, "storage/access");
    p->claim = plumb_plan_text(rs, map, "storage/claim");
    p->database_bytes = plumb_plan_number(map, "storage/database");
    p->hooks = plumb_plan_text(rs, map, "hooks");
    p->reservations = rs->reservations;
    p->reservation_count = rs->reservation_count;
    p->state_bytes = plumb_plan_number(map, "storage/state");
    p->jail_class = plumb_plan_text(rs, map, "storage/jail/class");
    p->jail_claim = plumb_plan_text(rs, map, "storage/jail/claim");
    p->jail_bytes = plumb_plan_number(map, "storage/jail/size");
    p->host_keys = plumb_plan_text(rs, map, "host_keys/secret");
    p->root_keys = plumb_plan_list(rs, plumb_plan_get(map, "root_keys"));
    p->login_service = plumb_plan_text(rs, map, "service/login");
    p->login_port = plumb_plan_number(map, "service/login_port");
    p->rest = plumb_plan_bool(map, "rest");
    p->metrics = plumb_plan_bool(map, "monitoring/metrics");
    p->tolerations = tolerations_of(rs, map);
    resolve_classes(rs, p);
    p->writes = plumb_kube_writes_of(t);
    return p;
}

/* Text of Slurm's files is of one release, and so are the daemons that read it. */
static void check_images(struct plumb_resolve *rs, const struct plumb_kube_plan *p)
{
    const struct plumb_text *images[] = {&p->controller_image, &p->worker_image, &p->login_image,
                                         &p->database_image, &p->rest_image};

    for (size_t i = 0; i < PLUMB_COUNT(images); i++) {
        enum plumb_release r = plumb_release_of_image(images[i]->v);

        if (images[i]->v != NULL && r != PLUMB_RELEASE_NONE && r != rs->m->release)
            plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_IMAGE), images[i]->at,
                           "the image is of Slurm %s, expected %s, for which the files are "
                           "written: their parameters may be unknown to it, and another release "
                           "of slurmdbd converts the database, which is to be backed up first",
                           plumb_release_name(r), plumb_release_name(rs->m->release));
    }
}

static void resolve_flavour(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                            const struct plumb_plan_flavour *f)
{
    const struct plumb_spec_value *release = plumb_plan_get(map, "release");
    const struct plumb_kube_table *t =
        plumb_kube_table_find(f->name, release == NULL ? NULL : plumb_plan_text_of(rs, release).v);
    struct plumb_kube_plan *p = NULL;

    if (t == NULL) {
        NOT_IN_FLAVOUR(rs, release->at,
                       "release '%.*s' of %s is in no table, expected one such as %s",
                       (int)release->text.len, release->text.text, f->says,
                       plumb_kube_table_find(f->name, NULL)->release);
        return;
    }
    p = new_plan(rs, map, t);
    p->flavour = f->flavour;
    for (size_t i = 0; i < f->unread_count; i++) {
        const struct plumb_spec_value *v = plumb_plan_get(map, f->unread[i].path);

        if (v != NULL)
            NOT_IN_FLAVOUR(rs, v->key_at, "%s", f->unread[i].why);
    }
    check_images(rs, p);
    f->resolve(rs, map, t, p);
    rs->m->kube_plan = p;
    tell_owned(rs, p, f->says);
}

/* ---- keys that some flavours alone compile ---- */

static bool compiles(const struct plumb_plan_flavour *f, const char *path)
{
    for (const char *const *c = f == NULL ? NULL : f->compiles; c != NULL && *c != NULL; c++) {
        if (strcmp(*c, path) == 0)
            return true;
    }
    return false;
}

/* Nothing comes of them for the others. */
static void tell_others(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                        const char *path, const struct plumb_plan_flavour *f)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct plumb_spec_value *v = &map->items[i];
        const char *inner =
            path[0] == '\0' ? v->name : plumb_arena_printf(rs->a, "%s/%s", path, v->name);

        if (v->origin == PLUMB_BAD || v->row == NULL)
            continue;
        if (v->row->by_flavor && !compiles(f, inner))
            plumb_spec_not_compiled(rs->s, v);
        else if (v->row->kind == PLUMB_K_MAP && v->shape == PLUMB_SHAPE_MAP)
            tell_others(rs, v, inner, f);
    }
}

/* What would be lost without a word of the operator. */
static void refuse_lost(struct plumb_resolve *rs, const struct plumb_spec_value *map,
                        const struct plumb_plan_flavour *f)
{
    const struct plumb_spec_value *hooks = plumb_plan_get(map, "hooks");

    for (size_t i = 0; i < rs->reservation_count && !compiles(f, "reservations"); i++) {
        const struct plumb_plan_reservation *r = &rs->reservations[i];

        if (plumb_span_known(r->taint.at))
            NOT_IN_FLAVOUR(rs, r->taint.at,
                           "%s taints no machine for reservation '%s', the taint would be lost: "
                           "expected none here, one set by hand (kubectl taint nodes), and "
                           "'kubernetes.tolerations' for it in the classes of the nodes",
                           f->says, r->name.v);
    }
    if (hooks != NULL && !compiles(f, "kubernetes/hooks"))
        NOT_IN_FLAVOUR(rs, hooks->key_at,
                       "%s takes no ConfigMap of prolog and epilog together, the scripts would "
                       "not run: expected no 'hooks'",
                       f->says);
}

void plumb_resolve_kube(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *map = plumb_plan_get(&rs->spec->root, "kubernetes");
    const struct plumb_spec_value *flavour = plumb_plan_get(map, "flavor");
    const struct plumb_spec_value *form = plumb_plan_get(map, "form");
    const struct plumb_plan_flavour *f = NULL;

    plumb_plan_reservations(rs);
    for (size_t i = 0; flavour != NULL && i < PLUMB_COUNT(flavours); i++) {
        if (strcmp(flavour->word->name, flavours[i]->name) == 0)
            f = flavours[i];
    }
    if (f != NULL && form != NULL && strcmp(form->word->name, "values") == 0) {
        if (f == &plumb_plan_sunk)
            f = &plumb_plan_sunk_values;
        else if (f == &plumb_plan_slinky)
            f = &plumb_plan_slinky_values;
        else
            NOT_IN_FLAVOUR(
                rs, form->at,
                "values are written for the charts of Slinky and of SUNK alone, expected "
                "'objects'");
    }
    tell_others(rs, &rs->spec->root, "", f);
    if (flavour == NULL)
        return;
    if (f != NULL) {
        refuse_lost(rs, map, f);
        resolve_flavour(rs, map, f);
        return;
    }
    plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_COMPILED), flavour->at,
                   "flavor '%s' is known, but this version makes no manifests for it",
                   flavour->word->name);
}
