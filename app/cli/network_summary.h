// SPDX-License-Identifier: Apache-2.0
// A network as a table for papers and spreadsheets: one row a layer, and the totals. Pure but for the file.
#pragma once

#include "compute/base/output_file.h"
#include "compute/base/result.h"
#include "compute/experiment/spec/spec.h"

#include <string>

namespace heteroscope::cli {

/// Layer, type, output shape of one image, parameters, multiply-adds and bytes of the output for a batch.
/// The ending says how: .csv (one header line, bytes and counts as numbers), .tex (a booktabs tabular), .txt.
/// Errors: BadInput for another ending or a network that is wrong, Io.
Status writeNetworkSummary(const std::string& file, const compute::ExperimentSpec& spec,
                           const OutputRules& rules);

Result<std::string> networkSummaryCsv(const compute::NetworkExperiment& experiment);
Result<std::string> networkSummaryTex(const compute::NetworkExperiment& experiment);

} // namespace heteroscope::cli
