/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass read-fabric: what captures tell of the network becomes one fabric. The cables decide
 * (ibnetdiscover); where they were not captured a model of topograph does, else labels of Node
 * objects. NVLink domains come from whoever tells of them, in the same order; nvidia-smi last.
 */
#include <string.h>

#include "capture/capture.h"
#include "capture/ibnet.h"
#include "capture/rules.h"
#include "passes/fabric.h"
#include "passes/pass.h"
#include "syntax/json.h"
#include "syntax/yaml.h"

/* The inputs of one kind are one thing: a second is a finding. False: it is not used. */
static bool is_first(struct plumb_run *r, const struct plumb_input *in, const char *what,
                     struct plumb_span *first)
{
    struct plumb_span at = {in->src->id, 0, 0};

    if (!plumb_span_known(*first)) {
        *first = at;
        return true;
    }
    plumb_diag_note(plumb_hw_report(r->session, PLUMB_HW_SECOND, at,
                                    "'%s' is the second %s, expected one; it is not used",
                                    in->src->path, what),
                    *first, "the one that is used");
    return false;
}

static struct plumb_fabric *read_ibnet(struct plumb_run *r)
{
    struct plumb_span first = {0};
    struct plumb_fabric *out = NULL;

    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];
        const struct plumb_ibnet *net = NULL;

        if (in->kind != PLUMB_KIND_IBNET || in->src == NULL ||
            (out != NULL && !is_first(r, in, "capture of the fabric", &first)))
            continue;
        net = plumb_ibnet_read(r->session, in->src);
        if (net == NULL)
            continue;
        first = net->at;
        out = plumb_fabric_of_ibnet(r->session, net);
    }
    return out;
}

static const struct plumb_node *root_of(struct plumb_run *r, const struct plumb_source *src)
{
    const struct plumb_yaml *y = NULL;

    if (memchr(src->bytes, '{', src->len < 1 ? 0 : 1) != NULL)
        return plumb_json_read(r->session, src);
    y = plumb_yaml_read(r->session, src);
    return y->count == 0 ? NULL : y->documents[0];
}

static const struct plumb_net_places *read_models(struct plumb_run *r)
{
    struct plumb_span first = {0};
    const struct plumb_net_places *out = NULL;

    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (in->kind == PLUMB_KIND_TOPOGRAPH && in->src != NULL &&
            is_first(r, in, "model of topograph", &first))
            out = plumb_topograph_read(r->session, root_of(r, in->src));
    }
    return out;
}

static bool has_gpus(const struct plumb_node *node)
{
    const struct plumb_node *capacity = plumb_node_path(node, "status/capacity");

    for (uint32_t i = 0; capacity != NULL && capacity->kind == PLUMB_MAPPING && i < capacity->count;
         i++) {
        const char *name = plumb_node_text(capacity->pairs[i].key);
        const char *count = plumb_node_text(capacity->pairs[i].value);

        if (name != NULL && count != NULL && strncmp(name, "nvidia.com/", 11) == 0 &&
            strcmp(count, "0") != 0)
            return true;
    }
    return false;
}

/* Nodes with GPUs that got no place, where others did. */
static void report_unlabelled(struct plumb_run *r, const struct plumb_hostlist *left,
                              const struct plumb_net_places *places)
{
    const struct plumb_net_place *one = NULL;

    for (size_t i = 0; i < places->count && one == NULL; i++)
        one = places->items[i].tier_count > 0 ? &places->items[i] : NULL;
    if (one == NULL || left->count == 0) /* not every machine is in an NVLink domain */
        return;
    plumb_diag_note(
        plumb_net_place_report(r->session, PLUMB_NET_PLACE_UNLABELLED, left->ranges[0].at,
                               "'%s' has GPUs and no label of the network, expected such "
                               "as '%s' has",
                               plumb_hostlist_str(r->session->arena, left), one->hosts.text),
        one->hosts.at, "the first node with them");
}

/* A Node object may be in several groups: by its class, and as it was read. */
static struct plumb_net_places *read_labels(struct plumb_run *r)
{
    struct plumb_session *s = r->session;
    struct plumb_net_places *places = PLUMB_NEW(s->arena, struct plumb_net_places);
    struct plumb_map seen = plumb_map_in(s->arena);
    struct plumb_hostlist *left = PLUMB_NEW(s->arena, struct plumb_hostlist);

    places->source = "the labels of the nodes";
    places->partial = true;
    for (size_t i = 0; r->captures != NULL && i < r->captures->count; i++) {
        const struct plumb_capture_group *g = r->captures->groups[i];

        for (size_t k = 0; k < g->kube_node_count; k++) {
            const struct plumb_node *name = plumb_node_path(g->kube_nodes[k], "metadata/name");
            size_t before = places->count;

            if (plumb_node_text(name) == NULL ||
                plumb_map_get(&seen, plumb_node_text(name)) != NULL)
                continue;
            plumb_map_set(&seen, plumb_node_text(name), places);
            plumb_net_place_of_node(s, places, g->kube_nodes[k]);
            if (places->count == before && has_gpus(g->kube_nodes[k]))
                plumb_fabric_host(s, left, name->scalar.text, name->at);
        }
    }
    report_unlabelled(r, left, places);
    return places;
}

/* "gpu-01" of "captures/gpu-01" or "captures/gpu-01.xml". */
static struct plumb_slice machine_of(struct plumb_session *s, const struct plumb_capture_group *g)
{
    const char *slash = strrchr(g->name, '/');
    const char *name = slash != NULL ? slash + 1 : g->name;
    size_t len = strcspn(name, ".");
    struct plumb_slice out = {.text = plumb_arena_strndup(s->arena, name, len)};

    out.len = (uint32_t)len;
    out.at = (struct plumb_span){g->query->src->id, 0, 0};
    return out;
}

/* The fabric of nvidia-smi -q -x: cluster and clique of each machine, by the name of its folder. */
static struct plumb_net_places *read_cliques(struct plumb_run *r)
{
    struct plumb_session *s = r->session;
    struct plumb_net_places *places = PLUMB_NEW(s->arena, struct plumb_net_places);

    places->source = "the GPUs of the nodes";
    places->partial = true;
    for (size_t i = 0; r->captures != NULL && i < r->captures->count; i++) {
        const struct plumb_capture_group *g = r->captures->groups[i];
        struct plumb_net_place place = {.hosts = {.text = ""}};

        if (g->query == NULL || g->query->cluster.len == 0 || g->builtin)
            continue;
        place.hosts = machine_of(s, g);
        place.domain = g->query->cluster;
        place.domain.text =
            plumb_arena_printf(s->arena, "%s.%s", g->query->cluster.text, g->query->clique.text);
        place.domain.len = (uint32_t)strlen(place.domain.text);
        if (place.hosts.len > 0)
            plumb_net_place_add(s, places, &place);
    }
    return places;
}

static bool has_domains(const struct plumb_net_places *p)
{
    for (size_t i = 0; p != NULL && i < p->count; i++) {
        if (p->items[i].domain.len > 0)
            return true;
    }
    return false;
}

void plumb_pass_read_fabric(struct plumb_run *r)
{
    const struct plumb_net_places *sources[] = {read_models(r), read_labels(r), read_cliques(r)};

    r->fabric = read_ibnet(r);
    for (size_t i = 0; i < PLUMB_COUNT(sources); i++) {
        if (r->fabric == NULL && sources[i] != NULL && sources[i]->count > 0)
            r->fabric = plumb_fabric_of_places(r->session, sources[i]);
        else if (r->fabric != NULL && r->fabric->block_count == 0 && has_domains(sources[i]))
            plumb_fabric_add_blocks(r->session, r->fabric, sources[i]);
    }
    if (r->model != NULL)
        r->model->fabric = r->fabric;
}
