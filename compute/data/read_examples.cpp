// SPDX-License-Identifier: Apache-2.0
#include "compute/base/checked_math.h"
#include "compute/base/units.h"
#include "compute/core/cpu.h"
#include "compute/data/split.h"

#include <numeric>

namespace heteroscope::compute {

namespace {

/// Of a source that is read whole.
Result<ExampleSet> onlyChosen(const ReadRequest& request, Result<ExampleSet> set) {
    if (set && request.which)
        set->examples = chooseExamples(*set, request.chosenOf(set->examples.count));
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

Status checkExampleMemory(std::int64_t count, std::int64_t elements) {
    const auto needed = checkedProduct({count, elements, 4});
    const std::int64_t free = readMemory().freeBytes;
    if (needed && *needed <= free)
        return {};
    return Error{ErrorCode::OutOfMemory,
                 "the examples take " +
                     (needed ? formatBytes(static_cast<double>(*needed)) : "more than 8 EiB") +
                     " as numbers, " + formatBytes(static_cast<double>(free)) + " are free",
                 "/data",
                 {},
                 "use fewer or smaller examples"};
}

} // namespace heteroscope::compute
