// SPDX-License-Identifier: Apache-2.0
#include "compute/base/error.h"

#include "compute/base/failure_words.h"
#include "compute/base/printable.h"

#include <cerrno>
#include <cstring>
#include <sys/resource.h>
#include <utility>

namespace heteroscope {

namespace {

constexpr std::size_t kLongestPart = 4096; ///< bytes: no sentence repeats a whole file

std::string partText(const std::string& part) {
    return printable(shortened(part, kLongestPart));
}

/// What every call that opens something can meet has the same remedy everywhere; empty for other texts.
std::string remedyOf(const std::string& text) {
    if (text.find(std::strerror(ENFILE)) != std::string::npos)
        return failure_words::kOpenFewer;
    if (text.find(std::strerror(EMFILE)) == std::string::npos)
        return {};
    rlimit limits{};
    ::getrlimit(RLIMIT_NOFILE, &limits);
    return say(failure_words::kRaiseDescriptors, {std::to_string(limits.rlim_cur)}).text();
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
    if (const std::string remedy = remedyOf(text); !remedy.empty() && text.find(remedy) == std::string::npos)
        text += "; " + remedy;
    return text;
}

Error badInput(std::string where, std::string message, std::string allowed, std::string advice) {
    return Error{ErrorCode::BadInput, std::move(message), std::move(where), std::move(allowed),
                 std::move(advice)};
}

} // namespace heteroscope
