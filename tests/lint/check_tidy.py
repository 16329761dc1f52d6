#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy with the checks of .clang-tidy over what a build compiles, headers included. Sources that are compiled
together (HETEROSCOPE_UNITY) are checked together, in a tenth of the time. --share N takes one Nth of them, another with each
commit; the part `strict` of packaging/campaign.sh takes all. Without clang-tidy 14 (other versions know other checks) the
exit code is that of a skipped test, or a failure where HETEROSCOPE_REQUIRE names clang-tidy."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import check_headers
import source_text

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support/require"))
import required  # noqa: E402

PROGRAM = "clang-tidy-14"
# Tests are left to the campaign: GoogleTest's macros are most of what would be checked.
FOLDERS = ("app", "compute", "profiling", "ui")
# A unity includes sources on purpose.
NOT_OF_UNITIES = "-bugprone-suspicious-include"
FOUND = re.compile(r"^(/\S+?):\d+:\d+: (?:warning|error): ")


def units_of(root, build, folders=FOLDERS):
    """The files that the compiler is called with for sources of these folders: sources, and unities made of them."""
    units = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        base = build if build in file.parents else root
        generated = "autogen" in str(file) or ".rcc" in file.parts  # by Qt's moc and rcc
        if base not in file.parents or generated or file.suffix not in (".cpp", ".cxx"):
            continue
        if source_text.relative(base, file).split("/")[0] in folders:
            units.add(file)
    return sorted(units)


def check_unit(unit, root, build, folders):
    """(exit code, what clang-tidy says of our own files, without what other libraries' headers do)."""
    header_filter = f"^{re.escape(str(root))}/({'|'.join(folders)})/"
    done = subprocess.run([PROGRAM, "-quiet", "-p", str(build), f"-checks={NOT_OF_UNITIES}", f"-header-filter={header_filter}",
                           "-extra-arg=-Wno-error", "-extra-arg=-Wno-unknown-warning-option",
                           str(unit)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def distinct(text, known):
    """The first lines of warnings that no other unit gave already."""
    new = [line for line in text.splitlines()
           if FOUND.match(line) and not line.startswith("/usr/") and line not in known]  # the analyzer ends in Qt's headers
    known.update(new)
    return new


def check(root, build, share, turn, folders=FOLDERS):
    """(units, those checked, distinct warnings, units that could not be checked)."""
    every = units_of(root, build, folders)
    chosen = every[turn % share::share]
    warnings, broken, known = [], [], set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for unit, (code, text, errors) in zip(chosen, pool.map(lambda each: check_unit(each, root, build, folders), chosen)):
            found = distinct(text, known)
            warnings += found
            if code and not any(": error: " in line for line in found):
                broken.append((unit, errors.strip().splitlines()[-1:] or ["no word"]))
    return len(every), len(chosen), warnings, broken


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--share", type=int, default=1, choices=range(1, 101), metavar="N")
    parser.add_argument("--folder", action="append", help=f"instead of {', '.join(FOLDERS)}; may be repeated")
    arguments = parser.parse_args()
    if not shutil.which(PROGRAM):
        print(f"{PROGRAM} is not installed")
        return 1 if required.is_required("clang-tidy") else required.SKIPPED
    root = arguments.root.resolve()
    units, checked, warnings, broken = check(root, arguments.build.resolve(), arguments.share,
                                             check_headers.commit_number(root), tuple(arguments.folder or FOLDERS))
    for line in warnings:
        print(line)
    for unit, words in broken:
        print(f"{unit}: {PROGRAM} ended with an error: {words[0]}")
    print(f"{checked} of {units} units checked, {len(warnings)} warnings, {len(broken)} could not be checked")
    if units == 0:
        print("nothing was checked: compile_commands.json names no source of these folders")
    return 1 if warnings or broken or units == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
