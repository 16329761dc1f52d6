#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How much of each reader the fuzzers' inputs reach; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/../../packaging/lib.sh"

usage() {
    cat <<'TEXT'
Usage: tests/fuzz/coverage.sh [--corpus DIR] [TARGET...]

Builds the fuzz targets with clang's source-based coverage (build/fuzz-coverage),
gives each its seeds and what it found so far once, and prints the share of
regions and lines reached in the sources that tests/fuzz/readers.txt names.

  --corpus DIR   where a folder a target lies; default: build/fuzz/corpus, filled with the
                 kept inputs (tests/fuzz/corpus) of targets that have none there
  --at-least N   exit code 1 when a target reaches less than N % of its lines
TEXT
}

corpus=build/fuzz/corpus
least=0
targets=()
while [ $# -gt 0 ]; do
    case "$1" in
    --corpus) needs_value "$@" && corpus=$2 && shift ;;
    --at-least) needs_value "$@" && least=$2 && shift ;;
    --help | -h)
        usage
        exit 0
        ;;
    -*) fail "unknown option '$1'; see --help" ;;
    *) targets+=("$1") ;;
    esac
    shift
done
[[ $least =~ ^[0-9]{1,3}$ ]] || fail "--at-least needs a number from 0 to 100, not '$least'"
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(basename -a -s _fuzzer.cpp tests/fuzz/*_fuzzer.cpp)

readers_of() { awk -v target="$1" '$1 == target { for (i = 2; i <= NF; i++) print $i }' tests/fuzz/readers.txt; }

# One run of every input; the profile is written when the program ends.
replay() { # TARGET
    local folders=()
    unpack_corpus "$1" "$corpus"
    [ ! -d "$corpus/$1" ] || folders+=("$corpus/$1")
    [ ! -d "tests/fuzz/seeds/$1" ] || folders+=("tests/fuzz/seeds/$1")
    [ ${#folders[@]} -gt 0 ] || fail "$1 has neither seeds nor a corpus"
    LLVM_PROFILE_FILE="$build/$1.profraw" "$build/bin/fuzz_$1" -runs=0 "${folders[@]}" >"$build/$1.log" 2>&1 ||
        fail "$1 fails on one of its inputs; see $build/$1.log"
    llvm-profdata-14 merge -sparse "$build/$1.profraw" -o "$build/$1.profdata"
}

table() { # TARGET
    local sources=()
    mapfile -t sources < <(readers_of "$1")
    [ ${#sources[@]} -gt 0 ] || fail "tests/fuzz/readers.txt has no line for $1"
    llvm-cov-14 report "$build/bin/fuzz_$1" -instr-profile="$build/$1.profdata" "${sources[@]}" |
        awk -v target="$1" -v least="$least" '
            $1 ~ /\.cpp$/ { printf "%-16s %-34s %8s %8s\n", target, $1, $4, $10 }
            $1 == "TOTAL" { printf "%-16s %-34s %8s %8s\n", target, "all", $4, $10
                            if ($10 + 0 < least) exit 1 }'
}

ensure_packages build window test clang
build=build/fuzz-coverage
configure asan -B "$build" -DHETEROSCOPE_SANITIZE= -DHETEROSCOPE_FUZZ_COVERAGE=ON -DHETEROSCOPE_WINDOW=ON
cmake --build "$build" -j "$(jobs_for_memory)" --target "${targets[@]/#/fuzz_}" || fail "the build failed; see the lines above"
status=0
printf '%-16s %-34s %8s %8s\n' target source regions lines
for target in "${targets[@]}"; do
    replay "$target"
    table "$target" || status=1
done
exit $status
