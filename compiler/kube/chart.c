/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of Slinky's chart against each other: what its templates refuse, and what they make of
 * values without a word. Facts: slurm-operator v1.2.1, helm/slurm/templates.
 */
#include <string.h>

#include "base/text.h"
#include "kube/check.h"
#include "kube/rules.h"
#include "kube/value.h"

static bool is_set(const struct plumb_node *n)
{
    return n != NULL && plumb_kube_json_of(n) == PLUMB_KUBE_IS_STRING && n->scalar.len > 0;
}

/* Entries are joined with ';' and taken apart again; what Helm regards as empty is left out. */
static void check_entry(struct plumb_session *s, const struct plumb_pair *p)
{
    const struct plumb_slice *text = &p->value->scalar;
    enum plumb_kube_json is = plumb_kube_json_of(p->value);
    const char *semicolon = NULL;

    if (p->value->kind != PLUMB_SCALAR)
        return;
    semicolon = text->len == 0 ? NULL : memchr(text->text, ';', text->len);
    if (semicolon != NULL) {
        size_t at = (size_t)(semicolon - text->text);

        plumb_kube_report(s, PLUMB_KUBE_CHART_ENTRY, plumb_slice_span(text, at, at + 1),
                          "the value of '%s' holds a ';', at which the chart takes it apart; the "
                          "rest becomes an entry of its own",
                          p->key->scalar.text);
    } else if ((is == PLUMB_KUBE_IS_INTEGER && plumb_kube_integer(p->value) == 0) ||
               (is == PLUMB_KUBE_IS_BOOLEAN && !plumb_kube_true(p->value))) {
        plumb_kube_report(
            s, PLUMB_KUBE_CHART_ENTRY, p->value->at,
            "'%s' is %s, which Helm regards as empty and leaves out, expected text in "
            "quotes",
            p->key->scalar.text, text->text);
    }
}

/* A text and a mapping for the same lines: the text alone counts. */
static void check_conf(struct plumb_session *s, const struct plumb_node *n, const char *text,
                       const char *map)
{
    const struct plumb_node *entries = plumb_node_get(n, map);
    struct plumb_diag *d = NULL;

    if (entries == NULL || entries->kind != PLUMB_MAPPING || entries->count == 0)
        return;
    if (is_set(plumb_node_get(n, text))) {
        d = plumb_kube_report(s, PLUMB_KUBE_CHART_MAP, plumb_node_pair(n, map)->key->at,
                              "'%s' is passed over without a word, as '%s' is set beside it", map,
                              text);
        plumb_diag_note(d, plumb_node_pair(n, text)->key->at, "this one counts");
        return;
    }
    for (uint32_t i = 0; i < entries->count; i++)
        check_entry(s, &entries->pairs[i]);
}

static const struct plumb_node *nodeset(const struct plumb_node *root, const char *name)
{
    return plumb_node_get(plumb_node_get(root, "nodesets"), name);
}

static bool is_off(const struct plumb_node *set)
{
    const struct plumb_node *enabled = plumb_node_get(set, "enabled");

    return enabled != NULL && plumb_kube_json_of(enabled) == PLUMB_KUBE_IS_BOOLEAN &&
           !plumb_kube_true(enabled);
}

static void check_members(struct plumb_session *s, const struct plumb_node *root,
                          const struct plumb_pair *p)
{
    const struct plumb_node *members = plumb_node_get(p->value, "nodesets");

    if (members == NULL || members->kind != PLUMB_SEQUENCE || members->count == 0) {
        plumb_kube_report(s, PLUMB_KUBE_CHART_PARTITION, p->key->at,
                          "partition '%s' has no nodesets, expected at least one, or ALL; helm "
                          "stops",
                          p->key->scalar.text);
        return;
    }
    for (uint32_t i = 0; i < members->count; i++) {
        const char *name = plumb_node_text(members->items[i]);
        const struct plumb_node *set = name == NULL ? NULL : nodeset(root, name);

        if (name == NULL || strcmp(name, "ALL") == 0 || (set != NULL && !is_off(set)))
            continue;
        plumb_kube_report(s, PLUMB_KUBE_CHART_PARTITION, members->items[i]->at,
                          "nodeset '%s' of partition '%s' %s, expected one of 'nodesets', or ALL; "
                          "helm stops",
                          name, p->key->scalar.text, set == NULL ? "is not there" : "is disabled");
    }
}

static void check_partition(struct plumb_session *s, const struct plumb_node *root,
                            const struct plumb_pair *p)
{
    const struct plumb_node *set = nodeset(root, p->key->scalar.text);
    const struct plumb_pair *own = plumb_node_pair(set, "partition");

    check_conf(s, p->value, "config", "configMap");
    if (!plumb_kube_true(plumb_node_get(p->value, "enabled")))
        return;
    check_members(s, root, p);
    if (own == NULL || !plumb_kube_true(plumb_node_get(own->value, "enabled")))
        return;
    plumb_diag_note(plumb_kube_report(s, PLUMB_KUBE_CHART_PARTITION, p->key->at,
                                      "partition '%s' is made by the nodeset of that name, too, "
                                      "expected one; slurmctld stops at the second line",
                                      p->key->scalar.text),
                    own->key->at, "the other one");
}

void plumb_kube_check_values(struct plumb_session *s, const struct plumb_node *root)
{
    const struct plumb_node *sets = plumb_node_get(root, "nodesets");
    const struct plumb_node *partitions = plumb_node_get(root, "partitions");

    check_conf(s, plumb_node_get(root, "controller"), "extraConf", "extraConfMap");
    check_conf(s, plumb_node_get(root, "accounting"), "extraConf", "extraConfMap");
    for (uint32_t i = 0; sets != NULL && sets->kind == PLUMB_MAPPING && i < sets->count; i++) {
        check_conf(s, sets->pairs[i].value, "extraConf", "extraConfMap");
        check_conf(s, plumb_node_get(sets->pairs[i].value, "partition"), "config", "configMap");
    }
    for (uint32_t i = 0;
         partitions != NULL && partitions->kind == PLUMB_MAPPING && i < partitions->count; i++)
        check_partition(s, root, &partitions->pairs[i]);
}
