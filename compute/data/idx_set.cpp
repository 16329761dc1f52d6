// SPDX-License-Identifier: Apache-2.0
// Images and labels of the MNIST family.
#include "compute/data/example_set.h"
#include "compute/data/idx.h"

#include <algorithm>
#include <iterator>

namespace heteroscope::compute {
namespace {

/// Files of three dimensions hold grey images; of four, channels before rows.
Result<Shape4> imageShape(const IdxArray& images, const std::string& name) {
    const auto& dims = images.dims;
    if (dims.size() == 3)
        return Shape4{1, 1, dims[1], dims[2]};
    if (dims.size() == 4)
        return Shape4{1, dims[1], dims[2], dims[3]};
    return badInput(name, "the images have " + std::to_string(dims.size()) + " dimensions",
                    "count x rows x columns, or count x channels x rows x columns");
}

} // namespace

Result<ExampleSet> readIdxSet(const ReadRequest& request) {
    const DataSpec& data = request.data;
    const std::string &imageFile = request.test ? data.testImages : data.images,
                      &labelFile = request.test ? data.testLabels : data.labels;
    const auto images = readIdx(request.directory / imageFile, kMostFileBytes, *request.budget);
    if (!images)
        return images.error();
    const auto labels = readIdx(request.directory / labelFile, kMostFileBytes, *request.budget);
    if (!labels)
        return labels.error();
    const std::int64_t count = images->dims[0];
    if (labels->dims.size() != 1 || labels->dims[0] != count)
        return badInput(labelFile,
                        "there are " + std::to_string(labels->dims[0]) + " labels for " +
                            std::to_string(count) + " images",
                        "one label an image");
    const auto shape = imageShape(*images, imageFile);
    if (!shape)
        return shape.error();
    const auto chosen = request.chosenOf(count);
    const auto kept = static_cast<std::int64_t>(chosen.size()), size = *shape->elements();
    if (const Status status = chargeExamples(*request.budget, kept, size); !status)
        return status.error();
    ExampleSet set{*shape, 1, {kept, {}, {}}, {}};
    const Scaling scaled(data, 255);
    set.examples.images.reserve(chosen.size() * static_cast<std::size_t>(size));
    for (const std::int64_t i : chosen) {
        const auto image = images->values.begin() + i * size;
        std::transform(image, image + size, std::back_inserter(set.examples.images), scaled);
        set.examples.targets.push_back(labels->values[static_cast<std::size_t>(i)]);
    }
    request.budget->release(static_cast<std::int64_t>(images->values.size() + labels->values.size()));
    return set;
}

} // namespace heteroscope::compute
