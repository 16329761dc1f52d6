// SPDX-License-Identifier: Apache-2.0
#include "compute/base/durable_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;

Error writeFailure(const fs::path& file, const char* what) {
    const std::string reason = std::strerror(errno);
    return {
        ErrorCode::Io, std::string(what) + ": " + reason, file.string(), {}, "check the folder and its disk"};
}

/// An open descriptor; its end is not told of errors, so that writers call close() themselves.
class OpenFile {
  public:
    OpenFile(const fs::path& file, int flags) : m_fd(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
    ~OpenFile() {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    bool isOpen() const { return m_fd >= 0; }
    bool flush() const { return ::fsync(m_fd) == 0; }
    bool close() { return ::close(std::exchange(m_fd, -1)) == 0; }
    bool write(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t count = ::write(m_fd, bytes.data(), bytes.size());
            if (count < 0 && errno != EINTR)
                return false;
            bytes.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
        }
        return true;
    }

  private:
    int m_fd;
};

/// The same; after a failure nothing unfinished stays.
Status orRemoved(Status status, const fs::path& unfinished) {
    if (!status) {
        std::error_code ignored;
        fs::remove(unfinished, ignored);
    }
    return status;
}

Status flushed(const fs::path& file, int flags) {
    OpenFile open(file, flags);
    if (!open.isOpen() || !open.flush() || !open.close())
        return writeFailure(file, "cannot be flushed to the disk");
    return {};
}

Status renamed(const fs::path& written, const fs::path& name) {
    if (::rename(written.c_str(), name.c_str()) != 0)
        return writeFailure(name, "cannot be put in its place");
    const fs::path folder = name.has_parent_path() ? name.parent_path() : fs::path(".");
    return flushed(folder, O_RDONLY | O_DIRECTORY);
}

} // namespace

Status publishFile(const fs::path& written, const fs::path& name) {
    if (const Status status = flushed(written, O_RDONLY); !status)
        return orRemoved(status, written);
    return orRemoved(renamed(written, name), written);
}

Status writeDurably(const fs::path& beside, const fs::path& name, std::string_view bytes) {
    OpenFile open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    if (!open.isOpen() || !open.write(bytes) || !open.flush() || !open.close())
        return orRemoved(writeFailure(beside, "cannot be written"), beside);
    return orRemoved(renamed(beside, name), beside);
}

} // namespace heteroscope
