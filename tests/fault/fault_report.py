# SPDX-License-Identifier: Apache-2.0
"""Reads the report of libheteroscope_fault.so: how many calls of each kind each process made, and how many failed."""

import dataclasses
import pathlib
import struct

KINDS = ("malloc", "write", "fsync", "rename", "open", "fork", "mmap", "dlopen", "thread")
MOST_PROCESSES = 64
_HEADER = struct.Struct("<8sII")
_PROCESS = struct.Struct(f"<{1 + 2 * len(KINDS)}Q")


@dataclasses.dataclass(frozen=True)
class Process:
    pid: int
    seen: dict
    fired: dict


def read(path):
    """The processes in the order of their starts; the first is the program itself."""
    data = pathlib.Path(path).read_bytes()
    if len(data) != _HEADER.size + MOST_PROCESSES * _PROCESS.size:
        raise ValueError(f"{path}: {len(data)} bytes are no report of faults")
    magic, kinds, processes = _HEADER.unpack_from(data)
    if magic != b"HSFAULT1" or kinds != len(KINDS):
        raise ValueError(f"{path}: not a report of this version of the library")
    if processes > MOST_PROCESSES:
        raise ValueError(f"{path}: {processes} processes; at most {MOST_PROCESSES} are counted")
    return [_process(data, number) for number in range(processes)]


def _process(data, number):
    pid, *counts = _PROCESS.unpack_from(data, _HEADER.size + number * _PROCESS.size)
    return Process(pid, dict(zip(KINDS, counts)), dict(zip(KINDS, counts[len(KINDS):])))


def fired(processes):
    return sum(sum(process.fired.values()) for process in processes)


if __name__ == "__main__":
    import sys

    for process in read(sys.argv[1]):
        print(process.pid, *(f"{kind} {process.seen[kind]}" + (f" (fired {process.fired[kind]})" if process.fired[kind]
                             else "") for kind in KINDS), sep="  ")
