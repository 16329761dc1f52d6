// SPDX-License-Identifier: Apache-2.0
#include "compute/base/standard_descriptors.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace heteroscope {

void fillStandardDescriptors() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        const int opened = ::open("/dev/null", O_RDONLY); // gets the lowest free number, which is fd
        if (opened != fd)
            std::abort(); // without /dev/null there is no way to keep files apart from messages
    }
}

void ignoreSignalsOfWriting() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace heteroscope
