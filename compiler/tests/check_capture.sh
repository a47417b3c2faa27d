#!/bin/bash
# plumb-capture with tools that are made up: what it collects, hides, and says about what is missing.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1
script=$PLUMB_SOURCE/tools/capture/plumb-capture
work=$WORK

# All that it may need, and nothing else.
mkdir "$work/base"
for tool in sh cat cp grep mkdir mktemp mv rm rmdir sed uname timeout; do
    ln -s "$(command -v $tool)" "$work/base/$tool"
done
mkdir "$work/tools" "$work/proc"
mkdir -p "$work/sys/class/infiniband_verbs/uverbs0" "$work/sys/class/infiniband_verbs/uverbs1"
echo mlx5_1 >"$work/sys/class/infiniband_verbs/uverbs0/ibdev"
echo mlx5_0 >"$work/sys/class/infiniband_verbs/uverbs1/ibdev"
tool() {
    cat >"$work/tools/$1"
    chmod +x "$work/tools/$1"
}
uuid=4f2c9a51-77aa-4b0e-9c1d-5d3f21e8b7c6
tool uname <<'END'
#!/bin/sh
echo gpu-01.cluster.example.org
END
# The UUID of GPU n ends in n, in all tools.
gpu_uuid() { echo "GPU-${uuid%?}$1"; }
cp "$PLUMB_SOURCE/topologies/dgx-h100/hwloc.xml" "$work/hwloc.xml"
for gpu in 0 1 2 3 4 5 6 7; do
    sed -i "/name=\"nvml$gpu\"/a <info name=\"NVIDIAUUID\" value=\"$(gpu_uuid $gpu)\"/><info name=\"NVIDIASerial\" value=\"165012345678$gpu\"/>" "$work/hwloc.xml"
    echo "GPU $gpu: NVIDIA H100 80GB HBM3 (UUID: $(gpu_uuid $gpu))" >>"$work/list"
    echo "slurmd: Gres Name=gpu Type=h100 Count=1 Index=$gpu ID=7696487 File=/dev/nvidia$gpu Links=(null) Flags=HAS_FILE,HAS_TYPE" >>"$work/gres"
done
sed -i 's|<info name="Architecture"|<info name="HostName" value="gpu-01.cluster.example.org"/><info name="DMIProductSerial" value="SN4711"/>&|' "$work/hwloc.xml"
tool lstopo-no-graphics <<END
#!/bin/sh
[ "\$*" = "--whole-io --of xml" ] && cat "$work/hwloc.xml"
END
{
    printf ' \t'; printf 'GPU%d\t' 0 1 2 3 4 5 6 7; echo
    for i in 0 1 2 3 4 5 6 7; do
        printf ' GPU%d\t' $i
        for j in 0 1 2 3 4 5 6 7; do [ $i = $j ] && printf 'X\t' || printf 'OK\t'; done
        echo
    done
} >"$work/peers"
tool nvidia-smi <<END
#!/bin/sh
case "\$*" in
"topo -m") cat "$PLUMB_SOURCE/topologies/dgx-h100/topo-m.txt" ;;
"topo -p2p r") cat "$work/peers" ;;
"-L") cat "$work/list" ;;
*) echo "driver of gpu-01 does not answer" >&2; exit 9 ;;
esac
END
tool slurmd <<END
#!/bin/sh
[ "\$1" = -C ] && echo "NodeName=gpu-01 CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 ThreadsPerCore=2 RealMemory=2063000" &&
    echo "UpTime=12-03:04:05"
[ "\$1" = -G ] && cat "$work/gres" >&2
exit 0
END
tool ibstat <<'END'
#!/bin/sh
cat <<'TEXT'
CA 'mlx5_0'
	CA type: MT4129
	Node GUID: 0x946dae0300c4a1b2
	Port 1:
		State: Active
		Rate: 400
		Port GUID: 0x946dae0300c4a1b2
TEXT
END
echo "BOOT_IMAGE=/vmlinuz root=UUID=$uuid ro iommu=pt ds=nocloud;s=http://10.1.2.3/ numa_balancing=0" >"$work/proc/cmdline"

# What must be in no file, and what a file must still have.
secrets=$'4f2c9a51-77aa\n165012345678\nSN4711\n946dae0300c4a1b2\n10.1.2.3\n12-03:04:05\n'
own=cluster.example.org

capture() { # capture "SHELL WORD" OPTION...
    local shell
    read -ra shell <<<"$1"
    shift
    env -i PATH="$work/tools:$work/base" PLUMB_CAPTURE_PROC="$work/proc" PLUMB_CAPTURE_SYS="$work/sys" TMPDIR="$work" "${shell[@]}" "$script" "$@" 2>"$work/log"
}

check_all() { # check_all SHELL [NAME]: with a name where the shell has a uname of its own
    local out file hidden=$secrets$own
    [ $# = 1 ] || hidden=${secrets%?}
    out=$work/out-$(basename "${1%% *}")
    rm -rf "$out"
    capture "$1" ${2:+-n "$2"} -o "$out" || fail "$1: it ends with $?: $(cat "$work/log")"
    for file in lstopo.xml nvidia-smi-topo.txt nvidia-smi-p2p-r.txt nvidia-smi-L.txt slurmd-C.txt slurmd-G.txt ibstat.txt infiniband-verbs.txt cmdline.txt; do
        [ -s "$out/gpu-01/$file" ] || fail "$1: $file is not there: $(cat "$work/log")"
    done
    grep -rnF "$hidden" "$out" && fail "$1: something was not hidden"
    grep -q 'iommu=pt ds=removed numa_balancing=0' "$out/gpu-01/cmdline.txt" || fail "$1: cmdline: $(cat "$out/gpu-01/cmdline.txt")"
    grep -q 'GPU-00000000-0000-0000-0000-00000000b7c3' "$out/gpu-01/nvidia-smi-L.txt" || fail "$1: GPUs are no longer told apart"
    grep -q "^nvidia-smi-q.xml: 'nvidia-smi -q -x' failed (9): driver of gpu-01" "$out/gpu-01/MISSING" || fail "$1: MISSING: $(cat "$out/gpu-01/MISSING")"
    grep -q "^lspci.txt: there is no 'lspci' here" "$out/gpu-01/MISSING" || fail "$1: lspci is not said to be missing"
    "$PLUMB" topo "$out/gpu-01" >"$work/topo" 2>"$work/topo.log" || fail "$1: plumb topo: $(cat "$work/topo.log")"
    grep -qE '^GPUs +8, connected through NVSwitch' "$work/topo" || fail "$1: plumb topo shows: $(head -5 "$work/topo")"
    grep -qx 'peer read: OK between all GPUs' "$work/topo" || fail "$1: peer access is not shown: $(cat "$work/topo")"
    grep -qx 'uverbs1/ibdev:mlx5_0' "$out/gpu-01/infiniband-verbs.txt" || fail "$1: files of RDMA devices: $(cat "$out/gpu-01/infiniband-verbs.txt")"
    grep -qE '^mlx5_0 .* /dev/infiniband/uverbs1$' "$work/topo" || fail "$1: the file of an RDMA device is not shown: $(cat "$work/topo")"
    grep -qE '^7 .*NVIDIA H100' "$work/topo" || fail "$1: the names of GPUs are lost"
}

check_all "$(command -v sh)"
for shell in dash busybox; do
    case $(command -v $shell) in
    '') echo "skipped: no $shell here" ;;
    */busybox) check_all "$(command -v busybox) sh" gpu-01 ;;
    *) check_all "$(command -v $shell)" ;;
    esac
done

# Twice the same node: equal files. A tool that is gone leaves no old file.
cp -r "$work/out-sh" "$work/first"
capture sh -q -o "$work/out-sh" || fail "a second run: $(cat "$work/log")"
diff -r "$work/first" "$work/out-sh" >/dev/null || fail "a second run writes other files"
[ ! -s "$work/log" ] || fail "-q says: $(cat "$work/log")"
mv "$work/tools/ibstat" "$work/ibstat"
capture sh -q -o "$work/out-sh"
[ ! -e "$work/out-sh/gpu-01/ibstat.txt" ] || fail "an old file stays"
mv "$work/ibstat" "$work/tools/ibstat"

# Anonymous, and everything kept.
capture sh -q -a -o "$work/anonymous"
[ -s "$work/anonymous/node/lstopo.xml" ] || fail "-a makes no folder 'node'"
grep -rn 'gpu-01' "$work/anonymous" && fail "-a keeps the host's name"
capture sh -q -k -o "$work/kept"
grep -q "GPU-$uuid" "$work/kept/gpu-01/lstopo.xml" || fail "-k hides"

# A dump that a job wrote.
printf '<system version="1">\n<cpu numaid="0" host_hash="0x1234567890abcdef"/>\n</system>\n' >"$work/dump.xml"
env -i PATH="$work/tools:$work/base" NCCL_TOPO_DUMP_FILE="$work/dump.xml" sh "$script" -q -o "$work/nccl" 2>/dev/null
grep -q 'host_hash="0x0000000000000000"' "$work/nccl/gpu-01/nccl-topo-dump.xml" || fail "the dump: $(cat "$work/nccl/gpu-01/nccl-topo-dump.xml")"

# Nothing there, a tool that hangs, wrong words.
env -i PATH="$work/base" PLUMB_CAPTURE_PROC="$work/none" PLUMB_CAPTURE_SYS="$work/none" sh "$script" -q -o "$work/nothing" 2>/dev/null
[ $? = 1 ] || [ -x /usr/sbin/lspci ] || fail "a node without tools is no error"
tool ibstat <<'END'
#!/bin/sh
exec sleep 60
END
ln -s "$(command -v sleep)" "$work/base/sleep"
capture sh -t 1 -o "$work/slow" || fail "a tool that hangs ends it"
grep -q "^ibstat.txt: 'ibstat' did not end within 1 seconds" "$work/slow/gpu-01/MISSING" || fail "a tool that hangs: $(cat "$work/slow/gpu-01/MISSING")"
for words in "-x" "-n a/b" "-n .." "-t no" "more"; do
    # shellcheck disable=SC2086 # words of an option
    capture sh $words -o "$work/wrong"
    [ $? = 2 ] || fail "'$words' is taken"
done
done_testing
