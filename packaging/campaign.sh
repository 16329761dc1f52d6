#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is too slow for every change: for the night. See --help.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

parts=(faults kills fuzz coverage asan tsan mutation soak strict gpu gates)

usage() {
    cat <<'TEXT'
Usage: packaging/campaign.sh [--seed N] [--minutes N] [PART...]

Runs the named parts, or all of them, one after the other. Each ends in a line of
figures; out/campaign.md has them in a table with the date, the machine and the
commit, out/campaign/PART.log everything they said. The exit code is 0 only when
every part passed; a part whose script is not there counts as failed ("missing").

  faults     every n-th call of each kind fails, in every scenario (tests/fault)
  kills      1000 kills at random moments, of every kind of study and of the window
  fuzz       each fuzzer for the given minutes
  coverage   tests/fuzz/coverage.sh: how much of each reader the seeds and what the fuzzers
             kept (build/fuzz/corpus) reach; prints regions and lines of each source, then
             the mean and the least share of lines
  asan       the address and undefined-behaviour sanitizers over all tests but those of the window, frames of
             functions that have returned told as well
  tsan       the thread sanitizer over the window's and the process tests, and over what is for the campaign alone
  mutation   mutation testing of profiling/analysis and compute/base; 85 % have to be noticed
  soak       the window, one run after the other for six times those minutes (packaging/soak.sh)
  strict     every source and header compiled alone with warnings as errors, and clang-tidy
  gpu        compute-sanitizer over the tests of tests/gpu, where there is a GPU
  gates      our times over those of other libraries, against the ratios that are stored for such
             a machine (tests/bench/gates); one that is worse fails

  --seed N      the seed of faults and kills; another one each time without it
  --minutes N   for each fuzzer (10), a sixth of the soak test
  --kills N     instead of 1000
  --help        this text
TEXT
}

seed=$RANDOM
minutes=10
kills=1000
least_coverage=60 # % of the lines that each fuzz target is there for
chosen=()
inner=""
while [ $# -gt 0 ]; do
    case "$1" in
    --seed | --minutes | --kills)
        [[ ${2:-} =~ ^[0-9]{1,9}$ ]] || fail "$1 needs a number; see --help"
        declare "${1#--}=$2"
        shift
        ;;
    --inner)
        inner=$2
        shift
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    *)
        [[ " ${parts[*]} " == *" $1 "* ]] || fail "unknown part '$1'; there are ${parts[*]}"
        chosen+=("$1")
        ;;
    esac
    shift
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${parts[@]}")

# A part writes its figures as the last line of its output; exit code 0: passed, 77: cannot run here, 78: missing.
skip() {
    echo "$1"
    exit 77
}

missing() {
    echo "$1 is not there"
    exit 78
}

release() { # TARGET...
    [ -f build/release/build.ninja ] || configure release
    build release "$@"
}

part_faults() {
    release heteroscope-cli heteroscope_fault fault_probe
    python3 -B tests/fault/self_test.py build/release/lib/libheteroscope_fault.so build/release/bin/fault_probe
    local window=()
    if grep -q 'HETEROSCOPE_WINDOW:BOOL=ON' build/release/CMakeCache.txt; then
        build release fault_window
        window=(--window build/release/bin/fault_window)
    fi
    python3 -B tests/fault/step_faults.py --program build/release/bin/heteroscope-cli --budget campaign --seed "$seed" \
        --library build/release/lib/libheteroscope_fault.so "${window[@]}" --jobs "$(nproc)" --json out/campaign/faults.json
}

part_kills() {
    release heteroscope-cli
    python3 -B tests/fault/kill_test.py
    local window=()
    if grep -q 'HETEROSCOPE_WINDOW:BOOL=ON' build/release/CMakeCache.txt; then
        build release heteroscope
        window=(--window build/release/bin/heteroscope)
    fi
    python3 -B tests/fault/kill_campaign.py --program build/release/bin/heteroscope-cli "${window[@]}" --kills "$kills" \
        --seed "$seed"
}

part_fuzz() {
    packaging/test.sh --fuzz $((minutes * 60))
    awk '/^== / { fuzzers++ } /stat::number_of_executed_units/ { runs += $2 } /stat::peak_rss_mb/ && $2 > peak { peak = $2 }
         END { if (fuzzers) printf "%d fuzzers, %.1f million inputs, at most %d MB, nothing found\n", fuzzers, runs / 1e6, peak }' \
        out/campaign/fuzz.log
}

part_coverage() {
    local table=out/campaign/coverage.table code=0
    tests/fuzz/coverage.sh --at-least "$least_coverage" >"$table" || code=$?
    cat "$table"
    awk '$2 == "all" { share = $4 + 0; targets++; sum += share; if (targets == 1 || share < least) { least = share; name = $1 } }
         END { if (targets) printf "%d targets reach %.1f %% of the lines of their readers on average, %s the least with %.1f %%\n",
                      targets, sum / targets, name, least }' "$table"
    return "$code"
}

part_asan() {
    HETEROSCOPE_ASAN_OPTIONS=detect_stack_use_after_return=1 packaging/test.sh --preset asan --no-window \
        --label 'unit|reference|gradient|property|process|campaign'
}

part_tsan() {
    configure tsan
    build tsan tests_ui tests_process tests_unit tests_reference
    QT_QPA_PLATFORM=offscreen ctest --preset tsan -L 'ui|process|campaign' --output-on-failure --timeout 3000 -j 1
    grep -E 'tests passed' out/campaign/tsan.log | tail -n 1
}

part_mutation() {
    [ -f tests/mutation/mutate.py ] || missing tests/mutation/mutate.py
    local table=out/campaign/mutation.table code=0
    python3 -B tests/mutation/mutate.py --folder profiling/analysis --folder compute/base --count 300 --seed "$seed" \
        --jobs "$(nproc)" --again all --at-least 85 >"$table" || code=$?
    cat "$table"
    awk '$1 == "all" { printf "%d mutants: %d killed, %d timed out, %d survived, %d equivalent, %d not compilable: %s %% noticed, 85 %% wanted\n",
                              $2, $3, $4, $5, $6, $7, $8 }' "$table"
    return "$code"
}

part_soak() {
    [ -x packaging/soak.sh ] || missing packaging/soak.sh
    release heteroscope heteroscope-cli
    packaging/soak.sh $((minutes * 6))
    grep -v '^ *$' out/campaign/soak.log | tail -n 3 | paste -sd ' '
}

part_strict() {
    ensure_packages test
    configure ci -DHETEROSCOPE_UNITY=OFF
    build ci
    python3 -B tests/lint/check_headers.py --root . --build build/ci
    HETEROSCOPE_REQUIRE=clang-tidy python3 -B tests/lint/check_tidy.py --root . --build build/ci \
        --folder app --folder compute --folder profiling --folder ui --folder tests
    echo "$(git ls-files '*.cpp' | wc -l) sources and all headers compiled alone without a warning, nor one of clang-tidy"
}

part_gpu() {
    nvidia-smi -L 2>/dev/null | grep -q GPU || skip "no NVIDIA GPU here"
    [ -x tests/gpu/sanitize.sh ] || missing tests/gpu/sanitize.sh
    release tests_gpu
    local tool figures=""
    for tool in memcheck racecheck initcheck synccheck guard; do
        echo "== $tool"
        tests/gpu/sanitize.sh "$tool" | tee "out/campaign/gpu-$tool.log"
        figures+="$tool: $(tail -n 1 "out/campaign/gpu-$tool.log"); "
    done
    echo "${figures%; }"
}

part_gates() {
    local machine
    case "$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)" in
    *H100*) machine=h100 ;;
    *H200*) machine=h200 ;;
    *) skip "ratios are compared on NVIDIA H100 and H200" ;;
    esac
    [ -f "tests/bench/gates/$machine.json" ] || skip "no ratios are stored for $machine"
    release heteroscope-cli gemm_bench bench_gpu_pool
    python3 -B tests/bench/gates/gates.py "$machine"
}

machine() {
    awk -F ': *' '/model name/ { print $2; exit }' /proc/cpuinfo
    echo ", $(nproc) processors, $(awk '/MemTotal/ { printf "%d", $2 / 1048576 + 0.5 }' /proc/meminfo) GiB"
    nvidia-smi -L 2>/dev/null | sed 's/ (UUID.*//; s/^/, /' || true
}

# One row of the table; 1 when the part did not pass.
run_part() { # NAME
    local name=$1 log=out/campaign/$1.log code=0 begun=$SECONDS word figures
    echo "== $name"
    # A shell of its own: in this one a failing command would not end the part.
    packaging/campaign.sh --inner "$name" --seed "$seed" --minutes "$minutes" --kills "$kills" 2>&1 | tee "$log" || code=${PIPESTATUS[0]}
    case $code in
    0) word=passed ;;
    77) word=skipped ;;
    78) word=missing ;;
    *) word=FAILED ;;
    esac
    figures=$(grep -v '^ *$' "$log" | tail -n 1 | tr '|' '/')
    printf '| %s | %s | %s | %d s |\n' "$name" "$word" "$figures" $((SECONDS - begun)) >>out/campaign.md
    [ "$code" = 0 ] || [ "$code" = 77 ]
}

if [ -n "$inner" ]; then
    "part_$inner"
    exit 0
fi
mkdir -p out/campaign
{
    printf '# Campaign\n\n%s, commit %s, %s, seed %s\n\n' "$(date -u +%Y-%m-%dT%H:%MZ)" \
        "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)$(git diff --quiet HEAD 2>/dev/null || echo ' with changes')" \
        "$(machine | tr -d '\n')" "$seed"
    printf '| part | result | figures | time |\n|---|---|---|---|\n'
} >out/campaign.md
failed=0
for part in "${chosen[@]}"; do
    run_part "$part" || failed=1
done
cat out/campaign.md
exit $failed
