// SPDX-License-Identifier: Apache-2.0
// Work that runs operations on operands which stay on the device. One thread.
#pragma once

#include "compute/exec/recorded_repetitions.h"
#include "compute/exec/work.h"

#include <map>
#include <utility>

namespace heteroscope::compute {

/// One operation: operands are indices into the inputs followed by the results.
struct OpStep {
    std::string name;
    Op op;
    std::vector<std::size_t> src;
    std::size_t dst = 0;
};

struct OpResult {
    std::string name;
    Shape4 shape;
};

class OpWork : public Work {
  public:
    OpWork(Session& session, std::vector<OpStep> steps, std::vector<const std::vector<float>*> inputs,
           std::vector<OpResult> results);

    Status allocate() override;
    Status prepare() override;
    Status firstUse(const RepeatContext& context) override;
    /// Recorded where the session records repetitions, unless they are observed.
    Status repeat(int repetitions, const RepeatContext& context) override;
    /// "launched_ms" where repetitions are recorded: the median of a repetition that is launched operation by
    /// operation.
    Status measureExtras(const RepeatContext& context) override;
    Json metrics() const override { return m_metrics; }
    std::vector<std::string> parts() const override;
    Status repeatPart(std::size_t part, int repetitions, const RepeatContext& context) override;
    Result<std::vector<OutputTensor>> outputs() override;
    std::string implementation() const override;

  private:
    using StepRange = std::pair<std::size_t, std::size_t>; ///< first, end

    Status runStep(std::size_t step, OpObserver* observer);
    Status runSteps(StepRange steps, OpObserver* observer);
    Status repeatSteps(StepRange steps, int repetitions, const RepeatContext& context);
    Status launchSteps(StepRange steps, int repetitions, const RepeatContext& context);
    Status replaySteps(StepRange steps, int repetitions, const RepeatContext& context);
    Status record();
    std::string stepNames() const;
    double errorFloorOf(std::size_t operand) const;

    Session& m_session;
    std::vector<OpStep> m_steps;
    std::vector<const std::vector<float>*> m_inputs;
    std::vector<OpResult> m_results;
    std::vector<std::unique_ptr<DeviceBuffer>> m_buffers; ///< inputs, then results
    std::vector<std::unique_ptr<PreparedOp>> m_prepared;
    std::string m_doing;              ///< all of m_steps, for the last words of a crash
    std::vector<DeviceBuffer*> m_src; ///< kept between steps: no allocation inside a timed span
    std::map<StepRange, RecordedRepetitions> m_recorded; ///< all steps, and each that is a part
    Json m_metrics = Json::object();
};

} // namespace heteroscope::compute
