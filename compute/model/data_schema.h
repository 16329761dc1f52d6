// SPDX-License-Identifier: Apache-2.0
// The parameters at /data: where the examples of a network come from. Any thread.
#pragma once

#include "compute/model/parameter_schema.h"

#include <string>
#include <vector>

namespace heteroscope::compute {

ParameterGroup dataGroup();

/// The values of /data/source that stand for a dataset: all but "synthetic", which is one made-up batch.
const std::vector<std::string>& datasetSources();

} // namespace heteroscope::compute
