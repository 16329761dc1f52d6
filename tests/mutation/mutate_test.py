#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests mutate.py's judgement: what a mutant counts as, which results count, and when the share is too small."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutate  # noqa: E402
import operators  # noqa: E402

FILE = "compute/base/units.cpp"


class FakeBuild:
    """A test program whose end is known; no end at all for None."""

    def __init__(self, exit_code, compiles=True):
        self.exit_code, self.compiles = exit_code, compiles

    def compile(self, *_):
        return self.compiles

    def link(self, _program, _mutated, output):
        # a crash is as a shell tells it; what does not end reads from a pipe that nobody writes
        end = "kill -SEGV $$" if self.exit_code == "crash" else f"exit {self.exit_code}"
        if self.exit_code is None:
            end = "mkfifo never && read line <never"
        output.write_text(f"#!/bin/sh\n{end}\n")
        output.chmod(0o755)


def mutant(number):
    return operators.Mutant(FILE, number, "relational", f"a < {number};", f"a > {number};")


class Outcome(unittest.TestCase):
    def outcome(self, exit_code, compiles=True):
        return mutate.try_mutant(FakeBuild(exit_code, compiles), {"unit_base": 2.0}, mutant(1), "int a;\n")

    def test_of_each_end(self):
        self.assertEqual(self.outcome(0), "survived")
        self.assertEqual(self.outcome(1), "killed")
        self.assertEqual(self.outcome("crash"), "killed")
        self.assertEqual(self.outcome(None), "timeout")
        self.assertEqual(self.outcome(0, compiles=False), "not compilable")


class Judgement(unittest.TestCase):
    def judge(self, outcomes, at_least=85, equivalents=()):
        """(exit code, what is printed) of mutants with these outcomes."""
        mutants = [(mutant(number), "") for number in range(len(outcomes))]
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            code = mutate.judge(mutants, {each.key: outcome for (each, _), outcome in zip(mutants, outcomes)},
                                {(FILE, mutant(each).before, mutant(each).after) for each in equivalents}, at_least)
        return code, told.getvalue()

    def test_too_many_survivors_fail_and_are_told(self):
        code, told = self.judge(["killed"] * 84 + ["survived"] * 16)
        self.assertEqual(code, 1)
        self.assertIn("survived  compute/base/units.cpp:84 (relational)\n  - a < 84;\n  + a > 84;", told)
        self.assertIn(" 84.0 %", told.splitlines()[-1])

    def test_enough_pass(self):
        self.assertEqual(self.judge(["killed"] * 85 + ["survived"] * 15)[0], 0)
        self.assertEqual(self.judge(["timeout"] * 85 + ["survived"] * 15)[0], 0)

    def test_what_is_no_mutant_does_not_count(self):
        outcomes = ["killed"] * 84 + ["survived"] * 16 + ["not compilable"] * 100
        self.assertEqual(self.judge(outcomes)[0], 1)
        self.assertEqual(self.judge(outcomes, equivalents=range(84, 100))[0], 0)
        self.assertEqual(self.judge(["not compilable"] * 3)[0], 1)


class Results(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.store = pathlib.Path(temporary.name, "mutation.jsonl")

    def test_those_of_an_earlier_run_count_unless_they_are_done_again(self):
        self.store.write_text("".join(json.dumps({"key": key, "outcome": outcome}) + "\n" for key, outcome in
                                      (("a", "survived"), ("b", "killed"), ("c", "survived"), ("c", "killed"))))
        self.assertEqual(mutate.results_that_count(self.store, None), {"a": "survived", "b": "killed", "c": "killed"})
        self.assertEqual(mutate.results_that_count(self.store, "survived"), {"b": "killed", "c": "killed"})
        self.assertEqual(mutate.results_that_count(self.store, "all"), {})

    def test_there_may_be_none(self):
        self.assertEqual(mutate.results_that_count(self.store, None), {})


if __name__ == "__main__":
    unittest.main()
