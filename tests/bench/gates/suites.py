# SPDX-License-Identifier: Apache-2.0
"""The comparisons with other libraries that gates.py holds: each runs one turn and gives ratios of times, ours over the
peer's, measured in that one call. Below one we are faster."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    """A program of a suite did not do its work; the text says which and what it said last."""


def run(words, environment=None):
    words = [str(word) for word in words]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | (environment or {}))
    except OSError as error:
        raise Failed(f"{words[0]} cannot be started: {error}; build it, or give its folder with --build") from error
    if done.returncode != 0:
        raise Failed(f"{' '.join(words[:3])} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def has_torch(python, cuda):
    code = "import torch; assert torch.cuda.is_available()" if cuda else "import torch"
    return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


def read_rows(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["rows"]


def short(name):
    """Without versions and kernels: "PyTorch 2.11.0 contiguous" is "PyTorch contiguous", "ours (tiles)" is "ours"."""
    words = name.split(" (")[0].split(" ")
    return " ".join(word for word in words if not word[:1].isdigit())


def pairs(rows, group, ms, is_ours, is_peer):
    """{"group: ours / peer": ratio} of every one of ours and every peer of a group."""
    found = {}
    for ours in (row for row in rows if is_ours(short(row["name"]))):
        for peer in (row for row in rows if row[group] == ours[group] and is_peer(short(row["name"]))):
            found[f"{ours[group]}: {short(ours['name'])} / {short(peer['name'])}"] = ms(ours) / ms(peer)
    return found


def compute(options, folder):
    """Pooling and products on the processor against oneDNN, OpenBLAS and PyTorch."""
    threads = str(os.cpu_count())
    files = [f"{folder}/ours.json"]
    known = {"OPENBLAS_CORETYPE": "SkylakeX"} if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text() else {}
    run([options.bin / "bench_compute", "--threads", threads, "--rounds", "5", "--json", files[0]], known)
    if options.torch:
        files.append(f"{folder}/torch.json")
        run([options.python, BENCH / "compute/peers.py", "time", "--threads", threads, "--rounds", "3", "--json",
             files[1]], known)
    return pairs([row for file in files for row in read_rows(file)], "group", lambda row: row["median_ms"],
                 lambda name: name.startswith("openmp"),
                 lambda name: name.startswith(("onednn", "OpenBLAS", "PyTorch")))


def cpu_network(options, folder):
    """Networks on the processor against PyTorch."""
    if not options.torch:
        return {}
    run(["sh", BENCH / "cpu_network/run.sh", options.bin / "heteroscope-cli", "--rounds", "1", "--json",
         f"{folder}/rows.json"], {"PYTHON": options.python})
    return {f"{row['group']}: {row['name']} / PyTorch": row["ratio"] for row in read_rows(f"{folder}/rows.json")}


def gpu_gemm(options, folder):
    """Our product on a GPU against cuBLAS and PyTorch."""
    file = f"{folder}/gemm.json"
    bench = options.bin / "gemm_bench"
    run([options.python, BENCH / "gpu_gemm/peers_gemm.py", bench, file] if options.torch else [bench, "--json", file])
    return pairs(read_rows(file), "size", lambda row: row["median_ms"], lambda name: name == "register",
                 lambda name: name in ("cublas", "torch"))


def gpu_pool(options, folder):
    """Our pooling on a GPU against the device's copy, cuDNN and PyTorch."""
    files = [f"{folder}/ours.json"]
    run([options.bin / "bench_gpu_pool", files[0]])
    if options.torch:
        files.append(f"{folder}/torch.json")
        run([options.python, BENCH / "gpu_pool/peers.py", "time", "--problems", files[0], "--json", files[1]])
    return pairs([row for file in files for row in read_rows(file)], "group", lambda row: 1 / row["gb_s"],
                 lambda name: name == "ours", lambda name: name != "ours")


def beside_pytorch(options, folder, comparisons):
    """Networks on a GPU against PyTorch's graphs, which take the fastest algorithms as timed; each of the comparisons is
    (name of the peer, its options, implementations)."""
    if not options.torch:
        return {}
    file, found = f"{folder}/rows.json", {}
    for peer, choice, targets in comparisons:
        run([options.python, BENCH / "gpu_network/peers.py", "--cli", options.bin / "heteroscope-cli", "--rounds", "1",
             "--json", file, *choice, "--targets", *(f"cuda:0/{target}" for target in targets)])
        found |= {f"{row['group']}: {row['name']} / {peer}": row["ratio"] for row in read_rows(file)}
    return found


def gpu_network(options, folder):
    """Networks on a GPU. cuDNN is compared with what may do the same: of algorithms whose bits differ from run to run, and
    of those that give the same each time."""
    return beside_pytorch(options, folder,
                          (("PyTorch", [], ["cuda", "cublas", "cudnn?deterministic=off"]),
                           ("PyTorch deterministic", ["--deterministic"], ["cudnn", "cudnn?benchmark=on"])))


def gpu_transforms(options, folder):
    """Networks on a GPU whose convolutions may be transformed, as PyTorch's may."""
    return beside_pytorch(options, folder, (("PyTorch", [], ["cuda?transforms=on"]),))


GPU = {"gpu_gemm": gpu_gemm, "gpu_pool": gpu_pool, "gpu_network": gpu_network,
       "gpu_transforms": gpu_transforms}
MACHINES = {"h100": GPU, "h200": GPU, "cpu-2-cores": {"compute": compute, "cpu_network": cpu_network}}


def measure(name, suite, options):
    """Ratios of every turn: {row: [ratio, ...]}."""
    found = {}
    for turn in range(options.turns):
        print(f"{name}: turn {turn + 1} of {options.turns}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            for row, ratio in suite(options, folder).items():
                found.setdefault(f"{name} {row}", []).append(ratio)
    return found
