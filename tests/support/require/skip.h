// SPDX-License-Identifier: Apache-2.0
// The ends of a GoogleTest test that cannot run here. Use them in tests and SetUp() instead of GTEST_SKIP().
#pragma once

#include "tests/support/require/required.h"

#include <gtest/gtest.h>

/// Something is missing: skipped with the reason, or failed where one of the `words` is required.
#define SKIP_WITHOUT(words, reason)                                                                          \
    do {                                                                                                     \
        if (::heteroscope::tests::isRequired(words))                                                         \
            FAIL() << ::heteroscope::tests::requiredText(words, reason);                                     \
        GTEST_SKIP() << (reason);                                                                            \
    } while (false)

/// There is nothing to test, whatever the machine has.
#define SKIP_AS_MEANINGLESS(reason) GTEST_SKIP() << (reason)
