#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The generated documentation in the tree is what the tables say now; './dev docs' writes it.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

run 0 docs .
while IFS= read -r file; do
    cmp -s "$file" "$PLUMB_SOURCE/$file" || fail "$file is stale: run ./dev docs"
done < <(find doc schema -type f)
for file in "$PLUMB_SOURCE"/doc/reference/rules/*.md; do
    [ -f "doc/reference/rules/${file##*/}" ] || fail "$file documents a family that does not exist"
done
for file in "$PLUMB_SOURCE"/doc/reference/slurm/*.md; do
    [ -f "doc/reference/slurm/${file##*/}" ] || fail "$file documents a file that does not exist"
done

# The table of passes is that of the code, in its order.
sed -n 's/^    {"\([a-z-]*\)", plumb_pass_.*/\1/p' "$PLUMB_SOURCE/compiler/passes/pipeline.c" >passes
sed -n '/^| pass /,/^$/s/^| \([a-z-]*\) |.*/\1/p' "$PLUMB_SOURCE/doc/design/pipeline.md" | sed 1d >told
[ -s passes ] || fail "no pass was found in pipeline.c"
diff passes told || fail "doc/design/pipeline.md tells of other passes"
done_testing
