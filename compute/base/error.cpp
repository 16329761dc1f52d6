// SPDX-License-Identifier: Apache-2.0
#include "compute/base/error.h"

#include <utility>

namespace heteroscope {

std::string Error::sentence() const {
    std::string text;
    if (!where.empty())
        text += where + ": ";
    text += message;
    if (!allowed.empty())
        text += "; allowed: " + allowed;
    if (!advice.empty())
        text += "; " + advice;
    return text;
}

Error badInput(std::string where, std::string message, std::string allowed, std::string advice) {
    return Error{ErrorCode::BadInput, std::move(message), std::move(where), std::move(allowed),
                 std::move(advice)};
}

} // namespace heteroscope
