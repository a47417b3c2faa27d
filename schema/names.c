/* SPDX-License-Identifier: Apache-2.0 */
/* The words that rows may use, and the C names that stand for them (compiler/schema/param.h). */
#include <string.h>

#include "generate.h"

const struct name file_names[] = {
    {"slurm.conf", "PLUMB_SLURM_CONF"},
    {"gres.conf", "PLUMB_GRES_CONF"},
    {"slurmdbd.conf", "PLUMB_SLURMDBD_CONF"},
    {"cgroup.conf", "PLUMB_CGROUP_CONF"},
    {"topology.conf", "PLUMB_TOPOLOGY_CONF"},
    {"acct_gather.conf", "PLUMB_ACCT_GATHER_CONF"},
    {"mpi.conf", "PLUMB_MPI_CONF"},
    {"job_container.conf", "PLUMB_JOB_CONTAINER_CONF"},
    {"oci.conf", "PLUMB_OCI_CONF"},
    {"helpers.conf", "PLUMB_HELPERS_CONF"},
    {"burst_buffer.conf", "PLUMB_BURST_BUFFER_CONF"},
    {0},
};

const struct name scope_names[] = {
    {"global", "PLUMB_SCOPE_GLOBAL"},
    {"node", "PLUMB_SCOPE_NODE"},
    {"partition", "PLUMB_SCOPE_PARTITION"},
    {"downnodes", "PLUMB_SCOPE_DOWNNODES"},
    {"nodeset", "PLUMB_SCOPE_NODESET"},
    {"frontend", "PLUMB_SCOPE_FRONTEND"},
    {"poweraction", "PLUMB_SCOPE_POWERACTION"},
    {"gres", "PLUMB_SCOPE_GRES"},
    {"switch", "PLUMB_SCOPE_SWITCH"},
    {"block", "PLUMB_SCOPE_BLOCK"},
    {"ring", "PLUMB_SCOPE_RING"},
    {"line", "PLUMB_SCOPE_LINE"},
    {0},
};

const struct name type_names[] = {
    {"string", "PLUMB_T_STRING"},
    {"bool", "PLUMB_T_BOOL"},
    {"u16", "PLUMB_T_U16"},
    {"u32", "PLUMB_T_U32"},
    {"u64", "PLUMB_T_U64"},
    {"long", "PLUMB_T_LONG"},
    {"float", "PLUMB_T_FLOAT"},
    {"time", "PLUMB_T_TIME"},
    {"suspend-time", "PLUMB_T_SUSPEND_TIME"},
    {"purge-age", "PLUMB_T_PURGE_AGE"},
    {"port-range", "PLUMB_T_PORT_RANGE"},
    {"enum", "PLUMB_T_ENUM"},
    {"enum-list", "PLUMB_T_ENUM_LIST"},
    {"word-list", "PLUMB_T_WORD_LIST"},
    {"key-list", "PLUMB_T_KEY_LIST"},
    {"plugin", "PLUMB_T_PLUGIN"},
    {"plugin-list", "PLUMB_T_PLUGIN_LIST"},
    {"path", "PLUMB_T_PATH"},
    {"path-list", "PLUMB_T_PATH_LIST"},
    {"host", "PLUMB_T_HOST"},
    {"host-list", "PLUMB_T_HOST_LIST"},
    {"core-list", "PLUMB_T_CORE_LIST"},
    {"gres", "PLUMB_T_GRES"},
    {"links", "PLUMB_T_LINKS"},
    {"count", "PLUMB_T_COUNT_SUFFIX"},
    {"tres-weights", "PLUMB_T_TRES_WEIGHTS"},
    {"tres-list", "PLUMB_T_TRES_LIST"},
    {"port-list", "PLUMB_T_PORT_LIST"},
    {"record", "PLUMB_T_RECORD"},
    {0},
};

const struct name life_names[] = {
    {"none", "PLUMB_LIFE_NONE"},
    {"ok", "PLUMB_LIFE_OK"},
    {"deprecated", "PLUMB_LIFE_DEPRECATED"},
    {"renamed", "PLUMB_LIFE_RENAMED"},
    {"defunct", "PLUMB_LIFE_DEFUNCT"},
    {"ignored", "PLUMB_LIFE_IGNORED"},
    {"fatal", "PLUMB_LIFE_FATAL"},
    {0},
};

const struct name match_names[] = {
    {"nocase", "PLUMB_MATCH_NOCASE"},
    {"case", "PLUMB_MATCH_CASE"},
    {"prefix", "PLUMB_MATCH_PREFIX"},
    {0},
};

const struct name effect_names[] = {
    {"none", "PLUMB_EFFECT_NONE"},           {"ignored", "PLUMB_EFFECT_IGNORED"},
    {"complains", "PLUMB_EFFECT_COMPLAINS"}, {"drains", "PLUMB_EFFECT_DRAINS"},
    {"stops", "PLUMB_EFFECT_STOPS"},         {0},
};

const struct name daemon_names[] = {
    {"slurmctld", "PLUMB_SLURMCTLD"},
    {"slurmd", "PLUMB_SLURMD"},
    {"slurmdbd", "PLUMB_SLURMDBD"},
    {0},
};

static const struct {
    const char *file, *scope, *prefix;
} prefixes[] = {
    {"slurm.conf", "global", "SLURM"},
    {"slurm.conf", "node", "NODE"},
    {"slurm.conf", "partition", "PART"},
    {"slurm.conf", "downnodes", "DOWN"},
    {"slurm.conf", "nodeset", "NODESET"},
    {"slurm.conf", "frontend", "FRONTEND"},
    {"slurm.conf", "poweraction", "POWER"},
    {"gres.conf", "global", "GRESGLOBAL"},
    {"gres.conf", "gres", "GRES"},
    {"slurmdbd.conf", "global", "DBD"},
    {"cgroup.conf", "global", "CGROUP"},
    {"topology.conf", "global", "TOPO"},
    {"topology.conf", "switch", "SWITCH"},
    {"topology.conf", "block", "BLOCK"},
    {"topology.conf", "ring", "RING"},
    {"acct_gather.conf", "global", "ACCTGATHER"},
    {"mpi.conf", "global", "MPI"},
    {"job_container.conf", "global", "JOBCONTAINER"},
    {"job_container.conf", "line", "JOBCONTAINERLINE"},
    {"oci.conf", "global", "OCI"},
    {"helpers.conf", "global", "HELPERS"},
    {"helpers.conf", "line", "HELPERSLINE"},
    {"burst_buffer.conf", "global", "BURSTBUFFER"},
};

int name_find(const struct name *table, const char *word)
{
    for (int i = 0; table[i].word != NULL; i++)
        if (strcmp(table[i].word, word) == 0)
            return i;
    return -1;
}

const char *id_prefix(const char *file, const char *scope)
{
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (strcmp(prefixes[i].file, file) == 0 && strcmp(prefixes[i].scope, scope) == 0)
            return prefixes[i].prefix;
    return NULL;
}
