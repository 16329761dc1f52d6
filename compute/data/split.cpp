// SPDX-License-Identifier: Apache-2.0
#include "compute/data/split.h"

#include "compute/data/dataset.h"

#include <algorithm>
#include <numeric>

namespace heteroscope::compute {

namespace {

constexpr std::int64_t kSplit = -1; ///< the "epoch" whose order a shuffled split has

std::vector<std::int64_t> firstOf(const DataSpec& data, std::int64_t count, std::int64_t limit,
                                  bool shuffled) {
    std::vector<std::int64_t> order;
    if (shuffled) {
        order = shuffledOrder(count, data.seed, kSplit);
    } else {
        order.resize(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), std::int64_t{0});
    }
    if (limit > 0 && limit < count)
        order.resize(static_cast<std::size_t>(limit));
    return order;
}

} // namespace

bool hasTestFiles(const DataSpec& data, const std::filesystem::path& directory) {
    std::error_code ignored;
    switch (data.source) {
    case DataSource::Idx:
    case DataSource::Npy:
        return !data.testImages.empty();
    case DataSource::Cifar10:
        return std::filesystem::exists(directory / data.folder / "test_batch.bin", ignored);
    case DataSource::Cifar100:
        return std::filesystem::exists(directory / data.folder / "test.bin", ignored);
    case DataSource::ImageFolder:
        return !data.testFolder.empty();
    case DataSource::Csv:
        return !data.testFile.empty();
    default:
        return data.testCount > 0;
    }
}

SplitSizes splitSizes(const DataSpec& data, std::int64_t count, bool testFiles) {
    const std::int64_t taken = data.trainingLimit > 0 ? std::min(data.trainingLimit, count) : count;
    const auto part = [taken](double share) {
        return static_cast<std::int64_t>(share * static_cast<double>(taken));
    };
    const std::int64_t validation = part(data.validationShare), test = testFiles ? 0 : part(data.testShare);
    return {taken - validation - test, validation, test};
}

Split splitOf(const DataSpec& data, std::int64_t count, bool testFiles) {
    const bool shuffled = data.split == SplitOrder::Shuffled || data.source == DataSource::ImageFolder;
    const auto order = firstOf(data, count, data.trainingLimit, shuffled);
    const SplitSizes sizes = splitSizes(data, count, testFiles);
    const auto validation = order.end() - sizes.validation, test = validation - sizes.test;
    return {{order.begin(), test}, {validation, order.end()}, {test, validation}};
}

std::vector<std::int64_t> testOrder(const DataSpec& data, std::int64_t count) {
    return firstOf(data, count, data.testLimit, false);
}

Examples chooseExamples(const ExampleSet& set, std::span<const std::int64_t> which) {
    const auto image = static_cast<std::size_t>(*set.image.elements());
    const auto target = static_cast<std::size_t>(set.targetElements);
    Examples chosen{static_cast<std::int64_t>(which.size()), {}, {}};
    chosen.images.reserve(which.size() * image);
    chosen.targets.reserve(which.size() * target);
    for (const std::int64_t i : which) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        const auto images = set.examples.images.begin() + at * static_cast<std::ptrdiff_t>(image);
        const auto targets = set.examples.targets.begin() + at * static_cast<std::ptrdiff_t>(target);
        chosen.images.insert(chosen.images.end(), images, images + static_cast<std::ptrdiff_t>(image));
        chosen.targets.insert(chosen.targets.end(), targets, targets + static_cast<std::ptrdiff_t>(target));
    }
    return chosen;
}

} // namespace heteroscope::compute
