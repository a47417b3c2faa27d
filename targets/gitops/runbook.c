/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runbook: how the secrets of this cluster are made and changed, with the names that its
 * objects have. What restarts by itself: slurm-operator 1.2.1, getAuthHashes of the Controller and
 * the Accounting; pods of the others keep the key that they started with. Labels: labels.go there.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "gitops/gitops.h"
#include "syntax/lines.h"

/* What runs a daemon. */
static const struct {
    const char *group, *kind, *daemon;
    const char *app; /* label app.kubernetes.io/name of its pods; NULL: not known */
    bool key, token, password, users; /* its pods read such a value */
    bool follows;                     /* the operator replaces them when the value changes */
} rows[] = {
    {"slinky.slurm.net/", "Accounting", "slurmdbd", "slurmdbd", true, true, true, false, true},
    {"slinky.slurm.net/", "Controller", "slurmctld", "slurmctld", true, true, false, false, true},
    {"slinky.slurm.net/", "NodeSet", "slurmd", "slurmd", true, false, false, false, false},
    {"slinky.slurm.net/", "LoginSet", "sackd", "login", true, false, false, false, false},
    {"slinky.slurm.net/", "LoginSet", "sssd", "login", false, false, false, true, true},
    {"slinky.slurm.net/", "RestApi", "slurmrestd", "slurmrestd", true, false, false, false, false},
    {"slurm.nebius.ai/", "SlurmCluster", "slurmctld, slurmdbd, login", NULL, true, true, true, true,
     false},
    {"slurm.nebius.ai/", "NodeSet", "slurmd", NULL, true, false, false, false, false},
    {"slurm.coreweave.com/", "SlurmCluster", "slurmctld, slurmdbd, login", NULL, true, true, true,
     true, false},
    {"slurm.coreweave.com/", "NodeSet", "slurmd", NULL, true, false, false, false, false},
    {"slurm.coreweave.com/", "Login", "sshd", NULL, true, false, false, true, false},
};

/* What a credential is, and how a new value is made in file FILE. */
static const struct {
    const char *what, *make;
    const char *also; /* what else must change before the pods do; NULL */
} purposes[PLUMB_PURPOSES] = {
    [PLUMB_FOR_SLURM_KEY] = {"key of auth/slurm", "dd if=/dev/urandom bs=1024 count=1 of=", NULL},
    [PLUMB_FOR_MUNGE] = {"key of munge", "dd if=/dev/urandom bs=1024 count=1 of=", NULL},
    [PLUMB_FOR_TOKENS] = {"key that signs tokens (JWT, HS256)",
                          "dd if=/dev/urandom bs=32 count=1 of=", NULL},
    [PLUMB_FOR_DATABASE] = {"password of the database", NULL,
                            "Give it to the user of the database on its server."},
    [PLUMB_FOR_USERS] = {"sssd.conf, where users come from", NULL, NULL},
    [PLUMB_FOR_SSH] = {"keys with which root logs in", NULL, NULL},
};

enum { TOKEN_SEC = 1800 }; /* lifespan of `scontrol token` (scontrol(1)) */

/* ---- text ---- */

/* In a span of code a backtick would end it, and a '|' a cell of a table. */
static const char *code(struct plumb_gitops *g, const char *text)
{
    struct plumb_buf b = plumb_buf_in(g->b.a);

    for (; *text != '\0'; text++)
        plumb_buf_char(&b,
                       *text == '`' || *text == '|' || (unsigned char)*text < ' ' ? '?' : *text);
    return plumb_buf_text(&b);
}

/* "12 min 30 s" */
static const char *span_of(struct plumb_gitops *g, uint64_t sec)
{
    if (sec % 3600 == 0 && sec > 0)
        return plumb_arena_printf(g->b.a, "%" PRIu64 " h", sec / 3600);
    if (sec < 60)
        return plumb_arena_printf(g->b.a, "%" PRIu64 " s", sec);
    if (sec % 60 == 0)
        return plumb_arena_printf(g->b.a, "%" PRIu64 " min", sec / 60);
    return plumb_arena_printf(g->b.a, "%" PRIu64 " min %" PRIu64 " s", sec / 60, sec % 60);
}

static bool reads(size_t row, enum plumb_kube_purpose purpose)
{
    switch (purpose) {
    case PLUMB_FOR_SLURM_KEY:
    case PLUMB_FOR_MUNGE:
        return rows[row].key;
    case PLUMB_FOR_TOKENS:
        return rows[row].token;
    case PLUMB_FOR_DATABASE:
        return rows[row].password;
    case PLUMB_FOR_USERS:
    case PLUMB_FOR_SSH:
        return rows[row].users;
    case PLUMB_PURPOSES:
        break;
    }
    return false;
}

/* ---- objects ---- */

static const char *text_at(const struct plumb_node *root, const char *path)
{
    const char *text = plumb_node_text(plumb_node_path(root, path));

    return text == NULL ? "" : text;
}

/* Calls with each object of a row, in the order in which they are applied. */
static size_t objects_of(const struct plumb_gitops *g, size_t row, const char **names, size_t room)
{
    const struct plumb_outputs *out = g->b.em->out;
    size_t count = 0;

    for (size_t i = 0; i < out->doc_count && count < room; i++) {
        const struct plumb_doc *doc = &out->docs[i];

        if (doc->kind == PLUMB_DOC_YAML && plumb_starts_with(doc->path, "kubernetes/") &&
            plumb_starts_with(text_at(doc->node, "apiVersion"), rows[row].group) &&
            strcmp(text_at(doc->node, "kind"), rows[row].kind) == 0)
            names[count++] = text_at(doc->node, "metadata/name");
    }
    return count;
}

static void list_readers(struct plumb_gitops *g, struct plumb_buf *b,
                         enum plumb_kube_purpose purpose)
{
    const char **names = PLUMB_NEW_ARRAY(g->b.a, g->b.em->out->doc_count, const char *);
    bool first = true;

    for (size_t r = 0; r < PLUMB_COUNT(rows); r++) {
        size_t count = reads(r, purpose) ? objects_of(g, r, names, g->b.em->out->doc_count) : 0;

        for (size_t i = 0; i < count; i++) {
            plumb_buf_printf(b, "%s%s `%s`", first ? "" : ", ", rows[r].kind, code(g, names[i]));
            first = false;
        }
    }
    if (first)
        plumb_buf_str(b, "the database's own client alone");
}

static void table_of_secrets(struct plumb_gitops *g, struct plumb_buf *b)
{
    plumb_buf_str(b,
                  "\n## Secrets\n\n| Secret | key | what it is | read by |\n|---|---|---|---|\n");
    for (size_t i = 0; i < g->stack->credential_count; i++) {
        const struct plumb_kube_credential *c = &g->stack->credentials[i];

        plumb_buf_printf(b, "| `%s` | `%s` | %s | ", code(g, c->name.v), code(g, c->key.v),
                         purposes[c->purpose].what);
        list_readers(g, b, c->purpose);
        plumb_buf_str(b, " |\n");
    }
    plumb_buf_str(b, "\nNo value of these stands in a generated file.\n");
}

/* ---- how a value comes into the cluster ---- */

static void put_by_hand(struct plumb_gitops *g, struct plumb_buf *b,
                        const struct plumb_kube_credential *c)
{
    const char *name = code(g, c->name.v);

    plumb_buf_printf(b, "   ```\n   kubectl -n %s create secret generic %s",
                     code(g, g->stack->space.v), name);
    for (size_t i = 0; i < g->stack->credential_count; i++) {
        const struct plumb_kube_credential *other = &g->stack->credentials[i];

        if (strcmp(other->name.v, c->name.v) == 0)
            plumb_buf_printf(b, " --from-file=%s=./%s", code(g, other->key.v),
                             code(g, other->key.v));
    }
    plumb_buf_str(b, " --dry-run=client -o yaml |");
    if (g->stack->style == PLUMB_SECRETS_SEALED && !c->made)
        plumb_buf_printf(b, "\n       kubeseal --format yaml >%s.yaml\n   ```\n", name);
    else
        plumb_buf_str(b, "\n       kubectl apply --server-side --force-conflicts -f -\n   ```\n");
}

static void put_value(struct plumb_gitops *g, struct plumb_buf *b,
                      const struct plumb_kube_credential *c)
{
    const char *space = code(g, g->stack->space.v), *name = code(g, c->name.v);

    if (g->stack->style == PLUMB_SECRETS_EXTERNAL && !c->made) {
        plumb_buf_printf(b,
                         "   Write it into store `%s`, as property `%s` of `%s/%s`%s, and have it "
                         "fetched:\n\n   ```\n   kubectl -n %s annotate externalsecret %s "
                         "force-sync=\"$(date +%%s)\" --overwrite\n   ```\n",
                         code(g, g->stack->store.v), code(g, c->key.v), code(g, g->stack->path.v),
                         name, purposes[c->purpose].make != NULL ? " in base64" : "", space, name);
        return;
    }
    put_by_hand(g, b, c);
    if (g->stack->style == PLUMB_SECRETS_SEALED && !c->made)
        plumb_buf_printf(b,
                         "\n   The result has the form of `to-seal/%s.yaml`; it belongs to what "
                         "`kubernetes.gitops.resources` lists.\n",
                         name);
}

/* ---- restarts ---- */

static void restart(struct plumb_gitops *g, struct plumb_buf *b, enum plumb_kube_purpose purpose)
{
    const char **names = PLUMB_NEW_ARRAY(g->b.a, g->b.em->out->doc_count, const char *);

    for (size_t r = 0; r < PLUMB_COUNT(rows); r++) {
        size_t count = reads(r, purpose) ? objects_of(g, r, names, g->b.em->out->doc_count) : 0;

        for (size_t i = 0; i < count; i++) {
            const char *name = code(g, names[i]);

            plumb_buf_printf(b, "   - %s `%s` (%s): ", rows[r].kind, name, rows[r].daemon);
            if (rows[r].follows)
                plumb_buf_str(b, "the operator replaces its pods when the Secret changes\n");
            else if (rows[r].app != NULL)
                plumb_buf_printf(b,
                                 "`kubectl -n %s delete pod -l "
                                 "app.kubernetes.io/name=%s,app.kubernetes.io/instance=%s`\n",
                                 code(g, g->stack->space.v), rows[r].app, name);
            else
                plumb_buf_str(b, "replace its pods\n");
        }
    }
}

/* One key at a time: daemons with different keys refuse each other. */
static void change_key(struct plumb_gitops *g, struct plumb_buf *b,
                       const struct plumb_kube_credential *c)
{
    bool slurm = c->purpose == PLUMB_FOR_SLURM_KEY;
    struct plumb_u64 down =
        plumb_setting_u64(plumb_slurm(g->b.m), PLUMB_P_SLURM_SLURMDTIMEOUT, g->b.m->release);

    plumb_buf_printf(
        b,
        "\nDaemons with different keys refuse each other. From the first restart to "
        "the last one%s%s, commands and job starts fail, and nodes that slurmctld does "
        "not hear for %s (SlurmdTimeout) go down with their jobs.\n\n",
        plumb_usable(g->stack->rollout_sec) ? ", " : "",
        plumb_usable(g->stack->rollout_sec) ? span_of(g, g->stack->rollout_sec.v) : "",
        plumb_usable(down) ? span_of(g, down.v) : "300 s");
    if (plumb_usable(g->stack->overlap_sec) && slurm)
        plumb_buf_printf(
            b,
            "Both keys are taken for %s: the value is a slurm.jwks with the old and the new key, "
            "the new one with `\"use\": \"default\"`, and `SLURM_SACK_JWKS` in the environment of "
            "every daemon names the file. Take the old one out no sooner than %s "
            "after the last restart: a credential holds for so long.\n\n",
            span_of(g, g->stack->overlap_sec.v),
            span_of(g, plumb_kube_credential_sec(g->b.m, slurm)));
    else
        plumb_buf_str(b, "Choose a time without jobs, or let them end first: `scontrol update "
                         "partitionname=NAME state=drain` for each partition.\n\n");
}

static void rotation(struct plumb_gitops *g, struct plumb_buf *b,
                     const struct plumb_kube_credential *c)
{
    plumb_buf_printf(b, "\n## Change of %s\n", purposes[c->purpose].what);
    if (c->purpose == PLUMB_FOR_SLURM_KEY || c->purpose == PLUMB_FOR_MUNGE)
        change_key(g, b, c);
    else if (c->purpose == PLUMB_FOR_TOKENS)
        plumb_buf_printf(b,
                         "\nTokens that the old key has signed are refused from the restart on: "
                         "users and services ask for new ones (`scontrol token`). They hold for %s "
                         "where nothing else is said.\n\n",
                         span_of(g, TOKEN_SEC));
    else
        plumb_buf_char(b, '\n');
    plumb_buf_printf(b, "1. Make the new value in a file `%s`", code(g, c->key.v));
    if (purposes[c->purpose].make != NULL)
        plumb_buf_printf(b, ": `%s%s`", purposes[c->purpose].make, code(g, c->key.v));
    plumb_buf_printf(b,
                     ". Keep the old one until the last step is done.%s%s\n2. Bring it into the "
                     "cluster.\n\n",
                     purposes[c->purpose].also != NULL ? " " : "",
                     purposes[c->purpose].also != NULL ? purposes[c->purpose].also : "");
    put_value(g, b, c);
    plumb_buf_printf(b,
                     "\n3. Wait %s: so long the kubelet takes to bring a changed Secret to its "
                     "pods.\n4. Restart, in this order, and wait for each to be ready:\n\n",
                     span_of(g, PLUMB_KUBE_SECRET_SYNC_SEC));
    restart(g, b, c->purpose);
    plumb_buf_printf(b,
                     "\n5. See that all is well: `sinfo -R` tells of no node that does not "
                     "respond%s. Delete the file `%s`.\n",
                     c->purpose == PLUMB_FOR_DATABASE ? ", `sacctmgr show cluster` answers" : "",
                     code(g, c->key.v));
}

/* ---- labels of machines ---- */

/* What target gpu-stack has made of a class: a key of a ConfigMap, or a layout within one. */
static bool is_configured(const struct plumb_gitops *g, const char *path, const char *class)
{
    const struct plumb_outputs *out = g->b.em->out;
    const char *layout = plumb_arena_printf(g->b.a, "\n  %s:\n", class);

    for (size_t i = 0; i < out->doc_count; i++) {
        const struct plumb_node *data =
            strcmp(out->docs[i].path, path) == 0 ? plumb_node_get(out->docs[i].node, "data") : NULL;
        const char *text = plumb_node_text(plumb_node_get(data, "config.yaml"));

        if (plumb_node_get(data, class) != NULL || (text != NULL && strstr(text, layout) != NULL))
            return true;
    }
    return false;
}

static const char *machines_of(struct plumb_gitops *g, size_t class)
{
    const struct plumb_kube_plan *plan = g->b.m->kube_plan;
    struct plumb_buf words = plumb_buf_in(g->b.a), b = plumb_buf_in(g->b.a);

    for (size_t i = 0; plan != NULL && i < plan->classes[class].selector_count; i++) {
        const struct plumb_kube_pick *p = &plan->classes[class].selector[i];

        plumb_buf_printf(&words, "%s%s=%s", i > 0 ? "," : "", p->label.v,
                         p->value.v == NULL ? "" : p->value.v);
    }
    if (words.len == 0)
        return "NODE...";
    plumb_buf_str(&b, "-l ");
    plumb_shell_quote(&b, plumb_buf_text(&words));
    return code(g, plumb_buf_text(&b));
}

static void labels(struct plumb_gitops *g, struct plumb_buf *b)
{
    static const struct {
        const char *path, *label;
    } kinds[] = {
        {"gpu-stack/10-mig-layouts.yaml", "nvidia.com/mig.config"},
        {"gpu-stack/20-device-plugin.yaml", "nvidia.com/device-plugin.config"},
    };
    bool any = false;

    for (size_t i = 0; i < g->b.m->node_count; i++) {
        const char *class = g->b.m->nodes[i].class_name;

        for (size_t k = 0; k < PLUMB_COUNT(kinds); k++) {
            if (!is_configured(g, kinds[k].path, class))
                continue;
            if (!any)
                plumb_buf_str(b, "\n## Labels of machines\n\nThey choose how GPUs are cut and "
                                 "shared. A layout of MIG is changed while no GPU is in use, so "
                                 "drain the nodes of Slurm first.\n\n```\n");
            any = true;
            plumb_buf_printf(b, "kubectl label nodes %s %s=%s --overwrite\n", machines_of(g, i),
                             kinds[k].label, code(g, class));
        }
    }
    if (any)
        plumb_buf_str(b, "```\n");
}

const char *plumb_gitops_runbook(struct plumb_gitops *g)
{
    struct plumb_buf b = plumb_buf_in(g->b.a);

    plumb_buf_printf(
        &b,
        "# Runbook of cluster `%s`\n\nNamespace `%s`. `kubectl apply -k gitops` applies "
        "everything.\n",
        code(g, g->b.m->cluster.v == NULL ? "?" : g->b.m->cluster.v), code(g, g->stack->space.v));
    labels(g, &b);
    table_of_secrets(g, &b);
    if (g->stack->style != PLUMB_SECRETS_EXTERNAL && g->stack->credential_count > 0) {
        plumb_buf_str(&b,
                      "\n## Before the first start\n\nEach Secret is made once, of files with the "
                      "names of its keys:\n\n");
        for (size_t i = 0; i < g->stack->credential_count; i++) {
            if (plumb_gitops_first(g->stack, i) && !g->stack->credentials[i].made)
                put_by_hand(g, &b, &g->stack->credentials[i]);
        }
    }
    for (size_t i = 0; i < g->stack->credential_count; i++)
        rotation(g, &b, &g->stack->credentials[i]);
    return plumb_buf_text(&b);
}
