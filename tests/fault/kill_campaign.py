#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills studies of every kind at random moments. After each: every sample that had been reported is in the run file, the
file opens, a training goes on from its checkpoints to the state of one that was never killed, and nothing is left:
no process, no temporary, no shared memory."""

import argparse
import collections
import hashlib
import json
import pathlib
import random
import shutil
import sys
import tempfile
import time
import zipfile

import experiments
import judge
import program
import run_stream
import window_kill

NEVER_DONE = 100000  # samples, the most that are allowed; the kill comes first
LATEST_KILL_S = 0.4
EPOCHS = 60
SHORT = 300  # samples, a third in each of three processes
# Plain pooling is what tests/process/survival_test.cpp kills fifty times; here it is for the campaign only.
CASES = {
    "pooling": experiments.pooling(NEVER_DONE, 64),
    "matmul": experiments.matmul(NEVER_DONE, 64),
    "infer": experiments.inference(NEVER_DONE),
    "pooling, standard, three processes": experiments.pooling(NEVER_DONE, 64, "standard"),
    "pooling, three processes": experiments.pooling(NEVER_DONE, 64, "thesis"),
    "matmul, three processes": experiments.matmul(NEVER_DONE, 64, "thesis"),
    "infer, three processes": experiments.inference(NEVER_DONE, "thesis"),
    "pooling, three short processes": experiments.pooling(SHORT, 64, "thesis"),
    "train": experiments.training(50 * EPOCHS),
    "train, checkpoints": experiments.training(EPOCHS),
}
# These end by themselves: their kills come at any moment from the start to the end, as it was measured, or after any number
# of samples to the last one: most of the time of three processes passes in the start of the first.
WHOLE = ("pooling, three short processes", "train, checkpoints")
BY_SAMPLES = ("pooling, three short processes",)
NOT_IN_CI = {"pooling"}
MOMENTS = ("process 1", "process 2", "process 3", "joining")
WINDOW = "the window with a run"
AFTER_FIRST_SAMPLE_S = 2.0
LEFT_BY_A_RUN = ("experiment.json", "out.hscope", "states/run_[0-9].[0-9]*.npz",
                 "states/run_[0-9].checkpoint.json", "states/run_[0-9].lock")


class Campaign:
    def __init__(self, cli, folder, seed):
        self.cli, self.folder, self.dice = cli, folder, random.Random(seed)
        self.counts = collections.defaultdict(collections.Counter)
        self.wrong = []
        self.length_s, self.timed = {}, {}
        self.final = None

    def prepare(self, cases):
        """How long those of WHOLE take, and the state that a training ends in when nobody kills it."""
        for case in [case for case in WHOLE if case in cases]:
            folder = self.fresh(case)
            begun = time.monotonic()
            ending = program.run(self.command(case), folder)
            if ending.exit_code != 0:
                raise RuntimeError(f"{ending.command}: exit code {ending.exit_code}: {ending.err}")
            self.length_s[case] = time.monotonic() - begun
            self.timed[case] = run_stream.timed(run_stream.samples(ending.out))
            if case.endswith("checkpoints"):
                self.final = states(folder)
                if not self.final:
                    raise RuntimeError("a training left no checkpoint")

    def fresh(self, case):
        folder = self.folder / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "experiment.json").write_text(json.dumps(CASES[case]))
        return folder

    def command(self, case, *more):
        states_too = ("--checkpoints", "states") if case.endswith("checkpoints") else ()
        return [self.cli, "run", "experiment.json", "--stream", "--out", "out.hscope", *states_too, *more]

    def kill_once(self, case):
        folder = self.fresh(case)
        shared = shared_memory()
        if case in BY_SAMPLES:
            wanted = self.dice.randint(0, self.timed[case])
            when = f"{wanted} timed samples"
            so_far = run_stream.TimedSoFar()
            ending = program.run(self.command(case), folder, kill_when=lambda said: so_far(said) >= wanted)
        else:
            delay = self.dice.uniform(0, self.length_s.get(case, LATEST_KILL_S))
            when = f"{delay * 1000:.0f} ms"
            ending = program.run(self.command(case), folder, kill_after_s=delay)
        count = self.counts[case]
        samples = run_stream.samples(ending.out)
        count["kills"] += ending.signal != 0
        count["samples reported"] += len(samples)
        if ending.signal and samples:
            count[self.moment(case, samples)] += 1
        findings = list(self.judged(case, folder, ending))
        if shared_memory() - shared:
            findings.append(f"shared memory was left: {sorted(shared_memory() - shared)}")
        count["wrong"] += bool(findings)
        self.wrong += [f"{case}, killed after {when}: {finding}" for finding in findings]

    def moment(self, case, samples):
        if run_stream.timed(samples) == self.timed.get(case):
            return "joining"
        return f"process {1 + max(process or 0 for _, process, *_ in samples)}"

    def kill_window(self, window):
        """The window itself: its worker ends with it, what that had reported is kept, the experiment is as it was."""
        folder = self.fresh("pooling")
        before = (folder / "experiment.json").read_bytes()
        alone = window_kill.alone(window, self.folder / "window")
        if WINDOW not in self.length_s:
            self.length_s[WINDOW] = window_kill.until_first_sample_s(alone, self.cli, folder)
            folder = self.fresh("pooling")
        begins = self.length_s[WINDOW]  # half of it is the start of the program
        delay = self.dice.uniform(0.5 * begins, 1.5 * begins + AFTER_FIRST_SAMPLE_S)
        ending = window_kill.run(alone, self.cli, folder, delay)
        findings = [*judge.how_it_ended(ending, True), *window_kill.findings(folder, self.inspect)]
        if not ending.signal:
            findings.append(f"ended before the kill: {ending.err[-300:].strip()}")
        if (folder / "experiment.json").read_bytes() != before:
            findings.append("the experiment was harmed")
        count = self.counts[WINDOW]
        count["samples reported"] += len(window_kill.samples_reported(folder))
        count["kills"] += ending.signal != 0
        count["wrong"] += bool(findings)
        self.wrong += [f"{WINDOW}, killed after {delay * 1000:.0f} ms: {finding}" for finding in findings]

    def inspect(self, path):
        return program.run([self.cli, "trace", "info", path], path.parent)

    def judged(self, case, folder, ending):
        yield from judge.how_it_ended(ending, True)
        path = folder / "out.hscope"
        if not ending.signal and ending.exit_code != 0:
            yield f"ended before the kill: {ending.err[-300:].strip()}"
        yield from judge.kept(path, ending.out)
        if path.exists() and path.stat().st_size >= 16:
            yield from judge.opens(self.inspect(path), path)
        if case.endswith("checkpoints"):
            yield from self.goes_on(case, folder)
        elif left(folder):
            yield from self.cleans_up(folder)
        temporaries = [name for name in left(folder)]
        if temporaries:
            yield f"left after the kill or the next run: {', '.join(temporaries)}"

    def cleans_up(self, folder):
        """What a kill leaves goes with the next run that writes into the folder, and nothing else does."""
        experiment = json.dumps(experiments.matmul(1, 4))
        (folder / "next.json").write_text(experiment)
        again = program.run([self.cli, "run", "next.json", "--out", "next.hscope"], folder)
        if again.exit_code != 0:
            yield f"the next run: exit code {again.exit_code}: {again.err[-300:].strip()}"
        for name in ("next.json", "next.hscope"):
            (folder / name).unlink(missing_ok=True)

    def goes_on(self, case, folder):
        again = program.run(self.command(case, "--resume"), folder)
        if again.exit_code != 0:
            yield f"--resume: exit code {again.exit_code}: {again.err[-300:].strip()}"
            return
        different = sorted(name for name, digest in self.final.items() if states(folder).get(name) != digest)
        if different:
            yield f"the resumed training ended elsewhere: {', '.join(different)}"


def states(folder):
    """A digest of each tensor of each training's last state; times are no part of it."""
    digests = {}
    for manifest in sorted(folder.glob("states/run_*.checkpoint.json")):
        latest = json.loads(manifest.read_bytes())["latest"]["file"]
        with zipfile.ZipFile(manifest.parent / latest) as archive:
            for name in archive.namelist():
                digests[f"{manifest.name}/{name}"] = hashlib.sha256(archive.read(name)).hexdigest()
    return digests


def left(folder):
    return [str(path.relative_to(folder)) for path in sorted(folder.rglob("*"))
            if path.is_file() and not any(path.relative_to(folder).match(form) for form in LEFT_BY_A_RUN)]


def shared_memory():
    folder = pathlib.Path("/dev/shm")
    return {path.name for path in folder.iterdir() if "heteroscope" in path.name} if folder.is_dir() else set()


def print_table(campaign, seconds):
    print("| study | kills | samples reported before | killed in process 1, 2, 3, joining | wrong |\n|---|---|---|---|---|")
    total = collections.Counter()
    for case, count in campaign.counts.items():
        moments = ", ".join(str(count[moment]) for moment in MOMENTS) if "processes" in case else ""
        print(f"| {case} | {count['kills']} | {count['samples reported']} | {moments} | {count['wrong'] or ''} |")
        total += count
    for words in campaign.wrong:
        print(f"WRONG {words}")
    print(f"{total['kills']} kills, {total['samples reported']} samples had been reported, {total['wrong']} ended wrong, "
          f"{seconds:.0f} s")
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="heteroscope-cli")
    parser.add_argument("--window", type=pathlib.Path, help="heteroscope: kill it too, without a display")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--ci", action="store_true", help="leave out what other tests kill")
    parser.add_argument("--case", action="append", choices=[*sorted(CASES), WINDOW])
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed} (--seed {seed} repeats it)", flush=True)
    cases = options.case or [case for case in CASES if not (options.ci and case in NOT_IN_CI)]
    if options.window and not options.case:
        cases.append(WINDOW)
    if WINDOW in cases and not options.window:
        parser.error(f"'{WINDOW}' needs --window")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="heteroscope-kill-") as folder:
        campaign = Campaign(options.program.resolve(), pathlib.Path(folder), seed)
        campaign.prepare(cases)
        tries = 0
        while sum(count["kills"] for count in campaign.counts.values()) < options.kills and tries < 3 * options.kills:
            case = cases[tries % len(cases)]
            tries += 1
            if case == WINDOW:
                campaign.kill_window(options.window.resolve())
            else:
                campaign.kill_once(case)
    total = print_table(campaign, time.monotonic() - begun)
    return 0 if total["wrong"] == 0 and total["kills"] >= options.kills and total["samples reported"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
