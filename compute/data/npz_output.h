// SPDX-License-Identifier: Apache-2.0
// The sinks into which libzip writes an archive: it writes a header before each entry, and writes it again
// when it knows the entry's checksum. A file takes that; a pipe takes an archive that was written before, to
// nowhere, for its headers. One thread.
#pragma once

#include "compute/base/output_file.h"

#include <zip.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace heteroscope::compute {

class ArchiveSink {
  public:
    virtual ~ArchiveSink() = default;
    /// `offset` is not beyond what was written.
    virtual Status write(std::uint64_t offset, std::span<const std::uint8_t> bytes) = 0;
    virtual Status close() = 0; ///< the archive is whole
};

/// Gathers what libzip writes in pieces of a few bytes: a file is written in blocks. A failure to write may
/// show only with a later piece, at the latest in close().
class FileSink final : public ArchiveSink {
  public:
    explicit FileSink(OutputFile& file) : m_file(file) {} ///< outlives this; not one that only appends
    Status write(std::uint64_t offset, std::span<const std::uint8_t> bytes) override;
    Status close() override;

  private:
    Status writeBlock();

    OutputFile& m_file;
    std::vector<std::uint8_t> m_block; ///< not written yet
    std::uint64_t m_begin = 0;         ///< where it lies in the file
};

/// Bytes that were written a second time, by their offset.
using RewrittenBytes = std::map<std::uint64_t, std::vector<std::uint8_t>>;

/// Keeps what is written again and nothing else.
class DryRunSink final : public ArchiveSink {
  public:
    Status write(std::uint64_t offset, std::span<const std::uint8_t> bytes) override;
    Status close() override { return {}; }
    const RewrittenBytes& rewritten() const { return m_rewritten; }

  private:
    RewrittenBytes m_rewritten;
    std::uint64_t m_end = 0;
};

/// One byte after the other. The same archive was written to DryRunSink before: what it wrote again is
/// written at once.
class PipeSink final : public ArchiveSink {
  public:
    PipeSink(OutputFile& file, const RewrittenBytes& rewritten) : m_file(file), m_rewritten(rewritten) {}
    Status write(std::uint64_t offset, std::span<const std::uint8_t> bytes) override;
    Status close() override { return m_file.commit(); }

  private:
    OutputFile& m_file;                ///< outlives this
    const RewrittenBytes& m_rewritten; ///< too
    std::vector<std::uint8_t> m_piece;
    std::uint64_t m_end = 0;
};

/// Nothing but writing is supported. The sink outlives the source, and is closed when the archive is.
/// `*failure` is what went wrong with the sink, where something did. Null when there is no memory.
zip_source_t* makeOutputSource(ArchiveSink& sink, Status* failure);

} // namespace heteroscope::compute
