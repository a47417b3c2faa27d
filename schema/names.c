/* SPDX-License-Identifier: Apache-2.0 */
/* The words that rows may use, and the C names that stand for them (compiler/schema/param.h). */
#include <string.h>

#include "generate.h"

const struct name file_names[] = {
#define PLUMB_FILE_WORD(word, value) {word, #value},
#include "schema/words.def"
    {0},
};

const struct name scope_names[] = {
#define PLUMB_SCOPE_WORD(word, value) {word, #value},
#include "schema/words.def"
    {0},
};

const struct name type_names[] = {
#define PLUMB_TYPE_WORD(word, value) {word, #value},
#include "schema/words.def"
    {0},
};

const struct name life_names[] = {
#define PLUMB_LIFE_WORD(word, value) {word, #value},
#include "schema/words.def"
    {0},
};

const struct name match_names[] = {
#define PLUMB_MATCH_WORD(word, value) {word, #value},
#include "schema/words.def"
    {0},
};

const struct name effect_names[] = {
#define PLUMB_EFFECT_WORD(word, value) {word, #value},
#include "schema/words.def"
    {0},
};

const struct name daemon_names[] = {
#define PLUMB_DAEMON_WORD(word, value) {word, #value},
#include "schema/words.def"
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
    {"knl_cray.conf", "global", "KNLCRAY"},
    {"knl_generic.conf", "global", "KNLGENERIC"},
    {"nonstop.conf", "global", "NONSTOP"},
    {"ext_sensors.conf", "global", "EXTSENSORS"},
    {"topology.yaml", "topology", "TOPOLOGY"},
    {"topology.yaml", "tree", "TREE"},
    {"topology.yaml", "tree.switches", "TREESWITCH"},
    {"topology.yaml", "block-topology", "BLOCKTOPOLOGY"},
    {"topology.yaml", "block.blocks", "BLOCKBLOCK"},
    {"topology.yaml", "flat", "FLAT"},
    {"topology.yaml", "ring-topology", "RINGTOPOLOGY"},
    {"topology.yaml", "ring.rings", "RINGRING"},
    {"topology.yaml", "torus3d", "TORUS3D"},
    {"topology.yaml", "torus3d.toruses", "TORUS"},
    {"topology.yaml", "torus3d.dims", "DIMS"},
    {"topology.yaml", "torus3d.placements", "PLACEMENT"},
    {"topology.yaml", "torus3d.regions", "REGION"},
    {"resources.yaml", "resource", "RESOURCE"},
    {"resources.yaml", "resource.layers", "LAYER"},
    {"resources.yaml", "resource.variables", "VARIABLE"},
    {"namespace.yaml", "global", "NAMESPACE"},
    {"namespace.yaml", "node_confs", "NODECONF"},
    {"namespace.yaml", "namespace-options", "NSOPTION"},
    {"namespace.yaml", "dir_confs", "DIRCONF"},
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
