#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to the open window; see --help.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: packaging/run.sh [--build-only] [--headless] [--] [FILE...]

Installs the system packages that are missing (with sudo when not root), builds
the release into build/release/bin and opens the window with the demo experiment,
or with FILE (an experiment, a run file, a Chrome trace).

Without a display (or with --headless) it runs the demo study instead, prints its
table, and writes figures, a report and a picture of every mode under out/.

  --build-only   stop after the build
  --headless     act as if there were no display
  --help         this text
TEXT
}

build_only=no
headless=no
files=()
while [ $# -gt 0 ]; do
    case "$1" in
    --build-only) build_only=yes ;;
    --headless) headless=yes ;;
    --help | -h)
        usage
        exit 0
        ;;
    --)
        shift
        files+=("$@")
        break
        ;;
    -*) fail "unknown option '$1'; see --help" ;;
    *) files+=("$(realpath "$1")") ;;
    esac
    shift
done

check_system
ensure_packages build window
[ -f build/release/build.ninja ] || configure release -DHETEROSCOPE_TESTS=OFF -DHETEROSCOPE_BENCHMARKS=OFF
build release heteroscope heteroscope-cli
if [ "$build_only" = yes ]; then
    echo "Built: build/release/bin/heteroscope (window) and build/release/bin/heteroscope-cli (command line)"
    exit 0
fi

if has_display && [ "$headless" = no ]; then
    if [ ${#files[@]} -gt 0 ]; then
        exec build/release/bin/heteroscope "${files[@]}"
    fi
    exec build/release/bin/heteroscope --demo
fi

echo "No display: running the demo study; figures, report and pictures go to out/."
mkdir -p out
demo=resources/examples/demo.json
build/release/bin/heteroscope-cli run "$demo" --out out/demo.hscope --json out/demo.json --csv out/demo.csv
QT_QPA_PLATFORM=offscreen build/release/bin/heteroscope --report out/report --runs out/demo.hscope
QT_QPA_PLATFORM=offscreen build/release/bin/heteroscope --demo --screenshot-all out/pictures
echo "Written:"
find out -type f | sort | sed 's/^/  /'
