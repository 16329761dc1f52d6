// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "compute/base/printable.h"
#include "compute/base/reader_wait.h"
#include "compute/base/units.h"
#include "profiling/io/utf8.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

bool g_printOnStderr = false;

Status writeAll(int fd, std::string_view text, const std::string& name) {
    const bool written = writeFully(fd, text.size(), [&](std::size_t done, std::size_t count) {
        return ::write(fd, text.data() + done, count);
    });
    if (!written && errno == ECANCELED)
        return readerGivenUp(name);
    if (!written)
        return systemRefusal(ErrorCode::Io, name, "cannot write", errno);
    return {};
}

/// Lines may quote anything that a file holds. What is escaped in JSON means the same there.
std::string terminalText(std::string_view text) {
    return printable(profiling::validUtf8(text), "\n\t");
}

/// Bytes of a cell that others stand behind: each line is padded to the longest one.
constexpr std::size_t kLongestCell = 400;

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

void printOnStderr() {
    g_printOnStderr = true;
}

Status writeStdout(std::string_view text) {
    if (g_printOnStderr) { // what was asked for has gone elsewhere
        writeStderr(text);
        return {};
    }
    return writeAll(STDOUT_FILENO, terminalText(text), "standard output");
}

Status printJson(const Json& document) {
    return writeStdout(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void writeStderr(std::string_view text) {
    (void)writeAll(STDERR_FILENO, terminalText(text), "standard error").ok();
}

void clearStderrLine() {
    (void)writeAll(STDERR_FILENO, "\r\x1b[K", "standard error").ok();
}

Error givenFileError(Error error, const std::string& advice) {
    if (error.code == ErrorCode::Io)
        error.code = ErrorCode::BadInput;
    if (error.advice.empty())
        error.advice = advice;
    return error;
}

ExitCode reportError(const Error& error) {
    writeStderr("heteroscope-cli: error: " + error.sentence() + "\n");
    return exitCodeOf(error.code);
}

void reportWarning(std::string_view sentence) {
    writeStderr("heteroscope-cli: warning: " + printable(sentence) + "\n");
}

ExitCode reportStatus(const Status& status) {
    return status ? ExitCode::Done : reportError(status.error());
}

std::string textTable(std::vector<std::vector<std::string>> rows) {
    for (auto& row : rows)
        for (std::string& cell : row)
            cell = printable(&cell == &row.back() ? cell : shortened(cell, kLongestCell)); // line ends too
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], characters(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row[i] + std::string(widths[i] - characters(row[i]) + 2, ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string wholeBytesText(std::int64_t bytes) {
    return formatBytes(static_cast<double>(bytes));
}

} // namespace heteroscope::cli
