/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about generic resources: their rows. What they look for on its own is in gres_items.c,
 * Gres= against gres.conf in gres_match.c. Whether a key exists in a release is a row of the
 * table, no rule.
 */
#include <string.h>

#include "base/text.h"
#include "rules/gres_items.h"
#include "rules/gres_match.h"

static const bool yes = true;

#define MATCH(which) .needs = PLUMB_FACT_MODEL, .run = plumb_gres_match_run, .data = &(which)

/* Products whose name cannot be a site's own word for something else. */
static const char *const products[] = {"v100", "a100", "a800", "h100", "h200", "h800",
                                       "b200", "b300", "l40s", "a40",  "t4",   "l4"};

static bool names_product(const char *type, const char *product)
{
    size_t len = strlen(product);

    return plumb_equal_nocase(type, product, len) &&
           (type[len] == '\0' || type[len] == '_' || type[len] == '-');
}

/* The product that the type names and the capture lacks; NULL. */
static const char *other_product(const struct plumb_hardware *hw, const char *type)
{
    for (size_t p = 0; p < PLUMB_COUNT(products); p++) {
        struct plumb_slice model = {0};
        bool some = false;

        if (strlen(type) < strlen(products[p]) || !names_product(type, products[p]))
            continue;
        for (size_t i = 0; i < hw->gpu_count && !some; i++) {
            model.text = hw->gpus[i].model;
            model.len = model.text == NULL ? 0 : (uint32_t)strlen(model.text);
            some = model.text == NULL || plumb_slice_holds(&model, products[p]);
        }
        return some ? NULL : products[p];
    }
    return NULL;
}

/* GRES032: without AutoDetect no daemon looks. */
static void other_model(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);

    for (size_t v = 0; v < views.count; v++) {
        const struct plumb_nodes *n = views.items[v].nodes;

        if (n->hardware == NULL || n->hardware->gpu_count == 0 ||
            plumb_autodetects(ck, &views.items[v]) || (v > 0 && views.items[v - 1].nodes == n))
            continue;
        for (size_t g = 0; g < n->gres_count; g++) {
            const struct plumb_gres_item *item = &n->gres[g];

            if (strcmp(item->name, "gpu") != 0 || item->type == NULL ||
                other_product(n->hardware, item->type) == NULL)
                continue;
            plumb_diag_note(
                plumb_report(ck, plumb_gres_type_place(item),
                             "type '%s' names another product than the '%s' of the capture, "
                             "expected the same",
                             item->type, n->hardware->gpus[0].model),
                n->hardware->gpus[0].at, "the first GPU of the capture");
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES001",
        .name = "gres-not-in-types",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "Gres= of a node names a GRES that GresTypes lacks",
        .why = "The node has no such resource, and every request for it is refused.",
        .ref = "slurm.conf(5), GresTypes; gres.c:gres_name_filter",
        .bad = "GresTypes=nvme\n"
               "NodeName=g Gres=gpu:8",
        .good = "GresTypes=nvme,gpu\n"
                "NodeName=g Gres=gpu:8",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_not_in_types,
    },
    {
        .code = "GRES002",
        .name = "gres-conf-not-in-types",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMD),
        .summary = "a line of gres.conf names a GRES that GresTypes lacks",
        .why = "The line is dropped.",
        .ref = "gres.conf(5), Name; gres.c:_parse_gres_config",
        .bad = "GresTypes=gpu\n"
               "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1]\n"
               "Name=nvme File=/dev/nvme0n1",
        .good = "GresTypes=gpu,nvme\n"
                "NodeName=g Gres=gpu:2,nvme:1\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1]\n"
                "Name=nvme File=/dev/nvme0n1",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_conf_not_in_types,
    },
    {
        .code = "GRES003",
        .name = "gpu-count",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "the declared number of GPUs differs from the capture",
        .why = "A node that registers fewer GPUs than declared is drained; GPUs that are not "
               "declared are never used.",
        .ref = "slurm.conf(5), Gres; gres.c:_node_config_validate",
        .bad = "NodeName=g Gres=gpu:4\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
               "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)",
        .good = "NodeName=g Gres=gpu:2\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_gres_gpu_count,
    },
    {
        .code = "GRES004",
        .name = "gres-conf-fewer",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "gres.conf gives fewer devices than Gres= declares",
        .why = "The node registers fewer than configured and is drained.",
        .ref = "gres.conf(5), File; gres.c:_node_config_validate",
        .bad = "NodeName=g Gres=gpu:8\n# gres.conf\nName=gpu File=/dev/nvidia[0-3]",
        .good = "NodeName=g Gres=gpu:8\n# gres.conf\nName=gpu File=/dev/nvidia[0-7]",
        MATCH(plumb_match_fewer),
    },
    {
        .code = "GRES005",
        .name = "gres-conf-more",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "gres.conf gives more devices than Gres= declares",
        .why = "The surplus is never used.",
        .ref = "gres.conf(5), Count; gres.c:_merge_gres2",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-3]",
        .good = "NodeName=g Gres=gpu:4\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-3]",
        MATCH(plumb_match_more),
    },
    {
        .code = "GRES006",
        .name = "gres-type-differs",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Gres= declares a type that gres.conf does not give",
        .why = "The node registers none of that type and is drained.",
        .ref = "gres.conf(5), Type; gres.c:_merge_gres2, _valid_gres_type",
        .bad = "NodeName=g Gres=gpu:h100:8\n# gres.conf\nName=gpu Type=h200 File=/dev/nvidia[0-7]",
        .good = "NodeName=g Gres=gpu:h100:8\n# gres.conf\nName=gpu Type=h100 File=/dev/nvidia[0-7]",
        MATCH(plumb_match_type),
    },
    {
        .code = "GRES007",
        .name = "gres-type-undeclared",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "gres.conf gives a type, Gres= declares none",
        .why = "The type is dropped: jobs cannot ask for it.",
        .ref = "gres.conf(5), Type; gres.c:_match_type",
        .bad = "GresTypes=nvme\n"
               "NodeName=g Gres=nvme:1\n"
               "# gres.conf\n"
               "Name=nvme Type=local File=/dev/nvme0n1",
        .good = "GresTypes=nvme\n"
                "NodeName=g Gres=nvme:local:1\n"
                "# gres.conf\n"
                "Name=nvme Type=local File=/dev/nvme0n1",
        MATCH(plumb_match_untyped),
    },
    {
        .code = "GRES008",
        .name = "gres-mixed-types",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "Gres= mixes entries with and without a type",
        .why = "slurmd cannot tell which devices are meant, and ends.",
        .ref = "slurm.conf(5), Gres; gres.c:_foreach_slurm_conf",
        .bad = "NodeName=g Gres=gpu:h100:4,gpu:4",
        .good = "NodeName=g Gres=gpu:h100:4,gpu:h200:4",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_mixed_items,
    },
    {
        .code = "GRES009",
        .name = "gres-conf-mixed-files",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "some lines of one GRES have File, some have none",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), File; gres.c:_foreach_gres_conf",
        .bad = "NodeName=g Gres=gpu:4\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1]\n"
               "Name=gpu Count=2",
        .good = "NodeName=g Gres=gpu:4\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1]\n"
                "Name=gpu File=/dev/nvidia[2-3]",
        MATCH(plumb_match_mixed_files),
    },
    {
        .code = "GRES010",
        .name = "gres-conf-mixed-types",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "some lines of one GRES have Type, some have none",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), Type; gres.c:_foreach_gres_conf",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0\n"
               "Name=gpu Type=h100 File=/dev/nvidia1",
        .good = "NodeName=g Gres=gpu:h100:2\n"
                "# gres.conf\n"
                "Name=gpu Type=h100 File=/dev/nvidia0\n"
                "Name=gpu Type=h100 File=/dev/nvidia1",
        MATCH(plumb_match_mixed_types),
    },
    {
        .code = "GRES011",
        .name = "gres-conf-duplicate",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "two lines of one GRES have neither File nor Type",
        .why = "slurmd cannot tell them apart, and ends.",
        .ref = "gres.conf(5); gres.c:_foreach_gres_conf",
        .bad = "AutoDetect=nvml\nName=gpu\nName=gpu",
        .good = "AutoDetect=nvml",
        MATCH(plumb_match_duplicate),
    },
    {
        .code = "GRES012",
        .name = "gres-count-files",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "Count is not the number of files",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), Count; gres.c:_parse_gres_config",
        .bad = "Name=gpu Count=4 File=/dev/nvidia[0-7]",
        .good = "Name=gpu File=/dev/nvidia[0-7]",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_count_of_files,
    },
    {
        .code = "GRES013",
        .name = "file-and-multiple-files",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "File beside MultipleFiles",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), MultipleFiles; gres.c:_parse_gres_config",
        .bad = "NodeName=g Gres=gpu:1\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap1",
        .good = "NodeName=g Gres=gpu:1\n"
                "# gres.conf\n"
                "Name=gpu MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap1",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_multiple_files,
    },
    {
        .code = "GRES014",
        .name = "multiple-files-few",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "MultipleFiles with one file",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), MultipleFiles; gres.c:_parse_gres_config",
        .bad = "NodeName=g Gres=gpu:1\n"
               "# gres.conf\n"
               "Name=gpu MultipleFiles=/dev/nvidia0",
        .good = "NodeName=g Gres=gpu:1\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_multiple_files,
        .data = &yes,
    },
    {
        .code = "GRES015",
        .name = "gpu-without-file",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "a gpu line without File",
        .why = "A GPU needs its device file: the record is dropped and the node is drained.",
        .ref = "gres.conf(5), File; gres_gpu.c",
        .bad = "NodeName=g Gres=gpu:a100:4\n"
               "# gres.conf\n"
               "Name=gpu Type=a100 Count=4",
        .good = "NodeName=g Gres=gpu:a100:4\n"
                "# gres.conf\n"
                "Name=gpu Type=a100 File=/dev/nvidia[0-3]",
        MATCH(plumb_match_fileless),
    },
    {
        .code = "GRES016",
        .name = "gres-conf-misses-node",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "nodes declare GPUs, no line of gres.conf is for them",
        .why = "The node registers no GPU and is drained.",
        .ref = "gres.conf(5), NodeName; gres.c:_parse_gres_config_node",
        .bad = "NodeName=g[1-4] Gres=gpu:2\n"
               "# gres.conf\n"
               "NodeName=g[1-2] Name=gpu File=/dev/nvidia[0-1]",
        .good = "NodeName=g[1-4] Gres=gpu:2\n"
                "# gres.conf\n"
                "NodeName=g[1-4] Name=gpu File=/dev/nvidia[0-1]",
        MATCH(plumb_match_none),
    },
    {
        .code = "GRES017",
        .name = "device-file-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "two lines of one node have the same device file",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), File; gres.c:_parse_gres_config",
        .bad = "GresTypes=fpga\n"
               "NodeName=g Gres=fpga:2\n"
               "# gres.conf\n"
               "Name=fpga File=/dev/fpga0\n"
               "Name=fpga File=/dev/fpga0",
        .good = "GresTypes=fpga\n"
                "NodeName=g Gres=fpga:2\n"
                "# gres.conf\n"
                "Name=fpga File=/dev/fpga0\n"
                "Name=fpga File=/dev/fpga1",
        MATCH(plumb_match_file_twice),
    },
    {
        .code = "GRES018",
        .name = "shared-needs-gpu-type",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "GresTypes has mps or shard without gpu",
        .why = "Both daemons end.",
        .ref = "slurm.conf(5), GresTypes; gres.c:gres_init",
        .bad = "GresTypes=shard",
        .good = "GresTypes=gpu,shard",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_shared_types,
    },
    {
        .code = "GRES019",
        .name = "shared-needs-cons-tres",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "mps or shard without select/cons_tres",
        .why = "slurmctld ends.",
        .ref = "gres.conf(5); gres.c:gres_init",
        .bad = "GresTypes=gpu,mps\n"
               "SelectType=select/linear\n"
               "SelectTypeParameters=CR_Memory",
        .good = "GresTypes=gpu,mps\n"
                "SelectType=select/cons_tres",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_shared_types,
        .data = &yes,
    },
    {
        .code = "GRES020",
        .name = "shared-needs-gpu",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "a node has mps or shard but no GPU",
        .why = "The shares are dropped.",
        .ref = "gres.conf(5); gres_c_s.c",
        .bad = "GresTypes=gpu,shard\n"
               "NodeName=g Gres=shard:8",
        .good = "GresTypes=gpu,shard\n"
                "NodeName=g Gres=gpu:1,shard:8\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0\n"
                "Name=shard Count=8",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_shared_without_gpu,
    },
    {
        .code = "GRES021",
        .name = "gres-types-twice",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "GresTypes names a GRES twice",
        .why = "The second one is dropped.",
        .ref = "slurm.conf(5), GresTypes; gres.c:gres_init",
        .bad = "GresTypes=gpu,nvme,gpu",
        .good = "GresTypes=gpu,nvme",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_types_twice,
    },
    {
        .code = "GRES022",
        .name = "autodetect-on-name-line",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMD),
        .summary = "AutoDetect on a line that begins with Name",
        .why = "The key is dropped: nothing is detected.",
        .ref = "gres.conf(5), AutoDetect; gres.c:_parse_gres_config",
        .bad = "Name=gpu AutoDetect=nvml",
        .good = "AutoDetect=nvml",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_autodetect_beside_name,
    },
    {
        .code = "GRES045",
        .name = "gres-line-without-name",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMD),
        .summary = "a line of gres.conf for nodes has no Name",
        .why = "slurmd cannot tell what the line describes, and drops it.",
        .ref = "gres.conf(5), Name; gres.c:_parse_gres_config",
        .bad = "NodeName=n[1-2] Gres=gpu:4\n"
               "# gres.conf\n"
               "NodeName=n[1-2] File=/dev/nvidia[0-3]",
        .good = "NodeName=n[1-2] Gres=gpu:4\n"
                "# gres.conf\n"
                "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_nameless,
    },
    {
        .code = "GRES023",
        .name = "autodetect-cloud",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AutoDetect for nodes that do not exist yet",
        .why = "slurmctld needs the GPUs of a cloud node before the node exists.",
        .ref = "gres.conf(5), DESCRIPTION; gres.c:gres_g_node_config_load",
        .bad = "NodeName=cg[01-08] CPUs=8 Gres=gpu:l4:1 State=CLOUD\n"
               "# gres.conf\n"
               "AutoDetect=nvml",
        .good = "NodeName=cg[01-08] CPUs=8 Gres=gpu:l4:1 State=CLOUD\n"
                "# gres.conf\n"
                "NodeName=cg[01-08] Name=gpu Type=l4 File=/dev/nvidia0",
        MATCH(plumb_match_cloud),
    },
    {
        .code = "GRES024",
        .name = "devices-without-nodename",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "a line with devices is for every node, some nodes have none",
        .why = "slurmd of a node without the device waits for it and ends, when this file is "
               "shipped to every node.",
        .ref = "gres.conf(5), NodeName; gres.c:_validate_file",
        .bad = "NodeName=g[01-02] Gres=gpu:4\n"
               "NodeName=c[01-02]\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-3]",
        .good = "NodeName=g[01-02] Gres=gpu:4\n"
                "NodeName=c[01-02]\n"
                "# gres.conf\n"
                "NodeName=g[01-02] Name=gpu File=/dev/nvidia[0-3]",
        MATCH(plumb_match_not_wanted),
    },
    {
        .code = "GRES025",
        .name = "gpus-not-declared",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "AutoDetect and GresTypes=gpu, but no node declares a GPU",
        .why = "Detected GPUs are ignored.",
        .ref = "slurm.conf(5), Gres; gres_gpu.c:_merge_system_gres_conf",
        .bad = "GresTypes=gpu\n"
               "NodeName=g CPUs=64\n"
               "# gres.conf\n"
               "AutoDetect=nvml",
        .good = "GresTypes=gpu\n"
                "NodeName=g CPUs=64 Gres=gpu:8\n"
                "# gres.conf\n"
                "AutoDetect=nvml",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_undeclared,
    },
    {
        .code = "GRES026",
        .name = "gres-conf-unknown-node",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "gres.conf describes a node that does not exist",
        .why = "The line is for nobody: perhaps a name is misspelt.",
        .ref = "gres.conf(5), NodeName; gres.c:_parse_gres_config_node",
        .bad = "NodeName=g[1-4] Gres=gpu:2\n"
               "# gres.conf\n"
               "NodeName=g[1-5] Name=gpu File=/dev/nvidia[0-1]",
        .good = "NodeName=g[1-4] Gres=gpu:2\n"
                "# gres.conf\n"
                "NodeName=g[1-4] Name=gpu File=/dev/nvidia[0-1]",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_unknown_nodes,
    },
    {
        .code = "GRES027",
        .name = "gpu-type-product",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "the type is no part of the product name that AutoDetect finds",
        .why = "Detected GPUs stay unmatched, the node registers none and is drained.",
        .ref = "gres.conf(5), AutoDetect, Type; gres_gpu.c",
        .bad = "NodeName=g Gres=gpu:h100:1\n"
               "# gres.conf\n"
               "AutoDetect=nvml\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .good = "NodeName=g Gres=gpu:h200:1\n"
                "# gres.conf\n"
                "AutoDetect=nvml\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_gres_match_run,
        .data = &plumb_match_product,
    },
    {
        .code = "GRES032",
        .name = "gpu-type-other-model",
        .severity = PLUMB_WARNING,
        .summary = "the type names another product than the captured GPUs",
        .why = "No daemon looks without AutoDetect: jobs that ask for one product get the other.",
        .ref = "gres.conf(5), Type",
        .bad = "NodeName=g Gres=gpu:h100:1\n"
               "# gres.conf\n"
               "Name=gpu Type=h100 File=/dev/nvidia0\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .good = "NodeName=g Gres=gpu:h200:1\n"
                "# gres.conf\n"
                "Name=gpu Type=h200 File=/dev/nvidia0\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = other_model,
    },
    {
        .code = "GRES028",
        .name = "gpu-allocatable",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "more GPUs are declared than Kubernetes can allocate",
        .why = "The pod of the node gets fewer GPUs, registers fewer than configured and is "
               "drained; or it is never scheduled.",
        .ref = "slurm.conf(5), Gres; Node status.allocatable",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
               "# node.json\n"
               "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\"},\n"
               " \"status\": {\"allocatable\": {\"nvidia.com/gpu\": \"3\"}}}",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
                "# node.json\n"
                "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"g\"},\n"
                " \"status\": {\"allocatable\": {\"nvidia.com/gpu\": \"4\"}}}",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_gres_allocatable,
    },
    {
        .code = "GRES029",
        .name = "gres-env-flags",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "Flags no_gpu_env beside a flag that sets a variable",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), Flags; gres.c:_parse_gres_config",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1] Flags=no_gpu_env,nvidia_gpu_env",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1] Flags=nvidia_gpu_env",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_env_flags,
    },
    {
        .code = "GRES030",
        .name = "gpu-files-beyond-capture",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "gres.conf names more device files than the captured machine has",
        .why = "slurmd waits 20 seconds for the missing file, and ends.",
        .ref = "gres.conf(5), File; gres.c:_validate_file",
        .bad = "NodeName=g Gres=gpu:1\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1]\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .good = "NodeName=g Gres=gpu:1\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_gres_match_run,
        .data = &plumb_match_beyond,
    },
    {
        .code = "GRES033",
        .name = "autodetect-two-values",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "two lines of gres.conf give one node different AutoDetect values",
        .why = "slurmd of that node ends.",
        .ref = "gres.conf(5), AutoDetect; gres.c:_handle_local_autodetect",
        .bad = "NodeName=g Gres=gpu:8\n"
               "# gres.conf\n"
               "NodeName=g AutoDetect=off\n"
               "NodeName=g AutoDetect=nvml",
        .good = "NodeName=g Gres=gpu:8\n"
                "# gres.conf\n"
                "NodeName=g AutoDetect=nvml",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_two_autodetects,
    },
    {
        .code = "GRES034",
        .name = "shared-gres-fewer",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "gres.conf counts fewer mps or shard than the node declares",
        .why = "The rest becomes a record without File beside the others, and slurmd ends.",
        .ref = "gres.conf(5), Count; gres_c_s.c:_build_shared_list",
        .bad = "GresTypes=gpu,shard\n"
               "NodeName=g Gres=gpu:2,shard:8\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1]\n"
               "Name=shard Count=4",
        .good = "GresTypes=gpu,shard\n"
                "NodeName=g Gres=gpu:2,shard:8\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1]\n"
                "Name=shard Count=8",
        MATCH(plumb_match_shared_fewer),
    },
    {
        .code = "GRES035",
        .name = "shared-file-no-gpu",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMD),
        .summary = "File of mps or shard is no File of a GPU",
        .why = "slurmd drops that share.",
        .ref = "gres.conf(5), File; gres_c_s.c",
        .bad = "GresTypes=gpu,shard\n"
               "NodeName=g Gres=gpu:1,shard:4\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0\n"
               "Name=shard Count=4 File=/dev/nvidia1",
        .good = "GresTypes=gpu,shard\n"
                "NodeName=g Gres=gpu:1,shard:4\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0\n"
                "Name=shard Count=4 File=/dev/nvidia0",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_shared_files,
    },
    {
        .code = "GRES036",
        .name = "gres-file-relative",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "File of gres.conf is no path from the root on",
        .why =
            "slurmd takes it and looks in the directory it runs in: '/' with most service files, "
            "that of its log when it was started by hand.",
        .ref = "gres.conf(5), File; gres.c:_validate_file",
        .bad = "NodeName=g Gres=gpu:1\n"
               "# gres.conf\n"
               "Name=gpu File=nvidia0",
        .good = "NodeName=g Gres=gpu:1\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_gres_relative_files,
    },
};

const struct plumb_rule_family plumb_gres_rules = {
    .prefix = "GRES",
    .title = "Generic resources",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
