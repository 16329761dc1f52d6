// SPDX-License-Identifier: Apache-2.0
// What a dataset will take of the host's memory, from the headers of its files. Any thread.
#pragma once

#include "compute/experiment/spec/spec.h"

#include <cstdint>

namespace heteroscope::compute {

/// Bytes.
struct DatasetMemory {
    std::int64_t held = 0;                 ///< by the parts, as long as they are used
    std::int64_t reading = 0;              ///< at the most while loadDataset() reads, the parts included
    std::optional<ExampleCounts> examples; ///< of its parts
};

/// Nothing for other experiments and where a file cannot be read. Whether reading may hold so much
/// (memory_budget.h) is not asked. Of a long table the number of rows is estimated from its first MiB.
DatasetMemory datasetMemory(const ExperimentSpec& pointSpec);

} // namespace heteroscope::compute
