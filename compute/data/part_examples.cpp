// SPDX-License-Identifier: Apache-2.0
#include "compute/data/part_examples.h"

#include "compute/data/fixed_transforms.h"
#include "compute/data/split.h"

#include <algorithm>

namespace heteroscope::compute {

namespace {

DataSpec withoutNormalizing(DataSpec data) {
    data.mean = 0;
    data.deviation = 1;
    std::erase_if(data.transforms, [](const TransformSpec& transform) {
        return transform.kind == TransformKind::Normalize || transform.isRandom();
    });
    return data;
}

std::vector<std::int64_t> numbersOf(const DataSpec& data, DataPart part, std::int64_t count, bool testFiles) {
    if (part == DataPart::Test && testFiles)
        return testOrder(data, count);
    Split split = splitOf(data, count, testFiles);
    return part == DataPart::Training     ? std::move(split.training)
           : part == DataPart::Validation ? std::move(split.validation)
                                          : std::move(split.test);
}

/// What numbers the classes of the test files: the names that the training files bring.
Result<std::vector<std::string>> trainingClasses(const DataSpec& data, const Shape4& input,
                                                 const std::string& directory,
                                                 const std::shared_ptr<MemoryBudget>& budget) {
    if (data.source != DataSource::ImageFolder && data.source != DataSource::Csv)
        return std::vector<std::string>{};
    const auto none = [](std::int64_t) { return std::vector<std::int64_t>{}; };
    auto set = readExamples({data, directory, input, false, {}, none, budget});
    if (!set)
        return set.error();
    return std::move(set->classNames);
}

} // namespace

Result<ExampleSet> loadPartExamples(const DataSpec& asked, const Shape4& input, const std::string& directory,
                                    DataPart part, std::span<const std::int64_t> places) {
    const DataSpec data = withoutNormalizing(asked);
    const bool testFiles = hasTestFiles(data, directory);
    const auto which = [&](std::int64_t count) {
        const auto numbers = numbersOf(data, part, count, testFiles);
        std::vector<std::int64_t> chosen;
        for (const std::int64_t place : places)
            if (place >= 0 && place < static_cast<std::int64_t>(numbers.size()))
                chosen.push_back(numbers[static_cast<std::size_t>(place)]);
        return chosen;
    };
    ReadRequest request{data, directory, input, part == DataPart::Test && testFiles, {}, which};
    if (request.test) {
        auto classes = trainingClasses(data, input, directory, request.budget);
        if (!classes)
            return classes.error();
        request.classNames = std::move(*classes);
    }
    auto set = readExamples(request);
    if (!set)
        return set;
    if (set->examples.count != static_cast<std::int64_t>(places.size()))
        return badInput("/data", "the part has fewer examples than are asked for");
    Dataset dataset;
    dataset.image = set->image;
    dataset.test = std::move(set->examples);
    if (const Status status = applyFixedTransforms(data, dataset, *request.budget); !status)
        return status.error();
    set->image = dataset.image;
    set->examples = std::move(dataset.test);
    return set;
}

} // namespace heteroscope::compute
