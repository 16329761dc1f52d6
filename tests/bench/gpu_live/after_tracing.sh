#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Is anything slower after a traced run has ended? Two untraced processes, a traced one and an untraced one again,
# in turns. The first two are compared run by run, which shows how much processes differ by themselves; then the
# untraced ones right before and right after the traced one, with the intervals of their ratios.
# Usage: after_tracing.sh [PATH/TO/heteroscope-cli] [FOLDER_FOR_RESULTS] [TURNS]
set -eu
here=$(dirname "$0")
cli=${1:-$here/../../../build/release/bin/heteroscope-cli}
out=${2:-$(mktemp -d)}
turns=${3:-3}
if [ ! -x "$cli" ]; then
    echo "after_tracing.sh: no program at $cli; build heteroscope-cli or give its path" >&2
    exit 1
fi
mkdir -p "$out"
run() { # EXPERIMENT RUN_FILE [--no-trace]
    experiment=$1
    file=$2
    shift 2
    "$cli" run "$experiment" --preset quick --samples 15 --no-check --out "$file" "$@" >/dev/null 2>"$file.log" ||
        { cat "$file.log" >&2; exit 1; }
}
for name in pooling matmul; do
    turn=1
    while [ "$turn" -le "$turns" ]; do
        run "$here/after_tracing_$name.json" "$out/$name-control-$turn.hscope" --no-trace
        run "$here/after_tracing_$name.json" "$out/$name-before-$turn.hscope" --no-trace
        run "$here/after_tracing_$name.json" "$out/$name-traced-$turn.hscope"
        run "$here/after_tracing_$name.json" "$out/$name-after-$turn.hscope" --no-trace
        echo "$name, turn $turn: how many times faster the second of two untraced processes"
        "$cli" compare "$out/$name-control-$turn.hscope" "$out/$name-before-$turn.hscope"
        echo "$name, turn $turn: how many times faster after tracing than before"
        "$cli" compare "$out/$name-before-$turn.hscope" "$out/$name-after-$turn.hscope"
        turn=$((turn + 1))
    done
done
