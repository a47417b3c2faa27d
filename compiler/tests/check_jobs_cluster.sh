#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Job scripts against a cluster: findings about scripts alone, in every format, and one line more
# where errors in the cluster's own files make them unsound.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1
set -eo pipefail
work=$WORK

mkdir "$work/sound" "$work/broken"
cp "$PLUMB_SOURCE"/testdata/jobs/lab/*.conf "$work/sound"
cp "$PLUMB_SOURCE"/testdata/jobs/lab/*.conf "$work/broken"
echo 'KillWait=often' >>"$work/broken/slurm.conf"
echo 'KillWaits=30' >>"$work/broken/slurm.conf"
printf '#!/bin/bash\n#SBATCH --nodes=1\nsrun --nodes=2 hostname\n' >"$work/job.sbatch"

ask() { # CLUSTER FORMAT
    (cd "$work" && "$PLUMB" check job.sbatch --cluster "$1" --format "$2" 2>/dev/null) || [ $? = 1 ]
}

for format in human compact gcc json jsonl sarif github gitlab junit checkstyle rdjson; do
    [[ $(ask sound $format) == *'2 nodes are asked for, the job has 1'* ]] || fail "$format: no finding"
    [[ $(ask sound $format) != *slurm.conf* ]] || fail "$format: a file of the sound cluster is shown"
    out=$(ask broken $format)
    [[ $out == *'2 nodes are asked for, the job has 1'* ]] || fail "$format: no finding beside it"
    [[ $out == *'the files of the cluster have 2 errors'* ]] || fail "$format: not told"
    [[ $out == *'plumb check broken'* ]] || fail "$format: not told how to see them"
done
[ "$(ask broken compact | wc -l)" = 2 ] || fail "not two lines"

# A warning by itself: a job that is right does not fail because of it, and it can be ignored.
printf '#!/bin/bash\n#SBATCH --nodes=1\nsrun hostname\n' >"$work/job.sbatch"
(cd "$work" && "$PLUMB" check job.sbatch --cluster broken >/dev/null 2>&1) || fail "exit $?"
[ -z "$(cd "$work" && "$PLUMB" check job.sbatch --cluster broken --ignore JOB099 --format compact 2>/dev/null)" ] ||
    fail "not ignored"

# The page about job scripts shows what plumb says.
block() { # LANGUAGE
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$PLUMB_SOURCE/doc/job-scripts.md" | sed '1d;$d'
}
mv "$work/sound" "$work/cluster"
block bash >"$work/train.sbatch"
block text >"$work/expected"
(cd "$work" && "$PLUMB" check train.sbatch --cluster cluster --slurm 24.11 --format compact >found 2>/dev/null) || true
[ -s "$work/expected" ] || fail "doc/job-scripts.md has no example"
diff "$work/expected" "$work/found" || fail "doc/job-scripts.md shows something else"
done_testing
