/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of built-in kinds that hold only together, which no schema says: validation of pods by the
 * API server. Facts: Kubernetes 1.36, pkg/apis/core/validation, ValidateTolerations and
 * validateContainerResourceRequirements.
 */
#include <string.h>

#include "base/text.h"
#include "kube/rules.h"
#include "kube/value.h"
#include "kube/walk.h"

const char *plumb_kube_does_late(const struct plumb_kube_walk *w)
{
    return w->reader == PLUMB_KUBE_SERVER || w->reader == PLUMB_KUBE_OPERATOR
               ? "the API server refuses what the operator makes of it"
               : plumb_kube_does(w);
}

/* ---- tolerations ---- */

static const char *said(const struct plumb_node *n, const char *key)
{
    const char *text = plumb_node_text(plumb_node_get(n, key));

    return text == NULL ? "" : text;
}

static void check_toleration(const struct plumb_kube_walk *w, const struct plumb_node *n)
{
    const struct plumb_node *value = plumb_node_get(n, "value");
    const struct plumb_pair *seconds = plumb_node_pair(n, "tolerationSeconds");
    bool exists = strcmp(said(n, "operator"), "Exists") == 0;

    if (exists && said(n, "value")[0] != '\0')
        plumb_kube_report(
            w->session, PLUMB_KUBE_CEL, value->at,
            "the toleration has operator 'Exists' and the value '%s', expected one of "
            "them: Exists holds for every value; %s",
            said(n, "value"), plumb_kube_does_late(w));
    if (!exists && said(n, "key")[0] == '\0')
        plumb_kube_report(w->session, PLUMB_KUBE_CEL, n->count > 0 ? n->pairs[0].key->at : n->at,
                          "the toleration has no key, expected one, or operator 'Exists'; %s",
                          plumb_kube_does_late(w));
    if (seconds != NULL && plumb_kube_json_of(seconds->value) == PLUMB_KUBE_IS_INTEGER &&
        strcmp(said(n, "effect"), "NoExecute") != 0)
        plumb_kube_report(w->session, PLUMB_KUBE_CEL, seconds->key->at,
                          "the toleration has 'tolerationSeconds' and another effect than "
                          "'NoExecute'; %s",
                          plumb_kube_does_late(w));
}

/* ---- resources of a container ---- */

/* Names with a domain are counted in whole things, and no container may ask for more than it gets.
 */
static bool is_extended(const char *name)
{
    return strchr(name, '/') != NULL && strstr(name, "kubernetes.io/") == NULL;
}

static bool amount(const struct plumb_node *n, uint64_t *milli)
{
    size_t bad = 0;

    return n != NULL && n->kind == PLUMB_SCALAR &&
           plumb_kube_quantity(n->scalar.text, n->scalar.len, milli, &bad);
}

static void check_whole(const struct plumb_kube_walk *w, const struct plumb_node *list,
                        const char *section)
{
    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_MAPPING && i < list->count; i++) {
        const struct plumb_pair *p = &list->pairs[i];
        uint64_t milli = 0;

        if (is_extended(p->key->scalar.text) && amount(p->value, &milli) && milli % 1000 != 0)
            plumb_kube_report(w->session, PLUMB_KUBE_OUT_OF_RANGE, p->value->at,
                              "'%s' of %s is %s, expected a whole number, as an extended resource "
                              "is not divided; %s",
                              p->key->scalar.text, section, p->value->scalar.text,
                              plumb_kube_does_late(w));
    }
}

static void check_request(const struct plumb_kube_walk *w, const struct plumb_pair *request,
                          const struct plumb_node *limit)
{
    const char *name = request->key->scalar.text;
    bool fixed = is_extended(name) || plumb_starts_with(name, "hugepages-");
    uint64_t asked = 0, most = 0;
    struct plumb_diag *d = NULL;

    if (limit == NULL && fixed)
        plumb_kube_report(w->session, PLUMB_KUBE_CEL, request->key->at,
                          "'%s' is in requests and not in limits, expected it in limits, which are "
                          "the requests too; %s",
                          name, plumb_kube_does_late(w));
    if (!amount(limit, &most) || !amount(request->value, &asked) ||
        (fixed ? asked == most : asked <= most))
        return;
    d = plumb_kube_report(w->session, PLUMB_KUBE_CEL, request->value->at,
                          "%s of '%s' requested, the limit is %s, expected %s; %s",
                          request->value->scalar.text, name, limit->scalar.text,
                          fixed ? "the same" : "at most the limit", plumb_kube_does_late(w));
    plumb_diag_note(d, limit->at, "the limit");
}

static void check_resources(const struct plumb_kube_walk *w, const struct plumb_node *n)
{
    const struct plumb_node *limits = plumb_node_get(n, "limits");
    const struct plumb_node *requests = plumb_node_get(n, "requests");

    check_whole(w, limits, "limits");
    check_whole(w, requests, "requests");
    for (uint32_t i = 0; requests != NULL && requests->kind == PLUMB_MAPPING && i < requests->count;
         i++)
        check_request(w, &requests->pairs[i],
                      plumb_node_get(limits, requests->pairs[i].key->scalar.text));
}

bool plumb_kube_together(const struct plumb_kube_walk *w, const char *rule,
                         const struct plumb_node *n)
{
    static const struct {
        const char *name;
        void (*check)(const struct plumb_kube_walk *w, const struct plumb_node *n);
    } rules[] = {{"toleration", check_toleration}, {"container-resources", check_resources}};

    for (size_t i = 0; i < PLUMB_COUNT(rules); i++) {
        if (strcmp(rules[i].name, rule) != 0)
            continue;
        rules[i].check(w, n);
        return true;
    }
    return false;
}
