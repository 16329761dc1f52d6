// SPDX-License-Identifier: Apache-2.0
// All targets of one point, interleaved sample by sample as far as they fit into memory together. One thread.
#pragma once

#include "compute/experiment/reference.h"
#include "compute/experiment/target_run.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::compute {

class PointRunner {
  public:
    /// `definitions` are this point's runs in the order of the targets; `progress` is called after each step.
    PointRunner(const ExperimentPoint& point, std::span<const RunDefinition> definitions,
                StudyContext& context, std::function<void(const TargetRun&)> progress);

    /// Every run gets an outcome, also when stopped or when memory runs out.
    void run();

  private:
    using Group = std::vector<TargetRun*>;

    Result<PointEstimate> estimate() const;
    void openAll();
    std::vector<Group> groups();
    void failIfInputsChanged(const Group& group);
    void runGroup(const Group& group);
    void check(TargetRun& run);
    void sampleInTurns(const Group& group);
    std::int64_t roomBeside(const TargetRun& run) const;
    void finishAll();

    const ExperimentPoint& m_point;
    std::span<const RunDefinition> m_definitions;
    StudyContext& m_context;
    std::function<void(const TargetRun&)> m_progress;
    PointEstimate m_estimate;
    std::vector<std::unique_ptr<TargetRun>> m_runs;
    std::vector<bool> m_finished;
    PointData m_data;
    Group m_started; ///< of the present group
    Reference m_reference;
};

} // namespace heteroscope::compute
