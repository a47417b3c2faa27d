"""Those who are asked: the daemons of a release, each in a process with a sandbox of its own, and plumb."""

import json
import os
import shutil
import subprocess
import tempfile
from multiprocessing import Pipe, Process

from memory import Memory
from node import sandboxed
from serve import serve

VERDICTS = ("accepted", "complaint", "refused")


class Daemon:
    """slurmctld, slurmd or slurmdbd, KIND, of one release. One thread at a time may ask it."""

    def __init__(self, kind, release, root, memory):
        self.kind, self.release, self.memory, self.key = kind, release, memory, None
        self.base = tempfile.mkdtemp(prefix="oracle.")
        self.pipe, other = Pipe()
        self.process = Process(target=serve, args=(kind, release, root, self.base, other), daemon=True)
        self.process.start()
        other.close()
        self.asked = self.seconds = 0

    def wait_until_ready(self):
        try:
            if self.pipe.poll(60) and self.pipe.recv() == "ready":
                return
        except EOFError:
            pass
        raise RuntimeError(f"no sandbox for {self.release}")

    def view(self, files):
        """FILES as this daemon gets them: byte for byte, but for what a sandbox lacks of a node."""
        return sandboxed(files, self.release) if self.kind == "slurmd" else files

    def ask(self, files):
        files = self.view(files)
        self.key = Memory.key(self.kind, self.release, files)
        self.waits = self.key not in self.memory.verdicts
        if self.waits:
            self.pipe.send(files)

    def answer(self):
        if self.waits:
            verdict, lines, seconds = self.pipe.recv()
            self.asked += 1
            self.seconds += seconds
            # Another sandbox may have been asked the same: what was said first stays.
            self.memory.verdicts.setdefault(self.key, (verdict, lines))
        return self.memory.verdicts[self.key]

    def close(self):
        try:
            self.pipe.send(None)
        except OSError:
            pass # it ended before us
        self.process.join(10)
        self.process.kill()
        self.process.join()
        try:
            os.rmdir(self.base) # what it held was mounted in the process alone
        except OSError:
            pass


def ask_all(daemons, files):
    """{release: answer} of several releases of one daemon, asked at once."""
    for daemon in daemons:
        daemon.ask(files)
    return {daemon.release: daemon.answer() for daemon in daemons}


class Plumb:
    """One thread at a time may ask it."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="oracle-plumb.")

    def write(self, files):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        for name, text in files.items():
            path = f"{self.folder}/{name}"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="latin-1") as out:
                out.write(text)

    def ask(self, files, daemon):
        """(prediction, findings that cause it) of what DAEMON does with FILES"""
        self.write(daemon.view(files))
        done = subprocess.run([self.program, "check", self.folder, "--slurm", daemon.release, "--format", "json"],
                              capture_output=True, check=False)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            return "crash", [done.stderr.decode("utf-8", "replace")[-300:]]
        verdict = report["daemons"][daemon.kind] or "accepted"
        wanted = {"refused": "stops", "complaint": "complains"}.get(verdict)
        return verdict, [f"{f['code']} {f['message']}" for f in report["findings"]
                         if f["effects"].get(daemon.kind) == wanted]

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
