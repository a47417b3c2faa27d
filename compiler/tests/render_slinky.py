"""render_slinky.py VALUES FOLDER: the objects that the templates of Slinky's chart `slurm` make of the values, against those of
target slinky in FOLDER. What the templates do is told in own words (helm/slurm/templates, 1.2.1): names are made of the full name and
the key, containers and pods are taken as they are, an image is put together. Fields that only the chart writes, with what the CRD has
as its default, labels and the selector for Linux are left out of the comparison. Exit: 0 the same, 1 not.
"""
import json
import sys
from pathlib import Path

import yaml


def image(container):
    parts = container.get("image")
    if parts is None:
        return None
    text = parts["repository"] + (f":{parts['tag']}" if "tag" in parts else "")
    return text + (f"@{parts['digest']}" if "digest" in parts else "")


def container(values):
    made = {key: value for key, value in values.items() if key != "image"}
    return made | ({"image": image(values)} if "image" in values else {})


def ref(values, key, name, default):
    given = values.get(key, {}).get("secretRef", {})
    return {"name": given.get("name", name), "key": given.get("key", default)}


def pod(values, host=None):
    spec = dict(values.get("podSpec", {}))
    if host is not None:
        spec["hostname"] = host
    return {"template": {"spec": spec}} if spec else {}


def render(values):
    """{(kind, name): spec or data}"""
    name, made = values["fullnameOverride"], {}
    slurm, jwt = ref(values, "slurmKey", f"{name}-auth-slurm", "slurm.key"), ref(values, "jwtKey", f"{name}-auth-jwt", "jwt.key")
    controller = values["controller"]
    spec = {"slurmKeyRef": slurm, "jwtKeyRef": jwt, "clusterName": values["clusterName"]} | pod(controller)
    if values["accounting"]["enabled"]:
        spec["accountingRef"] = {"name": name}
    if values.get("configFiles"):
        spec["configFileRefs"] = [{"name": f"{name}-config-extra"}]
        made["ConfigMap", f"{name}-config-extra"] = values["configFiles"]
    if "slurmctld" in controller:
        spec["slurmctld"] = container(controller["slurmctld"])
    spec |= {key: controller[key] for key in ("persistence", "metrics", "extraConf") if key in controller}
    made["Controller", name] = spec
    accounting = values["accounting"]
    if accounting["enabled"]:
        spec = {"slurmKeyRef": slurm, "jwtKeyRef": jwt, "storageConfig": accounting["storageConfig"]} | pod(accounting)
        if "slurmdbd" in accounting:
            spec["slurmdbd"] = container(accounting["slurmdbd"])
        made["Accounting", name] = spec | ({"extraConf": accounting["extraConf"]} if "extraConf" in accounting else {})
    if values["restapi"]["replicas"] > 0:
        spec = {"controllerRef": {"name": name}} | pod(values["restapi"])
        if "slurmrestd" in values["restapi"]:
            spec["slurmrestd"] = container(values["restapi"]["slurmrestd"])
        made["RestApi", name] = spec
    for key, login in values.get("loginsets", {}).items():
        spec = {"controllerRef": {"name": name}, "sssdConfRef": ref(values, "sssd", f"{name}-sssd-conf", "sssd.conf"),
                "replicas": login["replicas"]} | pod(login)
        if "login" in login:
            spec["login"] = container(login["login"])
        spec |= {field: login[field] for field in ("rootSshAuthorizedKeys", "service") if field in login}
        made["LoginSet", f"{name}-login-{key}"] = spec
    for key, nodes in values.get("nodesets", {}).items():
        spec = {"controllerRef": {"name": name}, "replicas": nodes["replicas"]} | pod(nodes, f"{key}-")
        if "slurmd" in nodes:
            spec["slurmd"] = container(nodes["slurmd"])
        made["NodeSet", f"{name}-worker-{key}"] = spec | ({"extraConf": nodes["extraConf"]} if "extraConf" in nodes else {})
    for extra in values.get("extraObjects", []):
        made[extra["kind"], extra["metadata"]["name"]] = extra["spec"]
    return made


def main(path, folder):
    made = render(yaml.safe_load(Path(path).read_text()))
    wanted = {}
    for file in sorted(Path(folder).glob("[0-9]*.yaml")):
        one = yaml.safe_load(file.read_text())
        name = one["metadata"]["name"]
        if one["kind"] == "LoginSet":
            name += "-main"  # the chart adds a key to the name
        if one["kind"] != "Namespace":
            wanted[one["kind"], name] = one.get("spec", one.get("data"))
    bad = 0
    for key in sorted(made.keys() | wanted.keys()):
        if made.get(key) != wanted.get(key):
            bad = 1
            print(key, "\n  of the chart:", json.dumps(made.get(key), sort_keys=True), "\n  wanted:", json.dumps(wanted.get(key), sort_keys=True))
    return bad


sys.exit(main(*sys.argv[1:3]))
