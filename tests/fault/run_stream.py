# SPDX-License-Identifier: Apache-2.0
"""The samples in a run file or a captured stream, read without the program that wrote them (profiling/stream/frame.h)."""

import struct

SAMPLE, END = 10, 14
_HEADER_BYTES, _FRAME = 16, struct.Struct("<IBBHI")


class Damaged(Exception):
    pass


def frames(data):
    """(kind, payload) of every whole frame; what is cut off at the end is left out, as the program's reader does."""
    for kind, payload, _ in _frames_from(data, _HEADER_BYTES):
        yield kind, payload


def _frames_from(data, place):
    """The frames from this place on, each with the place behind it."""
    if len(data) < _HEADER_BYTES:
        return
    if data[:8] != b"HSCOPE\r\n":
        raise Damaged(f"begins with {data[:8]!r}")
    while place + _FRAME.size <= len(data):
        length, kind, flags, reserved, _ = _FRAME.unpack_from(data, place)
        if reserved != 0 or length > 64 << 20:
            raise Damaged(f"byte {place}: not the head of a frame")
        end = place + _FRAME.size + length
        if end > len(data):
            return
        yield kind, None if flags & 1 else data[place + _FRAME.size:end], end
        place = end


def samples(data):
    """What identifies each sample, and its time."""
    return [_sample(payload) for kind, payload in frames(data) if kind == SAMPLE and payload is not None]


def _sample(payload):
    fields = cbor(payload)
    return tuple(fields.get(key) for key in ("run", "process", "sample", "warmup", "traced", "wallMs"))


def timed(found):
    """How many of these samples are neither warm-ups nor traced."""
    return sum(not warmup and not traced for _, _, _, warmup, traced, _ in found)


class TimedSoFar:
    """timed() of a stream that grows: only what came since the last call is read."""

    def __init__(self):
        self._place, self._count = _HEADER_BYTES, 0

    def __call__(self, data):
        found = []
        for kind, payload, self._place in _frames_from(data, self._place):
            if kind == SAMPLE and payload is not None:
                found.append(_sample(payload))
        self._count += timed(found)
        return self._count


def ended(data):
    return any(kind == END for kind, _ in frames(data))


def cbor(data):
    value, end = _item(data, 0)
    if end != len(data):
        raise Damaged(f"{len(data) - end} bytes after the payload")
    return value


def _item(data, place):
    major, low = data[place] >> 5, data[place] & 31
    place += 1
    if major == 7:
        return _simple(data, place, low)
    number, place = _number(data, place, low)
    if major == 0:
        return number, place
    if major == 1:
        return -1 - number, place
    if major in (2, 3):
        text = data[place:place + number]
        return (text if major == 2 else text.decode("utf-8", "replace")), place + number
    if major not in (4, 5):
        raise Damaged(f"CBOR of major type {major}")
    items = []
    for _ in range(number * (1 if major == 4 else 2)):
        value, place = _item(data, place)
        items.append(value)
    return (items if major == 4 else dict(zip(items[::2], items[1::2]))), place


def _number(data, place, low):
    if low < 24:
        return low, place
    if low > 27:
        raise Damaged("CBOR of unknown length")
    width = 1 << (low - 24)
    return int.from_bytes(data[place:place + width], "big"), place + width


def _simple(data, place, low):
    words = {20: False, 21: True, 22: None}
    if low in words:
        return words[low], place
    formats = {25: (">e", 2), 26: (">f", 4), 27: (">d", 8)}
    if low not in formats:
        raise Damaged(f"CBOR simple value {low}")
    form, width = formats[low]
    return struct.unpack_from(form, data, place)[0], place + width
