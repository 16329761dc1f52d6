// SPDX-License-Identifier: Apache-2.0
#include "compute/base/error.h"

#include "compute/base/printable.h"

#include <utility>

namespace heteroscope {

namespace {

constexpr std::size_t kLongestPart = 4096; ///< bytes: no sentence repeats a whole file

std::string partText(const std::string& part) {
    return printable(shortened(part, kLongestPart));
}

} // namespace

std::string Error::sentence() const {
    std::string text;
    if (!where.empty())
        text += partText(where) + ": ";
    text += partText(message);
    if (!allowed.empty())
        text += "; allowed: " + partText(allowed);
    if (!advice.empty())
        text += "; " + partText(advice);
    return text;
}

Error badInput(std::string where, std::string message, std::string allowed, std::string advice) {
    return Error{ErrorCode::BadInput, std::move(message), std::move(where), std::move(allowed),
                 std::move(advice)};
}

} // namespace heteroscope
