// SPDX-License-Identifier: Apache-2.0
// What the parts of the oneDNN implementation share: the engine, the thread count, errors as values.
#pragma once

#include "compute/core/host_session.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <memory>
#include <omp.h>
#include <string>

namespace heteroscope::compute::onednn {

/// oneDNN's own threads are OpenMP's: this sets how many the calling thread's regions get, and undoes it.
class ThreadScope {
  public:
    explicit ThreadScope(int threads) : m_before(omp_get_max_threads()) { omp_set_num_threads(threads); }
    ~ThreadScope() { omp_set_num_threads(m_before); }
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

  private:
    int m_before;
};

/// One engine and stream a session.
struct Context {
    int threads = 1;
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
};

inline Error failure(const std::string& what, const dnnl::error& error) {
    const ErrorCode code = error.status == dnnl_out_of_memory ? ErrorCode::OutOfMemory : ErrorCode::RunFailed;
    return Error{code, "oneDNN: " + std::string(error.what()), what, {}, {}};
}

/// oneDNN asks for pointers that it may write through, also where it only reads.
inline void* writable(const float* pointer) {
    return const_cast<float*>(pointer);
}

Support supportsPool(Context& context, const PoolParams& params, const Shape4& src, bool backward);
std::size_t poolWorkspaceBytes(Context& context, const PoolParams& params, const Shape4& src, bool backward);
Result<std::unique_ptr<PreparedOp>> preparePool(Context& context, const Op& op);

Support supportsGemm(Context& context, const Gemm& op);
std::size_t gemmWorkspaceBytes(Context& context, const Gemm& op);
Result<std::unique_ptr<PreparedOp>> prepareGemm(Context& context, const Gemm& op);

/// Layers of networks.
Support supportsLayer(Context& context, const Op& op);
std::size_t layerWorkspaceBytes(Context& context, const Op& op);
Result<std::unique_ptr<PreparedOp>> prepareLayer(Context& context, const Op& op);

} // namespace heteroscope::compute::onednn
