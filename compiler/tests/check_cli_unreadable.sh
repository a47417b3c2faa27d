#!/bin/bash
# Whatever is given as an input, a run ends soon and says what it could not read (exit code 3).
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
cd "$work" || exit 1
cp -r "$PLUMB_SOURCE/testdata/examples/guide" guide
mkdir empty conf
mkfifo pipe
ln -s loop loop
printf 'ClusterName=c\nInclude ../pipe\n' >conf/slurm.conf

# ends CODE TEXT COMMAND...: the exit code, and a text in what is said.
ends() {
    local code=$1 text=$2 said got
    shift 2
    said=$(timeout 20 "$@" 2>&1 </dev/null)
    got=$?
    if [ $got != "$code" ] || [[ $said != *"$text"* ]]; then
        echo "$*: expected code $code and '$text', found code $got and:"
        echo "$said"
        status=1
    fi
}

ends 3 "'pipe' cannot be read" "$PLUMB" check pipe
ends 3 "'pipe' cannot be read" "$PLUMB" topo pipe
ends 1 "included file '../pipe' cannot be read" "$PLUMB" check conf

# Nobody misses what may stand in a file that is not there.
mkdir parts
printf 'Include name.conf\nInclude nodes.conf\nPartitionName=p Nodes=n[1-4] Default=YES\n' >parts/slurm.conf
said=$("$PLUMB" check parts --slurm 24.11 --format compact -q | sed 's/.*\(error\|warning\)\[\([A-Z0-9]*\)\].*/\2/' | paste -sd' ')
if [ "$said" != "CONF040 CONF040" ]; then
    echo "two missing includes: expected CONF040 twice, found $said"
    status=1
fi
ends 3 "'loop'" "$PLUMB" check loop
ends 3 "'missing' does not exist" "$PLUMB" check missing
ends 3 "larger than" "$PLUMB" check /dev/zero
ends 3 "'empty' holds nothing that plumb reads" "$PLUMB" check empty
ends 0 "" "$PLUMB" check <(cat guide/cluster.yaml) --ignore HW010
cp guide/cluster.yaml guide/sound.yaml
sed -i 's|captures/h100|../pipe|' guide/cluster.yaml
ends 3 "HW012" "$PLUMB" check guide/cluster.yaml
mv guide/sound.yaml guide/cluster.yaml

# What a plain user may not read.
chmod -R a+rX "$work"
other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" = 0 ] && "${other[@]}" "$PLUMB" version >/dev/null 2>&1; then
    for path in guide/captures guide/captures/h100 guide/captures/h100/hwloc.xml; do
        mode=$(stat -c %a $path)
        chmod 0 $path
        ends 3 "cannot be read" "${other[@]}" "$PLUMB" check guide/cluster.yaml
        chmod "$mode" $path
    done
    chmod 444 guide/captures/h100
    ends 3 "cannot be read" "${other[@]}" "$PLUMB" check guide
    chmod 755 guide/captures/h100
    chmod 0 guide/cluster.yaml
    ends 3 "cannot be read" "${other[@]}" "$PLUMB" check guide/cluster.yaml
    ends 3 "cannot be read" "${other[@]}" "$PLUMB" check guide
fi

# Every beginning of a specification is judged or called incomplete.
tiny=$PLUMB_SOURCE/testdata/examples/tiny/cluster.yaml
for ((len = 0; len < $(stat -c %s "$tiny"); len++)); do
    head -c $len "$tiny" >cut.yaml
    "$PLUMB" check cut.yaml -q >said 2>&1
    got=$?
    case $got in
    0 | 1 | 3) ;;
    *)
        echo "the first $len bytes of tiny/cluster.yaml: code $got"
        cat said
        status=1
        ;;
    esac
done
exit $status
