"""Asks the real slurmctld of several releases and plumb about the same configurations, and tells
where they differ. Called by run; see doc/design/oracle.md."""

import argparse
import collections
import glob
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from multiprocessing import Pipe, Process

from mutate import Mutator, Vocabulary
from sandbox import Sandbox
from verdict import Noise, judge, shape

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.normpath(os.path.join(HERE, "../.."))
VERDICTS = ("accepted", "complaint", "refused")
BIGGEST_BASE = 20000


def serve(release, root, pipe):
    """The process of one release: files in, (verdict, lines) out."""
    sandbox, noise = Sandbox(root, slow_power=release == "22.05"), Noise()
    sandbox.enter()
    pipe.send("ready")
    while (files := pipe.recv()) is not None:
        started = time.monotonic()
        verdict, lines = judge(*sandbox.controller(files), noise)
        pipe.send((verdict, lines, time.monotonic() - started))
    sandbox.leave()


class Memory:
    """What daemons said before, kept in a file: a change of plumb is compared in seconds."""

    def __init__(self, path):
        self.path, self.verdicts = path, {}
        digest = hashlib.sha256()
        for name in ("noise.tsv", "verdict.py", "sandbox.py", "conf.py"):
            with open(f"{HERE}/{name}", "rb") as text:
                digest.update(text.read())
        self.judges = digest.hexdigest() # other judges, other verdicts
        if os.path.exists(path):
            with open(path, encoding="utf-8") as text:
                kept = json.load(text)
            self.verdicts = kept["verdicts"] if kept["judges"] == self.judges else {}

    @staticmethod
    def key(release, files):
        return hashlib.sha256(repr((release, sorted(files.items()))).encode()).hexdigest()

    def save(self):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w", encoding="utf-8") as text:
            json.dump({"judges": self.judges, "verdicts": self.verdicts}, text)


class Daemon:
    def __init__(self, release, root, memory):
        self.release, self.memory, self.key = release, memory, None
        self.pipe, other = Pipe()
        self.process = Process(target=serve, args=(release, root, other), daemon=True)
        self.process.start()
        self.asked = self.seconds = 0
        if not self.pipe.poll(30):
            raise RuntimeError(f"no sandbox for {release}")
        self.pipe.recv()

    def ask(self, files):
        self.key = Memory.key(self.release, files)
        if self.key not in self.memory.verdicts:
            self.pipe.send(files)

    def answer(self):
        if self.key in self.memory.verdicts:
            return self.memory.verdicts[self.key]
        verdict, lines, seconds = self.pipe.recv()
        self.memory.verdicts[self.key] = (verdict, lines)
        self.asked += 1
        self.seconds += seconds
        return verdict, lines

    def close(self):
        self.pipe.send(None)
        self.process.join(10)


class Plumb:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="oracle-plumb.")

    def write(self, files):
        subprocess.run(["rm", "-rf", self.folder], check=True)
        for name, text in files.items():
            path = f"{self.folder}/{name}"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="latin-1") as out:
                out.write(text)

    def ask(self, files, release):
        """(prediction, findings that cause it)"""
        self.write(files)
        done = subprocess.run([self.program, "check", self.folder, "--slurm", release, "--format", "json"],
                              capture_output=True, check=False)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            return "crash", [done.stderr.decode("utf-8", "replace")[-300:]]
        verdict = report["daemons"]["slurmctld"] or "accepted"
        wanted = {"refused": "stops", "complaint": "complains"}.get(verdict)
        return verdict, [f"{f['code']} {f['message']}" for f in report["findings"]
                         if f["effect"] == wanted and "slurmctld" in f["daemons"]]


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


def ask_all(daemons, files):
    for daemon in daemons:
        daemon.ask(files)
    return {daemon.release: daemon.answer() for daemon in daemons}


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
    """Sound bases, found as they are drawn."""

    def __init__(self, bases, daemons):
        self.bases, self.daemons, self.sound = bases, daemons, {}

    def draw(self, rng):
        """(name, files) of one that at least one daemon takes, repaired if need be."""
        while True:
            number = rng.randrange(len(self.bases))
            name, files = self.bases[number]
            if number not in self.sound:
                self.sound[number] = repaired(files, self.daemons)
            if self.sound[number] is not None:
                return name, self.sound[number]

    def any_file(self, rng, file):
        """The text of FILE in any base, sound or not."""
        return self.bases[rng.randrange(len(self.bases))][1].get(file, "")


class Case:
    """One configuration and what daemons and plumb say about it."""

    def __init__(self, name, files, daemons, plumb):
        self.name, self.files = name, files
        self.answers = ask_all(daemons, files)
        self.predictions = {d.release: plumb.ask(files, d.release) for d in daemons}

    def difference(self, release):
        """A name for the kind of disagreement, or None."""
        verdict, lines = self.answers[release]
        predicted, findings = self.predictions[release]
        if verdict == "not judged" or verdict == predicted:
            return None
        rank = VERDICTS.index
        if predicted == "crash":
            return "plumb crashes"
        if rank(predicted) > rank(verdict):
            return f"daemon {verdict}, plumb {predicted}: {' + '.join(sorted({f.split()[0] for f in findings}))}"
        said = [line for line in lines if "error: " in line or "fatal: " in line] or lines or ["without a word"]
        telling = [line for line in said if not line.startswith("fatal: Unable to process configuration")]
        return f"daemon {verdict}, plumb {predicted}: {shape((telling or said)[0 if verdict == 'complaint' else -1])}"


def minimised(case, release, daemon, plumb, budget=80):
    """The same disagreement in as few statements as BUDGET questions find."""
    wanted = case.difference(release)

    class Small(Case):
        def __init__(self, files):
            super().__init__(case.name, files, [daemon], plumb)

    files = case.files
    for name in [n for n in files if n != "slurm.conf"]:
        less = {n: t for n, t in files.items() if n != name}
        budget -= 1
        if Small(less).difference(release) == wanted:
            files = less
    for name in sorted(files):
        lines = [line for line in files[name].split("\n")]
        size = max(len(lines) // 2, 1)
        while size and budget > 0:
            at = 0
            while at < len(lines) and budget > 0:
                less = lines[:at] + lines[at + size:]
                budget -= 1
                if Small({**files, name: "\n".join(less)}).difference(release) == wanted:
                    lines = less
                else:
                    at += size
            size //= 2
        files = {**files, name: "\n".join(lines)}
    return Small(files)


def known_classes():
    rows = []
    with open(f"{HERE}/known.tsv", encoding="utf-8") as text:
        for row in text:
            if not row.startswith("#") and row.strip():
                pattern, reason = row.rstrip("\n").split("\t")
                rows.append((re.compile(pattern), reason))
    return rows


def share(cases, release):
    """Percent of the judged cases on which both say the same."""
    judged = [case for case in cases if case.answers[release][0] != "not judged"]
    same = sum(case.answers[release][0] == case.predictions[release][0] for case in judged)
    return 100 * same / max(len(judged), 1)


def print_matrix(cases, release):
    count = collections.Counter((case.answers[release][0], case.predictions[release][0]) for case in cases)
    total = sum(n for (verdict, _), n in count.items() if verdict != "not judged")
    same = sum(count[(v, v)] for v in VERDICTS)
    print(f"\nSlurm {release}: {same} of {total} the same ({100 * same / max(total, 1):.1f} %), "
          f"{sum(count.values()) - total} not judged")
    print(f"  {'daemon':<12}" + "".join(f"{'plumb ' + v:>18}" for v in VERDICTS))
    for verdict in VERDICTS:
        print(f"  {verdict:<12}" + "".join(f"{count[(verdict, v)]:>18}" for v in VERDICTS))


def print_case(case, release):
    verdict, lines = case.answers[release]
    predicted, findings = case.predictions[release]
    print(f"    from {case.name}")
    for name, text in sorted(case.files.items()):
        print(f"    | {name}:")
        for line in text.split("\n"):
            if line.strip():
                print(f"    |   {line[:300]}")
    for line in lines[:4]:
        print(f"    slurmctld {release} ({verdict}): {line[:200]}")
    for line in findings[:4] or ["(nothing that stops or complains)"]:
        print(f"    plumb ({predicted}): {line[:200]}")


def report(cases, daemons, plumb, smallest):
    """Prints the matrices and one minimised example of each disagreement; the number of new ones."""
    for daemon in daemons:
        print_matrix(cases, daemon.release)
    classes = collections.OrderedDict()
    for case in cases:
        for daemon in daemons:
            name = case.difference(daemon.release)
            if name:
                classes.setdefault(name, []).append((case, daemon))
    known, new = known_classes(), 0
    rank = lambda item: (not item[0].startswith("plumb crashes"), "plumb refused" not in item[0],
                         "daemon refused" not in item[0], -len(item[1]))
    for name, members in sorted(classes.items(), key=rank):
        releases = collections.Counter(d.release for _, d in members)
        places = ", ".join(f"{r} x{n}" for r, n in sorted(releases.items()))
        reason = next((why for pattern, why in known if pattern.search(name)), None)
        if reason:
            print(f"\nknown: {name} ({places})\n    {reason}")
            continue
        new += 1
        print(f"\n{name} ({places})")
        case, daemon = min(members, key=lambda m: sum(map(len, m[0].files.values())))
        print_case(minimised(case, daemon.release, daemon, plumb) if smallest else case, daemon.release)
        sys.stdout.flush()
    return new


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plumb")
    parser.add_argument("--root", action="append", required=True, metavar="RELEASE=FOLDER")
    parser.add_argument("--count", type=int, default=300, help="mutants; 0 asks about the bases as they are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-least", type=float, metavar="PERCENT",
                        help="fail only when fewer verdicts are the same")
    parser.add_argument("--own", action="store_true", help="only bases of this tree")
    parser.add_argument("--quick", action="store_true", help="do not minimise")
    parser.add_argument("--cache", default=f"{SOURCE}/build/oracle-verdicts.json")
    args = parser.parse_args()
    memory = Memory(args.cache)
    daemons = [Daemon(*root.split("=", 1), memory) for root in args.root]
    plumb = Plumb(args.plumb)
    started = time.monotonic()
    shared = "/nonexistent" if args.own else os.path.realpath(os.environ.get("PLUMB_SHARED", f"{SOURCE}/../shared"))
    bases = find_bases(shared)
    if args.count:
        mutator = Mutator(Bases(bases, daemons), Vocabulary(sorted(glob.glob(f"{SOURCE}/golden/schema/*.txt")), bases))
    print(f"{len(bases)} bases, {args.count} mutants, seed {args.seed}")
    sys.stdout.flush()
    cases = []
    for number in range(args.count or len(bases)):
        if args.count:
            name, changes, files = mutator.mutant(random.Random(f"{args.seed}:{number}"))
            name = f"{name}, mutant {number} ({'; '.join(changes)})"
        else:
            name, files = bases[number]
        cases.append(Case(name, files, daemons, plumb))
        if len(cases) % 100 == 0:
            print(f"{len(cases)} judged, {time.monotonic() - started:.0f} s", file=sys.stderr)
    for daemon in daemons:
        print(f"{daemon.release}: {daemon.asked} verdicts asked for, {daemon.asked / max(daemon.seconds, 0.001):.1f} a second")
    new = report(cases, daemons, plumb, not args.quick)
    memory.save()
    for daemon in daemons:
        daemon.close()
    print(f"\n{new} classes of disagreement that known.tsv does not explain ({time.monotonic() - started:.0f} s)")
    if args.at_least:
        return 1 if any(share(cases, d.release) < args.at_least for d in daemons) else 0
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
