// SPDX-License-Identifier: Apache-2.0
// What `check` says of a network: shapes, parameters, multiply-adds and memory of each layer. Pure.
#pragma once

#include "compute/base/json.h"
#include "compute/experiment/spec/spec.h"

#include <string>

namespace heteroscope::cli {

/// A convolution's row also says how large the matrix of its windows is (im2col), relative to its input: what
/// a convolution computed as a matrix product reads.
/// {"batch", "parameters", "multiply_adds", "memory": bytes by block, "layers": [...]}; empty when the
/// network is wrong.
Json networkReportJson(const compute::NetworkExperiment& experiment);
std::string networkReportText(const compute::NetworkExperiment& experiment);

} // namespace heteroscope::cli
