#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and runs all tests; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: packaging/test.sh [--preset NAME] [--label REGEX] [--no-window] [--fuzz SECONDS [--seed N] [--target NAME]...]

Installs the system packages that are missing, builds a preset with its tests
(release unless another is named: dev, asan, tsan, no-optional, ci) and runs them.
The last line counts what passed, failed and was skipped, with the reasons; the exit
code is 0 only when nothing failed. HETEROSCOPE_REQUIRE=WORD,... makes the absence of
a thing (gpu, fashion-mnist, latex, ...) a failure instead of a skipped test.

  --preset NAME    the CMake preset to build and test
  --label REGEX    only tests whose label matches: unit, reference, gradient,
                   property, process, fault, ui, timing, lint
  --no-window      leave out the window and its tests
  --fuzz SECONDS   instead: build the libFuzzer targets and run each so long
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
    --preset | --label | --fuzz | --seed | --target)
        [ $# -ge 2 ] || fail "$1 needs a value; see --help"
        case "$1" in
        --preset) preset=$2 ;;
        --label) label=$2 ;;
        --fuzz) fuzz=$2 ;;
        --seed) seed=$2 ;;
        --target)
            [ -f "tests/fuzz/$2_fuzzer.cpp" ] || fail "there is no fuzz target '$2'; allowed are $(basename -a -s _fuzzer.cpp tests/fuzz/*_fuzzer.cpp | paste -sd ' ')"
            fuzz_targets+=("$2")
            ;;
        esac
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

# What reaches no more than others is left out, so that the next run begins with few inputs.
minimise_corpus() { # TARGET OPTION
    local corpus=build/fuzz/corpus/$1
    rm -rf "$corpus.new"
    mkdir -p "$corpus.new"
    "build/fuzz/bin/fuzz_$1" -merge=1 "$2" "$corpus.new" "tests/fuzz/seeds/$1" "$corpus" >"build/fuzz/merge-$1.log" 2>&1 ||
        fail "the inputs of $1 could not be minimised; see build/fuzz/merge-$1.log"
    rm -rf "$corpus"
    mv "$corpus.new" "$corpus"
}

run_fuzzers() {
    local source name names=()
    for source in tests/fuzz/*_fuzzer.cpp; do
        names+=("$(basename "$source" _fuzzer.cpp)")
    done
    [ ${#fuzz_targets[@]} -eq 0 ] || names=("${fuzz_targets[@]}")
    configure fuzz
    build fuzz "${names[@]/#/fuzz_}"
    for name in "${names[@]}"; do
        mkdir -p "build/fuzz/corpus/$name"
        mapfile -t options <"build/fuzz/bin/fuzz_$name.options"
        echo "== $name, $fuzz s"
        "build/fuzz/bin/fuzz_$name" -max_total_time="$fuzz" -seed="$seed" -rss_limit_mb=2048 -malloc_limit_mb=1024 -timeout=25 \
            -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz/$name-" "${options[@]}" \
            "build/fuzz/corpus/$name" "tests/fuzz/seeds/$name" ||
            fail "$name found a failing input; it lies in build/fuzz/"
        minimise_corpus "$name" "${options[0]}"
    done
}

# What the chosen labels need; nothing for all of it.
targets_of_label() {
    local name
    [ -n "$label" ] || return 0
    for name in unit reference gradient property process fault ui; do
        if [[ $name =~ $label ]] && { [ "$name" != ui ] || [ "$window" = ON ]; }; then
            printf 'tests_%s\n' "$name"
        fi
    done
}

check_system
if [ "$fuzz" != 0 ]; then
    ensure_packages build test fuzz
    run_fuzzers
    exit 0
fi
ensure_packages build window test
configure "$preset" -DHETEROSCOPE_TESTS=ON -DHETEROSCOPE_WINDOW="$window"
mapfile -t targets < <(targets_of_label)
build "$preset" "${targets[@]}"
export QT_QPA_PLATFORM=offscreen
results="$PWD/build/$preset/test-results.xml"
rm -f "$results"
status=0
# Two at a time, but for those that hold answers to a time or want the cores for themselves (RUN_SERIAL). Outputs whole: the last line
# takes the reasons of what was skipped from them.
ctest --preset "$preset" --output-on-failure --no-tests=error --timeout 300 -j 2 --output-junit "$results" \
    --test-output-size-passed 1048576 --test-output-size-failed 1048576 ${label:+-L "$label"} || status=$?
python3 -B tests/support/require/count_results.py "$results" || status=1
exit "$status"
