# SPDX-License-Identifier: Apache-2.0
"""Reads C++ sources as far as the lint needs: includes, text without comments and literals, function lengths."""

import pathlib
import re

FOLDERS = ("app", "ui", "compute", "profiling", "resources", "tests", "packaging")
CPP = (".cpp", ".h", ".cu", ".cuh")

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.M)
_SKIP = re.compile(
    r'R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'  # raw string
    r'|"(?:\\.|[^"\\\n])*"'  # string
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'"  # character, but not a digit separator
    r"|//[^\n]*|/\*.*?\*/"  # comments
    r"|^[ \t]*#(?:\\\n|[^\n])*",  # preprocessor lines
    re.S | re.M)
_RETURNED_TABLE = re.compile(r"^    return \{$", re.M)
_NOT_A_FUNCTION = re.compile(r"^\s*(?:inline\s+)?(?:namespace|class|struct|enum|union|extern)\b|=\s*$|^\s*$")


def source_files(root):
    """Every file of the project's folders and the CMakeLists.txt at the root, sorted."""
    found = [p for p in (root / "CMakeLists.txt",) if p.exists()]
    for folder in FOLDERS:
        found += [p for p in (root / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    return sorted(found)


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def includes(text):
    """(line, name, quoted) of each include directive."""
    for match in _INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(1) if match.group(1) else match.start(2)) + 1
        yield line, match.group(1) or match.group(2), match.group(1) is not None


def code_only(text):
    """The text with comments, literals and directives blanked, line numbers kept."""
    return _SKIP.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def functions(text):
    """(first line, lines) of each outermost function body; lambdas and blocks inside count with it, the rows of a
    table that it returns do not."""
    code = code_only(text)
    depth, outer, begin, start, head = 0, None, 0, 0, 0
    for position, char in enumerate(code):
        if char == "{":
            if outer is None and _is_function(code[head:position]):
                outer, begin, start = depth, code.count("\n", 0, position) + 1, position
            depth += 1
        elif char == "}":
            depth -= 1
            if outer is not None and depth == outer:
                table = _RETURNED_TABLE.search(code, start, position)
                end = table.start() if table else position
                yield begin, code.count("\n", 0, end) + 2 - begin
                outer = None
        if char in "{};":
            head = position + 1


def _is_function(head):
    head = re.sub(r"^\s*(?:(?:public|private|protected|signals|public slots)\s*:\s*)+", "", head)
    head = re.sub(r"^\s*template\s*<[^{}]*?>\s*(?=[\w:])", "", head)
    return ")" in head and not _NOT_A_FUNCTION.search(head)


def relative(root, path):
    return pathlib.PurePosixPath(path.relative_to(root)).as_posix()
