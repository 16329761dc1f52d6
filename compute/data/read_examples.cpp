// SPDX-License-Identifier: Apache-2.0
#include "compute/base/checked_math.h"
#include "compute/data/split.h"

#include <limits>
#include <numeric>

namespace heteroscope::compute {

namespace {

/// Of a source that is read whole.
Result<ExampleSet> onlyChosen(const ReadRequest& request, Result<ExampleSet> set) {
    if (!set || !request.which)
        return set;
    const auto chosen = request.chosenOf(set->examples.count);
    const Status status = chargeExamples(*request.budget, static_cast<std::int64_t>(chosen.size()),
                                         *set->image.elements() + set->targetElements);
    if (!status)
        return status.error();
    const std::int64_t before = bytesOf(set->examples);
    set->examples = chooseExamples(*set, chosen);
    request.budget->release(before);
    return set;
}

} // namespace

std::vector<std::int64_t> ReadRequest::chosenOf(std::int64_t count) const {
    if (which)
        return which(count);
    std::vector<std::int64_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return all;
}

Result<ExampleSet> readExamples(const ReadRequest& request) {
    switch (request.data.source) {
    case DataSource::Idx:
        return readIdxSet(request);
    case DataSource::Cifar10:
    case DataSource::Cifar100:
        return readCifarSet(request);
    case DataSource::ImageFolder:
        return readImageFolder(request);
    case DataSource::Csv:
        return onlyChosen(request, readCsvSet(request));
    case DataSource::Npy:
        return onlyChosen(request, readNpySet(request));
    case DataSource::Shapes:
    case DataSource::BrainSlices:
    case DataSource::IrradianceMaps:
    case DataSource::IrradianceTable:
        return drawExamples(request);
    case DataSource::Synthetic:
        break;
    }
    return badInput("/data/source", "one made-up batch is no dataset", "another source");
}

Status chargeExamples(MemoryBudget& budget, std::int64_t count, std::int64_t elements) {
    const auto numbers = checkedAdd(elements, 1);
    const auto bytes = numbers ? checkedMul(*numbers, sizeof(float)) : std::nullopt;
    return budget.charge(count, bytes.value_or(std::numeric_limits<std::int64_t>::max()),
                         std::to_string(count) + " examples as numbers", "/data");
}

std::int64_t bytesOf(const Examples& examples) {
    return static_cast<std::int64_t>((examples.images.capacity() + examples.targets.capacity()) *
                                     sizeof(float));
}

} // namespace heteroscope::compute
