// SPDX-License-Identifier: Apache-2.0
// What has to hold for every input: else the fuzzer stops with the sentence and keeps the input.
#pragma once

#include "compute/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace heteroscope::fuzz {

inline void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

/// A refusal says what is wrong and where.
inline void requireGoodError(const Error& error) {
    require(!error.message.empty(), "an error says what happened");
    require(!error.where.empty(), "an error says where");
}

} // namespace heteroscope::fuzz
