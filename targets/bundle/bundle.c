/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One object a file, in the order in which a person would apply them, and a kustomization that
 * lists them. Nothing is written where one of them could not say what the specification does.
 */
#include "bundle/bundle.h"

static bool begin(struct plumb_bundle *b, const struct plumb_emit *em,
                  enum plumb_kube_flavour flavour, bool numbered)
{
    const struct plumb_kube_plan *plan = em->model->kube_plan;

    *b = (struct plumb_bundle){
        .em = em, .m = em->model, .plan = plan, .a = em->session->arena, .folder = "kubernetes"};
    b->numbered = numbered;
    if (plan != NULL && plan->flavour == flavour) {
        if (numbered)
            plumb_bundle_number(b);
        else
            plumb_bundle_cut(b);
        return true;
    }
    if (em->out->targets != NULL) /* asked for by name */
        plumb_emit_refuse(
            em, "kubernetes", plan == NULL ? em->model->cluster.at : plan->at,
            plumb_arena_printf(b->a, "the specification has no section kubernetes of flavor '%s'",
                               em->target->name));
    return false;
}

bool plumb_bundle_begin(struct plumb_bundle *b, const struct plumb_emit *em,
                        enum plumb_kube_flavour flavour)
{
    return begin(b, em, flavour, false);
}

bool plumb_bundle_begin_numbered(struct plumb_bundle *b, const struct plumb_emit *em,
                                 enum plumb_kube_flavour flavour)
{
    return begin(b, em, flavour, true);
}

void plumb_bundle_refuse(struct plumb_bundle *b, struct plumb_span at, const char *reason)
{
    if (b->reason != NULL)
        return;
    b->reason = reason;
    b->bad_at = at;
}

void plumb_bundle_add(struct plumb_bundle *b, const char *name, struct plumb_node *root)
{
    b->files = plumb_arena_grow(b->a, b->files, b->file_count, &b->file_cap, sizeof(*b->files));
    b->files[b->file_count++] = (struct plumb_bundle_file){name, root};
}

void plumb_bundle_list(struct plumb_bundle *b, const char *path)
{
    plumb_bundle_add(b, path, NULL);
}

static struct plumb_node *kustomization(struct plumb_bundle *b)
{
    struct plumb_node *root = plumb_node_mapping(b->a, b->plan->at);
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    plumb_node_set_string(b->a, root, "apiVersion", "kustomize.config.k8s.io/v1beta1");
    plumb_node_set_string(b->a, root, "kind", "Kustomization");
    for (size_t i = 0; i < b->file_count; i++)
        plumb_node_append(b->a, list, plumb_node_string(b->a, b->files[i].name, b->plan->at));
    plumb_node_set(b->a, root, "resources", list);
    return root;
}

void plumb_bundle_write_values(struct plumb_bundle *b, struct plumb_node *root)
{
    const char *path = plumb_arena_printf(b->a, "%s/values.yaml", b->folder);

    if (b->reason != NULL) {
        plumb_emit_refuse(b->em, path, b->bad_at, b->reason);
        return;
    }
    plumb_emit_yaml(b->em, path, root);
    for (size_t i = 0; i < b->text_count; i++)
        plumb_emit_inner(b->em, b->texts[i]);
}

void plumb_bundle_write(struct plumb_bundle *b)
{
    if (b->reason != NULL) {
        plumb_emit_refuse(b->em, b->folder, b->bad_at, b->reason);
        return;
    }
    for (size_t i = 0; i < b->file_count; i++) {
        if (b->files[i].root != NULL)
            plumb_emit_yaml(b->em, plumb_arena_printf(b->a, "%s/%s", b->folder, b->files[i].name),
                            b->files[i].root);
    }
    plumb_emit_yaml(b->em, plumb_arena_printf(b->a, "%s/kustomization.yaml", b->folder),
                    kustomization(b));
    for (size_t i = 0; i < b->text_count; i++)
        plumb_emit_inner(b->em, b->texts[i]);
}
