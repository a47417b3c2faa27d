"""Mutants of configurations: small changes of the kinds that people make, and worse ones.

A mutant is a function of (bases, vocabulary, seed, number): the same four give the same bytes.
Values and combinations weigh more than unknown keys, which every parser finds.
"""

import re

PAIR = re.compile(r'([A-Za-z][A-Za-z0-9_]*)(\s*=\s*)("[^"]*"|[^\s#"]+)')
FILES = ("slurm.conf", "slurm.conf", "slurm.conf", "slurm.conf", "slurm.conf", "cgroup.conf", "topology.conf",
         "gres.conf")
NUMBERS = ("0 1 2 -1 -2 100 253 255 256 65533 65534 65535 65536 4294967293 4294967294 4294967295 4294967296 "
           "18446744073709551615 18446744073709551616 99999999999999999999 0x10 010 1.5 1e3 +5 5x 5k 5K 5m 5G 5T "
           "2-00:00:00 00:30 1:2:3:4 24:00:00 60 UNLIMITED INFINITE NONE").split()
WORDS = "yes no YES 0 1 true false up down none all NONE ALL default N abc a,b a,,b ,a a, (null) * [1-2] x[2-1]".split()
SUFFIXES = ["K", "M", "G", "x", "%", "/0", ":1", "*2", "=1", ",", ";", "(S:0)"]
# Keys whose values would only tell about the machine: accounts, folders, daemons that do not run.
MACHINE = re.compile(r"^(SlurmctldHost|ControlMachine|ControlAddr|BackupController|BackupAddr|SlurmUser|SlurmdUser|PluginDir|"
                     r"StateSaveLocation|ClusterName|.*(LogFile|PidFile)|Slurm(ctld|d)Addr|Include|AuthType|CredType|CryptoType|"
                     r"AuthAlt\w*|AuthInfo|AccountingStorage(Type|Host|Loc|User|Pass|Port|BackupHost|ExternalHost)|JobComp\w*|"
                     r"Slurm(ctld|d)Port|BurstBuffer\w*|JobSubmitPlugins|CertmgrType|TLSType|SwitchType|SlurmSchedLogFile|"
                     r"CommunicationParameters|SlurmctldPrimaryO\w+)$", re.IGNORECASE)


class Vocabulary:
    """Keys and their words: the printed parameter tables, and what the bases themselves say."""

    def __init__(self, tables, bases):
        self.keys = {} # (file, record) -> {key: [values]}
        for table in tables:
            with open(table, encoding="utf-8") as rows:
                for row in rows:
                    file, record, key, kind, _, _, _, _, _, words = (row.rstrip("\n").split("\t") + ["-"] * 10)[:10]
                    self.add(file, record, key, self.of_kind(kind, words))
        for _, files in bases:
            for file, text in files.items():
                for line in text.splitlines():
                    pairs = PAIR.findall(line) if not line.lstrip().startswith("#") else []
                    record = pairs[0][0] if len(pairs) > 1 else "-"
                    for key, _, value in pairs:
                        self.add(file, record, key, [value])

    def add(self, file, record, key, values):
        known = self.keys.setdefault((file, record), {}).setdefault(key, [])
        known += [value for value in values if value not in known][:60 - len(known)]

    @staticmethod
    def of_kind(kind, words):
        options = [w + "5" if w.endswith("=") else w for w in words.split("|") if w not in ("-", "")]
        if options:
            return options + (["abc"] if len(options) > 1 else [])
        if "boolean" in kind:
            return ["yes", "no", "maybe", "2"]
        if "number" in kind or "time" in kind:
            return ["0", "1", "60", "65534", "-1", "abc"]
        return ["abc"]


class Mutator:
    files = FILES # how often which file is changed

    def __init__(self, bases, vocabulary):
        self.bases = bases
        self.vocabulary = vocabulary
        self.kinds = [(self.change_value, 30), (self.change_number, 20), (self.other_word, 20), (self.add_pair, 30),
                      (self.graft_line, 14), (self.drop_pair, 12), (self.drop_line, 8), (self.double_line, 5),
                      (self.swap_values, 5), (self.move_line, 3), (self.misspell, 3), (self.scratch, 3)]

    def mutant(self, rng, daemons):
        """(name of the base, names of the changes, files). DAEMONS tell whether a base is sound."""
        name, base = self.bases.draw(rng, daemons)
        files = dict(base)
        done = []
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            for _ in range(8):
                change = rng.choices([k for k, _ in self.kinds], [w for _, w in self.kinds])[0]
                file = rng.choice([f for f in self.files if f in files] or ["slurm.conf"])
                lines = files[file].split("\n")
                before = list(lines)
                change(rng, file, lines)
                if lines != before:
                    files[file] = "\n".join(lines)
                    done.append(f"{file}: {change.__name__}")
                    break
        return name, done, files

    # Each change edits LINES in place, or leaves them when it finds nothing to do.

    def pick(self, rng, lines, wanted=lambda pair: True):
        """A random pair that may be changed: (line number, match), or None."""
        found = [(i, m) for i, line in enumerate(lines) if not line.lstrip().startswith("#")
                 for m in PAIR.finditer(line) if not MACHINE.match(m.group(1)) and wanted(m)]
        return rng.choice(found) if found else None

    @staticmethod
    def put(lines, at, value, group=3):
        index, match = at
        line = lines[index]
        lines[index] = line[:match.start(group)] + value + line[match.end(group):]

    @staticmethod
    def record_of(lines, index):
        keys = PAIR.findall(lines[index])
        return keys[0][0] if len(keys) > 1 else "-"

    def known_values(self, file, record, key):
        for where in ((file, record), (file, "-")):
            for known, values in self.vocabulary.keys.get(where, {}).items():
                if known.lower() == key.lower():
                    return values
        return []

    def change_value(self, rng, file, lines):
        at = self.pick(rng, lines)
        if at:
            known = self.known_values(file, self.record_of(lines, at[0]), at[1].group(2 - 1))
            self.put(lines, at, rng.choice(known if known and rng.random() < 0.7 else WORDS + NUMBERS))

    def change_number(self, rng, file, lines):
        at = self.pick(rng, lines, lambda m: re.search(r"\d", m.group(3)))
        if at:
            value = at[1].group(3)
            numbers = list(re.finditer(r"\d+", value))
            number = rng.choice(numbers)
            here = int(number.group()[:25])
            new = rng.choice([str(here + 1), str(max(here - 1, 0)), str(here * 2), number.group() + rng.choice(SUFFIXES)] +
                             rng.sample(NUMBERS, 4))
            self.put(lines, at, value[:number.start()] + new + value[number.end():])

    def other_word(self, rng, file, lines):
        at = self.pick(rng, lines, lambda m: "," in m.group(3) or self.known_values(file, "-", m.group(1)))
        if at:
            words = at[1].group(3).strip('"').split(",")
            known = [w for v in self.known_values(file, self.record_of(lines, at[0]), at[1].group(1)) for w in v.split(",")]
            new = rng.choice(known or WORDS)
            where = rng.randrange(len(words) + 1)
            words[where:where + rng.randrange(2)] = [new]
            self.put(lines, at, ",".join(words))

    def add_pair(self, rng, file, lines):
        records = [r for f, r in self.vocabulary.keys if f == file]
        hosts = {r: [i for i, line in enumerate(lines) if line.lower().startswith(r.lower() + "=")] for r in records}
        usable = [r for r in records if r == "-" or hosts[r]]
        if not usable:
            return
        record = rng.choice(sorted(usable) + ["-", "PartitionName", "NodeName"]) if file == "slurm.conf" else rng.choice(sorted(usable))
        keys = sorted(k for k in self.vocabulary.keys.get((file, record), {}) if not MACHINE.match(k))
        if not keys or (record != "-" and not hosts.get(record)):
            return
        key = rng.choice(keys)
        values = self.vocabulary.keys[(file, record)][key]
        pair = f"{key}={rng.choice(values if rng.random() < 0.75 else NUMBERS + WORDS)}"
        if record == "-":
            lines.insert(0, pair)
        else:
            at = rng.choice(hosts[record])
            lines[at] = lines[at].rstrip("\r") + " " + pair

    def graft_line(self, rng, file, lines):
        usable = [line for line in self.bases.any_file(rng, file).split("\n") if PAIR.match(line.strip()) and
                  not MACHINE.match(PAIR.match(line.strip()).group(1)) and not line.rstrip().endswith("\\")]
        if usable:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(usable))

    def drop_pair(self, rng, file, lines):
        at = self.pick(rng, lines)
        if at:
            index, match = at
            lines[index] = (lines[index][:match.start()] + lines[index][match.end():]).strip()

    def drop_line(self, rng, file, lines):
        if lines:
            del lines[rng.randrange(len(lines))]

    def double_line(self, rng, file, lines):
        at = self.pick(rng, lines)
        if at:
            lines.insert(rng.randrange(len(lines) + 1), lines[at[0]])

    def swap_values(self, rng, file, lines):
        first, second = self.pick(rng, lines), self.pick(rng, lines)
        if first and second and first[0] != second[0]:
            a, b = first[1].group(3), second[1].group(3)
            self.put(lines, first, b)
            self.put(lines, second, a)

    def move_line(self, rng, file, lines):
        if len(lines) > 1:
            line = lines.pop(rng.randrange(len(lines)))
            lines.insert(rng.randrange(len(lines) + 1), line)

    def misspell(self, rng, file, lines):
        at = self.pick(rng, lines)
        if at:
            key = at[1].group(1)
            i = rng.randrange(len(key))
            self.put(lines, at, rng.choice([key[:i] + key[i + 1:], key[:i] + key[i] + key[i:], key[:i] + "x" + key[i + 1:]]), 1)

    def scratch(self, rng, file, lines):
        """One character that matters to the grammar, at a random place."""
        index = rng.randrange(len(lines))
        if lines[index] and not lines[index].lstrip().startswith("#"):
            i = rng.randrange(len(lines[index]) + 1)
            lines[index] = lines[index][:i] + rng.choice(' =",#\\[]+-\t') + lines[index][i:]
