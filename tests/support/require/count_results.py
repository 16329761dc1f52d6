#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what failed in a ctest run and why, and one line of all: how much passed, failed and was skipped, and each reason for
skipping with its count. It is what a log ends with: the failures themselves may lie thousands of lines before.

Usage: count_results.py FILE        a file of ctest's --output-junit; exit code 1 when it is missing, damaged or has no test
"""

import collections
import re
import sys
import xml.etree.ElementTree as ElementTree

QT_SKIP = re.compile(r"^SKIP   : \S+ (.*)$")
QT_TOTALS = re.compile(r"^Totals: (\d+) passed, (\d+) failed, (\d+) skipped, (\d+) blacklisted", re.M)
GTEST_SKIP = re.compile(r": Skipped$")
GTEST_RESULT = re.compile(r"^\[ +[A-Z]+ +\]")
FAILURE = re.compile(r": Failure$|^FAIL!  : |^QFATAL |ERROR: \w+Sanitizer|runtime error: |WARNING: ThreadSanitizer")
LINES_OF_A_FAILURE, MOST_FAILURES, LONGEST_LINE = 12, 5, 300
# A device that cannot be used is one reason, whatever was asked of it.
OF_A_DEVICE = re.compile(r"^(?:heteroscope-cli: error: )?target '[^']*': (?=device '[^']*' cannot be used: )")


def qt_reasons(lines):
    """"SKIP   : Class::function(row) why"; the function's name ends at the closing bracket."""
    reasons = []
    for line in lines:
        if line.startswith("SKIP   : "):
            reasons.append(line.split(") ", 1)[-1].strip())
    return reasons


def gtest_reasons(lines):
    """The lines between "file:line: Skipped" and the test's result."""
    reasons = []
    for index, line in enumerate(lines):
        if not GTEST_SKIP.search(line):
            continue
        text = []
        for more in lines[index + 1:]:
            if GTEST_RESULT.match(more) or more.startswith("Google Test trace:") or GTEST_SKIP.search(more):
                break
            text.append(more.strip())
        reasons.append(OF_A_DEVICE.sub("", " ".join(word for word in text if word)))
    return reasons


def reasons_of(case):
    lines = (case.findtext("system-out") or "").splitlines()
    found = qt_reasons(lines) + gtest_reasons(lines)
    if found:
        return found
    skipped = case.find("skipped")
    said = [line.strip() for line in lines if line.strip()]
    if skipped is not None and said and (skipped.get("message") or "").startswith("SKIP_RETURN_CODE"):
        return said[-1:]  # of a program that ends with the code
    return [skipped.get("message") or "no reason given"] if skipped is not None else ["no reason given"]


def count(root):
    """(passed, failed, skipped, reasons): functions of a QtTest program are counted one by one."""
    passed = failed = skipped = 0
    reasons = collections.Counter()
    for case in root.iter("testcase"):
        status = case.get("status")
        totals = QT_TOTALS.search(case.findtext("system-out") or "")
        if status == "fail":
            failed += 1
        elif status == "run":
            passed += 1
        elif totals:
            passed += int(totals.group(1))
            skipped += int(totals.group(3))
            reasons.update(reasons_of(case))
        else:
            skipped += 1
            reasons.update(reasons_of(case)[:1])
    return passed, failed, skipped, reasons


def failure_lines(output):
    """The lines that say why: of GoogleTest and QtTest what follows a failure, of others the last ones."""
    lines = [line.rstrip() for line in output.splitlines()]
    starts = [index for index, line in enumerate(lines) if FAILURE.search(line)]
    if not starts:
        return [line for line in lines if line][-LINES_OF_A_FAILURE:]
    found = []
    for start in starts[:MOST_FAILURES]:
        for line in lines[start:start + LINES_OF_A_FAILURE]:
            if line is not lines[start] and (not line or GTEST_RESULT.match(line)):
                break
            found.append(line)
    return found


def failures_of(root):
    """Text of each test that failed."""
    texts = []
    for case in root.iter("testcase"):
        if case.get("status") != "fail":
            continue
        found = failure_lines(case.findtext("system-out") or "") or ["no output"]
        name = (case.get("name") or "")[:LONGEST_LINE]
        texts.append("\n".join([f"FAILED {name}"] + ["    " + line[:LONGEST_LINE] for line in found]))
    return texts


def line_of(passed, failed, skipped, reasons):
    text = f"tests: {passed} passed, {failed} failed, {skipped} skipped"
    if reasons:
        text += " (" + "; ".join(f"{number} x {reason}" for reason, number in reasons.most_common()) + ")"
    return text


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    try:
        root = ElementTree.parse(sys.argv[1]).getroot()
        counted = count(root)
    except (OSError, ElementTree.ParseError) as error:
        print(f"{sys.argv[1]}: cannot be read as ctest's results: {error}", file=sys.stderr)
        return 1
    if sum(counted[:3]) == 0:
        print(f"{sys.argv[1]}: holds no test", file=sys.stderr)
        return 1
    for text in failures_of(root):
        print(text)
    print(line_of(*counted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
