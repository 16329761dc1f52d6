// SPDX-License-Identifier: Apache-2.0
// Predictions of an inference over a dataset as CSV: index, actual, predicted, then the probability of each
// class; of a regression one actual and predicted column a target. Several runs: a first column "run". One
// thread.
#pragma once

#include "compute/base/output_file.h"
#include "compute/base/result.h"
#include "compute/core/shape.h"
#include "profiling/stream/study.h"

#include <map>
#include <string>
#include <vector>

namespace heteroscope::cli {

class Predictions {
  public:
    /// An output of a run; all but "output" and "target" are passed over.
    void take(int run, const std::string& name, const compute::Shape4& shape, const float* data);
    /// The study says what the classes are called. Errors: no run made predictions, or the file's.
    Status write(const std::string& path, const profiling::Study& study, const OutputRules& rules) const;

  private:
    struct Rows {
        std::size_t examples = 0, units = 1, targets = 1;
        std::vector<float> outputs, actual;
    };

    std::map<int, Rows> m_runs;
};

} // namespace heteroscope::cli
