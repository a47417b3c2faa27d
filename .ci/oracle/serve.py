"""The process of one sandbox: files in, verdicts out."""

import time

from node import built_otherwise, host_unseen, nodes
from sandbox import Sandbox
from verdict import Noise, judge


def ask_nodes(sandbox, files, noise):
    """The worst that slurmd of one of the nodes says."""
    worst = ("not judged", ["slurm.conf has no node"])
    for number, name in enumerate(nodes(files)):
        verdict, lines = judge(*sandbox.node(files, name), noise)
        if verdict == "refused":
            return verdict, lines
        if number == 0 or verdict == "not judged" or (worst[0] == "accepted" and verdict == "complaint"):
            worst = (verdict, lines)
    if built_otherwise(files):
        return "not judged", ["MULTIPLE_SLURMD"]
    return worst


def ask_accounting(sandbox, files, noise):
    verdict, lines = judge(*sandbox.accounting(files), noise)
    if verdict != "refused" and host_unseen(files):
        return "not judged", ["DbdHost is compared behind the database"]
    return verdict, lines


def serve(kind, release, root, base, pipe):
    """Answers with (verdict, lines, seconds) until the files are None. BASE is an empty folder of its own."""
    sandbox, noise = Sandbox(root, base, slow_power=release == "22.05"), Noise()
    sandbox.enter()
    pipe.send("ready")
    while (files := pipe.recv()) is not None:
        started = time.monotonic()
        if kind == "slurmd":
            verdict, lines = ask_nodes(sandbox, files, noise)
        elif kind == "slurmdbd":
            verdict, lines = ask_accounting(sandbox, files, noise)
        else:
            verdict, lines = judge(*sandbox.controller(files), noise)
        pipe.send((verdict, lines, time.monotonic() - started))
    sandbox.leave()
