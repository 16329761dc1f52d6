// SPDX-License-Identifier: Apache-2.0
// Tests whose parameter is a target on a GPU, with a session of it; skipped where there is none.
#pragma once

#include "tests/support/modules/gpu_targets.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {

/// What `cpu/openmp` gives, which the tests of the CPU hold against the plain loops: for operations that take
/// these long.
inline std::vector<float> openMpResult(const Op& op, const Tensors& inputs) {
    const auto session = openTarget("cpu/openmp");
    EXPECT_TRUE(session.ok());
    auto result = runOp(**session, op, inputs);
    EXPECT_TRUE(result.ok()) << result.error().sentence();
    return result.ok() ? std::move(*result) : std::vector<float>();
}

class GpuTargetTest : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        auto session = openTarget(GetParam());
        if (!session)
            SKIP_WITHOUT(gpuWords(GetParam()), session.error().sentence());
        m_session = std::move(*session);
    }

    std::unique_ptr<Session> m_session;
};

} // namespace heteroscope::compute
