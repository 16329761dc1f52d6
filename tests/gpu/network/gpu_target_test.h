// SPDX-License-Identifier: Apache-2.0
// Tests whose parameter is a target on a GPU, with a session of it; skipped where there is none.
#pragma once

#include "tests/support/modules/gpu_targets.h"
#include "tests/support/require/skip.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace heteroscope::compute {

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
