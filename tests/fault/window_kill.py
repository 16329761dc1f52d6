# SPDX-License-Identifier: Apache-2.0
"""The window with a run in it, killed; its worker ends with it, and what the worker had reported is kept."""

import os
import pathlib
import shutil
import subprocess
import time

import judge
import program
import run_stream

RELAY = pathlib.Path(__file__).resolve().with_name("relay.py")


def alone(window, folder):
    """The window in a folder of its own: it would take the command line beside it before $HETEROSCOPE_CLI."""
    folder.mkdir(exist_ok=True)
    copy = folder / window.name
    if not copy.exists():
        try:
            os.link(window, copy)
        except OSError:  # another file system
            shutil.copy2(window, copy)
    return copy


def environment(cli, folder):
    (folder / "copies").mkdir()
    return {"QT_QPA_PLATFORM": "offscreen", "HETEROSCOPE_DATA": str(folder / "data"), "HETEROSCOPE_CLI": str(RELAY),
            "HETEROSCOPE_RELAY_PROGRAM": str(cli), "HETEROSCOPE_RELAY_COPIES": str(folder / "copies"),
            "PYTHONDONTWRITEBYTECODE": "1"}


def run(window, cli, folder, delay):
    """`window`: of alone(). Runs the folder's experiment.json until the kill."""
    return program.run([window, "experiment.json", "--run"], folder, kill_after_s=delay, environment=environment(cli, folder))


def until_first_sample_s(window, cli, folder):
    """How long this machine takes, as busy as it is, from the start of the window to the first sample of its run."""
    begun = time.monotonic()
    child = subprocess.Popen([window, "experiment.json", "--run"], cwd=folder, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                             env={**os.environ, **environment(cli, folder)})
    while not samples_reported(folder) and child.poll() is None and time.monotonic() - begun < program.TIME_LIMIT_S:
        time.sleep(0.02)
    taken, found = time.monotonic() - begun, samples_reported(folder)
    child.kill()
    program.end_session(child.pid)
    child.wait()
    if not found:
        raise RuntimeError(f"no run of the window reported a sample within {taken:.0f} s")
    return taken


def reported(folder):
    """(run file, what its worker said) of each worker."""
    for path in sorted((folder / "copies").glob("*.out")):
        copy = path.with_suffix("")
        yield pathlib.Path(path.read_text()), copy.read_bytes() if copy.exists() else b""


def samples_reported(folder):
    return [sample for _, said in reported(folder) for sample in run_stream.samples(said)]


def findings(folder, inspect):
    """`inspect(path)`: how the command line reads a run file."""
    for path, said in reported(folder):
        yield from judge.kept(path, said)
    for path in sorted((folder / "data").rglob("*.hscope")):
        if path.stat().st_size >= 16:
            yield from judge.opens(inspect(path), path)
