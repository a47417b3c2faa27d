"""One machine on which real daemons judge configurations, one after the other.

A Sandbox is a process in mount, network, host-name and process namespaces of its own over the
root folder of one Slurm release (.ci/daemons/make-root). MUNGE runs in it all the time. Every
configuration is judged in a fresh overlay and process namespace on top, so nothing of one run is
seen by the next, and killing the first process ends all that a daemon has started.
"""

import ctypes
import os
import re
import select
import shutil
import signal
import socket
import stat
import struct
import subprocess
import time

from conf import expand, values
from node import node_folders

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWUTS, NEWIPC, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x20000000, 0x40000000
PR_SET_PDEATHSIG = 1
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "HOME": "/root"}

# Seconds. A daemon that says neither yes nor no in PATIENCE is judged by nobody.
PATIENCE = 15
# slurmctld runs, but its last plugins and threads still speak. It is heard out until it has been
# silent for QUIET, or for AFTERWARDS at most.
QUIET, AFTERWARDS = 0.2, 1.0
# 22.05 reads what belongs to power saving in a thread that begins some seconds later.
LATE, LATE_KEY = 6.0, "SuspendTime"
STARTED = re.compile(rb"Running as primary controller")
NODE_STARTED = re.compile(rb"slurmd started on ")
DATABASE_ASKED = re.compile(rb"mysql_real_connect failed")
# It will wait a minute, and then end: nobody need wait with it. verdict.py knows what it means.
WAITING = re.compile(rb"retrying in 1sec up to 60sec|Still don't know my ClusterID|Waiting for gres.conf file")
# Keys that name programs; a site has them.
PROGRAMS = """MailProg Prolog Epilog PrologSlurmctld EpilogSlurmctld TaskProlog TaskEpilog SrunProlog
SrunEpilog HealthCheckProgram RebootProgram ResumeProgram SuspendProgram ResumeFailProgram
UnkillableStepProgram""".split()
# Folders of the system, which belong to root and are there.
SYSTEM = {"/", "/run", "/var/run", "/tmp", "/var/log", "/var/lib", "/var/spool", "/etc", "/usr",
          "/dev", "/home", "/var", "/bin", "/sbin", "/root", "/proc", "/sys"}


def unshare(flags):
    if LIBC.unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), "unshare")


def die_with_parent():
    """So that an interrupted run leaves no daemon behind."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def mount(source, target, kind=None, flags=0, options=None):
    words = [None if w is None else w.encode() for w in (source, target, kind)]
    if LIBC.mount(words[0], words[1], words[2], flags, None if options is None else options.encode()) != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}")


def write(path, text, mode=0o644):
    with open(path, "w", encoding="latin-1") as out:
        out.write(text)
    os.chmod(path, mode)


def overlay(root, upper):
    """Mounts a throw-away view of ROOT below UPPER, an empty folder, and returns its path."""
    for name in ("upper", "work", "root"):
        os.mkdir(f"{upper}/{name}", 0o755)
    view = f"{upper}/root"
    mount("overlay", view, "overlay", 0, f"lowerdir={root},upperdir={upper}/upper,workdir={upper}/work")
    return view


def devices(view):
    mount("tmpfs", f"{view}/dev", "tmpfs", 0, "mode=755")
    os.mkdir(f"{view}/dev/shm", 0o1777)
    for name, minor in (("null", 3), ("zero", 5), ("full", 7), ("random", 8), ("urandom", 9)):
        os.mknod(f"{view}/dev/{name}", stat.S_IFCHR | 0o666, os.makedev(1, minor))
        os.chmod(f"{view}/dev/{name}", 0o666)
    for name, to in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(to, f"{view}/dev/{name}")


def user_id(view, name, field=2):
    with open(f"{view}/etc/passwd", encoding="utf-8") as users:
        for line in users:
            fields = line.split(":")
            if name in (fields[0], fields[2]):
                return int(fields[field])
    return None


class Furniture:
    """What packages and administrators make before the first start, for one configuration."""

    def __init__(self, view, files):
        self.view = view
        self.slurm = files.get("slurm.conf", "")
        self.hosts = {}
        self.user = (values(self.slurm, "SlurmUser") or ["root"])[-1]
        self.make_user()
        self.make_names(files)
        self.make_folders(files)
        self.make_programs()
        for key in ("File", "MultipleFiles"):
            for pattern in values(files.get("gres.conf", ""), key):
                for path in expand(pattern, 64):
                    self.make_device(path)

    def make_user(self):
        self.uid = user_id(self.view, self.user)
        if self.uid is None:
            self.uid = 64030
            if re.fullmatch(r"[a-z_][-a-z0-9_]*", self.user):
                with open(f"{self.view}/etc/passwd", "a", encoding="utf-8") as users:
                    users.write(f"{self.user}:x:64030:64030::/nonexistent:/usr/sbin/nologin\n")

    def know(self, name, address=None, off=False):
        """Makes a name resolve. The address of a machine that is off has no route."""
        if not name or name == "localhost" or re.fullmatch(r"[0-9.]+", name) or len(self.hosts) > 20000:
            return
        if name not in self.hosts:
            count = len(self.hosts) + 1
            made_up = f"10.{252 if off else 253}.{count // 250}.{count % 250 + 1}"
            usable = address and re.fullmatch(r"\d+(\.\d+){3}", address)
            self.hosts[name] = address if usable and not off else made_up

    def make_names(self, files):
        self.controller = "localhost"
        first = True
        for entry in values(self.slurm, "SlurmctldHost") + values(self.slurm, "ControlMachine"):
            name, _, address = entry.partition("(")
            if first:
                self.controller = name or "localhost"
            # A backup that answers would not be ours.
            self.know(name, address.rstrip(")"), off=not first)
            first = False
        for key in ("BackupController",):
            for name in values(self.slurm, key):
                self.know(name, off=True)
        for key in ("AccountingStorageHost", "JobCompHost"):
            for name in values(self.slurm, key):
                self.know(name)
        for key in ("NodeName", "NodeHostname", "NodeAddr"):
            for names in values(self.slurm, key):
                for name in expand(names, 8192):
                    self.know(name)
        text = "127.0.0.1 localhost\n" + "".join(f"{a} {n}\n" for n, a in self.hosts.items())
        write(f"{self.view}/etc/hosts", text)

    def make_folders(self, files):
        folders = ["/var/log/slurm", "/run/slurm", "/run/slurmctld", "/var/spool/slurm",
                   "/var/spool/slurmctld", "/var/spool/slurmd", "/var/lib/slurm/slurmctld"]
        folders += values(self.slurm, "StateSaveLocation")
        for key in ("SlurmctldLogFile", "SlurmctldPidFile", "SlurmSchedLogFile", "JobCompLoc"):
            folders += [os.path.dirname(path) for path in values(self.slurm, key)]
        folders += node_folders(self.slurm)
        folders += [os.path.dirname(path) for key in ("LogFile", "PidFile")
                    for path in values(files.get("slurmdbd.conf", ""), key)]
        for folder in folders:
            folder = os.path.normpath(folder) if folder.startswith("/") else "/"
            if folder in SYSTEM or folder.split("/")[1] in ("proc", "sys", "dev"):
                continue
            try:
                os.makedirs(self.view + folder, exist_ok=True)
                os.chown(self.view + folder, self.uid, -1)
            except OSError:
                pass # a file is in the way: the daemon will say so

    def stub(self, path):
        try:
            if not os.path.lexists(self.view + path):
                os.makedirs(os.path.dirname(self.view + path), exist_ok=True)
                write(self.view + path, "#!/bin/sh\n", 0o755)
        except (OSError, ValueError):
            pass

    def make_programs(self):
        for path in ["/bin/mail", "/usr/bin/mail"] + [p for key in PROGRAMS for p in values(self.slurm, key)]:
            if path.startswith("/") and not set(path) & set("*?[,"):
                self.stub(path)

    def make_device(self, path):
        path = os.path.join("/", path) # slurmd runs in the root folder
        number = re.search(r"(\d+)$", path)
        try:
            if not os.path.lexists(self.view + path):
                os.makedirs(os.path.dirname(self.view + path), exist_ok=True)
                minor = int(number.group(1)[-3:]) % 256 if number else 0
                os.mknod(self.view + path, stat.S_IFCHR | 0o666, os.makedev(195, minor))
        except (OSError, ValueError):
            pass


def place_files(view, files, uid):
    folder = f"{view}/etc/slurm"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, text in files.items():
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        write(f"{folder}/{name}", text)
    if os.path.exists(f"{folder}/slurmdbd.conf"):
        user = (values(files["slurmdbd.conf"], "SlurmUser") or ["slurm"])[-1]
        owner = user_id(view, user)
        os.chown(f"{folder}/slurmdbd.conf", uid if owner is None else owner, -1)
        os.chmod(f"{folder}/slurmdbd.conf", 0o600)


class Sandbox:
    """Lives in a forked process that has called enter(). BASE is an empty folder that no other sandbox uses."""

    def __init__(self, root, base, slow_power=False):
        self.root = root
        self.base = base
        self.slow_power = slow_power

    def enter(self):
        die_with_parent()
        signal.signal(signal.SIGINT, lambda *_: None) # whoever asks decides when it ends; a daemon has it as ever
        unshare(NEWNS | NEWUTS | NEWIPC | NEWNET)
        mount("none", "/", None, MS_REC | MS_PRIVATE)
        mount("tmpfs", self.base, "tmpfs", 0, "mode=755")
        # Every address answers on this machine, but for those of machines that are off.
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        subprocess.run(["ip", "addr", "add", "10.253.0.1/32", "dev", "lo"], check=True)
        subprocess.run(["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo", "table", "local"], check=True)
        subprocess.run(["ip", "route", "add", "unreachable", "10.252.0.0/16", "table", "local"], check=True)
        os.mkdir(f"{self.base}/munge", 0o755)
        os.mkdir(f"{self.base}/first", 0o755)
        self.start_munge(overlay(self.root, f"{self.base}/first"))

    def start_munge(self, view):
        devices(view)
        mount("proc", f"{view}/proc", "proc")
        mount("tmpfs", f"{view}/run", "tmpfs", 0, "mode=755")
        os.mkdir(f"{view}/run/munge", 0o755)
        mount(f"{self.base}/munge", f"{view}/run/munge", None, MS_BIND)
        write(f"{view}/etc/nsswitch.conf",
              "".join(f"{kind}: files\n" for kind in "hosts passwd group shadow services protocols".split()))
        with open(f"{view}/etc/munge/munge.key", "wb") as key:
            key.write(os.urandom(1024))
        uid = user_id(view, "munge")
        gid = user_id(view, "munge", 3)
        for name in ("run", "etc", "var/log", "var/lib"):
            os.chown(f"{view}/{name}/munge", uid, gid)
        os.chown(f"{view}/etc/munge/munge.key", uid, gid)
        os.chmod(f"{view}/etc/munge/munge.key", 0o400)

        def become():
            os.chroot(view)
            os.chdir("/")
            os.setgroups([])
            os.setgid(gid)
            os.setuid(uid)
            die_with_parent() # behind setuid, which clears it
        self.munge = subprocess.Popen(["/usr/sbin/munged", "--force", "--foreground"], preexec_fn=become,
                                      env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.exists(f"{self.base}/munge/munge.socket.2"):
                return
            time.sleep(0.02)
        raise RuntimeError("munged does not start")

    def stage(self, files):
        """In the process of one run: a fresh machine. Returns (view, furniture)."""
        os.makedirs(f"{self.base}/run", exist_ok=True)
        mount("tmpfs", f"{self.base}/run", "tmpfs", 0, "mode=755")
        view = overlay(self.root, f"{self.base}/run")
        devices(view)
        mount("proc", f"{view}/proc", "proc")
        mount("/sys", f"{view}/sys", None, MS_BIND | MS_REC)
        mount("tmpfs", f"{view}/run", "tmpfs", 0, "mode=755")
        mount("tmpfs", f"{view}/tmp", "tmpfs", 0, "mode=1777")
        os.mkdir(f"{view}/run/munge", 0o755)
        mount(f"{self.base}/munge", f"{view}/run/munge", None, MS_BIND)
        write(f"{view}/etc/resolv.conf", "")
        write(f"{view}/etc/nsswitch.conf",
              "".join(f"{kind}: files\n" for kind in "hosts passwd group shadow services protocols".split()))
        furniture = Furniture(view, files)
        place_files(view, files, furniture.uid)
        furniture.make_programs() # again: some lie beside slurm.conf
        return view, furniture

    def start(self, files, command, host):
        """Starts COMMAND as the first process of a machine of its own: (process id, its log)."""
        reader, writer = os.pipe()
        done_reader, done_writer = os.pipe()
        middle = os.fork()
        if middle == 0:
            try:
                os.close(reader)
                die_with_parent()
                unshare(NEWNS | NEWPID | NEWUTS | NEWIPC)
                first = os.fork()
                if first == 0:
                    die_with_parent()
                    self.become(files, command, host, writer)
                os.write(done_writer, struct.pack("i", first))
                os.close(writer)
                os.waitpid(first, 0)
            finally:
                os._exit(120)
        os.close(writer)
        os.close(done_writer)
        told = os.read(done_reader, 4)
        os.close(done_reader)
        return middle, (struct.unpack("i", told)[0] if told else None), reader

    def become(self, files, command, host, log):
        try:
            view, furniture = self.stage(files)
            socket.sethostname((host or furniture.controller).split(".")[0] or "localhost")
            os.chroot(view)
            os.chdir("/")
            null = os.open("/dev/null", os.O_RDWR)
            os.dup2(null, 0)
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.closerange(3, 256)
            os.execve(command[0], command, ENVIRONMENT)
        except BaseException as error: # whatever it is, the log must tell it
            os.write(log, f"sandbox: {error!r}\n".encode())
        finally:
            os._exit(121)

    def listen(self, files, command, host=None, until=None, quiet=QUIET):
        """Runs a daemon: (its log, whether it reached UNTIL and still ran when it was stopped)."""
        middle, first, reader = self.start(files, command, host)
        text, deadline, settled = b"", time.monotonic() + PATIENCE, False
        while time.monotonic() < deadline:
            left = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([reader], [], [], min(left, quiet) if settled else left)
            more = os.read(reader, 65536) if ready else b""
            if not more:
                break
            text += more
            if not settled and (WAITING.search(text) or (until and until.search(text))):
                settled = True
                deadline = time.monotonic() + max(quiet, AFTERWARDS)
        ended = bool(ready) and not more # nobody holds the other end of the pipe
        if not ended and not settled:
            text += b"\nsandbox: neither yes nor no in time\n"
        if not ended and first:
            os.kill(first, signal.SIGKILL)
        os.waitpid(middle, 0)
        os.close(reader)
        return text.decode("latin-1"), not ended and bool(until and until.search(text))

    def controller(self, files):
        quiet = LATE if self.slow_power and values(files.get("slurm.conf", ""), LATE_KEY) else QUIET
        return self.listen(files, ["/usr/sbin/slurmctld", "-D", "-c", "-vv"], until=STARTED, quiet=quiet)

    def node(self, files, name):
        """What slurmd of node NAME says."""
        return self.listen(files, ["/usr/sbin/slurmd", "-D", "-N", name, "-vv"], host=name, until=NODE_STARTED)

    def accounting(self, files):
        """What slurmdbd says until it asks the database, which does not run."""
        host = (values(files.get("slurmdbd.conf", ""), "DbdHost") or ["localhost"])[-1]
        return self.listen(files, ["/usr/sbin/slurmdbd", "-D", "-vv"], host=host, until=DATABASE_ASKED)

    def leave(self):
        self.munge.kill()
        self.munge.wait()
