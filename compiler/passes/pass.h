/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The passes between bytes and outputs. pipeline.c lists them on one screen; each is one
 * file here. A pass whose needs are missing is skipped without a word: whoever failed to
 * give them has reported. Errors in the input do not stop the run.
 */
#ifndef PLUMB_PASSES_PASS_H
#define PLUMB_PASSES_PASS_H

#include "base/session.h"
#include "model/model.h"

/* What is known so far; rules and passes say which they need. */
enum plumb_fact {
    PLUMB_FACT_SOURCES = 1u << 0,  /* inputs sorted into kinds */
    PLUMB_FACT_SPEC = 1u << 1,     /* a specification was read */
    PLUMB_FACT_CONF = 1u << 2,     /* Slurm files were read */
    PLUMB_FACT_CAPTURES = 1u << 3, /* at least one capture was read */
    PLUMB_FACT_MODEL = 1u << 4,    /* names resolved, values typed */
    PLUMB_FACT_HARDWARE = 1u << 5, /* some nodes have a capture tied to them */
    PLUMB_FACT_CHECKED = 1u << 6,  /* rules have run */
    PLUMB_FACT_OUTPUT = 1u << 7,   /* targets have made their documents */
    PLUMB_FACT_JOBS = 1u << 8,     /* at least one job script was read */
    PLUMB_FACT_KUBE = 1u << 9,     /* manifests were read */
    PLUMB_FACT_LIVE = 1u << 10,    /* what a running cluster says was read */
};

/* What the user gave, by kind. */
enum plumb_source_kind {
    PLUMB_KIND_UNKNOWN,
    PLUMB_KIND_SPEC,       /* a mapping with the key plumb: */
    PLUMB_KIND_CONF,       /* a Slurm key=value file */
    PLUMB_KIND_NESTED,     /* a Slurm file in YAML: topology.yaml */
    PLUMB_KIND_PLUGSTACK,  /* plugstack.conf */
    PLUMB_KIND_HWLOC,      /* hwloc XML */
    PLUMB_KIND_SMI_TOPO,   /* nvidia-smi topo -m */
    PLUMB_KIND_SMI_LIST,   /* nvidia-smi -L */
    PLUMB_KIND_SMI_QUERY,  /* nvidia-smi -q -x */
    PLUMB_KIND_MIG_MINORS, /* /proc/driver/nvidia-caps/mig-minors */
    PLUMB_KIND_SLURMD_C,   /* slurmd -C */
    PLUMB_KIND_SLURMD_G,   /* slurmd -G */
    PLUMB_KIND_KUBE,       /* Kubernetes objects, Node among them */
    PLUMB_KIND_VALUES,     /* values of a chart */
    PLUMB_KIND_NCCL,       /* NCCL's XML of a machine, for NCCL_TOPO_FILE */
    PLUMB_KIND_NCCL_DUMP,  /* the same as a capture: NCCL_TOPO_DUMP_FILE */
    PLUMB_KIND_IBSTAT,     /* ibstat */
    PLUMB_KIND_VERBS,      /* /sys/class/infiniband_verbs */
    PLUMB_KIND_IBNET,      /* ibnetdiscover: the switches of the cluster */
    PLUMB_KIND_TOPOGRAPH,  /* a model of topograph: the same, as somebody has written it down */
    PLUMB_KIND_JOB,        /* a job script */
    PLUMB_KIND_ACCOUNTS,   /* sacctmgr and scontrol commands, or a dump of sacctmgr */
    PLUMB_KIND_LIVE,       /* output of scontrol, sinfo or sacctmgr, for drift */
    PLUMB_KIND_LIVE_KUBE,  /* objects as kubectl prints them, for drift */
    PLUMB_KIND_OTHER,      /* known, but nothing to check yet: skipped */
};

struct plumb_input {
    const char *path;  /* to open */
    const char *shown; /* for findings */
    enum plumb_source_kind kind;
    enum plumb_file conf_file; /* for PLUMB_KIND_CONF and PLUMB_KIND_NESTED */
    struct plumb_source *src;
    const char *group; /* folder that holds a capture: names the node or class it was taken on */
    bool listed;       /* named by the user, as opposed to found in a folder */
    struct plumb_live_file *live; /* of PLUMB_KIND_LIVE, once it was read; live/live.h */

    struct plumb_node **documents; /* of manifests, once they were read; syntax/node.h */
    size_t document_count;
    bool was_read;
};

struct plumb_policy;       /* passes/policy.h */
struct plumb_suppressions; /* passes/suppress.h */

struct plumb_run {
    struct plumb_session *session;
    enum plumb_release forced_release; /* --slurm; PLUMB_RELEASE_NONE: as the source says */
    bool upgrading;                    /* --from: an upgrade is looked at */
    enum plumb_release from_release;   /* from which release */
    struct plumb_input *inputs;
    size_t input_count, input_cap;
    unsigned facts;

    struct plumb_spec *spec;                       /* spec/spec.h; NULL */
    struct plumb_conf *conf[PLUMB_FILE_COUNT];     /* conf/conf.h; NULL where there is none */
    struct plumb_nested *nested[PLUMB_FILE_COUNT]; /* conf/nested.h; the same for files in YAML */
    struct plumb_plugstack *plugstack;             /* conf/conf.h; NULL */
    struct plumb_captures *captures;               /* capture/capture.h; NULL */
    struct plumb_fabric *fabric;                   /* model/fabric.h; NULL */
    struct plumb_kube_objects *kube;               /* kube/object.h; NULL */
    struct plumb_kube_releases *kube_releases;     /* the same, as the user says; NULL */
    const struct plumb_kube_object
        *assembled[2];             /* cluster and accounting whose files were put together; NULL */
    enum plumb_release kube_slurm; /* what an image of slurmctld tells; PLUMB_RELEASE_NONE */
    bool drifting;                 /* the source is compared with a running cluster */
    enum plumb_release live_release; /* with LIVE: of the daemons that answered; or NONE */
    struct plumb_model *model;

    const char *reference_dir;     /* topologies/: where built-in references are */
    bool want_outputs;             /* build: run the targets */
    bool force_outputs;            /* although errors were reported */
    const char *targets;           /* comma list; NULL: all */
    struct plumb_outputs *outputs; /* emit/output.h */

    const char *submit_user; /* who submits the job scripts; NULL: not told */
    bool only_jobs;          /* findings about the cluster itself are not asked for */

    const struct plumb_policy *policy;       /* what the caller wants to hear about; NULL: all */
    const char *today;                       /* "2027-01-31", for until=; NULL: nothing expires */
    struct plumb_suppressions *suppressions; /* what the input silences; NULL before its pass */
};

struct plumb_pass {
    const char *name;
    void (*run)(struct plumb_run *r);
    unsigned needs;
    unsigned gives; /* set after the pass has run, unless the pass clears what it failed to give */
};

/* Runs the whole table of pipeline.c. */
void plumb_pipeline_run(struct plumb_run *r);

/* The passes, in order, one file each. They set bits in r->facts themselves where giving depends on
 * the input. */
void plumb_pass_sort_inputs(
    struct plumb_run *r); /* what is each file; folders are walked by the API */
void plumb_pass_read_spec(struct plumb_run *r);
void plumb_pass_read_conf(struct plumb_run *r);
void plumb_pass_read_kube(struct plumb_run *r);     /* manifests -> objects, held against tables */
void plumb_pass_read_captures(struct plumb_run *r); /* also those that the specification names */
void plumb_pass_bind_hardware(struct plumb_run *r); /* captures -> model->hardware */

/* The model of the run; an empty one where no cluster has been read. */
struct plumb_model *plumb_model_of(struct plumb_run *r);
void plumb_pass_read_fabric(
    struct plumb_run *r); /* what tells of the network -> groups of switches */
void plumb_pass_read_nccl(struct plumb_run *r);   /* NCCL topology files -> model */
void plumb_pass_resolve(struct plumb_run *r);     /* specification -> model */
void plumb_pass_lift(struct plumb_run *r);        /* Slurm files -> model */
void plumb_pass_type_values(struct plumb_run *r); /* settings -> typed values, both fronts */
void plumb_pass_attach(struct plumb_run *r);      /* hardware to node lines; names to partitions */
void plumb_pass_derive(
    struct plumb_run *r); /* what a specification leaves to captures: node lines, gres lines */
void plumb_pass_check_conf(
    struct plumb_run *r); /* the table engine over documents that were read */
void plumb_pass_read_accounts(struct plumb_run *r); /* sacctmgr commands -> model->accounts */
void plumb_pass_read_jobs(struct plumb_run *r);     /* job scripts -> model->requests */
void plumb_pass_upgrade(struct plumb_run *r); /* what another release makes of what is not said */
void plumb_pass_rules(struct plumb_run *r);
void plumb_pass_for_nobody(struct plumb_run *r);   /* takes back what no slurmd minds */
void plumb_pass_for_cloud(struct plumb_run *r);    /* slurmctld minds gres.conf of cloud nodes */
void plumb_pass_tell_repeats(struct plumb_run *r); /* findings about node lines that say the same */
void plumb_pass_spell(struct plumb_run *r);        /* findings in the words of a specification */
void plumb_pass_lower(struct plumb_run *r);        /* targets: model -> documents */
void plumb_pass_print(struct plumb_run *r);        /* engine over built documents, then writers */
void plumb_pass_finish(struct plumb_run *r);       /* pages, manifest and map, behind unused */
void plumb_pass_judge_cluster(
    struct plumb_run *r); /* faults that make answers about jobs unsound */
void plumb_pass_render_values(struct plumb_run *r); /* objects that a chart makes of its values */
void plumb_pass_read_embedded(struct plumb_run *r); /* Slurm files within manifests */
void plumb_pass_lift_kube(struct plumb_run *r);     /* objects of manifests -> model->kube */
void plumb_pass_read_live(struct plumb_run *r);     /* what clients of a running cluster printed */
void plumb_pass_lift_live(struct plumb_run *r);     /* the same -> model->live */
void plumb_pass_compare_kube(struct plumb_run *r);  /* objects of a cluster, and of the source */
void plumb_pass_judge_source(struct plumb_run *r);  /* faults that make a comparison unsound */
void plumb_pass_place_views(struct plumb_run *r);   /* findings in them, where they stand */
void plumb_pass_for_kube(struct plumb_run *r);      /* what an operator answers for */
void plumb_pass_suppress(struct plumb_run *r);      /* marks findings that were accepted */
void plumb_pass_unused(struct plumb_run *r);        /* suppressions that silence nothing */

/* An error was found that nobody has accepted: build makes nothing, unless it is forced. */
bool plumb_run_failed(const struct plumb_run *r);

#endif
