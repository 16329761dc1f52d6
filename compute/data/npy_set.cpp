// SPDX-License-Identifier: Apache-2.0
// NumPy arrays as examples: "file.npy", or "file.npz:name".
#include "compute/base/npy.h"
#include "compute/data/example_set.h"
#include "compute/data/named_files.h"
#include "compute/data/npz.h"

#include <cmath>

namespace heteroscope::compute {
namespace {

constexpr float kMostNpyClasses = 65536;

Result<NpyArray> readArray(const std::filesystem::path& directory, const std::string& place,
                           MemoryBudget& budget) {
    const auto [file, array] = arrayPlace(place);
    return file.ends_with(".npz") ? readNpzArray(directory / file, array, budget)
                                  : readNpy(directory / file, budget);
}

Result<Shape4> exampleShape(const NpyArray& images, const std::string& name) {
    const auto& dims = images.shape;
    if (dims.size() < 2 || dims.size() > 4 || images.values.empty())
        return badInput(name,
                        "the array has " + std::to_string(dims.size()) + " dimensions and " +
                            std::to_string(images.values.size()) + " elements",
                        "examples x features, examples x rows x columns, or examples x channels x rows x "
                        "columns");
    if (dims.size() == 2)
        return Shape4{1, dims[1], 1, 1};
    if (dims.size() == 3)
        return Shape4{1, 1, dims[1], dims[2]};
    return Shape4{1, dims[1], dims[2], dims[3]};
}

Status checkFinite(const std::vector<float>& values, const std::string& name) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            return badInput(name + ", element " + std::to_string(i), "the value is no finite number");
    return {};
}

Status checkClasses(const NpyArray& labels, const std::string& name) {
    for (std::size_t i = 0; i < labels.values.size(); ++i)
        if (const float value = labels.values[i];
            !(value >= 0 && value < kMostNpyClasses && value == std::floor(value)))
            return badInput(name + ", element " + std::to_string(i), "the value is no class",
                            "whole numbers from 0 to 65535",
                            "for a regression set /data/targets to \"numbers\"");
    return {};
}

} // namespace

Result<ExampleSet> readNpySet(const ReadRequest& request) {
    const DataSpec& data = request.data;
    const std::string &imageFile = request.test ? data.testImages : data.images,
                      &labelFile = request.test ? data.testLabels : data.labels;
    auto images = readArray(request.directory, imageFile, *request.budget);
    if (!images)
        return images.error();
    auto labels = readArray(request.directory, labelFile, *request.budget);
    if (!labels)
        return labels.error();
    const auto shape = exampleShape(*images, imageFile);
    if (!shape)
        return shape.error();
    const std::int64_t count = images->shape[0];
    const bool flat = labels->shape.size() == 1 || labels->shape.size() == 2;
    if (!flat || labels->shape[0] != count || labels->values.empty())
        return badInput(labelFile, "the targets do not fit " + std::to_string(count) + " examples",
                        "one number or one row an example");
    const std::int64_t width = labels->shape.size() == 2 ? labels->shape[1] : 1;
    if (width != 1 && !data.isRegression())
        return badInput(labelFile, "there are " + std::to_string(width) + " targets an example", "one class");
    for (const auto& [array, name] : {std::pair{&*images, &imageFile}, std::pair{&*labels, &labelFile}})
        if (const Status status = checkFinite(array->values, *name); !status)
            return status.error();
    if (!data.isRegression())
        if (const Status status = checkClasses(*labels, labelFile); !status)
            return status.error();
    const Scaling scaled(data, 1);
    for (float& value : images->values)
        value = scaled(value);
    return ExampleSet{*shape, width, {count, std::move(images->values), std::move(labels->values)}, {}};
}

} // namespace heteroscope::compute
