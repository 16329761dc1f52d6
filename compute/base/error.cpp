// SPDX-License-Identifier: Apache-2.0
#include "compute/base/error.h"

#include "compute/base/failure_words.h"
#include "compute/base/printable.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <utility>

namespace heteroscope {

namespace {

constexpr std::size_t kLongestPart = 4096; ///< bytes: no sentence repeats a whole file

std::string partText(const std::string& part) {
    return printable(shortened(part, kLongestPart));
}

/// A limit of this process (RLIMIT_...); nothing where there is none.
std::optional<rlim_t> limitOf(int resource) {
    rlimit limits{};
    if (::getrlimit(resource, &limits) != 0 || limits.rlim_cur == RLIM_INFINITY)
        return std::nullopt;
    return limits.rlim_cur;
}

/// What every call that opens or writes something can meet has the same remedy everywhere; empty for other
/// errors.
std::string remedyOf(int systemError) {
    using namespace failure_words;
    if (systemError == ENFILE)
        return kOpenFewer;
    if (systemError == EMFILE)
        return say(kRaiseDescriptors, {std::to_string(limitOf(RLIMIT_NOFILE).value_or(0))}).text();
    if (systemError != EFBIG)
        return {};
    const auto bytes = limitOf(RLIMIT_FSIZE);
    return bytes ? say(kRaiseFileSize, {std::to_string(*bytes)}).text() : kLargerFiles;
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
