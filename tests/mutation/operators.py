# SPDX-License-Identifier: Apache-2.0
"""Small mistakes that can be made in a C++ source: what mutate.py puts in, one at a time.

Works on the text, not on a syntax tree: the sources are formatted by clang-format, so that a blank on both
sides tells a binary operator from a template's bracket, a reference or a pointer. What is no valid program
is refused by the compiler and counts as "not compilable".
"""
import hashlib
import re
from dataclasses import dataclass

SWAPS = {
    "<": ["<=", ">="], ">": [">=", "<="], "<=": ["<", ">"], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "&&": ["||"], "||": ["&&"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"],
}
KIND = {operator: kind for kind, operators in {
    "relational": "< > <= >= == !=", "arithmetic": "+ - * / % << >> & |", "logical": "&& ||",
    "assignment": "+= -= *= /="}.items() for operator in operators.split()}
BINARY = re.compile(r"(?<=\s)(&&|\|\||[<>=!]=|<<|>>|[-+*/]=|[-<>+*/%&|])(?=\s)")
STEP = re.compile(r"\+\+|--")
NUMBER = re.compile(r"(?<![\w.'])(\d[\d']*)(\.\d*)?(?:[eE]-?\d+)?([uUlLfF]*)(?![\w.'])")
TRUTH = re.compile(r"\b(true|false)\b")
CONDITION = re.compile(r"\b(?:if|while) (?:constexpr )?\(")
RETURN = re.compile(r"^(\s*return )([^;{]+);$")
JUMP = re.compile(r"^\s*(?:break|continue);$")
STATEMENT = re.compile(r"^\s*(?:[\w:]+(?:\[[^;]*?\]|\([^;]*?\)|->|\.|::|\w)*"
                       r"(?:\s[-+*/%|&]?=\s[^;]+|\([^;]*\)|\+\+|--)|(?:\+\+|--)[^;]+);$")
EMPTY_ALREADY = ("nullptr", "std::nullopt", "false")  # what "{}" is, too
NO_STATEMENT = re.compile(r"^\s*(?:return|using|case|default|else|goto|throw|static_assert|typedef)\b")


@dataclass(frozen=True)
class Mutant:
    file: str       # from the project's root
    line: int       # counted from 1
    operator: str
    before: str     # the line
    after: str

    @property
    def key(self):
        place = f"{self.file}\n{self.line}\n{self.before}\n{self.after}"
        return hashlib.sha256(place.encode()).hexdigest()[:16]


def blanked(text):
    """The text with comments, literals and preprocessor lines as blanks, so that places stay."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    parts = (r'R"(\w*)\([\s\S]*?\)\1"', r'"(?:\\.|[^"\\\n])*"', r"(?<!\w)'(?:\\.|[^'\\\n])+'", r"//[^\n]*",
             r"/\*[\s\S]*?\*/", r"(?m:^[ \t]*#(?:[^\n]*\\\n)*[^\n]*)")
    return re.sub("|".join(parts), blank, text)


def _numbers(found):
    whole, fraction, suffix = found.groups()
    digits = found.group()[len(whole):]
    value = int(whole.replace("'", "")) if not whole.startswith("0") or whole == "0" else None
    if value is None and fraction is None:
        return
    value = value or 0
    yield f"{value + 1}{digits}"
    if value > 0:
        yield f"{value - 1}{digits}"


def _closing(text, opening):
    depth = 0
    for place in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return None


def _edits(code):
    """(operator, begin, end, new text) of every mistake on the blanked text."""
    for found in BINARY.finditer(code):
        for other in SWAPS.get(found.group(), []):
            yield KIND[found.group()], found.start(), found.end(), other
    for found in STEP.finditer(code):
        yield "arithmetic", found.start(), found.end(), "--" if found.group() == "++" else "++"
    for found in NUMBER.finditer(code):
        for other in _numbers(found):
            yield "constant", found.start(), found.end(), other
    for found in TRUTH.finditer(code):
        yield "constant", found.start(), found.end(), "false" if found.group() == "true" else "true"
    for found in CONDITION.finditer(code):
        end = _closing(code, found.end() - 1)
        condition = None if end is None else code[found.end():end]
        if condition and ";" not in condition:
            yield "condition", found.end(), end, None
    begin = 0
    for line in code.split("\n"):
        yield from _line_edits(line, begin)
        begin += len(line) + 1


def _line_edits(line, begin):
    returned = RETURN.match(line)
    if returned and returned.group(2) in EMPTY_ALREADY:
        return
    if returned:
        yield "return", begin + returned.start(2), begin + returned.end(2), "{}"
    elif JUMP.match(line) or (STATEMENT.match(line) and not NO_STATEMENT.match(line)
                              and line.count("(") == line.count(")")):
        indent = len(line) - len(line.lstrip())
        yield "removed", begin + indent, begin + len(line), ";"


def mutants_of(file, text):
    """Every mutant of a source with its whole text, in the order of the places."""
    found = []
    for operator, begin, end, new in _edits(blanked(text)):
        new = f"!({text[begin:end]})" if new is None else new
        changed = text[:begin] + new + text[end:]
        line = text.count("\n", 0, begin)
        before = text.split("\n")[line]
        after = changed.split("\n")[line]
        if operator == "condition" and "\n" in text[begin:end]:
            after = after + " ..."
        found.append((begin, Mutant(file, line + 1, operator, before.strip(), after.strip()), changed))
    found.sort(key=lambda each: (each[0], each[1].operator, each[1].after))
    return [(mutant, changed) for _, mutant, changed in found]
