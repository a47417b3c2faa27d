"""What a daemon's log says about its files: accepted, complaint, refused, or not judged."""

import os
import re

COUNTS = re.compile(r"(fatal|error|warning): |[Ii]gnoring |deprecated|defunct|obsolete|no longer|"
                    r"is invalid|[Uu]nrecognized")
DEBUG = re.compile(r"debug[0-9]?: ")
STAMP = re.compile(r"^(\[[^\]]*\] |slurm\w*(-[^ :]+)?: )+")


class Noise:
    def __init__(self, path=os.path.join(os.path.dirname(__file__), "noise.tsv")):
        found = {"noise": [], "machine": [], "refused": []}
        with open(path, encoding="utf-8") as rows:
            for row in rows:
                if row.startswith("#") or not row.strip():
                    continue
                kind, pattern, reason = row.rstrip("\n").split("\t")
                if not reason:
                    raise ValueError(f"{path}: no reason for {pattern}")
                found[kind].append(pattern)
        self.noise = re.compile("|".join(found["noise"]))
        self.machine = re.compile("|".join(found["machine"]))
        self.refused = re.compile("|".join(found["refused"]))


def complaints(log, noise):
    """The lines of LOG that count, each once, without time stamps."""
    found = []
    for line in log.splitlines():
        if COUNTS.search(line) and not DEBUG.search(line) and not noise.noise.search(line):
            line = STAMP.sub("", line)
            if line not in found:
                found.append(line)
    return found


def judge(log, runs, noise):
    """(verdict, lines that count) of a log; RUNS tells whether the daemon came up and stayed."""
    lines = complaints(log, noise)
    if runs:
        return ("complaint" if lines else "accepted"), lines
    if noise.refused.search(log):
        return "refused", lines
    if any(noise.machine.search(line) for line in log.splitlines() if not DEBUG.search(line)) or not log:
        return "not judged", lines
    if not lines:
        # It ended without a word, as after a crash, or said nothing for too long.
        lines = log.splitlines()[-1:]
    return "refused", lines


def shape(line):
    """A message without the names and numbers of one case, for grouping."""
    line = re.sub(r"/\S+\.conf", "FILE", line)
    line = re.sub(r'"[^"]*"|\'[^\']*\'', '"*"', line)
    line = re.sub(r"(unrecognized key: )\S+", r"\1*", line)
    return re.sub(r"-?\d+", "N", line)
