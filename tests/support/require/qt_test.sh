#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a QtTest program. Ends with its exit code; with 77 when nothing failed and a function was skipped, so that ctest
# counts the program as skipped and not as passed.
set -uo pipefail
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
"$@" 2>&1 | tee "$output"
status=${PIPESTATUS[0]}
[ "$status" = 0 ] || exit "$status"
! grep -q '^SKIP   : ' "$output" || exit 77
