// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/text_source.h"

#include "compute/base/packed_file.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kReadBytes = 1 << 20;

} // namespace

struct TextSource::Input {
    std::unique_ptr<PackedFile> file;
    std::uint64_t size = 0; ///< as stored
    std::string_view text;
    std::size_t at = 0;
};

TextSource::TextSource(std::string name, MemoryBudget& budget)
    : m_input(std::make_unique<Input>()),
      m_name(std::move(name)),
      m_window(kReadBytes + kJsonPadding),
      m_held(budget) {}
TextSource::~TextSource() = default;

Result<std::unique_ptr<TextSource>> TextSource::open(const std::string& path, MemoryBudget& budget) {
    std::unique_ptr<TextSource> source(new TextSource(path, budget));
    std::error_code error;
    auto file = PackedFile::open(path, "a Chrome trace, .json or .json.gz");
    if (!file)
        return file.error();
    source->m_input->file = std::move(*file);
    const auto size = std::filesystem::file_size(path, error);
    source->m_input->size = error ? 0 : size;
    return source;
}

std::unique_ptr<TextSource> TextSource::ofText(std::string_view text, std::string name,
                                               MemoryBudget& budget) {
    std::unique_ptr<TextSource> source(new TextSource(std::move(name), budget));
    source->m_input->text = text;
    source->m_input->size = text.size();
    return source;
}

Error TextSource::errorAt(std::uint64_t offset, const std::string& message) const {
    return badInput(m_name + ", byte " + std::to_string(offset), message);
}

/// The window grows to `bytes`: old and new lie side by side for a moment.
Status TextSource::makeRoom(std::size_t bytes) {
    if (m_window.size() >= bytes)
        return {};
    const Status status = m_held.set(static_cast<std::int64_t>(m_window.size() + bytes),
                                     "a value of the text", m_name + ", byte " + std::to_string(m_offset));
    if (status)
        m_window.resize(bytes);
    return status;
}

Result<bool> TextSource::more() {
    const std::size_t kept = m_end - m_begin;
    if (kept > kMaxJsonPiece)
        return errorAt(m_offset, "expected a value of at most " + std::to_string(kMaxJsonPiece) +
                                     " bytes, found no end of it");
    std::memmove(m_window.data(), m_window.data() + m_begin, kept);
    m_begin = 0;
    m_end = kept;
    const std::size_t wanted = std::max(kReadBytes, kept); // doubles for a long value
    if (const Status status = makeRoom(kept + wanted + kJsonPadding); !status)
        return status.error();
    std::size_t got = 0;
    if (m_input->file) {
        const auto count = m_input->file->read(m_window.data() + kept, wanted);
        if (!count)
            return count.error();
        got = *count;
        m_cutOff = m_input->file->cutOff();
    } else {
        got = std::min(wanted, m_input->text.size() - m_input->at);
        std::memcpy(m_window.data() + kept, m_input->text.data() + m_input->at, got);
        m_input->at += got;
    }
    m_end = kept + got;
    std::fill_n(m_window.begin() + static_cast<std::ptrdiff_t>(m_end), kJsonPadding, '\0');
    return got > 0;
}

double TextSource::fraction() const {
    const double size = static_cast<double>(m_input->size);
    if (size == 0)
        return 1;
    const double at =
        static_cast<double>(m_input->file ? m_input->file->storedBytes() : std::uint64_t{m_input->at});
    return std::clamp(at / size, 0.0, 1.0);
}

} // namespace heteroscope::profiling
