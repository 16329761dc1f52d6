// SPDX-License-Identifier: Apache-2.0
// Sinks that hand each frame to the operating system at once: what was reported survives the process.
#include "profiling/stream/stream_writer.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace heteroscope::profiling {

namespace {

class FdSink : public FrameSink {
  public:
    FdSink(int fd, std::string name, bool owned) : m_fd(fd), m_name(std::move(name)), m_owned(owned) {}
    ~FdSink() override {
        if (m_owned)
            ::close(m_fd);
    }
    FdSink(const FdSink&) = delete;
    FdSink& operator=(const FdSink&) = delete;

    Status write(std::span<const std::uint8_t> bytes) override {
        while (!bytes.empty()) {
            const ssize_t done = ::write(m_fd, bytes.data(), bytes.size());
            if (done > 0)
                bytes = bytes.subspan(static_cast<std::size_t>(done));
            else if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
                waitUntilWritable();
            else if (done < 0 && errno != EINTR)
                return Error{ErrorCode::Io,
                             std::string("cannot be written: ") + std::strerror(errno),
                             m_name,
                             {},
                             errno == ENOSPC ? "free some space or choose another place" : ""};
        }
        return {};
    }
    Status flush() override { return {}; } // every write went to the operating system

  private:
    void waitUntilWritable() const {
        pollfd wait{m_fd, POLLOUT, 0};
        ::poll(&wait, 1, -1);
    }

    int m_fd;
    std::string m_name;
    bool m_owned;
};

} // namespace

Result<std::unique_ptr<FrameSink>> openFileSink(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return Error{ErrorCode::Io, std::string("cannot be created: ") + std::strerror(errno), path, {}, {}};
    return std::unique_ptr<FrameSink>(std::make_unique<FdSink>(fd, path, true));
}

std::unique_ptr<FrameSink> makeFdSink(int fd, std::string name) {
    return std::make_unique<FdSink>(fd, std::move(name), false);
}

} // namespace heteroscope::profiling
