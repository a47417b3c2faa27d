/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The audit of a fleet: captures of thousands of machines, grouped into hardware classes, and what
 * the odd ones have that the others do not. doc/design/audit.md tells the order of work:
 *
 *     walk    audit_walk.c      folders and files -> machines
 *     hash    audit_hash.c      bytes -> one key for captures that differ in the host's identity
 * only read    audit_read.c      the first machine of each key, in threads -> a record of facts
 *             audit_facts.c     what of a machine is a fact
 *     classes audit_classes.c   machines of the same facts; the largest of a product is the norm
 *     compare audit_compare.c, audit_links.c, audit_peers.c, audit_absent.c
 *                               each other class against its norm -> findings
 *
 * A record holds text alone, no place of a source and no pointer into a capture: a capture is gone
 * once its record is made, and audit_partial.c writes and reads records as they are.
 */
#ifndef PLUMB_PASSES_AUDIT_H
#define PLUMB_PASSES_AUDIT_H

#include "base/map.h"
#include "base/session.h"
#include "model/hardware.h"

struct plumb_ibstat; /* capture/ibstat.h */

/* What a fact is about. Facts of a record are sorted by kind, then by subject. */
enum plumb_audit_kind {
    PLUMB_AUDIT_SOURCE,     /* subject: "hwloc", "matrix" ...: the capture has one; value "" */
    PLUMB_AUDIT_PROCESSOR,  /* "GenuineIntel family 6 model 143" */
    PLUMB_AUDIT_CPUS,       /* "2x56x2": sockets, cores of each, threads of each core */
    PLUMB_AUDIT_NUMA,       /* nodes with CPUs */
    PLUMB_AUDIT_MEMORY,     /* MiB */
    PLUMB_AUDIT_GPUS,       /* count */
    PLUMB_AUDIT_GPU,        /* subject: its bus id, or "#3" by index; value: the product */
    PLUMB_AUDIT_GPU_SPEED,  /* MB/s of its PCI link */
    PLUMB_AUDIT_GPU_PLACE,  /* NUMA node */
    PLUMB_AUDIT_GPU_MIG,    /* "off", "on", "no instance", "on: 1g.10gb 1g.10gb" */
    PLUMB_AUDIT_LINKS,      /* of a GPU to all GPUs in order: "X NV18 NV18 ..." */
    PLUMB_AUDIT_PEERS,      /* subject: "r #03", kind of access and GPU; value: "OK OK NS X ..." */
    PLUMB_AUDIT_NIC,        /* subject: its bus id; value: PCI ids */
    PLUMB_AUDIT_NIC_SPEED,  /* MB/s of its PCI link */
    PLUMB_AUDIT_NIC_PLACE,  /* NUMA node */
    PLUMB_AUDIT_NIC_NAME,   /* "mlx5_0" */
    PLUMB_AUDIT_PORT_STATE, /* subject: "mlx5_0 port 1"; ibstat: "Active" */
    PLUMB_AUDIT_PORT_RATE,  /* Gb/s */
    PLUMB_AUDIT_KUBE_GPUS,  /* subject: the resource; value: "7 of 8": allocatable, capacity */
    PLUMB_AUDIT_KINDS,
};

extern const char *const plumb_audit_kind_names[PLUMB_AUDIT_KINDS];

struct plumb_audit_fact {
    enum plumb_audit_kind kind;
    uint32_t file; /* of the machine, from 1; 0: no place */
    uint32_t line;
    const char *subject, *value;
};

/* A finding of a reader about the captures of one machine. */
struct plumb_audit_remark {
    const struct plumb_rule *rule;
    enum plumb_severity severity;
    const char *message;
    uint32_t file, line, column; /* file 0: no place */
};

/* What was read of machines that have the same key. */
struct plumb_audit_record {
    struct plumb_audit_fact *facts;
    size_t fact_count, fact_cap;
    struct plumb_audit_remark *remarks;
    size_t remark_count, remark_cap;
    bool holds;      /* it is a machine that can be compared; else it is in no class */
    bool incomplete; /* something could not be read or parsed at all */
    /* Set by the classes: */
    const char *product;
    uint64_t digest;     /* of the facts but memory */
    uint32_t memory;     /* cluster of its memory among those of the product */
    uint64_t memory_low; /* MiB: the least of that cluster */
};

struct plumb_audit_machine {
    const char *name;   /* folder, or file without what tells its kind */
    const char *shown;  /* path for people: of the folder, or of the first file */
    const char *folder; /* to open files; "" when there is none */
    const char *label;  /* folder for people */
    const char **files; /* names in folder, sorted */
    size_t file_count, file_cap;
    bool crowded;     /* it has more files than are read; told */
    bool loose;       /* files named after the machine, as opposed to a folder of its own */
    const char *told; /* the host's name in the captures; NULL */
    uint64_t key[2];  /* equal for captures that differ in the host's identity only */
    struct plumb_audit_record *record;
};

/* Machines of one product that have the same facts. */
struct plumb_audit_class {
    const char *product;
    const struct plumb_audit_record *record; /* of its first machine */
    struct plumb_audit_machine **machines;   /* sorted by name */
    size_t count, cap;
    bool norm;                               /* the largest of its product */
    const struct plumb_audit_class *norm_of; /* the norm of its product */
    uint64_t of;                             /* machines of the product */
};

struct plumb_audit_finding {
    struct plumb_diag *diag;
    const char *hosts; /* folded */
    uint64_t count;
    const char *seen; /* "gpu-017/hwloc.xml:12"; NULL */
    const char *norm; /* the same of the norm's example; NULL */
};

struct plumb_audit {
    struct plumb_session *session;
    enum plumb_release release;
    const char *directory;             /* paths to open start here; NULL */
    struct plumb_string_list problems; /* paths that could not be read */

    struct plumb_audit_machine **machines; /* sorted by name, then path, from the hash on */
    size_t machine_count, machine_cap;
    size_t distinct;           /* keys */
    jmp_buf *jump;             /* where arenas go when memory is out */
    bool out_of_memory;        /* it ran out in a thread */
    struct plumb_arena **kept; /* what the workers have made lives here */
    size_t kept_count, kept_cap;

    struct plumb_audit_class **classes; /* by product in order of its first machine, norm first */
    size_t class_count, class_cap;
    struct plumb_audit_finding *findings;
    size_t finding_count, finding_cap;
};

/* Records in problems why an input, "'path'" or a line of it, was not read. Returns false. */
bool plumb_audit_fail(struct plumb_audit *a, const char *what, const char *why);

/* False: recorded in problems. */
bool plumb_audit_walk(struct plumb_audit *a, const char *path);

/* The key of the machine's files, as they are loaded into src (NULL: unreadable), and told. */
void plumb_audit_hash(struct plumb_arena *keep, struct plumb_audit_machine *m,
                      const struct plumb_source *const *src);

/* The key of all bytes: machines that have the same one have the same keys. */
void plumb_audit_hash_bytes(const struct plumb_audit_machine *m,
                            const struct plumb_source *const *src, uint64_t key[2]);

/* Reads what was walked, with so many threads. The result is the same for any number. */
void plumb_audit_read(struct plumb_audit *a, unsigned threads);

void plumb_audit_sort(struct plumb_audit *a);
void plumb_audit_close(struct plumb_audit *a); /* frees what reading has made */

/* Facts of a machine; file_of: the machine's file by id of a source. */
void plumb_audit_facts(struct plumb_session *s, const struct plumb_hardware *hw,
                       const uint32_t *file_of, struct plumb_audit_record *out);
/* Those of the ports that ibstat shows. */
void plumb_audit_ports(struct plumb_session *s, const struct plumb_ibstat *stat,
                       const uint32_t *file_of, struct plumb_audit_record *out);
void plumb_audit_fact_add(struct plumb_arena *a, struct plumb_audit_record *r,
                          struct plumb_audit_fact fact);
void plumb_audit_facts_sort(struct plumb_audit_record *r);
const struct plumb_audit_fact *plumb_audit_find(const struct plumb_audit_record *r,
                                                enum plumb_audit_kind kind, const char *subject);
/* The first fact of a kind, and how many follow each other. */
const struct plumb_audit_fact *plumb_audit_first(const struct plumb_audit_record *r,
                                                 enum plumb_audit_kind kind, size_t *count);
uint64_t plumb_audit_number(const struct plumb_audit_record *r, enum plumb_audit_kind kind);

/* After reading or merging: one run and merged parts have come to the same here. */
void plumb_audit_classify(struct plumb_audit *a);
void plumb_audit_compare(struct plumb_audit *a);

/* What was read, a JSON document a line; and back. False: recorded in problems. */
void plumb_audit_write(const struct plumb_audit *a, struct plumb_buf *out);
bool plumb_audit_merge(struct plumb_audit *a, const char *path);
bool plumb_audit_merge_text(struct plumb_audit *a, const char *shown,
                            const struct plumb_source *src);

/* "gpu-[001-003]", sorted. */
const char *plumb_audit_fold(struct plumb_arena *a, struct plumb_audit_machine *const *machines,
                             size_t count);

/* "1.5 TiB", "64 GiB" of MiB. */
const char *plumb_audit_size(struct plumb_arena *a, uint64_t mib);
/* "2 sockets of 56 cores with 2 threads" of "2x56x2". */
const char *plumb_audit_cpus(struct plumb_arena *a, const char *value);

/* Shared by the files that compare: one difference of a class, and its norm. */
struct plumb_audit_pair {
    struct plumb_audit *audit;
    const struct plumb_audit_class *odd, *norm;
    struct plumb_map *groups; /* message -> what has it */
    bool places;              /* the NUMA nodes are the same, so that places can be compared */
};

enum plumb_fleet_rule {
    PLUMB_FLEET_NOTHING,
    PLUMB_FLEET_TWICE,
    PLUMB_FLEET_ONE_HOST,
    PLUMB_FLEET_PRODUCT,
    PLUMB_FLEET_CPUS,
    PLUMB_FLEET_NUMA,
    PLUMB_FLEET_MEMORY,
    PLUMB_FLEET_GPUS,
    PLUMB_FLEET_NVLINK,
    PLUMB_FLEET_GPU_SPEED,
    PLUMB_FLEET_NICS,
    PLUMB_FLEET_NIC_SPEED,
    PLUMB_FLEET_PORT,
    PLUMB_FLEET_PLACE,
    PLUMB_FLEET_MIG,
    PLUMB_FLEET_NAME,
    PLUMB_FLEET_ALLOCATABLE,
    PLUMB_FLEET_PARTIAL,
    PLUMB_FLEET_PEERS,
    PLUMB_FLEET_RULE_COUNT,
};
extern const struct plumb_rule plumb_fleet_rows[PLUMB_FLEET_RULE_COUNT];
extern const struct plumb_rule_family plumb_fleet_rules;

/* One difference: machines of p->odd that have it are named together. own, norm: facts with a
 * place; NULL. less: it is worse than the norm, and not only other. */
void plumb_audit_differ(const struct plumb_audit_pair *p, enum plumb_fleet_rule rule, bool less,
                        const struct plumb_audit_fact *own, const struct plumb_audit_fact *norm,
                        const char *fmt, ...) PLUMB_PRINTF(6, 7);
void plumb_audit_compare_links(const struct plumb_audit_pair *p);
/* Peer access, where it does not follow from links that differ. */
void plumb_audit_compare_peers(const struct plumb_audit_pair *p);
/* Facts that only one of the two shows. same_nics: the NICs are the same, so that ports can be
 * compared. */
void plumb_audit_compare_absent(const struct plumb_audit_pair *p, bool same_nics);

#endif
