#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of Kubernetes kinds from published definitions.

import.py FACTS OUT: FACTS holds CRDs and the JSON Schema of the built-in kinds as published
(k8s/, slinky/, soperator/), OUT gets one file a release. What the tables hold is described at the
top of compiler/kube/type.h. Descriptions are left out; what the operators do with fields that
their CRD leaves open, and which rules their CEL expressions are, is said in the tables below.
"""
import glob
import json
import os
import re
import sys

import yaml

QUANTITY = "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"

# Open fields that an operator reads as a type of Kubernetes.
READ_AS = {
    "logfile": "Container", "reconfigure": "Container", "slurmctld": "Container", "slurmdbd": "Container",
    "slurmd": "Container", "slurmrestd": "Container", "login": "Container", "initconf": "Container",
    "template.spec": "PodSpec", "service.spec": "ServiceSpec", "volumeClaimTemplates": "PersistentVolumeClaim[]",
}
# CEL expressions, as rules of compiler/kube/cel.c.
CEL = {
    "!self.external ? has(self.slurmKeyRef) : true": "slurm-key-unless-external",
    "!self.external ? has(self.jwtKeyRef) || has(self.jwtHs256KeyRef) : true": "jwt-key-unless-external",
    "self.external ? has(self.externalConfig) : true": "external-config",
    "has(self.ha) && self.ha.enabled ? has(self.persistence) && self.persistence.enabled && "
    "self.persistence.existingClaim.size() > 0 : true": "ha-needs-claim",
    "self.type != 'ScheduledUpdate' || (has(self.scheduledUpdate.startTime) && "
    "has(self.scheduledUpdate.duration))": "scheduled-update",
    "has(self.jwtKeyRef) || has(self.jwtHs256KeyRef)": "some-jwt-key",
    "self.configType != 'structured' || size(self.partitions) > 0": "structured-partitions",
    "!has(self.reconfigureWaitTimeout) || !has(self.reconfigurePollInterval) || "
    "duration(self.reconfigureWaitTimeout) > duration(self.reconfigurePollInterval)": "wait-above-poll",
}
# Lists of built-in kinds whose items the API server wants distinct (validation.go of each group).
UNIQUE = {
    ("PodSpec", "containers"): ["name"], ("PodSpec", "initContainers"): ["name"],
    ("PodSpec", "volumes"): ["name"], ("Container", "volumeMounts"): ["mountPath"],
}
# Words that the API server takes in built-in kinds and that the published schema leaves out (pkg/apis/*/validation, 1.36).
# A CRD with a type of the same form has them through it: they hold for what the operator makes. Types that only differ in their
# words are one form there, so each of them has all. "" is in it where defaults are filled in for it (pkg/apis/*/v1/defaults.go).
PROTOCOLS, EFFECTS = ["", "SCTP", "TCP", "UDP"], ["NoExecute", "NoSchedule", "PreferNoSchedule"]
IN_SET = ["DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"]
ACCESS = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"]
WORDS = {
    "Container": {"imagePullPolicy": ["", "Always", "IfNotPresent", "Never"]},
    "ContainerPort": {"protocol": PROTOCOLS},
    "CronJobSpec": {"concurrencyPolicy": ["", "Allow", "Forbid", "Replace"]},
    "DaemonSetUpdateStrategy": {"type": ["", "OnDelete", "RollingUpdate"]},
    "DeploymentStrategy": {"type": ["", "Recreate", "RollingUpdate"]},
    "DeviceToleration": {"effect": ["", "None"] + EFFECTS, "operator": ["", "Equal", "Exists", "Gt", "Lt"]},
    "HostPathVolumeSource": {"type": ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"]},
    "LabelSelectorRequirement": {"operator": IN_SET},
    "NodeSelectorRequirement": {"operator": IN_SET},
    "PersistentVolumeClaimSpec": {"volumeMode": ["Block", "Filesystem"]},
    "PersistentVolumeSpec": {"persistentVolumeReclaimPolicy": ["", "Delete", "Recycle", "Retain"], "volumeMode": ["Block", "Filesystem"]},
    "PodSpec": {"dnsPolicy": ["", "ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"],
                "restartPolicy": ["", "Always", "Never", "OnFailure"]},
    "PriorityClass": {"preemptionPolicy": ["Never", "PreemptLowerPriority"]},
    "ServicePort": {"protocol": PROTOCOLS},
    "ServiceSpec": {"externalTrafficPolicy": ["", "Cluster", "Local"], "internalTrafficPolicy": ["Cluster", "Local"],
                    "sessionAffinity": ["", "ClientIP", "None"], "type": ["", "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]},
    "StatefulSetUpdateStrategy": {"type": ["", "OnDelete", "RollingUpdate"]},
    "StorageClass": {"volumeBindingMode": ["Immediate", "WaitForFirstConsumer"]},
    "Taint": {"effect": EFFECTS},
    "Toleration": {"effect": [""] + EFFECTS, "operator": ["", "Equal", "Exists", "Gt", "Lt"]},
    "TopologySpreadConstraint": {"whenUnsatisfiable": ["DoNotSchedule", "ScheduleAnyway"]},
    "VolumeMount": {"mountPropagation": ["Bidirectional", "HostToContainer", "None"]},
}
# Fields that hold only together: rules of compiler/kube/together.c.
TOGETHER = {"DeviceToleration": "toleration", "ResourceRequirements": "container-resources", "Toleration": "toleration"}
# Versions that no release from 1.29 on serves (deprecation guide of Kubernetes).
GONE = {
    "apps/v1beta1": ["DaemonSet", "Deployment", "StatefulSet"], "apps/v1beta2": ["DaemonSet", "Deployment", "StatefulSet"],
    "extensions/v1beta1": ["DaemonSet", "Deployment", "Ingress", "NetworkPolicy"],
    "batch/v1beta1": ["CronJob"], "policy/v1beta1": ["PodDisruptionBudget"],
    "networking.k8s.io/v1beta1": ["Ingress"], "storage.k8s.io/v1beta1": ["StorageClass"],
    "rbac.authorization.k8s.io/v1beta1": ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
    "scheduling.k8s.io/v1beta1": ["PriorityClass"], "apiextensions.k8s.io/v1beta1": ["CustomResourceDefinition"],
}
# What the operator of Slinky writes into slurmdbd.conf (buildSlurmdbdConf of accounting_config.go, 1.2.1), as owned_keys().
OWNED_SLURMDBD = {
    "DbdHost": ["derived", "the name of the Accounting", "", "error"],
    "DbdPort": ["fixed", "6819", "overrides; Service and slurm.conf disagree", "error"],
    "SlurmUser": ["fixed", "slurm (401)", "overrides; file ownership breaks", "error"],
    "AuthType": ["fixed", "auth/slurm", "overrides; no munge set-up in images", "error"],
    "AuthAltTypes": ["fixed", "auth/jwt", "", "error"],
    "AuthAltParameters": ["merged", "jwt_key=...[,jwks=...]", "united, lower-cased, sorted", "merge"],
    "AuthInfo": ["merged", "use_client_ids", "united, lower-cased, sorted", "merge"],
    "StorageType": ["fixed", "accounting_storage/mysql", "", "error"],
    "StorageHost": ["derived", "spec.storageConfig.host", "", "error"],
    "StoragePort": ["derived", "spec.storageConfig.port", "", "error"],
    "StorageUser": ["derived", "spec.storageConfig.username", "", "error"],
    "StorageLoc": ["derived", "spec.storageConfig.database", "", "error"],
    "StoragePass": ["derived", "spec.storageConfig.passwordKeyRef", "", "error"],
    "LogFile": ["fixed", "/dev/null", "", "warning"],
}
# The same of Soperator (generateSlurmdbdConfig of internal/render/accounting/secret.go, 4.1.7).
SOPERATOR_SLURMDBD = {
    "AuthType": ["fixed", "auth/munge", "", "error"],
    "SlurmUser": ["fixed", "root", "", "error"],
    "LogFile": ["fixed", "/dev/null", "", "error"],
    "PidFile": ["fixed", "/var/run/slurmdbd.pid", "", "error"],
    "DbdHost": ["fixed", "accounting", "", "error"],
    "DbdPort": ["fixed", "6819", "", "error"],
    "StorageType": ["fixed", "accounting_storage/mysql", "", "error"],
    "StorageLoc": ["fixed", "slurm_acct_db", "", "error"],
    "StorageHost": ["derived", "externalDB.host", "", "error"],
    "StoragePort": ["derived", "externalDB.port", "", "error"],
    "StorageUser": ["derived", "externalDB.user", "", "error"],
    "StoragePass": ["derived", "externalDB.passwordSecretKeyRef", "", "error"],
    "AuthAltTypes": ["derived", "auth/jwt with REST", "", "error"],
    "AuthAltParameters": ["derived", "jwt key path", "", "error"],
}
# Lists that another line replaces as a whole, so it says these words too (internal/render/common/configmap.go, 4.1.7).
SOPERATOR_LISTS = {
    "SchedulerParameters": "nohold_on_prolog_fail,extra_constraints,pack_serial_at_end,salloc_wait_nodes,sbatch_wait_nodes",
    "SlurmctldParameters": "conmgr_max_connections=1024,conmgr_threads=32",
    "LaunchParameters": "use_interactive_step",
    "CliFilterPlugins": "cli_filter/user_defaults",
    "ReconfigFlags": "KeepPowerSaveSettings",
}
# What nobody asked for and the operator says otherwise, where jobs would feel it: it preempts by PriorityTier, and gives
# four CPUs a GPU. 0 CPUs a GPU is what Slurm has without the parameter (cons_tres/job_test.c:_set_gpu_defaults).
SOPERATOR_DEFAULTS = {"slurm.conf": {
    "PreemptType": ["always", "preempt/none", "preempt/none"],
    "PreemptMode": ["always", "OFF", "OFF"],
    "DefCpuPerGPU": ["always", "0", "0"],
}}
# Sections of SlurmCluster.spec whose fields are called as parameters; the operator reads some numbers into 16 bits
# (api/v1/slurmcluster_types.go, 4.1.7), which the CRD does not tell.
SOPERATOR_SECTIONS = {
    "fields": ["slurmConfig", "healthCheckConfig", "slurmNodes.accounting.slurmConfig"],
    "fields_slurmdbd": ["slurmNodes.accounting.slurmdbdConfig"],
}
SOPERATOR_16_BITS = ("tcpTimeout", "priorityWeightAge", "priorityWeightFairshare", "priorityWeightQOS")
SOPERATOR_PORTS = {"SlurmctldPort": ["slurmNodes.controller.slurmctld.port", "int32"]}
# cgroup.conf of the operator of Slinky (buildCgroupConf of controller_config.go), which another one replaces.
CGROUP_CONF = {
    "CgroupPlugin": ["always", "cgroup/v2", "cgroup/v2"],
    "IgnoreSystemd": ["always", "yes", "yes"],
}

# The lines that an operator writes for a cluster, by file and parameter, when and which value. When
# is "always", "accounting" (an object of the kind that brings slurmdbd is named), "alone" (none is), "gpus" (a NodeSet has
# gpu.enabled), "no file" (no other file of this name is given), a path that is there and not false, "path=word": what the
# field says, or its default, or "a and b". {spec/a} is the value at a path, {spec/a|b} has a default,
# {name}, {space}, {cluster} and {accounting} are names. "Key 2" is a line more of the same key.
SLINKY_LINES = {
    "slurm.conf": {  # buildSlurmConf of controller_config.go, 1.2.1; the second host is of 1.3
        "ClusterName": ["always", "{cluster}"],
        "SlurmUser": ["always", "slurm"],
        "SlurmctldHost": ["always", "{name}-controller-0({name}-controller.{space})"],
        "SlurmctldHost 2": ["spec/ha/enabled", "{name}-controller-1({name}-controller-1.{name}-controller-internal.{space})"],
        "SlurmctldPort": ["always", "6817"],
        "StateSaveLocation": ["always", "/var/spool/slurmctld/{cluster}"],
        "SlurmdUser": ["always", "root"],
        "SlurmdPort": ["always", "6818"],
        "SlurmdSpoolDir": ["always", "/var/spool/slurmd"],
        "MaxNodeCount": ["always", "1024"],
        "SlurmctldLogFile": ["always", "/var/log/slurm/slurmctld.log"],
        "SlurmSchedLogFile": ["always", "/var/log/slurm/slurmctld.log"],
        "SlurmdLogFile": ["always", "/var/log/slurm/slurmd.log"],
        "AuthType": ["always", "auth/slurm"],
        "CredType": ["always", "cred/slurm"],
        "AuthAltTypes": ["always", "auth/jwt"],
        "AuthAltParameters": ["always", "jwt_key=/etc/slurm/jwt.key"],
        "AuthInfo": ["always", "use_client_ids"],
        "SlurmctldParameters": ["always", "enable_configless,reconfig_on_restart"],
        "MetricsType": ["spec/metrics/enabled", "metrics/openmetrics"],
        "AccountingStorageType": ["accounting", "accounting_storage/slurmdbd"],
        "AccountingStorageType 2": ["alone", "accounting_storage/none"],
        "AccountingStorageHost": ["accounting", "{accounting}-accounting"],
        "AccountingStoragePort": ["accounting", "6819"],
    },
    "slurmdbd.conf": {  # buildSlurmdbdConf of accounting_config.go; StoragePass is of a Secret
        "DbdHost": ["always", "{name}-accounting-0"],
        "DbdPort": ["always", "6819"],
        "SlurmUser": ["always", "slurm"],
        "AuthType": ["always", "auth/slurm"],
        "AuthAltTypes": ["always", "auth/jwt"],
        "AuthAltParameters": ["always", "jwt_key=/etc/slurm/jwt.key"],
        "AuthInfo": ["always", "use_client_ids"],
        "StorageType": ["always", "accounting_storage/mysql"],
        "StorageHost": ["always", "{spec/storageConfig/host}"],
        "StoragePort": ["always", "{spec/storageConfig/port|3306}"],
        "StorageUser": ["always", "{spec/storageConfig/username}"],
        "StorageLoc": ["always", "{spec/storageConfig/database|slurm_acct_db}"],
        "LogFile": ["always", "/dev/null"],
    },
    "cgroup.conf": {  # buildCgroupConf
        "CgroupPlugin": ["no file", "cgroup/v2"],
        "IgnoreSystemd": ["no file", "yes"],
    },
}


SOPERATOR_LINES = {
    "slurm.conf": {  # generateSlurmConfig of internal/render/common/configmap.go, 4.1.7; what fields say is in section fields
        "ClusterName": ["always", "{name}"],
        "SlurmctldHost": ["always", "controller-0({name}-controller-svc)"],
        "AuthType": ["always", "auth/munge"],
        "CredType": ["always", "cred/munge"],
        "GresTypes": ["gpus", "gpu"],
        "MpiDefault": ["always", "pmix"],
        "MailProg": ["always", "/usr/bin/true"],
        "PluginDir": ["always", "/usr/lib/slurm"],
        "ProctrackType": ["always", "proctrack/cgroup"],
        "ReturnToService": ["always", "2"],
        "SlurmctldPidFile": ["always", "/var/run/slurmctld.pid"],
        "MetricsType": ["spec/slurmNodes/controller/openMetrics/enabled=true", "metrics/openmetrics"],
        "SlurmdPidFile": ["always", "/var/run/slurmd.pid"],
        "SlurmdSpoolDir": ["always", "/var/spool/slurmd"],
        "SlurmUser": ["always", "root"],
        "StateSaveLocation": ["always", "/var/spool/slurmctld"],
        "TaskPlugin": ["always", "task/cgroup,task/affinity"],
        "CliFilterPlugins": ["always", "cli_filter/user_defaults"],
        "LaunchParameters": ["always", "use_interactive_step"],
        "ScronParameters": ["always", "enable,explicit_scancel"],
        "PropagateResourceLimits": ["always", "NONE"],
        "InactiveLimit": ["always", "0"],
        "KillOnBadExit": ["always", "1"],
        "KillWait": ["always", "180"],
        "UnkillableStepTimeout": ["always", "600"],
        "SlurmctldTimeout": ["always", "180"],
        "SlurmdTimeout": ["always", "180"],
        "TCPTimeout": ["always", "15"],
        "WaitTime": ["always", "0"],
        "SlurmctldParameters": ["always", SOPERATOR_LISTS["SlurmctldParameters"]],
        "RebootProgram": ["always", "/opt/bin/slurm/reboot.sh"],
        "ResumeTimeout": ["always", "1800"],
        "ResumeProgram": ["always", "/opt/soperator/bin/power_resume.sh"],
        "SuspendProgram": ["always", "/opt/soperator/bin/power_suspend.sh"],
        "SuspendTimeout": ["always", "90"],
        "ResumeRate": ["always", "100"],
        "SuspendRate": ["always", "100"],
        "ReconfigFlags": ["always", "KeepPowerSaveSettings"],
        "SchedulerType": ["always", "sched/backfill"],
        "SchedulerParameters": ["always", SOPERATOR_LISTS["SchedulerParameters"]],
        "SelectType": ["always", "select/cons_tres"],
        "SelectTypeParameters": ["always", "CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK"],
        "SlurmctldDebug": ["always", "debug"],
        "SlurmctldLogFile": ["always", "/dev/null"],
        "SlurmdDebug": ["always", "debug"],
        "SlurmdLogFile": ["always", "/dev/null"],
        "DebugFlags": ["always", "Script,Power"],
        "MaxNodeCount": ["always", "1024"],
        "MaxArraySize": ["always", "1024"],
        "JobRequeue": ["always", "1"],
        "PreemptMode": ["always", "REQUEUE"],
        "PreemptType": ["always", "preempt/partition_prio"],
        "AccountingStorageType": ["accounting", "accounting_storage/slurmdbd"],
        "AccountingStorageHost": ["accounting", "{name}-accounting-svc.{space}.svc.cluster.local"],
        "AccountingStorageUser": ["accounting", "accounting"],
        "AccountingStoragePort": ["accounting", "6819"],
        "JobCompType": ["accounting", "jobcomp/none"],
        "AuthAltTypes": ["accounting and spec/slurmNodes/rest/enabled", "auth/jwt"],
        "AuthAltParameters": ["accounting and spec/slurmNodes/rest/enabled", "jwt_key=/var/spool/slurmctld/jwt_hs256.key"],
    },
    "gres.conf": {"AutoDetect": ["gpus", "nvidia"]},  # generateGresConfig
    "cgroup.conf": {  # renderDefaultCGroupConfig
        "CgroupMountpoint": ["always", "/sys/fs/cgroup"],
        "ConstrainCores": ["always", "yes"],
        "ConstrainDevices": ["always", "yes"],
        "ConstrainRAMSpace": ["always", "yes"],
        "CgroupPlugin": ["spec/cgroupVersion=v1", "cgroup/v1"],
        "CgroupPlugin 2": ["spec/cgroupVersion=v2", "cgroup/v2"],
        "ConstrainSwapSpace": ["spec/cgroupVersion=v1", "yes"],
        "ConstrainSwapSpace 2": ["spec/cgroupVersion=v2", "no"],
        "EnableControllers": ["spec/cgroupVersion=v2", "yes"],
        "IgnoreSystemd": ["spec/cgroupVersion=v2", "yes"],
    },
    "slurmdbd.conf": {  # generateSlurmdbdConfig of internal/render/accounting; StoragePass is of a Secret
        "AuthType": ["always", "auth/munge"],
        "SlurmUser": ["always", "root"],
        "LogFile": ["always", "/dev/null"],
        "PidFile": ["always", "/var/run/slurmdbd.pid"],
        "DbdHost": ["always", "accounting"],
        "DbdPort": ["always", "6819"],
        "StorageLoc": ["always", "slurm_acct_db"],
        "StorageType": ["always", "accounting_storage/mysql"],
        "StorageUser": ["spec/slurmNodes/accounting/externalDB/enabled", "{spec/slurmNodes/accounting/externalDB/user}"],
        "StorageHost": ["spec/slurmNodes/accounting/externalDB/enabled", "{spec/slurmNodes/accounting/externalDB/host}"],
        "StoragePort": ["spec/slurmNodes/accounting/externalDB/enabled", "{spec/slurmNodes/accounting/externalDB/port|3306}"],
        "AuthAltTypes": ["spec/slurmNodes/rest/enabled", "auth/jwt"],
        "AuthAltParameters": ["spec/slurmNodes/rest/enabled", "jwt_key=/var/spool/slurmdbd/jwt_hs256.key"],
    },
}


# Fields that cannot change once the object is there, by kind and path: when, what happens, the way out. When is "" (any
# change), "less" (a smaller quantity) or "immutable" (while the object says so). Of the API server:
# pkg/apis/*/validation of Kubernetes 1.36 (ValidateStatefulSetUpdate, ValidateDeploymentUpdate, ValidatePersistentVolumeClaimUpdate,
# ValidateServiceUpdate, ValidateJobUpdate, ValidateStorageClassUpdate, ValidateRoleBindingUpdate, ValidateSecretUpdate).
API_SERVER, AGAIN = "the API server refuses it", "delete the object and apply it again"
ORPHANS = "delete it with --cascade=orphan, then apply it: the pods go on"
NEW_CLAIM = "make a claim of another name and copy the data"
K8S_FROZEN = {
    "PersistentVolumeClaim spec.accessModes": ["", API_SERVER, NEW_CLAIM],
    "PersistentVolumeClaim spec.storageClassName": ["", API_SERVER, NEW_CLAIM],
    "PersistentVolumeClaim spec.volumeMode": ["", API_SERVER, NEW_CLAIM],
    "PersistentVolumeClaim spec.volumeName": ["", API_SERVER, NEW_CLAIM],
    "PersistentVolumeClaim spec.selector": ["", API_SERVER, NEW_CLAIM],
    "PersistentVolumeClaim spec.dataSource": ["", API_SERVER, NEW_CLAIM],
    "PersistentVolumeClaim spec.dataSourceRef": ["", API_SERVER, NEW_CLAIM],
    "PersistentVolumeClaim spec.resources.requests.storage": ["less", API_SERVER, NEW_CLAIM],
    "StatefulSet spec.selector": ["", API_SERVER, ORPHANS],
    "StatefulSet spec.serviceName": ["", API_SERVER, ORPHANS],
    "StatefulSet spec.podManagementPolicy": ["", API_SERVER, ORPHANS],
    "StatefulSet spec.volumeClaimTemplates": ["", API_SERVER, ORPHANS],
    "Deployment spec.selector": ["", API_SERVER, ORPHANS],
    "DaemonSet spec.selector": ["", API_SERVER, ORPHANS],
    "ReplicaSet spec.selector": ["", API_SERVER, ORPHANS],
    "Job spec.selector": ["", API_SERVER, AGAIN],
    "Job spec.completionMode": ["", API_SERVER, AGAIN],
    "Job spec.template": ["", API_SERVER, AGAIN],
    "Service spec.clusterIP": ["", API_SERVER, AGAIN],
    "StorageClass provisioner": ["", API_SERVER, AGAIN],
    "StorageClass parameters": ["", API_SERVER, AGAIN],
    "StorageClass reclaimPolicy": ["", API_SERVER, AGAIN],
    "StorageClass volumeBindingMode": ["", API_SERVER, AGAIN],
    "RoleBinding roleRef": ["", API_SERVER, AGAIN],
    "ClusterRoleBinding roleRef": ["", API_SERVER, AGAIN],
    "ConfigMap data": ["immutable", API_SERVER, AGAIN],
}
# internal/webhook of slurm-operator 1.2.1: ValidateUpdate of each kind.
WEBHOOK = "the webhook of slurm-operator refuses it"
# internal/utils/objectutils/patch.go: of a StatefulSet that is there the operator changes no volumeClaimTemplates.
LEAVES = "slurm-operator takes it and leaves the claim of the pod as it is"
THE_CLAIM = "change the claim itself where its class allows that, or name another one in persistence.existingClaim"
SLINKY_FROZEN = {
    "Controller spec.clusterName": ["", WEBHOOK, "a cluster of another name is another cluster, with its own state and accounting: make a Controller of another name"],
    "Controller spec.slurmKeyRef.name": ["", WEBHOOK, "put the new key into the Secret that is named"],
    "Controller spec.jwtKeyRef": ["", WEBHOOK, "put the new key into the Secret that is named"],
    "Controller spec.jwtHs256KeyRef": ["", WEBHOOK, "put the new key into the Secret that is named"],
    "Controller spec.persistence.enabled": ["", WEBHOOK, "keep the state elsewhere, delete the Controller and apply it again"],
    "Controller spec.persistence.storageClassName": ["", LEAVES, THE_CLAIM],
    "Controller spec.persistence.accessModes": ["", LEAVES, THE_CLAIM],
    "Controller spec.persistence.resources": ["", LEAVES, THE_CLAIM],
    "Controller spec.persistence.selector": ["", LEAVES, THE_CLAIM],
    "Accounting spec.jwtKeyRef": ["", WEBHOOK, "put the new key into the Secret that is named"],
    "Accounting spec.jwtHs256KeyRef": ["", WEBHOOK, "put the new key into the Secret that is named"],
    "NodeSet spec.controllerRef": ["", WEBHOOK, "drain the nodes, delete the NodeSet and apply it again"],
    "NodeSet spec.volumeClaimTemplates": ["", WEBHOOK, "drain the nodes, delete the NodeSet and apply it again"],
    "LoginSet spec.controllerRef": ["", WEBHOOK, AGAIN],
    "Token spec.jwtKeyRef": ["", WEBHOOK, AGAIN],
    "Token spec.jwtHs256KeyRef": ["", WEBHOOK, AGAIN],
}


class Table:
    """Types of one file; what a file below has in the same form is not written again."""

    def __init__(self, flavour, release, below):
        self.flavour, self.release, self.below = flavour, release, below
        self.types, self.forms, self.kinds, self.gone = {}, {}, {}, {}
        self.owned, self.owned_slurmdbd, self.defaults, self.lines, self.frozen = {}, {}, {}, {}, {}
        self.fields, self.fields_slurmdbd = {}, {}

    def known(self, form):
        return self.forms.get(form) or (self.below.known(form) if self.below else None)

    def taken(self, name):
        return name in self.types or (self.below is not None and self.below.taken(name))

    def add(self, wanted, body):
        form = json.dumps(body, sort_keys=True)
        name = self.known(form)
        if name is None:
            name, number = wanted, 2
            while self.taken(name):
                name, number = f"{wanted}-{number}", number + 1
            self.types[name] = body
            self.forms[form] = name
        return name


def scalar(schema):
    """A type expression and limits of something that has no fields."""
    limits = {}
    for key, ours in (("minimum", "min"), ("maximum", "max"), ("minLength", "min_length"), ("maxLength", "max_length"),
                      ("minItems", "min_items"), ("pattern", "pattern"), ("enum", "enum")):
        if key in schema:
            limits[ours] = schema[key]
    if schema.get("x-kubernetes-int-or-string"):
        if limits.get("pattern") == QUANTITY:
            del limits["pattern"]
            return "quantity", limits
        return "int-or-string", limits
    if schema.get("format") in ("byte", "date-time"):
        limits["format"] = schema["format"]
    if schema.get("type") == "integer" and schema.get("format") == "int32":
        if "min" not in limits and "max" not in limits:
            return "int32", limits
        limits.setdefault("min", -2**31)
        limits.setdefault("max", 2**31 - 1)
    return schema.get("type", "any"), limits


class Importer:
    def __init__(self, table, definitions=None):
        self.table, self.definitions = table, definitions or {}

    def value(self, schema, path):
        """(expression, limits) of any schema; objects become named types."""
        if "$ref" in schema:
            return self.named(schema["$ref"].rsplit("/", 1)[1]), {}
        if schema.get("type") == "array" or "items" in schema:
            return self.of(schema, schema["items"], path, "[]")
        if isinstance(schema.get("additionalProperties"), dict):
            return self.of(schema, schema["additionalProperties"], path, "{}")
        if schema.get("x-kubernetes-preserve-unknown-fields") and not schema.get("properties"):
            key = path.split(".", 2)[-1]
            limits = {"as": READ_AS[key]} if key in READ_AS else {}
            return ("open" if schema.get("type") == "object" else "any"), limits | self.common(schema)
        if "properties" in schema:
            return self.table.add(path, self.fields(schema, path)), self.common(schema)
        expression, limits = scalar(schema)
        return "open" if expression == "object" else expression, limits | self.common(schema)

    def common(self, schema):
        found = {}
        if "default" in schema and schema["default"] not in ({}, []):
            found["default"] = schema["default"]
        if schema.get("nullable"):
            found["nullable"] = "yes"
        if schema.get("x-kubernetes-list-type") == "map":
            found["keys"] = schema["x-kubernetes-list-map-keys"]
        if schema.get("x-kubernetes-list-type") == "set":
            found["keys"] = [""]
        return found

    def of(self, schema, inner, path, suffix):
        expression, limits = self.value(inner, path)
        limits.pop("default", None)
        if limits:
            expression = self.table.add(path + ".item", {"is": expression} | limits)
        own = {"min_items": schema["minItems"]} if "minItems" in schema else {}
        return expression + suffix, own | self.common(schema)

    def fields(self, schema, path):
        body = {}
        if schema.get("required"):
            body["required"] = sorted(schema["required"])
        if schema.get("x-kubernetes-preserve-unknown-fields"):
            body["keeps"] = "yes"
        if "x-kubernetes-validations" in schema:
            body["rules"] = [CEL[v["rule"]] for v in schema["x-kubernetes-validations"]]
        body["fields"] = {}
        for name, field in sorted(schema["properties"].items()):
            expression, limits = self.value(field, f"{path}.{name}")
            unique = UNIQUE.get((path, name)) if self.table.flavour == "k8s" else None
            if unique:
                limits["keys"] = unique
            body["fields"][name] = {"is": expression} | limits if limits else expression
        return body

    def named(self, full):
        """A definition of the built-in kinds, under its short name."""
        short = full.rsplit(".", 1)[1]
        schema = self.definitions[full]
        if short == "Quantity":
            return "number-or-quantity"
        if short == "IntOrString":
            return "int-or-string"
        if short in ("RawExtension", "FieldsV1") or "properties" not in schema:
            return "string" if schema.get("type") == "string" else "open"
        if short not in self.table.types:
            self.table.types[short] = None  # names that refer to themselves end here
            self.table.types[short] = self.fields(schema, short)
            self.table.forms[json.dumps(self.table.types[short], sort_keys=True)] = short
        return short


def import_built_in(facts):
    document = json.load(open(f"{facts}/k8s/k8s-v1.36-schema-subset.json", encoding="utf-8"))
    table = Table("k8s", "1.36", None)
    importer = Importer(table, document["definitions"])
    short = {}
    for full in document["definitions"]:
        name = full.rsplit(".", 1)[1]
        assert short.setdefault(name, full) == full, f"two definitions of {name}"
    for key, full in sorted(document["kinds"].items()):
        api, kind = key.rsplit("/", 1)
        table.kinds.setdefault(api, {})[kind] = importer.named(full)
    table.gone = GONE
    return table


def add_words(table):
    """What validation adds to the schema; types of CRDs are compared before, in the form that they are published in."""
    for name, words in WORDS.items():
        fields = table.types[name]["fields"]
        for field, row in words.items():
            old = fields[field] if isinstance(fields[field], dict) else {"is": fields[field]}
            assert old["is"] == "string" and "enum" not in old, (name, field)
            fields[field] = old | {"enum": sorted(row), "late": "yes"}
    for name, rule in TOGETHER.items():
        table.types[name] = {"rules": [rule]} | table.types[name]


def add_access_modes(table):
    """Claims are written into several kinds, with and without the schema of a claim."""
    for name, body in sorted(table.types.items()):
        if body.get("fields", {}).get("accessModes") == "string[]":
            body["fields"]["accessModes"] = "AccessMode[]"


def import_crds(facts, folder, flavour, release, below, gone=None):
    table = Table(flavour, release, below)
    importer = Importer(table)
    for path in sorted(glob.glob(f"{facts}/{folder}/*.yaml")):
        crd = yaml.load(open(path, encoding="utf-8"), Loader=yaml.CSafeLoader)
        names, group = crd["spec"]["names"], crd["spec"]["group"]
        for version in crd["spec"]["versions"]:
            api, schema = f"{group}/{version['name']}", version["schema"]["openAPIV3Schema"]
            schema["properties"]["metadata"] = {"$ref": "/ObjectMeta"}
            importer.named = lambda full: "ObjectMeta"
            expression, _ = importer.value(schema, names["kind"])
            table.kinds.setdefault(api, {})[names["kind"]] = expression
    table.gone = gone or {}
    return table


def advice(text):
    """One word of what the facts advise."""
    for start, word in (("error if same name", "name"), ("error", "error"), ("warn on upper", "merge"), ("warn", "warning"),
                        ("use field", "warning")):
        if text.startswith(start):
            return word
    return "ok"


def owned_keys(path):
    """Parameters that an operator writes: how, value, what another line does, advice."""
    rows = {}
    for line in open(path, encoding="utf-8"):
        if line.startswith(("#", "key\t")):
            continue
        fields = line.rstrip("\n").split("\t")
        then = fields[3] if len(fields) > 4 else ""
        rows[fields[0]] = [fields[1], fields[2], "" if then == "overrides" else then, advice(fields[-1])]
    return rows


def takes(table, field, row):
    """What a field takes, in a word: int16, int32, text, "one of a|b", "list of a|b"."""
    row = {"is": row} if isinstance(row, str) else row
    if row["is"].endswith("[]"):
        return "list of " + "|".join(table.types[row["is"][:-2]]["fields"]["state"]["enum"])
    if row["is"] in ("integer", "int32"):
        return "int16" if field in SOPERATOR_16_BITS else "int32"
    words = re.fullmatch(r"\^\(\((.*)\)\(,\)\?\)\+\$", row.get("pattern", ""))
    return "one of " + "|".join(row["enum"]) if "enum" in row else "list of " + words[1] if words else "text"


def fields_of(table, sections):
    """Parameters that a field of the kind says: its path below spec, and what it takes."""
    return {field[0].upper() + field[1:]: [f"{section}.{field}", takes(table, field, row)]
            for section in sections for field, row in table.types[f"SlurmCluster.spec.{section}"]["fields"].items()}


def default(value, condition):
    """When, a value, and the value without cgroups, of a row of dropped-defaults."""
    own, other = re.fullmatch(r"([^ ]+)(?: \((.*)\))?", value).groups()
    otherwise = re.match(r"else ([^;]+)", other or "")
    without = own
    if otherwise:
        without = otherwise[1] if "/" in otherwise[1] else own.rsplit("/", 1)[0] + "/" + otherwise[1]
    elif condition == "when cgroup is in use":
        without = ""
    return ["accounting" if condition == "with accounting" else "always", own, without]


def dropped_defaults(path):
    """What an earlier release wrote into slurm.conf and slurmdbd.conf and the release does not, by file and parameter."""
    files = {"slurm.conf": {}, "slurmdbd.conf": {}}
    for line in open(path, encoding="utf-8"):
        if line.startswith(("#", "where\t")):
            continue
        where, key, *rest = line.rstrip("\n").split("\t")
        for file in files.keys() & set(where.split(", ")):
            files[file][key] = default(*rest)
    return files


def flow(value):
    return json.dumps(value, ensure_ascii=True)


def write(table, path):
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             "# Kinds as the API server knows them; schema/kube/import.py writes this file.",
             f"flavour: {table.flavour}", f"release: {flow(table.release)}"]
    if table.below:
        lines.append(f"below: {table.below.flavour}-{table.below.release}")
    if table.gone:
        lines.append("gone:")
        lines += [f"  {api}: {flow(kinds)}" for api, kinds in sorted(table.gone.items())]
    if table.kinds:
        lines.append("kinds:")
    for api, kinds in sorted(table.kinds.items()):
        lines.append(f"  {api}:")
        lines += [f"    {kind}: {flow(name)}" for kind, name in sorted(kinds.items())]
    for section, rows in (("owned", table.owned), ("owned_slurmdbd", table.owned_slurmdbd)):
        if rows:
            lines.append(f"{section}:")
        lines += [f"  {key}: {flow(row)}" for key, row in sorted(rows.items())]
    for section, rows in (("fields", table.fields), ("fields_slurmdbd", table.fields_slurmdbd)):
        if rows:
            lines.append(f"{section}:")
        lines += [f"  {key}: {flow(row)}" for key, row in sorted(rows.items())]
    for section, files in (("defaults", table.defaults), ("lines", table.lines)):
        if files:
            lines.append(f"{section}:")
        for file, rows in sorted(files.items()):
            lines.append(f"  {file}:")
            lines += [f"    {key}: {flow(row)}" for key, row in sorted(rows.items())]
    if table.frozen:
        lines.append("frozen:")
    lines += [f"  {key}: {flow(row)}" for key, row in sorted(table.frozen.items())]
    if table.types:
        lines.append("types:")
    for name, body in sorted(table.types.items()):
        lines.append(f"  {flow(name)}:")
        for key, value in body.items():
            if key != "fields":
                lines.append(f"    {key}: {flow(value)}")
        if "fields" in body:
            lines.append("    fields:")
            lines += [f"      {flow(field) if not re.fullmatch('[A-Za-z0-9]+', field) or field in ('on', 'no', 'y', 'n', 'yes') else field}: {flow(value)}"
                      for field, value in body["fields"].items()]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def main():
    facts, out = sys.argv[1], sys.argv[2]
    os.makedirs(out, exist_ok=True)
    built_in = import_built_in(facts)
    obsolete = ["Accounting", "Controller", "LoginSet", "NodeSet", "RestApi", "Token"]
    slinky = import_crds(facts, "slinky/crds-v1.2.1", "slinky", "1.2.1", built_in, {"slinky.slurm.net/v1alpha1": obsolete})
    newer = import_crds(facts, "slinky/crds-main-f2ed3fc5", "slinky", "1.3.0", slinky)
    soperator = import_crds(facts, "soperator/crds-4.1.7", "soperator", "4.1.7", built_in)
    slinky.owned = owned_keys(f"{facts}/slinky/owned-keys.tsv")
    slinky.owned_slurmdbd = OWNED_SLURMDBD
    slinky.defaults = dropped_defaults(f"{facts}/slinky/dropped-defaults-1.2.tsv") | {"cgroup.conf": CGROUP_CONF}
    slinky.lines, slinky.frozen, built_in.frozen = SLINKY_LINES, SLINKY_FROZEN, K8S_FROZEN
    soperator.owned = owned_keys(f"{facts}/soperator/owned-keys.tsv")
    soperator.owned |= {key: ["fixed", words, "", "superset"] for key, words in SOPERATOR_LISTS.items()}
    soperator.owned_slurmdbd, soperator.defaults = SOPERATOR_SLURMDBD, SOPERATOR_DEFAULTS
    soperator.lines = SOPERATOR_LINES
    soperator.fields = fields_of(soperator, SOPERATOR_SECTIONS["fields"]) | SOPERATOR_PORTS
    soperator.fields_slurmdbd = fields_of(soperator, SOPERATOR_SECTIONS["fields_slurmdbd"])
    add_words(built_in)
    built_in.types["AccessMode"] = {"is": "string", "enum": ACCESS, "late": "yes"}
    for table in (built_in, slinky, newer, soperator):
        add_access_modes(table)
    for table in (built_in, slinky, newer, soperator):
        write(table, f"{out}/{table.flavour}-{table.release}.yaml")


if __name__ == "__main__":
    main()
