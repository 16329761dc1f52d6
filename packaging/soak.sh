#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soak.sh MINUTES [BUILD]: runs the window without a display, one short run after the other, and judges what it
# holds: memory against the number of runs, open files, threads, child processes. The bound on memory is that of
# 24 hours of one run a minute. Writes samples.csv and window.log into a folder that it names; exit code 0: flat.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
minutes=${1:?usage: soak.sh MINUTES [BUILD]}
build=${2:-$here/build/release}
folder=$(mktemp -d "${TMPDIR:-/tmp}/heteroscope-soak-XXXXXX")
exec python3 -B "$here/packaging/soak_judge.py" --minutes "$minutes" --window "$build/bin/heteroscope" --folder "$folder"
