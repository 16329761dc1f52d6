#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands for a program in front of whoever starts it, and keeps what the program says on stdout: each byte is in a file
before it is passed on. So a test knows what a killed reader may have seen.

HETEROSCOPE_RELAY_PROGRAM  the program
HETEROSCOPE_RELAY_COPIES   a folder; stdout of a call with `--out FILE` goes to NAME.PID there, beside NAME.PID.out, which
                           holds the path FILE. Other calls are replaced by the program itself.
"""

import os
import pathlib
import signal
import subprocess
import sys

MOST_AT_ONCE = 1 << 16


def argument_after(words, option):
    return words[words.index(option) + 1] if option in words[:-1] else None


def pass_on(data):
    """False when nobody reads any more."""
    try:
        while data:
            data = data[os.write(1, data):]
    except BrokenPipeError:
        return False
    return True


def main():
    program, words = os.environ["HETEROSCOPE_RELAY_PROGRAM"], sys.argv[1:]
    out = argument_after(words, "--out")
    if out is None:
        os.execv(program, [program, *words])
    copy = pathlib.Path(os.environ["HETEROSCOPE_RELAY_COPIES"], f"{pathlib.Path(out).name}.{os.getpid()}")
    copy.with_name(copy.name + ".out").write_text(os.path.abspath(out))
    child = subprocess.Popen([program, *words], stdout=subprocess.PIPE)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    with copy.open("ab", buffering=0) as kept:
        while data := os.read(child.stdout.fileno(), MOST_AT_ONCE):
            kept.write(data)
            if not pass_on(data):
                break
    child.stdout.close()  # as a reader that is gone
    code = child.wait()
    if code < 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main())
