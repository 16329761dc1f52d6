// SPDX-License-Identifier: Apache-2.0
#include "compute/base/output_file.h"

#include "compute/base/failure_words.h"
#include "compute/base/output_place.h"
#include "compute/base/reader_wait.h"
#include "compute/base/unplaced_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>

namespace heteroscope {
namespace {

std::string folderOf(const std::string& file) {
    return std::filesystem::path(file).parent_path().string();
}

bool isNameOf(const std::string& path, const struct stat& file) {
    struct stat named {};
    return ::stat(path.c_str(), &named) == 0 && named.st_dev == file.st_dev && named.st_ino == file.st_ino;
}

} // namespace

Error OutputFile::failure(const char* what) const {
    const int number = errno;
    if (number == ECANCELED)
        return readerGivenUp(m_shown);
    return systemRefusal(ErrorCode::Io, m_shown, what, number, {},
                         number == ENOSPC || number == EDQUOT ? failure_words::kFreeSpace : "");
}

Result<std::unique_ptr<OutputFile>> OutputFile::open(const std::string& path, const OutputRules& rules,
                                                     FileSystem& files) {
    if (const Status status = checkOutput(path, rules); !status)
        return status.error();
    std::unique_ptr<OutputFile> file(new OutputFile(path, files));
    const OutputPlace place = outputPlace(path, rules.followLinks);
    file->m_target = place.path;
    file->m_rules = rules;
    const Status opened = place.direct ? file->openDirect(place) : file->openBeside(rules);
    if (!opened)
        return opened.error();
    return file;
}

Status OutputFile::openDirect(const OutputPlace& place) {
    m_part.fd = place.descriptor >= 0 ? ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                      : m_files.open(place.path, O_WRONLY | O_NONBLOCK, 0666);
    if (m_part.fd < 0)
        return openRefusal(place.path, m_shown, errno);
    m_direct = m_committed = true;
    return {};
}

Status OutputFile::openBeside(const OutputRules& rules) {
    removeAbandonedParts(folderOf(m_target), m_files, rules.inputs);
    auto part = createPart(m_target, m_shown, rules.exclusive, m_files);
    if (!part)
        return part.error();
    m_part = std::move(*part);
    // Who had the name before this one may have put its file in place since the first look.
    if (const Status status = checkOutput(m_shown, rules); !status)
        return status;
    const OutputPlace place = outputPlace(m_shown, rules.followLinks);
    m_replaces = place.exists && place.bytes > 0;
    if (place.exists && ::fchmod(m_part.fd, place.mode) != 0)
        return failure("cannot be given the permissions of the file that it replaces");
    return {};
}

OutputFile::~OutputFile() {
    if (m_part.fd < 0)
        return;
    if (!m_committed && !m_unplaced)
        static_cast<void>(m_files.unlink(m_part.path)); // still locked: nobody else can have it
    ::close(m_part.fd);
}

Status OutputFile::write(std::span<const std::uint8_t> bytes) {
    const bool written = writeFully(m_part.fd, bytes.size(), [&](std::size_t done, std::size_t count) {
        return m_files.write(m_part.fd, bytes.data() + done, count);
    });
    if (written) {
        m_written += bytes.size();
        m_checksum = crc32_z(m_checksum, bytes.data(), bytes.size());
    }
    return written ? Status() : failure("cannot be written");
}

Status OutputFile::write(std::string_view text) {
    return write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

Status OutputFile::writeAt(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    const bool written = writeFully(m_part.fd, bytes.size(), [&](std::size_t done, std::size_t count) {
        return m_files.writeAt(m_part.fd, bytes.data() + done, count, static_cast<off_t>(offset + done));
    });
    return written ? Status() : failure("cannot be written");
}

Status OutputFile::sync() {
    return m_files.sync(m_part.fd) == 0 ? Status() : failure("cannot be flushed to the disk");
}

/// Hours may have been computed: what cannot get its name is not thrown away.
Error OutputFile::withPlaceOfWhatWasWritten(Error error) {
    struct stat info {};
    if (!m_rules.keepUnplaced || ::fstat(m_part.fd, &info) != 0 || info.st_size == 0)
        return error;
    if (!m_unplaced)
        m_part.path = giveFreeName(m_part.path, m_target, m_files);
    m_unplaced = true;
    static_cast<void>(m_files.syncFolder(folderOf(m_target))); // what failed before is what is reported
    error.message += ", and what was written lies in '" + m_part.path + "'";
    return error;
}

Status OutputFile::commit() {
    if (m_committed)
        return {};
    if (const Status status = sync(); !status)
        return status;
    // Somebody may have put another file there since open().
    if (const Status status = checkOutput(m_shown, m_rules); !status)
        return withPlaceOfWhatWasWritten(status.error());
    if (m_files.rename(m_part.path, m_target) != 0)
        return withPlaceOfWhatWasWritten(failure("cannot be renamed into its place"));
    m_committed = true;
    return m_files.syncFolder(folderOf(m_target)) == 0 ? Status()
                                                       : failure("its folder cannot be flushed to the disk");
}

/// Of a file that has lost its name: where it lies now.
Error OutputFile::lostItsName() const {
    const std::string leaveAlone = "leave the file alone until the end";
    struct stat written {};
    if (::fstat(m_part.fd, &written) == 0 && written.st_nlink == 0)
        return {ErrorCode::Io,
                "was removed while it was being written: what was written is lost",
                m_shown,
                {},
                "run again, and " + leaveAlone};
    std::error_code failure;
    const std::string now =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(m_part.fd), failure).string();
    return {ErrorCode::Io,
            "was moved while it was being written: what was written lies " +
                (isNameOf(now, written) ? "in '" + now + "'" : "under the other name that it was given"),
            m_shown,
            {},
            "move it back, and " + leaveAlone};
}

Status OutputFile::verify() const {
    if (m_direct)
        return {};
    const Result<bool> whole = holdsWhatWasWritten();
    if (!whole)
        return whole.error();
    if (!*whole)
        return Error{ErrorCode::Io,
                     "was cut short or written over by somebody else while it was being written",
                     m_shown,
                     {},
                     "run again, and leave the file alone until the end"};
    struct stat written {};
    if (::fstat(m_part.fd, &written) != 0 || !isNameOf(m_target, written))
        return lostItsName();
    const auto bytes = static_cast<std::uint64_t>(written.st_size);
    return bytes > m_written ? Status(addedTo(bytes)) : Status();
}

/// `bytes`: how many there are.
Error OutputFile::addedTo(std::uint64_t bytes) const {
    const std::string own = std::to_string(m_written);
    return {ErrorCode::Io,
            "was added to by somebody else while it was being written: what was written are its first " +
                own + " bytes, and " + std::to_string(bytes - m_written) + " follow",
            m_shown,
            {},
            "cut it there (truncate -s " + own + "), or run again and leave the file alone until the end"};
}

Result<bool> OutputFile::holdsWhatWasWritten() const {
    std::vector<std::uint8_t> piece(std::size_t{1} << 20);
    uLong found = crc32(0, nullptr, 0);
    for (std::uint64_t at = 0; at < m_written;) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), m_written - at));
        const ssize_t got = ::pread(m_part.fd, piece.data(), wanted, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failure("cannot be read again");
        if (got == 0)
            return false;
        found = crc32(found, piece.data(), static_cast<uInt>(got));
        at += static_cast<std::uint64_t>(got);
    }
    return found == m_checksum;
}

Status writeOutput(const std::string& path, std::string_view text, const OutputRules& rules,
                   FileSystem& files) {
    auto file = OutputFile::open(path, rules, files);
    if (!file)
        return file.error();
    if (const Status status = (*file)->write(text); !status)
        return status;
    return (*file)->commit();
}

} // namespace heteroscope
