// SPDX-License-Identifier: Apache-2.0
// Images and labels of the MNIST family.
#include "compute/data/example_set.h"
#include "compute/data/idx.h"

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
    const auto images = readIdx(request.directory / imageFile, kMostFileBytes);
    if (!images)
        return images.error();
    const auto labels = readIdx(request.directory / labelFile, kMostFileBytes);
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
    if (const Status status = checkExampleMemory(count, *shape->elements()); !status)
        return status.error();
    ExampleSet set{*shape, 1, {count, {}, {}}, {}};
    const Scaling scaled(data, 255);
    set.examples.images.reserve(images->values.size());
    for (const std::uint8_t byte : images->values)
        set.examples.images.push_back(scaled(byte));
    set.examples.targets.assign(labels->values.begin(), labels->values.end());
    return set;
}

} // namespace heteroscope::compute
