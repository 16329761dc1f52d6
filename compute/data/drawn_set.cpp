// SPDX-License-Identifier: Apache-2.0
// Datasets that are drawn: training examples count from 0, test examples from far beyond.
#include "compute/data/drawn_images.h"
#include "compute/data/example_set.h"

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kFirstTest = std::int64_t{1} << 40;
constexpr std::int64_t kBrainClasses = 3;

/// Draws one example and returns its target.
float drawOne(const DataSpec& data, const Shape4& shape, std::int64_t example, std::span<float> image) {
    if (data.source == DataSource::IrradianceMaps)
        return drawIrradianceMap(data.seed, example, shape, image);
    if (data.source == DataSource::IrradianceTable)
        return drawIrradianceRow(data.seed, example, image);
    const std::int64_t label = example % (data.source == DataSource::Shapes ? data.classes : kBrainClasses);
    if (data.source == DataSource::Shapes)
        drawShape(data.seed, example, label, shape, image);
    else
        drawBrainSlice(data.seed, example, label, shape, image);
    return static_cast<float>(label);
}

std::vector<std::string> namesOf(const DataSpec& data) {
    if (data.source == DataSource::BrainSlices)
        return brainSliceNames();
    if (data.source == DataSource::Shapes)
        return {shapeNames().begin(), shapeNames().begin() + data.classes};
    return {};
}

/// As the network takes them: a resize leaves them as they are.
Shape4 drawnShape(const ReadRequest& request) {
    return {1, request.input.c, request.input.h, request.input.w};
}

} // namespace

Result<ExampleSet> drawExamples(const ReadRequest& request) {
    const DataSpec& data = request.data;
    const Shape4 shape = drawnShape(request);
    const bool table = data.source == DataSource::IrradianceTable;
    if (!table && (shape.h < 8 || shape.w < 8))
        return badInput("/network/input/shape", "the pictures cannot be drawn so small",
                        "a height and width of at least 8");
    const auto chosen = request.chosenOf(request.test ? data.testCount : data.count);
    const auto count = static_cast<std::int64_t>(chosen.size());
    const auto elements = shape.elements();
    if (!elements)
        return badInput("/network/input/shape", "the examples are too large");
    if (const Status status = chargeExamples(*request.budget, count, *elements); !status)
        return status.error();
    ExampleSet set{shape, 1, {count, {}, {}}, namesOf(data)};
    set.examples.images.resize(static_cast<std::size_t>(count * *elements));
    const Scaling scaled(data, 1);
    const auto size = static_cast<std::size_t>(*elements);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto image = std::span(set.examples.images).subspan(i * size, size);
        set.examples.targets.push_back(
            drawOne(data, shape, (request.test ? kFirstTest : 0) + chosen[i], image));
        for (float& value : image)
            value = scaled(value);
    }
    return set;
}

} // namespace heteroscope::compute
