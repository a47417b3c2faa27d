#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb check: inputs, formats, exit codes, choice of rules.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

sound_conf sound
run 0 check --fail-on error sound
in_out 'prediction for 26.05: slurmctld accepted, slurmd accepted, slurmdbd not judged'

# A fault: exit code 1, findings on standard output, the summary on standard error.
mkdir faulty
sed 's/^PartitionName=p Nodes=n\[1-4\]/PartitionName=p Nodes=n[1-4/' sound/slurm.conf >faulty/slurm.conf
run 1 check faulty
in_out 'error[HOST001]'
in_out 'faulty/slurm.conf:8:24'
in_out 'slurmctld refused'
in_err '1 error'
run 1 check -q faulty
empty err
run 0 check --fail-on never faulty
run 1 check --format compact faulty/slurm.conf
in_out "faulty/slurm.conf:8:24-25: error[HOST001] '[' has no ']'"

# Captures without a cluster are held against each other.
mkdir machine
printf '\tGPU0\tGPU1\nGPU0\t X \tNV4\nGPU1\tNV4\t X \n' >machine/topo-m.txt
printf ' \tGPU0\tGPU1\t\n GPU0\tX\tNS\t\n GPU1\tNS\tX\t\n' >machine/p2p-r.txt
run 0 check machine
in_out "1 more cell of the peer matrix contradicts the links"
run 0 check --format compact machine
in_out "machine/p2p-r.txt:2:9-11: warning[HW042] peer read from GPU 0 to GPU 1 is 'NS'"

# The choice of rules changes what is shown, not what the daemon does.
run 0 check --ignore HOST faulty
not_in_out HOST001
in_out 'slurmctld refused'
run 0 check --select IGN faulty
run 0 check --severity host-bracket-open=warning faulty
in_out 'warning[HOST001]'
run 1 check --severity HOST=warning --fail-on warning faulty

# The release: 22.05 reads another name, which no NodeName line defines.
run 1 check --slurm 22.05.8 --select HOST faulty
in_out 'error[HOST001]'
in_out 'slurmctld 22.05 takes'
in_out 'prediction for 22.05: slurmctld refused'

# Standard input, by name and by what it is said to be.
"$PLUMB" check - --stdin-name slurm.conf <faulty/slurm.conf >out 2>err
[ $? = 1 ] || fail 'standard input under a name'
in_out 'slurm.conf:8:24'
"$PLUMB" check --as slurm.conf - <faulty/slurm.conf >out 2>err
[ $? = 1 ] || fail 'standard input with --as'
in_out '<stdin>:8:24'

# -C, and the folder itself when nothing is named.
run 1 check -C faulty
in_out 'slurm.conf:8:24'
run 1 check -Cfaulty slurm.conf
run 1 -C faulty check slurm.conf
run 1 check -- faulty

# Several formats at once; a file is written where -C says.
run 1 check --format human --format json=found.json --format compact=found.txt faulty
in_out 'error[HOST001]'
python3 - <<'PY' || fail 'found.json is not what it should be'
import json
d = json.load(open("found.json"))
f = [x for x in d["findings"] if x["code"] == "HOST001"][0]
assert (f["file"], f["line"], f["column"], f["end_line"], f["end_column"]) == ("faulty/slurm.conf", 8, 24, 8, 25), f
assert f["severity"] == "error" and f["effect"] == "stops" and f["name"] == "host-bracket-open"
assert d["daemons"]["release"] == "26.05" and d["daemons"]["slurmctld"] == "refused"
assert d["daemons"]["slurmdbd"] is None and d["incomplete"] is False
PY
grep -q 'HOST001' found.txt || fail 'found.txt has no finding'

# Colour only when asked for.
run 1 check faulty
! grep -q $'\x1b' out || fail 'colour without a terminal'
run 1 check --color always faulty
grep -q $'\x1b' out || fail 'no colour although asked for'

# The rest is counted.
printf 'NodeName=a[1\nNodeName=b[1\nNodeName=c[1\n' >>faulty/slurm.conf
run 1 check --max-findings 1 --select HOST faulty
in_out '3 more findings are not shown'

# Inputs that cannot be read: the rest is checked, the exit code is 3.
run 3 check sound nowhere
in_err "'nowhere' does not exist"
run 3 check sound/slurm.conf nowhere faulty/none
printf 'hello\n' >notes
run 3 check notes
in_err "'notes' is nothing that plumb knows"
run 2 check sound/slurm.conf faulty/slurm.conf
in_err 'are both slurm.conf'
done_testing
