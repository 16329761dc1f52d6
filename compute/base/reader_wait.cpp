// SPDX-License-Identifier: Apache-2.0
#include "compute/base/reader_wait.h"

#include "compute/base/clock.h"

#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

namespace heteroscope {
namespace {

constexpr std::int64_t kGiveUpNs = 2'000'000'000; ///< said in readerGivenUp()
constexpr int kLookMs = 50;                       ///< between two looks at the request
constexpr std::size_t kPipePage = 4096; ///< what a pipe has room for when it can be written to at all

std::atomic<const std::atomic<bool>*> g_stop{nullptr};

bool isRequested() {
    const std::atomic<bool>* const stop = g_stop.load();
    return stop != nullptr && stop->load();
}

} // namespace

void giveUpReadersOn(const std::atomic<bool>* stop) {
    g_stop.store(stop);
}

bool waitForReader(int fd) {
    std::int64_t giveUpAtNs = 0; // 0: nobody has asked to stop
    while (true) {
        pollfd room{fd, POLLOUT, 0};
        const int ready = ::poll(&room, 1, kLookMs);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true; // the next write says what there is to say
        if (!isRequested())
            continue;
        const std::int64_t now = steadyNowNs();
        if (giveUpAtNs == 0)
            giveUpAtNs = now + kGiveUpNs;
        if (now >= giveUpAtNs) {
            errno = ECANCELED;
            return false;
        }
    }
}

std::size_t pieceForReader(int fd) {
    struct stat info {};
    if (g_stop.load() == nullptr || ::fstat(fd, &info) != 0 || S_ISREG(info.st_mode))
        return 0;
    return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0 ? 0 : kPipePage; // a non-blocking one says EAGAIN
}

Error readerGivenUp(const std::string& where) {
    return {ErrorCode::Cancelled,
            "not everything could be written: its reader took nothing for 2 s after the request to stop",
            where,
            {},
            "let the reader go on before the study is stopped, or write to a file"};
}

} // namespace heteroscope
