// SPDX-License-Identifier: Apache-2.0
// Writing to a descriptor whose reader may take its time: a pipe, a socket, a terminal. Who waits there waits
// for ever, unless a request to stop says otherwise. Any thread.
#pragma once

#include "compute/base/error.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <string>
#include <sys/types.h>

namespace heteroscope {

/// From now on who waits for a reader gives up when that has taken nothing for 2 s and `stop` is set.
/// nullptr: never, as at first. `stop` outlives this process's writing.
void giveUpReadersOn(const std::atomic<bool>* stop);

/// False: given up, errno is ECANCELED.
bool waitForReader(int fd);

/// The most that may be written at once, so that no call waits in the kernel after waitForReader(); 0: no
/// limit, nobody has to be waited for.
std::size_t pieceForReader(int fd);

/// Of a reader that was given up: Cancelled. `where`: the output.
Error readerGivenUp(const std::string& where);

/// Calls `write(done, count)`, which writes to `fd` as write() does, until `count` bytes are written; false
/// and errno after a failure.
template <class Write>
bool writeFully(int fd, std::size_t count, Write write) {
    const std::size_t piece = pieceForReader(fd);
    for (std::size_t done = 0; done < count;) {
        if (piece > 0 && !waitForReader(fd))
            return false;
        const ssize_t wrote = write(done, piece > 0 ? std::min(piece, count - done) : count - done);
        if (wrote > 0)
            done += static_cast<std::size_t>(wrote);
        else if (wrote < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!waitForReader(fd))
                return false;
        } else if (wrote < 0 && errno != EINTR)
            return false;
    }
    return true;
}

} // namespace heteroscope
