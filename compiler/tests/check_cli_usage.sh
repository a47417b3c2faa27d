#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Wrong usage is told with what was meant, and ends with 2.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

run 2
in_err 'Usage: plumb COMMAND'
run 2 chekc
in_err "unknown command 'chekc', did you mean 'check'?"
run 2 check --selct GRES
in_err "unknown option '--selct', did you mean '--select'?"
run 2 hosts --fail-on error fold a
in_err "'plumb hosts' takes no option '--fail-on'"
run 2 check --fail-on fatal
in_err "--fail-on does not take 'fatal', expected error, warning, info or never"
run 2 check --slurm 21.08
in_err "--slurm does not take '21.08'"
run 2 check --max-findings many
in_err "--max-findings takes a number, not 'many'"
run 2 check --slurm
in_err '--slurm needs SERIES'
run 2 check --quiet=yes
in_err "--quiet takes no value, got 'yes'"
run 2 check --format human --format compact
in_err 'two formats go to standard output'
run 2 check --format json=
in_err 'names no file'
run 2 check -Z
in_err "unknown option '-Z'"
run 2 check --select HOST00
in_err "unknown rule 'HOST00'"
run 2 check --ignore host-bracket-opn
in_err "unknown rule 'host-bracket-opn', did you mean 'host-bracket-open'?"
run 2 check --severity HOST001
in_err "'HOST001' sets no severity"
run 2 check --as slurm.cnf
in_err "plumb cannot read anything as 'slurm.cnf'"
run 2 check -C nowhere
in_err "-C 'nowhere' is no folder"
run 2 build
in_err 'build needs a folder to write to: -o DIR'
run 2 build -o out --target slrum
in_err "unknown target 'slrum', did you mean 'slurm'?"
run 2 build -o out a b
in_err 'build takes one specification, got 2'
run 2 hosts
run 2 hosts fodl a
in_err "hosts knows no 'fodl', did you mean 'fold'?"
run 2 explain
run 2 explain HOST0001
in_err "did you mean 'HOST001'?"
run 2 explain SlurmdTimeuot
in_err "did you mean 'SlurmdTimeout'?"
run 2 rules HOTS
in_err "there is no family 'HOTS', did you mean 'HOST'?"
run 2 completion tcsh
run 2 topo

# Every command has help with an example, and every option of the help is taken.
for command in check build explain rules targets schema topo hosts completion version help; do
    run 0 "$command" --help
    in_out "Usage: plumb $command"
    in_out 'Examples:'
    cp out help
    run 0 help "$command"
    cmp -s out help || fail "plumb help $command differs from plumb $command --help"
done
run 0 --help
run 0 --version
in_out 'plumb '
run 0 version --format json
in_out '"26.05"'
run 0 explain host-bracket-open
in_out 'HOST001 host-bracket-open (error)'
run 0 explain host
in_out 'HOST001  a bracket'
run 0 explain --spec partitions.max_time
for what in bf_window SchedulerParameters=bf_window schedulerparameters=BF_WINDOW=300; do
    run 0 explain "$what"
    in_out 'bf_window, a word of SchedulerParameters in slurm.conf'
    in_out 'bf_window=... 1 to 43200'
done
run 0 explain no_env_cache
in_out '22.05 to 24.11'
run 0 explain PreemptMode=GANG
in_out 'on PartitionName lines'
run 2 explain SchedulerParameters=bf_windw
run 2 explain no_env_cach
in_err "did you mean 'no_env_cache'?"
run 0 explain slurmdtimeout
in_out 'SlurmdTimeout, slurm.conf'
run 0 explain --slurm 22.05 CgroupPlugin
in_out 'In 22.05:'
run 0 rules HOST
in_out 'HOST001  error'
not_in_out 'CONF001'
run 0 rules --format json=rules.json
empty out
grep -q '"code": "HOST001"' rules.json || fail 'rules.json has no HOST001'
run 0 targets
in_out 'slurm'

# The completions are programs of their shell.
run 0 completion bash
bash -n out || fail 'the completion of bash does not parse'
# shellcheck disable=SC1091
(
    . ./out
    COMP_WORDS=(plumb check --fail-on w) COMP_CWORD=3
    _plumb
    [ "${COMPREPLY[*]}" = warning ] || exit 1
    COMP_WORDS=(plumb hosts ex) COMP_CWORD=2
    _plumb
    [ "${COMPREPLY[*]}" = expand ] || exit 1
    COMP_WORDS=(plumb ch) COMP_CWORD=1
    _plumb
    [ "${COMPREPLY[*]}" = check ] || exit 1
) || fail 'the completion of bash does not complete'
run 0 completion zsh
run 0 completion fish

# A reader that goes away, and an output that cannot be written.
"$PLUMB" rules | head -n 1 >/dev/null
[ -e /dev/full ] && { "$PLUMB" rules >/dev/full 2>err; [ $? = 4 ] || fail 'a full disk is not exit code 4'; }
run 4 rules --format json=nowhere/x.json
in_err "cannot write 'nowhere/x.json'"
done_testing
