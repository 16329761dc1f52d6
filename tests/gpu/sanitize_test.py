#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of sanitize.sh with programs that only say what they would run: no GPU is needed."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest

SCRIPT = pathlib.Path(__file__).with_name("sanitize.sh")

# Lists its tests; runs one by writing when it began and ended.
PROGRAM = """#!/usr/bin/env bash
if [ "$1" = --gtest_list_tests ]; then
    printf '%s\\n' {listing}
    exit 0
fi
name=${{1#--gtest_filter=}}
echo "begin $name" >>"{log}"
case "$name" in
*Hangs) exec -a "{log}" sleep 1000 ;;
*Limits* | *BeyondInt*) sleep 0.3 ;;
*) for _ in {{1..1000}}; do # waits for a second one, so that a run one after the other shows
    [ "$(grep -c ^begin "{log}")" -lt 2 ] || break
    sleep 0.01
done ;;
esac
echo "end $name" >>"{log}"
echo '[  PASSED  ] 1 test.'
"""


class Sanitize(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        (self.build / "bin").mkdir()
        self.log = self.build / "log"

    def add(self, name, listing):
        program = self.build / "bin" / name
        program.write_text(PROGRAM.format(listing=" ".join(f"'{line}'" for line in listing), log=self.log))
        program.chmod(0o755)

    def add_nvidia_smi(self, free_mib):
        program = self.build / "nvidia-smi"
        program.write_text(f"#!/bin/sh\necho {free_mib}\n")
        program.chmod(0o755)

    def start(self, *arguments):
        return subprocess.Popen([SCRIPT, "guard", "--build", self.build, *arguments], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=os.environ | {"PATH": f"{self.build}:{os.environ['PATH']}"})

    def run_script(self, *arguments):
        with self.start(*arguments) as script:
            output, errors = script.communicate(timeout=50)
        return subprocess.CompletedProcess(script.args, script.returncode, output, errors)

    def processes(self):
        """Command lines of processes of this test."""
        lines = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                lines.append((process / "cmdline").read_bytes().decode(errors="replace"))
            except OSError: # it has ended
                continue
        return [line for line in lines if str(self.build) in line]

    def besides(self):
        """How many others ran while each test ran."""
        running, others = set(), {}
        for line in self.log.read_text().splitlines():
            word, name = line.split(" ", 1)
            if word == "end":
                running.remove(name)
                continue
            for other in running:
                others[other] += 1
            others[name] = len(running)
            running.add(name)
        return others

    def test_tests_that_fill_the_device_run_alone(self):
        self.add_nvidia_smi(81000)
        self.add("gpu_network", ["GpuSmall/Drawn.", "  Add/0", "  Mul/0", "  Relu/0", "Networks/GpuLimits.", "  Reductions/cuda",
                                 "  Reductions/cudnn", "OwnLimits.", "  Arrays"])
        self.add("gpu_pool", ["PoolKernels.", "  Small", "PoolBeyondInt.", "  Forward", "  Backward"])
        done = self.run_script("--jobs", "4")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("guard: 9 passed, 0 failed, 0 skipped, 0 left out", done.stdout)
        besides = self.besides()
        self.assertEqual(len(besides), 9)
        large = {name: count for name, count in besides.items() if "Limits" in name or "BeyondInt" in name}
        self.assertEqual(len(large), 5)
        self.assertEqual(set(large.values()), {0}, besides)
        self.assertGreater(max(besides.values()), 0, "the others run beside each other")

    def test_only_tests_that_fill_the_device(self):
        self.add_nvidia_smi("'No devices were found'")
        self.add("gpu_pool", ["PoolBeyondInt.", "  Forward", "  Backward", "PoolKernels.", "  Small"])
        done = self.run_script("--only", "PoolBeyondInt")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("guard: 2 passed", done.stdout)

    def test_told_to_end_it_says_what_is_known(self):
        self.add_nvidia_smi(81000)
        self.add("gpu_pool", ["PoolKernels.", "  Hangs", "  Quick", "  AlsoHangs", "  Later", "PoolBeyondInt.", "  Forward"])
        with self.start("--jobs", "2") as script:
            while not self.log.exists() or "begin PoolKernels.AlsoHangs" not in self.log.read_text():
                time.sleep(0.01)
            script.terminate()
            output = script.communicate(timeout=20)[0]
        self.assertEqual(script.returncode, 143)
        self.assertIn("guard: 1 passed, 0 failed, 0 skipped, 4 left out", output)
        self.assertRegex(output, r"PoolKernels.Hangs +[0-9.]+ +left out: ended by a signal")
        self.assertRegex(output, r"PoolBeyondInt.Forward +[0-9.]+ +left out: ended by SIGTERM")
        self.assertFalse(self.processes(), "a test runs on")

    def test_no_test_matches(self):
        self.add("gpu_pool", ["PoolKernels.", "  Small"])
        done = self.run_script("--only", "Nothing")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no test matches 'Nothing'", done.stderr)


if __name__ == "__main__":
    unittest.main()
