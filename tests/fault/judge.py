# SPDX-License-Identifier: Apache-2.0
"""Whether a program ended as it is documented to, whatever failed in it. Each function gives the words of what is wrong."""

import json
import signal
import zipfile

import run_stream

DOCUMENTED_EXITS = {0: "done", 1: "failed", 2: "refused", 3: "no target", 4: "cancelled"}
# The OpenMP library ends a program itself, in its own words, when it gets no memory or no thread.
SENTENCES = ("heteroscope-cli: error: ", "heteroscope-cli: warning: ", "libgomp: ", "fault_window: error: ")


def outcome_word(ending):
    """The column of the table."""
    if ending.hung:
        return "hung"
    if any(words in ending.err for words in LAST_WORDS):
        return "last words"
    if ending.signal:
        return "killed" if ending.signal == signal.SIGKILL else signal.Signals(ending.signal).name
    if ending.fired == 0:
        return "not reached"
    return DOCUMENTED_EXITS.get(ending.exit_code, f"exit {ending.exit_code}")


# What the program says when a library ended it (app/cli/last_words.cpp): the documented end without memory only.
LAST_WORDS = ("was ended by SIG", "that nobody caught", "a library ended the program")


def how_it_ended(ending, may_be_killed, without_memory=False):
    if ending.hung:
        yield "it hung\n" + ending.stacks if ending.stacks else "it hung"
        return
    if ending.signal and not (ending.signal == signal.SIGKILL and may_be_killed):
        yield f"signal {signal.Signals(ending.signal).name}: {ending.err[-300:].strip()}"
    elif ending.exit_code not in DOCUMENTED_EXITS and not ending.signal:
        yield f"undocumented exit code {ending.exit_code}: {ending.err[-300:].strip()}"
    elif ending.exit_code > 0 and not any(words in ending.err for words in SENTENCES):
        yield f"exit code {ending.exit_code} without a sentence: {ending.err[-300:].strip()!r}"
    elif not without_memory and any(words in ending.err for words in LAST_WORDS):
        yield f"a crash: {ending.err[-300:].strip()}"
    if ending.strays:
        yield f"{len(ending.strays)} processes were left running"


def run_file(path, ending, wanted_samples, inspect):
    """`inspect(path)`: how the program itself reads the file. `wanted_samples`: how many timed
    ones a whole run has; how many warm-ups there are depends on the machine."""
    if not path.exists():
        if ending.exit_code == 0:
            yield "exit code 0 without a run file"
        return
    data = path.read_bytes()
    try:
        kept, reported = run_stream.samples(data), run_stream.samples(ending.out)
    except run_stream.Damaged as damage:
        yield f"run file or stream damaged: {damage}"
        return
    missing = set(reported) - set(kept)
    told = path.name in ending.err
    if missing and not told:
        yield f"{len(missing)} of {len(reported)} reported samples are not in the file"
    timed = run_stream.timed(kept)
    if ending.exit_code == 0 and timed != wanted_samples:
        yield f"exit code 0 with {timed} of {wanted_samples} timed samples"
    if ending.exit_code == 0 and not run_stream.ended(data):
        yield "exit code 0 with a run file that does not end"
    if len(data) >= 16:
        yield from opens(inspect(path), path)


def without_a_thread(path):
    """Whoever could not start a thread could still write why: what is left of a run says how it ended."""
    if path.exists() and not run_stream.ended(path.read_bytes()):
        yield f"{path.name} has no End frame"


def kept(path, said):
    """`said`: the stream of a program that was killed, or that whoever read it was. Each of its samples is in the run file."""
    if not path.exists():
        if said:
            yield f"something was reported and {path.name} is not there"
        return
    reported = set(run_stream.samples(said))
    missing = reported - set(run_stream.samples(path.read_bytes()))
    if missing:
        yield f"{len(missing)} of {len(reported)} reported samples are not in {path.name}"


def opens(reading, path):
    if reading.exit_code != 0:
        yield f"{path.name} does not open: {reading.err.strip()}"


def json_file(path, ending, needed):
    """A whole JSON document, or none. `needed`: exit code 0 promises it."""
    if not path.exists():
        if needed and ending.exit_code == 0:
            yield f"exit code 0 without {path.name}"
        return
    try:
        json.loads(path.read_bytes())
    except ValueError as error:
        yield f"{path.name} is half a file: {error}"


def csv_file(path, ending, rows):
    if not path.exists():
        if ending.exit_code == 0:
            yield f"exit code 0 without {path.name}"
        return
    lines = path.read_bytes().split(b"\n")
    if lines[-1] != b"" or not lines[0].startswith(b"run,target") or any(
            line.count(b",") < lines[0].count(b",") for line in lines[:-1]):
        yield f"{path.name} is half a file"
    elif ending.exit_code == 0 and len(lines) - 2 != rows:
        yield f"exit code 0 with {len(lines) - 2} of {rows} rows in {path.name}"


def archive_file(path, ending):
    """A whole .npz, or none; exit code 0 promises it."""
    if not path.exists():
        if ending.exit_code == 0:
            yield f"exit code 0 without {path.name}"
        return
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
    except (OSError, zipfile.BadZipFile) as error:
        broken = error
    if broken:
        yield f"{path.name} is half a file: {broken}"


UNPLACED = ("*.new", "*.new.*", "*.new-*")  # what could not get its name; see not_told()


def not_told(folder, ending):
    """What was written and could not get its name stays beside it, and whoever wrote it says where."""
    for path in sorted(folder.rglob("*")):
        if any(path.match(pattern) for pattern in UNPLACED) and f"{path.name}'" not in ending.err:
            yield f"{path.relative_to(folder)} was left, and nobody said so"


def left_over(folder, expected, ending, killed=False):
    """Files that nobody asked for. After a kill (of a worker, too), and where there was no memory for cleaning up, an
    unfinished file may lie there until the next run overwrites it."""
    without_memory = "memory of this process ran out" in ending.err or any(words in ending.err for words in LAST_WORDS)
    crashed = ending.signal in (signal.SIGABRT, signal.SIGSEGV)  # judged elsewhere: Qt may, without memory
    if killed or ending.signal == signal.SIGKILL or without_memory or crashed:
        expected = (*expected, ".*.heteroscope-part", "states/.*.heteroscope-part")
    expected = (*expected, *UNPLACED)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(path.relative_to(folder).match(pattern) for pattern in expected):
            yield f"{path.relative_to(folder)} was left"
