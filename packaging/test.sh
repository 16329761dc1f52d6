#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and runs all tests; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: packaging/test.sh [--preset NAME] [--label REGEX] [--no-window] [--fuzz SECONDS [--seed N] [--target NAME]...]

Installs the system packages that are missing, builds a preset with its tests
(release unless another is named: dev, asan, tsan, no-optional, ci) and runs them.
Preset ci makes warnings errors and also checks a part of the sources with clang-tidy,
and whether each compiles by itself.
The last line counts what passed, failed and was skipped, with the reasons; the exit
code is 0 only when nothing failed. HETEROSCOPE_REQUIRE=WORD,... makes the absence of
a thing (gpu, fashion-mnist, latex, ...) a failure instead of a skipped test.
Where there is memory enough the files of the tests lie in it; TMPDIR=FOLDER chooses.

  --preset NAME    the CMake preset to build and test
  --label REGEX    only tests whose label matches: unit, reference, gradient,
                   property, process, fault, ui, timing, lint, threads
                   (those of unit, process and ui that have many)
  --no-window      leave out the window and its tests
  --fuzz SECONDS   instead: build the libFuzzer targets (preset asan) and run each so long
  --seed N         of what the targets draw at random; 0, the default, is another one each time
  --target NAME    only this one of them, e.g. run_file; may be repeated
  --help           this text
TEXT
}

preset=release
label=""
window=ON
fuzz=0
seed=0
fuzz_targets=()
while [ $# -gt 0 ]; do
    case "$1" in
    --preset) needs_value "$@" && preset=$2 && shift ;;
    --label) needs_value "$@" && label=$2 && shift ;;
    --fuzz) needs_value "$@" && fuzz=$2 && shift ;;
    --seed) needs_value "$@" && seed=$2 && shift ;;
    --target)
        needs_value "$@"
        [ -f "tests/fuzz/$2_fuzzer.cpp" ] || fail "there is no fuzz target '$2'; allowed are $(basename -a -s _fuzzer.cpp tests/fuzz/*_fuzzer.cpp | paste -sd ' ')"
        fuzz_targets+=("$2")
        shift
        ;;
    --no-window) window=OFF ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) fail "unknown option '$1'; see --help" ;;
    esac
    shift
done

case "$preset" in
release | dev | asan | tsan | no-optional | ci) ;;
*) fail "unknown preset '$preset'; allowed are release, dev, asan, tsan, no-optional and ci" ;;
esac
[[ $fuzz =~ ^[0-9]{1,6}$ ]] || fail "--fuzz needs a number of seconds, not '$fuzz'"
[[ $seed =~ ^[0-9]{1,9}$ ]] || fail "--seed needs a number, not '$seed'"

# One target for the given seconds. What reaches no more inputs than others is left out then, so that the next run begins with few.
run_fuzzer() { # NAME
    local name=$1 corpus=build/fuzz/corpus/$1 options
    mapfile -t options <"build/asan/bin/fuzz_$name.options"
    echo "== $name, $fuzz s"
    unpack_corpus "$name" build/fuzz/corpus
    "build/asan/bin/fuzz_$name" -max_total_time="$fuzz" -seed="$seed" -rss_limit_mb=2048 -malloc_limit_mb=1024 -timeout=25 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz/$name-" "${options[@]}" "$corpus" "tests/fuzz/seeds/$name" ||
        return 1
    rm -rf "$corpus.new"
    mkdir -p "$corpus.new"
    "build/asan/bin/fuzz_$name" -merge=1 "${options[0]}" "$corpus.new" "tests/fuzz/seeds/$name" "$corpus" >"build/fuzz/merge-$name.log" 2>&1 || {
        echo "the inputs of $name could not be minimised; see build/fuzz/merge-$name.log"
        return 1
    }
    rm -rf "$corpus"
    mv "$corpus.new" "$corpus"
}

# As many targets at a time as there are processors; what each says is shown when all are through.
run_fuzzers() {
    local source name names=() running=0 failed=()
    for source in tests/fuzz/*_fuzzer.cpp; do
        name=$(basename "$source" _fuzzer.cpp)
        [ "$name" = window_files ] && [ "$window" = OFF ] || names+=("$name")
    done
    [ ${#fuzz_targets[@]} -eq 0 ] || names=("${fuzz_targets[@]}")
    configure asan -DHETEROSCOPE_TESTS=ON -DHETEROSCOPE_WINDOW="$window"
    build asan "${names[@]/#/fuzz_}"
    mkdir -p build/fuzz
    rm -f build/fuzz/*.passed
    for name in "${names[@]}"; do
        [ $running -lt "$(jobs_for_memory)" ] || { wait -n && running=$((running - 1)); }
        { run_fuzzer "$name" >"build/fuzz/$name.log" 2>&1 && touch "build/fuzz/$name.passed" || true; } &
        running=$((running + 1))
    done
    wait
    for name in "${names[@]}"; do
        cat "build/fuzz/$name.log"
        [ -f "build/fuzz/$name.passed" ] || failed+=("$name")
    done
    [ ${#failed[@]} -eq 0 ] || fail "these failed: ${failed[*]}; what they said is above, a failing input lies in build/fuzz/"
}

# What the chosen labels need; nothing for all of it.
targets_of_label() {
    local name
    [ -n "$label" ] || return 0
    for name in unit reference gradient property process fault ui threads; do
        if [[ $name =~ $label ]] && { [ "$name" != ui ] || [ "$window" = ON ]; }; then
            printf 'tests_%s\n' "$name"
        fi
    done
}

check_system
if [ "$fuzz" != 0 ]; then
    groups=(build test clang)
    [ "$window" = OFF ] || groups+=(window)
    ensure_packages "${groups[@]}"
    run_fuzzers
    exit 0
fi
groups=(build window test)
[ "$preset" != asan ] || groups+=(clang)
ensure_packages "${groups[@]}"
configure "$preset" -DHETEROSCOPE_TESTS=ON -DHETEROSCOPE_WINDOW="$window"
mapfile -t targets < <(targets_of_label)
build "$preset" "${targets[@]}"
export QT_QPA_PLATFORM=offscreen
# Run files and checkpoints are flushed at every step, and what the tests look at is the order of the calls: a disk would only
# be waited for. Programs are made and started there as well.
if [ -z "${TMPDIR:-}" ] && in_memory=$(folder_in_memory 4000000); then
    export TMPDIR="$in_memory"
    trap 'rm -rf "$TMPDIR"' EXIT
fi
results="$PWD/build/$preset/test-results.xml"
rm -f "$results"
status=0
# Four at a time, since many wait for programs that they start; with a sanitizer, which keeps the cores busy, two. Those that hold
# answers to a time or want the cores for themselves run alone (RUN_SERIAL). Outputs whole: the last line takes the reasons of
# what was skipped from them.
case $preset in
asan | tsan | no-optional) at_once=2 ;;
*) at_once=4 ;;
esac
ctest --preset "$preset" --output-on-failure --no-tests=error --timeout 300 -j "$at_once" --output-junit "$results" \
    --test-output-size-passed 1048576 --test-output-size-failed 1048576 ${label:+-L "$label"} || status=$?
python3 -B tests/support/require/count_results.py "$results" || status=1
exit "$status"
