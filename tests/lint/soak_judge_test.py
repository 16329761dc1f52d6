#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests packaging/soak_judge.py: a window that grows, or keeps files, threads or processes, is noticed."""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))
import soak_judge  # noqa: E402

RUNS = 400
BASE_KIB = 130 * 1024
# 256 MiB in a day of 1440 runs is 182 KiB a run.
MOST_KIB = soak_judge.MOST_GROWTH_MIB * 1024 / soak_judge.RUNS_A_DAY


def series(growth_kib=0.0, runs=RUNS, **every_hundred):
    """A sample a run, with the noise of a real one; `files=2`: two more of them each hundred runs."""
    dice = random.Random(1)
    base = {"files": 30, "threads": 8, "children": 1}
    return [{"seconds": run, "runs": run, "rss_kib": BASE_KIB + growth_kib * run + dice.randrange(2000)} |
            {what: count + dice.randrange(2) + every_hundred.get(what, 0) * run // 100 for what, count in base.items()}
            for run in range(1, runs + 1)]


class Judge(unittest.TestCase):
    def judge(self, samples):
        self.said = []
        return soak_judge.judge(samples, self.said.append)

    def test_a_flat_series_passes(self):
        self.assertTrue(self.judge(series()), self.said)

    def test_growth_is_allowed_up_to_the_bound(self):
        self.assertTrue(self.judge(series(0.9 * MOST_KIB)), self.said)
        self.assertFalse(self.judge(series(1.1 * MOST_KIB)), self.said)

    def test_what_fills_caches_at_first_is_no_growth(self):
        samples = series()
        for sample in samples:
            sample["rss_kib"] += 500 * min(sample["runs"], RUNS // 4)
        self.assertTrue(self.judge(samples), self.said)

    def test_files_threads_and_processes_that_stay_are_noticed(self):
        for what in ("files", "threads", "children"):
            with self.subTest(what):
                self.assertFalse(self.judge(series(**{what: 3})), self.said)

    def test_too_few_runs_are_no_judgement(self):
        self.assertFalse(self.judge(series(runs=soak_judge.FEWEST_RUNS - 1)))
        self.assertIn("too few runs", self.said[0])


if __name__ == "__main__":
    unittest.main()
