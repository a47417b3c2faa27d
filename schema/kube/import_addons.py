#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of operators that stand beside Slurm's: metrics and alerts, secrets, GPUs.

import_addons.py FACTS ADDONS OUT: FACTS is import.py's, ADDONS has a folder `<flavour>-<release>` for each row of SOURCES below with
the files of that tag as published (.ci/kube/addons brings them); OUT gets one table each. The chart of the GPU operator has no schema: its values are the keys
of values.yaml and those that its templates ask for.
"""
import glob
import hashlib
import importlib.util
import os
import re
import sys

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("tables", f"{HERE}/import.py")
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)

# flavour, release, repository and tag, path of what is in the folder
SOURCES = [
    ("prometheus-operator", "0.93.0", "prometheus-operator/prometheus-operator v0.93.0", "example/prometheus-operator-crd"),
    ("external-secrets", "2.9.0", "external-secrets/external-secrets v2.9.0", "config/crds/bases"),
    ("sealed-secrets", "0.36.6", "bitnami-labs/sealed-secrets v0.36.6", "helm/sealed-secrets/crds"),
    ("gpu-operator", "26.7.0", "NVIDIA/gpu-operator v26.7.0", "deployments/gpu-operator/crds"),
    ("gpu-operator-chart", "26.7.0", "NVIDIA/gpu-operator v26.7.0", "deployments/gpu-operator"),
]


def digest(paths):
    """One digest of the files that a table was made of."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        whole.update(open(path, "rb").read())
    return whole.hexdigest()


def type_of(tree, path, whole, types):
    """The type of a key of values.yaml: a mapping with keys is a type of its own, unless the templates copy it as it is."""
    if not isinstance(tree, dict) or not tree or path in whole:
        return {"is": "boolean", "nullable": "yes"} if isinstance(tree, bool) else "any"
    name = "Values" if path == () else "".join(re.sub("[^A-Za-z0-9]", "", part).title() for part in path) + "Values"
    types[name] = {"fields": {key: type_of(value, path + (key,), whole, types) for key, value in sorted(tree.items())}}
    return name


def import_chart(folder, table):
    tree = yaml.load(open(f"{folder}/values.yaml", encoding="utf-8"), Loader=yaml.CSafeLoader)
    text = "".join(open(path, encoding="utf-8").read() for path in sorted(glob.glob(f"{folder}/templates/*")))
    whole = set()
    for copies, path in re.findall(r"(toYaml|toJson|range|with)?\s*\(?\.Values((?:\.[A-Za-z0-9_]+)+)", text):
        parts = tuple(path[1:].split("."))
        if copies in ("toYaml", "toJson"):
            whole.add(parts)
        at = tree
        for part in parts[:-1]:  # keys that only the templates name
            at = at.setdefault(part, {}) if isinstance(at, dict) else {}
            at = {} if at is None else at
        if isinstance(at, dict):
            at.setdefault(parts[-1], None)
    whole.add(("node-feature-discovery",))  # values of another chart
    tree.setdefault("nameOverride", None)
    tree.setdefault("fullnameOverride", None)
    tree.setdefault("global", {})
    type_of(tree, (), whole, table.types)
    table.kinds["values"] = {"gpu-operator": "Values"}


def main():
    facts, addons, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    built_in = tables.import_built_in(facts)
    for flavour, release, tag, path in SOURCES:
        folder = f"{addons}/{flavour.removesuffix('-chart')}-{release}"
        if flavour.endswith("-chart"):
            table = tables.Table(flavour, release, built_in)
            import_chart(folder, table)
            files = [f"{folder}/values.yaml"] + glob.glob(f"{folder}/templates/*")
        else:
            crds = "crds" if os.path.isdir(f"{folder}/crds") else "."
            table = tables.import_crds(folder, crds, flavour, release, built_in)
            files = glob.glob(f"{folder}/{crds}/*.yaml")
        name = f"{out}/{flavour}-{release}.yaml"
        tables.write(table, name)
        lines = open(name, encoding="utf-8").read().split("\n")
        lines[1] = "# Made by schema/kube/import_addons.py of " + f"{tag}, {path}, sha256 of the files {digest(files)[:16]}."
        open(name, "w", encoding="utf-8").write("\n".join(lines))


if __name__ == "__main__":
    main()
