#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every source file: SPDX line, lengths, include rules, temporary paths, skips; and the size of every file. Prints one
line a violation."""

import argparse
import pathlib
import re
import sys

import include_rules
import source_text

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_FILE_BYTES = 4 << 20  # of a recording; what is larger is no part of the source (a core dump, an archive of a build)
LICENSED = source_text.CPP + (".cmake", ".py", ".sh")
# A path that a test builds below the folder of temporary files, up to the end of the statement.
TEMPORARY_PATH = re.compile(r"\b(?:TempDir|temp_directory_path)\(\)\)?\s*[+/][^;]*;")
# Cells put together by hand: a separator that is joined to texts, or a header line as one text.
TAB_JOINED = re.compile(r"QLatin1Char\('\\t'\)|[+(]=?\s*\"\\t\"|\"\\t\"\s*\+")
COMMA_JOINED = re.compile(r"\",\"|QLatin1Char\(','\)|[+]=?\s*','|','\s*\+|\"[a-z_0-9%]*,[a-z_0-9%,]+(?:\\n)?\"")
MAKES_TABLES = re.compile(r"[ct]sv|CellTable|clipboard", re.IGNORECASE)
TABLE_WRITERS = ("compute/base/cell_table.", "compute/base/csv_cell.", "compute/base/output_kind.")  # the last knows heads
# A skip says what is missing and counts as a failure where that is required: with the macros of these two files.
BARE_SKIP = re.compile(r"\b(?:GTEST_SKIP|QSKIP)\s*\(")
SKIP_MACROS = ("tests/support/require/skip.h", "tests/ui/skip.h")
META_OBJECT = re.compile(r"^\s*Q_(?:OBJECT|GADGET|NAMESPACE)\b", re.MULTILINE)
WINDOW_SIDE = ("ui/", "app/desktop/", "tests/ui/")


def allowed_licences(path, text):
    if path.startswith("tests/") and not path.endswith(source_text.CPP):
        return ["Apache-2.0", "GPL-3.0-or-later"]  # build files and scripts of tests: as what they build
    if path.startswith(WINDOW_SIDE):
        return ["GPL-3.0-or-later"]
    if path.startswith("tests/"):  # a benchmark or helper that uses the window's code takes its licence
        if any(include_rules.is_window_header(name) for _, name, _ in source_text.includes(text)):
            return ["GPL-3.0-or-later"]
    return ["Apache-2.0"]


def check_licence(path, text):
    lines = text.splitlines()[:2]
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    mark = "//" if path.endswith(source_text.CPP) else "#"
    expected = [f"{mark} SPDX-License-Identifier: {name}" for name in allowed_licences(path, text)]
    if not lines or lines[0].rstrip() not in expected:
        yield 1, "the first line must be " + " or ".join(f"'{line}'" for line in expected)


def check_lengths(text):
    lines = text.count("\n") + (not text.endswith("\n"))
    if lines > MAX_FILE_LINES:
        yield 1, f"{lines} lines; at most {MAX_FILE_LINES}: split the file by topic"
    for line, length in source_text.functions(text):
        if length > MAX_FUNCTION_LINES:
            yield line, f"a function of {length} lines; at most {MAX_FUNCTION_LINES}"


def moc_include(root, path):
    """What moc makes of the header beside a source of the window, or None where it makes nothing."""
    header = (root / path).with_suffix(".h")
    if path.startswith(("ui/", "app/desktop/")) and path.endswith(".cpp") and header.exists():
        return f"moc_{header.stem}.cpp" if META_OBJECT.search(header.read_text(encoding="utf-8")) else None
    return None


def check_includes(root, path, text):
    moc = moc_include(root, path)
    if moc and not any(name == moc for _, name, _ in source_text.includes(text)):
        yield text.count("\n"), f'end with #include "{moc}": else moc\'s output compiles all headers of the library once more'
    for line, name, quoted in source_text.includes(text):
        if moc and name == moc:
            continue
        if include_rules.is_project_header(name):
            if not quoted:
                yield line, f"<{name}> is ours: write it with quotes"
            if not (root / name).exists():
                yield line, f'"{name}" does not exist'
            problem = include_rules.check_project(path, name)
        elif quoted and not name.endswith(".moc") and not (root / path).parent.joinpath(name).exists():
            problem = f'"{name}": a quoted include is a path from the root of the tree'
        else:
            problem = include_rules.check_library(path, name)
        if problem:
            yield line, problem


def check_temporary_paths(path, text):
    """Tests run beside each other, in several builds at a time too: two may not use one file."""
    if not path.startswith("tests/"):
        return
    for match in TEMPORARY_PATH.finditer(text):
        if "getpid()" not in match.group() and "XXXXXX" not in match.group():
            yield text.count("\n", 0, match.start()) + 1, (
                "another test may use this temporary path at the same time: put getpid() or mkstemp's XXXXXX into it")


def check_tables(path, text):
    """A cell that nobody guards becomes a formula in a spreadsheet: CellTable writes all of them."""
    if path.startswith(("tests/", "compute/data/", *TABLE_WRITERS)):
        return
    makes_tables = MAKES_TABLES.search(text)
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("//"):
            continue
        by_hand = TAB_JOINED.search(line) or (makes_tables and COMMA_JOINED.search(line))
        if by_hand or re.search(r"\b[ct]svCell\(", line):
            yield number, "cells of a table are put together by CellTable (compute/base/cell_table.h) alone"


def check_skips(path, text):
    if not path.startswith("tests/") or path in SKIP_MACROS:
        return
    for match in BARE_SKIP.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, (
            "a skip that HETEROSCOPE_REQUIRE cannot forbid: use SKIP_WITHOUT, SKIP_AS_MEANINGLESS or QSKIP_WITHOUT of "
            + " or ".join(SKIP_MACROS))


def check_file(root, file):
    path = source_text.relative(root, file)
    if not (path.endswith(LICENSED) or file.name == "CMakeLists.txt"):
        return
    text = source_text.read(file)
    yield from ((path, *finding) for finding in check_licence(path, text))
    if path.endswith(source_text.CPP):
        if path.endswith(".h") and "#pragma once" not in text:
            yield path, 1, "no #pragma once"
        yield from ((path, *finding) for finding in check_lengths(text))
        yield from ((path, *finding) for finding in check_temporary_paths(path, text))
        yield from ((path, *finding) for finding in check_tables(path, text))
        yield from ((path, *finding) for finding in check_skips(path, text))
        yield from ((path, *finding) for finding in check_includes(root, path, text))


def check_sizes(root, files):
    """Those at the root, too."""
    for file in sorted({*files, *(file for file in root.iterdir() if file.is_file())}):
        if file.stat().st_size > MAX_FILE_BYTES:
            yield source_text.relative(root, file), 1, f"{file.stat().st_size} bytes; allowed are at most {MAX_FILE_BYTES}"


def check_tree(root):
    files = source_text.source_files(root)
    return len(files), [*check_sizes(root, files), *(finding for file in files for finding in check_file(root, file))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    root = parser.parse_args().root.resolve()
    count, findings = check_tree(root)
    for path, line, problem in findings:
        print(f"{path}:{line}: {problem}")
    print(f"{count} files looked at, {len(findings)} violations")
    if count == 0:
        print(f"no source file below {root}")
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
