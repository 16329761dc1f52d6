# SPDX-License-Identifier: Apache-2.0
"""What a test machine must have, as tests/support/require/required.h: HETEROSCOPE_REQUIRE lists words; what is missing
there fails, what is missing elsewhere is skipped with its reason."""

import os
import pathlib
import re

VARIABLE = "HETEROSCOPE_REQUIRE"
SKIPPED = 77  # the exit code that ctest and packaging/test.sh know


def requirement_words():
    """The words of required.cpp, the one list."""
    text = pathlib.Path(__file__).with_name("required.cpp").read_text(encoding="utf-8")
    body = re.search(r"requirementWords\(\) \{.*?words\{(.*?)\};", text, re.S).group(1)
    return sorted(re.findall(r'"([^"]+)"', body))


def check_words(words, where):
    unknown = [word for word in words if word not in requirement_words()]
    if unknown:
        raise SystemExit(f"{where}: unknown word '{unknown[0]}'; known words are {', '.join(requirement_words())}")


def is_required(*words):
    required = [word for word in os.environ.get(VARIABLE, "").split(",") if word]
    check_words(required, VARIABLE)
    check_words(words, "a test")
    return any(word in required for word in words)


def skip_without(test, words, reason):
    """Ends a unittest test that cannot run here."""
    if is_required(*words):
        test.fail(f"{VARIABLE} wants {','.join(words)}, and this test cannot run without it: {reason}")
    test.skipTest(reason)
