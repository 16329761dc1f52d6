// SPDX-License-Identifier: Apache-2.0
#include "compute/data/dataset.h"

#include "compute/base/checked_math.h"
#include "compute/base/philox.h"
#include "compute/base/units.h"
#include "compute/core/cpu.h"
#include "compute/data/idx.h"

#include <algorithm>
#include <numeric>

namespace heteroscope::compute {

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{4} << 30; ///< of one file, uncompressed
constexpr std::uint32_t kShuffle = 0x73687566;

struct RawExamples {
    IdxArray images, labels;
};

Result<RawExamples> readPair(const DataSpec& data, const std::string& directory, bool test) {
    const std::string names[] = {test ? data.testImages : data.images, test ? data.testLabels : data.labels};
    IdxArray arrays[2];
    for (int i = 0; i < 2; ++i) {
        auto array = readIdx(std::filesystem::path(directory) / names[i], kMostBytes);
        if (!array)
            return array.error();
        arrays[i] = std::move(*array);
    }
    if (arrays[1].dims.size() != 1 || arrays[1].dims[0] != arrays[0].dims[0])
        return badInput(names[1],
                        "there are " + std::to_string(arrays[1].dims[0]) + " labels for " +
                            std::to_string(arrays[0].dims[0]) + " images",
                        "one label an image");
    return RawExamples{std::move(arrays[0]), std::move(arrays[1])};
}

/// Files of three dimensions hold grey images; of four, channels before rows.
Result<Shape4> imageShape(const RawExamples& raw, const std::string& name) {
    const auto& dims = raw.images.dims;
    if (dims.size() == 3)
        return Shape4{1, 1, dims[1], dims[2]};
    if (dims.size() == 4)
        return Shape4{1, dims[1], dims[2], dims[3]};
    return badInput(name, "the images have " + std::to_string(dims.size()) + " dimensions",
                    "count x rows x columns, or count x channels x rows x columns");
}

Examples convert(const RawExamples& raw, std::int64_t first, std::int64_t count, std::int64_t elements,
                 const DataSpec& data) {
    Examples examples;
    examples.count = count;
    examples.images.resize(static_cast<std::size_t>(count * elements));
    examples.targets.resize(static_cast<std::size_t>(count));
    const auto scale = static_cast<float>(1.0 / (255.0 * data.deviation));
    const auto shift = static_cast<float>(-data.mean / data.deviation);
    const std::uint8_t* bytes = raw.images.values.data() + first * elements;
    for (std::size_t i = 0; i < examples.images.size(); ++i)
        examples.images[i] = static_cast<float>(bytes[i]) * scale + shift;
    for (std::size_t i = 0; i < examples.targets.size(); ++i)
        examples.targets[i] = static_cast<float>(raw.labels.values[static_cast<std::size_t>(first) + i]);
    return examples;
}

Status checkLabels(const RawExamples& raw, std::int64_t classes, const std::string& name) {
    const auto largest = std::max_element(raw.labels.values.begin(), raw.labels.values.end());
    if (*largest < classes)
        return {};
    return badInput(name,
                    "label " + std::to_string(*largest) + " at image " +
                        std::to_string(largest - raw.labels.values.begin()) + ", but the network has " +
                        std::to_string(classes) + " outputs",
                    "0 to " + std::to_string(classes - 1),
                    "give the last layer as many units as there are classes");
}

Status checkFits(const NetworkExperiment& experiment, const Shape4& image) {
    const Network network = resolveNetwork(experiment.network, networkRequest(experiment));
    const Shape4& input = network.input;
    if (input.c == image.c && input.h == image.h && input.w == image.w)
        return {};
    return badInput("/network/input/shape",
                    "the images have the shape " + std::to_string(image.c) + "x" + std::to_string(image.h) +
                        "x" + std::to_string(image.w),
                    "[" + std::to_string(image.c) + ", " + std::to_string(image.h) + ", " +
                        std::to_string(image.w) + "]");
}

/// As floats every value takes four bytes.
Status checkMemory(std::int64_t images, std::int64_t elements) {
    const auto needed = checkedProduct({images, elements, 4});
    const std::int64_t free = readMemory().freeBytes;
    if (needed && *needed <= free)
        return {};
    return Error{ErrorCode::OutOfMemory,
                 "the images take " +
                     (needed ? formatBytes(static_cast<double>(*needed)) : "more than 8 EiB") +
                     " as numbers, " + formatBytes(static_cast<double>(free)) + " are free",
                 "/data/images",
                 {},
                 "set /data/training_limit"};
}

/// A whole number from 0 to below `bound`: Lemire's multiplication, without the rejection, whose bias is
/// below bound / 2^32.
std::int64_t boundedNumber(std::uint32_t word, std::int64_t bound) {
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(word) * static_cast<std::uint64_t>(bound)) >>
                                     32);
}

} // namespace

Result<Dataset> loadDataset(const NetworkExperiment& experiment, const std::string& directory) {
    const DataSpec& data = experiment.data;
    const auto training = readPair(data, directory, false), test = readPair(data, directory, true);
    if (!training)
        return training.error();
    if (!test)
        return test.error();
    const auto shape = imageShape(*training, data.images), testShape = imageShape(*test, data.testImages);
    if (!shape)
        return shape.error();
    if (!testShape || !(*testShape == *shape))
        return badInput(data.testImages, "its images have another shape than those of " + data.images);
    if (const Status status = checkFits(experiment, *shape); !status)
        return status.error();
    const Shape4 output = resolveNetwork(experiment.network, networkRequest(experiment)).output();
    const std::int64_t classes = output.c * output.h * output.w;
    for (const auto& [raw, name] : {std::pair{&*training, data.labels}, std::pair{&*test, data.testLabels}})
        if (const Status status = checkLabels(*raw, classes, name); !status)
            return status.error();
    const std::int64_t elements = *shape->elements();
    if (const Status status = checkMemory(training->images.dims[0] + test->images.dims[0], elements); !status)
        return status.error();
    const auto limited = [](std::int64_t count, std::int64_t limit) {
        return limit > 0 ? std::min(count, limit) : count;
    };
    const std::int64_t all = limited(training->images.dims[0], data.trainingLimit);
    const auto validation = static_cast<std::int64_t>(data.validationShare * static_cast<double>(all));
    if (all - validation < experiment.training.batch)
        return badInput("/training/batch",
                        std::to_string(all - validation) +
                            " images are left for training, fewer than a batch of " +
                            std::to_string(experiment.training.batch),
                        {}, "choose a smaller batch, or more images");
    Dataset dataset{*shape, 1, {}, {}, {}};
    dataset.training = convert(*training, 0, all - validation, elements, data);
    dataset.validation = convert(*training, all - validation, validation, elements, data);
    dataset.test = convert(*test, 0, limited(test->images.dims[0], data.testLimit), elements, data);
    return dataset;
}

std::vector<std::int64_t> shuffledOrder(std::int64_t count, std::uint64_t seed, std::int64_t epoch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::int64_t i = count - 1; i > 0; --i) { // Fisher and Yates
        const Philox4 words = philox4x32({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32),
                                          kShuffle, static_cast<std::uint32_t>(epoch)},
                                         seed);
        std::swap(order[static_cast<std::size_t>(i)],
                  order[static_cast<std::size_t>(boundedNumber(words.x, i + 1))]);
    }
    return order;
}

} // namespace heteroscope::compute
