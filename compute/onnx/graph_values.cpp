// SPDX-License-Identifier: Apache-2.0
#include "compute/onnx/graph_values.h"

#include "compute/base/checked_math.h"
#include "compute/onnx/node_view.h"

#include <bit>
#include <cstring>
#include <optional>

namespace heteroscope::compute {
namespace {

static_assert(std::endian::native == std::endian::little, "raw tensors are little-endian");

constexpr std::int64_t kMostWholes = 64;
constexpr int kMostDimensions = 16;

std::string placeOf(const onnx::TensorProto& tensor, const std::string& file) {
    return file + ", tensor '" + tensor.name().substr(0, 200) + "'";
}

/// Its elements, once they are known to be in this file.
Result<std::int64_t> elementsIn(const onnx::TensorProto& tensor, const std::string& file) {
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL || tensor.external_data_size() > 0)
        return badInput(placeOf(tensor, file), "its numbers are in another file",
                        "models that hold their weights themselves", "export the model into one file");
    if (tensor.has_segment())
        return badInput(placeOf(tensor, file), "it is a segment of a tensor", "whole tensors");
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.dims()) {
        const auto product = size < 0 ? std::nullopt : checkedMul(elements, size);
        if (!product || tensor.dims_size() > kMostDimensions)
            return badInput(placeOf(tensor, file), "its shape is impossible",
                            "at most " + std::to_string(kMostDimensions) + " sizes, none negative");
        elements = *product;
    }
    return elements;
}

/// Takes the numbers from the raw bytes or from the typed field, whichever the exporter chose.
template <class T, class Field>
Result<std::vector<T>> numbersOf(const onnx::TensorProto& tensor, std::int64_t elements, const Field& field,
                                 const std::string& file) {
    const auto count = static_cast<std::size_t>(elements);
    const std::string& raw = tensor.raw_data();
    if (!raw.empty() && !field.empty())
        return badInput(placeOf(tensor, file), "it holds its numbers twice, as bytes and as numbers",
                        "one of the two");
    const std::size_t present = raw.empty() ? static_cast<std::size_t>(field.size()) : raw.size() / sizeof(T);
    if (present != count || raw.size() % sizeof(T) != 0)
        return badInput(placeOf(tensor, file), "its shape asks for " + std::to_string(elements) +
                                                   " elements, the file holds " + std::to_string(present));
    if (raw.empty())
        return std::vector<T>(field.begin(), field.end());
    std::vector<T> values(count);
    std::memcpy(values.data(), raw.data(), raw.size());
    return values;
}

void transpose(NpyArray& matrix) {
    const auto rows = static_cast<std::size_t>(matrix.shape[0]);
    const auto columns = static_cast<std::size_t>(matrix.shape[1]);
    std::vector<float> values(matrix.values.size());
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            values[j * rows + i] = matrix.values[i * columns + j];
    matrix.values = std::move(values);
    std::swap(matrix.shape[0], matrix.shape[1]);
}

} // namespace

Result<NpyArray> readFloats(const Constant& constant, const std::string& file) {
    const onnx::TensorProto& tensor = *constant.tensor;
    if (tensor.data_type() != onnx::TensorProto::FLOAT)
        return badInput(placeOf(tensor, file),
                        "its elements are of the type number " + std::to_string(tensor.data_type()),
                        "float32", "convert the model to float32 before the export");
    const auto elements = elementsIn(tensor, file);
    if (!elements)
        return elements.error();
    auto values = numbersOf<float>(tensor, *elements, tensor.float_data(), file);
    if (!values)
        return values.error();
    NpyArray array{{tensor.dims().begin(), tensor.dims().end()}, std::move(*values)};
    if (constant.transposed)
        transpose(array);
    return array;
}

bool isWhole(const onnx::TensorProto& tensor) {
    return tensor.data_type() == onnx::TensorProto::INT64 || tensor.data_type() == onnx::TensorProto::INT32;
}

Result<std::vector<std::int64_t>> readWholes(const onnx::TensorProto& tensor, const std::string& file) {
    const auto elements = elementsIn(tensor, file);
    if (!elements)
        return elements.error();
    if (*elements > kMostWholes || !isWhole(tensor))
        return badInput(placeOf(tensor, file), "it cannot stand for a shape or axes",
                        "at most " + std::to_string(kMostWholes) + " whole numbers");
    if (tensor.data_type() == onnx::TensorProto::INT64)
        return numbersOf<std::int64_t>(tensor, *elements, tensor.int64_data(), file);
    const auto narrow = numbersOf<std::int32_t>(tensor, *elements, tensor.int32_data(), file);
    if (!narrow)
        return narrow.error();
    return std::vector<std::int64_t>(narrow->begin(), narrow->end());
}

} // namespace heteroscope::compute
