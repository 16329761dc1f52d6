// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stdin_text.h"

#include "compute/base/printable.h"
#include "compute/experiment/spec/spec_json.h"
#include "profiling/io/utf8.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

/// A byte, or the end.
bool isReadable() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    int ready = 0;
    do
        ready = ::poll(&input, 1, 0);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

} // namespace

bool JsonLineScanner::take(char byte) {
    if (m_inString) {
        if (m_escaped)
            m_escaped = false;
        else if (byte == '\\')
            m_escaped = true;
        else if (byte == '"')
            m_inString = false;
        return false;
    }
    if (byte == '\n')
        return m_started && m_depth <= 0;
    if (byte == ' ' || byte == '\t' || byte == '\r')
        return false;
    m_started = true;
    m_inString = byte == '"';
    if (byte == '{' || byte == '[')
        ++m_depth;
    if (byte == '}' || byte == ']')
        --m_depth;
    return false;
}

void RestOfStdin::pass(std::string_view text) {
    m_byte += text.size();
    m_line += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    const std::size_t newline = text.rfind('\n');
    m_column = newline == std::string_view::npos ? m_column + text.size() : text.size() - newline;
}

Status RestOfStdin::take(std::string_view text) {
    constexpr std::size_t kMostOfRest = 60;
    const std::size_t found = text.find_first_not_of(" \t\r\n");
    pass(text.substr(0, found));
    if (found == std::string_view::npos)
        return {};
    const std::string_view line = text.substr(found, text.find_first_of("\r\n", found) - found);
    return badInput("standard input: line " + std::to_string(m_line) + ", column " +
                        std::to_string(m_column) + " (byte " + std::to_string(m_byte) + ")",
                    "text after the experiment: '" +
                        printable(profiling::validUtf8(shortened(line, kMostOfRest))) + "'",
                    "one experiment, then only blanks and line ends",
                    "take the rest away, or give it to a run of its own");
}

Result<StdinText> readStdin(bool waitForEnd) {
    std::string text;
    std::string block(1 << 16, '\0');
    JsonLineScanner scanner;
    std::size_t end = 0; ///< of the experiment; 0: not reached
    while (end == 0 || waitForEnd || isReadable()) {
        const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return systemRefusal(ErrorCode::BadInput, "standard input", "cannot be read", errno,
                                 "a readable JSON file");
        if (count == 0)
            break;
        for (ssize_t i = 0; i < count && end == 0; ++i)
            if (scanner.take(block[static_cast<std::size_t>(i)]))
                end = text.size() + static_cast<std::size_t>(i) + 1;
        text.append(block, 0, static_cast<std::size_t>(count));
        if (text.size() > compute::SpecLimits::kMaxFileBytes)
            return badInput("standard input", "larger than an experiment may be",
                            "at most " + std::to_string(compute::SpecLimits::kMaxFileBytes) + " bytes");
    }
    StdinText read;
    read.experiment = text.substr(0, end == 0 ? text.size() : end);
    read.place.pass(read.experiment);
    read.rest = read.place.take(std::string_view(text).substr(read.experiment.size()));
    return read;
}

} // namespace heteroscope::cli
