#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plugstack.conf: includes are followed as spank follows them.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

mkdir -p cluster/plugstack.conf.d
cd cluster || exit 1
sound_conf .
stack() {
    printf '%s\n' "$@" >plugstack.conf
}
fault='required'                           # names no plugin
printf '%s\n' "$fault" >plugstack.conf.d/b.conf
printf '%s\n' "$fault" >plugstack.conf.d/a.conf
printf '%s\n' "$fault" >plugstack.conf.d/c.cnf
cd .. || exit 1

# A pattern is followed in the order of names; what it does not match is not read.
(cd cluster && stack 'include plugstack.conf.d/*.conf' 'optional x.so arg=1')
run 1 check --slurm 26.05 --format compact cluster
in_out 'plugstack.conf.d/a.conf:1:1-9: error[CONF053]'
in_out 'plugstack.conf.d/b.conf:1:1-9: error[CONF053]'
not_in_out 'c.cnf'
# An absolute one is found in a copy of /etc/slurm.
(cd cluster && stack 'include /no/such/slurm/plugstack.conf.d/b.conf')
run 1 check --slurm 26.05 --format compact cluster
in_out 'plugstack.conf.d/b.conf:1:1-9'
not_in_out 'a.conf'
# A relative one is beside the file that includes, and a pattern may match nothing.
(cd cluster && stack 'include plugstack.conf.d/d.conf' 'include none.d/*.conf')
printf '%s\n' 'include a.conf' >cluster/plugstack.conf.d/d.conf
run 1 check --slurm 26.05 --format compact cluster
in_out 'plugstack.conf.d/a.conf:1:1-9'
not_in_out 'none.d'
# A file that is not there is passed over without a word.
(cd cluster && stack 'include missing.conf')
run 0 check --slurm 26.05 --format compact cluster
in_out "plugstack.conf:1:9-21: warning[CONF054] there is no 'missing.conf' beside the file"
(cd cluster && stack 'include /no/such/missing.conf')
run 0 check --slurm 26.05 --format compact cluster
not_in_out 'CONF054'
# A file that leads back to itself ends somewhere.
printf '%s\n' 'include ../plugstack.conf' >cluster/plugstack.conf.d/d.conf
(cd cluster && stack 'include plugstack.conf.d/d.conf')
run 1 check --slurm 26.05 --format compact cluster
in_out "'cluster/plugstack.conf' includes itself"
done_testing
