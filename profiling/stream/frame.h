// SPDX-License-Identifier: Apache-2.0
// The byte layout of the stream and of run files (.hscope), which are the same bytes.
//
//   file  := magic "HSCOPE\r\n" (8 bytes), u16 major, u16 minor, u32 reserved (0), frame*
//   frame := u32 length, u8 kind, u8 flags, u16 reserved (0), u32 crc32c(payload), payload[length]
// All integers little-endian. The payload is CBOR; bulk columns are byte strings of little-endian integers.
// With flag kCompressed the payload is a zstd frame of the CBOR. Readers refuse another major version and
// skip unknown kinds. Kind 0 is never written: zeros are what a loss of power leaves of bytes that had not
// reached the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heteroscope::profiling {

constexpr char kMagic[8] = {'H', 'S', 'C', 'O', 'P', 'E', '\r', '\n'};
constexpr std::uint16_t kFormatMajor = 1;
constexpr std::uint16_t kFormatMinor = 0;
constexpr std::size_t kFileHeaderBytes = 16;
constexpr std::size_t kFrameHeaderBytes = 12;
constexpr std::uint32_t kMaxFrameBytes = 64u << 20;    ///< payload as stored; longer is refused unread
constexpr std::uint32_t kMaxPayloadBytes = 256u << 20; ///< payload after decompression
/// Payloads of a whole file after decompression: so many bytes, and so many more for each stored one.
constexpr std::uint64_t kFreePayloadBytes = std::uint64_t{512} << 20, kMaxPayloadPerByte = 256;

enum class FrameKind : std::uint8_t {
    Header = 1,      ///< program, version, study id, clock: steady-clock ns and UTC time of the same instant
    Environment = 2, ///< the environment record
    Experiment = 3,  ///< the experiment document that runs
    Device = 4,      ///< one DeviceInfo
    Strings = 5,     ///< first id, list of texts
    Tracks = 6,
    Spans = 7,    ///< columns
    Counters = 8, ///< columns
    Flows = 9,    ///< columns
    Sample = 10,
    Metric = 11,
    Log = 12,
    DataQuality = 13,
    End = 14,    ///< status and what came before it (frame_tally.h); a file without it was stopped early
    Run = 15,    ///< definition of a run
    RunEnd = 16, ///< outcome of a run
    Progress = 17,
    Training = 18, ///< steps (columns), an epoch or an evaluation of a training
    Activity = 19  ///< what a run is about to do: written before it happens, for when nothing comes after
};

constexpr std::uint8_t kCompressed = 1;

/// A frame after checks of length and checksum and after decompression.
struct Frame {
    FrameKind kind = FrameKind::Log;
    std::uint64_t fileOffset = 0;      ///< of the frame's header
    std::vector<std::uint8_t> payload; ///< CBOR
};

} // namespace heteroscope::profiling
