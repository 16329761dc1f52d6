// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file: magic, version, length, and a Python dictionary with three keys.
#include "compute/base/checked_math.h"
#include "compute/base/npy.h"

#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace heteroscope::compute {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kMaxDimensions = 32;

/// Reads the dictionary literal; position and first error are kept.
class DictionaryReader {
  public:
    DictionaryReader(std::string_view text, std::size_t offset, const std::string& name)
        : m_text(text), m_offset(offset), m_name(name) {}

    Result<NpyHeader> read() {
        NpyHeader header;
        bool sawDescr = false, sawOrder = false, sawShape = false;
        if (!take('{'))
            return fail("expected '{'");
        while (!take('}')) {
            const auto key = readString();
            if (!key || !take(':'))
                return fail("expected a quoted key and ':'");
            bool& seen = *key == "descr" ? sawDescr : *key == "fortran_order" ? sawOrder : sawShape;
            const bool known = *key == "descr" || *key == "fortran_order" || *key == "shape";
            if (!known || seen)
                return fail(known ? "the key '" + *key + "' is given twice" : "unknown key '" + *key + "'");
            seen = true;
            if (const Status status = readValue(*key, header); !status)
                return status.error();
            if (!take(',') && peek() != '}')
                return fail("expected ',' or '}'");
        }
        if (!sawDescr || !sawOrder || !sawShape)
            return fail("'descr', 'fortran_order' and 'shape' are not all there");
        return header;
    }

  private:
    Error fail(const std::string& message) const {
        return badInput(m_name + ", byte " + std::to_string(m_offset + m_at), "bad .npy header: " + message);
    }

    void skipSpace() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }

    char peek() {
        skipSpace();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    bool take(char wanted) {
        if (peek() != wanted || m_at >= m_text.size())
            return false;
        ++m_at;
        return true;
    }

    std::optional<std::string> readString() {
        const char quote = peek();
        if (quote != '\'' && quote != '"')
            return std::nullopt;
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos)
            return std::nullopt;
        std::string text(m_text.substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
        return text;
    }

    Status readValue(const std::string& key, NpyHeader& header) {
        if (key == "descr")
            return readDescr(header);
        if (key == "shape")
            return readShape(header);
        for (const auto& [word, value] :
             {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
            skipSpace();
            if (m_text.substr(m_at).starts_with(word)) {
                m_at += word.size();
                header.fortranOrder = value;
                return {};
            }
        }
        return fail("'fortran_order' must be True or False");
    }

    Status readDescr(NpyHeader& header) {
        const auto text = readString();
        if (!text)
            return fail("'descr' must be a text such as '<f4'; structured arrays cannot be read");
        const std::string_view known = "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1";
        const std::string type = text->size() == 3 ? text->substr(1) : std::string("?");
        const bool order =
            text->size() == 3 && std::string_view("<>|=").find((*text)[0]) != std::string_view::npos;
        if (!order || known.find(type) == std::string_view::npos || type.find(' ') != std::string::npos)
            return badInput(m_name + ", byte " + std::to_string(m_offset + m_at),
                            "elements of type '" + *text + "' cannot be read",
                            "f4, f8, i1 to i8, u1 to u8, bool", "convert with numpy: array.astype('<f4')");
        header.bigEndian = (*text)[0] == '>';
        header.kind = type[0];
        header.itemBytes = type[1] - '0';
        return {};
    }

    Status readShape(NpyHeader& header) {
        if (!take('('))
            return fail("'shape' must be a tuple");
        while (!take(')')) {
            std::int64_t size = 0;
            skipSpace();
            const char* begin = m_text.data() + m_at;
            const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), size);
            if (error != std::errc{} || size < 0)
                return fail("a size in 'shape' is no whole number from 0");
            m_at += static_cast<std::size_t>(end - begin);
            header.shape.push_back(size);
            if (header.shape.size() > kMaxDimensions)
                return fail("more than 32 dimensions");
            if (!take(',') && peek() != ')')
                return fail("expected ',' or ')' in 'shape'");
        }
        return {};
    }

    std::string_view m_text;
    std::size_t m_offset;
    const std::string& m_name;
    std::size_t m_at = 0;
};

struct Preamble {
    std::size_t headerAt = 0, headerBytes = 0;
};

Result<Preamble> readPreamble(std::string_view text, const std::string& name) {
    if (text.substr(0, kMagic.size()) != kMagic)
        return badInput(name + ", byte 0", "not a .npy file: its first bytes are not \\x93NUMPY");
    if (text.size() < 10)
        return badInput(name + ", byte " + std::to_string(text.size()), "the file ends inside its header");
    const int major = static_cast<unsigned char>(text[6]);
    if (major < 1 || major > 3)
        return badInput(name + ", byte 6", "version " + std::to_string(major) + " of .npy",
                        "versions 1 to 3");
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    if (text.size() < 8 + lengthBytes)
        return badInput(name + ", byte " + std::to_string(text.size()), "the file ends inside its header");
    std::size_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        length = (length << 8) | static_cast<unsigned char>(text[8 + i]);
    const Preamble preamble{8 + lengthBytes, length};
    if (length > kMaxNpyHeaderBytes - preamble.headerAt)
        return badInput(name + ", byte 8", "the header claims " + std::to_string(length) + " bytes",
                        "at most " + std::to_string(kMaxNpyHeaderBytes - preamble.headerAt));
    if (text.size() < preamble.headerAt + length)
        return badInput(name + ", byte " + std::to_string(text.size()), "the file ends inside its header");
    return preamble;
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::span<const std::byte> bytes, const std::string& name) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto preamble = readPreamble(text, name);
    if (!preamble)
        return preamble.error();
    auto header =
        DictionaryReader(text.substr(preamble->headerAt, preamble->headerBytes), preamble->headerAt, name)
            .read();
    if (!header)
        return header.error();
    for (const std::int64_t size : header->shape) {
        const auto next = checkedMul(header->elements, size);
        const auto nextBytes = next ? checkedMul(*next, 8) : std::nullopt;
        if (!nextBytes)
            return badInput(name + ", byte " + std::to_string(preamble->headerAt),
                            "the shape is larger than 8 EiB");
        header->elements = *next;
    }
    header->dataOffset = preamble->headerAt + preamble->headerBytes;
    return header;
}

} // namespace heteroscope::compute
