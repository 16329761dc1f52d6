// SPDX-License-Identifier: Apache-2.0
// Work of a network experiment: one inference of a batch, or one training step on it, is a repetition. One
// thread.
#pragma once

#include "compute/exec/network_executor.h"
#include "compute/exec/recorded_sequence.h"
#include "compute/exec/work.h"

namespace heteroscope::compute {

/// "loss" (two figures) and "gradients" of all parameters, of the last step.
Result<std::vector<OutputTensor>> trainingOutputs(NetworkExecutor& executor);

class NetworkWork final : public Work {
  public:
    NetworkWork(const NetworkExperiment& experiment, Session& session);

    Status allocate() override;
    Status prepare() override;
    Status repeat(int repetitions, const RepeatContext& context) override;
    std::vector<std::string> parts() const override;
    Status repeatPart(std::size_t part, int repetitions, const RepeatContext& context) override;
    /// infer: "output". train: trainingOutputs().
    Result<std::vector<OutputTensor>> outputs() override;
    std::string implementation() const override;

  private:
    Status step(OpObserver* observer);
    Status submit(OpObserver* observer); ///< every phase

    const NetworkExperiment& m_experiment;
    Session& m_session;
    std::unique_ptr<NetworkExecutor> m_executor;
    RecordedSequence m_sequence; ///< of submit()
    std::int64_t m_step = 0;
};

} // namespace heteroscope::compute
