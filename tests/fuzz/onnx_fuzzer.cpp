// SPDX-License-Identifier: Apache-2.0
// Any bytes as an ONNX file; a network that can be read must survive writing and reading.
#include "compute/onnx/onnx_model.h"

#include <cstdlib>

using namespace heteroscope::compute;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto model = parseOnnx(std::as_bytes(std::span(data, size)), "fuzz");
    if (!model)
        return model.error().where.empty() || model.error().message.empty() ? (std::abort(), 0) : 0;
    const auto bytes = onnxBytes(model->network, model->weights);
    if (!bytes)
        std::abort();
    const auto again = parseOnnx(std::as_bytes(std::span(*bytes)), "again");
    if (!again || again->network.input != model->network.input ||
        again->weights.size() != model->weights.size())
        std::abort();
    return 0;
}
