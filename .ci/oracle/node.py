"""The node's side: which slurmd is asked, what a machine without hardware and cgroups needs changed in
the files for it (both slurmd and plumb see the changed files), and mutants of what slurmd reads."""

import re
import threading

from conf import expand, logical_lines, split_list, values
from mutate import PAIR, Mutator

# slurmd of so many nodes is asked about one configuration, each of another kind.
MOST_NODES = 5
# Sensors and network cards that the machine lacks.
SENSORS = r"acct_gather_(energy/(ipmi|rapl|gpu|xcc|rsmi|pm_counters|ibmaem)|interconnect/\w+|filesystem/\w+|profile/\w+)"
# What of a folder slurmd can see; captures would tell plumb of another machine.
SEEN = re.compile(r"^(?!captures/).*\.(conf|yaml)$")
PLAIN = re.compile(r"[\w.-]+")
ADDRESS = re.compile(r"\d+(\.\d+){3}|[0-9a-fA-F:]*:[0-9a-fA-F:]*")
GRES = re.compile(r"\bGres[ \t]*=", re.IGNORECASE)
SPOOL = re.compile(r"%[hn]")


def replaced(text, key, pattern, by):
    """TEXT with PATTERN replaced in the values of KEY; every other value stays, right or wrong."""
    def one(match):
        return match.group(1) + re.sub(pattern, by, match.group(2), flags=re.IGNORECASE)
    return re.sub(rf'(?im)^([ \t]*{key}[ \t]*=[ \t]*)("[^"\n]*"|[^\s#"]+)', one, text)


def with_word(text, key, word):
    """TEXT with WORD added to the list of KEY, which gets a line of its own if need be."""
    if not values(text, key):
        return f"{key}={word}\n" + text
    if word.lower() in ",".join(values(text, key)).lower():
        return text
    return replaced(text, key, r"([^\"])(\"?)$", rf"\1,{word}\2")


def sandboxed(files, release):
    """FILES for a slurmd that has neither cgroups of its own nor the hardware of its node."""
    files = {name: text for name, text in files.items() if SEEN.search(name) and name != "plugstack.conf"}
    text = files["slurm.conf"]
    text = replaced(text, "ProctrackType", r"^(proctrack/)?cgroup$", "proctrack/linuxproc")
    text = replaced(text, "JobAcctGatherType", r"^jobacct_gather/cgroup$", "jobacct_gather/linux")
    text = replaced(text, "TaskPlugin", r"(task/)?cgroup,|,(task/)?cgroup\b", "")
    text = replaced(text, "TaskPlugin", r"^(task/)?cgroup$", "task/affinity")
    text = replaced(text, "TaskPluginParam", r"\bSlurmdOffSpec\b", "Verbose") # it runs on CPUs that only the node has
    text = replaced(text, "PrologFlags", r"\bx11\b", "Contain")
    text = re.sub(rf"(?im)^[ \t]*AcctGather\w+Type[ \t]*=[ \t]*{SENSORS}[ \t]*$", "", text)
    text = with_word(text, "SlurmdParameters", "config_overrides")
    if not values(text, "ProctrackType"):
        text = "ProctrackType=proctrack/linuxproc\n" + text
    if release >= "23.11":
        group = replaced(files.get("cgroup.conf", ""), "CgroupPlugin", r"^(autodetect|cgroup/v[12])$", "disabled")
        files["cgroup.conf"] = group if values(group, "CgroupPlugin") else "CgroupPlugin=disabled\n" + group
    if "gres.conf" in files:
        files["gres.conf"] = detected_nothing(files["gres.conf"])
    return {**files, "slurm.conf": text}


def detected_nothing(text):
    """gres.conf with AutoDetect off: no machine of ours has what it would find. slurmd looks for its words anywhere in
    the value (gres.c:_handle_autodetect_flags)."""
    return re.sub(r'(?i)\b(AutoDetect[ \t]*=[ \t]*)("?)[^\s#"]*(nvml|nvidia|rsmi|oneapi|nrt|full)[^\s#"]*', r"\1\2off", text)


def built_otherwise(files):
    """Whether BasePath of job_container.conf or namespace.yaml is empty, or holds one of Dirs: the slurmd of our roots is built to run
    several times on one machine (MULTIPLE_SLURMD), puts the name of its node behind the path, and does not mind."""
    text = files.get("job_container.conf", "")
    folders = ["/tmp", "/dev/shm"] + [folder for value in values(text, "Dirs") for folder in value.strip('"').split(",")]
    bases = [value.strip('"') for value in values(text, "BasePath")]
    tree = files.get("namespace.yaml", "")
    bases += re.findall(r"(?m)^\s*-?\s*base_path:\s*['\"]?([^'\"\s#]*)", tree)
    folders += re.findall(r"(?m)^\s*-?\s*path:\s*['\"]?([^'\"\s#]*)", tree)
    folders += [folder for text in re.findall(r"(?m)^\s*-?\s*dirs:\s*['\"]?([^'\"\s#]*)", tree) for folder in text.split(",")]
    return any(folder.startswith(base) for base in bases for folder in folders)


def host_unseen(files):
    """Whether slurmdbd would compare an address with the name of its machine: it does so behind the database."""
    hosts = [host for key in ("DbdHost", "DbdBackupHost") for host in values(files.get("slurmdbd.conf", ""), key)]
    return any(ADDRESS.fullmatch(host) for host in hosts)


def node_lines(text, key="NodeName"):
    """[the names of each line of KEY]"""
    found = []
    for line in logical_lines(text):
        pair = PAIR.match(line)
        if pair and pair.group(1).lower() == key.lower() and pair.group(3).strip('"').lower() != "default":
            found.append(expand(pair.group(3).strip('"'), 4096))
    return found


def nodes(files):
    """Names of nodes whose slurmd is to be asked: the first of each node line that gres.conf and job_container.conf
    tell apart, those that they name before others with GRES, and these before the rest."""
    told = node_lines(files.get("gres.conf", "")) + node_lines(files.get("job_container.conf", ""))
    declared = {name for line in logical_lines(files["slurm.conf"]) if GRES.search(line)
                for names in node_lines(line) for name in names}
    kinds = {}
    for number, names in enumerate(node_lines(files["slurm.conf"])):
        for name in names:
            if not PLAIN.fullmatch(name):
                continue # Slurm expands it otherwise, or not at all
            lines = tuple(i for i, line in enumerate(told) if name in line)
            kinds.setdefault((number, lines), name)
    ranked = sorted(kinds.items(), key=lambda kind: (not kind[0][1], kind[1] not in declared, kind[0]))
    return [name for _, name in ranked[:MOST_NODES]]


def node_folders(text):
    """Folders that slurmd of a node writes to."""
    folders = ["/run/slurm", "/var/spool/slurmd", "/var/log/slurm"]
    folders += [SPOOL.split(path)[0].rstrip("/") or "/" for path in values(text, "SlurmdSpoolDir")]
    for key in ("SlurmdLogFile", "SlurmdPidFile"):
        folders += [path.rpartition("/")[0] for path in values(text, key)]
    return folders


# What slurmd reads of slurm.conf.
NODE_KEYS = re.compile(r"^(Gres\w*|NodeName|CPUs|Procs|Sockets\w*|Boards|Cores\w*|Threads\w*|CpuSpec\w*|CoreSpec\w*|Mem\w*|RealMemory|"
                       r"TmpDisk|Feature\w*|State|Weight|Port|Slurmd\w*|Task\w*|Proctrack\w*|JobAcct\w*|AcctGather\w*|Prolog\w*|"
                       r"Epilog\w*|HealthCheck\w*|JobContainer\w*|Namespace\w*|Launch\w*|Mpi\w*|Prep\w*|CpuFreq\w*|Unkillable\w*|NodeSet|"
                       r"Topology\w*|Kill\w*|SelectType\w*|AccountingStorageTRES|PropagateR\w*|MaxStep\w*|Debug\w*|Node\w*)$", re.IGNORECASE)


class AccountingMutator(Mutator):
    """Mutants of slurmdbd.conf."""

    files = ("slurmdbd.conf",)


class NodeMutator(Mutator):
    """Mutants with more of gres.conf, cgroup.conf and the node's part of slurm.conf."""

    files = ("slurm.conf", "slurm.conf", "gres.conf", "gres.conf", "gres.conf", "cgroup.conf", "cgroup.conf")

    def __init__(self, bases, vocabulary):
        super().__init__(bases, vocabulary)
        self.thread = threading.local()

    def mutant(self, rng, daemons):
        self.thread.near = rng.random() < 0.7
        return super().mutant(rng, daemons)

    def pick(self, rng, lines, wanted=lambda pair: True):
        if self.thread.near:
            near = super().pick(rng, lines, lambda m: wanted(m) and NODE_KEYS.match(m.group(1)))
            if near:
                return near
        return super().pick(rng, lines, wanted)
