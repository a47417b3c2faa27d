/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of Slurm files within objects, with the code of target slurm. Operators put such text behind
 * lines of their own, so what an operator writes itself is left out (sections owned of its table),
 * and what it no longer writes is said (section defaults).
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "bundle/bundle.h"

/* Of slurmdbd.conf, what names a host beside the pod, or a path outside of its container. */
static const enum plumb_param_id foreign_dbd[] = {
    PLUMB_P_DBD_DBDADDR, PLUMB_P_DBD_DBDBACKUPHOST, PLUMB_P_DBD_STORAGEPASSSCRIPT,
    PLUMB_P_DBD_PIDFILE, PLUMB_P_DBD_PLUGINDIR,
};

struct plumb_slurm_page plumb_bundle_page(struct plumb_bundle *b, const struct plumb_emit *em,
                                          enum plumb_file file)
{
    return (struct plumb_slurm_page){.em = em, .doc = plumb_conf_new(b->a, file)};
}

static void drop_headings(struct plumb_conf *doc)
{
    size_t kept = 0;

    for (size_t i = 0; i < doc->count; i++) {
        if (doc->lines[i].kind != PLUMB_CONF_HEADING)
            doc->lines[kept++] = doc->lines[i];
    }
    doc->count = kept;
}

const char *plumb_bundle_print(struct plumb_bundle *b, const struct plumb_slurm_page *page)
{
    struct plumb_buf out = plumb_buf_in(b->a);
    const struct plumb_setting *bad = NULL;

    drop_headings(page->doc);
    b->texts =
        plumb_arena_grow(b->a, b->texts, b->text_count, &b->text_cap, sizeof(struct plumb_conf *));
    b->texts[b->text_count++] = page->doc;
    if (!plumb_conf_write(page->doc, NULL, 0, &out, NULL, &bad))
        plumb_bundle_refuse(b, bad->value.at, "a value cannot be written in a file of Slurm");
    else if (strchr(plumb_buf_text(&out), '\\') != NULL)
        plumb_bundle_refuse(b, b->plan->at, "the operator does not read '#' and '\\' in a value");
    return plumb_buf_text(&out);
}

void plumb_bundle_set(struct plumb_bundle *b, struct plumb_settings *to,
                      const struct plumb_setting *s)
{
    to->items = plumb_arena_grow(b->a, to->items, to->count, &to->cap, sizeof(*to->items));
    to->items[to->count++] = *s;
    plumb_settings_note(to, s->param->id);
}

void plumb_bundle_set_text(struct plumb_bundle *b, struct plumb_settings *to,
                           enum plumb_param_id id, const char *value, struct plumb_span at)
{
    struct plumb_setting s = {
        .param = plumb_param(id),
        .value = {.text = value,
                  .len = (uint32_t)strlen(value),
                  .lead = PLUMB_SLICE_MADE,
                  .at = at},
        .origin = PLUMB_DERIVED,
    };

    plumb_bundle_set(b, to, &s);
}

struct plumb_settings plumb_bundle_without(struct plumb_bundle *b,
                                           const struct plumb_settings *given,
                                           const struct plumb_kube_owned *owned, size_t count)
{
    struct plumb_settings left = {0};

    for (size_t i = 0; i < given->count; i++) {
        if (plumb_kube_keeps(owned, count, given->items[i].param->name) == NULL)
            plumb_bundle_set(b, &left, &given->items[i]);
    }
    return left;
}

const char *plumb_bundle_known_words(struct plumb_bundle *b, const struct plumb_param *p,
                                     const char *value)
{
    struct plumb_buf out = plumb_buf_in(b->a);

    while (*value != '\0') {
        size_t len = strcspn(value, ",");
        const struct plumb_value *word = plumb_param_value(p, value, len);

        if (word == NULL || plumb_value_there(word, b->m->release))
            plumb_buf_printf(&out, "%s%.*s", out.len > 0 ? "," : "", (int)len, value);
        value += len + (value[len] == ',');
    }
    return plumb_buf_text(&out);
}

void plumb_bundle_defaults(struct plumb_bundle *b, struct plumb_settings *to, enum plumb_file file)
{
    const struct plumb_setting *plugin =
        plumb_setting(plumb_cgroup(b->m), PLUMB_P_CGROUP_CGROUPPLUGIN);
    bool cgroups = plugin == NULL || !plumb_slice_is(&plugin->value, "disabled");

    for (size_t i = 0; i < b->plan->writes->default_count; i++) {
        const struct plumb_kube_default *d = &b->plan->writes->defaults[i];
        const struct plumb_param *p = NULL;
        const char *value = cgroups ? d->value : d->without_cgroup;

        if (strcmp(d->file, plumb_file_name(file)) == 0 &&
            (strcmp(d->when, "accounting") != 0 || plumb_dbd(b->m)->count > 0))
            p = plumb_param_find(b->em->session->table, file, PLUMB_SCOPE_GLOBAL, d->key,
                                 strlen(d->key));
        if (p == NULL ||
            !plumb_param_known(b->em->session->table, (enum plumb_param_id)p->id, b->m->release) ||
            plumb_slurm_written(to, (enum plumb_param_id)p->id))
            continue;
        value = plumb_bundle_known_words(b, p, value);
        if (value[0] != '\0')
            plumb_bundle_set_text(b, to, (enum plumb_param_id)p->id, value, b->plan->at);
    }
}

void plumb_bundle_node_count(struct plumb_bundle *b, struct plumb_settings *to)
{
    const struct plumb_kube_writes *w = b->plan->writes;
    uint64_t own = 0;

    for (size_t i = 0; i < w->owned_count; i++) {
        if (strcmp(w->owned[i].key, "MaxNodeCount") == 0)
            (void)plumb_read_digits(w->owned[i].value, strlen(w->owned[i].value), &own);
    }
    if (b->m->all_nodes->count > own && plumb_setting(to, PLUMB_P_SLURM_MAXNODECOUNT) == NULL)
        plumb_bundle_set_text(
            b, to, PLUMB_P_SLURM_MAXNODECOUNT,
            plumb_arena_printf(b->a, "%llu", (unsigned long long)b->m->all_nodes->count),
            b->m->all_nodes->at);
}

struct plumb_partition *plumb_bundle_partitions(struct plumb_bundle *b)
{
    struct plumb_partition *all =
        PLUMB_NEW_ARRAY(b->a, b->m->partition_count, struct plumb_partition);

    for (size_t i = 0; i < b->m->partition_count; i++) {
        const struct plumb_partition *from = &b->m->partitions[i];

        all[i] = *from;
        if (from->all_nodes || from->nodes == NULL)
            continue;
        all[i].settings = (struct plumb_settings){0};
        for (size_t s = 0; s < from->settings.count; s++) {
            if (from->settings.items[s].param->id != PLUMB_P_PART_NODES)
                plumb_bundle_set(b, &all[i].settings, &from->settings.items[s]);
        }
        plumb_bundle_set_text(b, &all[i].settings, PLUMB_P_PART_NODES,
                              b->numbered
                                  ? plumb_hostlist_str(b->a, plumb_bundle_pods_of(b, from->nodes))
                                  : plumb_bundle_sets_of(b, from->nodes),
                              from->nodes->at);
    }
    return all;
}

/* ---- words of a NodeSet ---- */

static bool has_blank(const struct plumb_slice *s)
{
    for (uint32_t i = 0; i < s->len; i++) {
        if (plumb_is_blank(s->text[i]))
            return true;
    }
    return s->len == 0;
}

const char *plumb_bundle_words(struct plumb_bundle *b, const struct plumb_set *set,
                               const enum plumb_param_id *refused, size_t refused_count,
                               const enum plumb_param_id *skip, size_t skip_count)
{
    struct plumb_slurm_page page = plumb_bundle_page(b, b->em, PLUMB_SLURM_CONF);
    struct plumb_conf_line *line = plumb_conf_line(page.doc, PLUMB_SCOPE_NODE);
    const char *text = NULL;

    for (size_t i = 0; i < set->nodes->settings.count; i++) {
        const struct plumb_setting *s = &set->nodes->settings.items[i];

        if (plumb_slurm_among(refused, refused_count, s->param->id))
            plumb_bundle_refuse(b, s->value.at, "a NodeSet cannot say this of its nodes");
        if (has_blank(&s->value))
            plumb_bundle_refuse(b, s->value.at,
                                "a word of a NodeSet ends at a blank, the value has one");
    }
    plumb_slurm_pairs(&page, line, &set->nodes->settings, &plumb_slurm_node_order, skip,
                      skip_count);
    if (line->count == 0)
        return NULL;
    text = plumb_bundle_print(b, &page);
    return plumb_arena_strndup(b->a, text, strcspn(text, "\n"));
}

/* ---- the other files ---- */

const char *plumb_bundle_gres_conf(struct plumb_bundle *b)
{
    struct plumb_model m = *b->m;
    struct plumb_emit em = *b->em;
    struct plumb_slurm_page page = plumb_bundle_page(b, &em, PLUMB_GRES_CONF);

    if (!plumb_slurm_has_gres(b->m))
        return NULL;
    em.model = &m;
    m.gres_lines = PLUMB_NEW_ARRAY(b->a, m.gres_line_count, struct plumb_gres_line);
    for (size_t i = 0; i < m.gres_line_count; i++) {
        m.gres_lines[i] = b->m->gres_lines[i];
        if (m.gres_lines[i].hosts != NULL)
            m.gres_lines[i].hosts = plumb_bundle_pods_of(b, m.gres_lines[i].hosts);
    }
    plumb_slurm_gres(&page);
    return plumb_bundle_print(b, &page);
}

const char *plumb_bundle_dbd_conf(struct plumb_bundle *b)
{
    const struct plumb_kube_writes *w = b->plan->writes;
    struct plumb_settings left =
        plumb_bundle_without(b, plumb_dbd(b->m), w->owned_dbd, w->owned_dbd_count);
    struct plumb_settings all = {0};
    struct plumb_slurm_page page = plumb_bundle_page(b, b->em, PLUMB_SLURMDBD_CONF);

    for (size_t i = 0; i < left.count; i++) {
        if (!plumb_slurm_among(foreign_dbd, PLUMB_COUNT(foreign_dbd), left.items[i].param->id))
            plumb_bundle_set(b, &all, &left.items[i]);
    }
    plumb_bundle_defaults(b, &all, PLUMB_SLURMDBD_CONF);
    if (all.count == 0)
        return NULL;
    plumb_slurm_globals(&page, &all, plumb_slurmdbd_conf_groups, plumb_slurmdbd_conf_group_count);
    return plumb_bundle_print(b, &page);
}
