"""The machines whose files `make` writes: numbers, places, wiring. topologies/SOURCES.md says of each where it is from.

A tree is a tuple: ("switch", bus, [below]), ("gpu", bus), ("nic", bus, functions, kind), ("nvswitch", bus).
roots: (NUMA node, bus of the root port, tree). A bus is "1b", or "0008:01" where the domain is not 0.
"""

INTEL, AMD = "GenuineIntel", "AuthenticAMD"
IB, ETH = "0207", "0200"


def pairs(base, gpus, nics):
    """One PCIe switch with GPUs and NICs."""
    return ("switch", base, [("gpu", g) for g in gpus] + [("nic", n, 1, IB) for n in nics])


def rail(base, gpu, nic):
    """A GPU behind a switch of its own below the one of its NIC: PXB."""
    low = "%02x" % (int(base, 16) + 3)
    return ("switch", base, [("nic", nic, 1, IB), ("switch", low, [("gpu", gpu)])])


def full(links):
    return lambda a, b, n: links


CUBE_MESH = [[0, 1, 1, 2, 2, 0, 0, 0], [1, 0, 2, 1, 0, 2, 0, 0], [1, 2, 0, 2, 0, 0, 1, 0], [2, 1, 2, 0, 0, 0, 0, 1],
             [2, 0, 0, 0, 0, 1, 1, 2], [0, 2, 0, 0, 1, 0, 2, 1], [0, 0, 1, 0, 1, 2, 0, 2], [0, 0, 0, 1, 2, 1, 2, 0]]

V100 = dict(model="Tesla V100-SXM2-32GB", ids="[10de:1db5] [10de:1249] a1", speed=15.75)
V100_3 = dict(model="Tesla V100-SXM3-32GB", ids="[10de:1db8] [10de:12ab] a1", speed=15.75)
A100 = dict(model="NVIDIA A100-SXM4-80GB", ids="[10de:20b2] [10de:147f] a1", speed=31.507692)
A100_40 = dict(model="NVIDIA A100-SXM4-40GB", ids="[10de:20b0] [10de:134f] a1", speed=31.507692)
H100 = dict(model="NVIDIA H100 80GB HBM3", ids="[10de:2330] [10de:16c1] a1", speed=63.015385)
H200 = dict(model="NVIDIA H200", ids="[10de:2335] [10de:18be] a1", speed=63.015385)
B200 = dict(model="NVIDIA B200", ids="[10de:2901] [10de:1999] a1", speed=63.015385)
GB200 = dict(model="NVIDIA GB200", ids="[10de:2941] [10de:2046] a1", speed=63.015385)
L40S = dict(model="NVIDIA L40S", ids="[10de:26b9] [10de:1851] a1", speed=31.507692)
MI300X = dict(model="AMD Instinct MI300X OAM", ids="[1002:74a1] [1002:74a1] 00", speed=63.015385,
              vendor="Advanced Micro Devices, Inc. [AMD/ATI]", pci_class="1200", library="rsmi")

CX4 = dict(ids="[15b3:1013] [15b3:0008] 00", speed=15.75)
CX5 = dict(ids="[15b3:1017] [15b3:0007] 00", speed=15.75)
CX6 = dict(ids="[15b3:101b] [15b3:0006] 00", speed=31.507692)
CX7 = dict(ids="[15b3:1021] [15b3:0041] 00", speed=63.015385)

EPYC_7742 = (AMD, 23, 49, "AMD EPYC 7742 64-Core Processor")
EPYC_7763 = (AMD, 25, 1, "AMD EPYC 7763 64-Core Processor")
EPYC_9654 = (AMD, 25, 17, "AMD EPYC 9654 96-Core Processor")
EPYC_9575F = (AMD, 26, 2, "AMD EPYC 9575F 64-Core Processor")
XEON_2698 = (INTEL, 6, 79, "Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz")
XEON_8168 = (INTEL, 6, 85, "Intel(R) Xeon(R) Platinum 8168 CPU @ 2.70GHz")
XEON_8480C = (INTEL, 6, 143, "Intel(R) Xeon(R) Platinum 8480C")
XEON_8462Y = (INTEL, 6, 143, "Intel(R) Xeon(R) Platinum 8462Y+")
GRACE = ("ARM", 0, 0, "Neoverse-V2")

A100_ROOTS = [
    (3, "00", ("switch", "01", [("switch", "05", [("gpu", "07")]), ("switch", "0a", [("nic", "0c", 1, IB)]),
                                ("switch", "0d", [("gpu", "0f")]), ("switch", "10", [("nic", "12", 1, IB)])])),
    (1, "40", ("switch", "41", [("switch", "45", [("gpu", "47")]), ("switch", "49", [("nic", "4b", 1, IB)]),
                                ("switch", "4c", [("gpu", "4e")]), ("switch", "52", [("nic", "54", 1, IB)])])),
    (2, "60", ("nic", "61", 2, ETH)),
    (7, "80", ("switch", "81", [("switch", "85", [("gpu", "87")]), ("switch", "8b", [("nic", "8d", 1, IB)]),
                                ("switch", "8e", [("gpu", "90")]), ("switch", "92", [("nic", "94", 1, IB)])])),
    (5, "b0", ("switch", "b1", [("switch", "b5", [("gpu", "b7")]), ("switch", "b8", [("nic", "ba", 1, IB)]),
                                ("switch", "bb", [("gpu", "bd")]), ("switch", "ca", [("nic", "cc", 1, IB)])])),
    (4, "d0", ("switch", "d1", [("nvswitch", "%02x" % n) for n in range(0xd3, 0xd9)])),
    (6, "e0", ("nic", "e1", 2, ETH)),
]

HOPPER_ROOTS = [
    (0, "04", ("switch", "05", [("nvswitch", "%02x" % n) for n in range(0x07, 0x0b)])),
    (0, "15", rail("16", "1b", "18")), (0, "28", ("nic", "29", 2, ETH)), (0, "3d", rail("3e", "43", "40")),
    (0, "4c", rail("4d", "52", "4f")), (0, "5b", rail("5c", "61", "5e")),
    (1, "97", rail("98", "9d", "9a")), (1, "a9", ("nic", "aa", 2, ETH)), (1, "bd", rail("be", "c3", "c0")),
    (1, "cb", rail("cc", "d1", "ce")), (1, "d9", rail("da", "df", "dc")),
]

MACHINES = {
    "topologies/dgx-1v": dict(
        product="DGX-1 with V100", cpu=XEON_2698, packages=2, cores=20, threads=2, gib=512, slit=(10, 21),
        gpu=V100, nic=CX4, links=lambda a, b, n: CUBE_MESH[a][b], nvswitch=False, roots=[
            (0, "00", pairs("02", ["06", "07"], ["05"])), (0, "00", pairs("08", ["0a", "0b"], ["0c"])),
            (1, "80", pairs("82", ["85", "86"], ["84"])), (1, "80", pairs("87", ["89", "8a"], ["8b"]))]),
    "topologies/dgx-2": dict(
        product="DGX-2", cpu=XEON_8168, packages=2, cores=24, threads=2, gib=1536, slit=(10, 21),
        gpu=V100_3, nic=CX5, links=full(6), nvswitch=True, roots=[
            (0, "14", ("switch", "15", [("nic", "17", 1, ETH)])),
            (0, "30", pairs("31", ["34", "36"], ["35"])), (0, "30", pairs("37", ["39", "3b"], ["3a"])),
            (0, "54", pairs("55", ["57", "59"], ["58"])), (0, "54", pairs("5a", ["5c", "5e"], ["5d"])),
            (0, "60", ("switch", "61", [("nvswitch", "%02x" % n) for n in range(0x63, 0x69)])),
            (1, "b4", pairs("b5", ["b7", "b9"], ["b8"])), (1, "b4", pairs("ba", ["bc", "be"], ["bd"])),
            (1, "c0", ("switch", "c1", [("nvswitch", "%02x" % n) for n in range(0xc3, 0xc9)])),
            (1, "d0", ("switch", "d1", [("nic", "d3", 1, ETH)])),
            (1, "dd", pairs("de", ["e0", "e2"], ["e1"])), (1, "dd", pairs("e3", ["e5", "e7"], ["e6"]))]),
    "topologies/dgx-a100": dict(
        product="DGX A100", cpu=EPYC_7742, packages=2, nodes=4, cores=64, threads=2, l3=(4, 16), gib=2048,
        slit=(10, 12, 32), gpu=A100, nic=CX6, links=full(12), nvswitch=True, roots=A100_ROOTS),
    "topologies/hgx-a100-4": dict(
        product="HGX A100 4-GPU", cpu=EPYC_7763, packages=1, nodes=4, cores=64, threads=2, l3=(8, 32), gib=512,
        slit=(10, 12, 32), gpu=A100_40, nic=CX6, links=full(4), nvswitch=False, roots=[
            (3, "00", pairs("01", ["03"], ["04"])), (2, "40", ("gpu", "41")), (1, "7f", pairs("80", ["82"], ["83"])),
            (0, "c0", ("gpu", "c1"))]),
    "topologies/dgx-h200": dict(
        product="DGX H200", cpu=XEON_8480C, packages=2, cores=56, threads=2, gib=2048, slit=(10, 21),
        gpu=H200, nic=CX7, links=full(18), nvswitch=True, roots=HOPPER_ROOTS),
    "topologies/hgx-b200": dict(
        product="HGX B200 8-GPU", cpu=EPYC_9575F, packages=2, cores=64, threads=2, l3=(8, 32), gib=2304,
        slit=(10, 32), gpu=B200, nic=CX7, links=full(18), nvswitch=True, roots=[
            (0, "03", rail("04", "09", "06")), (0, "13", rail("14", "19", "16")), (0, "23", rail("24", "29", "26")),
            (0, "33", rail("34", "39", "36")), (0, "60", ("switch", "61", [("nvswitch", "63"), ("nvswitch", "64")])),
            (0, "70", ("nic", "71", 2, ETH)),
            (1, "83", rail("84", "89", "86")), (1, "93", rail("94", "99", "96")), (1, "a3", rail("a4", "a9", "a6")),
            (1, "b3", rail("b4", "b9", "b6"))]),
    "topologies/gb200-nvl": dict(
        product="GB200 NVL compute tray", arch="aarch64", cpu=GRACE, packages=2, cores=72, threads=1, gib=960,
        slit=(10, 40), gpu=GB200, nic=CX7, links=full(18), nvswitch=True, gpu_relation="SYS",
        gpu_nodes=[2, 10, 18, 26], roots=[
            (0, "0000:00", ("nic", "0000:03", 1, IB)), (0, "0002:00", ("nic", "0002:03", 1, IB)),
            (0, "0006:00", ("nic", "0006:03", 2, ETH)), (0, "0008:00", ("gpu", "0008:01")),
            (0, "0009:00", ("gpu", "0009:01")), (1, "0010:00", ("nic", "0010:03", 1, IB)),
            (1, "0012:00", ("nic", "0012:03", 1, IB)), (1, "0016:00", ("nic", "0016:03", 2, ETH)),
            (1, "0018:00", ("gpu", "0018:01")), (1, "0019:00", ("gpu", "0019:01"))]),
    "topologies/mi300x": dict(
        product="8 x MI300X", cpu=EPYC_9654, packages=2, cores=96, threads=2, l3=(8, 32), gib=2304,
        slit=(10, 32), gpu=MI300X, nic=CX7, links=None, xgmi=True, nvswitch=False, roots=[
            (0, "00", pairs("02", ["05"], ["07"])), (0, "20", pairs("21", ["26"], ["28"])),
            (0, "40", pairs("41", ["46"], ["48"])), (0, "60", pairs("61", ["65"], ["67"])),
            (1, "80", pairs("81", ["85"], ["87"])), (1, "a0", pairs("a1", ["a6"], ["a8"])),
            (1, "c0", pairs("c1", ["c6"], ["c8"])), (1, "e0", pairs("e1", ["e5"], ["e7"]))]),
    "topologies/l40s-pcie": dict(
        product="PCIe server with 8 x L40S", cpu=XEON_8462Y, packages=2, cores=32, threads=2, gib=1024,
        slit=(10, 21), gpu=L40S, nic=CX6, links=full(0), nvswitch=False, roots=[
            (0, "15", pairs("16", ["18", "19"], [])), (0, "37", pairs("38", ["3a", "3b"], ["3c"])),
            (1, "95", pairs("96", ["98", "99"], [])), (1, "b7", pairs("b8", ["ba", "bb"], ["bc"]))]),
    "testdata/machines/epyc-nps4": dict(
        product="2 x EPYC, NPS4, 4 x H200", cpu=EPYC_9575F, packages=2, nodes=4, cores=64, threads=2, l3=(8, 32),
        gib=1536, slit=(10, 12, 32), gpu=H200, nic=CX7, links=full(6), nvswitch=False, roots=[
            (1, "10", pairs("11", ["13"], ["14"])), (2, "40", pairs("41", ["43"], ["44"])),
            (6, "90", pairs("91", ["93"], ["94"])), (7, "c0", pairs("c1", ["c3"], ["c4"]))]),
    "testdata/machines/xeon-snc4": dict(
        product="2 x Xeon, SNC4, 4 x H100", cpu=XEON_8480C, packages=2, nodes=4, cores=56, threads=2, gib=1024,
        slit=(10, 12, 21), gpu=H100, nic=CX7, links=full(6), nvswitch=False, roots=[
            (3, "4a", pairs("4b", ["4e"], ["4f"])), (1, "5c", pairs("5d", ["5f"], ["60"])),
            (7, "c8", pairs("c9", ["cb"], ["cc"])), (5, "d8", pairs("d9", ["db"], ["dc"]))]),
}
