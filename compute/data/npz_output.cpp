// SPDX-License-Identifier: Apache-2.0
#include "compute/data/npz_output.h"

#include <algorithm>
#include <cerrno>
#include <memory>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kBlockBytes = 16384;

struct OutputSource {
    ArchiveSink& sink;
    Status* failure;
    zip_error_t error{};
    zip_uint64_t offset = 0, end = 0;

    zip_int64_t fail(const Status& status) {
        *failure = status;
        zip_error_set(&error, ZIP_ER_WRITE, EIO);
        return -1;
    }
    zip_int64_t write(const void* data, zip_uint64_t length) {
        const Status written = sink.write(offset, {static_cast<const std::uint8_t*>(data), length});
        if (!written)
            return fail(written);
        offset += length;
        end = std::max(end, offset);
        return static_cast<zip_int64_t>(length);
    }
    zip_int64_t seek(void* data, zip_uint64_t length) {
        const zip_int64_t to = zip_source_seek_compute_offset(offset, end, data, length, &error);
        if (to < 0)
            return -1;
        offset = static_cast<zip_uint64_t>(to);
        return 0;
    }
    /// What an archive that is not there yet has to say of itself.
    zip_int64_t stat(void* data) {
        zip_error_set(&error, ZIP_ER_READ, ENOENT);
        zip_stat_init(static_cast<zip_stat_t*>(data));
        return -1;
    }
};

zip_int64_t onCommand(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& source = *static_cast<OutputSource*>(state);
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(
            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_OPEN, ZIP_SOURCE_READ,
            ZIP_SOURCE_CLOSE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_BEGIN_WRITE,
            ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE,
            ZIP_SOURCE_WRITE, ZIP_SOURCE_REMOVE, -1);
    case ZIP_SOURCE_STAT:
        return source.stat(data);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&source.error, data, length);
    case ZIP_SOURCE_FREE:
        delete &source;
        return 0;
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE: // the file that is not committed goes with its object
        source.offset = source.end = 0;
        return 0;
    case ZIP_SOURCE_WRITE:
        return source.write(data, length);
    case ZIP_SOURCE_SEEK_WRITE:
        return source.seek(data, length);
    case ZIP_SOURCE_TELL_WRITE:
        return static_cast<zip_int64_t>(source.offset);
    case ZIP_SOURCE_COMMIT_WRITE: {
        const Status closed = source.sink.close();
        return closed ? 0 : source.fail(closed);
    }
    default: // reading an archive that is only written
        zip_error_set(&source.error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

} // namespace

Status FileSink::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    const bool joins = offset >= m_begin && offset <= m_begin + m_block.size() &&
                       offset - m_begin + bytes.size() <= kBlockBytes;
    if (!joins) {
        if (const Status written = writeBlock(); !written)
            return written;
        if (bytes.size() > kBlockBytes)
            return m_file.writeAt(offset, bytes);
        m_begin = offset;
    }
    const auto at = static_cast<std::size_t>(offset - m_begin);
    m_block.resize(std::max(m_block.size(), at + bytes.size()));
    std::ranges::copy(bytes, m_block.begin() + static_cast<std::ptrdiff_t>(at));
    return {};
}

Status FileSink::writeBlock() {
    if (m_block.empty())
        return {};
    const Status written = m_file.writeAt(m_begin, m_block);
    m_block.clear();
    return written;
}

Status FileSink::close() {
    const Status written = writeBlock();
    return written ? m_file.commit() : written;
}

Status DryRunSink::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    if (offset < m_end)
        m_rewritten[offset].assign(bytes.begin(), bytes.end());
    m_end = std::max(m_end, offset + bytes.size());
    return {};
}

Status PipeSink::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    if (offset < m_end)
        return {}; // it was written so at once
    m_piece.assign(bytes.begin(), bytes.end());
    m_end = offset + bytes.size();
    auto later = m_rewritten.lower_bound(offset);
    if (later != m_rewritten.begin())
        --later;
    for (; later != m_rewritten.end() && later->first < m_end; ++later) {
        const std::uint64_t from = std::max(offset, later->first);
        const std::uint64_t to = std::min<std::uint64_t>(m_end, later->first + later->second.size());
        for (std::uint64_t at = from; at < to; ++at)
            m_piece[at - offset] = later->second[at - later->first];
    }
    return m_file.write(m_piece);
}

zip_source_t* makeOutputSource(ArchiveSink& sink, Status* failure) {
    auto state = std::make_unique<OutputSource>(OutputSource{sink, failure});
    zip_source_t* const source = zip_source_function_create(&onCommand, state.get(), nullptr);
    if (source != nullptr)
        static_cast<void>(state.release()); // ZIP_SOURCE_FREE deletes it
    return source;
}

} // namespace heteroscope::compute
