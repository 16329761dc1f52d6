#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Times our GPU pooling, cuDNN's, PyTorch's and the device's copy in turns and prints one table with ratios.
# Usage: run.sh [PATH/TO/bench_gpu_pool] [FOLDER_FOR_RESULTS] [TURNS]     PYTHON=... chooses the one that has torch.
set -eu
here=$(dirname "$0")
bench=${1:-$here/../../../build/release/bin/bench_gpu_pool}
out=${2:-$(mktemp -d)}
turns=${3:-1}
python=${PYTHON:-python3}
if [ ! -x "$bench" ]; then
    echo "run.sh: no program at $bench; build the target bench_gpu_pool or give its path" >&2
    exit 1
fi
if "$python" -c 'import torch' 2>/dev/null; then
    torch=yes
else
    echo "run.sh: $python has no torch: its column is left out" >&2
    torch=
fi
mkdir -p "$out"
turn=1
while [ "$turn" -le "$turns" ]; do
    "$bench" "$out/ours-$turn.json" >/dev/null
    if [ -n "$torch" ]; then
        "$python" "$here/peers.py" time --problems "$out/ours-$turn.json" --json "$out/torch-$turn.json"
    fi
    turn=$((turn + 1))
done
"$python" "$here/peers.py" join --csv "$out/gpu_pool.csv" "$out"/ours-*.json $([ -z "$torch" ] || echo "$out"/torch-*.json)
