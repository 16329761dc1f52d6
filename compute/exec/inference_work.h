// SPDX-License-Identifier: Apache-2.0
// Work of an inference over a dataset: a repetition is one pass over its examples, batch by batch, from the
// host's memory and back. One thread.
#pragma once

#include "compute/exec/network_executor.h"
#include "compute/exec/work.h"

#include <memory>

namespace heteroscope::compute {

class InferenceWork final : public Work {
  public:
    /// The data hold the dataset; they outlive the work.
    InferenceWork(const NetworkExperiment& experiment, const PointData& data, Session& session);

    Status allocate() override;
    Status prepare() override;
    Status repeat(int repetitions, const RepeatContext& context) override;
    double opsPerRepetition() const override;
    /// "output": examples x units, before softmax or sigmoid where classes are trained that way; "target":
    /// what the dataset says.
    Result<std::vector<OutputTensor>> outputs() override;
    std::string implementation() const override;
    /// examples; classes: accuracy (share of one), class_names; numbers: mse, mae, r2.
    Json metrics() const override;

  private:
    Status makeExecutor(std::int64_t batch, std::unique_ptr<NetworkExecutor>& into);
    Status inferBatch(std::int64_t first, OpObserver* observer);
    std::int64_t count() const { return m_dataset.test.count; }

    const NetworkExperiment& m_experiment;
    const Dataset& m_dataset;
    Session& m_session;
    std::unique_ptr<NetworkExecutor> m_whole; ///< of a whole batch
    std::unique_ptr<NetworkExecutor> m_rest;  ///< of the examples that fill none; may be nullptr
    std::size_t m_units = 1;
    std::vector<float> m_outputs; ///< of the last pass
};

} // namespace heteroscope::compute
