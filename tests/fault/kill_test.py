#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests kill_campaign.py and its parts with programs that lose what they reported: each loss is noticed."""

import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

import judge
import kill_campaign
import program
import relay
import run_stream
import window_kill
from self_test import ending, run_bytes

# A worker that says `said` samples and keeps `kept` of them in its file.
WORKER = """#!{python}
import os, pathlib, sys
sys.path.insert(0, {here!r})
from self_test import run_bytes
if "run" not in sys.argv:
    sys.exit(0 if "trace" in sys.argv else 3)
if {kept} is not None:
    pathlib.Path(sys.argv[sys.argv.index("--out") + 1]).write_bytes(run_bytes({kept}, False))
os.write(1, run_bytes({said}, False))
{then}
"""
# A window that is killed when it has read all that its worker says.
WINDOW = """#!{python}
import os, pathlib, subprocess
data = pathlib.Path(os.environ["HETEROSCOPE_DATA"])
data.mkdir()
worker = subprocess.Popen([os.environ["HETEROSCOPE_CLI"], "run", "--out", data / "a.hscope", "-"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)
worker.stdout.read({length})
os.kill(os.getpid(), 9)
"""
HERE = pathlib.Path(__file__).resolve().parent


def script(path, text, **values):
    path.write_text(text.format(python=sys.executable, here=str(HERE), **values))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()


class Relay(Folder):
    def call(self, words, given=b"", **worker):
        program = script(self.folder / "worker", WORKER, **{"kept": 3, "said": 3, "then": "", **worker})
        (self.folder / "copies").mkdir()
        return subprocess.run([window_kill.RELAY, *words], input=given, capture_output=True, cwd=self.folder, check=False,
                              env={**os.environ, "HETEROSCOPE_RELAY_PROGRAM": str(program),
                                   "HETEROSCOPE_RELAY_COPIES": str(self.folder / "copies"), "PYTHONDONTWRITEBYTECODE": "1"})

    def test_what_is_said_is_kept_and_passed_on(self):
        done = self.call(["run", "--out", "a.hscope", "-"], b"x", then="os.write(1, sys.stdin.buffer.read()); sys.exit(4)")
        self.assertEqual((done.returncode, done.stdout), (4, run_bytes(3, False) + b"x"))
        self.assertEqual(list(window_kill.reported(self.folder)), [(self.folder / "a.hscope", done.stdout)])

    def test_a_worker_that_a_signal_ends_ends_by_it_here(self):
        self.assertEqual(self.call(["run", "--out", "a.hscope"], then="os.kill(os.getpid(), 9)").returncode, -9)

    def test_calls_without_a_run_file_are_the_program_s_own(self):
        self.assertEqual(self.call(["devices"]).returncode, 3)
        self.assertEqual(list(window_kill.reported(self.folder)), [])

    def test_the_value_of_an_option(self):
        self.assertEqual(relay.argument_after(["run", "--out", "a"], "--out"), "a")
        self.assertIsNone(relay.argument_after(["run", "--out"], "--out"))


class KillWhen(Folder):
    def run_shell(self, script):
        return program.run(["sh", "-c", script], self.folder, kill_when=lambda said: b"second" in said)

    def test_samples_of_a_growing_stream_are_counted_as_those_of_a_whole_one(self):
        whole = run_bytes(5, True)
        so_far = run_stream.TimedSoFar()
        counts = [so_far(whole[:length]) for length in range(len(whole) + 1)]
        self.assertEqual(counts, [run_stream.timed(run_stream.samples(whole[:length])) for length in range(len(whole) + 1)])
        self.assertEqual(counts[-1], 5)

    def test_the_kill_comes_when_that_was_said(self):
        ending = self.run_shell("echo first; echo aside >&2; echo second; exec sleep 60")
        self.assertEqual((ending.signal, ending.hung, ending.out, ending.err), (9, False, b"first\nsecond\n", "aside\n"))

    def test_a_program_that_ends_before_is_not_killed(self):
        ending = self.run_shell("echo first; exit 3")
        self.assertEqual((ending.exit_code, ending.signal, ending.out), (3, 0, b"first\n"))


class Campaign(Folder):
    """The whole way that a killed window goes."""

    def wrong(self, said, kept):
        cli = script(self.folder / "cli", WORKER, said=said, kept=kept, then="sys.stdin.read()")
        window = script(self.folder / "window-program", WINDOW, length=len(run_bytes(said, False)))
        campaign = kill_campaign.Campaign(cli, self.folder, 1)
        campaign.length_s[kill_campaign.WINDOW] = 0
        campaign.dice.uniform = lambda *_: program.TIME_LIMIT_S  # it kills itself before
        campaign.kill_window(window)
        self.count = campaign.counts[kill_campaign.WINDOW]
        return campaign.wrong

    def test_a_window_whose_worker_keeps_everything_is_right(self):
        self.assertEqual(self.wrong(said=3, kept=3), [])
        self.assertEqual((self.count["kills"], self.count["samples reported"]), (1, 3))

    def test_a_lost_sample_is_noticed(self):
        wrong = self.wrong(said=3, kept=2)
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn("1 of 3 reported samples are not in a.hscope", wrong[0])

    def test_a_lost_file_is_noticed(self):
        wrong = self.wrong(said=3, kept=None)
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn("a.hscope is not there", wrong[0])


class Kept(Folder):
    def findings(self, content, said):
        if content is not None:
            (self.folder / "a").write_bytes(content)
        return list(judge.kept(self.folder / "a", said))

    def test_what_was_said_is_there(self):
        self.assertEqual(self.findings(None, b""), [])
        self.assertEqual(self.findings(run_bytes(3), run_bytes(2, False)), [])
        self.assertEqual(self.findings(run_bytes(2), b""), [])

    def test_what_was_said_and_is_not_there_is_noticed(self):
        self.assertEqual(len(self.findings(None, run_bytes(0))), 1)
        self.assertEqual(len(self.findings(run_bytes(2), run_bytes(3, False))), 1)

    def test_a_study_that_lost_a_sample_is_noticed(self):
        campaign = kill_campaign.Campaign("true", self.folder, 1)
        (self.folder / "out.hscope").write_bytes(run_bytes(2))
        found = list(campaign.judged("train", self.folder, ending(exit_code=-1, signal=9, out=run_bytes(3))))
        self.assertEqual(len(found), 1, found)


if __name__ == "__main__":
    unittest.main()
