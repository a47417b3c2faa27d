/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What manifests tell Slurm: lines behind those that an operator writes, words of a node line,
 * names, releases of images. Facts: slurm-operator v1.2.1 (controller_config.go), soperator 4.1.7
 * (internal/render/common/configmap.go); what each writes itself is in schema/kube.
 */
#include <string.h>

#include "base/text.h"
#include "model/accounts.h"
#include "model/kube_plan.h"
#include "rules/ask.h"
#include "schema/compound.h"

static const char *operator_of(const struct plumb_kube_thing *t)
{
    return t->flavour == PLUMB_OF_SOPERATOR ? "Soperator" : "the operator";
}

/* ---- owned parameters ---- */

/* Values that are merged are taken in small letters and without blanks. */
static bool is_merged_well(const struct plumb_kube_word *w)
{
    for (uint32_t i = 0; i < w->value.len; i++) {
        if (w->value.text[i] >= 'A' && w->value.text[i] <= 'Z')
            return false;
    }
    return true;
}

/* A list that says the operator's words too replaces nothing. */
static void report_replaced(const struct plumb_check *ck, const struct plumb_kube_cluster *c,
                            const struct plumb_kube_owned *o, const struct plumb_kube_word *w)
{
    const char *unsaid = plumb_kube_unsaid(ck->arena, o, &w->value);

    if (unsaid[0] != '\0')
        plumb_diag_severity(plumb_report(ck, w->value.at,
                                         "%s writes '%s' itself; this list replaces its own, which "
                                         "has '%s' too",
                                         operator_of(c->thing), o->key, unsaid),
                            PLUMB_WARNING);
}

/* A value that the field of the kind does not take can stand here alone. */
static bool has_no_room(const struct plumb_check *ck, const struct plumb_kube_cluster *c,
                        const struct plumb_kube_owned *o, const struct plumb_kube_word *w)
{
    const struct plumb_kube_slot *slot = plumb_kube_slot(c->slots, c->slot_count, o->key);

    return slot != NULL && strcmp(o->advice, "warning") == 0 &&
           plumb_kube_slot_text(ck->arena, slot, &w->value) == NULL;
}

static void report_owned(const struct plumb_check *ck, const struct plumb_kube_cluster *c,
                         const struct plumb_kube_owned *o, const struct plumb_kube_word *w)
{
    bool array = strcmp(o->how, "array") == 0;
    const char *does = "overrides it";
    struct plumb_diag *d = NULL;

    if (strcmp(o->advice, "merge") == 0) {
        if (!is_merged_well(w))
            plumb_diag_severity(
                plumb_report(ck, w->value.at,
                             "%s unites '%s' with its own words and takes it in small letters, "
                             "expected small letters",
                             operator_of(c->thing), o->key),
                PLUMB_WARNING);
        return;
    }
    if (strcmp(o->advice, "superset") == 0) {
        report_replaced(ck, c, o, w);
        return;
    }
    if (has_no_room(ck, c, o, w))
        return;
    if (array)
        does = o->then[0] != '\0' ? o->then : "adds another one";
    else if (plumb_starts_with(o->then, "overrides; "))
        does = plumb_arena_printf(ck->arena, "overrides it: %s", o->then + strlen("overrides; "));
    d = plumb_report(ck, w->key.at, "%s writes '%s' itself (%s); another line %s",
                     operator_of(c->thing), o->key, o->value, does);
    if (strcmp(o->advice, "warning") == 0)
        plumb_diag_severity(d, PLUMB_WARNING);
}

/* The same value once more changes nothing. */
static bool says_the_same(const struct plumb_kube_owned *o, const struct plumb_kube_word *w)
{
    return strcmp(o->how, "array") != 0 &&
           (plumb_slice_is(&w->value, o->value) ||
            (strcmp(o->key, "AccountingStorageType") == 0 &&
             plumb_slice_is(&w->value, "accounting_storage/slurmdbd")));
}

/* KUBE051 */
static void owned_keys(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->cluster_count; i++) {
        const struct plumb_kube_cluster *c = &m->clusters[i];

        for (size_t k = 0; k < c->conf.count; k++) {
            const struct plumb_kube_word *w = &c->conf.items[k];

            for (size_t o = 0; w->first && w->sign && o < c->owned_count; o++) {
                if (plumb_slice_is(&w->key, c->owned[o].key) &&
                    strcmp(c->owned[o].advice, "ok") != 0 &&
                    strcmp(c->owned[o].advice, "name") != 0 && !says_the_same(&c->owned[o], w))
                    report_owned(ck, c, &c->owned[o], w);
            }
        }
    }
}

/* ---- partitions ---- */

/* KUBE052 */
static void partition_once(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        const struct plumb_kube_cluster *c = plumb_kube_cluster_of(m, set);

        for (size_t k = 0; c != NULL && set->thing->flavour == PLUMB_OF_SLINKY && k < c->conf.count;
             k++) {
            const struct plumb_kube_word *w = &c->conf.items[k];
            bool partition = plumb_slice_is(&w->key, "PartitionName") && set->partition.v != NULL;
            struct plumb_diag *d = NULL;

            if (!w->first || !(partition || plumb_slice_is(&w->key, "NodeSet")) ||
                !plumb_slice_is_exact(&w->value, set->slurm_name))
                continue;
            d = plumb_report(
                ck, w->value.at,
                "%s '%s' is written by the operator for NodeSet '%s' already; a second "
                "line is a second record",
                partition ? "partition" : "node set", set->slurm_name, set->thing->name.v);
            plumb_outcome(ck, d, NULL);
            plumb_diag_note(d, partition ? set->partition.at : set->thing->name.at,
                            "this makes the first");
        }
    }
}

/* ---- words of a node set ---- */

/* KUBE053: common.BuildMergedConfig splits at single blanks and takes each item apart at '='. */
static void node_words(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];

        if (set->thing->flavour != PLUMB_OF_SLINKY)
            continue;
        for (size_t k = 0; k < set->conf.count; k++) {
            const struct plumb_kube_word *w = &set->conf.items[k];

            if (w->sign && w->value.len > 0)
                continue;
            plumb_report(ck, w->at,
                         "'%.*s' %s, expected words of the form Key=Value with one blank between "
                         "them; %s",
                         (int)(w->key.len > 40 ? 40 : w->key.len), w->key.text,
                         w->sign ? "has no value" : "has no '='",
                         w->sign ? "slurmd does not start with it"
                                 : "the operator panics on this NodeSet");
        }
        if (plumb_span_known(set->conf.blank))
            plumb_report(ck, set->conf.blank,
                         "a doubled, leading or trailing blank makes an empty word, expected one "
                         "blank between words; the operator panics on this NodeSet");
    }
}

/* ---- names ---- */

/* KUBE054: controller_webhook.go */
static void cluster_name(const struct plumb_check *ck)
{
    enum { LONGEST = 40 };
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->cluster_count; i++) {
        const struct plumb_kube_cluster *c = &m->clusters[i];
        size_t len = c->name.v == NULL ? 0 : plumb_utf8_count(c->name.v, strlen(c->name.v));

        if (c->thing->flavour == PLUMB_OF_SLINKY && len > LONGEST)
            plumb_report(ck, c->name.at,
                         "clusterName has %zu characters, expected at most %d; the webhook refuses "
                         "the Controller",
                         len, LONGEST);
    }
}

/* ---- releases ---- */

/* How many releases back a daemon reads messages: two, from 24.11 on three. */
static bool reads(const struct plumb_check *ck, enum plumb_release daemon, enum plumb_release of)
{
    return of <= daemon && (uint64_t)(daemon - of) <=
                               plumb_trait_value(ck->table, daemon, PLUMB_TRAIT_UPGRADE_SPAN);
}

/* KUBE055: slurmctld takes messages of some older releases, never of newer ones. */
static void slurmd_newer(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        const struct plumb_kube_cluster *c = plumb_kube_cluster_of(m, set);
        enum plumb_release node = plumb_release_of_image(set->image.v);
        enum plumb_release controller =
            c == NULL ? PLUMB_RELEASE_NONE : plumb_release_of_image(c->image.v);
        struct plumb_diag *d = NULL;

        if (node == PLUMB_RELEASE_NONE || controller == PLUMB_RELEASE_NONE ||
            reads(ck, controller, node))
            continue;
        d = plumb_report(ck, set->image.at,
                         "the image is of Slurm %s, slurmctld is of %s, expected %s; slurmctld "
                         "refuses the registration",
                         plumb_release_name(node), plumb_release_name(controller),
                         node > controller ? "at most the same" : "a later one");
        plumb_diag_note(d, c->image.at, "the image of slurmctld");
        plumb_diag_fact(d, "the order of an upgrade is slurmdbd, slurmctld, slurmd");
    }
}

/* ---- GresTypes ---- */

static bool owns(const struct plumb_kube_cluster *c, const char *key)
{
    for (size_t i = 0; i < c->owned_count; i++) {
        if (strcmp(c->owned[i].key, key) == 0)
            return true;
    }
    return false;
}

static void check_gres_types(const struct plumb_check *ck, const struct plumb_kube_nodeset *set,
                             const struct plumb_kube_cluster *c, const struct plumb_kube_word *gres)
{
    const struct plumb_kube_word *types = plumb_kube_word(&c->conf, "GresTypes");
    struct plumb_list_cursor at = {0};
    struct plumb_slice item;

    while (plumb_gres_next(&gres->value, &at, &item)) {
        struct plumb_gres_text text;
        const char *name = NULL;
        struct plumb_diag *d = NULL;

        if (plumb_value_gres(&item, &text) == PLUMB_GRES_NO_NAME)
            continue;
        name = plumb_arena_strndup(ck->arena, text.name.text, text.name.len);
        if (types != NULL && plumb_list_find(&types->value, name, NULL))
            continue;
        d = plumb_report(ck, text.name.at,
                         "'%s' is no word of GresTypes, which the operator does not write, "
                         "expected GresTypes=%s in extraConf of Controller '%s'; slurmctld drops "
                         "the GRES of NodeSet '%s'",
                         name, name, c->thing->name.v, set->thing->name.v);
        if (types != NULL)
            plumb_diag_note(d, types->at, "GresTypes here");
        else if (plumb_span_known(c->conf.at))
            plumb_diag_note(d, c->conf.count > 0 ? c->conf.items[0].at : c->conf.at,
                            "extraConf begins here");
    }
}

/* KUBE056 */
static void gres_types(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        const struct plumb_kube_cluster *c = plumb_kube_cluster_of(m, set);
        const struct plumb_kube_word *gres = plumb_kube_word(&set->conf, "Gres");

        if (set->thing->flavour == PLUMB_OF_SLINKY && c != NULL && gres != NULL &&
            !owns(c, "GresTypes"))
            check_gres_types(ck, set, c, gres);
    }
}

/* ---- reservations ---- */

static bool is_name(const struct plumb_text *t, const char *name, size_t len)
{
    return strlen(t->v) == len && strncmp(t->v, name, len) == 0;
}

/* Lines of slurm.conf in objects of the cluster make it; any gets another one that they make. */
static bool in_lines(const struct plumb_check *ck, const struct plumb_kube_words *conf,
                     const char *name, size_t len, struct plumb_text *any)
{
    for (size_t i = 0; i < conf->count; i++) {
        const struct plumb_kube_word *w = &conf->items[i];

        if (!w->first || !plumb_slice_is(&w->key, "PartitionName") ||
            plumb_slice_is(&w->value, "DEFAULT"))
            continue;
        *any =
            (struct plumb_text){.v = plumb_arena_strndup(ck->scratch, w->value.text, w->value.len),
                                .at = w->value.at,
                                .origin = PLUMB_GIVEN};
        if (is_name(any, name, len))
            return true;
    }
    return false;
}

/* The cluster makes this partition, for one of its node sets or by a line. */
static bool has_partition(const struct plumb_check *ck, const struct plumb_kube_thing *t,
                          const char *name, size_t len, struct plumb_text *any)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->cluster_count; i++) {
        if (m->clusters[i].thing->flavour == t->flavour &&
            in_lines(ck, &m->clusters[i].conf, name, len, any))
            return true;
    }
    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];

        if (set->thing->flavour != t->flavour || set->partition.v == NULL)
            continue;
        *any = set->partition;
        if (is_name(any, name, len))
            return true;
    }
    return any->v == NULL;
}

/* KUBE057: reservation.c, ESLURM_INVALID_PARTITION_NAME */
static void reservation_partition(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->reservation_count; i++) {
        const struct plumb_kube_reservation *r = &m->reservations[i];
        const char *text = r->partitions.v;

        while (text != NULL && *text != '\0') {
            struct plumb_text any = {0};
            size_t len = strcspn(text, ",");

            if (len > 0 && !has_partition(ck, r->thing, text, len, &any)) {
                struct plumb_diag *d =
                    plumb_report(ck, r->partitions.at,
                                 "no NodeSet and no line makes a partition '%.*s', expected one "
                                 "such as '%s'; slurmctld refuses the reservation, the taint is "
                                 "set all the same",
                                 (int)len, text, any.v);

                plumb_diag_note(d, any.at, "this one is made");
            }
            text += len + (text[len] == ',');
        }
    }
}

/* An account that slurmdbd is told of, or that an object makes; objects: some object makes one. */
static bool is_account(const struct plumb_check *ck, const char *name, bool objects)
{
    const struct plumb_kube_model *m = ck->model->kube;
    const struct plumb_accounts *a = ck->model->accounts;

    for (size_t i = 0; objects && i < m->account_count; i++) {
        if (strcmp(m->accounts[i].v, name) == 0)
            return true;
    }
    return strcmp(name, "root") == 0 ||
           (a != NULL && a->known && plumb_assoc_find(a, name, NULL, NULL) != NULL);
}

/* KUBE058 */
static void reservation_account(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;
    bool objects = m->account_count > 0;
    bool known = objects || (ck->model->accounts != NULL && ck->model->accounts->known);

    for (size_t i = 0; known && i < m->reservation_count; i++) {
        const char *text = m->reservations[i].accounts.v;

        while (text != NULL && *text != '\0') {
            size_t len = strcspn(text, ",");
            const char *name = plumb_arena_strndup(ck->arena, text, len);

            if (len > 0 && !is_account(ck, name, objects))
                plumb_report(ck, m->reservations[i].accounts.at,
                             "there is no account '%s', so that nobody can use the reservation; "
                             "where associations are enforced slurmctld refuses it",
                             name);
            text += len + (text[len] == ',');
        }
    }
}

#define SET(conf)                                                                                  \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu}\nspec:\n"          \
    "  controllerRef: {name: slurm}\n  slurmd: {image: \"r/slurmd:25.11-u\"}\n"                    \
    "  partition: {enabled: true}\n  extraConf: " conf
#define CONTROLLER(more)                                                                           \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: slurm}\nspec:\n"     \
    "  slurmKeyRef: {name: auth, key: slurm.key}\n  jwtKeyRef: {name: auth, key: jwt.key}\n" more
#define SUNK(partition, account)                                                                   \
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: SlurmCluster\nmetadata: {name: c}\n"          \
    "spec: {clusterName: c}\n---\napiVersion: slurm.coreweave.com/v1alpha1\nkind: NodeSet\n"       \
    "metadata: {name: gpu}\nspec: {clusterRef: {name: c}, partition: gpu}\n---\n"                  \
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: ReservationBinding\nmetadata: {name: r}\n"    \
    "spec:\n  clusterRef: {name: c}\n  reservation: {name: r, accounts: " account                  \
    ", partitions: " partition "}\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE051",
        .name = "owned-parameter",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "extraConf sets what the operator writes itself",
        .why =
            "extraConf stands behind the operator's lines. The later line counts, so that the "
            "files and ports of the pods no longer fit; what may be there several times is added.",
        .ref =
            "slurm-operator, controller_config.go; soperator, internal/render/common/configmap.go",
        .bad = CONTROLLER("  extraConf: SlurmctldHost=backup"),
        .good = CONTROLLER("  extraConf: MaxNodeCount=2048"),
        .run = owned_keys,
    },
    {
        .code = "KUBE052",
        .name = "partition-of-operator",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .needs = PLUMB_FACT_KUBE,
        .summary = "extraConf writes a partition that the operator writes",
        .why = "The second line does not change the first one: it is a second record of one name.",
        .ref = "slurm-operator, controller_config.go:buildNodeSetConf; "
               "read_config.c:_build_single_partitionline_info",
        .bad = CONTROLLER("  extraConf: PartitionName=gpu Nodes=gpu\n---\n") SET("Weight=1"),
        .good = CONTROLLER("  extraConf: PartitionName=all Nodes=ALL\n---\n") SET("Weight=1"),
        .run = partition_once,
    },
    {
        .code = "KUBE053",
        .name = "node-words",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "extraConf of a NodeSet is no list of Key=Value",
        .why = "The operator splits it at each blank and takes each word apart at '='. A word "
               "without one ends its work on the NodeSet.",
        .ref = "slurm-operator, worker_app.go; common.BuildMergedConfig",
        .bad = SET("Features=fast, local"),
        .good = SET("Features=fast,local"),
        .run = node_words,
    },
    {
        .code = "KUBE054",
        .name = "cluster-name-length",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "clusterName is longer than 40 characters",
        .why = "The webhook of the operator refuses the Controller.",
        .ref = "slurm-operator, controller_webhook.go:ValidateCreate",
        .bad = CONTROLLER("  clusterName: research-and-development-of-nearly-everything-1"),
        .good = CONTROLLER("  clusterName: research-1"),
        .run = cluster_name,
    },
    {
        .code = "KUBE055",
        .name = "slurmd-newer",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "slurmctld does not understand the release of slurmd",
        .why = "A daemon may be two releases older than slurmctld, from 24.11 on three, and never "
               "newer: its messages are not understood.",
        .ref = "Slurm, Upgrade Guide; slurm_protocol_pack.c, SLURM_PROTOCOL_VERSION_ERROR",
        .bad = CONTROLLER("  slurmctld: {image: \"r/slurmctld:25.05-u\"}\n---\n") SET("Weight=1"),
        .good = CONTROLLER("  slurmctld: {image: \"r/slurmctld:25.11-u\"}\n---\n") SET("Weight=1"),
        .run = slurmd_newer,
    },
    {
        .code = "KUBE056",
        .name = "gres-types-unwritten",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a NodeSet has a GRES that GresTypes does not name",
        .why = "slurm-operator wrote GresTypes=gpu until 1.1, and does not from 1.2 on. The nodes "
               "register with Gres=(null), and requests are refused.",
        .ref = "slurm-operator, controller_config.go:buildSlurmConf; gres.c",
        .bad = CONTROLLER("  extraConf: ReturnToService=2\n---\n") SET("Gres=gpu:h100:8"),
        .good = CONTROLLER("  extraConf: GresTypes=gpu\n---\n") SET("Gres=gpu:h100:8"),
        .run = gres_types,
    },
    {
        .code = "KUBE057",
        .name = "reservation-partition",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a reservation names a partition that nothing makes",
        .why =
            "slurmctld refuses it. The nodes are tainted all the same: closed to Kubernetes, and "
            "not reserved in Slurm.",
        .ref = "reservation.c:create_resv, ESLURM_INVALID_PARTITION_NAME",
        .bad = SUNK("training", "a"),
        .good = SUNK("gpu", "a"),
        .run = reservation_partition,
    },
    {
        .code = "KUBE058",
        .name = "reservation-account",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a reservation is for an account that does not exist",
        .why = "Nobody can use it. Where associations are enforced slurmctld refuses it.",
        .ref = "reservation.c:_append_acct_to_assoc_list",
        .bad = "# accounts.txt\nsacctmgr -i add account a\n# r.yaml\n" SUNK("gpu", "b"),
        .good = "# accounts.txt\nsacctmgr -i add account a\n# r.yaml\n" SUNK("gpu", "a"),
        .run = reservation_account,
    },
};

const struct plumb_rule_family plumb_kube_conf_rules = {
    .prefix = "KUBE",
    .title = "What manifests tell Slurm",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
