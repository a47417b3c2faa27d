"""As much of Slurm's file syntax as the sandbox and the mutator need: no judgement."""

import re


def logical_lines(text):
    """Statements with continuations joined and comments cut off."""
    joined = re.sub(r"\\[ \t]*\r?\n", " ", text)
    for line in joined.split("\n"):
        line = re.sub(r"(^|[^\\])#.*", r"\1", line).strip()
        if line:
            yield line


def values(text, key):
    """Every value that KEY has in TEXT, in order, without quotes."""
    found = []
    pattern = re.compile(r"(?:^|\s)" + re.escape(key) + r'\s*[-+*/]?=\s*("[^"]*"|\S+)', re.IGNORECASE)
    for line in logical_lines(text):
        found += [value.strip('"') for value in pattern.findall(line)]
    return found


def split_list(text):
    """Splits at commas outside brackets."""
    parts, depth, word = [], 0, ""
    for char in text:
        depth += {"[": 1, "]": -1}.get(char, 0)
        if char == "," and depth <= 0:
            parts.append(word)
            word = ""
        else:
            word += char
    return [part for part in parts + [word] if part]


def expand_one(name, limit):
    match = re.match(r"([^\[]*)\[([^\]]*)\](.*)$", name, re.DOTALL)
    if not match:
        return [name]
    head, ranges, tail = match.groups()
    middle = []
    for item in ranges.split(","):
        bounds = re.fullmatch(r"(\s*\+?(\d{1,9})[^-x]*)-(?:\s*\+?(\d{1,9}))?", item) # as strtoul takes them
        if bounds:
            low, high = int(bounds.group(2)), int(bounds.group(3) or bounds.group(2))
            width = len(bounds.group(1))
            middle += [f"{n:0{width}d}" for n in range(low, min(high, low + limit) + 1)]
        else:
            middle.append(item)
    ends = expand_one(tail, limit)
    return [head + m + end for m in middle[:limit] for end in ends][:limit]


def expand(names, limit):
    """Host names of a host list, at most LIMIT of each expression."""
    return [host for part in split_list(names) for host in expand_one(part, limit)]
