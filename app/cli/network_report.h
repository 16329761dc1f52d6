// SPDX-License-Identifier: Apache-2.0
// What `check` says of a network: shapes, parameters, multiply-adds and memory of each layer. Pure.
#pragma once

#include "compute/base/json.h"
#include "compute/experiment/spec/spec.h"

#include <string>

namespace heteroscope::cli {

/// {"batch", "parameters", "multiply_adds", "memory": bytes by block, "layers": [...]}; empty when the
/// network is wrong.
Json networkReportJson(const compute::NetworkExperiment& experiment);
std::string networkReportText(const compute::NetworkExperiment& experiment);

} // namespace heteroscope::cli
