// SPDX-License-Identifier: Apache-2.0
// Work that runs operations on operands which stay on the device. One thread.
#pragma once

#include "compute/exec/work.h"

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
    Status repeat(int repetitions, const RepeatContext& context) override;
    std::vector<std::string> parts() const override;
    Status repeatPart(std::size_t part, int repetitions, const RepeatContext& context) override;
    Result<std::vector<OutputTensor>> outputs() override;
    std::string implementation() const override;

  private:
    Status runStep(std::size_t step, OpObserver* observer);
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
};

} // namespace heteroscope::compute
