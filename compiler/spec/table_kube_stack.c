/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of kubernetes beside the objects of a flavor: GPU operator, secrets, change of keys. */
#include "spec/table.h"

static const struct plumb_spec_key gpu_operator_keys[] = {
    {
        .name = "namespace",
        .kind = PLUMB_K_NAME,
        .def = "gpu-operator",
        .doc = "namespace of NVIDIA's GPU operator",
        .example = "gpu-operator",
    },
    {
        .name = "release",
        .kind = PLUMB_K_TEXT,
        .doc = "release of its chart; without it the newest that plumb knows",
        .example = "\"26.7.0\"",
    },
    {
        .name = "driver",
        .kind = PLUMB_K_BOOL,
        .doc = "whether the operator installs the driver",
        .why = "false where the image of the machines has it",
        .example = "false",
    },
    {
        .name = "toolkit",
        .kind = PLUMB_K_BOOL,
        .doc = "whether the operator installs the container toolkit",
        .example = "true",
    },
};

const struct plumb_spec_table plumb_spec_gpu_operator = {
    .title = "gpu_operator", .keys = gpu_operator_keys, .count = PLUMB_COUNT(gpu_operator_keys)};

static const struct plumb_spec_word style_words[] = {
    {.name = "by_hand"}, {.name = "external-secrets"}, {.name = "sealed-secrets"}, {0}};

static const struct plumb_spec_word store_words[] = {
    {.name = "ClusterSecretStore"}, {.name = "SecretStore"}, {0}};

static const struct plumb_spec_key gitops_keys[] = {
    {
        .name = "secrets",
        .kind = PLUMB_K_WORD,
        .words = style_words,
        .def = "by_hand",
        .doc = "how secrets come into the cluster",
        .why = "the repository holds references and never a value",
        .example = "external-secrets",
    },
    {
        .name = "store",
        .kind = PLUMB_K_NAME,
        .doc = "of external-secrets: name of the store that has the values",
        .example = "vault",
    },
    {
        .name = "store_kind",
        .kind = PLUMB_K_WORD,
        .words = store_words,
        .def = "ClusterSecretStore",
        .doc = "of external-secrets: kind of the store",
        .example = "SecretStore",
    },
    {
        .name = "path",
        .kind = PLUMB_K_TEXT,
        .doc = "of external-secrets: where the store has them; the namespace without it",
        .example = "slurm/tenant-foo",
    },
    {
        .name = "resources",
        .kind = PLUMB_K_TEXT,
        .list = true,
        .doc = "what the kustomization lists beside what is generated, seen from its folder",
        .why = "sealed values and patches are yours, and a build does not touch them",
        .example = "[../../sealed]",
    },
    {
        .name = "refresh",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .def = "1 h",
        .doc = "of external-secrets: how often the store is asked",
        .example = "15 min",
    },
};

const struct plumb_spec_table plumb_spec_gitops = {
    .title = "gitops", .keys = gitops_keys, .count = PLUMB_COUNT(gitops_keys)};

static const struct plumb_spec_key rotation_keys[] = {
    {
        .name = "rollout",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .doc = "time until every pod of the cluster is a new one",
        .why = "daemons with the old and with the new key refuse each other for so long",
        .example = "10 min",
    },
    {
        .name = "overlap",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .doc = "time for which daemons take the old key beside the new one",
        .why = "slurm.jwks may hold several keys from 24.05 on; slurm.key and munge have one",
        .example = "1 h",
    },
};

const struct plumb_spec_table plumb_spec_rotation = {
    .title = "rotation", .keys = rotation_keys, .count = PLUMB_COUNT(rotation_keys)};
