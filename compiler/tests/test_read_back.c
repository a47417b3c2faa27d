/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proof that manifests lose nothing: a specification is built for a flavour of Kubernetes, the
 * objects are read back, and the two models are the same, field by field. Pods are no machines of
 * the specification, so nodes are compared by what is true of them: their line, the partitions that
 * take them, the lines of gres.conf for them, their section kubernetes, and how many there are.
 *
 * What a flavour cannot say is refused when it is built, and then nothing is read back; what an
 * operator says itself, or says in other words, is a row of a table here.
 */
#include <strings.h>

#include "base/text.h"
#include "case_run.h"
#include "model/kube_plan.h"

enum { LEAST_COMPARED = 10 };

/* ---- flavours ---- */

struct exception {
    enum plumb_param_id id;
    const char *reason;
};

struct flavour {
    const char *target, *kubernetes; /* for --kubernetes */
    const char *section;             /* for specifications without one */
    const struct exception *exceptions;
    size_t exception_count;
};

static const struct exception slinky_exceptions[] = {
    {PLUMB_P_SLURM_SLURMCTLDHOST, "pods have other names than hosts"},
    {PLUMB_P_SLURM_CLUSTERNAME, "compared as the name of the cluster"},
    {PLUMB_P_SLURM_MAXNODECOUNT, "at least what the nodes need, which the operator writes"},
    {PLUMB_P_DBD_DBDHOST, "slurmdbd runs in a pod"},
    {PLUMB_P_DBD_DBDADDR, "slurmdbd runs in a pod"},
    {PLUMB_P_DBD_DBDBACKUPHOST, "there is one slurmdbd"},
    {PLUMB_P_DBD_STORAGEPASSSCRIPT, "the password is a reference to a Secret"},
    {PLUMB_P_DBD_PIDFILE, "a path of the machine, not of the container"},
    {PLUMB_P_DBD_PLUGINDIR, "a path of the machine, not of the container"},
};

static const struct exception soperator_exceptions[] = {
    {PLUMB_P_SLURM_SLURMCTLDHOST, "pods have other names than hosts"},
    {PLUMB_P_SLURM_CLUSTERNAME, "compared as the name of the cluster"},
    {PLUMB_P_SLURM_DEFMEMPERCPU, "each partition says it, and is compared so"},
};

static const struct flavour flavours[] = {
    {"slinky", "slinky=1.2.1",
     "kubernetes: {flavor: slinky, release: \"1.2.1\", sssd: {secret: sssd}}\n", slinky_exceptions,
     PLUMB_COUNT(slinky_exceptions)},
    {"soperator", "soperator=4.1.7",
     "kubernetes:\n"
     "  flavor: soperator\n"
     "  release: \"4.1.7\"\n"
     "  images: {controller: \"r/slurmctld:1\", worker: \"r/slurmd:1\", login: \"r/sshd:1\",\n"
     "    database: \"r/dbd:1\", munge: \"r/munge:1\", jail: \"r/jail:1\", config: "
     "\"r/config:1\"}\n"
     "  storage: {state: 64 GiB, class: local, jail: {size: 1 TiB, class: shared}}\n"
     "  root_keys: [\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample admin@example.org\"]\n"
     "  host_keys: {secret: keys}\n"
     "  service: {login: LoadBalancer}\n",
     soperator_exceptions, PLUMB_COUNT(soperator_exceptions)},
};

static bool is_exception(const struct flavour *f, enum plumb_param_id id)
{
    for (size_t i = 0; i < f->exception_count; i++) {
        if (f->exceptions[i].id == id)
            return true;
    }
    return false;
}

/* ---- what differs ---- */

struct comparison {
    struct plumb_arena *a;
    const struct flavour *flavour;
    const struct plumb_model *before, *after;
    const char *first; /* the first field that differs; NULL: none */
};

static void differ(struct comparison *c, const char *field, const char *was, const char *is)
{
    if (c->first == NULL)
        c->first = plumb_arena_printf(c->a, "%s was '%s', is '%s'", field,
                                      was == NULL ? "(none)" : was, is == NULL ? "(none)" : is);
}

static void compare_text(struct comparison *c, const char *field, const char *was, const char *is)
{
    if ((was == NULL) != (is == NULL) || (was != NULL && strcmp(was, is) != 0))
        differ(c, field, was, is);
}

static const char *text_of(struct plumb_arena *a, const struct plumb_setting *s)
{
    return s == NULL ? NULL : plumb_arena_strndup(a, s->value.text, s->value.len);
}

/* ---- global settings ---- */

static const struct plumb_kube_owned *row_of(const struct comparison *c, enum plumb_file file,
                                             const char *key)
{
    const struct plumb_kube_writes *w = c->before->kube_plan->writes;
    const struct plumb_kube_owned *rows = file == PLUMB_SLURM_CONF ? w->owned : w->owned_dbd;
    size_t count = file == PLUMB_SLURM_CONF      ? w->owned_count
                   : file == PLUMB_SLURMDBD_CONF ? w->owned_dbd_count
                                                 : 0;

    for (size_t i = 0; i < count; i++) {
        if (plumb_same_nocase(rows[i].key, key))
            return &rows[i];
    }
    return NULL;
}

static bool is_row(const struct plumb_kube_owned *row, const char *how)
{
    return row != NULL && strcmp(row->how, how) == 0;
}

/* Every word of a list is in the other, in small letters. */
static bool holds_words(const char *words, const char *all)
{
    while (*words != '\0') {
        size_t len = strcspn(words, ",");
        bool found = false;

        for (const char *at = all; *at != '\0' && !found; at += strcspn(at, ",")) {
            at += *at == ',';
            found = strcspn(at, ",") == len;
            for (size_t i = 0; found && i < len; i++)
                found = at[i] == words[i] || at[i] == (char)(words[i] + ('a' - 'A'));
        }
        if (!found)
            return false;
        words += len + (words[len] == ',');
    }
    return true;
}

static void compare_setting(struct comparison *c, enum plumb_file file,
                            const struct plumb_setting *was)
{
    enum plumb_param_id id = (enum plumb_param_id)was->param->id;
    const struct plumb_kube_owned *row = row_of(c, file, was->param->name);
    const struct plumb_setting *is = plumb_setting(&c->after->settings[file], id);
    const char *field =
        plumb_arena_printf(c->a, "%s of %s", was->param->name, plumb_file_name(file));
    const struct plumb_kube_writes *w = c->before->kube_plan->writes;
    bool united = row != NULL && strcmp(row->advice, "superset") == 0; /* the operator's in front */

    if (is_exception(c->flavour, id) ||
        (row != NULL && strcmp(row->advice, "ok") != 0 && strcmp(row->advice, "merge") != 0 &&
         !united && strcmp(row->how, "derived") != 0))
        return; /* told at build: SPEC017 */
    if (is_row(row, "derived") && file == PLUMB_SLURM_CONF &&
        plumb_kube_slot(w->slots, w->slot_count, was->param->name) == NULL)
        return;
    if (is_row(row, "derived") && is != NULL &&
        plumb_same_nocase(text_of(c->a, was), text_of(c->a, is)))
        return; /* words of an enum, which the field spells otherwise */
    if ((is_row(row, "merged") || united) && is != NULL &&
        holds_words(text_of(c->a, was), text_of(c->a, is)))
        return;
    if (strcmp(was->param->name, "StoragePass") == 0)
        return; /* a reference to a Secret: compared in the plan */
    compare_text(c, field, text_of(c->a, was), text_of(c->a, is));
}

/* What the operator writes of a key, or wrote once: sections lines and defaults; NULL: nothing. */
static const char *own_words(const struct comparison *c, enum plumb_file file, const char *key)
{
    const struct plumb_kube_writes *w = c->before->kube_plan->writes;
    struct plumb_buf b = plumb_buf_in(c->a);

    for (size_t i = 0; i < w->line_count; i++) {
        size_t len = strcspn(w->lines[i].key, " ");

        if (strcmp(w->lines[i].file, plumb_file_name(file)) == 0 && strlen(key) == len &&
            strncasecmp(w->lines[i].key, key, len) == 0)
            plumb_buf_printf(&b, "%s,", w->lines[i].value);
    }
    for (size_t i = 0; i < w->default_count; i++) {
        if (strcmp(w->defaults[i].file, plumb_file_name(file)) == 0 &&
            strcasecmp(w->defaults[i].key, key) == 0)
            plumb_buf_printf(&b, "%s,%s,", w->defaults[i].value, w->defaults[i].without_cgroup);
    }
    return b.len == 0 ? NULL : plumb_buf_text(&b);
}

/* A pattern with a field is not compared: what it shows is compared in the plan. */
static bool is_expected(const struct comparison *c, enum plumb_file file,
                        const struct plumb_setting *s)
{
    const char *own = own_words(c, file, s->param->name);
    const struct plumb_kube_plan *is = c->after->kube_said;

    bool nobodys = s->value.at.file == is->at.file && s->value.at.begin == is->at.begin;
    bool dbd =
        plumb_kube_slot(is->writes->slots_dbd, is->writes->slot_dbd_count, s->param->name) != NULL;

    if (nobodys &&
        (dbd || is_row(row_of(c, file, s->param->name), "derived") ||
         plumb_kube_slot(is->writes->slots, is->writes->slot_count, s->param->name) != NULL))
        return true; /* the default of its field, or made of other objects */
    if (dbd && (plumb_slice_is(&s->value, "no") || plumb_slice_is(&s->value, "600months")))
        return true; /* what slurmdbd does where nothing is said, since the CRD has it otherwise */
    return own != NULL && (strchr(own, '{') != NULL || holds_words(text_of(c->a, s), own));
}

static void compare_file(struct comparison *c, enum plumb_file file)
{
    const struct plumb_settings *was = &c->before->settings[file], *is = &c->after->settings[file];

    for (size_t i = 0; i < was->count; i++) {
        if (plumb_usable(was->items[i]) &&
            plumb_setting(was, (enum plumb_param_id)was->items[i].param->id) == &was->items[i])
            compare_setting(c, file, &was->items[i]);
    }
    for (size_t i = 0; i < is->count; i++) {
        const struct plumb_setting *s = &is->items[i];

        if (plumb_setting(was, (enum plumb_param_id)s->param->id) == NULL &&
            !is_expected(c, file, s))
            differ(c, plumb_arena_printf(c->a, "%s of %s", s->param->name, plumb_file_name(file)),
                   NULL, text_of(c->a, s));
    }
}

/* ---- nodes ---- */

struct kinds {
    const char **items; /* one for each node: what is true of it */
    size_t count, cap;
};

static int by_text(const void *x, const void *y)
{
    const char *const *a = x, *const *b = y;

    return strcmp(*a, *b);
}

/* "A=1 B=2", by key, without those that name machines. */
static const char *line_of(struct plumb_arena *a, const struct plumb_settings *s,
                           enum plumb_param_id without, const char *feature)
{
    const char **pairs = PLUMB_NEW_ARRAY(a, s->count, const char *);
    struct plumb_buf b = plumb_buf_in(a);
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++) {
        const char *value = text_of(a, &s->items[i]);

        if ((enum plumb_param_id)s->items[i].param->id == without ||
            s->items[i].param->id == PLUMB_P_SLURM_PARTITIONNAME ||
            (s->items[i].param->id == PLUMB_P_NODE_STATE && strcmp(value, "CLOUD") == 0))
            continue; /* pods are in the cloud, which their operator says */
        /* The operator puts the name of the node set before the features. */
        if (feature != NULL && s->items[i].param->id == PLUMB_P_NODE_FEATURES &&
            strncmp(value, feature, strlen(feature)) == 0)
            value += strlen(feature) + (value[strlen(feature)] == ',');
        if (value[0] != '\0')
            pairs[count++] = plumb_arena_printf(a, "%s=%s",
                                                s->items[i].param->id == PLUMB_P_NODE_FEATURE
                                                    ? "Features"
                                                    : s->items[i].param->name,
                                                value);
    }
    qsort(pairs, count, sizeof(pairs[0]), by_text);
    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(&b, "%s ", pairs[i]);
    return plumb_buf_text(&b);
}

static const char *or_none(const struct plumb_text *t)
{
    return t->v == NULL ? "-" : t->v;
}

static void add_class(struct plumb_buf *b, const struct plumb_kube_class *class)
{
    for (size_t i = 0; i < class->selector_count; i++)
        plumb_buf_printf(b, "| select %s=%s ", or_none(&class->selector[i].label),
                         or_none(&class->selector[i].value));
    for (size_t i = 0; i < class->tolerations.count; i++) {
        const struct plumb_kube_tolerance *t = &class->tolerations.items[i];

        plumb_buf_printf(b, "| tolerate %s %s %s %s ", or_none(&t->key), or_none(&t->op),
                         or_none(&t->value), or_none(&t->effect));
    }
}

/* Slurm's name of a node set, which is a feature of its nodes. */
static const char *set_name(struct plumb_arena *a, const struct plumb_nodes *n)
{
    const struct plumb_setting *s = plumb_setting(&n->settings, PLUMB_P_NODE_FEATURES);

    return n->dynamic && s != NULL
               ? plumb_arena_strndup(a, s->value.text, strcspn(s->value.text, ","))
               : NULL;
}

static const char *name_of(struct plumb_arena *a, const struct plumb_host_range *x, uint64_t v)
{
    return x->numbered ? plumb_arena_printf(a, "%s%0*llu%s", x->prefix, (int)x->width,
                                            (unsigned long long)v, x->suffix)
                       : x->prefix;
}

/* A line of gres.conf, once for each device file: several lines may be written as one. */
static void add_devices(struct plumb_arena *a, struct plumb_buf *b,
                        const struct plumb_gres_line *line)
{
    const char *text = line_of(a, &line->settings, PLUMB_P_GRESGLOBAL_NODENAME, NULL);
    const struct plumb_hostlist *files = line->files;
    const char *file = strstr(text, "File=");

    if (files == NULL || file == NULL) {
        if (strcmp(text, "AutoDetect=off ") != 0) /* as where nothing is said */
            plumb_buf_printf(b, "| gres %s", text);
        return;
    }
    for (size_t r = 0; r < files->range_count; r++) {
        for (uint64_t v = files->ranges[r].lo; v <= files->ranges[r].hi; v++)
            plumb_buf_printf(b, "| gres %.*s%s%s", (int)(file - text), text,
                             name_of(a, &files->ranges[r], v), file + strcspn(file, " "));
    }
}

static const char *kind_of(struct plumb_arena *a, const struct plumb_model *m, size_t i,
                           const char *host, const struct plumb_kube_plan *plan)
{
    const struct plumb_nodes *n = &m->nodes[i];
    struct plumb_buf b = plumb_buf_in(a);

    plumb_buf_str(&b, line_of(a, &n->settings, PLUMB_P_SLURM_NODENAME, set_name(a, n)));
    for (size_t p = 0; p < m->partition_count; p++) {
        if (m->partitions[p].nodes != NULL && plumb_hostlist_has(m->partitions[p].nodes, host))
            plumb_buf_printf(&b, "| in %s ", m->partitions[p].name.v);
    }
    for (size_t g = 0; g < m->gres_line_count; g++) {
        const struct plumb_gres_line *line = &m->gres_lines[g];

        if (line->hosts == NULL || plumb_hostlist_has(line->hosts, host))
            add_devices(a, &b, line);
    }
    add_class(&b, &plan->classes[i]);
    return plumb_buf_text(&b);
}

static struct kinds kinds_of(struct plumb_arena *a, const struct plumb_model *m,
                             const struct plumb_kube_plan *plan)
{
    struct kinds all = {0};

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_hostlist *h = m->nodes[i].hosts;

        for (size_t r = 0; h != NULL && r < h->range_count; r++) {
            for (uint64_t v = h->ranges[r].lo; v <= h->ranges[r].hi; v++) {
                const struct plumb_host_range *x = &h->ranges[r];
                const char *host = name_of(a, x, v);

                all.items = plumb_arena_grow(a, all.items, all.count, &all.cap, sizeof(char *));
                all.items[all.count++] = kind_of(a, m, i, host, plan);
            }
        }
    }
    if (all.count > 1)
        qsort(all.items, all.count, sizeof(all.items[0]), by_text);
    return all;
}

static void compare_nodes(struct comparison *c)
{
    struct kinds was = kinds_of(c->a, c->before, c->before->kube_plan);
    struct kinds is = kinds_of(c->a, c->after, c->after->kube_said);

    for (size_t i = 0; i < was.count || i < is.count; i++)
        compare_text(c, plumb_arena_printf(c->a, "node %zu in the order of their kinds", i + 1),
                     i < was.count ? was.items[i] : NULL, i < is.count ? is.items[i] : NULL);
}

/* Its line, with the memory of a CPU where the cluster says it for all that say none. */
static const char *partition_line(struct comparison *c, const struct plumb_model *m,
                                  const struct plumb_partition *p)
{
    const struct plumb_setting *s = plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_DEFMEMPERCPU);
    struct plumb_settings all = {
        .items = PLUMB_NEW_ARRAY(c->a, p->settings.count + 1, struct plumb_setting),
        .count = p->settings.count};

    memcpy(all.items, p->settings.items, all.count * sizeof(all.items[0]));
    if (s != NULL && plumb_setting(&p->settings, PLUMB_P_PART_DEFMEMPERCPU) == NULL &&
        plumb_setting(&p->settings, PLUMB_P_PART_DEFMEMPERNODE) == NULL)
        all.items[all.count++] = *s;
    return plumb_arena_printf(c->a, "%s %s", p->name.v,
                              line_of(c->a, &all, PLUMB_P_PART_NODES, NULL));
}

static void compare_partitions(struct comparison *c)
{
    for (size_t i = 0; i < c->before->partition_count || i < c->after->partition_count; i++) {
        const char *lines[2] = {NULL, NULL};
        const struct plumb_model *models[2] = {c->before, c->after};

        for (size_t k = 0; k < 2; k++) {
            if (i < models[k]->partition_count)
                lines[k] = partition_line(c, models[k], &models[k]->partitions[i]);
        }
        compare_text(c, plumb_arena_printf(c->a, "partition %zu", i + 1), lines[0], lines[1]);
    }
}

/* ---- the plan ---- */

#define TEXT(field) compare_text(c, #field, was->field.v, is->field.v)
#define SECRET(field)                                                                              \
    do {                                                                                           \
        TEXT(field.name);                                                                          \
        if (was->field.name.v != NULL)                                                             \
            TEXT(field.key);                                                                       \
    } while (0)

static const char *number(struct comparison *c, const struct plumb_u64 *v)
{
    return plumb_usable(*v) ? plumb_arena_printf(c->a, "%llu", (unsigned long long)v->v) : NULL;
}

static const char *names(struct comparison *c, const struct plumb_plan_names *all)
{
    struct plumb_buf b = plumb_buf_in(c->a);

    for (size_t i = 0; i < all->count; i++)
        plumb_buf_printf(&b, "%s;", all->items[i].v);
    return plumb_buf_text(&b);
}

static void compare_plan(struct comparison *c)
{
    const struct plumb_kube_plan *was = c->before->kube_plan, *is = c->after->kube_said;
    struct plumb_kube_class common[2] = {{.tolerations = was->tolerations},
                                         {.tolerations = is->tolerations}};
    struct plumb_buf b[2] = {plumb_buf_in(c->a), plumb_buf_in(c->a)};
    struct plumb_u64 logins = {0};

    TEXT(space);
    TEXT(name);
    TEXT(controller_image);
    TEXT(worker_image);
    if (c->before->login_hosts != NULL)
        TEXT(login_image);
    if (plumb_dbd(c->before)->count > 0) /* images of daemons that run */
        TEXT(database_image);
    if (plumb_usable(was->rest) && was->rest.v)
        TEXT(rest_image);
    TEXT(munge_image);
    TEXT(jail_image);
    TEXT(config_image);
    TEXT(sssd_image);
    TEXT(jail_class);
    TEXT(jail_claim);
    TEXT(host_keys);
    TEXT(claim);
    TEXT(storage_class);
    if (was->storage_access.v != NULL || is->storage_access.v == NULL ||
        strcmp(is->storage_access.v, "ReadWriteOnce") != 0) /* as where nothing is said */
        TEXT(storage_access);
    compare_text(c, "state_bytes", number(c, &was->state_bytes), number(c, &is->state_bytes));
    compare_text(c, "jail_bytes", number(c, &was->jail_bytes), number(c, &is->jail_bytes));
    compare_text(c, "login_port", number(c, &was->login_port), number(c, &is->login_port));
    compare_text(c, "root_keys", names(c, &was->root_keys), names(c, &is->root_keys));
    SECRET(slurm_key);
    SECRET(jwt_key);
    SECRET(password);
    if (c->before->login_hosts != NULL) {
        SECRET(sssd);
        logins = (struct plumb_u64){.v = c->before->login_hosts->count, .origin = PLUMB_GIVEN};
    }
    compare_text(c, "logins", number(c, &logins), number(c, &is->logins));
    TEXT(login_service);
    assert_int_equal(was->rest.v, is->rest.v);
    assert_int_equal(was->metrics.v, is->metrics.v);
    assert_int_equal(was->backup, is->backup);
    for (size_t i = 0; i < 2; i++)
        add_class(&b[i], &common[i]);
    compare_text(c, "tolerations of all pods", plumb_buf_text(&b[0]), plumb_buf_text(&b[1]));
}

static const char *first_difference(struct plumb_arena *a, const struct flavour *f,
                                    const struct plumb_model *before,
                                    const struct plumb_model *after)
{
    struct comparison c = {.a = a, .flavour = f, .before = before, .after = after};

    if (after->kube_said == NULL)
        return "nothing was read back";
    compare_text(&c, "cluster", before->cluster.v, after->cluster.v);
    if (before->controller_count != after->controller_count)
        differ(&c, "number of controllers", "another", "this");
    for (int file = 0; file < PLUMB_FILE_COUNT; file++)
        compare_file(&c, (enum plumb_file)file);
    compare_partitions(&c);
    compare_nodes(&c);
    compare_plan(&c);
    return c.first;
}

/* ---- specifications ---- */

struct tally {
    size_t compared, refused, unsound, wrong;
};

static plumb_handle *build(const char *folder, const char *name, const char *text,
                           const char *target)
{
    struct plumb_options options = {.directory = folder,
                                    .outputs = true,
                                    .targets = target,
                                    .reference_dir = PLUMB_SOURCE_DIR "/topologies"};
    plumb_handle *h = plumb_open(&options);

    assert_true(
        plumb_add_text(h, plumb_arena_printf(h->arena, "%s/%s", folder, name), text, strlen(text)));
    (void)plumb_run_all(h, "never");
    return h;
}

static bool has_error(const plumb_handle *h, const char *code)
{
    for (size_t i = 0; i < h->shown_count; i++) {
        if (h->shown[i]->severity == PLUMB_ERROR &&
            (code == NULL || strcmp(h->shown[i]->rule->code, code) == 0))
            return true;
    }
    return false;
}

/* The text with a part replaced wherever it stands. */
static const char *replaced(struct plumb_arena *a, const char *text, const char *from,
                            const char *to)
{
    struct plumb_buf b = plumb_buf_in(a);
    const char *at = NULL;

    while ((at = strstr(text, from)) != NULL) {
        plumb_buf_add(&b, text, (size_t)(at - text));
        plumb_buf_str(&b, to);
        text = at + strlen(from);
    }
    plumb_buf_str(&b, text);
    return plumb_buf_text(&b);
}

/* lost, found: what somebody changes in the objects before they are read; NULL: nothing. */
static plumb_handle *read_back(plumb_handle *built, const struct flavour *f, const char *lost,
                               const char *found)
{
    struct plumb_options options = {.slurm = plumb_release_name(built->session.sink.release),
                                    .kubernetes = f->kubernetes};
    plumb_handle *h = plumb_open(&options);
    struct plumb_file_made file;

    for (size_t i = 0; plumb_made_at(built, i, &file); i++) {
        const char *text = plumb_arena_strndup(h->arena, file.bytes, file.len);

        if (lost != NULL)
            text = replaced(h->arena, text, lost, found);
        if (strncmp(file.path, "kubernetes/", 11) == 0)
            assert_true(plumb_add_text(h, file.path, text, strlen(text)));
    }
    (void)plumb_run_all(h, "never");
    return h;
}

static void tell(const char *what, const char *path, const char *why)
{
    print_error("%s %s: %s\n", what, path, why);
}

static void prove(struct plumb_arena *a, const struct flavour *f, const char *folder,
                  const char *name, const char *text, struct tally *t)
{
    const char *path = plumb_arena_printf(a, "%s/%s", folder, name);
    plumb_handle *h = build(folder, name, text, "slurm"), *again = NULL;
    const char *why = NULL;

    if (has_error(h, NULL)) {
        t->unsound++;
        plumb_close(h);
        return;
    }
    plumb_close(h);
    if (strstr(text, "\nkubernetes:") == NULL)
        text = plumb_arena_printf(a, "%s\n%s", text, f->section);
    h = build(folder, name, text, f->target);
    if (has_error(h, "SPEC029") || has_error(h, "GEN003")) {
        t->refused++;
    } else if (has_error(h, NULL) || plumb_made_count(h) == 0) {
        tell("neither built nor refused:", path, h->shown_count > 0 ? h->shown[0]->message : "?");
        t->wrong++;
    } else {
        again = read_back(h, f, NULL, NULL);
        why = first_difference(a, f, h->run.model, again->run.model);
        t->compared++;
        t->wrong += why != NULL;
        if (why != NULL)
            tell("not the same:", path, why);
        plumb_close(again);
    }
    plumb_close(h);
}

/* Every specification below a folder; those for another flavour are its matter. */
static void prove_folder(struct plumb_arena *a, const struct flavour *f, const char *folder,
                         struct tally *t)
{
    struct case_names names = case_list(a, folder);

    for (size_t i = 0; i < names.count; i++) {
        char *path = plumb_arena_printf(a, "%s/%s", folder, names.items[i]);
        const char *text = NULL, *section = NULL, *dot = strrchr(path, '.');

        if (case_is_folder(path)) {
            prove_folder(a, f, path, t);
            continue;
        }
        if (dot == NULL || strcmp(dot, ".yaml") != 0)
            continue;
        text = case_text(a, path);
        if (text == NULL ||
            (strncmp(text, "plumb: 1\n", 9) != 0 && strstr(text, "\nplumb: 1\n") == NULL))
            continue;
        section = strstr(text, "\nkubernetes:");
        if (section == NULL ||
            strstr(section, plumb_arena_printf(a, "flavor: %s", f->target)) != NULL)
            prove(a, f, folder, names.items[i], text, t);
    }
}

static void what_is_built_is_read_back(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(flavours); i++) {
        struct tally t = {0};

        prove_folder(fx->arena, &flavours[i], PLUMB_SOURCE_DIR "/testdata", &t);
        print_message("%s: %zu read back, %zu refused, %zu with errors of their own, %zu wrong\n",
                      flavours[i].target, t.compared, t.refused, t.unsound, t.wrong);
        assert_true(t.compared >= LEAST_COMPARED);
        assert_int_equal(t.wrong, 0);
    }
}

/* The guide's cluster has a backup, which Slinky lacks: without it the whole must come back. */
static void the_guide_without_its_backup_is_read_back(void **state)
{
    static const char backup[] = "    - {name: cp-02, address: 10.0.0.11}\n";
    struct fixture *fx = *state;
    const char *folder = PLUMB_SOURCE_DIR "/testdata/examples/guide";
    const char *text =
        case_text(fx->arena, plumb_arena_printf(fx->arena, "%s/cluster.yaml", folder));
    struct tally t = {0};

    assert_non_null(strstr(text, backup));
    prove(fx->arena, &flavours[0], folder, "cluster.yaml", replaced(fx->arena, text, backup, ""),
          &t);
    assert_int_equal(t.compared, 1);
    assert_int_equal(t.wrong, 0);
}

struct loss {
    const char *lost, *found, *field; /* what the first difference names */
};

static const struct loss slinky_losses[] = {
    {" Weight=100", "", "node "},
    {"replicas: 12", "replicas: 11", "node "},
    {"Gres=gpu:h100:8", "Gres=gpu:h100:7", "node "},
    {"memory: 1967232Mi", "memory: 1967231Mi", "node "},
    {"File=/dev/nvidia[0-3]", "File=/dev/nvidia[0-2]", "node "},
    {"H100-80GB-HBM3", "H100-PCIe", "node "},
    {"operator: Exists", "operator: Equal", "node "},
    {"Nodes=h100-inference", "Nodes=h100-training", "node "},
    {"MaxTime=04:00:00", "MaxTime=05:00:00", "partition 3"},
    {"    SchedulerType=sched/backfill\n", "", "SchedulerType of slurm.conf"},
    {"    GresTypes=gpu\n", "    GresTypes=gpu\n    MinJobAge=300\n", "MinJobAge of slurm.conf"},
    {"ConstrainRAMSpace=yes", "ConstrainRAMSpace=no", "ConstrainRAMSpace of cgroup.conf"},
    {"PurgeJobAfter", "PurgeStepAfter", "PurgeJobAfter of slurmdbd.conf"},
    {"enable_stepmgr", "disable_stepmgr", "SlurmctldParameters of slurm.conf"},
    {"storage: 50Gi", "storage: 51Gi", "state_bytes"},
    {"storageClassName: weka-rwx", "storageClassName: other", "storage_class"},
    {"name: mariadb-password", "name: other", "password.name"},
    {"type: LoadBalancer", "type: NodePort", "login_service"},
    {"replicas: 2\n", "replicas: 3\n", "logins"},
    {"slurmctld:26.05-ubuntu26.04", "slurmctld:26.05-rocky", "controller_image"},
};

static const struct loss soperator_losses[] = {
    {" Weight=100", "", "node "},
    {"replicas: 12", "replicas: 11", "node "},
    {"Gres=gpu:h100:8", "Gres=gpu:h100:7", "node "},
    {"memory: 2000000Mi", "memory: 1999999Mi", "node "},
    {"File=/dev/nvidia[0-3]", "File=/dev/nvidia[0-2]", "node "},
    {"Cores=56-111", "Cores=56-110", "node "},
    {"    - ib\n", "    - roce\n", "node "},
    {"H100-80GB-HBM3", "H100-PCIe", "node "},
    {"operator: Exists", "operator: Equal", "node "},
    {"- h100-inference", "- h100-training", "node "},
    {"- AutoDetect=off", "- AutoDetect=nvml", "node "},
    {"MaxTime=04:00:00", "MaxTime=05:00:00", "partition 3"},
    {"DefMemPerCPU=4096", "DefMemPerCPU=4097", "partition 1"},
    {"defCpuPerGPU: 0", "defCpuPerGPU: 2", "DefCPUPerGPU of slurm.conf"},
    {"    PreemptType=preempt/none\n", "    PreemptType=preempt/qos\n",
     "PreemptType of slurm.conf"},
    {"bf_window=10080,", "", "SchedulerParameters of slurm.conf"},
    {"    PriorityType=priority/multifactor\n", "    PriorityType=priority/basic\n",
     "PriorityType of slurm.conf"},
    {"ConstrainRAMSpace=yes", "ConstrainRAMSpace=no", "ConstrainRAMSpace of cgroup.conf"},
    {"purgeJobAfter: 24months", "purgeJobAfter: 25months", "PurgeJobAfter of slurmdbd.conf"},
    {"accountingStorageTRES: Gres/gpu", "accountingStorageTRES: CPU",
     "AccountingStorageTRES of slurm.conf"},
    {"host: mariadb\n", "host: other\n", "StorageHost of slurmdbd.conf"},
    {"storage: 128Gi", "storage: 129Gi", "state_bytes"},
    {"storage: 2048Gi", "storage: 2049Gi", "jail_bytes"},
    {"storageClassName: shared-fs", "storageClassName: other", "jail_class"},
    {"name: mariadb-password", "name: other", "password.name"},
    {"sshdServiceType: LoadBalancer", "sshdServiceType: NodePort", "login_service"},
    {"      size: 2\n", "      size: 3\n", "logins"},
    {"sshdKeysName: tenant-foo-sshd-keys", "sshdKeysName: other", "host_keys"},
    {"ssh-ed25519 AAAA", "ssh-ed25519 BBBB", "root_keys"},
    {"controller_slurmctld:4.1.7-noble", "controller_slurmctld:4.1.8-noble", "controller_image"},
    {"populate_jail:4.1.7", "populate_jail:4.1.8", "jail_image"},
};

static void find_losses(struct fixture *fx, const struct flavour *f, const struct loss *rows,
                        size_t count)
{
    const char *folder =
        plumb_arena_printf(fx->arena, "%s/testdata/examples/%s", PLUMB_SOURCE_DIR, f->target);
    const char *text =
        case_text(fx->arena, plumb_arena_printf(fx->arena, "%s/cluster.yaml", folder));
    plumb_handle *h = build(folder, "cluster.yaml", text, f->target);

    for (size_t i = 0; i < count; i++) {
        plumb_handle *again = read_back(h, f, rows[i].lost, rows[i].found);
        const char *first = first_difference(fx->arena, f, h->run.model, again->run.model);

        fx_row(fx, i, rows[i].lost);
        if (first == NULL || strncmp(first, rows[i].field, strlen(rows[i].field)) != 0)
            fail_msg("%s, row %zu, %s: %s", f->target, i, rows[i].lost,
                     first == NULL ? "nothing differs" : first);
        plumb_close(again);
    }
    plumb_close(h);
}

static void what_is_lost_is_found(void **state)
{
    struct fixture *fx = *state;

    find_losses(fx, &flavours[0], slinky_losses, PLUMB_COUNT(slinky_losses));
    find_losses(fx, &flavours[1], soperator_losses, PLUMB_COUNT(soperator_losses));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_built_is_read_back, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_guide_without_its_backup_is_read_back, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_is_lost_is_found, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("kubernetes/read-back", tests, NULL, NULL);
}
