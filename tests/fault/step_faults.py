#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the n-th call of each kind fail, or kills the program there, for each scenario and n = 1, 2, ... until the
scenario runs through without the fault being reached, and judges how each ended. Prints a table places x outcomes."""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys
import tempfile
import threading
import time

import fault_report
import judge
import program
import scenarios
import stepping
import window_scenarios

# How many n of a kind: (all up to, and so many of the rest). malloc has tens of thousands of calls.
BUDGETS = {
    "ci": {"malloc": (2, 6), "write": (3, 3), "open": (2, 2), None: (2, 1)},
    "campaign": {"malloc": (1000, 1000), None: (100000, 0)},
}
# In CI one error of each kind, and one kill, stand for the others.
CI_ACTIONS = {"fail", "fail+", "torn", "kill"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="heteroscope-cli")
    parser.add_argument("--library", type=pathlib.Path, required=True, help="libheteroscope_fault.so")
    parser.add_argument("--window", type=pathlib.Path, help="fault_window; without it the window's scenarios are left out")
    parser.add_argument("--budget", choices=sorted(BUDGETS), default="ci")
    parser.add_argument("--malloc", help="EVERY,SAMPLED: instead of the budget's for malloc")
    parser.add_argument("--scenario", action="append", help="only this one; may be repeated")
    parser.add_argument("--place", help="only places with this text, e.g. 'write torn'")
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path, help="write everything there")
    return parser.parse_args()


class Stepper:
    """Runs one scenario in all its places. Threads share nothing but the list of results."""

    def __init__(self, options, scenario, work):
        self.options, self.scenario, self.work = options, scenario, work
        self.template = work / scenario.name
        self.number, self.lock = 0, threading.Lock()

    def environment(self, folder, place=None, number=0):
        settings = {"LD_PRELOAD": self.options.library, "HETEROSCOPE_FAULT_REPORT": folder / "report",
                    "HETEROSCOPE_FAULT_FROM": "main", "OMP_NUM_THREADS": 2, **self.scenario.environment(folder)}
        if place is not None:
            settings |= place.settings(number, folder)
        return settings

    def fresh_folder(self):
        with self.lock:
            self.number += 1
            folder = self.work / f"{self.scenario.name}-{self.number}"
        scenarios.copy_of(self.template, folder)
        return folder

    def count_calls(self):
        """A run without faults: how many calls there are of each kind, and what a whole run leaves."""
        self.template.mkdir()
        self.scenario.prepare(self.template)
        folder = self.fresh_folder()
        ending = program.run(self.scenario.command(), folder, environment=self.environment(folder))
        if ending.exit_code != 0 and not self.scenario.dies:
            raise RuntimeError(f"{ending.command}: exit code {ending.exit_code}: {ending.err}")
        self.processes = ending.processes
        self.before = {path: path.read_bytes() for path in self.template.iterdir() if path.is_file()}
        self.scenario.learn(folder, ending)

    def total(self, place):
        index = {"parent": 0}.get(place.process)
        if index is None:
            index = int(place.process.removeprefix("child:"))
        return self.processes[index].seen[place.kind] if index < len(self.processes) else 0

    def try_one(self, place, number):
        folder = self.fresh_folder()
        ending = program.run(self.scenario.command(), folder, environment=self.environment(folder, place, number))
        word = judge.outcome_word(ending)
        killed = place.action in ("kill", "torn", "kill-after")
        found = list(judge.how_it_ended(ending, killed or self.scenario.dies,
                                        place.kind in ("malloc", "mmap", "thread")))
        if self.scenario.signals_without_memory and place.kind == "malloc" and ending.signal and not ending.hung:
            found = []
        expected = (*scenarios.INPUTS, *self.scenario.outputs)
        found += judge.left_over(folder, expected, ending, killed)
        found += judge.not_told(folder, ending)
        found += self.harmed(folder)
        if place.kind == "thread" and not killed:
            found += judge.without_a_thread(folder / "out.hscope")
        try:
            found += self.scenario.findings(folder, ending)
        except RuntimeError as failure:
            found.append(f"afterwards: {failure}")
        scenarios.shutil.rmtree(folder)
        return {"scenario": self.scenario.name, "place": str(place), "n": number, "outcome": word,
                "fired": ending.fired, "findings": found, "command": ending.command}

    def harmed(self, folder):
        """Earlier files are as they were."""
        for path, content in self.before.items():
            if path.name in self.scenario.outputs:
                continue
            now = folder / path.name
            if not now.exists() or now.read_bytes() != content:
                yield f"the earlier file {path.name} was harmed"

    def numbers(self, place):
        budget = BUDGETS[self.options.budget]
        every, sampled = budget.get(place.kind, budget[None])
        if place.kind == "malloc" and self.options.malloc:
            every, sampled = (int(part) for part in self.options.malloc.split(","))
        return stepping.numbers(self.total(place), every, sampled, self.options.seed)

    def wanted(self, place):
        if self.options.budget == "ci" and place.action not in CI_ACTIONS:
            return False
        return not self.options.place or self.options.place in str(place)

    def work_list(self):
        everything = [(place, number) for place in self.scenario.places if self.wanted(place)
                      for number in self.numbers(place)]
        return everything[::self.scenario.ci_step] if self.options.budget == "ci" else everything


def print_table(results, seconds):
    rows = collections.defaultdict(collections.Counter)
    bad = collections.Counter()
    for result in results:
        key = (result["scenario"], result["place"])
        rows[key][result["outcome"]] += 1
        bad[key] += bool(result["findings"])
    columns = sorted({word for row in rows.values() for word in row})
    print("| scenario | place | faults | " + " | ".join(columns) + " | wrong |")
    print("|---|---|---|" + "---|" * (len(columns) + 1))
    for key, row in rows.items():
        cells = [str(row[word] or "") for word in columns]
        print(f"| {key[0]} | {key[1]} | {sum(row.values())} | " + " | ".join(cells) + f" | {bad[key] or ''} |")
    reached = sum(result["fired"] > 0 for result in results)
    print(f"{len(results)} faults asked for, {reached} reached, {sum(bad.values())} ended wrong, {seconds:.0f} s")
    return sum(bad.values())


def print_findings(results):
    shown = set()
    for result in results:
        for finding in result["findings"]:
            key = (result["scenario"], result["place"], finding[:60])
            if key not in shown:
                shown.add(key)
                print(f"WRONG {result['scenario']}, {result['place']} {result['n']}: {finding}\n    {result['command']}")


def never_reached(results, chosen, everything):
    """What no fault came to, so that nothing was tried there: scenarios, and of `everything` kinds of calls, too."""
    reached = [result for result in results if result["fired"] > 0]
    for name in chosen:
        if not any(result["scenario"] == name for result in reached):
            yield f"no fault was reached in {name}"
    for kind in fault_report.KINDS if everything else ():
        if not any(kind in result["place"].split(" ") for result in reached):
            yield f"no call of {kind} was reached in any scenario"


def main():
    options = arguments()
    options.program, options.library = options.program.resolve(), options.library.resolve()
    known = {kind.name: kind(options.program) for kind in scenarios.ALL}
    if options.window:
        known |= {kind.name: kind(options.program, options.window.resolve()) for kind in window_scenarios.ALL}
    chosen = options.scenario or list(known)
    unknown = [name for name in chosen if name not in known]
    if unknown:
        sys.exit(f"unknown scenario {unknown[0]}; there are {', '.join(known)}")
    print(f"seed {options.seed}, budget {options.budget}: {BUDGETS[options.budget]}")
    begun = time.monotonic()
    results = []
    with tempfile.TemporaryDirectory(prefix="heteroscope-fault-") as work, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name in chosen:
            stepper = Stepper(options, known[name], pathlib.Path(work))
            stepper.count_calls()
            results += pool.map(lambda item: stepper.try_one(*item), stepper.work_list())
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    wrong = print_table(results, time.monotonic() - begun)
    print_findings(results)
    missed = [] if options.place else list(never_reached(results, chosen, chosen == list(known) and options.window))
    for words in missed:
        print(f"WRONG {words}")
    if options.json:
        options.json.write_text(json.dumps({"seed": options.seed, "budget": options.budget, "results": results}, indent=1))
    return 1 if wrong or missed or not any(result["fired"] > 0 for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
