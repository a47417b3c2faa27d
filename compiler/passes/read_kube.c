/* SPDX-License-Identifier: Apache-2.0 */
/* Pass read-kube: manifests and values of charts to objects, each held against its table. */
#include <string.h>

#include "capture/kube_node.h"
#include "kube/object.h"
#include "passes/pass.h"

/* Nodes are captures of machines, not something that anybody applies: read-captures has them. */
static bool all_nodes(const struct plumb_input *in)
{
    bool any = false;

    for (size_t i = 0; i < in->document_count; i++) {
        if (!plumb_kube_nodes_sniff(in->documents[i]))
            return false;
        any = true;
    }
    return any;
}

static void read_one(struct plumb_run *r, struct plumb_input *in)
{
    struct plumb_kube_file file = plumb_kube_read(r->session, in->src);

    in->documents = file.documents;
    in->document_count = file.count;
    in->was_read = true;
    if (all_nodes(in))
        return;
    if (r->kube == NULL)
        r->kube = PLUMB_NEW(r->session->arena, struct plumb_kube_objects);
    plumb_kube_add(r->session, r->kube, &file, in->kind == PLUMB_KIND_VALUES);
    r->facts |= PLUMB_FACT_KUBE;
}

/* The oldest controller of the bundle: what it does not know, that cluster does not take. */
static enum plumb_release controller_release(const struct plumb_kube_objects *objects)
{
    static const char *const paths[] = {"spec/slurmctld/image", "spec/controller/image",
                                        "spec/slurmNodes/controller/slurmctld/image",
                                        "controller/slurmctld/image/tag"};
    enum plumb_release found = PLUMB_RELEASE_NONE;

    for (size_t i = 0; i < objects->count; i++) {
        for (size_t p = 0; p < PLUMB_COUNT(paths); p++) {
            const char *text = plumb_node_text(plumb_node_path(objects->items[i].root, paths[p]));
            enum plumb_release one = PLUMB_RELEASE_NONE;

            if (text == NULL)
                continue;
            one = strchr(text, ':') != NULL ? plumb_release_of_image(text)
                  : strlen(text) >= 5       ? plumb_release_read(text, 5)
                                            : PLUMB_RELEASE_NONE;
            if (one != PLUMB_RELEASE_NONE && (found == PLUMB_RELEASE_NONE || one < found))
                found = one;
        }
    }
    return found;
}

void plumb_pass_read_kube(struct plumb_run *r)
{
    r->kube_slurm = PLUMB_RELEASE_NONE;
    for (size_t i = 0; i < r->input_count; i++) {
        if ((r->inputs[i].kind == PLUMB_KIND_KUBE || r->inputs[i].kind == PLUMB_KIND_VALUES) &&
            r->inputs[i].src != NULL)
            read_one(r, &r->inputs[i]);
    }
    if (r->kube == NULL)
        return;
    if (r->kube_releases == NULL)
        r->kube_releases = PLUMB_NEW(r->session->arena, struct plumb_kube_releases);
    plumb_kube_mark_patches(r->session, r->kube);
    r->kube_slurm = controller_release(r->kube);
    plumb_kube_choose(r->session, r->kube, r->kube_releases);
    plumb_kube_check_objects(r->session, r->kube, r->kube_releases);
}
