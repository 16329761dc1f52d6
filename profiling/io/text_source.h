// SPDX-License-Identifier: Apache-2.0
// Text from a file (plain or gzip) or from memory, through a window that slides: memory is bounded by the
// longest piece that is asked for, not by the file. One thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::profiling {

constexpr std::size_t kMaxJsonPiece = 64u << 20; ///< longest single value that is taken
constexpr std::size_t kJsonPadding = 64;         ///< readable bytes after the window

class TextSource {
  public:
    /// The window is charged to `budget`, which outlives the source. Only regular files are opened.
    static Result<std::unique_ptr<TextSource>> open(const std::string& path, MemoryBudget& budget);
    /// `text` must outlive the source.
    static std::unique_ptr<TextSource> ofText(std::string_view text, std::string name, MemoryBudget& budget);
    ~TextSource();

    const char* begin() const { return m_window.data() + m_begin; }
    const char* end() const { return m_window.data() + m_end; }
    bool empty() const { return m_begin == m_end; }
    std::uint64_t offset() const { return m_offset; } ///< of begin(), after decompression
    void consume(std::size_t bytes) {
        m_begin += bytes;
        m_offset += bytes;
    }
    /// Gets more after end(); begin() keeps its text. False at the end of the text. Errors: reading failed,
    /// or the window would exceed kMaxJsonPiece.
    Result<bool> more();
    double fraction() const;                 ///< of the file that was read, 0 to 1
    bool cutOff() const { return m_cutOff; } ///< compressed data ended early
    const std::string& name() const { return m_name; }
    Error errorAt(std::uint64_t offset, const std::string& message) const;

  private:
    TextSource(std::string name, MemoryBudget& budget);
    Status makeRoom(std::size_t bytes);
    struct Input;
    std::unique_ptr<Input> m_input;
    std::string m_name;
    std::vector<char> m_window;
    HeldMemory m_held;
    std::size_t m_begin = 0, m_end = 0;
    std::uint64_t m_offset = 0;
    bool m_cutOff = false;
};

} // namespace heteroscope::profiling
