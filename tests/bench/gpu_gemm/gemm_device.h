// SPDX-License-Identifier: Apache-2.0
// What the GEMM benchmark needs of the GPU: operands, a stream, events, cuBLAS. The first error is kept and
// ends it.
#pragma once

#include "compute/backends/nvidia/kernels/gemm/gemm_kernels.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <functional>
#include <string>
#include <vector>

namespace heteroscope::bench {

/// C (m x n) = A (m x k) * B (k x n)
struct GemmSize {
    int m, n, k;
};

struct Spread {
    double lowest, median, highest;
};
Spread spreadOf(std::vector<double> samples);

class GemmDevice {
  public:
    /// Random operands of up to `elements` each; smaller ones use the beginning of the same memory.
    explicit GemmDevice(std::size_t elements);
    ~GemmDevice();
    GemmDevice(const GemmDevice&) = delete;
    GemmDevice& operator=(const GemmDevice&) = delete;

    const std::string& error() const { return m_error; }
    std::string name() const;

    /// As the running device's attributes say.
    const compute::nvidia::DeviceLimits& limits() const { return m_limits; }
    void runOwn(const compute::nvidia::GemmPlan& plan, const GemmSize& size);
    void runCublas(const GemmSize& size, bool tf32);

    /// Fills the result with NaN.
    void poisonResult();
    /// ||C - R|| / ||R|| for the result R that was kept last; `keep` makes C that one.
    double differenceTo(const GemmSize& size, bool keep);
    /// Launches that take about that long together.
    int repetitionsFor(double spanMs, const std::function<void()>& launch);
    /// Device time of one of `repetitions` launches, from events around them; they are captured in a CUDA
    /// graph and replayed, so that nothing waits for the host.
    double timeMs(int repetitions, const std::function<void()>& launch);

  private:
    void check(cudaError_t status);
    void check(cublasStatus_t status);

    std::string m_error;
    /// Scratch memory of at least that many bytes.
    void* scratch(std::size_t bytes);

    std::size_t m_elements;
    compute::nvidia::DeviceLimits m_limits;
    float *m_a = nullptr, *m_b = nullptr, *m_c = nullptr;
    void* m_scratch = nullptr;
    std::size_t m_scratchBytes = 0;
    std::vector<float> m_kept;
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
    cublasHandle_t m_cublas = nullptr;
};

} // namespace heteroscope::bench
