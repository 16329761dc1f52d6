#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Keeps what the fuzz targets found in the tree; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/../../packaging/lib.sh"

usage() {
    cat <<'TEXT'
Usage: tests/fuzz/keep_corpora.sh [TARGET...]

Packs the inputs that packaging/test.sh --fuzz left in build/fuzz/corpus, each of
which reaches something of its own, into tests/fuzz/corpus/TARGET.tar.gz: of all
targets, or of the named ones. The next --fuzz anywhere begins with them.
TEXT
}

targets=()
for word in "$@"; do
    case "$word" in
    --help | -h)
        usage
        exit 0
        ;;
    *)
        [ -f "tests/fuzz/${word}_fuzzer.cpp" ] || fail "there is no fuzz target '$word'; see tests/fuzz"
        targets+=("$word")
        ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(basename -a -s _fuzzer.cpp tests/fuzz/*_fuzzer.cpp)
mkdir -p tests/fuzz/corpus
for target in "${targets[@]}"; do
    [ -d "build/fuzz/corpus/$target" ] ||
        fail "build/fuzz/corpus/$target is not there; run packaging/test.sh --fuzz SECONDS --target $target first"
    # The same inputs give the same bytes.
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -C "build/fuzz/corpus/$target" -cf - . |
        gzip -9n >"tests/fuzz/corpus/$target.tar.gz"
    printf '%-16s %5d inputs, %d bytes packed\n' "$target" "$(find "build/fuzz/corpus/$target" -type f | wc -l)" \
        "$(stat -c %s "tests/fuzz/corpus/$target.tar.gz")"
done
