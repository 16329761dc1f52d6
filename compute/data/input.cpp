// SPDX-License-Identifier: Apache-2.0
// Inputs of experiments: random, typed in, from images and from .npy files.
#include "compute/data/input.h"

#include "compute/base/npy.h"
#include "compute/base/numpy_random.h"
#include "compute/data/image.h"
#include "compute/data/named_files.h"

#include <filesystem>

namespace heteroscope::compute {
namespace {

constexpr const char* kPathPointer = "/pooling/input/path";

std::filesystem::path resolve(const InputSpec& input, const std::string& directory) {
    return placedFile(directory, input.path);
}

/// A file that is missing or of the wrong kind is a mistake in the experiment: name its place there as well.
Error atPath(Error error) {
    error.where = std::string(kPathPointer) + " (" + error.where + ")";
    return error;
}

Result<Shape4> shapeOfNpy(const std::vector<std::int64_t>& dimensions, const std::string& file) {
    const std::size_t count = dimensions.size();
    if (count < 2 || count > 4)
        return badInput(
            file, "the array has " + std::to_string(count) + " dimensions",
            "2 (height, width), 3 (channels, height, width) or 4 (batch, channels, height, width)",
            "reshape it with numpy: array.reshape(...)");
    for (const std::int64_t size : dimensions)
        if (size < 1)
            return badInput(file, "the array is empty", "at least one element");
    Shape4 shape;
    shape.w = dimensions[count - 1];
    shape.h = dimensions[count - 2];
    shape.c = count > 2 ? dimensions[count - 3] : 1;
    shape.n = count > 3 ? dimensions[0] : 1;
    return shape;
}

Result<Shape4> valueShape(const InputSpec& input) {
    if (input.values.empty() || input.values.front().empty())
        return badInput("/pooling/input/values", "the matrix is empty", "a list of rows of numbers");
    const Shape4 shape{1, 1, static_cast<std::int64_t>(input.values.size()),
                       static_cast<std::int64_t>(input.values.front().size())};
    for (std::size_t row = 0; row < input.values.size(); ++row)
        if (static_cast<std::int64_t>(input.values[row].size()) != shape.w)
            return badInput("/pooling/input/values/" + std::to_string(row), "this row is of another length",
                            "rows of one length");
    return shape;
}

Result<HostTensor> loadRandom(const InputSpec& input) {
    HostTensor tensor{{input.batch, input.channels, input.height, input.width}, {}};
    const auto elements = tensor.shape.elements();
    if (!elements || input.low > input.high)
        return badInput("/pooling/input", "no such random input", "sizes from 1, low at most high");
    tensor.values.resize(static_cast<std::size_t>(*elements));
    NumpyRandom random(input.seed);
    for (float& value : tensor.values)
        value = static_cast<float>(random.integer(input.low, input.high));
    return tensor;
}

Result<HostTensor> loadManual(const InputSpec& input) {
    const auto shape = valueShape(input);
    if (!shape)
        return shape.error();
    HostTensor tensor{*shape, {}};
    for (const auto& row : input.values)
        for (const double value : row)
            tensor.values.push_back(static_cast<float>(value));
    return tensor;
}

Result<HostTensor> loadImage(const InputSpec& input, const std::string& directory) {
    auto image = readImage(resolve(input, directory), input.grey);
    if (!image)
        return atPath(image.error());
    return HostTensor{image->shape, std::move(image->values)};
}

Result<HostTensor> loadNpy(const InputSpec& input, const std::string& directory) {
    const auto file = resolve(input, directory);
    auto array = readNpy(file);
    if (!array)
        return atPath(array.error());
    const auto shape = shapeOfNpy(array->shape, file.string());
    if (!shape)
        return atPath(shape.error());
    return HostTensor{*shape, std::move(array->values)};
}

} // namespace

Result<Shape4> inputShape(const InputSpec& input, const std::string& directory) {
    const auto file = resolve(input, directory);
    switch (input.source) {
    case InputSource::Random:
        return Shape4{input.batch, input.channels, input.height, input.width};
    case InputSource::Manual:
        return valueShape(input);
    case InputSource::Image: {
        const auto shape = imageShape(file, input.grey);
        return shape ? shape : Result<Shape4>(atPath(shape.error()));
    }
    case InputSource::Npy:
        break;
    }
    const auto header = readNpyHeader(file);
    if (!header)
        return atPath(header.error());
    const auto shape = shapeOfNpy(header->shape, file.string());
    return shape ? shape : Result<Shape4>(atPath(shape.error()));
}

Result<HostTensor> loadInput(const InputSpec& input, const std::string& directory) {
    switch (input.source) {
    case InputSource::Random:
        return loadRandom(input);
    case InputSource::Manual:
        return loadManual(input);
    case InputSource::Image:
        return loadImage(input, directory);
    case InputSource::Npy:
        break;
    }
    return loadNpy(input, directory);
}

} // namespace heteroscope::compute
