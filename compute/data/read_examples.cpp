// SPDX-License-Identifier: Apache-2.0
#include "compute/base/checked_math.h"
#include "compute/base/units.h"
#include "compute/core/cpu.h"
#include "compute/data/example_set.h"

namespace heteroscope::compute {

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
        return readCsvSet(request);
    case DataSource::Npy:
        return readNpySet(request);
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
