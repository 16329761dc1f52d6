# SPDX-License-Identifier: Apache-2.0
"""Runs a program to its end within a time, with a fault or a kill, and says how it ended and what it left running."""

import dataclasses
import os
import pathlib
import selectors
import shlex
import shutil
import signal
import subprocess
import time

import fault_report

TIME_LIMIT_S = 60


@dataclasses.dataclass
class Ending:
    exit_code: int  # -1 when a signal ended it
    signal: int
    hung: bool
    out: bytes
    err: str
    processes: list  # of the report; empty without one
    strays: list  # process ids that were still there
    command: str  # to repeat it by hand
    stacks: str = ""  # of a hung one, where gdb is installed

    @property
    def fired(self):
        return fault_report.fired(self.processes)


def session_members(session):
    """Processes of a session that still run, by /proc; a zombie that nobody waits for is not running."""
    members = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, IndexError):
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            members.append(int(entry.name))
    return members


def end_session(session):
    """What is still there shortly after the program itself ended; it is killed then."""
    deadline = time.monotonic() + 2
    left = session_members(session)
    while left and time.monotonic() < deadline:
        time.sleep(0.02)
        left = session_members(session)
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return left


def read_until(child, is_time, limit_s):
    """What a program says on both streams until `is_time(stdout)`, or the ends of both; none is given to it."""
    said = {child.stdout: bytearray(), child.stderr: bytearray()}
    deadline = time.monotonic() + limit_s
    with selectors.DefaultSelector() as ready:
        for stream in said:
            ready.register(stream, selectors.EVENT_READ)
        while ready.get_map() and not is_time(bytes(said[child.stdout])) and time.monotonic() < deadline:
            for key, _ in ready.select(timeout=0.1):
                data = os.read(key.fd, 1 << 16)
                if not data:
                    ready.unregister(key.fileobj)
                said[key.fileobj] += data
    return bytes(said[child.stdout]), bytes(said[child.stderr])


def stacks_of(pid):
    """Where the threads of a process are, for whoever asks why it hung; nothing without gdb."""
    gdb = shutil.which("gdb")
    if not gdb:
        return ""
    try:
        done = subprocess.run([gdb, "-p", str(pid), "-batch", "-ex", "thread apply all backtrace 30"], capture_output=True,
                              text=True, errors="replace", timeout=TIME_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return "\n".join(line for line in done.stdout.splitlines() if line.startswith(("#", "Thread ")))


def run(words, folder, *, given=b"", environment=None, kill_after_s=None, kill_when=None, time_limit_s=TIME_LIMIT_S):
    """Runs in `folder`. SIGKILL to the program itself, not to its children, after `kill_after_s`, or when
    `kill_when(what it said on stdout)`; then nothing is `given` to it."""
    # Else a run is started anew on a busy machine: the same calls would not come in every run.
    settings = {"OMP_WAIT_POLICY": "passive"} | {key: str(value) for key, value in (environment or {}).items()}
    report = pathlib.Path(settings["HETEROSCOPE_FAULT_REPORT"]) if "HETEROSCOPE_FAULT_REPORT" in settings else None
    if report is not None:
        report.unlink(missing_ok=True)
    child = subprocess.Popen([str(word) for word in words], cwd=folder, env={**os.environ, **settings},
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             start_new_session=True)
    hung, stacks = False, ""
    before, left = (b"", b""), []
    if kill_when is not None:
        child.stdin.close()
        child.stdin = None
        before = read_until(child, kill_when, time_limit_s)
        child.kill()
        left = end_session(child.pid)  # a stray holds the pipes open
        given, kill_after_s = None, time_limit_s
    try:
        out, err = child.communicate(given, timeout=kill_after_s if kill_after_s is not None else time_limit_s)
    except subprocess.TimeoutExpired:
        hung = kill_after_s is None
        stacks = stacks_of(child.pid) if hung else ""
        child.kill()
        strays = end_session(child.pid)  # a stray holds the pipes open
        out, err = child.communicate()
    else:
        strays = end_session(child.pid)
    out, err, strays = before[0] + out, before[1] + err, left + strays
    code = child.returncode
    return Ending(exit_code=code if code >= 0 else -1, signal=-code if code < 0 else 0, hung=hung, out=out,
                  err=err.decode("utf-8", "replace"), processes=fault_report.read(report) if report else [],
                  strays=strays, command=_shell(words, settings), stacks=stacks)


def _shell(words, settings):
    return " ".join([f"{key}={shlex.quote(value)}" for key, value in sorted(settings.items())] +
                    [shlex.quote(str(word)) for word in words])
