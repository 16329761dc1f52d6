#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of gates.py: its judgement, its files, and whole runs with programs made here."""

import contextlib
import io
import json
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import gates  # noqa: E402
import suites  # noqa: E402


def row(ratio, low=None, high=None):
    return {"ratio": ratio, "low": low or ratio, "high": high or ratio}


class Judgement(unittest.TestCase):
    def test_beyond_the_tolerance_is_worse_or_better(self):
        self.assertEqual(gates.judge(row(0.5), row(0.56), 0.1), "worse")
        self.assertEqual(gates.judge(row(0.5), row(0.54), 0.1), "same")
        self.assertEqual(gates.judge(row(0.5), row(0.44), 0.1), "better")
        self.assertEqual(gates.judge(row(0.5), row(0.46), 0.1), "same")

    def test_spreads_that_meet_are_the_same(self):
        self.assertEqual(gates.judge(row(0.5, 0.4, 0.7), row(0.6, 0.58, 0.62), 0.1), "same")
        self.assertEqual(gates.judge(row(0.5), row(0.6, 0.49, 0.9), 0.1), "same")
        self.assertEqual(gates.judge(row(0.5, 0.2, 0.6), row(0.3, 0.25, 0.31), 0.1), "same")

    def test_what_is_missing_on_a_side_is_told(self):
        self.assertEqual(gates.judge(None, row(1), 0.1), "new")
        self.assertEqual(gates.judge(row(1), None, 0.1), "not measured")

    def test_the_worst_come_last(self):
        stored = {"a": row(1), "b": row(1), "c": row(1), "d": row(1)}
        measured = {"a": row(2), "b": row(0.5), "c": row(1), "e": row(1)}
        self.assertEqual([(verdict, name) for verdict, name, _, _ in gates.compare(stored, measured, 0.1)],
                         [("same", "c"), ("new", "e"), ("better", "b"), ("not measured", "d"), ("worse", "a")])


class Names(unittest.TestCase):
    def test_versions_and_kernels_are_left_out(self):
        self.assertEqual(suites.short("PyTorch 2.11.0+cu130 contiguous"), "PyTorch contiguous")
        self.assertEqual(suites.short("ours (tiles 8x8)"), "ours")
        self.assertEqual(suites.short("cuDNN 9.19.0"), "cuDNN")

    def test_each_peer_of_a_group_is_a_row(self):
        rows = [{"g": "p1", "name": "ours (x)", "ms": 2}, {"g": "p1", "name": "A 1.2", "ms": 4},
                {"g": "p1", "name": "B", "ms": 1}, {"g": "p2", "name": "A 1.2", "ms": 1}]
        self.assertEqual(suites.pairs(rows, "g", lambda r: r["ms"], lambda n: n == "ours", lambda n: n != "ours"),
                         {"p1: ours / A": 0.5, "p1: ours / B": 2.0})


class Runs(unittest.TestCase):
    """The suite gpu_gemm with a program made here, without PyTorch."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = pathlib.Path(self.folder.name) / "build"
        (self.build / "bin").mkdir(parents=True)
        for patch in (mock.patch.object(gates, "HERE", pathlib.Path(self.folder.name)),
                      mock.patch.object(suites, "has_torch", lambda python, cuda: False),
                      mock.patch.dict("os.environ", {"HETEROSCOPE_REQUIRE": ""})):
            patch.start()
            self.addCleanup(patch.stop)

    def bench(self, ours_ms, exit_code=0):
        rows = json.dumps({"rows": [{"size": 512, "name": "register", "median_ms": ours_ms},
                                    {"size": 512, "name": "cublas", "median_ms": 1.0},
                                    {"size": 512, "name": "cublas tf32", "median_ms": 0.1}]})
        program = self.build / "bin/gemm_bench"
        program.write_text(f"#!/bin/sh\ncat > \"$2\" <<'X'\n{rows}\nX\nexit {exit_code}\n", encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def gates(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = gates.main(["h200", "--suites", "gpu_gemm", "--turns", "2", "--build", str(self.build), *words])
        return code, out.getvalue(), err.getvalue()

    def test_what_was_stored_is_held(self):
        self.bench(0.8)
        self.assertEqual(self.gates()[0], 77)
        self.assertEqual(self.gates("--store")[0], 0)
        stored = json.loads((pathlib.Path(self.folder.name) / "h200.json").read_text(encoding="utf-8"))
        self.assertEqual(stored["rows"], {"gpu_gemm 512: register / cublas": row(0.8)})
        code, out, _ = self.gates()
        self.assertEqual(code, 0)
        self.assertIn("0 better, 1 same, 0 worse, 0 new, 0 not measured", out)
        self.bench(1.0)
        code, out, _ = self.gates()
        self.assertEqual(code, 1)
        self.assertIn("1 worse", out)
        self.bench(0.4)
        code, out, _ = self.gates()
        self.assertEqual(code, 0)
        self.assertIn("1 better", out)

    def test_storing_one_suite_keeps_the_others(self):
        file = pathlib.Path(self.folder.name) / "h200.json"
        file.write_text(json.dumps({"rows": {"gpu_pool x: ours / cuDNN": row(0.5)}}), encoding="utf-8")
        self.bench(0.8)
        self.assertEqual(self.gates("--store")[0], 0)
        self.assertEqual(len(json.loads(file.read_text(encoding="utf-8"))["rows"]), 2)
        self.assertEqual(self.gates()[0], 0)

    def test_a_program_that_fails_is_named(self):
        self.bench(0.8)
        self.gates("--store")
        self.bench(0.8, exit_code=3)
        code, _, err = self.gates()
        self.assertEqual(code, 1)
        self.assertIn("gemm_bench", err)
        (self.build / "bin/gemm_bench").unlink()
        code, _, err = self.gates()
        self.assertEqual(code, 1)
        self.assertIn("build it", err)

    def test_pytorch_may_be_required(self):
        self.bench(0.8)
        self.gates("--store")
        with mock.patch.dict("os.environ", {"HETEROSCOPE_REQUIRE": "pytorch"}):
            self.assertEqual(self.gates()[0], 1)

    def test_damaged_files_and_wrong_words_are_refused(self):
        file = pathlib.Path(self.folder.name) / "h200.json"
        for text in ("{", "[]", '{"rows": {"a": {"ratio": -1, "low": 1, "high": 1}}}', '{"rows": {"a": 3}}'):
            file.write_text(text, encoding="utf-8")
            with self.assertRaises(SystemExit) as end:
                self.gates()
            self.assertIn("--store", str(end.exception))
        for words in (["mars"], ["h200", "--suites", "compute"], ["h200", "--turns", "0"]):
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(gates.main(words), 64)


if __name__ == "__main__":
    unittest.main()
