// SPDX-License-Identifier: Apache-2.0
// CUPTI's buffers as they came, in a file: what one machine recorded, another one's tests decode.
//
// File, little endian: "HSCUPTI1", then blocks of {u32 kind, u32 0, u64 bytes, payload}. The first is the
// header, JSON with the versions; the last the end, {u64 dropped}. A buffer's payload: {i64 clock offset in
// ns, u32 records, u32 texts, u64 bytes}, its records as {u32 offset in the buffer, u32 text}, the texts as
// {u32 length, bytes}, the bytes. Text 0 is none, 1 the first: a kernel's mangled name or a call's name,
// which the record itself only points to.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "profiling/collectors/cupti/decode/cupti_decode.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::profiling {

struct RawRecord {
    std::uint32_t offset = 0, text = 0;
};

struct RawBuffer {
    std::int64_t clockOffsetNs = 0;
    std::vector<std::uint8_t> bytes;
    std::vector<RawRecord> records;
    std::vector<std::string> texts;
};

struct RawRecording {
    Json header; ///< "cupti": CUPTI_API_VERSION of the library, "headers": that of the program
    std::vector<RawBuffer> buffers;
    std::uint64_t dropped = 0;
    bool whole = false; ///< its end was written

    /// Every buffer through a decoder; `quality` is what the decoder says, with the dropped records. Kernels
    /// get their names back first: no pointer of the recording process is followed.
    std::vector<GpuRecord> decode(GpuTraceQuality& quality);
};

/// Errors name the offset and what is wrong there. Sizes are bounded by those of the bytes.
Result<RawRecording> parseRawRecording(std::span<const std::uint8_t> bytes, const std::string& name);

class RawRecordingWriter {
  public:
    static Result<std::unique_ptr<RawRecordingWriter>> open(const std::string& path,
                                                            std::uint32_t cuptiVersion);
    /// Hands one buffer to the operating system. Errors: Io.
    Status write(std::span<std::uint8_t> buffer, const NextRecord& next, const CallNames& callNames,
                 std::int64_t clockOffsetNs);
    Status end(std::uint64_t dropped);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    RawRecordingWriter(std::FILE* file, std::string path) : m_file(file), m_path(std::move(path)) {}
    Status block(std::uint32_t kind, std::span<const std::uint8_t> payload);

    std::unique_ptr<std::FILE, Close> m_file;
    std::string m_path;
};

} // namespace heteroscope::profiling
