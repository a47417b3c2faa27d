#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb topo: captures by path, built-in references by name.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# A bare name is a built-in reference.
run 0 topo dgx-h100
in_out 'dgx-h100 (built-in reference)'
in_out 'SocketsPerBoard=2 CoresPerSocket=56'
run 0 topo --format json dgx-h100
in_out '"dgx-h100"'
run 0 topo dgx-h100 hgx-a100-8
in_out 'hgx-a100-8 (built-in reference)'
in_out 'dgx-h100 (built-in reference)'

# One that does not exist is told once, with what may be meant.
run 3 topo dgx-h10
in_err "'dgx-h10' does not exist, and is no built-in reference; did you mean 'dgx-h100'?"
[ "$(wc -l <err)" = 1 ] || { fail 'the missing reference is told more than once'; cat err; }
run 3 topo zzzzzzzzzzzz
in_err 'those are dgx-b200, dgx-h100, hgx-a100-8, hgx-h200-8'
run 3 topo ./dgx-h100
in_err "'./dgx-h100' does not exist"

# What has the name in the folder at hand counts first.
mkdir dgx-h100
cp "$PLUMB_SOURCE/topologies/hgx-a100-8/topo-m.txt" dgx-h100/
run 0 topo dgx-h100
in_out 'NV12'
not_in_out 'built-in'
mkdir other
run 0 -C other topo dgx-h100
in_out 'built-in'

done_testing
