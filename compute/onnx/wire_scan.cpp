// SPDX-License-Identifier: Apache-2.0
#include "compute/onnx/wire_scan.h"

#include "compute/base/units.h"
#include "compute/onnx/onnx_model.h"

#include <cstdint>
#include <optional>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kGraph = 7;                   // of ModelProto
constexpr std::uint32_t kNode = 1, kInitializer = 5;  // of GraphProto
constexpr std::uint32_t kFloatData = 4, kRawData = 9; // of TensorProto
constexpr int kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5;

struct Field {
    std::uint32_t number = 0;
    int wireType = 0;
    std::size_t begin = 0, end = 0; ///< of the payload
};

class Scan {
  public:
    Scan(std::span<const std::byte> bytes, const std::string& name) : m_bytes(bytes), m_name(name) {}

    Result<OnnxSizes> run() {
        Status status = walk(0, m_bytes.size(), &Scan::takeModelField);
        if (status && m_structure > OnnxLimits::kMaxStructureBytes)
            return badInput(m_name,
                            "everything but the numbers of its tensors has " +
                                formatBytes(static_cast<double>(m_structure)),
                            "at most " + formatBytes(static_cast<double>(OnnxLimits::kMaxStructureBytes)));
        if (!status)
            return status.error();
        return OnnxSizes{static_cast<std::int64_t>(m_structure), static_cast<std::int64_t>(m_raw),
                         static_cast<std::int64_t>(m_floats)};
    }

  private:
    using Take = Status (Scan::*)(const Field&);

    Status walk(std::size_t begin, std::size_t end, Take take) {
        for (std::size_t at = begin; at < end;) {
            const auto field = next(at, end);
            if (!field)
                return badInput(m_name + ", byte " + std::to_string(at),
                                "these bytes are not of an ONNX model", "a file that an exporter wrote");
            m_structure += field->end - at;
            if (const Status status = (this->*take)(*field); !status)
                return status;
            at = field->end;
        }
        return {};
    }

    Status takeModelField(const Field& field) {
        if (field.number != kGraph || field.wireType != kLengthDelimited)
            return {};
        m_structure -= field.end - field.begin;
        return walk(field.begin, field.end, &Scan::takeGraphField);
    }

    Status takeGraphField(const Field& field) {
        if (field.number == kNode && ++m_nodes > OnnxLimits::kMaxNodes)
            return tooMany("nodes", OnnxLimits::kMaxNodes);
        if (field.number != kInitializer || field.wireType != kLengthDelimited)
            return {};
        if (++m_tensors > OnnxLimits::kMaxTensors)
            return tooMany("tensors", OnnxLimits::kMaxTensors);
        m_structure -= field.end - field.begin;
        return walk(field.begin, field.end, &Scan::takeTensorField);
    }

    Status takeTensorField(const Field& field) {
        const bool packed = field.wireType == kLengthDelimited;
        if ((field.number == kRawData && packed) ||
            (field.number == kFloatData && (packed || field.wireType == kFixed32)))
            takeNumbers(field);
        return {};
    }

    void takeNumbers(const Field& field) {
        const std::size_t bytes = field.end - field.begin;
        m_structure -= bytes;
        (field.number == kRawData ? m_raw : m_floats) += bytes;
    }

    Error tooMany(const char* what, std::size_t most) const {
        return badInput(m_name, std::string("the graph has more ") + what + " than this program reads",
                        "at most " + std::to_string(most));
    }

    std::optional<std::uint64_t> varint(std::size_t& at, std::size_t end) const {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64 && at < end; shift += 7) {
            const auto byte = std::to_integer<std::uint64_t>(m_bytes[at++]);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        return std::nullopt;
    }

    std::optional<Field> next(std::size_t at, std::size_t end) const {
        const auto key = varint(at, end);
        if (!key || *key >> 3 == 0 || *key > UINT32_MAX)
            return std::nullopt;
        Field field{static_cast<std::uint32_t>(*key >> 3), static_cast<int>(*key & 7), at, at};
        std::uint64_t length = 0;
        if (field.wireType == kVarint) {
            if (!varint(at, end))
                return std::nullopt;
        } else if (field.wireType == kFixed64) {
            length = 8;
        } else if (field.wireType == kFixed32) {
            length = 4;
        } else if (field.wireType == kLengthDelimited) {
            const auto given = varint(at, end);
            if (!given)
                return std::nullopt;
            length = *given;
            field.begin = at;
        } else {
            return std::nullopt; // groups, which the format does not have
        }
        if (length > end - at)
            return std::nullopt;
        field.end = at + static_cast<std::size_t>(length);
        return field;
    }

    std::span<const std::byte> m_bytes;
    const std::string& m_name;
    std::size_t m_structure = 0, m_raw = 0, m_floats = 0, m_nodes = 0, m_tensors = 0;
};

} // namespace

std::int64_t OnnxSizes::memoryBytes() const {
    constexpr std::int64_t kMessageGrowth = 160; // an empty message of two bytes has some 300 in memory
    constexpr std::int64_t kRawCopies = 3; // in the message, as a weight, and once more while it is laid out
    constexpr std::int64_t kFloatCopies = 5; // the same, and while the message's list grows
    return structureBytes * kMessageGrowth + rawBytes * kRawCopies + packedFloatBytes * kFloatCopies;
}

Result<OnnxSizes> scanOnnxWire(std::span<const std::byte> bytes, const std::string& name) {
    return Scan(bytes, name).run();
}

} // namespace heteroscope::compute
