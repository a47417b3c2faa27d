/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What topology.yaml, resources.yaml and namespace.yaml say, beyond the switches, blocks and rings
 * that are units of the model. Values that could not be read are bad, and were reported.
 */
#ifndef PLUMB_MODEL_NESTED_H
#define PLUMB_MODEL_NESTED_H

#include "model/model.h"

/* block_sizes of one topology. */
struct plumb_block_sizes {
    size_t topology;         /* position in the file */
    struct plumb_u64 *items; /* bad: no number above 0 */
    size_t count;
};

/* x, y and z; a key that is not there is 0 for slurmctld. */
struct plumb_dims {
    uint64_t v[3];
    struct plumb_span at;     /* the key, or the mapping that lacks it */
    enum plumb_origin origin; /* absent: not written */
};

/* An entry of placements or regions. */
struct plumb_torus_part {
    struct plumb_dims dims;
    struct plumb_dims anchor; /* of a region; of a placement its anchor_seed */
    struct plumb_dims spacing;
    const struct plumb_hostlist *nodes; /* of a region; NULL: not said, or reported */
    bool bad;                           /* nodes were reported */
    struct plumb_span at;
};

struct plumb_torus {
    size_t topology;
    struct plumb_text name;
    struct plumb_dims dims;
    const struct plumb_hostlist *nodes; /* NULL: not said, or reported */
    struct plumb_span nodes_at;         /* the key; unknown: not said */
    struct plumb_torus_part *placements, *regions;
    size_t placement_count, region_count;
    struct plumb_span regions_at; /* the key; unknown: not said */
    bool bad;                     /* something in it was reported */
};

/* A layer of a hierarchical resource. */
struct plumb_hres_layer {
    const struct plumb_hostlist *nodes; /* NULL: none, or reported */
    struct plumb_u64 count;
    struct plumb_u64 base; /* the sum of its variables; the place of the key */
    struct plumb_span at;
};

struct plumb_hres {
    struct plumb_text name, mode; /* mode: the last word that is known; absent: none */
    struct plumb_text topology;
    bool has_variables;
    struct plumb_hres_layer *layers;
    size_t layer_count;
};

/* A directory that a job gets for itself. */
struct plumb_private_dir {
    struct plumb_text path;
    bool listed; /* of dir_confs, not of dirs */
};

/* defaults of namespace.yaml, or an entry of node_confs. */
struct plumb_namespace {
    bool defaults;
    const struct plumb_hostlist *nodes; /* NULL: of the defaults, or reported */
    struct plumb_text base_path;
    bool has_dirs;
    struct plumb_private_dir *dirs;
    size_t dir_count;
    struct plumb_span at;
};

struct plumb_nested_model {
    struct plumb_block_sizes *sizes;
    size_t size_count;
    struct plumb_torus *toruses;
    size_t torus_count;
    struct plumb_hres *resources;
    size_t resource_count;
    struct plumb_namespace *namespaces; /* as in the file */
    size_t namespace_count;
    struct plumb_span namespace_at; /* of the file; unknown: there is none */
};

#endif
