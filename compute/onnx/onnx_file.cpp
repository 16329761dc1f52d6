// SPDX-License-Identifier: Apache-2.0
// ONNX files: bytes, limits, version; the graph is the importer's.
#include "compute/base/file_kind.h"
#include "compute/base/units.h"
#include "compute/onnx/importer.h"
#include "compute/onnx/wire_scan.h"

#include <cerrno>
#include <fstream>
#include <limits>
#include <optional>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kOldestFormat = 3;

Result<std::int64_t> opsetOf(const onnx::ModelProto& model, const std::string& name) {
    std::optional<std::int64_t> version;
    for (const onnx::OperatorSetIdProto& set : model.opset_import())
        if (set.domain().empty() || set.domain() == "ai.onnx")
            version = set.version();
    if (model.ir_version() < kOldestFormat || !version)
        return badInput(name, "this is no ONNX model: it does not say which operators it uses",
                        "a file that an exporter wrote");
    if (*version < kOldestOnnxOpset || *version > kNewestOnnxOpset)
        return badInput(name, "its operators are of set " + std::to_string(*version),
                        "set " + std::to_string(kOldestOnnxOpset) + " to " + std::to_string(kNewestOnnxOpset),
                        "export it again with opset_version=" + std::to_string(kNewestOnnxOpset));
    return *version;
}

Error tooLarge(const std::string& name) {
    return badInput(name, "larger than an ONNX file can be",
                    "at most " + formatBytes(static_cast<double>(OnnxLimits::kMaxFileBytes)));
}

Result<std::vector<std::byte>> readBytes(const std::filesystem::path& file, MemoryBudget& budget) {
    if (const Status status = requireRegularFile(file, "a readable ONNX file"); !status)
        return status.error();
    std::ifstream stream(file, std::ios::binary);
    std::error_code failure;
    if (!stream)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", errno,
                             "a readable ONNX file");
    const auto size = std::filesystem::file_size(file, failure);
    if (failure || size > OnnxLimits::kMaxFileBytes)
        return tooLarge(file.string());
    if (const Status status = budget.charge(static_cast<std::int64_t>(size), "the file", file.string());
        !status)
        return status.error();
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<std::size_t>(stream.gcount()) != bytes.size())
        return badInput(file.string(), "it ended before its size", {}, "copy the file again");
    return bytes;
}

Result<OnnxModel> parseWithin(std::span<const std::byte> bytes, const std::string& name,
                              const OnnxReadOptions& options, MemoryBudget& budget) {
    if (bytes.size() > OnnxLimits::kMaxFileBytes ||
        bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return tooLarge(name);
    const auto sizes = scanOnnxWire(bytes, name);
    if (!sizes)
        return sizes.error();
    if (const Status status = budget.charge(sizes->memoryBytes(), "the model", name); !status)
        return status.error();
    onnx::ModelProto model;
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return badInput(name, "these bytes are not of an ONNX model", "a file that an exporter wrote");
    const auto opset = opsetOf(model, name);
    if (!opset)
        return opset.error();
    auto imported = Importer(model.graph(), *opset, name, options).run();
    if (imported)
        imported->producer = (model.producer_name() + " " + model.producer_version()).substr(0, 200);
    return imported;
}

} // namespace

std::string onnxUnavailableReason() {
    return {};
}

Result<OnnxModel> parseOnnx(std::span<const std::byte> bytes, const std::string& name,
                            const OnnxReadOptions& options) {
    MemoryBudget budget;
    return parseWithin(bytes, name, options, budget);
}

Result<OnnxModel> readOnnx(const std::filesystem::path& file, const OnnxReadOptions& options) {
    MemoryBudget budget;
    const auto bytes = readBytes(file, budget);
    if (!bytes)
        return bytes.error();
    return parseWithin(*bytes, file.string(), options, budget);
}

} // namespace heteroscope::compute
