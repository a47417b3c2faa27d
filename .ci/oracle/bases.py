"""What is mutated: our own cases and real configurations, freed of what every parser refuses."""

import glob
import os
import re
import threading

from ask import ask_all

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.normpath(os.path.join(HERE, "../.."))
BIGGEST_BASE = 20000


def read_folder(folder):
    files = {}
    for path in sorted(glob.glob(f"{folder}/**", recursive=True)):
        if os.path.isfile(path) and os.path.getsize(path) <= BIGGEST_BASE and not path.endswith((".md", ".tsv", ".txt")):
            with open(path, encoding="latin-1") as text:
                files[os.path.relpath(path, folder)] = text.read()
    return files


def find_bases(shared):
    """Our own cases and, where they are, real configurations: [(name, files)]."""
    folders = sorted(glob.glob(f"{SOURCE}/testdata/rules/*/*/"))
    for corpus in ("corpus/cases", "corpus/slurm-conf"):
        folders += sorted(glob.glob(f"{shared}/{corpus}/*/"))
    bases = []
    for folder in folders:
        files = read_folder(folder)
        if "slurm.conf" in files:
            base = os.path.relpath(folder, shared if folder.startswith(f"{shared}/corpus") else SOURCE)
            bases.append((base, files))
    return bases


def without_machine(files):
    """The controller is this machine, and no slurmdbd or database runs."""
    text = re.sub(r"(?im)^[ \t]*(AccountingStorage(Type|Host|Loc|User|Pass|BackupHost)|JobComp\w+|SlurmctldPort|SlurmctldAddr|"
                  r"JobSubmitPlugins|PluginDir)[ \t]*=.*\n", "", files["slurm.conf"])
    return {**files, "slurm.conf": text}


def repaired(files, daemons):
    """FILES without what every parser refuses, so that mutations are not hidden; None when the daemons still refuse."""
    files = without_machine(files)
    for _ in range(10):
        answers = ask_all(daemons, files)
        if any(verdict in ("accepted", "complaint") for verdict, _ in answers.values()):
            return files
        text = "\n".join(line for _, lines in answers.values() for line in lines)
        keys = set(re.findall(r"unrecognized key: (\w+)|The (\w+) option has been removed", text))
        keys = {a or b for a, b in keys}
        bad = set(re.findall(r'Parse error in file \S+ line \d+: "\s*(.*?)\s*"\n', text + "\n"))
        before = dict(files)
        for name, body in files.items():
            kept = [line for line in body.split("\n") if line.strip() not in bad]
            body = "\n".join(kept)
            for key in keys:
                body = re.sub(rf"(?im)(^|\s){key}\s*=\s*(\"[^\"]*\"|\S+)", r"\1", body)
            files[name] = body
        if files == before:
            return None
    return None


class Bases:
    """Sound bases, found as they are drawn; most have the file PREFER. Threads share it."""

    def __init__(self, bases, prefer="slurm.conf"):
        self.bases, self.prefer, self.sound = bases, prefer, {}
        self.locks = [threading.Lock() for _ in bases]

    def sound_one(self, number, daemons):
        with self.locks[number]: # asked about once, by who comes first
            if number not in self.sound:
                self.sound[number] = repaired(self.bases[number][1], daemons)
            return self.sound[number]

    def draw(self, rng, daemons):
        """(name, files) of one that at least one of DAEMONS takes, repaired if need be."""
        while True:
            number = rng.randrange(len(self.bases))
            name, files = self.bases[number]
            if self.prefer not in files and rng.random() < 0.7:
                continue
            files = self.sound_one(number, daemons)
            if files is not None:
                return name, files

    def any_file(self, rng, file):
        """The text of FILE in any base, sound or not."""
        return self.bases[rng.randrange(len(self.bases))][1].get(file, "")
