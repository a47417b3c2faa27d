#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb hosts: the engine on its own.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

run 0 hosts fold gpu-1 gpu-2 gpu-4 login
is_out 'gpu-[1-2,4],login'
run 0 hosts fold --sort b2 b1,a b1
is_out 'a,b[1-2]'
run 0 hosts expand 'gpu-[08-10]' x
is_out "$(printf 'gpu-08\ngpu-09\ngpu-10\nx')"
run 0 hosts expand --separator ' ' 'a[1-3]'
is_out 'a1 a2 a3'
run 0 hosts count 'a[1-1000]' 'b[1-2]c[1-3]'
is_out 1006
run 0 hosts diff 'a[1-10]' 'a[3-4]' a9
is_out 'a[1-2,5-8,10]'
run 0 hosts union 'a[3-5]' 'a[1-3]'
is_out 'a[1-5]'
run 0 hosts intersect 'a[1-10]' 'a[5-20]' 'a[8-9]'
is_out 'a[8-9]'
run 0 hosts intersect a b
is_out ''
printf 'a1\na2\n\na3 a4\n' | "$PLUMB" hosts fold >out 2>err || fail 'standard input'
is_out 'a[1-4]'
printf 'a[1-9]\na[2-3]\n' | "$PLUMB" hosts diff - >out 2>err || fail 'standard input'
is_out 'a[1,4-9]'
run 3 hosts fold 'a[1'
empty out
in_err 'HOST001'
run 3 hosts fold --slurm 22.05 'a[1-2]b'
in_err 'HOST006'
run 0 hosts fold --slurm 23.11 'a[1-2]b'
is_out 'a[1-2]b'
done_testing
