/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the cluster is. The same model comes out of a specification (passes/resolve.c) and of
 * hand-written Slurm files (passes/lift.c); rules and targets see nothing else.
 *
 * How to read this: a setting is one Slurm parameter with its Slurm text and the place that
 * decided it, whoever wrote it: the user in slurm.conf, a key of the specification, or a
 * default of plumb. Every record (node line, partition line, gres line) is a list of settings
 * too, so that no parameter is lost. Beside the settings stand the typed values that rules
 * compute with; they are read from the settings by one pass (passes/type_values.c) for both
 * fronts, so there is one place that knows what a text means.
 *
 * Only files in passes/ write the model. Everyone else receives it const.
 */
#ifndef PLUMB_MODEL_MODEL_H
#define PLUMB_MODEL_MODEL_H

#include "base/map.h"
#include "model/hardware.h"
#include "model/hostlist.h"
#include "schema/setting.h"

struct plumb_settings {
    struct plumb_setting *items; /* in the order of the file */
    size_t count, cap;
    uint64_t ids; /* a bit for each parameter in items, by id modulo 64 */
};

/*
 * False when the parameter is surely not there: rules ask each of 100,000 records for dozens, and
 * would wait for memory each time.
 */
static inline bool plumb_settings_may_have(const struct plumb_settings *s, unsigned id)
{
    return (s->ids >> (id % 64) & 1) != 0;
}
static inline void plumb_settings_note(struct plumb_settings *s, unsigned id)
{
    s->ids |= UINT64_C(1) << (id % 64);
}

/* The last one with this parameter: it counts. NULL: not set, or bad. */
const struct plumb_setting *plumb_setting(const struct plumb_settings *s, enum plumb_param_id id);

/* For parameters that accumulate: the next one after prev (NULL: the first). */
const struct plumb_setting *plumb_setting_next(const struct plumb_settings *s,
                                               enum plumb_param_id id,
                                               const struct plumb_setting *prev);

/* The setting's place, or the unknown span. */
struct plumb_span plumb_setting_at(const struct plumb_settings *s, enum plumb_param_id id);

/*
 * A number or boolean setting as the daemon of the release reads it: its value, or the table's
 * default (origin defaulted), or bad/absent. Unlimited reads as PLUMB_UNLIMITED.
 */
struct plumb_u64 plumb_setting_u64(const struct plumb_settings *s, enum plumb_param_id id,
                                   enum plumb_release r);
struct plumb_bool plumb_setting_bool(const struct plumb_settings *s, enum plumb_param_id id,
                                     enum plumb_release r);

/* True when a comma list setting holds a word, without case; item may be NULL. */
bool plumb_setting_has_word(const struct plumb_settings *s, enum plumb_param_id id,
                            const char *word, struct plumb_slice *item);

/* One item of NodeName Gres=: name[:type][:no_consume][:count][(S:..)]. */
struct plumb_gres_item {
    const char *name; /* interned */
    const char *type; /* interned; NULL: untyped */
    uint64_t count;
    bool bad;             /* reported: what the daemon makes of it is not what was meant */
    struct plumb_span at; /* the whole item */
    struct plumb_span type_at, count_at; /* parts; of the item where a part is not written */
};

/* One NodeName line, or one node class of a specification. */
struct plumb_nodes {
    const char *class_name;       /* key of the specification; NULL for a conf line */
    struct plumb_hostlist *hosts; /* NULL: bad */
    struct plumb_span at;         /* of the line or of the class's key */
    struct plumb_settings settings;

    struct plumb_u64 cpus, boards, sockets, cores_per_socket,
        threads_per_core; /* as the daemon derives them */
    struct plumb_u64 real_memory_mib;
    struct plumb_gres_item *gres;
    size_t gres_count;
    struct plumb_span gres_at; /* the Gres= value, or the gres section */
    bool cloud;                /* State=CLOUD or FUTURE: no machine yet */
    bool dynamic;              /* registers itself (slurmd -Z): what is not said is measured */
    uint64_t core_threads;     /* CPUSpecList was made of core numbers, this many CPUs each; 0 */

    struct plumb_text ib_hca; /* NCCL_IB_HCA of these nodes; absent: not told */

    const struct plumb_hardware *hardware; /* NULL: no capture is tied to these nodes */
    struct plumb_span hardware_at;         /* the text that ties them */
};

/* Feature, which wins, or Features (read_config.c:_parse_nodename); NULL: neither. */
const struct plumb_setting *plumb_node_features(const struct plumb_nodes *n);

/* One of them is the word; case counts (node_conf.c:list_find_feature). */
bool plumb_node_has_feature(const struct plumb_nodes *n, const struct plumb_slice *word);

/* State holds CLOUD: slurmctld reads what gres.conf says of such a node, as slurmd does. */
bool plumb_in_cloud(const struct plumb_nodes *n);

struct plumb_partition {
    struct plumb_text name;
    struct plumb_span at;
    struct plumb_settings settings;
    struct plumb_hostlist *nodes;  /* node names only, node sets replaced; NULL: none or bad */
    bool all_nodes;                /* Nodes=ALL, or nodes: all */
    struct plumb_slice nodes_text; /* as written */
    struct plumb_u64 max_time_min, default_time_min; /* PLUMB_UNLIMITED; absent when not set */
    struct plumb_bool is_default;
};

struct plumb_nodeset {
    struct plumb_text name;
    struct plumb_settings settings;
    struct plumb_hostlist *nodes; /* from Nodes= and Feature=; NULL: none */
};

/* One line of gres.conf, or one that plumb derives. */
struct plumb_gres_line {
    struct plumb_span at;
    struct plumb_settings settings;
    struct plumb_hostlist *hosts;          /* NULL: every node that reads the file */
    const char *name;                      /* NULL for an AutoDetect line of a node */
    const char *type;                      /* NULL: untyped */
    struct plumb_hostlist *files;          /* device paths of File=; NULL */
    struct plumb_hostlist *multiple_files; /* of MultipleFiles=; NULL */
    struct plumb_u64 count;                /* Count=, else the number of files, else 1 */
    struct plumb_cores cores;
    bool has_cores, cores_bad;
    bool cores_misread; /* CONF020 tells that the daemons read other cores than are written */
    int32_t *links;
    size_t link_count;
    bool has_links, links_bad;
};

/* A NodeName=DEFAULT or PartitionName=DEFAULT line; records below it hold what it says. */
struct plumb_defaults {
    enum plumb_scope scope;
    struct plumb_span at;           /* the word DEFAULT */
    struct plumb_settings settings; /* as written */
    size_t before;                  /* records of this scope above it */
};

struct plumb_host {
    struct plumb_text name;    /* host name */
    struct plumb_text address; /* behind it in parentheses, or address:; absent */
};

/* A SwitchName= or BlockName= line of topology.conf, or its like in topology.yaml. */
struct plumb_topo_unit {
    enum plumb_scope scope; /* PLUMB_SCOPE_SWITCH or PLUMB_SCOPE_BLOCK */
    size_t topology;        /* topology.yaml: which of its topologies; else 0 */
    struct plumb_text name;
    struct plumb_span at;                  /* the line */
    struct plumb_settings settings;        /* empty for topology.yaml */
    const struct plumb_hostlist *nodes;    /* NULL: not said, or reported */
    const struct plumb_hostlist *children; /* Switches=; the same */
    bool bad;                              /* a list of it was reported */
};

/* A cpu element of an NCCL file. */
struct plumb_nccl_cpu {
    struct plumb_u64 numa;      /* numaid; bad also for -1, which names none */
    struct plumb_text affinity; /* as written; absent: NCCL looks itself */
    struct plumb_span at;
};

/* A GPU or NIC of an NCCL file. */
struct plumb_nccl_device {
    struct plumb_text bus_id; /* lower case; absent: reported */
    bool gpu;
    uint32_t cpu;         /* the element of its NUMA node */
    const char *net;      /* name of the first net in it; NULL */
    uint64_t net_mbits;   /* 0: not told */
    struct plumb_span at; /* the element */
};

/* A file that NCCL_TOPO_FILE may name. */
struct plumb_nccl_file {
    struct plumb_nccl_cpu *cpus;
    size_t cpu_count;
    struct plumb_nccl_device *devices;
    size_t device_count;
    size_t rank_count;            /* gpu elements that say of which rank they are */
    struct plumb_span first_rank; /* the first of them */
    struct plumb_span at;         /* the root */
};
struct plumb_fabric;       /* model/fabric.h */
struct plumb_nested_model; /* model/nested.h */
struct plumb_request;      /* model/request.h */
struct plumb_accounts;     /* model/accounts.h */
struct plumb_nccl_env;     /* model/nccl_env.h */
struct plumb_kube_model;   /* model/kube.h */
struct plumb_kube_plan;    /* model/kube_plan.h */
struct plumb_kube_stack;   /* model/kube_stack.h */
struct plumb_live;         /* model/live.h */

/*
 * A record line of job_container.conf or helpers.conf: NodeName=, BasePath=, Feature=, ...; or
 * PowerAction= of slurm.conf.
 */
struct plumb_side_line {
    enum plumb_file file;
    struct plumb_span at;
    struct plumb_settings settings;     /* the key that begins the line first */
    const struct plumb_hostlist *nodes; /* of NodeName=; NULL: every node, or reported */
    bool bad;                           /* its host list was reported */
};

struct plumb_model {
    enum plumb_release release;
    struct plumb_text cluster; /* ClusterName */
    bool from_spec;            /* a specification was read; else hand-written files */
    const char *spec_path;     /* as shown; NULL */

    /* Global settings by file; present tells whether such a file is part of the source. */
    struct plumb_settings settings[PLUMB_FILE_COUNT];
    bool present[PLUMB_FILE_COUNT];
    struct plumb_span
        file_at[PLUMB_FILE_COUNT]; /* first byte of the file, for findings about an absence */
    uint32_t file_mode[PLUMB_FILE_COUNT]; /* permission bits; 0: not from a file system */

    struct plumb_host *controllers; /* SlurmctldHost, the primary first */
    size_t controller_count;
    struct plumb_hostlist *login_hosts; /* NULL */
    struct plumb_bool state_dir_shared; /* said by a specification */

    /* What was reported may hide some: nothing is known from an absence. */
    bool nodes_unread, partitions_unread;
    bool unread[PLUMB_FILE_COUNT]; /* settings of a file may stand where it could not be read */

    struct plumb_nodes *nodes;
    size_t node_count;
    struct plumb_hostlist *all_nodes; /* every node name; never NULL after resolving */
    struct plumb_partition *partitions;
    size_t partition_count;
    struct plumb_nodeset *nodesets;
    size_t nodeset_count;
    struct plumb_gres_line *gres_lines;
    size_t gres_line_count;
    struct plumb_settings *down_nodes; /* DownNodes lines */
    size_t down_node_count;
    struct plumb_defaults *defaults; /* in the order of the file */
    size_t default_count;
    struct plumb_nccl_file *nccl_files;
    size_t nccl_file_count;
    const struct plumb_fabric *fabric;  /* model/fabric.h, as captured; NULL: it was not */
    struct plumb_topo_unit *topo_units; /* in the order of topology.conf */
    size_t topo_unit_count;
    struct plumb_side_line *side_lines; /* in the order of their files */
    size_t side_line_count;
    struct plumb_span
        topology_yaml; /* first byte of a topology.yaml beside the files; unknown: none */
    const struct plumb_nested_model *nested; /* model/nested.h; NULL: no such files were lifted */
    const char **topologies; /* names of those in topology.yaml, in its order; "": without one */
    size_t topology_count;

    const struct plumb_request *requests; /* of job scripts; read-jobs */
    size_t request_count;
    const struct plumb_accounts *accounts; /* what slurmdbd holds; NULL: not told */
    const char *submit_user;               /* who submits; NULL: not told */

    const struct plumb_nccl_env *nccl_env; /* model/nccl_env.h; NULL: not of a specification */

    const struct plumb_kube_model *kube;       /* model/kube.h; NULL: no manifests */
    const struct plumb_kube_plan *kube_said;   /* the same, as manifests say it; NULL: none do */
    const struct plumb_kube_plan *kube_plan;   /* model/kube_plan.h; NULL: none are to be made */
    const struct plumb_kube_stack *kube_stack; /* model/kube_stack.h; NULL: no such section */

    const struct plumb_live *live; /* model/live.h: what the running cluster says; NULL: not told */

    struct plumb_hardware **hardware; /* every machine class that a capture describes */
    size_t hardware_count;
};

static inline const struct plumb_settings *plumb_slurm(const struct plumb_model *m)
{
    return &m->settings[PLUMB_SLURM_CONF];
}

/* The time after which nodes are suspended: of slurm.conf, or of a partition; NULL: none is. */
const struct plumb_setting *plumb_suspend_time(const struct plumb_table *t,
                                               const struct plumb_model *m);
static inline const struct plumb_settings *plumb_dbd(const struct plumb_model *m)
{
    return &m->settings[PLUMB_SLURMDBD_CONF];
}
static inline const struct plumb_settings *plumb_cgroup(const struct plumb_model *m)
{
    return &m->settings[PLUMB_CGROUP_CONF];
}

/* How slurmd counts sockets on these nodes: SlurmdParameters, and node Parameters= from 25.11. */
enum plumb_hw_socket_kind plumb_socket_kind(const struct plumb_model *m,
                                            const struct plumb_nodes *nodes);

/* The gres items of one name added up over a node line; 0 when none. */
uint64_t plumb_gres_total(const struct plumb_nodes *nodes, const char *name);
/* Some item of this name is bad: its count and types are not what was meant. */
bool plumb_gres_bad(const struct plumb_nodes *nodes, const char *name);

/* True when a gres line applies to (some of) these nodes. */
bool plumb_gres_line_applies(struct plumb_arena *a, const struct plumb_gres_line *line,
                             const struct plumb_nodes *nodes);

#endif
