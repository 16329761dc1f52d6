#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Times our kernels, the memory's limits, oneDNN, OpenBLAS and PyTorch in turns and prints one table with ratios.
# Usage: run.sh [PATH/TO/bench_compute] [TURNS]     PYTHON=... chooses the interpreter that has torch.
set -eu
here=$(dirname "$0")
bench=${1:-$here/../../../build/release/bin/bench_compute}
turns=${2:-3}
python=${PYTHON:-/usr/bin/python3}
threads=$(nproc)
if [ ! -x "$bench" ]; then
    echo "run.sh: no program at $bench; build the target bench_compute or give its path" >&2
    exit 1
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
if ! "$python" -c 'import torch' 2>/dev/null; then
    echo "run.sh: $python has no torch (package python3-torch): its rows are left out" >&2
    python=
fi
# Whatever the environment says: OpenBLAS does not find AVX-512 by itself on newer processors.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE
if grep -q avx512f /proc/cpuinfo; then
    export OPENBLAS_CORETYPE=SkylakeX
fi
turn=1
while [ "$turn" -le "$turns" ]; do
    "$bench" --threads "$threads" --rounds 5 --json "$out/ours-$turn.json" >/dev/null
    if [ -n "$python" ]; then
        "$python" "$here/peers.py" time --threads "$threads" \
            --rounds 3 --json "$out/torch-$turn.json"
    fi
    turn=$((turn + 1))
done
"${python:-python3}" "$here/peers.py" join "$out"/*.json
