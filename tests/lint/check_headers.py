#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each header compiles alone. A header that a compiled source includes before anything else is
proved by that source; every other one is compiled here with the flags of a source near it. Where sources are compiled
together (HETEROSCOPE_UNITY) none is proved, and compiling all takes minutes: --share N takes one Nth of them, another with
each commit. Builds without it (preset dev, the part `strict` of packaging/campaign.sh) check all."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import source_text


UNIT = re.compile(r"^unity_.*\.cxx$")
MEMBER = re.compile(r'^#include "(/[^"]+\.cpp)"$', re.M)
# What is read before a source or a header would hide what it lacks.
READ_BEFORE = ("-include", "-include-pch")


def load_commands(build, root):
    """Path from the root -> compiler command without input and output, of sources that are compiled by themselves."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if root not in file.parents or build in file.parents:
            continue
        words = entry.get("arguments") or shlex.split(entry["command"])
        commands[source_text.relative(root, file)] = (entry["directory"], flags_of(words))
    return commands


def members(build, root):
    """The same of sources that are compiled with others, by the command of their unit."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        unit = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if not UNIT.match(unit.name) or build not in unit.parents:
            continue
        words = entry.get("arguments") or shlex.split(entry["command"])
        for name in MEMBER.findall(unit.read_text()):
            source = pathlib.Path(name).resolve()
            if root in source.parents:
                found[source_text.relative(root, source)] = (entry["directory"], flags_of(words))
    return found


def flags_of(words):
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MF", "-MT", "-MQ", *READ_BEFORE):
            skip = True
        elif word not in ("-MD", "-MMD"):
            kept.append(word)
    return kept


def first_include(text):
    return next((name for _, name, _ in source_text.includes(text)), None)


def includers(root, commands):
    """Header -> sources of `commands` that include it themselves."""
    found = {}
    for source in sorted(commands):
        for _, name, quoted in source_text.includes(source_text.read(root / source)):
            if quoted:
                found.setdefault(name, []).append(source)
    return found


def nearest(header, commands, including=()):
    """The command of the source that shares the longest run of folders with the header, of `including` if there are any:
    a header may need flags, as those of OpenMP, that sources beside it do without."""
    parts = header.split("/")[:-1]

    def shared(source):
        return len(os.path.commonprefix([parts, source.split("/")[:-1]]))

    return commands[max(sorted(including or commands), key=shared)]


def compile_alone(header, command, folder):
    directory, flags = command
    stub = folder / (header.replace("/", "_") + ".cpp")
    stub.write_text(f'#include "{header}"\n#include "{header}"\n')
    words = flags + ["-O0", "-Wno-unused", "-Wno-psabi", "-c", str(stub), "-o", str(stub.with_suffix(".o"))]
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True, check=False)
    return header, done.returncode, done.stderr


# Folders whose headers need libraries that a build may do without: only a build that compiles their sources can check them.
OPTIONAL = ("compute/backends/nvidia/", "compute/onnx/", "tests/unit/onnx/", "profiling/collectors/cupti/",
            "tests/bench/gpu_gemm/", "tests/bench/gpu_pool/", "tests/gpu/")


def buildable(header, commands):
    folder = next((f for f in OPTIONAL if header.startswith(f)), None)
    return folder is None or any(source.startswith(folder) and "/missing/" not in source for source in commands)


def commit_number(root):
    """A number of the commit; 0 outside of a checkout."""
    try:
        done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return 0
    return int(done.stdout, 16) if done.returncode == 0 else 0


def check_headers(root, build, share=1, turn=0):
    """(headers seen, headers compiled here, [(header, compiler's words)]); of `share` parts that with the number `turn`."""
    commands = load_commands(build, root)
    proved = {first_include(source_text.read(root / source)) for source in commands}
    commands |= members(build, root)
    if not commands:
        return 0, 0, []
    headers = [source_text.relative(root, p) for p in source_text.source_files(root) if p.suffix == ".h"]
    tops = {source.split("/")[0] for source in commands}  # without the window there is nothing to compile ui/ with
    headers = [h for h in headers if h.split("/")[0] in tops]
    headers = [h for h in headers if buildable(h, commands)]
    alone = sorted(h for h in headers if h not in proved)[turn % share::share]
    including = includers(root, commands)
    failures = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(compile_alone, h, nearest(h, commands, including.get(h, ())), pathlib.Path(folder))
                for h in alone]
        for job in jobs:
            header, code, words = job.result()
            if code:
                failures.append((header, words))
    return len(headers), len(alone), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--share", type=int, default=1, choices=range(1, 101), metavar="N")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    seen, alone, failures = check_headers(root, arguments.build.resolve(), arguments.share, commit_number(root))
    for header, words in failures:
        print(f"{header}: does not compile alone\n{words}")
    print(f"{seen} headers, {alone} compiled alone here, {len(failures)} failed")
    if seen == 0:
        print("nothing was checked: compile_commands.json names no source of this tree")
    return 1 if failures or seen == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
