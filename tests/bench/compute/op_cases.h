// SPDX-License-Identifier: Apache-2.0
// Our implementations' ops as pieces of work, on buffers that live as long as the benchmark.
#pragma once

#include "compute/backends/builtin.h"
#include "tests/bench/compute/harness.h"
#include "tests/bench/compute/limits.h"

#include <memory>
#include <string>
#include <vector>

namespace heteroscope::bench {

/// Host buffers filled with seeded random numbers, kept for the whole run.
class Arena {
  public:
    compute::DeviceBuffer* make(std::int64_t elements);
    static float* data(compute::DeviceBuffer* buffer) { return static_cast<float*>(buffer->hostPointer()); }

  private:
    std::vector<std::unique_ptr<compute::DeviceBuffer>> m_buffers;
    std::uint32_t m_seed = 35;
};

class OpCases {
  public:
    OpCases(std::vector<std::string> targets, int threads);

    void addPooling(const compute::PoolParams& params, const compute::Shape4& src);
    void addGemm(std::int64_t n);
    /// Forward and both backward directions.
    void addConvolution(const compute::ConvParams& params, const compute::Shape4& src);
    const std::vector<Work>& works() const { return m_works; }

  private:
    void addOp(const std::string& group, const compute::Op& op, std::vector<compute::DeviceBuffer*> src,
               std::vector<compute::DeviceBuffer*> dst);

    struct Opened {
        std::string target;
        std::unique_ptr<compute::Session> session;
    };
    int m_threads;
    Arena m_arena;
    std::vector<Opened> m_sessions;
    std::vector<std::shared_ptr<compute::PreparedOp>> m_prepared;
    std::vector<Work> m_works;
};

} // namespace heteroscope::bench
