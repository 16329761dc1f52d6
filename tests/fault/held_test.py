#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A command line that is held (SIGSTOP) when the window that started it is killed: it stayed there, held, with its file open."""

import argparse
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import experiments
import program
import window_kill

PROGRAMS = argparse.Namespace()


def verb_of(pid):
    """The first argument of a command line; nothing when it has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0")[1:2]
    except OSError:
        return []


def runs_of(pid):
    """The children that run an experiment; the window also asks what is installed and what the experiment needs."""
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            if verb_of(child) == ["run"]]


def until(found):
    deadline = time.monotonic() + program.TIME_LIMIT_S
    while time.monotonic() < deadline:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError("it did not come to that in time")


class Held(unittest.TestCase):
    def held_while_the_window_is_killed(self, preset):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            (folder / "experiment.json").write_text(json.dumps(experiments.pooling(samples=100000, preset=preset)))
            environment = {"QT_QPA_PLATFORM": "offscreen", "HETEROSCOPE_DATA": str(folder / "data"),
                           "HETEROSCOPE_CLI": PROGRAMS.program}
            window = subprocess.Popen([window_kill.alone(pathlib.Path(PROGRAMS.window), folder / "window"), "experiment.json", "--run"],
                                      cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, start_new_session=True, env={**os.environ, **environment})
            self.addCleanup(program.end_session, window.pid)
            path = until(lambda: next((file for file in (folder / "data").rglob("*.hscope") if self.samples(file)), None))
            held = runs_of(window.pid)
            self.assertEqual(len(held), 1)
            ended = os.pidfd_open(held[0])
            self.addCleanup(os.close, ended)
            os.kill(held[0], signal.SIGSTOP)
            window.kill()
            window.wait()
            self.assertTrue(select.select([ended], [], [], program.TIME_LIMIT_S)[0], "it is still there")
            information = self.call("trace", "info", path)
            self.assertIn("standard input ended", information)
            self.assertTrue(self.samples(path))

    def call(self, *words):
        return subprocess.run([PROGRAMS.program, *words], capture_output=True, text=True, check=False).stdout

    def samples(self, path):
        information = self.call("trace", "info", path, "--json")
        return information and json.loads(information).get("samples", 0)

    def test_in_one_process(self):
        self.held_while_the_window_is_killed("quick")

    def test_in_several(self):
        self.held_while_the_window_is_killed("thesis")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=os.path.realpath, required=True)
    parser.add_argument("--window", type=os.path.realpath, required=True)
    PROGRAMS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
