#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every GPU test program under a tool of compute-sanitizer, with red zones around device memory, and prints a table.
. "$(dirname "${BASH_SOURCE[0]}")/sanitize_lib.sh"

usage() {
    cat <<'TEXT'
Usage: tests/gpu/sanitize.sh [TOOL] [--build FOLDER] [--seconds N] [--limit N] [--only REGEX] [--jobs N]

Each test is a process of its own, so that one that breaks the device costs nothing else. Ends with the counts; the
exit code is 0 only when every test that ran passed and none was reported.

  TOOL            memcheck (the default), racecheck, initcheck or synccheck; guard: only red zones, without the sanitizer
  --build FOLDER  where the programs are: FOLDER/bin/gpu_*; build/release unless given
  --seconds N     start no further test after N seconds; what was left out is listed and counted
  --limit N       a test that is not over after N seconds is left out, 150 unless given
  --only REGEX    only tests whose program/name matches
  --jobs N        so many at a time, 4 unless given; racecheck takes much memory. Tests that fill the memory follow
                  alone, or as many at a time as device and host have room for

Drawn tests take HETEROSCOPE_TEST_DRAWS problems: 500 unless given, 20 under the sanitizer's slow tools (all but memcheck).
TEXT
}

tool=memcheck build=build/release seconds=0 limit=150 only=. jobs=4
while [ $# -gt 0 ]; do
    case "$1" in
    memcheck | racecheck | initcheck | synccheck | guard) tool=$1 ;;
    --build | --seconds | --limit | --only | --jobs)
        [ $# -ge 2 ] || fail "$1 needs a value; see --help"
        case "$1" in
        --build) build=$2 ;;
        --seconds) seconds=$2 ;;
        --limit) limit=$2 ;;
        --only) only=$2 ;;
        --jobs) jobs=$2 ;;
        esac
        shift
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) fail "unknown word '$1'; see --help" ;;
    esac
    shift
done
[[ $seconds =~ ^[0-9]{1,6}$ ]] || fail "--seconds needs a number, not '$seconds'"
[[ $limit =~ ^[1-9][0-9]{0,4}$ ]] || fail "--limit needs a number of seconds, not '$limit'"
[[ $jobs =~ ^[1-9][0-9]?$ ]] || fail "--jobs needs a number from 1 to 99, not '$jobs'"
[ "$tool" = guard ] || sanitizer=$(find_sanitizer) || exit 1

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
list_tests "$build" | grep -E -- "$only" >"$results/tests" || fail "no test matches '$only' in $build/bin/gpu_*"
case "$tool" in
racecheck | initcheck | synccheck) export HETEROSCOPE_TEST_DRAWS=${HETEROSCOPE_TEST_DRAWS:-20} ;;
esac
export HETEROSCOPE_GUARD=1 SANITIZE_TOOL=$tool SANITIZE_PROGRAM=${sanitizer:-} SANITIZE_RESULTS=$results SANITIZE_BUILD=$build SANITIZE_LIMIT=$limit
export SANITIZE_UNTIL=$([ "$seconds" = 0 ] && echo 0 || echo $(($(date +%s) + seconds)))
run_tests() { # FILE JOBS
    xargs -r -a "$1" -d '\n' -P "$2" -n 1 "$(dirname "${BASH_SOURCE[0]}")/sanitize_one.sh" &
    running=$!
    wait "$running" || true
}
# Told to end, it ends the tests that run and says what is known; those without a result are left out.
end_early() { # SIGNAL
    local pid test row
    trap '' TERM INT
    [ -z "$running" ] || kill -KILL "$running" # starts no other
    for pid in $(cat "$results"/*.pid 2>/dev/null); do
        kill "$pid" 2>/dev/null && tail --pid="$pid" -f /dev/null
    done
    while IFS= read -r test; do
        row=$results/${test//\//_}.row
        [ -e "$row" ] || printf '%s\t%.1f\t%s\n' "$test" 0 "left out: ended by SIG$1" >"$row"
    done <"$results/tests"
    print_table "$results"
    exit 143
}
running=
trap 'end_early TERM' TERM
trap 'end_early INT' INT
grep -vE -- "$fills_the_device" "$results/tests" >"$results/beside" || true
grep -E -- "$fills_the_device" "$results/tests" >"$results/alone" || true
run_tests "$results/beside" "$jobs"
run_tests "$results/alone" "$(devices_room "$jobs")"
print_table "$results"
