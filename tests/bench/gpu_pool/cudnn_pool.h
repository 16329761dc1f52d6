// SPDX-License-Identifier: Apache-2.0
// cuDNN's pooling, for comparison.
#pragma once

#include "tests/bench/gpu_pool/pool_buffers.h"

#include <functional>
#include <memory>
#include <string>

namespace heteroscope::bench {

/// One problem set up for cuDNN. Only padding that is the same on both sides. Throws std::runtime_error on
/// errors.
class CudnnPool {
  public:
    explicit CudnnPool(const PoolProblem& problem);
    ~CudnnPool();
    void forward(const PoolSet& set) const;
    /// Needs what forward() left in set.dst.
    void backward(const PoolSet& set) const;
    static std::string version();

  private:
    struct Handles;
    std::unique_ptr<Handles> m_handles;
};

} // namespace heteroscope::bench
