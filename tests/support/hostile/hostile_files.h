// SPDX-License-Identifier: Apache-2.0
// Small files that ask for much memory when they are read, one maker for each kind, and a good picture to
// damage. Each writes the file.
#pragma once

#include "profiling/stream/frame.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace heteroscope::hostile {

/// Gzip of what `write` hands over piece by piece.
void writeGzip(const std::string& path,
               const std::function<void(const std::function<void(std::string_view)>&)>& write);
/// `repeats` times the same text between a beginning and an end, compressed.
void writeRepeated(const std::string& path, const std::string& begin, const std::string& text,
                   std::size_t repeats, const std::string& end);

void writeManyTracks(const std::string& path, int tracks); ///< .json.gz: an event on each of so many threads
/// .npz: so many arrays of float32 zeros, compressed.
void writeManyArrays(const std::string& path, int arrays, std::size_t elements);
/// .npz: so many entries without content, each in the table of contents.
void writeManyEntries(const std::string& path, int entries);
void writeZerosIdx(const std::string& path, std::size_t images, std::size_t side); ///< .gz
/// .png: a grey square of so many pixels a side, and compressed data that unpacks to so many bytes.
void writeSwollenPng(const std::string& path, std::size_t unpackedBytes, std::uint32_t side = 1);
/// .hscope: a whole header and one frame whose CBOR is a list of so many empty texts, compressed.
void writeSwollenRunFile(const std::string& path, std::size_t texts);
/// A frame of a run file, compressed, whose CBOR is an object with so many bytes of zeros.
std::string swollenFrame(profiling::FrameKind kind, std::size_t bytes);
void writeManyMessages(const std::string& path, std::size_t messages); ///< .onnx: empty messages of two bytes
void writePicture(const std::string& path, std::uint32_t width, std::uint32_t height); ///< .png, grey
/// `start` and then zeros, sparse.
void writeSparse(const std::string& path, const std::string& start, std::size_t bytes);

} // namespace heteroscope::hostile
