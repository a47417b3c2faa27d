"""One configuration and what all say of it; differences named, grouped, minimised, printed."""

import collections
import os
import re
import sys

from ask import VERDICTS, ask_all
from verdict import shape

HERE = os.path.dirname(os.path.abspath(__file__))


class Case:
    """One configuration and what one daemon's releases and plumb say about it."""

    def __init__(self, name, files, daemons, plumb):
        self.name, self.files, self.kind = name, files, daemons[0].kind
        self.answers = ask_all(daemons, files)
        self.predictions = {d.release: plumb.ask(files, d) for d in daemons}

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
            return f"{self.kind} {verdict}, plumb {predicted}: {' + '.join(sorted({f.split()[0] for f in findings}))}"
        said = [line for line in lines if "error: " in line or "fatal: " in line] or lines or ["without a word"]
        telling = [line for line in said if not line.startswith("fatal: Unable to process configuration")]
        return f"{self.kind} {verdict}, plumb {predicted}: {shape((telling or said)[0 if verdict == 'complaint' else -1])}"


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


def known_classes(kind):
    """[(pattern, reason)] of known.tsv for the daemon KIND."""
    rows = []
    with open(f"{HERE}/known.tsv", encoding="utf-8") as text:
        for row in text:
            if not row.startswith("#") and row.strip():
                daemon, pattern, reason = row.rstrip("\n").split("\t")
                if daemon == kind:
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
    starts = sum(n for (v, p), n in count.items() if v != "not judged" and (v == "refused") == (p == "refused"))
    print(f"\n{cases[0].kind} {release}: {same} of {total} the same ({100 * same / max(total, 1):.1f} %), "
          f"{starts} ({100 * starts / max(total, 1):.1f} %) the same in whether it starts, {sum(count.values()) - total} not judged")
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
        print(f"    {case.kind} {release} ({verdict}): {line[:200]}")
    for line in findings[:4] or ["(nothing that stops or complains)"]:
        print(f"    plumb ({predicted}): {line[:200]}")


def differences(cases, releases):
    """[(name of the class, its (case, release)s)], the worst first."""
    classes = collections.OrderedDict()
    for case in cases:
        for release in releases:
            name = case.difference(release)
            if name:
                classes.setdefault(name, []).append((case, release))
    rank = lambda item: (not item[0].startswith("plumb crashes"), "plumb refused" not in item[0],
                         " refused, plumb" not in item[0], -len(item[1]))
    return sorted(classes.items(), key=rank)


def example(lane, members, smallest):
    """(case, release) of the smallest of MEMBERS, made SMALLEST or as it is."""
    case, release = min(members, key=lambda m: sum(map(len, m[0].files.values())))
    if smallest:
        daemon = next(d for d in lane.daemons if d.release == release)
        case = minimised(case, release, daemon, lane.plumb)
    return case, release


def report(cases, lanes, smallest):
    """Prints the matrices and one minimised example of each disagreement; the number of new ones."""
    releases = [daemon.release for daemon in lanes.lanes[0].daemons]
    for release in releases:
        print_matrix(cases, release)
    known, new = known_classes(cases[0].kind), []
    for name, members in differences(cases, releases):
        places = ", ".join(f"{r} x{n}" for r, n in sorted(collections.Counter(r for _, r in members).items()))
        reason = next((why for pattern, why in known if pattern.search(name)), None)
        if reason:
            print(f"\nknown: {name} ({places})\n    {reason}")
        else:
            new.append((name, places, members))
    examples = lanes.map(lambda lane, item: example(lane, item[2], smallest), new)
    for (name, places, _), (case, release) in zip(new, examples):
        print(f"\n{name} ({places})")
        print_case(case, release)
        sys.stdout.flush()
    return len(new)
