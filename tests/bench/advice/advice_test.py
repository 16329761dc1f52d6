#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The advice experiments without a GPU: what they judge, and that every experiment of a pair is one."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]

import advice  # noqa: E402
import pairs  # noqa: E402

CLI = os.environ.get("HETEROSCOPE_CLI", "")


class Judging(unittest.TestCase):
    def test_holds_within_the_factor_both_ways(self):
        self.assertTrue(advice.holds(0.30, 0.30))
        self.assertTrue(advice.holds(0.30, 0.44))
        self.assertTrue(advice.holds(0.44, 0.30))
        self.assertFalse(advice.holds(0.30, 0.46))
        self.assertFalse(advice.holds(0.46, 0.30))

    def test_a_loss_never_holds(self):
        self.assertFalse(advice.holds(0.3, -0.1))
        self.assertFalse(advice.holds(0.0, 0.2))

    def test_the_time_of_traced_samples_is_of_a_repetition(self):
        rows = [{"traced": "1", "warmup": "0", "repetitions": "3", "wall_ms": "2"},
                {"traced": "1", "warmup": "0", "repetitions": "1", "wall_ms": "6"},
                {"traced": "0", "warmup": "0", "repetitions": "9", "wall_ms": "1"}]
        self.assertAlmostEqual(advice.traced_ms(rows), 3.0)

    def test_a_pair_that_fails_is_told_and_does_not_hold(self):
        arguments = argparse.Namespace(samples=1, turns=1)
        row = advice.row_of("/bin/false", pathlib.Path(tempfile.gettempdir()), pairs.gpu_pairs()[0], arguments)
        self.assertIs(row["held"], False)
        self.assertIn("ended with 1", advice.line(row))


class Pairs(unittest.TestCase):
    def test_are_of_rules_that_the_help_lists(self):
        page = (advice.ROOT / "resources/help/gpu.md").read_text(encoding="utf-8")
        for pair in pairs.gpu_pairs():
            self.assertIn(f"| {pair['rule']} |", page)

    @unittest.skipUnless(CLI, "HETEROSCOPE_CLI names no program")
    def test_are_experiments(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "experiment.json"
            for pair in pairs.gpu_pairs():
                for side in ("before", "after"):
                    # On the processor: the device need not be here.
                    path.write_text(json.dumps({**pair[side], "targets": ["cpu/sequential"]}), encoding="utf-8")
                    done = subprocess.run([CLI, "check", str(path)], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, f"{pair['name']}, {side}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
