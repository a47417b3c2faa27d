"""Asks the real slurmctld, slurmd and slurmdbd of several releases and plumb about the same configurations, and
tells where they differ. Called by run; see doc/design/oracle.md."""

import argparse
import glob
import os
import random
import shutil
import sys
import tempfile
import time
from multiprocessing import Pipe, Process

from bases import SOURCE, Bases, find_bases
from lanes import Lanes
from memory import Memory
from mutate import Mutator, Vocabulary
from node import AccountingMutator, NodeMutator
from report import Case, report, share
from sandbox import die_with_parent

KINDS = ("slurmctld", "slurmd", "slurmdbd")


def positive(text):
    number = int(text)
    if not 1 <= number <= 64:
        raise argparse.ArgumentTypeError("from 1 to 64")
    return number


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("plumb")
    parser.add_argument("--root", action="append", required=True, metavar="RELEASE=FOLDER")
    parser.add_argument("--daemon", choices=KINDS + ("all",), default="all")
    parser.add_argument("--count", type=int, default=300, help="mutants for each daemon; 0 asks about the bases as they are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", dest="width", type=positive, default=os.cpu_count(), metavar="N",
                        help="sandboxes of each release and daemon (default: processors)")
    parser.add_argument("--at-least", type=float, metavar="PERCENT",
                        help="fail only when fewer verdicts are the same")
    parser.add_argument("--own", action="store_true", help="only bases of this tree")
    parser.add_argument("--quick", action="store_true", help="do not minimise")
    parser.add_argument("--cache", default=f"{SOURCE}/build/oracle-verdicts.json",
                        help="what daemons said; each kind of daemon has a file of this name and its own")
    return parser.parse_args()


def mutator_of(kind, bases):
    vocabulary = Vocabulary(sorted(glob.glob(f"{SOURCE}/golden/schema/*.txt")), bases)
    if kind == "slurmd":
        return NodeMutator(Bases(bases, prefer="gres.conf"), vocabulary)
    if kind == "slurmdbd":
        bases = [(name, files) for name, files in bases if "slurmdbd.conf" in files]
        return AccountingMutator(Bases(bases), vocabulary)
    return Mutator(Bases(bases), vocabulary)


def judged(kind, args, bases, lanes):
    """Yields the case of every configuration that is to be judged by the daemons of KIND, in the order of their numbers."""
    if not args.count:
        yield from lanes.map(lambda lane, base: Case(*base, lane.daemons, lane.plumb), bases)
        return
    mutator = mutator_of(kind, bases)

    def one(lane, number):
        name, changes, files = mutator.mutant(random.Random(f"{args.seed}:{number}"), lane.daemons)
        return Case(f"{name}, mutant {number} ({'; '.join(changes)})", files, lane.daemons, lane.plumb)
    yield from lanes.map(one, range(args.count))


def tell(text):
    """Progress, and all that another run would not print again."""
    print(text, file=sys.stderr, flush=True)


def compare(kind, args, bases):
    """(classes that nobody knows, the lowest share of same verdicts of a release)"""
    started, memory, cases = time.monotonic(), Memory(args.cache, kind), []
    lanes = Lanes(args.width, kind, args.root, memory, args.plumb)
    try:
        for case in judged(kind, args, bases, lanes):
            cases.append(case)
            memory.save_now_and_then()
            if len(cases) % 100 == 0:
                tell(f"{kind}: {len(cases)} judged, {time.monotonic() - started:.0f} s")
        new = report(cases, lanes, not args.quick)
        print(f"\n{kind}: {new} classes of disagreement that known.tsv does not explain\n")
        sys.stdout.flush()
        for release, asked, seconds in lanes.speed():
            tell(f"{kind} {release}: {asked} verdicts asked for, {seconds / max(asked, 1):.2f} s each")
        tell(f"{kind}: {time.monotonic() - started:.0f} s")
    finally:
        memory.save() # what was judged is kept, whatever ends the run
        lanes.close()
    return new, min(share(cases, root.split("=", 1)[0]) for root in args.root)


def compare_apart(kind, args, bases, out, pipe):
    """compare() in a process of its own, which prints to the file OUT."""
    die_with_parent()
    os.dup2(out, 1)
    try:
        pipe.send(compare(kind, args, bases))
    except KeyboardInterrupt:
        sys.exit(130)


def compare_all(args, bases):
    """[result of compare(), or None where it failed] of each kind, at the same time. Prints in the order of KINDS."""
    running = []
    for kind in KINDS:
        out = tempfile.TemporaryFile(mode="w+b")
        ours, theirs = Pipe(duplex=False)
        process = Process(target=compare_apart, args=(kind, args, bases, out.fileno(), theirs))
        process.start()
        theirs.close()
        running.append((process, out, ours))
    results = []
    for process, out, ours in running:
        try:
            process.join()
        except KeyboardInterrupt:
            for one, _, _ in running:
                one.join(30) # it was interrupted too, and keeps what was judged
            raise
        out.seek(0)
        shutil.copyfileobj(out, sys.stdout.buffer)
        sys.stdout.flush()
        results.append(ours.recv() if process.exitcode == 0 else None)
    return results


def main():
    args = arguments()
    shared = "/nonexistent" if args.own else os.path.realpath(os.environ.get("PLUMB_SHARED", f"{SOURCE}/../shared"))
    bases = find_bases(shared)
    print(f"{len(bases)} bases, {args.count} mutants, seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="oracle-command.") as folder:
        args.plumb = shutil.copy2(args.plumb, folder) # it may be built again while we ask
        results = compare_all(args, bases) if args.daemon == "all" else [compare(args.daemon, args, bases)]
    if None in results:
        return 1
    if args.at_least:
        return 1 if any(lowest < args.at_least for _, lowest in results) else 0
    return 1 if any(new for new, _ in results) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        tell("oracle: interrupted; what was judged is kept")
        sys.exit(130)
