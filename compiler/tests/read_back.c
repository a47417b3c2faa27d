/* SPDX-License-Identifier: Apache-2.0 */
/* What is the same in two models, flavour by flavour; read_back.h. */
#include "read_back.h"

#include <strings.h>

#include "base/num.h"
#include "base/text.h"
#include "case_run.h"

/* ---- flavours ---- */

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

static const struct exception sunk_exceptions[] = {
    {PLUMB_P_SLURM_SLURMCTLDHOST, "pods have other names than hosts"},
    {PLUMB_P_SLURM_CLUSTERNAME, "compared as the name of the cluster"},
    {PLUMB_P_DBD_DBDHOST, "slurmdbd runs in a pod"},
    {PLUMB_P_DBD_DBDADDR, "slurmdbd runs in a pod"},
    {PLUMB_P_DBD_STORAGEHOST, "the operator runs the database that storage.database asks for"},
    {PLUMB_P_DBD_STORAGEUSER, "the operator runs the database that storage.database asks for"},
    {PLUMB_P_DBD_STORAGELOC, "the operator runs the database that storage.database asks for"},
    {PLUMB_P_DBD_PIDFILE, "a path of the machine, not of the container"},
    {PLUMB_P_DBD_PLUGINDIR, "a path of the machine, not of the container"},
};

static const struct exception chart_exceptions[] = {
    {PLUMB_P_SLURM_SLURMCTLDHOST, "pods have other names than hosts"},
    {PLUMB_P_SLURM_CLUSTERNAME, "compared as the name of the cluster"},
    {PLUMB_P_SLURM_MAXNODECOUNT, "at least what the nodes need, which the chart writes"},
    {PLUMB_P_NODE_SOCKETS, "slurmd measures it, and CPUs are compared as a count"},
    {PLUMB_P_NODE_SOCKETSPERBOARD, "slurmd measures it"},
    {PLUMB_P_NODE_BOARDS, "slurmd measures it"},
    {PLUMB_P_NODE_CORESPERSOCKET, "slurmd measures it"},
    {PLUMB_P_NODE_THREADSPERCORE, "slurmd measures it"},
    {PLUMB_P_NODE_CPUS, "compared as a count"},
    {PLUMB_P_GRES_FILE, "gres.conf is the chart's: slurmd finds the devices of the pod"},
    {PLUMB_P_DBD_DBDHOST, "slurmdbd runs in a pod"},
    {PLUMB_P_DBD_DBDADDR, "slurmdbd runs in a pod"},
    {PLUMB_P_DBD_STORAGEHOST, "the chart runs the database that storage.database asks for"},
    {PLUMB_P_DBD_STORAGEUSER, "the chart runs the database that storage.database asks for"},
    {PLUMB_P_DBD_STORAGELOC, "the chart runs the database that storage.database asks for"},
    {PLUMB_P_DBD_PIDFILE, "a path of the machine, not of the container"},
    {PLUMB_P_DBD_PLUGINDIR, "a path of the machine, not of the container"},
};

const struct flavour read_back_flavours[] = {
    {"slinky", "slinky=1.2.1",
     "kubernetes: {flavor: slinky, release: \"1.2.1\", sssd: {secret: sssd}}\n", "flavor: slinky",
     "form: values", slinky_exceptions, PLUMB_COUNT(slinky_exceptions)},
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
     "flavor: soperator", NULL, soperator_exceptions, PLUMB_COUNT(soperator_exceptions)},
    {"sunk", "sunk=guide",
     "kubernetes:\n"
     "  flavor: sunk\n"
     "  images: {controller: \"r/slurmctld:1\", worker: \"r/slurmd:1\", login: \"r/login:1\"}\n"
     "  storage: {class: shared, state: 64 GiB, access: ReadWriteMany, database: 10 GiB}\n",
     "flavor: sunk", "form: values", sunk_exceptions, PLUMB_COUNT(sunk_exceptions)},
    {"sunk-values", "sunk-chart=8.3",
     "kubernetes:\n"
     "  flavor: sunk\n"
     "  form: values\n"
     "  images: {controller: \"r/slurmctld:1\", worker: \"r/slurmd:1\", login: \"r/login:1\"}\n"
     "  storage: {class: block, state: 64 GiB, database: 10 GiB}\n",
     "form: values", "flavor: slinky", chart_exceptions, PLUMB_COUNT(chart_exceptions)},
    {"slinky-values", "slinky-chart=1.2.1",
     "kubernetes: {flavor: slinky, form: values, release: \"1.2.1\", sssd: {secret: sssd}}\n",
     "form: values", "flavor: sunk", slinky_exceptions, PLUMB_COUNT(slinky_exceptions)},
};

const size_t read_back_flavour_count = PLUMB_COUNT(read_back_flavours);

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

static uint64_t number_of(const struct plumb_settings *s, enum plumb_param_id id)
{
    const struct plumb_setting *set = plumb_setting(s, id);
    uint64_t n = 0;

    return set != NULL && plumb_read_digits(set->value.text, set->value.len, &n) ? n : 0;
}

/* CPUs= says what sockets, cores and threads of the line say. */
static bool counts_twice(const struct plumb_settings *s)
{
    uint64_t all = number_of(s, PLUMB_P_NODE_SOCKETS) * number_of(s, PLUMB_P_NODE_CORESPERSOCKET) *
                   number_of(s, PLUMB_P_NODE_THREADSPERCORE);

    return all > 0 && number_of(s, PLUMB_P_NODE_CPUS) == all;
}

/* "A=1 B=2", by key, without those that name machines. */
static const char *line_of(struct plumb_arena *a, const struct flavour *f,
                           const struct plumb_settings *s, enum plumb_param_id without,
                           const char *feature)
{
    const char **pairs = PLUMB_NEW_ARRAY(a, s->count, const char *);
    struct plumb_buf b = plumb_buf_in(a);
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++) {
        const char *value = text_of(a, &s->items[i]);

        if ((enum plumb_param_id)s->items[i].param->id == without ||
            s->items[i].param->id == PLUMB_P_SLURM_PARTITIONNAME ||
            (s->items[i].param->scope == PLUMB_SCOPE_NODE &&
             is_exception(f, (enum plumb_param_id)s->items[i].param->id)) ||
            (s->items[i].param->id == PLUMB_P_NODE_CPUS && counts_twice(s)) ||
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
static void add_devices(struct plumb_arena *a, const struct flavour *f, struct plumb_buf *b,
                        const struct plumb_gres_line *line)
{
    const char *text = line_of(a, f, &line->settings, PLUMB_P_GRESGLOBAL_NODENAME, NULL);
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

static const char *kind_of(struct plumb_arena *a, const struct flavour *f,
                           const struct plumb_model *m, size_t i, const char *host,
                           const struct plumb_kube_plan *plan)
{
    const struct plumb_nodes *n = &m->nodes[i];
    struct plumb_buf b = plumb_buf_in(a);

    plumb_buf_str(&b, line_of(a, f, &n->settings, PLUMB_P_SLURM_NODENAME, set_name(a, n)));
    if (is_exception(f, PLUMB_P_NODE_CPUS) && plumb_usable(n->cpus))
        plumb_buf_printf(&b, "| %llu CPUs ", (unsigned long long)n->cpus.v);
    for (size_t p = 0; p < m->partition_count; p++) {
        if (m->partitions[p].nodes != NULL && plumb_hostlist_has(m->partitions[p].nodes, host))
            plumb_buf_printf(&b, "| in %s ", m->partitions[p].name.v);
    }
    for (size_t g = 0; !is_exception(f, PLUMB_P_GRES_FILE) && g < m->gres_line_count; g++) {
        const struct plumb_gres_line *line = &m->gres_lines[g];

        if (line->hosts == NULL || plumb_hostlist_has(line->hosts, host))
            add_devices(a, f, &b, line);
    }
    add_class(&b, &plan->classes[i]);
    return plumb_buf_text(&b);
}

static struct kinds kinds_of(struct plumb_arena *a, const struct flavour *f,
                             const struct plumb_model *m, const struct plumb_kube_plan *plan)
{
    struct kinds all = {0};

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_hostlist *h = m->nodes[i].hosts;

        for (size_t r = 0; h != NULL && r < h->range_count; r++) {
            for (uint64_t v = h->ranges[r].lo; v <= h->ranges[r].hi; v++) {
                const struct plumb_host_range *x = &h->ranges[r];
                const char *host = name_of(a, x, v);

                all.items = plumb_arena_grow(a, all.items, all.count, &all.cap, sizeof(char *));
                all.items[all.count++] = kind_of(a, f, m, i, host, plan);
            }
        }
    }
    if (all.count > 1)
        qsort(all.items, all.count, sizeof(all.items[0]), by_text);
    return all;
}

static void compare_nodes(struct comparison *c)
{
    struct kinds was = kinds_of(c->a, c->flavour, c->before, c->before->kube_plan);
    struct kinds is = kinds_of(c->a, c->flavour, c->after, c->after->kube_said);

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
                              line_of(c->a, c->flavour, &all, PLUMB_P_PART_NODES, NULL));
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

static const char *word(bool on)
{
    return on ? "yes" : "no";
}

static const char *names(struct comparison *c, const struct plumb_plan_names *all)
{
    struct plumb_buf b = plumb_buf_in(c->a);

    for (size_t i = 0; i < all->count; i++)
        plumb_buf_printf(&b, "%s;", all->items[i].v);
    return plumb_buf_text(&b);
}

static void add_picks(struct plumb_buf *b, const struct plumb_kube_pick *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(b, " %s=%s", or_none(&all[i].label), or_none(&all[i].value));
}

/* Reservations with a taint, which manifests say; labels where the specification has some. */
static const char *reservations_of(struct comparison *c, const struct plumb_kube_plan *p)
{
    const struct plumb_kube_plan *was = c->before->kube_plan;
    struct plumb_buf b = plumb_buf_in(c->a);

    for (size_t i = 0, k = 0; i < p->reservation_count; i++) {
        const struct plumb_plan_reservation *r = &p->reservations[i];

        if (!plumb_span_known(r->taint.at))
            continue;
        plumb_buf_printf(&b, "%s %s %s [%s] [%s] %s taint %s=%s:%s", or_none(&r->name),
                         or_none(&r->start), or_none(&r->duration), names(c, &r->accounts),
                         names(c, &r->users), or_none(&r->partition), or_none(&r->taint.key),
                         or_none(&r->taint.value), or_none(&r->taint.effect));
        while (k < was->reservation_count && !plumb_span_known(was->reservations[k].taint.at))
            k++;
        if (k < was->reservation_count && was->reservations[k++].selector_count > 0)
            add_picks(&b, r->selector, r->selector_count);
        plumb_buf_str(&b, "; ");
    }
    return plumb_buf_text(&b);
}

static const char *accounts_of(struct comparison *c, const struct plumb_kube_plan *p)
{
    struct plumb_buf b = plumb_buf_in(c->a);

    for (size_t i = 0; i < p->account_count; i++) {
        const struct plumb_plan_account *a = &p->accounts[i];

        plumb_buf_printf(&b, "%s %s %s %s %s [%s] [%s]", or_none(&a->name), or_none(&a->parent),
                         or_none(&a->organization), or_none(&a->description),
                         plumb_usable(a->fairshare) ? number(c, &a->fairshare) : "-",
                         names(c, &a->qos), names(c, &a->users));
        for (size_t k = 0; k < a->limit_count; k++)
            plumb_buf_printf(&b, " %s=%s", a->limits[k].option, or_none(&a->limits[k].text));
        plumb_buf_str(&b, "; ");
    }
    return plumb_buf_text(&b);
}

static void compare_plan(struct comparison *c)
{
    const struct plumb_kube_plan *was = c->before->kube_plan, *is = c->after->kube_said;
    struct plumb_kube_class common[2] = {{.tolerations = was->tolerations},
                                         {.tolerations = is->tolerations}};
    struct plumb_buf b[2] = {plumb_buf_in(c->a), plumb_buf_in(c->a)};
    struct plumb_u64 logins = {0};

    if (was->flavour != PLUMB_OF_SUNK_CHART) { /* those of who installs the chart */
        TEXT(space);
        TEXT(name);
    }
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
    TEXT(identity);
    TEXT(identity_host);
    TEXT(hooks);
    TEXT(ssh_keys.name);
    TEXT(jail_class);
    TEXT(jail_claim);
    TEXT(host_keys);
    TEXT(claim);
    TEXT(storage_class);
    /* SUNK has no field: what two controllers need is asked for at build. ReadWriteOnce is what a
     * claim has where nothing is said. */
    if (was->flavour != PLUMB_OF_SUNK &&
        (was->storage_access.v != NULL || is->storage_access.v == NULL ||
         strcmp(is->storage_access.v, "ReadWriteOnce") != 0))
        TEXT(storage_access);
    compare_text(c, "state_bytes", number(c, &was->state_bytes), number(c, &is->state_bytes));
    compare_text(c, "jail_bytes", number(c, &was->jail_bytes), number(c, &is->jail_bytes));
    if (plumb_dbd(c->before)->count > 0)
        compare_text(c, "database_bytes", number(c, &was->database_bytes),
                     number(c, &is->database_bytes));
    compare_text(c, "login_port", number(c, &was->login_port), number(c, &is->login_port));
    compare_text(c, "root_keys", names(c, &was->root_keys), names(c, &is->root_keys));
    SECRET(slurm_key);
    SECRET(jwt_key);
    if (was->flavour == PLUMB_OF_SUNK_CHART)
        SECRET(munge_key);
    SECRET(password);
    if (c->before->login_hosts != NULL) {
        SECRET(sssd);
        logins = (struct plumb_u64){.v = c->before->login_hosts->count, .origin = PLUMB_GIVEN};
    }
    compare_text(c, "logins", number(c, &logins), number(c, &is->logins));
    TEXT(login_service);
    compare_text(c, "rest", word(was->rest.v), word(is->rest.v));
    compare_text(c, "metrics", word(was->metrics.v), word(is->metrics.v));
    compare_text(c, "backup", word(was->backup), word(is->backup));
    if (was->flavour == PLUMB_OF_SUNK) { /* the others say none of it: told at build */
        compare_text(c, "reservations", reservations_of(c, was), reservations_of(c, is));
        compare_text(c, "accounts", accounts_of(c, was), accounts_of(c, is));
    }
    for (size_t i = 0; i < 2; i++)
        add_class(&b[i], &common[i]);
    compare_text(c, "tolerations of all pods", plumb_buf_text(&b[0]), plumb_buf_text(&b[1]));
}

const char *read_back_difference(struct plumb_arena *a, const struct flavour *f,
                                 const struct plumb_model *before, const struct plumb_model *after)
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
