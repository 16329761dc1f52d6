#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the testers: that each fault happens where it was asked for, and that each wrong ending is noticed."""

import json
import pathlib
import signal
import struct
import sys
import tempfile
import unittest

import fault_report
import judge
import program
import run_stream
import step_faults
import stepping

LIBRARY, PROBE = None, None


class Library(unittest.TestCase):
    def probe(self, kind, times, fault=None, **settings):
        with tempfile.TemporaryDirectory() as folder:
            environment = {"LD_PRELOAD": LIBRARY, "HETEROSCOPE_FAULT_REPORT": folder + "/report",
                           "HETEROSCOPE_FAULT_FROM": "mark", **settings}
            if fault:
                environment["HETEROSCOPE_FAULT"] = fault
            ending = program.run([PROBE, kind, times], folder, environment=environment)
            written = pathlib.Path(folder, "probe.txt")
            self.written = written.read_bytes() if written.exists() else b""
            return ending

    def words(self, *arguments, **settings):
        return self.probe(*arguments, **settings).out.decode().split()

    def test_each_kind_fails_at_its_number(self):
        for call, kind, error in (("malloc", "malloc", "ENOMEM"), ("new", "malloc", "ENOMEM"),
                                  ("write", "write", "ENOSPC"), ("fwrite", "write", "ENOSPC"),
                                  ("fsync", "fsync", "EIO"), ("rename", "rename", "EACCES"), ("open", "open", "EMFILE"),
                                  ("fork", "fork", "EAGAIN"), ("vfork", "fork", "EAGAIN"), ("spawn", "fork", "EAGAIN"),
                                  ("mmap", "mmap", "ENOMEM"), ("dlopen", "dlopen", "ENOENT"),
                                  ("thread", "thread", "EAGAIN")):
            with self.subTest(call=call):
                # fwrite and fclose of the file before count as well
                number = 3 if call == "fwrite" else 2
                self.assertEqual(self.words(call, 3, f"{kind}:{number}:fail"), ["ok", error, "ok"])

    def test_an_error_of_ones_own_and_all_later_calls(self):
        self.assertEqual(self.words("write", 3, "write:2:EIO"), ["ok", "EIO", "ok"])
        self.assertEqual(self.words("write", 4, "write:2+:EDQUOT"), ["ok", "EDQUOT", "EDQUOT", "EDQUOT"])
        self.assertEqual(self.words("write", 4, "write:1:EIO,write:3:fail"), ["EIO", "ok", "ENOSPC", "ok"])

    def test_kills_before_after_and_within(self):
        for action, bytes_written in (("kill", 10), ("torn", 15), ("kill-after", 20)):
            with self.subTest(action=action):
                ending = self.probe("write", 5, f"write:2:{action}")
                self.assertEqual((ending.signal, ending.out.split()), (signal.SIGKILL, [b"ok"]))
                self.assertEqual(len(self.written), bytes_written)
                self.assertEqual(ending.fired, 1)

    def test_waking_a_thread_is_no_write(self):
        self.assertEqual(self.words("wake", 3, "write:1+:fail"), ["ok", "ok", "ok"])

    def test_a_short_write_reports_no_error(self):
        self.assertEqual(self.words("write", 2, "write:1:short"), ["ok", "ok"])
        self.assertEqual(len(self.written), 15)

    def test_counts_of_each_process(self):
        ending = self.probe("spawn", 2, HETEROSCOPE_FAULT_FROM="start")
        self.assertEqual(len(ending.processes), 3)
        self.assertEqual(ending.processes[0].seen["fork"], 2)
        self.assertGreater(ending.processes[0].seen["malloc"], 0)
        self.assertEqual(ending.fired, 0)

    def test_only_the_processes_asked_for(self):
        self.assertEqual(self.words("spawn", 2, "fork:1:fail", HETEROSCOPE_FAULT_PROCESS="children"), ["ok", "ok"])
        self.assertEqual(self.words("spawn", 2, "fork:1:fail", HETEROSCOPE_FAULT_PROCESS="parent"), ["EAGAIN", "ok"])

    def test_only_the_paths_asked_for(self):
        self.assertEqual(self.words("open", 2, "open:1:fail", HETEROSCOPE_FAULT_PATH="other"), ["ok", "ok"])
        self.assertEqual(self.words("open", 2, "open:1:fail", HETEROSCOPE_FAULT_PATH="probe"), ["EMFILE", "ok"])

    def test_counting_from_an_opening(self):
        settings = {"HETEROSCOPE_FAULT_FROM": "open:probe.txt"}
        self.assertEqual(self.words("write", 2, "write:1:fail", **settings), ["ENOSPC", "ok"])

    def test_what_is_not_understood_ends_the_program(self):
        for fault in ("write", "write:0:fail", "write:x:fail", "paper:1:fail", "write:1:burn", "malloc:1:torn",
                      "write:1:fail,write:2"):
            with self.subTest(fault=fault):
                ending = self.probe("write", 1, fault)
                self.assertEqual(ending.exit_code, 125)
                self.assertIn("heteroscope-fault:", ending.err)


def ending(**changes):
    fields = {"exit_code": 0, "signal": 0, "hung": False, "out": b"", "err": "", "processes": [], "strays": [],
              "command": ""}
    return program.Ending(**{**fields, **changes})


def frame(kind, payload, flags=0):
    return struct.pack("<IBBHI", len(payload), kind, flags, 0, 0) + payload


def run_bytes(samples, end=True):
    """A run file of samples as CBOR maps {"run": 0, "sample": n}."""
    text = b"HSCOPE\r\n" + bytes(8)
    for number in range(samples):
        text += frame(run_stream.SAMPLE, b"\xa2\x63run\x00\x66sample" + bytes([number]))
    return text + (frame(run_stream.END, b"\xa0") if end else b"")


class Judge(unittest.TestCase):
    def ways(self, may_be_killed=False, **changes):
        return list(judge.how_it_ended(ending(**changes), may_be_killed))

    def test_documented_endings_pass(self):
        self.assertEqual(self.ways(), [])
        self.assertEqual(self.ways(exit_code=1, err="heteroscope-cli: error: no space"), [])
        self.assertEqual(self.ways(True, exit_code=-1, signal=signal.SIGKILL), [])

    def test_other_endings_do_not(self):
        for changes in ({"exit_code": -1, "signal": signal.SIGSEGV}, {"exit_code": -1, "signal": signal.SIGABRT},
                        {"exit_code": -1, "signal": signal.SIGKILL}, {"hung": True}, {"exit_code": 3},
                        {"exit_code": 134, "err": "heteroscope-cli: error: x"}, {"strays": [7]}):
            with self.subTest(changes=changes):
                self.assertEqual(len(self.ways(**changes)), 1)

    def test_last_words_are_for_memory_only(self):
        told = {"exit_code": 1, "err": "heteroscope-cli: error: the computation was ended by SIGSEGV, an invalid access"}
        self.assertEqual(len(self.ways(**told)), 1)
        self.assertEqual(list(judge.how_it_ended(ending(**told), False, True)), [])

    def judged_file(self, content, wanted, **changes):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "out.hscope")
            if content is not None:
                path.write_bytes(content)
            return list(judge.run_file(path, ending(**changes), wanted, lambda _: ending()))

    def test_a_whole_run_file_passes(self):
        self.assertEqual(self.judged_file(run_bytes(3), 3, out=run_bytes(3)), [])
        self.assertEqual(self.judged_file(run_bytes(3, False), 9, out=run_bytes(2, False), signal=9, exit_code=-1), [])

    def test_a_lost_sample_is_noticed(self):
        self.assertEqual(len(self.judged_file(run_bytes(2), 2, out=run_bytes(3))), 1)
        self.assertEqual(len(self.judged_file(run_bytes(2, False), 9, out=run_bytes(3), signal=9, exit_code=-1)), 1)
        self.assertEqual(len(self.judged_file(run_bytes(2), 3)), 1)
        self.assertEqual(len(self.judged_file(run_bytes(3, False), 3)), 1)
        self.assertEqual(len(self.judged_file(None, 3)), 1)

    def test_a_lost_sample_that_was_told_passes(self):
        err = "heteroscope-cli: error: out.hscope: cannot be written"
        self.assertEqual(self.judged_file(run_bytes(2, False), 3, out=run_bytes(3), exit_code=1, err=err), [])

    def test_a_file_that_does_not_open_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "out.hscope")
            path.write_bytes(run_bytes(1))
            found = list(judge.run_file(path, ending(), 1, lambda _: ending(exit_code=2, err="byte 9")))
        self.assertEqual(len(found), 1)

    def test_half_a_result_file_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x")
            path.write_text(json.dumps({"a": 1})[:-1])
            self.assertEqual(len(list(judge.json_file(path, ending(exit_code=1), True))), 1)
            path.write_text("run,target\n0,a\n1")
            self.assertEqual(len(list(judge.csv_file(path, ending(exit_code=1), 2))), 1)
            path.write_text("run,target\n0,a\n")
            self.assertEqual(len(list(judge.csv_file(path, ending(), 2))), 1)

    def test_a_temporary_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, ".out.json.1-1.heteroscope-part").touch()
            self.assertEqual(len(list(judge.left_over(pathlib.Path(folder), ("out.json",), ending()))), 1)


class Stepping(unittest.TestCase):
    def test_all_up_to_the_bound_then_thinner(self):
        chosen = stepping.numbers(10000, 50, 20, 1)
        self.assertEqual(chosen[:50], list(range(1, 51)))
        self.assertTrue(15 <= len(chosen) - 50 <= 20 and chosen[-1] <= 10000)
        self.assertEqual(chosen, stepping.numbers(10000, 50, 20, 1))
        self.assertNotEqual(chosen, stepping.numbers(10000, 50, 20, 2))
        self.assertEqual(stepping.numbers(7, 50, 20, 1), [1, 2, 3, 4, 5, 6, 7])
        self.assertEqual(stepping.numbers(0, 50, 20, 1), [])


class Reached(unittest.TestCase):
    """What no fault came to is not taken for tried."""

    def result(self, scenario, place, fired=1):
        return {"scenario": scenario, "place": place, "fired": fired}

    def test_a_scenario_without_a_fault_is_told(self):
        results = [self.result("a", "parent write fail"), self.result("b", "parent write fail", 0)]
        self.assertEqual(list(step_faults.never_reached(results, ["a", "b", "c"], False)),
                         ["no fault was reached in b", "no fault was reached in c"])

    def test_a_kind_of_call_without_a_fault_is_told(self):
        results = [self.result("a", f"child:1 {kind} fail") for kind in fault_report.KINDS]
        self.assertEqual(list(step_faults.never_reached(results, ["a"], True)), [])
        self.assertEqual(list(step_faults.never_reached(results[:-2], ["a"], True)),
                         ["no call of dlopen was reached in any scenario", "no call of thread was reached in any scenario"])


class Programs(unittest.TestCase):
    def test_a_hang_and_a_stray_are_noticed(self):
        hung = program.run(["sh", "-c", "sleep 600"], "/", time_limit_s=0.2)
        self.assertTrue(hung.hung)
        stray = program.run(["sh", "-c", "sleep 600 >/dev/null 2>&1 & true"], "/")
        self.assertEqual(len(stray.strays), 1)

    def test_a_report_of_another_kind_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "report")
            path.write_bytes(b"nothing")
            self.assertRaises(ValueError, fault_report.read, path)


if __name__ == "__main__":
    LIBRARY, PROBE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
