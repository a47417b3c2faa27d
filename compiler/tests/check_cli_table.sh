#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --table: a release is added, or corrected, without building plumb anew.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

cat >next.yaml <<'TEXT'
version: "26.11"
extends: "26.05"
added:
  - {file: slurm.conf, scope: global, key: FrobnicateLevel, type: u16, default: "3", max: 10, bad: stops slurmctld, ref: r}
  - {file: slurm.conf, scope: partition, key: Mood, type: enum, values: {Fine: ~, Grim: {deprecated: yes}}, ref: r}
changed:
  - {file: slurm.conf, scope: global, key: TreeWidth, default: "8", ref: r}
  - {file: slurm.conf, scope: global, key: SchedulerParameters, add_values: {bf_magic=: {min: 1, max: 5, bad: complains}}, drop_values: [bf_continue], ref: r}
removed:
  - {file: slurm.conf, scope: global, key: KillWait, replaced_by: FrobnicateLevel, ref: r}
TEXT
sound_conf .
sed -i 's/State=UP/& Mood=Fine/' slurm.conf
cat >>slurm.conf <<'TEXT'
FrobnicateLevel=11
SchedulerParameters=bf_continue,bf_magic=9
KillWait=30
FrobnicateLevl=1
TEXT

# The release of the table is that of the run, and only with the table.
run 1 check --table next.yaml --format compact slurm.conf
in_out "slurm.conf:9:17-19: error[CONF011] 'FrobnicateLevel' is 11, expected at most 10; slurmctld 26.11 stops"
in_out "slurm.conf:10:21-32: warning[CONF014] 'bf_continue' of 'SchedulerParameters' had its last use in 26.05"
in_out "'bf_magic=9' of 'SchedulerParameters', expected 1 to 5; slurmctld 26.11 logs an error"
in_out "slurm.conf:11:1-9: error[CONF003] 'KillWait' is gone, 26.05 was the last release to read it"
in_out "slurm.conf:12:1-15: error[CONF001] 'FrobnicateLevl'"
not_in_out Mood
run 1 check --table next.yaml --slurm 26.11 --format human slurm.conf
in_out "did you mean 'FrobnicateLevel'?"
in_out 'prediction for 26.11: slurmctld refused'
run 1 check --table next.yaml --slurm 26.05 --format compact slurm.conf
in_out "'FrobnicateLevel' is not known to slurm.conf before 26.11"
in_out "'Mood' is not known to PartitionName lines before 26.11"
not_in_out KillWait
not_in_out bf_continue
run 2 check --slurm 26.11 slurm.conf
in_err "unknown release '26.11', expected 22.05 to 26.05"
run 2 check --table next.yaml --slurm 27.05 slurm.conf
run 1 check --format compact slurm.conf
in_out "error[CONF001] 'FrobnicateLevel'"

# What an upgrade to it changes.
sound_conf .
run 0 check --table next.yaml --from 25.11 --format compact .
in_out "'TreeWidth' is not set, its default is '16' in 25.11, '8' in 26.11"

# Explained.
run 0 explain --table next.yaml frobnicatelevel
in_out 'from 26.11: read'
run 0 explain --table next.yaml KillWait
in_out 'from 26.11: not read'
run 0 explain --table next.yaml bf_magic
in_out 'from 26.11'
run 0 explain TreeWidth
not_in_out 26.11

# A known release is corrected; later ones stay as they are.
cat >fix.yaml <<'TEXT'
version: "24.11"
extends: "24.05"
changed:
  - {file: slurm.conf, scope: global, key: TreeWidth, default: "20", ref: r}
  - {file: slurm.conf, scope: global, key: KillWait, max: 100, ref: r}
TEXT
echo 'KillWait=200' >>slurm.conf
run 0 check --table fix.yaml --slurm 24.11 --format compact slurm.conf
in_out "'KillWait' is 200, expected at most 100"
run 0 check --table fix.yaml --slurm 24.05 slurm.conf
run 0 explain --table fix.yaml TreeWidth
in_out 'default     20 (from 24.11)'

# What a release does without any key to tell it is said by the table as well.
cat >traits.yaml <<'TEXT'
version: "26.11"
extends: "26.05"
traits:
  - {name: no-partition-refused, ref: r}
TEXT
sound_conf .
cat >job.sh <<'TEXT'
#!/bin/bash
#SBATCH --partition=,
TEXT
run 0 check --slurm 26.05 --format compact job.sh --cluster slurm.conf
run 1 check --table traits.yaml --format compact job.sh --cluster slurm.conf
in_out '--partition names nothing'
run 0 check --table traits.yaml --slurm 26.05 --format compact job.sh --cluster slurm.conf

# Every wrong row is told at its place; the others count.
cat >bad.yaml <<'TEXT'
version: "26.11"
extends: "26.05"
added:
  - {file: slurm.conf, scope: global, key: TreeWidth, type: u16, ref: r}
  - {file: slurm.conf, scope: global, key: NoType, ref: r}
  - {file: slurm.conf, scope: moon, key: X, type: u16, ref: r}
  - {file: slurm.conf, scope: global, key: Y, type: u17, min: x, repeats: maybe, ref: r}
  - {file: slurm.conf, scope: global, key: Good, type: u16, ref: r}
  - nonsense
changed:
  - {file: slurm.conf, scope: global, key: Nowhere, ref: r}
  - {file: slurm.conf, scope: global, key: KillWait, values: {a: }, min: 9, max: 3, ref: r}
  - {file: slurm.conf, scope: global, key: DebugFlags, add_values: {Gres: }, drop_values: [Nope], bad: explodes, by: cron, ref: r}
traits:
  - {name: nowhere, ref: r}
  - {name: qos-list, value: perhaps, ref: r}
  - {name: qos-list, valve: 3, ref: r}
  - {value: 3, ref: r}
  - nonsense
moved: []
TEXT
sound_conf .
echo 'Good=1' >>slurm.conf
run 1 check --table bad.yaml --select TAB,CONF --format compact slurm.conf
for place in 4:44 5:5 6:31 7:53 7:63 7:75 9:5 11:44 12:54 12:5 13:69 13:92 13:104 13:118 15:12 16:29 17:22 18:5 19:5 20:1; do
    in_out "bad.yaml:$place"
done
not_in_out "'Good'"
run 2 explain --table bad.yaml Good
in_err 'bad.yaml:4:44'
for heading in 'version: "21.08"' 'version: "27.11"' 'version: "26.11"' 'extends: "26.05"' '- a' ''; do
    echo "$heading" >bad.yaml
    run 1 check --table bad.yaml --select TAB --format compact slurm.conf
    in_out 'TAB001'
done
run 2 check --table nowhere.yaml slurm.conf
in_err "the table 'nowhere.yaml' cannot be read"

# Rows that plumb was built from are rows of a table too.
run 2 explain --table "$PLUMB_SOURCE/schema/slurm/26.05.yaml" TreeWidth # all of them are there already
in_err "is in 26.05 already, expected it below 'changed'"
done_testing
