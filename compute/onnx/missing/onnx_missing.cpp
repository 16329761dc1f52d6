// SPDX-License-Identifier: Apache-2.0
// What a build without libonnx has: the reason.
#include "compute/onnx/onnx_model.h"

namespace heteroscope::compute {
namespace {

Error missing(std::string where) {
    return {ErrorCode::TargetUnavailable,
            onnxUnavailableReason(),
            std::move(where),
            {},
            "install libonnx-dev and libprotobuf-dev and build again"};
}

} // namespace

std::string onnxUnavailableReason() {
    return "this build has no ONNX: libonnx was not there when it was built, or was switched off";
}

Result<OnnxModel> parseOnnx(std::span<const std::byte>, const std::string& name, const OnnxReadOptions&) {
    return missing(name);
}

Result<OnnxModel> readOnnx(const std::filesystem::path& file, const OnnxReadOptions&) {
    return missing(file.string());
}

Result<std::string> onnxBytes(const NetworkSpec&, const NamedArrays&, const OnnxWriteOptions&) {
    return missing({});
}

Status writeOnnx(const std::filesystem::path& file, const NetworkSpec&, const NamedArrays&,
                 const OnnxWriteOptions&) {
    return missing(file.string());
}

} // namespace heteroscope::compute
