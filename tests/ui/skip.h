// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a QtTest function that cannot run here. Use it instead of QSKIP().
#pragma once

#include "tests/support/require/required.h"

#include <QTest>

/// Something is missing: skipped with the reason, or failed where one of the `words` is required.
#define QSKIP_WITHOUT(words, reason)                                                                         \
    do {                                                                                                     \
        if (::heteroscope::tests::isRequired(words))                                                         \
            QFAIL(::heteroscope::tests::requiredText(words, reason).c_str());                                \
        QSKIP(reason);                                                                                       \
    } while (false)
