#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one test, "program/Suite.Test", as sanitize.sh asks for it: a row into the results, and the output when it failed.
. "$(dirname "${BASH_SOURCE[0]}")/sanitize_lib.sh"

program=${1%%/*}
test=${1#*/}
file=$SANITIZE_RESULTS/${1//\//_}
log=$file.log
begin=$(date +%s.%N)

row() { # RESULT
    printf '%s\t%.1f\t%s\n' "$program/$test" "$(echo "$(date +%s.%N) $begin" | awk '{ print $1 - $2 }')" "$1" >"$file.row"
}

if [ "$SANITIZE_UNTIL" != 0 ] && [ "$(date +%s)" -ge "$SANITIZE_UNTIL" ]; then
    row "left out: the time is used up"
    exit 0
fi
command=("$SANITIZE_BUILD/bin/$program" "--gtest_filter=$test")
case "$SANITIZE_TOOL" in
guard) ;;
# A death test makes its fault in a process of its own, which is not looked into.
*) command=("$SANITIZE_PROGRAM" --tool "$SANITIZE_TOOL" --error-exitcode 99 --target-processes application-only "${command[@]}") ;;
esac
timeout -k 5 "$SANITIZE_LIMIT" "${command[@]}" >"$log" 2>&1 &
child=$!
trap 'kill "$child"; wait "$child"; rm -f "$log"; row "left out: ended by a signal"; exit 0' TERM
echo $$ >"$file.pid"
wait "$child"
status=$?
trap '' TERM
rm -f "$file.pid"
if [ "$status" = 124 ] || [ "$status" = 137 ]; then
    row "left out: not over after $SANITIZE_LIMIT s"
elif [ "$status" = 0 ] && grep -q '^\[  SKIPPED \] 1 test' "$log"; then
    row "skipped: $(grep -A1 ': Skipped$' "$log" | tail -n 1 | cut -c1-100)"
elif [ "$status" = 0 ] && ! grep -q '^\[  PASSED  \] 1 test' "$log"; then
    row "no such test ran"
    exit 0
elif [ "$status" = 0 ]; then
    row passed
elif grep -q 'terminated before first instrumented API call' "$log" && grep -q '^\[  PASSED  \] 1 test' "$log"; then
    row passed # and asked nothing of the GPU, which the sanitizer calls an error
else
    row "$([ "$status" = 99 ] && echo "reported by $SANITIZE_TOOL" || echo "failed, exit code $status")"
    exit 0
fi
rm -f "$log"
