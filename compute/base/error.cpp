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

/// What every call that opens something can meet has the same remedy everywhere; empty for other errors.
std::string remedyOf(int systemError) {
    if (systemError == ENFILE)
        return failure_words::kOpenFewer;
    if (systemError != EMFILE)
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
    if (const std::string whole = wholeAdvice(); !whole.empty())
        text += "; " + partText(whole);
    return text;
}

std::string Error::wholeAdvice() const {
    const std::string remedy = remedyOf(systemError);
    return advice + (advice.empty() || remedy.empty() ? "" : "; ") + remedy;
}

Error badInput(std::string where, std::string message, std::string allowed, std::string advice) {
    return Error{ErrorCode::BadInput, std::move(message), std::move(where), std::move(allowed),
                 std::move(advice)};
}

Error systemRefusal(ErrorCode code, std::string where, const std::string& message, int number,
                    std::string allowed, std::string advice) {
    return Error{code,
                 message + ": " + std::strerror(number),
                 std::move(where),
                 std::move(allowed),
                 std::move(advice),
                 number};
}

} // namespace heteroscope
