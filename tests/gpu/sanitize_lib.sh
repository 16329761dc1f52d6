# SPDX-License-Identifier: Apache-2.0
# Shared by sanitize.sh and sanitize_one.sh. Source it.
set -uo pipefail

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit 1
}

find_sanitizer() {
    local found
    for found in "$(command -v compute-sanitizer)" /usr/local/cuda/bin/compute-sanitizer /usr/local/cuda/compute-sanitizer/compute-sanitizer; do
        if [ -x "$found" ]; then
            printf '%s\n' "$found"
            return 0
        fi
    done
    fail "compute-sanitizer was not found; install CUDA's tools or put it on PATH"
}

# The tests of arrays at the limits of 32 bits: each takes most of a device's memory.
fills_the_device='/([A-Za-z]+/)?(GpuLimits|OwnLimits|PoolBeyondInt)\.'

# How many of them the memory has room for, of N; one where that cannot be told.
devices_room() { # N
    local device host room
    device=$(nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits 2>/dev/null | head -n 1)
    host=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
    [[ $device =~ ^[0-9]{1,9}$ && $host =~ ^[0-9]{1,9}$ ]] || { echo 1 && return; }
    room=$(((device < host ? device : host) / (44 * 1024)))
    echo $((room < 1 ? 1 : room > $1 ? $1 : room))
}

# program/Suite.Test of every GPU test program, and of the comparisons with the plain loops those on a GPU. The tracer
# cannot share a process with the sanitizer, so that the tests of CUPTI are left to a plain run.
list_tests() { # BUILD
    local program name
    for program in "$1"/bin/gpu_* "$1"/bin/reference; do
        name=$(basename "$program")
        [ -x "$program" ] && [ "$name" != gpu_cupti ] && [ "$name" != gpu_product ] || continue
        "$program" --gtest_list_tests | awk -v program="$name" '
            /^[^ ]/ { suite = $1; next }
            /^  / && (program != "reference" || suite ~ /^Gpu\//) { print program "/" suite $1 }' ||
            fail "$program cannot list its tests"
    done
}

print_table() { # RESULTS
    local results=$1 status
    printf '\n%-64s %8s  %s\n' test seconds result
    sort "$results"/*.row 2>/dev/null | awk -F'\t' '{ printf "%-64s %8s  %s\n", $1, $2, $3 }'
    for status in "$results"/*.log; do
        [ ! -s "$status" ] || { printf '\n== %s\n' "$(basename "$status" .log)" && tail -n 60 "$status"; }
    done
    awk -F'\t' -v tool="$SANITIZE_TOOL" '
        { count[$3 ~ /^skipped/ ? "skipped" : $3 ~ /^left out/ ? "left out" : $3 == "passed" ? "passed" : "failed"]++ }
        END {
            printf "\n%s: %d passed, %d failed, %d skipped, %d left out\n", tool, count["passed"], count["failed"], count["skipped"], count["left out"]
            exit count["failed"] > 0 || count["passed"] + count["skipped"] == 0
        }' "$results"/*.row
}
