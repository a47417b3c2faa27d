#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every format of findings is what is kept in golden/formats/, and what its readers can read.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

mkdir made
"$PLUMB_SOURCE/golden/make-formats" "$PLUMB" made || fail 'a format cannot be made'
diff -r -u "$PLUMB_SOURCE/golden/formats" made || fail 'if this is meant: ./dev golden'

# An input that cannot be read is an error of the run, not a finding.
sound_conf sound
run 3 check sound nowhere --format junit=bad.junit --format sarif=bad.sarif
run 0 check sound --format junit=good.junit --format gitlab=good.gitlab --format rdjson=good.rdjson \
    --format jsonl=good.jsonl --format github=good.github --format checkstyle=good.checkstyle
{ [ ! -s good.jsonl ] && [ ! -s good.github ]; } || fail 'lines without findings'

mkdir 'a b%,:'
printf 'Clustername=c\nFrobnicate=1\n' >'a b%,:/slurm.conf'
run 1 check 'a b%,:' --format github=odd.github --format sarif=odd.sarif
grep -q '^::error file=a b%25%2C%3A/slurm.conf,line=2,endLine=2,col=1,endColumn=10,title=CONF001 ' odd.github ||
    { fail 'a path is not escaped'; cat odd.github; }
run 1 check made/../a* --format gcc --max-findings 1
in_out 'findings are not shown'

python3 - <<'PY' || fail 'a format is not what its readers expect'
import json
import xml.etree.ElementTree as xml

def load(path):
    return json.load(open(path, encoding="utf-8"))

run = load("made/json")
count = len(run["findings"])
lines = [json.loads(line) for line in open("made/jsonl", encoding="utf-8")]
assert lines == run["findings"]

sarif = load("made/sarif")["runs"][0]
rules = sarif["tool"]["driver"]["rules"]
assert len(sarif["results"]) == count + len(run["suppressed"]) and run["suppressed"]
for got, want in zip(sarif["results"], run["findings"]):
    region = got["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (want["line"], want["column"])
    assert rules[got["ruleIndex"]]["id"] == got["ruleId"] == want["code"]
    assert "suppressions" not in got
assert sarif["results"][-1]["suppressions"] == [{"kind": "inSource", "justification": "our own fork reads it"}]
assert len({r["id"] for r in rules}) == len(rules)
bad = load("bad.sarif")["runs"][0]["invocations"][0]
assert not bad["executionSuccessful"] and "nowhere" in bad["toolExecutionNotifications"][0]["message"]["text"]
place = load("odd.sarif")["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
assert place["artifactLocation"]["uri"] == "a%20b%25%2C%3A/slurm.conf", place

gitlab = load("made/gitlab")
assert len(gitlab) == count and len({g["fingerprint"] for g in gitlab}) == count
assert {g["severity"] for g in gitlab} <= {"info", "minor", "major", "critical", "blocker"}
assert load("good.gitlab") == []

# Columns are bytes: the letter before bf_window takes two of them.
byte = [d for d in load("made/rdjson")["diagnostics"] if d["code"]["value"] == "CONF011"][0]
char = [f for f in run["findings"] if f["code"] == "CONF011"][0]
assert byte["location"]["range"]["start"]["column"] == char["column"] + 1
assert load("good.rdjson")["diagnostics"] == []

suite = xml.parse("made/junit").getroot()[0]
assert int(suite.get("tests")) == len(suite) == count
assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
suite = xml.parse("good.junit").getroot()[0]
assert int(suite.get("tests")) == len(suite) == 1 and suite.get("failures") == "0"
suite = xml.parse("bad.junit").getroot()[0]
assert suite.get("errors") == "1" and int(suite.get("tests")) == len(suite)
files = xml.parse("made/checkstyle").getroot().findall("file")
assert [f.get("name") for f in files] == ["slurm.conf"] and len(files[0]) == count
assert len(xml.parse("good.checkstyle").getroot()) == 0
PY
done_testing
