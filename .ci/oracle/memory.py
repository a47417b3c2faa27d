"""What daemons said before, kept in files: a change of plumb is compared in seconds."""

import fcntl
import hashlib
import json
import os
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# Other judges, other verdicts: what decides of one is part of every file.
JUDGES = ("noise.tsv", "verdict.py", "sandbox.py", "conf.py", "node.py", "serve.py")
# Seconds between two savings; an interrupted run loses no more.
BETWEEN = 20


def judges():
    digest = hashlib.sha256()
    for name in JUDGES:
        with open(f"{HERE}/{name}", "rb") as text:
            digest.update(text.read())
    return digest.hexdigest()


class Memory:
    """The verdicts of one kind of daemon. Threads share it; processes of the same kind add to each other's file."""

    def __init__(self, path, kind):
        stem, extension = os.path.splitext(path)
        self.path = f"{stem}.{kind}{extension or '.json'}"
        self.judges, self.lock = judges(), threading.Lock()
        self.verdicts = self.kept()
        self.saved, self.size = time.monotonic(), len(self.verdicts)

    @staticmethod
    def key(kind, release, files):
        return hashlib.sha256(repr((kind, release, sorted(files.items()))).encode()).hexdigest()

    def kept(self):
        """What the file holds, if these judges made it. A file is whole or not there: see save()."""
        try:
            with open(self.path, encoding="utf-8") as text:
                kept = json.load(text)
        except FileNotFoundError:
            return {}
        return kept["verdicts"] if kept["judges"] == self.judges else {}

    def save(self):
        """Adds what is new to the file, which changes at once or not at all."""
        with self.lock:
            verdicts = dict(self.verdicts)
            self.saved = time.monotonic()
            if len(verdicts) == self.size:
                return
            folder = os.path.dirname(os.path.abspath(self.path))
            os.makedirs(folder, exist_ok=True)
            with open(f"{self.path}.lock", "w", encoding="utf-8") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                text = json.dumps({"judges": self.judges, "verdicts": {**self.kept(), **verdicts}})
                handle, new = tempfile.mkstemp(prefix="oracle-", dir=folder)
                with open(handle, "w", encoding="utf-8") as out:
                    out.write(text)
                os.chmod(new, 0o644)
                os.rename(new, self.path)
            self.size = len(verdicts)

    def save_now_and_then(self):
        if time.monotonic() - self.saved > BETWEEN:
            self.save()
