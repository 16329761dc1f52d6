#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each source compiles alone. Where several are compiled as one (HETEROSCOPE_UNITY), one may live on what
another includes. The compiler reads each here with the flags of its unit, without making code. --share N takes one Nth of
them, another with each commit; without unities (the part `strict` of packaging/campaign.sh) the build itself is the check."""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

import check_headers

FOLDERS = ("app", "compute", "profiling", "ui")


def members(root, build, folders=FOLDERS):
    """Source from the root -> (folder of the build, flags), of those that are compiled with others."""
    return {source: (directory, [*flags, "-O0", "-w", "-fsyntax-only"])
            for source, (directory, flags) in check_headers.members(build, root).items()
            if source.split("/")[0] in folders}


def compile_alone(root, source, directory, flags):
    done = subprocess.run([*flags, str(root / source)], cwd=directory, capture_output=True, text=True, check=False)
    return source, done.returncode, done.stderr


def check_sources(root, build, share=1, turn=0, folders=FOLDERS):
    """(sources in unities, those compiled here, [(source, compiler's words)])."""
    every = members(root, build, folders)
    chosen = sorted(every)[turn % share::share]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(lambda source: compile_alone(root, source, *every[source]), chosen))
    return len(every), len(chosen), [(source, words) for source, code, words in ends if code]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--share", type=int, default=1, choices=range(1, 101), metavar="N")
    parser.add_argument("--folder", action="append", help=f"instead of {', '.join(FOLDERS)}; may be repeated")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    seen, alone, failures = check_sources(root, arguments.build.resolve(), arguments.share, check_headers.commit_number(root),
                                          tuple(arguments.folder or FOLDERS))
    for source, words in failures:
        print(f"{source}: does not compile alone\n{words}")
    print(f"{seen} sources in unities, {alone} compiled alone here, {len(failures)} failed")
    if seen == 0:
        print("nothing was checked: compile_commands.json has no unity of these folders")
    return 1 if failures or seen == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
