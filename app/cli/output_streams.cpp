// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_streams.h"

#include "compute/base/output_place.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

constexpr unsigned kMemoryDevices = 1; ///< major number of /dev/null, /dev/zero, /dev/full

Destination fromInfo(const struct stat& info) {
    using Kind = Destination::Kind;
    const Kind kind = S_ISREG(info.st_mode)                   ? Kind::File
                      : !S_ISCHR(info.st_mode)                ? Kind::Pipe
                      : major(info.st_rdev) == kMemoryDevices ? Kind::Sink
                                                              : Kind::Terminal;
    return {kind, info.st_dev, info.st_ino};
}

std::string pathOf(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

/// The input that is written over by what is written to the descriptor; empty: none.
std::string inputOpenOn(int descriptor, const std::vector<std::string>& inputs) {
    const auto destination = destinationOf(descriptor);
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (!destination || destination->kind != Destination::Kind::File || flags < 0 ||
        (flags & O_ACCMODE) == O_RDONLY)
        return {};
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const std::string& input) {
        return isInput(pathOf(descriptor), {input});
    });
    return found == inputs.end() ? std::string() : *found;
}

void leadNowhere(int descriptor) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || ::dup2(nowhere, descriptor) < 0)
        ::close(descriptor); // what is written then fails, and is not in the input
    if (nowhere >= 0)
        ::close(nowhere);
}

/// An empty file in a folder of inputs: the shell has made or emptied it, so that no word can destroy it.
bool isEmptyInFolder(int descriptor, const std::string& input) {
    struct stat file {};
    struct stat folder {};
    return ::fstat(descriptor, &file) == 0 && file.st_size == 0 && ::stat(input.c_str(), &folder) == 0 &&
           S_ISDIR(folder.st_mode);
}

} // namespace

const char* Destination::name() const {
    switch (kind) {
    case Kind::File:
        return "file";
    case Kind::Pipe:
        return "pipe";
    case Kind::Terminal:
        return "terminal";
    case Kind::Sink:
        break;
    }
    return "device";
}

std::optional<Destination> destinationOf(const std::string& path) {
    struct stat info {};
    if (::stat(outputPlace(path).path.c_str(), &info) != 0)
        return std::nullopt;
    return fromInfo(info);
}

std::optional<Destination> destinationOf(int descriptor) {
    struct stat info {};
    if (::fstat(descriptor, &info) != 0)
        return std::nullopt;
    return fromInfo(info);
}

Status keepStreamsOff(const std::vector<std::string>& inputs) {
    const std::string printed = inputOpenOn(STDOUT_FILENO, inputs);
    const std::string told = inputOpenOn(STDERR_FILENO, inputs);
    if (printed.empty() && told.empty())
        return {};
    if (!printed.empty())
        leadNowhere(STDOUT_FILENO);
    if (!told.empty()) {
        const bool toOutput = printed.empty() && ::dup2(STDOUT_FILENO, STDERR_FILENO) >= 0;
        if (!toOutput && !isEmptyInFolder(STDERR_FILENO, told))
            leadNowhere(STDERR_FILENO);
    }
    const bool output = !printed.empty();
    return badInput(output ? "standard output" : "standard error",
                    "it leads to " + (output ? printed : told) +
                        ", which is read here: writing there would destroy it",
                    "a file that is not read", "redirect it elsewhere");
}

} // namespace heteroscope::cli
