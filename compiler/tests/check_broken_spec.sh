#!/bin/bash
# The guide's specification with one text changed: the fault is found at its place, once, and
# nothing that follows from it is told.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$PLUMB_SOURCE/testdata/examples/guide" "$work/guide"
sound=$PLUMB_SOURCE/testdata/examples/guide/cluster.yaml
status=0
rows=0

# replace OLD NEW: the first OLD of standard input becomes NEW; fails when there is none.
replace() {
    OLD=$1 NEW=$2 awk '
        BEGIN { RS = "\001"; ORS = "" }
        { at = index($0, ENVIRON["OLD"]); if (at == 0) exit 1
          print substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"])) }'
}

found_in() {
    (cd "$work/guide" && "$PLUMB" check cluster.yaml --format compact --ignore SPEC022,PRIO006,GRES061 -q) |
        sed -nE 's|^cluster.yaml:([0-9]+:[0-9]+)[-:0-9]*: [a-z]+\[([A-Z]+[0-9]+)\].*|\1 \2|p' | paste -sd,
}

# breaks OLD NEW "LINE:COLUMN CODE[,...]"
breaks() {
    rows=$((rows + 1))
    if ! replace "$1" "$2" <"$sound" >"$work/guide/cluster.yaml"; then
        echo "row $rows: '$1' is not in the specification"
        status=1
        return
    fi
    found=$(found_in)
    [ "$found" = "$3" ] && return
    echo "'$1' as '$2': expected '$3', found '$found'"
    status=1
}

breaks $'partitions:\n' $'partitons:\n' '43:1 SPEC001'
breaks 'default_time: 1 day' 'defualt_time: 1 day' '48:5 SPEC001'
breaks 'memory: 2000000 MB' 'memory: 2000000 mb' '35:21 SPEC006'
breaks 'memory: 2000000 MB' 'memory: 2000000' '35:13 SPEC005'
breaks 'memory: 2000000 MB' 'memory: 2048 GB' '35:13 NODE026'
breaks '{type: h100, count: 8}' '{type: h100, count: 10}' '39:32 GRES003'
breaks '{type: h100, count: 8}' '{type: h100, count: eight}' '39:32 SPEC004'
breaks 'hosts: gpu-[01-16]' 'hosts: gpu-[01-12]' '52:12 PART001'
breaks 'hosts: gpu-[01-16]' 'hosts: gpu-[01-16' '33:16 HOST001'
breaks 'hosts: gpu-[01-16]' 'hosts: gpu-[16-01]' '33:17 HOST003'
breaks 'nodes: gpu-[13-16]' 'nodes: gpu-[13-20]' '52:12 PART001'
breaks 'hosts: login-[01-02]' 'hosts: "login-01,gpu-01"' '16:10 AGREE021'
breaks 'nodes: all' 'nodes: al' '59:12 PART001'
breaks $'    nodes: gpu-[13-16]\n' '' '51:3 SPEC002'
breaks 'slurm: "24.11"' 'slurm: "24.10"' '5:8 SPEC013'
breaks 'window: 7 days' 'window: 1 day' '67:13 SCHED001'
breaks 'resolution: 10 min' 'resolution: 10 ms' '68:17 SPEC024'
breaks '  default_queue_depth' $'\tdefault_queue_depth' '72:1 YAML002'
breaks 'enforce: [associations, limits, qos, safe]' 'enforce: [associations, limits, qos, safe' '86:8 YAML003'
breaks 'default_queue_depth: 200' $'default_queue_depth: 200\n  default_queue_depth: 300' '73:3 YAML004'
breaks $'  interactive:\n' $'  training:\n' '58:3 YAML004'
breaks 'password: {secret: slurm-db, key: password}' 'password: hunter2hunter2' '23:15 SPEC009'
breaks '{secret: slurm-db, key: password}' '{secrt: slurm-db, key: password}' '23:16 SPEC001'
breaks 'captures/h100' 'captures/h10' '34:15 HW010'
breaks 'captures/h100' 'h10' '34:15 HW010'
breaks 'TaskPluginParam: SlurmdOffSpec' 'TaskPlugnParam: SlurmdOffSpec' '99:16 SPEC020'
breaks 'TaskPluginParam: SlurmdOffSpec' 'TaskPluginParam: SlurmOffSpec' '99:33 CONF012'
breaks 'TaskPluginParam: SlurmdOffSpec' 'SlurmctldTimeout: 99' '99:34 SPEC019'
breaks 'slurm.conf: {' 'slrm.conf: {' '99:3 SPEC020'
breaks 'TaskPluginParam: SlurmdOffSpec' 'schedulertype: sched/builtin' '99:31 SPEC019'
breaks $'  inference:\n' $'  inference:\n    default: true\n' '46:14 PART004'
breaks 'max_time: 4 h' 'max_time: 30 min' '61:19 PART005'
breaks 'max_time: unlimited' 'max_time: unlimted' '53:15 SPEC004'
breaks 'default: true' 'default: ture' '46:14 SPEC014'
breaks $'priority_tier: 1\n' $'priority_tier: one\n' '49:20 SPEC004'
breaks $'priority_tier: 1\n' $'priority_tier: 70000\n' '49:20 SPEC007'
breaks 'max_job_test: 500' 'max_job_test: -500' '69:19 SPEC004'
breaks 'billing: {gpu: 100}' 'billing: {gpuu: 100}' '50:15 SPEC021'
breaks 'billing: {cpu: 0.1, memory_gib: 0.005, gpu: 100, nvme: 0.5}' 'billing: {cpu: x, memory_gib: 0.005, gpu: 100, nvme: 0.5}' '87:18 SPEC004'
breaks '[associations, limits, qos, safe]' '[asociations, limits, qos, safe]' '85:13 SPEC008'
breaks 'track: [gres/gpu, gres/nvme]' 'track: [gres/gpu, gres/nvmee]' '86:21 SPEC021'
breaks 'node: 300 s' 'node: 300' '92:9 SPEC005'
breaks 'cores: [0, 64]' 'cores: [0, 128]' '37:22 NODE007'
breaks 'memory: 32 GiB}' 'memory: 3200 GiB}' '37:39 NODE008'
breaks 'features: [h100, ib, weka]' 'features: [h100, ib weka]' '36:24 SPEC015'
breaks 'address: 10.0.0.10}' 'address: 10.0.0.300}' '9:30 SPEC015'
breaks '{name: cp-02' '{name: cp-01' '10:14 SPEC011'
breaks 'shared: true' 'shared: false' '11:53 AGREE015'
breaks 'auth: munge' 'auth: mungee' '13:9 SPEC008'
breaks 'plumb: 1' 'plumb: 2' '2:8 SPEC012'
breaks $'plumb: 1\n' '' '3:1 SPEC002'
breaks $'cluster: production\n' '' '2:1 SPEC002'
breaks 'cluster: production' 'cluster: Production Cluster' '4:20 SPEC015'
breaks 'weights: {age: 10000,' 'weights: {aeg: 10000,' '81:15 SPEC021'
breaks 'flags: [accrue_always,' 'flags: [accrue_alway,' '82:13 SPEC008'
breaks 'oversubscribe: {jobs: 4}' 'oversubscribe: {jobs: four}' '56:27 SPEC004'
breaks 'oversubscribe: {jobs: 4}' 'oversubscribe: shared' '56:20 SPEC004'
breaks 'resource: core_memory' 'resource: core_memry' '75:15 SPEC008'
breaks 'default_dist_block,' 'default_dist_blok,' '76:15 SPEC008'
breaks 'files: /dev/nvme0n1' 'files: dev/nvme0n1' '40:34 SPEC015'
breaks 'decay_half_life: 14 days' 'decay_half_life: 0 days' '78:22 PRIO002'
breaks 'events: 12 months' 'events: 12' '26:19 SPEC005'
breaks 'log_level: info' 'log_level: inf' '29:14 SPEC008'
breaks 'files: /dev/nvme0n1' 'files: /dev/nvme[0-3n1' '40:43 YAML003'
breaks $'nodes:\n  h100:' $'nodes:\n  h100: {}\n  h101:' '32:3 SPEC002,32:3 SPEC025'
breaks '    max_time: 7 days' '   max_time: 7 days' '47:4 YAML001'
breaks '    max_time: 7 days' '    max_time 7 days' '47:5 YAML001'
breaks 'nodes: all' 'nodes: *all' '59:12 YAML006'
breaks 'auth: munge' 'auth: "munge' '13:9 YAML003'
breaks 'gather_interval: 30 s' 'gather_interval: 0.5 s' '88:20 SPEC024'
breaks 'memory: 2000000 MB' 'memory: 3000 GiB' '35:13 NODE026'
breaks 'spool_dir: /var/spool/slurm/slurmd' 'spool_dir: var/spool' '12:14 SPEC015'
breaks 'default_queue_depth: 200' 'default_queue_depth: 20.5' '72:24 SPEC004'

# What the help says is the language of the specification.
replace 'window: 7 days' 'window: 1 day' <"$sound" >"$work/guide/cluster.yaml"
said=$("$PLUMB" check "$work/guide/cluster.yaml" --select SCHED001 -q)
for text in 'bf_window is scheduling.backfill.window, MaxTime is partitions.NAME.max_time' \
    'fix: scheduling.backfill.window: 7 days'; do
    case $said in
    *"= $text"* | *"$text"$'\n'*) ;;
    *)
        echo "SCHED001 on a specification does not say '$text'"
        status=1
        ;;
    esac
done
case $said in *bf_window=*)
    echo "SCHED001 tells the author of a specification what to type in slurm.conf"
    status=1
    ;;
esac

# suggests OLD NEW TEXT
suggests() {
    replace "$1" "$2" <"$sound" >"$work/guide/cluster.yaml"
    case $("$PLUMB" check "$work/guide/cluster.yaml" -q) in
    *"$3"*) ;;
    *)
        echo "'$2' is not answered with: $3"
        status=1
        ;;
    esac
}
# Logs are read by more people than the specification.
replace '{secret: slurm-db, key: password}' 'hunter2hunter2' <"$sound" >"$work/guide/cluster.yaml"
for format in human compact gcc json jsonl sarif github gitlab junit checkstyle rdjson; do
    if "$PLUMB" check "$work/guide/cluster.yaml" --format $format 2>&1 | grep -q hunter2; then
        echo "format '$format' shows a password"
        status=1
    fi
done
suggests '{secret: slurm-db, key: password}' 'hunter2' '    password: *******'
suggests 'nodes: all' 'nodes: al' "did you mean 'all'?"
suggests 'nodes: all' 'nodes: h10' "did you mean 'h100'?"
suggests 'weights: {age: 10000' 'weights: {aeg: 10000' "did you mean 'age'?"
suggests 'max_time: unlimited' 'max_time: unlimted' "expected a value such as '30 s' or 'unlimited'"
suggests 'cores: [0, 64]' 'cores: [0, 128]' "names core 128, expected numbers below 128"
exit $status
