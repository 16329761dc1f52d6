#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs gemm_bench, then PyTorch with the same sizes and the same way of timing, and prints one table.

Usage: peers_gemm.py PATH/TO/gemm_bench OUTPUT.json      needs torch with CUDA; fp32 with TF32 off and on.
"""

import json
import statistics
import subprocess
import sys

import torch

SAMPLES, SPAN_MS = 11, 10.0


def time_ms(run, repetitions):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(repetitions):
        run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / repetitions


def torch_row(size, tf32):
    torch.backends.cuda.matmul.allow_tf32 = tf32
    a, b = (torch.rand(size, size, device="cuda") * 2 - 1 for _ in range(2))
    result = torch.empty(size, size, device="cuda")
    run = lambda: torch.mm(a, b, out=result)
    run()
    repetitions = max(1, min(2000, round(SPAN_MS / max(time_ms(run, 3), 1e-3))))
    samples = [time_ms(run, repetitions) for _ in range(SAMPLES)]
    return {"size": size, "name": "torch tf32" if tf32 else "torch", "samples_ms": samples,
            "median_ms": statistics.median(samples)}


def main():
    bench, output = sys.argv[1:3]
    subprocess.run([bench, "--json", output, "--samples", str(SAMPLES)], check=True, stdout=subprocess.DEVNULL)
    with open(output) as file:
        document = json.load(file)
    for size in sorted({row["size"] for row in document["rows"]}):
        document["rows"] += [torch_row(size, tf32) for tf32 in (False, True)]
    document["torch"] = torch.__version__
    cublas = {row["size"]: row["median_ms"] for row in document["rows"] if row["name"] == "cublas"}
    for row in sorted(document["rows"], key=lambda row: row["size"]):
        row["tflops"] = 2.0 * row["size"] ** 3 / row["median_ms"] / 1e9
        row["ratio_to_cublas"] = cublas[row["size"]] / row["median_ms"]
        print(f"{row['size']:6d}  {row['name']:12s} {row['median_ms']:10.4f} ms  "
              f"[{min(row['samples_ms']):.4f}, {max(row['samples_ms']):.4f}]  {row['tflops']:7.2f} TFLOP/s  "
              f"{row['ratio_to_cublas']:6.3f} of cuBLAS")
    with open(output, "w") as file:
        json.dump(document, file, indent=1)


if __name__ == "__main__":
    main()
