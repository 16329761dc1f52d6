#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records CUPTI's buffers of a small study on this machine's GPU as tests/golden/cupti/NAME.raw.gz, for
# tests/gpu/cupti_decode. Usage: record_cupti.sh PATH/TO/heteroscope-cli NAME [FOLDER]      NAME: h100, h200 ...
set -euo pipefail
fail() {
    printf 'record_cupti.sh: %s\n' "$1" >&2
    exit 1
}
[ $# -ge 2 ] || fail "usage: record_cupti.sh PATH/TO/heteroscope-cli NAME [FOLDER]"
here=$(cd "$(dirname "$0")" && pwd)
cli=$1
name=$2
folder=${3:-$here/../golden/cupti}
[ -x "$cli" ] || fail "no program at $cli; build the target heteroscope-cli or give its path"
[[ $name =~ ^[a-z0-9_-]+$ ]] || fail "the name '$name' may hold a-z, 0-9, _ and - only"
mkdir -p "$folder"
raw=$folder/$name.raw
HETEROSCOPE_CUPTI_RAW=$raw "$cli" run "$here/recorded_network.json" --samples 2 --no-check
[ -s "$raw" ] || fail "no buffer was recorded; the lines above say why"
gzip -9 -n -f "$raw"
size=$(stat -c %s "$raw.gz")
[ "$size" -le 2500000 ] || fail "$raw.gz has $size bytes; a recording for tests has at most 2500000"
printf '%s: %s bytes\n' "$raw.gz" "$size"
