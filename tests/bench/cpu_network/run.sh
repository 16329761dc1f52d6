#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trains and infers the example networks with heteroscope-cli and PyTorch in turns; prints one table with ratios.
# Usage: run.sh [PATH/TO/heteroscope-cli] [options of peers.py]     PYTHON=... chooses the interpreter with torch.
set -eu
here=$(dirname "$0")
cli=${1:-$here/../../../build/release/bin/heteroscope-cli}
[ $# -eq 0 ] || shift
python=${PYTHON:-/usr/bin/python3}
if [ ! -x "$cli" ]; then
    echo "run.sh: no program at $cli; build the target heteroscope-cli or give its path" >&2
    exit 1
fi
if ! "$python" -c 'import torch' 2>/dev/null; then
    echo "run.sh: $python has no torch (package python3-torch)" >&2
    exit 1
fi
# Whatever the environment says: OpenBLAS does not find AVX-512 by itself on newer processors.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE
if grep -q avx512f /proc/cpuinfo; then
    export OPENBLAS_CORETYPE=SkylakeX
fi
OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)} "$python" "$here/peers.py" --cli "$cli" "$@"
