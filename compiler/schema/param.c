/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in the parameter table. The rows are generated from schema/slurm/. */
#include "schema/param.h"

#include <string.h>

#include "base/rule.h"
#include "base/text.h"
#include "schema/table.h"
#include "schema/trait.h"

static const struct {
    const char *name;
    unsigned daemons;
    bool yaml;
} files[] = {
    [PLUMB_SLURM_CONF] = {"slurm.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_GRES_CONF] = {"gres.conf", PLUMB_SLURMD, false},
    [PLUMB_SLURMDBD_CONF] = {"slurmdbd.conf", PLUMB_SLURMDBD, false},
    [PLUMB_CGROUP_CONF] = {"cgroup.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_TOPOLOGY_CONF] = {"topology.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_ACCT_GATHER_CONF] = {"acct_gather.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_MPI_CONF] = {"mpi.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_JOB_CONTAINER_CONF] = {"job_container.conf", PLUMB_SLURMD, false},
    [PLUMB_OCI_CONF] = {"oci.conf", PLUMB_SLURMD, false},
    [PLUMB_HELPERS_CONF] = {"helpers.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_BURST_BUFFER_CONF] = {"burst_buffer.conf", PLUMB_SLURMCTLD, false},
    [PLUMB_KNL_CRAY_CONF] = {"knl_cray.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_KNL_GENERIC_CONF] = {"knl_generic.conf", PLUMB_SLURM_ALL, false},
    [PLUMB_NONSTOP_CONF] = {"nonstop.conf", PLUMB_SLURMCTLD, false},
    [PLUMB_EXT_SENSORS_CONF] = {"ext_sensors.conf", PLUMB_SLURMCTLD, false},
    [PLUMB_TOPOLOGY_YAML] = {"topology.yaml", PLUMB_SLURM_ALL, true},
    [PLUMB_RESOURCES_YAML] = {"resources.yaml", PLUMB_SLURMCTLD, true},
    [PLUMB_NAMESPACE_YAML] = {"namespace.yaml", PLUMB_SLURMD, true},
};
_Static_assert(PLUMB_COUNT(files) == PLUMB_FILE_COUNT, "one row per file");

static const char *const scopes[] = {
    [PLUMB_SCOPE_GLOBAL] = "",
    [PLUMB_SCOPE_NODE] = "NodeName",
    [PLUMB_SCOPE_PARTITION] = "PartitionName",
    [PLUMB_SCOPE_DOWNNODES] = "DownNodes",
    [PLUMB_SCOPE_NODESET] = "NodeSet",
    [PLUMB_SCOPE_FRONTEND] = "FrontendName",
    [PLUMB_SCOPE_POWERACTION] = "PowerAction",
    [PLUMB_SCOPE_GRES] = "Name",
    [PLUMB_SCOPE_SWITCH] = "SwitchName",
    [PLUMB_SCOPE_BLOCK] = "BlockName",
    [PLUMB_SCOPE_RING] = "RingName",
    [PLUMB_SCOPE_LINE] = "NodeName",
    [PLUMB_SCOPE_TOPOLOGY] = "an entry of the list",
    [PLUMB_SCOPE_TREE] = "tree",
    [PLUMB_SCOPE_TREE_SWITCHES] = "tree.switches[]",
    [PLUMB_SCOPE_BLOCK_TOPOLOGY] = "block",
    [PLUMB_SCOPE_BLOCK_BLOCKS] = "block.blocks[]",
    [PLUMB_SCOPE_FLAT] = "flat",
    [PLUMB_SCOPE_RING_TOPOLOGY] = "ring",
    [PLUMB_SCOPE_RING_RINGS] = "ring.rings[]",
    [PLUMB_SCOPE_TORUS3D] = "torus3d",
    [PLUMB_SCOPE_TORUSES] = "torus3d.toruses[]",
    [PLUMB_SCOPE_DIMS] = "a mapping of coordinates",
    [PLUMB_SCOPE_PLACEMENTS] = "torus3d.toruses[].placements[]",
    [PLUMB_SCOPE_REGIONS] = "torus3d.toruses[].regions[]",
    [PLUMB_SCOPE_RESOURCE] = "an entry of the list",
    [PLUMB_SCOPE_LAYERS] = "layers[]",
    [PLUMB_SCOPE_VARIABLES] = "variables[] and base[]",
    [PLUMB_SCOPE_NODE_CONFS] = "node_confs[]",
    [PLUMB_SCOPE_OPTIONS] = "defaults and node_confs[].options",
    [PLUMB_SCOPE_DIR_CONFS] = "dir_confs[]",
};
_Static_assert(PLUMB_COUNT(scopes) == PLUMB_SCOPE_COUNT, "one name per scope");

static const char *const types[] = {
    [PLUMB_T_STRING] = "string",
    [PLUMB_T_BOOL] = "boolean",
    [PLUMB_T_U16] = "16-bit number",
    [PLUMB_T_U32] = "32-bit number",
    [PLUMB_T_U64] = "64-bit number",
    [PLUMB_T_LONG] = "number",
    [PLUMB_T_FLOAT] = "decimal number",
    [PLUMB_T_TIME] = "time",
    [PLUMB_T_SUSPEND_TIME] = "seconds",
    [PLUMB_T_PURGE_AGE] = "age",
    [PLUMB_T_PORT_RANGE] = "port or range of ports",
    [PLUMB_T_ENUM] = "word of a set",
    [PLUMB_T_ENUM_LIST] = "list of words of a set",
    [PLUMB_T_WORD_LIST] = "list of words",
    [PLUMB_T_KEY_LIST] = "list of options",
    [PLUMB_T_PLUGIN] = "plugin",
    [PLUMB_T_PLUGIN_LIST] = "list of plugins",
    [PLUMB_T_PATH] = "path",
    [PLUMB_T_PATH_LIST] = "list of absolute paths",
    [PLUMB_T_HOST] = "host",
    [PLUMB_T_HOST_LIST] = "host list",
    [PLUMB_T_CORE_LIST] = "list of cores",
    [PLUMB_T_GRES] = "list of gres",
    [PLUMB_T_LINKS] = "list of link counts",
    [PLUMB_T_COUNT_SUFFIX] = "count",
    [PLUMB_T_TRES_WEIGHTS] = "list of TRES weights",
    [PLUMB_T_TRES_LIST] = "list of TRES",
    [PLUMB_T_PORT_LIST] = "port or list of ports",
    [PLUMB_T_RECORD] = "record",
    [PLUMB_T_MAPPING] = "mapping",
    [PLUMB_T_MAPPINGS] = "list of mappings, or one mapping",
    [PLUMB_T_MAPPING_LIST] = "list of mappings",
    [PLUMB_T_BOOL_OR_MAPPING] = "boolean or mapping",
    [PLUMB_T_INT_LIST] = "list of whole numbers",
};
_Static_assert(PLUMB_COUNT(types) == PLUMB_T_COUNT, "one name per type");

const char *plumb_file_name(enum plumb_file f)
{
    return (unsigned)f < PLUMB_FILE_COUNT ? files[f].name : "";
}

unsigned plumb_file_daemons(enum plumb_file f)
{
    return (unsigned)f < PLUMB_FILE_COUNT ? files[f].daemons : 0;
}

bool plumb_file_is_yaml(enum plumb_file f)
{
    return (unsigned)f < PLUMB_FILE_COUNT && files[f].yaml;
}

enum plumb_file plumb_file_named(const char *name)
{
    /* bb_common.c:bb_load_config reads these where there is no burst_buffer.conf. */
    static const char *const burst_buffer[] = {"burst_buffer_datawarp.conf",
                                               "burst_buffer_lua.conf"};

    for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (strcmp(files[f].name, name) == 0)
            return (enum plumb_file)f;
    }
    for (size_t i = 0; i < PLUMB_COUNT(burst_buffer); i++) {
        if (strcmp(burst_buffer[i], name) == 0)
            return PLUMB_BURST_BUFFER_CONF;
    }
    return PLUMB_FILE_COUNT;
}

unsigned plumb_file_loggers(const struct plumb_table *t, enum plumb_file f, enum plumb_release r)
{
    return f == PLUMB_GRES_CONF && plumb_trait_value(t, r, PLUMB_TRAIT_CONTROLLER_SCANS_GRES_CONF)
               ? PLUMB_SLURMCTLD
               : 0;
}

const char *plumb_scope_name(enum plumb_scope s)
{
    return (unsigned)s < PLUMB_SCOPE_COUNT ? scopes[s] : "";
}

const char *plumb_type_name(enum plumb_type t)
{
    return (unsigned)t < PLUMB_T_COUNT ? types[t] : "";
}

const struct plumb_param *plumb_param(enum plumb_param_id id)
{
    PLUMB_ASSERT((unsigned)id < PLUMB_P_COUNT);
    return &plumb_params[id];
}

/* Orders a name that need not end in NUL against one of the table, without case. */
static int compare(const char *name, size_t len, const char *known)
{
    for (size_t i = 0; i < len; i++) {
        int diff = (unsigned char)plumb_lower(name[i]) - (unsigned char)plumb_lower(known[i]);

        if (diff != 0)
            return diff;
        if (known[i] == '\0') /* the name goes on behind a NUL */
            return 1;
    }
    return known[len] == '\0' ? 0 : -1;
}

static size_t scope_start(enum plumb_file f, unsigned scope)
{
    return plumb_param_starts[(unsigned)f * PLUMB_SCOPE_COUNT + scope];
}

size_t plumb_table_ids(const struct plumb_table *t)
{
    return t == NULL ? PLUMB_P_COUNT : t->id_count;
}

const struct plumb_param *plumb_param_row(const struct plumb_table *t, size_t id)
{
    for (size_t i = 0; t != NULL && i < t->count; i++) {
        if (t->rows[i]->id == id)
            return t->rows[i];
    }
    return id < PLUMB_P_COUNT ? &plumb_params[id] : NULL;
}

static const struct plumb_param *find_built_in(enum plumb_file f, enum plumb_scope scope,
                                               const char *name, size_t len)
{
    size_t low = scope_start(f, scope), high = scope_start(f, (unsigned)scope + 1);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(name, len, plumb_params[middle].name);

        if (order == 0)
            return &plumb_params[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct plumb_param *plumb_param_find(const struct plumb_table *t, enum plumb_file f,
                                           enum plumb_scope scope, const char *name, size_t len)
{
    if ((unsigned)f >= PLUMB_FILE_COUNT || (unsigned)scope >= PLUMB_SCOPE_COUNT)
        return NULL;
    for (size_t i = 0; t != NULL && i < t->count; i++) {
        const struct plumb_param *p = t->rows[i];

        if (p->file == (unsigned)f && p->scope == (unsigned)scope &&
            compare(name, len, p->name) == 0)
            return p;
    }
    return find_built_in(f, scope, name, len);
}

const struct plumb_param *plumb_param_elsewhere(const struct plumb_table *t, const char *name,
                                                size_t len, const struct plumb_param *prev)
{
    size_t i = prev == NULL ? 0 : (size_t)prev->id + 1;

    for (; i < plumb_table_ids(t); i++) {
        const struct plumb_param *p = t == NULL ? &plumb_params[i] : plumb_param_row(t, i);

        if (p != NULL && compare(name, len, p->name) == 0)
            return p;
    }
    return NULL;
}

const struct plumb_param_rev *plumb_param_at(const struct plumb_param *p, enum plumb_release r)
{
    static const struct plumb_param_rev unknown = {.life = PLUMB_LIFE_NONE};
    const struct plumb_param_rev *found = &unknown;

    for (size_t i = 0; i < p->rev_count && p->revs[i].since <= (unsigned)r; i++)
        found = &p->revs[i];
    return found;
}

void plumb_param_span(const struct plumb_param *p, enum plumb_release *first,
                      enum plumb_release *last)
{
    const struct plumb_param_rev *end = &p->revs[p->rev_count - 1];

    *first = *last = PLUMB_RELEASE_NONE;
    for (unsigned r = 0; r < PLUMB_RELEASE_SLOTS; r++) {
        if (plumb_param_at(p, (enum plumb_release)r)->life == PLUMB_LIFE_NONE)
            continue;
        if (*first == PLUMB_RELEASE_NONE)
            *first = (enum plumb_release)r;
        *last = (enum plumb_release)r;
    }
    if (end->life != PLUMB_LIFE_NONE) /* still there: no release to come is told */
        *last = (enum plumb_release)(end->since > PLUMB_RELEASE_NEWEST ? end->since
                                                                       : PLUMB_RELEASE_NEWEST);
}

void plumb_file_span(const struct plumb_table *t, enum plumb_file f, enum plumb_release *first,
                     enum plumb_release *last)
{
    bool open = false;

    *first = *last = PLUMB_RELEASE_NONE;
    for (size_t i = 0; i < plumb_table_ids(t); i++) {
        const struct plumb_param *p = plumb_param_row(t, i);
        enum plumb_release from, to;

        if (p == NULL || p->file != (unsigned)f)
            continue;
        plumb_param_span(p, &from, &to);
        if (from == PLUMB_RELEASE_NONE)
            continue;
        *first = *first == PLUMB_RELEASE_NONE || from < *first ? from : *first;
        *last = *last == PLUMB_RELEASE_NONE || to > *last ? to : *last;
        open = open || p->revs[p->rev_count - 1].life != PLUMB_LIFE_NONE;
    }
    if (open)
        *last = PLUMB_RELEASE_NONE;
}

const struct plumb_value *plumb_param_value(const struct plumb_param *p, const char *word,
                                            size_t len)
{
    for (size_t i = 0; i < p->value_count; i++) {
        const struct plumb_value *v = &p->values[i];
        size_t known = strlen(v->word);

        /* A word that takes a value is found with and without its sign. */
        if (v->takes_value && known == len + 1 && plumb_equal_nocase(v->word, word, len))
            return v;
        if (known == len && plumb_equal_nocase(v->word, word, len))
            return v;
    }
    return NULL;
}

bool plumb_value_there(const struct plumb_value *v, enum plumb_release r)
{
    return !v->gone && v->first <= (unsigned)r && v->last >= (unsigned)r;
}

bool plumb_param_known(const struct plumb_table *t, enum plumb_param_id id, enum plumb_release r)
{
    return plumb_param_at(plumb_param_row(t, id), r)->life != PLUMB_LIFE_NONE;
}

bool plumb_param_word_known(const struct plumb_table *t, enum plumb_param_id id,
                            enum plumb_release r, const char *word)
{
    const struct plumb_param *p = plumb_param_row(t, id);
    size_t len = strlen(word);

    for (size_t i = 0; i < p->value_count; i++) {
        const struct plumb_value *v = &p->values[i];

        if (strlen(v->word) == len && plumb_equal_nocase(v->word, word, len) &&
            plumb_value_there(v, r))
            return true;
    }
    return false;
}

const char *plumb_param_suggest(const struct plumb_table *t, enum plumb_file f,
                                enum plumb_scope scope, enum plumb_release r, const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);

    for (size_t i = 0; i < plumb_table_ids(t); i++) {
        const struct plumb_param *p = t == NULL ? &plumb_params[i] : plumb_param_row(t, i);

        if (p == NULL || p->file != (unsigned)f || p->scope != (unsigned)scope)
            continue;

        unsigned life = plumb_param_at(p, r)->life;

        if (life == PLUMB_LIFE_OK || life == PLUMB_LIFE_DEPRECATED)
            plumb_nearest_offer(&near, p->name);
    }
    return near.best;
}
