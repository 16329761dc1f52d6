// SPDX-License-Identifier: Apache-2.0
// Part of every test program: a misspelt word in HETEROSCOPE_REQUIRE is told before the first test.
#include "tests/support/require/required.h"

namespace {

[[maybe_unused]] const bool g_wordsAreKnown = [] {
    heteroscope::tests::isRequired({});
    return true;
}();

} // namespace
