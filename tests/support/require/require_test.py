#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of required.py, qt_test.sh and count_results.py: what is missing is skipped, failed or counted, never lost."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import required  # noqa: E402


class Words(unittest.TestCase):
    def require(self, text):
        return mock.patch.dict(os.environ, {required.VARIABLE: text})

    def test_they_are_those_of_the_tests_in_cpp(self):
        for word in ("gpu", "cudnn", "fashion-mnist", "latex", "pytorch"):
            self.assertIn(word, required.requirement_words())

    def test_what_is_wanted_fails_and_the_rest_is_skipped(self):
        with self.require("gpu,latex"):
            self.assertTrue(required.is_required("cudnn", "gpu"))
            self.assertFalse(required.is_required("cudnn"))
            with self.assertRaises(self.failureException):
                required.skip_without(self, ["gpu"], "no GPU")
            with self.assertRaises(unittest.SkipTest):
                required.skip_without(self, ["onnx"], "no ONNX")

    def test_unknown_words_are_refused(self):
        with self.require("gpus"), self.assertRaises(SystemExit) as end:
            required.is_required("gpu")
        self.assertIn("unknown word 'gpus'", str(end.exception))


class QtPrograms(unittest.TestCase):
    def run_program(self, output, code):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(f"#!/bin/sh\ncat <<'X'\n{output}\nX\nexit {code}\n", encoding="utf-8")
            program.chmod(0o755)
            return subprocess.run([HERE / "qt_test.sh", program], capture_output=True, text=True, check=False)

    def test_a_skipped_function_is_a_skip_unless_something_failed(self):
        skip = "SKIP   : Test::pdf() pdfinfo is not installed"
        self.assertEqual(self.run_program("PASS   : Test::pdf()", 0).returncode, 0)
        done = self.run_program(skip, 0)
        self.assertEqual(done.returncode, 77)
        self.assertIn(skip, done.stdout)
        self.assertEqual(self.run_program(skip, 2).returncode, 2)
        self.assertEqual(self.run_program(skip, 134).returncode, 134)


QT = """PASS   : T::a()
SKIP   : T::b(page) pdflatex is not installed
   Loc: [x.cpp(3)]
Totals: 4 passed, 0 failed, 1 skipped, 0 blacklisted, 12ms
"""
GTEST = """[ RUN      ] Gpu.Runs
/x/gpu_test.cpp:40: Skipped
no GPU: no driver
install one

[  SKIPPED ] Gpu.Runs (0 ms)
"""


class Counting(unittest.TestCase):
    def count(self, cases):
        text = "".join(f'<testcase name="t{i}" status="{status}">{extra}<system-out>{escape(output)}</system-out></testcase>'
                       for i, (status, output, extra) in enumerate(cases))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "results.xml"
            file.write_text(f'<?xml version="1.0"?><testsuite>{text}</testsuite>', encoding="utf-8")
            return subprocess.run([sys.executable, "-B", HERE / "count_results.py", file], capture_output=True, text=True,
                                  check=False)

    def test_reasons_are_counted(self):
        skipped = '<skipped message="SKIP_RETURN_CODE=77"/>'
        done = self.count([("run", "", ""), ("run", "", ""), ("fail", "", "<failure/>"), ("notrun", QT, skipped),
                           ("notrun", GTEST, skipped), ("notrun", GTEST, skipped), ("notrun", "", skipped), ("notrun", "starts\nnone here\n", skipped)])
        self.assertEqual(done.stdout, "FAILED t2\n    no output\n"
                                      "tests: 6 passed, 1 failed, 5 skipped (2 x no GPU: no driver install one; "
                                      "1 x pdflatex is not installed; 1 x SKIP_RETURN_CODE=77; 1 x none here)\n")
        self.assertEqual(done.returncode, 0)

    def test_a_device_that_cannot_be_used_is_one_reason(self):
        why = "device 'cuda:0' cannot be used: no driver"
        outputs = [f"a.cpp:1: Skipped\n{said}\n[  SKIPPED ] A.b (0 ms)\n"
                   for said in (f"target 'cuda:0/cuda': {why}", f"target 'cuda:0/cudnn?graph=off': {why}",
                                f"heteroscope-cli: error: target 'cuda:0/cuda': {why}",
                                f"target 'cuda:0/cuda': {why}\nGoogle Test trace:\nb.cpp:2: cuda:0/cuda")]
        done = self.count([("notrun", output, '<skipped message=""/>') for output in outputs])
        self.assertEqual(done.stdout, f"tests: 0 passed, 0 failed, 4 skipped (4 x {why})\n")

    def test_what_failed_says_why(self):
        gtest = ("[ RUN      ] A.b\nmuch\n" * 20 + "a.cpp:7: Failure\nExpected: x\n  Actual: y\n[  FAILED  ] A.b (1 ms)\nmore\n"
                 "a.cpp:9: Failure\nno\n\n")
        qt = "PASS   : X::a()\nFAIL!  : X::b() 'is' returned FALSE. (why)\n   Loc: [x.cpp(3)]\n"
        other = "\n".join(f"line {i}" for i in range(40)) + "\n" + "l" * 5000
        done = self.count([("fail", gtest, "<failure/>"), ("run", gtest, ""), ("fail", qt, "<failure/>"), ("fail", other, "<failure/>")])
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:6], ["FAILED t0", "    a.cpp:7: Failure", "    Expected: x", "      Actual: y",
                                     "    a.cpp:9: Failure", "    no"])
        self.assertEqual(lines[6:9], ["FAILED t2", "    FAIL!  : X::b() 'is' returned FALSE. (why)", "       Loc: [x.cpp(3)]"])
        self.assertEqual(lines[9:11], ["FAILED t3", "    line 29"])
        self.assertEqual(len(lines[-2]), 304)
        self.assertEqual(lines[-1], "tests: 1 passed, 3 failed, 0 skipped")

    def test_nothing_to_count_is_an_error(self):
        self.assertEqual(self.count([]).returncode, 1)
        self.assertEqual(subprocess.run([sys.executable, HERE / "count_results.py", "/nowhere.xml"], capture_output=True,
                                        check=False).returncode, 1)


if __name__ == "__main__":
    unittest.main()
