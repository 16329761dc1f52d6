#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: puts one small mistake at a time into a source and looks whether a unit test notices.

    tests/mutation/mutate.py --folder profiling/analysis --count 150 --seed 1
    tests/mutation/mutate.py --file compute/base/units.cpp

The mutated source is compiled alone, with the command of an existing build, and linked before the libraries
into the test programs named in PROGRAMS; the checkout itself is not changed. A mutant is "killed" when a
test fails, crashes or does not end in time ("timeout"), "survived" when all pass. Results are kept in
BUILD/mutation.jsonl: a run that was stopped goes on, and what a changed line or test leaves behind is done
again with --again. Survivors listed in equivalent.txt compute the same as the original and do not count.

The build: cmake --preset dev -B build/mutation -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DHETEROSCOPE_UNITY=OFF
-DHETEROSCOPE_WINDOW=OFF -DHETEROSCOPE_BENCHMARKS=OFF -DHETEROSCOPE_CUDA=OFF -DHETEROSCOPE_ONNX=OFF
-DHETEROSCOPE_ONEDNN=OFF, made and brought up to date by this program unless --no-build is given.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import operators  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Which programs test what: the first entry that a file's path begins with; in the order they are tried.
PROGRAMS = [
    ("profiling/analysis/", ["unit_analysis"]),
    ("compute/base/", ["unit_base"]),
]
CONFIGURE = ["-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DHETEROSCOPE_UNITY=OFF", "-DHETEROSCOPE_WINDOW=OFF",
             "-DHETEROSCOPE_BENCHMARKS=OFF", "-DHETEROSCOPE_CUDA=OFF", "-DHETEROSCOPE_ONNX=OFF",
             "-DHETEROSCOPE_ONEDNN=OFF"]
# What is quick first: most mutants need no recorded run of a real machine to be noticed.
FILTERS = ["-*Recorded*", "*Recorded*"]
OUTCOMES = ["killed", "timeout", "survived", "equivalent", "not compilable"]


def programs_of(file):
    for prefix, programs in PROGRAMS:
        if file.startswith(prefix):
            return programs
    sys.exit(f"{file}: no test program is known for it; add a line to PROGRAMS in {__file__}")


class Build:
    """The commands of a CMake build with Ninja: how one file is compiled and one program linked."""

    def __init__(self, folder, launcher):
        self.folder = folder
        self.launcher = launcher
        self.compile_of = {}
        self.link_of = {}
        self.headers_of = {}

    def prepare(self, programs):
        if not (self.folder / "build.ninja").exists():
            run(["cmake", "--preset", "dev", "-B", str(self.folder), *CONFIGURE], ROOT)
        run(["cmake", "--build", str(self.folder), "--target", *programs], ROOT)

    def read(self, programs):
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            path = pathlib.Path(entry["file"])
            if path.is_relative_to(ROOT):
                self.compile_of.setdefault(path.relative_to(ROOT).as_posix(), shlex.split(entry["command"]))
        for program in programs:
            lines = subprocess.run(["ninja", "-t", "commands", program], cwd=self.folder, check=True,
                                   capture_output=True, text=True).stdout.splitlines()
            command = next(line for line in reversed(lines) if f"-o bin/{program} " in line)
            self.link_of[program] = shlex.split(command.removeprefix(": && ").split(" && ")[0])

    def command_of(self, file):
        """How a file is compiled, without output and input, warnings and compiler cache."""
        command = [part for part in self.compile_of[file] if not part.endswith("ccache")]
        return self.launcher + command[:command.index("-o")] + ["-w"]

    def precompile(self, file):
        """The headers of a file once for all of its mutants: most of the compiler's time goes into them."""
        folder = self.folder / "mutation-headers" / file.replace("/", "_")
        folder.mkdir(parents=True, exist_ok=True)
        includes = [line for line in (ROOT / file).read_text().splitlines() if line.startswith("#include")]
        header = folder / "headers.h"
        header.write_text("\n".join(includes) + "\n")
        run([*self.command_of(file), "-x", "c++-header", str(header), "-o", f"{header}.new"], self.folder)
        os.replace(f"{header}.new", f"{header}.gch")
        self.headers_of[file] = header
        if not self.compile(file, ROOT / file, folder / "unchanged.o"):
            sys.exit(f"{file} cannot be compiled without any mutation; mend that first")

    def compile(self, file, source, output):
        command = [*self.command_of(file), "-include", str(self.headers_of[file]), "-c", str(source), "-o", str(output)]
        return subprocess.run(command, cwd=self.folder, capture_output=True, check=False).returncode == 0

    def link(self, program, mutated, output):
        command = list(self.link_of[program])
        command[command.index("-o") + 1] = str(output)
        command.insert(command.index("-o"), str(mutated))  # before the archives: theirs is not taken then
        if shutil.which("ld.lld"):
            command.append("-fuse-ld=lld")
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{program} cannot be linked with a mutated source:\n{done.stderr}")


def run(command, folder):
    if subprocess.run(command, cwd=folder, check=False, stdout=sys.stderr).returncode != 0:
        sys.exit(f"failed: {shlex.join(command)}")


def test_passes(program, limit_s, folder):
    """True, False, or None when it did not end in time. No network, no display, its own folder."""
    for chosen in FILTERS:
        passes = part_passes(program, chosen, limit_s, folder)
        if passes is not True:
            return passes
    return True


def part_passes(program, chosen, limit_s, folder):
    environment = {**os.environ, "TMPDIR": str(folder), "GTEST_FAIL_FAST": "1", "GTEST_BRIEF": "1", "GTEST_FILTER": chosen}
    # The inner limit is for when nobody is left to wait for it.
    process = subprocess.Popen(["/bin/sh", "-c", "ulimit -v 8000000; ulimit -c 0; exec timeout -s KILL \"$1\" \"$0\"", str(program),
                                str(limit_s + 5)],
                               cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(limit_s) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def try_mutant(build, limits, mutant, text):
    with tempfile.TemporaryDirectory(prefix="mutant-") as temporary:
        folder = pathlib.Path(temporary)
        source, compiled = folder / pathlib.Path(mutant.file).name, folder / "mutant.o"
        source.write_text(text)
        if not build.compile(mutant.file, source, compiled):
            return "not compilable"
        for program in programs_of(mutant.file):
            build.link(program, compiled, folder / program)
            passes = test_passes(folder / program, limits[program], folder)
            (folder / program).unlink()
            if passes is not True:
                return "timeout" if passes is None else "killed"
        return "survived"


def time_limits(build, programs):
    """Ten times what the program needs unchanged, at least 20 s; it has to pass."""
    limits = {}
    for program in programs:
        with tempfile.TemporaryDirectory(prefix="mutant-") as temporary:
            start = time.monotonic()
            if not test_passes(build.folder / "bin" / program, 600, temporary):
                sys.exit(f"{program} fails without any mutation; mend that first")
            limits[program] = max(20.0, 10 * (time.monotonic() - start))
    return limits


def read_equivalents():
    """(file, before, after) of each entry of equivalent.txt: three lines and a reason, then an empty line."""
    known = set()
    path = pathlib.Path(__file__).with_name("equivalent.txt")
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    for block in "\n".join(lines).split("\n\n"):
        parts = block.strip().split("\n")
        if parts == [""]:
            continue
        if len(parts) != 4 or not parts[1].startswith("- ") or not parts[2].startswith("+ "):
            sys.exit(f"{path}: expected a file, '- line', '+ line' and a reason, found:\n{block}")
        known.add((parts[0], parts[1][2:].strip(), parts[2][2:].strip()))
    return known


def chosen_mutants(arguments):
    files = sorted(path.relative_to(ROOT).as_posix() for folder in arguments.folder
                   for path in (ROOT / folder).glob("*.cpp")) + arguments.file
    every = [each for file in files for each in operators.mutants_of(file, (ROOT / file).read_text())]
    if arguments.count and arguments.count < len(every):
        every = random.Random(arguments.seed).sample(every, arguments.count)
    return every


def read_results(path):
    if not path.exists():
        return {}
    entries = (json.loads(line) for line in path.read_text().splitlines())
    return {entry["key"]: entry["outcome"] for entry in entries}


def results_that_count(store, again):
    """What an earlier run found; `again` ("survived", "all" or nothing): what is done anew."""
    outcomes = {} if again == "all" else read_results(store)
    return {key: outcome for key, outcome in outcomes.items() if not (again and outcome == again)}


def work(build, limits, pending, store, jobs):
    done = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool, store.open("a") as log:
        list(pool.map(build.precompile, sorted({mutant.file for mutant, _ in pending})))
        waiting = {pool.submit(try_mutant, build, limits, mutant, text): mutant for mutant, text in pending}
        for number, future in enumerate(concurrent.futures.as_completed(waiting), 1):
            mutant = waiting[future]
            done[mutant.key] = future.result()
            log.write(json.dumps({"key": mutant.key, "outcome": done[mutant.key], "file": mutant.file,
                                  "line": mutant.line, "before": mutant.before, "after": mutant.after}) + "\n")
            log.flush()
            print(f"[{number}/{len(pending)}] {done[mutant.key]:14} {mutant.file}:{mutant.line}",
                  file=sys.stderr, flush=True)
    return done


def print_survivors(mutants, outcomes):
    for mutant, _ in sorted(mutants, key=lambda each: (each[0].file, each[0].line)):
        if outcomes.get(mutant.key) == "survived":
            print(f"survived  {mutant.file}:{mutant.line} ({mutant.operator})\n"
                  f"  - {mutant.before}\n  + {mutant.after}")


def print_table(mutants, outcomes):
    """Rows of files and of everything; the share of those killed leaves out what is no mutant at all."""
    rows = collections.defaultdict(collections.Counter)
    for mutant, _ in mutants:
        for row in (mutant.file, "all"):
            rows[row]["mutants"] += 1
            rows[row][outcomes.get(mutant.key, "not run")] += 1
    print(f"{'file':44} mutants killed timeout survived equivalent not-compilable  share")
    for row in sorted(rows, key=lambda name: (name == "all", name)):
        counts = rows[row]
        noticed = counts["killed"] + counts["timeout"]
        judged = noticed + counts["survived"]
        share = f"{100 * noticed / judged:5.1f} %" if judged else "      -"
        print(f"{row:44} {counts['mutants']:7} {counts['killed']:6} {counts['timeout']:7} "
              f"{counts['survived']:8} {counts['equivalent']:10} {counts['not compilable']:14} {share}")
    judged = rows["all"]["killed"] + rows["all"]["timeout"] + rows["all"]["survived"]
    return (rows["all"]["killed"] + rows["all"]["timeout"]) / judged if judged else 0.0


def judge(mutants, outcomes, equivalents, at_least):
    """The exit code: 0 when at least so many per cent were noticed."""
    for mutant, _ in mutants:
        if outcomes[mutant.key] == "survived" and (mutant.file, mutant.before, mutant.after) in equivalents:
            outcomes[mutant.key] = "equivalent"
    print_survivors(mutants, outcomes)
    return 0 if 100 * print_table(mutants, outcomes) >= at_least else 1


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", action="append", default=[], help="from the root; may be repeated")
    parser.add_argument("--file", action="append", default=[], help="one source; may be repeated")
    parser.add_argument("--count", type=int, default=0, help="a random sample of so many; default: all")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the sample; printed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--launcher", default="", help="put before each compilation, e.g. nice")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/mutation")
    parser.add_argument("--no-build", action="store_true", help="the test programs are up to date")
    parser.add_argument("--again", choices=["survived", "all"], help="forget these results and do them again")
    parser.add_argument("--at-least", type=float, default=0, help="per cent killed; fewer is exit code 1")
    parser.add_argument("--list", action="store_true", help="only tell what would be tried")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if not arguments.folder and not arguments.file:
        sys.exit("give --folder or --file; see --help")
    mutants = chosen_mutants(arguments)
    print(f"seed {arguments.seed}, {len(mutants)} mutants", flush=True)
    if arguments.list:
        for mutant, _ in mutants:
            print(f"{mutant.file}:{mutant.line} ({mutant.operator})\n  - {mutant.before}\n  + {mutant.after}")
        return 0
    programs = sorted({name for mutant, _ in mutants for name in programs_of(mutant.file)})
    build = Build(arguments.build.resolve(), shlex.split(arguments.launcher))
    if not arguments.no_build:
        build.prepare(programs)
    build.read(programs)
    store = build.folder / "mutation.jsonl"
    outcomes = results_that_count(store, arguments.again)
    pending = [each for each in mutants if each[0].key not in outcomes]
    if pending:
        outcomes |= work(build, time_limits(build, programs), pending, store, arguments.jobs)
    return judge(mutants, outcomes, read_equivalents(), arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
