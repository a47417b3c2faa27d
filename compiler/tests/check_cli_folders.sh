#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Folders: one configuration set, whatever lies around in it.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

sound_conf set
cp set/slurm.conf good
mkdir -p set/.git set/old set/empty
printf 'Nonsense=1\n' >set/.slurm.conf
printf 'Nonsense=1\n' >set/slurm.conf.bak
printf 'Nonsense=1\n' >set/old/slurm.conf # a copy further down does not count
printf 'Nonsense=1\n' >set/.git/slurm.conf
printf '\0\1\2binary' >set/blob
printf '#!/bin/sh\n' >set/prolog.sh
ln -s .. set/loop
ln -s nowhere set/dangling
truncate -s 300M set/core
[ "$(id -u)" = 0 ] || { echo secret >set/slurm.key && chmod 000 set/slurm.key; }
run 0 check set
not_in_out Nonsense
run 0 check set/
run 0 check set/.
run 0 check -C set .
run 0 check "$PWD/set"

# What slurm.conf includes is read with it, and only once.
printf 'Include nodes.conf\n' >>set/slurm.conf
printf 'NodeName=m[1-2 CPUs=1\n' >set/nodes.conf
run 1 check --format compact --select HOST set
[ "$(grep -c HOST001 out)" = 1 ] || { fail 'expected one finding'; cat out; }
in_out 'set/nodes.conf:1:11'

# gres.conf is seen with slurm.conf; the files are told in order of reading.
cp good set/slurm.conf
rm set/nodes.conf
printf 'NodeName=n[1-4 Name=gpu File=/dev/null\n' >set/gres.conf
printf 'PartitionName=q Nodes=n[1\n' >>set/slurm.conf
run 1 check --format compact --select HOST set
[ "$(sed 's/:.*//' out | tr '\n' ' ')" = "set/gres.conf set/slurm.conf " ] || { fail order; cat out; }

# -v tells what each file was taken for.
run 1 check -v set
in_err "'set/slurm.conf': a Slurm file, slurm.conf"
in_err "'set/blob': not looked at"
in_err "'set/old/slurm.conf': not looked at"

# A folder without anything to check is told: it may be the wrong one.
run 1 check set/old set/old
run 3 check set/empty
in_err "'set/empty' holds nothing that plumb reads"
done_testing
